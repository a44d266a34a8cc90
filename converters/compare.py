"""Do two conditions say the same; does one allow more than the other?

Both questions are asked of normal forms. Merging, conflicts and drift all ask here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.normal_form import NULL, Form, chain, negated

if TYPE_CHECKING:
    from ruleferry.converters.relations import Relation

# What Spark and Python read alike, and without a time zone.
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d:\d\d(\.\d{1,6})?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Interval:
    """Values from `low` to `high`; None is open-ended; `*_open`: without the bound itself."""

    subject: Form
    low: Form | None = None
    high: Form | None = None
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True, slots=True)
class Members:
    subject: Form
    values: frozenset[Form]


@dataclass(frozen=True, slots=True)
class Presence:
    """A column that must hold a value, or must not."""

    subject: Form
    present: bool


Extent: TypeAlias = Interval | Members | Presence


@dataclass(frozen=True, slots=True)
class _Limit:
    """A condition in parts: what may be NULL, what must not be, and which values are allowed."""

    may_miss: frozenset[Form]
    must_have: frozenset[Form]
    extent: Extent
    no_nan: bool = False


def extent(form: Form) -> Extent | None:
    """What values a condition allows, where it is a range, a list or a presence of one column.

    `x IS NULL OR`, `x IS NOT NULL AND` and a guard `coalesce(…, FALSE)` do not change which values
    of x it allows. A NULL test of another column does: then it is no range of x.
    """
    limit = _limit(form)
    return limit.extent if limit else None


def _limit(form: Form) -> _Limit | None:
    presence = _presence(form)
    if presence is not None:
        return _Limit(frozenset(), frozenset(), presence)
    may_miss, rest = _parted(_unguarded(form), "or", present=False)
    must_have, core = _parted(_unguarded(rest), "and", present=True)
    core, no_nan = _without_nan(_unguarded(core))
    found = _extent(core)
    if found is None:
        return None
    columns = set(_columns(found.subject))
    alone = all(columns.issuperset(_columns(tested)) for tested in may_miss | must_have)
    return _Limit(may_miss, must_have, found, no_nan) if alone else None


def _without_nan(form: Form) -> tuple[Form, bool]:
    """A chain without `NOT isnan(x)`, and whether that was there: NaN is no value of a range."""
    operands: Set[Form] = form[1] if form[0] == "and" else {form}
    rest = frozenset(f for f in operands if not (f[0] == "not" and f[1][0] == "IsNan"))
    return (chain("and", rest), len(rest) < len(operands)) if rest else (form, False)


def _presence(form: Form) -> Presence | None:
    inner = negated(form) if form[0] == "not" else form
    if inner[0] == "is" and inner[2] == NULL:
        return Presence(inner[1], present=inner is not form)
    return None


def _parted(form: Form, word: str, *, present: bool) -> tuple[frozenset[Form], Form]:
    """What the operands of a chain ask to be NULL, or to be present, and the other operands."""
    operands: Set[Form] = form[1] if form[0] == word else {form}
    asked = {f: p for f in operands if (p := _presence(f)) and p.present == present}
    return frozenset(p.subject for p in asked.values()), chain(word, operands - asked.keys())


def _unguarded(form: Form) -> Form:
    if form[0] == "Coalesce" and ("expressions", (("false",),)) in form:
        return _this(form)
    return form


def _this(form: Form) -> Form:
    found: Form = next(part[1] for part in form[1:] if part[0] == "this")
    return found


def _columns(form: Form) -> Iterator[Form]:
    if form[:1] == ("column",):
        yield form
        return
    for part in form:
        if isinstance(part, tuple | frozenset):
            yield from _columns(tuple(part))


def _extent(form: Form) -> Extent | None:
    if form[0] == "in":
        return Members(form[1], form[2])
    if form[0] == "eq":
        return _single(form[1])
    return _interval(form[1] if form[0] == "and" else {form})


def _single(sides: frozenset[Form]) -> Members | None:
    literals = frozenset(s for s in sides if _is_literal(s))
    subjects = sides - literals
    return Members(next(iter(subjects)), literals) if len(subjects) == len(literals) == 1 else None


def _is_literal(form: Form) -> bool:
    return form[0] in ("number", "digits", "text") or (
        form[0] == "Cast" and _is_literal(_this(form))
    )


def _interval(comparisons: Iterable[Form]) -> Interval | None:
    found: dict[str, Any] = {}
    subjects: set[Form] = set()
    for comparison in comparisons:
        if comparison[0] not in ("lt", "le"):
            return None
        side = "high" if _is_literal(comparison[2]) else "low"
        subject, bound = comparison[1:] if side == "high" else comparison[:0:-1]
        if side in found or _is_literal(subject) or not _is_literal(bound):
            return None
        subjects.add(subject)
        found |= {side: bound, f"{side}_open": comparison[0] == "lt"}
    return Interval(subjects.pop(), **found) if len(subjects) == 1 else None


def contradict(a: Extent, b: Extent) -> bool:
    """Whether two rules on one column set different limits, different lists, or both presences.

    Limits that leave no value at all contradict, too: at least 100, and at most 50.
    """
    if a.subject != b.subject or a == b:
        return False
    if isinstance(a, Interval) and isinstance(b, Interval):
        lows = (a.low, a.low_open) != (b.low, b.low_open) and None not in (a.low, b.low)
        highs = (a.high, a.high_open) != (b.high, b.high_open) and None not in (a.high, b.high)
        return lows or highs or _all_below(a, b) or _all_below(b, a)
    return type(a) is type(b)


def leaves_nothing(form: Form) -> bool:
    """Whether a condition is a range without any value: above 5 and below 3."""
    found = extent(form)
    return isinstance(found, Interval) and _all_below(found, found)


def _all_below(a: Interval, b: Interval) -> bool:
    if a.high is None or b.low is None:
        return False
    touching = a.high == b.low and (a.high_open or b.low_open)
    return touching or _less(a.high, b.low)


def relation(
    a: Form, b: Form, whole: Collection[str] = (), roomy: Collection[str] = ()
) -> Relation:
    """Of the records that `b` lets pass: does `a` let pass the same, fewer or more?

    As in `relations`; a conversion, which does not ask, does without that room.
    """
    from ruleferry.converters import relations

    return relations.relation(a, b, whole, roomy)


def numbers(types: Mapping[str, ColumnType]) -> tuple[frozenset[str], frozenset[str]]:
    """The columns (lower case) that are `whole`, and those that are `roomy`: by a schema's word."""
    known = {n.lower(): kind for n, kind in types.items() if kind.known_from == "schema"}
    whole = frozenset(name for name, kind in known.items() if kind.family == "integer")
    return whole, frozenset(name for name, kind in known.items() if _has_room(kind))


# A type of at most 38 digits is made for both sides: 23, and 15 of the literal's.
_MOST_DIGITS = 23


def _has_room(kind: ColumnType) -> bool:
    digits = kind.precision if kind.family == "decimal" else None
    return kind.family in ("float", "double") or (digits is not None and digits <= _MOST_DIGITS)


def _less(a: Form, b: Form) -> bool:
    """False also where the order is not known."""
    first, second = _ordinal(a), _ordinal(b)
    return first is not None and second is not None and first[0] == second[0] and first < second


def _ordinal(literal: Form) -> tuple[Hashable, Any] | None:
    """What a literal is ordered by: its kind and value."""
    if literal[0] == "number":
        return "number", literal[1]
    if literal[0] != "Cast" or len(literal) != 3:
        return None
    text = _this(literal)
    if text[0] != "text" or not _MOMENT.fullmatch(text[1]):
        return None
    try:
        return literal[2:], datetime.fromisoformat(text[1])
    except ValueError:
        return None
