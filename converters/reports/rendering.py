"""The reports of a conversion as files: each a view of the ledger and of what is proved."""

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from ruleferry.converters.account import Ledger
from ruleferry.converters.config import ReportKind
from ruleferry.converters.proved import Proved
from ruleferry.converters.reports.ledger_json import in_order
from ruleferry.converters.reports.report import Report, report

# The order in which one report names another: the page is the easiest to read.
FILES: Mapping[ReportKind, str] = {
    "html": "gap_report.html",
    "xlsx": "gap_report.xlsx",
    "md": "gap_report.md",
}
GAP_WORKBOOK = FILES["xlsx"]
_ALL: tuple[ReportKind, ...] = get_args(ReportKind)


def rendered(
    ledger: Ledger, proofs: Sequence[Proved] = (), kinds: Sequence[ReportKind] = _ALL
) -> dict[str, bytes]:
    """File -> bytes of the reports that are wanted."""
    return rendered_view(view(ledger, proofs), kinds)


def view(ledger: Ledger, proofs: Sequence[Proved] = ()) -> Report:
    """What all reports show: the same of a ledger at hand as of one that was read back."""
    return report(in_order(ledger), proofs)


def rendered_view(shown: Report, kinds: Sequence[ReportKind]) -> dict[str, bytes]:
    others = [file for kind, file in FILES.items() if kind in kinds and kind != "md"]
    return {FILES[kind]: _RENDERINGS[kind](shown, others) for kind in _ALL if kind in kinds}


# Each is imported where it is wanted: a page needs Jinja2, a workbook openpyxl.


def _markdown(shown: Report, others: Sequence[str]) -> bytes:
    from ruleferry.converters.reports.gap_report import gap_report

    return gap_report(shown, others).encode("utf-8")


def _page(shown: Report, _: Sequence[str]) -> bytes:
    from ruleferry.converters.reports.html import gap_page

    return gap_page(shown).encode("utf-8")


def _workbook(shown: Report, _: Sequence[str]) -> bytes:
    from ruleferry.converters.reports.workbook import gap_workbook

    return gap_workbook(shown)


_RENDERINGS: Mapping[ReportKind, Callable[[Report, Sequence[str]], bytes]] = {
    "md": _markdown,
    "html": _page,
    "xlsx": _workbook,
}
