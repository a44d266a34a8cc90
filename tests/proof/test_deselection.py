"""Without Spark or the shared data tests are deselected and counted, or the run fails."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = """
import pytest

def test_plain():
    pass

@pytest.mark.parametrize("number", [1, 2])
def test_data(shared, number):
    assert shared.is_dir()

def test_judge(spark):
    pass
"""


def run(tmp_path: Path, *arguments: str, **variables: str) -> tuple[int, str]:
    """The exit code and the output of a run of three tests with our conftest."""
    for name in ("conftest.py", "office.py", "chromium.py", "postgres_server.py"):
        shutil.copy(Path(__file__).parents[1] / name, tmp_path)
    (tmp_path / "test_it.py").write_text(TESTS)
    kept = {k: v for k, v in os.environ.items() if k not in ("CI", "RULEFERRY_REQUIRE")}
    finished = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path,
         *arguments, tmp_path],
        cwd=tmp_path, env={**kept, **variables}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return finished.returncode, finished.stdout + finished.stderr


def test_deselected_and_counted(tmp_path):
    code, output = run(tmp_path, RULEFERRY_SHARED="/absent", JAVA_HOME="/absent")
    assert code == 0
    assert "2 tests deselected: no shared data at /absent (set RULEFERRY_SHARED)" in output
    assert "1 tests deselected: no Spark" in output
    assert "1 passed, 3 deselected" in output


@pytest.mark.parametrize("required", [{"CI": "true"}, {"RULEFERRY_REQUIRE": "1"}])
@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        ({"RULEFERRY_SHARED": "/absent"}, "no shared data at /absent"),
        ({"JAVA_HOME": "/absent"}, "no Spark"),
    ],
)
def test_a_run_that_requires_them_fails(tmp_path, required, lacking, told):
    found = {"RULEFERRY_SHARED": str(tmp_path)}
    code, output = run(tmp_path, **{**found, **lacking, **required})
    assert code == 4
    assert told in output
    assert "tests can't run, and all are required" in output


def test_what_is_not_chosen_is_not_required(tmp_path):
    code, output = run(tmp_path, "-k", "plain", RULEFERRY_SHARED="/absent", CI="true")
    assert code == 0
    assert "1 passed" in output


def test_with_the_data_its_tests_run(tmp_path):
    code, output = run(tmp_path, "-k", "plain or data", RULEFERRY_SHARED=str(tmp_path), CI="true")
    assert code == 0
    assert "3 passed" in output
