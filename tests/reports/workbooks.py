"""Workbooks of hand-made reports, and how the tests read them back."""

from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

from ledgers import bare, entry, ledger_of, left
from openpyxl import load_workbook

from ruleferry.converters.account import Answered, Ledger, Proposal, Question, Source
from ruleferry.converters.reports.report import report
from ruleferry.converters.reports.workbook import gap_workbook
from ruleferry.converters.reports.workbook.columns import (
    QUESTION_HEADERS,
    RULE_HEADERS,
    SOURCE_HEADERS,
)
from ruleferry.converters.rule import Caveat, Skipped

HEADERS = {"Questions": QUESTION_HEADERS, "Rules": RULE_HEADERS, "Sources": SOURCE_HEADERS}

HOSTILE = [
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x.example","here")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1:A9)",
    "\t=1+1",
    "\r=1+1",
    "{=1+1}",
    "#REF!",
    "#N/A",
    "12",
    "1e5",
    "3-Jan",
    "2024-01-01",
    "TRUE",
    "<script>alert(1)</script>",
    "]]>&amp;<!-- ",
    "right \u202eto left\u202c",
    "nul \x00, escape \x1b[31m, no character \ufffe\uffff, half \ud800",
    "_x0041_ and _x000D_",
    "  blanks around  ",
    "'quoted",
    "two\r\nlines\u2028three",
    "x" * 40_000,
    "😀" * 20_000,
]


def workbook(ledger: Ledger, proofs=()) -> bytes:
    return gap_workbook(report(ledger, proofs))


def opened(data: bytes):
    return load_workbook(BytesIO(data))


def rows(data: bytes, sheet: str) -> list[dict]:
    """Each row below the header: column -> the cell."""
    header, *lines = opened(data)[sheet].iter_rows()
    keys = {text: key for key, text in HEADERS[sheet].items()}
    assert [keys[cell.value] for cell in header] == list(HEADERS[sheet])
    return [dict(zip(HEADERS[sheet], line, strict=True)) for line in lines]


def parts(data: bytes) -> dict[str, str]:
    with ZipFile(BytesIO(data)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def asking(**fields) -> Question:
    """A question about no rule; `fields` replace what is different."""
    proposals = (Proposal("leave it", "nothing changes", "settle"),)
    return replace(Question("q-1", "regex", (), "What?", proposals, "Nothing."), **fields)


def hostile_ledger(text: str) -> Ledger:
    """The text in every field that a source or a person fills."""
    gap = left("o_comment_pattern", "expectations[5]", "regex", text, text=text)
    rules = [
        replace(gap, title=text, words=text, table=text, tags=(("owner", text),)),
        entry("told", text, text=text, file=text, caveats=(Caveat("type_unknown", text),)),
        entry("condition", "expectations[7]", condition=text, title=text, decided=(text,)),
        bare("waived", "expectations[8]", outcome="waived", waived=text),
        bare("none", "expectations[9]", outcome="not_a_rule", reason=text),
    ]
    asked = asking(
        entries=(rules[0].id,),
        question=text,
        proposals=(Proposal(text, text),),
        until_answered=text,
        answered=(Answered("refused", text, text, text, text),),
    )
    both = asking(id="q-2", entries=tuple(rule.id for rule in rules[:3]), question=text)
    extra = Source("b.xlsx", text, "0", 0, 0, {}, text, {"rule": 2}, (Skipped(text, text, 1),))
    return replace(ledger_of(rules, asked, both, extra=(extra,)), tool=text)


def all_hostile() -> Ledger:
    """All of them in one ledger."""
    entries, questions = [], []
    for number, text in enumerate(HOSTILE):
        ledger = hostile_ledger(text)
        ids = {e.id: f"{number:02}{e.id[:10]}" for e in ledger.entries}
        entries += [replace(e, id=ids[e.id]) for e in ledger.entries]
        questions += [
            replace(q, id=f"{q.id}-{number}", entries=tuple(ids[i] for i in q.entries))
            for q in ledger.questions
        ]
    return ledger_of(entries, *questions)
