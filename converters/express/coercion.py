"""The casts that Spark adds on its own, made explicit where they may raise.

Measured on Spark 4.3 with ANSI: a text beside an integer is cast to BIGINT, beside another number
to DOUBLE, beside a day to DATE, and so on; the text side is therefore read by try_cast. A column
whose type is not known is read from its text, which analyses on a column of any type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express import literals
from ruleferry.converters.express.functions import sentence
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.express.sql_types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    NUMBERS,
    STRING,
    TEXTS,
    TIMES,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    VOID,
    common_number,
    fits_int,
)
from ruleferry.converters.express.tree_shape import shape


@dataclass(slots=True)
class Findings:
    """What is known of the table, and what making a tree total has brought to light.

    `counts`: columns that are never negative, in lower case.
    """

    types: Mapping[str, ColumnType]
    check_regex: Callable[[str], str | None]
    notes: dict[str, None] = field(default_factory=dict)
    assumed: bool = False
    differs: bool = False
    counts: frozenset[str] = frozenset()

    def lose(self, key: str, tree: exp.Expression) -> None:
        """A form that raises was replaced by one that gives NULL."""
        self.differs = True
        where = f"{to_sql(tree)} has no value {sentence('loses', key)}"
        self.notes[f"{where}; the check as written stops there with an error"] = None

    def assume(self, tree: exp.Expression, what: str) -> None:
        self.assumed = True
        self.notes[f"the type of {to_sql(tree)} is not known: it is read as {what}"] = None

    def take(self, name: str, kind: ColumnType) -> None:
        """A type that the source claims; the form without a guard raises where it is wrong."""
        self.assumed = True
        self.notes[f"{name} is taken to be {kind.text}, as its source says"] = None

    def note(self, key: str, name: str) -> None:
        self.notes[f"{name}() {sentence('notes', key)}"] = None


@dataclass(frozen=True, slots=True)
class Typed:
    """A total expression and its type; None where it is not known, VOID for NULL."""

    tree: exp.Expression
    type: ColumnType | None

    @property
    def family(self) -> str | None:
        return self.type.family if self.type else None

    @property
    def is_null(self) -> bool:
        return self.type == VOID

    @property
    def literal_text(self) -> str | None:
        node = bare(self.tree)
        return str(node.this) if isinstance(node, exp.Literal) and node.is_string else None

    @property
    def whole_literal(self) -> int | None:
        """The value of a literal integer."""
        node, sign = bare(self.tree), 1
        if isinstance(node, exp.Neg):
            node, sign = bare(node.this), -1
        if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
            return sign * int(node.this)
        return None


def mismatch(item: Typed, wanted: str) -> Refusal:
    declared = f" is {item.type.text} and" if item.type else ""
    return Refusal("type_mismatch", f"{to_sql(item.tree)}{declared} can't be read as {wanted}")


# Casts --------------------------------------------------------------------------------------------

_DATA_TYPES = {
    INT: exp.DataType.Type.INT,
    BIGINT: exp.DataType.Type.BIGINT,
    DOUBLE: exp.DataType.Type.DOUBLE,
    BOOLEAN: exp.DataType.Type.BOOLEAN,
    DATE: exp.DataType.Type.DATE,
    TIMESTAMP: exp.DataType.Type.TIMESTAMPTZ,
    TIMESTAMP_NTZ: exp.DataType.Type.TIMESTAMPNTZ,
    STRING: exp.DataType.Type.TEXT,
}


def try_as(item: Typed, kind: ColumnType) -> Typed:
    data_type = exp.DataType(this=_DATA_TYPES[kind])
    return Typed(exp.TryCast(this=item.tree, to=data_type, safe=True), kind)


def as_text(tree: exp.Expression) -> exp.Expression:
    return exp.Cast(this=tree, to=exp.DataType(this=exp.DataType.Type.TEXT))


def guarded(item: Typed, kind: ColumnType, what: str, findings: Findings) -> Typed:
    """A value of unknown type, read from its text; NULL where that is of another form."""
    findings.assume(item.tree, what)
    if kind == STRING:
        return Typed(as_text(item.tree), STRING)
    return try_as(replace(item, tree=as_text(item.tree)), kind)


_LITERALS: tuple[tuple[frozenset[str], Callable[[str], bool], str], ...] = (
    (NUMBERS, literals.is_number, "a number"),
    (frozenset({"timestamp"}), literals.is_instant, "a day or a time"),
    (TIMES, literals.is_moment, "a day or a time"),
    (frozenset({"boolean"}), literals.is_boolean, "a truth value"),
)


def text_as(item: Typed, kind: ColumnType, findings: Findings) -> Typed:
    """A text where another type is wanted: a literal of its form as it stands, else try_cast."""
    text = item.literal_text
    if text is None:
        findings.lose("bad_text", item.tree)
        return try_as(item, kind)
    for families, is_valid, what in _LITERALS:
        if kind.family in families:
            valid = literals.is_integer if kind.family == "integer" else is_valid
            if valid(text):
                return Typed(item.tree, STRING)
            raise Refusal("type_mismatch", f"{to_sql(item.tree)} is not {what}")
    raise mismatch(item, kind.text)


def as_kind(item: Typed, kind: ColumnType, what: str, findings: Findings) -> Typed:
    """The value where this type is wanted; Spark casts texts by itself, and raises on bad ones."""
    if item.is_null:
        return item
    if item.type is None:
        return guarded(item, kind, what, findings)
    if item.family in TEXTS:
        return text_as(item, kind, findings)
    raise mismatch(item, what)


def as_condition(item: Typed, findings: Findings) -> exp.Expression:
    if item.family == "boolean" or item.is_null:
        return item.tree
    return as_kind(item, BOOLEAN, "a truth value", findings).tree


def as_number(item: Typed, findings: Findings, text_kind: ColumnType = DOUBLE) -> Typed:
    if item.family in NUMBERS:
        return item
    found = as_kind(item, text_kind if item.type else DOUBLE, "a number", findings)
    return Typed(found.tree, text_kind) if found.literal_text is not None else found


# One type for several -----------------------------------------------------------------------------


def unified(
    items: Sequence[Typed], findings: Findings, *, ordered: bool = False
) -> tuple[list[exp.Expression], ColumnType | None]:
    """The values as ones that compare without a cast that may raise, and their type.

    `ordered` for < and >, where a number in a text literal has two meanings while the type is not
    known.
    """
    fixed = [i for i in items if i.type is not None and not i.is_null and i.literal_text is None]
    families = {"string" if i.family in TEXTS else str(i.family) for i in fixed}
    kind = _target(fixed, families)
    if kind is None:
        return _of_unknown(items, findings, ordered)
    return [_fitted(i, kind, families, findings, len(items)).tree for i in items], kind


def _target(fixed: Sequence[Typed], families: set[str]) -> ColumnType | None:
    """The type that Spark compares in; None where only literals and unknown types are there."""
    others = families - {"string"}
    kinds = [i.type for i in fixed if i.type and i.family not in TEXTS]
    if not families:
        return None
    if not others:
        return STRING
    if others <= NUMBERS:
        return common_number(kinds)
    if others <= TIMES:
        return next((k for k in (TIMESTAMP, TIMESTAMP_NTZ, DATE) if k.family in others), None)
    if others == {"boolean"}:
        return BOOLEAN
    if len({k.text for k in kinds}) == 1 and families == others and others <= {"binary", "nested"}:
        return kinds[0]
    raise Refusal(
        "type_mismatch",
        f"Spark can't compare {' with '.join(dict.fromkeys(to_sql(i.tree) for i in fixed))}",
    )


def _fitted(
    item: Typed, kind: ColumnType, families: set[str], findings: Findings, count: int
) -> Typed:
    if item.is_null:
        return item
    if item.type is None:
        return _guarded_for(item, kind, findings)
    if item.family not in TEXTS or kind == STRING:
        return item
    if kind.family not in NUMBERS:
        return text_as(item, kind, findings)
    if kind.family != "integer" and count > 2:
        raise Refusal(
            "type_mismatch", f"{to_sql(item.tree)} is text among several numbers with fractions"
        )
    return text_as(item, BIGINT if kind.family == "integer" else DOUBLE, findings)


def _guarded_for(item: Typed, kind: ColumnType, findings: Findings) -> Typed:
    if kind == STRING:
        return guarded(item, STRING, "text", findings)
    if kind.family in NUMBERS:
        return guarded(item, DOUBLE, "a number", findings)
    if kind.family in TIMES:
        return guarded(item, TIMESTAMP_NTZ, "a day or a time", findings)
    if kind.family == "boolean":
        return guarded(item, BOOLEAN, "a truth value", findings)
    raise mismatch(item, kind.text)


def _of_unknown(
    items: Sequence[Typed], findings: Findings, ordered: bool
) -> tuple[list[exp.Expression], ColumnType | None]:
    unknown = {shape(i.tree): i for i in items if i.type is None}
    texts = [i.literal_text for i in items if i.literal_text is not None]
    if not unknown:
        return [i.tree for i in items], STRING if texts else VOID
    if ordered and texts:
        return _ordered_unknown(items, texts, findings)
    if texts:
        found = [guarded(i, STRING, "text", findings) if i.type is None else i for i in items]
        return [i.tree for i in found], STRING
    if len(unknown) == 1:
        return [i.tree for i in items], None
    found = [replace(i, tree=as_text(i.tree)) if i.type is None else i for i in items]
    return [i.tree for i in found], None


def _ordered_unknown(
    items: Sequence[Typed], texts: Sequence[str], findings: Findings
) -> tuple[list[exp.Expression], ColumnType]:
    if all(literals.is_moment(t) for t in texts):
        found = [_moment(i, findings) for i in items]
        return [i.tree for i in found], TIMESTAMP_NTZ
    if any(literals.is_number(t) for t in texts):
        column = next(i for i in items if i.type is None)
        raise Refusal(
            "type_mismatch",
            f"whether {to_sql(column.tree)} is text or a number decides what its order with "
            f"{texts[0]!r} means, and its type is not known",
        )
    found = [guarded(i, STRING, "text", findings) if i.type is None else i for i in items]
    return [i.tree for i in found], STRING


def _moment(item: Typed, findings: Findings) -> Typed:
    """Days and times compare as such, whether the column holds them or their texts."""
    if item.type is None:
        return guarded(item, TIMESTAMP_NTZ, "a day or a time", findings)
    text = item.literal_text
    if text is None:
        return item
    kind = DATE if literals.is_day(text) else TIMESTAMP_NTZ
    written = exp.Literal.string(text.replace("T", " "))
    return Typed(exp.Cast(this=written, to=exp.DataType(this=_DATA_TYPES[kind])), kind)


def whole(item: Typed, findings: Findings) -> Typed:
    """A number of type INT."""
    if item.is_null or (item.type is not None and fits_int(item.type)):
        return item
    if item.family in NUMBERS:
        findings.lose("overflow", item.tree)
        return try_as(item, INT)
    return as_kind(item, INT, "a whole number", findings)
