"""A drift report in Markdown, as a comment on a pull request or the summary of a CI run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ruleferry.converters.drifted import Accepted, Difference, Drift, Level
from ruleferry.converters.reports.drift import shown
from ruleferry.converters.reports.drift.plain import plain
from ruleferry.converters.reports.drift.words import CHANGES, EVERYTHING, LEVELS
from ruleferry.converters.reports.markdown import (
    cell_code,
    code,
    folded,
    paragraph,
    prose,
    table,
)
from ruleferry.converters.reports.text import count, listed

# GitHub takes 65,536 characters in a comment; bytes are counted here, which are never fewer.
_MOST = 60_000
_FOR_ACCEPTED = 8_000
# The most severe are open; the others are there and folded away.
_OPEN = 5
_NOTICES = 10
_CONDITION = 1_000
_CONDITION_FOLDED = 400


def comment(drift: Drift, fail_on: Level) -> str:
    """What is left out, for GitHub's sake, is told."""
    found = shown.ordered(drift)
    top = "".join(_top(drift, found, fail_on))
    bottom = "".join(_bottom(drift))
    accepted = _accepted(drift, _FOR_ACCEPTED)
    room = _MOST - sum(map(_size, (top, bottom, accepted))) - 1_000
    opened = _fitting((_open(i, one, fail_on) for i, one in _numbered(found[:_OPEN])), room)
    room -= sum(map(_size, opened))
    others = found[len(opened) :] if len(opened) == len(found[:_OPEN]) else []
    rest = _fitting((_folded(i, one, fail_on) for i, one in _numbered(others, _OPEN)), room)
    left_out = found[len(opened) + len(rest) :]
    parts = (top, *opened, _fold(others[: len(rest)], rest), _left_out(left_out), accepted, bottom)
    return "\n".join(filter(None, parts))


def _size(text: str) -> int:
    return len(text.encode())


def _numbered(found: Sequence[Difference], before: int = 0) -> Iterator[tuple[int, Difference]]:
    return enumerate(found, before + 1)


def _fitting(pieces: Iterable[str], room: int) -> list[str]:
    """The first ones, as long as they fit; each takes a line feed more."""
    fitting: list[str] = []
    for piece in pieces:
        room -= _size(piece) + 1
        if room < 0:
            break
        fitting.append(piece)
    return fitting


def _top(drift: Drift, found: Sequence[Difference], fail_on: Level) -> Iterator[str]:
    yield "### ruleferry drift\n\n"
    yield f"**{prose(shown.headline(drift, fail_on))}**\n"
    rows = [
        (
            *(CHANGES[one.change].name, LEVELS[one.level], f"{number:,}"),
            "yes" if counting else f"no, below {fail_on}",
        )
        for one, number, counting in shown.tally(found, fail_on)
    ]
    if rows:
        head = ("difference", "what it is", "how many:", f"counts (--fail-on {fail_on})")
        yield f"\n{table(head, rows)}"
        yield f"\nCompared: {prose(shown.agreement(drift))}.\n"


# Differences --------------------------------------------------------------------------------------


def _open(number: int, one: Difference, fail_on: Level) -> str:
    return "".join(_difference(number, one, fail_on, _CONDITION))


def _folded(number: int, one: Difference, fail_on: Level) -> str:
    return "".join(_difference(number, one, fail_on, _CONDITION_FOLDED))


def _difference(number: int, one: Difference, fail_on: Level, room: int) -> Iterator[str]:
    beside = shown.mark(one, fail_on)
    yield f"#### {number:,}. {CHANGES[one.change].name}: {code(shown.name(one))}"
    yield f"{beside and f' ({beside})'}\n\n"
    if words := shown.heading(one):
        yield f"{paragraph(words)}\n\n"
    yield f"*{prose(shown.side(one))}*: {_with_code(shown.what_happened(one))}\n\n"
    yield _stands(one, room)
    if told := shown.parts(one):
        yield f"\nThey part: {prose(told)}\n"
    yield f"\n**To do:** {_with_code(shown.way_out(one))}\n"


def _with_code(text: str) -> str:
    """Prose; what stands between two backticks in it is code."""
    pieces = text.split("`")
    if not len(pieces) % 2:
        return prose(text)
    written = ""
    for number, piece in enumerate(pieces):
        made = code(piece) if number % 2 else prose(piece)
        apart = piece[:1] == " " or pieces[number - 1][-1:] == " " if number else False
        touching = written[-1:] == made[:1] == "`"
        written += f"{' ' if made and written and (apart or touching) else ''}{made}"
    return written


def _stands(one: Difference | Accepted, room: int) -> str:
    rows = [
        (each.who, cell_code(each.place), each.action, _says(each))
        for each in shown.stands(one, room)
    ]
    return table(("", "where", "bad record", "condition"), rows)


def _says(stand: shown.Stand) -> str:
    return " ".join(filter(None, (cell_code(stand.condition), prose(stand.note))))


def _fold(found: Sequence[Difference], pieces: Sequence[str]) -> str:
    if not found:
        return ""
    kinds = Counter(CHANGES[one.change].name for one in found)
    told = listed(f"{number:,} {name}" for name, number in kinds.items())
    return folded(f"{count(len(found), 'more difference')}: {told}", "\n".join(pieces))


def _left_out(found: Sequence[Difference]) -> str:
    if not found:
        return ""
    kinds = Counter(CHANGES[one.change].name for one in found)
    told = listed(f"{number:,} {name}" for name, number in kinds.items())
    number = count(len(found), "more difference")
    return f"**{number} ({told}) left out here**, as a comment has a limit: {EVERYTHING}.\n"


# What else is known -------------------------------------------------------------------------------


def _accepted(drift: Drift, room: int) -> str:
    if not drift.accepted:
        return ""
    ordered = shown.ordered_accepted(drift)
    pieces = _fitting(map(_one_accepted, ordered), room)
    left = len(ordered) - len(pieces)
    more = f"\n{left:,} more left out here: {EVERYTHING}.\n" if left else ""
    return folded(shown.accepted_words(drift), "\n".join(pieces) + more)


def _one_accepted(one: Accepted) -> str:
    how = prose(shown.accepted_how(one))
    return f"{code(shown.name(one))}: {how}\n\n{_stands(one, _CONDITION_FOLDED)}"


def _bottom(drift: Drift) -> Iterator[str]:
    notices = list(dict.fromkeys(drift.notices))
    for notice in notices[:_NOTICES]:
        yield f"Note: {prose(plain(notice))}\n\n"
    if len(notices) > _NOTICES:
        yield f"{len(notices) - _NOTICES:,} more notes: {EVERYTHING}.\n\n"
    if drift.written is not None:
        yield f"{prose(shown.written(drift.written))}\n"
