"""A rehearsal: an untouched rules module on a plain Spark session, with Lakeflow's semantics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Literal, TypeAlias

from ruleferry.converters.proof.judge import refused
from ruleferry.converters.proof.spark_errors import spark_failures, told
from ruleferry.converters.proof.standin import (
    Dataset,
    DatasetKind,
    Definitions,
    Expectation,
    StandInSession,
    installed,
    pipelines_module,
    quoted,
    view_of,
)
from ruleferry.converters.rule import Action

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

Status: TypeAlias = Literal["COMPLETED", "FAILED", "SKIPPED"]

_MISSING = {"TABLE_OR_VIEW_NOT_FOUND", "REQUIRES_SINGLE_PART_NAMESPACE"}


@dataclass(frozen=True, slots=True)
class Count:
    """The records that passed and failed an expectation; None where the flow did not complete."""

    dataset: str
    name: str
    action: Action
    passed: int | None
    failed: int | None


@dataclass(frozen=True, slots=True)
class Flow:
    """What became of a dataset.

    `violated` and `record` (the first violating record, as JSON) say which fail rules stopped it;
    `error` says what else did.
    """

    dataset: str
    kind: DatasetKind
    status: Status
    output_rows: int | None = None
    dropped_records: int | None = None
    violated: tuple[str, ...] = ()
    record: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """One update of a pipeline; `frames` holds the rows of each dataset that completed."""

    expectations: tuple[Count, ...]
    flows: tuple[Flow, ...]
    frames: Mapping[str, DataFrame]


def run_module(
    source: str, spark: SparkSession, tables: Mapping[str, DataFrame], *, filename: str = "<module>"
) -> Run:
    """Execute a rules module and update its datasets once.

    This EXECUTES `source`, with all that it may do: `rehearse` alone calls it, on a module that
    its user names. `tables`: name as the module writes it (`orders_raw`, `main.sales.orders`) ->
    frame of this very session. A warn rule counts, a drop rule filters, a fail rule fails the
    flow of its dataset, and what reads that dataset is skipped. A record violates a condition
    that is not TRUE for it. Streaming reads give the whole table once. Raises what the module
    itself raises when it is executed; what goes wrong in a dataset is told in its flow.
    """
    definitions = Definitions()
    views = {view_of(name) for name in tables}
    code = compile(source, filename, "exec")
    with _registered(tables), installed(pipelines_module(definitions)):
        exec(code, {"spark": StandInSession(spark, views), "__name__": "rules_module"})  # noqa: S102
        if taken := sorted(views & definitions.datasets.keys()):
            raise ValueError(f"{taken[0]} is a dataset of the module, and was given as a table")
        views.update(definitions.datasets)
        return _updated(_Update(definitions.datasets))


@contextmanager
def _registered(tables: Mapping[str, DataFrame]) -> Iterator[None]:
    try:
        for name, frame in tables.items():
            frame.createOrReplaceTempView(quoted(view_of(name)))
        yield
    finally:
        for name, frame in tables.items():
            frame.sparkSession.catalog.dropTempView(view_of(name))


# The update ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Update:
    """The datasets of a module by view, and what is known of them so far."""

    datasets: Mapping[str, Dataset]
    underway: set[str] = field(default_factory=set)
    flows: dict[str, Flow] = field(default_factory=dict)
    counts: dict[str, tuple[Count, ...]] = field(default_factory=dict)
    frames: dict[str, DataFrame] = field(default_factory=dict)


def _updated(update: _Update) -> Run:
    try:
        flows = tuple(_flow(update, view) for view in update.datasets)
        return Run(
            tuple(count for view in update.datasets for count in update.counts[view]),
            flows,
            {update.datasets[view].name: frame for view, frame in update.frames.items()},
        )
    finally:
        for view, frame in update.frames.items():
            frame.sparkSession.catalog.dropTempView(view)


def _flow(update: _Update, view: str) -> Flow:
    """Bring a dataset up to date, and first what it reads."""
    if view not in update.flows:
        dataset = update.datasets[view]
        update.underway.add(view)
        frame = _queried(update, dataset)
        flow, counts = (frame, None) if isinstance(frame, Flow) else _checked(update, view, frame)
        update.flows[view] = flow
        update.counts[view] = counts or tuple(
            Count(dataset.name, e.name, e.action, None, None) for e in dataset.expectations
        )
        update.underway.discard(view)
    return update.flows[view]


def _queried(update: _Update, dataset: Dataset) -> DataFrame | Flow:
    """What the query gives, as soon as every dataset that it reads is up to date."""
    from pyspark.sql import DataFrame

    while True:
        try:
            frame = dataset.query()
        except spark_failures() as error:
            if ended := _prepared(update, dataset, error):
                return ended
        else:
            if not isinstance(frame, DataFrame):
                return _failed(dataset, f"Its query gave no DataFrame: {type(frame).__name__}")
            return frame


def _prepared(update: _Update, dataset: Dataset, error: Exception) -> Flow | None:
    """Bring the dataset that a query did not find up to date; how the query's own flow ends
    where that can't help it."""
    missing = _missing(error)
    if not missing:
        return _failed(dataset, told(error)[1])
    if missing not in update.datasets:
        return _failed(dataset, f"It reads {missing}, which is no given table and no dataset")
    if missing in update.underway:
        return _failed(dataset, f"It reads {missing}, which reads it")
    tried = missing in update.flows
    if _flow(update, missing).status != "COMPLETED":
        return Flow(dataset.name, dataset.kind, "SKIPPED")
    return _failed(dataset, told(error)[1]) if tried else None


def _missing(error: Exception) -> str:
    """The view for the table that a query does not find; empty for another error."""
    from pyspark.errors import AnalysisException

    if not isinstance(error, AnalysisException) or error.getCondition() not in _MISSING:
        return ""
    named = error.getMessageParameters() or {}
    return view_of(named.get("relationName") or named.get("identifier") or "")


def _checked(update: _Update, view: str, frame: DataFrame) -> tuple[Flow, tuple[Count, ...] | None]:
    """Evaluate the expectations, and keep what they let through as a view."""
    dataset = update.datasets[view]
    conditions = {e.name: e.condition for e in dataset.expectations}
    try:
        for name, rejected in refused(conditions, frame).items():
            return _failed(dataset, f"Expectation {name}: {rejected.message}"), None
        flow, counts, kept = _evaluated(dataset, frame)
        if kept is not None:
            kept.createOrReplaceTempView(quoted(view))
            update.frames[view] = kept
    except spark_failures() as error:
        return _failed(dataset, told(error)[1]), None
    return flow, counts


def _evaluated(
    dataset: Dataset, frame: DataFrame
) -> tuple[Flow, tuple[Count, ...] | None, DataFrame | None]:
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
    failing = flags.all_of(dataset.expectations, "fail")
    if any(
        e.action == "fail" and n < rows for e, n in zip(dataset.expectations, passed, strict=True)
    ):
        return _stopped(dataset, checked.filter(~failing), frame.columns, flags), None, None
    counts = tuple(
        Count(dataset.name, e.name, e.action, n, rows - n)
        for e, n in zip(dataset.expectations, passed, strict=True)
    )
    flow = Flow(dataset.name, dataset.kind, "COMPLETED", kept_rows, rows - kept_rows)
    return flow, counts, checked.filter(dropping).drop(flags.column)


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


def _failed(dataset: Dataset, error: str) -> Flow:
    return Flow(dataset.name, dataset.kind, "FAILED", error=error)
