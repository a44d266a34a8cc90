"""What values a condition allows of its bare column, however it is guarded."""

import pytest
from sqlglot import parse_one

from ruleferry.converters.limits import limit, sort
from ruleferry.converters.normal_form import Meaning

BARE = "age IS NULL OR age BETWEEN 0 AND 100"


def meaning(condition):
    return Meaning.of(parse_one(condition, dialect="databricks"))


@pytest.mark.parametrize(
    "condition",
    [
        "age IS NULL OR coalesce(try_cast(CAST(age AS STRING) AS DOUBLE) BETWEEN 0 AND 100, TRUE)",
        "age IS NULL OR coalesce(try_cast(age AS DOUBLE) BETWEEN 0 AND 100, FALSE)",
        "try_cast(age AS DOUBLE) IS NULL OR try_cast(age AS DOUBLE) BETWEEN 0 AND 100",
        "age >= 0 AND age <= 100",
    ],
)
def test_a_guard_sets_no_limit(condition):
    assert limit(meaning(condition)) == limit(meaning(BARE))
    assert sort(meaning(condition)) is sort(meaning(BARE))


@pytest.mark.parametrize(
    "condition",
    [
        "age IS NULL OR age BETWEEN 0 AND 120",  # another limit
        "weight IS NULL OR weight BETWEEN 0 AND 100",  # another column
        "coalesce(age BETWEEN 0 AND 100, weight > 1)",  # what it falls back on is no guard
        "age BETWEEN 0 AND 100 OR weight > 1",  # more than the column decides
    ],
)
def test_what_is_no_guard_stays(condition):
    assert limit(meaning(condition)) != limit(meaning(BARE))
