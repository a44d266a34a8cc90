"""What is claimed of a column before it is known which: checks whose column is HERE."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import TypeAlias

from ruleferry.converters.predicates import (
    Absent,
    AgainstToday,
    Compare,
    CountPresent,
    DistinctWithin,
    Format,
    Identity,
    Length,
    Like,
    Matches,
    OneOf,
    Operator,
    Predicate,
    Present,
    Range,
    Sort,
    Typed,
    Value,
)
from ruleferry.converters.readers.spreadsheet.phrases.conditions import unresolved
from ruleferry.converters.readers.spreadsheet.phrases.limits import (
    Bound,
    Limit,
    Today,
    Versus,
)
from ruleferry.converters.readers.spreadsheet.phrases.names import Name
from ruleferry.converters.readers.spreadsheet.phrases.tokens import day
from ruleferry.converters.readers.spreadsheet.phrases.values import Values
from ruleferry.converters.readers.spreadsheet.statement import Column
from ruleferry.converters.rule import Check, Exists, Kind, Lookup, NotARule, Row, Unique, Unread

HERE = ""
Claims: TypeAlias = tuple[Check, ...]

_INVERSE: dict[Operator, Operator] = {
    "=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<",
}  # fmt: skip
# A letter of any script: no digit, no underscore, and no sign.
LETTER = r"[^\W\d_]"


def row(predicate: Predicate) -> Claims:
    return (Row(predicate),)


def gap(code: str, reason: str) -> Claims:
    return (Unread(code, reason),)


PRESENT = row(Present(HERE))
ABSENT = row(Absent(HERE))
UNIQUE: Claims = (Unique((HERE,)),)
OPTIONAL: Claims = (NotARule("it says that a value may be missing"),)


# Limits -------------------------------------------------------------------------------------------


def versus_claim(against: Versus) -> Claims:
    operator, limit = against.operator, against.limit
    match limit:
        case Bound():
            return _bounded(operator, limit)
        case Today(now):
            if operator == "!=":
                return gap("not_understood", "it refuses today alone")
            return row(AgainstToday(HERE, operator, now=now))
        case Name(None, _):
            return (unresolved(limit),)
        case Name(str(column), _):
            return beside(operator, column)
    return gap("not_understood", "its limit is not understood")


def _bounded(operator: Operator, limit: Bound) -> Claims:
    refused = _refused(limit)
    if refused:
        return (refused,)
    if operator in ("=", "!="):
        return row(OneOf(HERE, (limit.value,), negated=operator == "!="))
    return row(one_sided(operator, limit.value))


def _refused(limit: Bound) -> Unread | None:
    if limit.doubt:
        return Unread("not_understood", limit.doubt)
    if limit.unit:
        return Unread("unit", f"its limit is in {limit.unit}, and nothing says that the column is")
    return None


def one_sided(operator: Operator, value: Value) -> Range:
    if operator in (">", ">="):
        return Range(HERE, low=value, low_open=operator == ">")
    return Range(HERE, high=value, high_open=operator == "<")


def beside(operator: Operator, column: str) -> Claims:
    """The field compared with another; a missing one passes."""
    match operator:
        case "!=":
            return row(DistinctWithin((HERE, column), ignore="any_missing"))
        case "<":
            return row(Compare(column, ">", HERE, ignore="any_missing"))
        case "<=":
            return row(Compare(column, ">=", HERE, ignore="any_missing"))
        case _:
            return row(Compare(HERE, operator, column, ignore="any_missing"))


def two_sided(
    low: Limit, high: Limit, *, low_open: bool = False, high_open: bool = False
) -> Claims:
    if isinstance(low, Bound) and isinstance(high, Bound):
        return _between(low, high, low_open=low_open, high_open=high_open)
    lower = versus_claim(Versus(">" if low_open else ">=", low))
    return lower + versus_claim(Versus("<" if high_open else "<=", high))


def _between(low: Bound, high: Bound, *, low_open: bool, high_open: bool) -> Claims:
    refused = _refused(low) or _refused(high)
    if refused:
        return (refused,)
    if isinstance(low.value, date) != isinstance(high.value, date):
        return gap("not_understood", "its limits are of different types")
    return row(Range(HERE, low.value, high.value, low_open, high_open))


def both_limits(pair: tuple[Versus, Versus]) -> Claims | None:
    """`>= 30 and <= 500`, in any order. None: not a lower and an upper one."""
    lows = [v for v in pair if v.operator in (">", ">=")]
    highs = [v for v in pair if v.operator in ("<", "<=")]
    if len(lows) != 1 or len(highs) != 1:
        return None
    return two_sided(
        lows[0].limit, highs[0].limit,
        low_open=lows[0].operator == ">", high_open=highs[0].operator == "<",
    )  # fmt: skip


def denied_versus(against: Versus) -> Claims:
    return versus_claim(Versus(_INVERSE[against.operator], against.limit))


# Values, lengths, characters ----------------------------------------------------------------------


def allowed(found: Values) -> Claims:
    """A missing value passes the check of a dictionary; among texts a blank is one of them."""
    texts = all(isinstance(value, str) for value in found.values)
    blank = ("",) if found.blank and texts else ()
    return row(OneOf(HERE, (*found.values, *blank)))


def refused(found: Values) -> Claims:
    if found.blank:
        return PRESENT + row(OneOf(HERE, found.values, negated=True))
    return row(OneOf(HERE, found.values, negated=True))


def length(operator: Operator, count: Value, unit: str) -> Claims:
    if operator == "=":
        return length_between(count, count, unit)
    if not isinstance(count, int):
        return gap("not_understood", "a length is a whole number")
    if unit == "scale" and operator == "<=":
        return row(Typed(HERE, "number", scale=count))
    if unit not in ("characters", "bytes") or operator == "!=":
        return gap("not_understood", f"it is not clear what a limit of {count} {unit} counts")
    bytes_too = unit == "bytes"
    if operator in (">", ">="):
        return row(Length(HERE, low=count, low_open=operator == ">", in_bytes=bytes_too))
    return row(Length(HERE, high=count, high_open=operator == "<", in_bytes=bytes_too))


def length_between(low: Value, high: Value, unit: str) -> Claims:
    if not isinstance(low, int) or not isinstance(high, int) or low < 0:
        return gap("not_understood", "a length is a whole number")
    times = f"{{{low}}}" if low == high else f"{{{low},{high}}}"
    match unit:
        case "characters" | "bytes":
            return row(Length(HERE, low, high, in_bytes=unit == "bytes"))
        case "digits":
            return row(Matches(HERE, (f"^[0-9]{times}$",)))
        case "letters":
            return row(Matches(HERE, (f"^{LETTER}{times}$",)))
    return gap("not_understood", f"it is not clear what {low} {unit} are counted in")


def _inside(classes: tuple[str, ...]) -> str:
    """The inside of a class in square brackets."""
    plain = ("0-9" if c == "numbers" else c for c in classes if c != "letters")
    return "".join(f"\\{c}" if c in "\\]^-" else c for c in plain)


def literal(text: str) -> str:
    """The text as a regular expression that matches just it."""
    return re.sub(r"[\\^$.|?*+()\[\]{}]", r"\\\g<0>", text)


def only_characters(classes: tuple[str, ...]) -> Claims:
    inside = _inside(classes)
    if "letters" not in classes and "numbers" in classes:
        return gap("not_understood", "numbers may mean digits, or numbers with sign and point")
    if "letters" not in classes:
        return row(Matches(HERE, (f"^[{inside}]*$",)))
    if not inside:
        return row(Matches(HERE, (f"^{LETTER}*$",)))
    return row(Matches(HERE, (f"^(?:{LETTER}|[{inside}])*$",)))


def no_characters(classes: tuple[str, ...]) -> Claims:
    inside = _inside(classes)
    patterns = ((LETTER,) if "letters" in classes else ()) + ((f"[{inside}]",) if inside else ())
    return row(Matches(HERE, patterns, negated=True))


def starts(texts: tuple[str, ...]) -> Claims:
    return row(Matches(HERE, (f"^{_either(texts)}",)))


def ends(texts: tuple[str, ...]) -> Claims:
    return row(Matches(HERE, (f"{_either(texts)}$",)))


def denied_start(texts: tuple[str, ...]) -> Claims:
    return row(Matches(HERE, (f"^{_either(texts)}",), negated=True))


def without(texts: tuple[str, ...]) -> Claims:
    return row(Matches(HERE, tuple(literal(text) for text in texts), negated=True))


def _either(texts: tuple[str, ...]) -> str:
    escaped = [literal(text) for text in texts]
    return escaped[0] if len(escaped) == 1 else f"(?:{'|'.join(escaped)})"


def typed(sort: str) -> Claims:
    known: dict[str, Sort] = {
        "integer": "integer", "number": "number", "decimal": "decimal", "date": "date",
        "timestamp": "timestamp", "boolean": "boolean", "text": "text",
    }  # fmt: skip
    return row(Typed(HERE, known[sort]))


# The column they are claimed of -------------------------------------------------------------------


def on_column(check: Check, name: str, column: Column | None) -> Check:
    """The check with its column; `column` where the field of the row is that column."""
    of_row = column if column is not None and column.name == name else None
    if of_row is not None and of_row.many and _is_of_value(check):
        return Unread("several_values", f"{name} holds several values", (name,))
    if isinstance(check, Row):
        placed = _placed(_dated(check.predicate, of_row), name)
        return Row(placed) if not compares_itself(placed) else _WITH_ITSELF
    match check:
        case Unique(columns, ignore):
            return Unique(tuple(name if c == HERE else c for c in columns), ignore)
        case Exists(lookup):
            keys = tuple((name if own == HERE else own, other) for own, other in lookup.keys)
            return replace(check, lookup=Lookup(lookup.table, keys, lookup.scope))
        case Unread(code, reason, ()):
            return Unread(code, reason, (name,))
        case NotARule(reason) if check in OPTIONAL:
            return NotARule(reason, permits=name)
        case _:
            return check


_WITH_ITSELF = Unread("not_understood", "it compares a field with itself")


def compares_itself(predicate: Predicate) -> bool:
    match predicate:
        case Compare(left, _, right):
            return left == right
        case DistinctWithin(columns) | CountPresent(columns):
            return len(set(columns)) < len(columns)
        case Identity(column, terms):
            return len({column, *(name for _, name in terms)}) <= len(terms)
        case _:
            return False


def _is_of_value(check: Check) -> bool:
    if isinstance(check, Row):
        return not isinstance(check.predicate, Present | Absent)
    return isinstance(check, Unique | Exists)


def _placed(predicate: Predicate, name: str) -> Predicate:
    match predicate:
        case (
            Present() | Absent() | Range() | OneOf() | Matches() | Like() | Length() | Format()
            | Typed() | AgainstToday() | Identity()
        ):  # fmt: skip
            return replace(predicate, column=name) if predicate.column == HERE else predicate
        case Compare(left, _, right):
            return replace(
                predicate, left=name if left == HERE else left,
                right=name if right == HERE else right,
            )  # fmt: skip
        case DistinctWithin(columns):
            return replace(predicate, columns=tuple(name if c == HERE else c for c in columns))
        case _:
            return predicate


def _dated(predicate: Predicate, column: Column | None) -> Predicate:
    """19991001 as a bound of a column of dates is the first of October 1999."""
    if not isinstance(predicate, Range) or column is None:
        return predicate
    if column.sort not in ("date", "timestamp"):
        return predicate
    low, high = _as_day(predicate.low), _as_day(predicate.high)
    return replace(predicate, low=low, high=high)


def _as_day(value: Value) -> Value:
    if isinstance(value, bool) or not isinstance(value, int) or not 10_000_000 <= value < 10**8:
        return value
    return day(value // 10_000, value // 100 % 100, value % 100) or value


def kind_of(check: Check) -> Kind:
    match check:
        case Row(predicate):
            return _kind_of(predicate)
        case Unique():
            return "unique"
        case Exists():
            return "exists"
        case _:
            return "predicate"


def _kind_of(predicate: Predicate) -> Kind:
    match predicate:
        case Present():
            return "present"
        case Absent():
            return "absent"
        case Range() | AgainstToday():
            return "range"
        case OneOf():
            return "refused" if predicate.negated else "allowed"
        case Matches() | Like():
            return "not_pattern" if predicate.negated else "pattern"
        case Length():
            return "length"
        case Format():
            return "format"
        case Typed():
            return "type"
        case Compare():
            return "compare"
        case Identity():
            return "sum"
        case DistinctWithin():
            return "distinct_within"
        case _:
            return "predicate"


def columns_of(check: Check) -> tuple[str, ...]:
    match check:
        case Row(Compare(left, _, right)):
            return (left, right)
        case Row(DistinctWithin(columns)) | Row(CountPresent(columns)) | Unique(columns):
            return columns
        case Row(Identity(column, terms)):
            return (column, *(name for _, name in terms))
        case Exists(lookup):
            return tuple(own for own, _ in lookup.keys)
        case Unread(_, _, columns):
            return columns
        case Row(
            Present() | Absent() | Range() | OneOf() | Matches() | Like() | Length() | Format()
            | Typed() | AgainstToday() as predicate
        ):  # fmt: skip
            return (predicate.column,)
        case _:
            return ()
