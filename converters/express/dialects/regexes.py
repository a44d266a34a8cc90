r"""A regular expression of a dialect as one of java.util.regex.

What each database reads is in mappings/engines.toml and sql_regexes.toml, and `sql_regex` reads it;
here are the flags that a call may add, and whether the whole text must match.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from re import _parser  # type: ignore[attr-defined]

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.engines import Database, RegexFlavour, database
from ruleferry.converters.express import regex, sql_regex
from ruleferry.converters.express.dialects.terms import refuse
from ruleferry.converters.express.outcome import Refused
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.mappings import table

# Those whose engine is Java's own.
_JAVA = frozenset({"hive", "databricks", "spark"})
# Letter of a flag -> what it means in the dialect; "case" and "exact" undo each other.
_FLAGS: Mapping[str, Mapping[str, str]] = {
    "oracle": {"i": "case", "c": "exact", "n": "dot"},
    "teradata": {"i": "case", "c": "exact", "n": "dot"},
    "snowflake": {"i": "case", "c": "exact", "s": "dot"},
    "mysql": {"i": "case", "c": "exact", "n": "dot"},
    "db2": {"i": "case", "c": "exact", "n": "dot", "s": "dot"},
    "redshift": {"i": "case", "c": "exact"},
    "postgres": {"i": "case", "c": "exact", "g": "each"},
    "hive": {},
    "bigquery": {},
    "impala": {"i": "case", "c": "exact", "n": "dot"},
}
# POSIX wants the longest of several ways, Java the first one.
_LONGEST = frozenset({"postgres", "redshift", "netezza"})


def in_java(
    pattern: str,
    dialect: SqlDialect,
    *,
    flags: str = "",
    whole: bool = False,
    ignore_case: bool | None = None,
    tell: Callable[[str, str], None] | None = None,
) -> str:
    """Raises Refusal for what is not known to mean the same.

    `whole`: the whole text must match. `ignore_case`: as the database is set up; None: as a new one
    is. `tell` gets the caveats.
    """
    case, dot = _flagged(flags, dialect, ignore_case)
    found = _java(pattern, dialect, case=case, dot=dot, whole=whole)
    if isinstance(found, Refused):
        reason = (
            f"the pattern {pattern!r} of {dialect.called} can't be carried over: {found.reason}"
        )
        raise Refusal("regex", reason)
    for caveat in found.caveats:
        if tell is not None:
            tell(caveat.code, caveat.detail)
    if tell is not None and _asks_for_letters(pattern, dialect):
        tell("dialect_differs", _ASCII)
    return found.text


_ASCII = "letters and digits beyond ASCII are none to its pattern; to the source they may be"
_LETTERS = re.compile(r"\\[wWmMy]|\[:(?:alpha|alnum|upper|lower|word):\]")


def _asks_for_letters(pattern: str, dialect: SqlDialect) -> bool:
    """Where what is a letter depends on the language of the database."""
    base = _base(dialect)
    ascii_alone = dialect.name in _JAVA or (base and base.regex and base.regex.ascii)
    return not ascii_alone and _LETTERS.search(pattern) is not None


def _flagged(flags: str, dialect: SqlDialect, ignore_case: bool | None) -> tuple[bool | None, bool]:
    """Whether case is ignored (None: as the database does), and whether . takes a line feed."""
    known = _FLAGS.get(dialect.name, {})
    strange = [letter for letter in flags if letter not in known]
    if strange:
        raise refuse(f"the flag {strange[0]!r} of a regular expression is not carried over")
    meanings = [known[letter] for letter in flags]
    cases = [meaning for meaning in meanings if meaning in ("case", "exact")]
    return (cases[-1] == "case" if cases else ignore_case), "dot" in meanings


def _java(
    pattern: str, dialect: SqlDialect, *, case: bool | None, dot: bool, whole: bool
) -> regex.Pattern | Refused:
    if dialect.name in _JAVA:
        return _of_java(pattern, whole=whole)
    base = _base(dialect)
    if base is None or base.regex is None:
        return Refused(f"the regular expressions of {dialect.called} are not known")
    text = _with_words(pattern, dialect)
    found = sql_regex.to_java(text, _set(base, base.regex, case=case, dot=dot), whole)
    if isinstance(found, regex.Pattern) and text != pattern:
        return replace(found, text=_words_back(found.text))
    return found


def _base(dialect: SqlDialect) -> Database | None:
    row = table("sql_regexes").get(dialect.name)
    if isinstance(row, dict):
        return Database(dialect.called, regex=RegexFlavour(**row))
    return database(dialect.name)


def _of_java(pattern: str, *, whole: bool) -> regex.Pattern | Refused:
    return regex.to_java(rf"^(?:{pattern})\z" if whole else pattern, "java")


def _set(base: Database, flavour: RegexFlavour, *, case: bool | None, dot: bool) -> Database:
    if case is not None:
        flavour = replace(flavour, case="ignored" if case else "")
    if dot:
        flavour = replace(flavour, dot="all")
    return replace(base, regex=flavour)


# The begin and the end of a word in PostgreSQL, held apart meanwhile as rare letters.
_WORDS = {r"\m": "\ue000", r"\M": "\ue001", r"\y": "\ue002"}
_IN_JAVA = {
    "\ue000": r"(?<![A-Za-z0-9_])(?=[A-Za-z0-9_])",
    "\ue001": r"(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])",
    "\ue002": r"(?:(?<![A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<=[A-Za-z0-9_])(?![A-Za-z0-9_]))",
}


def _with_words(pattern: str, dialect: SqlDialect) -> str:
    if dialect.name != "postgres" or any(sign in pattern for sign in _IN_JAVA):
        return pattern
    pieces = re.findall(r"\\.|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]])*\]|.", pattern, re.DOTALL)
    if any(after in ("*", "+", "?") or after.startswith("{") for after in _after_words(pieces)):
        return pattern
    return "".join(_WORDS.get(piece, piece) for piece in pieces)


def _after_words(pieces: list[str]) -> list[str]:
    return [after for piece, after in pairwise(pieces) if piece in _WORDS]


def _as_it_is(java: str) -> Callable[[re.Match[str]], str]:
    return lambda _: java


def _words_back(text: str) -> str:
    r"""A letter of private use comes out as itself or as \x{…}."""
    for sign, java in _IN_JAVA.items():
        text = re.sub(rf"\\x\{{{ord(sign):X}\}}|{sign}", _as_it_is(java), text)
    return text


# What more than "is there a match" depends on ----------------------------------------------------


def check_extract(pattern: str, dialect: SqlDialect) -> None:
    """Which part of a text matches: raises Refusal where engines choose differently."""
    if dialect.name in _LONGEST and re.search(r"\||[*+?}]\?", pattern):
        raise refuse(f"which part of a text {pattern!r} takes depends on the engine")


def check_each(pattern: str, java: str, dialect: SqlDialect) -> None:
    """Every match in a text: raises Refusal for patterns that match nothing at all, too."""
    check_extract(pattern, dialect)
    if may_be_empty(java):
        raise refuse(f"{pattern!r} also matches an empty text, which engines count differently")


def may_be_empty(java: str) -> bool:
    """Whether it can match without taking a character; also where that can't be told."""
    text = re.sub(r"^\(\?[a-zA-Z]+\)", "", java).replace(r"\z", r"\Z")
    try:
        return int(_parser.parse(text).getwidth()[0]) == 0
    except (re.error, OverflowError):
        return True


def matches_once(pattern: str) -> bool:
    """^… or …$ without another branch: there is one match at most."""
    plain = re.sub(r"\\.|\[\^?\]?(?:\[:\w+:\]|\\.|[^\]])*\]", "x", pattern)
    return "|" not in plain and (plain.startswith("^") or plain.endswith("$"))
