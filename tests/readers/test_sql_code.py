"""Procedural code: what becomes a rule, what must not, and that every statement is told of."""

import pytest
from sql_code import founds_of, gaps_of, rules_of, told
from sql_code_refused import NO_RULES, REFUSED
from sql_code_samples import CONVERTS

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.code import is_code, trigger_tables
from ruleferry.converters.rule import NotARule, Unread


@pytest.mark.parametrize(("dialect", "code", "rules"), [c[1:] for c in CONVERTS],
                         ids=[c[0] for c in CONVERTS])  # fmt: skip
def test_converts(dialect, code, rules):
    assert is_code(code, sql_dialects()[dialect])
    assert rules_of(code, dialect) == rules
    assert gaps_of(code, dialect) == []


@pytest.mark.parametrize(("dialect", "code", "gaps"), [c[1:] for c in REFUSED],
                         ids=[c[0] for c in REFUSED])  # fmt: skip
def test_must_not_convert(dialect, code, gaps):
    assert rules_of(code, dialect) == []
    assert gaps_of(code, dialect) == gaps


@pytest.mark.parametrize(("dialect", "code"), [c[1:] for c in NO_RULES],
                         ids=[c[0] for c in NO_RULES])  # fmt: skip
def test_is_no_rule(dialect, code):
    founds = founds_of(code, dialect)
    assert founds
    assert all(isinstance(f.checked.check, NotARule) and f.checked.check.reason for f in founds)


def _labels(code, dialect):
    return [[(label.kind, label.text) for label in f.labels] for f in founds_of(code, dialect)]


def test_a_message_names_the_rule_up_to_what_is_put_in():
    code = (
        "DECLARE n NUMBER; BEGIN SELECT COUNT(*) INTO n FROM t WHERE a < 0; IF n > 0 THEN"
        " RAISE_APPLICATION_ERROR(-20010, 'LIC-010 too small: ' || n); END IF; END;"
    )
    assert _labels(code, "oracle") == [[("message", "LIC-010 too small")]]
    code = "IF EXISTS (SELECT 1 FROM t WHERE a < 0) RAISERROR(N'Small ones: %d of it', 16, 1, @n)"
    assert _labels(code, "tsql") == [[("message", "Small ones")]]


def test_a_routine_names_a_rule_without_a_message():
    code = (
        "CREATE PROCEDURE dq.r_017() BEGIN IF EXISTS (SELECT 1 FROM t WHERE a < 0) THEN"
        " SIGNAL SQLSTATE '45000'; END IF; END"
    )
    assert _labels(code, "mysql") == [[("name", "r_017")]]


def test_an_exception_has_the_text_of_its_handler_and_of_its_declaration():
    code = (
        "EXECUTE IMMEDIATE $$ DECLARE e EXCEPTION (-20001, 'Negative amounts'); BEGIN"
        " IF (EXISTS (SELECT 1 FROM t WHERE a < 0)) THEN RAISE e; END IF; END; $$"
    )
    assert _labels(code, "snowflake") == [[("message", "Negative amounts")]]


def test_a_rule_reaches_from_its_query_to_its_error():
    code = "DECLARE @n INT\nSELECT @n = COUNT(*) FROM t WHERE a < 0\nIF @n > 0 THROW 50000, 'x', 1"
    (found,) = founds_of(code, "tsql", offset=100)
    assert code[found.start - 100 : found.end - 100] == code[code.index("SELECT") :]


def test_the_offsets_within_a_text_are_those_of_the_script():
    code = "DO $x$ BEGIN IF EXISTS (SELECT 1 FROM t WHERE a < 0) THEN RAISE 'y'; END IF; END $x$"
    (found,) = founds_of(code, "postgres")
    assert code[found.start : found.end].startswith("IF EXISTS")
    assert code[found.start : found.end].endswith("END IF;")


def test_later_branches_are_told_of():
    code = (
        "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN IF NEW.a < 0 THEN SIGNAL SQLSTATE"
        " '45000'; ELSEIF NEW.b < 0 THEN SIGNAL SQLSTATE '45000'; END IF; END"
    )
    found = [[c.code for c in f.checked.caveats] for f in founds_of(code, "mysql")]
    assert found == [[], ["first_match"]]


def test_no_two_rules_of_a_line_have_the_same_part():
    for _, dialect, code, _ in CONVERTS:
        lines = [(code.count("\n", 0, f.start), f.part) for f in founds_of(code, dialect)]
        assert len(set(lines)) == len(lines)


def test_a_trigger_function_gets_its_table_from_the_trigger():
    function = (
        "CREATE FUNCTION chk() RETURNS trigger AS $$ BEGIN IF NEW.a < 0 THEN RAISE EXCEPTION 'x';"
        " END IF; IF NEW.b IS NULL THEN RETURN NULL; END IF; RETURN NEW; END $$ LANGUAGE plpgsql"
    )
    trigger = "CREATE TRIGGER tr BEFORE INSERT ON s.t FOR EACH ROW EXECUTE FUNCTION chk()"
    tables = trigger_tables([function, trigger], sql_dialects()["postgres"])
    assert tables == {"chk": "s.t"}
    assert rules_of(function, "postgres", tables=tables) == [
        "s.t: a < 0 -> raise",
        "s.t: b IS NULL -> delete",
    ]
    assert [f.effect.action for f in founds_of(function, "postgres", tables=tables)] == [
        None,
        "drop",
    ]


def test_a_function_of_two_tables_has_none():
    triggers = [
        f"CREATE TRIGGER tr BEFORE INSERT ON {t} FOR EACH ROW EXECUTE FUNCTION chk()" for t in "ab"
    ]
    assert trigger_tables(triggers, sql_dialects()["postgres"]) == {}


def test_a_parameter_takes_its_value_from_the_configuration():
    code = (
        "CREATE PROC p @top INT AS IF EXISTS (SELECT 1 FROM t WHERE a > @top) THROW 50000, 'x', 1"
    )
    assert gaps_of(code, "tsql") == ["parameter"]
    assert rules_of(code, "tsql", values={"top": 7}) == ["t: a > 7 -> raise"]


def test_rules_in_a_table_name_it_and_its_columns():
    code = (
        "DECLARE @s NVARCHAR(99), @t SYSNAME, @c NVARCHAR(9); DECLARE c CURSOR FOR SELECT tab, cond"
        " FROM dq.rules; OPEN c; FETCH NEXT FROM c INTO @t, @c; WHILE @@FETCH_STATUS = 0 BEGIN"
        " SET @s = N'SELECT 1 FROM ' + @t + N' WHERE ' + @c; EXEC sp_executesql @s;"
        " FETCH NEXT FROM c INTO @t, @c; END"
    )
    (gap,) = [
        f.checked.check for f in founds_of(code, "tsql") if isinstance(f.checked.check, Unread)
    ]
    assert gap.code == "rules_in_table"
    assert "dq.rules (columns tab, cond)" in gap.reason


NO_CODE = [
    ("oracle", "SELECT 1 FROM t WHERE CASE WHEN a = 1 THEN 1 ELSE 0 END = 1"),
    ("tsql", "SELECT CASE WHEN a = 1 THEN 'x' END FROM t"),
    ("tsql", "DROP TABLE IF EXISTS t"),
    ("tsql", "SELECT a FROM t ORDER BY a OFFSET 0 ROWS FETCH NEXT 5 ROWS ONLY"),
    ("postgres", "BEGIN"),
    ("postgres", "BEGIN TRANSACTION"),
    ("mysql", "SELECT IF(a > 1, 2, 3) FROM t"),
    ("oracle", "CREATE TABLE t (a INT)"),
    ("oracle", "INSERT INTO t SELECT * FROM u"),
    ("teradata", "ROLLBACK"),
]


@pytest.mark.parametrize(("dialect", "text"), NO_CODE)
def test_what_is_no_code(dialect, text):
    assert not is_code(text, sql_dialects()[dialect])


def _part(shared, name):
    (path,) = (shared / "cases" / "sql").glob(f"{name}_*")
    return path.read_text("utf-8")


def test_the_cases(shared):
    assert rules_of(_part(shared, "s013").replace("GO\n", ""), "tsql") == [
        "dbo.stg_policy: premium IS NULL OR premium < 0 -> raise"
    ]
    assert rules_of(_part(shared, "s014"), "tsql") == [
        "dbo.order_lines: qty IS NULL OR unit_price IS NULL -> raise"
    ]
    assert rules_of(_part(shared, "s015").replace("\n/\n", "\n"), "oracle") == [
        "stg.licence: end_dt < start_dt -> raise",
        "stg.licence: unique lic_id -> raise",
    ]
    trigger = _part(shared, "s024").split("$$")[1].partition("\n")[2]
    assert rules_of(trigger, "mysql") == [
        "app_user: email NOT LIKE '%_@_%' -> raise",
        "app_user: age < 18 OR age > 120 -> raise",
    ]
    assert rules_of(_part(shared, "s025").rpartition("@")[0], "db2") == [
        "prj.project: budget < 0 OR end_d < start_d -> raise"
    ]
    assert [told(f) for f in founds_of(_part(shared, "s026"), "tsql")] == ["None: Unread -> select"]
    assert gaps_of(_part(shared, "s026"), "tsql") == ["rules_in_table"]
