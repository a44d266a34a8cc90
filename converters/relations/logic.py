"""A condition as three-valued logic, whose leaves test what one thing is worth."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from ruleferry.converters.normal_form import Form

# number: compared with whole and decimal literals; roomy: that, and its type rounds none of them;
# whole: that, and it is a whole number; double: compared with 1e0; text; truth: TRUE or FALSE;
# order: how two things are ranked; same: a thing and itself. Any other: the type that literals are
# cast to.
Kind: TypeAlias = str
Value: TypeAlias = Fraction | str | date | int


class Thing(NamedTuple):
    """What has a value. Literals of several kinds make several things of one column.

    What it is worth as a number says nothing of what it is worth as a text.
    """

    kind: Kind
    of: tuple[Form, ...]


# Identity is enough: a part that stands in two places is read once.
@dataclass(frozen=True, slots=True, eq=False)
class Const:
    value: bool | None


@dataclass(frozen=True, slots=True, eq=False)
class All:
    parts: tuple[Logic, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Either:
    parts: tuple[Logic, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    part: Logic


@dataclass(frozen=True, slots=True, eq=False)
class Sure:
    """TRUE where its part is, and else FALSE."""

    part: Logic


@dataclass(frozen=True, slots=True, eq=False)
class Unknown:
    """TRUE where its part is neither TRUE nor FALSE, and else FALSE."""

    part: Logic


@dataclass(frozen=True, slots=True, eq=False)
class Missing:
    """TRUE where there is no value, and else FALSE."""

    of: Form


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """Whether a thing's value is one of some, below one, at most one, or NaN.

    NULL where there is no value.
    """

    thing: Thing
    word: Literal["in", "lt", "le", "nan"]
    values: frozenset[Value]
    missing: Logic


Logic: TypeAlias = Const | All | Either | Not | Sure | Unknown | Missing | Test

TRUE, FALSE, NEITHER = Const(value=True), Const(value=False), Const(value=None)


def chosen(asked: Logic, then: Logic, otherwise: Logic) -> Logic:
    """CASE WHEN asked THEN then ELSE otherwise END."""
    return Either((All((Sure(asked), then)), All((Not(Sure(asked)), otherwise))))
