"""Where in the code a statement stands, and what has been found so far."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from ruleferry.converters.readers.sql.code.effects import Around, Outcome
from ruleferry.converters.readers.sql.code.nodes import Span, Sql
from ruleferry.converters.readers.sql.code.rows import Record
from ruleferry.converters.readers.sql.code.values import Code
from ruleferry.converters.readers.sql.found import Checked, Found, Label
from ruleferry.converters.rule import Caveat, NotARule, Unread


@dataclass(frozen=True, slots=True)
class Guard:
    """Why a statement runs in some cases only; `code` is a row of mappings/gaps.toml."""

    code: str
    reason: str


@dataclass(frozen=True, slots=True)
class Place:
    """`record`: the one at hand, `guard`: what the statement depends on, `name`: of the routine.

    `told`: it stands in a branch that is a rule already.

    `written`: a trigger runs it, over what is written at once.
    """

    code: Code
    around: Around = field(default_factory=Around)
    record: Record | None = None
    guard: Guard | None = None
    name: str = ""
    written: bool = False
    runs_texts: bool = True
    told: bool = False


@dataclass(slots=True)
class Work:
    """`quiet`: what was done beside checks; `pending`: queries whose value nothing has tested yet;
    `collected`: variables with texts of complaints; `changed`: columns of the record at hand;
    `set_within`: variables that routines within the code set."""

    founds: list[Found] = field(default_factory=list)
    quiet: list[str] = field(default_factory=list)
    pending: dict[int, tuple[exp.Expression, Sql]] = field(default_factory=dict)
    collected: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    cursors: dict[str, Span] = field(default_factory=dict)
    tables: dict[str, str] = field(default_factory=dict)
    set_within: set[str] = field(default_factory=set)

    def add(self, checked: Checked, span: Span, place: Place) -> None:
        """What is no rule, or can't be told."""
        by = place.code.offset
        self.founds.append(Found(checked, span.start + by, span.end + by))

    def rule(
        self, checked: Checked, span: Span, place: Place, done: Outcome, part: str = ""
    ) -> None:
        by = place.code.offset
        labels = _named(done.labels, place)
        start, end = span.start + by, span.end + by
        self.founds.append(Found(checked, start, end, part, labels, done.effect))

    def gap(
        self, code: str, reason: str, span: Span, place: Place, done: Outcome | None = None
    ) -> None:
        table = place.record.table if place.record is not None else None
        checked = Checked(Unread(code, reason), "predicate", table or None)
        if done is None:
            self.add(checked, span, place)
        else:
            self.rule(checked, span, place, done)

    def no_rule(self, reason: str, span: Span, place: Place) -> None:
        self.add(Checked(NotARule(reason), "predicate", None), span, place)


def _named(labels: tuple[Label, ...], place: Place) -> tuple[Label, ...]:
    """Without a text of its own a rule is called as its routine."""
    if labels or not place.name:
        return labels
    return (Label("name", place.name),)


def first_match(checked: Checked) -> Checked:
    if isinstance(checked.check, Unread | NotARule):
        return checked
    detail = "the code shows the first of its messages only; as rules of their own they show all"
    return replace(checked, caveats=(*checked.caveats, Caveat("first_match", detail)))


def apart(founds: Sequence[Found], text: str, offset: int) -> tuple[Found, ...]:
    """No two of one line have the same part."""
    taken: set[tuple[int, str]] = set()
    out = []
    breaks = [place for place, sign in enumerate(text) if sign == "\n"]
    for found in founds:
        line = bisect_left(breaks, found.start - offset)
        part, number = found.part, 1
        while (line, part) in taken:
            number += 1
            part = f"{found.part} {number}" if found.part else f"statement {number}"
        taken.add((line, part))
        out.append(replace(found, part=part))
    return tuple(out)
