"""The road: read -> express -> plan -> write, each step a plain function call."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import ruleferry
from ruleferry.converters.account import Entry, Ledger, Module, Output, Source
from ruleferry.converters.by_hand import (
    by_hand_alone,
    refuse_windows_of_streams,
    with_columns_by_hand,
    with_rule_by_hand,
)
from ruleferry.converters.config import Config
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.outputs import (
    LEDGER,
    MODULE_ENDING,
    Before,
    digest,
    look_before,
    refuse_overwriting,
    stale_outputs,
    write_all,
)
from ruleferry.converters.plan import Plan, plan
from ruleferry.converters.reports.gap_report import gap_report
from ruleferry.converters.reports.ledger_json import ledger_text
from ruleferry.converters.reports.ledger_reader import open_ledger
from ruleferry.converters.rule import Outcome, Reading
from ruleferry.converters.schemas import Schemas, read_schemas
from ruleferry.converters.sources import Sources, raw_workbook, read_sources
from ruleferry.converters.writers.lakeflow import module_text
from ruleferry.converters.writers.rules_module import BlockColumn, ModuleRule, body_sha256

GAP_REPORT = "gap_report.md"
# Lakeflow takes 100 source files in a pipeline, and 1,000 where folders are named.
_MOST_FILES = 100


@dataclass(frozen=True, slots=True)
class Conversion:
    """`out` as shown to a person; `written` relative to it."""

    ledger: Ledger
    modules: tuple[Module, ...]
    written: tuple[str, ...]
    out: str
    notices: tuple[str, ...]


def convert(
    config: Config, given: Sequence[str] = (), *, partial: bool = False, force: bool = False
) -> Conversion:
    """Read the sources and write the modules, the ledger and the report.

    Raises InputFaults with everything that is wrong; then no file is changed.
    """
    folder = config.root / config.out
    before = look_before(folder, config.out, _last_ledger(folder, config.out))
    sources, schemas = _inputs(config, given, partial=partial)
    planned = plan(sources.readings, schemas.types_of, config, sources.names)
    unused = _unused_actions(config, planned)
    if not (given and config.sources):
        _refuse_unused_actions(unused, config, planned)
    kept = _kept(planned, before)
    columns = _kept_columns(planned, before)
    refuse_windows_of_streams(planned.modules, columns)
    texts, outputs = _modules(planned, kept, columns)
    planned = _with_manual(planned, kept, columns)
    touched = [m for m in planned.modules if file_of(m) in kept or file_of(m) in columns]
    ledger = Ledger(
        tool=f"ruleferry {ruleferry.__version__}",
        sources=_sources(sources, schemas, config, planned.entries),
        questions=planned.questions,
        entries=planned.entries,
        outputs=outputs,
    )
    texts[GAP_REPORT] = gap_report(ledger)
    ledger = replace(ledger, outputs=(*outputs, Output(GAP_REPORT, _sha(texts[GAP_REPORT]))))
    texts[LEDGER] = ledger_text(ledger)
    if not force:
        refuse_overwriting(folder, config.out, texts, before)
    needed = [file for file in kept if file not in texts]
    stale, edited = stale_outputs(folder, list(texts), before, needed)
    write_all(folder, texts, stale)
    notices = (
        *_undecided(unused, config),
        *_notices(planned, schemas, stale, edited),
        *by_hand_alone(touched, texts),
    )
    return Conversion(ledger, planned.modules, tuple(texts), config.out, notices)


def _inputs(config: Config, given: Sequence[str], *, partial: bool) -> tuple[Sources, Schemas]:
    """Raises InputFaults with the faults of all sources and schemas."""
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


def inspect(config: Config, given: Sequence[str] = ()) -> tuple[Reading, ...]:
    """What was recognised, file by file. Raises InputFaults."""
    return read_sources(config, given, partial=False).readings


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


def file_of(module: Module) -> str:
    return f"{module.stem}{MODULE_ENDING}"


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


# What is kept by hand -----------------------------------------------------------------------------


def _kept(planned: Plan, before: Before) -> dict[str, dict[str, ModuleRule]]:
    """file -> name -> the rule that a person keeps there.

    It goes where the rule that it changes goes now, under that rule's name; else it stays.
    """
    rules = [(file_of(module), rule) for module in planned.modules for rule in module.rules]
    kept: dict[str, dict[str, ModuleRule]] = {}
    for found in before.kept:
        file, name = found.file, found.rule.name
        if found.entry is not None:
            file, name = _place_now(found.entry, rules) or (file, name)
        kept.setdefault(file, {})[name] = replace(found.rule, name=name)
    return kept


def _kept_columns(planned: Plan, before: Before) -> dict[str, list[BlockColumn]]:
    """file -> the columns that a person keeps there, and those that a kept rule needs."""
    rules = [(file_of(module), rule) for module in planned.modules for rule in module.rules]
    columns = {file: list(found) for file, found in before.columns.items()}
    for found in before.kept:
        place = _place_now(found.entry, rules) if found.entry is not None else None
        columns.setdefault(place[0] if place else found.file, []).extend(found.columns)
    return columns


def _place_now(entry: Entry, rules: Sequence[tuple[str, Entry]]) -> tuple[str, str] | None:
    """The rule of its id; where there is none, the one that says the same of the same columns."""
    for alike in (lambda e: e.id, lambda e: (e.table, e.columns, e.kind, e.text_sha256)):
        places = [(file, rule.name) for file, rule in rules if alike(rule) == alike(entry)]
        if len(places) == 1:
            return places[0]
    return None


def _with_manual(
    planned: Plan,
    kept: Mapping[str, Mapping[str, ModuleRule]],
    columns: Mapping[str, Sequence[BlockColumn]],
) -> Plan:
    """The entries and modules as the rules and columns that are kept by hand make them."""
    changed: dict[str, Entry] = {}
    for module in planned.modules:
        file = file_of(module)
        for rule in module.rules:
            found = with_columns_by_hand(rule, module, columns.get(file, ()))
            by_hand = kept.get(file, {}).get(rule.name)
            found = found if by_hand is None else with_rule_by_hand(found, module, by_hand)
            if found is not rule:
                changed[rule.id] = found
    if not changed:
        return planned
    entries = tuple(changed.get(e.id, e) for e in planned.entries)
    modules = tuple(
        replace(m, rules=tuple(changed.get(r.id, r) for r in m.rules)) for m in planned.modules
    )
    return replace(planned, entries=entries, modules=modules)


# The books ----------------------------------------------------------------------------------------


def _sources(
    sources: Sources, schemas: Schemas, config: Config, entries: Sequence[Entry]
) -> tuple[Source, ...]:
    outcomes: dict[str, Counter[Outcome]] = {}
    for entry in entries:
        outcomes.setdefault(entry.origin.file, Counter())[entry.outcome] += 1
    used = {f.file: f.sha256 for f in schemas.files}
    used |= sources.profiles
    if config.file and config.sha256:
        used[config.file] = config.sha256

    def used_as(file: str) -> str:
        return _used_as(file, config, sources.profiles)

    found = [
        _source(reading, used, outcomes.get(reading.file, Counter()), used_as)
        for reading in sources.readings
    ]
    listed = {source.file for source in found}
    found += [
        Source(file, "used", sha256, 0, 0, {}, used_as(file))
        for file, sha256 in used.items()
        if file not in listed
    ]
    return tuple(sorted(found, key=lambda source: source.file))


def _source(
    reading: Reading,
    used: Mapping[str, str],
    outcomes: Counter[Outcome],
    used_as: Callable[[str], str],
) -> Source:
    if reading.file in used and not reading.atoms:
        return Source(reading.file, "used", reading.sha256, 0, 0, {}, used_as(reading.file))
    counts = dict(sorted(outcomes.items()))
    return Source(
        file=reading.file,
        read_as=reading.read_as,
        sha256=reading.sha256,
        atoms=reading.atoms,
        entries=sum(counts.values()),
        outcomes=counts,
        why=reading.why,
        cells=reading.classes,
        skipped=reading.skipped,
    )


def _used_as(file: str, config: Config, profiles: Container[str]) -> str:
    if file == config.file:
        return "configuration"
    return "profile" if file in profiles else "schema"


def _unused_actions(config: Config, planned: Plan) -> list[str]:
    return sorted(config.actions.rules.keys() - planned.action_keys)


def _refuse_unused_actions(unused: Sequence[str], config: Config, planned: Plan) -> None:
    """An action for a rule that isn't there would look like a decision and be none.

    Of some of the sources that the configuration names it is not refused: others may state the
    rule.
    """
    faults = []
    for key in unused:
        near = difflib.get_close_matches(key, planned.action_keys, n=1, cutoff=0)
        faults.append(
            Fault(
                file=config.file or "ruleferry.toml",
                place=f'actions.rules."{key}"',
                found="a rule that no source states",
                expected="table.rule, as ruleferry explain shows it",
                todo=f"Correct the name; the nearest is {near[0]}." if near else "Remove it.",
            )
        )
    if faults:
        raise InputFaults(faults)


def _undecided(unused: Sequence[str], config: Config) -> Iterator[str]:
    if unused:
        keys = ", ".join(unused)
        yield f"{config.file}: [actions.rules] speaks of rules that these files don't state: {keys}"


def _notices(
    planned: Plan, schemas: Schemas, stale: Sequence[str], edited: Sequence[str]
) -> list[str]:
    notices = [f"{table}: no schema file has this table" for table in schemas.missing()]
    notices += [f"{file}: removed, since no rules go there any more" for file in stale]
    notices += [
        f"{file}: no rules go there any more; it was edited by hand, so it was left"
        for file in edited
    ]
    if len(planned.modules) > _MOST_FILES:
        notices.append(
            f"{len(planned.modules)} modules: a pipeline takes {_MOST_FILES} source files, "
            "and 1,000 in folders"
        )
    return notices
