"""The tables of a rehearsal in DuckDB: sample rows, datasets, and what is counted in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType, parse_type
from ruleferry.converters.express.sql_types import STRING, is_float
from ruleferry.converters.proof.duckdb_kinds import aliased, call, cast, count_if
from ruleferry.converters.proof.duckdb_queries import VERDICTS, Relation
from ruleferry.converters.proof.duckdb_values import Field
from ruleferry.converters.proof.rehearsal_data import Sample
from ruleferry.converters.proof.rehearsal_run import as_text
from ruleferry.converters.rehearsed import Quarantine

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# DuckDB's type -> the type that Spark reads from the same Parquet file. Others need Spark.
_OF_PARQUET = {
    "BOOLEAN": "boolean", "TINYINT": "tinyint", "SMALLINT": "smallint", "INTEGER": "int",
    "BIGINT": "bigint", "FLOAT": "float", "DOUBLE": "double", "VARCHAR": "string", "DATE": "date",
    "TIMESTAMP": "timestamp_ntz", "TIMESTAMP WITH TIME ZONE": "timestamp",
}  # fmt: skip


_TIME = parse_type("timestamp")


@dataclass(frozen=True, slots=True)
class Counted:
    """`kept`: the rows that pass every rule that drops; `passed`: name -> rows."""

    rows: int
    kept: int
    passed: Mapping[str, int]


class Store:
    """Each table is computed once and kept."""

    def __init__(self, connection: DuckDBPyConnection) -> None:
        self._connection = connection
        self._numbers = count()

    def loaded(self, sample: Sample) -> Relation:
        """The rows of a sample with the types that they have on Spark."""
        query = self._parquet(sample) if sample.parquet else _json(sample)
        return self.made(query)

    def made(self, relation: Relation) -> Relation:
        name = exp.to_identifier(f"t{next(self._numbers)}", quoted=True)
        table = exp.Create(this=exp.Table(this=name), kind="TABLE", expression=relation.query)
        self._connection.execute(table.sql("duckdb"))
        columns = [_read(own.name) for own in relation.fields]
        return Relation(_select(columns, name), relation.fields)

    def counted(
        self, rows: Relation, held: Mapping[str, exp.Expression], dropping: Sequence[str]
    ) -> Counted:
        """`held`: name -> a condition that is TRUE or FALSE."""
        kept = _all(held[name] for name in dropping)
        tests = [count_if(tree.copy()) for tree in (kept, *held.values())]
        query = _on(rows, [call("count", exp.Star()), *tests])
        total, passing, *passed = self._rows(query)[0]
        return Counted(total, passing, dict(zip(held, passed, strict=True)))

    def kept(self, rows: Relation, conditions: Sequence[exp.Expression]) -> Relation:
        """Computed again only where rules drop."""
        if not conditions:
            return rows
        query = _on(rows, [_read(own.name) for own in rows.fields])
        query.set("where", exp.Where(this=_all(conditions)))
        return self.made(Relation(query, rows.fields))

    def first_broken(
        self, rows: Relation, failing: Mapping[str, exp.Expression]
    ) -> tuple[str, list[bool]]:
        """The first record that breaks one of the conditions, as JSON, and which it passes."""
        columns = [*_texts(rows.fields), *(tree.copy() for tree in failing.values())]
        query = _on(rows, columns).limit(1)
        query.set("where", exp.Where(this=exp.Not(this=exp.Paren(this=_all(failing.values())))))
        (row,) = self._rows(query)
        values, passed = row[: len(rows.fields)], row[len(rows.fields) :]
        named = zip(rows.fields, values, strict=True)
        record = ",".join(f"{_quoted(own.name)}:{_json_value(own, v)}" for own, v in named)
        return f"{{{record}}}", list(passed)

    def quarantine(self, dataset: str, rows: Relation, column: str) -> Quarantine:
        named = cast(_read(column), STRING)
        broken = exp.NullSafeNEQ(this=named, expression=exp.Literal.string(""))
        query = _on(rows, _texts(rows.fields))
        query.set("where", exp.Where(this=broken))
        names = tuple(own.name for own in rows.fields)
        found = tuple(tuple(map(as_text, row)) for row in self._rows(query))
        return Quarantine(dataset, column, names, found)

    def _rows(self, query: exp.Expression) -> list[Any]:
        """DuckDB's own values, of which only we know the types."""
        return self._connection.execute(query.sql("duckdb")).fetchall()

    def _parquet(self, sample: Sample) -> Relation:
        source = call("read_parquet", exp.Literal.string(str(sample.path)))
        old_times = self._old_times(sample)
        described = exp.Describe(this=_select([exp.Star()], source))
        fields, columns = [], []
        for name, kind, *_ in self._rows(described):
            own = Field(name, _TIME if name in old_times else _of_parquet(kind))
            fields.append(own)
            columns.append(self._stored(own))
        return Relation(_select(columns, source), tuple(fields))

    def _old_times(self, sample: Sample) -> set[str]:
        """Columns of 96 bits, which Spark reads as TIMESTAMP and DuckDB as one without a zone."""
        schema = call("parquet_schema", exp.Literal.string(str(sample.path)))
        columns = self._rows(_select([_read("name"), _read("type")], schema))
        return {name for name, kind in columns if kind == "INT96"}

    def _stored(self, own: Field) -> exp.Expression:
        """A moment is stored without its zone, in UTC."""
        if own.type.family != "timestamp":
            return _read(own.name)
        self._connection.execute("SET TimeZone = 'UTC'")
        return aliased(cast(_read(own.name), own.type), own.name)


def _of_parquet(kind: str) -> ColumnType:
    if kind.startswith("DECIMAL"):
        return parse_type(kind)
    return parse_type(_OF_PARQUET.get(kind, f"{kind} of DuckDB"))


def _json(sample: Sample) -> Relation:
    """Texts, cast to their types."""
    if not sample.columns:
        return Relation(exp.Select(expressions=[exp.Literal.number(1)]).limit(0), ())
    texts = [
        exp.PropertyEQ(this=exp.Literal.string(str(n)), expression=exp.Literal.string("VARCHAR"))
        for n, _ in enumerate(sample.columns)
    ]
    source = call(
        "read_json",
        exp.Literal.string(str(sample.path)),
        exp.EQ(this=exp.to_identifier("columns"), expression=exp.Struct(expressions=texts)),
        exp.EQ(
            this=exp.to_identifier("format"), expression=exp.Literal.string("newline_delimited")
        ),
    )
    columns = [
        aliased(cast(_read(str(n)), kind), name) for n, (name, kind) in enumerate(sample.columns)
    ]
    fields = tuple(Field(name, kind) for name, kind in sample.columns)
    return Relation(_select(columns, source), fields)


# Queries ------------------------------------------------------------------------------------------


def _read(name: str) -> exp.Expression:
    return exp.column(exp.to_identifier(name, quoted=True))


def _select(columns: Sequence[exp.Expression], source: exp.Expression) -> exp.Select:
    return exp.Select(expressions=list(columns), from_=exp.From(this=exp.Table(this=source)))


def _on(rows: Relation, columns: Sequence[exp.Expression]) -> exp.Select:
    named = exp.TableAlias(this=exp.to_identifier(VERDICTS, quoted=True))
    source = exp.Subquery(this=rows.query.copy(), alias=named)
    return exp.Select(expressions=list(columns), from_=exp.From(this=source))


def _all(conditions: Iterable[exp.Expression]) -> exp.Expression:
    tree: exp.Expression = exp.true()
    for one in conditions:
        tree = exp.And(this=tree, expression=one.copy())
    return tree


# Values as texts ----------------------------------------------------------------------------------


def _texts(fields: Sequence[Field]) -> list[exp.Expression]:
    """Every value as SQL writes it; a number with a binary point is written by `as_text`."""
    return [
        _read(own.name) if is_float(own.type) else cast(_read(own.name), STRING) for own in fields
    ]


def _json_value(own: Field, value: object) -> str:
    """As Spark's to_json writes it."""
    text = as_text(value)
    if text is None:
        return "null"
    bare = own.type.family in ("integer", "decimal", "boolean") or is_float(own.type)
    if bare and text not in ("NaN", "Infinity", "-Infinity"):
        return text
    if own.type.family in ("timestamp", "timestamp_ntz"):
        moment = text.replace(" ", "T")
        moment += "" if "." in moment else ".000"
        return _quoted(moment + ("Z" if own.type.family == "timestamp" else ""))
    return _quoted(text)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
