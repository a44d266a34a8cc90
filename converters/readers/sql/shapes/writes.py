"""Statements that write: what they say of the records that they copy, remove or mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import bare, called
from ruleferry.converters.readers.sql.found import Checked, Effect, Found, Setting
from ruleferry.converters.readers.sql.shapes import bad_rows
from ruleferry.converters.readers.sql.shapes.placeholders import written
from ruleferry.converters.readers.sql.shapes.trees import only_args
from ruleferry.converters.readers.sql.shapes.words import words
from ruleferry.converters.readers.sql.shapes.written import copies, many, updates
from ruleferry.converters.readers.sql.shapes.written.asked import (
    asks_for_marked,
    is_of_table,
    marks_of,
)
from ruleferry.converters.readers.sql.shapes.written.labels import Said, said_by
from ruleferry.converters.readers.sql.shapes.written.parts import (
    Place,
    name_of,
    no_rule_checked,
    own_with,
    unreadable,
)
from ruleferry.converters.readers.sql.shapes.written.sources import (
    Changed,
    of_delete,
    only_picks,
    removes_copies,
    via,
)
from ruleferry.converters.readers.sql.shapes.written.tables import (
    no_rule,
    no_rule_of,
    role_of,
    same_table,
)
from ruleferry.converters.rule import Exists, Unread

__all__ = ["no_rule", "read_write"]

_INSERT = frozenset(
    {"this", "expression", "overwrite", "with_", "partition", "conflict", "ignore", "returning"}
)
_CREATE = frozenset(
    {"this", "expression", "kind", "replace", "exists", "properties", "with_", "refresh", "clone",
     "indexes", "no_schema_binding", "concurrently", "begin", "end"}
)  # fmt: skip


def read_write(tree: exp.Expression, start: int, end: int, setting: Setting) -> tuple[Found, ...]:
    """The rules of a statement that writes, or why there is none. Nothing for a plain definition.

    A SELECT … INTO is one, too.
    """
    place = Place(start, end, setting)
    read = _READERS.get(type(tree))
    try:
        if read is not None:
            return read(tree, place)
    except Unreadable as fault:
        return (place.found(unreadable(fault), Effect("select")),)
    except RecursionError:
        return place.unread("not_readable", "its parts are nested too deep", Effect("select"))
    if (reason := no_rule_of(tree)) is not None:
        return place.nothing(reason, Effect("select"))
    what = type(tree).__name__.upper() if isinstance(tree, exp.Command | exp.DDL) else "it"
    reason = f"what {what} does to bad records is not known"
    return place.unread("unknown_shape", reason, Effect("select"))


# INSERT -------------------------------------------------------------------------------------------


def _insert(tree: exp.Expression, place: Place) -> tuple[Found, ...]:
    target = _target(tree.this, place)
    effect = Effect("insert", target)
    if (more := only_args(tree, _INSERT)) is not None:
        return place.unread("unknown_shape", f"an INSERT with {more} is not carried over", effect)
    query = _query_of(tree)
    if query is None:
        return place.nothing(f"it writes given values to {target}", effect)
    if (removed := _removed(tree)) is not None:
        return _delete(removed, place, copied_to=target)
    names = [column.name for column in _columns(tree.this)]
    return copies.copied(own_with(query, tree), target, names, place)


def _query_of(tree: exp.Expression) -> exp.Expression | None:
    query = tree.args.get("expression")
    return query if isinstance(query, exp.Select | exp.Subquery | exp.SetOperation) else None


def _target(node: exp.Expression, place: Place) -> str:
    table = node.this if isinstance(node, exp.Schema) else node
    if not isinstance(table, exp.Table):
        raise Unreadable("unknown_shape", "it writes to what is no table")
    return name_of(table, place.setting)


def _columns(node: exp.Expression) -> Sequence[exp.Expression]:
    return node.expressions if isinstance(node, exp.Schema) else ()


def _removed(tree: exp.Expression) -> exp.Delete | None:
    """`WITH gone AS (DELETE … RETURNING *) INSERT INTO … SELECT * FROM gone`."""
    with_ = tree.args.get("with_")
    ctes = with_.expressions if with_ is not None else []
    deletes = [cte.this for cte in ctes if isinstance(cte.this, exp.Delete)]
    if not deletes:
        return None
    query = tree.args["expression"]
    alone = len(ctes) == 1 and isinstance(query, exp.Select)
    if not alone or only_args(query, frozenset({"expressions", "from_"})) is not None:
        reason = "it removes records in a query of several steps"
        raise Unreadable("unknown_shape", reason)
    found: exp.Delete = deletes[0]
    return found


# DELETE -------------------------------------------------------------------------------------------


def _delete(tree: exp.Expression, place: Place, copied_to: str | None = None) -> tuple[Found, ...]:
    assert isinstance(tree, exp.Delete)
    copied_to = copied_to or _kept(tree, place)
    changed = of_delete(tree)
    name = name_of(changed.table, place.setting)
    detail = f"they are copied to {copied_to}" if copied_to else ""
    effect = Effect("delete", name, detail=detail)
    if (reason := _no_rule_of_delete(changed, name, place)) is not None:
        return place.nothing(reason, effect, name)
    asked = [c for c in changed.conditions if not only_picks([c], place.setting)]
    if len(asked) == 1 and (by := via(asked[0], place.setting)) is not None:
        effect = replace(effect, by_table=by.table, codes=by.codes)
        if role_of(by.table) == "reject":
            return place.nothing(f"it removes the records that {by.table} holds", effect, name)
    if asked and all(map(_is_age, asked)) and not changed.select.args.get("joins"):
        reason = f"it removes old records of {name}: nothing says that those are bad"
        return place.unread("unknown_shape", reason, effect, name)
    marks = [marks_of(c) if is_of_table(c, changed.table) else () for c in asked]
    if asked and all(marks):
        return _unmarked(asked, marks, changed, effect, place)
    said = said_by(tree.args["returning"].expressions) if tree.args.get("returning") else Said()
    checked, effect = _of_strangers(bad_rows(changed.select, place.setting), name, effect)
    return (place.found(checked, effect, labels=said.labels, tags=said.tags),)


def _kept(tree: exp.Delete, place: Place) -> str | None:
    """OUTPUT … INTO, where the records go to."""
    returning = tree.args.get("returning")
    into = returning.args.get("into") if returning is not None else None
    return written(into.name, place.setting.macros) if into else None


def _no_rule_of_delete(changed: Changed, name: str, place: Place) -> str | None:
    every = all(_is_certain(condition) for condition in changed.conditions)
    if every and not changed.select.args.get("joins"):
        return f"it empties {name}"
    if role_of(name) in ("reject", "results"):
        return f"it tidies up {name}, where checks leave what they find"
    if changed.conditions and only_picks(changed.conditions, place.setting):
        return f"it clears a batch of {name}"
    if removes_copies(changed, place.setting):
        return f"it removes copies from {name}, and keeps one of them"
    return None


def _is_certain(condition: exp.Expression) -> bool:
    """`WHERE TRUE`, without which BigQuery removes nothing; `WHERE 1 = 1`."""
    node = bare(condition)
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if not isinstance(node, exp.EQ) or not isinstance(node.this, exp.Literal):
        return False
    return bool(node.this == node.args["expression"])


def _is_age(condition: exp.Expression) -> bool:
    """`order_date < SYSDATE - 90`: old records."""
    node = bare(condition)
    if not isinstance(node, exp.LT | exp.LTE) or not isinstance(bare(node.this), exp.Column):
        return False
    nodes = [*node.args["expression"].walk()]
    names = {(called(each) or (each.name,))[0].lower() for each in nodes}
    clocks = exp.CurrentDate | exp.CurrentTimestamp | exp.CurrentDatetime
    return bool(names & words("window", "clocks")) or any(isinstance(n, clocks) for n in nodes)


def _unmarked(
    asked: Sequence[exp.Expression],
    marks: Sequence[tuple[str, ...]],
    changed: Changed,
    effect: Effect,
    place: Place,
) -> tuple[Found, ...]:
    """`status NOT IN (…)` asks for marks, or for values that a copy before has asked for, too."""
    name = effect.target or ""
    columns = tuple(dict.fromkeys(column for each in marks for column in each))
    if all(asks_for_marked(condition) for condition in asked):
        effect = replace(effect, by_columns=columns)
        return place.nothing(f"it removes the records that {name} has marked", effect, name)
    doubt = f"which marks of {', '.join(columns)} it removes is not certain"
    return (place.found(bad_rows(changed.select, place.setting), replace(effect, doubt=doubt)),)


def _of_strangers(checked: Checked, name: str, effect: Effect) -> tuple[Checked, Effect]:
    """Records that another table has, too, are bad, or are about to be replaced."""
    check = checked.check
    if not isinstance(check, Exists) or not check.negated:
        return checked, effect
    other = check.lookup.table
    if role_of(other) == "reject" and check.lookup.scope is None and checked.scope is None:
        effect = replace(effect, by_table=other)
        return no_rule_checked(f"it removes the records that {other} holds", name), effect
    reason = f"it removes the records that {other} has, too: nothing says that those are bad"
    return replace(checked, check=Unread("unknown_shape", reason)), effect


# CREATE, MERGE and SELECT … INTO ------------------------------------------------------------------


def _create(tree: exp.Expression, place: Place) -> tuple[Found, ...]:
    kind = str(tree.args.get("kind") or "").upper()
    query = _query_of(tree)
    if kind not in ("TABLE", "VIEW"):
        return place.nothing(f"it defines a {kind.lower() or 'thing'}", Effect("select"))
    if query is None:
        return ()
    target = _target(tree.this, place)
    effect = Effect("view" if kind == "VIEW" else "insert", target)
    if (more := only_args(tree, _CREATE)) is not None:
        return place.unread("unknown_shape", f"a {kind} with {more} is not carried over", effect)
    if any(node.args.get("no") for node in tree.find_all(exp.WithDataProperty)):
        return place.nothing(f"it makes {target} without records", effect)
    names = [column.name for column in _columns(tree.this)]
    return copies.copied(own_with(query, tree), target, names, place, view=kind == "VIEW")


def _select_into(tree: exp.Expression, place: Place) -> tuple[Found, ...]:
    into = tree.args.get("into")
    table = into.this if into is not None else None
    if not isinstance(tree, exp.Select) or not isinstance(table, exp.Table):
        reason = "it is a query, which writes nothing"
        return place.unread("unknown_shape", reason, Effect("select"))
    query = tree.copy()
    query.set("into", None)
    return copies.copied(query, name_of(table, place.setting), [], place)


def _merge(tree: exp.Expression, place: Place) -> tuple[Found, ...]:
    target = _target(tree.this, place)
    effect = Effect("merge", target)
    source = tree.args.get("using")
    added = [when for when in _whens(tree) if isinstance(when.args.get("then"), exp.Insert)]
    if not isinstance(source, exp.Subquery):
        return _brought(added, target, effect, place)
    query = source.this
    if (marked := _marks_by_merge(tree, query, target, place)) is not None:
        return marked
    values, names = _written_by(added[0].args["then"]) if added else ([], [])
    role = copies.role(query, target, names, values)
    if role == "target":
        return _brought(added, target, effect, place)
    if role == "unsure" or not added:
        reason = f"whether {target} holds bad records is not certain"
        return place.unread("unknown_shape", reason, effect)
    return copies.rejected(query, target, names, place, effect=effect, written=values)


def _brought(
    added: Sequence[exp.Expression], target: str, effect: Effect, place: Place
) -> tuple[Found, ...]:
    """WHEN NOT MATCHED AND s.amount > 0 THEN INSERT: others are left out of the table."""
    asked = [when.args.get("condition") or when.args["then"].args.get("where") for when in added]
    some = [condition for condition in asked if condition is not None]
    if not some or only_picks(some, place.setting):
        return place.nothing(f"it brings {target} up to date", effect)
    said = bare(some[0].this if isinstance(some[0], exp.Where) else some[0])
    shown = written(said.sql(dialect=place.setting.dialect.parser or None), place.setting.macros)
    reason = f"it loads only some records into {target}: {shown}"
    return place.unread("rule_or_filter", reason, effect)


def _marks_by_merge(
    tree: exp.Expression, query: exp.Expression, target: str, place: Place
) -> tuple[Found, ...] | None:
    """WHEN MATCHED THEN UPDATE of a mark, or DELETE, of the records that a query finds bad."""
    thens = [when.args.get("then") for when in _whens(tree)]
    removes = any(isinstance(then, exp.Var) and then.name.upper() == "DELETE" for then in thens)
    changes = [then for then in thens if isinstance(then, exp.Update)]
    marks = [mark for then in changes for mark in updates.marks_set(then)]
    if not removes and all(mark.says in ("cleared", "good") for mark in marks):
        return None
    effect = Effect("delete" if removes else "update", target)
    checked = bad_rows(query, place.setting)
    alone = len(thens) == 1 and not any(when.args.get("condition") for when in _whens(tree))
    if not alone or checked.table is None or not same_table(checked.table, target):
        reason = f"which records of {target} it changes is said by several conditions"
        return place.unread("unknown_shape", reason, effect, target)
    if marks:
        effect = replace(effect, column=marks[0].column, by_columns=(marks[0].column,))
    return (place.found(checked, effect, labels=updates.labels_of(marks)),)


def _whens(tree: exp.Expression) -> Sequence[exp.Expression]:
    whens = tree.args.get("whens")
    return whens.expressions if whens is not None else ()


def _written_by(insert: exp.Expression) -> tuple[list[exp.Expression], list[str]]:
    names, values = insert.this, insert.args.get("expression")
    columns = [c.name for c in names.expressions] if isinstance(names, exp.Tuple) else []
    row = values.expressions if isinstance(values, exp.Tuple) else []
    return list(row), columns


_READERS: Mapping[type[exp.Expression], Callable[[exp.Expression, Place], tuple[Found, ...]]] = {
    exp.Insert: _insert,
    exp.Delete: _delete,
    exp.Update: updates.updated,
    exp.Create: _create,
    exp.Merge: _merge,
    exp.Select: _select_into,
    exp.MultitableInserts: many.many_inserts,
}
