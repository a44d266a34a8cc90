"""Answers of workbooks -> decisions: what is new, what is replaced, and where people differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from ruleferry.converters.account import Answered, Ledger
from ruleferry.converters.answers.atoms import Slot, atoms, said, same_words, together
from ruleferry.converters.answers.given import Given, key
from ruleferry.converters.answers.last_words import last_words
from ruleferry.converters.answers.merged import Merged, NotTaken
from ruleferry.converters.answers.open_questions import (
    are_same_words,
    by_slot,
    disputes,
    is_fresh,
    is_told,
    unanswered,
)
from ruleferry.converters.answers.wishes import Asked, Row, Wish, asked_in, read_row, wishes
from ruleferry.converters.decided import Decision, Decisions, Told, answer_of
from ruleferry.converters.errors import Fault

# What becomes of a wish. `known`: it was decided so; `older`: the same person said something since;
# `told`: it was given before, and it is asked again since it settled nothing.
_Fate: TypeAlias = Literal["added", "replaced", "known", "older", "told"]

_LATER = "the same person gave a later answer"
_TOLD = "it was given before and settled nothing; who still means it writes the day of now"
_NO_ANSWER = "there is a note, and no answer"
_SPOKEN_FOR = "each of its rules has an answer of its own"


def merge(decisions: Decisions, given: Sequence[Given], ledger: Ledger) -> Merged:
    """The decisions with the answers. Where one can't be taken, `faults` has all of them, and the
    decisions stay as they are.
    """
    asked = asked_in(ledger)
    read = _read(given, asked, decisions)
    wanted = [w for _, of_file in groupby(read.rows, _file) for w in wishes(list(of_file), asked)]
    words = last_words(wanted)
    faults = {*read.faults, *_nameless(given), *words.faults}
    if faults:
        return Merged(decisions, faults=tuple(sorted(faults, key=_place)))
    held = _Held(by_slot(atoms(decisions)), _of_rules(decisions), _told(ledger), asked)
    fates = [(wish, held.fate(wish)) for wish in words.wishes]
    after = _after(decisions, fates, held)
    late: list[tuple[Given, _Fate]] = [(given, "older") for given in words.older]
    best = _best([*late, *((wish.given, fate) for wish, fate in fates)])
    silent = {row.given for row in read.rows} - {wish.given for wish in wanted}
    left = [NotTaken(given, _LATER) for given in _with(best, "older")]
    left += [NotTaken(given, _TOLD) for given in _with(best, "told")]
    left += [NotTaken(row.given, _SPOKEN_FOR) for row in read.rows if row.given in silent]
    return Merged(
        after,
        added=_with(best, "added"),
        replaced=_with(best, "replaced"),
        unchanged=(*_with(best, "known"), *read.known),
        not_taken=(*read.not_taken, *left),
        disputed=tuple(disputes(after, words.wishes, asked)),
        unanswered=tuple(unanswered(after, ledger, asked)),
    )


def _file(row: Row) -> str:
    return row.given.file


def _place(fault: Fault) -> tuple[str, str, str]:
    return fault.file, fault.place or "", fault.found


def _best(fates: Iterable[tuple[Given, _Fate]]) -> dict[Given, _Fate]:
    """Of a row that speaks for several rules: what changes most."""
    order: tuple[_Fate, ...] = ("older", "told", "known", "added", "replaced")
    best: dict[Given, _Fate] = {}
    for given, fate in fates:
        best[given] = max(best.get(given, fate), fate, key=order.index)
    return best


def _with(best: Mapping[Given, _Fate], fate: _Fate) -> tuple[Given, ...]:
    return tuple(given for given, found in best.items() if found == fate)


# Reading the rows ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Read:
    rows: tuple[Row, ...]
    known: tuple[Given, ...]
    not_taken: tuple[NotTaken, ...]
    faults: tuple[Fault, ...]


def _read(given: Iterable[Given], asked: Asked, decisions: Decisions) -> _Read:
    """File by file, whatever the order in which they were given."""
    held = _of_people(decisions)
    rows: list[Row] = []
    known: list[Given] = []
    not_taken: list[NotTaken] = []
    faults: list[Fault] = []
    for each in sorted(dict.fromkeys(given), key=lambda g: g.file):
        found = read_row(each, asked) if each.answer or each.action else _NO_ANSWER
        if isinstance(found, Row):
            rows.append(found)
        elif isinstance(found, Fault):
            faults.append(found)
        elif found != _NO_ANSWER and _was_taken(each, held):
            known.append(each)
        else:
            not_taken.append(NotTaken(each, found))
    return _Read(tuple(rows), tuple(known), tuple(not_taken), tuple(faults))


def _nameless(given: Iterable[Given]) -> Iterator[Fault]:
    for each in given:
        if (each.answer or each.action) and not each.by:
            yield Fault(
                each.file, each.place, "an answer without a name", "who gave it",
                'Fill "Answered by" in its row, or name the person with --by.',
            )  # fmt: skip


def _of_people(decisions: Decisions) -> Mapping[tuple[str, str], Sequence[Decision]]:
    """Rule and person -> what that person decided about it."""
    found: defaultdict[tuple[str, str], list[Decision]] = defaultdict(list)
    for decision in decisions.decisions:
        for rule in decision.rules:
            found[rule.id, key(decision.by)].append(decision)
    return found


def _was_taken(given: Given, held: Mapping[tuple[str, str], Sequence[Decision]]) -> bool:
    """Whether nobody asks any more since it was answered so."""
    reasons = [f"not carried over: {text}" for text in (given.note, given.answer) if text]
    words = {key(text) for text in (given.answer, given.action or "", *reasons) if text}
    rules = [given.rule] if given.rule else [rule for rule, _ in given.seen]
    found = [d for rule in rules for d in held.get((rule, key(given.by)), ())]
    return any(d.on == given.on and key(answer_of(d.verdict)) in words for d in found)


# Taking them --------------------------------------------------------------------------------------


def _of_rules(decisions: Decisions) -> Mapping[str, Sequence[Decision]]:
    """Rule -> all that was decided about it."""
    found: defaultdict[str, list[Decision]] = defaultdict(list)
    for atom in atoms(decisions):
        for rule in atom.rules:
            found[rule.id].append(atom)
    return found


def _told(ledger: Ledger) -> Mapping[str, Sequence[Answered]]:
    """Of a stale answer it is known by its text that it is old."""
    found: defaultdict[str, list[Answered]] = defaultdict(list)
    for question in ledger.questions:
        for rule in question.entries:
            found[rule] += [told for told in question.answered if told.state != "stale"]
    return found


@dataclass(frozen=True, slots=True)
class _Held:
    """What was decided before. Each wish is judged by that alone, so that their order does not
    matter. `told`: rule -> the answers that settle nothing, whichever question says so.
    """

    by_slot: Mapping[Slot, Sequence[Decision]]
    by_rule: Mapping[str, Sequence[Decision]]
    told: Mapping[str, Sequence[Answered]]
    asked: Asked

    def fate(self, wish: Wish) -> _Fate:
        mine = self._of_same_person(wish)
        if any(_says_it(atom, wish.atom) for atom in mine):
            return "known"
        day = wish.atom.on
        if day and any(atom.on and atom.on > day for atom in mine):
            return "older"
        told = [each for rule in wish.atom.rules for each in self.told.get(rule.id, ())]
        if any(_repeats(wish.atom, each) for each in told):
            return "told"
        if any(_is_before(wish.atom, each) for each in told):
            return "older"
        return "replaced" if self.replaced(wish) else "added"

    def replaced(self, wish: Wish) -> list[Decision]:
        return [*self._of_same_person(wish), *self._unsettled(wish)]

    def _of_same_person(self, wish: Wish) -> list[Decision]:
        found = [atom for where in wish.slots for atom in self.by_slot.get(where, ())]
        return [atom for atom in found if key(atom.by) == key(wish.atom.by)]

    def _unsettled(self, wish: Wish) -> Iterator[Decision]:
        """Answers for whose sake it is asked again: a new one stands for them all.

        An answer to a changed text that was given to the old one too is a new one.
        """
        for rule in wish.atom.rules:
            for atom in self.by_rule.get(rule.id, ()):
                told = [t.state for t in wish.question.answered if is_told(atom, t)]
                renewed = is_fresh(atom, self.asked) and set(told) == {"stale"}
                if told and not renewed:
                    yield atom


def _repeats(wish: Decision, told: Answered) -> bool:
    """A day that is known need not be said again."""
    return is_told(wish, told) or (wish.on is None and are_same_words(wish, told))


def _is_before(wish: Decision, told: Answered) -> bool:
    """Whether the same person has said something since that a newer answer may have replaced."""
    same = key(told.by) == key(wish.by)
    return same and bool(wish.on and told.on and wish.on.isoformat() < told.on)


def _says_it(held: Decision, wish: Decision) -> bool:
    """The same of the same text, in the same words; a day that is known need not be said again."""
    if said(held) != said(wish) or not same_words(held, wish):
        return False
    same_text = isinstance(wish.verdict, Told) or held.rules[0].text == wish.rules[0].text
    return same_text and wish.on in (held.on, None)


def _after(before: Decisions, fates: Sequence[tuple[Wish, _Fate]], held: _Held) -> Decisions:
    new = [wish for wish, fate in fates if fate in ("added", "replaced")]
    if not new:
        return before
    gone = {atom for wish in new for atom in held.replaced(wish)}
    kept = [atom for atom in atoms(before) if atom not in gone]
    return together([*kept, *(wish.atom for wish in new)], before)
