"""One update of a pipeline: its datasets in the order in which they need each other.

What a dataset holds is the engine's affair; what a failure does to the datasets behind it is said
here, once for all engines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from ruleferry.converters.proof.standin import Dataset
from ruleferry.converters.rehearsed import Count, Flow

Frame = TypeVar("Frame")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Frame]):
    """What became of one dataset; `frame` is None where no other may read it."""

    flow: Flow
    counts: tuple[Count, ...]
    frame: Frame | None = None


class Engine(Protocol[Frame]):
    """What runs queries and conditions."""

    def failures(self) -> tuple[type[Exception], ...]:
        """What it raises of a query that it can't analyse or compute."""

    def missing(self, error: Exception) -> str:
        """The view for the table that a query does not find; empty for another error."""

    def failed(self, dataset: Dataset, error: Exception) -> Flow:
        """How the flow of a dataset ends for such an error."""

    def behind(self, dataset: Dataset, cause: Flow) -> Flow:
        """How the flow of a dataset ends that reads one without rows."""

    def evaluated(self, dataset: Dataset, result: object) -> Outcome[Frame]:
        """The expectations of the dataset on what its query gave."""

    def keep(self, view: str, frame: Frame) -> None:
        """Let queries read the frame under this name."""

    def forget(self, view: str, frame: Frame) -> None:
        """Undo `keep`."""


@dataclass(frozen=True, slots=True)
class _Update(Generic[Frame]):
    """The datasets by view, and what is known of them so far."""

    engine: Engine[Frame]
    datasets: Mapping[str, Dataset]
    underway: set[str] = field(default_factory=set)
    outcomes: dict[str, Outcome[Frame]] = field(default_factory=dict)


def updated(
    engine: Engine[Frame], datasets: Mapping[str, Dataset]
) -> tuple[tuple[Count, ...], tuple[Flow, ...], dict[str, Frame]]:
    """Counts and flows in the order in which the datasets were defined, and the rows by name.

    `datasets`: view -> dataset. What a query itself raises is passed on.
    """
    update = _Update(engine, datasets)
    try:
        outcomes = [_brought(update, view) for view in datasets]
    finally:
        for view, outcome in update.outcomes.items():
            if outcome.frame is not None:
                engine.forget(view, outcome.frame)
    named = zip(datasets.values(), outcomes, strict=True)
    frames = {d.name: outcome.frame for d, outcome in named if outcome.frame is not None}
    counts = tuple(count for outcome in outcomes for count in outcome.counts)
    return counts, tuple(outcome.flow for outcome in outcomes), frames


def uncounted(dataset: Dataset) -> tuple[Count, ...]:
    return tuple(Count(dataset.name, e.name, e.action, None, None) for e in dataset.expectations)


def failed(dataset: Dataset, error: str, *, missing: str | None = None) -> Flow:
    return Flow(dataset.name, dataset.kind, "FAILED", error=error, missing=missing)


def _brought(update: _Update[Frame], view: str) -> Outcome[Frame]:
    """Bring a dataset up to date, and first what it reads."""
    if view not in update.outcomes:
        dataset = update.datasets[view]
        update.underway.add(view)
        ended = _queried(update, view, dataset)
        update.outcomes[view] = (
            Outcome(ended, uncounted(dataset)) if isinstance(ended, Flow) else ended
        )
        update.underway.discard(view)
    return update.outcomes[view]


def _queried(update: _Update[Frame], view: str, dataset: Dataset) -> Outcome[Frame] | Flow:
    """What the query gives, as soon as every dataset that it reads is up to date."""
    while True:
        try:
            outcome = update.engine.evaluated(dataset, dataset.query())
            if outcome.frame is not None:
                update.engine.keep(view, outcome.frame)
        except update.engine.failures() as error:
            if ended := _prepared(update, dataset, error):
                return ended
        else:
            return outcome


def _prepared(update: _Update[Frame], dataset: Dataset, error: Exception) -> Flow | None:
    """Bring the dataset that a query did not find up to date; how the query's own flow ends
    where that can't help it."""
    missing = update.engine.missing(error)
    if not missing:
        return update.engine.failed(dataset, error)
    if missing not in update.datasets:
        told = f"It reads {missing}, which is no given table and no dataset"
        return failed(dataset, told, missing=missing)
    if missing in update.underway:
        return failed(dataset, f"It reads {missing}, which reads it")
    tried = missing in update.outcomes
    outcome = _brought(update, missing)
    if outcome.frame is None:
        return update.engine.behind(dataset, outcome.flow)
    return update.engine.failed(dataset, error) if tried else None
