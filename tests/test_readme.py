"""What the README shows is what happens."""

import re
import shutil
from pathlib import Path

import pytest
from openpyxl import load_workbook
from typer.main import get_command
from typer.testing import CliRunner

from ruleferry import cli
from ruleferry.converters.config import load_config
from ruleferry.converters.decided import Decisions, Waived
from ruleferry.converters.decisions_file import ANSWER_KEYS, read_decisions
from ruleferry.converters.drifted import LEVELS
from ruleferry.converters.readers.spreadsheet.meaning.profile import read_profile
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import Profile
from ruleferry.converters.reports.drift import FORMATS

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str, holds: str = "") -> str:
    found = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    (text,) = (each for each in found if holds in each)
    return text


@pytest.fixture
def converted(tmp_path, monkeypatch) -> tuple[Path, str]:
    """The sample, converted in a copy: its folder and what was printed."""
    folder = tmp_path / "orders"
    shutil.copytree(ROOT / "samples/orders", folder, ignore=shutil.ignore_patterns("expectations"))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    result = CliRunner().invoke(cli.app, ["convert"])
    assert result.exit_code == 0
    return folder, result.stdout


def test_the_example_is_what_a_conversion_prints_and_writes(converted):
    folder, printed = converted
    assert block("text") == printed
    assert block("python") in (folder / "expectations/orders_expectations.py").read_text()


def test_the_rehearsal_prints_what_is_shown(spark, converted):
    (command,) = re.findall(r"```\nruleferry (rehearse .*)\n```", README)
    result = CliRunner().invoke(cli.app, command.split())
    assert result.exit_code == 0
    assert block("console", "Executed") == result.stdout


def test_the_drift_prints_what_is_shown(converted):
    folder, _ = converted
    cell, sheet = re.findall(r"the cell `(\w+)` of its\nsheet \*(\w+)\*", README)[0]
    book = load_workbook(folder / "dictionary.xlsx")
    assert book[sheet][cell].value == 15
    book[sheet][cell] = 20
    book.save(folder / "dictionary.xlsx")
    result = CliRunner().invoke(cli.app, ["drift"])
    assert result.exit_code == 1
    assert block("console", "Drift:") == result.stdout


@pytest.mark.parametrize("words", [LEVELS, FORMATS], ids=["levels", "forms"])
def test_each_level_and_form_of_drift_is_told(words):
    section = README.partition("## Drift\n")[2].partition("\n## ")[0]
    assert set(words) <= set(re.findall(r"`(\w+)`", section))


@pytest.mark.parametrize("rule", re.findall(r"`ruleferry explain ([\w.]*[a-z0-9])`", README))
def test_the_rules_of_the_example_can_be_explained(converted, rule):
    result = CliRunner().invoke(cli.app, ["explain", rule])
    assert result.exit_code == 0
    assert "orders_raw.o_orderstatus_allowed" in result.stdout


def test_each_command_is_in_the_table_and_each_in_the_table_exists():
    told = set(re.findall(r"^\| `ruleferry (\w+)", README, re.MULTILINE))
    assert told == set(get_command(cli.app).commands)


def test_each_option_that_is_told_exists():
    commands = get_command(cli.app).commands.values()
    known = {option for command in commands for p in command.params for option in p.opts}
    told = set(re.findall(r"--[a-z][a-z-]+", README)) - {"--help"}  # which every command has
    assert told <= known
    assert told


def test_the_configuration_is_one_that_is_read(tmp_path):
    (tmp_path / "ruleferry.toml").write_text(block("toml", "out ="), encoding="utf-8")
    config = load_config(None, tmp_path)
    assert config.tables["sales.orders"].name == "main.sales.orders_raw"
    assert config.actions.default == "warn"


def test_the_decision_is_one_that_is_read():
    found = read_decisions(block("toml", "[[decision]]"), "README")
    assert isinstance(found, Decisions)
    (decision,) = found.decisions
    assert decision.verdict == Waived("nobody reads the comment")
    assert [rule.id for rule in decision.rules] == ["4f0c2b7d1e9a"]


def test_each_key_of_a_decision_is_told():
    keys = set(re.findall(r"`([a-z_]+)`", README.partition("| key | what it decides |")[2]))
    assert set(ANSWER_KEYS) <= keys


def test_the_profile_is_one_that_is_read():
    profile = read_profile(block("ini"), "README")
    assert isinstance(profile, Profile)
    assert profile.sheets[0].values["required"] == {"r": True, "o": False, "cr": "conditional"}
    assert (profile.severity, profile.null_words) == ({"high": "drop"}, ("NA", "-999"))


def test_the_dictionary_of_the_sample_needs_nothing_else(tmp_path, monkeypatch):
    shutil.copy(ROOT / "samples/orders/dictionary.xlsx", tmp_path)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli.app, ["convert", "dictionary.xlsx"])
    assert result.exit_code == 0
    assert "\n  orders_raw " in result.stdout


def test_the_two_commands_of_the_set_up_are_targets():
    told = re.findall(r"```\n(make .*)\n```", README)
    assert told == ["make demo", "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)`", README)) | {"demo", "test"} <= targets
