"""What a rehearsal and the process that runs the pipeline tell each other, as files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.proof.rehearsal_data import Sample
from ruleferry.converters.rehearsed import SampleTable

JOB = "job.json"
RESULT = "result.json"
INPUT = "__input"
METRICS = "__metrics"
# Stands before the broken rules and the record in the error of a flow.
RECORD_AHEAD = "ruleferry: expectation violated "


@dataclass(frozen=True, slots=True)
class Job:
    """The modules (file name -> text) and the sample rows."""

    sources: Mapping[str, str]
    samples: tuple[Sample, ...]


def element(view: str) -> str:
    """A graph element for a view: one identifier, since a plain Spark has no catalog `main`."""
    return view.replace(".", "__")


def write_job(folder: Path, sources: Mapping[str, str], samples: Iterable[Sample]) -> None:
    told = [
        {
            "name": sample.table.name,
            "path": str(sample.path),
            "parquet": sample.parquet,
            "columns": [(name, kind.text) for name, kind in sample.columns],
        }
        for sample in samples
    ]
    text = json.dumps({"sources": dict(sources), "samples": told})
    (folder / JOB).write_text(text, encoding="utf-8")


def read_job(folder: Path) -> Job:
    told = json.loads((folder / JOB).read_text(encoding="utf-8"))
    samples = (
        Sample(
            SampleTable(found["name"], ()),
            Path(found["path"]),
            found["parquet"],
            tuple((name, parse_type(kind)) for name, kind in found["columns"]),
        )
        for found in told["samples"]
    )
    return Job(told["sources"], tuple(samples))
