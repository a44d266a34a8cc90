"""The promises on all public dictionaries: books, modules, and conditions on Spark."""

import json
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from hostile_rows import rows_of, told_apart
from spreadsheet_truth_books import BOOKS
from spreadsheet_truth_csv import CSV
from spreadsheet_truth_large import LARGE
from spreadsheet_truth_lists import LISTS
from sqlglot import exp

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import load_config
from ruleferry.converters.conversion import convert
from ruleferry.converters.express.functions import function
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.reports.books import imbalances

PROFILES = Path(__file__).parent / "profiles"
# A run of a type takes half a minute.
TYPES = (
    "string",
    "bigint",
    *(
        pytest.param(kind, marks=pytest.mark.more)
        for kind in ("decimal(12,3)", "double", "date", "timestamp", "boolean")
    ),
)


@pytest.fixture(scope="module")
def converted(shared, tmp_path_factory):
    """(folder, conversion) of all dictionaries in one run, each with its profile if it has one."""
    folder = tmp_path_factory.mktemp("dictionaries")
    shutil.copytree(shared / "corpus/spreadsheets", folder / "sheets")
    shutil.copytree(PROFILES, folder / "profiles")
    told = [f'[[source]]\npath = ["sheets/{f.name}"]\n{_profile(f)}' for f in ALL]
    (folder / "ruleferry.toml").write_text("\n".join(told), encoding="utf-8")
    return folder, convert(load_config(None, folder))


ALL = (*CSV, *LISTS, *BOOKS, *LARGE)


def _profile(file) -> str:
    return f'profile = "profiles/{file.profile}"\n' if file.profile else ""


def of_records(done) -> dict[str, str]:
    """Name -> condition of every rule on the record alone."""
    return {
        f"{module.stem}.{rule.name}": rule.condition
        for module in done.modules
        for rule in module.rules
        if rule.outcome == "record"
    }


def test_the_books_balance_and_the_ledger_is_as_its_schema_says(converted):
    folder, done = converted
    written = json.loads((folder / "expectations/ledger.json").read_text("utf-8"))
    schema = json.loads((files("ruleferry") / "mappings/ledger.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(written)
    assert imbalances(done.ledger) == ()
    assert sum(source["atoms"] for source in written["sources"]) > 25_000


def test_each_gap_is_asked_about_and_each_that_is_no_rule_has_its_reason(converted):
    _, done = converted
    asked = {entry for question in done.ledger.questions for entry in question.entries}
    assert [e for e in done.ledger.entries if e.outcome == "gap" and e.id not in asked] == []
    assert [e for e in done.ledger.entries if e.outcome == "not_a_rule" and not e.reason] == []


def test_the_words_of_the_reports_are_those_of_a_workbook(converted):
    _, done = converted
    told = [e.gap.reason for e in done.ledger.entries if e.gap]
    told += [caveat.detail for e in done.ledger.entries for caveat in e.caveats]
    assert [text for text in told if "suite" in text or "Great Expectations" in text] == []


def test_every_module_passes_ruff(converted):
    folder, _ = converted
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "expectations"]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "All checks passed!\n")


def test_every_condition_is_one_expression_over_one_record(converted):
    _, done = converted
    illegal = (exp.Query, exp.Window, exp.AggFunc, exp.Command, exp.Placeholder, exp.Star)
    conditions = told_apart(of_records(done))
    assert len(conditions) > 100
    for condition in conditions.values():
        tree = parse_condition(condition)
        assert not list(tree.find_all(*illegal)), condition
        for call in tree.find_all(exp.Anonymous):
            assert function(str(call.this).lower(), len(call.expressions)), condition


def test_a_second_run_writes_the_same(converted, tmp_path):
    folder, done = converted
    shutil.copytree(folder, tmp_path / "again", ignore=shutil.ignore_patterns("expectations"))
    convert(load_config(None, tmp_path / "again"))
    for file in done.written:
        again = (tmp_path / "again/expectations" / file).read_bytes()
        assert again == (folder / "expectations" / file).read_bytes()


@pytest.mark.parametrize("kind", TYPES)
def test_conditions_are_true_or_false_for_every_row(spark, converted, kind):
    """No types were given, so that a column may have any."""
    _, done = converted
    conditions = told_apart(of_records(done))
    assert len(conditions) > 100
    names = {
        ".".join(part.name for part in column.parts)
        for condition in conditions.values()
        for column in parse_condition(condition).find_all(exp.Column)
    }
    columns = {name.lower(): parse_type(kind) for name in names}
    verdicts = judge(conditions, rows_of(columns), spark)
    assert verdicts.rejected == {}
    wrong = [conditions[n] for n, told in verdicts.verdicts.items() if set(told) - {*"TF"}]
    assert wrong == []
