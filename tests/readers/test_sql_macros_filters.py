"""Which conjuncts only pick the load, and which values a script gives its own parameters."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.dialects.parse import parse_expression
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.found import Script
from ruleferry.converters.readers.sql.macros import defaults_in, is_load_filter, prepare

DIALECTS = sql_dialects()


def picks(text, dialect, **values):
    prepared = prepare(text, DIALECTS[dialect], "", values)
    return is_load_filter(parse_expression(prepared.text, DIALECTS[dialect]), prepared.macros)


FILTERS = [
    ("hive", "dt = '${run_dt}'"),
    ("hive", "'${run_dt}' = dt"),
    ("hive", "dt = '${y}-${m}-01'"),
    ("hive", "DATE '${x}' = dt"),
    ("hive", "dt IN ('${a}', '${b}')"),
    ("hive", "(o.dt = '${run_dt}')"),
    ("tsql", "batch_id = ?"),
    ("tsql", "batch_id = @batch"),
    ("oracle", "src_sys = '&src_sys'"),
    ("oracle", "txn_dt = :p_run_dt"),
    ("oracle", "TRUNC(txn_dt) = TO_DATE(:p, 'YYYYMMDD')"),
    ("oracle", "TRUNC(txn_dt) = TO_DATE('&p', 'YYYYMMDD') - 1"),
    ("oracle", "load_dt >= :run_dt"),
    ("oracle", "LOAD_DT BETWEEN :a AND :b"),
    ("oracle", "txn_dt BETWEEN :start_date AND :end_date"),
    ("oracle", "updated_at > :last_run_ts"),
    ("oracle", ":last_run_ts < updated_at"),
    ("oracle", "(:p IS NULL OR x = :p)"),
    ("postgres", "submission_id = {0}"),
    ("bigquery", "submission_date = @submission_date"),
    ("bigquery", "submission_date >= DATE_SUB(@submission_date, INTERVAL 7 DAY)"),
    ("tsql", "CAST(d AS DATE) = CAST(@d AS DATE)"),
]


@pytest.mark.parametrize(("dialect", "text"), FILTERS)
def test_it_only_picks_the_load(dialect, text):
    assert picks(text, dialect)


RULES = [
    ("oracle", "amt > :p_max"),
    ("oracle", "amt >= :p_max"),
    ("oracle", "amt BETWEEN :min AND :max"),
    ("oracle", "birth_dt > :run_dt"),
    ("oracle", "birth_dt <= :run_dt"),
    ("oracle", "expiry_dt < :run_date"),
    ("hive", "hire_dt < '${start_date}'"),
    ("hive", "end_date <= '${to_date}'"),
    ("oracle", "x = :p + y"),
    ("oracle", "x = y"),
    ("oracle", "1 = :p"),
    ("oracle", "x <> :p"),
    ("oracle", "NOT x = :p"),
    ("oracle", "x NOT IN (:p)"),
    ("oracle", "x = :p OR y = 1"),
    ("oracle", "x IS NULL OR x = :p"),
    ("oracle", ":q IS NULL OR x = :p"),
    ("oracle", "x = f(:p)"),
    ("oracle", "f(x) = :p"),
    ("oracle", "x = TRUNC(y, :p)"),
    ("hive", "x IN ('${a}', 'b')"),
    ("hive", "x = ${db}_y"),
    ("hive", "x LIKE '${p}%'"),
    ("hive", "${c} = 1"),
    ("hive", "t.${c} = '${d}'"),
    ("hive", "x = t.${c}"),
    ("hive", "'a' = '${d}'"),
    ("oracle", "x IN (SELECT y FROM t WHERE z = :p)"),
    ("oracle", "load_dt > :limit"),
    ("oracle", "updated_at < :last_run_ts"),
    ("oracle", ":last_run_ts > updated_at"),
]


@pytest.mark.parametrize(("dialect", "text"), RULES)
def test_it_may_be_a_condition_of_the_rule(dialect, text):
    assert not picks(text, dialect)


def test_with_a_value_it_is_a_condition():
    assert not picks("dt = :p", "oracle", p="2024-01-01")


# Defaults ---------------------------------------------------------------------------------------

DEFAULTS = [
    ("tsql", "DECLARE @min INT = 5, @max DECIMAL(12, 2) = 10.5;", {"min": 5, "max": 10.5}),
    ("tsql", "DECLARE @x VARCHAR(10)\nSET @x = 'a''b'", {"x": "a'b"}),
    ("tsql", "DECLARE @k INT = 3 -- @k = 4\nIF @k = 3 PRINT 1", {"k": 3}),
    ("tsql", "CREATE PROCEDURE p @min INT = 5, @s NVARCHAR(9) = N'x' AS", {"min": 5, "s": "x"}),
    ("tsql", ":setvar db Foo", {"db": "Foo"}),
    ("tsql", "{DEFAULT @cdm = 'cdm.dbo'}", {"cdm": "cdm.dbo"}),
    ("mysql", "SET @a := 5;", {"a": 5}),
    ("oracle", "DEFINE x = 5\nDEF y = 'abc'\nDEFINE z = foo", {"x": 5, "y": "abc", "z": "foo"}),
    ("oracle", "PROCEDURE p(p_max IN NUMBER DEFAULT 5) AS v NUMBER := 0;", {"p_max": 5, "v": 0}),
    ("hive", "SET hivevar:x=5;\nset hivevar:s='a';", {"x": 5, "s": "'a'"}),
    ("postgres", "\\set n 5\n\\set t 'abc'", {"n": 5, "t": "abc"}),
    ("snowflake", "SET x = 5;\nSET y = 'a';", {"x": 5, "y": "a"}),
]


@pytest.mark.parametrize(("dialect", "text", "values"), DEFAULTS)
def test_a_constant_is_a_value(dialect, text, values):
    assert defaults_in(Script("f", text, DIALECTS[dialect], ())) == values


NO_DEFAULTS = [
    ("tsql", "DECLARE @bad INT = 0; SELECT @bad = COUNT(*) FROM t"),
    ("tsql", "DECLARE @i INT = 0; SET @i += 1"),
    ("tsql", "DECLARE @i INT = 0; SET @i = 1"),
    ("tsql", "DECLARE @i INT = 0; FETCH NEXT FROM c INTO @a, @i"),
    ("tsql", "DECLARE @i INT = 0; EXEC p @i OUTPUT"),
    ("tsql", "DECLARE @i INT; SET @i = 1 + 2"),
    ("tsql", "DECLARE @i INT; IF @j = 1 SET @i = 5"),
    ("tsql", "DECLARE @i INT = 5.7, @s VARCHAR(2) = 'abc', @t VARCHAR = 'ab', @u INT = '5'"),
    ("tsql", "DECLARE @i DECIMAL = 5.7"),
    ("tsql", "-- DECLARE @i INT = 5"),
    ("tsql", "SELECT '; DECLARE @i INT = 5' WHERE @i = 5"),
    ("tsql", "EXEC sp_executesql N'DECLARE @i INT = 5; SELECT 1'"),
    ("tsql", "EXEC p @a = 5"),
    ("tsql", "DECLARE @i INT = 5 * 2"),
    ("oracle", "DECLARE v NUMBER := 0; BEGIN v := 1; END;"),
    ("oracle", "DECLARE v NUMBER := 0; BEGIN SELECT COUNT(*) INTO v FROM t; END;"),
    ("oracle", "-- DEFINE q = 1"),
    ("mysql", "SET @b = (SELECT 1);"),
]


@pytest.mark.parametrize(("dialect", "text"), NO_DEFAULTS)
def test_what_changes_or_depends_is_no_value(dialect, text):
    assert not defaults_in(Script("f", text, DIALECTS[dialect], ()))


_WORDS = [
    "@a",
    "=",
    "5",
    "'x'",
    "INT",
    "SET",
    "DECLARE",
    "DEFINE a",
    "\n",
    ";",
    ",",
    "(",
    ":=",
    "IF",
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(_WORDS), max_size=20), st.sampled_from(sorted(DIALECTS)))
def test_defaults_never_raise(parts, name):
    found = defaults_in(Script("f", " ".join(parts), DIALECTS[name], ()))
    assert all(isinstance(value, int | float | str) for value in found.values())
