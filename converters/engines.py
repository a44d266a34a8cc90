"""The databases that checks come from: the facts of `mappings/engines.toml` as frozen rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from ruleferry.converters.mappings import table
from ruleferry.converters.rule import Engine

# Major and minor number of a Great Expectations.
Version: TypeAlias = tuple[int, int]
_OTHERS = (None, "pandas", "spark")


@dataclass(frozen=True, slots=True)
class RegexFlavour:
    """The regular expressions of a database, as Great Expectations calls them.

    `whole`: the whole text must match, always or before that version.
    """

    flavour: str
    since: Version = (0, 0)
    unclear: str = ""
    whole: Literal["always"] | Version | None = None
    case: Literal["ignored", ""] = ""
    dot: Literal["all", ""] = ""
    end: Literal["very", ""] = ""
    most: int = 0
    shorthands: bool = False
    perl: bool = False
    posix: bool = False
    blank: str = r" \t\n\v\f\r"
    ascii: bool = False
    measured: bool = False


@dataclass(frozen=True, slots=True)
class Database:
    """`like` and `regex.since`: the first version of Great Expectations that has it."""

    called: str
    equal: str = ""
    sort: str = ""
    nan: Literal["greatest", "apart", "missing", "none", ""] = ""
    empty: Literal["missing", ""] = ""
    length: Literal["bytes", "trimmed", ""] = ""
    moments: Literal["text", ""] = ""
    like: Version | None = None
    escape: Literal["translated", ""] = ""
    regex: RegexFlavour | None = None


def database(engine: Engine | None) -> Database | None:
    """The database of a dialect; None for pandas, Spark, and one that we do not know."""
    return None if engine in _OTHERS else _databases().get(str(engine))


@cache
def _databases() -> Mapping[str, Database]:
    return {name: _database(row) for name, row in table("engines").items()}


def _database(row: object) -> Database:
    assert isinstance(row, dict)
    found: dict[str, Any] = dict(row)
    if "like" in found:
        found["like"] = _version(found["like"])
    if "regex" in found:
        found["regex"] = _regex(found["regex"])
    return Database(**found)


def _regex(row: Mapping[str, Any]) -> RegexFlavour:
    found = dict(row)
    if "since" in found:
        found["since"] = _version(found["since"])
    if found.get("whole", "always") != "always":
        found["whole"] = _version(found["whole"])
    return RegexFlavour(**found)


def _version(text: str) -> Version:
    major, _, minor = text.partition(".")
    return int(major), int(minor or 0)
