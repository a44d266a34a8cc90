"""What a legacy rule means for each record, in plain Python: sets, counts, three-valued logic.

Written from what the rule says and what its engine makes of a missing value, without SQL, for rules
on the columns of `flagged_rules`.
"""

import math
import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ruleferry.converters.predicates import (
    Absent,
    And,
    ColumnComparison,
    Compare,
    Comparison,
    OneOf,
    Or,
    Present,
    Range,
    SqlText,
)
from ruleferry.converters.rule import (
    Exists,
    LegacyRule,
    LookedUp,
    Lookup,
    Ordered,
    Reconciled,
    Row,
    Unique,
)

Record = Mapping[str, object]
Others = Mapping[str, Sequence[Record]]
TESTS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip


def either(*parts: bool | None) -> bool | None:
    return True if True in parts else None if None in parts else False


def above(value, limit) -> bool | None:
    return None if value is None else value > limit


# The texts of row conditions in SQL, each with what it says of a record.
SQL = {
    "a > 1 OR s = 'F'": lambda r: either(above(r["a"], 1), equal(r["s"], "F")),
    "NOT (b > 1)": lambda r: None if r["b"] is None else not r["b"] > 1,
    "v > 1 OR y = 'F'": lambda r: either(above(r["v"], 1), equal(r["y"], "F")),
    "NOT (u > 1)": lambda r: None if r["u"] is None else not r["u"] > 1,
}


def bad(rule: LegacyRule, records: Sequence[Record], others: Others) -> set[int]:
    """The numbers `n` of the records that the rule finds bad."""
    engine = rule.origin.engine
    checked = in_scope(rule.scope, records, engine)
    match rule.check:
        case Row(predicate):
            found = [r for r in checked if not passes(predicate, r)]
        case Unique() as unique:
            found = copies(unique, checked, engine)
        case Ordered() as order:
            found = out_of_order(order, checked, engine)
        case Exists() as exists:
            found = [r for r in checked if not is_there(exists, r, others, engine)]
        case LookedUp() as looked_up:
            found = [r for r in checked if not compares(looked_up, r, others, engine)]
        case other:
            raise AssertionError(other)
    return {r["n"] for r in found}


def agrees(rule: LegacyRule, records: Sequence[Record], others: Others) -> bool:
    """Whether a rule over the whole table holds."""
    engine = rule.origin.engine
    if not isinstance(rule.check, Reconciled):
        return not bad(rule, records, others)
    other = rule.check.other
    here = in_scope(rule.scope, records, engine)
    ours = {key(r, [o for o, _ in other.keys], engine) for r in here}
    there = in_scope(other.scope, others[other.table], engine)
    theirs = {key(r, [t for _, t in other.keys], engine) for r in there}
    return not (rule.check.missing and theirs - ours) and not (rule.check.extra and ours - theirs)


# Values -------------------------------------------------------------------------------------------


def value(found: object, engine: str) -> object:
    """A value that equals itself; None is missing, as NaN is to pandas."""
    if isinstance(found, float) and math.isnan(found):
        return None if engine == "pandas" else "NaN"
    return found


def key(record: Record, columns: Iterable[str], engine: str) -> tuple:
    return tuple(value(record[column], engine) for column in columns)


def equal(left: object, right: object) -> bool | None:
    return None if left is None or right is None else left == right


# Records ------------------------------------------------------------------------------------------


def passes(predicate, record: Record) -> bool:
    """A missing value fails the rule that it is there, and passes every other one."""
    match predicate:
        case Present(column):
            return record[column] is not None
        case Range(column, low, high):
            found = record[column]
            return found is None or not (
                (low is not None and found < low) or (high is not None and found > high)
            )
        case OneOf(column, values, negated):
            return record[column] is None or (record[column] in values) != negated
        case Compare(left, word, right, "any_missing"):
            return compared(record[left], word, record[right]) is not False
    raise AssertionError(predicate)


def compared(left: object, word: str, right: object) -> bool | None:
    return None if left is None or right is None else TESTS[word](left, right)


def in_scope(scope, records: Sequence[Record], engine: str) -> list[Record]:
    return [r for r in records if scope is None or inside(scope, r, engine)]


def inside(scope, record: Record, engine: str) -> bool:
    """Spark and SQL leave out what is not known; pandas takes it into what is not equal."""
    unknown = engine == "pandas"
    match scope:
        case And(parts):
            return all(inside(part, record, engine) for part in parts)
        case Or(parts):
            return any(inside(part, record, engine) for part in parts)
        case Present(column):
            return record[column] is not None
        case Absent(column):
            return record[column] is None
        case OneOf(column, values, negated):
            found = record[column]
            return negated and unknown if found is None else (found in values) != negated
        case Comparison(column, word, limit):
            known = compared(record[column], word, limit)
        case ColumnComparison(left, word, right):
            known = compared(record[left], word, record[right])
        case SqlText(text):
            return SQL[text](record) is True
        case other:
            raise AssertionError(other)
    return word == "!=" and unknown if known is None else known


# Among others -------------------------------------------------------------------------------------


def copies(rule: Unique, checked: Sequence[Record], engine: str) -> list[Record]:
    """All records of a combination that occurs twice, save those that nothing is asked of."""
    counts = Counter(key(r, rule.columns, engine) for r in checked)
    of_engine = rule.by_engine and engine not in ("spark", "pandas")
    ignore = "any_missing" if of_engine else rule.ignore
    ignored = {"any_missing": any, "all_missing": all, "never": lambda _: False}[ignore]
    keys = [(r, key(r, rule.columns, engine)) for r in checked]
    return [r for r, k in keys if counts[k] > 1 and not ignored(v is None for v in k)]


def out_of_order(rule: Ordered, checked: Sequence[Record], engine: str) -> list[Record]:
    """By `n`. A day that follows a missing one passes on Spark; all else skips what is missing."""
    word = ("<" if rule.strictly else "<=") if rule.descending else (">" if rule.strictly else ">=")
    skips = engine == "pandas" or rule.column != "day"
    before, found = None, []
    for record in sorted(checked, key=lambda r: r["n"]):
        if compared(record[rule.column], word, before) is False:
            found.append(record)
        if record[rule.column] is not None or not skips:
            before = record[rule.column]
    return found


def matches(lookup: Lookup, record: Record, others: Others, engine: str) -> list[Record]:
    """A missing key equals none."""
    ours = key(record, [o for o, _ in lookup.keys], engine)
    theirs = [t for _, t in lookup.keys]
    there = in_scope(lookup.scope, others[lookup.table], engine)
    return [r for r in there if None not in ours and key(r, theirs, engine) == ours]


def is_there(rule: Exists, record: Record, others: Others, engine: str) -> bool:
    found = bool(matches(rule.lookup, record, others, engine))
    if rule.negated:
        return not found
    ours = key(record, [o for o, _ in rule.lookup.keys], engine)
    return found or (rule.missing == "good" and None in ours)


def compares(rule: LookedUp, record: Record, others: Others, engine: str) -> bool:
    """Whether all comparisons hold for one that is found is either wanted or bad."""
    found = any(
        all(compared(record[c.left], c.operator, other[c.right]) for c in rule.comparisons)
        for other in matches(rule.lookup, record, others, engine)
    )
    return found == rule.wanted
