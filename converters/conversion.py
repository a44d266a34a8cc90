"""The road: read -> express -> plan -> write, each step a plain function call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import ruleferry
from ruleferry.converters.account import Ledger, Module, Output
from ruleferry.converters.by_hand import by_hand_alone, refuse_windows_of_streams
from ruleferry.converters.config import Config, told_name
from ruleferry.converters.decided import Decisions
from ruleferry.converters.decisions_given import decisions_of, in_vain
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.facts import Facts, with_answered, with_facts
from ruleferry.converters.facts_fit import Read, fitted
from ruleferry.converters.kept_by_hand import (
    file_of,
    kept_columns,
    kept_rules,
    with_what_is_kept,
)
from ruleferry.converters.listed_sources import listed_sources
from ruleferry.converters.notices import (
    notices_of,
    refuse_unused_actions,
    undecided_there,
    unused_actions,
)
from ruleferry.converters.outputs import (
    LEDGER,
    Before,
    Content,
    digest,
    look_before,
    refuse_overwriting,
    stale_outputs,
    write_all,
)
from ruleferry.converters.plan import Plan, plan
from ruleferry.converters.proof_file import open_proofs
from ruleferry.converters.report_files import filled_in, report_outputs
from ruleferry.converters.reports.ledger_json import ledger_text
from ruleferry.converters.reports.ledger_reader import open_ledger
from ruleferry.converters.reports.rendering import rendered_view, view
from ruleferry.converters.reports.report import Line
from ruleferry.converters.rule import Reading
from ruleferry.converters.schemas import Schemas, read_schemas
from ruleferry.converters.sources import Sources, raw_workbook, read_sources
from ruleferry.converters.writers.lakeflow import module_text
from ruleferry.converters.writers.rules_module import BlockColumn, ModuleRule, body_sha256


@dataclass(frozen=True, slots=True)
class Conversion:
    """`out` as shown to a person; `written` relative to it; `figures`: of all rules."""

    ledger: Ledger
    figures: Line
    modules: tuple[Module, ...]
    written: tuple[str, ...]
    out: str
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Today:
    """What a conversion would make of the sources as they are, beside what is kept by hand.

    `ledger`: as if nothing was written. `idle`: keys of [actions.rules] of no rule, which `convert`
    refuses. `whole`: all that the configuration names was read.
    """

    ledger: Ledger
    modules: tuple[Module, ...]
    idle: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What a conversion is made of. `whole`: all that the configuration names, not some of it.

    `config`: with what a person told as facts.
    """

    config: Config
    decisions: Decisions
    facts: Facts
    sources: Sources
    schemas: Schemas
    whole: bool


@dataclass(frozen=True, slots=True)
class _Made:
    """The plan with what is kept by hand, and the modules' texts.

    `kept`: the files that keep rules; `touched`: the modules that were there before.
    """

    planned: Plan
    texts: Mapping[str, str]
    outputs: tuple[Output, ...]
    kept: frozenset[str]
    touched: tuple[Module, ...]


def convert(
    config: Config, given: Sequence[str] = (), *, partial: bool = False, force: bool = False
) -> Conversion:
    """Read the sources and write the modules, the ledger and the reports.

    Raises InputFaults with everything that is wrong; then no file is changed.
    """
    folder = config.root / config.out
    inputs = _inputs(config, given, partial=partial)
    before = look_before(folder, config.out, _last_ledger(folder, config.out))
    made = _made(inputs, before)
    ledger = _ledger(inputs, made.planned)
    shown = view(ledger, open_proofs(folder, config.out))
    reports = rendered_view(shown, inputs.config.reports)
    ledger = replace(ledger, outputs=(*made.outputs, *report_outputs(reports)))
    files: dict[str, Content] = {**made.texts, **reports, LEDGER: ledger_text(ledger)}
    if not force:
        filled = filled_in(inputs.config, before.ledger)
        refuse_overwriting(folder, config.out, files, before, filled)
    needed = sorted(made.kept - made.texts.keys())
    stale, edited = stale_outputs(folder, list(files), before, needed)
    write_all(folder, files, stale)
    notices = _told(inputs, made, stale, edited)
    return Conversion(ledger, shown.total, made.planned.modules, tuple(files), config.out, notices)


def today(config: Config, given: Sequence[str] = ()) -> Today:
    """Read the sources as `convert` does, and write nothing. Raises InputFaults."""
    inputs = _inputs(config, given, partial=False)
    planned = _planned(inputs)
    idle = tuple(unused_actions(inputs.config, planned))
    return Today(_ledger(inputs, planned), planned.modules, idle, inputs.whole)


def _inputs(config: Config, given: Sequence[str], *, partial: bool) -> _Inputs:
    """Raises InputFaults with the faults of all sources and schemas."""
    decisions = decisions_of(config)
    facts = with_facts(config, decisions)
    sources, schemas = _read(facts.config, given, partial=partial)
    whole = not (given and config.sources)
    read = Read(sources.readings, sources.configured, schemas.declared, whole)
    facts = fitted(facts, config, read)
    return _Inputs(facts.config, decisions, facts, sources, schemas, whole)


def _read(config: Config, given: Sequence[str], *, partial: bool) -> tuple[Sources, Schemas]:
    faults: list[Fault] = []
    try:
        sources = read_sources(config, given, partial=partial)
    except InputFaults as found:
        faults += found.faults
    try:
        schemas = read_schemas(config)
    except InputFaults as found:
        faults += found.faults
    if faults:
        raise InputFaults(faults)
    return sources, schemas


def _planned(inputs: _Inputs) -> Plan:
    sources, types_of = inputs.sources, inputs.schemas.types_of
    return plan(sources.readings, types_of, inputs.config, sources.names, inputs.decisions)


def _made(inputs: _Inputs, before: Before) -> _Made:
    config, planned = inputs.config, _planned(inputs)
    unused = unused_actions(config, planned)
    refuse_unused_actions(unused, config, planned, whole=inputs.whole)
    kept, columns = kept_rules(planned, before), kept_columns(planned, before)
    refuse_windows_of_streams(planned.modules, columns)
    texts, outputs = _modules(planned, kept, columns)
    planned = with_what_is_kept(planned, kept, columns)
    touched = [m for m in planned.modules if file_of(m) in kept or file_of(m) in columns]
    return _Made(planned, texts, outputs, frozenset(kept), tuple(touched))


def _ledger(inputs: _Inputs, planned: Plan, outputs: Sequence[Output] = ()) -> Ledger:
    return Ledger(
        tool=f"ruleferry {ruleferry.__version__}",
        sources=listed_sources(
            inputs.sources, inputs.schemas, inputs.config, inputs.decisions, planned.entries
        ),
        questions=with_answered(planned.questions, inputs.facts.problems),
        entries=planned.entries,
        outputs=tuple(outputs),
        options=inputs.config.options,
    )


def _told(
    inputs: _Inputs, made: _Made, stale: Sequence[str], edited: Sequence[str]
) -> tuple[str, ...]:
    """What a person is told beside the figures."""
    config, planned = inputs.config, made.planned
    return (
        *inputs.facts.notices,
        *undecided_there(unused_actions(config, planned), config),
        *in_vain(planned, inputs.decisions, all_sources=inputs.whole),
        *notices_of(planned, inputs.schemas, stale, edited),
        *by_hand_alone(made.touched, made.texts),
    )


def inspect(config: Config, given: Sequence[str] = ()) -> tuple[Reading, ...]:
    """What was recognised, file by file, as decisions tell it. Raises InputFaults."""
    facts = with_facts(config, decisions_of(config))
    sources = read_sources(facts.config, given, partial=False)
    whole = not (given and config.sources)
    read = Read(sources.readings, sources.configured, lambda _: None, whole)
    told = fitted(facts, config, read).config
    return tuple(_named(reading, told) for reading in sources.readings)


def _named(reading: Reading, config: Config) -> Reading:
    """With the names of tables that a person told."""
    if reading.file not in config.told_files:
        return reading
    rules = (
        replace(rule, table=replace(rule.table, name=name, stated=True))
        if (name := told_name(config, reading.file, rule.table.name)) != rule.table.name
        else rule
        for rule in reading.rules
    )
    return replace(reading, rules=tuple(rules))


def draft_profile(config: Config, given: Sequence[str], file: str) -> None:
    """Write a profile for the one spreadsheet that is given. Raises InputFaults.

    A file that is there already is not overwritten, for it may hold what a person confirmed.
    """
    from ruleferry.converters.readers.spreadsheet import draft_of

    drafted = draft_of(raw_workbook(config, given))
    if not isinstance(drafted, str):
        raise InputFaults(drafted)
    path = config.cwd / file
    try:
        with path.open("x", encoding="utf-8", newline="\n") as out:
            out.write(drafted)
    except OSError as error:
        found = "a file that is there already" if path.exists() else f"{error.strerror}"
        todo = "Name another file, or remove that one."
        expected = "a file that can be written"
        raise InputFaults([Fault(file, None, found, expected, todo)]) from error


def _last_ledger(folder: Path, shown: str) -> Ledger | None:
    path = folder / LEDGER
    return open_ledger(path, f"{shown}/{LEDGER}") if path.is_file() else None


def _sha(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass"))


# Modules ------------------------------------------------------------------------------------------


def _modules(
    planned: Plan,
    kept: Mapping[str, Mapping[str, ModuleRule]],
    columns: Mapping[str, Sequence[BlockColumn]],
) -> tuple[dict[str, str], tuple[Output, ...]]:
    none: Mapping[str, ModuleRule] = {}
    texts = {}
    for module in planned.modules:
        file = file_of(module)
        rules = tuple(kept.get(file, none).values())
        texts[file] = module_text(module, rules, columns.get(file, ()))
    outputs = [Output(f, _sha(text), body_sha256(text, f)) for f, text in texts.items()]
    return dict(sorted(texts.items())), tuple(sorted(outputs, key=lambda o: o.file))
