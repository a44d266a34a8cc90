"""Which entry of the last conversion is which one of today."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from ruleferry.converters.account import Entry
from ruleferry.converters.plan import CARRIED
from ruleferry.converters.table_names import name_key

# Key of a table -> its columns, as a schema says today.
Declared: TypeAlias = Mapping[tuple[str, ...], Collection[str]]
_Key = Callable[[Entry], Hashable]


def is_rule(entry: Entry | None) -> bool:
    """Whether something in a module tests it."""
    return entry is not None and (entry.outcome == "merged" or entry.outcome in CARRIED)


def is_gap(entry: Entry | None) -> bool:
    return entry is not None and entry.outcome == "gap"


@dataclass(frozen=True, slots=True)
class Pair:
    """An entry then and now; None where it is not there. `renamed`: column then -> now."""

    then: Entry | None
    now: Entry | None
    renamed: Mapping[str, str] = field(default_factory=dict)


def pairs(
    then: Sequence[Entry], now: Sequence[Entry], declared: Declared = MappingProxyType({})
) -> list[Pair]:
    """Every entry stands in one pair; in the order of today, what is gone behind.

    By id; else by what they say where, as long as one alone on each side is so; else by a column
    that has another name.
    """
    found: dict[str, tuple[Entry, Mapping[str, str]]] = {}
    gone, new = _by_id(then, now, found)
    for key in (_said, _there, _of_columns, _elsewhere, _of_place):
        gone, new = _by_key(gone, new, key, found)
    gone, new = _by_renamed(gone, new, found, _Columns.of(then, now))
    made = [one for entry in now for one in _parted(_pair(entry, found), declared)]
    return made + [Pair(entry, None) for entry in gone]


def _parted(pair: Pair, declared: Declared) -> list[Pair]:
    """A column that a schema still has got no other name: another one is checked instead of it."""
    left = {column.lower() for column in pair.renamed} if is_rule(pair.now) else set()
    if pair.now is None or left.isdisjoint(declared.get(name_key(pair.now.table), ())):
        return [pair]
    return [Pair(None, pair.now), Pair(pair.then, None)]


_Found = dict[str, tuple[Entry, Mapping[str, str]]]
_Left = tuple[list[Entry], list[Entry]]


def _pair(entry: Entry, found: _Found) -> Pair:
    then, renamed = found.get(entry.id, (None, {}))
    return Pair(then, entry, renamed)


def _by_id(then: Sequence[Entry], now: Sequence[Entry], found: _Found) -> _Left:
    before = {entry.id: entry for entry in then}
    found.update({e.id: (before.pop(e.id), {}) for e in now if e.id in before})
    return list(before.values()), [entry for entry in now if entry.id not in found]


def _said(entry: Entry) -> Hashable:
    return (*_of_columns(entry), entry.text_sha256)


def _there(entry: Entry) -> Hashable:
    return (*_of_columns(entry), entry.origin.place)


def _of_columns(entry: Entry) -> tuple[Hashable, ...]:
    return entry.origin.file, name_key(entry.table), entry.columns, entry.kind


def _elsewhere(entry: Entry) -> Hashable:
    """A file that has another name states the same rules."""
    return name_key(entry.table), entry.columns, entry.kind, entry.text_sha256


def _of_place(entry: Entry) -> Hashable:
    """A cell that says another kind of thing of its field, or nothing that is understood."""
    return entry.origin.file, name_key(entry.table), entry.columns, entry.origin.place


def _by_key(gone: list[Entry], new: list[Entry], key: _Key, found: _Found) -> _Left:
    """Those whose key is one entry's alone on either side."""
    if not gone or not new:
        return gone, new
    there = {k: e for k, e in _alone(gone, key).items() if e.columns or key is not _of_columns}
    here = _alone(new, key)
    both = there.keys() & here.keys()
    found.update({here[k].id: (there[k], {}) for k in both})
    paired = {there[k].id for k in both}
    return [e for e in gone if e.id not in paired], [e for e in new if e.id not in found]


def _alone(entries: Iterable[Entry], key: _Key) -> dict[Hashable, Entry]:
    keyed = [(key(entry), entry) for entry in entries]
    times = Counter(k for k, _ in keyed)
    return {k: entry for k, entry in keyed if times[k] == 1}


# Columns that have other names --------------------------------------------------------------------


_Table = tuple[str, Hashable]


def _table(entry: Entry) -> _Table:
    return entry.origin.file, name_key(entry.table)


@dataclass(frozen=True, slots=True)
class _Columns:
    """Of each table: the columns that are spoken of on one of the two sides alone."""

    gone: Mapping[Hashable, frozenset[str]]
    new: Mapping[Hashable, frozenset[str]]

    @classmethod
    def of(cls, then: Sequence[Entry], now: Sequence[Entry]) -> _Columns:
        before, after = _spoken_of(then), _spoken_of(now)
        tables = before.keys() & after.keys()
        return cls(
            {table: before[table] - after[table] for table in tables},
            {table: after[table] - before[table] for table in tables},
        )


def _spoken_of(entries: Sequence[Entry]) -> dict[Hashable, frozenset[str]]:
    columns: defaultdict[Hashable, set[str]] = defaultdict(set)
    for entry in entries:
        columns[name_key(entry.table)] |= {column.lower() for column in entry.columns}
    return {table: frozenset(found) for table, found in columns.items()}


def _by_renamed(gone: list[Entry], new: list[Entry], found: _Found, columns: _Columns) -> _Left:
    """Entries that say the same of a column that nothing speaks of any more, and of a new one."""
    if not gone or not new:
        return gone, new
    names = _renames(gone, new, columns)
    for word in (lambda entry: entry.kind, lambda entry: entry.origin.place):
        there = _alone((e for e in gone if _renamed(e, names)), _called_now(names, word))
        here = _alone(new, _called_now({}, word))
        both = there.keys() & here.keys()
        found.update({here[k].id: (there[k], _renamed(there[k], names)) for k in both})
        paired = {there[k].id for k in both}
        gone = [entry for entry in gone if entry.id not in paired]
        new = [entry for entry in new if entry.id not in found]
    return gone, new


_Names = Mapping[tuple[_Table, str], str]


def _renamed(entry: Entry, names: _Names) -> dict[str, str]:
    table = _table(entry)
    return {c: names[table, c.lower()] for c in entry.columns if (table, c.lower()) in names}


def _called_now(names: _Names, word: _Key) -> _Key:
    def key(entry: Entry) -> Hashable:
        renamed = _renamed(entry, names)
        columns = sorted(renamed.get(column, column) for column in entry.columns)
        return (*_table(entry), word(entry), tuple(columns))

    return key


def _renames(gone: Sequence[Entry], new: Sequence[Entry], columns: _Columns) -> _Names:
    """(table, column then) -> the one column now of which the same is said."""
    then = _signatures(gone, columns.gone)
    now = _signatures(new, columns.new)
    return {
        (table, column.lower()): now[table, signature]
        for (table, signature), column in then.items()
        if (table, signature) in now
    }


_Signature = frozenset[Hashable]


def _signatures(
    entries: Sequence[Entry], of: Mapping[Hashable, frozenset[str]]
) -> dict[tuple[_Table, _Signature], str]:
    """What is said of each of these columns, and where -> the column, where it is one alone.

    Another field in the place of one that is gone is no other name of it: all of it must be said.
    """
    said: defaultdict[tuple[_Table, str], set[Hashable]] = defaultdict(set)
    for entry in entries:
        for place, column in enumerate(entry.columns):
            if column.lower() in of.get(name_key(entry.table), ()):
                said[_table(entry), column].add((place, entry.origin.place, _text(entry)))
    times = Counter((table, frozenset(texts)) for (table, _), texts in said.items())
    return {
        (table, frozenset(texts)): column
        for (table, column), texts in said.items()
        if times[table, frozenset(texts)] == 1
    }


def _text(entry: Entry) -> str:
    """What the author wrote, without the columns' names."""
    text = entry.origin.text
    for number, column in enumerate(entry.columns):
        text = re.sub(rf"(?<!\w){re.escape(column)}(?!\w)", f"{{{number}}}", text)
    return text
