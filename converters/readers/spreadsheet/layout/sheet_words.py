"""The words of mappings/sheets.toml, and how a name is compared with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ruleferry.converters.mappings import table

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APART = re.compile(r"[\W_]+")


def plain(text: str) -> str:
    """`Data_Dictionary`, `dataDictionary` and `DATA DICTIONARY` are all `data dictionary`."""
    return _APART.sub(" ", _CAMEL.sub(" ", text)).strip().casefold()


@cache
def words(section: str, key: str = "words") -> tuple[str, ...]:
    rows = table("sheets")[section]
    assert isinstance(rows, dict)
    return tuple(rows[key])


@cache
def weights() -> Mapping[str, int]:
    rows = table("sheets")["weights"]
    assert isinstance(rows, dict)
    return rows


def holds(name: str, section: str, key: str = "words") -> bool:
    """Whether a name has one of these words in it, as words of their own."""
    spaced = f" {plain(name)} "
    return any(f" {word} " in spaced for word in words(section, key))


def says(text: str, section: str, key: str = "words") -> bool:
    """Whether a text is one of these words and nothing else."""
    return plain(text) in words(section, key)


def names_a_table(sheet: str) -> bool:
    """Whether a sheet's name may be that of the table that it describes."""
    if holds(sheet, "no_table") or holds(sheet, "kinds", "code_list"):
        return False
    fillers = words("no_table", "filler")
    return any(re.sub(r"\d+$", "", word) not in ("", *fillers) for word in plain(sheet).split())


def without_side(text: str) -> str:
    """What is left of a header without the word that tells source from target; "" without one."""
    sides = {*words("sides", "source"), *words("sides", "target")}
    spoken = plain(text).split()
    rest = [word for word in spoken if word not in sides]
    return " ".join(rest) if len(rest) < len(spoken) else ""
