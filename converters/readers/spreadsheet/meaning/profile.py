"""A profile: how the workbooks of one owner are read, as a person confirmed it once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Any

from ruleferry.converters import config_checks
from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.spreadsheet.meaning import profile_checks as checks
from ruleferry.converters.readers.spreadsheet.meaning.header_words import meanings
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import (
    NO_SETTINGS,
    Profile,
    SheetProfile,
    SheetSettings,
    TableFrom,
)
from ruleferry.converters.readers.spreadsheet.statement import NO_SETTING, Meaning, Setting
from ruleferry.converters.toml_checks import (
    Check,
    Checker,
    Key,
    R,
    flag,
    parse_toml,
    text,
    words,
)

_At = tuple[Key, ...]


def _by(check: Check) -> Mapping[str, object]:
    return {"check": check}


# The tables of the file: each field is a key -----------------------------------------------------


@dataclass(frozen=True)
class _Workbook:
    file: Any = field(default=(), metadata=_by(checks.patterns))
    ignore_sheets: Any = field(default=(), metadata=_by(checks.patterns))
    hidden_sheets: Any = field(default="skip", metadata=_by(checks.used))
    hidden_rows: Any = field(default="use", metadata=_by(checks.used))
    struck: Any = field(default="skip", metadata=_by(checks.used))


@dataclass(frozen=True)
class _Sheet:
    header_row: Any = field(default=None, metadata=_by(checks.row))
    first_row: Any = field(default=None, metadata=_by(checks.row))
    last_row: Any = field(default=None, metadata=_by(checks.row))
    last_column: Any = field(default=None, metadata=_by(checks.letters))
    transposed: Any = field(default=None, metadata=_by(flag))
    kind: Any = field(default=None, metadata=_by(checks.kind))
    continuation: Any = field(default=None, metadata=_by(checks.continuation))
    ignore: Any = field(default=False, metadata=_by(flag))


# The meanings whose words a legend may explain.
LEGENDS = (
    "required", "nullable", "primary_key", "unique", "foreign_key", "status", "severity",
    "threshold",
)  # fmt: skip
_PARTS = {"match", "table", "columns", "values", "polarity"}


@dataclass(frozen=True)
class _Lists:
    closed: Any = field(default=None, metadata=_by(flag))


@dataclass(frozen=True)
class _Nulls:
    words: Any = field(default=(), metadata=_by(words))
    sentinels: Any = field(default=(), metadata=_by(checks.sentinels))


@dataclass(frozen=True)
class _Dates:
    dmy: Any = field(default=None, metadata=_by(flag))


@dataclass(frozen=True)
class _Modes:
    relevance: Any = field(default="off", metadata=_by(checks.relevance))
    suggestions: Any = field(default="report", metadata=_by(checks.suggestions))


_TABLES = (
    "workbook", "sheets", "lists", "names", "nulls", "dates", "modes", "severity", "types",
)  # fmt: skip


def read_profile(toml: str, file: str) -> Profile | list[Fault]:
    """A profile of its text; all of its faults where it has any."""
    data = parse_toml(toml, file)
    if isinstance(data, Fault):
        return [data]
    checker = Checker(file, toml)
    checker.unknown_keys(data, _TABLES)
    profile = _read(checker, data)
    return checker.faults or profile


def _read(checker: Checker, data: Mapping[str, object]) -> Profile:
    book = _part(checker, _Workbook, data, "workbook")
    lists, nulls = _part(checker, _Lists, data, "lists"), _part(checker, _Nulls, data, "nulls")
    dates, modes = _part(checker, _Dates, data, "dates"), _part(checker, _Modes, data, "modes")
    return Profile(
        checker.file,
        workbooks=book.file,
        ignore_sheets=book.ignore_sheets,
        hidden_sheets=book.hidden_sheets,
        hidden_rows=book.hidden_rows,
        struck=book.struck,
        sheets=_sheets(checker, data.get("sheets", [])),
        closed_lists=lists.closed,
        names=checker.mapped(text, data.get("names", {}), ("names",)),
        null_words=(*nulls.words, *nulls.sentinels),
        day_first=dates.dmy,
        relevance=modes.relevance,
        suggestions=modes.suggestions,
        severity=_lower(checker, config_checks.action, data, "severity"),
        types=_lower(checker, text, data, "types"),
    )


def _part(checker: Checker, kind: type[R], data: Mapping[str, object], name: str) -> R:
    given = checker.table(data.get(name, {}), (name,)) or {}
    return kind(**checker.values(kind, given, (name,)))


def _lower(checker: Checker, check: Check, data: Mapping[str, object], name: str) -> dict[str, Any]:
    return _one_case(checker, checker.mapped(check, data.get(name, {}), (name,)), (name,))


def _one_case(checker: Checker, given: Mapping[str, Any], at: _At) -> dict[str, Any]:
    """Words in lower case; one that stands twice so is a fault."""
    found: dict[str, Any] = {}
    for word, value in given.items():
        key = word.strip().lower()
        if key in found:
            checker.fault((*at, word), f"`{word}` again", "each word once", "Keep one.")
        found[key] = value
    return found


def _sheets(checker: Checker, value: object) -> tuple[SheetProfile, ...]:
    if not isinstance(value, list):
        checker.fault(("sheets",), f"{value}", "a list of tables, [[sheets]]", "Write one.")
        return ()
    found = [_sheet(checker, item, ("sheets", number)) for number, item in enumerate(value)]
    return tuple(sheet for sheet in found if sheet is not None)


def _sheet(checker: Checker, value: object, at: _At) -> SheetProfile | None:
    given = checker.table(value, at)
    if given is None:
        return None
    if "match" not in given:
        checker.fault(at, "no `match` in it", "the names of its sheets", 'Add match = "NAME".')
    patterns = checker.value(checks.sheet_names, given.get("match", ""), (*at, "match"))
    settings = SheetSettings(**checker.values(_Sheet, given, at, also=_PARTS))
    return SheetProfile(
        patterns if isinstance(patterns, tuple) else (),
        settings,
        _table(checker, given.get("table"), (*at, "table")),
        _columns(checker, given.get("columns", {}), (*at, "columns")),
        _values(checker, given.get("values", {}), (*at, "values")),
        checker.mapped(checks.polarity, given.get("polarity", {}), (*at, "polarity")),
    )


def _table(checker: Checker, value: object, at: _At) -> TableFrom | None:
    """`{from = "cell", cell = "B1"}`: what it is taken from, and where that is."""
    given = checker.table(value, at) if value is not None else None
    if given is None:
        return None
    source = checker.value(checks.table_from, given.get("from"), (*at, "from"))
    own = {"cell": checks.address, "column": checks.header, "name": text}
    wanted = str(source) if source in own else ""
    checker.unknown_keys(given, {"from", "split", wanted} - {""}, at)
    split = (
        checker.value(checks.filled, given["split"], (*at, "split")) if "split" in given else None
    )
    if not wanted:
        return TableFrom("sheet", "", str(split) if split else None) if source else None
    if wanted not in given:
        checker.fault(at, f"no `{wanted}` in it", f"`{wanted}`, since from is {wanted}", "Add it.")
        return None
    told = checker.value(own[wanted], given[wanted], (*at, wanted))
    return TableFrom(wanted, str(told), str(split) if split else None)  # type: ignore[arg-type]


def _columns(checker: Checker, value: object, at: _At) -> dict[Meaning, tuple[str, ...]]:
    given = checker.table(value, at) or {}
    checker.unknown_keys(given, meanings(), at)
    known = {key: raw for key, raw in given.items() if key in meanings()}
    return checker.mapped(checks.headers, known, at)


def _values(checker: Checker, value: object, at: _At) -> dict[Meaning, dict[str, bool | str]]:
    given = checker.table(value, at) or {}
    checker.unknown_keys(given, LEGENDS, at)
    return {
        key: _one_case(checker, checker.mapped(checks.legend, raw, (*at, key)), (*at, key))
        for key, raw in given.items()
        if key in LEGENDS
    }


# What it says of one sheet -----------------------------------------------------------------------


def sheet_profile(profile: Profile, sheet: str) -> SheetProfile | None:
    """The first [[sheets]] whose pattern is the sheet's name; upper and lower case are one."""
    found = (
        one for one in profile.sheets if any(is_match(sheet, pattern) for pattern in one.match)
    )
    return next(found, None)


def is_match(name: str, pattern: str) -> bool:
    return fnmatchcase(name.casefold(), pattern.casefold())


def is_for(profile: Profile, file: str) -> bool:
    """Whether it is for a file, by the name of it."""
    name = PurePosixPath(file).name
    return not profile.workbooks or any(is_match(name, found) for found in profile.workbooks)


def settings_of(profile: Profile, sheet: str) -> SheetSettings:
    """What it says of the layout of a sheet."""
    one = sheet_profile(profile, sheet)
    settings = replace(
        one.settings if one else NO_SETTINGS,
        read_hidden=profile.hidden_sheets == "use",
        skip_hidden_rows=profile.hidden_rows == "skip",
    )
    if any(is_match(sheet, pattern) for pattern in profile.ignore_sheets):
        return replace(settings, ignore=True)
    if one is None or one.table is None or one.table.source == "column":
        return settings
    name = sheet if one.table.source == "sheet" else one.table.text
    return replace(settings, table=name, named=one.table.source != "cell")


def chosen_of(profile: Profile, sheet: str) -> Mapping[str, Meaning]:
    """Header -> the meaning that it says, a header of inverted polarity with the opposite one."""
    one = sheet_profile(profile, sheet)
    if one is None:
        return {}
    chosen = {header: meaning for meaning, texts in one.columns.items() for header in texts}
    if one.table is not None and one.table.source == "column":
        chosen[one.table.text] = "table"
    for header, word in one.polarity.items():
        chosen[header] = "nullable" if word == "inverted" else "required"
    return chosen


def split_of(profile: Profile, sheet: str) -> str | None:
    """What parts the names of several tables in one cell."""
    one = sheet_profile(profile, sheet)
    return one.table.split if one is not None and one.table is not None else None


def setting_of(profile: Profile, sheet: str, base: Setting = NO_SETTING) -> Setting:
    """What it says of the cells of a sheet; what it doesn't say stays as it was."""
    one = sheet_profile(profile, sheet)
    legend = dict(base.legend)
    for meaning, known in (one.values if one else {}).items():
        legend[meaning] = {**legend.get(meaning, {}), **known}
    return replace(
        base,
        legend=legend,
        null_words=tuple(dict.fromkeys((*base.null_words, *profile.null_words))),
        day_first=base.day_first if profile.day_first is None else profile.day_first,
        relevance=profile.relevance,
        closed_lists=base.closed_lists if profile.closed_lists is None else profile.closed_lists,
        types=profile.types,
    )
