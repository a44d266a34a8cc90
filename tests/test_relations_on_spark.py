"""What is said of two conditions whose columns' types are not known holds on Spark, for all types.

The columns are those that make other values of literals: a DECIMAL without room, a FLOAT, texts
that take no notice of case or accents, and a number, a day and a truth value compared with texts.
"""

from functools import cache, partial
from random import Random

import pytest
from told_pairs import HOSTILE, PLAIN, ROOMY, WHOLE, Table, crossed, pairs

from ruleferry.converters.compare import relation
from ruleferry.converters.read_condition import meaning_of

_ROWS, _PAIRS = 3000, 500


def frame(spark, table: Table):
    random = Random(7)
    rows = [
        ", ".join(
            f"CAST({random.choice(values)} AS {kind})" for kind, values in table.columns.values()
        )
        for _ in range(_ROWS)
    ]
    values = ", ".join(f"({row})" for row in rows)
    names = ", ".join(table.columns)
    found = spark.sql(f"SELECT * FROM VALUES {values} AS r({names})").coalesce(1).cache()
    assert found.count() == _ROWS
    return found


def passing(rows, asked: list[tuple[str, str]]) -> list[tuple[bool, bool]]:
    """Of each pair: whether some record passes the one only, and the other only."""
    sides = [(f"coalesce(({one}), false)", f"coalesce(({other}), false)") for one, other in asked]
    columns = [
        f"max({p} AND NOT {q}) AS v{n}_{turn}"
        for n, (one, other) in enumerate(sides)
        for turn, (p, q) in enumerate([(one, other), (other, one)])
    ]
    found = rows.selectExpr(*columns).collect()[0]
    return [(found[2 * n], found[2 * n + 1]) for n in range(len(asked))]


def is_accepted(rows, condition: str) -> bool:
    """Spark refuses what it finds no common type for, and some texts are no number to it."""
    from pyspark.errors import PySparkException

    try:
        rows.selectExpr(f"count_if({condition})").collect()
    except PySparkException:
        return False
    return True


@pytest.mark.more
@pytest.mark.parametrize(
    ("table", "whole", "roomy"),
    [(HOSTILE, set(), set()), (PLAIN, WHOLE, ROOMY)],
    ids=["hostile", "plain"],
)
def test_what_the_rows_say_on_spark(spark, table, whole, roomy):
    rows = frame(spark, table)
    accepted = cache(partial(is_accepted, rows))
    asked = []
    for one, other in [*pairs(5, _PAIRS, table), *crossed(table)]:
        first, second = meaning_of(one), meaning_of(other)
        if first is not None and second is not None:
            found = relation(first, second, whole, roomy)
            if found != "other" and accepted(one) and accepted(other):
                asked.append((one, other, found))
    assert len(asked) > _PAIRS
    for start in range(0, len(asked), 50):
        batch = asked[start : start + 50]
        verdicts = passing(rows, [(one, other) for one, other, _ in batch])
        for (one, other, found), (more, fewer) in zip(batch, verdicts, strict=True):
            assert not more or found == "looser", (found, one, other)
            assert not fewer or found == "tighter", (found, one, other)
