REM claims_oracle.sql - nightly checks on staged claims
REM Owner: Claims Data Office
SET SERVEROUTPUT ON
WHENEVER SQLERROR EXIT FAILURE
DEFINE run_date = '2024-03-01'

-- CLM-001 [HIGH] a claim needs a policy number
SELECT claim_id FROM stg_claim WHERE policy_no IS NULL;

-- CLM-002 loss date must not lie after the report date
SELECT COUNT(*) FROM stg_claim WHERE TRUNC(loss_dt) > TRUNC(report_dt) AND load_dt = TO_DATE('&run_date', 'YYYY-MM-DD');

SELECT 'CLM_003' AS check_id, COUNT(*) AS bad FROM stg_claim WHERE NVL(reserve_amt, 0) < 0
UNION ALL
SELECT 'CLM_004', COUNT(*) FROM stg_claim WHERE status_cd NOT IN ('O', 'C', 'R')
UNION ALL
SELECT 'CLM_005', COUNT(*) FROM stg_claim WHERE TRIM(claimant_nm) = '';

-- CLM-006 one row per claim and sequence
SELECT claim_id, seq_no, COUNT(*) FROM stg_claim_line GROUP BY claim_id, seq_no HAVING COUNT(*) > 1;

-- CLM-007 every line has its claim
SELECT l.claim_id FROM stg_claim_line l, stg_claim c WHERE l.claim_id = c.claim_id (+) AND c.claim_id IS NULL;

INSERT INTO claim_reject (claim_id, reason) SELECT claim_id, 'CLM_008' FROM stg_claim WHERE paid_amt > reserve_amt;
DELETE FROM stg_claim WHERE paid_amt > reserve_amt;

SELEC claim_id FRM stg_claim WHERE;

DECLARE
  v_cnt NUMBER;
BEGIN
  SELECT COUNT(*) INTO v_cnt FROM stg_claim WHERE currency_cd IS NULL OR LENGTH(currency_cd) <> 3;
  IF v_cnt > 0 THEN
    RAISE_APPLICATION_ERROR(-20010, 'CLM-009 currency is not a code of three letters');
  END IF;
END;
/
ALTER TABLE claim ADD CONSTRAINT ck_claim_status CHECK (status_cd IN ('O', 'C', 'R'));
ALTER TABLE claim ADD CONSTRAINT fk_claim_policy FOREIGN KEY (policy_no) REFERENCES policy (policy_no) DISABLE;

SELECT claim_id, CASE WHEN REGEXP_LIKE(zip_cd, '^[0-9]{5}$') THEN 'OK' ELSE 'bad zip' END AS zip_check FROM stg_claim;

INSERT INTO claim (claim_id, policy_no) SELECT claim_id, policy_no FROM stg_claim;
COMMIT;
EXEC DBMS_STATS.GATHER_TABLE_STATS('DWH', 'CLAIM')
EXIT
