"""What a condition of code says of the record at hand: of a trigger, or of a loop over a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, called
from ruleferry.converters.readers.sql.code.values import CURRENT, FORMER
from ruleferry.converters.readers.sql.code.verdicts import (
    count_argument,
    counted,
    counted_rows,
    set_args,
    unread,
)
from ruleferry.converters.readers.sql.found import Checked, Setting, is_stand_in
from ruleferry.converters.rule import Unique

_EVENT_WORDS = {"inserting", "updating", "deleting", "tg_op", "columns_updated"}


class Passed(Protocol):
    """The test of a branch."""

    @property
    def tree(self) -> exp.Expression | None: ...


@dataclass(frozen=True, slots=True)
class Record:
    """The records that pass by. `source`: their table as SQL names it; `where`: those of a loop.

    `outputs`: what the columns of a loop's query are called -> what they are; None: as in the
    table. `table`: as the text names it. `on_insert`: a trigger that knows of no other event.
    """

    source: exp.Table
    table: str
    where: exp.Expression | None = None
    outputs: Mapping[str, exp.Expression] | None = None
    on_insert: bool = False
    guards: tuple[exp.Expression, ...] = field(default=())


def of_record(tree: exp.Expression, record: Record, setting: Setting) -> Checked:
    """Bad are the records of which the condition, and what stands around it, is true."""
    whole = _all_of([*record.guards, tree])
    reason = _refused(whole)
    if reason is not None:
        return unread(*reason, record.table)
    own = _own_key(whole, record)
    if own is not None:
        return own
    whole = _counts_as_exists(_qualified(whole))
    if record.outputs is not None:
        columns = _resolved(whole, record)
        if columns is None:
            return unread(
                "procedural", "a column of the loop's query can't be traced", record.table
            )
        whole = columns
    if record.where is None and not any(whole.find_all(exp.Query)):
        wanted = _wanted(whole)
        tree = _unqualified(whole if wanted is None else wanted)
        return _of_condition(tree, record, setting, bad=wanted is None)
    return _of_query(whole, record, setting)


def not_true(condition: exp.Expression, then: exp.Expression) -> exp.Expression:
    """True where `then` is, and the condition is false or NULL."""
    arm = exp.If(this=condition.copy(), true=exp.false())
    return exp.Case(ifs=[arm], default=then.copy())


def reached(tree: exp.Expression | None, passed: Sequence[Passed]) -> exp.Expression:
    """True where none of the branches before is taken, and the condition is true."""
    found: exp.Expression = exp.true() if tree is None else tree
    for one in reversed(passed):
        assert one.tree is not None
        found = not_true(one.tree, found)
    return found


def _wanted(tree: exp.Expression) -> exp.Expression | None:
    """The condition that is true of every good record: CASE WHEN c THEN FALSE ELSE TRUE END."""
    if not isinstance(tree, exp.Case) or tree != not_true(tree.args["ifs"][0].this, exp.true()):
        return None
    found = tree.args["ifs"][0].this
    return found if isinstance(found, exp.Expression) else None


def _all_of(parts: Sequence[exp.Expression]) -> exp.Expression:
    whole = parts[0].copy()
    for part in parts[1:]:
        whole = exp.And(this=_held(whole), expression=_held(part.copy()))
    return whole


def _held(tree: exp.Expression) -> exp.Expression:
    return exp.Paren(this=tree) if isinstance(tree, exp.Or) else tree


def _refused(tree: exp.Expression) -> tuple[str, str] | None:
    for node in tree.find_all(exp.Column, exp.Anonymous, exp.Table):
        if isinstance(node, exp.Column) and node.table.lower() == FORMER:
            return "old_record", f"it looks at {node.name} as it was before"
        name = (called(node) or ("",))[0] or node.name.lower()
        if name in _EVENT_WORDS or (isinstance(node, exp.Anonymous) and name == "update"):
            return "procedural", f"{name} tells what happens to the record"
        if isinstance(node, exp.Column) and not node.table and not _within_query(node):
            return "procedural", f"what {node.name} holds is not known"
        if (
            isinstance(node, exp.Column)
            and node.table.lower() != CURRENT
            and not _within_query(node)
        ):
            return "procedural", f"what {node.sql()} holds is not known"
    return None


def _within_query(node: exp.Expr) -> bool:
    return node.find_ancestor(exp.Query) is not None


def _qualified(tree: exp.Expression) -> exp.Expression:
    """In a query on one table a plain name is a column of it: those of the record are marked."""
    found = tree.copy()
    for query in found.find_all(exp.Select):
        source = query.args.get("from_")
        table = source.this if isinstance(source, exp.From) else None
        if query.args.get("joins") or not isinstance(table, exp.Table):
            continue
        for column in query.find_all(exp.Column):
            if is_stand_in(column):
                continue
            if not column.table and column.find_ancestor(exp.Select) is query:
                column.set("table", exp.to_identifier(table.alias_or_name))
    return found


# Other tables -------------------------------------------------------------------------------------


def _counts_as_exists(tree: exp.Expression) -> exp.Expression:
    """A count that is compared with none says whether something is found."""

    def other(node: exp.Expr) -> exp.Expr:
        compared = counted(node) if isinstance(node, exp.Expression) else None
        if compared is None or not isinstance(count_argument(compared[0]), exp.Star | exp.Literal):
            return node
        query, kind, number = compared
        found = exp.Exists(this=counted_rows(query))
        if (kind, number) in ((exp.GT, 0), (exp.NEQ, 0), (exp.GTE, 1)):
            return found
        if (kind, number) in ((exp.EQ, 0), (exp.LT, 1), (exp.LTE, 0)):
            return exp.Not(this=found)
        return node

    found = tree.transform(other)
    assert isinstance(found, exp.Expression)
    return found


def _own_key(tree: exp.Expression, record: Record) -> Checked | None:
    """A trigger that looks for a record of its own table: one that is there already."""
    tables = [t for t in tree.find_all(exp.Table) if _is_same(t, record.source)]
    if not tables:
        return None
    node = bare(_counts_as_exists(tree))
    if record.on_insert and record.where is None and isinstance(node, exp.Exists):
        columns = _keys_alone(node.this)
        if columns:
            return Checked(Unique(columns, "any_missing"), "unique", record.table, columns)
    reason = "it compares a record with others of its own table"
    return unread("procedural", reason, record.table)


def _is_same(table: exp.Table, other: exp.Table) -> bool:
    names = [[part.name.lower() for part in t.parts] for t in (table, other)]
    shorter = min(len(names[0]), len(names[1]))
    return names[0][-shorter:] == names[1][-shorter:]


def _keys_alone(query: exp.Expression) -> tuple[str, ...]:
    """The columns of `SELECT … FROM t WHERE t.a = NEW.a AND …`; none where there is more."""
    if not isinstance(query, exp.Select) or set_args(query) - {"expressions", "from_", "where"}:
        return ()
    source = query.args.get("from_")
    where = query.args.get("where")
    if where is None or not isinstance(source, exp.From) or not isinstance(source.this, exp.Table):
        return ()
    if set_args(source.this) - {"this", "db", "catalog", "alias"}:
        return ()
    found = []
    for term in where.this.flatten() if isinstance(where.this, exp.And) else [where.this]:
        one = bare(term) if isinstance(term, exp.Expression) else exp.null()
        left, right = (
            (bare(one.this), bare(one.expression)) if isinstance(one, exp.EQ) else (one, one)
        )
        if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
            return ()
        qualifiers = {left.table.lower() == CURRENT, right.table.lower() == CURRENT}
        if left.name.lower() != right.name.lower() or qualifiers != {True, False}:
            return ()
        found.append(left.name)
    return tuple(found)


# Trees of the table -------------------------------------------------------------------------------


def _resolved(tree: exp.Expression, record: Record) -> exp.Expression | None:
    """The columns of the loop's query as what they are; None where one isn't among them."""
    missing = False

    def other(node: exp.Expr) -> exp.Expr:
        nonlocal missing
        if not isinstance(node, exp.Column) or node.table.lower() != CURRENT:
            return node
        found = (record.outputs or {}).get(node.name.lower())
        missing = missing or found is None
        if found is None:
            return node
        return found.copy() if isinstance(found, exp.Column) else exp.Paren(this=found.copy())

    found = tree.transform(other)
    return None if missing or not isinstance(found, exp.Expression) else found


def _unqualified(tree: exp.Expression) -> exp.Expression:
    found = tree.copy()
    for column in found.find_all(exp.Column):
        if column.table.lower() == CURRENT:
            column.set("table", None)
    return found


def _of_condition(tree: exp.Expression, record: Record, setting: Setting, *, bad: bool) -> Checked:
    from ruleferry.converters.readers.sql.shapes import of_condition

    return of_condition(tree, setting, record.table, bad=bad)


def _of_query(tree: exp.Expression, record: Record, setting: Setting) -> Checked:
    """SELECT 1 FROM table WHERE …: shapes know how records are looked up."""
    from ruleferry.converters.readers.sql.shapes import bad_rows

    source = record.source.copy()
    source.set("alias", exp.TableAlias(this=exp.to_identifier(CURRENT)))
    terms = (
        tree
        if record.where is None
        else exp.And(this=_held(record.where.copy()), expression=_held(tree))
    )
    query = exp.Select(expressions=[exp.Literal.number(1)])
    query.set("from_", exp.From(this=source))
    query.set("where", exp.Where(this=terms))
    return bad_rows(query, setting)


def record_of(query: exp.Expression, table: str) -> Record | str:
    """The records of a loop over a query, or why they can't be told."""
    if not isinstance(query, exp.Select):
        return "its loop runs over no plain query"
    others = set_args(query) - {"expressions", "from_", "where", "order", "locks"}
    source = query.args.get("from_")
    if others or not isinstance(source, exp.From) or not isinstance(source.this, exp.Table):
        return "its loop runs over more than the records of one table"
    if set_args(source.this) - {"this", "db", "catalog", "alias"}:
        return "its loop runs over more than the records of one table"
    qualifier = (source.this.alias or source.this.name).lower()
    where = query.args.get("where")
    outputs: dict[str, exp.Expression] = {}
    for item in query.expressions:
        if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and item.is_star):
            return _with_all(source.this, table, where, qualifier)
        inner = item.unalias()
        if any(inner.find_all(exp.Query, exp.Window)):
            return "its loop runs over more than the records of one table"
        outputs[(item.alias or inner.name or str(len(outputs))).lower()] = _ours(inner, qualifier)
    kept = None if where is None else _ours(where.this, qualifier)
    return Record(_plain(source.this), table, kept, outputs)


def _with_all(source: exp.Table, table: str, where: exp.Where | None, qualifier: str) -> Record:
    kept = None if where is None else _ours(where.this, qualifier)
    return Record(_plain(source), table, kept)


def _plain(source: exp.Table) -> exp.Table:
    found = source.copy()
    found.set("alias", None)
    return found


def _ours(tree: exp.Expression, qualifier: str) -> exp.Expression:
    """Its columns qualified as those of the record at hand; those of inner queries stay."""
    found = tree.copy()
    for column in found.find_all(exp.Column):
        own = column.table.lower() == qualifier
        if is_stand_in(column):
            continue
        if own or (not column.table and not _within_query(column)):
            column.set("table", exp.to_identifier(CURRENT))
            column.set("db", None)
            column.set("catalog", None)
    return found
