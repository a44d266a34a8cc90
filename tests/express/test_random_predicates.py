"""The emitted condition is FALSE exactly where the old predicate is TRUE, and TRUE elsewhere."""

import duckdb
import pytest
from random_predicates import ROWS, TYPES, emitted, predicates
from spark_verdicts import folded_verdicts, verdicts
from sqlglot import transpile

_COLUMNS = ", ".join(f"{name} {kind.text}" for name, kind in TYPES.items())
_BATCH = 250


def _literal(value: object, kind: str) -> str:
    written = "NULL" if value is None else repr(value)
    return f"CAST({written} AS {kind})"


_QUERY = (
    "SELECT * FROM VALUES "
    + ", ".join(
        f"({', '.join(_literal(v, k.text) for v, k in zip(row, TYPES.values(), strict=True))})"
        for row in ROWS
    )
    + f" AS r({', '.join(TYPES)})"
)


def _pairs(count: int, deepest: int = 3) -> list[tuple[str, str]]:
    """Old predicate, new condition, where the old one can hold and need not."""
    texts = predicates(count, deepest)
    found = [(old, new) for old in texts if (new := emitted(old)) is not None]
    assert len(found) > count * 0.75
    return found


def _in_duckdb(texts: list[str]) -> list[list]:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE r (n INT, {_COLUMNS.replace('string', 'varchar')})")
    connection.execute("CREATE MACRO safe_add(a, b) AS a + b")  # the numbers are small
    for number, row in enumerate(ROWS):
        connection.execute("INSERT INTO r VALUES (?, ?, ?, ?, ?, ?)", [number, *row])
    found = []
    for start in range(0, len(texts), _BATCH):
        listed = ", ".join(texts[start : start + _BATCH])
        rows = connection.execute(f"SELECT {listed} FROM r ORDER BY n").fetchall()
        found += [list(column) for column in zip(*rows, strict=True)]
    return found


def _differences(pairs, old, new) -> list[str]:
    wrong = []
    for (text, condition), before, after in zip(pairs, old, new, strict=True):
        expected = [value is not True and value != "true" for value in before]
        got = [{True: True, False: False, "true": True, "false": False}.get(v) for v in after]
        if expected != got:
            wrong.append(f"{text}\n  became {condition}")
    return wrong


@pytest.mark.parametrize("count", [1500, pytest.param(10_000, marks=pytest.mark.more)])
def test_on_duckdb(count):
    pairs = _pairs(count)
    old = _in_duckdb([text for text, _ in pairs])
    new = _in_duckdb([transpile(c, read="databricks", write="duckdb")[0] for _, c in pairs])
    assert _differences(pairs, old, new) == []


@pytest.mark.parametrize(
    ("count", "deepest"), [(600, 3), pytest.param(13_000, 1, marks=pytest.mark.more)]
)
def test_on_spark(count, deepest, spark):
    """Spark's parser remembers what it has seen: thousands of deep ones are too much for it."""
    pairs = _pairs(count, deepest)
    assert len(pairs) > 10_000 or count < 10_000
    old = folded_verdicts(spark, _QUERY, [text for text, _ in pairs])
    new = folded_verdicts(spark, _QUERY, [condition for _, condition in pairs])
    assert _differences(pairs, old, new) == []


def test_compiled_by_spark(spark):
    """The same verdicts where Spark compiles the conditions, as it does in a pipeline."""
    pairs = _pairs(200)
    new = [condition for _, condition in pairs]
    assert verdicts(spark.sql(_QUERY), new) == folded_verdicts(spark, _QUERY, new)
