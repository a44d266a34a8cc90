"""What databases were seen to say of records, and the conditions made for Spark say as well."""

from itertools import groupby

import pytest
from audited_predicates import (
    DEFAULT,
    MEASURED,
    REFUSED,
    REFUSED_UNTYPED,
    TOLD,
    TOLD_UNTYPED,
    Measured,
)
from spark_verdicts import verdicts

from ruleferry.converters.account import Gap
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.predicates import SqlSettings, SqlText
from ruleferry.converters.rule import LegacyRule, Origin, Row, Table

_TYPES = {
    "s": "string", "c": "char(5)", "f": "double", "n": "int", "b": "boolean", "d": "date",
    "e": "date",
}  # fmt: skip


def test_true_of_the_same_records(spark):
    wrong = []
    for rows, cases in groupby(sorted(MEASURED, key=_rows), key=_rows):
        made = [(case, _condition(case)) for case in cases]
        for (case, found), new in zip(
            made, verdicts(_frame(spark, rows), [found.text for _, found in made]), strict=True
        ):
            assert set(new) <= {"true", "false"}, (case, found.text)
            if "".join("T" if now == "false" else "F" for now in new) != case.bad:
                wrong.append((case.dialect, case.text, found.text, new))
    assert wrong == []


@pytest.mark.parametrize(("dialect", "text"), REFUSED)
def test_refused(dialect, text):
    assert isinstance(_express(dialect, text), Gap)


@pytest.mark.parametrize(("dialect", "text"), REFUSED_UNTYPED)
def test_refused_without_types(dialect, text):
    assert isinstance(_express(dialect, text, Types()), Gap)


@pytest.mark.parametrize(("dialect", "text", "code"), TOLD)
def test_told(dialect, text, code):
    assert code in {caveat.code for caveat in _express(dialect, text).caveats}


@pytest.mark.parametrize(("dialect", "text", "code"), TOLD_UNTYPED)
def test_told_without_types(dialect, text, code):
    assert code in {caveat.code for caveat in _express(dialect, text, Types()).caveats}


def test_a_number_is_no_day_of_spark(spark):
    """Whatever type the column turns out to have, the condition can be analysed."""
    found = _express("mysql", "CAST(n AS DATE) IS NULL", Types())
    frame = spark.sql("SELECT 20240101 AS n")
    assert set(verdicts(frame, [found.text])[0]) <= {"true", "false"}


def _rows(case: Measured) -> tuple:
    name, kind, values = case.rows
    return name, kind, tuple(value if value is not None else "\0" for value in values)


def _condition(case: Measured) -> Condition:
    found = _express(case.dialect, case.text, settings=case.settings)
    assert isinstance(found, Condition), (case, found)
    return found


def _express(
    dialect: str, text: str, types: Types | None = None, settings: SqlSettings = DEFAULT
) -> Condition | Gap:
    rule = LegacyRule(
        origin=Origin("checks.sql", "line 1", text, "sql", dialect),
        atom="line 1",
        kind="predicate",
        check=Row(SqlText(text, dialect, bad=True, settings=settings)),
        table=Table("r"),
    )
    return express(rule, types or Types({name: parse_type(kind) for name, kind in _TYPES.items()}))


def _frame(spark, rows):
    """A CHAR with its blanks, as a table of Databricks gives it."""
    name, kind, values = rows
    frame = spark.createDataFrame([(None if v == "\0" else v,) for v in values], f"{name} string")
    value = f"rpad({name}, 5, ' ')" if kind.startswith("char") else f"CAST({name} AS {kind})"
    return frame.selectExpr(f"{value} AS {name}")
