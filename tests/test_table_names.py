"""Names of tables: their parts, and which two are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleferry.converters.table_names import (
    is_table_name,
    joined,
    same_table,
    table_reference,
    written_parts,
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("orders", ("orders",)),
        ("Main.sales.Orders", ("Main", "sales", "Orders")),
        ("main.`a.b`.`c``d`", ("main", "a.b", "c`d")),
        ("dbo.order lines", ("dbo", "order lines")),
        # no names of that shape: kept whole
        ("a..b", ("a..b",)),
        ("`open.b", ("`open.b",)),
        ("", ("",)),
    ],
)
def test_the_parts_of_a_name(name, parts):
    assert written_parts(name) == parts


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_quoted_parts_come_back(parts):
    quoted = ".".join(f"`{part.replace('`', '``')}`" for part in parts)
    assert written_parts(quoted) == tuple(parts)


@given(st.lists(st.text("ab.`", min_size=1), min_size=1, max_size=3))
def test_joined_parts_come_back(parts):
    assert written_parts(joined(parts)) == tuple(parts)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("orders", "`ORDERS`", True),
        ("Sales.Orders", "`sales`.orders", True),
        ("orders", "sales.orders", False),
        ("a.b", "`a.b`", False),
    ],
)
def test_names_are_compared_without_case_and_backticks(a, b, same):
    assert same_table(a, b) is same


@pytest.mark.parametrize(
    ("name", "legal"),
    [
        ("orders", True),
        ("main.sales.orders_raw", True),
        ("main.sales.`orders raw`", True),
        ("main.sales.`a``b`", True),
        ("orders raw", False),
        ("a.b.c.d", False),
        ("a.", False),
        (".a", False),
        ("a..b", False),
        ("{{ model }}", False),
        ("${env}.orders", False),
        ("a; drop table b", False),
        ("a`b", False),
        ("", False),
    ],
)
def test_what_spark_reads_as_a_tables_name(name, legal):
    assert is_table_name(name) is legal


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("orders", "orders"),
        ("main.Sales.`orders`", "main.Sales.orders"),
        ("main.`a.b`.c d", "main.`a.b`.`c d`"),
        ("stream", "`stream`"),
        ("Where", "`Where`"),
        ("a/b.csv", "`a/b`.csv"),
    ],
)
def test_a_name_as_spark_reads_it(name, reference):
    assert table_reference(name) == reference


WORDS = ("from", "having", "lateral", "limit", "offset", "qualify", "stream", "where", "values")


@pytest.mark.parametrize("name", [*WORDS, "select", "left", "on", "table", "1a", "a-b"])
def test_a_table_called_like_a_word_of_sql_is_found(spark, name):
    spark.sql("SELECT 1 AS k").createOrReplaceTempView(f"`{name}`")
    table = table_reference(name)
    query = f"SELECT s.k FROM {table} s JOIN (SELECT k AS j FROM {table} WHERE true) ON k = j"
    assert spark.sql(query).collect() == spark.read.table(table).collect() == [(1,)]
    spark.catalog.dropTempView(name)
