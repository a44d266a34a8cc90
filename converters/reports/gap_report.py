"""`gap_report.md`: the account of one conversion for the person who owns the rules."""

from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

from ruleferry.converters.account import Ledger, Source
from ruleferry.converters.reports.books import imbalances, outcome_counts, table_figures
from ruleferry.converters.reports.cells import OPEN_ROWS, by_table, listing, where_cell
from ruleferry.converters.reports.gap_questions import question_sections
from ruleferry.converters.reports.gap_sections import rule_sections
from ruleferry.converters.reports.markdown import cell_code, folding_table, paragraph, prose, table
from ruleferry.converters.reports.text import count, listed
from ruleferry.converters.reports.words import ACTIONS, CARRIED, OUTCOMES, outcomes_in_order
from ruleferry.converters.rule import Action, CellClass, Outcome

_ACTIONS: tuple[Action, ...] = ("warn", "drop", "fail")


def gap_report(ledger: Ledger) -> str:
    """Markdown: the totals, the questions, then every rule that is not simply carried over.

    Text from a source can't break out of its place (reports/markdown.py).
    """
    ledger = replace(ledger, entries=tuple(sorted(ledger.entries, key=by_table)))
    blocks = (
        *_head(ledger),
        *_totals(ledger),
        *_tables(ledger),
        *_files(ledger),
        *question_sections(ledger),
        *rule_sections(ledger),
        *_not_read(ledger),
        *_cells(ledger),
    )
    return "\n".join(blocks)


def _head(ledger: Ledger) -> Iterator[str]:
    counts = outcome_counts(ledger.entries)
    rules = len(ledger.entries) - counts.get("not_a_rule", 0)
    carried = sum(counts.get(word, 0) for word in CARRIED)
    read = sum(1 for source in ledger.sources if source.entries)
    fates = [f"{carried:,} carried over"] + [
        f"{counts[word]:,} {said}" for word, said in _FATES.items() if counts.get(word)
    ]
    yield "# What became of the rules\n"
    found = f"{count(rules, 'rule')} in {count(read, 'file')}"
    yield f"{paragraph(ledger.tool)} found {found}: {listed(fates)}.\n"
    yield (
        "Rules that are checked on each record and mean what they meant before stand in the "
        "modules, and are only counted here. All others are listed, each with its reason. "
        "`ruleferry explain FILE:PLACE` tells the whole story of a rule.\n"
    )
    yield from _unreadable(ledger)


_FATES: dict[Outcome, str] = {
    "gap": "left for a person",
    "merged": "the same as another rule",
    "waived": "waived",
}


def _unreadable(ledger: Ledger) -> Iterator[str]:
    entries = [e for e in ledger.entries if e.gap is not None and e.gap.code == "unreadable"]
    if entries:
        yield f"## {count(len(entries), 'file')} could not be read\n"
        yield "**None of their rules is in the modules, and nobody knows how many they are.**\n"
        columns = (("where", where_cell), ("why", lambda e: prose(e.gap.reason if e.gap else "")))
        yield listing(entries, columns, "files")


def _totals(ledger: Ledger) -> Iterator[str]:
    yield "## Totals\n"
    counts = outcomes_in_order(outcome_counts(ledger.entries))
    rows = [(OUTCOMES[word], f"`{word}`", f"{number:,}") for word, number in counts]
    total = ("**together**", "", f"**{len(ledger.entries):,}**")
    yield table(("what became of it", "in the ledger", "entries:"), [*rows, total])
    wrong = imbalances(ledger)
    if wrong:
        yield f"**The books do not balance.** {prose('; '.join(wrong))}.\n"
    else:
        atoms = sum(source.atoms for source in ledger.sources)
        yield (
            f"The books balance: the files have {count(atoms, 'place')} that may state a rule, and "
            "each of them is accounted for. A place that states several rules, or whose rule runs "
            "on several tables, has several entries.\n"
        )


def _tables(ledger: Ledger) -> Iterator[str]:
    figures = table_figures(ledger)
    if not figures:
        return
    yield "## Tables\n"
    header = (
        "table",
        "rules:",
        *(f"{a}:" for a in _ACTIONS),
        "exact:",
        "differs:",
        "assumed:",
        "left:",
    )
    rows = [
        (
            cell_code(row.table),
            f"{row.rules:,}",
            *(f"{row.actions.get(action, 0):,}" for action in _ACTIONS),
            *(f"{row.grades.get(grade, 0):,}" for grade in ("exact", "differs", "assumed")),
            f"{row.outcomes.get('gap', 0):,}",
        )
        for row in figures
    ]
    yield folding_table(header, rows, OPEN_ROWS, "tables")
    said = "; ".join(f"{action}: {ACTIONS[action]}" for action in _ACTIONS)
    open_ones = sum(row.undecided for row in figures)
    yield f"What happens to a bad record – {said}.\n"
    if open_ones:
        yield f"For {count(open_ones, 'rule')} nobody has decided that: they warn.\n"


def _files(ledger: Ledger) -> Iterator[str]:
    yield "## Files\n"
    counts = outcomes_in_order(outcome_counts(ledger.entries))
    words = [word for word, _ in counts]
    header = ("file", "read as", "places:", "entries:", *(f"{w.replace('_', ' ')}:" for w in words))
    rows = [_file_row(source, words) for source in ledger.sources if source.read_as != "not read"]
    total = (
        "**together**",
        "",
        f"**{sum(source.atoms for source in ledger.sources):,}**",
        f"**{len(ledger.entries):,}**",
        *(f"**{number:,}**" for _, number in counts),
    )
    yield folding_table(header, [total, *rows], OPEN_ROWS, "files")


def _file_row(source: Source, words: list[Outcome]) -> tuple[str, ...]:
    read_as = f"{source.read_as}: {source.why}" if source.why else source.read_as
    return (
        cell_code(source.file),
        prose(read_as),
        f"{source.atoms:,}",
        f"{source.entries:,}",
        *(f"{source.outcomes.get(word, 0):,}" for word in words),
    )


def _not_read(ledger: Ledger) -> Iterator[str]:
    files = [source for source in ledger.sources if source.read_as == "not read"]
    if files:
        yield f"## Files that were not read ({len(files):,})\n"
        rows = [(cell_code(source.file), prose(source.why or "")) for source in files]
        yield folding_table(("file", "why"), rows, OPEN_ROWS, "files")


def _cells(ledger: Ledger) -> Iterator[str]:
    """Of each spreadsheet: what its filled cells are, and what of it is not read."""
    sheets = [source for source in ledger.sources if source.cells]
    if not sheets:
        return
    yield "## Cells of the spreadsheets\n"
    words = [word for word in get_args(CellClass) if any(s.cells.get(word) for s in sheets)]
    header = ("file", "filled:", *(f"{word.replace('_', ' ')}:" for word in words))
    rows = [
        (
            cell_code(source.file),
            f"{sum(source.cells.values()):,}",
            *(f"{source.cells.get(word, 0):,}" for word in words),
        )
        for source in sheets
    ]
    yield folding_table(header, rows, OPEN_ROWS, "files")
    left = [
        (cell_code(f"{source.file}: {found.place}"), prose(found.reason), f"{found.cells:,}")
        for source in sheets
        for found in source.skipped
    ]
    if left:
        yield f"### Sheets, rows and columns that were not read ({len(left):,})\n"
        yield folding_table(("place", "why", "filled cells:"), left, OPEN_ROWS, "places")
