"""Placeholders: what becomes a stand-in, what must not, what a value becomes, and the way back."""

import re
from datetime import date, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_statement
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.macros import (
    is_template,
    macros_in,
    prepare,
    table_name,
    written,
)

DIALECTS = sql_dialects()
WRAPPERS = ["", "dbt", "jinja", "odi", "ssis", "sqlrender", "sqlmesh", "dataform", "informatica"]


def ready(text, dialect="hive", wrapper="", **values):
    return prepare(text, DIALECTS[dialect], wrapper, values)


def short(prepared):
    """p1 for the first stand-in, and so on."""
    return re.sub(r"ruleferry_p_(\d+)_", r"p\1", prepared.text)


# What becomes a stand-in ------------------------------------------------------------------------

BECOMES = [
    # dialect, wrapper, text, text with stand-ins, what the author wrote, bare names
    ("oracle", "", "a = :p_max", "a = p1", [":p_max"], ["p_max"]),
    ("oracle", "", "a = :1", "a = p1", [":1"], ["1"]),
    ("oracle", "", "a IN (:a, :b, :a)", "a IN (p1, p2, p1)", [":a", ":b"], ["a", "b"]),
    ("oracle", "", "a = &v", "a = p1", ["&v"], ["v"]),
    ("oracle", "", "a = &&v", "a = p1", ["&&v"], ["v"]),
    ("oracle", "", "FROM &1..stg_txn", "FROM p1.stg_txn", ["&1."], ["1"]),
    ("oracle", "", "FROM stg_&1 s", "FROM p1 s", ["stg_&1"], ["1"]),
    ("oracle", "", "a = '&src_sys'", "a = p1", ["'&src_sys'"], ["src_sys"]),
    ("oracle", "", "a = 'x_&1..csv'", "a = 'x_p1.csv'", ["&1."], ["1"]),
    ("oracle", "odi", "a = #PROJ.V_MAX", "a = p1", ["#PROJ.V_MAX"], ["PROJ.V_MAX"]),
    ("hive", "", "dt = '${run_dt}'", "dt = p1", ["'${run_dt}'"], ["run_dt"]),
    ("hive", "", "dt = ${hivevar:x}", "dt = p1", ["${hivevar:x}"], ["x"]),
    ("hive", "", 'dt = "${hiveconf:x}"', "dt = p1", ['"${hiveconf:x}"'], ["x"]),
    ("hive", "", "FROM ${db}.t", "FROM p1.t", ["${db}"], ["db"]),
    ("hive", "", "FROM a_${x}_b${y}.t", "FROM p1.t", ["a_${x}_b${y}"], ["x"]),
    ("hive", "", "FROM `${db}`.`t`", "FROM `p1`.`t`", ["${db}"], ["db"]),
    ("hive", "", "a = '%${x}%'", "a = '%p1%'", ["${x}"], ["x"]),
    ("hive", "", "a = DATE '${x}'", "a = DATE 'p1'", ["${x}"], ["x"]),
    ("hive", "", "a = '$run_dt'", "a = p1", ["'$run_dt'"], ["run_dt"]),
    ("hive", "", "a = '$Y-$M-01'", "a = 'p1-p2-01'", ["$Y", "$M"], ["Y", "M"]),
    ("hive", "", "FROM $DB.t", "FROM p1.t", ["$DB"], ["DB"]),
    ("oracle", "informatica", "a = $$LAST", "a = p1", ["$$LAST"], ["LAST"]),
    ("oracle", "informatica", "a = '$$LAST'", "a = p1", ["'$$LAST'"], ["LAST"]),
    ("teradata", "", "a = $$VAR$$", "a = p1", ["$$VAR$$"], ["VAR"]),
    ("postgres", "informatica", "a = $$VAR$$", "a = p1", ["$$VAR$$"], ["VAR"]),
    ("teradata", "", "a = %%ODATE%%", "a = p1", ["%%ODATE%%"], ["ODATE"]),
    ("teradata", "", "a = '%%ODATE%%'", "a = p1", ["'%%ODATE%%'"], ["ODATE"]),
    ("mysql", "", "a = <<x>>", "a = p1", ["<<x>>"], ["x"]),
    ("mysql", "", "a = '<<x>>'", "a = p1", ["'<<x>>'"], ["x"]),
    ("mysql", "", "FROM #STG_SCHEMA.orders", "FROM p1.orders", ["#STG_SCHEMA"], ["STG_SCHEMA"]),
    ("mysql", "", "a = #RUN_DT AND b = 1", "a = p1 AND b = 1", ["#RUN_DT"], ["RUN_DT"]),
    ("mysql", "", "a = @v", "a = p1", ["@v"], ["v"]),
    ("redshift", "", "FROM #STG.orders", "FROM p1.orders", ["#STG"], ["STG"]),
    ("hive", "", "a = #X#", "a = p1", ["#X#"], ["X"]),
    ("hive", "", "a = '#X#'", "a = p1", ["'#X#'"], ["X"]),
    ("hive", "", "a = #X", "a = p1", ["#X"], ["X"]),
    ("tsql", "", "a = @min", "a = p1", ["@min"], ["min"]),
    ("tsql", "", "FROM [$(db)].dbo.t", "FROM [p1].dbo.t", ["$(db)"], ["db"]),
    ("tsql", "", "FROM $(db).dbo.t", "FROM p1.dbo.t", ["$(db)"], ["db"]),
    ("tsql", "", "a = N'$(env)'", "a = p1", ["N'$(env)'"], ["env"]),
    ("tsql", "ssis", "a = ? AND b = ?", "a = p1 AND b = p2", ["?", "?"], ["?1", "?2"]),
    ("tsql", "sqlrender", "FROM @schema.@t c", "FROM p1.p2 c", ["@schema", "@t"], ["schema", "t"]),
    ("tsql", "sqlrender", "c.@f < 1", "c.p1 < 1", ["@f"], ["f"]),
    ("tsql", "sqlrender", "a = '@x'", "a = p1", ["'@x'"], ["x"]),
    ("snowflake", "sqlmesh", "FROM @this_model AS o", "FROM p1 AS o", ["@this_model"], None),
    ("snowflake", "sqlmesh", "d >= @start_ds", "d >= p1", ["@start_ds"], ["start_ds"]),
    ("snowflake", "", "a = :v", "a = p1", [":v"], ["v"]),
    ("snowflake", "", "a = &{v}", "a = p1", ["&{v}"], ["v"]),
    ("snowflake", "", "a = $v", "a = p1", ["$v"], ["v"]),
    ("teradata", "", "FROM {env}_stg.x", "FROM p1.x", ["{env}_stg"], ["env"]),
    ("postgres", "", "a = {0}", "a = p1", ["{0}"], ["0"]),
    ("postgres", "", "a = '{0}'", "a = p1", ["'{0}'"], ["0"]),
    ("postgres", "", "a = '{env}'", "a = p1", ["'{env}'"], ["env"]),
    ("postgres", "", "a = $1", "a = p1", ["$1"], ["1"]),
    ("postgres", "", "a = %(x)s AND b = %s", "a = p1 AND b = p2", ["%(x)s", "%s"], None),
    ("postgres", "", "a = :'run_dt'", "a = p1", [":'run_dt'"], ["run_dt"]),
    ("postgres", "", "j ? 'k' AND a = ?", "j ? 'k' AND a = p1", ["?"], ["?1"]),
    ("bigquery", "", "a = @d", "a = p1", ["@d"], ["d"]),
    ("bigquery", "", "FROM `p-${e}.d.t`", "FROM `p1.d.t`", ["p-${e}"], ["e"]),
    ("snowflake", "dbt", "FROM {{ this }}", "FROM p1", ["{{ this }}"], ["this"]),
    ("snowflake", "dbt", "{{ column_name }} < 1", "p1 < 1", ["{{ column_name }}"], None),
    ("snowflake", "dbt", "a > {{ var('m') }}", "a > p1", ["{{ var('m') }}"], ["m"]),
    ("snowflake", "dbt", "a > '{{ var('m') }}'", "a > p1", ["'{{ var('m') }}'"], ["m"]),
    ("snowflake", "dbt", 'FROM "{{ target.db }}".t', 'FROM "p1".t', ["{{ target.db }}"], None),
    ("snowflake", "dbt", "a {# b #} = 1", "a   = 1", [], []),
    ("bigquery", "dataform", "FROM ${self()}", "FROM p1", ["${self()}"], ["self()"]),
]


@pytest.mark.parametrize(("dialect", "wrapper", "text", "becomes", "of", "names"), BECOMES)
def test_a_placeholder_becomes_a_stand_in(dialect, wrapper, text, becomes, of, names):
    prepared = ready(text, dialect, wrapper)
    assert short(prepared) == becomes
    assert [macro.written for macro in prepared.macros.values()] == of
    assert names is None or [macro.name for macro in prepared.macros.values()] == names
    assert not prepared.unread
    if "{#" not in text:
        assert written(prepared.text, prepared.macros) == text


STAYS = [
    ("snowflake", "", "col:path.x = 1 AND v:a::int > 2 AND $1:x"),
    ("snowflake", "", "SELECT a FROM @stage/path // :x ${y}"),
    ("postgres", "", "a::text = '12:30' AND t = '10:15:00'"),
    ("postgres", "", "j ?| array['a'] AND j ?& array['b'] AND j ? 'c'"),
    ("postgres", "", "a[1:2] AND x @> '{a}' AND x && '{b}' AND j #>> '{c}'"),
    ("postgres", "", "a ~ '^[A-Z]{2}[0-9]{10}$' AND b = '{a,b}'"),
    ("postgres", "", "a = $$text$$ AND b = $t$ :x $t$"),
    ("postgres", "", "a LIKE '%%x%%' AND b % 3 = 1"),
    ("postgres", "", "a @> b AND b <@ a AND @ c > 1"),
    ("oracle", "", "x := 1; :NEW.email LIKE '%_@_%' AND :old.a = 1"),
    ("oracle", "", "a = t@dblink AND v$session = 1 AND serial# = 2"),
    ("oracle", "", "a = q'[it's :x ?]' AND b = 'a:b'"),
    ("oracle", "odi", "a & b = 'R&D'"),
    ("oracle", "", "<<outer>> LOOP"),
    ("mysql", "", "a = 1 # :x ${y} ?\nAND b = 2 -- {z}"),
    ("mysql", "", "a = #rule x\n1 AND b = 2 #X ${y}"),
    ("mysql", "", "a & b > @@sql_mode AND c = 'x''y:z'"),
    ("mysql", "", "a LIKE '%_@_%' AND b REGEXP '^[0-9]{8,15}$'"),
    ("tsql", "", "SELECT @@ROWCOUNT FROM #tmp JOIN ##g ON a & b = 1"),
    ("tsql", "", "a = 'x@y.z' /* @p ${x} */ AND [a:b] = 1"),
    ("bigquery", "", "SELECT a FROM `proj.ds.t` WHERE r = r'^[^@\\s]+@[a-z]{2,}$' # @x"),
    ("bigquery", "", "a = '''it's @x''' AND c = @@time_zone"),
    ("hive", "", "a RLIKE '\\\\p{Alpha}' AND m['a'] = 1 AND a LIKE '%x%'"),
    ("databricks", "", "a:b.c = 1 AND d?::int = 2"),
    ("db2", "", "a = @name AND #t = 1"),
    ("teradata", "", "a = 'costs $ 5' AND b = '5 %' AND c = '^a$|b$' AND d = '$1,$.a'"),
    ("hive", "", "a = 'f(x) = {}' AND b = '{\"a\": 1}'"),
]


@pytest.mark.parametrize(("dialect", "wrapper", "text"), STAYS)
def test_what_is_no_placeholder_stays(dialect, wrapper, text):
    prepared = ready(text, dialect, wrapper)
    assert prepared.text == text
    assert not prepared.macros
    assert not prepared.unread


UNREAD = [
    ("hive", "", "SELECT 1 FROM t {where}"),
    ("hive", "", "SELECT 1 FROM t WHERE a < 0 ${more}"),
    ("hive", "", "SELECT COUNT(*) ${x} FROM t"),
    ("oracle", "", "SELECT 1 FROM t &where"),
    ("snowflake", "dbt", "{% if x %} SELECT 1 {% endif %}"),
    ("snowflake", "dbt", "SELECT {{ dbt_utils.star(from=ref('a')) }} FROM t"),
    ("snowflake", "dbt", "SELECT 1 FROM {{ ref('a', v=2) }}"),
    ("snowflake", "dbt", "SELECT 1 FROM {{ ref(x) }}"),
    ("snowflake", "dbt", "SELECT {{ a | upper }} FROM t"),
    ("snowflake", "dbt", "SELECT 1 WHERE a = '{{ f() }}'"),
    ("snowflake", "dbt", "SELECT 1 WHERE a = '{% if x %}b{% endif %}'"),
    ("tsql", "sqlrender", "SELECT 1 FROM t {@x}?{WHERE a = 1}:{}"),
    ("snowflake", "sqlmesh", "SELECT @EACH([a], x -> x) FROM t"),
    ("bigquery", "dataform", "SELECT 1 FROM ${when(a, b)}"),
    ("snowflake", "dbt", "SELECT {{ " + "(" * 500 + " }} FROM t"),
]


@pytest.mark.parametrize(("dialect", "wrapper", "text"), UNREAD)
def test_what_is_not_evaluated_is_told(dialect, wrapper, text):
    assert ready(text, dialect, wrapper).unread


# dbt, Dataform, SqlRender ---------------------------------------------------------------------

TABLES = [
    ("dbt", "FROM {{ ref('orders') }} o", "FROM orders o", "orders"),
    ("dbt", "FROM {{ ref('pkg', 'orders') }} o", "FROM orders o", "orders"),
    ("dbt", "FROM {{- source('raw', 'orders') -}} o", "FROM raw.orders o", "raw.orders"),
    ("dataform", 'FROM ${ref("src")} o', "FROM src o", "src"),
    ("dataform", 'FROM ${ref("s", "src")} o', "FROM s.src o", "s.src"),
]


@pytest.mark.parametrize(("wrapper", "text", "becomes", "table"), TABLES)
def test_a_reference_is_its_table(wrapper, text, becomes, table):
    prepared = ready(text, "bigquery", wrapper)
    assert prepared.text == becomes
    assert [macro.table for macro in prepared.filled] == [table]
    assert not prepared.macros


def test_a_table_that_is_no_plain_name_stays_a_placeholder():
    prepared = ready("FROM {{ ref('my orders') }}", "snowflake", "dbt")
    assert short(prepared) == "FROM p1"


def test_the_configuration_is_taken_out():
    prepared = ready("{{ config(severity = 'warn', tags=['a']) }}\nselect 1", "snowflake", "dbt")
    assert prepared.text.strip() == "select 1"
    assert prepared.config == {"severity": "warn", "tags": ["a"]}
    assert not prepared.macros


def test_a_variable_has_its_default_and_the_value_before_it():
    text = "a > {{ var('m', 5) }} AND b = '{{ var(\"s\", 'it') }}'"
    assert ready(text, "snowflake", "dbt").text == "a > 5 AND b = 'it'"
    assert ready(text, "snowflake", "dbt", m=7, S="x").text == "a > 7 AND b = 'x'"


def test_a_default_of_sqlrender_is_taken_out():
    assert ready("{DEFAULT @x = 5}SELECT @x", "tsql", "sqlrender").text == " SELECT ruleferry_p_1_"


# Values -----------------------------------------------------------------------------------------

FILLED = [
    ("oracle", "", "a > :p", {"p": 5}, "a > 5"),
    ("oracle", "", "a > :P", {"p": 5}, "a > 5"),
    ("oracle", "", "a > :p", {":P": 5}, "a > 5"),
    ("oracle", "", "a > :p", {"p": 1.5}, "a > 1.5"),
    ("oracle", "", "a -:p", {"p": -5}, "a -(-5)"),
    ("oracle", "", "a = :p", {"p": "x"}, "a = 'x'"),
    ("oracle", "", "a = :p", {"p": "it's"}, "a = 'it''s'"),
    ("oracle", "", "a = :p", {"p": date(2024, 1, 31)}, "a = DATE '2024-01-31'"),
    ("tsql", "", "a = @p", {"p": date(2024, 1, 31)}, "a = CAST('2024-01-31' AS DATE)"),
    (
        "hive",
        "",
        "a = :p",
        {"p": datetime(2024, 1, 31, 1, 2, 3)},  # noqa: DTZ001
        "a = TIMESTAMP '2024-01-31 01:02:03'",
    ),
    ("hive", "", "a = :p", {"p": True}, "a = TRUE"),
    ("hive", "", "a = '${x}'", {"x": "it's"}, "a = 'it\\'s'"),
    ("bigquery", "", 'a = "${x}"', {"x": 'a"b\\'}, 'a = "a\\"b\\\\"'),
    ("oracle", "", "a = '&x'", {"x": "it's"}, "a = 'it''s'"),
    ("oracle", "", "a = N'&x-1'", {"x": 5}, "a = N'5-1'"),
    ("oracle", "", "FROM &1..t", {"1": "stg"}, "FROM stg.t"),
    ("oracle", "", "FROM a_&1", {"1": 7}, "FROM a_7"),
    ("teradata", "", "FROM {env}_stg.t", {"env": "dev"}, "FROM dev_stg.t"),
    ("hive", "", "FROM ${t} WHERE a > ${m}", {"t": "s.o", "m": "5"}, "FROM s.o WHERE a > 5"),
    ("hive", "", "a = ${x}", {"x": "2024-01-01"}, "a = '2024-01-01'"),
    ("hive", "", "a = ${x}", {"x": "'it''s'"}, "a = 'it\\'s'"),
    ("tsql", "sqlrender", "c.@f < 1", {"f": "start_date"}, "c.start_date < 1"),
    ("tsql", "sqlrender", "FROM @s.@t", {"s": "dbo", "t": "p"}, "FROM dbo.p"),
    ("snowflake", "dbt", "{{ column_name }} < 1", {"column_name": "qty"}, "qty < 1"),
    ("snowflake", "dbt", "FROM {{ model }}", {"model": "stg"}, "FROM stg"),
    ("bigquery", "", "FROM `p_${e}.d.t`", {"e": "x"}, "FROM `p_x.d.t`"),
    ("tsql", "ssis", "a = ?", {"?1": 5}, "a = 5"),
]


@pytest.mark.parametrize(("dialect", "wrapper", "text", "values", "becomes"), FILLED)
def test_a_value_is_written_out(dialect, wrapper, text, values, becomes):
    prepared = prepare(text, DIALECTS[dialect], wrapper, values)
    assert prepared.text == becomes
    assert not prepared.macros
    assert {macro.value for macro in prepared.filled} <= set(values.values())
    assert prepared.filled


OPEN = [
    ("hive", "", "a = ${x}", {"x": "ACTIVE"}),  # a column, or a text without its quotes
    ("hive", "", "FROM ${x}", {"x": "a; DROP TABLE b"}),
    ("hive", "", "FROM ${x}_t", {"x": "a b"}),
    ("hive", "", "FROM ${x}.t", {"x": "a.b c"}),
    ("oracle", "", "FROM :t", {"t": "orders"}),  # no parameter can name a table
    ("oracle", "", "a = :p", {"p": True}),
    ("oracle", "", "a = :p", {"p": float("nan")}),
    ("oracle", "", "a = :p", {"p": [1]}),
    ("oracle", "", "a = :p", {"p": None}),
    ("oracle", "", "a = :p", {"p": "x\x00"}),
    ("oracle", "", "a = q'[&x]'", {"x": "]' OR 1=1 --"}),
    ("postgres", "", "a = :p", {"p": "amount"}),  # psql pastes it
    ("hive", "", "a = '${x}'", {"y": 1}),
]


@pytest.mark.parametrize(("dialect", "wrapper", "text", "values"), OPEN)
def test_a_value_that_can_be_read_in_two_ways_is_not_written_out(dialect, wrapper, text, values):
    prepared = prepare(text, DIALECTS[dialect], wrapper, values)
    assert prepared.macros
    assert not prepared.filled


@settings(deadline=None)
@given(st.text(max_size=30), st.sampled_from(sorted(DIALECTS)))
@example("\\", "hive")
@example("'", "bigquery")
@example("\\'", "snowflake")
def test_a_text_stays_within_its_quotes(value, name):
    """Read back by the dialect's own rules it is the value, and nothing else has changed."""
    dialect = DIALECTS[name]
    for text in ("SELECT ':p' , :p", "SELECT '${p}' , 'x'"):
        prepared = prepare(text, dialect, "", {"p": value})
        if prepared.macros:
            continue
        tree = parse_statement(prepared.text, dialect)
        assert len(tree.expressions) == 2
        found = {node.this for node in tree.find_all(exp.Literal)}
        assert value in found


@given(st.text(alphabet="a'\"`$#@:?&{}%<>[]()-/*\\ .,=1\n;x_|", max_size=60), st.data())
@settings(max_examples=400, deadline=None)  # a dialect's expressions are compiled at first use
def test_any_text_comes_back(text, data):
    dialect = DIALECTS[data.draw(st.sampled_from(sorted(DIALECTS)))]
    wrapper = data.draw(st.sampled_from(WRAPPERS))
    prepared = prepare(text, dialect, wrapper, {})
    if not prepared.unread and not re.search(r"\{[#{]|DEFAULT", text):
        assert written(prepared.text, prepared.macros) == text
    again = prepare(prepared.text, dialect, wrapper, {})
    assert not set(again.macros) & set(prepared.macros)


@settings(deadline=None)
@given(st.text(alphabet=" abcXYZ_019.,=<>()+-*/;\n'", max_size=60), st.data())
def test_a_text_without_a_placeholder_is_the_same(text, data):
    dialect = DIALECTS[data.draw(st.sampled_from(sorted(DIALECTS)))]
    prepared = prepare(text, dialect, data.draw(st.sampled_from(WRAPPERS)), {"a": 1, "x": "y"})
    assert prepared.text == text or "<<" in text
    assert not prepared.filled or "<<" in text


# The way back -----------------------------------------------------------------------------------

NAMES = [
    ("oracle", "", "SELECT 1 FROM &1..stg_txn", "&1..stg_txn", True),
    ("teradata", "", "SELECT 1 FROM {env}_stg.store_xref", "{env}_stg.store_xref", True),
    ("tsql", "sqlrender", "SELECT 1 FROM @schema.@cdmTableName c", "@schema.@cdmTableName", True),
    ("snowflake", "sqlmesh", "SELECT 1 FROM @this_model AS o", "@this_model", True),
    ("snowflake", "dbt", "SELECT 1 FROM {{ model }}", "{{ model }}", True),
    ("snowflake", "dbt", "SELECT 1 FROM {{ ref('fct') }}", "fct", False),
    ("bigquery", "", "SELECT 1 FROM `proj.ds.people`", "proj.ds.people", False),
    ("bigquery", "", "SELECT 1 FROM `p-${e}.ds.people`", "p-${e}.ds.people", True),
    ("tsql", "", 'SELECT 1 FROM [a b].dbo."T"', "a b.dbo.T", False),
    ("hive", "", "SELECT 1 FROM Sales.Orders o WHERE dt = '${x}'", "Sales.Orders", False),
    ("tsql", "", "SELECT 1 FROM db..t", "db..t", False),
]


@pytest.mark.parametrize(("dialect", "wrapper", "text", "name", "template"), NAMES)
def test_a_table_is_named_as_it_is_written(dialect, wrapper, text, name, template):
    prepared = ready(text, dialect, wrapper)
    table = parse_statement(prepared.text, DIALECTS[dialect]).find(exp.Table)
    assert table_name(table, prepared.macros) == name
    assert is_template(table, prepared.macros) is template


def test_the_placeholders_of_a_tree():
    prepared = ready("SELECT ${a} FROM t WHERE b = 'x${c}' AND d = '${e}'")
    tree = parse_statement(prepared.text, DIALECTS["hive"])
    assert [macro.name for macro in macros_in(tree, prepared.macros)] == ["a", "c", "e"]
    where = tree.args["where"]
    assert [macro.written for macro in macros_in(where, prepared.macros)] == ["${c}", "'${e}'"]
    assert [macro.whole for macro in macros_in(where, prepared.macros)] == [False, True]


def test_a_stand_in_of_the_source_is_no_stand_in_of_ours():
    prepared = ready("SELECT ruleferry_p_1_, ${x} FROM t")
    assert prepared.text == "SELECT ruleferry_p_1_, ruleferry_p_2_ FROM t"
    assert written(prepared.text, prepared.macros) == "SELECT ruleferry_p_1_, ${x} FROM t"


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_stand_ins_parse_where_they_stand(dialect):
    text = "SELECT ${c}, a FROM ${d}.t_${e} x WHERE a = '${f}' AND b > ${g} AND x.${h} IN (${i})"
    prepared = ready(text, dialect)
    try:
        parse_statement(prepared.text, DIALECTS[dialect])
    except Unreadable as error:
        pytest.fail(error.reason)


@pytest.mark.parametrize(
    "text", ["'" * 50_000, "{{" * 20_000, "${" * 20_000, "'{{ a" * 10_000, "a" * 100_000 + "?"]
)
def test_a_hostile_text_takes_no_time(text):
    prepared = ready(text, "snowflake", "dbt")
    assert isinstance(prepared.text, str)
