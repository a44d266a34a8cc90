// Sales landing checks, owner: revenue ops
USE WAREHOUSE LOAD_WH;
USE SCHEMA SALES.LANDING;
SET run_dt = CURRENT_DATE();

-- SAL-01: quantity must be a whole number
SELECT line_id FROM sales.landing.order_line WHERE qty_txt IS NOT NULL AND TRY_TO_NUMBER(qty_txt) IS NULL;

-- SAL-02: country is two capitals
SELECT COUNT(*) FROM sales.landing.order_head WHERE NOT RLIKE(country, '[A-Z]{2}');

SELECT 'SAL-03' AS rule_id, COUNT_IF(amount < 0) AS bad_rows FROM sales.landing.order_line
UNION ALL
SELECT 'SAL-04', COUNT_IF(IFF(discount > amount, TRUE, FALSE)) FROM sales.landing.order_line
UNION ALL
SELECT 'SAL-05', COUNT_IF(ZEROIFNULL(tax) = 0) FROM sales.landing.order_line;

-- SAL-06: duplicates
SELECT order_no FROM sales.landing.order_head QUALIFY COUNT(*) OVER (PARTITION BY order_no) > 1;

SELECT order_no, CASE WHEN ship_dt IS NULL THEN 'missing ship date' WHEN ship_dt < order_dt THEN 'shipped too early' ELSE 'ok' END AS status
FROM sales.landing.order_head;

-- SAL-09: no more than 2 percent without a mail address
SELECT CASE WHEN 100.0 * COUNT_IF(email IS NULL) / NULLIF(COUNT(*), 0) <= 2 THEN 'PASS' ELSE 'FAIL' END AS result FROM sales.landing.order_head;

MERGE INTO dq.exceptions t
USING (SELECT order_no, 'SAL-10' AS rule FROM sales.landing.order_head WHERE email NOT ILIKE '%@%') s
ON t.order_no = s.order_no AND t.rule = s.rule
WHEN NOT MATCHED THEN INSERT (order_no, rule) VALUES (s.order_no, s.rule);

-- SAL-11
SELECT l.line_id FROM sales.landing.order_line l LEFT JOIN sales.landing.order_head h ON h.order_no = l.order_no WHERE h.order_no IS NULL;

SELECT line_id FROM sales.landing.order_line WHERE qty IN (1, 2;

CREATE OR REPLACE TABLE sales.core.order_head (
  order_no STRING NOT NULL,
  total NUMBER(12, 2),
  CONSTRAINT pk_order PRIMARY KEY (order_no)
);

EXECUTE IMMEDIATE $$
DECLARE
  n INTEGER;
  too_old EXCEPTION (-20001, 'SAL-14 order older than ten years');
BEGIN
  SELECT COUNT(*) INTO :n FROM sales.landing.order_head WHERE order_dt < '2014-01-01';
  IF (n > 0) THEN
    RAISE too_old;
  END IF;
END;
$$;

INSERT INTO sales.core.order_head SELECT order_no, total FROM sales.landing.order_head WHERE total IS NOT NULL;
INSERT INTO sales.core.order_head_reject SELECT order_no, total FROM sales.landing.order_head WHERE total IS NULL;
ALTER SESSION SET TIMEZONE = 'UTC';
