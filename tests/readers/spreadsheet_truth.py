"""What a careful reader finds in public dictionaries: written by hand from the cells, before a run.

A place is `Sheet!G12`, in a CSV `G12`. Tables are in spreadsheet_truth_csv.py and the files beside.
"""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from ruleferry.converters.predicates import (
    Absent,
    Comparison,
    Identity,
    Length,
    Matches,
    OneOf,
    Or,
    Present,
    Range,
    Scope,
    Typed,
    Value,
)
from ruleferry.converters.rule import Check, Exists, Kind, Lookup, Row, Share, Unique

# A gap may have any code.
ANY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Expected:
    """A rule. Any of `ways` says it: they differ in what nobody can see in the records.

    `also`: other cells that state it together with `place`. `table` None: nothing states one.
    """

    place: str
    kinds: tuple[Kind, ...]
    columns: tuple[str, ...]
    ways: tuple[tuple[Check, Scope | None], ...]
    table: str | None = None
    also: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[str, ...]:
        return (self.place, *self.also)


@dataclass(frozen=True, slots=True)
class Gap:
    """A rule may be there, and the cell can't be decided. `codes` empty: any one will do."""

    place: str
    codes: frozenset[str]
    why: str


@dataclass(frozen=True, slots=True)
class NotRule:
    """`gap_ok`: a question about the cell does no harm."""

    place: str
    why: str
    gap_ok: bool = False


@dataclass(frozen=True, slots=True)
class File:
    """`rules` with its profile must all be found, `may` be right where they are found.

    `without`: what its run without a profile may do. "right": what it finds is right, and no rule
    is at the gaps; "silent": nothing at all is carried over. `none`: nothing is, in its own run.
    """

    name: str
    profile: str | None
    rules: tuple[Expected, ...] = ()
    gaps: tuple[Gap, ...] = ()
    not_rules: tuple[NotRule, ...] = ()
    may: tuple[Expected, ...] = ()
    without: Literal["right", "silent"] = "right"
    none: bool = False


# Rules --------------------------------------------------------------------------------------------


def rule(place, kinds, columns, *checks, table=None, scopes=(None,), also=()) -> Expected:
    ways = tuple((check, scope) for check in checks for scope in scopes)
    return Expected(place, _tuple(kinds), _tuple(columns), ways, table, _tuple(also))


def present(place, column, table=None, *, scopes=(None,), also=()) -> Expected:
    check = Row(Present(column))
    return rule(place, "present", column, check, table=table, scopes=scopes, also=also)


def absent(place, column, table=None, *, scopes=(None,)) -> Expected:
    return rule(place, "absent", column, Row(Absent(column)), table=table, scopes=scopes)


def length(place, column, low=None, high=None, table=None, *, whole=(), also=()) -> Expected:
    """At least and at most so many characters. `whole`: both, with what another cell says."""
    kinds: tuple[Kind, ...] = ("length", "type")
    checks = [Row(Length(column, *bounds)) for bounds in ((low, high), whole) if bounds]
    return rule(place, kinds, column, *checks, table=table, also=also)


def typed(place, column, *sorts, table=None) -> Expected:
    checks = [Row(Typed(column, sort)) for sort in sorts]
    return rule(place, "type", column, *checks, table=table)


def between(place, column, low=None, high=None, table=None, *, whole=(), also=()) -> Expected:
    """As a rule of each record, or of all but one in a hundred, as some sources want it.

    `whole`: both bounds, with what another cell says.
    """
    rows = [
        Row(Range(column, *bounds, as_times=times))
        for bounds in ((low, high), whole)
        for times in (False, True)
        if bounds
    ]
    shares = [Share(row, Decimal("0.99")) for row in rows]
    kinds: tuple[Kind, ...] = ("range", "share")
    return rule(place, kinds, column, *rows, *shares, table=table, also=also)


def one_of(place, column, *values, table=None, scopes=(None,)) -> Expected:
    """Numbers as texts too: what the column holds is not told."""
    ways = [Row(OneOf(column, values))]
    if all(isinstance(value, str) and value.isdigit() for value in values):
        ways.append(Row(OneOf(column, tuple(map(int, values)))))
    return rule(place, "allowed", column, *ways, table=table, scopes=scopes)


def matches(place, column, *patterns, table=None) -> Expected:
    checks = [Row(Matches(column, (pattern,))) for pattern in patterns]
    return rule(place, ("pattern", "format"), column, *checks, table=table)


def key(place, *columns, table=None, also=()) -> Expected:
    """A missing key is refused by itself or not at all."""
    checks = [Unique(columns, ignore) for ignore in ("any_missing", "all_missing", "never")]
    return rule(place, "unique", columns, *checks, table=table, also=also)


def refers(place, column, other, other_column, table=None, *, also=()) -> Expected:
    """A missing reference is none."""
    check = Exists(Lookup(other, ((column, other_column),)), missing="good")
    return rule(place, ("exists", "looked_up"), column, check, table=table, also=also)


def total(place, column, *parts, table=None) -> Expected:
    check = Row(Identity(column, tuple((1, part) for part in parts)))
    kinds: tuple[Kind, ...] = ("sum", "compare", "predicate")
    return rule(place, kinds, column, check, table=table)


def when(column, *values: Value) -> tuple[Scope, ...]:
    """All ways to say that a column holds one of the values, as texts or as numbers."""
    found: list[Scope] = []
    for said in (values, *([tuple(map(int, values))] if _digits(values) else [])):
        found.append(OneOf(column, said))
        parts = tuple(Comparison(column, "=", value) for value in said)
        found.append(parts[0] if len(parts) == 1 else Or(parts))
    return tuple(found)


def elsewhere(expected: Expected, table: str) -> Expected:
    """The same rule of the same cell on another table."""
    return replace(expected, table=table)


def gaps(why, codes, *places) -> tuple[Gap, ...]:
    return tuple(Gap(place, frozenset(codes), why) for place in places)


def never(why, *places, gap_ok=False) -> tuple[NotRule, ...]:
    return tuple(NotRule(place, why, gap_ok) for place in places)


def on(sheet: str, *addresses: str) -> tuple[str, ...]:
    return tuple(f"{sheet}!{address}" for address in addresses)


def _digits(values) -> bool:
    return all(isinstance(value, str) and value.isdigit() for value in values)


def _tuple(given) -> tuple:
    return (given,) if isinstance(given, str) else tuple(given)
