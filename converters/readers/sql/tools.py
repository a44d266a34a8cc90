"""Files of test tools: which tool it is, and what its tests state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeAlias

from ruleferry.converters.readers.json_text import Json, Malformed
from ruleferry.converters.readers.raw import RawFile
from ruleferry.converters.readers.sql.dsl import (
    Template,
    is_bigquery_checks,
    is_clouddq,
    is_dataform,
    is_dbt,
    is_soda,
    is_sqlmesh,
    read_bigquery_checks,
    read_clouddq,
    read_dataform,
    read_dbt,
    read_soda,
    read_sqlmesh,
)
from ruleferry.converters.readers.sql.dsl.item import Listed
from ruleferry.converters.readers.sql.found import Setting
from ruleferry.converters.readers.yaml_text import parse_yaml

Values: TypeAlias = Mapping[str, object]
_YAML = (".yml", ".yaml")
DBT = "dbt file"


@dataclass(frozen=True, slots=True)
class Tool:
    """`called`: what such a file is. `whole`: the file holds no statements beside its tests."""

    called: str
    read: Callable[[str, str, Setting, Values], Listed]
    whole: bool = True


def tool_of(raw: RawFile, templates: Mapping[str, Template]) -> Tool | None:
    """None for a plain script, and for YAML that is of no test tool."""
    if PurePosixPath(raw.file).suffix.lower() in _YAML:
        return _of_yaml(raw.text, templates)
    if is_dataform(raw.text, raw.file):
        return Tool("Dataform file", read_dataform)
    if is_sqlmesh(raw.text):
        return Tool("SQLMesh file", read_sqlmesh)
    if is_bigquery_checks(raw.text, raw.file):
        return Tool("file of checks", read_bigquery_checks, whole=False)
    return None


def _of_yaml(text: str, templates: Mapping[str, Template]) -> Tool | None:
    document = _document(text)
    if is_dbt(document):
        return Tool(
            DBT,
            lambda text, file, setting, values: read_dbt(text, file, setting, templates, values),
        )
    if is_soda(document):
        return Tool("Soda file", read_soda)
    return Tool("CloudDQ file", read_clouddq) if is_clouddq(document) else None


def _document(text: str) -> Json:
    try:
        return parse_yaml(text)
    except Malformed:
        return None
