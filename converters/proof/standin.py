"""Stand-ins for what a pipeline gives a rules module: `pyspark.pipelines`, and `spark`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ruleferry.converters.rehearsed import DatasetKind
from ruleferry.converters.rule import Action

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameReader, SparkSession

# What it gives is the module's own affair, and looked at when it is called.
Query: TypeAlias = Callable[[], object]

# What open-source pyspark.pipelines takes; nothing of it changes which rows a dataset holds.
_KEYWORDS: Mapping[DatasetKind, frozenset[str]] = {
    "table": frozenset(
        {"comment", "spark_conf", "table_properties", "partition_cols", "cluster_by", "schema",
         "format"}
    ),
    "materialized_view": frozenset(
        {"comment", "spark_conf", "table_properties", "partition_cols", "cluster_by", "schema",
         "format"}
    ),
    "temporary_view": frozenset({"comment", "spark_conf"}),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expectation:
    name: str
    condition: str
    action: Action


@dataclass(frozen=True, slots=True)
class Dataset:
    """One dataset of a module: its query, and its expectations from top to bottom."""

    name: str
    kind: DatasetKind
    query: Query
    expectations: tuple[Expectation, ...]


class Definitions:
    """What a module defines while it is executed: its datasets, by view."""

    def __init__(self) -> None:
        self.datasets: dict[str, Dataset] = {}
        self._expectations: dict[Query, list[Expectation]] = {}

    def expect(
        self, expectations: Mapping[object, object], action: Action
    ) -> Callable[[Query], Query]:
        given = [_expectation(name, c, action) for name, c in expectations.items()]

        def decorate(query: Query) -> Query:
            if not callable(query):
                raise TypeError("An expectation stands below the decorator of its dataset")
            # Decorators are applied from the lowest upwards.
            held = self._expectations.setdefault(query, [])
            held[:0] = given
            twice = {e.name for e in held if [other.name for other in held].count(e.name) > 1}
            if twice:
                raise ValueError(f"Two expectations of one dataset are named {min(twice)!r}")
            return query

        return decorate

    def dataset(
        self, kind: DatasetKind, query: Query | None, name: str | None, keywords: Collection[str]
    ) -> Callable[[Query], None] | None:
        unknown = sorted(set(keywords) - _KEYWORDS[kind])
        if unknown:
            raise TypeError(f"{kind}() got an unexpected keyword argument {unknown[0]!r}")

        def decorate(query: Query) -> None:
            own = name or query.__name__
            view = view_of(own)
            if view in self.datasets:
                raise ValueError(f"Two datasets are named {own!r}")
            held = tuple(self._expectations.get(query, ()))
            self.datasets[view] = Dataset(own, kind, query, held)

        if query is None:
            return decorate
        decorate(query)
        return None


def _expectation(name: object, condition: object, action: Action) -> Expectation:
    if isinstance(name, str) and isinstance(condition, str):
        return Expectation(name, condition, action)
    raise TypeError(f"An expectation is two texts, not {name!r}: {condition!r}")


def pipelines_module(definitions: Definitions) -> ModuleType:
    """`pyspark.pipelines` with expectations, as Lakeflow has it; it only takes notes."""
    module = ModuleType("pyspark.pipelines")
    kinds: tuple[DatasetKind, ...] = ("table", "materialized_view", "temporary_view")
    for kind in kinds:
        setattr(module, kind, _dataset_decorator(definitions, kind))
    actions: Mapping[str, Action] = {"": "warn", "_or_drop": "drop", "_or_fail": "fail"}
    for suffix, action in actions.items():
        setattr(module, f"expect{suffix}", _expect_one(definitions, action))
        setattr(module, f"expect_all{suffix}", _expect_all(definitions, action))
    return module


def _dataset_decorator(
    definitions: Definitions, kind: DatasetKind
) -> Callable[..., Callable[[Query], None] | None]:
    def decorator(
        query_function: Query | None = None, *, name: str | None = None, **keywords: object
    ) -> Callable[[Query], None] | None:
        return definitions.dataset(kind, query_function, name, keywords)

    return decorator


def _expect_one(
    definitions: Definitions, action: Action
) -> Callable[[str, str], Callable[[Query], Query]]:
    def expect(name: str, inv: str) -> Callable[[Query], Query]:
        return definitions.expect({name: inv}, action)

    return expect


def _expect_all(
    definitions: Definitions, action: Action
) -> Callable[[Mapping[object, object]], Callable[[Query], Query]]:
    def expect_all(expectations: Mapping[object, object]) -> Callable[[Query], Query]:
        return definitions.expect(expectations, action)

    return expect_all


class GivenTwice(ValueError):
    """A table that the modules define themselves was given."""


def executed(
    sources: Mapping[str, str], session: object, definitions: Definitions, views: set[str]
) -> None:
    """EXECUTE modules (file name -> text) with `session` as their `spark`, for what they define.

    `views`: those of the given tables; the datasets' are added. Raises what a module raises, and
    GivenTwice.
    """
    for file, source in sources.items():
        code = compile(source, file, "exec")
        exec(code, {"spark": session, "__name__": "rules_module"})  # noqa: S102
    if taken := sorted(views & definitions.datasets.keys()):
        raise GivenTwice(f"{taken[0]} is a dataset of the module, and was given as a table")
    views.update(definitions.datasets)


@contextmanager
def installed(module: ModuleType) -> Iterator[None]:
    """`from pyspark import pipelines` gives `module`; afterwards all is as it was."""
    import pyspark

    absent = object()
    attribute = getattr(pyspark, "pipelines", absent)
    pyspark.pipelines = module  # type: ignore[attr-defined] # a submodule, set by its import
    try:
        with _loaded({"pyspark.pipelines": module}):
            yield
    finally:
        if attribute is absent:
            del pyspark.pipelines  # type: ignore[attr-defined]
        else:
            pyspark.pipelines = attribute  # type: ignore[attr-defined]


@contextmanager
def installed_alone(module: ModuleType) -> Iterator[None]:
    """The same without pyspark: `pipelines` is all there is of it."""
    package = ModuleType("pyspark")
    package.pipelines = module  # type: ignore[attr-defined]
    ours = {"pyspark": package, "pyspark.pipelines": module}
    with _loaded(ours, hidden=[name for name in sys.modules if name.startswith("pyspark")]):
        yield


@contextmanager
def _loaded(modules: Mapping[str, ModuleType], hidden: Collection[str] = ()) -> Iterator[None]:
    """Some modules in place of what is loaded under their names, and some not loaded at all."""
    before = {name: sys.modules[name] for name in {*modules, *hidden} if name in sys.modules}
    for name in hidden:
        del sys.modules[name]
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in modules:
            sys.modules.pop(name, None)
        sys.modules.update(before)


# Tables -------------------------------------------------------------------------------------------

_Parts: TypeAlias = tuple[str, ...]
Written: TypeAlias = Callable[[str], str]


def view_of(name: str) -> str:
    """The temporary view for a table name: `main.sales.orders` is one identifier, with dots.

    A plain Spark session has no catalog `main`, and one can't be made for a name.
    """
    return ".".join(_parts(name))


def quoted(view: str) -> str:
    return exp.to_identifier(view, quoted=True).sql("databricks")


def _parts(name: str) -> _Parts:
    """A table name without case and backticks."""
    try:
        table = sqlglot.parse_one(name, into=exp.Table, dialect="databricks")
    except SqlglotError:
        return (name.lower(),)
    return tuple(part.name.lower() for part in table.parts)


class StandInSession:
    """The real session, except that table names lead to the views of the run."""

    def __init__(
        self, spark: SparkSession, views: Collection[str], written: Written | None = None
    ) -> None:
        """`views` may grow: a module's datasets are known once it has been executed. `written`:
        how a view is written in SQL, where it is not one identifier with dots."""
        self._spark = spark
        self._views = views
        self._written = written or quoted
        self.read = _Reader(spark.read, self.table)
        self.streamed = False

    @property
    def readStream(self) -> _Reader:  # noqa: N802 - as Spark names it
        """A stream's first batch is all there is."""
        self.streamed = True
        return _Reader(self._spark.read, self.table)

    def __getattr__(self, name: str) -> object:
        return getattr(self._spark, name)

    def table(self, name: str) -> DataFrame:
        view = view_of(name)
        return self._spark.table(self._written(view) if view in self._views else name)

    def sql(self, text: str, *arguments: object, **keywords: object) -> DataFrame:
        batch = as_batch(text)
        self.streamed |= batch != text
        rewritten = with_views(batch, self._views, self._written)
        return self._spark.sql(rewritten, *arguments, **keywords)  # type: ignore[arg-type]


class _Reader:
    """`spark.read` and `spark.readStream`, of which `table` leads to the views of the run."""

    def __init__(self, reader: DataFrameReader, table: Callable[[str], DataFrame]) -> None:
        self._reader = reader
        self.table = table

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)

    def option(self, key: str, value: str | float | bool | None) -> _Reader:
        return _Reader(self._reader.option(key, value), self.table)


def as_batch(text: str) -> str:
    """A query that reads its streams (`STREAM name`) as tables.

    As in `with_views` sqlglot only finds where the words stand. A table function keeps the word:
    no sample stands for what it reads.
    """
    if "stream" not in text.lower():
        return text
    try:
        tree = sqlglot.parse_one(text, dialect="databricks")
    except SqlglotError:
        return text
    words = [t for t in sqlglot.tokenize(text, "databricks") if t.text.upper() == "STREAM"]
    for start in sorted(_starts_of_streams(tree), reverse=True):
        word = [word for word in words if word.end < start][-1]
        text = text[: word.start] + text[word.end + 1 :].lstrip()
    return text


def _starts_of_streams(tree: exp.Expr) -> Iterator[int]:
    """Where the names of their tables begin."""
    for stream in tree.find_all(exp.Stream):
        table = stream.find(exp.Table)
        if table is not None and isinstance(table.this, exp.Identifier):
            yield table.parts[0].meta["start"]


def with_views(text: str, views: Collection[str], written: Written | None = None) -> str:
    """A query in which names of several parts are those of views; all else stays as it is.

    sqlglot only finds where the names stand; the text is never generated again. A text that it
    can't read stays as it is, and Spark says which table it misses.
    """
    known = {tuple(view.split(".")): view for view in views if "." in view}
    if not known:
        return text
    try:
        tree = sqlglot.parse_one(text, dialect="databricks")
    except SqlglotError:
        return text
    edits: list[tuple[int, int, str]] = []
    for table in tree.find_all(exp.Table):
        parts = tuple(part.name.lower() for part in table.parts)
        if parts in known:
            edits.append(_edit(table.parts, known[parts]))
            if not table.alias:
                edits += _qualifiers(tree, parts, known[parts])
    for start, end, view in sorted(set(edits), reverse=True):
        text = text[:start] + (written or quoted)(view) + text[end + 1 :]
    return text


def _edit(parts: list[exp.Expr], view: str) -> tuple[int, int, str]:
    return parts[0].meta["start"], parts[-1].meta["end"], view


def _qualifiers(tree: exp.Expr, parts: _Parts, view: str) -> Iterator[tuple[int, int, str]]:
    """`orders.price`, `sales.orders.price` where the query names the table without an alias."""
    aliases = {node.alias.lower() for node in tree.find_all(exp.TableAlias, exp.Table, exp.CTE)}
    for column in tree.find_all(exp.Column):
        qualifier = column.parts[:-1]
        names = tuple(part.name.lower() for part in qualifier)
        if names and parts[-len(names) :] == names and names[-1] not in aliases:
            yield _edit(qualifier, view)
