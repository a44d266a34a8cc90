"""Queries that find a key more than once: HAVING COUNT(*) > 1, ROW_NUMBER() > 1, COUNT(*) OVER.

GROUP BY and PARTITION BY put the records without a key together, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, called, copied, terms
from ruleferry.converters.predicates import Ignore
from ruleferry.converters.readers.sql.found import Checked, Setting
from ruleferry.converters.readers.sql.shapes.checks import no_rule, scope_of, told
from ruleferry.converters.readers.sql.shapes.placeholders import refuse_parameters
from ruleferry.converters.readers.sql.shapes.plain import Query, plain_query
from ruleferry.converters.readers.sql.shapes.trees import (
    is_null_test,
    number,
    only_args,
    value_of,
)
from ruleferry.converters.rule import Caveat, Unique

# More than one of a key; or: all but the first of each.
Count: TypeAlias = Literal["several", "one"]
_NOT_RULE = "it keeps one record of each key: a step of the load, no check"
_TURNED: Mapping[type[exp.Expression], type[exp.Expression]] = {
    exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE, exp.EQ: exp.EQ,
    exp.NEQ: exp.NEQ,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Repeated:
    """`keys` as the query groups or partitions by; `present`: a missing key is never counted.

    `numbered`: of the records with one key the query leaves one out.
    """

    keys: tuple[exp.Expression, ...]
    count: Count
    present: bool = False
    numbered: bool = False


def duplicates(tree: exp.Select, query: Query | None, setting: Setting) -> Checked | None:
    """None where the query is of another shape."""
    if query is None:
        return _of_derived(tree, setting)
    if query.select.args.get("joins"):
        return None
    select = query.select
    if only_args(select, _GROUPED) is None and select.args.get("having"):
        return _made(_repeated_group(select, select.args["having"].this), query, (), setting)
    if only_args(select, _QUALIFIED) is None and select.args.get("qualify"):
        return _of_conditions(select, query, terms(select.args["qualify"].this), setting)
    return None


_GROUPED = frozenset({"expressions", "from_", "where", "group", "having"})
_QUALIFIED = frozenset({"expressions", "from_", "where", "qualify"})
_DERIVED = frozenset({"expressions", "from_", "where", "distinct"})


def _of_derived(tree: exp.Select, setting: Setting) -> Checked | None:
    """`SELECT … FROM (SELECT …, ROW_NUMBER() OVER (…) AS rn FROM t) x WHERE rn > 1`."""
    source = tree.args["from_"].this
    where = tree.args.get("where")
    if only_args(tree, _DERIVED) or not isinstance(source, exp.Subquery) or where is None:
        return None
    inner = bare(source.this)
    if not isinstance(inner, exp.Select) or only_args(inner, _GROUPED | {"order"}):
        return None
    query = plain_query(inner, setting)
    if query is None or query.select.args.get("joins") or inner.args.get("having"):
        return None
    conditions = [_without_alias(term, source.alias) for term in terms(where.this)]
    if query.select.args.get("group"):
        repeated = _repeated_group(query.select, conditions[0]) if len(conditions) == 1 else None
        return _made(repeated, query, (), setting)
    return _of_conditions(query.select, query, conditions, setting)


def _without_alias(term: exp.Expression, alias: str) -> exp.Expression:
    copy = copied(term)
    for column in copy.find_all(exp.Column):
        if alias and column.table.lower() == alias.lower() and len(column.parts) == 2:
            column.set("table", None)
    return copy


def _of_conditions(
    select: exp.Select, query: Query, conditions: Sequence[exp.Expression], setting: Setting
) -> Checked | None:
    """One term counts; the others may only be about the key itself."""
    found = [(term, r) for term in conditions if (r := _repeated_window(select, term)) is not None]
    if len(found) != 1:
        return None
    repeated = found[0][1]
    rest = [term for term in conditions if term is not found[0][0]]
    keys = {key.name.lower() for key in repeated.keys if isinstance(key, exp.Column)}
    about_keys = all(
        column.name.lower() in keys for term in rest for column in term.find_all(exp.Column)
    )
    if not about_keys or any(term.find(exp.Query, exp.Window) for term in rest):
        return None
    return _made(repeated, query, rest, setting)


# What is counted ----------------------------------------------------------------------------------


def _repeated_group(select: exp.Select, condition: exp.Expression) -> Repeated | None:
    group = select.args.get("group")
    if group is None or only_args(group, frozenset({"expressions"})):
        return None
    keys = tuple(_key(key, select) for key in group.expressions)
    counted = _compared(condition, select)
    if counted is None or not keys:
        return None
    value, count = counted
    name, arguments = called(value) or ("", [])
    if name not in ("count", "count_big") or len(arguments) != 1:
        return None
    argument = bare(arguments[0])
    if isinstance(argument, exp.Star | exp.Literal):
        return Repeated(keys, count)
    if isinstance(argument, exp.Column) and len(keys) == 1 and _same(argument, keys[0]):
        return Repeated(keys, count, present=True)
    return None


def _key(key: exp.Expression, select: exp.Select) -> exp.Expression:
    """GROUP BY 1, and GROUP BY the name that a column is shown under."""
    place = number(key)
    if place is not None and 1 <= place <= len(select.expressions):
        return value_of(select.expressions[int(place) - 1])
    node = bare(key)
    return _by_alias(node, select) or node


def _by_alias(node: exp.Expression, select: exp.Select) -> exp.Expression | None:
    if not isinstance(node, exp.Column) or node.table:
        return None
    for item in select.expressions:
        if isinstance(item, exp.Alias) and item.alias.lower() == node.name.lower():
            return value_of(item)
    return None


def _repeated_window(select: exp.Select, condition: exp.Expression) -> Repeated | None:
    counted = _compared(condition, select)
    if counted is None:
        return None
    window, count = counted
    if not isinstance(window, exp.Window) or only_args(window, _WINDOW):
        return None
    name, arguments = called(window.this) or ("", [])
    keys = tuple(bare(key) for key in window.args.get("partition_by") or ())
    stars = all(isinstance(bare(one), exp.Star | exp.Literal) for one in arguments)
    if name == "row_number" and not arguments and keys:
        return Repeated(keys, count, numbered=True)
    counts = name == "count" and len(arguments) == 1 and stars and not window.args.get("order")
    return Repeated(keys, count) if counts and keys else None


_WINDOW = frozenset({"this", "partition_by", "order", "over"})


def _compared(condition: exp.Expression, select: exp.Select) -> tuple[exp.Expression, Count] | None:
    """`n > 1`, `n >= 2`, `n <> 1`, in any order: several. `n = 1`, `n < 2`, `n <= 1`: one."""
    node = bare(condition)
    kind = type(node)
    if kind not in _TURNED:
        return None
    left, right = bare(node.this), bare(node.args["expression"])
    if number(left) is not None:
        left, right, kind = right, left, _TURNED[kind]
    limit = number(right)
    several = (exp.GT, 1), (exp.GTE, 2), (exp.NEQ, 1)
    one = (exp.EQ, 1), (exp.LT, 2), (exp.LTE, 1)
    value = _by_alias(left, select) or left
    if (kind, limit) in several:
        return value, "several"
    return (value, "one") if (kind, limit) in one else None


def _same(left: exp.Expression, right: exp.Expression) -> bool:
    return isinstance(right, exp.Column) and left.name.lower() == right.name.lower()


# The rule -----------------------------------------------------------------------------------------


def _made(
    repeated: Repeated | None, query: Query, rest: Sequence[exp.Expression], setting: Setting
) -> Checked | None:
    if repeated is None or not all(_is_own(key, query) for key in repeated.keys):
        return None
    if repeated.count == "one":
        return told(no_rule(_NOT_RULE, query.name), query)
    names = tuple(dict.fromkeys(key.name for key in repeated.keys))
    conditions = [*query.all_conditions, *rest]
    for condition in conditions:
        refuse_parameters(condition, setting.macros)
        if condition.find(exp.Query):
            return None
    tested = [term for term in conditions if _tested_key(term, names)]
    found = {key for term in tested if (key := _tested_key(term, names))}
    ignore: Ignore = "never"
    if repeated.present or found == {name.lower() for name in names}:
        ignore = "any_missing"
        conditions = [term for term in conditions if term not in tested]
    scope = scope_of(conditions, query, setting)
    caveats = (Caveat("dialect_differs", _ALL_COPIES),) if repeated.numbered else ()
    checked = Checked(Unique(names, ignore), "unique", query.name, names, scope, caveats)
    return told(checked, query)


_ALL_COPIES = "every record of a key that is there twice is a bad one; ROW_NUMBER() leaves one out"


def _is_own(key: exp.Expression, query: Query) -> bool:
    if not isinstance(key, exp.Column) or isinstance(key.this, exp.Star):
        return False
    return not key.table or (key.table.lower() in query.aliases and len(key.parts) == 2)


def _tested_key(term: exp.Expression, names: Sequence[str]) -> str | None:
    """`key IS NOT NULL`: the key."""
    found = is_null_test(term)
    if found is None or found[1] or not isinstance(found[0], exp.Column):
        return None
    name = found[0].name.lower()
    return name if name in {known.lower() for known in names} else None
