"""`spark` without Spark: what a rules module asks of it, over DuckDB.

Everything else that a module may ask needs Spark, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NoReturn

from sqlglot import exp

from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_parser import parse_condition, parse_query
from ruleferry.converters.proof.duckdb_queries import (
    Context,
    NotFound,
    Relation,
    filtered,
    projected,
    translated,
    union,
)
from ruleferry.converters.proof.rehearsal_run import NeedsSpark
from ruleferry.converters.proof.standin import as_batch, view_of


class DuckFrame:
    """A DataFrame, as far as texts of SQL and names of columns say what is done."""

    def __init__(self, relation: Relation, context: Context) -> None:
        self.relation = relation
        self._context = context

    @property
    def columns(self) -> list[str]:
        return [own.name for own in self.relation.fields]

    def filter(self, condition: object) -> DuckFrame:
        tree = read_condition(_text(condition, "filter"))
        return self._made(filtered(tree, self.relation, self._context))

    where = filter  # noqa: A003 - as Spark names it

    def selectExpr(self, *expressions: object) -> DuckFrame:  # noqa: N802 - as Spark names it
        trees = [_expression(_text(text, "selectExpr")) for text in expressions]
        return self._made(projected(trees, self.relation, self._context))

    def select(self, *names: object) -> DuckFrame:
        trees = [_named(_text(name, "select")) for name in names]
        return self._made(projected(trees, self.relation, self._context))

    def union(self, other: object) -> DuckFrame:
        if not isinstance(other, DuckFrame):
            raise NeedsSpark("a union with something else than a DataFrame")
        return self._made(union(self.relation, other.relation))

    unionAll = union  # noqa: N815 - as Spark names it

    def _made(self, relation: Relation) -> DuckFrame:
        return DuckFrame(relation, self._context)

    def __getattr__(self, name: str) -> NoReturn:
        raise _lacking(name, "DataFrame")


class DuckSession:
    """`spark`: tables and queries. `tables`: view -> relation, and it grows."""

    def __init__(self, tables: dict[str, Relation]) -> None:
        self._context = Context(self._relation, datetime.now(UTC).replace(tzinfo=None))
        self._tables = tables
        self.streamed = False

    @property
    def context(self) -> Context:
        return self._context

    @property
    def read(self) -> _Reader:
        return _Reader(self)

    @property
    def readStream(self) -> _Reader:  # noqa: N802 - as Spark names it
        """A stream's first batch is all there is."""
        self.streamed = True
        return _Reader(self)

    def table(self, name: str) -> DuckFrame:
        return DuckFrame(self._relation(tuple(view_of(name).split("."))), self._context)

    def sql(self, text: str) -> DuckFrame:
        batch = as_batch(text)
        self.streamed |= batch != text
        try:
            tree = parse_query(batch)
        except Refusal as refusal:
            raise NeedsSpark(refusal.refused.reason) from refusal
        return DuckFrame(translated(tree, self._context), self._context)

    def _relation(self, parts: tuple[str, ...]) -> Relation:
        view = ".".join(parts)
        if view not in self._tables:
            raise NotFound(view)
        return self._tables[view]

    def __getattr__(self, name: str) -> NoReturn:
        raise _lacking(name, "spark")


class _Reader:
    """`spark.read` and `spark.readStream`: tables alone."""

    def __init__(self, session: DuckSession) -> None:
        self.table = session.table

    def option(self, _key: str, _value: object) -> _Reader:
        """What options there are for tables says how a stream is read, not what it holds."""
        return self

    def __getattr__(self, name: str) -> NoReturn:
        raise _lacking(name, "spark.read")


def read_condition(text: str) -> exp.Expression:
    try:
        return parse_condition(text)
    except Refusal as refusal:
        raise NeedsSpark(refusal.refused.reason) from refusal


def _expression(text: str) -> exp.Expression:
    """One item of a select list."""
    try:
        tree = parse_query(f"SELECT {text}")
    except Refusal as refusal:
        raise NeedsSpark(refusal.refused.reason) from refusal
    items: Sequence[exp.Expression] = tree.expressions if isinstance(tree, exp.Select) else []
    others = {key for key, given in tree.args.items() if given} - {"expressions"}
    if len(items) != 1 or others:
        raise NeedsSpark("a select list that is more than one expression")
    return items[0]


def _named(name: str) -> exp.Expression:
    tree = _expression(name)
    if not isinstance(tree, exp.Column | exp.Star):
        raise NeedsSpark("select of something else than columns")
    return tree


def _text(given: object, method: str) -> str:
    if not isinstance(given, str):
        raise NeedsSpark(f"{method} of something else than a text")
    return given


def _lacking(name: str, of: str) -> Exception:
    """Python itself asks for names such as __len__, and must hear that they are not there."""
    if name.startswith("__"):
        return AttributeError(name)
    return NeedsSpark(f"{of}.{name}")
