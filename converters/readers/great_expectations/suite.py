"""A suite's document (Great Expectations 0.7 to 1.x, and mixtures) -> its rule set."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from ruleferry.converters.readers.great_expectations.data import engine_of_class, text, words
from ruleferry.converters.readers.great_expectations.expectation import noted, type_of
from ruleferry.converters.readers.great_expectations.home_made import in_form_of_suite, names_one
from ruleferry.converters.readers.great_expectations.rule_set import RuleSet
from ruleferry.converters.readers.great_expectations.version import stated_version
from ruleferry.converters.readers.json_text import Json

# Endings that 0.8 to 0.13 gave to suites of different severity (its validation operators).
_LEVEL = re.compile(r"(?<=\S)\.(warning|failure|error|critical|info)\Z")
_TYPED = ("expect_column_values_to_be_of_type", "expect_column_type_to_be")


class NotASuite(Exception):
    """A readable document that holds no suite; the message says what it holds."""


def suite_of(document: Json, file: str) -> RuleSet:
    """Raises NotASuite."""
    expectations = suite_expectations(document, _form(file))
    assert isinstance(document, dict)
    name, level = suite_name(document, file)
    datasource, asset = _asset(document)
    elements = [in_form_of_suite(element) for element in expectations]
    return RuleSet(
        kind="suite",
        file=file,
        name=name,
        level=level,
        datasource=datasource,
        asset=asset,
        table=text(document, "table") or text(document, "table_name") or None,
        elements=elements,
        stated=expectations if elements != expectations else (),
        places=[f"expectations[{i}]" for i in range(len(expectations))],
        tags=_suite_tags(document),
        engine=engine_of_class(text(document, "data_asset_type")),
        version=stated_version(document),
        parameters=words(document, "evaluation_parameters") or words(document, "suite_parameters"),
        citations=_citations(document),
    )


def suite_expectations(document: Json, form: str) -> list[Json]:
    if not isinstance(document, dict):
        raise NotASuite(f"{form} that holds {_a(document)} and no suite")
    expectations = document.get("expectations")
    if not isinstance(expectations, list):
        keys = ", ".join(str(key)[:40] for key in sorted(document)[:5]) or "nothing"
        raise NotASuite(f"{form} without a list of expectations (its keys: {keys})")
    typed = any(isinstance(type_of(e), str) or names_one(e) for e in expectations)
    if expectations and not typed and not _is_signed(document):
        raise NotASuite(f"{form} whose expectations have neither type nor expectation_type")
    return expectations


def _form(file: str) -> str:
    return "JSON" if PurePosixPath(file).suffix.lower() == ".json" else "YAML"


def _is_signed(document: Mapping[str, Json]) -> bool:
    """Whether only Great Expectations writes such a document."""
    meta = document.get("meta")
    versions = ("great_expectations_version", "great_expectations.__version__")
    return "expectation_suite_name" in document or (
        isinstance(meta, dict) and any(key in meta for key in versions)
    )


def suite_name(document: Mapping[str, Json], file: str) -> tuple[str, str | None]:
    """The suite's own name, else that of its file; and the level that the name ends in."""
    keys = ("name", "expectation_suite_name", "suite_name", "data_asset_name", "dataset_name")
    names = [n for n in map(document.get, keys) if isinstance(n, str) and n.strip()]
    name = names[0] if names else _name_of_place(PurePosixPath(file))
    return name, level_of(name)


def _asset(document: Mapping[str, Json]) -> tuple[str, str]:
    """Datasource and name of the data: 0.7 and 0.8 had suites of one asset, of any name."""
    parts = words(document, "data_asset_name")
    if parts:
        return text(parts, "datasource"), text(parts, "generator_asset")
    found = text(document, "data_asset_name") or text(document, "dataset_name")
    if found.count("/") != 2:
        return "", found
    datasource, _, name = found.split("/")
    return datasource, name


def _name_of_place(path: PurePosixPath) -> str:
    """`expectations/a/b/warning.json` is where Great Expectations keeps a.b.warning."""
    folders = path.parts[:-1]
    below = folders[folders.index("expectations") + 1 :] if "expectations" in folders else ()
    return ".".join((*below, path.stem))


def level_of(name: str) -> str | None:
    ending = _LEVEL.search(name)
    return ending.group(1) if ending else None


def _suite_tags(document: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    """What is said of all its rules."""
    meta = words(document, "meta")
    found = {
        "owner": text(meta, "owner"),
        "suite_notes": noted(document.get("notes")) or noted(meta.get("notes")),
    }
    return tuple((name, said) for name, said in found.items() if said)


def _citations(document: Mapping[str, Json]) -> tuple[Mapping[str, Json], ...]:
    found = words(document, "meta").get("citations")
    listed = found if isinstance(found, list) else []
    return tuple(citation for citation in listed if isinstance(citation, dict))


def claimed_types(expectations: Sequence[Json]) -> Mapping[str, str]:
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
