-- Event quality. Owner: growth analytics
DECLARE max_late INT64 DEFAULT 3;

-- EVT-1: event names are known
SELECT event_id FROM `acme.raw.events` WHERE event_name NOT IN ('view', 'click', 'buy') OR event_name IS NULL;

SELECT COUNTIF(user_id IS NULL) AS evt_2_user_missing,
       COUNTIF(SAFE_CAST(amount AS NUMERIC) IS NULL) AS evt_3_amount,
       COUNTIF(NOT REGEXP_CONTAINS(country, r'^[A-Z]{2}$')) AS evt_4_country
FROM `acme.raw.events`;

-- EVT-5: same event twice
SELECT event_id, COUNT(*) AS n FROM `acme.raw.events` GROUP BY event_id HAVING n > 1;

-- EVT-6: buyer is not in the users
SELECT e.event_id FROM `acme.raw.events` e LEFT JOIN `acme.core.users` u USING (user_id) WHERE u.user_id IS NULL;

ASSERT NOT EXISTS (SELECT 1 FROM `acme.raw.events` WHERE event_ts > ingest_ts) AS 'EVT-7 event after its arrival';

ASSERT (SELECT COUNT(*) FROM `acme.raw.sessions` WHERE end_ts < start_ts) = 0 AS 'EVT-8 session ends before it starts';

SELECT IF(COUNT(*) = 0, 'PASS', 'FAIL') AS evt_9_device FROM `acme.raw.events` WHERE device.category = "" ;

SELECT 'EVT-10' AS id, COUNT(*) AS bad FROM `acme.raw.sessions` WHERE pages < 1
UNION ALL
SELECT 'EVT-11', COUNT(*) FROM `acme.raw.sessions` WHERE DATE_DIFF(DATE(end_ts), DATE(start_ts), DAY) > 1;

SELECT event_id FROM `acme.raw.events` WHERE AND;

INSERT INTO `acme.dq.rejects` (event_id, reason)
SELECT event_id, 'EVT-12' FROM `acme.raw.events` WHERE LENGTH(url) > 2000;
DELETE FROM `acme.raw.events` WHERE LENGTH(url) > 2000;

MERGE `acme.dq.exceptions` t
USING (SELECT session_id, 'EVT-13' AS rule FROM `acme.raw.sessions` WHERE STARTS_WITH(referrer, 'http:')) s
ON t.session_id = s.session_id AND t.rule = s.rule
WHEN NOT MATCHED THEN INSERT (session_id, rule) VALUES (session_id, rule);

SELECT * FROM `acme.raw.sessions` QUALIFY ROW_NUMBER() OVER (PARTITION BY session_id ORDER BY start_ts) > 1;
SELECT country, COUNT(*) FROM `acme.raw.events` GROUP BY country ORDER BY 2 DESC;
