"""`great_expectations.yml` of both generations: which datasources and assets a project has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleferry.converters.readers.great_expectations.data import (
    Data,
    DataSource,
    Words,
    engine_of_class,
    engine_of_connection,
    engine_of_type,
    inferred,
    of_asset,
    partition,
    text,
    words,
)
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.rule import Engine

_SIGNS = ("datasources", "fluent_datasources", "expectations_store_name", "config_version")


def is_project(document: Words) -> bool:
    """A checkpoint of 0.13 on states a `config_version`, too, and none of the rest."""
    return sum(key in document for key in _SIGNS) > 1


def datasources(document: Words) -> Mapping[str, DataSource]:
    """Those of 0.x in blocks, and the fluent ones; the fluent one wins where both have a name."""
    blocks = {name: _block(found) for name, found in _objects(document, "datasources")}
    fluent = {name: _fluent(found) for name, found in _objects(document, "fluent_datasources")}
    return blocks | fluent


def _objects(document: Words, key: str) -> Iterator[tuple[str, Words]]:
    """The named objects under a key; `fluent_datasources` were a list for a while."""
    found = document.get(key)
    named: list[tuple[str, Json]] = []
    if isinstance(found, dict):
        named = list(found.items())
    elif isinstance(found, list):
        named = [(text(item, "name"), item) for item in found if isinstance(item, dict)]
    return ((name, item) for name, item in named if name and isinstance(item, dict))


def _fluent(source: Words) -> DataSource:
    engine = _on_database(engine_of_type(text(source, "type")), source)
    assets = dict(_objects(source, "assets"))
    return DataSource(
        engine=engine,
        assets={name: of_asset(name, asset, engine) for name, asset in assets.items()},
        partitions={
            (name, batch): cut
            for name, asset in assets.items()
            for batch, found in _objects(asset, "batch_definitions")
            if (cut := partition(words(found, "partitioner")))
        },
    )


def _block(source: Words) -> DataSource:
    """`execution_engine` and `data_connectors` of 0.13 on, or the classes of before."""
    running = words(source, "execution_engine")
    classes = (
        text(running, "class_name"),
        text(source, "class_name"),
        text(words(source, "data_asset_type"), "class_name"),
    )
    known = next((e for name in classes if (e := engine_of_class(name))), None)
    engine = _on_database(known, running or source)
    connectors = dict(_objects(source, "data_connectors"))
    return DataSource(
        engine=engine,
        assets=dict(_assets(connectors, engine)),
        runtime_only=frozenset(
            name
            for name, connector in connectors.items()
            if text(connector, "class_name") == "RuntimeDataConnector"
        ),
        inferred={
            name: inferred(connector)
            for name, connector in (*connectors.items(), *_objects(source, "introspection"))
            if engine not in (None, "pandas", "spark") and _lists_tables(connector)
        },
    )


def _lists_tables(connector: Words) -> bool:
    """Those of a SimpleSqlalchemyDatasource state no class."""
    return text(connector, "class_name") in ("", "InferredAssetSqlDataConnector")


def _assets(connectors: Mapping[str, Words], engine: Engine | None) -> Iterator[tuple[str, Data]]:
    """Assets that a connector lists by name; one that it infers has the name of its table."""
    for connector in connectors.values():
        if text(connector, "class_name") != "RuntimeDataConnector":
            for name, asset in _objects(connector, "assets"):
                yield name, of_asset(name, asset, engine)


def _on_database(engine: Engine | None, source: Words) -> Engine | None:
    """ "sql" made precise by the connection, where it is written out."""
    if engine != "sql":
        return engine
    credentials = words(source, "credentials")
    connections = (
        text(source, "connection_string"),
        text(credentials, "drivername"),
        text(credentials, "connection_string"),
    )
    found = (engine_of_connection(connection) for connection in connections if connection)
    return next((dialect for dialect in found if dialect), engine)
