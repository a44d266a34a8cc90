"""The DuckDB engine of a rehearsal against Spark: where it answers, it answers the same."""

import re
import sys
from datetime import date, datetime
from pathlib import Path

import pytest
from duckdb_verdicts import duck_verdicts

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import Config
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.rehearsal_data import read_samples
from ruleferry.converters.proof.rehearsal_duckdb import rehearse_on_duckdb
from ruleferry.converters.proof.rehearsal_spark import rehearse_on_spark
from ruleferry.converters.proof.rows import boundary_values, table_rows
from ruleferry.converters.schemas import read_schemas

sys.path.append(str(Path(__file__).parents[1] / "express"))
from predicate_cases import COLUMNS, PREDICATES

FLAT = {name: parse_type(text) for name, text in COLUMNS.items() if "<" not in text}
SPOKEN = [
    "abc",
    "5",
    5,
    "12",
    "a-b",
    "2024-01-31",
    date(2024, 1, 31),
    datetime.fromisoformat("2020-01-01"),
    "A,b\n",
    "a\x0b",
    "ab\r\n",
    "c\r",
    "a\rc",
    "a\u2028c",
]

# Of each construct that is on the list, at its edges.
HOLDS = [
    r"s RLIKE '^[0-9]{1,3}$'",
    r"s RLIKE '(?d)^[a-z]+$'",
    r"s RLIKE '^[^@]+-[a-z]$'",
    r"s RLIKE 'a.c'",
    r"s RLIKE '(?d)a.c'",
    r"s RLIKE '[a-c]{2}\\z'",
    r"s RLIKE '\\d+|x'",
    r"s RLIKE '[\\w.-]+'",
    r"s RLIKE '(ab|b)c?$'",
    r"s RLIKE '^$|a'",
    r"s RLIKE '\\Aa*?b'",
    r"s RLIKE '\\s'",
    r"s RLIKE '(?:a|b){2,}'",
    r"s RLIKE '\\.'",
    r"s RLIKE '^\\S+\\z'",
    r"s RLIKE '\\Z'",
    "s LIKE 'a%'",
    "s LIKE '_b_'",
    r"s LIKE 'a\\_b'",
    "s LIKE 'a!%' ESCAPE '!'",
    "s NOT LIKE '%c'",
    "startswith(s, 'a')",
    "endswith(s, r)",
    "contains(s, '-')",
    "length(s) BETWEEN 1 AND 3",
    "trim(s) = s",
    "ltrim(s) = 'abc'",
    "s || r = 'abcabc'",
    "concat(s, 'x') = r",
    "concat_ws(',', s, NULL, r) = 'a,b'",
    "s IS DISTINCT FROM r",
    "coalesce(s, 'a') = 'a'",
    "nullif(s, 'abc') IS NULL",
    "if(o, s, r) = 'abc'",
    "CASE WHEN o THEN n WHEN n > 1 THEN k END > 1",
    "CASE WHEN n > 1 THEN true END",
    "isnan(d) OR d > 1",
    "nullif(d, CAST('NaN' AS DOUBLE)) > 1",
    "d = 0.1",
    "f = 0.1",
    "f IN (0.1, 5)",
    "d IN (1.5, 5, 100)",
    "n IN (1.5, 5)",
    "l = 5.5",
    "m IN (1, 1.5)",
    "m BETWEEN 0 AND 1.555",
    "w > 99999999999999999999.5",
    "b > 1000",
    "n <=> NULL",
    "n IN (1, NULL)",
    "n NOT IN (1, NULL)",
    "NOT (NULL OR o)",
    "o IS NOT FALSE",
    "(n > k) IS NOT TRUE",
    "n > -5",
    "d > -1e300",
    "try_add(n, k) > 5",
    "try_add(l, n) < 0",
    "try_subtract(l, l) = 0",
    "try_multiply(n, k) IS NULL",
    "try_multiply(l, l) IS NULL",
    "d + d > 1",
    "try_add(d, 1) > 1",
    "m + m = 3",
    "m - 1 > 0",
    "try_divide(n, k) >= 0.5",
    "try_divide(d, d) = 1",
    "dt = '2024-01-31'",
    "dt < ts",
    "ts >= '2020-01-01 00:00:00'",
    "ts = tn",
    "tn > '2024-01-31'",
    "dt BETWEEN '2020-01-01' AND DATE'2024-01-31'",
    "year(dt) = 2024",
    "month(ts) = 1",
    "quarter(tn) > 1",
    "CAST(ts AS DATE) = dt",
    "dt <= current_date()",
    "CAST(n AS STRING) = '5'",
    "length(CAST(o AS STRING)) = 4",
    "try_cast(n AS BIGINT) > 5",
]


@pytest.fixture(scope="module")
def rows():
    values = {name: (kind, boundary_values(SPOKEN, kind)) for name, kind in FLAT.items()}
    return table_rows(values, limit=300)


@pytest.fixture(scope="module")
def answered(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    return duck_verdicts({text: text for text in [*HOLDS, *PREDICATES]}, rows, folder)


@pytest.fixture(scope="module")
def judged(spark, rows, answered):
    """Spark's verdicts of what DuckDB answers."""
    return judge({text: text for text in answered[0]}, rows, spark)


def test_no_verdict_differs(judged, answered, rows):
    found, refused = answered
    assert not [text for text in HOLDS if text in refused]
    assert not judged.rejected
    assert not [text for text in found if found[text] != judged.verdicts[text]]
    assert len(rows.cells) >= 60
    assert len(found) >= 150  # a list of refusals would differ nowhere
    assert sum("T" in letters and "F" in letters for letters in found.values()) > 100


# What may mean another thing to DuckDB, or raise on Spark, and what is said of it.
REFUSED = {
    "upper(s) = 'A'": "the function upper",
    "s RLIKE '(?i)a'": "the pattern '(?i)a'",
    r"s RLIKE '\\bab'": r"the pattern '\\bab'",
    r"s RLIKE '\\s$'": r"the pattern '\\s$'",
    r"s RLIKE '[^a]*$'": "the pattern '[^a]*$'",
    "s RLIKE 'a$b'": "the pattern 'a$b'",
    "s RLIKE 'a*+b'": "the pattern 'a*+b'",
    "s RLIKE '(?=a)'": "the pattern '(?=a)'",
    r"s RLIKE '(a)\\1'": r"the pattern '(a)\\1'",
    "s RLIKE '[[:alpha:]]'": "the pattern '[[:alpha:]]'",
    "s RLIKE '[a-z&&[^b]]'": "the pattern '[a-z&&[^b]]'",
    r"s RLIKE '\\p{L}'": r"the pattern '\\p{L}'",
    "s RLIKE r": "a pattern that is not written out",
    "s ILIKE 'a%'": "ILIKE is on no list",
    r"s LIKE 'a\\b'": r"the pattern 'a\\b'",
    "s = 5": "a comparison of int with string",
    "s > n": "a comparison of int with string",
    "n IN (1, 'x')": "a comparison of int with int with string",
    "dt > s": "a comparison of date with string",
    "dt > '2024-13-01'": "'2024-13-01' read as a date",
    "dt = '2024-01-31 10:00:00'": "'2024-01-31 10:00:00' read as a date",
    "o = 'true'": "a comparison of boolean with string",
    "d = m": "a DECIMAL beside a DOUBLE",
    "CAST(s AS INT) = 5": "a cast of string to int",
    "try_cast(s AS DATE) IS NULL": "a cast of string to date",
    "CAST(d AS STRING) = '5'": "a value of type double as text",
    "n + 1 > 5": "arithmetic with int and int",
    "n / k > 1": "DIV is on no list",
    "-n > 1": "a sign before a column",
    "w + w > 1": "a DECIMAL of more than 37 digits",
    "lost > 1": "no column of the name lost",
    "n": "a condition of type int",
    "n > 1 AND n": "a condition of type int",
    "n IN (SELECT 1)": "IN with a subquery",
    "EXISTS (SELECT 1)": "a subquery in a condition",
    "count(*) > 1": "count over many records",
    "count(*) OVER () > 1": "a window other than",
    "rand() > 0.5": "the function rand",
    "n > 1 -- note": "",
    "n >": "can't be read",
    "coalesce(n, 'x') = '5'": "string",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_needs_spark(rows, tmp_path, text):
    found, refused = duck_verdicts({text: text}, rows, tmp_path)
    if REFUSED[text]:
        assert not found
        assert REFUSED[text] in refused[text]
        assert refused[text].startswith("NeedsSpark")


# Queries ------------------------------------------------------------------------------------------

FILES = {
    "src": 'id,k,j,s,m,day\n1,1,a,x,1.50,2024-01-01\n2,1,a,,-2.00,\n3,2,,"",,2024-02-02\n'
    "4,,b,y,0.00,2024-01-01\n5,,b,x,1.50,2023-01-01\n6,3,c,it's,9.99,2024-01-01\n",
    "look": "k,j,v\n1,a,10\n1,a,10\n2,,20\n,b,30\n,,40\n9,z,\n",
    "none": "k,v\n",
}
QUERIES = {
    "flag_by_join": 'sql("SELECT s.*, l.k IS NOT NULL AS failed_rules FROM src s '
    'LEFT JOIN (SELECT DISTINCT k FROM look) l ON s.k = l.k")',
    "flag_by_two_keys": 'sql("SELECT s.*, l.one <=> 1 AS failed_rules FROM src AS s LEFT JOIN '
    '(SELECT DISTINCT k, j, 1 AS one FROM look WHERE v > 5) l ON s.k = l.k AND s.j = l.j")',
    "flag_by_exists": 'sql("SELECT *, EXISTS (SELECT 1 FROM look WHERE look.k = src.k AND v > 10) '
    'AS failed_rules FROM src")',
    "flag_by_not_exists": 'sql("SELECT id, CASE WHEN NOT EXISTS (SELECT v FROM look l WHERE '
    "l.k <=> src.k) THEN 'none' ELSE 'some' END AS failed_rules FROM src\")",
    "copies": 'table("src").selectExpr("*", "count(*) OVER (PARTITION BY k, j) AS n", '
    '"count(j) OVER (PARTITION BY k) AS failed_rules")',
    "copies_of_all": 'table("src").selectExpr("id", "count(*) OVER () AS failed_rules")',
    "figures": 'table("src").selectExpr("count(*) AS n", "count(s) AS s", "count_if(m > 0) AS p", '
    '"sum(k) AS t", "min(m) AS a", "max(day) AS b", "min(s) AS c", '
    '"try_divide(count_if(m > 0), count(*)) AS d", "count(*) - count(s) AS failed_rules")',
    "figures_of_none": 'table("none").selectExpr("count(*) AS n", "count_if(k > 0) AS p", '
    '"sum(v) AS s", "max(v) AS m", "try_divide(count_if(k > 0), count(*)) AS d", '
    '"coalesce(try_divide(count_if(v > 0), count(*)) > 0.5, TRUE) AS failed_rules")',
    "groups": 'sql("SELECT j, k, count(*) AS failed_rules FROM src GROUP BY j, k '
    'HAVING count(*) > 0")',
    "common": 'sql("WITH g AS (SELECT k, count(*) AS n FROM look GROUP BY k), h AS '
    "(SELECT * FROM g WHERE n > 1) SELECT s.id, h.n AS failed_rules FROM src s "
    'JOIN h ON s.k = h.k")',
    "both": 'sql("SELECT k, j AS failed_rules FROM src UNION ALL SELECT k, j FROM look")',
    "united": 'table("src").selectExpr("k", "j AS failed_rules").union(spark.table("look")'
    '.selectExpr("k", "j AS failed_rules"))',
    "filtered": 'table("src").where("k = 1 OR day >= \'2024-01-01\'").filter("NOT (m < 0)")'
    '.select("id", "s").selectExpr("*", "concat_ws(\', \', s, \'z\') AS failed_rules")',
    "left_out": 'sql("SELECT * EXCEPT (s, DAY), s AS failed_rules FROM SRC")',
    "names": 'sql("SELECT `src`.`ID`, Src.K AS failed_rules FROM src WHERE src.J IS NOT NULL")',
    "nested": 'sql("SELECT t.id, t.x AS failed_rules FROM (SELECT id, k <=> 1 AS x FROM src) t")',
    "constant": "sql(\"SELECT 1 AS one, 'x' AS failed_rules\")",
}
STREAMED = {
    "flag_of_stream": 'sql("SELECT s.*, k_1 IS NOT NULL AS failed_rules FROM STREAM src s '
    'LEFT JOIN (SELECT DISTINCT k AS k_1 FROM look WHERE v < 40) ON k = k_1")',
    "exists_of_stream": 'sql("SELECT s.id, EXISTS(SELECT 1 FROM look AS l WHERE l.k = s.k AND '
    'l.j = s.j) AS failed_rules FROM STREAM src s")',
    "stream_in_with": 'sql("WITH o AS (SELECT k, j AS failed_rules FROM stream look) '
    'SELECT * FROM o")',
}
MORE_THAN_DUCKDB_SAYS = {
    "ordered": 'sql("SELECT id FROM src ORDER BY id")',
    "first": 'sql("SELECT id FROM src LIMIT 1")',
    "previous": 'sql("SELECT lag(id) OVER (PARTITION BY k ORDER BY id) AS p FROM src")',
    "mean": 'sql("SELECT avg(m) AS a FROM src")',
    "natural": 'sql("SELECT * FROM src NATURAL JOIN look")',
    "twice": 'sql("SELECT * FROM src s JOIN look l ON s.k = l.k")',
    "unclear": 'sql("SELECT k FROM src s JOIN look l ON s.k = l.k")',
    "nameless": 'sql("SELECT k + 1 FROM src")',
    "mixed": 'sql("SELECT k FROM src UNION ALL SELECT j FROM look")',
    "as_column": 'table("src").withColumn("x", None)',
    "alias_of_alias": 'sql("SELECT k AS a, a AS b FROM src")',
}


def ran(engine, text: str, tmp_path: Path):
    for name, rows in FILES.items():
        (tmp_path / f"{name}.csv").write_text(rows)
    (tmp_path / "schema.sql").write_text(
        "CREATE TABLE none (k INT, v BIGINT); CREATE TABLE src (id INT, k INT, j STRING, s STRING,"
        " m DECIMAL(10,2), day DATE); CREATE TABLE look (k INT, j STRING, v INT)"
    )
    config = Config(tmp_path, tmp_path, schemas=("schema.sql",))
    given = [f"{name}={name}.csv" for name in FILES]
    samples = read_samples(given, read_schemas(config), tmp_path, tmp_path)
    return engine({"m.py": text}, samples)


def module(queries) -> str:
    datasets = [f"@dp.table\ndef {n}():\n    return spark.{q}\n" for n, q in queries.items()]
    return "\n".join(["from pyspark import pipelines as dp", *datasets])


def contents(found) -> dict:
    return {q.dataset: (q.columns, sorted(q.rows, key=str)) for q in found.quarantines}


def test_queries_give_the_same_rows(spark, tmp_path):
    text = module(QUERIES)
    both = [ran(engine, text, tmp_path) for engine in (rehearse_on_spark, rehearse_on_duckdb)]
    assert both[0].flows == both[1].flows
    assert [flow.status for flow in both[1].flows] == ["COMPLETED"] * len(QUERIES)
    one, two = map(contents, both)
    assert one.keys() == two.keys() == QUERIES.keys()
    assert {name: found for name, found in one.items() if found != two[name]} == {}


def test_a_stream_in_a_query_is_one_batch(spark, tmp_path):
    engines = rehearse_on_spark, rehearse_on_duckdb
    streamed = [ran(engine, module(STREAMED), tmp_path) for engine in engines]
    text = re.sub("(?i)stream ", "", module(STREAMED))
    plain = ran(rehearse_on_duckdb, text, tmp_path)
    assert [found.streamed for found in (*streamed, plain)] == [True, True, False]
    assert streamed[0].flows == streamed[1].flows == plain.flows
    assert contents(streamed[0]) == contents(streamed[1]) == contents(plain)
    assert contents(plain).keys() == STREAMED.keys()


@pytest.mark.parametrize("name", MORE_THAN_DUCKDB_SAYS)
def test_a_query_that_needs_spark(tmp_path, name):
    text = module({name: MORE_THAN_DUCKDB_SAYS[name], "behind": f'table("{name}")', **FINE})
    flows = {flow.dataset: flow for flow in ran(rehearse_on_duckdb, text, tmp_path).flows}
    assert flows[name].status == flows["behind"].status == "NEEDS SPARK"
    assert flows["behind"].error == f"{name}, which it reads"
    assert flows["fine"].status == "COMPLETED"


FINE = {"fine": 'table("src")'}
CHECKED = """
from pyspark import pipelines as dp
@dp.table
@dp.expect_all_or_{action}({{"held": "m > 0", "not_held": "upper(s) = 'X'"}})
def checked():
    return spark.table("src")
@dp.table
def behind():
    return spark.table("checked")
"""


@pytest.mark.parametrize("action", ["drop", "fail"])
def test_the_other_conditions_of_a_dataset_are_counted(tmp_path, action):
    found = ran(rehearse_on_duckdb, CHECKED.format(action=action), tmp_path)
    held, other = found.expectations
    assert (held.passed, held.failed) == (3, 3)
    assert (other.passed, other.failed, other.needs_spark) == (None, None, "the function upper")
    assert [flow.status for flow in found.flows] == ["NEEDS SPARK", "NEEDS SPARK"]
    assert found.flows[0].error == "the condition of not_held"
