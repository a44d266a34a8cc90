"""inspect, its drafts of profiles, explain, --json and the ledger, for dictionaries."""

import json
import shutil
from importlib.resources import files as resources
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from spreadsheet_project import HEADER, put, xlsx
from spreadsheet_truth_books import BOOKS
from spreadsheet_truth_csv import CSV
from spreadsheet_truth_large import LARGE
from spreadsheet_truth_lists import LISTS
from typer.testing import CliRunner

from ruleferry import cli

SCHEMA = json.loads((resources("ruleferry") / "mappings" / "ledger.schema.json").read_text("utf-8"))
FILES = [file.name for file in (*CSV, *LISTS, *BOOKS, *LARGE)]
ROWS = (
    ("id", "int", "Y", 1, "", "", "maybe"),
    ("state", "char(1)", "N", "", "", "A; B", ""),
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put(tmp_path, {"in/d.xlsx": xlsx(HEADER, *ROWS)})
    return tmp_path


def done(*arguments, code=0):
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == code, result.stderr
    assert "Traceback" not in result.stderr
    return result.stdout if code == 0 else result.stderr


def ledger(out="expectations"):
    found = json.loads(Path(out, "ledger.json").read_text("utf-8"))
    assert not [e.message for e in Draft202012Validator(SCHEMA).iter_errors(found)]
    return found


def made(found):
    return [(e["id"], e["name"], e.get("condition"), e["outcome"]) for e in found["entries"]]


def test_inspect_tells_how_it_is_read(folder):
    told = done("inspect", "in")
    assert "in/d.xlsx" in told
    assert "data dictionary" in told
    assert json.loads(done("inspect", "in", "--json"))
    assert not (folder / "expectations").exists()


def test_a_draft_changes_nothing_of_what_is_sure(folder):
    done("convert", "in")
    before = ledger()
    done("inspect", "in/d.xlsx", "--write-profile", "p.toml")
    done("convert", "in", "--profile", "p.toml", "--out", "again")
    assert made(ledger("again")) == made(before)
    text = (folder / "p.toml").read_text("utf-8")
    assert '# What does "Rule" say of the fields?' in text


def test_an_answer_in_the_draft_is_followed(folder):
    done("inspect", "in/d.xlsx", "--write-profile", "p.toml")
    profile = folder / "p.toml"
    profile.write_text(profile.read_text("utf-8").replace('# rule = "Rule"', 'ignore = "Rule"'))
    done("convert", "in", "--profile", "p.toml")
    assert ledger()["sources"][0]["read_as"] == "data dictionary"
    assert not [e for e in ledger()["entries"] if e["origin"]["place"] == "Fields!G2"]


def test_a_draft_does_not_overwrite(folder):
    (folder / "p.toml").write_text("mine")
    message = done("inspect", "in/d.xlsx", "--write-profile", "p.toml", code=2)
    assert "a file that is there already" in message
    assert (folder / "p.toml").read_text() == "mine"


@pytest.mark.parametrize("rule", ["in/d.xlsx:Fields!D2", "d.id_range", "id"])
def test_explain(folder, rule):
    done("convert", "in", "--quiet")
    asked = ledger()["entries"][0]["id"][:6] if rule == "id" else rule
    assert "Fields!" in done("explain", asked)
    assert json.loads(done("explain", asked, "--json"))


def test_the_ledger_is_what_json_prints(folder):
    printed = done("convert", "in", "--json")
    assert printed == (folder / "expectations/ledger.json").read_text("utf-8")
    ledger()


def outputs(out):
    return {path.name: path.read_bytes() for path in sorted(Path(out).iterdir())}


def test_the_same_bytes_in_another_folder_and_another_order(tmp_path, monkeypatch):
    made_of = []
    # Made once: what writes them puts the time into them.
    books = {"x.xlsx": xlsx(HEADER, *ROWS), "y.xlsx": xlsx(HEADER, *ROWS, name="Other")}
    for name, order in (("a", ("x.xlsx", "y.xlsx")), ("b/deep", ("y.xlsx", "x.xlsx"))):
        folder = tmp_path / name
        put(folder, books)
        monkeypatch.chdir(folder)
        done("convert", *order)
        made_of.append(outputs("expectations"))
    assert made_of[0] == made_of[1]


@pytest.mark.parametrize("name", FILES)
def test_the_ledger_of_every_public_dictionary(shared, tmp_path, monkeypatch, name):
    shutil.copy(shared / "corpus/spreadsheets" / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    done("convert", name, "--quiet")
    found = ledger()
    atoms = {(e["origin"]["file"], e["atom"]) for e in found["entries"]}
    assert sum(s["atoms"] for s in found["sources"]) == len(atoms)
    assert sum(s["entries"] for s in found["sources"]) == len(found["entries"])
