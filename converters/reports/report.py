"""What the reports for people show: one view of the ledger, of which each report is a rendering.

HTML, workbook, Markdown and JSON differ in form alone: every figure and every word of theirs is
made here or in `words`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleferry.converters.account import Answered, Entry, Ledger, Proposal, Question, Source
from ruleferry.converters.mappings import Topic, caveats, gap_titles, gaps
from ruleferry.converters.naming import sha256
from ruleferry.converters.proved import Proved
from ruleferry.converters.reports.books import imbalances, outcome_counts
from ruleferry.converters.reports.ledger_json import by_table
from ruleferry.converters.reports.own_words import own_words
from ruleferry.converters.reports.text import count, label, where
from ruleferry.converters.reports.words import (
    CARRIED,
    DECIDERS,
    FAIL_COUNTS,
    NULLS,
    OUTCOMES,
    action_in_words,
    outcomes_in_order,
)
from ruleferry.converters.rule import Grade, Outcome, has_old_check

# What is known of a rule beside the old check: `stale`, where text or condition changed since;
# `not_run`, where nobody compared them; `no_check`, where no old check ever ran.
ProofState: TypeAlias = Literal["agrees", "differs", "untested", "stale", "not_run", "no_check"]
PROOFS: Mapping[ProofState, str] = {
    "agrees": "old and new agree on every record compared",
    "differs": "old and new disagree on some records",
    "untested": "could not be compared",
    "stale": "was compared before the rule changed",
    "not_run": "not compared yet",
    "no_check": "there is no old check to compare with",
}


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """Whether the old check of a rule may be switched off; `why` says what is missing."""

    may: bool
    why: str


@dataclass(frozen=True, slots=True)
class RuleView:
    """A rule as a person reads it.

    `title` names it, `words` says it in plain words, `text` as its author wrote it; `also`: the
    places that say the same and were merged into it; `action`, `why`: what becomes of a bad record,
    and who decided that; `caveats`: title and detail of what a reader of the condition must know;
    `questions`: ids of those about it.
    """

    entry: Entry
    title: str
    words: str
    text: str
    place: str
    also: tuple[str, ...]
    became: str
    reason: str
    nulls: str
    action: str
    why: str
    owner: str
    caveats: tuple[tuple[Grade, str, str], ...]
    proof: ProofState
    proved: Proved | None
    switch_off: SwitchOff
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuestionView:
    """`title`: of its topic; `opens`: whether rules are lost until somebody answers."""

    question: Question
    number: int
    title: str
    opens: bool
    rules: tuple[RuleView, ...]

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        return self.question.proposals

    @property
    def answered(self) -> tuple[Answered, ...]:
        return self.question.answered


@dataclass(frozen=True, slots=True)
class Line:
    """The figures of some rules; what is no rule is not counted.

    `checks`: those with an old check that runs somewhere; `off`: of how many it may be switched
    off; `ready`: of how many more it may be once old and new are seen to agree.
    """

    label: str
    rules: int
    carried: int
    merged: int
    left: int
    waived: int
    exact: int
    checks: int
    off: int
    ready: int


@dataclass(frozen=True, slots=True)
class Breakdown:
    by: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """`rules`: every entry but those that are no rules, by table, then by place; `others`: those.

    `imbalances`: a sentence for each figure of the books that does not add up.
    """

    tool: str
    total: Line
    outcomes: tuple[tuple[Outcome, int], ...]
    breakdowns: tuple[Breakdown, ...]
    questions: tuple[QuestionView, ...]
    rules: tuple[RuleView, ...]
    others: tuple[RuleView, ...]
    sources: tuple[Source, ...]
    imbalances: tuple[str, ...]


def report(ledger: Ledger, proofs: Iterable[Proved] = ()) -> Report:
    """The view of a ledger, with what is proved of its rules."""
    context = _context(ledger, proofs)
    views = [_rule(e, context) for e in sorted(ledger.entries, key=by_table)]
    rules = tuple(view for view in views if view.entry.outcome != "not_a_rule")
    return Report(
        tool=ledger.tool,
        total=_line("all rules", rules),
        outcomes=tuple(outcomes_in_order(outcome_counts(ledger.entries))),
        breakdowns=tuple(_breakdown(by, of, rules) for by, of in _BREAKDOWNS.items()),
        questions=tuple(_questions(ledger, views)),
        rules=rules,
        others=tuple(view for view in views if view.entry.outcome == "not_a_rule"),
        sources=ledger.sources,
        imbalances=imbalances(ledger),
    )


def _questions(ledger: Ledger, views: Sequence[RuleView]) -> Iterator[QuestionView]:
    """First those by which rules are lost, then those about many; rules as in the list of all."""
    places = {view.entry.id: place for place, view in enumerate(views)}

    def about(question: Question) -> list[int]:
        return sorted(places[rule_id] for rule_id in question.entries)

    def weight(question: Question) -> tuple[object, ...]:
        rules = about(question)
        return not _topic(question.code)[1], -len(rules), rules, question.code, question.id

    for number, question in enumerate(sorted(ledger.questions, key=weight), 1):
        topic, opens = _topic(question.code)
        rules = tuple(views[place] for place in about(question))
        yield QuestionView(question, number, topic.title, opens, rules)


def _topic(code: str) -> tuple[Topic, bool]:
    """Of a code, and whether it is one of gaps."""
    if code in gaps():
        return gaps()[code], code not in ("action_undecided", "action_conflict", "conflict")
    return caveats().get(code) or Topic(code, code), False


# One rule -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Context:
    leaders: Mapping[str, Entry]
    also: Mapping[str, Sequence[Entry]]
    proofs: Mapping[str, Proved]
    questions: Mapping[str, Sequence[str]]
    texts: Mapping[str, str]


def _context(ledger: Ledger, proofs: Iterable[Proved]) -> _Context:
    also: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in ledger.entries:
        if entry.merged_into:
            also[entry.merged_into].append(entry)
    asked: defaultdict[str, list[str]] = defaultdict(list)
    for question in ledger.questions:
        for rule_id in question.entries:
            asked[rule_id].append(question.id)
    leaders = {entry.id: entry for entry in ledger.entries if entry.outcome != "merged"}
    return _Context(leaders, also, {proof.id: proof for proof in proofs}, asked, own_words(ledger))


def _rule(entry: Entry, context: _Context) -> RuleView:
    leader = context.leaders.get(entry.merged_into or "", entry)
    proved = context.proofs.get(entry.id)
    proof = _proof(entry, leader, proved)
    return RuleView(
        entry=entry,
        title=label(entry),
        words=entry.words or entry.title,
        text=context.texts.get(entry.id, entry.origin.text),
        place=where(entry.origin),
        also=tuple(where(other.origin) for other in context.also.get(entry.id, ())),
        became=OUTCOMES[entry.outcome],
        reason=_reason(entry, leader),
        nulls=NULLS[leader.nulls] if leader.outcome in CARRIED else "",
        action=_action(leader),
        why=_why(leader),
        owner=dict(entry.tags).get("owner", ""),
        caveats=tuple(_caveats(entry)),
        proof=proof,
        proved=proved if proof in ("agrees", "differs", "untested") else None,
        switch_off=_switch_off(entry, leader, proof),
        questions=tuple(context.questions.get(entry.id, ())),
    )


def _reason(entry: Entry, leader: Entry) -> str:
    """Why it is not, or not by itself, in the module; empty where it is."""
    if entry.gap is not None:
        title = gap_titles().get(entry.gap.code, entry.gap.code)
        return f"{title}: {entry.gap.reason}"
    if entry.outcome == "merged":
        return f"{label(leader)} ({where(leader.origin)})"
    return entry.waived or entry.reason or ""


def _action(entry: Entry) -> str:
    counts = f"; {FAIL_COUNTS}" if entry.action == "fail" else ""
    return f"{action_in_words(entry)}{counts}" if entry.action else ""


def _why(entry: Entry) -> str:
    if entry.because is None:
        return ""
    by, detail = DECIDERS[entry.because.by], entry.because.detail
    return by if detail in ("", by, "not decided") else f"{by}: {detail}"


def _caveats(entry: Entry) -> Iterator[tuple[Grade, str, str]]:
    for caveat in entry.caveats:
        topic = caveats().get(caveat.code)  # none: a ledger of another version
        grade = topic.grade if topic else entry.grade
        yield grade or "exact", topic.title if topic else caveat.code, caveat.detail


def _proof(entry: Entry, leader: Entry, proved: Proved | None) -> ProofState:
    if not has_old_check(entry.origin):
        return "no_check"
    if proved is None:
        return "not_run"
    same = proved.text_sha256 == entry.text_sha256
    judged = proved.condition_sha256 == sha256(leader.condition or "")
    return proved.verdict if same and judged else "stale"


def _switch_off(entry: Entry, leader: Entry, proof: ProofState) -> SwitchOff:
    """Emitted, exact and proved; of what is merged, the rule that stands for it."""
    if proof == "no_check":
        return SwitchOff(False, "no old check runs: a person wrote the rule down")
    if leader.outcome not in CARRIED:
        return SwitchOff(False, f"the new rule does not run: {OUTCOMES[leader.outcome]}")
    if leader.grade != "exact":
        return SwitchOff(False, _NOT_EXACT[leader.grade or "assumed"])
    return SwitchOff(proof == "agrees", "" if proof == "agrees" else PROOFS[proof])


_NOT_EXACT: Mapping[Grade, str] = {
    "differs": "the new rule does not mean quite the same",
    "assumed": "the new rule rests on something that could not be established",
}


# Figures ------------------------------------------------------------------------------------------


_BREAKDOWNS: Mapping[str, Callable[[RuleView], str]] = {
    "source": lambda rule: rule.entry.origin.file,
    "table": lambda rule: rule.entry.table,
    "owner": lambda rule: rule.owner or "no owner stated",
    "action": lambda rule: rule.entry.action or "no action",
    "grade": lambda rule: rule.entry.grade or "not graded",
    "proof": lambda rule: PROOFS[rule.proof],
}


def _breakdown(by: str, of: Callable[[RuleView], str], rules: Sequence[RuleView]) -> Breakdown:
    groups: defaultdict[str, list[RuleView]] = defaultdict(list)
    for rule in rules:
        groups[of(rule)].append(rule)
    return Breakdown(by, tuple(_line(label, groups[label]) for label in sorted(groups)))


def _line(label: str, rules: Sequence[RuleView]) -> Line:
    outcomes = outcome_counts([rule.entry for rule in rules])
    carried = [rule for rule in rules if rule.entry.outcome in CARRIED]
    return Line(
        label=label,
        rules=len(rules),
        carried=len(carried),
        merged=outcomes.get("merged", 0),
        left=outcomes.get("gap", 0),
        waived=outcomes.get("waived", 0),
        exact=sum(rule.entry.grade == "exact" for rule in carried),
        checks=sum(rule.proof != "no_check" for rule in rules),
        off=sum(rule.switch_off.may for rule in rules),
        ready=sum(is_ready(rule) for rule in rules),
    )


def old_checks(line: Line) -> str:
    """The engineer's number in one sentence."""
    if not line.checks:
        return "No old check of these rules runs anywhere."
    may = f"{line.off:,} of {count(line.checks, 'old check')} may be switched off"
    if not line.ready:
        return f"{may}."
    return f"{may}; {which_wait(line)} may be once old and new are seen to agree."


def which_wait(line: Line) -> str:
    """Those of the old checks that wait for the comparison alone."""
    if line.off:
        return count(line.ready, "other")
    if line.ready < line.checks:
        return f"{line.ready:,} of them"
    return "it" if line.checks == 1 else "all of them"


def is_ready(rule: RuleView) -> bool:
    """Nothing but the proof is missing."""
    waits = ("not_run", "stale", "untested")
    return rule.proof in waits and rule.switch_off.why == PROOFS[rule.proof]
