"""One batch in Great Expectations, and the unexpected rows of many expectations at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ruleferry.converters.proof.spark_errors import spark_failures, told
from ruleferry.converters.proof.verdict import Raised

if TYPE_CHECKING:
    from great_expectations.datasource.fluent.interfaces import Batch
    from great_expectations.expectations.expectation import Expectation
    from great_expectations.validator.metric_configuration import MetricConfiguration
    from great_expectations.validator.validator import Validator
    from pyspark.sql import Column, DataFrame

Frame: TypeAlias = object  # a pandas or a Spark frame
_Wanted: TypeAlias = Mapping[int, Sequence["MetricConfiguration"]]

# Computed by Python workers on Spark. A worker imports Great Expectations, some 5 s, and any
# condition that raises beside it ends the worker: they are evaluated apart.
_IN_PYTHON = {
    "column_values.json_parseable.condition",
    "column_values.match_json_schema.condition",
    "column_values.match_strftime_format.condition",
}


@dataclass(frozen=True, slots=True)
class Bench:
    """One batch, ready to be asked; `number`: the column that numbers the rows (Spark alone)."""

    batch: Batch
    validator: Validator
    number: str | None


def new_bench(frame: Frame, number: str | None = None) -> Bench:
    import great_expectations as gx
    import pandas as pd
    from great_expectations.data_context.types.base import ProgressBarsConfig

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    source = (
        context.data_sources.add_pandas("rows")
        if isinstance(frame, pd.DataFrame)
        else context.data_sources.add_spark("rows", persist=False)
    )
    asset = source.add_dataframe_asset("rows")
    batch = asset.add_batch_definition_whole_dataframe("rows").get_batch({"dataframe": frame})
    validator = context.get_validator(
        batch_list=[batch]  # type: ignore[list-item] # it takes these; its annotation is older
    )
    return Bench(batch, validator, number)


def _result_format(bench: Bench) -> dict[str, object]:
    """Every unexpected row, and not its values: Spark has dates that Python can't hold."""
    wanted: dict[str, object] = {
        "result_format": "COMPLETE",
        "exclude_unexpected_values": True,
        "return_unexpected_index_query": False,
        "partial_unexpected_count": 0,
    }
    if bench.number:
        wanted["unexpected_index_column_names"] = [bench.number]
    return wanted


def refusals() -> tuple[type[Exception], ...]:
    """What Great Expectations raises of an expectation that it won't take."""
    from great_expectations.exceptions.exceptions import GreatExpectationsError

    return (
        GreatExpectationsError, AssertionError, AttributeError, KeyError, NotImplementedError,
        TypeError, ValueError,
    )  # fmt: skip


def first_line(message: str) -> str:
    return next((line.strip() for line in message.splitlines() if line.strip()), message)


def index_metric(expectation: Expectation, bench: Bench) -> MetricConfiguration | None:
    """The metric that lists the unexpected rows; None for an expectation that has none."""
    name = f"{getattr(expectation, 'map_metric', None)}.unexpected_index_list"
    try:
        needed = _in_batch(expectation, bench).get_validation_dependencies(
            execution_engine=bench.validator.execution_engine,
            runtime_configuration={"result_format": _result_format(bench)},
        )
    except refusals():
        return None  # it is asked by itself, and says why
    return needed.metric_configurations.get(name)


def _in_batch(expectation: Expectation, bench: Bench) -> Expectation:
    configuration = expectation.configuration
    configuration.kwargs["batch_id"] = bench.validator.active_batch_id
    return configuration.to_domain_obj()


def _sibling(metric: MetricConfiguration, suffix: str) -> MetricConfiguration:
    """Another metric of the same expectation."""
    from great_expectations.validator.metric_configuration import MetricConfiguration

    kept = {k: v for k, v in metric.metric_value_kwargs.items() if k != "result_format"}
    return MetricConfiguration(
        metric_name=metric.metric_name.replace(".unexpected_index_list", f".{suffix}"),
        metric_domain_kwargs=metric.metric_domain_kwargs,
        metric_value_kwargs=kept,
    )


def _resolved(metrics: _Wanted, bench: Bench) -> dict[int, tuple[Any, ...] | Raised]:
    """The values of the metrics of each expectation, computed together.

    Great Expectations tells metrics apart by the JSON of their arguments, where the date
    2024-01-31 and that text are one: such twins are computed apart.
    """
    spelt: dict[object, str] = {}
    together: dict[int, Sequence[MetricConfiguration]] = {}
    apart: dict[int, Sequence[MetricConfiguration]] = {}
    for place, (first, *others) in metrics.items():
        spelling = repr((first.metric_domain_kwargs, first.metric_value_kwargs))
        same = spelt.setdefault(first.id, spelling) == spelling
        (together if same else apart)[place] = (first, *others)
    found = _computed(together, bench)
    return found | _resolved(apart, bench) if apart else found


def _computed(metrics: _Wanted, bench: Bench) -> dict[int, tuple[Any, ...] | Raised]:
    from great_expectations.validator.validation_graph import ValidationGraph

    calculator = bench.validator.metrics_calculator
    whole = ValidationGraph(execution_engine=bench.validator.execution_engine)
    needed: dict[int, ValidationGraph] = {}
    found: dict[int, tuple[Any, ...] | Raised] = {}
    for place, wanted in metrics.items():
        try:
            needed[place] = calculator.build_metric_dependency_graph(list(wanted), None)
        except refusals() as refusal:
            found[place] = Raised(first_line(str(refusal)))
        else:
            for edge in needed[place].edges:
                whole.add(edge)
    values, failed = calculator.resolve_validation_graph(whole, runtime_configuration={})
    for place, graph in needed.items():
        reasons = [failed[edge.left.id] for edge in graph.edges if edge.left.id in failed]
        if reasons:
            found[place] = Raised(first_line(reasons[0]["exception_info"].exception_message))
        elif all(metric.id in values for metric in metrics[place]):
            found[place] = tuple(values[metric.id] for metric in metrics[place])
        elif len(metrics) > 1:  # another one ended the whole computation
            found |= _computed({place: metrics[place]}, bench)
        else:
            found[place] = Raised("Great Expectations gave no result")
    return found


def pandas_rows(
    asked: Mapping[int, MetricConfiguration], bench: Bench
) -> dict[int, Collection[int] | Raised]:
    metrics = {
        place: (metric, _sibling(metric, "unexpected_count")) for place, metric in asked.items()
    }
    found: dict[int, Collection[int] | Raised] = {}
    for place, values in _resolved(metrics, bench).items():
        if isinstance(values, Raised):
            found[place] = values
        else:
            rows, count = values
            assert isinstance(rows, list)
            assert len(rows) == count, f"{asked[place].metric_name} is incomplete"
            found[place] = set(rows)
    return found


def spark_rows(
    asked: Mapping[int, MetricConfiguration], bench: Bench
) -> dict[int, Collection[int] | Raised]:
    """One select for all expectations on the same frame: most read the batch as it is, those
    with a row condition or an `ignore_row_if` a frame of their own."""
    metrics = {place: (_sibling(metric, "condition"),) for place, metric in asked.items()}
    frames: dict[tuple[int, bool], tuple[DataFrame, dict[int, Column]]] = {}
    found: dict[int, Collection[int] | Raised] = {}
    for place, values in _resolved(metrics, bench).items():
        if isinstance(values, Raised):
            found[place] = values
        else:
            ((condition, compute, accessor),) = values
            frame = bench.validator.execution_engine.get_domain_records({**compute, **accessor})
            in_python = metrics[place][0].metric_name in _IN_PYTHON
            frames.setdefault((id(frame), in_python), (frame, {}))[1][place] = condition
    for frame, columns in frames.values():
        found |= _flagged(frame, columns, str(bench.number))
    return found


def _flagged(
    frame: DataFrame, columns: Mapping[int, Column], number: str
) -> dict[int, Collection[int] | Raised]:
    """The rows on which each condition is TRUE, by halves where one raises."""
    from pyspark.sql import functions as F  # noqa: N812

    letters = F.concat(*(F.when(c, F.lit("F")).otherwise(F.lit("T")) for c in columns.values()))
    places = list(columns)
    try:
        rows = frame.select(number, letters).collect()
    except spark_failures() as error:
        if len(places) == 1:
            return {places[0]: Raised(told(error)[1])}
        half = len(places) // 2
        first, second = (
            _flagged(frame, {place: columns[place] for place in part}, number)
            for part in (places[:half], places[half:])
        )
        return {**first, **second}
    return {
        place: {row[0] for row in rows if row[1][position] == "F"}
        for position, place in enumerate(places)
    }
