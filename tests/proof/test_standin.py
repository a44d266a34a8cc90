"""The stand-ins of a rehearsal: decorators that take notes, and table names that lead to views."""

import sys
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleferry.converters.proof.standin import (
    Definitions,
    Expectation,
    StandInSession,
    as_batch,
    installed,
    pipelines_module,
    quoted,
    view_of,
    with_views,
)


@pytest.fixture
def noted():
    """The stand-in module, and what it has noted."""
    definitions = Definitions()
    return pipelines_module(definitions), definitions


def test_expectations_are_noted_from_top_to_bottom(noted):
    dp, definitions = noted

    @dp.materialized_view(name="orders_clean", comment="kept")
    @dp.expect_all_or_drop({"b": "n > 1", "a": "n < 9"})
    @dp.expect("w", "n <> 5")
    @dp.expect_or_drop("d", "n <> 6")
    @dp.expect_or_fail("f", "n IS NOT NULL")
    @dp.expect_all({})
    def clean():
        return None

    @dp.temporary_view
    def plain():
        return None

    assert clean is None  # as in open-source pyspark.pipelines
    assert plain is None
    assert list(definitions.datasets) == ["orders_clean", "plain"]
    assert definitions.datasets["plain"].kind == "temporary_view"
    assert definitions.datasets["orders_clean"].expectations == (
        Expectation("b", "n > 1", "drop"),
        Expectation("a", "n < 9", "drop"),
        Expectation("w", "n <> 5", "warn"),
        Expectation("d", "n <> 6", "drop"),
        Expectation("f", "n IS NOT NULL", "fail"),
    )


def test_what_a_pipeline_would_refuse_is_refused(noted):
    dp, _ = noted

    def query():
        return None

    dp.table(query)
    with pytest.raises(ValueError, match="Two datasets are named 'query'"):
        dp.materialized_view(query)
    with pytest.raises(ValueError, match="Two datasets are named 'QUERY'"):
        dp.table(name="QUERY")(lambda: None)
    with pytest.raises(ValueError, match="Two expectations of one dataset are named 'a'"):
        dp.expect_all({"a": "TRUE"})(dp.expect_or_drop("a", "n > 1")(query))
    with pytest.raises(TypeError, match="unexpected keyword argument 'temporary'"):
        dp.materialized_view(name="x", temporary=True)
    with pytest.raises(TypeError, match="unexpected keyword argument 'format'"):
        dp.temporary_view(format="delta")
    with pytest.raises(TypeError, match="below the decorator of its dataset"):
        dp.expect("a", "TRUE")(None)
    with pytest.raises(TypeError, match="An expectation is two texts"):
        dp.expect_all({"a": True})
    assert not hasattr(dp, "view")


@pytest.mark.parametrize("loaded_before", [True, False])
def test_the_real_module_is_back_afterwards(noted, loaded_before):
    import pyspark

    def state():
        return sys.modules.get("pyspark.pipelines"), getattr(pyspark, "pipelines", None)

    def fail_inside():
        with installed(noted[0]):
            from pyspark import pipelines as dp

            assert dp is noted[0]
            raise ZeroDivisionError

    sys.modules.pop("pyspark.pipelines", None)
    if hasattr(pyspark, "pipelines"):
        del pyspark.pipelines
    if loaded_before:
        import pyspark.pipelines as real

        assert state() == (real, real)
    before = state()
    with pytest.raises(ZeroDivisionError):
        fail_inside()
    assert state() == before


VIEWS = {"main.sales.orders", "sales.ref tables", "orders"}


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("orders", "orders"),
        ("Orders", "orders"),
        ("`Orders`", "orders"),
        ("main.sales.orders", "main.sales.orders"),
        ("`main`.Sales.`odd.name`", "main.sales.odd.name"),
        ("not a name (", "not a name ("),
    ],
)
def test_view_of_a_table_name(name, view):
    assert view_of(name) == view


def test_quoted_is_one_identifier():
    assert quoted("main.sales.orders") == "`main.sales.orders`"
    assert quoted("odd`name") == "`odd``name`"


REWRITTEN = [
    ("SELECT * FROM main.sales.orders", "SELECT * FROM `main.sales.orders`"),
    ("SELECT * FROM MAIN . `sales`.Orders o WHERE o.n > 1",
     "SELECT * FROM `main.sales.orders` o WHERE o.n > 1"),
    ("SELECT * FROM sales.`ref tables`", "SELECT * FROM `sales.ref tables`"),
    # every place of a query that can name a table
    ("SELECT (SELECT max(n) FROM main.sales.orders) m, EXISTS (SELECT 1 FROM main.sales.orders) "
     "FROM x JOIN (SELECT DISTINCT k FROM main.sales.orders) l ON x.k = l.k",
     "SELECT (SELECT max(n) FROM `main.sales.orders`) m, EXISTS (SELECT 1 FROM "
     "`main.sales.orders`) FROM x JOIN (SELECT DISTINCT k FROM `main.sales.orders`) l "
     "ON x.k = l.k"),
    ("WITH t AS (SELECT * FROM main.sales.orders) SELECT * FROM t",
     "WITH t AS (SELECT * FROM `main.sales.orders`) SELECT * FROM t"),
    # columns that are qualified by the table's own name
    ("SELECT orders.n, sales.orders.n, main.sales.orders.n FROM main.sales.orders",
     "SELECT `main.sales.orders`.n, `main.sales.orders`.n, `main.sales.orders`.n "
     "FROM `main.sales.orders`"),
    ("SELECT orders.* FROM main.sales.orders",
     "SELECT `main.sales.orders`.* FROM `main.sales.orders`"),
    ("SELECT orders.x FROM main.sales.orders o",  # a field of the column `orders`
     "SELECT orders.x FROM `main.sales.orders` o"),
    # the rest of the text stays as it is: comments, literals, spacing, case
    ("select  'main.sales.orders' /* main.sales.orders */ as é\nfrom\tmain.sales.orders -- end",
     "select  'main.sales.orders' /* main.sales.orders */ as é\nfrom\t`main.sales.orders` -- end"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rewritten"), REWRITTEN)
def test_names_of_several_parts_become_views(text, rewritten):
    assert with_views(text, VIEWS) == rewritten


KEPT = [
    "SELECT * FROM orders",  # one part: the view has that very name
    "SELECT * FROM other.sales.orders",  # not one of ours
    "SELECT * FROM main.sales.orders_old",
    "SELECT * FROM sales.orders",  # our table is main.sales.orders
    "SELECT orders.n FROM (SELECT 1 n) orders",  # an alias, no table
    "SELECT FROM WHERE main.sales.orders (",  # not SQL: Spark says so
    "SELECT main.sales.orders.n FROM orders",
]


@pytest.mark.parametrize("text", KEPT)
def test_all_other_text_is_kept(text):
    assert with_views(text, VIEWS) == text


AS_BATCH = [
    ("SELECT * FROM STREAM main.sales.orders s", "SELECT * FROM main.sales.orders s"),
    ("SELECT * FROM stream(orders) AS s", "SELECT * FROM (orders) AS s"),
    ("SELECT * FROM a JOIN STREAM `odd name` ON TRUE", "SELECT * FROM a JOIN `odd name` ON TRUE"),
    ("SELECT * FROM STREAM `stream`.stream.t", "SELECT * FROM `stream`.stream.t"),
    ("SELECT * FROM stream s", "SELECT * FROM s"),  # as Spark 4.3 reads it
    ("SELECT 'é STREAM t' /* STREAM a */ FROM STREAM\n  t",
     "SELECT 'é STREAM t' /* STREAM a */ FROM t"),
    ("WITH a AS (SELECT * FROM STREAM b) SELECT * FROM a, STREAM c",
     "WITH a AS (SELECT * FROM b) SELECT * FROM a, c"),
]  # fmt: skip
NO_STREAMS = [
    "SELECT stream, x.stream FROM `stream`",
    "SELECT 'FROM STREAM t' FROM x.stream",
    "SELECT * FROM STREAM read_files('x')",  # nothing stands for the files
    "SELECT FROM WHERE STREAM t (",
    "SELECT * FROM STREAM",
]


@pytest.mark.parametrize(("text", "batch"), [*AS_BATCH, *((text, text) for text in NO_STREAMS)])
def test_a_stream_is_read_as_a_table(text, batch):
    assert as_batch(text) == batch
    assert as_batch(batch) == batch


def test_the_table_of_a_stream_is_a_view_too(spark):
    session = StandInSession(spark, {"main.sales.orders"})
    with registered(spark, "main.sales.orders"):
        assert session.sql("SELECT n FROM main.sales.orders").collect() == [(1,)]
        assert not session.streamed
        assert session.sql("SELECT s.n FROM STREAM main.sales.orders s").collect() == [(1,)]
        assert session.streamed


@contextmanager
def registered(spark, view):
    spark.sql("SELECT 1 AS n").createOrReplaceTempView(quoted(view))
    yield
    spark.catalog.dropTempView(view)


def test_an_alias_of_the_same_name_is_no_table():
    text = "SELECT orders.n FROM main.sales.orders JOIN x AS orders ON TRUE"
    assert with_views(text, VIEWS) == text.replace("main.sales.orders", "`main.sales.orders`")


@given(st.text(max_size=40))
def test_any_text_passes_through(text):
    assert isinstance(with_views(f"SELECT '{text}' FROM main.sales.orders", VIEWS), str)
    assert with_views(text, {"orders"}) == text
