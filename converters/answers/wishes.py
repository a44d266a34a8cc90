"""What the rows of the workbooks want to be decided, rule by rule, fact by fact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ruleferry.converters.account import About, Entry, Ledger, Question, Takes
from ruleferry.converters.answers.atoms import Slot, assumed_slot, fact_slot, slot
from ruleferry.converters.answers.choices import Choice, chosen
from ruleferry.converters.answers.given import Given
from ruleferry.converters.decided import (
    HASH_DIGITS,
    Accepted,
    Acted,
    Decision,
    Kept,
    Pending,
    RuleDecided,
    Stated,
    Told,
    Verdict,
    Waived,
)
from ruleferry.converters.decisions_file import without_halves
from ruleferry.converters.errors import Fault


@dataclass(frozen=True, slots=True)
class Wish:
    """`rivals`: what else of the same person it replaces, since both can't hold."""

    atom: Decision
    given: Given
    question: Question
    rivals: tuple[Slot, ...] = ()

    @property
    def slots(self) -> tuple[Slot, ...]:
        return slot(self.atom), *self.rivals


@dataclass(frozen=True, slots=True)
class Asked:
    """A ledger, as answers are looked up in it. `about`: question -> its rules."""

    questions: Mapping[str, Question]
    entries: Mapping[str, Entry]
    about: Mapping[str, frozenset[str]]

    def hash(self, rule: str) -> str:
        return self.entries[rule].text_sha256[:HASH_DIGITS]

    def decided(self, rule: str) -> RuleDecided:
        entry = self.entries[rule]
        return RuleDecided(
            rule,
            self.hash(rule),
            without_halves(f"{entry.table}.{entry.name}") if entry.name else "",
            without_halves(entry.table),
            entry.kind,
            tuple(map(without_halves, entry.columns)),
        )


def asked_in(ledger: Ledger) -> Asked:
    return Asked(
        {question.id: question for question in ledger.questions},
        {entry.id: entry for entry in ledger.entries},
        {question.id: frozenset(question.entries) for question in ledger.questions},
    )


@dataclass(frozen=True, slots=True)
class Row:
    """An answered row whose question is still asked. `rules`: those that it is about, where their
    text is still the one that the workbook shows.
    """

    given: Given
    question: Question
    choice: Choice
    rules: tuple[str, ...]


_GONE = "nobody asks this any more"
_OLDER = "the rule changed after this workbook was written; the newest one asks again"


def read_row(given: Given, asked: Asked) -> Row | Fault | str:
    """The row with what it decides; or why nobody asks that any more."""
    question = asked.questions.get(given.question)
    if question is None or (given.rule and given.rule not in asked.about[question.id]):
        return _GONE
    choice = chosen(given, question)
    if isinstance(choice, Fault):
        return choice
    shown = {given.rule: given.text} if given.rule else dict(given.seen)
    if question.entries and not shown:
        return _no_rules(given)
    rules = [given.rule] if given.rule else [r for r in question.entries if r in shown]
    fresh = tuple(rule for rule in rules if shown[rule] == asked.hash(rule))
    return Row(given, question, choice, fresh) if fresh else _OLDER


def _no_rules(given: Given) -> Fault:
    return Fault(
        given.file, given.place, "an answer for several rules, whose rows are missing",
        "the rows of the rules below the question",
        "Undo their deletion, or copy the answer into the newest gap_report.xlsx.",
    )  # fmt: skip


def wishes(rows: Sequence[Row], asked: Asked) -> Iterator[Wish]:
    """Of one file: what a rule's own row says comes before the row of the whole question."""
    own_answers: defaultdict[str, set[str]] = defaultdict(set)
    own_actions: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.choice.answer is not None:
            own_answers[row.question.id].add(row.given.rule)
        if row.choice.acted is not None or isinstance(row.choice.answer, Acted):
            own_actions[row.question.id].add(row.given.rule)
    for row in rows:
        answered, acted = own_answers[row.question.id], own_actions[row.question.id]
        if row.choice.answer is not None:
            yield from _of_answer(row, row.choice.answer, answered, acted, asked)
        if row.choice.acted is not None:
            rules = row.rules if row.given.rule else [r for r in row.rules if r not in acted]
            yield from _of_rules(row, row.choice.acted, rules, asked)


def _of_answer(
    row: Row, verdict: Verdict, answered: set[str], acted: set[str], asked: Asked
) -> Iterator[Wish]:
    if isinstance(verdict, Told):
        yield from _facts(row, verdict, asked)
        return
    elsewhere = answered | acted if isinstance(verdict, Acted) else answered
    others = row.rules if not row.given.rule else ()
    if isinstance(verdict, Kept):  # it speaks of all the rules that contradict
        others = tuple(r for r, text in row.given.seen if text == _hash(r, row, asked))
    rules = [rule for rule in others if rule not in elsewhere]
    own = [row.given.rule] if row.given.rule else []
    yield from _of_rules(row, verdict, [*own, *rules], asked)


def _hash(rule: str, row: Row, asked: Asked) -> str | None:
    return asked.hash(rule) if rule in asked.about[row.question.id] else None


def _of_rules(row: Row, verdict: Verdict, rules: Iterable[str], asked: Asked) -> Iterator[Wish]:
    for rule in rules:
        atom = replace(_decision(row, verdict), rules=(asked.decided(rule),))
        yield Wish(atom, row.given, row.question, tuple(_rivals(atom, row.question, asked)))


def _rivals(atom: Decision, question: Question, asked: Asked) -> Iterator[Slot]:
    """Who says that all is as assumed, or mends it elsewhere, takes back a fact of his."""
    fact = question.takes is not None and question.takes != "condition"
    if fact and isinstance(atom.verdict, Accepted | Pending):
        for about in abouts(question, [atom.rules[0].id], asked):
            yield fact_slot(question.takes or "", about)


def _decision(row: Row, verdict: Verdict) -> Decision:
    given, about = row.given, row.question.about
    return Decision(
        _held(verdict),
        by=without_halves(given.by),
        on=given.on,
        note="" if isinstance(verdict, Waived) else without_halves(given.note),
        code=row.question.code,
        about=_file_text(about),
        asked=without_halves(row.question.question),
    )


def _held(verdict: Verdict) -> Verdict:
    match verdict:
        case Accepted() | Pending():
            return replace(verdict, label=without_halves(verdict.label))
        case Stated():
            return Stated(without_halves(verdict.condition))
        case Waived():
            return Waived(without_halves(verdict.reason))
        case Told():
            return Told(verdict.takes, without_halves(verdict.value))
        case _:
            return verdict


def _file_text(about: About) -> About:
    def text(value: str | None) -> str | None:
        return None if value is None else without_halves(value)

    parts = about.file, about.table, about.column, about.header, about.text
    return About(*map(text, parts))


# Facts --------------------------------------------------------------------------------------------


def _facts(row: Row, verdict: Told, asked: Asked) -> Iterator[Wish]:
    """A fact holds for a file or a table, whichever of its rules it was told at."""
    rules = row.rules if row.question.about == About() else row.question.entries
    for about in abouts(row.question, rules, asked):
        of = [r for r in row.question.entries if about in abouts(row.question, [r], asked)]
        decided = tuple(asked.decided(rule) for rule in of)
        atom = replace(_decision(row, verdict), about=_file_text(about), rules=decided)
        rivals = tuple(assumed_slot(row.question.code, rule) for rule in of)
        yield Wish(atom, row.given, row.question, rivals)


def abouts(question: Question, rules: Iterable[str], asked: Asked) -> Sequence[About]:
    """What a fact is about; where the question does not say it, what its rules share with it."""
    if question.about != About():
        return [question.about]
    entries = [asked.entries[rule] for rule in rules]
    return list(dict.fromkeys(_about(question.takes, entry) for entry in entries))


def _about(takes: Takes | None, entry: Entry) -> About:
    if takes in ("order_by", "columns", "tables"):
        return About(table=entry.table)
    return About(file=entry.origin.file)
