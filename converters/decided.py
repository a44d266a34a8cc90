"""What stewards decided: the decisions of `decisions.toml`, as frozen rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TypeAlias

from ruleferry.converters.account import About, Takes
from ruleferry.converters.rule import Action, Kind

# Signs of a text's SHA-256 that a decision keeps.
HASH_DIGITS = 12
# The answer that every question about rules takes, also where none of its proposals says it: the
# reason stands beside it.
WAIVE_LABEL = "don't carry it over"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The proposal by whose label nothing changes: what was assumed holds."""

    label: str


@dataclass(frozen=True, slots=True)
class Waived:
    reason: str


@dataclass(frozen=True, slots=True)
class Stated:
    """The condition of the rule in Databricks SQL, TRUE for a good record."""

    condition: str


@dataclass(frozen=True, slots=True)
class Acted:
    action: Action


@dataclass(frozen=True, slots=True)
class Kept:
    """Of rules that contradict, the one with this id holds; the others are waived."""

    id: str


@dataclass(frozen=True, slots=True)
class Called:
    """The rule's name in the module."""

    name: str


@dataclass(frozen=True, slots=True)
class Told:
    """A fact about a file or a table; `takes` is never "condition", which `Stated` is."""

    takes: Takes
    value: str


@dataclass(frozen=True, slots=True)
class Profiled:
    """How a workbook is read: a profile, which a person confirmed."""

    profile: str


@dataclass(frozen=True, slots=True)
class Pending:
    """A person does something elsewhere; until that is done nothing changes."""

    label: str


Verdict: TypeAlias = (
    Accepted | Waived | Stated | Acted | Kept | Called | Told | Profiled | Pending
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RuleDecided:
    """A rule as it was when somebody decided: found by its id, else by all that follows.

    `text`: the first 12 digits of its text's SHA-256. `rule`: `table.name`, for the reader.
    """

    id: str
    text: str
    rule: str = ""
    table: str = ""
    kind: Kind | None = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """One answer. `code`: of the question's topic; `about` and `asked`: what it was asked about.

    A fact (`Told`, `Profiled`) holds for what it is about; every other verdict holds for the
    `rules` alone, so that a rule that comes later is asked about again. `place`: the line of the
    file that it begins on.
    """

    verdict: Verdict
    by: str
    on: date | None = None
    note: str = ""
    code: str = ""
    about: About = field(default_factory=About)
    asked: str = ""
    rules: tuple[RuleDecided, ...] = ()
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions of one file: `file` as shown, with its SHA-256; empty where there is none."""

    file: str = "decisions.toml"
    sha256: str | None = None
    decisions: tuple[Decision, ...] = ()


NO_DECISIONS = Decisions()


def answer_of(verdict: Verdict) -> str:
    """The answer as a person reads it."""
    match verdict:
        case Accepted() | Pending():
            return verdict.label
        case Waived():
            return f"not carried over: {verdict.reason}"
        case Stated():
            return verdict.condition
        case Acted():
            return verdict.action
        case Kept():
            return f"the rule {verdict.id} holds"
        case Called():
            return f"called {verdict.name}"
        case Told():
            return verdict.value
        case Profiled():
            return f"read by {verdict.profile}"


def who(decision: Decision) -> str:
    """`Ann Smith on 2026-11-30`."""
    return f"{decision.by} on {decision.on.isoformat()}" if decision.on else decision.by


def by_rule(decisions: Decisions) -> Mapping[str, tuple[Decision, ...]]:
    """id -> the decisions that name it, in the order of the file."""
    found: dict[str, list[Decision]] = {}
    for decision in decisions.decisions:
        for rule in decision.rules:
            found.setdefault(rule.id, []).append(decision)
    return {rule_id: tuple(named) for rule_id, named in found.items()}
