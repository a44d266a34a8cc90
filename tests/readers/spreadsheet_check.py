"""Compares what the product made of a dictionary with what a person found in it."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any
from unittest.mock import patch

from spreadsheet_truth import Expected, File

from ruleferry.converters import conversion, plan
from ruleferry.converters.account import Entry
from ruleferry.converters.config import Config, Source
from ruleferry.converters.conversion import convert
from ruleferry.converters.drafts import Draft, TypesOf, drafts
from ruleferry.converters.express import Condition
from ruleferry.converters.rule import Kind, Lookup, Reading, Table
from ruleferry.converters.schemas import read_schemas
from ruleferry.converters.sources import read_sources


@dataclass(frozen=True, slots=True)
class Run:
    """A file as the product read it: its entries with their drafts, and what types it was told."""

    config: Config
    reading: Reading
    types_of: TypesOf
    entries: tuple[tuple[Entry, Draft], ...]

    def at(self, place: str) -> list[tuple[Entry, Draft]]:
        """Of a cell, its comment, and the validation of an area that begins with it."""
        begins = (f"{place} ", f"{place}:")
        return [
            (e, d)
            for e, d in self.entries
            if e.origin.place == place or e.origin.place.startswith(begins)
        ]

    @property
    def carried(self) -> list[tuple[Entry, Draft]]:
        return [(e, d) for e, d in self.entries if is_carried(e)]


def is_carried(entry: Entry) -> bool:
    """A merged rule is in the module under the name of another."""
    return entry.outcome in (*plan.CARRIED, "merged")


def run(config: Config) -> Run:
    """`config` names one dictionary. What convert reads and makes on its way is kept."""
    kept: dict[str, Any] = {}

    def keeping(name, made):
        def of(*given, **named):
            kept[name] = made(*given, **named)
            return kept[name]

        return of

    with ExitStack() as patches:
        for name, (room, made) in _STEPS.items():
            patches.enter_context(patch.object(room, made.__name__, keeping(name, made)))
        done = convert(config)
    made = {draft.id: draft for draft in kept["drafts"]}
    reading = max(kept["sources"].readings, key=lambda found: found.atoms)
    entries = tuple((entry, made[entry.id]) for entry in done.ledger.entries)
    return Run(config, reading, kept["schemas"].types_of, entries)


_STEPS = {
    "sources": (conversion, read_sources),
    "schemas": (conversion, read_schemas),
    "drafts": (plan, drafts),
}


def config_of(root, name: str, profile: str | None) -> Config:
    return Config(root, root, sources=(Source(path=(name,), profile=profile),))


# One rule -----------------------------------------------------------------------------------------


def says(expected: Expected, entry: Entry, draft: Draft, found: Run) -> bool:
    """Whether an entry says what was expected: the kind, the columns, the table, the condition."""
    if not is_carried(entry) or entry.kind not in _kinds(expected):
        return False
    own = {name.casefold(): name for name in draft.rule.columns}
    if not {name.casefold() for name in expected.columns} <= own.keys():
        return False
    if not isinstance(draft.result, Condition):
        return entry.outcome == "merged"  # it repeats a rule: there is nothing to compare
    return any(_same(draft, made, found) for made in _as_drafts(expected, draft, found, own))


def _kinds(expected: Expected) -> tuple[Kind, ...]:
    scoped = any(scope is not None for _, scope in expected.ways)
    return (*expected.kinds, "predicate") if scoped else expected.kinds


def _as_drafts(
    expected: Expected, draft: Draft, found: Run, own: Mapping[str, str]
) -> Iterable[Draft]:
    """The hand-made rule, told the product's engine and types, with its spelling of columns."""
    same = not expected.table or expected.table.casefold() == draft.rule.table.name.casefold()
    table = draft.rule.table if same or expected.table is None else Table(expected.table)
    for check, scope in expected.ways:
        named, limited = spelt(check, own), spelt(scope, own)
        rule = replace(draft.rule, check=named, scope=limited, table=table)
        reading = replace(found.reading, rules=(rule,))
        yield drafts((reading,), found.types_of, found.config, {})[0]


def _same(draft: Draft, made: Draft, found: Run) -> bool:
    if not isinstance(made.result, Condition) or not isinstance(draft.result, Condition):
        return False
    tables = draft.target.key == made.target.key
    return tables and draft.result.said == made.result.said


def spelt(given, own: Mapping[str, str]):
    """A check with its columns spelt as the dictionary spells them."""
    if isinstance(given, str):
        return own.get(given.casefold(), given)
    if isinstance(given, tuple):
        return tuple(spelt(part, own) for part in given)
    if isinstance(given, Lookup):  # the other table has its own spelling
        return replace(given, keys=tuple((spelt(ours, own), other) for ours, other in given.keys))
    if not is_dataclass(given):
        return given
    parts = {
        field.name: spelt(getattr(given, field.name), own)
        for field in fields(given)
        if field.name not in _NO_COLUMNS
    }
    return replace(given, **parts)


_NO_COLUMNS = {"value", "values", "low", "high", "operator", "sort", "table", "patterns", "text"}


# A file -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """`found`: rules that are there; `right` and `wrong`: what was carried over at the places."""

    file: str
    found: tuple[Expected, ...]
    missing: tuple[str, ...]
    right: int
    wrong: tuple[str, ...]
    not_gaps: tuple[str, ...]

    @property
    def recall(self) -> float:
        wanted = len(self.found) + len(self.missing)
        return len(self.found) / wanted if wanted else 1.0

    @property
    def precision(self) -> float:
        carried = self.right + len(self.wrong)
        return self.right / carried if carried else 1.0


def judge(file: File, found: Run) -> Verdict:
    """What a run says at the hand-read places."""
    known = (*file.rules, *file.may)
    right, wrong = [], []
    for place in _places(file):
        for entry, draft in found.at(place):
            if is_carried(entry):
                there = [e for e in known if place in e.places]
                good = any(says(expected, entry, draft, found) for expected in there)
                (right if good else wrong).append(shown(entry))
    met = tuple(e for e in file.rules if _is_met(e, found))
    return Verdict(
        file=file.name,
        found=met,
        missing=tuple(f"{e.place} {'/'.join(e.kinds)}" for e in file.rules if e not in met),
        right=len(right),
        wrong=tuple(wrong),
        not_gaps=tuple(_not_gaps(file, found, right)),
    )


def _is_met(expected: Expected, found: Run) -> bool:
    return any(
        says(expected, entry, draft, found)
        for place in expected.places
        for entry, draft in found.at(place)
    )


def _places(file: File) -> list[str]:
    expected = [place for rule in (*file.rules, *file.may) for place in rule.places]
    others = [gap.place for gap in file.gaps] + [never.place for never in file.not_rules]
    return list(dict.fromkeys([*expected, *others]))


def _not_gaps(file: File, found: Run, right: list[str]) -> Iterable[str]:
    """The gaps that are none, and the questions about cells that need none."""
    for gap in file.gaps:
        entries = [entry for entry, _ in found.at(gap.place)]
        asked = [e for e in entries if e.gap and (not gap.codes or e.gap.code in gap.codes)]
        if not asked and not any(shown(entry) in right for entry in entries):
            yield f"{gap.place}: {_told(entries)}; wanted a gap {'/'.join(sorted(gap.codes))}"
    for never in file.not_rules:
        entries = [entry for entry, _ in found.at(never.place)]
        if not never.gap_ok and any(entry.gap for entry in entries):
            yield f"{never.place}: {_told(entries)}; wanted no question ({never.why})"


def _told(entries: list[Entry]) -> str:
    said = [f"{e.outcome} {e.gap.code if e.gap else ''}".strip() for e in entries]
    return ", ".join(said) or "no entry"


def shown(entry: Entry) -> str:
    text = entry.origin.text[:40].replace("\n", " ")
    condition = entry.condition or entry.outcome
    return f"{entry.origin.place} {entry.kind} {entry.table}: {condition} <- {text!r}"


# The books ----------------------------------------------------------------------------------------


def summary(verdicts: Iterable[Verdict]) -> str:
    """Precision and recall, a line for each file."""
    lines = []
    for v in verdicts:
        wanted = len(v.found) + len(v.missing)
        lines.append(
            f"{v.file:44} precision {v.precision:4.0%} ({v.right} of {v.right + len(v.wrong)})"
            f"  recall {v.recall:4.0%} ({len(v.found)} of {wanted})"
            + (f"  not as wanted {len(v.not_gaps)}" if v.not_gaps else "")
        )
    return "\n".join(lines)
