"""Texts: regular expressions, LIKE patterns, formats of dates, JSON.

The rooms of LIKE, of formats and of databases' patterns are imported where they are used: few
suites need them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from ruleferry.converters.express import regex
from ruleferry.converters.express.good import Good, Use, unknown_type
from ruleferry.converters.express.nodes import Node, both, call, either, negate, not_null
from ruleferry.converters.express.operand import TEXTS, CannotExpress, Operand
from ruleferry.converters.express.outcome import Refused
from ruleferry.converters.express.sql_text import string_literal
from ruleferry.converters.express.values import rendered, type_mismatch
from ruleferry.converters.predicates import Format, Json, Like, Matches
from ruleferry.converters.rule import Caveat, Engine, engine_kind

# Of a long pattern, as many signs as a message holds.
_SHOWN = 100


def matches(rule: Matches, use: Use) -> Good:
    operand = use.operand(rule.column)
    _refuse_unwritten(operand)
    patterns = [_java(pattern, rule, use) for pattern in _as_run(rule, use)]
    _refuse_certain(rule)
    tests: list[Node] = [
        exp.RegexpLike(this=operand.text(), expression=string_literal(p.text)) for p in patterns
    ]
    told = tuple(Caveat(c.code, c.detail) for p in patterns for c in p.caveats)
    caveats = operand.caveats + unknown_type(operand) + rendered(operand) + told
    return _tested(operand, tests, rule, caveats)


def _refuse_unwritten(operand: Operand) -> None:
    """Of what a person calls the form of a number, a column of numbers keeps only the digits of a
    whole one."""
    written = operand.family is None or operand.family in TEXTS | {"integer"}
    if operand.family == "nested" or (operand.engine == "words" and not written):
        raise type_mismatch(operand, "a pattern")


def _as_run(rule: Matches, use: Use) -> tuple[str, ...]:
    """On Spark several patterns may be one, which looks ahead for each or has a branch for each."""
    if use.kind != "spark" or not (rule.chained or rule.branched):
        return rule.patterns
    if rule.branched:
        return ("|".join(rule.patterns),)
    return ("".join(f"(?={pattern})" for pattern in rule.patterns),)


def _tested(
    operand: Operand, tests: Sequence[Node], rule: Matches | Like, caveats: tuple[Caveat, ...]
) -> Good:
    inside = both(*tests) if rule.each else either(*tests)
    if rule.negated:
        inside = exp.Not(this=inside) if len(tests) == 1 else negate(inside)
    return Good(either(*operand.missing(), inside), "pass", caveats)


def _java(pattern: str, rule: Matches, use: Use) -> regex.Pattern:
    if use.kind != "sql":
        found = regex.to_java(_as_meant(pattern, use.engine), _flavour(use.engine))
    elif use.database is None:
        reason = "each database has regular expressions of its own, and it is not known which"
        raise CannotExpress("regex", reason)
    else:
        from ruleferry.converters.express import sql_regex

        found = sql_regex.to_java(pattern, use.database, rule.whole)
    if isinstance(found, Refused):
        reason = f"the pattern {_quoted(pattern)}: {_why(found, use)}"
        raise CannotExpress("regex", reason)
    return found


_FLAGS = re.compile(r"\(\?([imsx]+)\)")
# Which letters are those of a word, people do not agree: there Python's are taken, and told.
_LETTERS, _OF_ASCII = re.compile(r"\\[wWbB]"), re.compile(r"\\[dDsS]")


def _as_meant(pattern: str, engine: Engine) -> str:
    r"""To a person `\d` is 0-9 and `\s` a blank of ASCII, so that they need no caveat."""
    if engine != "words" or _LETTERS.search(pattern) or not _OF_ASCII.search(pattern):
        return pattern
    flags = _FLAGS.match(pattern)
    if flags:
        return f"(?a{flags[1]}){pattern[flags.end() :]}"
    return f"(?a){pattern}"


def _why(found: Refused, use: Use) -> str:
    """What a person wrote never ran anyway; since version 3 pandas runs what Python rejects."""
    why = found.reason.removesuffix(", so that the rule never ran")
    if use.kind == "words" or why == found.reason:
        return why
    return f"{why}, and so did pandas up to version 2" if use.kind == "pandas" else found.reason


def _quoted(pattern: str) -> str:
    return f'"{pattern}"' if len(pattern) <= _SHOWN else f'"{pattern[:_SHOWN]}…"'


def _flavour(engine: Engine) -> regex.Flavour:
    """A person may have had any flavour in mind: Python's is read, since there what other flavours
    read otherwise is either refused or told."""
    return "python" if engine in ("pandas", "words") else "java"


def plain_pattern(pattern: str, engine: Engine) -> str | None:
    """The pattern in Java, where nothing else is to be said of it."""
    if engine_kind(engine) == "sql":
        return None
    found = regex.to_java(_as_meant(pattern, engine), _flavour(engine))
    if isinstance(found, Refused) or found.caveats or pattern in _EVERYTHING:
        return None
    return found.text


def _refuse_certain(rule: Matches) -> None:
    """A pattern that every text holds a match of, such as the default of 1.x."""
    if all(p in _EVERYTHING for p in rule.patterns):
        code = "never_passes" if rule.negated else "never_fails"
        raise CannotExpress(code, f"every text matches {rule.patterns[0] or 'an empty pattern'}")


_EVERYTHING = frozenset({"", ".*", "(?s).*", "^.*", ".*?", "^", "$"})


def like(rule: Like, use: Use) -> Good:
    from ruleferry.converters.express.like import like as like_condition

    operand = use.operand(rule.column)
    _refuse_unwritten(operand)
    tests: list[Node] = []
    caveats = operand.caveats + unknown_type(operand) + rendered(operand)
    dialect = _like_dialect(rule, use)
    for pattern in rule.patterns:
        found = like_condition(operand.text(), pattern, escape=rule.escape, dialect=dialect)
        if isinstance(found, Refused):
            raise CannotExpress("like", f"the pattern {_quoted(pattern)}: {found.reason}")
        tests.append(found.tree)
        caveats += tuple(Caveat(c.code, c.detail) for c in found.caveats)
    if use.database is None and use.kind != "words":
        detail = "which letters LIKE takes as equal, and its escape, depend on the source database"
        caveats = (*caveats, Caveat("like_dialect", detail))
    return _tested(operand, tests, rule, caveats)


def _like_dialect(rule: Like, use: Use) -> str | None:
    """Great Expectations writes an escape so that it means the same where there is no clause."""
    if use.kind == "words":
        return "databricks"
    base = use.database
    return None if base is None or (rule.escape and base.escape) else use.engine


def of_format(rule: Format, use: Use) -> Good:
    from ruleferry.converters.express import strptime

    operand = _text_only(rule.column, use, "reads only texts", digits=True)
    found = strptime.parses(operand.text(), rule.format, exact=rule.exact)
    if isinstance(found, Refused):
        raise CannotExpress("format", f"the format {rule.format}: {_why(found, use)}")
    told = tuple(Caveat(c.code, c.detail) for c in found.caveats)
    if use.kind == "words":
        told = _told_of_names(told)
    caveats = operand.caveats + unknown_type(operand) + told
    return Good(either(*operand.missing(), found.tree), "pass", caveats)


def _told_of_names(told: Sequence[Caveat]) -> tuple[Caveat, ...]:
    """People write digits as 0-9, and names in a language of their own."""
    detail = "names of months and days are English ones"
    return tuple(Caveat(c.code, detail) for c in told if c.code == "format_locale")


def json(rule: Json, use: Use) -> Good:
    operand = _text_only(rule.column, use, "reads only texts")
    test = not_null(call("try_parse_json", operand.text()))
    detail = (
        "unlike Python, Spark takes text after the value and refuses NaN, Infinity and an object "
        "that states a key twice"
    )
    if use.kind == "words":
        detail = "Spark takes text after the value, and refuses an object that states a key twice"
    caveats = (*operand.caveats, *unknown_type(operand), Caveat("json_dialect", detail))
    return Good(either(*operand.missing(), test), "pass", caveats)


def _text_only(column: str, use: Use, why: str, *, digits: bool = False) -> Operand:
    """`digits`: a whole number will do for what a person wrote: 20240131 is a day."""
    operand = use.operand(column)
    texts = TEXTS | {"integer"} if use.kind == "words" and digits else TEXTS
    if operand.family is not None and operand.family not in texts:
        declared = operand.type.text if operand.type else ""
        if use.kind == "words":
            reason = f"{column} is {declared}, and its values are not written in any form"
            raise CannotExpress("type_mismatch", reason)
        reason = f"{column} is {declared}; this expectation {why} and raises on anything else"
        raise CannotExpress("type_mismatch", reason)
    return operand
