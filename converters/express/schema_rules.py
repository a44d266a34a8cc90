"""Statements about the columns of a table: tested on the one row of its schema dataset.

That row holds `names`, the columns in their order, `lower_names`, the same in lower case, and
`types`, the text `,a:bigint,b:array,` with what stands in angle brackets left out, so that a comma
parts two columns and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.column_types import type_from_name
from ruleferry.converters.express.flags import Flagged
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.nodes import Limit, Node, between, both, call, either
from ruleferry.converters.express.operand import CannotExpress
from ruleferry.converters.express.sql_text import column, number_literal, string_literal
from ruleferry.converters.rule import Caveat, Columns, EngineKind

NAMES, LOWER_NAMES, TYPES = "names", "lower_names", "types"
# Signs that part columns and types from each other in `types`.
_PARTING = frozenset(",:<>")
# A size or collation stands in the type's text: varchar(10) holds text like any other.
_TEXTS = ("string", "string collate ", "varchar(", "char(")


@dataclass(frozen=True, slots=True)
class _Asked:
    rule: Columns
    kind: EngineKind
    arguments: Mapping[str, object]
    engine: str | None

    @property
    def by_case(self) -> bool:
        """Databases find a column in any case, and so do people; pandas and Spark compare its name
        as it is."""
        return self.kind not in ("sql", "words")

    def name(self, name: str) -> Node:
        return string_literal(name if self.by_case else name.lower())

    def names(self) -> Node:
        return column(NAMES if self.by_case else LOWER_NAMES)

    def listed(self, names: Sequence[str]) -> Node:
        return exp.Array(expressions=[self.name(name) for name in names])


def of_schema(rule: Columns, use: Use) -> Flagged:
    """Raises CannotExpress where the statement can't be tested."""
    asked = _Asked(rule, use.kind, dict(rule.arguments), use.stated)
    tree, caveats = _STATEMENTS[rule.statement](asked)
    return Flagged(Good(tree, "none", caveats), (), "schema")


_Stated = tuple[Node, tuple[Caveat, ...]]


def _exists(asked: _Asked) -> _Stated:
    name = asked.rule.columns[0]
    index = asked.arguments.get("column_index")
    if not index:  # Great Expectations takes 0 for none
        return call("array_contains", asked.names(), asked.name(name)), ()
    if not isinstance(index, int) or index < 0:
        raise CannotExpress("invalid_rule", f"column_index: a place from 0 was expected: {index}")
    at = call("get", asked.names(), number_literal(index))
    return exp.Coalesce(this=_same(at, asked.name(name)), expressions=[exp.false()]), ()


def _same(one: Node, other: Node) -> Node:
    return exp.EQ(this=one, expression=other)


def _count(asked: _Asked) -> _Stated:
    size = call("size", column(NAMES))
    given = asked.arguments
    if "value" in given:
        return _same(size, number_literal(_whole(given["value"]))), ()
    ends = [given.get(end) for end in ("min_value", "max_value")]
    if ends == [None, None]:
        raise CannotExpress("never_fails", "it states no bound, and lets every number pass")
    low, high = (None if end is None else Limit(number_literal(_whole(end))) for end in ends)
    return between(lambda: size.copy(), low, high), ()


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise CannotExpress("invalid_rule", f"a number of columns was expected, found {value}")
    return value


def _order(asked: _Asked) -> _Stated:
    """All columns, in this order."""
    return _same(asked.names(), asked.listed(_list(asked, "column_list"))), ()


def _set(asked: _Asked) -> _Stated:
    """These columns, in any order; `exact_match`: and no other ones."""
    names = _list(asked, "column_set")
    if any(name.startswith('"') for name in names) and not asked.by_case:
        raise CannotExpress("unclear", "a column in quotes is one of this very case")
    absent = call("array_except", asked.listed(names), asked.names())
    tests = [_same(call("size", absent), number_literal(0))]
    if asked.arguments.get("exact_match", True) is not False:
        more = call("array_except", asked.names(), asked.listed(names))
        tests.append(_same(call("size", more), number_literal(0)))
    return both(*tests), ()


def _list(asked: _Asked, name: str) -> tuple[str, ...]:
    found = asked.arguments.get(name)
    if found is None:
        raise CannotExpress("never_fails", f"it has no {name}, and lets every table pass")
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise CannotExpress("invalid_rule", f"{name}: a list of columns was expected")
    if not found:
        raise CannotExpress("never_passes", f"its {name} is empty")
    return tuple(dict.fromkeys(found)) if name == "column_set" else tuple(found)


def _type(asked: _Asked) -> _Stated:
    name = asked.rule.columns[0]
    _refuse_parting(name)
    stated = _type_names(asked)
    found = {written: type_from_name(written, asked.engine) for written in stated}
    unknown = [written for written, kind in found.items() if kind is None]
    if len(unknown) == len(stated):
        reason = f"{', '.join(unknown)} is no type that a column on Databricks has"
        raise CannotExpress("type_name", reason)
    tree = _is_of(asked, name, [kind.text for kind in found.values() if kind])
    meant = ", ".join(dict.fromkeys(kind.text for kind in found.values() if kind))
    detail = f"{', '.join(stated)} is taken to be {meant} on Databricks"
    if unknown:
        detail += f"; {', '.join(unknown)} is no type there, and is left out"
    return tree, (Caveat("type_translated", detail),)


def _databricks_type(asked: _Asked) -> _Stated:
    """The types have the names that they have on Databricks."""
    name = asked.rule.columns[0]
    _refuse_parting(name)
    types = asked.arguments["types"]
    assert isinstance(types, tuple)
    return _is_of(asked, name, types), ()


def _refuse_parting(name: str) -> None:
    if _PARTING & set(name):
        raise CannotExpress("unclear", f"the name {name} holds a sign that parts columns and types")


def _is_of(asked: _Asked, name: str, types: Sequence[str]) -> Node:
    texts = dict.fromkeys(text for kind in types for text in _texts(kind))
    head = f",{name}:" if asked.by_case else f",{name.lower()}:"
    tests = [call("contains", _types(asked), string_literal(f"{head}{text}")) for text in texts]
    return either(*tests)


def _types(asked: _Asked) -> Node:
    return column(TYPES) if asked.by_case else exp.Lower(this=column(TYPES))


def _texts(kind: str) -> tuple[str, ...]:
    """The beginnings of the type's text, up to the comma that ends it or the bracket of a size."""
    if kind in ("string", "char"):
        return tuple(text if text[-1] in "( " else f"{text}," for text in _TEXTS)
    return (f"{kind}(",) if kind == "decimal" else (f"{kind},",)


def _type_names(asked: _Asked) -> tuple[str, ...]:
    given = asked.arguments
    found: object = given.get("type_list") if "type_list" in given else [given.get("type_")]
    if found is None or found == [None]:
        raise CannotExpress("never_fails", "it names no type, and lets every column pass")
    if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
        raise CannotExpress("invalid_rule", "a list of type names was expected")
    if not found:
        raise CannotExpress("never_passes", "its list of types is empty")
    return tuple(dict.fromkeys(found))


_STATEMENTS: Mapping[str, Callable[[_Asked], _Stated]] = {
    "exists": _exists,
    "column_count": _count,
    "column_order": _order,
    "column_set": _set,
    "type": _type,
    "databricks_type": _databricks_type,
}
