"""A rehearsal under Spark's own declarative pipelines, with an adapter for expectations.

The runner is `spark-pipelines` of open-source Spark, in a process and a temporary project of its
own: a real graph, real flows, real tables. Only expectations are supplied (`sdp_adapter`).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruleferry.converters.proof import sdp_job
from ruleferry.converters.proof.rehearsal_data import Sample
from ruleferry.converters.proof.rehearsal_run import ModuleRaised, Ran, as_text, failed_rules
from ruleferry.converters.proof.session import JVM, SparkUnavailable
from ruleferry.converters.proof.standin import view_of
from ruleferry.converters.rehearsed import Count, DatasetKind, Flow, Quarantine, Status
from ruleferry.converters.rule import Action

_EVENT = re.compile(r"Flow '?(?:\w+\.)*?(\w+)'? (?:has )?(COMPLETED|FAILED|SKIPPED)\b")
_SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.pipelines.maxFlowRetryAttempts": "0",  # a rule that fails fails again
}


def rehearse_on_sdp(sources: Mapping[str, str], samples: Iterable[Sample]) -> Ran:
    """One update of the modules. EXECUTES `sources`, in a process of its own.

    Raises SparkUnavailable where the runner did not come to an answer, ModuleRaised where a module
    raised.
    """
    import pyspark

    with tempfile.TemporaryDirectory(prefix="ruleferry-sdp-") as name:
        folder = Path(name)
        sdp_job.write_job(folder, sources, samples)
        result = _run(folder)
        _raise_for(result, sources)
        done = _Done(folder / "warehouse", _ends(result["events"]), result.get("error", ""))
        datasets = [_Dataset.read(found) for found in result["datasets"]]
        flows = tuple(_flow(done, dataset) for dataset in datasets)
        counts = tuple(
            count
            for dataset, flow in zip(datasets, flows, strict=True)
            for count in _counts(done, dataset, flow)
        )
        return Ran(
            f"Spark {pyspark.__version__} Declarative Pipelines",
            counts,
            flows,
            tuple(_quarantines(done, datasets, flows)),
            result["streamed"],
        )


# The runner ---------------------------------------------------------------------------------------


def _run(folder: Path) -> dict[str, Any]:
    """What the adapter says of the run; the runner's own output is only kept for a failure."""
    import pyspark

    home = Path(pyspark.__file__).parent
    adapter = Path(sdp_job.__file__).with_name("sdp_adapter.py")
    spec = folder / "spark-pipeline.yml"
    # JSON is YAML too.
    told = {"name": "rehearsal", "storage": (folder / "storage").as_uri(), "libraries": []}
    spec.write_text(json.dumps({**told, "configuration": _SETTINGS}), encoding="utf-8")
    command = [
        str(home / "bin" / "spark-class"), "org.apache.spark.deploy.SparkPipelines",
        "--remote", "local[2]",
        "--conf", "spark.ui.enabled=false",
        "--conf", f"spark.sql.warehouse.dir={(folder / 'warehouse').as_uri()}",
        str(adapter), "run", "--spec", str(spec),
    ]  # fmt: skip
    done = subprocess.run(  # noqa: S603 - pyspark's own runner on our own files
        command, cwd=folder, env=_environment(home), capture_output=True, check=False
    )
    result = folder / sdp_job.RESULT
    if not result.exists():
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise SparkUnavailable(f"spark-pipelines did not run: {' / '.join(words[-3:])}")
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    return found


def _environment(home: Path) -> dict[str, str]:
    return os.environ | {
        "SPARK_HOME": str(home),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "JAVA_TOOL_OPTIONS": " ".join(JVM),
    }


def _raise_for(result: Mapping[str, Any], sources: Mapping[str, str]) -> None:
    places = [place for place in result.get("frames", []) if place[0] in sources]
    if places and not result["events"]:
        raise ModuleRaised(places[-1][0], places[-1][1], result["error"])
    if not result["events"] and not result["datasets"]:
        raise SparkUnavailable(f"spark-pipelines did not run: {result.get('error', 'no answer')}")


# What it left behind ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Dataset:
    name: str
    kind: DatasetKind
    expectations: tuple[tuple[str, Action], ...]

    @classmethod
    def read(cls, found: Mapping[str, Any]) -> _Dataset:
        rules = tuple((name, action) for name, _, action in found["expectations"])
        return cls(found["name"], found["kind"], rules)

    @property
    def element(self) -> str:
        return sdp_job.element(view_of(self.name))

    @property
    def metrics(self) -> str:
        return self.element + sdp_job.METRICS

    @property
    def flow(self) -> str:
        """A temporary view has no flow of its own: that of its figures stands for it."""
        return self.metrics if self.kind == "temporary_view" else self.element


@dataclass(frozen=True, slots=True)
class _End:
    status: Status
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Done:
    """`ends`: graph element -> how its flow ended; `error` is that of the run as a whole."""

    warehouse: Path
    ends: Mapping[str, _End]
    error: str
    _metrics: dict[str, list[int]] = field(default_factory=dict)

    def end(self, element: str) -> _End:
        """A run that is refused as a whole has no flows at all."""
        return self.ends.get(element) or _End("FAILED", self.error.partition("\n")[0])

    def metrics(self, dataset: _Dataset) -> list[int] | None:
        """All rows, those that nothing drops, those that pass each expectation."""
        if self.end(dataset.metrics).status != "COMPLETED":
            return None
        if dataset.name not in self._metrics:
            (row,) = self.rows(dataset.metrics)
            self._metrics[dataset.name] = list(row.values())
        return self._metrics[dataset.name]

    def rows(self, element: str) -> list[dict[str, Any]]:
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

        files = sorted((self.warehouse / element).glob("*.parquet"))
        return [row for file in files for row in pq.read_table(file).to_pylist()]


def _ends(events: Sequence[str]) -> dict[str, _End]:
    ends: dict[str, _End] = {}
    for event in events:
        first, _, rest = event.partition("\n")
        if found := _EVENT.match(first):
            status: Status = found[2]  # type: ignore[assignment] # one of the pattern's words
            ends[found[1]] = _End(status, rest.removeprefix("Error: "))
    return ends


def _flow(done: _Done, dataset: _Dataset) -> Flow:
    end = done.end(dataset.flow)
    name, kind = dataset.name, dataset.kind
    if end.status == "COMPLETED" and (figures := done.metrics(dataset)):
        return Flow(name, kind, "COMPLETED", figures[1], figures[0] - figures[1])
    if end.status == "SKIPPED":
        return Flow(name, kind, "SKIPPED")
    _, ahead, told = end.error.partition(sdp_job.RECORD_AHEAD)
    if not ahead:
        return Flow(name, kind, "FAILED", error=end.error.partition("\n")[0])
    violated, at = json.JSONDecoder().raw_decode(told)
    _, length = json.JSONDecoder().raw_decode(told[at:])
    record = told[at : at + length]
    return Flow(name, kind, "FAILED", violated=tuple(violated), record=record)


def _counts(done: _Done, dataset: _Dataset, flow: Flow) -> Iterator[Count]:
    figures = done.metrics(dataset) if flow.status == "COMPLETED" else None
    for number, (name, action) in enumerate(dataset.expectations, 2):
        passed = figures[number] if figures else None
        broke = figures[0] - figures[number] if figures else None
        yield Count(dataset.name, name, action, passed, broke)


def _quarantines(
    done: _Done, datasets: Sequence[_Dataset], flows: Sequence[Flow]
) -> Iterator[Quarantine]:
    for dataset, flow in zip(datasets, flows, strict=True):
        if flow.status != "COMPLETED" or dataset.kind == "temporary_view":
            continue
        rows = done.rows(dataset.element)
        columns = tuple(rows[0]) if rows else ()
        if column := failed_rules(columns):
            broken = (tuple(map(as_text, row.values())) for row in rows if row[column] != "")
            yield Quarantine(dataset.name, column, columns, tuple(broken))
