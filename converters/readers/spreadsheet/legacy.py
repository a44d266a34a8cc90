"""Statements -> legacy rules: on which table, whose, and with what action of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from ruleferry.converters.predicates import SqlText
from ruleferry.converters.read_as import read_as
from ruleferry.converters.readers.raw import RawFile
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import Profile
from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.readers.spreadsheet.statements import Stated
from ruleferry.converters.rule import (
    Check,
    Figure,
    LegacyRule,
    NotARule,
    Origin,
    Row,
    Share,
    Table,
    Unread,
)

TOOL = "spreadsheet"
# No engine ran these rules: a person wrote them down.
ENGINE = "words"


@dataclass(frozen=True, slots=True)
class Told:
    """What a run and a profile say of all rules of a file. `alone`: it speaks of one table."""

    raw: RawFile
    profile: Profile | None
    alone: bool
    sheets: int

    def tables(self, stated: tuple[str, ...], sheet: str) -> tuple[Table, ...]:
        """Those that --table names, else those that the sheet states, else one of its own name."""
        own = tuple(name for name in stated if name)
        of_file = self.raw.tables_of(())
        given = self.raw.tables_of((*own, sheet)) if sheet or own else of_file
        named = tuple(t for t in given if t not in of_file)
        if not named and (self.alone or not own):
            named = of_file
        if named:
            return tuple(map(Table, named))
        # The name of the only sheet says less than the configuration does.
        if self.raw.table and (not own or (self.alone and own == (sheet,))):
            return (Table(self.raw.table),)
        if own:
            return tuple(map(Table, own))
        return (Table(self._stem(sheet), stated=False),)

    def _stem(self, sheet: str) -> str:
        return sheet if self.sheets > 1 and sheet else PurePosixPath(self.raw.file).stem

    @property
    def missing_words(self) -> tuple[str, ...]:
        words = self.profile.null_words if self.profile else ()
        return tuple(dict.fromkeys((*self.raw.missing_words, *words)))

    @property
    def severity(self) -> Mapping[str, str]:
        return self.profile.severity if self.profile else {}

    @property
    def warns(self) -> bool:
        """Whether recommendations are checked, and only warn."""
        return self.profile is not None and self.profile.suggestions == "warn"


def legacy_rules(stated: Sequence[Stated], told: Told) -> Iterator[LegacyRule]:
    tables_of = cache(told.tables)
    for place in stated:
        for table in tables_of(place.tables, place.sheet):
            for statement in place.statements:
                yield _rule(statement, place, table, told)


def _rule(statement: Statement, place: Stated, table: Table, told: Told) -> LegacyRule:
    severity = statement.severity or dict(place.tags).get("severity")
    author_id, author_name = place.author
    return LegacyRule(
        origin=Origin(told.raw.file, place.place, place.text, TOOL, _engine(statement.check)),
        atom=place.atom,
        kind=statement.kind,
        check=_decided(statement, place, told),
        table=table,
        columns=statement.columns,
        scope=statement.scope,
        title=statement.title,
        author_id=author_id,
        author_name=author_name or author_id,
        part=place.part,
        action_word=_action(statement, place, severity, told),
        tags=_tags(place, severity),
        caveats=statement.caveats,
        missing_words=tuple(dict.fromkeys((*told.missing_words, *statement.missing_words))),
        beside=place.beside or _beside(statement),
    )


def _beside(statement: Statement) -> str:
    """A cell's rule may be made of others, too: of a bound beside it, of a list elsewhere."""
    if isinstance(statement.check, NotARule | Unread):
        return ""
    return read_as((statement.check, statement.scope))


def _engine(check: Check) -> str | None:
    """SQL in a cell runs on its database, which has a meaning of its own for a missing value."""
    if isinstance(check, NotARule | Unread):
        return None
    row = check.row if isinstance(check, Share) else check
    if isinstance(row, Row) and isinstance(row.predicate, SqlText):
        return row.predicate.dialect
    return "spark" if isinstance(row, Figure) else ENGINE


def _decided(statement: Statement, place: Stated, told: Told) -> Check:
    """A recommendation is no rule until a person says so."""
    open_one = isinstance(statement.check, NotARule | Unread)
    if not statement.suggested or open_one or told.warns:
        return statement.check
    return Unread("suggestion", "it recommends, and does not demand", statement.columns)


def _action(statement: Statement, place: Stated, severity: str | None, told: Told) -> str | None:
    """The cell's own word, what the profile makes of the severity, warn for what is advice."""
    if statement.suggested:
        return "warn"
    word = statement.action_word or place.action_word
    return word or told.severity.get((severity or "").strip().lower())


def _tags(place: Stated, severity: str | None) -> tuple[tuple[str, str], ...]:
    tags = dict(place.tags)
    if severity:
        tags["severity"] = severity
    return tuple(sorted(tags.items()))
