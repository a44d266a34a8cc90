"""Sheet Summary: what a steward is to do, and the figures that a manager asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleferry.converters.reports.report import Breakdown, Line, Report, which_wait
from ruleferry.converters.reports.text import count
from ruleferry.converters.reports.workbook.cell_text import cell_text, height
from ruleferry.converters.reports.workbook.shapes import Cell, Link, Row, Sheet

TITLE = "What became of your rules, and what you are asked"
_HOW = (
    "1.  Open the sheet Questions: each row asks one thing, and a red number marks what keeps "
    "rules from being checked.",
    "2.  Pick an answer from the list in the yellow column Answer, or write your own where "
    "“Possible answers” says so; Action says what happens to a bad record.",
    "3.  Write your name into Answered by, and what others should know into Note; you may leave "
    "any question open.",
    "4.  Save the file as .xlsx, and give it to the engineer who sent it to you.",
    "5.  The engineer runs:  ruleferry answers FILE  – and your answers hold from the next "
    "conversion on.",
)
_FIGURES: Mapping[str, str] = {
    "rules": "rules",
    "carried": "in the new pipeline",
    "merged": "same as another",
    "left": "left for a person",
    "waived": "not carried over",
    "exact": "mean the same",
    "checks": "old checks",
    "off": "may be switched off",
    "ready": "once compared",
}
_WIDTHS = (46, *(13 for _ in _FIGURES))


def summary_sheet(report: Report) -> Sheet:
    rows = (
        Row((Cell(TITLE, "title"),), 28),
        Row((Cell(cell_text(_said(report)), "note"),), 18),
        *(Row((Cell(f"Mind: {cell_text(wrong)}", "warning"),)) for wrong in report.imbalances),
        Row(()),
        *_links(report),
        Row(()),
        Row((Cell("How to answer", "heading"),), 20),
        *(Row((Cell(line, "note"),), 18) for line in _HOW),
        Row(()),
        Row((Cell("Where the rules are now", "heading"),), 20),
        *_headline(report),
        *(row for breakdown in report.breakdowns for row in _breakdown(breakdown)),
    )
    return Sheet("Summary", rows, _WIDTHS, listing=False)


def _said(report: Report) -> str:
    total = report.total
    rules = f"{report.tool} read {count(total.rules, 'rule')}"
    fates = f"{total.carried:,} are in the new pipeline, {total.left:,} are left for a person"
    return f"{rules}: {fates}. {_asked(report)}"


def _asked(report: Report) -> str:
    if not report.questions:
        return "There is nothing to answer."
    asked = count(len(report.questions), "question")
    opens = sum(view.opens for view in report.questions)
    are = "is" if opens == 1 else "are"
    which = "it" if len(report.questions) == opens == 1 else f"{opens:,} of them"
    told = f"{which} {are} about rules that are not checked until you answer"
    return f"You are asked {asked}; {told}."


def _links(report: Report) -> Iterator[Row]:
    entries = len(report.rules) + len(report.others)
    for sheet, told in (
        ("Questions", f"{count(len(report.questions), 'question')}: here you answer"),
        ("Rules", f"{count(entries, 'row')}: every rule, and what was read and is none"),
        ("Sources", f"{count(len(report.sources), 'file')}: what was read, and what was not"),
    ):
        yield Row((Cell(f"Go to {sheet}", "go", Link(sheet)), Cell(told, "note")), 18)


# Figures ----------------------------------------------------------------------------------------


def _headline(report: Report) -> Iterator[Row]:
    total = report.total
    mean = "means" if total.exact == 1 else "mean"
    yield _figure("Rules that were read", total.rules, "")
    yield _figure(
        "in the new pipeline",
        total.carried,
        f"{total.exact:,} of them {mean} exactly what the old rule meant",
    )
    yield _figure("the same as another rule", total.merged, "the other one stands for them")
    yield _figure(
        "left for a person",
        total.left,
        "not checked in the new pipeline; the sheet Questions asks about them",
    )
    yield _figure("not carried over", total.waived, "as a person decided")
    yield _figure("Old checks that may be switched off", total.off, _off(total))


def _off(total: Line) -> str:
    if not total.checks:
        return "no old check runs: people wrote the rules down"
    old = count(total.checks, "old check")
    told = f"of {old}: the new rule runs, means the same, and was compared"
    if total.ready:
        return f"{told}; {which_wait(total)} may be, once old and new are compared and agree"
    return told


def _figure(name: str, number: int, told: str) -> Row:
    return Row((Cell(name, "bold"), Cell(number, "total"), Cell(f"  {told}", "said")), 22)


def _breakdown(breakdown: Breakdown) -> Iterator[Row]:
    if not breakdown.lines:
        return
    yield Row(())
    figures = tuple(Cell(words, "header_number") for words in _FIGURES.values())
    yield Row((Cell(f"By {breakdown.by}", "header"), *figures), 32)
    for line in breakdown.lines:
        label = cell_text(line.label)
        numbers = (Cell(getattr(line, key), "number") for key in _FIGURES)
        yield Row((Cell(label), *numbers), height([], [(label, _WIDTHS[0])]))
