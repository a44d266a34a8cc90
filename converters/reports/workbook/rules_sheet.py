"""Sheet Rules: what became of every entry of the ledger, in a row each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ruleferry.converters.proved import DifferingRow
from ruleferry.converters.reports.report import PROOFS, Report, RuleView
from ruleferry.converters.reports.text import count
from ruleferry.converters.reports.words import GRADES
from ruleferry.converters.reports.workbook.cell_text import cell_text, height
from ruleferry.converters.reports.workbook.columns import RULE_HEADERS, RuleColumn
from ruleferry.converters.reports.workbook.shapes import Cell, Link, Row, Sheet, Style

# Differing records that a cell tells of.
_EXAMPLES = 3
_Numbers: TypeAlias = Mapping[str, int]


def rules_sheet(report: Report, rows_of_questions: Mapping[str, int]) -> Sheet:
    """`rows_of_questions`: id -> the row of sheet Questions."""
    numbers = {view.question.id: view.number for view in report.questions}
    header = Row(tuple(Cell(text, "header") for text in RULE_HEADERS.values()), 32)
    rows = [_row(rule, numbers, rows_of_questions) for rule in (*report.rules, *report.others)]
    return Sheet("Rules", (header, *rows), tuple(_WIDTHS.values()), frozen=2)


def rows_of_rules(report: Report) -> Mapping[str, int]:
    """Id -> the row of sheet Rules."""
    return {rule.entry.id: row for row, rule in enumerate((*report.rules, *report.others), 2)}


def _row(rule: RuleView, numbers: _Numbers, rows: Mapping[str, int]) -> Row:
    texts = {key: cell_text(_TEXTS[key](rule)) for key in _TEXTS}
    texts["questions"] = ", ".join(str(numbers[asked]) for asked in rule.questions)
    link = Link("Questions", rows[rule.questions[0]]) if rule.questions else None
    cells = tuple(
        Cell(texts[key], "link", link)
        if key == "questions" and link
        else Cell(texts[key], _STYLES.get(key, "text"))
        for key in RULE_HEADERS
    )
    return Row(cells, _height(texts))


def _height(texts: Mapping[RuleColumn, str]) -> int:
    cells = {key: (texts[key], width) for key, width in _WIDTHS.items()}
    quoted = [cells.pop(key) for key in _QUOTED]
    return height(list(cells.values()), quoted)


def _grade(rule: RuleView) -> str:
    grade = rule.entry.grade
    return f"{grade}: {GRADES[grade]}" if grade else ""


def _action(rule: RuleView) -> str:
    action = rule.entry.action
    return f"{action}: {rule.action}" if action else rule.action


def _proof(rule: RuleView) -> str:
    """How many records differ, and the first of them."""
    words, proved = PROOFS[rule.proof], rule.proved
    if proved is None or (rule.proof == "agrees" and not proved.rows):
        return words
    if rule.proof == "untested":
        return f"{words}: {proved.why}" if proved.why else words
    told = f"{words}: {proved.differing:,} of {count(proved.rows, 'record')} differ"
    return "\n".join([told, *map(_example, proved.examples[:_EXAMPLES])])


def _example(row: DifferingRow) -> str:
    values = ", ".join(f"{column} = {value}" for column, value in row.values)
    return f"• {values}: old {row.old}, new {row.new}"


def _condition(rule: RuleView) -> str:
    entry = rule.entry
    return entry.condition or (entry.validation.condition if entry.validation else "")


_TEXTS: Mapping[RuleColumn, Callable[[RuleView], str]] = {
    "rule": lambda rule: rule.title,
    "table": lambda rule: rule.entry.table,
    "words": lambda rule: rule.words,
    "text": lambda rule: rule.text,
    "condition": _condition,
    "nulls": lambda rule: rule.nulls,
    "became": lambda rule: rule.became,
    "reason": lambda rule: rule.reason,
    "action": _action,
    "why": lambda rule: rule.why,
    "grade": _grade,
    "caveats": lambda rule: "\n".join(f"{title}: {told}" for _, title, told in rule.caveats),
    "place": lambda rule: rule.place,
    "also": lambda rule: "\n".join(rule.also),
    "owner": lambda rule: rule.owner,
    "proof": _proof,
    "off": lambda rule: "yes" if rule.switch_off.may else "no",
    "off_why": lambda rule: rule.switch_off.why,
    "decided": lambda rule: "\n".join(rule.entry.decided),
    "name": lambda rule: rule.entry.name,
    "id": lambda rule: rule.entry.id,
}
_WIDTHS: Mapping[RuleColumn, int] = {
    "rule": 32, "table": 18, "words": 36, "text": 36, "condition": 40, "nulls": 11, "became": 24,
    "reason": 34, "action": 26, "why": 26, "grade": 26, "caveats": 34, "place": 26, "also": 26,
    "owner": 16, "proof": 26, "off": 13, "off_why": 28, "decided": 30, "questions": 11, "name": 24,
    "id": 13,
}  # fmt: skip
_QUOTED: tuple[RuleColumn, ...] = ("rule", "words", "text", "condition", "place", "also")
_STYLES: Mapping[RuleColumn, Style] = {
    "rule": "strong", "condition": "code", "name": "id", "id": "id",
}  # fmt: skip
