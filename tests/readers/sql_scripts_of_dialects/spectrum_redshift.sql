-- Ad spend checks on Redshift; owner: marketing data
-- ADS-01: clicks never exceed impressions
SELECT campaign_id FROM ads.daily WHERE clicks > impressions;
-- ADS-02: ratio is below one
SELECT COUNT(*) FROM ads.daily WHERE clicks / NULLIF(impressions, 0) > 1;
SELECT CASE WHEN COUNT(*) = 0 THEN 'OK' ELSE 'NOK' END AS ads_03_channel FROM ads.daily WHERE channel !~ '^[a-z_]+$';
SELECT SUM(CASE WHEN NVL(spend, 0) < 0 THEN 1 ELSE 0 END) AS ads_04_spend,
       SUM(CASE WHEN LEN(campaign_nm) > 100 THEN 1 ELSE 0 END) AS ads_05_name,
       MAX(spend) AS top_spend
FROM ads.daily;
-- ADS-06: one row per campaign and day
SELECT campaign_id, day, COUNT(*) FROM ads.daily GROUP BY campaign_id, day HAVING COUNT(*) > 1;
-- ADS-07: campaign is in the plan
SELECT d.campaign_id FROM ads.daily d LEFT JOIN ads.plan p ON p.campaign_id = d.campaign_id AND p.active = 'Y' WHERE p.campaign_id IS NULL;
-- ADS-08: no day older than a year
SELECT COUNT(*) FROM ads.daily WHERE DATEDIFF(month, day, CURRENT_DATE) > 12;
SELECT campaign_id FROM ads.daily WHERE day = = 1;
SELECT 'ADS-09' AS id, COUNT(*) FROM ads.daily WHERE currency <> 'USD' AND country = 'US'
UNION ALL
SELECT 'ADS-10', COUNT(*) FROM ads.daily WHERE country IS NULL;
DELETE FROM ads.daily WHERE impressions IS NULL;
INSERT INTO ads.rejects SELECT campaign_id, 'ADS-12' FROM ads.plan WHERE budget <= 0;
CREATE TABLE ads.fact (
  campaign_id BIGINT NOT NULL ENCODE az64,
  day DATE NOT NULL,
  spend DECIMAL(12,2),
  PRIMARY KEY (campaign_id, day)
) DISTKEY (campaign_id) SORTKEY (day);
CREATE OR REPLACE PROCEDURE ads.sp_check() AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM ads.plan WHERE end_dt < start_dt) THEN
    RAISE EXCEPTION 'ADS-16 plan ends before it starts';
  END IF;
END;
$$ LANGUAGE plpgsql;
CALL ads.sp_check();
VACUUM ads.daily;
ANALYZE ads.daily;
