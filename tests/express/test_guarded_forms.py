"""Without types every condition must analyse and never raise, whatever type its column has."""

import pytest
from express_cases import cases
from express_verdicts import expressed

from ruleferry.converters.express import Condition

# One value of each type of Spark 4.3 that a table's column may have.
VALUES = {
    "string": "'x'",
    "boolean": "TRUE",
    "tinyint": "1Y",
    "bigint": "9223372036854775807L",
    "decimal": "1.50BD",
    "double": "CAST('NaN' AS DOUBLE)",
    "float": "CAST(1.5 AS FLOAT)",
    "date": "DATE'2020-01-01'",
    "timestamp": "TIMESTAMP'2020-01-01 12:00:00'",
    "timestamp_ntz": "TIMESTAMP_NTZ'2020-01-01 12:00:00'",
    "binary": "X'FF'",
    "array": "array(1, 2)",
    "map": "map('a', 1)",
    "struct": "named_struct('x', 1)",
    "interval of days": "INTERVAL '1' DAY",
    "interval of months": "INTERVAL '1' MONTH",
}


@pytest.fixture(scope="module")
def guarded():
    """The distinct conditions of all cases, made without any type."""
    made = [expressed(case, "spark", typed=False) for case in cases()]
    return sorted({condition.text for condition in made if isinstance(condition, Condition)})


@pytest.mark.parametrize("kind", VALUES)
def test_it_is_true_or_false_on_a_column_of_this_type(guarded, kind, spark):
    column = f"IF(id = 0, {VALUES[kind]}, NULL)"
    rows = spark.sql(f"SELECT {column} AS a, {column} AS b, {column} AS c FROM range(2)")
    tests = [f"CAST(({text}) AS STRING) AS v{i}" for i, text in enumerate(guarded)]
    for row in rows.selectExpr(*tests).collect():
        found = dict(zip(guarded, row, strict=True))
        assert {t: v for t, v in found.items() if v not in ("true", "false")} == {}
    assert len(guarded) > 50
