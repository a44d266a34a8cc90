"""V3: expectations of 0.18.22 by its Validator, on pandas and on Spark 3.5."""

from __future__ import annotations

from dataclasses import dataclass

from old_frames import NUMBER, old_pandas_frame, spark_frame

# The Validator reads a suite's expectations one by one, and so it is asked here.
_COMPLETE = {"result_format": "COMPLETE"}
_BOOLEAN = {"result_format": "BOOLEAN_ONLY"}


def on_pandas(rows, style):
    validator = _validator("Pandas", old_pandas_frame(rows, style))

    def ask(name, kwargs):
        found = _validated(validator, name, kwargs, _COMPLETE)
        unexpected = found.result.get("unexpected_index_list")
        return bool(found.success) if unexpected is None else set(unexpected)

    return ask


def on_spark(rows, _style):
    """By the condition behind the list of unexpected rows, where an expectation has one."""
    validator = _validator("SparkDF", spark_frame(rows, numbered=True))

    def ask(name, kwargs):
        metric = _condition(validator, name, kwargs)
        if metric is None:
            return bool(_validated(validator, name, kwargs, _BOOLEAN).success)
        try:
            condition, compute, accessor = validator.get_metric(metric)
        except KeyError:  # it raised, and the validation says what
            return bool(_validated(validator, name, kwargs, _BOOLEAN).success)
        records = validator.execution_engine.get_domain_records({**compute, **accessor})
        return Unexpected(records, condition)

    return ask


@dataclass
class Unexpected:
    """The records of a frame for which a condition of Spark is TRUE, not computed yet."""

    records: object
    condition: object

    def numbers(self):
        return _numbers(self.records, [self.condition])[0]


def _numbers(records, conditions):
    columns = [c.alias(f"c{place}") for place, c in enumerate(conditions)]
    rows = records.select(NUMBER, *columns).collect()
    return [{row[0] for row in rows if row[place]} for place in range(1, len(columns) + 1)]


def together(found):
    """One select for all that read the same frame, where none of them raises."""
    frames = {}
    for one in found:
        if isinstance(one, Unexpected):
            frames.setdefault(id(one.records), []).append(one)
    for waiting in frames.values():
        try:
            numbers = _numbers(waiting[0].records, [one.condition for one in waiting])
        except Exception:  # noqa: BLE001 # each of them says it by itself
            continue
        for one, known in zip(waiting, numbers, strict=True):
            one.numbers = lambda known=known: known


def _condition(validator, name, kwargs):
    """The metric that tells unexpected rows from others; None where there is none."""
    from great_expectations.expectations.registry import get_expectation_impl
    from great_expectations.validator.metric_configuration import MetricConfiguration

    configuration = _configuration(name, {**kwargs, "batch_id": validator.active_batch_id})
    expectation = get_expectation_impl(name)(configuration=configuration)
    needed = expectation.get_validation_dependencies(
        configuration=configuration,
        execution_engine=validator.execution_engine,
        runtime_configuration={"result_format": _COMPLETE},
    )
    mapped = getattr(expectation, "map_metric", None)
    metric = needed.metric_configurations.get(f"{mapped}.unexpected_count")
    return metric and MetricConfiguration(
        metric_name=f"{mapped}.condition",
        metric_domain_kwargs=metric.metric_domain_kwargs,
        metric_value_kwargs=metric.metric_value_kwargs,
    )


def _validator(engine, frame):
    from great_expectations import execution_engine
    from great_expectations.core.batch import Batch
    from great_expectations.validator.validator import Validator

    made = getattr(execution_engine, f"{engine}ExecutionEngine")()
    return Validator(execution_engine=made, batches=[Batch(data=frame)])


def _configuration(name, kwargs):
    from great_expectations.core import ExpectationConfiguration

    return ExpectationConfiguration(expectation_type=name, kwargs=dict(kwargs))


def _validated(validator, name, kwargs, wanted):
    (found,) = validator.graph_validate(
        [_configuration(name, kwargs)],
        runtime_configuration={"catch_exceptions": False, "result_format": wanted},
    )
    info = found.exception_info or {}
    for told in (info, *(part for part in info.values() if isinstance(part, dict))):
        if told.get("raised_exception"):
            raise RuntimeError(told["exception_message"])
    return found


VALIDATORS = {"v3 pandas": on_pandas, "v3 spark": on_spark}
