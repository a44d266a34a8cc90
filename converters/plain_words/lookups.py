"""What a rule asks of another table, in plain words."""

from __future__ import annotations

from collections.abc import Callable

from ruleferry.converters.predicates import ColumnComparison, Scope
from ruleferry.converters.rule import Exists, LookedUp, Lookup, Reconciled
from ruleferry.converters.wording import COMPARED, scope_in_words

# Which records of the other table count, where its scope is no plain one.
_Limit = Callable[[Scope | None], str]


def lookup_in_words(check: Exists | LookedUp | Reconciled, limit: _Limit) -> str:
    match check:
        case Exists():
            return _exists(check, limit)
        case LookedUp():
            return _looked_up(check, limit)
    return _reconciled(check, limit)


def _exists(check: Exists, limit: _Limit) -> str:
    found = "not found" if check.negated else "found"
    keys = _keys(check.lookup)
    if not keys:
        records = f"a record of {_table(check.lookup, limit)}"
        return f"there is no {records[2:]}" if check.negated else f"there is {records}"
    verb = "is" if len(check.lookup.keys) == 1 else "are together"
    return f"{keys} {verb} {found} in {_table(check.lookup, limit)}"


def _keys(lookup: Lookup) -> str:
    return " and ".join(
        own if own == other else f"{own} (there {other})" for own, other in lookup.keys
    )


def _table(lookup: Lookup, limit: _Limit) -> str:
    if lookup.scope is None:
        return lookup.table
    said = limit(lookup.scope) or f"where {scope_in_words(lookup.scope)}"
    return f"{lookup.table}, among its records {said.removeprefix('in the records ')}"


def _looked_up(check: LookedUp, limit: _Limit) -> str:
    same = f" with the same {_keys(check.lookup)}" if check.lookup.keys else ""
    first = "a record" if check.wanted else "no record"
    compared = " and ".join(map(_compared, check.comparisons))
    return f"{first} of {_table(check.lookup, limit)}{same} is found for which {compared}"


def _compared(one: ColumnComparison) -> str:
    return f"{one.left} {COMPARED[one.operator]} its {one.right}"


def _reconciled(check: Reconciled, limit: _Limit) -> str:
    other, keys = _table(check.other, limit), _keys(check.other)
    if check.missing and check.extra:
        return f"this table and {other} hold the same combinations of {keys}"
    one, two = ("this table", other) if check.extra else (other, "this table")
    return f"each combination of {keys} in {one} stands in {two} too"
