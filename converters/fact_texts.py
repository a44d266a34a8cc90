"""The answers that are facts, as a person writes them: strictly read, or refused with the reason.

Names stand as they are, or in backticks, where a backtick is written twice; `old = new` pairs are
parted by commas or lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ruleferry.converters import config_checks
from ruleferry.converters.mappings import table
from ruleferry.converters.table_names import is_table_name, name_key
from ruleferry.converters.toml_checks import Check, Unfit

Pairs = tuple[tuple[str, str], ...]

_SHOWN = 60
_TOKEN = re.compile(r"(?P<quoted>`(?:[^`]|``)+`)|(?P<sign>[=,;\r\n])|(?P<plain>[^=,;\r\n`]+)")
_PLAIN = re.compile(r"\w+", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Refused(Exception):
    """An answer that can't be used: the text says what is wrong, in one sentence."""


@dataclass(frozen=True, slots=True)
class _Name:
    """`written`: as it stands in the text."""

    name: str
    written: str

    @property
    def quoted(self) -> bool:
        return self.written.startswith("`")


def table_in(text: str) -> str:
    """One name of a table. Raises Refused."""
    found = text.strip()
    if not is_table_name(found):
        raise Refused(
            f"{_shown(found)} is no table's name; write it as catalog.schema.table, where a part "
            "with other signs than letters, digits and _ stands in backticks"
        )
    return found


def engine_in(text: str) -> str:
    return _checked(config_checks.engine, _database(text))


def dialect_in(text: str) -> str:
    return _checked(config_checks.dialect, _database(text))


def _database(text: str) -> str:
    """By its own name too, as the proposals call it: PostgreSQL, SQL Server."""
    wanted = " ".join(text.split()).lower()
    for row in ("dialects", "engines"):
        for name, told in table(row).items():
            if isinstance(told, Mapping) and str(told.get("called", "")).lower() == wanted:
                return name
    return wanted


_LEGEND = {"required": "a value is required", "optional": "a value is not required",
           "nothing": "it states nothing"}  # fmt: skip
_THRESHOLD = {
    "failing percent": "of bad records, in percent",
    "good percent": "of good records, in percent",
    "good share": "of good records, as a share",
    "failing share": "of bad records, as a share",
}


def legend_in(text: str) -> str:
    """What a letter in a sheet means: required, optional or nothing. Raises Refused."""
    return _among(_LEGEND, text)


def threshold_in(text: str) -> str:
    """What thresholds count. Raises Refused."""
    return _among(_THRESHOLD, text)


def _among(words: Mapping[str, str], text: str) -> str:
    """By its word or as people say it, without regard to case and white space."""
    wanted = " ".join(text.split()).rstrip(".").casefold()
    for word, said in words.items():
        if wanted in (word, said):
            return word
    raise Refused(f"{_shown(text)} is not known; expected one of: {'; '.join(words.values())}")


def file_in(text: str) -> str:
    """A path below the configuration's folder. Raises Refused."""
    found = text.strip()
    if not found or _CONTROL.search(found) or found.startswith(("/", "\\")):
        raise Refused(f"{_shown(found)} is no path from the folder of the configuration")
    return found


def columns_in(text: str) -> tuple[str, ...]:
    """Names of columns, parted by commas or lines. Raises Refused."""
    names = tuple(_one(group, text).name for group in _groups(text))
    if not names:
        raise Refused("no column is named")
    _refuse_twice(names, lambda name: name.lower(), "the column {} is named twice")
    return names


def renamed_in(text: str) -> Pairs:
    """`old = new` pairs of columns. Raises Refused."""
    pairs = tuple(_pair(group, text) for group in _groups(text))
    if not pairs:
        raise Refused("no names are given; write each as: name in the source = name on Databricks")
    for old, new in pairs:
        _refuse_bad_column(new)
        if old.name.lower() == new.name.lower():
            raise Refused(f"{_shown(old.name)} = {_shown(new.name)} changes nothing")
    told = [(old.name, new.name) for old, new in pairs]
    _refuse_twice([o for o, _ in told], str.lower, "{} gets two new names")
    _refuse_twice([n for _, n in told], str.lower, "two columns would both be called {}")
    return tuple(told)


def tables_in(text: str) -> Pairs:
    """`name in the source = catalog.schema.table` pairs. Raises Refused."""
    pairs: list[tuple[str, str]] = []
    for line in re.split(r"[,;\r\n]", text):
        if not line.strip():
            continue
        old, sign, new = (part.strip() for part in line.partition("="))
        if not (old and sign and new) or "=" in new:
            raise Refused(
                f"{_shown(line.strip())} can't be read; write: its name in the source = "
                "catalog.schema.table"
            )
        pairs.append((old, table_in(new)))
    if not pairs:
        raise Refused("no table is named; write: its name in the source = catalog.schema.table")
    _refuse_twice([old for old, _ in pairs], name_key, "{} gets two new names")
    return tuple(pairs)


def _checked(check: Check, text: str) -> str:
    try:
        return str(check(text))
    except Unfit as unfit:
        near = "" if unfit.todo == "Change it." else f" {unfit.todo}"
        raise Refused(f"{_shown(text)} is not known; expected {unfit.expected}.{near}") from unfit


# Names and pairs ----------------------------------------------------------------------------------


def _groups(text: str) -> list[list[str]]:
    """What stands between the separators, in signs and names; empty places are nothing."""
    found: list[list[str]] = [[]]
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise Refused(f"a backtick in {_shown(text)} is not closed")
        at = token.end()
        if token["sign"] and token["sign"] != "=":
            found.append([])
        elif token.group().strip():
            found[-1].append(token.group().strip())
    return [group for group in found if group]


def _pair(group: Sequence[str], text: str) -> tuple[_Name, _Name]:
    if len(group) != 3 or group[1] != "=" or "=" in (group[0], group[2]):
        told = _shown(" ".join(group))
        raise Refused(
            f"{told} can't be read; write: name in the source = name on Databricks, one pair "
            "in a line, or with commas between them"
        )
    return _name(group[0]), _name(group[2])


def _one(group: Sequence[str], text: str) -> _Name:
    if len(group) != 1 or group[0] == "=":
        raise Refused(f"{_shown(' '.join(group))} is not the name of one column")
    found = _name(group[0])
    _refuse_bad_column(found)
    return found


def _name(written: str) -> _Name:
    name = written[1:-1].replace("``", "`") if written.startswith("`") else written
    if not name.strip() or _CONTROL.search(name):
        raise Refused(f"{_shown(written)} is no name")
    return _Name(name, written)


def _refuse_bad_column(name: _Name) -> None:
    """The name of a column on Databricks: plain, or in backticks."""
    if name.quoted and "." in name.name:
        raise Refused(f"{_shown(name.written)} has a dot within a name, which is not carried over")
    if not name.quoted and not _PLAIN.fullmatch(name.name):
        raise Refused(
            f"{_shown(name.written)} is no plain name of a column; a name with other signs than "
            "letters, digits and _ stands in backticks"
        )


def _refuse_twice(names: Sequence[str], key: Callable[[str], object], told: str) -> None:
    seen: set[object] = set()
    for name in names:
        if key(name) in seen:
            raise Refused(told.format(_shown(name)))
        seen.add(key(name))


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return f'"{line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"}"'
