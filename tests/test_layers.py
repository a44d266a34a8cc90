"""What is imported when: the layers are contracts in pyproject.toml, the start-up is here."""

import json
import subprocess
import sys

import pytest

# Each costs 0.2 to 6 seconds and up to 110 MB.
HEAVY = {"duckdb", "great_expectations", "openpyxl", "pandas", "pyspark"}

ALL_MODULES = """
import importlib, json, pkgutil, sys
import ruleferry.cli, ruleferry.converters as rooms
names = [m.name for m in pkgutil.walk_packages(rooms.__path__, rooms.__name__ + ".")]
for name in names: importlib.import_module(name)
print(json.dumps([names, sorted(sys.modules)]))
"""


@pytest.fixture(scope="module")
def imported() -> tuple[set[str], set[str]]:
    """Our modules, and all modules that importing them brings in."""
    run = subprocess.run([sys.executable, "-c", ALL_MODULES], check=True, capture_output=True)
    ours, everything = json.loads(run.stdout)
    return set(ours), set(everything)


def test_importing_our_modules_imports_no_heavy_tool(imported):
    ours, everything = imported
    assert "ruleferry.converters.rule" in ours
    assert everything & HEAVY == set()


# What a command that converts nothing has no use for: a tenth of a second together.
OF_CONVERSIONS = ("readers.great_expectations", "express.moulds", "express.regex_engines")


def test_a_rehearsal_imports_neither_the_readers_nor_the_rooms_of_conditions():
    script = "import sys, ruleferry.converters.proof.rehearsal_duckdb as _; print(*sys.modules)"
    script = f"import ruleferry.converters.schemas; {script}"
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    modules = run.stdout.split()
    assert "ruleferry.converters.express" in modules
    assert {f"ruleferry.converters.{room}" for room in OF_CONVERSIONS} & {*modules} == set()
