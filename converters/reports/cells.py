"""Cells of the Markdown reports, and lists of rules made of them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from ruleferry.converters.account import Entry
from ruleferry.converters.reports.ledger_json import entry_order
from ruleferry.converters.reports.markdown import cell_code, code, folding_table, prose
from ruleferry.converters.reports.text import count, label, listed, shorten, where
from ruleferry.converters.reports.words import DECIDERS, FAIL_COUNTS, NULLS

Column: TypeAlias = tuple[str, Callable[[Entry], str]]
Item = TypeVar("Item")
Key = TypeVar("Key")

# Rows of a list that stand open; the others are folded away.
OPEN_ROWS = 20
# A suite's text may be pages long; the ledger has all of it.
TEXT_WIDTH = 160


def rule_cell(entry: Entry) -> str:
    """The title first, as people call the rule, then its name."""
    name = cell_code(entry.name)
    if entry.title and name:
        return f"{prose(entry.title)} ({name})"
    return name or prose(label(entry))


def table_cell(entry: Entry) -> str:
    return cell_code(entry.table)


def where_cell(entry: Entry) -> str:
    return cell_code(where(entry.origin))


def text_cell(entry: Entry) -> str:
    return cell_code(shorten(entry.origin.text, TEXT_WIDTH))


def nulls_cell(entry: Entry) -> str:
    return NULLS[entry.nulls]


def action_cell(entry: Entry) -> str:
    """The action, who decided it, and what a person must know of it."""
    if entry.action is None or entry.because is None:
        return ""
    counts = f"; {FAIL_COUNTS}" if entry.action == "fail" else ""
    return f"{entry.action}{counts} (decided by: {DECIDERS[entry.because.by]})"


RULE: Column = ("rule", rule_cell)
TABLE: Column = ("table", table_cell)
WHERE: Column = ("where it stands", where_cell)
TEXT: Column = ("the author's text", text_cell)
NULLS_COLUMN: Column = ("a missing value", nulls_cell)
ACTION: Column = ("a bad record", action_cell)
ACTION_BESIDE: Column = ("where it does not hold", action_cell)


def listing(entries: Iterable[Entry], columns: Sequence[Column], words: str = "rules") -> str:
    """A table with one row a rule, in the order given; a long one folds."""
    rows = [[cell(entry) for _, cell in columns] for entry in entries]
    return folding_table([title for title, _ in columns], rows, OPEN_ROWS, words)


def of_column(entry: Entry) -> str:
    """`Fields!D12` of a spreadsheet stands in `Fields!D`; any other place is its own."""
    place = entry.origin.place
    cell = entry.origin.tool == "spreadsheet"
    return f"{entry.origin.file}\n{place.rstrip('0123456789') if cell else place}"


def where_cells(entries: Sequence[Entry], place: Callable[[Entry], str]) -> str:
    """The first place, and how many others of its column follow, up to which."""
    first, last = cell_code(place(entries[0])), cell_code(place(entries[-1]))
    more = len(entries) - 1
    return f"{first} and {more:,} more, the last at {last}" if more else first


def more_rules(rest: Sequence[Entry]) -> str:
    """The number of rules that are not listed, table by table."""
    tables = Counter(entry.table for entry in rest)
    more = count(len(rest), "more rule")
    if len(tables) == 1:
        return f"{more} of {code(*tables)}"
    return f"{more} ({listed(f'{number:,} of {code(name)}' for name, number in tables.items())})"


def by_table(entry: Entry) -> tuple[object, ...]:
    """The order of the reports: by table, then by file and place."""
    return entry.table, *entry_order(entry)


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> Mapping[Key, Sequence[Item]]:
    """The items that share a key, in the order in which the keys come up."""
    groups: dict[Key, list[Item]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups
