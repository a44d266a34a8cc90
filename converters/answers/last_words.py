"""Of what one person says in several rows the last word; where none is the last, that is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ruleferry.converters.answers.atoms import Slot, said, slot
from ruleferry.converters.answers.given import Given, key
from ruleferry.converters.answers.wishes import Wish
from ruleferry.converters.decided import Decision, Verdict, Waived, answer_of
from ruleferry.converters.errors import Fault
from ruleferry.converters.reports.text import shorten, visible

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class LastWords:
    """`older`: rows after which the same person gave another answer."""

    wishes: tuple[Wish, ...]
    older: tuple[Given, ...]
    faults: tuple[Fault, ...]


def last_words(wanted: Sequence[Wish]) -> LastWords:
    """Of each person, for each rule or fact, one wish."""
    people: defaultdict[tuple[str, Slot], list[int]] = defaultdict(list)
    for number, wish in enumerate(wanted):
        for where in wish.slots:
            people[key(wish.atom.by), where].append(number)
    late: set[int] = set()
    faults: list[Fault] = []
    for numbers in people.values():
        found = [wanted[number] for number in numbers]
        if not _agree(found):
            newest = max((w.atom.on for w in found if w.atom.on), default=None)
            late |= {n for n in numbers if wanted[n].atom.on != newest}
            if any(w.atom.on is None for w in found) or not _agree(_of_day(found, newest)):
                faults += _contradictions(found)
    left = [wish for number, wish in enumerate(wanted) if number not in late]
    older = [wanted[number].given for number in sorted(late)]
    return LastWords(tuple(_joined(left)), tuple(older), tuple(faults))


def _agree(found: Sequence[Wish]) -> bool:
    return len({said(wish.atom) for wish in found}) < 2


def _of_day(found: Sequence[Wish], day: object) -> list[Wish]:
    return [wish for wish in found if wish.atom.on == day]


def _contradictions(found: Sequence[Wish]) -> Iterator[Fault]:
    """Each row that says something else than the first one."""
    first = found[0]
    for wish in found[1:]:
        if said(wish.atom) != said(first.atom):
            given, other = wish.given, first.given
            there = other.place if other.file == given.file else f"{other.file}, {other.place}"
            yield Fault(
                given.file, given.place,
                f"{_shown(wish)} and, in {there}, {_shown(first)} by the same person",
                "one answer, or different days under Answered on",
                "Delete the one that is not meant, or write the days.",
            )  # fmt: skip


def _shown(wish: Wish) -> str:
    return f'"{shorten(visible(answer_of(wish.atom.verdict)), _SHOWN)}"'


# What is said twice -------------------------------------------------------------------------------


def _joined(wanted: Iterable[Wish]) -> Iterator[Wish]:
    """What one person says twice is one decision, with all notes."""
    groups: defaultdict[tuple[str, Slot], list[Wish]] = defaultdict(list)
    for wish in wanted:
        groups[key(wish.atom.by), slot(wish.atom)].append(wish)
    for found in groups.values():
        atom = _one([wish.atom for wish in found])
        yield from (replace(wish, atom=atom) for wish in found)


def _one(found: Sequence[Decision]) -> Decision:
    if len(found) == 1:
        return found[0]
    first = min(found, key=_order)
    rules = dict.fromkeys(rule for atom in found for rule in atom.rules)
    return replace(
        first,
        verdict=_verdict(first.verdict, [atom.verdict for atom in found]),
        note=_all(atom.note for atom in found),
        on=max((atom.on for atom in found if atom.on), default=None),
        rules=tuple(sorted(rules, key=lambda rule: rule.id)),
    )


def _order(atom: Decision) -> tuple[str, ...]:
    return atom.code, atom.asked, atom.by, answer_of(atom.verdict)


def _verdict(first: Verdict, found: Iterable[Verdict]) -> Verdict:
    reasons = [verdict.reason for verdict in found if isinstance(verdict, Waived)]
    return Waived(_all(reasons)) if isinstance(first, Waived) else first


def _all(texts: Iterable[str]) -> str:
    return "; ".join(sorted({text for text in texts if text}))
