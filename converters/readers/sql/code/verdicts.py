"""What a condition of code says of tables: that records are bad, that some must be there, or more.

The condition has queries where its variables stood. "Bad" is what makes the code complain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, called
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.found import Checked, Setting
from ruleferry.converters.rule import Kind, Measured, Unread

BATCH = "ruleferry_batch"
_AGGREGATES = frozenset({"count", "sum", "min", "max", "avg", "count_big", "countif", "count_if"})
_COMPARED: Mapping[type[exp.Expression], Callable[[int, int], bool]] = {
    exp.GT: lambda n, k: n > k, exp.GTE: lambda n, k: n >= k, exp.EQ: lambda n, k: n == k,
    exp.NEQ: lambda n, k: n != k, exp.LT: lambda n, k: n < k, exp.LTE: lambda n, k: n <= k,
}  # fmt: skip
_TURNED: Mapping[type[exp.Expression], type[exp.Expression]] = {
    exp.GT: exp.LT, exp.GTE: exp.LTE, exp.EQ: exp.EQ, exp.NEQ: exp.NEQ, exp.LT: exp.GT,
    exp.LTE: exp.GTE,
}  # fmt: skip
_ONE_QUERY = frozenset({"expressions", "from_", "joins", "where", "with_"})


def unread(code: str, reason: str, table: str | None = None) -> Checked:
    return Checked(Unread(code, reason), "predicate", table)


def of_test(tree: exp.Expression, setting: Setting, *, bad: bool) -> tuple[Checked, ...]:
    """What is wrong where the condition is true; bad=False: where it is not true."""
    node = bare(tree)
    if isinstance(node, exp.Or if bad else exp.And):
        return (*of_test(node.this, setting, bad=bad), *of_test(node.expression, setting, bad=bad))
    if isinstance(node, exp.Not) and is_two_valued(node.this):
        return of_test(node.this, setting, bad=not bad)
    if isinstance(node, exp.Exists):
        return (_of_exists(node, setting, bad=bad),)
    if compared := counted(node):
        return (_of_count(node, *compared, setting, bad=bad),)
    return (measured(node, setting, bad=bad),)


def is_two_valued(tree: exp.Expression) -> bool:
    """It is never NULL: made of EXISTS and counts alone."""
    node = bare(tree)
    if isinstance(node, exp.And | exp.Or):
        return is_two_valued(node.this) and is_two_valued(node.expression)
    if isinstance(node, exp.Not):
        return is_two_valued(node.this)
    compared = counted(node)
    return isinstance(node, exp.Exists) or (compared is not None and not is_sum(compared[0]))


# EXISTS -------------------------------------------------------------------------------------------


def _of_exists(node: exp.Exists, setting: Setting, *, bad: bool) -> Checked:
    query = node.this.unnest() if isinstance(node.this, exp.Subquery) else node.this
    assert isinstance(query, exp.Expression)
    if not isinstance(query, exp.Select):
        return _union(query, setting, bad=bad)
    if is_one_row(query):
        return unread("unknown_shape", "an aggregate without GROUP BY always gives a row")
    query = without_limit(query)
    if bad:
        return rows_of(query, setting)
    return measured(
        exp.EQ(this=count_of(query), expression=exp.Literal.number(0)), setting, bad=True
    )


def _union(query: exp.Expression, setting: Setting, *, bad: bool) -> Checked:
    """Shapes know what an EXCEPT finds."""
    if bad and isinstance(query, exp.Query):
        return rows_of(query, setting)
    return unread("unknown_shape", "it asks whether a query of another kind finds something")


def rows_of(query: exp.Expression, setting: Setting) -> Checked:
    """What a query of bad records checks."""
    from ruleferry.converters.readers.sql.shapes import bad_rows

    return bad_rows(query, setting)


def is_one_row(query: exp.Select) -> bool:
    """SELECT COUNT(*) FROM t: one record, whatever the table holds."""
    if query.args.get("group") or query.args.get("having"):
        return False
    return any(is_aggregate(item) for item in query.expressions)


def is_aggregate(tree: exp.Expression) -> bool:
    """An aggregate stands in it, and not within a query of its own."""
    waiting: list[exp.Expr] = [tree]
    while waiting:
        node = waiting.pop()
        call = called(node)
        if (call and call[0] in _AGGREGATES) or isinstance(node, exp.AggFunc):
            return not isinstance(node.parent, exp.Window)
        if not isinstance(node, exp.Query | exp.Window):
            waiting += node.iter_expressions()
    return False


def without_limit(query: exp.Select) -> exp.Select:
    """Whether something is found does not depend on TOP 1, on LIMIT 1 or on the order."""
    limit = query.args.get("limit")
    value = limit.expression if isinstance(limit, exp.Limit) else None
    plain = isinstance(value, exp.Literal) and not value.is_string and value.name not in ("0", "")
    if query.args.get("offset") is not None or (limit is not None and not plain):
        return query
    if isinstance(limit, exp.Limit) and set_args(limit) - {"expression"}:
        return query
    found = query.copy()
    found.set("limit", None)
    found.set("order", None)
    return found


def set_args(node: exp.Expression) -> set[str]:
    return {key for key, value in node.args.items() if value}


# Counts -------------------------------------------------------------------------------------------


def counted(node: exp.Expression) -> tuple[exp.Select, type[exp.Expression], int] | None:
    """The query, how its count is compared, and with what; None for what is no such comparison."""
    if type(node) not in _COMPARED:
        return None
    left, right, kind = bare(node.this), bare(node.expression), type(node)
    if _number(left) is not None:
        left, right, kind = right, left, _TURNED[kind]
    number, query = _number(right), _query(left)
    if number is None or query is None or count_argument(query) is None:
        return None
    return query, kind, number


def _number(node: exp.Expression) -> int | None:
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        return int(node.name)
    return None


def _query(node: exp.Expression) -> exp.Select | None:
    query = node.unnest() if isinstance(node, exp.Subquery) and not node.args.get("alias") else None
    return query if isinstance(query, exp.Select) else None


def count_argument(query: exp.Select) -> exp.Expression | None:
    """What the only column of a query counts, or adds up as 1 or 0; None where it does not."""
    if len(query.expressions) != 1 or set_args(query) - _ONE_QUERY:
        return None
    node = query.expressions[0].unalias()
    node = _without_default(node)
    call = called(node)
    if call and call[0] in ("count", "count_big") and len(call[1]) == 1:
        inner = bare(call[1][0])
        plain = isinstance(inner, exp.Star | exp.Literal | exp.Column)
        return inner if plain or _case_of_ones(inner, exp.Null()) else None
    if call and call[0] == "sum" and len(call[1]) == 1:
        inner = bare(call[1][0])
        return inner if _case_of_ones(inner, exp.Literal.number(0)) else None
    return None


def _without_default(node: exp.Expression) -> exp.Expression:
    """COALESCE(SUM(…), 0): what an empty table gives."""
    call = called(node)
    if call and call[0] in ("coalesce", "isnull", "nvl", "ifnull", "zeroifnull"):
        rest = call[1][1:]
        if all(_number(bare(item)) == 0 for item in rest) and len(rest) < 2:
            return bare(call[1][0])
    return node


def _case_of_ones(node: exp.Expression, default: exp.Expression) -> exp.Expression | None:
    """The condition of CASE WHEN c THEN 1 [ELSE 0] END."""
    if not isinstance(node, exp.Case) or node.this is not None or len(node.args["ifs"]) != 1:
        return None
    arm, other = node.args["ifs"][0], node.args.get("default")
    if _number(bare(arm.args["true"])) != 1 or (other is not None and bare(other) != default):
        return None
    condition = arm.this
    return condition if isinstance(condition, exp.Expression) else None


def counted_rows(query: exp.Select) -> exp.Expression:
    """The query of the records that are counted."""
    argument = count_argument(query)
    found = query.copy()
    if isinstance(argument, exp.Column):
        _add(found, exp.Is(this=argument.copy(), expression=exp.Null()), negated=True)
    elif isinstance(argument, exp.Case):
        _add(found, argument.args["ifs"][0].this.copy())
    found.set("expressions", [exp.Literal.number(1)])
    return _inner(found)


def _add(query: exp.Select, condition: exp.Expression, *, negated: bool = False) -> None:
    new = exp.Not(this=condition) if negated else exp.Paren(this=condition)
    where = query.args.get("where")
    both = exp.And(this=exp.Paren(this=where.this), expression=new) if where else new
    query.set("where", exp.Where(this=both))


def _inner(query: exp.Select) -> exp.Expression:
    """SELECT 1 FROM (SELECT …): the inner query finds as many."""
    source = query.args["from_"].this if query.args.get("from_") else None
    if set_args(query) - {"expressions", "from_"} or not isinstance(source, exp.Subquery):
        return query
    inner = source.unnest()
    others = set_args(source) - {"this", "alias"}
    if others or not isinstance(inner, exp.Select | exp.SetOperation):
        return query
    return inner


def _of_count(
    node: exp.Expression,
    query: exp.Select,
    kind: type[exp.Expression],
    number: int,
    setting: Setting,
    *,
    bad: bool,
) -> Checked:
    holds = _COMPARED[kind]
    # From the number on nothing changes any more.
    ends = [n for n in (1, 2, number - 1, number, number + 1, number + 2) if n > 0]
    some = [holds(n, number) == bad for n in ends]
    none = holds(0, number) == bad
    if none and all(some):
        return unread("unknown_shape", "it complains whatever the table holds")
    if not none and not any(some):
        return unread("never_fails", "it complains of no table, whatever it holds")
    if none or not all(some) or (is_sum(query) and not bad):
        return measured(node, setting, bad=bad)
    rows = counted_rows(query)
    if isinstance(rows, exp.Select) and is_one_row(rows):
        return unread("unknown_shape", "an aggregate without GROUP BY always gives a row")
    return rows_of(rows, setting)


def is_sum(query: exp.Select) -> bool:
    """Of an empty table it is NULL, which a count never is."""
    call = called(_without_default(query.expressions[0].unalias()))
    return call is not None and call[0] == "sum"


def count_of(query: exp.Expression) -> exp.Subquery:
    """(SELECT COUNT(*) FROM …) of what a query finds."""
    star = exp.Anonymous(this="count", expressions=[exp.Star()])
    simple = isinstance(query, exp.Select) and not set_args(query) - _ONE_QUERY
    if simple and isinstance(query, exp.Select):
        found = query.copy()
        found.set("expressions", [star])
    else:
        inner = exp.Subquery(this=query.copy(), alias=exp.TableAlias(this=exp.to_identifier("q")))
        found = exp.Select(expressions=[star])
        found.set("from_", exp.From(this=inner))
    return exp.Subquery(this=found)


# Figures ------------------------------------------------------------------------------------------


def measured(tree: exp.Expression, setting: Setting, *, bad: bool) -> Checked:
    """Figures of whole tables, of which the first is the one that is checked."""
    from ruleferry.converters.readers.sql.macros import table_name, written

    queries = list(_queries(tree))
    if not isinstance(tree, exp.Predicate | exp.Connector | exp.Not | exp.Case | exp.Is):
        return unread("procedural", "its condition is no comparison")
    if not queries:
        return unread("procedural", "no query of its condition says which records it is about")
    loose = next(_loose_columns(tree), None)
    if loose is not None:
        name = written(loose, setting.macros)
        code = "procedural" if name == loose else "parameter"
        return unread(code, f"what {name} holds is not known")
    for query in queries:
        if isinstance(query.parent, exp.Exists):
            return unread("procedural", "it asks whether there are such records, and for more")
        if not isinstance(query, exp.Select) or not is_one_row(query):
            return unread("procedural", "it looks at a value of some record, not at a figure")
    source = queries[0].args.get("from_")
    table = source.this if isinstance(source, exp.From) else None
    inner = table.find(exp.Table) if isinstance(table, exp.Subquery) else table
    if not isinstance(inner, exp.Table) or not inner.name:
        return unread("no_table", "the query names no table")
    name = table_name(inner, setting.macros)
    ours = tree.copy()
    others = _renamed(ours, inner)
    text = ours.sql(dialect=setting.dialect.parser or None)
    predicate = SqlText(text, setting.dialect.name, bad, settings=setting.settings, tree=ours)
    columns = tuple(dict.fromkeys(c.name for c in tree.find_all(exp.Column) if c.name))
    return Checked(Measured(predicate), _kind(queries, others), name, columns)


def _kind(queries: Sequence[exp.Expression], others: bool) -> Kind:
    if others:
        return "reconcile"
    where = queries[0].args.get("where")
    alone = len(queries) == 1 and where is None
    return "row_count" if alone and count_argument_of(queries[0]) else "figure"


def count_argument_of(query: exp.Expression) -> bool:
    found = count_argument(query) if isinstance(query, exp.Select) else None
    return isinstance(found, exp.Star | exp.Literal)


def _queries(tree: exp.Expression) -> list[exp.Expression]:
    """The outermost ones, from left to right."""
    found: list[exp.Expression] = []

    def look(node: exp.Expr) -> None:
        if isinstance(node, exp.Select | exp.SetOperation):
            found.append(node)
            return
        for child in node.iter_expressions():
            look(child)

    look(tree)
    return found


def _loose_columns(tree: exp.Expression) -> Iterator[str]:
    """The columns that stand outside of queries."""
    return iter(
        [node.sql() for node in tree.find_all(exp.Column) if not node.find_ancestor(exp.Query)]
    )


def _renamed(tree: exp.Expression, table: exp.Table) -> bool:
    """The table is called as the batch is, also before columns; whether there are others."""
    parts = [part.name.lower() for part in table.parts]
    others = False
    for node in list(tree.find_all(exp.Table)):
        if [part.name.lower() for part in node.parts] != parts:
            others = True
            continue
        alias = node.args.get("alias")
        new = exp.Table(this=exp.to_identifier(BATCH))
        if alias is not None:
            new.set("alias", alias.copy())
        for key, value in node.args.items():
            if key not in ("this", "db", "catalog", "alias"):
                new.set(key, value)
        node.replace(new)
    for column in tree.find_all(exp.Column):
        if column.table.lower() == table.name.lower():
            column.set("table", exp.to_identifier(BATCH))
            column.set("db", None)
            column.set("catalog", None)
    return others
