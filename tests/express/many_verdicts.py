"""Rules over many records: the old verdict, and that of the module as it is written."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from made_rules import Typed
from sqlite_oracle import _batch, _built, _database, _exceptions

from ruleferry.converters.account import Entry
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import Actions, Config, TableSettings
from ruleferry.converters.plan import Plan, plan
from ruleferry.converters.proof.frames import number_column, pandas_frame, spark_frame
from ruleferry.converters.proof.oracle import _quiet, verdicts
from ruleferry.converters.proof.oracle_batch import new_bench
from ruleferry.converters.proof.pipeline import Run, run_module
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.proof.verdict import Overall, Raised, RowVerdicts, Verdict
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.rule import Reading, Table
from ruleferry.converters.writers.lakeflow import module_text

NUMBER = "id"


def planned(
    elements: Sequence[Mapping[str, object]],
    columns: Mapping[str, str],
    engine: str | None,
    *,
    typed: bool = True,
    order_by: tuple[str, ...] = (NUMBER,),
    action: str = "drop",
    version: tuple[int, int] = (1, 24),
) -> Plan:
    """The plan of a suite on the table t, whose `columns` are name -> type."""
    context = Context("s.json", Table("t"), engine, version=version)
    rules = tuple(read_expectation(dict(e), i, context) for i, e in enumerate(elements))
    reading = Reading("s.json", "great_expectations suite", "0" * 64, len(rules), rules)
    declared = {name: parse_type(text) for name, text in columns.items()}
    settings = {"t": TableSettings(order_by=order_by)}
    config = Config(Path(), Path(), tables=settings, actions=Actions(default=action))
    return plan([reading], Typed(declared if typed else None), config, {})


def by_element(found: Plan) -> list[Entry]:
    """The entry of each element, or that of the rule which it was merged into."""
    by_id = {entry.id: entry for entry in found.entries}
    numbered = {int(entry.atom[len("expectations[") : -1]): entry for entry in found.entries}
    return [by_id[e.merged_into or e.id] for _, e in sorted(numbered.items())]


def new_verdicts(found: Plan, rows: Rows, spark) -> dict[str, Verdict]:
    """name -> what the module says: of each record, or of the table as a whole.

    All rules of records are drop rules, so the quarantine names those that a record breaks.
    """
    (module,) = found.modules
    frame = spark_frame(rows, spark)
    run = run_module(module_text(module), spark, {"t": frame.drop(number_column(rows))})
    stopped = [flow for flow in run.flows if flow.status != "COMPLETED"]
    assert not stopped, stopped
    of_rows = _broken(run, rows)
    counted = {c.name: c for c in run.expectations}
    told: dict[str, Verdict] = {}
    for rule in module.rules:
        if rule.outcome in ("record", "flag"):
            bad = of_rows.get(rule.name, set())
            told[rule.name] = RowVerdicts("".join("F" if r in bad else "T" for r in _ids(rows)))
        else:
            count = counted[rule.name]
            assert count.passed + count.failed == 1, count
            told[rule.name] = Overall(count.passed == 1)
    return told


def _ids(rows: Rows) -> tuple[object, ...]:
    assert rows.columns[0][0] == NUMBER
    return rows.column(0)


def _broken(run: Run, rows: Rows) -> dict[str, set[int]]:
    """name -> the records that break the rule; checked and its two parts have all rows."""
    quarantine = run.frames["t_quarantine"].select(NUMBER, "failed_rules").collect()
    clean = [row[0] for row in run.frames["t_clean"].select(NUMBER).collect()]
    assert sorted([*clean, *(row[0] for row in quarantine)]) == sorted(_ids(rows))
    broken: dict[str, set[int]] = {}
    for number, names in quarantine:
        for name in names.split(", "):
            broken.setdefault(name, set()).add(number)
    return broken


# The old verdict ----------------------------------------------------------------------------------


def old_verdicts(
    elements: Sequence[Mapping[str, object]],
    of_records: Sequence[bool],
    rows: Rows,
    engine: str,
    style: str,
    spark,
    folder: Path,
) -> list[Verdict]:
    """Of each element, record by record where that is asked for, else as a whole.

    `engine` is pandas, spark or sqlite, which tells no single records; `style` that of the pandas
    frame.
    """
    single = [e for e, each in zip(elements, of_records, strict=True) if each]
    whole = [e for e, each in zip(elements, of_records, strict=True) if not each]
    one = iter(verdicts(single, rows, engine, pandas_style=style, spark=spark) if single else ())
    with _quiet():
        all_ = iter(_successes(whole, _whole_batch(rows, engine, style, spark, folder)))
    return [next(one) if each else next(all_) for each in of_records]


def _whole_batch(rows: Rows, engine: str, style: str, spark, folder: Path):
    if engine == "sqlite":
        return _batch(_database(rows, folder))
    if engine == "pandas":
        return new_bench(pandas_frame(rows, style)).batch
    return new_bench(spark_frame(rows, spark).drop(number_column(rows))).batch


def _successes(elements: Sequence[Mapping[str, object]], batch) -> list[Overall | Raised]:
    import great_expectations as gx

    built = [_built(element, place) for place, element in enumerate(elements)]
    suite = gx.ExpectationSuite("s", expectations=[b for b in built if not isinstance(b, Raised)])
    outcome = batch.validate(suite, result_format="BOOLEAN_ONLY")
    found = {r.expectation_config.meta["place"]: _success(r) for r in outcome.results}
    return [b if isinstance(b, Raised) else found[place] for place, b in enumerate(built)]


def _success(result) -> Overall | Raised:
    messages = [m["exception_message"] for m in _exceptions(result.exception_info)]
    return Raised(messages[0]) if messages else Overall(bool(result.success))
