"""The words of mappings/dictionary_words.toml and dictionary_types.toml, as they are looked up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from ruleferry.converters.mappings import table

# More different texts than a column of a dictionary holds; a bound, not a promise.
MANY_TEXTS = 8192
# No type, bound or range is longer; a longer text is not searched for one.
LONGEST = 200

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "\u00a0": " "})


@lru_cache(MANY_TEXTS)
def plain(text: str) -> str:
    """The text in lower case, with plain quotes, single blanks and no full stop at its end."""
    words = " ".join(text.translate(_QUOTES).casefold().split())
    return words if words.endswith("...") else words.rstrip(".")


def straight(text: str) -> str:
    """The same text with plain quotes and blanks."""
    return text.translate(_QUOTES)


@cache
def classes(section: str, file: str = "dictionary_words") -> Mapping[str, str]:
    """word -> the row of the section that holds it."""
    rows = table(file)[section]
    assert isinstance(rows, dict)
    return {word: name for name, words in rows.items() for word in words}


@cache
def numbers(section: str) -> Mapping[str, tuple[int, ...]]:
    """The rows of a section of dictionary_types.toml that holds numbers."""
    rows = table("dictionary_types")[section]
    assert isinstance(rows, dict)
    return {word: tuple(found) for word, found in rows.items()}


@lru_cache(MANY_TEXTS)
def says_nothing(text: str) -> str | None:
    """Why a cell states no rule, where it says that itself; "" where it is still to be decided."""
    found = classes("nothing").get(plain(text))
    if found == "words":
        return f'"{text}" says that nothing is stated'
    return "" if found == "undecided" else None


@cache
def _whole_words(section: str, row: str) -> re.Pattern[str]:
    words = sorted((w for w, r in classes(section).items() if r == row), key=len, reverse=True)
    return re.compile("|".join(_whole(word) for word in words), re.IGNORECASE)


def _whole(word: str) -> str:
    """A sign such as "..." may touch a word; a word may not."""
    before = r"(?<!\w)" if word[0].isalnum() else ""
    after = r"(?!\w)" if word[-1].isalnum() else ""
    return before + re.escape(word) + after


def has_word(text: str, section: str, row: str = "words") -> str | None:
    """The first word of a row that stands in the text as a whole word."""
    found = _whole_words(section, row).search(plain(text))
    return found.group() if found else None
