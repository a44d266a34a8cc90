"""A phrase cut into tokens: words, quoted texts, bracketed names, numbers, dates, masks, signs.

No character is lost: what is no blank stands in a token, so that a grammar which consumes every
token has read the whole phrase.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal, TypeAlias

from ruleferry.converters.predicates import Value

# "break": a new line; "bullet": what opens an item of a list.
TokenKind: TypeAlias = Literal[
    "word", "quoted", "ref", "number", "date", "mask", "sign", "punct", "break", "bullet"
]


@dataclass(frozen=True, slots=True)
class Token:
    """`text` as written, without its quotes; `norm`: in lower case, a sign in its plain form.

    `value`: of a number or date. `grouped`: a number with commas for thousands. `plain`: a number
    that is written as numbers are, without leading zeros.
    """

    kind: TokenKind
    text: str
    norm: str
    value: Value = None
    grouped: bool = False
    plain: bool = True


class CannotCut(Exception):
    """A quote or bracket that is never closed, or more of them than a rule has."""


Tokens: TypeAlias = tuple[Token, ...]

_SIGNS = {
    "≤": "<=", "⩽": "<=", "=<": "<=", "<=": "<=", "≥": ">=", "⩾": ">=", "=>": ">=", ">=": ">=",
    "<>": "!=", "!=": "!=", "≠": "!=", "==": "=", "=": "=", "<": "<", ">": ">",
}  # fmt: skip
_QUOTES = {'"': '"', "“": "”", "„": "”", "‘": "’", "’": "’", "'": "'", "«": "»"}
_QUOTE_ENDS = {"“": '”“"', "„": "”“", '"': '"”', "‘": "’‘'", "’": "’'", "'": "'’", "«": "»"}
_PUNCT = ",;()?!|"
_BULLETS = "•◦▪‣·●○"
_DASHES = "-–—‑−"
_STOP = frozenset('"“”„«»()[]{}<>=≤≥⩽⩾≠!,;?|' + _BULLETS)

_NUMBER = re.compile(r"[+−-]?(\d+)(\.\d+)?\Z", re.ASCII)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?(?![\d,.]*\d)", re.ASCII)
_RANGE = re.compile(rf"([+-]?\d+(?:\.\d+)?)[{_DASHES}]([+-]?\d+(?:\.\d+)?)\Z", re.ASCII)
_PERCENT = re.compile(r"([+-]?\d+(?:\.\d+)?)(%|°C|°F|°)\Z", re.ASCII)
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})\Z", re.ASCII)
_SLASH_DATE = re.compile(r"\d{1,2}/\d{1,2}/\d{4}\Z", re.ASCII)
_MASK = re.compile(r"(?=.*#)[#\-/. ()]+\Z")
_DATE_MASK = re.compile(r"(?=.*[YyDd])(?:[YMDHSymdhs]{1,4}[-/.: T]?)+\Z")
# XX00000, 999-99, AAA999: letters and nines that stand for any letter or digit.
_PICTURE = re.compile(r"(?=.*[ANX#])(?=.{3})[ANX9#*0.\-/]+\Z|.*X[X#]")
_DATE_MASK_PART = re.compile(r"YYYY|YY|MM|DD|HH|SS", re.IGNORECASE)
_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.)+\Z")
# The longest phrase that is read: more is a page, not a rule.
MOST_TOKENS = 600
_MOST_BRACKETS = 15


def cut(text: str) -> Tokens:
    """The tokens of a text. Raises CannotCut."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        at = _next(text, at, found)
        if len(found) > MOST_TOKENS:
            raise CannotCut(f"it has more than {MOST_TOKENS} words")
    _refuse_depth(found)
    return tuple(found)


def _refuse_depth(tokens: list[Token]) -> None:
    depth = 0
    for token in tokens:
        depth += (token.norm == "(") - (token.norm == ")")
        if depth > _MOST_BRACKETS:
            raise CannotCut(f"more than {_MOST_BRACKETS} brackets stand in each other")


def _next(text: str, at: int, found: list[Token]) -> int:
    char = text[at]
    if char in "\r\n":
        found.append(Token("break", "\n", "\n"))
        return at + 1
    if char.isspace() or char in "\u200b\ufeff":
        return at + 1
    if char in _QUOTES and not (char in "'’" and at and text[at - 1].isalnum()):
        return _quoted(text, at, found)
    if char in "[{" or text.startswith("${", at):
        return _reference(text, at, found)
    return _unquoted(text, at, found)


def _quoted(text: str, at: int, found: list[Token]) -> int:
    ends = _QUOTE_ENDS[text[at]]
    single = text[at] in "'’‘"
    for end in range(at + 1, len(text)):
        if text[end] not in ends:
            continue
        if single and text[end + 1 : end + 2].isalnum():
            continue  # an apostrophe within the text
        inner = text[at + 1 : end]
        found.append(Token("quoted", inner, " ".join(inner.casefold().split())))
        return end + 1
    raise CannotCut("a quote in it is never closed")


def _reference(text: str, at: int, found: list[Token]) -> int:
    start = at + (2 if text[at] == "$" else 1)
    close = "]" if text[at] == "[" else "}"
    end = text.find(close, start)
    if end < 0:
        raise CannotCut("a bracket in it is never closed")
    inner = text[start:end].strip()
    found.append(Token("ref", inner, inner.casefold()))
    return end + 1


def _unquoted(text: str, at: int, found: list[Token]) -> int:
    char = text[at]
    for sign in (text[at : at + 2], char):
        if sign in _SIGNS:
            found.append(Token("sign", sign, _SIGNS[sign]))
            return at + len(sign)
    if char in _BULLETS:
        found.append(Token("bullet", char, "•"))
        return at + 1
    if char in _PUNCT or char in _STOP:
        found.append(Token("punct", char, char))
        return at + 1
    grouped = _GROUPED.match(text, at)
    if grouped and (at == 0 or not text[at - 1].isalnum()):
        digits = grouped.group().replace(",", "")
        found.append(Token("number", grouped.group(), digits, _exact(digits), grouped=True))
        return grouped.end()
    end = at
    while end < len(text) and not _ends_word(text, end):
        end += 1
    end = max(end, at + 1)
    _word(text[at:end], found)
    return end


def _ends_word(text: str, at: int) -> bool:
    char = text[at]
    if char.isspace() or char in _STOP:
        return True
    return char in "'’‘" and not (text[at - 1 : at].isalpha() and text[at + 1 : at + 2].isalpha())


def _word(run: str, found: list[Token]) -> None:
    """A run of characters without blanks; a point or colon at its end stands by itself."""
    trail: list[Token] = []
    while len(run) > 1 and run[-1] in ".:" and not _ABBREVIATION.match(run):
        trail.insert(0, Token("punct", run[-1], run[-1]))
        run = run[:-1]
    found.extend(_classified(run))
    found.extend(trail)


def _classified(run: str) -> list[Token]:
    if run in (*_DASHES, "+"):
        return [Token("sign", run, "+" if run == "+" else "-")]
    if run in ".:":
        return [Token("punct", run, run)]
    moment = _iso_date(run)
    if moment:
        return [Token("date", run, run, moment)]
    if _SLASH_DATE.match(run):
        return [Token("date", run, run)]
    if _NUMBER.match(run):
        return [_number(run)]
    ends = _RANGE.match(run)
    if ends:
        dash = Token("sign", "–", "to-")
        return [_number(ends.group(1)), dash, _number(ends.group(2))]
    share = _PERCENT.match(run)
    if share:
        unit = share.group(2)
        return [_number(share.group(1)), Token("word", unit, unit.casefold())]
    if is_mask(run):
        return [Token("mask", run, run.casefold())]
    return [Token("word", run, run.casefold().replace("’", "'"))]


def is_mask(run: str) -> bool:
    """`####`, `YYYY-MM-DD`: a picture of the value, never a value."""
    if _MASK.match(run) or _PICTURE.match(run):
        return True
    parts = _DATE_MASK_PART.findall(run)
    return bool(_DATE_MASK.match(run)) and len(parts) >= 2


def _number(run: str) -> Token:
    plain_run = run.replace("−", "-")
    found = _NUMBER.match(run)
    assert found is not None
    whole = found.group(1)
    plain = not (len(whole) > 1 and whole.startswith("0"))
    return Token("number", run, plain_run, _exact(plain_run), plain=plain)


def _exact(digits: str) -> int | Decimal:
    found = Decimal(digits)
    return int(found) if "." not in digits else found


def _iso_date(run: str) -> date | None:
    parts = _ISO_DATE.match(run)
    return day(*(int(p) for p in parts.groups())) if parts else None


def day(year: int, month: int, of_month: int) -> date | None:
    """None where the calendar has no such day."""
    try:
        return date(year, month, of_month)
    except ValueError:
        return None
