"""Where the sources, the committed modules and the last conversion part, as frozen rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from ruleferry.converters.rule import Action

# Who made a difference. source: a rule's text changed since the last conversion. hand: the module
# was edited. both: the two disagree, since each was changed. settings: the configuration, a
# decision, a profile, a schema or an option. tool: another version of ruleferry makes another
# condition of the same text, which no person did.
Side: TypeAlias = Literal["source", "hand", "both", "settings", "tool"]

# What a difference is. A rule is checked no more; it lets more records pass, or fewer; another
# action; another condition, neither tighter nor looser as far as is known; the same of a column
# under another name; another table, or another record of it, that it looks at; another figure or
# query behind it; another table that the module reads; another name; something else in the module;
# a rule that could be carried over and can't be any more, and the other way round; a rule that
# can't be carried over, with another text; an answer to a text that is another now; a new rule.
Change: TypeAlias = Literal[
    "removed", "gap_opened", "loosened", "changed", "tightened", "action_changed",
    "renamed_column", "lookup_changed", "validation_changed", "table_changed", "edited_outside",
    "name_changed", "gap_changed", "gap_closed", "answer_stale", "added",
]  # fmt: skip

# How much a difference matters, the most first: a check that is gone, one that lets more pass, one
# that says something else, and all others.
Level: TypeAlias = Literal["removed", "loosened", "changed", "any"]

CHANGES: tuple[Change, ...] = get_args(Change)
SIDES: tuple[Side, ...] = get_args(Side)
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class At:
    """A place: of a source (`Fields!F12`, `expectations[3]`, `line 14`) or of a module (`line 88`).

    `line`: its number, where the place is one.
    """

    file: str
    place: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What one of the three says of a rule. `note`: why it has no condition, or what is beside it.

    `condition`: Databricks SQL, TRUE for a good record.
    """

    condition: str | None = None
    action: Action | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which they part. `rule`: its name; `id`: 12 hex digits, if a source states it.

    `level`: of this one (an action that became weaker is `loosened`). `title`: the rule in words.
    `source`, `module`: where it stands, or stood last; None where it never did. `source_says`,
    `module_says`: now; `last_said`: in the last conversion. `detail`: what happened, in one
    sentence; `todo`: the way out.
    """

    change: Change
    side: Side
    level: Level
    rule: str
    table: str
    detail: str
    todo: str
    id: str | None = None
    columns: tuple[str, ...] = ()
    title: str = ""
    source: At | None = None
    module: At | None = None
    source_says: Said | None = None
    module_says: Said | None = None
    last_said: Said | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """A difference that a person stands for: by a mark in the module, or by a decision."""

    how: Literal["manual", "decision"]
    rule: str
    table: str
    reason: str
    id: str | None = None
    source: At | None = None
    module: At | None = None
    source_says: Said | None = None
    module_says: Said | None = None


@dataclass(frozen=True, slots=True)
class Drift:
    """The comparison. `rules`: module, as shown to a person -> how many rules of it were compared.

    `sources`: how many rules the sources state; `written`: the files that were written anew, where
    that was asked for; None where it was not.
    """

    differences: tuple[Difference, ...]
    accepted: tuple[Accepted, ...]
    rules: Mapping[str, int]
    sources: int
    notices: tuple[str, ...] = ()
    written: tuple[str, ...] | None = None


def reaches(found: Level, wanted: Level) -> bool:
    """Whether a difference counts where `--fail-on` says `wanted`: each includes those after it."""
    return LEVELS.index(found) <= LEVELS.index(wanted)


def drifted(drift: Drift, wanted: Level) -> bool:
    """Whether anything at or above the wanted level was found."""
    return any(reaches(one.level, wanted) for one in drift.differences)
