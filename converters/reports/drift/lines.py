"""A drift report in a terminal or in the log of a CI run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleferry.converters.drifted import Accepted, Difference, Drift, Level, reaches
from ruleferry.converters.reports.drift import shown
from ruleferry.converters.reports.drift.plain import line, plain
from ruleferry.converters.reports.drift.words import CHANGES, EVERYTHING, LEVELS
from ruleferry.converters.reports.terminal import Line, Style, aligned
from ruleferry.converters.reports.text import display_width

_COLUMNS = 100
_NARROWEST = 40
# Of many the first are shown in full; the others as figures.
_IN_FULL = 20
_FEW = 10
# Of a longer condition the part in which it differs.
_CONDITION = 600
_LABELS = 10
_LABEL = {"sources": "sources", "module": "module", "last conversion": "last said"}


def lines(drift: Drift, fail_on: Level, width: int | None) -> tuple[Line, ...]:
    """The verdict, the differences with both places and both conditions, and what else is known."""
    columns = max(width or _COLUMNS, _NARROWEST)
    found = shown.ordered(drift)
    blocks = (
        _verdict(drift, fail_on, columns),
        *(_difference(one, fail_on, columns) for one in found[:_IN_FULL]),
        _others(found, fail_on, columns),
        _accepted(drift, columns),
        _ending(drift, columns),
    )
    told = [each for block in map(list, blocks) if block for each in (*block, ("", ""))]
    return tuple((line(text), style) for text, style in told[:-1])


def _verdict(drift: Drift, fail_on: Level, columns: int) -> Iterator[Line]:
    counts = shown.counted(drift, fail_on) or shown.nothing_compared(drift)
    yield from folded("", shown.headline(drift, fail_on), columns, "yellow" if counts else "bold")


def _difference(one: Difference, fail_on: Level, columns: int) -> Iterator[Line]:
    counts = reaches(one.level, fail_on)
    beside = shown.mark(one, fail_on)
    mark = beside and f" ({beside})"
    head: Style = "yellow" if counts else "dim"
    yield from folded("", f"{CHANGES[one.change].name}: {shown.name(one)}{mark}", columns, head)
    if words := shown.heading(one):
        yield from folded("  ", words, columns)
    yield from folded("  ", f"{shown.side(one)}: {shown.what_happened(one)}", columns)
    for stand in shown.stands(one, _CONDITION):
        yield from _stand(stand, columns)
    if told := shown.parts(one):
        yield from _labelled("they part", told, columns)
    yield from _labelled("to do", shown.way_out(one), columns)


def _stand(stand: shown.Stand, columns: int) -> Iterator[Line]:
    """The place in one line, the condition below it."""
    action = f"[{stand.action}]" if stand.action else ""
    beside = " ".join(filter(None, (stand.place, action, stand.note)))
    yield from _labelled(_LABEL[stand.who], beside, columns)
    if stand.condition:
        yield from folded(" " * (_LABELS + 4), stand.condition, columns)


def _labelled(label: str, text: str, columns: int) -> Iterator[Line]:
    first, *rest = folded(" " * (_LABELS + 4), text, columns)
    yield f"  {label:<{_LABELS}}  {first[0].lstrip()}".rstrip(), first[1]
    yield from rest


def _others(found: Sequence[Difference], fail_on: Level, columns: int) -> Iterator[Line]:
    """How many of each change there are, where not all are shown."""
    left = len(found) - _IN_FULL
    if left <= 0:
        return
    rows = [
        (
            *(CHANGES[one.change].name, f"{number:,}", LEVELS[one.level]),
            _counting(number, counting, fail_on),
        )
        for one, number, counting in shown.tally(found, fail_on)
    ]
    told = f"… and {left:,} more; --format markdown shows more, {EVERYTHING}. All together:"
    yield from folded("", told, columns, "bold")
    yield from ((f"  {row}", "") for row in aligned(rows, right=(1,)))


def _counting(number: int, counting: int, fail_on: Level) -> str:
    if counting:
        return "counts" if number == 1 else "count"
    return f"below --fail-on {fail_on}"


def _accepted(drift: Drift, columns: int) -> Iterator[Line]:
    if not drift.accepted:
        return
    yield shown.accepted_words(drift), "bold"
    for one in shown.ordered_accepted(drift)[:_FEW]:
        yield from _one_accepted(one, columns)
    if len(drift.accepted) > _FEW:
        yield f"  … and {len(drift.accepted) - _FEW:,} more; {EVERYTHING}", "dim"


def _one_accepted(one: Accepted, columns: int) -> Iterator[Line]:
    yield from folded("  ", f"{shown.name(one)}: {shown.accepted_how(one)}", columns)
    places = " and ".join(filter(None, map(shown.where, (one.source, one.module))))
    if places:
        yield from folded("    ", f"in {places}", columns)


def _ending(drift: Drift, columns: int) -> Iterator[Line]:
    if drift.differences:
        yield from folded("", f"Compared: {shown.agreement(drift)}.", columns)
    for notice in dict.fromkeys(drift.notices):
        yield from folded("", f"Note: {plain(notice)}", columns)
    if drift.written is not None:
        yield from folded("", shown.written(drift.written), columns, "bold")


# Folding ------------------------------------------------------------------------------------------


def folded(indent: str, text: str, columns: int, style: Style = "") -> list[Line]:
    """The text in lines of so many columns, each after the indent; broken at spaces if can be."""
    room = columns - len(indent)
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}"
        if not lines[-1]:
            lines[-1:] = _pieces(word, room)
        elif display_width(joined) <= room:
            lines[-1] = joined
        else:
            lines += _pieces(word, room)
    return [(f"{indent}{each}".rstrip(), style) for each in lines if each] or [("", style)]


def _pieces(word: str, room: int) -> list[str]:
    """A word at the beginning of a line, and the lines that it takes if it is a long one."""
    parts: list[str] = []
    word = line(word)
    while display_width(word) > room:
        cut = next(n for n in range(room, 0, -1) if display_width(word[:n]) <= room)
        parts.append(word[:cut])
        word = line(word[cut:])
    return [*parts, word]
