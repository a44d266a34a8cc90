"""The columns of an edit block: what the datasets of a module compute for its rules.

They stand in dictionaries of their own, and are read back as the rules are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ruleferry.converters.account import Flag, Place
from ruleferry.converters.express.computed import of_table, query_text
from ruleferry.converters.rule import Action
from ruleferry.converters.writers.rules_module import COLUMNS, BlockColumn, ModuleRule, Over

OF_RECORDS = ("LOOKUPS", "COMPARED", "FLAGS")
_SOURCE = "{SOURCE_TABLE}"


@dataclass(frozen=True, slots=True)
class WrittenRule:
    """A rule as the edit block has it; `computed`: the columns that a dataset adds for it."""

    name: str
    action: Action
    condition: str
    comments: tuple[str, ...]
    over: Over = "record"
    computed: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """All that stands in an edit block. `columns`: dictionary -> its columns, if it has any."""

    rules: tuple[WrittenRule, ...]
    columns: Mapping[str, tuple[BlockColumn, ...]]

    def names(self, *dictionaries: str) -> list[str]:
        return [column.name for d in dictionaries for column in self.columns.get(d, ())]


def block_of(rules: Sequence[WrittenRule], kept: Sequence[BlockColumn]) -> Block:
    """What the rules need, a kept column in place of the one of its name; then the other kept ones.

    A column that nobody marked is kept only where nothing computes it any more.
    """
    marked = {column.name: column for column in kept if column.manual}
    made: dict[str, dict[str, BlockColumn]] = {dictionary: {} for dictionary in COLUMNS}
    for column in _needed(rules):
        own = marked.pop(column.name, None)
        found = column if own is None else replace(own, dictionary=column.dictionary)
        made[column.dictionary].setdefault(column.name, found)
    computed = {name for columns in made.values() for name in columns}
    for column in kept:
        if column.name not in computed:
            made[column.dictionary][column.name] = column
    columns = {d: tuple(found.values()) for d, found in made.items() if found}
    return Block(tuple(rules), columns)


def _needed(rules: Iterable[WrittenRule]) -> Iterator[BlockColumn]:
    for rule in rules:
        if rule.over == "query" and rule.computed:
            yield BlockColumn("QUERIES", rule.name, of_table(query_text(rule.computed), _SOURCE))
            continue
        for flag in rule.computed:
            yield BlockColumn(_dictionary(flag, rule.action), flag.column, flag.keys or flag.sql)


_PLACES: Mapping[Place, str] = {"record": "FLAGS", "lookup": "COMPARED", "figures": "FIGURES"}


def _dictionary(flag: Flag, action: Action) -> str:
    if flag.keys is not None:
        return "LOOKUPS"
    required = flag.over == "figures" and action == "fail"
    return "FIGURES_REQUIRED" if required else _PLACES[flag.over]


_WORD = re.compile(r"\w+")


def speaks_of(text: str, names: Iterable[str]) -> bool:
    """Whether a condition or an expression names one of the columns."""
    return any(spoken_of(text, {name.lower(): name for name in names}))


def spoken_of(text: str, names: Mapping[str, str]) -> Iterator[str]:
    """Of the names, by themselves in lower case, those that a condition or an expression has."""
    low = text.lower()
    words = set(_WORD.findall(low))
    for word in names.keys() & words:
        yield names[word]
    for name in names:  # a name that is no word is found between the ends of words
        if not _WORD.fullmatch(name) and re.search(rf"\b{re.escape(name)}\b", low):
            yield names[name]


def needed_by(rules: Iterable[ModuleRule], columns: Iterable[BlockColumn]) -> list[BlockColumn]:
    """The columns that these rules name, and those that such a column names in its turn."""
    left = {column.name: column for column in columns}
    names = {name.lower(): name for name in left}
    found: list[BlockColumn] = []
    texts = [rule.condition for rule in rules]
    texts += [str(left[r.name].value) for r in rules if r.over == "query" and r.name in left]
    found += [left.pop(r.name) for r in rules if r.over == "query" and r.name in left]
    while texts:
        text = texts.pop()
        for name in sorted(spoken_of(text, names)):
            if name in left:
                column = left.pop(name)
                found.append(column)
                texts.append(str(column.value))
    return found
