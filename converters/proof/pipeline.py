"""A rehearsal: untouched rules modules on a plain Spark session, with Lakeflow's semantics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from ruleferry.converters.proof.judge import refused
from ruleferry.converters.proof.spark_errors import spark_failures, told
from ruleferry.converters.proof.standin import (
    Dataset,
    Definitions,
    Expectation,
    StandInSession,
    executed,
    installed,
    pipelines_module,
    quoted,
    view_of,
)
from ruleferry.converters.proof.update import Outcome, failed, uncounted, updated
from ruleferry.converters.rehearsed import Count, Flow
from ruleferry.converters.rule import Action

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

__all__ = ["Count", "Flow", "Run", "run_module", "run_modules"]

_MISSING = {"TABLE_OR_VIEW_NOT_FOUND", "REQUIRES_SINGLE_PART_NAMESPACE"}


@dataclass(frozen=True, slots=True)
class Run:
    """One update of a pipeline; `frames` holds the rows of each dataset that completed.

    `streamed`: some query read a table as a stream.
    """

    expectations: tuple[Count, ...]
    flows: tuple[Flow, ...]
    frames: Mapping[str, DataFrame]
    streamed: bool = False


def run_module(
    source: str, spark: SparkSession, tables: Mapping[str, DataFrame], *, filename: str = "<module>"
) -> Run:
    """`run_modules` for one module."""
    return run_modules({filename: source}, spark, tables)


def run_modules(
    sources: Mapping[str, str], spark: SparkSession, tables: Mapping[str, DataFrame]
) -> Run:
    """Execute the rules modules of one pipeline and update its datasets once.

    This EXECUTES `sources` (file name -> text), with all that they may do: `rehearse` alone calls
    it, on modules that its user names. `tables`: name as a module writes it (`orders_raw`,
    `main.sales.orders`) -> frame of this very session. A warn rule counts, a drop rule filters, a
    fail rule fails the flow of its dataset, and what reads that dataset is skipped. A record
    violates a condition that is not TRUE for it. Streaming reads give the whole table once. Raises
    what a module itself raises when it is executed; what goes wrong in a dataset is told in its
    flow.
    """
    definitions = Definitions()
    views = {view_of(name) for name in tables}
    session = StandInSession(spark, views)
    with _registered(tables), installed(pipelines_module(definitions)):
        executed(sources, session, definitions, views)
        return Run(*updated(_Plain(), definitions.datasets), session.streamed)


@contextmanager
def _registered(tables: Mapping[str, DataFrame]) -> Iterator[None]:
    try:
        for name, frame in tables.items():
            frame.createOrReplaceTempView(quoted(view_of(name)))
        yield
    finally:
        for name, frame in tables.items():
            frame.sparkSession.catalog.dropTempView(view_of(name))


class _Plain:
    """A plain Spark session: real queries, and expectations as Lakeflow has them."""

    def failures(self) -> tuple[type[Exception], ...]:
        return spark_failures()

    def missing(self, error: Exception) -> str:
        from pyspark.errors import AnalysisException

        if not isinstance(error, AnalysisException) or error.getCondition() not in _MISSING:
            return ""
        named = error.getMessageParameters() or {}
        return view_of(named.get("relationName") or named.get("identifier") or "")

    def failed(self, dataset: Dataset, error: Exception) -> Flow:
        return failed(dataset, told(error)[1])

    def behind(self, dataset: Dataset, cause: Flow) -> Flow:
        return Flow(dataset.name, dataset.kind, "SKIPPED")

    def keep(self, view: str, frame: DataFrame) -> None:
        frame.createOrReplaceTempView(quoted(view))

    def forget(self, view: str, frame: DataFrame) -> None:
        frame.sparkSession.catalog.dropTempView(view)

    def evaluated(self, dataset: Dataset, result: object) -> Outcome[DataFrame]:
        from pyspark.sql import DataFrame

        if not isinstance(result, DataFrame):
            wrong = f"Its query gave no DataFrame: {type(result).__name__}"
            return Outcome(failed(dataset, wrong), uncounted(dataset))
        if twice := [n for n, c in Counter(c.lower() for c in result.columns).items() if c > 1]:
            wrong = f"Two of its columns are named {twice[0]}"
            return Outcome(failed(dataset, wrong), uncounted(dataset))
        conditions = {e.name: e.condition for e in dataset.expectations}
        for name, rejected in refused(conditions, result).items():
            wrong = f"Expectation {name}: {rejected.message}"
            return Outcome(failed(dataset, wrong), uncounted(dataset))
        return _evaluated(dataset, result)


def _evaluated(dataset: Dataset, frame: DataFrame) -> Outcome[DataFrame]:
    """Query and expectations in one pass, kept: what they read of the clock is read once."""
    from pyspark.sql import functions as F  # noqa: N812

    flags = _Flags.beside(frame)
    passes = (F.coalesce(F.expr(e.condition), F.lit(False)) for e in dataset.expectations)
    checked = frame.select("*", F.array(*passes).alias(flags.column)).localCheckpoint()
    dropping = flags.all_of(dataset.expectations, "drop")
    (totals,) = checked.agg(
        F.count(F.lit(1)),
        F.count_if(dropping),
        *(F.count_if(flags.of(place)) for place in range(len(dataset.expectations))),
    ).collect()
    rows, kept_rows, *passed = totals
    counted = list(zip(dataset.expectations, passed, strict=True))
    if any(e.action == "fail" and n < rows for e, n in counted):
        failing = flags.all_of(dataset.expectations, "fail")
        stopped = _stopped(dataset, checked.filter(~failing), frame.columns, flags)
        return Outcome(stopped, uncounted(dataset))
    counts = tuple(Count(dataset.name, e.name, e.action, n, rows - n) for e, n in counted)
    flow = Flow(dataset.name, dataset.kind, "COMPLETED", kept_rows, rows - kept_rows)
    return Outcome(flow, counts, checked.filter(dropping).drop(flags.column))


def _stopped(dataset: Dataset, violating: DataFrame, columns: Sequence[str], flags: _Flags) -> Flow:
    """The flow that a fail rule stops: the first violating record, and what it violates."""
    from pyspark.sql import functions as F  # noqa: N812

    record = F.to_json(
        F.struct(*(F.col(quoted(column)) for column in columns)), {"ignoreNullFields": "false"}
    )
    (first,) = violating.limit(1).select(record, flags.column).collect()
    violated = tuple(
        e.name
        for e, passed in zip(dataset.expectations, first[1], strict=True)
        if e.action == "fail" and not passed
    )
    return Flow(dataset.name, dataset.kind, "FAILED", violated=violated, record=first[0])


@dataclass(frozen=True, slots=True)
class _Flags:
    """The column that holds, for each expectation in turn, whether the record passes."""

    column: str

    @classmethod
    def beside(cls, frame: DataFrame) -> _Flags:
        taken = {name.lower() for name in frame.columns}
        column = "expectations_"
        while column in taken:
            column += "_"
        return cls(column)

    def of(self, place: int) -> Column:
        from pyspark.sql import functions as F  # noqa: N812

        return F.get(F.col(self.column), F.lit(place))

    def all_of(self, expectations: Sequence[Expectation], action: Action) -> Column:
        from pyspark.sql import functions as F  # noqa: N812

        return reduce(
            lambda both, place: both & self.of(place),
            (place for place, e in enumerate(expectations) if e.action == action),
            F.lit(True),
        )
