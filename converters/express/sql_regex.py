r"""Regular expressions of a database: the pattern as Python says it, and so as Java does.

Read are characters, classes, `.`, `^`, `$`, groups, `|` and quantifiers, and what else the table
says that the database knows. Whether a text holds a match then depends on the same few facts
everywhere: what `.` and `$` know of a line feed, whether case counts, and whether a part is enough.
A pattern that holds anything else is refused.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ruleferry.converters.engines import Database, RegexFlavour
from ruleferry.converters.express import regex
from ruleferry.converters.express.outcome import Refused
from ruleferry.converters.express.regex_tree import NotRead
from ruleferry.converters.rule import Caveat

_TOKEN = re.compile(
    r"""(?P<class>\[\^?(?:\[:\w+:\]|\\.|[^\]\\\[])+\])
    | (?P<open>\((?:\?:)?(?!\?)) | (?P<close>\)) | (?P<or>\|)
    | (?P<dot>\.) | (?P<start>\^) | (?P<end>\$)
    | (?P<repeat>(?:[*+?]|\{\d+(?:,\d*)?\})\??)
    | (?P<short>\\[dDwWsS]) | (?P<escaped>\\[!-/:-@\[-`{-~])
    | (?P<char>[^\\\[\](){}*+?.|^$])""",
    re.VERBOSE | re.ASCII | re.DOTALL,
)
_MEMBER = re.compile(
    r"\[:(?P<posix>\w+):\]|\\(?P<short>[dws])|(?P<span>(?P<low>[^\\\[])-(?P<high>[^\\\[]))"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])|(?P<char>[^\\\[])",
    re.ASCII | re.DOTALL,
)
_LETTERS = {"d": "0-9", "w": "0-9A-Za-z_"}
_POSIX = {
    "digit": "0-9", "alpha": "A-Za-z", "alnum": "0-9A-Za-z", "upper": "A-Z", "lower": "a-z",
    "xdigit": "0-9A-Fa-f", "space": r" \t\n\v\f\r", "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
}  # fmt: skip


def to_java(pattern: str, base: Database, whole: bool | None) -> regex.Pattern | Refused:
    """The pattern for RLIKE, or why there is none.

    `whole`: the whole text must match; None where the version decides, and nothing states it.
    """
    flavour = base.regex
    if flavour is None or flavour.unclear:
        return Refused(flavour.unclear if flavour else f"{base.called} is not known to have them")
    if flavour.flavour == "python":
        return regex.to_java(pattern, "python")
    if flavour.flavour == "java":
        return regex.to_java(pattern, "java")
    return _translated(pattern, base.called, flavour, whole)


@lru_cache(maxsize=4096)
def _translated(
    pattern: str, called: str, flavour: RegexFlavour, whole: bool | None
) -> regex.Pattern | Refused:
    folded = flavour.perl and pattern.startswith("(?i)")
    try:
        tokens = _tokens(pattern.removeprefix("(?i)") if folded else pattern, flavour)
        text = "".join(_python(kind, token, flavour) for kind, token in tokens)
    except NotRead as reason:
        return Refused(f"{reason}, and {called} may read it in its own way")
    anchored = _is_anchored(tokens)
    if whole is not False and not anchored:
        text = rf"\A(?:{text})\Z"
    folded = folded or flavour.case == "ignored"
    dots = flavour.dot == "all" and any(kind == "dot" for kind, _ in tokens)
    flags = "i" * folded + "s" * dots
    found = regex.to_java(f"(?{flags}){text}" if flags else text, "python")
    if isinstance(found, Refused):
        return found
    told: tuple[Caveat, ...]
    told = () if _is_known(tokens, flavour, folded) else (_by_the_documents(flavour, folded),)
    if whole is None and not anchored:
        told += (Caveat("version_unknown", _WHOLE.format(called)),)
    return regex.Pattern(found.text, found.caveats + told)


_WHOLE = (
    "before version 1.24 Great Expectations asks {} to match the whole text, and since then a part "
    "of it; no version is stated, and the whole text must match"
)


def _is_known(tokens: list[tuple[str, str]], flavour: RegexFlavour, folded: bool) -> bool:
    """It was measured, and nothing in it depends on a language."""
    letters = any(kind == "short" or _has_letters(kind, token) for kind, token in tokens)
    return flavour.measured and not folded and (flavour.ascii or not letters)


def _by_the_documents(flavour: RegexFlavour, folded: bool) -> Caveat:
    case = ", without regard to case" if folded else ""
    return Caveat("regex_database", f"read by the documents, as {flavour.flavour}{case}")


def _has_letters(kind: str, token: str) -> bool:
    r"""A class that names others: [[:alpha:]], [\w-]."""
    return kind == "class" and re.search(r"\[:|\\[dws]", token, re.ASCII) is not None


# Reading ------------------------------------------------------------------------------------------


def _tokens(pattern: str, flavour: RegexFlavour) -> list[tuple[str, str]]:
    """(kind, text) of each part. Raises NotRead at what does not read alike everywhere."""
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None:
            raise NotRead(f"it holds {pattern[at : at + 4]}")
        kind, text = str(token.lastgroup), token[0]
        _check(kind, text, found[-1][0] if found else "", flavour)
        found.append((kind, text))
        at = token.end()
    if not found or found[-1][0] == "or":
        raise NotRead("it has a branch that is empty")
    return found


def _check(kind: str, text: str, before: str, flavour: RegexFlavour) -> None:
    if kind in ("or", "close") and before in ("", "or", "open"):
        raise NotRead("it has a branch that is empty")
    if kind == "repeat":
        _check_repeat(text, before, flavour)
    if kind == "short" and not flavour.shorthands:
        raise NotRead(f"it holds {text}")
    if text == "(?:" and not flavour.perl:
        raise NotRead("it holds (?:")


def _check_repeat(text: str, before: str, flavour: RegexFlavour) -> None:
    if before in ("", "or", "open", "start", "end", "repeat"):
        raise NotRead(f"its {text} follows nothing that can be repeated")
    if len(text) > 1 and text.endswith("?") and not flavour.perl:
        raise NotRead(f"it holds {text}")
    bounds = [int(number) for number in re.findall(r"\d+", text)]
    if any(bound > flavour.most for bound in bounds) or bounds != sorted(bounds):
        raise NotRead(f"it repeats {text}")


def _is_anchored(tokens: list[tuple[str, str]]) -> bool:
    """^…$ without another branch: a match is a match of the whole text anyway."""
    if len(tokens) < 2 or tokens[0][0] != "start" or tokens[-1][0] != "end":
        return False
    depth = 0
    for kind, _ in tokens:
        depth += {"open": 1, "close": -1}.get(kind, 0)
        if kind == "or" and depth == 0:
            return False
    return True


# Writing ------------------------------------------------------------------------------------------


def _python(kind: str, text: str, flavour: RegexFlavour) -> str:
    if kind == "end":
        return r"\Z" if flavour.end == "very" else "$"
    if kind == "short":
        inside = _letters(text[1].lower(), flavour)
        return f"[^{inside}]" if text[1].isupper() else f"[{inside}]"
    return _class(text, flavour) if kind == "class" else text


def _letters(letter: str, flavour: RegexFlavour) -> str:
    return flavour.blank if letter == "s" else _LETTERS[letter]


def _class(text: str, flavour: RegexFlavour) -> str:
    opening = "[^" if text.startswith("[^") else "["
    inside = text[len(opening) : -1]
    found, at = "", 0
    while at < len(inside):
        member = _MEMBER.match(inside, at)
        if member is None:
            raise NotRead(f"it holds the class {text}")
        last = member.end() == len(inside)
        found += _member(member, text, flavour, edge=at == 0 or last)
        at = member.end()
    return f"{opening}{found}]"


def _member(member: re.Match[str], text: str, flavour: RegexFlavour, *, edge: bool) -> str:
    if member["posix"]:
        if member["posix"] not in _POSIX or not flavour.posix:
            raise NotRead(f"it holds {member[0]}")
        return _POSIX[member["posix"]]
    if member[0].startswith("\\") and not flavour.perl:
        raise NotRead(f"it holds a backslash in the class {text}")
    if member["short"]:
        return _letters(member["short"], flavour)
    if member["span"]:
        return _span(member, text)
    char = member["escaped"] or member["char"]
    if char == "-" and not (edge or member["escaped"]):
        raise NotRead(f"it holds a - in the middle of the class {text}")
    return re.escape(char)


def _span(member: re.Match[str], text: str) -> str:
    """Digits or letters of one case: other ranges go by the order of the database."""
    low, high = member["low"], member["high"]
    if not any(low in kind and high in kind for kind in _RUNS) or low > high:
        raise NotRead(f"it holds the range {low}-{high} in the class {text}")
    return f"{low}-{high}"


_RUNS = ("0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
