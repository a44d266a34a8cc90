"""What a script does with the records that its rules find: statements that act together."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sql_scripts import rules, says, script

from ruleferry.converters.readers.sql.behaviour import Stop, followed, stop_in
from ruleferry.converters.readers.sql.found import Found

B, G = "bad", "good"
WARN, DROP, FAIL = "warn", "drop", "fail"
REJECT = "INSERT INTO rej (id, code) SELECT id, 'R1' FROM s WHERE a < 0"
REJECT_2 = "INSERT INTO rej (id, code) SELECT id, 'R2' FROM s WHERE b IS NULL"
FLAG = "UPDATE s SET error_flag = 1 WHERE a < 0"
# A script -> its rules with their actions, in order. What is no rule or a repeat is left out.
SCRIPTS = {
    # Copies that stay.
    (REJECT,): [((B, "a < 0"), WARN)],
    ("SELECT id FROM s WHERE a < 0",): [((B, "a < 0"), WARN)],
    ("CREATE VIEW v_bad AS SELECT id FROM s WHERE a < 0",): [((B, "a < 0"), WARN)],
    ("MERGE INTO rej r USING (SELECT id FROM s WHERE a < 0) b ON r.id = b.id "
     "WHEN NOT MATCHED THEN INSERT (id) VALUES (b.id)",): [((B, "a < 0"), WARN)],
    # A DELETE by the same condition, in any case and order of its parts.
    (REJECT, "DELETE FROM s WHERE a < 0"): [((B, "a < 0"), DROP)],
    (REJECT, "DELETE FROM S WHERE A < 0"): [((B, "a < 0"), DROP)],
    (REJECT, "DELETE FROM s WHERE 0 > a"): [((B, "a < 0"), DROP)],
    (REJECT, "DELETE FROM s WHERE NOT (a >= 0)"): [((B, "a < 0"), DROP)],
    (REJECT, REJECT_2, "DELETE FROM s WHERE b IS NULL OR a < 0"):
        [((B, "a < 0"), DROP), ((B, "b IS NULL"), DROP)],
    (REJECT, REJECT_2, "DELETE FROM s WHERE a < 0"):
        [((B, "a < 0"), DROP), ((B, "b IS NULL"), WARN)],
    ("INSERT INTO rej SELECT id FROM s WHERE NOT EXISTS (SELECT 1 FROM d WHERE d.k = s.k)",
     "DELETE FROM s WHERE NOT EXISTS (SELECT 1 FROM d WHERE d.k = s.k)"):
        [(("found", "d", "k=k"), DROP)],
    ("INSERT INTO rej (id) SELECT id FROM s WHERE a < 0 OR b IS NULL",
     "DELETE FROM s WHERE b IS NULL OR a < 0"): [((B, "a < 0 OR b IS NULL"), DROP)],
    # A status may be a mark, or what a copy before has asked for, too.
    ("DELETE FROM s WHERE status = 'Q'",): [("unknown_shape", None)],
    (REJECT, "DELETE FROM s WHERE status = 'Q'"):
        [((B, "a < 0"), WARN), ("unknown_shape", None)],
    ("INSERT INTO rej (id) SELECT id FROM s WHERE status = 'Q'",
     "DELETE FROM s WHERE status = 'Q'"): [((B, "status = 'Q'"), DROP)],
    (REJECT, "DELETE FROM s WHERE a < 1"): [((B, "a < 0"), WARN), ((B, "a < 1"), DROP)],
    (REJECT, "DELETE FROM other WHERE a < 0"): [((B, "a < 0"), WARN), ((B, "a < 0"), DROP)],
    ("DELETE FROM s WHERE a < 0", REJECT): [((B, "a < 0"), DROP), ((B, "a < 0"), WARN)],
    (REJECT, "DELETE FROM s WHERE a < 0 OR c = 1"):
        [((B, "a < 0"), DROP), ((B, "a < 0 OR c = 1"), DROP)],
    # A DELETE by what may be a mark.
    ("INSERT INTO rej (id, code) SELECT id, 'R1' FROM s WHERE status = 'Q'",
     "DELETE FROM s WHERE status = 'Q'"): [((B, "status = 'Q'"), DROP)],
    ("INSERT INTO rej (id, code) SELECT id, 'R1' FROM other WHERE status = 'Q'",
     "DELETE FROM s WHERE status = 'Q'"):
        [((B, "status = 'Q'"), WARN), ("unknown_shape", None)],
    # A DELETE by the table of rejects.
    (REJECT, REJECT_2, "DELETE FROM s WHERE id IN (SELECT id FROM rej)"):
        [((B, "a < 0"), DROP), ((B, "b IS NULL"), DROP)],
    (REJECT, REJECT_2, "DELETE FROM s WHERE id IN (SELECT id FROM rej WHERE code = 'R2')"):
        [((B, "a < 0"), WARN), ((B, "b IS NULL"), DROP)],
    (REJECT, REJECT_2, "DELETE FROM s WHERE id IN (SELECT id FROM rej WHERE code IN ('R1', 'R2'))"):
        [((B, "a < 0"), DROP), ((B, "b IS NULL"), DROP)],
    (REJECT, "DELETE FROM s WHERE EXISTS (SELECT 1 FROM rej WHERE rej.id = s.id)"):
        [((B, "a < 0"), DROP)],
    (REJECT, "DELETE FROM other WHERE id IN (SELECT id FROM rej)"): [((B, "a < 0"), WARN)],
    ("DELETE FROM s WHERE id IN (SELECT id FROM rej)", REJECT): [((B, "a < 0"), WARN)],
    ("INSERT INTO tmp_x SELECT id FROM s WHERE a < 0",
     "DELETE FROM s WHERE id IN (SELECT id FROM tmp_x)"): [((B, "a < 0"), DROP)],
    ("DELETE FROM t WHERE id IN (SELECT id FROM s)", "INSERT INTO t SELECT * FROM s"): [],
    ("DELETE FROM t WHERE id IN (SELECT id FROM s)",): [("unknown_shape", None)],
    # Marks.
    (FLAG,): [((B, "a < 0"), WARN)],
    (FLAG, "INSERT INTO t SELECT * FROM s WHERE COALESCE(error_flag, 0) = 0"):
        [((B, "a < 0"), DROP)],
    (FLAG, "DELETE FROM s WHERE error_flag = 1"): [((B, "a < 0"), DROP)],
    (FLAG, "DELETE FROM s WHERE a < 0"): [((B, "a < 0"), DROP)],
    (FLAG, "DELETE FROM other WHERE error_flag = 1"): [((B, "a < 0"), WARN)],
    (FLAG, "DELETE FROM s WHERE reject_flag = 1"): [((B, "a < 0"), WARN)],
    (FLAG, "INSERT INTO rej SELECT * FROM s WHERE error_flag = 1"): [((B, "a < 0"), WARN)],
    ("DELETE FROM s WHERE error_flag = 1", FLAG): [((B, "a < 0"), WARN)],
    (FLAG, "INSERT INTO t SELECT * FROM s WHERE error_flag = 0 AND c > 1"):
        [((B, "a < 0"), DROP), ("rule_or_filter", None)],
    ("UPDATE s SET is_valid = 1 WHERE a >= 0", "INSERT INTO t SELECT * FROM s WHERE is_valid = 1"):
        [((G, "a >= 0"), DROP)],
    ("UPDATE s SET is_valid = 1 WHERE k = 'A' AND a > 0",
     "UPDATE s SET is_valid = 1 WHERE k = 'B'"):
        [("unknown_shape", None), ("unknown_shape", None)],
    # A load and a copy of the rest.
    ("INSERT INTO t SELECT * FROM s WHERE a > 0",): [("rule_or_filter", None)],
    ("INSERT INTO t SELECT * FROM s WHERE a > 0",
     "INSERT INTO rej SELECT * FROM s WHERE NOT a > 0"):
        [((G, "a > 0"), DROP)],
    ("INSERT INTO rej SELECT * FROM s WHERE a <= 0", "INSERT INTO t SELECT * FROM s WHERE a > 0"):
        [((G, "a > 0"), DROP)],
    ("INSERT INTO t SELECT * FROM s WHERE a > 0 AND b IS NOT NULL",
     "INSERT INTO rej SELECT * FROM s WHERE b IS NULL OR a <= 0"):
        [((G, "a > 0 AND b IS NOT NULL"), DROP)],
    ("INSERT INTO t SELECT * FROM s WHERE a > 0 AND b IS NOT NULL",
     "INSERT INTO rej SELECT * FROM s WHERE a <= 0",
     "INSERT INTO rej SELECT * FROM s WHERE b IS NULL"):
        [((G, "a > 0"), DROP), ((G, "b IS NOT NULL"), DROP)],
    ("INSERT INTO t SELECT * FROM s WHERE a > 0 AND c = 'X'",
     "INSERT INTO rej SELECT * FROM s WHERE a <= 0"):
        [("rule_or_filter", None), ((G, "a > 0"), DROP)],
    ("INSERT INTO t SELECT * FROM s WHERE a > 0", "INSERT INTO rej SELECT * FROM s WHERE a < 0"):
        [("rule_or_filter", None), ((B, "a < 0"), WARN)],
    ("INSERT INTO t SELECT * FROM s WHERE a > 0",
     "INSERT INTO rej SELECT * FROM s WHERE a <= 0 OR c = 1"):
        [("rule_or_filter", None), ((B, "a <= 0 OR c = 1"), WARN)],
    ("INSERT INTO t SELECT * FROM s WHERE a > 0", "INSERT INTO rej SELECT * FROM o WHERE a <= 0"):
        [("rule_or_filter", None), ((B, "a <= 0"), WARN)],
    ("INSERT INTO t SELECT * FROM s WHERE EXISTS (SELECT 1 FROM d WHERE d.k = s.k)",
     "INSERT INTO rej SELECT * FROM s WHERE NOT EXISTS (SELECT 1 FROM d WHERE d.k = s.k)"):
        [(("found", "d", "k=k"), DROP)],
    (REJECT, "INSERT INTO t SELECT * FROM s WHERE id NOT IN (SELECT id FROM rej)"):
        [((B, "a < 0"), DROP)],
    (REJECT, REJECT_2, "INSERT INTO t SELECT * FROM s WHERE NOT EXISTS "
     "(SELECT 1 FROM rej r WHERE r.id = s.id AND r.code = 'R1')"):
        [((B, "a < 0"), DROP), ((B, "b IS NULL"), WARN)],
    (REJECT, "INSERT INTO t SELECT s.* FROM s LEFT JOIN rej r ON r.id = s.id WHERE r.id IS NULL"):
        [((B, "a < 0"), DROP)],
    ("INSERT INTO t SELECT * FROM s WHERE id NOT IN (SELECT id FROM rej)", REJECT):
        [((B, "a < 0"), WARN)],
}  # fmt: skip


@pytest.mark.parametrize(("statements", "expected"), SCRIPTS.items(), ids=lambda v: str(v)[:70])
def test_what_a_script_does(statements, expected):
    assert rules(script("postgres", *statements)) == expected


# Several tables in one statement.
ROUTES = {
    "INSERT FIRST WHEN a < 0 THEN INTO rej VALUES (id) ELSE INTO t VALUES (id) SELECT id, a FROM s":
        [((B, "a < 0"), DROP)],
    "INSERT FIRST WHEN a > 0 THEN INTO t VALUES (id) ELSE INTO rej VALUES (id) SELECT id, a FROM s":
        [((G, "a > 0"), DROP)],
    "INSERT ALL WHEN a < 0 THEN INTO rej VALUES (id) WHEN a >= 0 THEN INTO t VALUES (id) "
    "SELECT id, a FROM s": [((G, "a >= 0"), DROP)],
    "INSERT ALL WHEN a < 0 THEN INTO rej VALUES (id) WHEN c = 1 THEN INTO t VALUES (id) "
    "SELECT id, a, c FROM s": [((B, "a < 0"), WARN), ("rule_or_filter", None)],
    "INSERT ALL WHEN a < 0 THEN INTO rej VALUES (id) WHEN 1 = 1 THEN INTO t VALUES (id) "
    "SELECT id, a FROM s": [((B, "a < 0"), WARN)],
}  # fmt: skip


@pytest.mark.parametrize(("statement", "expected"), ROUTES.items(), ids=lambda v: str(v)[:60])
def test_records_that_go_to_one_of_several_tables(statement, expected):
    assert rules(script("oracle", statement)) == expected


def test_each_rule_says_why():
    told = script("oracle", REJECT, "DELETE FROM s WHERE a < 0")
    assert told[0].effect.detail == "the script removes them from s; rej keeps them"
    assert (told[1].checked.check.file, told[1].checked.check.atom) == ("f.sql", "0")
    (copied,) = script("oracle", REJECT)
    assert copied.effect.detail == "the script copies them to rej and keeps them"
    (marked, _) = script("oracle", FLAG, "INSERT INTO t SELECT * FROM s WHERE error_flag = 0")
    assert marked.effect.detail == "marked records are left out of the load of t"


def test_a_load_takes_its_name_from_the_copy_of_the_rest():
    load, copy = script(
        "tsql",
        "INSERT INTO core.sales SELECT id FROM stg WHERE qty > 0 AND price IS NOT NULL",
        "INSERT INTO core.sales_reject (id, reason) SELECT id, 'bad qty or price' FROM stg "
        "WHERE NOT (qty > 0 AND price IS NOT NULL)",
    )
    assert [label.text for label in load.labels] == ["bad qty or price"]
    assert [caveat.code for caveat in load.checked.caveats] == ["rows_lost"]
    assert says(copy) == "repeat"


LOST = {
    ("a > 0", "NOT a > 0"): True,
    ("a > 0", "a <= 0"): True,
    ("a > 0", "a <= 0 OR a IS NULL"): False,
    ("a IS NOT NULL", "a IS NULL"): False,
    ("a > 0 AND b = 1", "a <= 0 OR b <> 1 OR a IS NULL"): False,
}


@pytest.mark.parametrize(("conditions", "lost"), LOST.items())
def test_records_that_neither_statement_took(conditions, lost):
    good, bad = conditions
    load, _ = script(
        "oracle",
        f"INSERT INTO t SELECT * FROM s WHERE {good}",
        f"INSERT INTO rej SELECT * FROM s WHERE {bad}",
    )
    assert load.effect.action == "drop"
    assert ("rows_lost" in {c.code for c in load.checked.caveats}) is lost


# What ends the run.
STOPS = {
    ".IF ACTIVITYCOUNT > 0 THEN .QUIT 12": True,
    ".if activitycount <> 0 then .exit 8": True,
    ".IF ACTIVITYCOUNT >= 1 THEN .QUIT 1": True,
    ".IF ACTIVITYCOUNT = 0 THEN .QUIT 8": False,
    ".IF ACTIVITYCOUNT > 0 THEN .QUIT 0": None,
    ".IF ACTIVITYCOUNT > 5 THEN .QUIT 3": None,
    ".IF ACTIVITYCOUNT > 0 THEN .GOTO NEXT": None,
    ".IF ACTIVITYCOUNT = 0 THEN .GOTO OK\n.QUIT 9\n.LABEL OK": True,
    ".IF ACTIVITYCOUNT > 0 THEN .GOTO OK\n.QUIT 9\n.LABEL OK": False,
    ".IF ACTIVITYCOUNT = 0 THEN .GOTO OK\n.QUIT 0\n.LABEL OK": None,
    ".IF ACTIVITYCOUNT = 0 THEN .GOTO OK\n.LABEL OK\n.QUIT 9": None,
    ".IF ERRORCODE <> 0 THEN .QUIT 8": None,
    "result bound to User::BadRows, next constraint @[User::BadRows] == 0": True,
    "next constraint @BadRows > 0": False,
    "rows are expected": None,
}


@pytest.mark.parametrize(("there", "found"), [
    (".QUIT 8", True), (".QUIT 0", None), (".QUIT ERRORCODE", None), (".GOTO X", None), ("", None),
])  # fmt: skip
def test_what_stands_at_a_label_ends_the_run(there, found):
    stop = stop_in(followed(".IF ACTIVITYCOUNT > 0 THEN .GOTO BAD", {"BAD": there}))
    assert (stop.found if stop else None) == found


@pytest.mark.parametrize(("text", "found"), STOPS.items())
def test_what_ends_a_run(text, found):
    stop = stop_in(text)
    assert (stop.found if stop else None) == found


def test_a_statement_after_which_the_run_ends_fails():
    stop = stop_in(".IF ACTIVITYCOUNT > 0 THEN .QUIT 12")
    told = script("teradata", REJECT, REJECT_2, stops={1: stop})
    assert rules(told) == [((B, "a < 0"), WARN), ((B, "b IS NULL"), FAIL)]
    assert told[1].effect.detail == "the client ends the run by .IF ACTIVITYCOUNT > 0 THEN .QUIT 12"
    (told,) = script("teradata", "SELECT id FROM s WHERE a < 0", stops={0: Stop("x", found=False)})
    assert says(told) == "unknown_shape"


def test_a_part_of_a_statement_after_which_the_run_ends_fails():
    counts = (
        "SELECT SUM(CASE WHEN a < 0 THEN 1 ELSE 0 END) AS bad_a, SUM(CASE WHEN b IS NULL THEN 1 "
    )
    text = f"{counts}ELSE 0 END) AS bad_b FROM s"
    told = script("tsql", text, "SELECT id FROM s WHERE c = 1", stops={0: Stop("x")})
    assert rules(told) == [((B, "a < 0"), FAIL), ((B, "b IS NULL"), FAIL), ((B, "c = 1"), WARN)]


# Statements that have nothing to do with the scripts above.
STRANGERS = (
    "TRUNCATE TABLE z",
    "INSERT INTO z SELECT * FROM y",
    "SELECT q FROM y WHERE q < 7",
    "UPDATE y SET q = 1 WHERE q IS NULL",
    "DELETE FROM y WHERE q = 9",
    "COMMIT",
)


@given(st.sampled_from([*SCRIPTS]), st.lists(st.sampled_from(STRANGERS), max_size=4), st.data())
@settings(max_examples=60, deadline=None)
def test_unrelated_statements_change_nothing(statements, strangers, data):
    mixed = [*statements]
    for stranger in strangers:
        mixed.insert(data.draw(st.integers(0, len(mixed))), stranger)
    others = {"q < 7", "q = 9"}
    told = rules(script("postgres", *mixed))
    assert [rule for rule in told if str(rule[0][1]) not in others] == SCRIPTS[statements]


@given(st.permutations([REJECT, REJECT_2, "INSERT INTO rej SELECT id FROM s WHERE c > 5"]))
@settings(max_examples=20, deadline=None)
def test_the_order_of_copies_decides_nothing(copies):
    told = script("postgres", *copies, "DELETE FROM s WHERE c > 5 OR b IS NULL")
    found = dict(rules(told))
    assert found == {(B, "a < 0"): WARN, (B, "b IS NULL"): DROP, (B, "c > 5"): DROP}


def test_the_order_of_a_load_and_its_rest_decides_nothing():
    statements = [
        "INSERT INTO t SELECT * FROM s WHERE a > 0 AND b = 1",
        "INSERT INTO rej SELECT * FROM s WHERE a <= 0",
        "INSERT INTO rej SELECT * FROM s WHERE b <> 1",
    ]
    told = {frozenset(rules(script("postgres", *order))) for order in permutations(statements)}
    assert told == {frozenset({((G, "a > 0"), DROP), ((G, "b = 1"), DROP)})}


def test_as_many_come_out_as_go_in():
    for statements in SCRIPTS:
        told = script("postgres", *statements)
        assert [found.start for found in told] == sorted(found.start for found in told)
        assert all(isinstance(found, Found) for found in told)
