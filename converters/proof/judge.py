"""What real Spark says of a condition: does it parse, is it legal, and its verdict row by row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from ruleferry.converters.proof.frames import number_column, spark_frame
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.proof.spark_errors import spark_failures, told

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

# One select with 200 conditions costs the least per condition.
BATCH = 200

NOT_EVALUATED = "-"

_Names: TypeAlias = Sequence[str]


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why a condition got no verdicts.

    `error` is Spark's error condition (`DIVIDE_BY_ZERO`) or one of ours: NOT_BOOLEAN,
    NOT_OF_ONE_RECORD (an aggregate, window or generator), SUBQUERY, NOT_DETERMINISTIC.
    `together_with`: the conditions without which it doesn't raise. Spark computes a division or
    cast that conditions share before the AND or OR that was to guard it.
    """

    stage: Literal["parse", "analysis", "run"]
    error: str
    message: str
    together_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """`verdicts`: name of the condition -> one letter a row: T, F, N (NULL), - (row left out)."""

    verdicts: Mapping[str, str]
    rejected: Mapping[str, Rejected]


def judge(
    conditions: Mapping[str, str], rows: Rows, spark: SparkSession, *, nullable: bool = True
) -> Judged:
    """Evaluate every condition on every row, under ANSI and with generated code.

    `conditions`: name -> Databricks SQL. Conditions are evaluated together, up to `BATCH` in one
    select, since that is how a pipeline evaluates them and some raise only in company.
    `nullable` False declares the columns NOT NULL and leaves out the rows with a NULL: there Spark
    folds `to_date(s, …) IS NOT NULL` to TRUE. Raises ValueError for a column of unknown type.
    """
    frame = spark_frame(rows, spark, nullable=nullable)
    number = number_column(rows)
    rejected = refused(conditions, frame.drop(number))
    legal = {name: c for name, c in conditions.items() if name not in rejected}
    verdicts: dict[str, str] = {}
    names = list(legal)
    for start in range(0, len(names), BATCH):
        batch = {name: legal[name] for name in names[start : start + BATCH]}
        found, raising = _run(batch, lambda c: _verdicts(c, frame, number, len(rows.cells)))
        verdicts |= found
        rejected |= raising
    in_order = {name: rejected[name] for name in conditions if name in rejected}
    return Judged(verdicts, in_order)


def refused(conditions: Mapping[str, str], frame: DataFrame) -> dict[str, Rejected]:
    """The conditions that are no expectation on `frame`, without evaluating any."""
    parsed, rejected = _parse(conditions, frame.sparkSession)
    return rejected | _analyse(parsed, frame)


# Parse --------------------------------------------------------------------------------------------


def _parse(
    conditions: Mapping[str, str], spark: SparkSession
) -> tuple[dict[str, str], dict[str, Rejected]]:
    """By itself, so that `x = 1) OR (true` is refused; and as the module wraps it, so that a
    comment at its end is refused too."""
    parser = spark._jsparkSession.sessionState().sqlParser()
    parsed: dict[str, str] = {}
    rejected: dict[str, Rejected] = {}
    for name, condition in conditions.items():
        try:
            parser.parseExpression(condition)
            parser.parseExpression(f"coalesce(({condition}), false)")
            parsed[name] = condition
        except spark_failures() as error:
            rejected[name] = _rejected("parse", error)
    return parsed, rejected


# Analyse ------------------------------------------------------------------------------------------


class _Illegal(Exception):
    """A condition that analyses and yet is no expectation: error and message."""


def _analyse(conditions: Mapping[str, str], frame: DataFrame) -> dict[str, Rejected]:
    """All at once, and one by one only where that fails: 3 to 6 ms each."""
    failures: tuple[type[Exception], ...] = (_Illegal, *spark_failures())
    try:
        _check(conditions, frame)
    except failures:
        pass
    else:
        return {}
    rejected: dict[str, Rejected] = {}
    for name, condition in conditions.items():
        try:
            _check({name: condition}, frame)
        except _Illegal as error:
            rejected[name] = Rejected("analysis", *error.args)
        except spark_failures() as error:
            rejected[name] = _rejected("analysis", error)
    return rejected


def _check(conditions: Mapping[str, str], frame: DataFrame) -> None:
    from pyspark.sql import functions as F  # noqa: N812 - as everybody writes it
    from pyspark.sql.types import BooleanType

    selected = frame.select(
        *(F.expr(c).alias(f"c{number}") for number, c in enumerate(conditions.values()))
    )
    for field in selected.schema:
        if field.dataType != BooleanType():
            raise _Illegal("NOT_BOOLEAN", f"Its type is {field.dataType.simpleString()}")
    plan = selected._jdf.queryExecution().analyzed()
    source = frame._jdf.queryExecution().analyzed()
    if plan.nodeName() != "Project" or not plan.child().fastEquals(source):
        raise _Illegal("NOT_OF_ONE_RECORD", "It holds an aggregate, a window or a generator")
    # What the source itself holds is no affair of the conditions.
    if not plan.subqueries().isEmpty():
        raise _Illegal("SUBQUERY", "It holds a subquery")
    own = plan.expressions()
    if not all(own.apply(number).deterministic() for number in range(own.size())):
        raise _Illegal("NOT_DETERMINISTIC", "It gives another result each time (rand, uuid, …)")


# Run ----------------------------------------------------------------------------------------------

_Evaluate: TypeAlias = Callable[[Mapping[str, str]], dict[str, str]]


def _verdicts(
    conditions: Mapping[str, str], frame: DataFrame, number: str, length: int
) -> dict[str, str]:
    """One select, one string a row. Only strings and numbers are collected: Python has no date
    for every date of Spark."""
    from pyspark.sql import functions as F  # noqa: N812

    def letter(condition: str) -> Column:
        first = F.substr(F.expr(condition).cast("string"), F.lit(1), F.lit(1))
        return F.coalesce(first, F.lit("n"))

    letters = F.concat(*(letter(condition) for condition in conditions.values()))
    found = {row[0]: row[1].upper() for row in frame.select(number, letters).collect()}
    left_out = NOT_EVALUATED * len(conditions)
    by_row = (found.get(row, left_out) for row in range(length))
    by_condition = map("".join, zip(*by_row, strict=True)) if length else [""] * len(conditions)
    return dict(zip(conditions, by_condition, strict=True))


def _run(
    conditions: Mapping[str, str], evaluate: _Evaluate
) -> tuple[dict[str, str], dict[str, Rejected]]:
    """The verdicts of all that can be evaluated together, and who raises, alone or in company."""
    rest = dict(conditions)
    rejected: dict[str, Rejected] = {}
    verdicts, error = _attempt(rest, evaluate)
    if error and len(rest) > 1:
        rejected = dict(_alone(list(rest), rest, evaluate))
        rest = {name: c for name, c in rest.items() if name not in rejected}
        verdicts, error = _attempt(rest, evaluate)
    while error:
        company = _company(rest, evaluate)
        for name in company:
            others = tuple(other for other in company if other != name)
            rejected[name] = _rejected("run", error, others)
        rest = {name: c for name, c in rest.items() if name not in company}
        verdicts, error = _attempt(rest, evaluate)
    return verdicts, rejected


def _attempt(
    conditions: Mapping[str, str], evaluate: _Evaluate
) -> tuple[dict[str, str], Exception | None]:
    if not conditions:
        return {}, None
    try:
        return evaluate(conditions), None
    except spark_failures() as error:
        return {}, error


def _alone(
    names: _Names, conditions: Mapping[str, str], evaluate: _Evaluate
) -> Iterator[tuple[str, Rejected]]:
    """Those that raise by themselves, by halves."""
    _, error = _attempt({name: conditions[name] for name in names}, evaluate)
    if error and len(names) == 1:
        yield names[0], _rejected("run", error)
    elif error:
        half = len(names) // 2
        yield from _alone(names[:half], conditions, evaluate)
        yield from _alone(names[half:], conditions, evaluate)


def _company(conditions: Mapping[str, str], evaluate: _Evaluate) -> list[str]:
    """A smallest set of conditions that raises, out of conditions that raise together.

    The shortest prefix that raises ends with a member; with that member in front, again.
    """

    def raises(names: _Names) -> bool:
        return _attempt({name: conditions[name] for name in names}, evaluate)[1] is not None

    members: list[str] = []
    rest = list(conditions)
    while not members or not raises(members):
        low, high = 0, len(rest)
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (low, middle) if raises([*members, *rest[:middle]]) else (middle, high)
        members.append(rest[high - 1])
        rest = rest[: high - 1]
    return members


def _rejected(
    stage: Literal["parse", "analysis", "run"],
    error: Exception,
    together_with: tuple[str, ...] = (),
) -> Rejected:
    condition, message = told(error)
    return Rejected(stage, condition, message, together_with)
