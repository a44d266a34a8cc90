-- Databricks notebook source
-- MAGIC %md sensor checks, owner: plant IoT
-- COMMAND ----------
USE CATALOG plant;
-- COMMAND ----------
-- SEN-01: a reading has a device
SELECT * FROM plant.bronze.reading WHERE device_id IS NULL;
-- COMMAND ----------
-- SEN-02: temperature in range
SELECT count(*) FROM plant.bronze.reading WHERE temp_c NOT BETWEEN -50 AND 150;
-- COMMAND ----------
SELECT count_if(unit NOT IN ('C', 'F')) AS sen_03_unit,
       count_if(try_cast(raw_value AS DOUBLE) IS NULL) AS sen_04_raw,
       sum(CASE WHEN battery > 100 THEN 1 ELSE 0 END) AS sen_05_battery
FROM plant.bronze.reading;
-- COMMAND ----------
-- SEN-06: duplicates
SELECT device_id, ts, count(*) AS n FROM plant.bronze.reading GROUP BY ALL HAVING n > 1;
-- COMMAND ----------
-- SEN-07: device is registered
SELECT r.* FROM plant.bronze.reading r LEFT ANTI JOIN plant.ref.device d ON d.device_id = r.device_id;
-- COMMAND ----------
SELECT assert_true(count(*) = 0, 'SEN-08 reading from the future') FROM plant.bronze.reading WHERE ts > current_timestamp();
-- COMMAND ----------
SELECT device_id FROM plant.bronze.reading WHERE temp_c >> ;
-- COMMAND ----------
ALTER TABLE plant.silver.reading ADD CONSTRAINT temp_ok CHECK (temp_c > -273.15);
ALTER TABLE plant.silver.reading ALTER COLUMN device_id SET NOT NULL;
-- COMMAND ----------
MERGE INTO plant.dq.exceptions t
USING (SELECT device_id, 'SEN-11' AS rule FROM plant.ref.device WHERE serial RLIKE '[^0-9A-F]') s
ON t.device_id = s.device_id AND t.rule = s.rule
WHEN NOT MATCHED THEN INSERT *;
-- COMMAND ----------
INSERT INTO plant.silver.device SELECT * FROM plant.ref.device WHERE site IS NOT NULL;
INSERT INTO plant.dq.device_reject SELECT * FROM plant.ref.device WHERE site IS NULL;
-- COMMAND ----------
SELECT CASE WHEN count(*) = 0 THEN 'PASS' ELSE 'FAIL' END AS sen_13_model FROM plant.ref.device WHERE trim(model) = '';
-- COMMAND ----------
SELECT * FROM plant.ref.device QUALIFY row_number() OVER (PARTITION BY serial ORDER BY device_id) > 1;
-- COMMAND ----------
SELECT 'SEN-15' AS id, count(*) AS n FROM plant.ref.device WHERE installed > current_date()
UNION ALL
SELECT 'SEN-16', count(*) FROM plant.ref.device WHERE len(serial) <> 8;
OPTIMIZE plant.silver.reading;
