"""LIKE, SIMILAR TO and regular expressions as operators."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.express import like as likes
from ruleferry.converters.express.dialects import collation
from ruleferry.converters.express.dialects.chars import filled_up
from ruleferry.converters.express.dialects.collation import Collation
from ruleferry.converters.express.dialects.empty import present_any
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.similar import similar
from ruleferry.converters.express.dialects.steps import (
    Step,
    differs,
    family,
    is_null,
    is_text,
    literal_text,
    null,
    only,
    read,
    sql,
    truth,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.outcome import Refused
from ruleferry.converters.express.refusal import Refusal

# Rows of mappings/like.toml for dialects that have none of their own.
_AS = {"impala": "hive", "netezza": "postgres"}
# What follows from the collation, which is told as such.
_TOLD_ELSEWHERE = frozenset({"like_case"})


@dataclass(frozen=True, slots=True)
class _Asked:
    """What holds for each pattern of one LIKE; `mark`: its escape character."""

    mark: str | None
    by: Collation
    ignore_case: bool


def _like(node: exp.Expression, here: Dialectal) -> Term:
    return _liked(node, None, here)


def _escape(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression")
    mark = literal_text(read(node.args["expression"], here).tree)
    if mark is None:
        raise Refusal("like", "its escape character is not written out")
    inner = bare(node.this)
    if not isinstance(inner, exp.Like | exp.ILike):
        raise differs(f"{sql(node)} is not carried over")
    return _liked(inner, mark, here)


def _liked(node: exp.Expression, mark: str | None, here: Dialectal) -> Term:
    only(node, "this", "expression", "negate")
    subject, patterns = read(node.this, here), bare(node.args["expression"])
    negated = bool(node.args.get("negate"))
    many = _patterns(patterns)
    by = collation.of_terms((node.this, patterns), here)
    ask = _Asked(mark, by, by.case or isinstance(node, exp.ILike))
    if many is None:
        return truth(_turned(_single(ask, subject, patterns, here), negated))
    if negated and here.dialect.name not in ("teradata", "postgres", "redshift"):
        raise differs("NOT LIKE ANY or ALL is not carried over")
    kind, listed = many
    tests = [_turned(_single(ask, subject, p, here), negated) for p in listed]
    tree, *others = tests
    for other in others:
        tree = kind(this=tree, expression=other)
    return truth(tree)


def _turned(tree: exp.Expression, negated: bool) -> exp.Expression:
    return exp.Not(this=tree) if negated else tree


def _patterns(
    node: exp.Expression,
) -> tuple[type[exp.Expression], Sequence[exp.Expression]] | None:
    """Those of LIKE ANY (…), to be joined by OR, or of LIKE ALL (…), by AND."""
    word, held = "", None
    if isinstance(node, exp.Any | exp.All):
        word, held = type(node).__name__.lower(), bare(node.this)
    elif isinstance(node, exp.Anonymous):
        word = str(node.this).lower()
        held = exp.Tuple(expressions=node.expressions)
    if word not in ("any", "all", "some") or held is None:
        return None
    listed = held.expressions if isinstance(held, exp.Tuple | exp.Array) else [held]
    if len(listed) == 1 and isinstance(bare(listed[0]), exp.Array | exp.Tuple):
        listed = bare(listed[0]).expressions
    return (exp.And if word == "all" else exp.Or), listed


def is_of_many(node: exp.Expression) -> bool:
    """LIKE ANY, LIKE ALL."""
    many = isinstance(node, exp.Like | exp.ILike) and _patterns(bare(node.args["expression"]))
    return bool(many)


def _single(ask: _Asked, subject: Term, pattern: exp.Expression, here: Dialectal) -> exp.Expression:
    subject = as_text(Term(subject.tree.copy(), subject.type), here)
    written = read(pattern, here)
    if is_null(written) or is_null(subject):
        return exp.EQ(this=subject.tree, expression=exp.Null())
    value = literal_text(written.tree)
    if value is None:
        raise Refusal("like", "its LIKE pattern is not written out")
    by = ask.by
    _refuse_ranges(value, here, by)
    name = _AS.get(here.dialect.name, here.dialect.name)
    tree = _but_blanks(subject.tree, value, here)
    cut = tree is not subject.tree
    found = likes.like(tree, value, escape=ask.mark, dialect=name, ignore_case=ask.ignore_case)
    if isinstance(found, Refused):
        raise Refusal("like", f"the LIKE pattern {value!r}: {found.reason}")
    if by.case and isinstance(found.tree.find(exp.ILike, exp.RegexpLike), exp.Expression):
        collation.tell(by, here)
    for told in found.caveats:
        if told.code not in _TOLD_ELSEWHERE and not (told.code == "like_blanks" and cut):
            here.tell(told.code, told.detail)
    return found.tree


_CLASS = re.compile(r"\[[^\]]*\]")


def _refuse_ranges(pattern: str, here: Dialectal, by: Collation) -> None:
    """Where case counts, [A-Z] of SQL Server's collations holds most small letters, too."""
    if here.dialect.name != "tsql" or by.case or by.binary or "[" not in pattern:
        return
    if any(char.isalpha() for held in _CLASS.findall(pattern) for char in held):
        raise differs("which letters a range holds depends on the order of the collation")


def _but_blanks(tree: exp.Expression, pattern: str, here: Dialectal) -> exp.Expression:
    """SQL Server does not look at blanks at the end of a VARCHAR, unless the pattern asks."""
    if here.dialect.name != "tsql" or not pattern or pattern.endswith("%"):
        return tree
    if pattern.endswith((" ", "_")) or (pattern[-1] == "]" and not _ends_in_class(pattern)):
        return tree
    here.tell("dialect_differs", "blanks at the end of a VARCHAR are left out, of NVARCHAR too")
    return call("rtrim", [tree])


def _ends_in_class(pattern: str) -> bool:
    """A class that holds no blank."""
    opened = pattern.rfind("[")
    inside = pattern[opened + 1 : -1]
    return pattern.endswith("]") and opened >= 0 and inside[:1] != "^" and " " not in inside


def as_text(term: Term, here: Dialectal) -> Term:
    """What LIKE and patterns look at; a value that is no text only where all write it alike."""
    if not (is_text(term) or term.type is None or is_null(term) or family(term) == "integer"):
        raise differs(f"{sql(term.tree)} is no text, and how the source writes it differs")
    return term if family(term) == "integer" else present_any(filled_up(term, here), here)


# Regular expressions ------------------------------------------------------------------------------


def _regex(node: exp.Expression, here: Dialectal) -> Term:
    from ruleferry.converters.express.dialects.regexes import in_java

    only(node, "this", "expression", "full_match")
    subject, written = as_text(read(node.this, here), here), read(node.args["expression"], here)
    if is_null(written) or is_null(subject):
        return null()
    pattern = literal_text(written.tree)
    if pattern is None:
        raise Refusal("regex", "its regular expression is not written out")
    whole = bool(node.args.get("full_match"))
    case = True if isinstance(node, exp.RegexpILike) else _ignores_case(node, pattern, here)
    java = in_java(pattern, here.dialect, whole=whole, ignore_case=case, tell=here.tell)
    return truth(exp.RegexpLike(this=subject.tree, expression=exp.Literal.string(java)))


def _ignores_case(node: exp.Expression, pattern: str, here: Dialectal) -> bool | None:
    """Of those whose collation decides how a pattern matches; None: as the dialect does."""
    if here.dialect.name != "mysql":
        return None
    by = collation.of_terms((node.this, node.args["expression"]), here)
    if pattern.lower() == pattern.upper():
        return False
    if by.case:
        collation.tell(by, here)
    return by.case


def _similar(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "this", "expression")
    subject, written = as_text(read(node.this, here), here), read(node.args["expression"], here)
    if is_null(written) or is_null(subject):
        return null()
    pattern = literal_text(written.tree)
    if pattern is None:
        raise Refusal("regex", "its SIMILAR TO pattern is not written out")
    java = similar(pattern)
    return truth(exp.RegexpLike(this=subject.tree, expression=exp.Literal.string(java)))


STEPS_HERE: dict[type[exp.Expression], Step] = {
    exp.Like: _like,
    exp.ILike: _like,
    exp.Escape: _escape,
    exp.RegexpLike: _regex,
    exp.RegexpILike: _regex,
    exp.SimilarTo: _similar,
}
