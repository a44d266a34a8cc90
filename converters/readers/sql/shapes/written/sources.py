"""The records that a DELETE or an UPDATE finds, as a SELECT of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import all_hold, bare, terms
from ruleferry.converters.readers.sql.found import Setting
from ruleferry.converters.readers.sql.shapes.placeholders import is_load_filter
from ruleferry.converters.readers.sql.shapes.trees import only_args, text
from ruleferry.converters.readers.sql.shapes.written.parts import name_of
from ruleferry.converters.readers.sql.shapes.written.tables import is_control, same_table

_DELETE = frozenset({"this", "tables", "using", "where", "returning", "with_"})
_UPDATE = frozenset({"this", "expressions", "from_", "where", "returning", "with_"})


@dataclass(frozen=True, slots=True)
class Changed:
    """`select` finds the records, of which `table` is changed; `conditions`: those of its WHERE."""

    table: exp.Table
    select: exp.Select

    @property
    def conditions(self) -> list[exp.Expression]:
        where = self.select.args.get("where")
        return terms(where.this) if where is not None else []

    def only(self, conditions: Sequence[exp.Expression]) -> exp.Select:
        """The same by some of its conditions."""
        select = self.select.copy()
        where = exp.Where(this=all_hold(conditions)) if conditions else None
        select.set("where", where)
        return select


def of_delete(tree: exp.Delete) -> Changed:
    """Raises Unreadable for what says more than which records go."""
    _refuse_more(tree, _DELETE)
    named = tree.args.get("tables") or []
    first = tree.args.get("this")
    if not isinstance(first, exp.Table):  # DELETE t WHERE …
        if len(named) != 1:
            raise Unreadable("unknown_shape", "it is not clear which records it removes")
        return _changed(tree, [named[0].copy()], [])
    sources = [first.copy(), *(source.copy() for source in tree.args.get("using") or [])]
    return _changed(tree, sources, named)


def of_update(tree: exp.Update) -> Changed:
    """Raises Unreadable."""
    _refuse_more(tree, _UPDATE)
    from_ = tree.args.get("from_")
    sources = [from_.this.copy()] if from_ is not None else []
    named = [name for source in sources for name in _names(source)]
    own = tree.this
    if own.alias_or_name.lower() in named or own.name.lower() in named:
        return _changed(tree, sources, [own])  # UPDATE e SET … FROM employee e
    return _changed(tree, [own.copy(), *sources], [])


def _refuse_more(tree: exp.Expression, known: frozenset[str]) -> None:
    more = only_args(tree, known)
    if more is not None:
        what = "CURRENT OF" if isinstance(tree.args.get("where"), exp.Var) else more
        raise Unreadable(
            "unknown_shape", f"it changes records by {what}, which is not carried over"
        )


def _names(source: exp.Expression) -> Iterator[str]:
    for table in (source, *(join.this for join in source.args.get("joins") or [])):
        yield table.alias_or_name.lower()
        if isinstance(table, exp.Table):
            yield table.name.lower()


def _changed(
    tree: exp.Expression, sources: list[exp.Expression], named: Sequence[exp.Expression]
) -> Changed:
    first, *others = sources
    joins = [join for source in sources for join in source.args.get("joins") or []]
    for source in sources:
        source.set("joins", None)
    joins = [*(exp.Join(this=other) for other in others), *joins]
    select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=first), joins=joins)
    if (where := tree.args.get("where")) is not None:
        select.set("where", where.copy())
    if (with_ := tree.args.get("with_")) is not None:
        select.set("with_", with_.copy())
    return Changed(_of_names(select, named), select)


def _of_names(select: exp.Select, named: Sequence[exp.Expression]) -> exp.Table:
    """The table that is changed, which is then the first of the query."""
    first = select.args["from_"].this
    if not isinstance(first, exp.Table):
        raise Unreadable("unknown_shape", "it changes the records of a query")
    if not named:
        return first
    if len(named) > 1:
        raise Unreadable("unknown_shape", "it changes the records of several tables")
    (wanted,) = named
    if not isinstance(wanted, exp.Table) or not isinstance(wanted.this, exp.Identifier):
        raise Unreadable("unknown_shape", "it changes only so many records")
    if wanted.name.upper() == "TOP":
        raise Unreadable("unknown_shape", "it changes only so many records")
    if _is_called(first, wanted):
        return first
    return _put_first(select, wanted)


def _is_called(table: exp.Expression, wanted: exp.Table) -> bool:
    if not isinstance(table, exp.Table):
        return False
    return table.alias_or_name.lower() == wanted.name.lower() or same_table(
        _dotted(table), _dotted(wanted)
    )


def _dotted(table: exp.Table) -> str:
    return ".".join(part.name for part in table.parts)


def _put_first(select: exp.Select, wanted: exp.Table) -> exp.Table:
    """Inner joins may stand in any order; a LEFT JOIN from another table says something else."""
    joins: list[exp.Join] = select.args.get("joins") or []
    found = [join for join in joins if _is_called(join.this, wanted)]
    inner = all((join.side or "", join.kind or "") in _INNER for join in joins)
    if len(found) != 1 or not inner or any(join.args.get("using") for join in joins):
        reason = f"it is not clear which records of {wanted.name} it changes"
        raise Unreadable("unknown_shape", reason)
    first = select.args["from_"].this
    conditions = [c for join in joins for c in terms(join.args.get("on"))]
    where = select.args.get("where")
    conditions += terms(where.this) if where is not None else []
    others = [join.this for join in joins if join is not found[0]]
    select.set("from_", exp.From(this=found[0].this))
    select.set("joins", [exp.Join(this=table) for table in (first, *others)])
    select.set("where", exp.Where(this=all_hold(conditions)) if conditions else None)
    table: exp.Table = found[0].this
    return table


_INNER = {("", ""), ("", "INNER"), ("", "CROSS")}


# What the conditions ask for ----------------------------------------------------------------------


def only_picks(conditions: Sequence[exp.Expression], setting: Setting) -> bool:
    """Whether they ask for nothing but a batch: placeholders and control columns."""
    return all(is_load_filter(each, setting.macros) or _of_control(each) for each in conditions)


def _of_control(condition: exp.Expression) -> bool:
    node = bare(condition)
    subject = bare(node.this) if isinstance(node, _COMPARED) else None
    return isinstance(subject, exp.Column) and is_control(subject.name)


_COMPARED = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.In, exp.Between)


@dataclass(frozen=True, slots=True)
class Via:
    """The records of another table decide; `codes`: those of them alone that hold such a text."""

    table: str
    codes: tuple[str, ...] = ()


def via(condition: exp.Expression, setting: Setting) -> Via | None:
    """`id IN (SELECT id FROM reject WHERE code = 'X')`, `EXISTS (SELECT 1 FROM reject …)`."""
    node = bare(condition)
    if isinstance(node, exp.In) and node.args.get("query") is not None:
        inner = _select_of(node.args["query"])
    elif isinstance(node, exp.Exists):
        inner = _select_of(node.this)
    else:
        return None
    if inner is None or inner.args.get("joins") or inner.args.get("group"):
        return None
    from_ = inner.args.get("from_")
    table = from_.this if from_ is not None else None
    if not isinstance(table, exp.Table):
        return None
    where = inner.args.get("where")
    codes: list[str] = []
    for each in terms(where.this) if where is not None else []:
        found = _codes(each)
        if found is None and not _is_pair(each) and not is_load_filter(each, setting.macros):
            return None
        codes += found or ()
    return Via(name_of(table, setting), tuple(codes))


def _is_pair(condition: exp.Expression) -> bool:
    """`r.id = t.id`: the records of both tables that belong together."""
    node = bare(condition)
    sides = (bare(node.this), bare(node.expression)) if isinstance(node, exp.EQ) else ()
    return bool(sides) and all(isinstance(side, exp.Column | exp.Pseudocolumn) for side in sides)


def _select_of(node: exp.Expression) -> exp.Select | None:
    while isinstance(node, exp.Subquery | exp.Paren):
        node = node.this
    return node if isinstance(node, exp.Select) else None


def _codes(condition: exp.Expression) -> tuple[str, ...] | None:
    """`code = 'X'`, `code IN ('X', 'Y')`; None for another condition."""
    node = bare(condition)
    if not isinstance(node, exp.In | exp.EQ) or not isinstance(bare(node.this), exp.Column):
        return None
    given = node.expressions if isinstance(node, exp.In) else [node.expression]
    values = [text(each) for each in given]
    found = tuple(value for value in values if value is not None)
    return found if found and len(found) == len(values) else None


def removes_copies(changed: Changed, setting: Setting) -> bool:
    """It keeps one of several equal records: by their number, or by the first of each group."""
    own = name_of(changed.table, setting)
    with_ = changed.select.args.get("with_")
    named = {cte.alias.lower(): cte.this for cte in with_.expressions} if with_ else {}
    inner = named.get(own.lower())
    if inner is not None and inner.find(exp.Window) is not None:
        return True
    for query in changed.select.find_all(exp.Select):
        if query is changed.select or not _reads(query, own, setting):
            continue
        if query.args.get("group") or query.find(exp.Window) is not None:
            return True
    return False


def _reads(query: exp.Select, own: str, setting: Setting) -> bool:
    tables = query.find_all(exp.Table)
    return any(same_table(name_of(table, setting), own) for table in tables)
