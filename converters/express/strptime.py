r"""`datetime.strptime(text, format)` as a condition: TRUE where it succeeds, FALSE where it raises.

Everything is said in regular expressions. `try_to_timestamp` is laxer and stricter at once: it
takes no `2024-01- 5`, no lower-case `t` for the `T` of a format, and some year 0000.

Python matches the format as one regular expression, ignoring case, takes the first way in which it
fits, requires that this way ends where the text ends, and only then looks whether there is such a
day. Two fields of one or two digits that touch (`%d%m%Y`) may fit in several ways; the general form
then repeats Python's first way with an atomic group and judges what its groups took.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.express.functions import call as called
from ruleferry.converters.express.nodes import both
from ruleferry.converters.express.outcome import Expressed as Expressed
from ruleferry.converters.express.outcome import Refused as Refused
from ruleferry.converters.express.regex_case import ignoring_case
from ruleferry.converters.express.regex_text import literal
from ruleferry.converters.express.regex_tree import NotRead
from ruleferry.converters.express.sql_text import string_literal
from ruleferry.converters.rule import Caveat

_MONTHS = "January February March April May June July August September October November December"
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"


def _names(words: str, size: int | None = None) -> str:
    return f"(?i:{'|'.join(word[:size] for word in words.split())})"


# Java's text for what a directive takes, the longest way first, as in Python.
_FIELDS: Mapping[str, str] = {
    "Y": "[0-9]{4}",
    "y": "[0-9]{2}",
    "m": "(1[0-2]|0?[1-9])",
    "d": "(3[01]|[12][0-9]|0?[1-9]| [1-9])",
    "H": "(2[0-3]|[01]?[0-9])",
    "I": "(1[0-2]|0?[1-9])",
    "M": "[0-5]?[0-9]",
    "S": "[0-5]?[0-9]",
    "f": "[0-9]{1,6}",
    "j": "(36[0-6]|3[0-5][0-9]|[12][0-9]{2}|0?[1-9][0-9]|0{0,2}[1-9])",
    "w": "[0-6]",
    "u": "[1-7]",
    "b": _names(_MONTHS, 3),
    "B": _names(_MONTHS),
    "a": _names(_DAYS, 3),
    "A": _names(_DAYS),
    "p": "(?i:AM|PM)",
    "z": "([+-](2[0-3]|[01][0-9])"
    "(:[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?|[0-5][0-9]([0-5][0-9]([.][0-9]{1,6})?)?)|Z)",
}
_BLANK = r"[\s\x1C-\x1F\x85\p{Z}]+"  # Python's \s+
_DIGITAL = frozenset("YymdHIMSfjwu")
_VARIABLE = frozenset("mdHIMSfj")
_ANY_SCRIPT = frozenset("YydHMSjz")  # Python's \d takes the digits of every script here
_NAMED = frozenset("bBaAp")
# Fields that touch and still fit in one way only, or in ways that end in the same verdict.
_CLEAR_PAIRS = frozenset({("m", "d"), ("H", "M"), ("M", "S")})
# Directives that state the same thing, of which Python lets one win silently.
_RIVALS = ("Yy", "mbBj", "dj")

_LEAP = "[02468][048]|[13579][26]"
_COMMON_YEAR = {
    "Y": f"(?!([0-9]{{2}}(0[48]|[2468][048]|[13579][26])|({_LEAP})00))[0-9]{{4}}",
    "y": f"(?!{_LEAP})[0-9]{{2}}",
}
_FEBRUARY = {"m": "0?2", "b": "(?i:Feb)", "B": "(?i:February)"}
_SHORT_MONTHS = {
    "m": "(0?[2469]|11)",
    "b": "(?i:Feb|Apr|Jun|Sep|Nov)",
    "B": "(?i:February|April|June|September|November)",
}


@dataclass(frozen=True, slots=True)
class _Field:
    letter: str


@dataclass(frozen=True, slots=True)
class _Plain:
    """One character of the format, or a run of blanks (`char` is a space)."""

    char: str


_Part: TypeAlias = _Field | _Plain


class _Unusable(Exception):
    """Python raises for the format itself, or we do not know what it means."""


def parses(column: exp.Expression, fmt: str, *, exact: bool = False) -> Expressed | Refused:
    """TRUE where `datetime.strptime(column, fmt)` succeeds, for a column of text.

    TRUE or FALSE for every text, NULL for NULL. Caveats name the texts that Python takes as well.
    `exact`: each field has all of its digits, and what stands between them is as it is written.
    """
    try:
        parts = _parts(fmt)
        _check(parts)
        if exact:
            return Expressed(_in_full(column, parts, fmt), tuple(_caveats(parts)))
        tree = _clear(column, parts) if _fits_one_way(parts) else _general(column, parts)
    except (_Unusable, NotRead) as reason:
        return Refused(str(reason))
    return Expressed(tree, tuple(_caveats(parts)))


def _parts(fmt: str) -> list[_Part]:
    parts: list[_Part] = []
    for found in re.finditer(r"%(.?)|(\s)\s*|(.)", fmt, re.DOTALL):
        letter, blank, char = found.groups()
        if blank:
            parts.append(_Plain(" "))
        elif char or letter == "%":
            parts.append(_Plain(char or "%"))
        elif letter in _FIELDS:
            parts.append(_Field(letter))
        else:
            raise _Unusable(_why_not(letter))
    return parts


def _why_not(letter: str) -> str:
    if letter and letter in "cxXZ":
        return f"%{letter} depends on the machine's locale and time zone"
    if letter and letter in "UWGV":
        return f"%{letter} counts weeks, for which there is no condition"
    return f"Python's strptime knows no directive %{letter}, so that the rule never ran"


def _check(parts: Sequence[_Part]) -> None:
    letters = _letters(parts)
    twice = [letter for letter in letters if letters.count(letter) > 1]
    if twice:
        raise _Unusable(f"Python refuses %{twice[0]} twice, so that the rule never ran")
    for rivals in _RIVALS:
        both_stated = [letter for letter in letters if letter in rivals]
        if len(both_stated) > 1:
            stated = " and ".join(f"%{letter}" for letter in both_stated)
            raise _Unusable(f"{stated} state the same thing, and may contradict each other")
    for part, after in pairwise(parts):
        if part == _Field("z") and (_starts_digital(after) or after in (_Plain(":"), _Plain("."))):
            raise _Unusable("what follows %z may be taken as a part of it")


def _letters(parts: Sequence[_Part]) -> list[str]:
    return [part.letter for part in parts if isinstance(part, _Field)]


def _starts_digital(part: _Part) -> bool:
    return part.letter in _DIGITAL if isinstance(part, _Field) else part.char.isdigit()


def _fits_one_way(parts: Sequence[_Part]) -> bool:
    """No two fields touch so that the first could take a digit more or less."""
    for part, after in pairwise(parts):
        touching = isinstance(part, _Field) and part.letter in _VARIABLE and _starts_digital(after)
        pair = (getattr(part, "letter", ""), getattr(after, "letter", ""))
        if touching and pair not in _CLEAR_PAIRS:
            return False
    return True


def _caveats(parts: Sequence[_Part]) -> list[Caveat]:
    letters = frozenset(_letters(parts))
    told = []
    if letters & _ANY_SCRIPT:
        told.append(Caveat("format_digits", "Python also takes digits other than 0-9"))
    if letters & _NAMED:
        detail = "names of months and days are English here; in Python they follow the locale"
        told.append(Caveat("format_locale", detail))
    return told


# Writing -----------------------------------------------------------------------------------------


def _rendered(parts: Sequence[_Part], special: Mapping[str, str] | None = None) -> str:
    special = special or {}
    return "".join(
        special.get(part.letter, _FIELDS[part.letter])
        if isinstance(part, _Field)
        else _plain(part.char)
        for part in parts
    )


def _plain(char: str) -> str:
    if char.isspace():
        return _BLANK
    folded = ignoring_case(char)
    return literal(char) if len(folded) == 1 or folded.startswith("\\") else f"[{folded}]"


def _clear(column: exp.Expression, parts: Sequence[_Part]) -> exp.Expression:
    shape = _rendered(parts, {"Y": "(?!0000)[0-9]{4}"})
    wrong = [_matches(column, pattern) for pattern in _no_such_day(parts)]
    return both(_matches(column, rf"^{shape}\z"), *(exp.Not(this=tree) for tree in wrong))


# What a field takes that has all of its digits.
_FULL: Mapping[str, str] = {
    "m": "(1[0-2]|0[1-9])",
    "d": "(3[01]|[12][0-9]|0[1-9])",
    "H": "(2[0-3]|[01][0-9])",
    "I": "(1[0-2]|0[1-9])",
    "M": "[0-5][0-9]",
    "S": "[0-5][0-9]",
    "f": "[0-9]{6}",
    "j": "(36[0-6]|3[0-5][0-9]|[12][0-9]{2}|0[1-9][0-9]|00[1-9])",
}


def _in_full(column: exp.Expression, parts: Sequence[_Part], fmt: str) -> exp.Expression:
    """No field can take a digit more or less, so the text fits in one way at most."""
    fields = {**_FULL, "Y": "(?!0000)[0-9]{4}"}
    shape = "".join(
        fields.get(part.letter, _FIELDS[part.letter])
        if isinstance(part, _Field)
        else literal(part.char)
        for part in parts
    )
    wrong = [_matches(column, pattern) for pattern in _no_such_day(parts)]
    return both(_matches(column, rf"^{shape}\z"), *(exp.Not(this=tree) for tree in wrong))


def _matches(column: exp.Expression, pattern: str) -> exp.Expression:
    return exp.RegexpLike(this=column.copy(), expression=string_literal(pattern))


def _no_such_day(parts: Sequence[_Part]) -> list[str]:
    """What a text that has the shape of the format starts with, where there is no such day."""
    letters = _letters(parts)
    year = next((letter for letter in letters if letter in "Yy"), None)
    month = next((letter for letter in letters if letter in "mbB"), None)
    if "j" in letters:
        return [_start(parts, {"Y": "9999", "j": "366"})] if year == "Y" else []
    if month is None or "d" not in letters:
        return []
    short, february = _SHORT_MONTHS[month], _FEBRUARY[month]
    never = "30" if year else "(29|30)"
    patterns = [_start(parts, {"d": never, month: february}, {"d": "31", month: short})]
    if year:
        leap_day = {"d": "29", month: february, year: _COMMON_YEAR[year]}
        patterns.append(_start(parts, leap_day))
    return patterns


def _start(parts: Sequence[_Part], *cases: Mapping[str, str]) -> str:
    """The format up to the last field that a case speaks of, with that case's text for it."""
    named = {letter for case in cases for letter in case}
    places = [
        at for at, part in enumerate(parts) if isinstance(part, _Field) and part.letter in named
    ]
    before = _rendered(parts[: places[0]])
    ways = [_rendered(parts[places[0] : places[-1] + 1], case) for case in cases]
    return f"^{before}{ways[0] if len(ways) == 1 else f'({chr(124).join(ways)})'}"


def _general(column: exp.Expression, parts: Sequence[_Part]) -> exp.Expression:
    """The first way in which the text fits, and no such day or second in what its groups took."""
    letters = _letters(parts)
    judged = [letter for letter in ("Y", "y", "m", "b", "B", "d", "j", "S") if letter in letters]
    shape = rf"^(?>{_rendered(parts, _grouped())})\z"
    wrong = _no_such_day(_joined(judged))
    if "S" in letters:
        wrong.append(_start(_joined(judged), {"S": "6[01]"}))
    if not wrong:
        return _matches(column, shape)
    order = sorted(judged, key=letters.index)
    taken = "-".join(f"${order.index(letter) + 1}" for letter in judged)
    text = called("regexp_replace", (column.copy(), string_literal(shape), string_literal(taken)))
    return both(_matches(column, shape), exp.Not(this=_matches(text, "|".join(wrong))))


def _grouped() -> dict[str, str]:
    """The fields with a capturing group for each one that is judged, and for no other."""
    fields = {letter: re.sub(r"\((?!\?)", "(?:", text) for letter, text in _FIELDS.items()}
    captured = {letter: f"({fields[letter]})" for letter in "ybB"}
    captured |= {letter: _FIELDS[letter] for letter in "mdj"}
    return fields | captured | {"Y": "(?!0000)([0-9]{4})", "S": "(6[01]|[0-5]?[0-9])"}


def _joined(letters: Sequence[str]) -> list[_Part]:
    """The format `%Y-%m-…` of these fields."""
    return [part for letter in letters for part in (_Plain("-"), _Field(letter))][1:]
