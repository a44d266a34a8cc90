"""(?i) in Python and in Java: which characters a pattern takes as equal.

Measured over every letter that has a case: with the flags `iu` Java equals Python for ASCII letters
and for the scripts of _ALIKE, but for three pairs of letters there, and for ranges of capitals.
Everything else is written out as Python sees it.
"""

from __future__ import annotations

import re
from functools import cache

from ruleferry.converters.express.regex_text import member
from ruleferry.converters.express.regex_tree import (
    Branches,
    Char,
    CharClass,
    NotRead,
    Span,
    walk,
)

# Latin-1, Latin Extended-A and -B, Greek, Cyrillic, Armenian, Latin Extended Additional
_ALIKE = ((0xC0, 0x24F), (0x370, 0x52F), (0x531, 0x587), (0x1E00, 0x1EFF))
_UNLIKE = frozenset({0xDF, 0x390, 0x3B0})
_FAR_LETTERS = "Python and Java fold the case of letters beyond U+FFFF differently"
_ASCII_WITH_FRIENDS = frozenset("IKSiks")  # İ ı, the Kelvin sign, ſ


def unicode_case(branches: Branches) -> bool:
    """A (?i) of the pattern reaches a letter beyond ASCII: Java needs the flag u."""
    return any(_reaches_unicode(part) for part in _parts(branches) if _folds(part))


def _parts(branches: Branches) -> list[Char | Span]:
    found: list[Char | Span] = []
    for node in walk(branches):
        if isinstance(node, Char):
            found.append(node)
        elif isinstance(node, CharClass):
            found.extend(item for item in node.items if isinstance(item, Char | Span))
    return found


def _folds(part: Char | Span) -> bool:
    flags = part.flags if isinstance(part, Char) else part.low.flags
    return bool(flags & re.IGNORECASE) and not flags & re.ASCII


def _reaches_unicode(part: Char | Span) -> bool:
    if isinstance(part, Char):
        return chr(part.code) in _ASCII_WITH_FRIENDS or (part.code > 127 and _cased(part.code))
    low, high = part.low.code, part.high.code
    return high > 127 or any(low <= ord(letter) <= high for letter in _ASCII_WITH_FRIENDS)


def fold_char(char: Char) -> str | None:
    """The members of a class that stand for the character, None where Java folds it alike."""
    if not _folds(char) or not _cased(char.code) or _alike(char.code):
        return None
    if char.code > 0xFFFF:
        raise NotRead(_FAR_LETTERS)
    return _spelled(_members((char,)))


def fold_class(node: CharClass) -> str | None:
    """The members of the class without its shorthands, None where Java folds them alike."""
    parts = tuple(item for item in node.items if isinstance(item, Char | Span))
    if not any(_folds(part) and _needs_members(part) for part in parts):
        return None
    if any(_beyond_bmp(part) for part in parts):
        raise NotRead(_FAR_LETTERS)
    return _spelled(_members(parts))


def _needs_members(part: Char | Span) -> bool:
    if isinstance(part, Char):
        return _cased(part.code) and not _alike(part.code)
    high = part.high.code
    return high > 127 and any(map(_cased, range(max(part.low.code, 128), high + 1)))


def _beyond_bmp(part: Char | Span) -> bool:
    return (part.code if isinstance(part, Char) else part.high.code) > 0xFFFF


def _alike(code: int) -> bool:
    if code < 128:
        return True
    return code not in _UNLIKE and any(low <= code <= high for low, high in _ALIKE)


def _cased(code: int) -> bool:
    char = chr(code)
    return not char == char.lower() == char.upper() == char.casefold()


@cache
def _cased_bmp() -> str:
    return "".join(chr(code) for code in range(0x10000) if _cased(code))


def _members(parts: tuple[Char | Span, ...]) -> set[int]:
    """Every character that one of the parts takes in Python under (?i)."""
    found: set[int] = set()
    text = ""
    for part in parts:
        low, high = (part, part) if isinstance(part, Char) else (part.low, part.high)
        found.update(range(low.code, high.code + 1))
        text += f"\\U{low.code:08x}-\\U{high.code:08x}"
    return found | set(map(ord, re.findall(f"(?i)[{text}]", _cased_bmp())))


def _spelled(members: set[int]) -> str:
    """The members as the inside of a class, runs of three and more as ranges."""
    text = ""
    for low, high in _runs(sorted(members)):
        shown = [low, high] if high > low + 1 else sorted({low, high})
        text += ("-" if high > low + 1 else "").join(member(chr(code)) for code in shown)
    return text


def _runs(codes: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for code in codes:
        if runs and code == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], code)
        else:
            runs.append((code, code))
    return runs


def ignoring_case(char: str) -> str:
    """The members of a class for what Python takes as this character under (?i).

    Raises NotRead for a letter beyond U+FFFF, where Python is not consistent.
    """
    code = ord(char)
    if not _cased(code):
        return member(char)
    if code > 0xFFFF:
        raise NotRead(_FAR_LETTERS)
    return _spelled(_members((Char(char, code, re.IGNORECASE),)))
