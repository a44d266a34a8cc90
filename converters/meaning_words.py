"""What a column of a dictionary may say, in plain words, from `mappings/meaning_words.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ruleferry.converters.mappings import table


@cache
def meaning_words() -> Mapping[str, str]:
    """Meaning -> what a person is shown."""
    return {meaning: str(words) for meaning, words in table("meaning_words").items()}


def meaning_of(text: str) -> str | None:
    """By its own name or its words, without regard to case and white space."""
    wanted = _plain(text)
    for meaning, words in meaning_words().items():
        if wanted in (_plain(meaning), _plain(meaning.replace("_", " ")), _plain(words)):
            return meaning
    return None


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".").casefold()
