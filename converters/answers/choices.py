"""What an answer of a workbook decides: a proposal that was chosen, or a text of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from ruleferry.converters.account import Proposal, Question
from ruleferry.converters.answers.given import Given, key
from ruleferry.converters.decided import (
    WAIVE_LABEL,
    Accepted,
    Acted,
    Kept,
    Pending,
    Stated,
    Told,
    Verdict,
    Waived,
)
from ruleferry.converters.errors import Fault
from ruleferry.converters.reports.text import listed, shorten, visible
from ruleferry.converters.rule import Action

_WAIVE = (key(WAIVE_LABEL), "waive")
_SHOWN = 60
# What is written under Answer where a question takes more than its proposals.
_WRITTEN = {
    "condition": "the condition that a good record meets, such as amount >= 0",
    "table": "the table's name, such as main.sales.orders",
    "engine": "the name of the program or database",
    "dialect": "the name of the database",
    "order_by": "the columns that give the order",
    "columns": "the names, as: name in the source = name on Databricks",
    "tables": "the names, as: name in the source = catalog.schema.table",
    "meaning": "what the column says",
    "legend": "what it says, such as: a value is required",
    "threshold": "what the thresholds count, such as: of bad records, in percent",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What a row decides: by its Answer, and by its Action beside it."""

    answer: Verdict | None
    acted: Acted | None


def chosen(given: Given, question: Question) -> Choice | Fault:
    """What a row decides about a question."""
    answer = answered(given, question) if given.answer else None
    if isinstance(answer, Fault):
        return answer
    acted = Acted(given.action) if given.action else None
    if acted is None or answer == acted:
        return Choice(answer, None)
    if isinstance(answer, Acted) or _says_warn(answer, question):
        found = f'"{_shown(given.answer)}" as the answer and {acted.action} as the action'
        return _fault(given, found, "one action", "Keep the one that is meant.")
    return Choice(answer, acted)


def _says_warn(answer: Verdict | None, question: Question) -> bool:
    """Who accepts that nothing was decided says that the rule warns."""
    return isinstance(answer, Accepted) and question.code == "action_undecided"


def answered(given: Given, question: Question) -> Verdict | Fault:
    wanted = key(given.answer)
    for proposal in question.proposals:
        if wanted in (key(proposal.label), key(visible(proposal.label))):
            return _chosen(proposal, given, question)
    if wanted in _WAIVE:
        return _waived(given, "")
    return _written(given, question)


def _chosen(proposal: Proposal, given: Given, question: Question) -> Verdict | Fault:
    match proposal.does:
        case "settle":
            return Accepted(proposal.label)
        case "waive":
            return _waived(given, proposal.label)
        case "keep":
            return Kept(proposal.value)
        case "elsewhere":
            return Pending(proposal.label)
        case "write":
            expected = _WRITTEN.get(question.takes or "", "an answer in words")
            found = f'"{_shown(given.answer)}", which says that something is to be written'
            return _fault(given, found, expected, "Write that itself under Answer.")
        case "action":
            action = next((word for word in get_args(Action) if word == proposal.value), None)
            return Acted(action) if action else _damaged(given, proposal)
        case "value":
            return _valued(proposal, question)


def _damaged(given: Given, proposal: Proposal) -> Fault:
    found = f'the proposal "{_shown(proposal.label)}" with the action "{_shown(proposal.value)}"'
    return _fault(given, found, "warn, drop or fail", "Run `ruleferry convert` again.")


def _valued(proposal: Proposal, question: Question) -> Verdict:
    takes = question.takes or "condition"
    return Stated(proposal.value) if takes == "condition" else Told(takes, proposal.value)


def _waived(given: Given, label: str) -> Verdict | Fault:
    """A proposal says itself why; who only says that a rule is not wanted must say why."""
    bare = key(label) in ("", *_WAIVE)
    if given.note or not bare:
        return Waived(given.note or label)
    found = f'"{_shown(given.answer)}" without a reason'
    todo = "Write into Note of the same row why the rule is not needed."
    return _fault(given, found, "the reason, for whoever asks later", todo)


def _written(given: Given, question: Question) -> Verdict | Fault:
    if question.takes == "condition":
        return Stated(_condition(given.answer))
    if question.takes is not None:
        return Told(question.takes, given.answer.replace("\xa0", " ").strip())
    return _fault(
        given, f'"{_shown(given.answer)}"', f"one of {_offered(question.proposals)}",
        "Pick one of them; what else there is to say goes into Note.",
    )  # fmt: skip


def _condition(text: str) -> str:
    """As it was typed; a space that only looks like one is one, save in a text or a name."""
    return text if any(quote in text for quote in "'\"`") else text.replace("\xa0", " ")


def _offered(proposals: Sequence[Proposal]) -> str:
    labels = [f'"{visible(p.label)}"' for p in proposals if p.does != "write"]
    return listed(dict.fromkeys([*labels, f'"{WAIVE_LABEL}"']))


def _shown(text: str) -> str:
    return shorten(visible(text), _SHOWN)


def _fault(given: Given, found: str, expected: str, todo: str) -> Fault:
    return Fault(given.file, given.place, found, expected, todo)
