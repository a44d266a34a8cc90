"""The questions of the short report: a block each, as many as there is room for."""

from collections.abc import Iterator

from ruleferry.converters.account import Answered, Proposal
from ruleferry.converters.reports.cells import Room, begun, fitting, named, said
from ruleferry.converters.reports.report import QuestionView, Report
from ruleferry.converters.reports.text import count, listed
from ruleferry.converters.reports.words import ANSWERED

_BLOCKS = Room(25, 20_000)
# Of one question: proposals, earlier answers and places.
_PROPOSALS = 6
_ANSWERED = 2
_PLACES = 3


def question_section(report: Report, elsewhere: str, workbook: bool) -> Iterator[str]:
    """In the order of all reports: first those by which rules are lost.

    `workbook`: whether there is one in which they are answered.
    """
    questions = report.questions
    if not questions:
        return
    yield f"## {count(len(questions), 'question')} for the owner of the rules\n"
    if workbook:
        yield "Answers go into `gap_report.xlsx`; `ruleferry answers` reads them from there.\n"
    shown = fitting(map(_block, questions), _BLOCKS)
    yield from shown
    if len(questions) > len(shown):
        yield f"… and {len(questions) - len(shown):,} more: {elsewhere}.\n"


def _block(view: QuestionView) -> str:
    question = view.question
    lines = [f"### {view.number}. {said(question.question, 300)}\n"]
    lines.append(f"{begun(view.title)}: {count(len(view.rules), 'rule')}{_places(view)}.\n")
    proposals = [_proposal(proposal) for proposal in view.proposals[:_PROPOSALS]]
    if len(view.proposals) > _PROPOSALS:
        proposals.append(f"- … and {len(view.proposals) - _PROPOSALS:,} more\n")
    lines.append("".join(proposals))
    lines += [_answered(answer) for answer in view.answered[:_ANSWERED]]
    lines.append(f"Until somebody answers: {said(question.until_answered, 240)}\n")
    return "\n".join(line for line in lines if line)


def _places(view: QuestionView) -> str:
    if not view.rules:
        return ""
    places = [named(rule.place, 100) for rule in view.rules[:_PLACES]]
    more = len(view.rules) - _PLACES
    return f", at {listed([*places, f'{more:,} more'] if more > 0 else places)}"


def _proposal(proposal: Proposal) -> str:
    effect = f" – {said(proposal.effect, 200)}" if proposal.effect else ""
    return f"- **{said(proposal.label)}**{effect}\n"


def _answered(answer: Answered) -> str:
    by = said(f"{answer.by} on {answer.on}" if answer.on else answer.by)
    why = said(answer.why or ANSWERED[answer.state], 200)
    return f"Answered before by {by}: {said(answer.answer)}. It is asked again: {why}\n"
