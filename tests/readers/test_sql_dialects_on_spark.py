"""The promises on real Spark for whole scripts: every condition is TRUE or FALSE for every row."""

import re
from collections import defaultdict

import pytest
from hostile_rows import rows_of, told_apart
from sql_cases import PARAMETERS, cases, converted
from sql_whole_scripts import COLUMNS
from sql_whole_scripts import converted as converted_scripts
from sqlglot import exp

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.proof.frames import spark_frame
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.pipeline import run_module

# What a column that no schema states may be.
ANY = ("string", "decimal(12,2)", "timestamp")


def _conditions(ledger_entries):
    return [e for e in ledger_entries if e["outcome"] == "record"]


def _types(stated: dict, table: str) -> dict[str, str]:
    found = {}
    for part in re.split(r",\s*(?![^(<]*[)>])", stated.get(table, "")):
        if part.strip():
            name, kind = re.fullmatch(r"(`[^`]+`|\S+) (.+)", part.strip()).groups()
            found[name.strip("`").lower()] = kind
    return found


@pytest.fixture(scope="module")
def asked(shared, tmp_path_factory):
    """(condition, lower-case column -> type or None) of every rule, with a schema and without."""
    made = []
    for file, stated in COLUMNS.items():
        typed = converted_scripts((file,), tmp_path_factory.mktemp("t"), typed=True)["entries"]
        made += [(e["condition"], _types(stated, e["table"])) for e in _conditions(typed)]
        bare = converted_scripts((file,), tmp_path_factory.mktemp("u"), typed=False)["entries"]
        made += [(e["condition"], None) for e in _conditions(bare)]
    wanted = defaultdict(list)
    for case in cases(shared):
        wanted[case.file].append(case)
    for file, of_file in wanted.items():
        path = shared / "cases/sql" / file
        folder = tmp_path_factory.mktemp("c")
        found = converted(path, of_file[0].dialect, [], folder, PARAMETERS)
        made += [(e["condition"], None) for e in _conditions(found)]
    return made


def _renamed(condition: str, number: int, types, kind: str):
    """With columns of its own, so that all conditions are judged in one select."""
    tree = parse_condition(condition)
    columns = {}
    for column in tree.find_all(exp.Column):
        first = column.parts[0]
        known = kind if types is None else types.get(first.name.lower(), "string")
        name = f"c{number}_{first.name}".lower()
        columns[name] = parse_type(known)
        first.set("this", name)
        first.set("quoted", True)
    return tree.sql("databricks"), columns


def _is_of_text(condition: str) -> bool:
    """TO_DATE(x, '…') in Spark's own SQL."""
    return re.search(r"\btry_to_timestamp\(\w+,", condition) is not None


def test_every_condition_is_true_or_false_on_hostile_rows(asked, spark):
    conditions, columns = {}, {}
    for number, (condition, types) in enumerate(asked):
        for kind in ANY if types is None else ANY[:1]:
            if types is None and kind.startswith("decimal") and _is_of_text(condition):
                continue  # nor does the script itself run on such a column
            name = f"{kind[:2]}{number}"
            made, own = _renamed(condition, len(conditions), types, kind)
            conditions[name] = made
            columns |= own
    kept = told_apart(conditions)
    used = {n.name for c in kept.values() for n in parse_condition(c).find_all(exp.Identifier)}
    rows = rows_of({name: kind for name, kind in columns.items() if name in used}, 40)
    verdicts = judge(kept, rows, spark)
    assert verdicts.rejected == {}
    wrong = [conditions[n] for n, told in verdicts.verdicts.items() if set(told) - {*"TF"}]
    assert wrong == []
    assert len(verdicts.verdicts) > 150


# Flags, queries and figures -----------------------------------------------------------------------


@pytest.mark.parametrize("file", ["catalogue_postgres.sql", "web_spark.sql"])
def test_modules_with_flags_and_figures_run(file, spark, tmp_path):
    ledger = converted_scripts((file,), tmp_path, typed=True)
    tables = {name: _types(COLUMNS[file], name) for name in COLUMNS[file]}
    frames = {
        name: spark_frame(rows_of({c: parse_type(k) for c, k in columns.items()}, 5), spark)
        for name, columns in tables.items()
    }
    ran = set()
    for module in sorted((tmp_path / "expectations").glob("*_expectations.py")):
        run = run_module(module.read_text("utf-8"), spark, frames)
        ran |= {counted.name for counted in run.expectations}
    action = {"warn", "drop"}
    wanted = {e["name"] for e in ledger["entries"] if e.get("action") in action}
    assert wanted <= ran
