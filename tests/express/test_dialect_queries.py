"""Whole queries of the dialects: expressions are read in place, of texts as the database does."""

import pytest

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.dialects.joins import without_join_marks
from ruleferry.converters.dialects.parse import Unreadable, parse_expression, parse_statement
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express.dialects import in_spark
from ruleferry.converters.express.dialects.sources import types_in_query
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.predicates import SqlSettings

TYPES = {"id": parse_type("int"), "k": parse_type("string"), "d": parse_type("date")}


def spark_of(dialect, text):
    tree = without_join_marks(parse_statement(text, sql_dialects()[dialect]))
    type_of = types_in_query(lambda table: TYPES if table.name == "o" else {})
    return to_sql(in_spark(tree, sql_dialects()[dialect], SqlSettings(), type_of).tree)


CONVERTS = [
    ("tsql", "SELECT k, COUNT(*) FROM o GROUP BY k HAVING COUNT(*) > 1",
     "SELECT rtrim(lower(k)) AS k, count(*) FROM o GROUP BY rtrim(lower(k)) HAVING count(*) > 1"),
    ("postgres", "SELECT k, COUNT(*) FROM o GROUP BY 1 HAVING COUNT(*) > 1",
     "SELECT k, count(*) FROM o GROUP BY k HAVING count(*) > 1"),
    ("oracle", "SELECT o.id FROM o, c WHERE o.k = c.k(+) AND c.k IS NULL",
     "SELECT o.id FROM o LEFT JOIN c ON nullif(o.k, '') = nullif(c.k, '') "
     "WHERE nullif(c.k, '') IS NULL"),
    ("postgres", "SELECT a.id FROM o a, o b, c WHERE a.id > b.id AND c.k IS NULL",
     "SELECT a.id FROM o AS a CROSS JOIN o AS b CROSS JOIN c WHERE a.id > b.id AND c.k IS NULL"),
    ("mysql", "SELECT id FROM o WHERE k NOT IN (SELECT code FROM c)",
     "SELECT id FROM o WHERE lower(k) NOT IN (SELECT lower(code) AS code FROM c)"),
    ("tsql", "SELECT id FROM o WITH (NOLOCK) WHERE id NOT IN (SELECT id FROM c)",
     "SELECT id FROM o WHERE id NOT IN (SELECT id FROM c)"),
    ("oracle", "SELECT id FROM o MINUS SELECT id FROM c",
     "SELECT id FROM o EXCEPT SELECT id FROM c"),
    ("tsql", "SELECT k FROM o EXCEPT SELECT code FROM c",
     "SELECT rtrim(lower(k)) AS k FROM o EXCEPT SELECT rtrim(lower(code)) AS code FROM c"),
    ("teradata", "LOCKING ROW FOR ACCESS SEL id (TITLE 'Id') FROM o WHERE d < DATE",
     "SELECT id FROM o WHERE d < current_date()"),
    ("postgres", "WITH x AS (SELECT id FROM o WHERE d < '20240305') SELECT * FROM x WHERE x.id > 1",
     "WITH x AS (SELECT id FROM o WHERE d < DATE'2024-03-05') SELECT * FROM x WHERE x.id > 1"),
    ("db2", "SELECT id FROM o WHERE d < CURRENT DATE - 1 MONTH WITH UR",
     "SELECT id FROM o WHERE d < current_date() - INTERVAL '1' MONTH"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text", "wanted"), CONVERTS)
def test_a_query_becomes(dialect, text, wanted):
    assert spark_of(dialect, text) == wanted


@pytest.mark.parametrize(("dialect", "text", "code"), [
    ("oracle", "SELECT id FROM o WHERE ROWNUM < 10", "dialect_meaning"),
    ("oracle", "SELECT id FROM o START WITH id = 1 CONNECT BY PRIOR id = p", "dialect_meaning"),
    ("tsql", "SELECT DISTINCT * FROM o", "dialect_meaning"),
    ("tsql", "SELECT x FROM c EXCEPT SELECT y FROM e", "type_needed"),
    ("tsql", "SELECT id FROM o JOIN c USING (k)", "dialect_meaning"),
    ("oracle", "SELECT o.id FROM o, c WHERE o.k = c.k(+) OR c.k IS NULL", "dialect_meaning"),
    ("postgres", "SELECT id FROM o WHERE nope(k) = 1", "unsupported_function"),
    ("oracle", "SELECT max(id) KEEP (DENSE_RANK LAST ORDER BY d) FROM o", "dialect_meaning"),
    ("postgres", "SELECT id FROM o WHERE (id, k) IN (SELECT id, k FROM c)", "dialect_meaning"),
])  # fmt: skip
def test_a_query_is_refused(dialect, text, code):
    with pytest.raises(Refusal) as refused:
        spark_of(dialect, text)
    assert refused.value.refused.code == code


CALLS = [
    ("tsql", "REPLACE(s, CHAR(13), '') = ''", ["char", "replace"]),
    ("mysql", "f(DATE(s)) = 1", ["date", "f"]),
    ("mysql", "LEFT(s, 1) = 'a' AND MOD(n, 2) = 1", ["left", "mod"]),
    ("oracle", "REGEXP_REPLACE(s, '[0-9]') = 'a'", ["regexp_replace"]),
    ("postgres", "count(*) FILTER (WHERE n > 1) > 0", ["count"]),
]


@pytest.mark.parametrize(("dialect", "text", "names"), CALLS)
def test_calls_stay_as_they_are_written(dialect, text, names):
    tree = parse_expression(text, sql_dialects()[dialect])
    from sqlglot import exp

    assert sorted(str(node.this) for node in tree.find_all(exp.Anonymous)) == names


@pytest.mark.parametrize(("dialect", "text"), [
    ("mysql", "n = 1 /*! AND m = 2 */"), ("oracle", "n = 1 ` m"), ("tsql", "n = 1 \\ 2"),
    ("postgres", "n = 'a"), ("oracle", "n = 1 /* m"),
])  # fmt: skip
def test_what_can_not_be_read_to_its_end_is_not_read(dialect, text):
    with pytest.raises(Unreadable):
        parse_expression(text, sql_dialects()[dialect])
