"""Values that a script gives its own parameters: `DECLARE @min INT = 5`, `DEFINE x = 5`.

Only a constant that its type keeps as it is, and that nothing else in the script changes or makes
depend on something, is a value.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.found import Script
from ruleferry.converters.readers.sql.macros.filling import bare
from ruleferry.converters.readers.sql.macros.styles import styles_of

_NUMBER = r"[-+]?(?:[0-9]{1,30}(?:\.[0-9]{1,30})?|\.[0-9]{1,30})"
_TEXT = r"[nN]?'(?:[^']|'')*'"
_CONSTANT = rf"(?P<value>{_NUMBER}|{_TEXT})"
_END = (
    r"(?=\s*(?:[,;)\n]|\Z|"
    r"\b(?:OUT|OUTPUT|READONLY|AS|BEGIN|SELECT|SET|IF|DECLARE|INSERT|UPDATE|DELETE|GO)\b))"
)
_TYPE = r"(?P<type>[A-Za-z]\w*)(?:\s*\(\s*(?P<size>\w+)(?:\s*,\s*\d+)?\s*\))?"

# DECLARE @min INT = 5, @max INT = 10; the parameters of a procedure; SET @min = 5
_DECLARED = re.compile(
    rf"(?<![\w@])@(?P<name>\w+)\s+(?:AS\s+)?{_TYPE}\s*=\s*{_CONSTANT}{_END}", re.I
)
_SET = re.compile(rf"\bSET\s+@(?P<name>\w+)\s*:?=\s*{_CONSTANT}{_END}", re.I)
_OF_TYPE = re.compile(rf"(?<![\w@])@(?P<name>\w+)\s+(?:AS\s+)?{_TYPE}", re.I)
# p_max IN NUMBER DEFAULT 5, c_max CONSTANT NUMBER := 5
_PARAMETER = re.compile(
    rf"(?<![\w@:])(?P<name>[A-Za-z_]\w*)\s+(?:CONSTANT\s+|IN\s+)?{_TYPE}\s*"
    rf"(?:DEFAULT|:=)\s*{_CONSTANT}{_END}",
    re.I,
)
_HIVE = re.compile(
    r"^\s*SET\s+(?:hivevar|hiveconf|var):(?P<name>[\w.]+)\s*=\s*(?P<rest>[^\n;]*?)\s*;?\s*$",
    re.I | re.M,
)
# Lines of their own.
_LINES = (
    re.compile(r"^\s*DEF(?:INE)?\s+(?P<name>\w+)\s*=\s*(?P<rest>[^\n]*?)\s*;?\s*$", re.I | re.M),
    _HIVE,
    re.compile(r"^\s*\\set\s+(?P<name>\w+)\s+(?P<rest>[^\n]*?)\s*$", re.M),
    re.compile(r"^\s*:setvar\s+(?P<name>\w+)\s+(?P<rest>[^\n]*?)\s*$", re.I | re.M),
    re.compile(r"\{\s*DEFAULT\s+@(?P<name>\w+)\s*=\s*(?P<rest>[^{}]*?)\s*\}", re.I),
)
_SNOWFLAKE = re.compile(rf"^\s*SET\s+(?P<name>\w+)\s*=\s*{_CONSTANT}\s*;?\s*$", re.I | re.M)
# What else gives a variable a value, and what makes one depend on something.
_CHANGED = re.compile(
    r"(?<![\w@])@(\w+)\s*(?:[-+*/%&|^]=|:?=)|\bINTO\s+((?:@\w+\s*,\s*)*@\w+)|@(\w+)\s+OUT(?:PUT)?\b",
    re.I,
)
_COMPARED = re.compile(
    r"(?:\b(?:WHERE|AND|OR|ON|HAVING|WHEN|NOT|IF|WHILE|THEN|RETURN)|\()\s*\Z", re.I
)
_CONDITIONAL = re.compile(r"\b(?:IF|ELSE|WHILE|CASE)\b", re.I)

_TRIGGER = re.compile(r"\b(?:DECLARE|SET|DEF|DEFINE|SETVAR|DEFAULT|PROC|PROCEDURE)\b|:=", re.I)

_WHOLE = {"int", "integer", "bigint", "smallint", "tinyint", "bit", "pls_integer"}
_SCALED = {"decimal", "numeric", "dec"}
_OTHER_NUMBERS = {"number", "float", "real", "double", "money"}
_TEXTS = {"varchar", "nvarchar", "varchar2", "nvarchar2"}
_LONG_TEXTS = {"text", "string", "sysname", "clob"}
_MOMENTS = {"date", "datetime", "datetime2", "timestamp", "smalldatetime"}
_WITH_PARAMETERS = ("oracle", "db2", "snowflake", "postgres", "redshift", "netezza", "teradata")


@dataclass(frozen=True, slots=True)
class _Given:
    name: str
    value: object
    start: int
    end: int


def defaults_in(script: Script) -> Mapping[str, object]:
    """Name without its sign, in lower case -> a number or a text."""
    if not _TRIGGER.search(script.text):
        return {}
    text, literals = _without_comments(script.text, script.dialect)
    variables = [*_declared(_DECLARED, text), *_set(text, script.dialect)]
    changed = _changed(text, variables)
    given = [*_of_lines(text, script.dialect)]
    given += [one for one in variables if one.name not in changed]
    if script.dialect.name in _WITH_PARAMETERS:
        given += [one for one in _declared(_PARAMETER, text) if not _is_assigned(one, text)]
    return _agreed([one for one in given if not _is_within(one.start, literals)])


def _without_comments(text: str, dialect: SqlDialect) -> tuple[str, list[tuple[int, int]]]:
    """Comments as blanks, so that offsets stay; and where literals are."""
    at, parts, literals = 0, [], []
    for one in styles_of(dialect, "").code.finditer(text):
        if one.lastgroup == "comment":
            parts += [text[at : one.start()], re.sub(r"[^\n]", " ", one[0])]
            at = one.end()
        elif one.lastgroup == "literal":
            literals.append(one.span())
    return "".join([*parts, text[at:]]), literals


def _agreed(given: list[_Given]) -> Mapping[str, object]:
    """Two values of one name are none."""
    found: dict[str, set[object]] = {}
    for one in given:
        found.setdefault(one.name, set()).add((type(one.value), one.value))
    return {one.name: one.value for one in given if len(found[one.name]) == 1}


def _declared(pattern: re.Pattern[str], text: str) -> Iterator[_Given]:
    for found in pattern.finditer(text):
        value = _constant(found["value"])
        if _is_kept(value, found["type"].lower(), found["size"]):
            yield _Given(bare(found["name"]), value, *found.span())


def _set(text: str, dialect: SqlDialect) -> Iterator[_Given]:
    types = {bare(one["name"]): one for one in _OF_TYPE.finditer(text)}
    for found in _SET.finditer(text):
        if _CONDITIONAL.search(text, 0, found.start()):
            return
        value, of_type = _constant(found["value"]), types.get(bare(found["name"]))
        if of_type is None and dialect.name == "tsql":
            continue
        if of_type is None or _is_kept(value, of_type["type"].lower(), of_type["size"]):
            yield _Given(bare(found["name"]), value, *found.span())


def _is_kept(value: object, of_type: str, size: str | None) -> bool:
    """The type takes the constant as it is written: 5.7 as INT would be another number."""
    if isinstance(value, str):
        if of_type in _TEXTS:
            return size is not None and (not size.isdigit() or len(value) <= int(size[:9]))
        return of_type in _LONG_TEXTS or of_type in _MOMENTS
    if of_type in _WHOLE:
        return isinstance(value, int)
    if of_type in _SCALED:
        return isinstance(value, int) or size is not None
    return of_type in _OTHER_NUMBERS


def _of_lines(text: str, dialect: SqlDialect) -> Iterator[_Given]:
    for pattern in _LINES:
        for found in pattern.finditer(text):
            rest = found["rest"]
            # Hive pastes quotes as they are written; the other tools take them off.
            value = rest if pattern is _HIVE and not _is_number(rest) else _unquoted(rest)
            yield _Given(bare(found["name"]), value, *found.span())
    if dialect.name == "snowflake":
        for found in _SNOWFLAKE.finditer(text):
            yield _Given(bare(found["name"]), _constant(found["value"]), *found.span())


def _is_assigned(one: _Given, text: str) -> bool:
    """`v_n NUMBER := 5` declares, `v_n := 6` and `INTO v_n` assign."""
    name = re.escape(one.name)
    pattern = rf"(?<![\w.]){name}\s*:=|\bINTO\b[^;]{{0,500}}?(?<![\w.]){name}\b"
    return bool(re.search(pattern, text, re.I))


def _changed(text: str, known: list[_Given]) -> set[str]:
    """Names that anything but the constants found gives a value."""
    spans = sorted((one.start, one.end) for one in known)
    changed: set[str] = set()
    for found in _CHANGED.finditer(text):
        before = text[max(0, found.start() - 40) : found.start()]
        if found[1] and (_COMPARED.search(before) or _is_within(found.start(), spans)):
            continue
        names = found[1] or found[2] or found[3]
        changed |= {bare(name) for name in names.split(",")}
    return changed


def _is_within(at: int, spans: list[tuple[int, int]]) -> bool:
    place = bisect_right(spans, (at, at)) - 1
    return any(start <= at < end for start, end in spans[max(place, 0) : place + 2])


def _constant(text: str) -> object:
    if found := re.fullmatch(r"[nN]?'(.*)'", text, re.DOTALL):
        return found[1].replace("''", "'")
    return float(text) if "." in text else int(text)


def _unquoted(text: str) -> object:
    """The rest of a line: a number, or a text with or without quotes."""
    if _is_number(text):
        return _constant(text)
    if found := re.fullmatch(r"'((?:[^']|'')*)'", text):
        return found[1].replace("''", "'")
    return text[1:-1] if re.fullmatch(r'"[^"]*"', text) else text


def _is_number(text: str) -> bool:
    return re.fullmatch(_NUMBER, text) is not None
