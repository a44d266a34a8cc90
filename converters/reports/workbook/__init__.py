"""`gap_report.xlsx`: the questions of a conversion, to be answered in a spreadsheet."""

from ruleferry.converters.reports.report import Report
from ruleferry.converters.reports.workbook.package import workbook_bytes
from ruleferry.converters.reports.workbook.questions_sheet import (
    questions_sheet,
    rows_of_questions,
)
from ruleferry.converters.reports.workbook.rules_sheet import rows_of_rules, rules_sheet
from ruleferry.converters.reports.workbook.sources_sheet import sources_sheet
from ruleferry.converters.reports.workbook.summary_sheet import TITLE, summary_sheet


def gap_workbook(report: Report) -> bytes:
    """The workbook's bytes: those of the same report are the same on any machine."""
    sheets = (
        summary_sheet(report),
        questions_sheet(report, rows_of_rules(report)),
        rules_sheet(report, rows_of_questions(report)),
        sources_sheet(report),
    )
    return workbook_bytes(sheets, TITLE)
