"""Sheet Questions: what is asked, each question once, and where its answer is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ruleferry.converters.account import Answered
from ruleferry.converters.decided import HASH_DIGITS, WAIVE_LABEL
from ruleferry.converters.reports.report import QuestionView, Report, RuleView
from ruleferry.converters.reports.text import count, listed, visible
from ruleferry.converters.reports.words import ACTIONS, ANSWERED, TAKES
from ruleferry.converters.reports.workbook.cell_text import cell_text, height
from ruleferry.converters.reports.workbook.columns import (
    FILLED,
    QUESTION_HEADERS,
    QuestionColumn,
)
from ruleferry.converters.reports.workbook.shapes import Cell, Choice, Link, Row, Sheet, Style

WIDTHS: Mapping[QuestionColumn, int] = {
    "number": 6, "question": 40, "rule": 26, "row": 9, "text": 26, "proposals": 40, "before": 10,
    "answer": 32, "action": 9, "note": 26, "by": 16, "on": 12, "until": 28, "table": 18,
    "place": 26, "question_id": 13, "rule_id": 13, "text_hash": 13,
}  # fmt: skip
# Where earlier answers are told.
_BEFORE = 32
_STYLES: Mapping[QuestionColumn, Style] = {
    "number": "later", "answer": "answer", "action": "answer", "note": "answer", "by": "answer",
    "on": "date", "question_id": "id", "rule_id": "id", "text_hash": "id",
}  # fmt: skip
# Texts of the sources.
_QUOTED: tuple[QuestionColumn, ...] = ("rule", "text", "place")
_COLUMNS: tuple[QuestionColumn, ...] = tuple(QUESTION_HEADERS)
# Tables that a question about several of them names.
_NAMED = 3


def questions_sheet(report: Report, rows_of_rules: Mapping[str, int]) -> Sheet:
    """`rows_of_rules`: id -> the row of sheet Rules."""
    widths = _widths(report)
    lines = [_Line({}, header=True)]
    for view in report.questions:
        lines += _lines(view, rows_of_rules)
    return Sheet(
        name="Questions",
        rows=tuple(_row(line, widths) for line in lines),
        widths=tuple(widths.values()),
        choices=tuple(_choices(lines)),
        frozen=2,
    )


def rows_of_questions(report: Report) -> Mapping[str, int]:
    """Id -> the row of sheet Questions."""
    found, row = {}, 2
    for view in report.questions:
        found[view.question.id] = row
        row += 1 + (len(view.rules) if len(view.rules) > 1 else 0)
    return found


def offered(view: QuestionView) -> tuple[str, ...]:
    """The answers that may be picked, each on one line."""
    labels = [visible(proposal.label) for proposal in view.proposals]
    if view.rules and not any(proposal.does == "waive" for proposal in view.proposals):
        labels.append(WAIVE_LABEL)
    return tuple(dict.fromkeys(labels))


def _widths(report: Report) -> Mapping[QuestionColumn, int]:
    """Earlier answers are rare: without one their column is narrow."""
    answered = any(view.answered for view in report.questions)
    return {**WIDTHS, "before": _BEFORE} if answered else WIDTHS


# Lines ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    """A row before it is laid out.

    `view`: the question that it answers, wholly or for one rule; `row`: that rule's in sheet Rules.
    """

    texts: Mapping[QuestionColumn, str | int]
    view: QuestionView | None = None
    row: int | None = None
    folded: bool = False
    header: bool = False

    @property
    def opens(self) -> bool:
        return self.view is not None and not self.folded and len(self.view.rules) > 1


def _lines(view: QuestionView, rows_of_rules: Mapping[str, int]) -> Iterator[_Line]:
    """The question; below it, where it is about several rules, each of them."""
    alone = view.rules[0] if len(view.rules) == 1 else None
    row = rows_of_rules[alone.entry.id] if alone else None
    yield _Line(_question_texts(view, alone), view, row)
    if alone is None:
        for number, rule in enumerate(view.rules, 1):
            row = rows_of_rules[rule.entry.id]
            yield _Line(_rule_texts(view, rule, number), view, row, folded=True)


def _question_texts(
    view: QuestionView, alone: RuleView | None
) -> Mapping[QuestionColumn, str | int]:
    return {
        "number": view.number,
        "question": view.question.question,
        "proposals": "\n".join(_possible(view)),
        "before": "\n".join(map(_before, view.answered)),
        "until": view.question.until_answered,
        "question_id": view.question.id,
        **(_of_rule(alone) if alone else _of_rules(view.rules)),
    }


def _rule_texts(
    view: QuestionView, rule: RuleView, number: int
) -> Mapping[QuestionColumn, str | int]:
    return {
        "number": f"{view.number}.{number}",
        "question": f"↳ question {view.number}, for this rule alone",
        "question_id": view.question.id,
        **_of_rule(rule),
    }


def _of_rule(rule: RuleView) -> Mapping[QuestionColumn, str | int]:
    return {
        "rule": rule.title if rule.words in rule.title else f"{rule.title}\n{rule.words}",
        "text": rule.text,
        "table": rule.entry.table,
        "place": rule.place,
        "rule_id": rule.entry.id,
        "text_hash": rule.entry.text_sha256[:HASH_DIGITS],
    }


def _of_rules(rules: Sequence[RuleView]) -> Mapping[QuestionColumn, str | int]:
    if not rules:
        return {}
    tables = sorted({rule.entry.table for rule in rules})
    files = sorted({rule.entry.origin.file for rule in rules})
    texts = {rule.text for rule in rules}
    return {
        "rule": f"{count(len(rules), 'rule')}: answer here for all of them, or press + at the left "
        "edge and answer for one",
        "text": texts.pop() if len(texts) == 1 else "",
        "table": _some(tables),
        "place": _some(files),
    }


def _some(names: Sequence[str]) -> str:
    if len(names) <= _NAMED:
        return listed(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED:,} more"


def _possible(view: QuestionView) -> Iterator[str]:
    for proposal in view.proposals:
        effect = f" – {proposal.effect}" if proposal.effect else ""
        yield f"• {visible(proposal.label)}{effect}"
    if WAIVE_LABEL in offered(view):
        yield f"• {WAIVE_LABEL} – please write the reason into Note"
    if view.question.takes:
        yield f"• or write {TAKES[view.question.takes]}"


def _before(answered: Answered) -> str:
    on = f" on {answered.on}" if answered.on else ""
    why = f" – {answered.why}" if answered.why else ""
    return f"{answered.by}{on}: {answered.answer} ({ANSWERED[answered.state]}{why})"


# Layout -----------------------------------------------------------------------------------------


def _row(line: _Line, widths: Mapping[QuestionColumn, int]) -> Row:
    if line.header:
        return _header()
    values = {key: _shown(line.texts.get(key, "")) for key in _COLUMNS}
    link = Link("Rules", line.row) if line.row else None
    cells = tuple(
        Cell(f"row {line.row}", "link", link)
        if key == "row" and link
        else Cell(values[key], _style(key, line))
        for key in _COLUMNS
    )
    return Row(cells, _height(values, widths), folded=line.folded, opens=line.opens)


def _shown(value: str | int) -> str | int:
    return cell_text(value) if isinstance(value, str) else value


def _height(
    values: Mapping[QuestionColumn, str | int], widths: Mapping[QuestionColumn, int]
) -> int:
    texts = {key: (text, widths[key]) for key, text in values.items() if isinstance(text, str)}
    quoted = [texts.pop(key) for key in _QUOTED]
    return height(list(texts.values()), quoted)


def _header() -> Row:
    cells = (
        Cell(header, "header_filled" if key in FILLED else "header")
        for key, header in QUESTION_HEADERS.items()
    )
    return Row(tuple(cells), 32)


def _style(key: QuestionColumn, line: _Line) -> Style:
    if key == "number" and line.view is not None and line.view.opens and not line.folded:
        return "open"
    if key == "question" and not line.folded:
        return "strong"
    return _STYLES.get(key, "text")


# Choices ----------------------------------------------------------------------------------------


def _choices(lines: Sequence[_Line]) -> Iterator[Choice]:
    """One for each list of answers, for the actions and for the dates."""
    answers: defaultdict[tuple[tuple[str, ...], str | None], list[int]] = defaultdict(list)
    actions, dates = [], []
    for row, line in enumerate(lines, 1):
        if line.view is None:
            continue
        picks = offered(line.view)
        answers[picks, line.view.question.takes].append(row)
        dates.append(row)
        if line.view.rules:
            actions.append(row)
    for (picks, takes), rows in answers.items():
        if picks:
            yield _answers(picks, takes, rows)
    if actions:
        told = "\n".join(f"{action}: {words}" for action, words in ACTIONS.items())
        yield Choice(_number("action"), tuple(actions), tuple(ACTIONS), False, told)
    if dates:
        yield Choice(_number("on"), tuple(dates), None, False, "The day, such as 2026-11-30")


def _answers(picks: tuple[str, ...], takes: str | None, rows: Sequence[int]) -> Choice:
    told = "Pick one of the answers in the list"
    written = TAKES.get(takes) if takes else None  # type: ignore[call-overload]
    told = f"{told}, or write {written}" if written else told
    return Choice(_number("answer"), tuple(rows), picks, takes is not None, f"{told}.")


def _number(key: QuestionColumn) -> int:
    return _COLUMNS.index(key) + 1
