"""CAST and try_cast: which are legal, which may raise."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express import literals
from ruleferry.converters.express.coercion import Findings, Typed, as_text, mismatch
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_types import (
    NUMBERS,
    STRING,
    TEXTS,
    TIMES,
    digits,
    is_float,
    type_of,
)

_TARGETS = NUMBERS | TIMES | TEXTS | {"boolean"}
# What Spark's ANSI casts allow between families (texts go both ways with all of them).
_LEGAL: dict[str, frozenset[str]] = {
    **dict.fromkeys(NUMBERS, NUMBERS | {"boolean", "timestamp"}),
    "boolean": NUMBERS | {"boolean"},
    "date": TIMES,
    "timestamp": TIMES | NUMBERS,
    "timestamp_ntz": TIMES,
}


def plain_cast(item: Typed, to: exp.DataType, findings: Findings) -> Typed:
    """CAST, as try_cast where it may raise."""
    kind = _target(item, to)
    if kind == STRING:
        return Typed(as_text(item.tree), STRING)
    if item.is_null or _is_total(item, kind):
        return Typed(exp.Cast(this=item.tree, to=to.copy()), kind)
    if item.literal_text is not None and kind.family in TIMES:
        # DATE'today' and CAST('today' AS DATE) are one tree here, and two things to Spark.
        raise Refusal("type_mismatch", f"{item.literal_text!r} is no {kind.text} in full")
    raised = exp.Cast(this=item.tree.copy(), to=to.copy())
    findings.lose("overflow" if item.family in NUMBERS else "bad_text", raised)
    return Typed(exp.TryCast(this=item.tree, to=to.copy(), safe=True), kind)


def try_cast(item: Typed, to: exp.DataType) -> Typed:
    kind = _target(item, to)
    target = exp.DataType(this=exp.DataType.Type.TEXT) if kind == STRING else to.copy()
    return Typed(exp.TryCast(this=item.tree, to=target, safe=True), kind)


def _target(item: Typed, to: exp.DataType) -> ColumnType:
    """The type cast to; VARCHAR(n) and CHAR(n) do not cut the text, so they are STRING."""
    kind = type_of(to)
    if kind.family not in _TARGETS:
        raise Refusal("unsupported_function", f"a cast to {kind.text} is not carried over")
    if kind.family in TEXTS:
        return STRING
    if item.type is None or item.is_null or item.family in TEXTS:
        return kind
    if kind.family not in _LEGAL.get(str(item.family), frozenset()):
        raise mismatch(item, kind.text)
    return kind


def _is_total(item: Typed, kind: ColumnType) -> bool:
    text = item.literal_text
    if text is not None:
        return _is_good_literal(text, kind)
    source = item.type
    if source is None or source.family in TEXTS:
        return False
    if "boolean" in (source.family, kind.family):
        return kind.family != "decimal" or digits(kind)[0] >= 1
    if source.family in TIMES:
        return kind.family in TIMES
    if kind.family in TIMES:
        return False
    return is_float(kind) or (not is_float(source) and _widens(source, kind))


def _is_good_literal(text: str, kind: ColumnType) -> bool:
    if kind.family == "date":
        return literals.is_day(text)
    if kind.family in TIMES:
        return literals.is_instant(text) if kind.family == "timestamp" else literals.is_moment(text)
    if kind.family == "boolean":
        return literals.is_boolean(text)
    if is_float(kind):
        return literals.is_number(text) or text in ("NaN", "Infinity", "-Infinity")
    return False


def _widens(source: ColumnType, kind: ColumnType) -> bool:
    """A cast to fewer digits after the point rounds; rounding up may need one more before it."""
    (before, after), (wide_before, wide_after) = digits(source), digits(kind)
    if kind.family == "integer":
        return source.family == "integer" and before <= wide_before
    return wide_before >= before + (after > wide_after)
