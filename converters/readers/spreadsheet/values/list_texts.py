"""The values that a text lists: `1, Yes | 0, No`, `a;b;c`, `Yes/No`, one on each line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.values.date_formats import format_of
from ruleferry.converters.readers.spreadsheet.values.literals import number_in
from ruleferry.converters.readers.spreadsheet.values.words import (
    MANY_TEXTS,
    classes,
    plain,
    straight,
)


@dataclass(frozen=True, slots=True)
class ListText:
    """`labels` are empty, or as many as the values."""

    values: tuple[str, ...]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt:
    """A list that may be read in more ways than one."""

    reason: str


ListRead: TypeAlias = ListText | Doubt | None


# Codes with labels --------------------------------------------------------------------------------

_RADX = re.compile(r'"([^"]*)" ?= ?\[([^\[\]]*)\]')
_RADX_ALL = re.compile(rf"{_RADX.pattern}(?: ?[|,;\n] ?{_RADX.pattern})*")
_CODE = r"(?P<code>\"[^\"]+\"|'[^']+'|[^\s=:,;|\"'()]{1,20})"
_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (sign, re.compile(rf"{_CODE}{text}(?P<label>\S.*)", re.DOTALL))
    for sign, text in (
        ("=", r" *= *"), (":", r" *: *"), ("-", r"(?: +[-–—]+ *| *[–—] *)"), (",", r" *, *"),
        ("\t", r" *\t *"),
    )
)  # fmt: skip
_COMMA_EQUALS = re.compile(r"[,;|\n]+\s*(?=[^\s=,;|]{1,20} ?= ?[^=])")


@lru_cache(MANY_TEXTS)
def labelled_in(text: str) -> ListRead:
    """A list of which each value is followed by what it means."""
    text = straight(text).strip()
    if _RADX_ALL.fullmatch(" ".join(text.split())):
        pairs = _RADX.findall(text)
        return _pairs([(code.strip(), label.strip()) for code, label in pairs])
    inner = _opened(text)
    for segments, surely in _segmentations(inner):
        for sign, shape in _SIGNS:
            if found := _all_of(segments, sign, shape):
                if inner != text and sign == ":":
                    return _ENCLOSED_PAIRS
                return found if surely or _no_commas(found) else _LOOSE
    return None


# MIxS has values such as `environmental:faecal` between brackets.
_ENCLOSED_PAIRS = Doubt("whether what stands before each colon is a code of its own is not stated")
_LOOSE = Doubt("whether what stands behind a comma belongs to the label is not stated")


def _no_commas(found: ListRead) -> bool:
    return not isinstance(found, ListText) or not any(
        re.search("[,;]", label) for label in found.labels
    )


def _segmentations(text: str) -> list[tuple[list[str], bool]]:
    """Ways of parting the text, and whether it is sure that a comma belongs to its label."""
    signs = [sign for sign in ("|", "\n", ";") if sign in text]
    ways = [(_parted(text, signs[0]), True)] if signs else []
    if "=" in text:
        parts = [part.strip() for part in _COMMA_EQUALS.split(text) if part.strip()]
        ways.append((parts, False))
    elif not signs and "," in text:
        ways.append((_parted(text, ","), True))
    return ways


def _parted(text: str, sign: str) -> list[str]:
    return [part.strip() for part in text.split(sign) if part.strip()]


def _all_of(segments: Sequence[str], sign: str, shape: re.Pattern[str]) -> ListRead:
    if len(segments) < 2 and sign != "=":
        return None
    found = [shape.fullmatch(_without_bullet(segment)) for segment in segments]
    if not all(found):
        return None
    pairs = [(_bare(one["code"]), _bare(one["label"].strip())) for one in found if one]
    return _checked(pairs, sign)


def _checked(pairs: list[tuple[str, str]], sign: str) -> ListRead:
    numeric = [number_in(code) is not None for code, _ in pairs]
    labels = [number_in(label) is not None for _, label in pairs]
    if all(labels) and not any(numeric):
        return Doubt("which side of each pair stands in the data is not stated")
    if all(labels) and sign != "=":
        return None  # 1050 - 1099 is a range, 10:30 a time
    if any(_holds_another(label, sign) for _, label in pairs):
        return Doubt("a label may hold another code")
    if len(pairs) == 1 and not (numeric[0] or len(pairs[0][0]) <= 3):
        return None
    if sign == "," and not _are_codes(pairs, numeric):
        return Doubt("whether what stands before each comma is a code is not stated")
    return _pairs(pairs)


_AGAIN = {
    "=": re.compile(r"[,;|] *[^\s=]{1,20} *="),
    ":": re.compile(r"[,;|] *[^\s:]{1,20} *:"),
    "-": re.compile(r"[,;|] *\S{1,20} +[-–—] "),
}


def _holds_another(label: str, sign: str) -> bool:
    return sign in _AGAIN and bool(_AGAIN[sign].search(label))


def _are_codes(pairs: list[tuple[str, str]], numeric: list[bool]) -> bool:
    """Numbers, letters such as AL, or words that begin their labels; a few may be longer."""
    short = [len(code) <= 3 for code, _ in pairs]
    letters = [code.isupper() and len(code) <= 5 for code, _ in pairs]
    alike = [plain(label).startswith(plain(code).replace("_", " ")) for code, label in pairs]
    if all(numeric) or all(alike):
        return True
    return 2 * sum(short) > len(pairs) and all(map(max, short, letters, alike, numeric))


def _pairs(pairs: list[tuple[str, str]]) -> ListRead:
    known: dict[str, str] = {}
    for code, label in pairs:
        if not code or known.setdefault(code, label) != label:
            return Doubt(f'the code "{code}" has two labels' if code else "a code is empty")
    return ListText(tuple(known), tuple(known.values()))


# Values alone -------------------------------------------------------------------------------------

_BULLET = re.compile(r"^(?:[-•*·▪‣]\s+|[•▪‣])")
_ENCLOSED = (("[", "]"), ("(", ")"))
_LONG, _WORDS = 100, 9
_DEMANDS = re.compile(
    r"\b(specify|must|should|shall|cannot|can't|required|please|if|enter|when|unless|may)\b"
)


@lru_cache(MANY_TEXTS)
def values_in(text: str) -> ListRead:
    """A list of values without labels."""
    text = _opened(straight(text).strip())
    for sign, reader in _READERS:
        if sign in text:
            return reader(_parted(text, sign), text)
    if quoted := _quotes(text):
        return ListText(tuple(dict.fromkeys(quoted)))
    return _ored(text)


def _opened(text: str) -> str:
    for opens, closes in _ENCLOSED:
        inner = text[1:-1]
        if text.startswith(opens) and text.endswith(closes) and opens not in inner:
            return inner if closes not in inner else text
    return text


def _without_bullet(item: str) -> str:
    return _BULLET.sub("", item, count=1).strip()


def _lines(parts: list[str], text: str) -> ListRead:
    if "|" in text or ";" in text:
        return Doubt("it is parted in more ways than one")
    return _items([_without_bullet(part) for part in parts])


def _strong(parts: list[str], text: str) -> ListRead:
    if "\n" in text and not text.replace("\n", "").strip():
        return None
    return _items([" ".join(_without_bullet(part).split()) for part in parts])


def _items(items: list[str]) -> ListRead:
    """Values that a sign parts which no value holds; a sentence is none of them."""
    if any(_is_sentence(item) for item in items):
        return Doubt("it holds sentences, or a form that values must have")
    if any(_SOME_CODE.match(item) for item in items):
        return Doubt("only some of its items begin with a code")
    if any(re.match(r"\(?\d{1,3}[.)]\s", item) for item in items):
        return Doubt("whether the numbers before its items stand in the data is not stated")
    return _distinct(items)


_SOME_CODE = re.compile(r"\d{1,4}(?: *[,=:]| +[-–—]) *\S")


def _is_sentence(item: str) -> bool:
    long = len(item) > _LONG or len(item.split()) > _WORDS
    return (
        long
        or item.endswith((":", "?"))
        or bool(re.search(r"[{}<>=]|\w\.$|://", item))
        or bool(_DEMANDS.search(item.casefold()))
    )


def _distinct(items: list[str]) -> ListRead:
    quoted = [_is_quoted(item) for item in items]
    if any(quoted) and not all(quoted):
        return Doubt("some of its values are quoted and some are not")
    values = tuple(dict.fromkeys(_bare(item) for item in items))
    return ListText(values) if all(values) else Doubt("one of its values is empty")


def _is_quoted(item: str) -> bool:
    return len(item) > 1 and item[0] == item[-1] and item[0] in "'\"`"


def _bare(item: str) -> str:
    return item[1:-1].strip() if _is_quoted(item) else item


# Commas, slashes and "or" -------------------------------------------------------------------------

_QUOTED = r"(?:\"([^\"]*)\"|'([^']*)')"
_QUOTED_ALL = re.compile(rf"{_QUOTED}(?:(?: ?, ?(?:or |and )?| or | and | ){_QUOTED})*")


def _quotes(text: str) -> list[str]:
    if not _QUOTED_ALL.fullmatch(" ".join(text.split())):
        return []
    return [a or b for a, b in re.findall(_QUOTED, text)]


def _commas(parts: list[str], text: str) -> ListRead:
    """Only where no value could hold a comma itself."""
    if quoted := _quotes(text):
        return ListText(tuple(dict.fromkeys(quoted)))
    if re.search(r"[\"()\[\]{}]", text) or ("/" in text and text.count("/") > 2):
        return Doubt("whether its values hold commas themselves is not stated")
    if number_in(text) is not None:
        return Doubt(f'"{text}" may be one number')
    parts = [*parts[:-1], *_last(parts[-1])]
    if len(parts) < 2 or " and " in parts[-1] or any(_no_short_value(part) for part in parts):
        return Doubt("whether it is a list of values, parted by commas, is not stated")
    numeric = [number_in(part) is not None for part in parts]
    words = [part for part, number in zip(parts, numeric, strict=True) if not number]
    if any(numeric) and any(plain(word) not in classes("blank") for word in words):
        return Doubt("whether its numbers are codes of the words beside them is not stated")
    return _distinct(parts)


def _last(part: str) -> list[str]:
    """`C, or D` ends in D, and `B or C` in two values."""
    words = re.sub(r"^(?:or|and) ", "", part)
    return re.split(r" or ", words) if words == part else [words]


def _no_short_value(part: str) -> bool:
    words = plain(part).split()
    if not words or len(words) > 3 or (part.endswith(".") and len(part) > 2):
        return True
    return (
        (any(word in classes("sentences") for word in words) and len(words) > 1)
        or (words[0] in ("or", "and", "not", "if"))
        or bool(re.search(r"[<>=≤≥:?!]|://", part))
    )


# A slash, but not that of N/A.
_SLASH = re.compile(r"/(?<!\bN/)|/(?!A\b)", re.IGNORECASE)


def _slashes(parts: list[str], text: str) -> ListRead:
    parts = [part.strip() for part in _SLASH.split(text) if part.strip()]
    if all(classes("ranges").get(plain(part)) == "units" for part in parts):
        return Doubt("it may be a unit")
    if format_of(text) or "://" in text or "and/or" in plain(text) or len(parts) < 2:
        return None
    if any(number_in(part) is not None for part in parts):
        return Doubt("whether it is a fraction, a day or a list is not stated")
    if any(len(part.split()) > 5 or _no_slashed(part) for part in parts):
        return Doubt("whether it is a list of values, parted by slashes, is not stated")
    return _distinct(parts)


def _no_slashed(part: str) -> bool:
    return bool(re.search(r"[:{}\[\]<>=,.?]", part)) or bool(_DEMANDS.search(plain(part)))


def _ored(text: str) -> ListRead:
    parts = re.split(r" or ", text)
    if len(parts) != 2 or any(_no_short_value(part) for part in parts):
        return None
    return _distinct([part.strip() for part in parts])


_READERS: tuple[tuple[str, Callable[[list[str], str], ListRead]], ...] = (
    ("|", _strong), ("\n", _lines), (";", _strong), (",", _commas), ("/", _slashes),
)  # fmt: skip
