"""The data that a suite runs on: what batch requests, assets and validation results say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import PurePosixPath

from ruleferry.converters.mappings import table
from ruleferry.converters.readers.json_text import Json, json_text
from ruleferry.converters.rule import Engine
from ruleferry.converters.table_names import is_table_name, joined

Words = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Data:
    """`called` names it for a person; `table` where it is one; `batch`: the part that is taken.

    `batch_id` is all that some results tell of it.
    """

    called: str
    engine: Engine | None = None
    table: str | None = None
    query: str | None = None
    batch: str | None = None
    batch_id: str = ""


@dataclass(frozen=True, slots=True)
class DataSource:
    """One datasource of `great_expectations.yml`.

    `partitions`: (asset, batch definition) -> how it is cut. `runtime_only`: the connectors that
    take what a run gives them. `inferred`: connector -> what it adds to the names of the tables.
    """

    engine: Engine | None
    assets: Mapping[str, Data] = field(default_factory=dict)
    partitions: Mapping[tuple[str, str], str] = field(default_factory=dict)
    runtime_only: frozenset[str] = frozenset()
    inferred: Mapping[str, Inferred] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Inferred:
    """A connector that lists the tables of a database: `main.orders__daily`, cut by day."""

    prefix: str = ""
    suffix: str = ""
    batch: str | None = None

    def table(self, asset: str) -> str:
        return asset.removeprefix(self.prefix).removesuffix(self.suffix) or asset


def of_request(request: Words, sources: Mapping[str, DataSource]) -> Data:
    """What a batch request (0.13 on) asks for; `sources`: the datasources of its project."""
    source = sources.get(text(request, "datasource_name"))
    engine = source.engine if source else None
    name = text(request, "data_asset_name")
    given = words(request, "runtime_parameters")
    batch = _batch_of(request)
    if data := _given(given, engine):
        return replace(data, batch=batch)
    connector = text(request, "data_connector_name")
    if source and (listed := source.inferred.get(connector)):
        found = _named(listed.table(name), engine, is_frame=False)
        return replace(found, batch=_both(listed.batch, batch))
    if source and name in source.assets:
        found = source.assets[name]
        return replace(found, batch=_both(found.batch, batch))
    runtime = source is not None and connector in source.runtime_only
    return replace(_named(name, engine, is_frame=runtime), batch=batch)


def of_kwargs(kwargs: Words, sources: Mapping[str, DataSource]) -> Data:
    """What `batch_kwargs` (up to 0.12) ask for."""
    source = sources.get(text(kwargs, "datasource"))
    engine = source.engine if source else None
    if data := _given(kwargs, engine):
        return data
    return _named(text(kwargs, "data_asset_name"), engine, is_frame=True)


def of_spec(definition: Words, spec: Words, markers: Words) -> Data:
    """What a validation result says of its batch."""
    frame = text(spec, "batch_data")
    engine = _rows("frames").get(frame)
    if engine is None and "pandas_data_fingerprint" in markers:
        engine = "pandas"
    given = _given(spec, engine)
    found = given or _named(text(definition, "data_asset_name"), engine, is_frame=bool(frame))
    fluent = text(definition, "data_connector_name") == "fluent"
    cut = identified(words(definition, "batch_identifiers")) if fluent else None
    return replace(found, batch=cut)


def of_asset(name: str, asset: Words, engine: Engine | None) -> Data:
    """A fluent asset, or an asset of a block-style connector."""
    kind = text(asset, "type")
    batch = _splitter(asset)
    if kind == "table" or text(asset, "table_name"):
        return _table(text(asset, "table_name") or name, text(asset, "schema_name"), engine, batch)
    if query := text(asset, "query") or text(asset, "sql"):
        return Data(_shown_query(query), engine, query=query, batch=batch)
    if kind == "dataframe":
        return Data(f"the dataframe {name}", engine, batch=batch)
    if not kind and engine not in (None, "pandas", "spark"):
        return _table(name, text(asset, "schema_name"), engine, batch)
    return Data(f"the files of {name}", engine, batch=batch)


def of_name(name: str, source: DataSource | None) -> Data:
    """An asset of up to 0.8, of which a suite states only the name."""
    return _named(name, source.engine if source else None, is_frame=False)


def inferred(connector: Words) -> Inferred:
    """A connector of 0.13 to 0.18, or what SimpleSqlalchemyDatasource calls introspection."""
    affixes = ("data_asset_name_prefix", "data_asset_name_suffix")
    prefix, suffix = (text(connector, key) for key in affixes)
    return Inferred(prefix, suffix, _splitter(connector))


def engine_of_class(name: str) -> Engine | None:
    return _rows("classes").get(name)


def engine_of_type(kind: str) -> Engine | None:
    """The engine of a fluent datasource."""
    return _rows("fluent").get(kind) or next(
        (e for e in ("pandas", "spark") if kind.startswith(e)), None
    )


def engine_of_connection(connection: str) -> Engine | None:
    """By the first word of an SQLAlchemy URL, `postgresql+psycopg2://…`, or its drivername."""
    return _rows("drivers").get(connection.split(":")[0].split("+")[0].strip().lower())


# Words of a document ------------------------------------------------------------------------------


def text(document: Words, key: str) -> str:
    """The text under a key, "" where there is none."""
    value = document.get(key)
    return value.strip() if isinstance(value, str) else ""


def words(document: Words, key: str) -> Words:
    """The object under a key, an empty one where there is none."""
    value = document.get(key)
    return value if isinstance(value, dict) else {}


@cache
def _rows(name: str) -> Mapping[str, str]:
    rows = table("datasources")[name]
    assert isinstance(rows, dict)
    return rows


@cache
def _file_endings() -> frozenset[str]:
    return frozenset(_rows("files")["endings"])


# Kinds of data ------------------------------------------------------------------------------------


def _given(given: Words, engine: Engine | None) -> Data | None:
    """A table, a query or a path that is stated outright."""
    for key in ("table_name", "table"):
        if name := text(given, key):
            schema = text(given, "schema_name") or text(given, "schema")
            return _table(name, schema, engine or "sql", None)
    if query := text(given, "query"):
        return Data(_shown_query(query), engine, query=query)
    if path := text(given, "path"):
        return Data(f"the file {_file_name(path)}", engine)
    return None


def _file_name(path: str) -> str:
    """The last part alone: a signature, a key or a host may stand around it."""
    return PurePosixPath(path.split("?")[0].split("#")[0]).name


def _named(name: str, engine: Engine | None, *, is_frame: bool) -> Data:
    """An asset that only its name tells: a table on a database, and where it is qualified."""
    if not name or is_frame:
        return Data(f"the dataframe {name}" if name else "what a program gives it", engine)
    if "://" in name or "?" in name:
        return Data(f"the file {_file_name(name)}", engine)
    is_file = PurePosixPath(name).suffix.lstrip(".").lower() in _file_endings()
    on_database = engine not in (None, "pandas", "spark")
    qualified = engine is None and "." in name and is_table_name(name)
    if not is_file and (on_database or qualified):
        return _table(name, "", engine, None)
    return Data(f"the {'file' if is_file else 'asset'} {name}", engine)


def _table(name: str, schema: str, engine: Engine | None, batch: str | None) -> Data:
    full = f"{schema}.{name}" if schema and "." not in name else name
    if not is_table_name(full) and schema:
        full = joined((schema, name))
    if any(sign in full for sign in ("$", "{", "}")):  # a placeholder
        return Data(f"the table {full}", engine, batch=batch)
    return Data(f"the table {full}", engine, table=full, batch=batch)


def _shown_query(query: str) -> str:
    return f"the query {' '.join(query.split())}"


# Parts of the data --------------------------------------------------------------------------------


def _batch_of(request: Words) -> str | None:
    told = (identified(words(request, "options")), _connector_query(request))
    return _both(*told)


def identified(identifiers: Words) -> str | None:
    """`{"year": "2020"}` of a partitioned asset; a path or a frame is the data itself."""
    kept = {k: v for k, v in identifiers.items() if v is not None and k not in _THE_DATA}
    parts = (f"{k} {v if isinstance(v, str) else json_text(v)}" for k, v in kept.items())
    return ", ".join(parts) or None


_THE_DATA = frozenset({"path", "dataframe"})


def _connector_query(request: Words) -> str | None:
    query = {k: v for k, v in words(request, "data_connector_query").items() if v is not None}
    if not query:
        return None
    return "the latest batch" if query == {"index": -1} else f"the batches of {json_text(query)}"


def partition(partitioner: Words) -> str:
    """How a batch definition of 1.x cuts its asset, "" where it takes the whole of it."""
    method, column = text(partitioner, "method_name"), text(partitioner, "column_name")
    if method or column:
        return " of ".join(part for part in (method.replace("_", " "), column) if part)
    regex = text(partitioner, "regex")
    return f"one file at a time ({regex})" if regex else ""


def _splitter(asset: Words) -> str | None:
    """A splitter or a sample of 0.x."""
    splitter = words(asset, "splitter")
    methods = [text(splitter or asset, "method_name" if splitter else "splitter_method")]
    methods.append(text(asset, "sampling_method"))
    return ", ".join(m.lstrip("_").replace("_", " ") for m in methods if m) or None


def _both(*parts: str | None) -> str | None:
    return ", ".join(part for part in parts if part) or None
