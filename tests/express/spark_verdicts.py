"""What Spark says of conditions and of the texts that they were made from."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from functools import cache

_BATCH = 200
_EXCLUDED = "spark.sql.optimizer.excludedRules"


def verdicts(frame, conditions: Sequence[str]) -> list[list[str | None]]:
    """'true', 'false' or None of each condition for each row; raises what Spark raises."""
    found: list[list[str | None]] = []
    for start in range(0, len(conditions), _BATCH):
        batch = conditions[start : start + _BATCH]
        named = [f"CAST(({text}) AS STRING) AS c{i}" for i, text in enumerate(batch)]
        rows = frame.selectExpr(*named).collect()
        found += [[row[i] for row in rows] for i in range(len(batch))]
    return found


def folded_verdicts(spark, query: str, conditions: Sequence[str]) -> list[list[str | None]]:
    """As `verdicts`, on the rows of a query of literals: no code is compiled, for thousands."""
    found: list[list[str | None]] = []
    with _interpreted(spark):
        frame = spark.sql(query)
        for start in range(0, len(conditions), _BATCH):
            batch = conditions[start : start + _BATCH]
            named = [f"CAST(({text}) AS STRING) AS c{i}" for i, text in enumerate(batch)]
            rows = frame.selectExpr(*named).collect()
            found += [[row[i] for row in rows] for i in range(len(batch))]
    return found


def old_verdicts(spark, query: str, texts: Sequence[str]) -> list[list[str | None]]:
    """T, F or N (NULL) of each text for each row of the query, None where Spark raises.

    Row by row, in the interpreter of Spark's optimizer, where one row that raises spoils no other.
    """
    with _interpreted(spark):
        frame = spark.sql(query)
        columns = [_tried(spark, text).alias(f"c{i}") for i, text in enumerate(texts)]
        rows = frame.select(*columns).collect()
    return [[row[i] for row in rows] for i in range(len(texts))]


@contextmanager
def _interpreted(spark):
    before = spark.conf.get(_EXCLUDED)
    spark.conf.set(_EXCLUDED, "")
    try:
        yield
    finally:
        spark.conf.set(_EXCLUDED, before)


@cache
def _parser(spark):
    return spark._jsparkSession.sessionState().sqlParser()


def _tried(spark, text: str):
    from pyspark.sql.classic.column import Column

    jvm = spark._jvm
    letter = f"CASE WHEN ({text}) THEN 'T' WHEN NOT ({text}) THEN 'F' ELSE 'N' END"
    parsed = _parser(spark).parseExpression(letter)
    tried = jvm.org.apache.spark.sql.catalyst.expressions.TryEval(parsed)
    return Column(jvm.org.apache.spark.sql.classic.ExpressionUtils.column(tried))


def spark_tree(spark, text: str, *, canonical: bool = False) -> str | None:
    """How Spark's own parser groups the text; None where it can't read it.

    `canonical`: chains of AND and OR flat, and sorted.
    """
    from pyspark.errors import ParseException

    try:
        parsed = _parser(spark).parseExpression(text)
    except ParseException:
        return None
    return str((parsed.canonicalized() if canonical else parsed).toString())
