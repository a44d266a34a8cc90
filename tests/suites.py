"""Suites written by hand, and conversions of them in a folder of the test's own."""

import ast
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ruleferry.converters import conversion
from ruleferry.converters.config import load_config
from ruleferry.converters.conversion import Conversion
from ruleferry.converters.options import Options, with_options

Expectation = dict[str, object]


def values(what: str, column: str, **kwargs) -> Expectation:
    """`expect_column_values_to_<what>` of Great Expectations 1.x."""
    return {"type": f"expect_column_values_to_{what}", "kwargs": {"column": column, **kwargs}}


def present(column: str) -> Expectation:
    return values("not_be_null", column)


def between(column: str, low: object = None, high: object = None) -> Expectation:
    bounds = {"min_value": low, "max_value": high}
    return values("be_between", column, **{k: v for k, v in bounds.items() if v is not None})


def no_rows(where: str) -> Expectation:
    """A query that must find nothing, in Spark SQL."""
    query = f"SELECT * FROM {{batch}} WHERE {where}"
    return {"type": "unexpected_rows_expectation", "kwargs": {"unexpected_rows_query": query}}


def suite(name: str, *expectations: Expectation) -> dict[str, object]:
    meta = {"great_expectations_version": "1.2.0"}
    return {"name": name, "expectations": list(expectations), "meta": meta}


def write(folder: Path, files: Mapping[str, object]) -> None:
    """Each file: a text, bytes, or what becomes JSON."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content)
            path.write_text(text, "utf-8", newline="")


def convert(
    folder: Path, *given: str, force=False, partial=False, all_reports=False, **options
) -> Conversion:
    """As `ruleferry convert` in that folder; `options` are those of the command line.

    A workbook costs more than all else of a small conversion, so there is the short report alone.
    """
    config = with_options(load_config(None, folder), Options(**options))
    if not all_reports:
        config = replace(config, reports=("md",))
    return conversion.convert(config, given or ("suites",), partial=partial, force=force)


def outputs(folder: Path) -> dict[str, bytes]:
    """Every file of the output folder, temporary ones too."""
    out = folder / "expectations"
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()}


def ledger(folder: Path) -> dict:
    return json.loads((folder / "expectations/ledger.json").read_text("utf-8"))


def entries(folder: Path) -> dict[str, dict]:
    """The entries of the ledger by name."""
    return {entry["name"]: entry for entry in ledger(folder)["entries"]}


@dataclass(frozen=True)
class Converted:
    """A folder and what a conversion made of it."""

    folder: Path
    done: Conversion

    @property
    def files(self) -> dict[str, bytes]:
        return outputs(self.folder)

    @property
    def modules(self) -> dict[str, str]:
        """stem -> text."""
        ending = "_expectations.py"
        return {
            file.removesuffix(ending): data.decode("utf-8")
            for file, data in self.files.items()
            if file.endswith(ending)
        }


CORPUS = "great_expectations"


def convert_corpus(shared: Path, folder: Path, config: str = "", **options) -> Converted:
    """All public suites, copied into a folder and converted there."""
    shutil.copytree(shared / "corpus" / CORPUS, folder / CORPUS)
    if config:
        write(folder, {"ruleferry.toml": config})
    return Converted(folder, convert(folder, CORPUS, **options))


_DICTIONARIES = {
    "RULES_FAIL": "fail",
    "RULES_DROP": "drop",
    "RULES_WARN": "warn",
    "FIGURE_RULES_FAIL": "fail",
    "FIGURE_RULES_WARN": "warn",
    "SCHEMA_RULES_FAIL": "fail",
    "SCHEMA_RULES_WARN": "warn",
}


def rules_of(text: str) -> dict[str, tuple[str, str]]:
    """name -> action, condition of a module, read by means of the tests' own."""
    found: dict[str, tuple[str, str]] = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id in _DICTIONARIES:
            rules = ast.literal_eval(statement.value)
            action = _DICTIONARIES[statement.targets[0].id]
            assert not found.keys() & rules.keys()
            found |= {name: (action, condition) for name, condition in rules.items()}
    return found
