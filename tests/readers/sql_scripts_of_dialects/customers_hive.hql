-- customer controls, owner: risk data
SET hive.exec.dynamic.partition=true;
USE stage;
-- K0001 customer number is a number
SELECT cust_no FROM stage.customer WHERE dt = '${hivevar:dt}' AND CAST(cust_no AS BIGINT) IS NULL;
INSERT INTO TABLE dq.log PARTITION (tab = 'customer')
-- K0002 birth date is given
SELECT 'K0002', COUNT(*) FROM stage.customer WHERE dt = '${hivevar:dt}' AND birth_dt IS NULL;
INSERT OVERWRITE TABLE dq.result
SELECT SUM(CASE WHEN segment NOT IN ('RET', 'SME') THEN 1 ELSE 0 END) AS k0003_segment,
       SUM(IF(length(trim(name)) = 0, 1, 0)) AS k0004_name,
       SUM(CASE WHEN email RLIKE '@' THEN 0 ELSE 1 END) AS k0005_email
FROM stage.customer;
-- K0006 duplicates
SELECT cust_no, COUNT(1) FROM stage.customer GROUP BY cust_no HAVING COUNT(1) > 1;
-- K0007 customer of a branch we know
SELECT c.cust_no FROM stage.customer c LEFT OUTER JOIN ref.office b ON c.branch = b.branch WHERE b.branch IS NULL;
-- K0008 income within bounds
SELECT COUNT(*) FROM stage.customer WHERE income < 0 OR income >= 10000000;
SELECT cust_no FROM stage.customer WHERE (segment;
-- K0009 periods follow each other
SELECT * FROM (SELECT cust_no, start_dt, LAG(end_dt) OVER (PARTITION BY cust_no ORDER BY start_dt) AS prev_end FROM stage.address) a WHERE a.start_dt <= a.prev_end;
FROM stage.customer s
INSERT INTO TABLE core.customer SELECT s.cust_no WHERE s.income IS NOT NULL
INSERT INTO TABLE core.customer_rej SELECT s.cust_no WHERE s.income IS NULL;
SELECT 'K0011' AS id, COUNT(*) AS n FROM stage.address WHERE nvl(city, '') = ''
UNION ALL
SELECT 'K0012' AS id, COUNT(*) AS n FROM stage.address WHERE datediff(end_dt, start_dt) < 0;
ALTER TABLE dq.log DROP IF EXISTS PARTITION (tab = 'old');
ANALYZE TABLE stage.customer COMPUTE STATISTICS;
