"""What a rehearsal found: one update of a pipeline, on sample rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleferry.converters.rule import Action

DatasetKind: TypeAlias = Literal["table", "materialized_view", "temporary_view"]

# The first three are Lakeflow's own. NEEDS SPARK: DuckDB can't say for sure what Spark would.
Status: TypeAlias = Literal["COMPLETED", "FAILED", "SKIPPED", "NEEDS SPARK"]

# `fail`: a rule that fails broke. `quarantined`: that, or a rule that drops.
FailOn: TypeAlias = Literal["fail", "quarantined", "never"]
_TOLD: dict[FailOn, tuple[Action, ...]] = {
    "fail": ("fail",),
    "quarantined": ("fail", "drop"),
    "never": (),
}


@dataclass(frozen=True, slots=True)
class Count:
    """The records that passed and failed an expectation; None where nobody counted.

    Nobody counts where the flow did not complete, and where DuckDB can't hold the condition:
    `needs_spark` says why.
    """

    dataset: str
    name: str
    action: Action
    passed: int | None
    failed: int | None
    needs_spark: str | None = None


@dataclass(frozen=True, slots=True)
class Flow:
    """What became of a dataset.

    `violated` and `record` (the first violating record, as JSON) say which fail rules stopped it;
    `error` says what else did, `missing` names the table that it reads and that nobody gave.
    """

    dataset: str
    kind: DatasetKind
    status: Status
    output_rows: int | None = None
    dropped_records: int | None = None
    violated: tuple[str, ...] = ()
    record: str | None = None
    error: str | None = None
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class Quarantine:
    """The rows of a quarantine dataset, each value as SQL writes it as text; None is NULL.

    `failed_rules` is the name of the column that names the rules a row broke.
    """

    dataset: str
    failed_rules: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True, slots=True)
class SampleTable:
    """A table of the rehearsal, where its rows came from, and the types that were inferred."""

    name: str
    files: tuple[str, ...]
    inferred: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """One update of the modules. `engine` is its name and version, `why` why it was taken."""

    modules: tuple[str, ...]
    engine: str
    why: str
    tables: tuple[SampleTable, ...]
    expectations: tuple[Count, ...]
    flows: tuple[Flow, ...]
    quarantines: tuple[Quarantine, ...]
    notes: tuple[str, ...] = ()


def found(rehearsal: Rehearsal, fail_on: FailOn) -> bool:
    """Whether something that `fail_on` names was found, or could not be ruled out."""
    told = _TOLD[fail_on]
    broken = any(count.failed != 0 for count in rehearsal.expectations if count.action in told)
    stopped = any(flow.status == "FAILED" for flow in rehearsal.flows)
    return broken or (bool(told) and stopped)
