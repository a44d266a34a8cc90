"""The rules of the shared SQL scripts as the rooms before hand them over, and their labels.

file -> one row per rule: where its text begins and ends, and what could name it.
"""

ALIAS, ID, NAME, MESSAGE = "alias", "id", "name", "message"

CASES = {
    "s001": [("SELECT COUNT", "<= 0", [(ALIAS, "bad_cnt")])],
    "s002": [("SELECT cust_id", "IS NULL", [])],
    "s003": [("SELECT 'QTY", "qty < 0", [(NAME, "QTY_NOT_NEGATIVE"), (ALIAS, "result")])],
    "s004": [
        ("INSERT INTO", "'${run_dt}';", [(ALIAS, "r00417_bad")]),
        ("INSERT INTO", "'${run_dt}';", [(ALIAS, "r00418_bad")]),
        ("INSERT INTO", "'${run_dt}';", [(ALIAS, "r00419_bad")]),
    ],
    "s005": [
        ("SELECT 'price_present'", "price IS NULL", [(NAME, "price_present"), (ALIAS, "failures")]),
        ("SELECT 'price_in", "> 100000", [(NAME, "price_in_range")]),
        ("SELECT 'currency", "{3}$'", [(NAME, "currency_iso")]),
        ("SELECT 'fresh", "400 days'", [(NAME, "fresh_row")]),
    ],
    "s006": [("SELECT order_no", "> 1", [(ALIAS, "n")])],
    "s007": [("SELECT o.", "IS NULL", [])],
    "s008": [("SELECT COUNT", "'Y')", [(ALIAS, "cnt")])],
    "s009": [("SELECT COUNT", "ref_country)", [])],
    "s010": [("SELECT id", "tgt.payments", [])],
    "s011": [("SELECT CASE", "policy) t", [(ALIAS, "rc_stg_core")])],
    "s012": [("SELECT 'EMAIL", "contacts", [(ID, "EMAIL_NULL_PCT"), (ALIAS, "status")])],
    "s013": [("IF EXISTS", "END", [(MESSAGE, "Premium missing or negative")])],
    "s014": [("SELECT @bad", "', 1;", [(MESSAGE, "Order lines with unknown quantity or price")])],
    "s015": [
        ("SELECT COUNT", "END IF", [(MESSAGE, "LIC-010 end date before start date: ")]),
        ("SELECT COUNT(*) INTO v_n FROM (", "licence')", [(MESSAGE, "LIC-011 duplicate licence")]),
    ],
    "s016": [
        ("INSERT INTO", "DATE;", [(ID, "P014"), (MESSAGE, "Birth date in the future")]),
        (
            "INSERT INTO dq_db.err_person (prsn_id, load_id, err_code, err_desc)\nSEL ",
            "IS NULL",
            [(ID, "P015"), (MESSAGE, "Unknown gender code")],
        ),
    ],
    "s017": [("INSERT INTO", "<= 0", [(ID, "INV_AMT_SIGN")])],
    "s018": [("DELETE", "$'", [])],
    "s019": [
        ("UPDATE stg", "hire_date", [(MESSAGE, "V1: terminated before hire; ")]),
        ("UPDATE e", "IS NULL", [(MESSAGE, "V2: unknown department; ")]),
    ],
    "s020": [
        ("WHEN sku IS NULL", "missing'", [(MESSAGE, "E01 sku missing")]),
        ("WHEN LENGTH", "length'", [(MESSAGE, "E02 sku length")]),
        ("WHEN uom", "uom'", [(MESSAGE, "E03 uom")]),
        ("WHEN wt", "weight'", [(MESSAGE, "E04 weight")]),
    ],
    "s021": [("MERGE", "rule_id)", [(ID, "SCORE_RANGE")])],
    "s024": [
        ("IF NEW.email", "END IF", [(MESSAGE, "email_format")]),
        ("IF NEW.age", "END IF", [(MESSAGE, "age_range")]),
    ],
    "s025": [("CREATE", "period'", [(MESSAGE, "invalid budget or period")])],
    "s027": [("SELECT txn_id", "p_max;", [])],
    "s028": [("SELECT event_id FROM (", "rn > 1", [])],
    "s030": [
        ("SELECT a.cust_id", "a.valid_to", []),
        ("SELECT cust_id", "> valid_to", []),
    ],
    "s031": [("SELECT meter_id", "prev", [])],
    "s032": [
        ("ABORT 'Spec", "= 0)", [(MESSAGE, "Special characters in cluster")]),
        ("ABORT 'Store", "IS NULL)", [(MESSAGE, "Store number not numeric")]),
    ],
    "s033": [
        ("SELECT COUNT(*) FROM dbo.Supplier WHERE vat", "%'", []),
        ("SELECT COUNT(*) FROM dbo.Supplier WHERE code", "]';", []),
    ],
    "s034": [
        ("SELECT COUNT(*) FROM stg.RawPay WHERE TRY", "NOT NULL", []),
        ("SELECT COUNT(*) FROM stg.RawPay WHERE ISD", "<> 8", []),
    ],
    "s035": [("SELECT id", "< 16", [])],
    "s036": [("SELECT id", "')", [])],
    "s037": [("SELECT ship", "= 0", [])],
    "s038": [
        ("SELECT id FROM stg_payment WHERE DECODE", "IS NULL", []),
        ("SELECT id FROM stg_payment WHERE acc", "IS NULL", []),
    ],
    "s039": [("SELECT id", "> 0", [])],
    "s040": [
        ("SELECT 'dob", "IS NULL", [(NAME, "dob_set")]),
        ("SELECT 'email", "'N/A'", [(NAME, "email_ci")]),
    ],
    "s041": [
        ("SELECT id FROM item WHERE sku", "%'", []),
        ("SELECT id FROM item WHERE NOT", "])", []),
        ("SELECT id FROM item WHERE n", "< 1", []),
    ],
    "s042": [
        ("SELECT COUNTIF", "people`", [(ALIAS, "age_bad")]),
        ("SELECT COUNTIF", "people`", [(ALIAS, "email_bad")]),
        ("SELECT COUNTIF", "people`", [(ALIAS, "d_bad")]),
    ],
    "s043": [
        ("WHEN TRY_TO_N", "value'", [(MESSAGE, "amount_txt contains a non-numeric value")]),
        ("WHEN TRY_TO_D", "date value'", [(MESSAGE, "dt_txt contains a non-date value")]),
    ],
    "s044": [("SELECT COUNT", "+')", [])],
    "s045": [
        ("SELECT 'R1'", "lines", [(ID, "R1"), (ALIAS, "bad")]),
        ("SELECT 'R2'", "lines", [(ID, "R2"), (ALIAS, "bad")]),
    ],
    "s046": [("SELECT 'code", "GETDATE())", [(NAME, "code_digits"), (ALIAS, "outcome")])],
    "s047": [("select order_id", "< 0", [])],
    "s051": [("SELECT num", "violated;", [(ALIAS, "num_violated_rows")])],
    "s054": [
        (
            "insert into",
            "is null",
            [(MESSAGE, "ODI-15066: The column ITEM_ID cannot be null."), (NAME, "ITEM_ID")],
        ),
        (
            "insert into STG.E$_ITEM (ODI_ERR_TYPE, ODI_ERR_MESS, ODI_CONS_NAME, ODI_CONS_TYPE,"
            " ITEM_ID, QTY)\nselect 'F', 'CK",
            "> 0)",
            [(MESSAGE, "CK QTY_POS"), (NAME, "CK_QTY_POS")],
        ),
    ],
    "s055": [("SELECT COUNT", "= 0);", [(ALIAS, "BadRows")])],
    "s056": [("INSERT", "IS NULL", [(ID, "REJ_PROD")])],
    "s057": [
        ("SELECT id FROM ADMIN.STG_TRX WHERE IS", "T%'", []),
        ("SELECT id FROM ADMIN.STG_TRX WHERE amt", "0.01", []),
    ],
    "s058": [
        ("{{ not", "}}", [(NAME, "not_null_client_id")]),
        ("WITH bad", "NULL);", [(MESSAGE, "country length")]),
    ],
    "s059": [("INSERT INTO core.Sales_Reject", "NULL)", [(MESSAGE, "bad qty or price")])],
}
