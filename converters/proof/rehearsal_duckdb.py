"""A rehearsal on DuckDB: no Java, for a first look.

What DuckDB might answer otherwise than Spark is not answered: the dataset says that it needs Spark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlglot import exp

from ruleferry.converters.proof.duckdb_queries import NotFound, Relation, verdict
from ruleferry.converters.proof.duckdb_session import DuckFrame, DuckSession, read_condition
from ruleferry.converters.proof.duckdb_store import Store
from ruleferry.converters.proof.rehearsal_data import Sample
from ruleferry.converters.proof.rehearsal_run import NeedsSpark, Ran, failed_rules
from ruleferry.converters.proof.standin import (
    Dataset,
    Definitions,
    Expectation,
    executed,
    installed_alone,
    pipelines_module,
    view_of,
)
from ruleferry.converters.proof.update import Outcome, failed, uncounted, updated
from ruleferry.converters.rehearsed import Count, Flow

_FIRST_LOOK = (
    "DuckDB answers only where Spark is known to say the same; a proof is a rehearsal on Spark."
)


def rehearse_on_duckdb(sources: Mapping[str, str], samples: Iterable[Sample]) -> Ran:
    """One update of the modules. EXECUTES `sources`. Raises NeedsSpark where a module asks for
    more than tables and queries while it is executed, and what the modules raise."""
    import duckdb

    with duckdb.connect(config={"preserve_insertion_order": True}) as connection:
        store = Store(connection)
        tables = {view_of(sample.table.name): store.loaded(sample) for sample in samples}
        session = DuckSession(tables)
        definitions = Definitions()
        with installed_alone(pipelines_module(definitions)):
            executed(sources, session, definitions, set(tables))
            engine = _Duck(store, session, tables)
            counts, flows, kept = updated(engine, definitions.datasets)
        quarantines = tuple(
            store.quarantine(name, relation, column)
            for name, relation in kept.items()
            if (column := failed_rules([own.name for own in relation.fields]))
        )
    return Ran(
        f"DuckDB {duckdb.__version__}", counts, flows, quarantines, session.streamed, (_FIRST_LOOK,)
    )


# The update ---------------------------------------------------------------------------------------


class _Duck:
    """Queries and expectations by DuckDB, where they mean what they mean on Spark."""

    def __init__(self, store: Store, session: DuckSession, tables: dict[str, Relation]) -> None:
        self._store = store
        self._session = session
        self._tables = tables

    def failures(self) -> tuple[type[Exception], ...]:
        import duckdb

        return (NeedsSpark, NotFound, duckdb.Error)

    def missing(self, error: Exception) -> str:
        return str(error) if isinstance(error, NotFound) else ""

    def failed(self, dataset: Dataset, error: Exception) -> Flow:
        """Also what DuckDB could not compute: whether Spark could is not known."""
        return _needing(dataset, str(error).partition("\n")[0])

    def behind(self, dataset: Dataset, cause: Flow) -> Flow:
        if cause.status != "NEEDS SPARK":
            return Flow(dataset.name, dataset.kind, "SKIPPED")
        return _needing(dataset, f"{cause.dataset}, which it reads")

    def keep(self, view: str, frame: Relation) -> None:
        self._tables[view] = frame

    def forget(self, view: str, frame: Relation) -> None:
        del self._tables[view]

    def evaluated(self, dataset: Dataset, result: object) -> Outcome[Relation]:
        if not isinstance(result, DuckFrame):
            wrong = f"Its query gave no DataFrame: {type(result).__name__}"
            return Outcome(failed(dataset, wrong), uncounted(dataset))
        rows = self._store.made(result.relation)
        held, refused = self._held(dataset.expectations, rows)
        dropping = [e.name for e in dataset.expectations if e.action == "drop" and e.name in held]
        counted = self._store.counted(rows, held, dropping)
        counts = tuple(
            _count(dataset, e, counted.passed.get(e.name), counted.rows, refused.get(e.name))
            for e in dataset.expectations
        )
        if refused:
            return Outcome(_needing(dataset, f"the condition of {', '.join(refused)}"), counts)
        broken = [c.name for c in counts if c.action == "fail" and c.failed]
        if broken:
            stopped = self._stopped(dataset, rows, held)
            return Outcome(stopped, uncounted(dataset))
        flow = Flow(
            dataset.name, dataset.kind, "COMPLETED", counted.kept, counted.rows - counted.kept
        )
        kept = self._store.kept(rows, [held[name] for name in dropping])
        return Outcome(flow, counts, kept)

    def _held(
        self, expectations: Sequence[Expectation], rows: Relation
    ) -> tuple[dict[str, exp.Expression], dict[str, str]]:
        """Name -> condition for DuckDB, and name -> why it has none."""
        held: dict[str, exp.Expression] = {}
        refused: dict[str, str] = {}
        for e in expectations:
            try:
                tree = verdict(read_condition(e.condition), rows, self._session.context)
                held[e.name] = exp.Coalesce(this=tree, expressions=[exp.false()])
            except NeedsSpark as why:
                refused[e.name] = str(why)
        return held, refused

    def _stopped(
        self, dataset: Dataset, rows: Relation, held: Mapping[str, exp.Expression]
    ) -> Flow:
        failing = {e.name: held[e.name] for e in dataset.expectations if e.action == "fail"}
        record, passed = self._store.first_broken(rows, failing)
        violated = tuple(name for name, holds in zip(failing, passed, strict=True) if not holds)
        return Flow(dataset.name, dataset.kind, "FAILED", violated=violated, record=record)


def _needing(dataset: Dataset, why: str) -> Flow:
    return Flow(dataset.name, dataset.kind, "NEEDS SPARK", error=why)


def _count(
    dataset: Dataset, e: Expectation, passed: int | None, rows: int, why: str | None
) -> Count:
    broke = None if passed is None else rows - passed
    return Count(dataset.name, e.name, e.action, passed, broke, why)
