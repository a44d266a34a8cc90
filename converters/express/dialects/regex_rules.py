"""REGEXP_* functions: patterns, flags, places and occurrences."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.express import like
from ruleferry.converters.express.dialects.call_shape import Call, Rule
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.regexes import (
    check_each,
    check_extract,
    in_java,
    matches_once,
)
from ruleferry.converters.express.dialects.terms import (
    ignores_case,
    said,
    text,
    whole,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.sql_types import BOOLEAN, INT, STRING


def matches(
    subject: Term, pattern: str, here: Dialectal, *, flags: str = "", whole_text: bool = False
) -> Term:
    """TRUE where the text matches, or a part of it does."""
    java = _java(pattern, here, flags, whole_text)
    return Term(exp.RegexpLike(this=subject.tree, expression=text(java)), BOOLEAN)


def _java(pattern: str, here: Dialectal, flags: str, whole_text: bool = False) -> str:
    case = ignores_case(here) if here.dialect.case and here.settings.collation else None
    dialect = here.dialect
    return in_java(
        pattern, dialect, flags=flags, whole=whole_text, ignore_case=case, tell=here.tell
    )


def _like(found: Call) -> Term:
    return matches(found.terms[0], found.word(1), found.here, flags=found.word(2, ""))


def _like_whole(found: Call) -> Term:
    flags = found.word(2, "")
    return matches(found.terms[0], found.word(1), found.here, flags=flags, whole_text=True)


def _similar(found: Call) -> Term:
    """1 or 0, for the whole text."""
    tree = _like_whole(found).tree
    template = "CASE WHEN _1 THEN 1 WHEN _2 IS NOT NULL THEN 0 END"
    return said(template, tree, found.tree(0), kind=INT)


def _start(found: Call, at: int) -> None:
    if found.whole(at, 1) != 1:
        raise found.refused("looks from a place in the middle of the text")


def _substr(found: Call) -> Term:
    """REGEXP_SUBSTR(text, pattern, place, occurrence, flags, group)"""
    _start(found, 2)
    number = found.whole(3, 1)
    if len(found) > 5 and found.whole(5) != 0:
        raise found.refused("takes a group of the pattern")
    return _nth(found, number, found.word(4, ""))


def _nth(found: Call, number: int, flags: str) -> Term:
    pattern, here = found.word(1), found.here
    java = _java(pattern, here, flags)
    check_extract(pattern, here.dialect)
    if number == 1:
        return Term(call("regexp_substr", [found.tree(0), text(java)]), STRING)
    if not 1 < number < 1000:
        raise found.refused("has an occurrence that is none")
    check_each(pattern, java, here.dialect)
    every = call("regexp_extract_all", [found.tree(0), text(java), whole(0)])
    return Term(call("get", [every, whole(number - 1)]), STRING)


def _extract(found: Call) -> Term:
    """The group of the pattern where it has one, else all that matches; NULL where nothing does."""
    pattern, here = found.word(1), found.here
    java = _java(pattern, here, "")
    groups = _groups(pattern, found)
    if groups > 1:
        raise found.refused("has a pattern with several groups")
    if not groups:
        return Term(call("regexp_substr", [found.tree(0), text(java)]), STRING)
    group = call("regexp_extract", [found.tree(0), text(java), whole(1)])
    arm = exp.If(this=exp.RegexpLike(this=found.tree(0).copy(), expression=text(java)), true=group)
    return Term(exp.Case(ifs=[arm]), STRING)


def _groups(pattern: str, found: Call) -> int:
    plain = "".join(_without_classes(pattern))
    return plain.count("(") - plain.count("(?")


def _without_classes(pattern: str) -> list[str]:
    kept, inside, escaped = [], False, False
    for char in pattern:
        if escaped or char == "\\":
            escaped = not escaped
        elif char == "[" and not inside:
            inside = True
        elif char == "]" and inside:
            inside = False
        elif not inside:
            kept.append(char)
    return kept


def _extract_group(found: Call) -> Term:
    """'' where nothing matches, as in Spark; the group is the first where none is named."""
    pattern, here = found.word(1), found.here
    java = _java(pattern, here, "")
    wanted = found.whole(2, 1)
    if not 0 <= wanted <= _groups(pattern, found):
        raise found.refused("takes a group that the pattern has not")
    return Term(call("regexp_extract", [found.tree(0), text(java), whole(wanted)]), STRING)


def _replace(found: Call) -> Term:
    """REGEXP_REPLACE(text, pattern, new, place, occurrence, flags): every match."""
    _start(found, 3)
    if found.whole(4, 0) != 0:
        raise found.refused("replaces one occurrence only")
    return _replaced(found, found.word(5, ""))


def _replace_flagged(found: Call) -> Term:
    """The first match only, but with the flag g."""
    flags = found.word(3, "")
    if "g" not in flags and not matches_once(found.word(1)):
        raise found.refused("replaces the first match only")
    return _replaced(found, flags.replace("g", ""))


def _replaced(found: Call, flags: str) -> Term:
    pattern = found.word(1)
    new = found.word(2, "")
    if "$" in new or "\\" in new or (found.here.dialect.name == "impala" and "&" in new):
        raise found.refused("puts in a part of what it found")
    java = _java(pattern, found.here, flags)
    check_each(pattern, java, found.here.dialect)
    return Term(call("regexp_replace", [found.tree(0), text(java), text(new)]), STRING)


def _count(found: Call) -> Term:
    _start(found, 2)
    pattern = found.word(1)
    java = _java(pattern, found.here, found.word(3, ""))
    check_each(pattern, java, found.here.dialect)
    return Term(call("regexp_count", [found.tree(0), text(java)]), INT)


def _instr(found: Call) -> Term:
    """REGEXP_INSTR(text, pattern, place, occurrence, end, flags)"""
    _start(found, 2)
    if found.whole(3, 1) != 1 or found.whole(4, 0) != 0:
        raise found.refused("looks for another place than that of the first match")
    java = _java(found.word(1), found.here, found.word(5, ""))
    return Term(call("regexp_instr", [found.tree(0), text(java)]), INT)


def _patindex(found: Call) -> Term:
    """The pattern is that of LIKE."""
    pattern = found.word(0)
    if not pattern.endswith("%") or pattern.strip("%") == "":
        raise found.refused("has a pattern that must end where the text ends")
    java = like.pattern_to_find(pattern, "tsql", ignore_case=ignores_case(found.here))
    if java is None:
        raise found.refused("has a pattern that can't be carried over")
    return Term(call("regexp_instr", [found.tree(1), text(java)]), INT)


RULES: Mapping[str, Rule] = {
    "regexp_like": _like,
    "regexp_like_whole": _like_whole,
    "regexp_similar": _similar,
    "regexp_substr": _substr,
    "regexp_extract": _extract,
    "regexp_extract_group": _extract_group,
    "regexp_replace": _replace,
    "regexp_replace_flagged": _replace_flagged,
    "regexp_count": _count,
    "regexp_instr": _instr,
    "patindex": _patindex,
}
