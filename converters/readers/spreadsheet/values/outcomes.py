"""What the reading of one cell comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from ruleferry.converters.predicates import OneOf, Predicate, Present, Sort
from ruleferry.converters.readers.spreadsheet.statement import Column, Meaning, Statement
from ruleferry.converters.readers.spreadsheet.values.literals import is_padded, number_in
from ruleferry.converters.readers.spreadsheet.values.words import MANY_TEXTS
from ruleferry.converters.rule import (
    Caveat,
    Check,
    Exists,
    Kind,
    NotARule,
    Row,
    Unique,
    Unread,
)

# The sorts of fields that hold numbers.
NUMBERS: tuple[Sort, ...] = ("integer", "decimal", "number")
# The kind that a cell of a meaning is counted under where it states no rule.
KINDS: Mapping[Meaning, Kind] = {
    "type": "type", "length": "length", "min_length": "length", "precision": "type",
    "scale": "type", "required": "present", "nullable": "present", "primary_key": "unique",
    "unique": "unique", "foreign_key": "exists", "reference": "exists",
    "reference_table": "exists", "reference_column": "exists", "min": "range", "max": "range",
    "exclusive_min": "range", "exclusive_max": "range", "range": "range", "codes": "allowed",
    "format": "format", "pattern": "pattern", "default": "predicate", "cardinality": "present",
    "null_words": "predicate", "status": "predicate", "severity": "predicate",
    "action": "predicate",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Read:
    """`known`: the form of the cell is one of its meaning's, even where it leaves a question."""

    statements: tuple[Statement, ...]
    known: bool = True


@lru_cache(MANY_TEXTS)
def nothing(kind: Kind, reason: str) -> Read:
    return Read((Statement(kind, NotARule(reason)),))


def permitted(column: Column) -> Read:
    """No rule of its own, but against another one that wants a value."""
    reason = "the field need not hold a value"
    return Read((Statement("present", NotARule(reason, permits=column.name)),))


def gap(kind: Kind, code: str, reason: str, column: Column, *, known: bool = True) -> Read:
    return Read((left(kind, code, reason, column),), known)


def strange(kind: Kind, reason: str, column: Column) -> Read:
    return gap(kind, "not_understood", reason, column, known=False)


def left(kind: Kind, code: str, reason: str, column: Column) -> Statement:
    return Statement(kind, Unread(code, reason, (column.name,)), (column.name,))


def of_several(statements: tuple[Statement, ...], column: Column) -> tuple[Statement, ...]:
    """Where a field holds several values, what is said of a value is said of each of them."""
    if not column.many or not any(_is_of_values(statement) for statement in statements):
        return statements
    reason = "the field holds several values, and it speaks of each of them"
    return tuple(
        left(each.kind, "several_values", reason, column) if _is_of_values(each) else each
        for each in statements
    )


def _is_of_values(statement: Statement) -> bool:
    check = statement.check
    if isinstance(check, Row):
        return not isinstance(check.predicate, Present)
    return isinstance(check, Exists | Unique)


def rule(
    kind: Kind, predicate: Predicate, column: Column, *others: str, caveats: tuple[Caveat, ...] = ()
) -> Statement:
    return stated(kind, Row(predicate), column, *others, caveats=caveats)


def stated(
    kind: Kind, check: Check, column: Column, *others: str, caveats: tuple[Caveat, ...] = ()
) -> Statement:
    return Statement(kind, check, (column.name, *others), caveats=caveats)


def one(statement: Statement) -> Read:
    return Read((statement,))


def one_of(values: Sequence[str], column: Column) -> Statement:
    """One of a list: of numbers where the field holds numbers, as 7 may be written 7.0 there."""
    texts = tuple(dict.fromkeys(values))
    numbers = tuple(n for text in texts if (n := _number(text, column)) is not None)
    listed = numbers if len(numbers) == len(texts) else _truths(texts, column)
    return rule("allowed", OneOf(column.name, listed), column)


def _truths(texts: tuple[str, ...], column: Column) -> tuple[str, ...]:
    """TRUE of a truth value is written as `true` where the column holds truth values itself."""
    if column.sort != "boolean" or not {t.lower() for t in texts} <= {"true", "false"}:
        return texts
    return tuple(dict.fromkeys((*texts, *(text.lower() for text in texts))))


def _number(text: str, column: Column) -> int | Decimal | None:
    return number_in(text) if column.sort in NUMBERS and not is_padded(text) else None
