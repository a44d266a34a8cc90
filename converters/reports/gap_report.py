"""`gap_report.md`: the account of one conversion, short enough for a comment on a pull request."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ruleferry.converters.account import Source
from ruleferry.converters.reports.cells import (
    Room,
    begun,
    bounded_table,
    by_number,
    counted,
    named,
    said,
)
from ruleferry.converters.reports.gap_questions import question_section
from ruleferry.converters.reports.gap_sections import figure_sections, rule_sections
from ruleferry.converters.reports.markdown import table
from ruleferry.converters.reports.report import Report, RuleView, old_checks
from ruleferry.converters.reports.text import count, listed
from ruleferry.converters.reports.words import OUTCOMES
from ruleferry.converters.rule import CellClass

# GitHub takes 65,536 characters. Each part has room of its own, and all of them fit together.
MOST = 60_000
_UNREADABLE = Room(20, 4_000)
_WRONG = Room(5, 2_000)
_REASONS = Room(8, 2_000)


def gap_report(report: Report, others: Sequence[str] = ()) -> str:
    """Markdown: the figures, the questions, and what is left or differs, counted.

    `others`: the reports beside this one, which have everything. Text from a source can't break
    out of its place (reports/markdown.py).
    """
    elsewhere = f"see {others[0]}" if others else "see ledger.json"
    blocks = (
        *_head(report, others),
        *_unreadable(report, elsewhere),
        *_totals(report, elsewhere),
        *question_section(report, elsewhere, "gap_report.xlsx" in others),
        *rule_sections(report, elsewhere),
        *figure_sections(report, elsewhere),
        *_not_read(report.sources),
        *_cells(report.sources),
    )
    return "\n".join(blocks)


def _head(report: Report, others: Sequence[str]) -> Iterator[str]:
    total = report.total
    files = sum(1 for source in report.sources if source.entries)
    fates = {
        "left for a person": total.left,
        "the same as another rule": total.merged,
        "waived": total.waived,
    }
    found = [f"{total.carried:,} carried over"]
    found += [f"{number:,} {words}" for words, number in fates.items() if number]
    yield "# What became of the rules\n"
    read = f"{count(total.rules, 'rule')} in {count(files, 'file')}"
    yield f"{begun(report.tool)} found {read}: {listed(found)}.\n"
    yield f"**{old_checks(total)}**\n"
    names = listed(f"`{file}`" for file in others)
    yield (
        f"This is the short report. Every rule, with its text, its condition and its reasons, is "
        f"in {names or '`ledger.json`'}; `ruleferry explain FILE:PLACE` tells the story of one.\n"
    )


def _unreadable(report: Report, elsewhere: str) -> Iterator[str]:
    rules = [rule for rule in report.rules if _is_unreadable(rule)]
    if rules:
        yield f"## {count(len(rules), 'file')} could not be read\n"
        yield "**None of their rules is in the modules, and nobody knows how many they are.**\n"
        yield bounded_table(
            ("where", "why"),
            rules,
            lambda rule: (named(rule.place), said(rule.reason, 300)),
            _UNREADABLE,
            f"files: {elsewhere}",
        )


def _is_unreadable(rule: RuleView) -> bool:
    return rule.entry.gap is not None and rule.entry.gap.code == "unreadable"


def _totals(report: Report, elsewhere: str) -> Iterator[str]:
    yield "## Totals\n"
    rows = [(OUTCOMES[word], f"`{word}`", f"{number:,}") for word, number in report.outcomes]
    together = sum(number for _, number in report.outcomes)
    total = ("**together**", "", f"**{together:,}**")
    yield table(("what became of it", "in the ledger", "entries:"), [*rows, total])
    if report.imbalances:
        yield "**The books do not balance.**\n"
        header, more = ("what is wrong",), f"figures: {elsewhere}"
        wrong = report.imbalances
        yield bounded_table(header, wrong, lambda told: (said(told, 200),), _WRONG, more)
    else:
        places = count(sum(source.atoms for source in report.sources), "place")
        yield (
            f"The books balance: the files have {places} that may state a rule, and each of them "
            "is accounted for. A place that states several rules, or whose rule runs on several "
            "tables, has several entries.\n"
        )


def _not_read(sources: Sequence[Source]) -> Iterator[str]:
    """Counted by reason: a folder may hold thousands of them."""
    why = Counter(source.why or "" for source in sources if source.read_as == "not read")
    if why:
        yield f"## Files that were not read ({why.total():,})\n"
        header, more = ("why", "files:"), "reasons: see ledger.json"
        yield bounded_table(header, by_number(why), counted, _REASONS, more)


def _cells(sources: Sequence[Source]) -> Iterator[str]:
    sheets = [source for source in sources if source.cells]
    cells: Counter[CellClass] = Counter()
    for source in sheets:
        cells.update(source.cells)
    if sheets:
        yield f"## Cells of {count(len(sheets), 'spreadsheet')}\n"
        words = [f"{cells[word]:,} {word.replace('_', ' ')}" for word in sorted(cells)]
        yield f"{count(cells.total(), 'filled cell')}: {listed(words)}.\n"
