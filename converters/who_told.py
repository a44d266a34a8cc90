"""Which facts a rule rests on, each in a sentence: what was told, by whom and when."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass

from ruleferry.converters.config import Config, told_name
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.rule import LegacyRule, NotARule, Ordered, Reading, Repeat, Share
from ruleferry.converters.table_names import same_table
from ruleferry.converters.told import (
    NOTHING_TOLD,
    ToldLetter,
    ToldMeaning,
    ToldOfFile,
    ToldOfTable,
    said_so,
)


@dataclass(frozen=True, slots=True)
class WhoTold:
    """`config`: with the facts that hold. `known`: file and column -> where it is read by them."""

    config: Config
    known: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)

    def of_file(self, rule: LegacyRule, reading: Reading) -> Iterator[str]:
        """What was told of the file that states the rule, where the rule is read by it."""
        told = self.config.told_files.get(rule.origin.file, NOTHING_TOLD)
        if told is NOTHING_TOLD:
            return
        yield from self._of_reading(rule, told)
        for one in told.meanings:
            if _is_in(rule.origin.place, self._concerned(reading, one)):
                yield f"column {_shown(one)} read as {one.meaning}, by {one.by}"
        for letter in told.letters:
            if _of_letter(rule, letter):
                yield f"“{letter.text}” in “{letter.header}” read as {letter.says}, by {letter.by}"
        if told.threshold and isinstance(rule.check, Share):
            yield f"thresholds read as {told.threshold}, by {told.by['threshold']}"
        name = told_name(self.config, rule.origin.file, rule.table.name)
        if told.table(rule.table.name) == name:
            yield f"table {name}, by {told.who_named(rule.table.name)}"

    def _of_reading(self, rule: LegacyRule, told: ToldOfFile) -> Iterator[str]:
        if told.profile:
            yield f"read by {told.profile}, by {told.by['profile']}"
        if told.engine and rule.origin.engine == told.engine:
            yield f"engine {told.engine}, by {told.by['engine']}"
        if told.dialect and (rule.origin.tool == "sql" or _holds_sql((rule.check, rule.scope))):
            yield f"dialect {told.dialect}, by {told.by['dialect']}"

    def _concerned(self, reading: Reading, told: ToldMeaning) -> frozenset[str]:
        key = reading.file, told.column
        if key not in self.known:
            self.known[key] = _concerned(reading, told)
        return self.known[key]

    def of_tables(self, rule: LegacyRule, others: Iterable[str]) -> Iterator[str]:
        """New names of its own table and of the tables that it looks up."""
        own = told_name(self.config, rule.origin.file, rule.table.name)
        for old, new, by in self.config.told_names:
            if same_table(old, own):
                yield f"table {new}, by {by}"
            elif any(same_table(old, other) for other in others):
                yield f"table {old} = {new}, by {by}"

    def of_order(self, rule: LegacyRule, told: ToldOfTable | None) -> Iterator[str]:
        row = rule.check.row if isinstance(rule.check, Share) else rule.check
        if told is not None and isinstance(row, Ordered):
            yield f"in the order of {', '.join(told.order_by)}, by {told.by}"


def _concerned(reading: Reading, told: ToldMeaning) -> frozenset[str]:
    """The columns whose cells are read by it, or its sheet: all rules there depend on it.

    A column that moved is known by who told it. What is ignored makes no rules.
    """
    sheet = _sheet(told.column)
    read = {
        _column(column.place)
        for column in reading.columns
        if column.why == said_so(told.by) and column.meaning == told.meaning
    }
    read = {told.column} if told.column in read else {c for c in read if _sheet(c) == sheet}
    if not read or told.meaning == "ignore":
        return frozenset()
    of_cells = {_column(rule.origin.place) for rule in reading.rules}
    return frozenset(read & of_cells or {sheet})


def _of_letter(rule: LegacyRule, told: ToldLetter) -> bool:
    same = _sheet(rule.origin.place) == _sheet(told.column)
    return same and rule.origin.text == told.text and _column(rule.origin.place) == told.column


def _is_in(place: str, concerned: frozenset[str]) -> bool:
    return bool(concerned) and (_column(place) in concerned or _sheet(place) in concerned)


def _shown(told: ToldMeaning) -> str:
    """By its header, under which it is known when it moves."""
    return f"“{told.header}”" if told.header.strip() else told.column


def _column(place: str) -> str:
    return place.rstrip("0123456789")


def _sheet(place: str) -> str:
    return place.rpartition("!")[0]


def _holds_sql(part: object) -> bool:
    if isinstance(part, SqlText):
        return True
    if isinstance(part, tuple):
        return any(map(_holds_sql, part))
    if isinstance(part, NotARule | Repeat) or not is_dataclass(part):
        return False
    return any(_holds_sql(getattr(part, one.name)) for one in fields(part))
