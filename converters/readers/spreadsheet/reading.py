"""A workbook or a table of text -> a reading: every rule that it states, and its books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from ruleferry.converters.dialects.words import dialect_word
from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.raw import Counted, Faults, RawFile
from ruleferry.converters.readers.spreadsheet.cells import Book, address
from ruleferry.converters.readers.spreadsheet.count import bare_count, classes, validation_count
from ruleferry.converters.readers.spreadsheet.fields import Field, Names, fields_of, names_of
from ruleferry.converters.readers.spreadsheet.joined_keys import keys_of, with_keys
from ruleferry.converters.readers.spreadsheet.legacy import Told, legacy_rules
from ruleferry.converters.readers.spreadsheet.look import OF_FIELDS, Look, look_at
from ruleferry.converters.readers.spreadsheet.meaning.header_reading import ColumnReading
from ruleferry.converters.readers.spreadsheet.meaning.profile import is_for, read_profile, split_of
from ruleferry.converters.readers.spreadsheet.meaning.profile_draft import draft_profile
from ruleferry.converters.readers.spreadsheet.meaning.profile_match import check_profile
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import Profile
from ruleferry.converters.readers.spreadsheet.rule_rows import of_rows
from ruleferry.converters.readers.spreadsheet.statement import Setting
from ruleferry.converters.readers.spreadsheet.statements import Stated, of_field
from ruleferry.converters.readers.spreadsheet.template_rules import of_sheet
from ruleferry.converters.readers.spreadsheet.told_letters import setting_with
from ruleferry.converters.readers.spreadsheet.values.joined_needs import (
    against_each_other,
    with_needs,
)
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book
from ruleferry.converters.rule import CellClass, ColumnRead, Reading, Skipped

# Rows of a table of text that tell whether it is a dictionary; a data file may be large.
_HEAD = 200
# Comments that are named; the others are counted.
_SHOWN = 5
_HEAD_BYTES = 1024 * 1024
_NO_DICTIONARY = "no header of a data dictionary or a list of rules was found in it"


def read_file(raw: RawFile) -> Counted | Faults:
    profile = _profile(raw)
    if isinstance(profile, tuple):
        return profile
    if _is_text(raw):
        head = read_book(_head_of(raw.data), raw.file, rows=_HEAD)
        if not isinstance(head, Book) and not raw.named:  # data, as far as anybody knows
            return _not_read(raw, f"{head[0].found}; expected {head[0].expected}")
        if isinstance(head, Book) and not _may_be_read(look_at(head, profile, ()), raw):
            return _not_read(raw)
    book = read_book(raw.data, raw.file)
    if not isinstance(book, Book):
        return tuple(book)
    look = look_at(book, profile, raw.missing_words, _dialect(raw), raw.told)
    faults = check_profile(profile, look.layouts) if profile else []
    if faults:
        return tuple(faults)
    return _counted(raw, look, profile) if look.says_something else _not_read(raw)


def _dialect(raw: RawFile) -> str | None:
    word = dialect_word(raw.dialect) if raw.dialect else None
    return word.dialect if word else None


def unused_profiles(files: Sequence[RawFile]) -> dict[str, Fault]:
    """File -> the fault of its profile, where that is for none of the files that are given it."""
    found: dict[str, Fault] = {}
    fits: dict[str, list[bool]] = {}
    of_file: dict[str, Profile] = {}
    for raw in files:
        profile = _read_profile(raw)
        if isinstance(profile, Profile):
            of_file[raw.file] = profile
            fits.setdefault(profile.file, []).append(is_for(profile, raw.file))
    for file, profile in of_file.items():
        if not any(fits[profile.file]):
            found[file] = _for_none(profile, file)
    return found


def _for_none(profile: Profile, file: str) -> Fault:
    names = ", ".join(profile.workbooks)
    todo = "Change it, or name another profile."
    return Fault(profile.file, "workbook.file", f"{names}", f"a pattern that {file} has", todo)


def draft_of(raw: RawFile) -> str | tuple[Fault, ...]:
    """The text of a profile for the file: what is sure, and a question for each other column."""
    profile = _profile(raw)
    if isinstance(profile, tuple):
        return profile
    book = read_book(raw.data, raw.file)
    if not isinstance(book, Book):
        return tuple(book)
    look = look_at(book, profile, raw.missing_words)
    readings: dict[str, list[tuple[ColumnReading, ...]]] = {}
    for within in look.blocks:
        readings.setdefault(within.block.sheet, []).append(within.columns)
    return draft_profile(PurePosixPath(raw.file).name, look.layouts, readings)


def _is_text(raw: RawFile) -> bool:
    return raw.file.lower().endswith((".csv", ".tsv"))


def _head_of(data: bytes) -> bytes:
    """Whole lines; of UTF-16, whose lines end otherwise, whole characters."""
    if len(data) <= _HEAD_BYTES:
        return data
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    end = 0 if wide else data.rfind(b"\n", 0, _HEAD_BYTES) + 1
    return data[: end or _HEAD_BYTES]


def _may_be_read(look: Look, raw: RawFile) -> bool:
    """A table of text in a folder is data, unless a column of it is known to state rules."""
    known = any(c.sure and c.may_bear_rules for block in look.blocks for c in block.columns)
    return look.says_something and (raw.named or known)


def _not_read(raw: RawFile, why: str = _NO_DICTIONARY) -> Counted:
    return Counted(Reading(raw.file, "not read", raw.sha256, why=why), 0)


def _profile(raw: RawFile) -> Profile | tuple[Fault, ...] | None:
    """None where the profile is for other workbooks."""
    found = _read_profile(raw)
    other = isinstance(found, Profile) and not is_for(found, raw.file)
    return None if other else found


def _read_profile(raw: RawFile) -> Profile | tuple[Fault, ...] | None:
    if raw.profile is None:
        return None
    name, text = raw.profile
    found = read_profile(text.text, name)
    return found if isinstance(found, Profile) else tuple(found)


def _counted(raw: RawFile, look: Look, profile: Profile | None) -> Counted | Fault:
    stated = tuple(_stated(look, profile))
    tables = {table for place in stated for table in place.tables}
    sheets = {place.sheet for place in stated}
    unnamed = any(not place.tables for place in stated)
    told = Told(raw, profile, alone=len(tables) + unnamed <= 1, sheets=len(sheets))
    rules = tuple(legacy_rules(stated, told))
    given = raw.tables_of(())
    if given and rules and not {rule.table.name for rule in rules}.intersection(given):
        return _of_several(raw, tables)
    found = classes(look)
    reading = Reading(
        raw.file,
        _read_as(look),
        raw.sha256,
        atoms=len({rule.atom for rule in rules}),
        rules=rules,
        classes={word: found[word] for word in sorted(found)},
        skipped=_skipped(look),
        columns=tuple(
            ColumnRead(c.header.cell.place, c.header.text, c.meaning, c.sure, c.why)
            for block in look.blocks
            for c in block.columns
        ),
        misfits=look.misfits,
    )
    return Counted(reading, _second_count(raw, look, found))


def _of_several(raw: RawFile, tables: Collection[str]) -> Fault:
    """The file is given a table, and speaks of several."""
    found = f"the tables {', '.join(sorted(tables))}, and one name for the file"
    todo = "Use --table TABLE=NAME, with a table or a sheet of it in place of the file."
    return Fault(raw.file, None, found, "a name for each of its tables", todo)


def _read_as(look: Look) -> str:
    kinds = Counter(block.kind for layout in look.layouts for block in layout.blocks)
    kinds.pop("code list", None)
    main = kinds.most_common(1)[0][0] if kinds else "code list"
    return {"dictionary": "data dictionary", "mapping": "mapping sheet"}.get(main, main)


def _second_count(raw: RawFile, look: Look, found: Counter[CellClass]) -> int:
    """All filled cells that other code counts, less those that bear no rule, and what has no cell.

    A row of a rule list is one atom, whatever the number of its cells.
    """
    plain = sum(count for word, count in found.items() if word not in ("rule", "unsure"))
    rows = [b.block for b in look.blocks if b.block.kind == "rule list"]
    in_rows = sum(len(c) for b in rows for r in b.records for c in r.cells.values())
    records = sum(len(block.records) for block in rows)
    beside = validation_count(raw.data, look.book) + _comments(look)
    return bare_count(raw.data, look.book) - plain - in_rows + records + beside


def _comments(look: Look) -> int:
    """Comments on the fields of templates."""
    return sum(
        bool(header.cell.comment)
        for layout in look.layouts
        for block in [b for b in layout.blocks if b.kind == "template"][:1]
        for header in block.headers
    )


def _skipped(look: Look) -> tuple[Skipped, ...]:
    found = [skipped for layout in look.layouts for skipped in layout.skipped]
    unseen = [
        Skipped("the whole file", f"what this format holds of {what} can't be seen", 0)
        for what in look.book.unseen
    ]
    return (*found, *_unread_comments(look), *unseen)


def _unread_comments(look: Look) -> Iterator[Skipped]:
    """Of sheets that are read; those on a template's header are rules."""
    for sheet, layout in zip(look.book.sheets, look.layouts, strict=True):
        headers = {
            (header.cell.row, header.cell.column)
            for block in [b for b in layout.blocks if b.kind == "template"][:1]
            for header in block.headers
        }
        rest = [at for at in sorted(sheet.marks.comments) if at not in headers]
        if rest and layout.blocks:
            named = ", ".join(address(*at) for at in rest[:_SHOWN])
            more = f" and {len(rest) - _SHOWN} more" if len(rest) > _SHOWN else ""
            yield Skipped(sheet.name, f"comments are not read: at {named}{more}", 0)


# What is stated -----------------------------------------------------------------------------------


def _stated(look: Look, profile: Profile | None) -> Iterator[Stated]:
    of_fields = [block for block in look.blocks if block.block.kind in OF_FIELDS]
    types = profile.types if profile else {}
    fields = fields_of(of_fields, _splits(look, profile), types)
    names = names_of(fields, profile.names if profile else {})
    tables = {table.lower(): table for table in names if table}
    keys = keys_of(fields, look.settings)
    against = against_each_other(fields, look.settings)
    for field in fields:
        for stated in of_field(field, _setting(field, names, tables, look)):
            yield from with_keys(with_needs(stated, against), keys)
    for within in look.blocks:
        if within.block.kind == "rule list":
            setting = look.settings[within.block.sheet]
            yield from of_rows(within, replace(setting, tables=tables), names)
    for sheet, layout in zip(look.book.sheets, look.layouts, strict=True):
        yield from of_sheet(sheet, layout, look)


def _splits(look: Look, profile: Profile | None) -> Mapping[str, str]:
    """Sheet -> what parts the names of tables in one cell, as a profile says."""
    if profile is None:
        return {}
    found = {sheet.name: split_of(profile, sheet.name) for sheet in look.book.sheets}
    return {sheet: split for sheet, split in found.items() if split}


def _setting(
    field: Field, names: Mapping[str, Names], tables: Mapping[str, str], look: Look
) -> Setting:
    """A name in a phrase is a column only where it is one in each table of the field."""
    known = [names.get(table, names[""]) for table in field.tables or ("",)]

    def column_of(name: str) -> str | None:
        found = {of_table.find(name) for of_table in known}
        return found.pop() if len(found) == 1 else None

    setting = setting_with(look.settings[field.within.block.sheet], field.within.letters)
    return replace(setting, column_of=column_of, tables=tables)
