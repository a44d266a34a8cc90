"""Where two conditions part: shown so that two that differ never look alike."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from unicodedata import normalize

from ruleferry.converters.reports.drift.plain import spelt, sql, unarmed
from ruleferry.converters.reports.text import listed

# A literal or a quoted name that never ends goes to the end of the text: one pass is enough.
_TOKEN = re.compile(
    r"'(?:[^'\\]|\\.|'')*+(?:'|\Z)|`[^`]*+(?:`|\Z)|\"[^\"]*+(?:\"|\Z)|[\w.]+|\s+|.", re.DOTALL
)
_VALUE = re.compile(r"'.*'|-?[0-9][\w.]*", re.DOTALL)
# Of the values that only one of them has, the first.
_VALUES = 6
_VALUE_WIDTH = 60
# So many single values are told beside each other: the two ends of a range.
_FEW = 2
# Words that a number of its own may follow.
_BEFORE = frozenset({"AND", "BETWEEN", "ELSE", "IN", "NOT", "OR", "THEN", "WHEN"})
_ALIKE = 20
_SPELT = 40
_GAP = " … "


def shortened(text: str, other: str, room: int) -> str:
    """The condition, in about `room` characters: of a long one its beginning and where it parts."""
    if len(text) <= room:
        return sql(text)
    start, end = _middle(text, other)
    around = room // 6
    begin = start - around if start > 2 * around else 0
    head = f"{sql(text[:around])}{_GAP}" if begin else ""
    middle = _both_ends(text[start:end], max(room - 3 * around, 40))
    tail = f"{sql(text[end : end + around])}{_GAP if end + around < len(text) else ''}"
    return unarmed(f"{head}{sql(text[begin:start])}{middle}{tail} ({len(text):,} characters)")


def parting(sources: str, module: str) -> str:
    """What only one of them has, in a sentence; empty where a look at both tells it."""
    if sources == module:
        return ""
    found = _values(sources, module) or _alike(sources, module) or _literals(sources, module)
    return unarmed(found)


def _middle(text: str, other: str) -> tuple[int, int]:
    """Where the part of the text begins and ends that the other one has not."""
    start = _shared(text, other)
    most = min(len(text), len(other)) - start
    return start, len(text) - min(most, _shared(text[::-1], other[::-1]))


def _shared(text: str, other: str) -> int:
    """How many characters they have in common at their beginning."""
    pairs = enumerate(zip(text, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(text), len(other)))


def _both_ends(text: str, room: int) -> str:
    if len(text) <= room:
        return sql(text)
    end = room // 3
    return f"{sql(text[: room - end])}{_GAP}{sql(text[-end:])}"


# Bounds and other single values --------------------------------------------------------------


def _literals(sources: str, module: str) -> str:
    """The values of two conditions that differ in one or two of them, for who reads no SQL."""
    (words, lists), (others, theirs) = _parted(sources), _parted(module)
    if list(map(set, lists)) != list(map(set, theirs)):
        return ""
    both = zip_longest(_signed(words), _signed(others), fillvalue="")
    parted = [pair for pair in both if pair[0] != pair[1]]
    alone = all(_VALUE.fullmatch(token) for pair in parted for token in pair)
    if not alone or not 0 < len(parted) <= _FEW:
        return ""
    ours, its = zip(*parted, strict=True)
    return f"the sources say {_spoken(ours)}; the module says {_spoken(its)}"


def _spoken(values: Sequence[str]) -> str:
    return listed(_both_ends(value, _VALUE_WIDTH) for value in values)


def _signed(tokens: Sequence[str]) -> list[str]:
    """A minus that follows no value belongs to the number behind it."""
    found: list[str] = []
    for token in tokens:
        if token[:1].isdigit() and found[-1:] == ["-"] and not _ends_value(found[:-1]):
            found[-1] = f"-{token}"
        else:
            found.append(token)
    return found


def _ends_value(tokens: Sequence[str]) -> bool:
    """Whether a minus behind them takes away."""
    last = tokens[-1] if tokens else ""
    return last.upper() not in _BEFORE and re.match(r"[\w)'`\"]", last) is not None


def _tokens(text: str) -> list[str]:
    return [token for token in _TOKEN.findall(text) if not token.isspace()]


# Values of lists ----------------------------------------------------------------------------------


def _values(sources: str, module: str) -> str:
    """Which values only one of two conditions lists that differ in their lists alone."""
    ours, theirs = _parted(sources), _parted(module)
    if ours[0] != theirs[0] or not ours[1]:
        return ""
    pairs = list(zip(ours[1], theirs[1], strict=True))
    added = [v for a, b in pairs for v in _only(a, b)]
    gone = [v for a, b in pairs for v in _only(b, a)]
    told = [_told("only the sources list", added), _told("only the module lists", gone)]
    return "; ".join(filter(None, told))


def _only(these: Sequence[str], those: Sequence[str]) -> list[str]:
    known = set(those)
    return [value for value in dict.fromkeys(these) if value not in known]


def _told(words: str, values: Sequence[str]) -> str:
    if not values:
        return ""
    shown = [_both_ends(value, _VALUE_WIDTH) for value in values[:_VALUES]]
    more = [f"{len(values) - _VALUES:,} more"] if len(values) > _VALUES else []
    return f"{words} {listed([*shown, *more])}"


def _parted(text: str) -> tuple[list[str], list[list[str]]]:
    """The words of a condition without its lists of values, and the lists."""
    words: list[str] = []
    lists: list[list[str]] = []
    tokens = _tokens(text)
    at = 0
    while at < len(tokens):
        found = _list(tokens, at) if tokens[at].upper() == "IN" else None
        words.append(tokens[at].upper() if tokens[at].isalpha() else tokens[at])
        at += 1
        if found is not None:
            values, at = found
            lists.append(values)
    return words, lists


def _list(tokens: Sequence[str], at: int) -> tuple[list[str], int] | None:
    """The values of `IN (…)`, and where it ends; None where it holds anything but values."""
    if tokens[at + 1 : at + 2] != ["("]:
        return None
    values: list[str] = []
    minus = ""
    for index in range(at + 2, len(tokens)):
        match tokens[index]:
            case ")":
                return values, index + 1
            case ",":
                continue
            case "-":
                minus = "-"
            case value if _VALUE.fullmatch(value):
                values.append(f"{minus}{value}")
                minus = ""
            case _:
                return None
    return None


# Texts --------------------------------------------------------------------------------------------


def _alike(sources: str, module: str) -> str:
    """The characters that a person could take for each other."""
    start, end = _middle(sources, module)
    other_start, other_end = _middle(module, sources)
    ours, theirs = sources[start:end], module[other_start:other_end]
    if not _look_alike(ours, theirs) and _seen(sources) != _seen(module):
        return ""
    return f"{_named('sources', ours)}, {_named('module', theirs)}"


def _named(who: str, text: str) -> str:
    shown = f"{spelt(text[:_SPELT])}{_GAP if len(text) > _SPELT else ''}"
    return f"the {who} {'has' if who == 'module' else 'have'} {shown or 'nothing'} there"


def _look_alike(ours: str, theirs: str) -> bool:
    few = len(ours) <= _ALIKE and len(theirs) <= _ALIKE
    return few and not (ours + theirs).isascii()


def _seen(text: str) -> str:
    """What a hurried reader sees of it."""
    return "".join(normalize("NFKC", sql(text)).split())
