"""What the text of a type cell says: `varchar(50)`, `S9(11)V99`, `Integer - exactly 6 digits`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ruleferry.converters.predicates import Sort
from ruleferry.converters.readers.spreadsheet.values.words import (
    LONGEST,
    MANY_TEXTS,
    classes,
    numbers,
    plain,
)

TYPES = "dictionary_types"
UUID = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"
_PATTERNS = {"uuid": UUID, "digits": "^[0-9]+$"}


@dataclass(frozen=True, slots=True)
class TypeText:
    """What is known of a type; the parts that a text says nothing of are None or empty.

    `low` to `high` characters (`in_bytes`: bytes), or digits where the sort is a whole number.
    `bits`: the digits in parentheses are no decimal ones. `form`: why the type states no rule.
    `unstated`: the rule that nobody states. `listed`: the name of the list of a choice;
    `or_other`: the form adds `other` to it. `doubt`: what of the text can't be told for certain.
    """

    word: str
    sort: Sort | None = None
    low: int | None = None
    high: int | None = None
    in_bytes: bool = False
    precision: int | None = None
    scale: int | None = None
    many: bool = False
    pattern: str = ""
    json: bool = False
    form: str = ""
    unstated: str = ""
    listed: str = ""
    or_other: bool = False
    doubt: str = ""
    not_null: bool = False
    unsigned: bool = False


@lru_cache(MANY_TEXTS)
def type_in(text: str) -> TypeText | None:
    """None for a text that is no type that anybody wrote down here."""
    words = plain(text) if len(text) <= LONGEST else ""
    for suffix, not_null in ((" not null", True), (", not null", True), (", null", False)):
        if words.endswith(suffix):
            found = _bare(words.removesuffix(suffix).rstrip(","))
            return replace(found, not_null=not_null) if found else None
    found = _bare(words)
    if found and found.listed:  # the name of a list is kept as it is written
        named = (name for name in text.split() if plain(name) == found.listed)
        return replace(found, listed=next(named, found.listed))
    return found


def _bare(words: str) -> TypeText | None:
    return _word(words) or _sized(words) or _picture(words) or _list(words) or _prose(words)


# One word -----------------------------------------------------------------------------------------


@lru_cache(MANY_TEXTS)
def _word(word: str) -> TypeText | None:
    if sort := classes("sorts", TYPES).get(word):
        return TypeText(word, sort)  # type: ignore[arg-type]
    if word in classes("bytes", TYPES):
        return TypeText(word, in_bytes=True)
    if name := classes("patterns", TYPES).get(word):
        return TypeText(word, "text", pattern=_PATTERNS[name])
    if word in classes("json", TYPES):
        return TypeText(word, "text", json=True)
    if word in classes("many", TYPES):
        return TypeText(word, many=True)
    if form := classes("form", TYPES).get(word):
        return TypeText(word, form=form)
    if unstated := classes("unstated", TYPES).get(word):
        return TypeText(word, unstated=unstated)
    if word.endswith(" unsigned"):
        found = _word(word.removesuffix(" unsigned"))
        return replace(found, unsigned=True) if found and found.sort == "integer" else None
    return None


# A word with figures behind it --------------------------------------------------------------------

_SIZED = re.compile(
    r"(?P<word>[^()\[\]\d][^()\[\]]*?) ?(?:\((?P<round>[^()]*)\)|\[(?P<square>[^\[\]]*)\])"
    r"(?P<after>(?: [a-z ]+)?)",
)
_ONE = re.compile(r"(\d{1,9})(?: ?(bytes?|chars?|characters?))?", re.ASCII)
_TWO = re.compile(r"(\d{1,4}) ?[,.] ?(\d{1,4})", re.ASCII)


def _sized(words: str) -> TypeText | None:
    found = _SIZED.fullmatch(words)
    if not found:
        return None
    size = (found["round"] if found["round"] is not None else found["square"]).strip()
    known = _word(found["word"] + found["after"])
    if known is None or known.many or known.form or known.unstated or known.json:
        return None
    if size in ("max", "*"):
        return known if known.sort == "text" or known.in_bytes else None
    if one := _ONE.fullmatch(size):
        return _with_size(known, int(one[1]), (one[2] or "").startswith("byte"))
    two = _TWO.fullmatch(size)
    return _with_digits(known, int(two[1]), int(two[2])) if two else None


def _with_size(known: TypeText, size: int, in_bytes: bool) -> TypeText | None:
    if known.pattern:
        return None
    if known.sort == "text" or known.in_bytes:
        return replace(known, high=size, in_bytes=known.in_bytes or in_bytes) if size else None
    if in_bytes or known.sort == "date" or (known.sort == "boolean" and size != 1):
        return None
    if known.sort == "boolean":
        return known
    if known.sort == "decimal":
        return replace(known, precision=size, scale=0) if size else None
    if known.word == "number":  # Oracle's
        return replace(known, sort="decimal", precision=size, scale=0) if size else None
    if known.sort in ("time", "timestamp"):
        return known if size <= 9 else None
    if known.sort == "integer":
        return _with_width(known, size)
    binary = known.word in numbers("storage")
    return known if binary and known.sort == "number" and size > 9 else _unclear(known, size)


def _with_width(known: TypeText, size: int) -> TypeText:
    if size in numbers("widths").get(known.word.removesuffix(" unsigned"), ()):
        return known
    return _unclear(known, size)


def _unclear(known: TypeText, size: int) -> TypeText:
    doubt = f"whether {size} counts digits, characters or bytes is not stated"
    return replace(known, doubt=doubt)


def _with_digits(known: TypeText, precision: int, scale: int) -> TypeText | None:
    if known.sort not in ("decimal", "number") or not 0 < precision >= scale:
        return None
    return replace(known, sort="decimal", precision=precision, scale=scale)


# COBOL --------------------------------------------------------------------------------------------

_RUN = r"(?:9(?:\(\d{1,2}\))?)+"
_PICTURE = re.compile(
    rf"(?:pic(?:ture)? )?(?P<sign>s?)(?P<whole>{_RUN})(?:v(?P<part>{_RUN})?)?"
    r"(?: (?:comp(?:-\d)?|usage .*|display))?",
    re.ASCII,
)
_TEXT_PICTURE = re.compile(r"(?:pic(?:ture)? )?[xa]\((\d{1,5})\)", re.ASCII)


def _picture(words: str) -> TypeText | None:
    if found := _TEXT_PICTURE.fullmatch(words):
        return TypeText("x", "text", high=int(found[1]) or None)
    found = _PICTURE.fullmatch(words)
    if not found or not ("(" in words or found["part"] or found["sign"] or "pic" in words):
        return None  # a bare 9 or 99 is as likely a length
    whole, part = _digits(found["whole"]), _digits(found["part"] or "")
    if not part:
        return TypeText("pic", "integer", precision=whole)
    return TypeText("pic", "decimal", precision=whole + part, scale=part)


def _digits(run: str) -> int:
    counts = re.findall(r"9(?:\((\d+)\))?", run)
    return sum(int(count) if count else 1 for count in counts)


# Lists and choices --------------------------------------------------------------------------------

_MANY = re.compile(
    r"(?:list|array|set|bag)"
    r"(?: of (?P<of>.+)|\[(?P<square>.*)\]|<(?P<angle>.*)>|\((?P<round>.*)\))"
)
_SEVERAL = re.compile(r"(?P<of>.+?)(?:\[\]| ?(?:list|array))")
_CHOICE = re.compile(
    r"(select_one(?:_from_file)?|select one|select_multiple(?:_from_file)?) (\S+)( or_other)?"
)
_UNION_NULL = re.compile(r"(.+?) ?(?:,|\|| or ) ?null")


def _list(words: str) -> TypeText | None:
    if found := _CHOICE.fullmatch(words):
        many = found[1].startswith("select_multiple")
        return TypeText(found[1], many=many, listed=found[2], or_other=bool(found[3]))
    if found := _MANY.fullmatch(words) or _SEVERAL.fullmatch(words):
        inner = next((part for part in found.groups() if part), "")
        return TypeText("list", many=True, doubt=_of_what(inner))
    if found := _UNION_NULL.fullmatch(words):
        return _bare(found[1])
    return None


def _of_what(inner: str) -> str:
    """What each of several values must be, where that is more than a text."""
    known = _bare(inner) if inner else TypeText("text", "text")
    free = known is not None and known.sort == "text" and not known.pattern and not known.high
    return "" if free else f'each of its values is "{inner}"'


# Sentences ----------------------------------------------------------------------------------------

_NAMES = "zero one two three four five six seven eight nine ten"
_WORDS = {word: str(number) for number, word in enumerate(_NAMES.split())}
_UNIT = r"(?:characters?|chars?|digits?)"
_N = r"(?P<count>\d{1,6})"
_FROM_TO = r"(?P<from>\d{{1,6}}){}(?P<to>\d{{1,6}})"
_MOST = r"(?:up to|max(?:imum)?(?: of| length)?|at most|no more than|not more than|<=|≤)"
_SHAPES = tuple(
    (re.compile(text, re.ASCII), sort)
    for text, sort in (
        (rf"{_N} {_UNIT} (?:maximum|max|or (?:less|fewer))", "high"),
        (rf"{_MOST} ?:? ?{_N}(?: {_UNIT})?(?: long)?", "high"),
        (rf"(?:exactly |fixed )?{_N} {_UNIT}(?: (?:exactly|fixed|long|in length))?", "exact"),
        (rf"(?:at least|min(?:imum)?(?: of)?) {_N} {_UNIT}", "low"),
        (rf"{_N} {_UNIT} (?:minimum|or more)", "low"),
        (rf"between {_FROM_TO.format(' and ')} {_UNIT}(?: long| in length)?", "both"),
        (rf"{_FROM_TO.format(' ?(?:-|–|to) ?')} {_UNIT}", "both"),
    )
)
_PLACES = re.compile(
    r"(?:up to |max(?:imum)?(?: of)? )(\d{1,2}) "
    r"(?:digits? after (?:the )?decimal(?: place| point)?|decimal places?|decimals?)",
    re.ASCII,
)


def _prose(words: str) -> TypeText | None:
    """`Alphanumeric - 30 characters maximum`: a type, a dash and how long it is."""
    head, sign, tail = re.split(r" ?(:|,|;| - | – |-(?=\d)) ?", words + " - ", maxsplit=1)[:3]
    known, said = _word(head.strip()), tail.removesuffix(" - ").strip()
    if not sign or not said or known is None or known.form or known.many or known.unstated:
        return None
    if known.sort in ("number", "decimal") and (places := _PLACES.fullmatch(said)):
        return replace(known, sort="decimal", scale=int(places[1]))
    if known.sort not in ("text", "integer") or known.pattern or known.json:
        return None
    low, high = how_long(said)
    if low is None and high is None:
        return None
    return replace(known, low=low, high=high)


@lru_cache(MANY_TEXTS)
def how_long(said: str) -> tuple[int | None, int | None]:
    """The least and the most characters that a text speaks of: `exactly 6`, `1-3 characters`."""
    said = " ".join(_WORDS.get(word, word) for word in plain(said).split())
    for shape, sort in _SHAPES:
        if found := shape.fullmatch(said):
            if sort == "both":
                low, high = int(found["from"]), int(found["to"])
                return (low, high) if low <= high else (None, None)
            count = int(found["count"])
            return (None if sort == "high" else count), (None if sort == "low" else count)
    return None, None
