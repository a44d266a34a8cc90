"""What was found -> legacy rules: on which table, whose, and with what action of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from ruleferry.converters.readers.raw import RawFile
from ruleferry.converters.readers.sql.found import Checked, Found, Script
from ruleferry.converters.readers.sql.labels import Named
from ruleferry.converters.readers.sql.own_text import own_text
from ruleferry.converters.rule import Caveat, LegacyRule, NotARule, Origin, Table

TOOL = "sql"
# The table of an audit that stands alone: that of each model which names it.
_OF_WHOEVER_USES_IT = ("@this_model",)


def legacy_rules(
    founds: Sequence[tuple[Found, Named]], places: Sequence[str], script: Script, raw: RawFile
) -> Iterator[LegacyRule]:
    """`places`: where each of them stands, which is its atom."""
    tables = _Tables(raw, {f.checked.table for f, _ in founds if f.checked.table})
    for (found, named), place in zip(founds, places, strict=True):
        for table in tables.of(found.checked):
            yield _rule(found, named, place, table, script)


def places_of(founds: Sequence[Found], script: Script) -> Mapping[tuple[int, str], str]:
    """(start, part) -> `line 14`, and the part of the statement where it has several.

    Statements of one line are told apart by the column they begin in.
    """
    keys = list(dict.fromkeys((found.start, found.part) for found in founds))
    lines = [_with_part(f"line {script.line(start)}", part) for start, part in keys]
    shared = Counter(lines)
    return {
        (start, part): line
        if shared[line] == 1
        else _with_part(f"line {script.line(start)}, column {script.column(start)}", part)
        for (start, part), line in zip(keys, lines, strict=True)
    }


def _with_part(line: str, part: str) -> str:
    return f"{line}, {part}" if part else line


class _Tables:
    """--table names a table of the script, or the script where it speaks of one alone."""

    def __init__(self, raw: RawFile, stated: set[str]) -> None:
        self._raw = raw
        self._alone = len(stated) <= 1

    def of(self, checked: Checked) -> tuple[Table, ...]:
        if isinstance(checked.check, NotARule):
            return (Table(checked.table or self._stem(), stated=checked.table is not None),)
        given = self._given(checked.table)
        if given:
            return tuple(map(Table, given))
        if checked.table is not None:
            return (Table(checked.table, stated=checked.table not in _OF_WHOEVER_USES_IT),)
        if self._raw.table:
            return (Table(self._raw.table),)
        return (Table(self._stem(), stated=False),)

    def _given(self, table: str | None) -> tuple[str, ...]:
        of_file = self._raw.tables_of(())
        found = self._raw.tables_of((table,)) if table else of_file
        own = tuple(name for name in found if name not in of_file)
        return own or (of_file if self._alone else ())

    def _stem(self) -> str:
        return PurePosixPath(self._raw.file).stem


def _rule(found: Found, named: Named, place: str, table: Table, script: Script) -> LegacyRule:
    checked = found.checked
    text = own_text(found, script)
    return LegacyRule(
        origin=Origin(script.file, place, text, TOOL, script.dialect.name),
        atom=place,
        kind=checked.kind,
        check=checked.check,
        table=table,
        columns=checked.columns,
        scope=checked.scope,
        title=named.title,
        author_id=named.author_id,
        author_name=named.author_name or named.author_id,
        part=found.part,
        behaviour=found.effect.action,
        behaviour_detail=found.effect.detail,
        tags=tuple(sorted({**_tags(found.tags), **_tags(named.tags)}.items())),
        caveats=(*checked.caveats, *named.caveats, *map(_filter, checked.filters)),
    )


def _tags(tags: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    return dict(tags)


def _filter(text: str) -> Caveat:
    return Caveat("load_filter", f"{text} only picks the load, and is no part of the condition")
