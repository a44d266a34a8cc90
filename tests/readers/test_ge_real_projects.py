"""Projects, checkpoints and results made by running Great Expectations 1.24 and 0.18.22.

What stands in them says the same as the suite itself does.
"""

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from suites import convert, ledger

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "samples/orders/suites/orders.json"
SUITE = "gx/expectations/orders/warning.json"
RULES = 9  # of the sample


def made(python, script, out):
    run = [python, ROOT / "tests" / script, SAMPLE, out]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return out


@pytest.fixture(scope="module")
def new(tmp_path_factory):
    return made(sys.executable, "readers/new_project.py", tmp_path_factory.mktemp("new") / "p")


@pytest.fixture(scope="module")
def old(gx018, tmp_path_factory):
    return made(gx018.python, "gx_0_18/old_project.py", tmp_path_factory.mktemp("old") / "p")


def said(entry):
    """What an entry says, wherever it was found."""
    gap = entry.get("gap", {}).get("code")
    condition, grade = entry.get("condition"), entry.get("grade")
    return entry["kind"], tuple(entry["columns"]), entry["outcome"], condition, grade, gap


def converted(folder, *given, **options):
    """What the entries of one conversion say, and how often."""
    convert(folder, *given, **options)
    entries = ledger(folder)["entries"]
    return Counter(map(said, entries)), entries


def alone(project, pattern, folder, **options):
    """The conversion of one file of a project, away from all others."""
    (found,) = project.glob(pattern)
    folder.mkdir()
    shutil.copy(found, folder / found.name)
    return converted(folder, found.name, **options)


RESULTS_OF_NEW = [
    ("gx/uncommitted/validations/**/lite-its_orders.json", "sqlite", True),
    ("gx/uncommitted/validations/**/frames-a_frame.json", "pandas", False),
    ("checkpoint_result.json", "sqlite", False),
]
RESULTS_OF_OLD = [
    ("gx/uncommitted/validations/**/fluent-its_orders.json", "sqlite", True),
    ("validator.json", "pandas", False),
    ("dataset.json", "pandas", False),
]


def check_result(project, pattern, engine, states_table, tmp_path):
    suite, _ = alone(project, SUITE, tmp_path / "suite", engine=engine)
    result, entries = alone(project, pattern, tmp_path / "result", engine=engine)
    assert result == suite
    assert sum(suite.values()) == RULES
    assert Counter(outcome for _, _, outcome, *_ in suite.elements())["record"] == 5
    if states_table:
        assert {entry["table"] for entry in entries} == {"orders"}
    text = (tmp_path / "result/expectations/ledger.json").read_text()
    assert "unexpected_list" not in text  # nothing of the data


@pytest.mark.parametrize(("pattern", "engine", "states_table"), RESULTS_OF_NEW)
def test_a_result_of_1_24_says_what_its_suite_says(new, pattern, engine, states_table, tmp_path):
    check_result(new, pattern, engine, states_table, tmp_path)


@pytest.mark.parametrize(("pattern", "engine", "states_table"), RESULTS_OF_OLD)
def test_a_result_of_0_18_says_what_its_suite_says(old, pattern, engine, states_table, tmp_path):
    check_result(old, pattern, engine, states_table, tmp_path)


def test_a_checkpoint_result_of_0_18_holds_both_of_its_runs(old, tmp_path):
    suite, _ = alone(old, SUITE, tmp_path / "suite", engine="sqlite")
    _, entries = alone(old, "checkpoint_result.json", tmp_path / "result", engine="sqlite")
    for table in ("main.orders", "orders"):
        assert Counter(said(e) for e in entries if e["table"] == table) == suite
    assert len(entries) == 2 * RULES


def check_project(project, runs, tmp_path):
    """The suite speaks; every run repeats it; the table and the engine come from the project."""
    folder = tmp_path / "whole"
    shutil.copytree(project, folder)
    _, entries = converted(folder, ".")
    own = [e for e in entries if e["origin"]["file"] == SUITE]
    assert [(e["table"], e["origin"]["engine"]) for e in own] == [("orders", "sqlite")] * RULES
    suite, _ = alone(project, SUITE, tmp_path / "suite", engine="sqlite")
    assert Counter(map(said, own)) == suite
    others = [e for e in entries if e["origin"]["file"] != SUITE]
    assert len(others) == RULES * runs
    assert {e["outcome"] for e in others} == {"merged"}
    assert {e["merged_into"] for e in others} <= {e["id"] for e in own}


def test_a_whole_project_of_0_18(old, tmp_path):
    check_project(old, 6, tmp_path)


def test_a_whole_project_of_1_24(new, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(new, folder)
    (folder / "checkpoint_result.json").unlink()  # it does not tell its suite
    check_project(folder, 2, tmp_path)


def test_used_files_say_what_for(new, tmp_path):
    folder = tmp_path / "whole"
    shutil.copytree(new, folder)
    convert(folder, ".")
    sources = {s["file"]: s.get("why") for s in ledger(folder)["sources"] if s["read_as"] == "used"}
    assert sources == {
        "gx/checkpoints/nightly.json": "a checkpoint of the validation definition on_table",
        "gx/great_expectations.yml": "the configuration of a Great Expectations project",
        "gx/validation_definitions/on_frame.json": "tells what orders.warning runs on",
        "gx/validation_definitions/on_table.json": "tells what orders.warning runs on",
    }
