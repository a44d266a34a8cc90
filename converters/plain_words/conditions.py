"""A condition, TRUE for a good record, as a sentence.

Everything is said of where it is TRUE: a test of what is missing does not hold. What can't be said
so raises Unsaid, and then nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlglot import exp

from ruleferry.converters.express.functions import called
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.normal_form import Form, normal
from ruleferry.converters.plain_words import comparing
from ruleferry.converters.plain_words.figures import figure, of_table
from ruleferry.converters.plain_words.ladders import ladder
from ruleferry.converters.plain_words.reasons import is_reason
from ruleferry.converters.plain_words.saying import (
    Denied,
    If,
    Said,
    Test,
    Unsaid,
    every,
    sentence,
    some,
)
from ruleferry.converters.plain_words.shapes import filled, shape
from ruleferry.converters.plain_words.values import (
    Reading,
    bare,
    columns_of,
    emptied,
    reading_of,
    value,
)


@dataclass(frozen=True, slots=True)
class Told:
    """`passes`: that a record passes which misses one of the values is not among the words."""

    words: str
    passes: bool


def condition_in_words(text: str) -> str | None:
    """One sentence without a full stop. None where it can't be said in plain words.

    That a missing value passes is left out where it does for every column of the condition.
    """
    found = told(text)
    return found.words if found else None


def told(text: str) -> Told | None:
    if (found := shape(text)) is None:
        return _told(text)
    like, shown = found
    said = _told_of_shape(like)
    return Told(filled(said.words, shown), said.passes) if said else None


@lru_cache(maxsize=4_096)
def _told_of_shape(like: str) -> Told | None:
    return _told(like)


def _told(text: str) -> Told | None:
    try:
        said, passes = _top(parse_condition(text))
        return Told(sentence(said), passes)
    except (Unsaid, Refusal, RecursionError):
        return None


def tree_in_words(tree: exp.Expression) -> str | None:
    """Where a predicate of any dialect is TRUE."""
    return _tree_in_words(tree, Reading(spark=False))


def figures_in_words(tree: exp.Expression) -> str | None:
    """Where a predicate over figures of many records is TRUE."""
    return _tree_in_words(tree, Reading(spark=False, figure=_figure))


def _tree_in_words(tree: exp.Expression, how: Reading) -> str | None:
    try:
        return sentence(_said(tree, how))
    except (Unsaid, RecursionError):
        return None


def _figure(node: exp.Expression) -> str | None:
    if isinstance(node, exp.Subquery):
        found, table = of_table(node)
        said = _figure(found)
        return f"{said} of {table}" if said else None
    call = called(node)
    if call is None:
        return None
    word, arguments = call
    if word == "nullif" and len(arguments) == 2:  # what is not divided by
        return _figure(arguments[0])
    return figure(word, arguments, lambda one: sentence(_said(one, Reading(spark=False))))


# Missing values that pass -------------------------------------------------------------------------


def _top(node: exp.Expression) -> tuple[Said, bool]:
    """And whether a missing value passes, of which nothing is said."""
    node = bare(node)
    parts = list(_parts(node, exp.And)) if isinstance(node, exp.And) else [node]
    found = [_passing(part) for part in parts]
    if all(found) and any(passes for _, passes in filter(None, found)):
        return every([one[0] for one in found if one is not None]), True
    return _said(node, Reading()), False


def _passing(node: exp.Expression) -> tuple[Said, bool] | None:
    """Where a record passes that misses any of its columns, what must hold of the others.

    And whether nothing is said of that.
    """
    node = bare(node)
    if (found := _whole_ladder(node)) is not None:
        return found, True
    parts = [bare(part) for part in _parts(node, exp.Or)] if isinstance(node, exp.Or) else []
    asked = [column for part in parts if (column := _asked(part)) is not None]
    missing = frozenset(name for column in asked for name in columns_of(column))
    others = [part for part in parts if _asked(part) is None]
    if not asked or not others or missing != frozenset().union(*map(columns_of, others)):
        return None
    if all(_is_subject(one, others) for one in asked):
        return _either(parts, frozenset(), Reading()), False
    if not all(isinstance(column, exp.Column) for column in asked):
        return None
    if not all(_is_even(part, missing) and not _has_default(part) for part in others):
        return None
    return _either(others, missing, Reading()), True


def _has_default(part: exp.Expression) -> bool:
    """Whether the words tell of a missing value themselves."""
    found = part.find_all(exp.Coalesce)
    return any(not isinstance(other, exp.Boolean) for one in found for other in one.expressions)


def _is_even(part: exp.Expression, columns: frozenset[str]) -> bool:
    """Whether no test of a chain is about some of the columns alone: the others may be missing."""
    part = bare(part)
    if isinstance(part, exp.Not):
        return _is_even(part.this, columns)
    if isinstance(part, exp.And | exp.Or):
        chain = list(_parts(part, type(part)))
        return all(_is_even(one, columns) and columns_of(one) == columns for one in chain)
    return not isinstance(part, exp.Case | exp.Is | exp.Coalesce)


def _whole_ladder(node: exp.Expression) -> Said | None:
    """`(… a < b …) IS NOT FALSE`."""
    asks = isinstance(node, exp.Is) or (isinstance(node, exp.Not) and isinstance(node.this, exp.Is))
    if not asks:
        return None
    asked, value_, negated = _is(node)
    compared = ladder(asked)
    if compared is None or value_ is None or not negated:
        return None
    kind = comparing.OPPOSITES[type(compared)] if value_ else type(compared)
    return comparing.compared(kind, compared.this, compared.expression, Reading())


def _is(node: exp.Expression) -> tuple[exp.Expression, bool | None, bool]:
    """Of `x IS [NOT] TRUE`: x, the value (None: NULL), and whether NOT stands there."""
    outer = isinstance(node, exp.Not)
    inner = bare(node.this) if outer else node
    asked = bare(inner.expression)
    if not isinstance(asked, exp.Boolean | exp.Null):
        raise Unsaid
    value_ = None if isinstance(asked, exp.Null) else bool(asked.this)
    return bare(inner.this), value_, outer != bool(inner.args.get("negate"))


def _asked(node: exp.Expression) -> exp.Expression | None:
    """x of `x IS NULL`."""
    if not isinstance(node, exp.Is) or node.args.get("negate"):
        return None
    return bare(node.this) if isinstance(bare(node.expression), exp.Null) else None


# What must hold -----------------------------------------------------------------------------------


def _parts(node: exp.Expression, kind: type[exp.Expression]) -> Iterator[exp.Expression]:
    """Of a chain, which may be long, in the order in which they stand; each but once."""
    waiting = [node]
    seen: set[Form] = set()
    while waiting:
        part = bare(waiting.pop())
        if type(part) is kind:
            waiting += [part.args["expression"], part.args["this"]]
        elif (form := normal(part)) not in seen:
            seen.add(form)
            yield part


def _said(node: exp.Expression, how: Reading) -> Said:
    """Where it is TRUE."""
    node = bare(node)
    match node:
        case exp.And():
            return every([_said(part, how) for part in _told_parts(node)])
        case exp.Or():
            return _either(list(_parts(node, exp.Or)), frozenset(), how)
        case exp.Not():
            return _false(node.this, how)
        case exp.Is():
            return _of_is(node, how)
        case exp.Case():
            return _of_case(node, how)
        case exp.Coalesce():
            return _said(_guarded(node), how)
    return _test(node, how, negated=False)


def _told_parts(node: exp.And) -> list[exp.Expression]:
    """Without `x IS NOT NULL` beside a test of x, which says it already; a column's is told."""
    parts = list(_parts(node, exp.And))
    return [part for part in parts if not _is_needless(part, parts)] or parts


def _is_needless(part: exp.Expression, parts: Sequence[exp.Expression]) -> bool:
    inner = bare(part.this) if isinstance(part, exp.Not) else part
    if inner is part or (asked := _asked(inner)) is None or isinstance(asked, exp.Column):
        return False
    return any(_is_about(one, normal(asked)) for one in parts)


def _false(node: exp.Expression, how: Reading) -> Said:
    """Where it is FALSE."""
    node = bare(node)
    match node:
        case exp.And():
            return some([_false(part, how) for part in _parts(node, exp.And)])
        case exp.Or():
            return every([_false(part, how) for part in _parts(node, exp.Or)])
        case exp.Not():
            return _said(node.this, how)
        case exp.Is():
            return _of_is(exp.Not(this=node.copy()), how)
        case exp.Coalesce():
            return Denied(_said(_guarded(node), how))
        case exp.Case():
            raise Unsaid
    return _test(node, how, negated=True)


def _test(node: exp.Expression, how: Reading, *, negated: bool) -> Said:
    kind = type(node)
    negated = negated != bool(node.args.get("negate"))
    if kind in comparing.COMPARED:
        kind = comparing.OPPOSITES[kind] if negated else kind
        return comparing.compared(kind, node.args["this"], node.args["expression"], how)
    match node:
        case exp.In():
            return comparing.one_of(node, how, negated=negated)
        case exp.Between():
            return comparing.between(node, how, negated=negated)
        case exp.Like():
            return comparing.like(node, how, negated=negated)
        case exp.RegexpLike() if how.spark:
            return comparing.matches(node, how, negated=negated)
        case exp.Column():
            return Test(value(node, how), "is false" if negated else "is true")
    raise Unsaid


def _of_is(node: exp.Expression, how: Reading) -> Said:
    asked, wanted, negated = _is(node)
    if wanted is None:
        return comparing.null(asked, how, missing=not negated)
    said = _said(asked, how) if wanted else _false(asked, how)
    return Denied(said) if negated else said


def _guarded(node: exp.Coalesce) -> exp.Expression:
    """P of `coalesce(P, FALSE)`, which is TRUE where P is."""
    (other,) = node.expressions if len(node.expressions) == 1 else (None,)
    if not isinstance(other, exp.Boolean) or other.this:
        raise Unsaid
    guarded: exp.Expression = node.this
    return guarded


def _of_case(node: exp.Case, how: Reading) -> Said:
    """CASE WHEN a THEN b ELSE TRUE END."""
    arms, otherwise = node.args["ifs"], node.args.get("default")
    if node.this or len(arms) != 1 or not isinstance(otherwise, exp.Boolean) or not otherwise.this:
        raise Unsaid
    return If(_said(arms[0].this, how), _said(arms[0].args["true"], how))


# One of several -----------------------------------------------------------------------------------


def _either(parts: Sequence[exp.Expression], passing: frozenset[str], how: Reading) -> Said:
    """`passing`: columns that are not missing here, as then the record passes already."""
    if not how.spark:  # of a bad record each reason stands by itself
        return some([_said(part, how) for part in parts])
    asked = {n: found for n, part in enumerate(parts) if (found := _asked(part)) is not None}
    others = [part for n, part in enumerate(parts) if n not in asked]
    lenient = {n for n, found in asked.items() if _is_subject(found, others)}
    how = replace(how, lenient=how.lenient | {normal(asked[n]) for n in lenient})
    kept = {
        n: found
        for n, found in asked.items()
        if n not in lenient and not any(_is_read(found, asked[other]) for other in lenient)
    }
    present = passing.union(*(columns_of(c) for c in kept.values() if isinstance(c, exp.Column)))
    refused = [part for part in others if is_reason(part) and columns_of(part) <= present]
    wanted = [part for part in others if part not in refused]
    if not wanted:
        refused, wanted = [], others
    return _implied(list(kept.values()), refused, wanted, how)


def _is_read(column: exp.Expression, read: exp.Expression) -> bool:
    """Whether what is missing can't be read either."""
    found = reading_of(read)
    return found is not None and normal(found[0]) == normal(column)


def _implied(
    asked: Sequence[exp.Expression],
    refused: Sequence[exp.Expression],
    wanted: Sequence[exp.Expression],
    how: Reading,
) -> Said:
    """`x <> 'F' OR y > 0`: if x is F, y is above 0."""
    given = frozenset[str]().union(*map(columns_of, refused))
    of_wanted = frozenset[str]().union(*map(columns_of, wanted))
    whens: list[Said] = []
    thens: list[Said] = []
    for one in asked:
        if isinstance(one, exp.Column) and columns_of(one) <= given:
            continue  # what is missing is no F
        if refused or columns_of(one) <= of_wanted:
            whens.append(comparing.null(one, how, missing=False))
        else:
            thens.append(comparing.null(one, how, missing=True))
    whens += [_false(part, how) for part in refused]
    thens += [_said(part, how) for part in wanted]
    return If(every(whens), some(thens)) if whens else some(thens)


def _is_subject(read: exp.Expression, others: Sequence[exp.Expression]) -> bool:
    """Whether a value that may be unreadable is what one of the other parts is about."""
    if reading_of(read) is None and emptied(read) is None:
        return False
    form = normal(read)
    return any(_is_about(part, form) for part in others)


def _is_about(part: exp.Expression, form: Form) -> bool:
    part = bare(part)
    if isinstance(part, exp.And):
        return all(_is_about(one, form) for one in _parts(part, exp.And))
    if type(part) not in comparing.COMPARED and not isinstance(part, exp.Between | exp.In):
        return False
    sides = (part.this, part.args.get("expression"))
    return any(side is not None and normal(bare(side)) == form for side in sides)
