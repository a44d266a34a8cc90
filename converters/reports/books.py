"""The ledger's books: whether they balance, and its figures per table."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ruleferry.converters.account import Entry, Ledger, Source
from ruleferry.converters.reports.text import count
from ruleferry.converters.reports.words import CARRIED, undecided
from ruleferry.converters.rule import Action, Grade, Outcome


@dataclass(frozen=True, slots=True)
class TableFigures:
    """What became of the rules of one table; entries that are no rules don't count."""

    table: str
    rules: int
    actions: Mapping[Action, int]
    undecided: int
    grades: Mapping[Grade, int]
    outcomes: Mapping[Outcome, int]


def table_figures(
    ledger: Ledger, lowered: Mapping[str, Action] | None = None
) -> tuple[TableFigures, ...]:
    """The figures of each table, in the order of the tables' names.

    `lowered`: id -> the action in the module, where `max_action` made it weaker than was decided.
    """
    of_table: dict[str, list[Entry]] = defaultdict(list)
    for entry in ledger.entries:
        if entry.outcome != "not_a_rule":
            of_table[entry.table].append(entry)
    return tuple(_figures(table, of_table[table], lowered or {}) for table in sorted(of_table))


def _figures(table: str, entries: Sequence[Entry], lowered: Mapping[str, Action]) -> TableFigures:
    carried = [entry for entry in entries if entry.outcome in CARRIED]
    return TableFigures(
        table,
        len(entries),
        Counter(lowered.get(entry.id, entry.action) for entry in carried if entry.action),
        sum(map(undecided, carried)),
        Counter(entry.grade for entry in carried if entry.grade),
        Counter(entry.outcome for entry in entries),
    )


def outcome_counts(entries: Iterable[Entry]) -> Mapping[Outcome, int]:
    """How many entries had each outcome."""
    return Counter(entry.outcome for entry in entries)


def imbalances(ledger: Ledger) -> tuple[str, ...]:
    """A sentence for each figure of the books that the entries do not bear out; none: they balance.

    The distinct (file, atom) pairs of the entries must equal the sources' `atoms`, the entries the
    sources' `entries` and each outcome its count, file by file (and so in total).
    """
    atoms: dict[str, set[str]] = defaultdict(set)
    outcomes: dict[str, Counter[Outcome]] = defaultdict(Counter)
    for entry in ledger.entries:
        atoms[entry.origin.file].add(entry.atom)
        outcomes[entry.origin.file][entry.outcome] += 1
    unlisted = atoms.keys() - {source.file for source in ledger.sources}
    return (
        *(f"{file} has entries and is no source" for file in sorted(unlisted)),
        *(
            sentence
            for source in ledger.sources
            for sentence in _differences(source, len(atoms[source.file]), outcomes[source.file])
        ),
    )


def _differences(source: Source, atoms: int, outcomes: Counter[Outcome]) -> Iterable[str]:
    file, total = source.file, outcomes.total()
    if source.atoms != atoms:
        yield f"{file}: {count(source.atoms, 'place')} counted, {atoms} in the ledger"
    if source.entries != total:
        yield f"{file}: {count(source.entries, 'entry', 'entries')} counted, {total} in the ledger"
    if Counter(source.outcomes) != outcomes:
        yield f"{file}: the outcomes counted are not those of its entries in the ledger"
