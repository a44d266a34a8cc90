"""`checks.sql` beside a query of BigQuery: `#fail` or `#warn`, and a macro or a statement each.

The macros are those of the tool itself; a statement of its own is left to the other rooms, with
the action that the line above it states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import PurePosixPath

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.predicates import Matches, Value
from ruleferry.converters.readers.sql.dsl.args import exact
from ruleferry.converters.readers.sql.dsl.build import On, call, column, literal
from ruleferry.converters.readers.sql.dsl.item import Item, Listed, rule
from ruleferry.converters.readers.sql.dsl.nodes import Place
from ruleferry.converters.readers.sql.found import Checked, Found, Setting
from ruleferry.converters.readers.sql.macros.jinja import Call, read_expression
from ruleferry.converters.rule import Action, Caveat, Row

_LEVEL = re.compile(r"^[ \t]*#[ \t]*(fail|warn)\b[^\n]*$", re.MULTILINE)
_MACRO = re.compile(r"\{\{(?P<call>.*?)\}\}", re.DOTALL)
_FIRST = re.compile(r"\s*\{\{(?P<call>.{0,5000}?)\}\}", re.DOTALL)
_TABLE = re.compile(r"\bFROM\s+`([\w-]+(?:\.[\w-]+)*)`", re.IGNORECASE)
_PROJECT = re.compile(r"\{\{\s*(?:project_id|dataset_id|table_name)\s*\}\}")


def is_bigquery_checks(text: str, file: str) -> bool:
    """A file of checks by its name, or by a line of #fail or #warn."""
    named = PurePosixPath(file.replace("\\", "/")).name.lower() == "checks.sql"
    levels = list(_LEVEL.finditer(text))
    return bool(levels) and (named or any(_known(text, level.end()) for level in levels))


def _known(text: str, start: int) -> bool:
    match = _FIRST.match(text, start)
    read = read_expression(match["call"]) if match else None
    return isinstance(read, Call) and read.dotted in _READERS


@dataclass(frozen=True, slots=True)
class Section:
    """What follows a line of #fail or #warn, up to the next: `start`, `end` without blanks."""

    action: Action
    start: int
    end: int
    macro: bool


def sections(text: str) -> tuple[Section, ...]:
    """For whoever reads the statements that are no macro, with the action of each."""
    levels = list(_LEVEL.finditer(text))
    ends = [*(level.start() for level in levels[1:]), len(text)][: len(levels)]
    found = []
    for level, end in zip(levels, ends, strict=True):
        body = text[level.end() : end]
        start = level.end() + len(body) - len(body.lstrip())
        stop = max(start, level.end() + len(body.rstrip()))
        whole = _MACRO.fullmatch(text[start:stop].rstrip("; \n\t"))
        action: Action = "fail" if level[1].lower() == "fail" else "warn"
        found.append(Section(action, start, stop, whole is not None))
    return tuple(found)


def read_bigquery_checks(
    text: str, file: str, setting: Setting, values: Mapping[str, object] | None = None
) -> Listed:
    """The rules of the macros; the table is told by the path, or by a query of the same file."""
    table = table_of(text, file)
    on = On(table or "", setting, "jinja", values or {})
    founds = [
        found
        for index, section in enumerate(sections(text))
        if section.macro
        for found in _macro(text, section, f"checks[{index}]", on)
    ]
    return tuple(founds), {"checks": len(_LEVEL.findall(text))}


def table_of(text: str, file: str) -> str | None:
    """`sql/project/dataset/table/checks.sql`, else the one table that the file's queries name."""
    parts = PurePosixPath(file.replace("\\", "/")).parts
    if len(parts) >= 4 and parts[-1].lower() == "checks.sql":
        return ".".join(parts[-4:-1])
    named = {name for name in _TABLE.findall(text) if not _PROJECT.search(name)}
    return named.pop() if len(named) == 1 else None


def _macro(text: str, section: Section, place: str, on: On) -> Iterator[Found]:
    """One rule for each column that it names."""
    where = {place: Place(section.start, section.end)}
    body = text[section.start : section.end].rstrip("; \n\t")
    item = Item(place, "", on.table or None, action=section.action, detail=f"#{section.action}")
    read = read_expression(body[2:-2])
    if not isinstance(read, Call) or not read.known or read.dotted not in _READERS:
        reason = f"the macro {body[:80]} is not known"
        yield rule(item, _refused("custom_test", reason), where)
        return
    asked = _Asked.of(read)
    for name, columns, check in _READERS[read.dotted](asked, on):
        label = name or "_".join((read.dotted, *columns))
        named = replace(item, name=label, columns=columns)
        yield rule(named, lambda check=check: _checked(check, asked, on), where)  # type: ignore[misc]


def _checked(check: Callable[[], Checked], asked: _Asked, on: On) -> Checked:
    if not on.table:
        raise Unreadable("no_table", "neither the path nor a query of the file names its table")
    if asked.unknown:
        raise Unreadable("unknown_shape", f"{asked.unknown} of {asked.macro} is not known")
    where = asked.given.get("where")
    found = check()
    if where is None:
        return found
    if not isinstance(where, str):
        raise Unreadable("template", "its where is no text")
    return on.limited(found, where)


def _refused(code: str, reason: str) -> Callable[[], Checked]:
    def read() -> Checked:
        raise Unreadable(code, reason)

    return read


# Macros -------------------------------------------------------------------------------------------

_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "not_null": ("columns", "where"),
    "is_unique": ("columns", "where"),
    "min_row_count": ("threshold", "where"),
    "value_length": ("column", "expected_length", "where"),
    "accepted_values": ("column", "values", "where"),
    "in_range": ("columns", "min", "max", "where"),
    "matches_pattern": ("column", "pattern", "where", "threshold_fail_percentage", "message"),
}


@dataclass(frozen=True, slots=True)
class _Asked:
    macro: str
    given: Mapping[str, object]
    unknown: str

    @staticmethod
    def of(read: Call) -> _Asked:
        known = _PARAMETERS[read.dotted]
        given = dict(zip(known, read.arguments, strict=False)) | dict(read.named)
        unknown = ", ".join(sorted(set(given) - set(known)))
        return _Asked(read.dotted, given, unknown)

    def names(self, key: str) -> tuple[str, ...]:
        found = self.given.get(key)
        listed = [found] if isinstance(found, str) else found
        if not isinstance(listed, list | tuple) or not listed:
            return ()
        return tuple(str(name) for name in listed)

    def value(self, key: str) -> Value:
        found = self.given.get(key)
        if isinstance(found, list | tuple | dict):
            raise Unreadable("malformed", f"{key}: a value was expected")
        return exact(found)


_Checks = list[tuple[str, tuple[str, ...], Callable[[], Checked]]]
_NOTHING: _Checks = [("", (), _refused("malformed", "it names no column"))]


def _not_null(asked: _Asked, on: On) -> _Checks:
    names = asked.names("columns")
    return [("", (name,), lambda name=name: on.present(name)) for name in names] or _NOTHING  # type: ignore[misc]


def _is_unique(asked: _Asked, on: On) -> _Checks:
    """It groups by the columns, and a missing value is one like others."""
    names = asked.names("columns")
    return [("", names, lambda: on.unique(names, "never"))] if names else _NOTHING


def _min_row_count(asked: _Asked, on: On) -> _Checks:
    def read() -> Checked:
        least = asked.value("threshold") if "threshold" in asked.given else 1
        if isinstance(least, bool) or not isinstance(least, int):
            raise Unreadable("malformed", "threshold: a number of records was expected")
        return on.row_count(least, None)

    return [("", (), read)]


def _value_length(asked: _Asked, on: On) -> _Checks:
    names = asked.names("column")

    def read() -> Checked:
        wanted = literal(asked.value("expected_length"))
        test = exp.NEQ(this=call("length", column(names[0])), expression=wanted)
        return replace(on.of_tree(test, bad=True), kind="length")

    return [("", names, read)] if len(names) == 1 else _NOTHING


def _accepted_values(asked: _Asked, on: On) -> _Checks:
    names = asked.names("column")

    def read() -> Checked:
        values = asked.given.get("values")
        listed = values if isinstance(values, list | tuple) else [values]
        return on.allowed(names[0], [exact(value) for value in listed])

    return [("", names, read)] if len(names) == 1 else _NOTHING


def _in_range(asked: _Asked, on: On) -> _Checks:
    def read(name: str) -> Checked:
        low, high = _number(asked, "min"), _number(asked, "max")
        return on.range(name, low, high)

    names = asked.names("columns")
    return [("", (name,), lambda name=name: read(name)) for name in names] or _NOTHING  # type: ignore[misc]


def _number(asked: _Asked, key: str) -> int | Decimal | None:
    found = asked.value(key)
    if isinstance(found, bool) or not isinstance(found, int | Decimal | None):
        raise Unreadable("unknown_shape", f"{key}: {found} is no number")
    return found


def _matches(asked: _Asked, on: On) -> _Checks:
    """The share of bad records is rounded to two digits of a percent before it is compared."""
    names = asked.names("column")

    def read() -> Checked:
        pattern, limit = asked.given.get("pattern"), asked.value("threshold_fail_percentage")
        if not isinstance(pattern, str):
            raise Unreadable("malformed", "pattern: a text was expected")
        if limit not in (None, 0):
            raise Unreadable("no_equivalent", f"up to {limit} % of the records may be bad")
        found = on.made(Row(Matches(names[0], (pattern,))), "pattern", names)
        detail = "of many records less than 0.005 % could be bad, and were rounded down to none"
        return replace(found, caveats=(Caveat("dialect_differs", detail),))

    return [("", names, read)] if len(names) == 1 else _NOTHING


_READERS: Mapping[str, Callable[[_Asked, On], _Checks]] = {
    "not_null": _not_null,
    "is_unique": _is_unique,
    "min_row_count": _min_row_count,
    "value_length": _value_length,
    "accepted_values": _accepted_values,
    "in_range": _in_range,
    "matches_pattern": _matches,
}
