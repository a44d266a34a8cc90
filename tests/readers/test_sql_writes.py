"""Statements that write: which records they find bad, and what else they say."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sql_scripts import founds, says

from ruleferry.converters.dialects.parse import Unreadable, parse_statement
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.found import Effect, Found, Setting
from ruleferry.converters.readers.sql.shapes.writes import no_rule, read_write
from ruleferry.converters.rule import NotARule, Unread

B, G = "bad", "good"
# (dialect, statement) -> (table, what it checks, effect, its target), for each of its rules.
CONVERTS = {
    # Copies of bad records.
    ("oracle", "INSERT INTO rej_invoice (no, reason) SELECT no, 'SIGN' FROM stg WHERE amt <= 0"):
        [("stg", (B, "amt <= 0"), "insert", "rej_invoice")],
    ("tsql", "WITH b AS (SELECT * FROM s WHERE a < 0) INSERT INTO err SELECT * FROM b"):
        [("s", (B, "a < 0"), "insert", "err")],
    ("tsql", "INSERT INTO err SELECT a FROM s WHERE b IS NULL UNION ALL SELECT a FROM s WHERE c "
             "= 1"):
        [("s", (B, "b IS NULL"), "insert", "err"), ("s", (B, "c = 1"), "insert", "err")],
    ("tsql", "INSERT INTO audit_log (id, err_code) SELECT id, 'E1' FROM a WHERE x < 0"):
        [("a", (B, "x < 0"), "insert", "audit_log")],
    ("mysql", "INSERT IGNORE INTO rejects SELECT * FROM s WHERE a < 0 AND 1 = 1"):
        [("s", (B, "a < 0"), "insert", "rejects")],
    ("hive", "INSERT OVERWRITE TABLE dq.errors PARTITION (dt = '1') SELECT * FROM s WHERE a < 0"):
        [("s", (B, "a < 0"), "insert", "dq.errors")],
    ("bigquery", "INSERT dq.err (a) SELECT a FROM s WHERE x < 0"):
        [("s", (B, "x < 0"), "insert", "dq.err")],
    ("teradata", "INSERT INTO err SEL p.id FROM p LEFT JOIN g ON p.k = g.k WHERE g.k IS NULL"):
        [("p", ("found", "g", "k=k"), "insert", "err")],
    ("oracle", "INSERT INTO rej SELECT t.id FROM t, d WHERE t.k = d.k(+) AND d.k IS NULL"):
        [("t", ("found", "d", "k=k"), "insert", "rej")],
    ("tsql", "SELECT a INTO #bad FROM stg WHERE a < 0"):
        [("stg", (B, "a < 0"), "insert", "#bad")],
    ("snowflake", "CREATE OR REPLACE VIEW dq.bad_rows AS SELECT * FROM c WHERE x < 0"):
        [("c", (B, "x < 0"), "view", "dq.bad_rows")],
    ("snowflake", "CREATE TABLE rejects AS SELECT * FROM c WHERE x < 0"):
        [("c", (B, "x < 0"), "insert", "rejects")],
    ("snowflake", "MERGE INTO dq.exceptions x USING (SELECT id, 'R' AS rule_id FROM s WHERE y > "
                  "1) b "
                  "ON x.id = b.id WHEN NOT MATCHED THEN INSERT (id, rule_id) VALUES (b.id, "
                  "b.rule_id)"):
        [("s", (B, "y > 1"), "merge", "dq.exceptions")],
    # Counts of them.
    ("hive", "INSERT INTO TABLE dq.results SELECT COUNT(*) AS n, SUM(CASE WHEN a < 0 THEN 1 ELSE "
             "0 END) "
             "AS bad_a FROM s"):
        [("s", (B, "a < 0"), "insert", "dq.results")],
    ("tsql", "INSERT INTO etl_info (bad_rows) SELECT COUNT(*) FROM s WHERE a < 0"):
        [("s", (B, "a < 0"), "insert", "etl_info")],
    # Statuses.
    ("snowflake", "CREATE VIEW e.v_error AS SELECT s, CASE WHEN a < 0 THEN 'a is negative' "
                  "WHEN b IS NULL THEN 'b is missing' END AS error_text FROM t"):
        [("t", (B, "a < 0"), "view", "e.v_error"), ("t", (B, "b IS NULL"), "view", "e.v_error")],
    # Removals.
    ("mysql", "DELETE FROM stg WHERE amt < 0"): [("stg", (B, "amt < 0"), "delete", "stg")],
    ("oracle", "DELETE stg WHERE amt < 0"): [("stg", (B, "amt < 0"), "delete", "stg")],
    ("tsql", "DELETE s FROM stg s LEFT JOIN dim d ON d.id = s.id WHERE d.id IS NULL"):
        [("stg", ("found", "dim", "id=id"), "delete", "stg")],
    ("oracle", "DELETE FROM s WHERE NOT EXISTS (SELECT 1 FROM d WHERE d.k = s.k)"):
        [("s", ("found", "d", "k=k"), "delete", "s")],
    ("tsql", "DELETE FROM dbo.s OUTPUT deleted.id INTO dbo.rej (id) WHERE a < 0"):
        [("dbo.s", (B, "a < 0"), "delete", "dbo.s")],
    ("postgres", "WITH gone AS (DELETE FROM s WHERE a < 0 RETURNING *) INSERT INTO rej SELECT * "
                 "FROM gone"):
        [("s", (B, "a < 0"), "delete", "s")],
    ("oracle", "MERGE INTO s USING (SELECT id FROM s WHERE a < 0) b ON (s.id = b.id) "
               "WHEN MATCHED THEN DELETE"): [("s", (B, "a < 0"), "delete", "s")],
    # Marks.
    ("tsql", "UPDATE s SET error_flag = 1, error_desc = ISNULL(error_desc, '') + 'V1: early; ' "
             "WHERE a < b"): [("s", (B, "a < b"), "update", "s")],
    ("tsql", "UPDATE e SET e.err = 'Y' FROM stg.emp e LEFT JOIN dim d ON d.k = e.k WHERE d.k IS "
             "NULL"):
        [("stg.emp", ("found", "dim", "k=k"), "update", "stg.emp")],
    ("mysql", "UPDATE s LEFT JOIN d ON s.k = d.k SET s.rejected = TRUE WHERE d.k IS NULL"):
        [("s", ("found", "d", "k=k"), "update", "s")],
    ("postgres", "UPDATE s SET dq_flag = 'E' FROM c WHERE s.k = c.k AND c.status = 'CLOSED'"):
        [("s", ("not found", "c", "k=k"), "update", "s")],
    ("oracle", "UPDATE s SET dq_flag = 'E', dq_msg = 'no a' WHERE a IS NULL"):
        [("s", (B, "a IS NULL"), "update", "s")],
    ("oracle", "UPDATE s SET err_msg = 'x' WHERE status = 'NEW' AND a IS NULL"):
        [("s", (B, "status = 'NEW' AND a IS NULL"), "update", "s")],
    ("oracle", "UPDATE s SET err_msg = 'x' WHERE status NOT IN ('P', 'D')"):
        [("s", (B, "NOT status IN ('P', 'D')"), "update", "s")],
    ("postgres", "UPDATE s SET is_valid = false WHERE a < 0"): [("s", (B, "a < 0"), "update", "s")],
    ("postgres", "UPDATE s SET is_valid = true WHERE a >= "
                 "0"): [("s", (G, "a >= 0"), "update", "s")],
    ("oracle", "UPDATE s SET status = 'REJECTED' WHERE a < "
               "0"): [("s", (B, "a < 0"), "update", "s")],
    ("oracle", "UPDATE s SET err_cnt = NVL(err_cnt, 0) + 1 WHERE a < 0"):
        [("s", (B, "a < 0"), "update", "s")],
    ("oracle", "UPDATE s SET reason = 'x' WHERE a < 0 AND reason IS NULL"):
        [("s", (B, "a < 0"), "update", "s")],
    ("oracle", "UPDATE s SET err_msg = CASE WHEN a IS NULL THEN 'E1 a' WHEN b < 0 THEN 'E2 b' END "
               "WHERE err_msg IS NULL"):
        [("s", (B, "a IS NULL"), "update", "s"), ("s", (B, "b < 0"), "update", "s")],
    ("oracle", "UPDATE s SET dq_flag = CASE WHEN a >= 0 THEN 'OK' ELSE 'BAD' END"):
        [("s", (G, "a >= 0"), "update", "s")],
    ("oracle", "UPDATE s SET err = CASE a WHEN 1 THEN 'Y' ELSE 'N' END WHERE b = 2"):
        [("s", (B, "b = 2 AND a = 1"), "update", "s")],
    ("oracle", "MERGE INTO s USING (SELECT id FROM s WHERE a < 0) b ON (s.id = b.id) "
               "WHEN MATCHED THEN UPDATE SET s.err_flag = 1"): [("s", (B, "a < 0"), "update", "s")],
    # One query, several tables.
    ("oracle", "INSERT FIRST WHEN q <= 0 THEN INTO rej (id, reason) VALUES (id, 'Q') "
               "ELSE INTO tgt (id) VALUES (id) SELECT id, qty AS q FROM s"):
        [("s", (B, "qty <= 0"), "insert", "rej")],
    ("oracle", "INSERT FIRST WHEN q > 0 THEN INTO tgt VALUES (id) ELSE INTO rej VALUES (id) "
               "SELECT id, q FROM s"): [("s", (G, "q > 0"), "insert", "rej")],
    ("hive", "FROM s INSERT INTO TABLE rej SELECT id WHERE a < 0 INSERT INTO TABLE tgt SELECT id "
             "WHERE a >= 0"):
        [("s", (B, "a < 0"), "insert", "rej"), ("s", (G, "a >= 0"), "load", "tgt")],
    # Loads, of which other statements say whether what they leave out is bad.
    ("tsql", "INSERT INTO core.t SELECT id FROM s WHERE q > 0 AND p IS NOT NULL"):
        [("s", (G, "q > 0 AND NOT p IS NULL"), "load", "core.t")],
    ("tsql", "INSERT INTO core.t SELECT id FROM s WHERE error_flag = 0 AND q > 0"):
        [("s", (G, "q > 0"), "load", "core.t")],
    ("teradata", "CREATE VOLATILE TABLE v AS (SELECT a FROM b WHERE c > 0) WITH DATA"):
        [("b", (G, "c > 0"), "load", "v")],
}  # fmt: skip


@pytest.mark.parametrize(("statement", "expected"), CONVERTS.items(), ids=lambda v: str(v)[:60])
def test_what_converts(statement, expected):
    told = [
        (found.checked.table, says(found), found.effect.kind, found.effect.target)
        for found in founds(*statement)
        if says(found) != "no rule"
    ]
    assert told == expected


# (dialect, statement) -> words of the reason.
NO_RULES = {
    ("tsql", "TRUNCATE TABLE x"): "empties",
    ("oracle", "GRANT SELECT ON x TO y"): "right",
    ("oracle", "COMMIT"): "transaction",
    ("hive", "ANALYZE TABLE x COMPUTE STATISTICS"): "statistics",
    ("hive", "SET hive.exec = 1"): "option",
    ("hive", "USE db"): "database",
    ("tsql", "EXEC p 1"): "procedure",
    ("hive", "DROP TABLE IF EXISTS x"): "drops",
    ("mysql", "INSERT INTO rej VALUES (1, 2)"): "given values",
    ("oracle", "INSERT INTO core.t SELECT * FROM s"): "loads core.t",
    ("oracle", "INSERT INTO rej SELECT * FROM tmp"): "all records",
    ("oracle", "INSERT INTO rej_history SELECT * FROM rej WHERE d < 5"): "checks found in rej",
    ("oracle", "INSERT INTO stg SELECT * FROM rejects WHERE fixed = 1"): "kept in rejects",
    ("oracle", "INSERT INTO rej SELECT * FROM s WHERE error_flag = 1"): "has marked",
    ("tsql", "INSERT INTO t SELECT * FROM s WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.id = s.id)"):
        "loads t",
    ("tsql", "INSERT INTO t SELECT * FROM s WHERE id NOT IN (SELECT id FROM rej)"): "rejected",
    ("tsql", "INSERT INTO t SELECT s.* FROM s LEFT JOIN rej r ON r.id = s.id WHERE r.id IS NULL"):
        "rej does not hold",
    ("tsql", "INSERT INTO t SELECT * FROM s WHERE ISNULL(error_flag, 0) = 0"): "not marked",
    ("tsql", "INSERT INTO t SELECT * FROM s WHERE status <> 'ERROR'"): "not marked",
    ("tsql", "INSERT INTO t SELECT * FROM s WHERE is_valid = 1"): "not marked",
    ("tsql", "INSERT INTO t SELECT * FROM s WHERE LEN(err_msg) = 0"): "not marked",
    ("tsql", "INSERT INTO t SELECT * FROM s WHERE batch_id = 7"): "loads t",
    ("tsql", "INSERT INTO t SELECT * FROM s WHERE dt = '${run_dt}'"): "loads t",
    ("tsql", "INSERT INTO t SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY "
             "u) rn "
             "FROM s) x WHERE rn = 1"): "copies",
    ("tsql", "INSERT INTO mart.daily SELECT COUNT(*) AS n FROM s WHERE a = 1"): "figures",
    ("tsql", "INSERT INTO mart.daily SELECT k, COUNT(*) AS n FROM s GROUP BY "
             "k"): "loads mart.daily",
    ("snowflake", "CREATE TABLE core.c AS SELECT * FROM s QUALIFY ROW_NUMBER() OVER (PARTITION "
                  "BY id "
                  "ORDER BY u DESC) = 1"): "copies",
    ("teradata", "CREATE TABLE v AS (SELECT a FROM b WHERE c > 0) WITH NO DATA"): "without records",
    ("oracle", "MERGE INTO t USING s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET t.x = s.x"):
        "up to date",
    ("oracle", "MERGE INTO t USING (SELECT * FROM s WHERE x > 0) s ON (t.id = s.id) "
               "WHEN MATCHED THEN UPDATE SET t.x = s.x"): "up to date",
    ("oracle", "DELETE FROM stg"): "empties",
    ("oracle", "DELETE FROM stg WHERE batch_id = 5"): "clears a batch",
    ("oracle", "DELETE FROM stg WHERE load_dt < SYSDATE - 30"): "clears a batch",
    ("oracle", "DELETE FROM stg WHERE dt = :run_dt"): "clears a batch",
    ("oracle", "DELETE FROM etl_reject WHERE code = 'X'"): "tidies up",
    ("oracle", "DELETE FROM t WHERE rowid NOT IN (SELECT MIN(rowid) FROM t GROUP BY k)"): "copies",
    ("tsql", "WITH d AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY u) rn FROM s) "
             "DELETE FROM d WHERE rn > 1"): "copies",
    ("oracle", "DELETE FROM s WHERE id IN (SELECT id FROM etl_reject WHERE code = 'X')"):
        "etl_reject holds",
    ("mysql", "DELETE s FROM s JOIN rejects r ON s.id = r.id"): "rejects holds",
    ("oracle", "DELETE FROM s T WHERE EXISTS (SELECT 1 FROM E$_S E WHERE T.ROWID = E.ODI_ROW_ID)"):
        "E$_S holds",
    ("oracle", "DELETE FROM s WHERE err_msg IS NOT NULL"): "has marked",
    ("bigquery", "DELETE FROM s WHERE TRUE"): "empties s",
    ("oracle", "DELETE FROM s WHERE 1 = 1"): "empties s",
    ("oracle", "UPDATE s SET amt = 0 WHERE amt < 0"): "right",
    ("oracle", "UPDATE s SET valid_from = d WHERE amt < 0"): "right",
    ("oracle", "UPDATE s SET error_rate = 1 WHERE amt < 0"): "right",
    ("oracle", "UPDATE s SET err_flag = NULL, err_msg = ''"): "marks no record",
    ("oracle", "UPDATE s SET err_flag = 'N' WHERE a > 0"): "marks no record",
    ("oracle", "UPDATE s SET status = 'LOADED' WHERE a > 0"): "marks no record",
    ("oracle", "UPDATE s SET err_flag = 1"): "all records",
    ("oracle", "UPDATE s SET err_flag = 1 WHERE batch_id = 5"): "batch",
    ("oracle", "UPDATE s SET status = 'REJ' WHERE err_flag = 1"): "carries one mark over",
    ("oracle", "INSERT ALL INTO a VALUES (id) INTO b VALUES (id) SELECT id FROM s"): "all records",
    ("oracle", "INSERT ALL WHEN r = 'E' THEN INTO eu VALUES (id) WHEN r = 'U' THEN INTO us "
               "VALUES (id) "
               "SELECT id, r FROM s"): "spreads",
}  # fmt: skip


@pytest.mark.parametrize(("statement", "words"), NO_RULES.items(), ids=lambda v: str(v)[:60])
def test_what_is_no_rule(statement, words):
    told = founds(*statement)
    assert told
    for found in told:
        assert isinstance(found.checked.check, NotARule), found
        assert words in found.checked.check.reason


# (dialect, statement) -> code, and words of the reason.
GAPS = {
    ("mysql", "DELETE FROM stg WHERE a < 0 LIMIT 10"): ("unknown_shape", "LIMIT"),
    ("tsql", "DELETE TOP (10) FROM stg WHERE a < 0"): ("unknown_shape", "only so many"),
    ("tsql", "DELETE d FROM s LEFT JOIN d ON d.k = s.k WHERE s.x < 0"):
        ("unknown_shape", "which records of d"),
    ("mysql", "DELETE a, b FROM a JOIN b ON a.k = b.k WHERE a.x < 0"): ("unknown_shape", "several"),
    ("oracle", "DELETE FROM fact WHERE id IN (SELECT id FROM "
               "stg)"): ("unknown_shape", "nothing says"),
    ("postgres", "DELETE FROM s USING d WHERE s.k = d.k"): ("unknown_shape", "nothing says"),
    ("oracle", "DELETE FROM s WHERE id IN (SELECT id FROM etl_reject WHERE level > 3)"):
        ("unknown_shape", "nothing says"),
    ("oracle", "DELETE FROM s WHERE order_date < SYSDATE - 90"): ("unknown_shape", "old records"),
    ("tsql", "DELETE s FROM s JOIN c ON s.k = c.k WHERE c.status = 'ERROR'"):
        ("unknown_shape", "nothing says that those are bad"),
    ("oracle", "UPDATE s SET status = 'Q' WHERE a < 0"): ("unknown_shape", "status"),
    ("netezza", "UPDATE s SET dq_ind = 'N', dq_rsn = 'R1 x' WHERE status NOT IN ('P', 'D')"):
        ("unknown_shape", "dq_ind"),
    ("oracle", "UPDATE s SET err_flag = f(x) WHERE a < 0"): ("unknown_shape", "err_flag"),
    ("oracle", "UPDATE s SET err_flag = 1, is_valid = 1 WHERE a < 0"): ("unknown_shape", "certain"),
    ("oracle", "UPDATE s SET status = 'OK' WHERE status = 'ERR' AND exempt = 1"):
        ("unknown_shape", "already"),
    ("oracle", "UPDATE s SET dq_flag = CASE WHEN x = 1 THEN 'OK' WHEN b < 0 THEN 'BAD' END"):
        ("unknown_shape", "lets records pass"),
    ("oracle", "UPDATE s SET dq_flag = CASE WHEN b < 0 THEN 'Q' END"): ("unknown_shape", "certain"),
    ("oracle", "INSERT INTO audit_log SELECT id FROM a WHERE x < "
               "0"): ("unknown_shape", "audit_log"),
    ("oracle", "INSERT INTO dq_results SELECT id FROM a WHERE x < "
               "0"): ("unknown_shape", "dq_results"),
    ("oracle", "INSERT INTO t SELECT a.* FROM a JOIN b ON a.k = b.k WHERE a.x > 0"):
        ("rule_or_filter", "only some"),
    ("oracle", "INSERT INTO t SELECT k, SUM(v) FROM a WHERE y = 1 GROUP BY k"):
        ("rule_or_filter", "only some"),
    ("oracle", "INSERT INTO rej SELECT id FROM a WHERE x < :p"): ("parameter", ":p"),
    ("tsql", "MERGE d AS t USING s ON t.k = s.k WHEN MATCHED AND t.a <> s.a THEN UPDATE SET "
             "t.a = s.a WHEN NOT MATCHED AND s.a > 0 THEN INSERT (k, a) VALUES (s.k, s.a);"):
        ("rule_or_filter", "s.a > 0"),
    ("oracle", "INSERT FIRST WHEN q > 9 THEN INTO tgt VALUES (id) WHEN q < 0 THEN INTO rej "
               "VALUES (id) "
               "SELECT id, q FROM s"): ("unknown_shape", "left for rej"),
    ("oracle", "INSERT FIRST WHEN q > 0 THEN INTO tgt VALUES (id) ELSE INTO rej VALUES (id) "
               "SELECT id, q FROM s WHERE z = 1"): ("unknown_shape", "no table gets"),
}  # fmt: skip


@pytest.mark.parametrize(("statement", "expected"), GAPS.items(), ids=lambda v: str(v)[:60])
def test_what_must_not_convert(statement, expected):
    told = founds(*statement)
    unread = [f.checked.check for f in told if isinstance(f.checked.check, Unread)]
    assert [check.code for check in unread] == [expected[0]], told
    assert expected[1] in unread[0].reason
    assert all(isinstance(f.checked.check, Unread | NotARule) for f in told)


# The literals beside a record -> labels and tags.
LABELS = {
    ("teradata", "INSERT INTO err (id, err_code, err_desc) SELECT id, 'P014', 'Too late' FROM s "
                 "WHERE a < 0"): ([("id", "P014"), ("message", "Too late")], []),
    ("teradata", "INSERT INTO err (id, err_desc, err_code) SELECT id, 'Too late', 'P014' FROM s "
                 "WHERE a < 0"): ([("id", "P014"), ("message", "Too late")], []),
    ("oracle", "INSERT INTO E$_I (ODI_ERR_TYPE, ODI_ERR_MESS, ODI_CONS_NAME, ODI_CONS_TYPE) "
               "SELECT 'F', "
               "'ODI-15066: no', 'CK_Q', 'CK' FROM I$_I WHERE q < 0"):
        ([("name", "CK_Q"), ("message", "ODI-15066: no")], []),
    ("tsql", "INSERT INTO rej SELECT id, 'E1' AS err_code, 'HIGH' AS severity FROM s WHERE a < 0"):
        ([("id", "E1")], [("severity", "HIGH")]),
    ("snowflake", "MERGE INTO rej r USING (SELECT id FROM s WHERE y > 1) b ON r.id = b.id "
                  "WHEN NOT MATCHED THEN INSERT (id, rule_id) VALUES (b.id, 'R7')"):
        ([("id", "R7")], []),
    ("tsql", "UPDATE s SET err_msg = 'E1: late', err_code = 'E1' WHERE a < 0"):
        ([("id", "E1"), ("message", "E1: late")], []),
    ("tsql", "UPDATE s SET err_desc = ISNULL(err_desc, '') + 'V1: late; ' WHERE a < 0"):
        ([("message", "V1: late")], []),
    ("mysql", "UPDATE s SET err_desc = CONCAT(COALESCE(err_desc, ''), '; V1: late') WHERE a < 0"):
        ([("message", "V1: late")], []),
    ("oracle", "INSERT FIRST WHEN q < 0 THEN INTO rej (id, reason) VALUES (id, 'Q') ELSE INTO t "
               "VALUES (id) SELECT id, q FROM s"): ([("message", "Q")], []),
}  # fmt: skip


@pytest.mark.parametrize(("statement", "expected"), LABELS.items(), ids=lambda v: str(v)[:60])
def test_literals_name_the_rule(statement, expected):
    found = founds(*statement)[0]
    assert [(label.kind, label.text) for label in found.labels] == expected[0]
    assert [*found.tags] == expected[1]


def test_a_mark_that_is_set_only_once():
    """What had a mark already got no other one: as rules they tell all that they find."""
    for condition in ("reason IS NULL", "error_flag = 0", "NVL(error_flag, 0) = 0"):
        text = f"UPDATE s SET error_flag = 1, reason = 'x' WHERE a < 0 AND {condition}"
        (found,) = founds("oracle", text)
        assert says(found) == (B, "a < 0")
        assert [caveat.code for caveat in found.checked.caveats] == ["first_match"]
    (found,) = founds("oracle", "UPDATE s SET error_flag = 1 WHERE a < 0")
    assert found.checked.caveats == ()
    arms = founds("oracle", "UPDATE s SET err = CASE WHEN a < 0 THEN 'Y' WHEN b < 0 THEN 'Y' END")
    told = [[caveat.code for caveat in found.checked.caveats] for found in arms]
    assert told == [[], ["first_match"]]


def test_a_missing_mark_may_count_as_one():
    (found,) = founds("tsql", "INSERT INTO t SELECT * FROM s WHERE ISNULL(error_flag, 1) = 0")
    assert says(found) == (G, "isnull(error_flag, 1) = 0")
    assert found.effect.by_columns == ()


FIRST_WORDS = {
    "CALL p(1)": "procedure",
    "-- tidy\n/* up */ ALTER SESSION SET x = 'y'": "option",
    "MSCK REPAIR TABLE x": "metadata",
    "COMPUTE STATS x": "statistics",
    "EXEC DBMS_STATS.GATHER_TABLE_STATS('A')": "procedure",
    "collect  statistics on x": "statistics",
    "SELECT 1": None,
    "": None,
    "/* never closed": None,
    "Ünsinn": None,
}


@pytest.mark.parametrize(("text", "words"), FIRST_WORDS.items())
def test_statements_that_no_parser_reads(text, words):
    reason = no_rule(text)
    assert reason is None if words is None else words in (reason or "")


def test_a_definition_is_not_read_here():
    known = sql_dialects()["postgres"]
    tree = parse_statement("CREATE TABLE t (a INT NOT NULL)", known)
    assert read_write(tree, 0, 1, Setting(known)) == ()


PIECES = st.sampled_from([
    "DELETE", "FROM", "UPDATE", "SET", "INSERT", "INTO", "SELECT", "WHERE", "a", "err", "s", "t",
    "= 1", "< 0", "'x'", ",", "(", ")", "NOT", "IN", "EXISTS", "NULL", "IS", "CASE", "WHEN", "THEN",
    "ELSE", "END", "MERGE", "USING", "ON", "MATCHED", "JOIN", "LEFT", "*", "VALUES", "ALL", "FIRST",
    "WITH", "AS", "OUTPUT", "deleted", ".", "LIMIT 1", "CREATE", "TABLE", "VIEW", "UNION ALL", "OR",
])  # fmt: skip


@given(st.lists(PIECES, max_size=14), st.sampled_from(["tsql", "oracle", "hive", "postgres"]))
@settings(max_examples=400, deadline=None)
def test_nothing_raises(pieces, dialect):
    known = sql_dialects()[dialect]
    try:
        tree = parse_statement(" ".join(pieces), known)
    except Unreadable:
        return
    found = read_write(tree, 3, 9, Setting(known))
    assert all(isinstance(each, Found) and (each.start, each.end) == (3, 9) for each in found)


WORDS = re.compile(r"'[^']*'|\w+|\S")


@given(st.sampled_from([*CONVERTS, *NO_RULES, *GAPS]), st.data())
@settings(max_examples=400, deadline=None)
def test_nothing_raises_where_words_are_missing_or_doubled(statement, data):
    dialect, text = statement
    words = WORDS.findall(text)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words) - 1))
        words[place] = data.draw(st.sampled_from(["", f"{words[place]} {words[place]}", *words]))
    known = sql_dialects()[dialect]
    try:
        tree = parse_statement(" ".join(words), known)
    except Unreadable:
        return
    assert all(isinstance(f.effect, Effect) for f in read_write(tree, 0, 1, Setting(known)))
