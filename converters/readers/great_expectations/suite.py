"""A suite file (JSON, Great Expectations 0.x and 1.x, and mixtures) -> a Reading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from ruleferry.converters.readers.great_expectations.expectation import (
    Context,
    read_expectation,
    type_of,
)
from ruleferry.converters.readers.great_expectations.version import stated_version
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.raw import RawFile
from ruleferry.converters.rule import LegacyRule, Reading, Table

READ_AS = "great_expectations suite"
# Endings that 0.8 to 0.13 gave to suites of different severity (its validation operators).
_LEVEL = re.compile(r"(?<=\S)\.(warning|failure|error|critical|info)\Z")
_TYPED = ("expect_column_values_to_be_of_type", "expect_column_type_to_be")


class NotASuite(Exception):
    """Readable JSON that holds no suite; the message says what it holds."""


def read_suite(document: Json, raw: RawFile) -> Reading:
    """One rule per expectation and table. Raises NotASuite."""
    expectations = suite_expectations(document)
    assert isinstance(document, dict)
    name, level = suite_name(document, raw.file)
    tags = (("suite", name),) + ((("suite_level", level),) if level else ())
    rules: list[LegacyRule] = []
    for table in suite_tables(document, raw):
        version = stated_version(document)
        context = Context(raw.file, table, raw.engine, tags, raw.parameters, version)
        rules.extend(read_expectation(e, i, context) for i, e in enumerate(expectations))
    return Reading(
        file=raw.file,
        read_as=READ_AS,
        sha256=raw.sha256,
        atoms=len(expectations),
        rules=tuple(rules),
        type_names=_type_names(expectations),
    )


def suite_expectations(document: Json) -> list[Json]:
    if not isinstance(document, dict):
        raise NotASuite(f"JSON that holds {_a(document)} and no suite")
    expectations = document.get("expectations")
    if not isinstance(expectations, list):
        keys = ", ".join(key[:40] for key in sorted(document)[:5]) or "nothing"
        raise NotASuite(f"JSON without a list of expectations (its keys: {keys})")
    typed = any(isinstance(type_of(e), str) for e in expectations)
    if expectations and not typed and not _is_signed(document):
        raise NotASuite("JSON whose expectations have neither type nor expectation_type")
    return expectations


def _is_signed(document: Mapping[str, Json]) -> bool:
    """Whether only Great Expectations writes such a document."""
    meta = document.get("meta")
    versions = ("great_expectations_version", "great_expectations.__version__")
    return "expectation_suite_name" in document or (
        isinstance(meta, dict) and any(key in meta for key in versions)
    )


def suite_name(document: Mapping[str, Json], file: str) -> tuple[str, str | None]:
    """The suite's own name and, where the name ends in one, its level."""
    keys = ("name", "expectation_suite_name", "data_asset_name", "dataset_name")
    names = [n for n in (document.get(k) for k in keys) if isinstance(n, str) and n.strip()]
    name = names[0] if names else PurePosixPath(file).stem
    ending = _LEVEL.search(name)
    return name, ending.group(1) if ending else None


def suite_tables(document: Mapping[str, Json], raw: RawFile) -> tuple[Table, ...]:
    """Those that were stated for the suite, else one of its own name."""
    name, level = suite_name(document, raw.file)
    stem = name.removesuffix(f".{level}") if level else name
    stated = raw.tables_of((name, stem))
    return tuple(Table(t) for t in stated) or (Table(stem, stated=False),)


def _type_names(expectations: list[Json]) -> Mapping[str, str]:
    """Column -> the one type that the suite claims for it; a column with two claims has none."""
    claims: dict[str, set[str]] = {}
    for element in expectations:
        kwargs = element.get("kwargs") if isinstance(element, dict) else None
        if type_of(element) not in _TYPED or not isinstance(kwargs, dict):
            continue
        if kwargs.get("mostly") not in (None, 1) or kwargs.get("row_condition"):
            continue  # a claim about some of the records
        column, claimed = kwargs.get("column"), kwargs.get("type_")
        if isinstance(column, str) and isinstance(claimed, str):
            claims.setdefault(column, set()).add(claimed)
    return {column: names.pop() for column, names in claims.items() if len(names) == 1}


def _a(document: Json) -> str:
    return {list: "a list", str: "a text", bool: "true or false"}.get(type(document), "a value")
