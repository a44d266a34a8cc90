"""The question about places of one file that contradict each other: both, and the choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ruleferry.converters.account import Entry, Proposal, Question, Side

# File and place.
_At: TypeAlias = tuple[str, str]
# Signs of a cell's text, and of what it says.
_TEXT, _WORDS = 60, 90
_CHECKED = "this is checked, whatever the other cell says"
_EMPTY = "that a value is required is recorded as waived, with your name"


def paired(entries: Iterable[Entry]) -> Mapping[str, str]:
    """Rule id -> the key of its question, which all have whose places contradict each other."""
    sides = [(entry, side) for entry in entries if (side := _side(entry)) is not None]
    above: dict[_At, _At] = {}
    for entry, side in sides:
        ends = _top(above, _at(entry)), _top(above, (entry.origin.file, side.place))
        above[max(ends)] = min(ends)
    return {entry.id: "\n".join(_top(above, _at(entry))) for entry, _ in sides}


def _at(entry: Entry) -> _At:
    return entry.origin.file, entry.origin.place


def _top(above: dict[_At, _At], at: _At) -> _At:
    """The first of all places that are joined with this one."""
    while above.get(at, at) != at:
        above[at] = at = above.get(above[at], above[at])
    return at


def of_both(question: Question, about: Sequence[Entry]) -> Question:
    """The question as it is asked about several places; another one stays as it is."""
    by_place: dict[str, list[Entry]] = {}
    for entry in about:
        if _side(entry) is not None:
            by_place.setdefault(entry.origin.place, []).append(entry)
    if len(by_place) < 2:
        return question
    said = [f'{place} says "{_cut(of[0].origin.text, _TEXT)}"' for place, of in by_place.items()]
    first = about[0]
    asked = (
        f"Cells of {first.origin.file} about one field contradict each other: "
        f"{', and '.join(said)}. Which of them holds?"
    )
    proposals = (*_proposed(by_place), *question.proposals)
    return replace(question, question=asked, proposals=proposals)


def _side(entry: Entry) -> Side | None:
    return entry.gap.side if entry.gap else None


def _proposed(by_place: Mapping[str, Sequence[Entry]]) -> Iterator[Proposal]:
    """What each place says by itself, where it says the same of each of its tables."""
    for place, entries in by_place.items():
        said = {(s.condition, s.permits, s.words) for s in map(_side, entries) if s is not None}
        condition, permits, words = said.pop()
        if said or not words:
            continue
        label = f"{_cut(words, _WORDS)}, as {place} says"
        if permits:
            yield Proposal(label, _EMPTY, "waive")
        else:
            yield Proposal(label, _CHECKED, "value", condition)


def _cut(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
