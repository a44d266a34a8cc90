"""The rules of the gap report, listed by what became of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ruleferry.converters.account import Entry, Ledger
from ruleferry.converters.mappings import caveat_titles, caveats, gap_titles, gaps
from ruleferry.converters.reports.cells import (
    ACTION,
    ACTION_BESIDE,
    NULLS_COLUMN,
    OPEN_ROWS,
    RULE,
    TABLE,
    TEXT,
    WHERE,
    Column,
    grouped,
    listing,
    more_rules,
    of_column,
    rule_cell,
    text_cell,
    where_cell,
    where_cells,
)
from ruleferry.converters.reports.markdown import (
    cell_code,
    code,
    folded,
    folding_table,
    paragraph,
    prose,
    table,
)
from ruleferry.converters.reports.text import count, where
from ruleferry.converters.rule import Grade, Outcome

# Of a caveat of thousands of rules nobody reads them one by one.
MOST_ROWS = 1000


# Before the rules of an outcome: what it can do, and what it can't.
_BESIDE: Mapping[Outcome, str] = {
    "flag": (
        "The checked table gets a column for each of these rules, computed over all of its rows or "
        "looked up in another table; the number of rows stays the same."
    ),
    "dataset": (
        "These figures are computed beside the tables and hold nothing back: the clean table is "
        "updated whether they hold or not. For figures that must hold before anybody reads the "
        "data, decide `fail`, put what reads the clean table into a pipeline of its own, and let a "
        "job start that pipeline only after this one has succeeded."
    ),
    "schema": (
        "The names and types of the table's columns are compared beside the tables, also where the "
        "table is empty. This holds nothing back; what is said above of figures is true of it, too."
    ),
}


def rule_sections(ledger: Ledger) -> Iterator[str]:
    """Everything that is not a condition on the record, then what needs a word of care."""
    of_outcome = grouped(ledger.entries, lambda entry: entry.outcome)
    yield from _gaps(of_outcome.get("gap", ()))
    for outcome, (title, columns) in _elsewhere(ledger).items():
        entries = of_outcome.get(outcome, ())
        if entries:
            yield f"## {title} ({len(entries):,})\n"
            yield from (f"{_BESIDE[word]}\n" for word in _BESIDE if word == outcome)
            yield listing(entries, columns)
    yield from _fail_rules(ledger)
    yield from _caveats(ledger)
    yield from _not_rules(of_outcome.get("not_a_rule", ()))


def _gaps(entries: Sequence[Entry]) -> Iterator[str]:
    """By table, then by what is in the way."""
    if not entries:
        return
    yield f"## Left for a person ({len(entries):,})\n"
    yield "None of these rules is in a module. Keep the old checks running meanwhile.\n"
    titles = gap_titles()
    for name, of_table in grouped(entries, lambda entry: entry.table).items():
        yield f"### {code(name)} ({len(of_table):,})\n"
        of_code = grouped(of_table, lambda entry: entry.gap.code if entry.gap else "")
        for gap, rows in sorted(of_code.items()):
            yield f"**{prose(titles.get(gap, gap))}** ({len(rows):,})\n"
            asked = gaps().get(gap)
            if asked and asked.ask_by == "column":
                yield _of_columns(rows)
            else:
                yield listing(rows, (RULE, WHERE, ("why", _gap_reason), TEXT))


def _of_columns(entries: Sequence[Entry]) -> str:
    """One question is about all cells of a column, which are listed as one."""
    rows = [
        (count(len(cells), "cell"), where_cells(cells, _where), _gap_reason(cells[0]))
        for cells in grouped(entries, lambda e: (of_column(e), _gap_reason(e))).values()
    ]
    return folding_table(("rules", "where they stand", "why"), rows, OPEN_ROWS, "columns")


def _where(entry: Entry) -> str:
    return where(entry.origin)


def _gap_reason(entry: Entry) -> str:
    return prose(entry.gap.reason) if entry.gap else ""


def _elsewhere(ledger: Ledger) -> Mapping[Outcome, tuple[str, Sequence[Column]]]:
    """Title and columns of each outcome that is listed whole."""
    by_id = {entry.id: entry for entry in reversed(ledger.entries) if entry.outcome != "merged"}

    def kept(entry: Entry) -> str:
        other = by_id.get(entry.merged_into or "")
        return f"{rule_cell(other)}, {where_cell(other)}" if other else ""

    return {
        "flag": (
            "Checked on each record with the help of an added column",
            (RULE, TABLE, ("added column", _flag), ("its SQL", _sql), ACTION, NULLS_COLUMN, WHERE),
        ),
        "dataset": (
            "Checked over many records, in a dataset of its own",
            (
                RULE,
                TABLE,
                ("dataset", _dataset),
                ("query", _query),
                ("must hold there", _holds),
                ACTION_BESIDE,
                WHERE,
            ),
        ),
        "schema": (
            "Checked against the table's columns and types",
            (RULE, TABLE, ("dataset", _dataset), ACTION_BESIDE, WHERE, TEXT),
        ),
        "merged": ("The same as another rule", (RULE, TABLE, WHERE, ("stands for it", kept))),
        "waived": (
            "Not carried over, as a person decided",
            (RULE, TABLE, ("who and why", lambda entry: prose(entry.waived or "")), WHERE),
        ),
    }


def _flag(entry: Entry) -> str:
    return cell_code(entry.flag.column) if entry.flag else ""


def _sql(entry: Entry) -> str:
    return cell_code(entry.flag.sql) if entry.flag else ""


def _query(entry: Entry) -> str:
    """With the column of the checked table that it reads, if it reads one."""
    needed = f"; {cell_code(entry.flag.column)} is {_sql(entry)}" if entry.flag else ""
    return f"{cell_code(entry.validation.query)}{needed}" if entry.validation else ""


def _dataset(entry: Entry) -> str:
    name = entry.validation.dataset if entry.validation else entry.dataset
    return cell_code(name or "")


def _holds(entry: Entry) -> str:
    return cell_code(entry.validation.condition) if entry.validation else ""


def _fail_rules(ledger: Ledger) -> Iterator[str]:
    failing = [entry for entry in ledger.entries if entry.action == "fail" and entry.grade]
    entries = [entry for entry in failing if entry.outcome in ("record", "flag")]
    if entries:
        yield f"## Rules that stop the update ({len(entries):,})\n"
        yield (
            "One bad record stops the update of the table and of all that reads from it. The "
            "error names the rule and the record; do not rely on a count of bad records.\n"
        )
        yield listing(entries, (RULE, TABLE, ACTION, WHERE))


# What a reader of the conditions must know --------------------------------------------------------


_CAVEATS: Mapping[Grade, str] = {
    "differs": "What differs from the old check",
    "assumed": "What is assumed",
    "exact": "Good to know",
}


def _caveats(ledger: Ledger) -> Iterator[str]:
    """By what the caveat makes of a rule's meaning, then by caveat, the commonest first."""
    noted: dict[tuple[Grade, str], list[Entry]] = defaultdict(list)
    for entry in ledger.entries:
        for key in _caveats_of(entry):
            noted[key].append(entry)
    for grade, title in _CAVEATS.items():
        found = {word: rows for (of, word), rows in noted.items() if of == grade}
        if found:
            yield f"## {title}\n"
        for word, rows in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
            yield from _caveat(word, rows)


def _caveats_of(entry: Entry) -> Mapping[tuple[Grade, str], None]:
    """Grade and code of each caveat, and a nameless one where none of them gives the grade."""
    if entry.grade is None:
        return {}
    topics = caveats()
    codes = [caveat.code for caveat in entry.caveats]
    grades = [topics[code].grade or "exact" if code in topics else entry.grade for code in codes]
    found = dict.fromkeys(zip(grades, codes, strict=True))
    unexplained = entry.grade not in ("exact", *grades)
    return {**found, (entry.grade, ""): None} if unexplained else found


def _caveat(word: str, entries: Sequence[Entry]) -> Iterator[str]:
    """A detail that all rules share is told once; else it stands beside each of them."""
    title = caveat_titles().get(word, word) or "No reason is stated"
    yield f"### {prose(title)} ({count(len(entries), 'rule')})\n"
    first = _detail(entries[0], word)
    shared = all(_detail(entry, word) == first for entry in entries)
    if shared:
        yield f"{paragraph(first)}\n"
    detail = ("what to know", lambda entry: prose(_detail(entry, word)))
    columns = (RULE, TABLE, *([] if shared else [detail]), NULLS_COLUMN, WHERE)
    yield listing(entries[:MOST_ROWS], columns)
    if len(entries) > MOST_ROWS:
        yield f"… and {more_rules(entries[MOST_ROWS:])}: ledger.json has them all.\n"


def _detail(entry: Entry, word: str) -> str:
    return " ".join(caveat.detail for caveat in entry.caveats if caveat.code == word)


def _place(entry: Entry) -> str:
    return entry.origin.place


# What is no rule ----------------------------------------------------------------------------------


def _not_rules(entries: Sequence[Entry]) -> Iterator[str]:
    if not entries:
        return
    yield f"## Read, and not a rule ({len(entries):,})\n"
    for file, of_file in grouped(entries, lambda entry: entry.origin.file).items():
        summary = f"{file}: {count(len(of_file), 'place')}"
        alike = grouped(of_file, lambda e: (of_column(e), e.reason, e.origin.text)).values()
        rows = [
            (where_cells(cells, _place), prose(cells[0].reason or ""), text_cell(cells[0]))
            for cells in alike
        ]
        yield folded(summary, table(("where it stands", "why", "the author's text"), rows))
