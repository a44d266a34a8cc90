"""What the words of a header may mean: `mappings/headers.toml`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from ruleferry.converters.mappings import table
from ruleferry.converters.readers.spreadsheet.statement import Meaning

# Letters with a stroke have no accent that could be taken off.
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})
# What stands for a word ("Null %" is no "Null"); every other sign stays and makes a word unknown.
_SIGNS = {"%": " percent ", "&": " and ", "#": " number ", "№": " number "}
_DROPPED = re.compile(r"[\s_\-–—/\\?¿.:;,!()\[\]{}*\"'’“”`|]+")
_ASIDE = re.compile(r"\(([^()]*)\)")
# Different headers of a workbook; a bound, not a promise.
_MANY = 2048
_LANGUAGE = re.compile(r"::.*\Z", re.DOTALL)


# Meanings of which each cell must be understood as such.
READ: frozenset[Meaning] = frozenset(
    {
        "type", "length", "min_length", "precision", "scale", "required", "nullable",
        "primary_key", "unique", "foreign_key", "reference", "reference_table",
        "reference_column", "min", "max", "exclusive_min", "exclusive_max", "range", "codes",
        "format", "pattern", "cardinality", "null_words", "threshold",
    }
)  # fmt: skip
# Those of free text are taken whole or are a gap, cell by cell.
RULES: frozenset[Meaning] = READ | {"rule", "sql", "condition"}


@dataclass(frozen=True, slots=True)
class Candidate:
    """`sure`: the word means this alone. `by_cells`: one of several things, as its cells tell."""

    meaning: Meaning
    sure: bool
    by_cells: bool = False


@lru_cache(_MANY)
def words_of(text: str) -> tuple[str, ...]:
    """`isRequired?` is ("is", "required"): lower case, without accents and punctuation."""
    text = unicodedata.normalize("NFKC", text)
    text = unicodedata.normalize("NFKD", _split(text).casefold())
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    for sign, word in _SIGNS.items():
        text = text.replace(sign, word)
    return tuple(_DROPPED.sub(" ", text.translate(_STROKES)).split())


def _split(text: str) -> str:
    """`cdmFieldName` is `cdm Field Name`, and `FKTable` is `FK Table`."""
    places = [
        place
        for place in range(1, len(text))
        if text[place].isupper()
        and (
            text[place - 1].islower()
            or (text[place - 1].isupper() and text[place + 1 : place + 2].islower())
        )
    ]
    return " ".join(text[start:end] for start, end in pairwise([0, *places, len(text)]))


def folded(text: str) -> str:
    """The words of a header without white space: `Field Name`, `fieldname` and `FIELD_NAME`."""
    return "".join(words_of(text))


def not_names(found: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """What a header may state of the fields, where another header surely names them: `Key`."""
    rest = tuple(candidate for candidate in found if candidate.meaning != "column")
    return rest if rest and rest[0].meaning in READ and found[0] not in rest else found


def names_fields(text: str) -> bool:
    """The header says of itself that it names the fields."""
    return any(candidate.meaning == "column" and candidate.sure for candidate in candidates(text))


def known_meaning(text: str) -> Meaning | None:
    """The meaning of a header that is nearest, sure or not; None where no word is known."""
    found = sorted(candidates(text), key=lambda candidate: not candidate.sure)
    return found[0].meaning if found else None


def candidates(text: str) -> tuple[Candidate, ...]:
    """All meanings that a header may have, the nearest first."""
    whole = _meanings().get(folded(text))
    if whole:
        return whole
    plain = _LANGUAGE.sub("", text)
    found = _meanings().get(folded(_ASIDE.sub(" ", plain)), ())
    harmless = all(folded(aside) in part("asides") for aside in _ASIDE.findall(plain))
    if harmless or not any(candidate.meaning in RULES for candidate in found):
        return found
    return tuple(Candidate(candidate.meaning, sure=False) for candidate in found)


@cache
def _meanings() -> Mapping[str, tuple[Candidate, ...]]:
    """Folded word -> its candidates, in the order of the file."""
    found: dict[str, dict[Meaning, Candidate]] = {}
    for meaning, rows in table("headers").items():
        assert isinstance(rows, dict)
        for key in ("sure", "by_cells", "maybe"):
            for word in rows.get(key, ()):
                one = Candidate(meaning, key == "sure", key == "by_cells")
                found.setdefault(folded(word), {}).setdefault(meaning, one)
    for word in part("observed"):
        found.setdefault(word, {})["ignore"] = Candidate("ignore", sure=True)
    return {word: _alone(rows.values()) for word, rows in found.items()}


def _alone(found: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """A word is sure only where it has no other meaning."""
    rows = tuple(found)
    if len(rows) == 1:
        return rows
    return tuple(Candidate(row.meaning, sure=False, by_cells=row.by_cells) for row in rows)


@cache
def part(name: str) -> frozenset[str]:
    """A list of mappings/header_parts.toml, folded."""
    rows = table("header_parts")[name]
    assert isinstance(rows, list)
    return frozenset(folded(word) for word in rows)


@cache
def parts(name: str) -> Mapping[str, frozenset[str]]:
    """A table of lists of mappings/header_parts.toml, folded."""
    rows = table("header_parts")[name]
    assert isinstance(rows, dict)
    return {key: frozenset(map(folded, words)) for key, words in rows.items()}


def meanings() -> tuple[Meaning, ...]:
    """All meanings that a column may have."""
    return tuple(table("headers"))
