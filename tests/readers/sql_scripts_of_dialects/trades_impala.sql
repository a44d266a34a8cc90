-- trade checks, owner: market risk
REFRESH risk.trade;
-- TRD-01: notional above zero
SELECT trade_id FROM risk.trade WHERE notional <= 0;
-- TRD-02: maturity after the trade date
SELECT COUNT(*) FROM risk.trade WHERE maturity_dt < trade_dt;
SELECT SUM(CASE WHEN desk IS NULL THEN 1 ELSE 0 END) AS trd_03_desk,
       SUM(CASE WHEN ccy NOT IN ('EUR', 'USD', 'GBP') THEN 1 ELSE 0 END) AS trd_04_ccy,
       SUM(IF(isnull(rate, 0) > 1, 1, 0)) AS trd_05_rate
FROM risk.trade;
SELECT CASE WHEN COUNT(*) = 0 THEN 'PASS' ELSE 'FAIL' END AS trd_06_isin FROM risk.trade WHERE NOT regexp_like(isin, '^[A-Z]{2}[A-Z0-9]{10}$');
-- TRD-07: one row per trade
SELECT trade_id, COUNT(*) FROM risk.trade GROUP BY trade_id HAVING COUNT(*) > 1;
-- TRD-08: counterparty is known
SELECT t.trade_id FROM risk.trade t LEFT ANTI JOIN risk.party p ON p.party_id = t.party_id;
-- TRD-09: book exists
SELECT t.trade_id FROM risk.trade t WHERE NOT EXISTS (SELECT 1 FROM risk.book b WHERE b.book_id = t.book_id);
SELECT trade_id FROM risk.trade WHERE notional BETWEEN;
SELECT 'TRD-10' AS id, COUNT(*) FROM risk.position WHERE qty IS NULL
UNION ALL
SELECT 'TRD-11', COUNT(*) FROM risk.position WHERE trim(ticker) = '' OR ticker IS NULL;
UPSERT INTO risk.log VALUES (1, 'start');
INSERT INTO risk.trade_rej SELECT trade_id, 'TRD-12' FROM risk.trade WHERE price < 0 OR price > ${var:max_price};
INSERT INTO risk.position_ok SELECT * FROM risk.position WHERE qty > 0;
SELECT * FROM (SELECT p.*, ROW_NUMBER() OVER (PARTITION BY pos_id ORDER BY ts DESC) AS rn FROM risk.position p) x WHERE rn > 1;
-- TRD-14: stage and core hold the same number
SELECT (SELECT COUNT(*) FROM risk.trade) - (SELECT COUNT(*) FROM risk.trade_core) AS diff;
INVALIDATE METADATA risk.trade;
COMPUTE STATS risk.trade;
