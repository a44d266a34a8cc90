"""Run by Spark's own pipeline runner in a process of its own: expectations for pipelines without.

Open-source pipelines know no expectations, so each dataset with its expectations becomes up to
three graph elements: `<name>__input`, what its query gives; `<name>`, what the rules let through;
and `<name>__metrics`, one row with what the rules counted. The runner, its graph and its flows are
the real ones. Shaped after `pyspark/pipelines/cli.py` of Spark 4.3, whose `main` it calls.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ruleferry.converters.proof.rehearsal_data import Sample
from ruleferry.converters.proof.rehearsal_spark import sample_rows
from ruleferry.converters.proof.sdp_job import (
    INPUT,
    METRICS,
    RECORD_AHEAD,
    RESULT,
    element,
    read_job,
)
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

# The column that a record needs to pass what fails.
_FLAG = "ruleferry_passes"

if TYPE_CHECKING:
    from pyspark.pipelines.graph_element_registry import GraphElementRegistry
    from pyspark.sql import Column, DataFrame, SparkSession


def main() -> None:
    """The runner's command line, with our way of registering datasets and of hearing events."""
    from pyspark.pipelines import cli

    events: list[str] = []
    result: dict[str, object] = {"events": events, "datasets": [], "streamed": False}

    def register(
        spec_path: Path,
        registry: GraphElementRegistry,
        _spec: object,
        spark: SparkSession,
        graph: str,
    ) -> None:
        result.update(_registered(spec_path.parent, registry, spark, graph))

    def heard(answers: Iterable[Mapping[str, Any]]) -> None:
        for answer in answers:
            if "pipeline_event_result" in answer:
                events.append(answer["pipeline_event_result"].event.message)

    vars(cli).update(register_definitions=register, handle_pipeline_events=heard)
    spec = Path(sys.argv[sys.argv.index("--spec") + 1])
    try:
        cli.main()
    except BaseException as error:  # the parent process tells what it was
        result["error"] = "".join(traceback.format_exception_only(error)).strip()
        result["frames"] = [
            (f.filename, f.lineno) for f in traceback.extract_tb(error.__traceback__)
        ]
        raise
    finally:
        (spec.parent / RESULT).write_text(json.dumps(result), encoding="utf-8")


def _registered(
    folder: Path, registry: GraphElementRegistry, spark: SparkSession, graph: str
) -> dict[str, object]:
    """EXECUTES the modules, and gives the runner what they define."""
    from pyspark import pipelines
    from pyspark.pipelines.add_pipeline_analysis_context import add_pipeline_analysis_context
    from pyspark.pipelines.block_session_mutations import block_session_mutations
    from pyspark.pipelines.graph_element_registry import graph_element_registration_context

    job = read_job(folder)
    views = {view_of(sample.table.name) for sample in job.samples}
    session = StandInSession(spark, views, _written)
    definitions = Definitions()
    with (
        installed(pipelines_module(definitions)),
        add_pipeline_analysis_context(spark=spark, dataflow_graph_id=graph, flow_name=None),
        block_session_mutations(),
    ):
        executed(job.sources, session, definitions, views)
    datasets = list(definitions.datasets.values())
    with graph_element_registration_context(registry):
        for sample in job.samples:
            _view(pipelines, element(view_of(sample.table.name)), _reading(spark, sample))
        for dataset in datasets:
            _add(pipelines, spark, dataset)
    return {"datasets": [_described(d) for d in datasets], "streamed": session.streamed}


def _written(view: str) -> str:
    return quoted(element(view))


def _reading(spark: SparkSession, sample: Sample) -> Callable[[], DataFrame]:
    return lambda: sample_rows(spark, sample)


def _described(dataset: Dataset) -> dict[str, object]:
    rules = [(e.name, e.condition, e.action) for e in dataset.expectations]
    return {"name": dataset.name, "kind": dataset.kind, "expectations": rules}


# Graph elements -----------------------------------------------------------------------------------


def _view(pipelines: ModuleType, name: str, query: Callable[[], object]) -> None:
    pipelines.temporary_view(name=name)(query)


def _add(pipelines: ModuleType, spark: SparkSession, dataset: Dataset) -> None:
    """A streaming table is one batch here, so it is a materialized view too."""
    name = element(view_of(dataset.name))
    _view(pipelines, name + INPUT, dataset.query)
    if dataset.kind == "temporary_view":
        _view(pipelines, name, lambda: _guarded(spark, name, dataset.expectations))
    else:
        pipelines.materialized_view(name=name)(lambda: _guarded(spark, name, dataset.expectations))
    pipelines.materialized_view(name=name + METRICS)(
        lambda: spark.read.table(_written(name + INPUT)).select(*_metrics(dataset))
    )


def _guarded(spark: SparkSession, name: str, expectations: Sequence[Expectation]) -> DataFrame:
    """What the rules let through. A rule that fails raises with the record in the message."""
    rows = spark.read.table(_written(name + INPUT))
    failing = [e for e in expectations if e.action == "fail"]
    if failing:
        # No method that asks for the columns: a flow's query is not analysed while it is defined.
        rows = rows.select("*", _raising(failing).alias(_FLAG)).filter(_FLAG)
        rows = rows.selectExpr(f"* EXCEPT ({_FLAG})")
    dropping = [_passes(e) for e in expectations if e.action == "drop"]
    return rows.filter(_all(dropping)) if dropping else rows


def _metrics(dataset: Dataset) -> Iterator[Column]:
    """All rows, those that pass what drops, those that pass each expectation."""
    from pyspark.sql import functions as F  # noqa: N812

    dropping = [_passes(e) for e in dataset.expectations if e.action == "drop"]
    yield F.count(F.lit(1)).alias("c0")
    yield F.count_if(_all(dropping)).alias("c1")
    for number, e in enumerate(dataset.expectations, 2):
        yield F.count_if(_passes(e)).alias(f"c{number}")


def _passes(e: Expectation) -> Column:
    """As Lakeflow has it: a record violates a condition that is not TRUE for it."""
    from pyspark.sql import functions as F  # noqa: N812

    return F.coalesce(F.expr(e.condition), F.lit(False))


def _raising(failing: Sequence[Expectation]) -> Column:
    """TRUE, or an error that names the broken rules and shows the record."""
    from pyspark.sql import functions as F  # noqa: N812

    names = F.array_compact(F.array(*(F.when(~_passes(e), F.lit(e.name)) for e in failing)))
    record = F.to_json(F.struct("*"), {"ignoreNullFields": "false"})
    told = F.concat(F.lit(RECORD_AHEAD), F.to_json(names), record)
    holds = _all([_passes(e) for e in failing])
    return F.when(holds, F.lit(True)).otherwise(F.raise_error(told).cast("boolean"))


def _all(conditions: Sequence[Column]) -> Column:
    """Side by side: what is sent to the runner may be nested a hundred deep, and no deeper."""
    from pyspark.sql import functions as F  # noqa: N812

    return ~F.array_contains(F.array(F.lit(True), *conditions), F.lit(False))


if __name__ == "__main__":
    main()
