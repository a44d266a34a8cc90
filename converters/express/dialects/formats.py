"""Date formats of the dialects in the letters of Spark.

A format that is read takes single digits where the source does, and where no other digit touches
them. What a source takes beyond that (other separators, names for numbers, text behind the date)
is told, not carried over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Literal, TypeAlias

from ruleferry.converters.express import literals
from ruleferry.converters.express.dialects.terms import refuse
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.mappings import table

Use: TypeAlias = Literal["read", "write"]

# Whose letters a dialect has.
_WAYS: Mapping[str, tuple[str, str]] = {
    "oracle": ("letters", "oracle"),
    "postgres": ("letters", "postgres"),
    "redshift": ("letters", "postgres"),
    "netezza": ("letters", "postgres"),
    "snowflake": ("letters", "snowflake"),
    "teradata": ("letters", "teradata"),
    "db2": ("letters", "db2"),
    "mysql": ("percent", "mysql"),
    "bigquery": ("percent", "bigquery"),
    "tsql": ("letters", "net"),
    "hive": ("java", "java"),
    "impala": ("java", "java"),
}
# Where 2024-3-5 is read as well as 2024-03-05.
_SINGLE = frozenset({"oracle", "postgres", "redshift", "netezza", "mysql", "bigquery"})
_NUMERIC = frozenset("yrMdHhmsS")
_CLOCK = frozenset("HhmsSa")


@dataclass(frozen=True, slots=True)
class _Field:
    """Letters of Spark; "rr" stands for a year of two digits that may be of the last century."""

    letters: str

    @property
    def digital(self) -> bool:
        return self.letters[0] in _NUMERIC and self.letters not in ("MMM", "MMMM")


@dataclass(frozen=True, slots=True)
class Format:
    """`pattern`: Spark's. `upper`: what is written is in capitals. `pivot`: a year of two digits
    from 50 on is of the last century. `clock`: it has a time of day."""

    pattern: str
    parts: tuple[_Field | str, ...]
    upper: bool = False
    pivot: bool = False

    @property
    def clock(self) -> bool:
        return any(part.letters[0] in _CLOCK for part in self.parts if isinstance(part, _Field))


def format_of(text: str, dialect: str, use: Use, *, way: str = "") -> Format:
    """Raises Refusal. `way`: "phrase" for FORMAT of a cast in Teradata."""
    kind, name = ("letters", way) if way else _WAYS.get(dialect, ("", ""))
    if kind == "java":
        return _of_java(text, use)
    if kind == "percent":
        parts, upper = _percent(text, name, use), False
    elif kind == "letters":
        parts, upper = _letters(text, name, use)
    else:
        raise refuse(f"the date formats of {dialect} are not known")
    single = use == "read" and dialect in _SINGLE and not way
    return _made(text, parts, upper=upper, use=use, single=single)


def of_style(style: int) -> Format:
    """Of CONVERT in SQL Server."""
    pattern = _styles().get(style)
    if pattern is None:
        raise refuse(f"the style {style} of CONVERT is not carried over")
    return _of_java(pattern, "write")


@cache
def _styles() -> Mapping[int, str]:
    rows = table("sql_formats")["styles"]
    assert isinstance(rows, dict)
    return {int(number): str(pattern) for number, pattern in rows.items()}


def _of_java(text: str, use: Use) -> Format:
    if fault := literals.format_fault(text, parses=use == "read"):
        raise Refusal("format", fault)
    parts = [_Field(piece) if piece[0].isalpha() else piece.strip("'") for piece in _pieces(text)]
    return Format(text, tuple(parts))


def _pieces(text: str) -> list[str]:
    return [found[0] for found in re.finditer(r"([A-Za-z])\1*|'[^']*'|.", text, re.DOTALL)]


def _made(
    text: str, parts: Sequence[_Field | str], *, upper: bool, use: Use, single: bool
) -> Format:
    fields = [part for part in parts if isinstance(part, _Field)]
    if not fields or (use == "read" and len({f.letters[0] for f in fields}) < len(fields)):
        raise refuse(f"the date format {text!r} states nothing, or one thing twice")
    pivot = any(field.letters == "rr" for field in fields)
    pattern = "".join(
        _written(part, _touches(parts, at) or not single) for at, part in enumerate(parts)
    )
    if fault := literals.format_fault(pattern, parses=use == "read"):
        raise refuse(f"the date format {text!r} can't be carried over: {fault}")
    return Format(pattern, tuple(parts), upper, pivot)


def _touches(parts: Sequence[_Field | str], at: int) -> bool:
    """Another number stands right before or after it."""
    around = (parts[at - 1] if at else "", parts[at + 1] if at + 1 < len(parts) else "")
    return any(
        part.digital if isinstance(part, _Field) else part[:1].isdigit() or part[-1:].isdigit()
        for part in around
    )


def _written(part: _Field | str, in_full: bool) -> str:
    if isinstance(part, str):
        return part if re.fullmatch(r"[-/:., ]*", part) else f"'{part}'"
    letters = part.letters.replace("rr", "yy")
    return (
        letters[0] if not in_full and letters in ("MM", "dd", "HH", "hh", "mm", "ss") else letters
    )


# Reading formats ----------------------------------------------------------------------------------


@cache
def _known(kind: str, name: str, use: Use) -> Mapping[str, str]:
    rows = table("sql_formats")[kind]
    assert isinstance(rows, dict)
    row = rows[name]
    return {**row.get("both", {}), **row.get(use, {})}


def _percent(text: str, name: str, use: Use) -> list[_Field | str]:
    known = _known("percent", name, use)
    parts: list[_Field | str] = []
    for found in re.finditer(r"%(.?)|([^%])", text, re.DOTALL):
        letter, char = found.groups()
        if letter == "%" or char:
            parts.append(_plain(char or "%", text))
        elif letter in known:
            parts += _fields(known[letter])
        else:
            raise refuse(f"%{letter} of the date format {text!r} is not carried over")
    return parts


def _fields(letters: str) -> list[_Field | str]:
    return [_Field(piece) if piece[0].isalpha() else piece for piece in _pieces(letters)]


def _letters(text: str, name: str, use: Use) -> tuple[list[_Field | str], bool]:
    """The longest word that is known at each place; names of months and days tell their case."""
    known = _known("letters", name, use)
    exact = name == "net"
    if exact and len(text) < 2:
        raise refuse(f"the format {text!r} depends on the language")
    parts: list[_Field | str] = []
    cases: set[bool] = set()
    at = 0
    while at < len(text):
        word = _word(text, at, known, exact=exact, use=use)
        if word is None:
            plain, at = _literal(text, at)
            parts.append(plain)
            continue
        letters, _, case = known[word].partition(" ") if known[word].strip() else (" ", "", "")
        if not known[word]:
            raise refuse(f"{word} of the date format {text!r} is not carried over")
        if letters[0] in "EM" and len(letters) > 2:
            cases.add(case == "upper")
        parts.append(_Field(letters) if letters.strip() else " ")
        at += len(word)
    if use == "write" and True in cases and (False in cases or _has_small(parts)):
        raise refuse(f"the date format {text!r} mixes capitals and small letters")
    return parts, use == "write" and True in cases


def _word(text: str, at: int, known: Mapping[str, str], *, exact: bool, use: Use) -> str | None:
    for word in sorted(known, key=len, reverse=True):
        here = text[at : at + len(word)]
        same = here == word
        folds = not exact and (use == "read" or word.upper() not in ("MON", "DY"))
        if same or (folds and here.upper() == word.upper()):
            return word
    return None


def _literal(text: str, at: int) -> tuple[str, int]:
    if text[at] == '"':
        end = text.find('"', at + 1)
        if end > 0 and "'" not in text[at:end]:
            return text[at + 1 : end], end + 1
    return _plain(text[at], text), at + 1


def _plain(char: str, text: str) -> str:
    if char.isalnum() or char in "'\"%" or not char.isascii() or not char.isprintable():
        raise refuse(f"{char!r} in the date format {text!r} is not carried over")
    return char


def _has_small(parts: Sequence[_Field | str]) -> bool:
    return any(isinstance(part, str) and part.upper() != part for part in parts)


# Texts that are written out -----------------------------------------------------------------------

_MONTHS = "January February March April May June July August September October November December"
_SHAPES = {
    "yyyy": r"(?P<year>\d{4})", "yy": r"(?P<year>\d{2})", "rr": r"(?P<year>\d{2})",
    "MM": r"(?P<month>\d{1,2})", "M": r"(?P<month>\d{1,2})", "dd": r"(?P<day>\d{1,2})",
    "d": r"(?P<day>\d{1,2})", "HH": r"(?P<hour>\d{1,2})", "H": r"(?P<hour>\d{1,2})",
    "mm": r"(?P<minute>\d{1,2})", "m": r"(?P<minute>\d{1,2})", "ss": r"(?P<second>\d{1,2})",
    "s": r"(?P<second>\d{1,2})",
    "MMM": rf"(?P<name>{'|'.join(month[:3] for month in _MONTHS.split())})",
    "MMMM": rf"(?P<name>{'|'.join(_MONTHS.split())})",
}  # fmt: skip


def moment(written: str, found: Format) -> datetime | None:
    """The text as the format reads it; None where that is not certain."""
    shape = ""
    for part in found.parts:
        if isinstance(part, _Field) and part.letters not in _SHAPES:
            return None
        shape += _SHAPES[part.letters] if isinstance(part, _Field) else re.escape(part)
    match = re.fullmatch(_tight(shape, found), written, re.IGNORECASE | re.ASCII)
    if match is None:
        return None
    return _moment({key: value for key, value in match.groupdict().items() if value}, found)


def _tight(shape: str, found: Format) -> str:
    """Two digits where Spark's pattern has two letters."""
    single = any(letter in re.findall(r"[A-Za-z]+", found.pattern) for letter in "MdHms")
    return shape if single else shape.replace(r"\d{1,2}", r"\d{2}")


def _moment(fields: Mapping[str, str], found: Format) -> datetime | None:
    year = int(fields["year"]) if "year" in fields else None
    if year is None:
        return None
    if year < 100:
        year += 1900 if found.pivot and year >= 50 else 2000
    month = int(fields.get("month", "1"))
    if "name" in fields:
        short = [name[:3].lower() for name in _MONTHS.split()]
        month = short.index(fields["name"][:3].lower()) + 1
    hour, minute, second = (int(fields.get(unit, "0")) for unit in ("hour", "minute", "second"))
    if not {"day"} & fields.keys() or not {"month", "name"} & fields.keys():
        return None
    try:
        return datetime(year, month, int(fields["day"]), hour, minute, second)  # noqa: DTZ001
    except ValueError:
        return None
