-- web log checks run with spark-sql, owner: web team
SET spark.sql.shuffle.partitions=8;
USE weblog;
CACHE TABLE weblog.hit;
-- WEB-01: status is a code of HTTP
SELECT hit_id FROM weblog.hit WHERE status < 100 OR status > 599;
-- WEB-02: bytes are counted
SELECT count(*) FROM weblog.hit WHERE bytes IS NULL AND status = 200;
SELECT sum(if(method NOT IN ('GET', 'POST', 'PUT'), 1, 0)) AS web_03_method,
       count(CASE WHEN path NOT LIKE '/%' THEN 1 END) AS web_04_path,
       count(*) FILTER (WHERE ip RLIKE '^10\\.') AS web_05_private
FROM weblog.hit;
-- WEB-06: hits once
SELECT hit_id, count(*) FROM weblog.hit GROUP BY hit_id HAVING count(*) > 1;
-- WEB-07: session is there
SELECT h.hit_id FROM weblog.hit h WHERE h.session_id NOT IN (SELECT session_id FROM weblog.session);
-- WEB-08: visitor of a session
SELECT s.session_id FROM weblog.session s LEFT JOIN weblog.visitor v ON s.visitor_id <=> v.visitor_id WHERE v.visitor_id IS NULL;
SELECT hit_id FROM weblog.hit WHERE (status = 1;
SELECT raise_error('WEB-09 session ends before it starts') FROM weblog.session WHERE end_ts < start_ts;
SELECT 'WEB-10' AS rule, count(*) AS bad FROM weblog.session WHERE pages <= 0
UNION ALL
SELECT 'WEB-11', count(*) FROM weblog.session WHERE to_date(day, 'yyyyMMdd') IS NULL;
INSERT INTO weblog.rejected SELECT hit_id, 'WEB-12' FROM weblog.hit WHERE referrer = '' OR referrer IS NULL;
INSERT INTO weblog.hit_clean SELECT * FROM weblog.hit WHERE NOT (referrer = '' OR referrer IS NULL);
SELECT CASE WHEN count(*) = 0 THEN 'OK' ELSE 'KO' END AS web_13_agent FROM weblog.hit WHERE length(agent) > 1000;
SELECT * FROM (SELECT session_id, start_ts, lag(end_ts) OVER (PARTITION BY visitor_id ORDER BY start_ts) AS last_end FROM weblog.session) t WHERE last_end > start_ts;
CREATE TABLE weblog.visitor_new (visitor_id BIGINT NOT NULL, mail STRING, CONSTRAINT mail_ok CHECK (mail LIKE '%@%')) USING delta;
SELECT session_id, CASE WHEN pages IS NULL THEN 'null' WHEN pages > 1000 THEN 'invalid' ELSE 'valid' END AS pages_status FROM weblog.session;
UNCACHE TABLE weblog.hit;
ANALYZE TABLE weblog.hit COMPUTE STATISTICS;
