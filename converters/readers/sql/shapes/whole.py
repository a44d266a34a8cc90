"""A query that is taken as it is: its rows are the bad records of the table that it reads first."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import bare, copied, text_of
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.found import Checked, Setting
from ruleferry.converters.readers.sql.shapes.checks import BATCH
from ruleferry.converters.readers.sql.shapes.placeholders import refuse_parameters, table_name
from ruleferry.converters.readers.sql.shapes.trees import columns_of, number, only_args
from ruleferry.converters.rule import Row

_SELECT = frozenset({
    "expressions", "from_", "joins", "where", "group", "having", "qualify", "distinct", "with_",
    "windows",
})  # fmt: skip
_SET = frozenset({"this", "expression", "distinct", "with_"})
_JOIN = frozenset({"this", "side", "kind", "on", "using"})
_TABLE = frozenset({"this", "db", "catalog", "alias"})


def whole(query: exp.Expression, setting: Setting) -> Checked:
    """`query` is resolved. Raises Unreadable."""
    tree = _shown(copied(query))
    refuse_parameters(tree, setting.macros)
    _refuse_strange(tree)
    first = _first_table(tree)
    if first is None:
        raise Unreadable("no_table", "it reads no table")
    name = table_name(first, setting.macros)
    columns = _columns(tree, first)
    driving = tuple(part.name.lower() for part in first.parts)
    for table in list(tree.find_all(exp.Table)):
        if tuple(part.name.lower() for part in table.parts) == driving:
            _call_batch(table)
    _forget_schemas(tree, driving)
    text = _text(tree, setting)
    found = SqlText(text, setting.dialect.name, True, True, setting.settings, tree)
    return Checked(Row(found), "predicate", name, columns)


def without_order(tree: exp.Expression) -> exp.Expression:
    """How many bad records are shown, and in which order, decides nothing: takes it off."""
    tree.set("order", None)
    limit = tree.args.get("limit")
    most = None
    if isinstance(limit, exp.Limit):
        most = number(limit.expression)
    elif isinstance(limit, exp.Fetch):
        most = number(limit.args.get("count")) if limit.args.get("count") else 1
    if limit is not None and most is not None and most >= 1 and not tree.args.get("offset"):
        tree.set("limit", None)
    return tree


def _shown(tree: exp.Expression) -> exp.Expression:
    """What a query shows of a record decides nothing, where it shows each by itself."""
    if isinstance(tree, exp.Select) and not any(
        tree.args.get(key) for key in ("group", "having", "qualify", "distinct")
    ):
        source = tree.args.get("from_")
        alias = source.this.alias_or_name if source is not None else ""
        star = exp.Column(this=exp.Star(), table=exp.to_identifier(alias)) if alias else exp.Star()
        tree.set("expressions", [star])
    return without_order(tree)


def _refuse_strange(tree: exp.Expression) -> None:
    for node in tree.find_all(exp.Query, exp.Join, exp.Table, exp.TableAlias):
        allowed = _allowed(node)
        if strange := only_args(node, allowed):
            told = _MADE_RECORDS.get(strange, f"{strange} is not carried over")
            raise Unreadable("unsupported_query", told)


# Where the parser has words of its own.
_MADE_RECORDS = {
    "COLUMNS": "it looks at the items of a list, which it makes records of, or renames columns",
    "LATERALS": "it looks at the items of a list, which LATERAL VIEW makes records of",
}


def _allowed(node: exp.Expr) -> frozenset[str]:
    match node:
        case exp.Select():
            return _SELECT
        case exp.SetOperation():
            return _SET
        case exp.Subquery() | exp.TableAlias():
            return frozenset({"this", "alias"})
        case exp.Join():
            return _JOIN
        case exp.Table():
            return _TABLE
    return frozenset()


def _first_table(tree: exp.Expression) -> exp.Table | None:
    """Of the FROM, however deep it is; named queries are no tables."""
    node: exp.Expression | None = tree
    named = {
        cte.alias.lower(): cte.this for cte in tree.find_all(exp.CTE)
    }  # a recursive one reads itself
    for _ in range(50):
        node = bare(node) if node is not None else None
        if isinstance(node, exp.Table):
            if node.db or node.name.lower() not in named:
                return node if isinstance(node.this, exp.Identifier) else None
            node = named.pop(node.name.lower())
        elif isinstance(node, exp.Select):
            source = node.args.get("from_")
            node = source.this if source is not None else None
        elif isinstance(node, exp.SetOperation | exp.Subquery):
            node = node.this
        else:
            return None
    return None


def _columns(tree: exp.Expression, first: exp.Table) -> tuple[str, ...]:
    """Those that are the first table's by its name, or all where nothing else is read."""
    alias = (first.alias or first.name).lower()
    alone = sum(1 for _ in tree.find_all(exp.Table)) == 1
    found: dict[str, str] = {}
    made = {item.alias.lower() for item in tree.find_all(exp.Alias)}
    for column in tree.find_all(exp.Column, bfs=False):
        own = column.table.lower() == alias or (alone and not column.table)
        if column.name.lower() in made:
            continue
        if own and not isinstance(column.this, exp.Star) and column.name:
            found.setdefault(column.name.lower(), column.name)
    return tuple(found.values()) or columns_of()


def _call_batch(table: exp.Table) -> None:
    alias = table.alias or table.name
    table.set("this", exp.to_identifier(BATCH))
    table.set("db", None)
    table.set("catalog", None)
    table.set("alias", exp.TableAlias(this=exp.to_identifier(alias)))


def _forget_schemas(tree: exp.Expression, driving: tuple[str, ...]) -> None:
    """`sales.orders.id` -> `orders.id`."""
    for column in tree.find_all(exp.Column):
        before = tuple(part.name.lower() for part in column.parts[:-1])
        if len(before) > 1 and driving[-len(before) :] == before:
            column.set("db", None)
            column.set("catalog", None)


def _text(tree: exp.Expression, setting: Setting) -> str:
    """In the form that a query of bad records has: braces doubled, `{batch}` for the table."""
    text = text_of(tree, setting.dialect)
    return text.replace("{", "{{").replace("}", "}}").replace(BATCH, "{batch}")
