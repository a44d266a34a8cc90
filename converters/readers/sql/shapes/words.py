"""The words of mappings/sql_words.toml, as sets."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from ruleferry.converters.mappings import table

_PARTS = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# "E01 sku missing", "REJ-02": a text that begins so is the id of a message.
CODE = re.compile(r"[A-Za-z]{1,8}[-_ ]?\d{1,6}\b")


@cache
def words(section: str, key: str) -> frozenset[str]:
    rows = table("sql_words")[section]
    assert isinstance(rows, dict)
    return frozenset(rows[key])


def parts_of(name: str) -> list[str]:
    """`BadRows_cnt` -> bad, rows, cnt."""
    return [part.lower() for part in _PARTS.findall(_CAMEL.sub(" ", _composed(name)))]


def speaks(name: str, key: str) -> bool:
    """Whether a name of a result column holds a word of `[names]`."""
    known = words("names", key)
    return name.lower() in known or any(part in known for part in parts_of(name))


def whole(text: str) -> str:
    """A status as it is compared: lower case, single blanks, no punctuation around it."""
    return " ".join(_composed(text).lower().split()).strip(" .!:;-_*[]()")


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)
