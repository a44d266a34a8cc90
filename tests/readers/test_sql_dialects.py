"""Whole scripts of ETL jobs, one of each dialect, converted as a user would."""

import ast
import json
import shutil
import subprocess
import sys
from collections import Counter

import pytest
from sql_whole_scripts import COLUMNS, FOLDER, converted, dialect_of, expected
from typer.testing import CliRunner

from ruleferry import cli
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.mappings import table

FILES = tuple(sorted(COLUMNS))
# What is no gap only once the columns' types are known.
BY_TYPE = {
    ("claims_oracle.sql", "line 11"): "dialect_meaning",
    ("events_bigquery.sql", "line 22"): "type_mismatch",
    ("events_bigquery.sql", "line 26, branch 2"): "dialect_meaning",
    ("spectrum_redshift.sql", "line 5"): "type_needed",
}
# The one statement of each that is broken, and what is asked of a person beside it.
ASKED = {
    "claims_oracle.sql": {"not_readable", "never_fails"},
    "sensors_databricks.sql": {"not_readable", "unsupported_query"},
    "spectrum_redshift.sql": {"not_readable", "unknown_shape"},
    "trades_impala.sql": {"not_readable", "parameter", "rule_or_filter", "unknown_shape"},
}


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory):
    return {f: converted((f,), tmp_path_factory.mktemp("typed"), typed=True) for f in FILES}


@pytest.fixture(scope="module")
def untyped(tmp_path_factory):
    folder = tmp_path_factory.mktemp("untyped")
    return converted(FILES, folder, typed=False), folder


def _told(entry) -> dict:
    rule = entry["outcome"] != "not_a_rule"
    return {
        "file": entry["origin"]["file"],
        "place": entry["origin"]["place"],
        "outcome": entry["outcome"],
        "name": entry["name"] if rule else "",
        "table": entry["table"] if rule else "",
        "action": entry.get("action", ""),
        "kind": entry["kind"] if rule else "",
    }


def test_there_is_a_script_of_every_dialect():
    assert {dialect_of(file) for file in FILES} == sql_dialects().keys() - {"sql", "duckdb"}


@pytest.mark.parametrize("file", FILES)
def test_what_becomes_of_every_statement(ledgers, file):
    wanted = [row for row in expected() if row["file"] == file]
    assert [_told(entry) for entry in ledgers[file]["entries"]] == wanted


@pytest.mark.parametrize("file", FILES)
def test_what_is_asked_of_a_person(ledgers, file):
    codes = {e["gap"]["code"] for e in ledgers[file]["entries"] if e["outcome"] == "gap"}
    assert codes == ASKED.get(file, {"not_readable"})


def test_without_types_nothing_else_becomes_of_them(untyped):
    ledger, _ = untyped
    rows = {(row["file"], row["place"]): row for row in expected()}
    other = {}
    for entry in ledger["entries"]:
        told = _told(entry)
        if told != rows[(told["file"], told["place"])]:
            other[(told["file"], told["place"])] = entry["gap"]["code"]
    assert other == BY_TYPE
    assert len(ledger["entries"]) == len(rows)


# What a project gets ------------------------------------------------------------------------------


def test_the_ledger_balances_and_is_valid(untyped):
    import jsonschema

    ledger, _ = untyped
    jsonschema.validate(ledger, json.loads((table_path()).read_text("utf-8")))
    counts = Counter(entry["origin"]["file"] for entry in ledger["entries"])
    atoms = {(e["origin"]["file"], e["atom"]) for e in ledger["entries"]}
    for source in ledger["sources"]:
        assert source["entries"] == counts[source["file"]] == sum(source["outcomes"].values())
        assert source["atoms"] == sum(file == source["file"] for file, _ in atoms)


def table_path():
    return FOLDER.parents[2] / "mappings/ledger.schema.json"


def test_its_modules_parse_and_are_in_good_style(untyped):
    _, folder = untyped
    modules = sorted((folder / "expectations").rglob("*.py"))
    assert modules
    for module in modules:
        ast.parse(module.read_text("utf-8"))
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", *modules]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def _files(folder):
    made = folder / "expectations"
    return {p.relative_to(made): p.read_bytes() for p in made.rglob("*") if p.is_file()}


def test_a_second_run_and_another_order_write_the_same_bytes(untyped, tmp_path):
    _, folder = untyped
    first = _files(folder)
    again, turned = tmp_path / "again", tmp_path / "turned"
    again.mkdir()
    turned.mkdir()
    converted(FILES, again, typed=False)
    assert _files(again) == first
    converted(FILES[::-1], turned, typed=False)
    assert _files(turned) == first


def test_the_command_converts_a_script(tmp_path):
    shutil.copy(FOLDER / "claims_oracle.sql", tmp_path)
    command = [sys.executable, "-m", "ruleferry", "convert", "claims_oracle.sql"]
    command += ["--dialect", "oracle", "--out", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    entries = json.loads((tmp_path / "out/ledger.json").read_text("utf-8"))["entries"]
    names = {entry["name"] for entry in entries if entry["outcome"] == "record"}
    assert {"clm_001", "clm_003", "clm_008", "clm_009", "bad_zip"} <= names


def test_no_password_of_a_log_on_leaves_the_script(untyped):
    _, folder = untyped
    assert b"secret" in (folder / "billing_teradata.btq").read_bytes()
    assert not [path for path, content in _files(folder).items() if b"secret" in content]


# Statements that are told apart -------------------------------------------------------------------

# dialect, script, (outcome, action, name) of each entry in order
SMALL = [
    ("databricks", "SELECT raise_error('DQ-1 no mail') FROM t WHERE mail IS NULL;",
     [("record", "fail", "dq_1")]),
    ("spark", "SELECT raise_error('DQ-1'), id FROM t WHERE mail IS NULL;",
     [("record", "fail", "dq_1")]),
    ("spark", "SELECT assert_true(mail IS NOT NULL, 'DQ-2 mail') FROM t;",
     [("record", "fail", "dq_2")]),
    ("spark", "SELECT assert_true(count(*) = 0, 'DQ-3') FROM t WHERE mail IS NULL;",
     [("record", "fail", "dq_3")]),
    ("spark", "SELECT assert_true((SELECT count(*) FROM t WHERE mail IS NULL) = 0, 'DQ-4');",
     [("record", "fail", "dq_4")]),
    ("spark", "SELECT concat('x', raise_error('DQ-5')) FROM t WHERE a IS NULL;",
     [("gap", None, "script")]),
    ("spark", "SELECT raise_error(concat('DQ-6', count(*))) FROM t WHERE a IS NULL;",
     [("gap", None, "dq_6")]),
    ("impala", "INVALIDATE METADATA t; COMPUTE STATS t; REFRESH t;",
     [("not_a_rule", None, None)] * 3),
    ("db2", "CONNECT TO core; RUNSTATS ON TABLE t; CONNECT RESET;",
     [("not_a_rule", None, None)] * 3),
    ("mysql", "OPTIMIZE TABLE t; VACUUM WHERE a IS NULL;",
     [("not_a_rule", None, None), ("gap", None, None)]),
    ("tsql", "SET NOCOUNT ON\n\nIF EXISTS (SELECT 1 FROM t WHERE a IS NULL)\n"
     "  THROW 50001, 'DQ-7', 1\nDELETE FROM t WHERE b < 0\n",
     [("record", "fail", "dq_7"), ("record", "drop", "script")]),
    ("spark", "INSERT INTO rejected SELECT id, 'DQ-8' FROM t WHERE a IS NULL;\n"
     "INSERT INTO clean SELECT * FROM t WHERE a IS NOT NULL;",
     [("merged", None, "dq_8"), ("record", "drop", "dq_8")]),
    ("mysql", "UPDATE t SET is_valid = 0, err = 'DQ_9' WHERE a < 1;",
     [("record", "warn", "dq_9")]),
    ("mysql", "UPDATE t SET err = 'no error' WHERE a < 1;", [("gap", None, "script")]),
    ("impala", "SELECT (SELECT COUNT(*) FROM t) - (SELECT COUNT(*) FROM u) AS diff;",
     [("gap", None, "diff")]),
    ("postgres", "SELECT SUM(CASE WHEN COALESCE(a, '') = '' THEN 1 ELSE 0 END) AS dq_10_a, "
     "SUM(CASE WHEN b < 0 THEN 1 ELSE 0 END) AS dq_11_b FROM t;",
     [("record", "warn", "dq_10_a"), ("record", "warn", "dq_11_b")]),
    # The number belongs to what is counted, and not to a rule.
    ("postgres", "SELECT SUM(CASE WHEN age IS NULL THEN 1 ELSE 0 END) AS age_00_none, "
     "SUM(CASE WHEN age BETWEEN 18 AND 25 THEN 1 ELSE 0 END) AS age_18_25 FROM t;",
     [("record", "warn", "age_00_none"), ("gap", None, "age_18_25")]),
    ("tsql", "SELECT SUM(CASE WHEN c LIKE '%[^A-Z]%' THEN 1 ELSE 0 END) AS odd FROM t;",
     [("record", "warn", "odd")]),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text", "wanted"), SMALL)
def test_small_scripts(dialect, text, wanted, tmp_path):
    entries = _converted(text, dialect, tmp_path)
    found = [(e["outcome"], e.get("action"), e["name"]) for e in entries]
    assert [(o, a) for o, a, _ in found] == [(o, a) for o, a, _ in wanted]
    assert all(name in (None, own) for (_, _, own), (_, _, name) in zip(found, wanted, strict=True))


def _converted(text, dialect, folder, *more):
    (folder / "script.sql").write_text(text, "utf-8")
    out = folder / "out"
    script = str(folder / "script.sql")
    command = ["convert", script, "--dialect", dialect, "--out", str(out), "--quiet", *more]
    done = CliRunner().invoke(cli.app, command)
    assert (done.exit_code, done.stderr) == (0, "")
    return json.loads((out / "ledger.json").read_text("utf-8"))["entries"]


LOADED = "DEFINE run_dt = '2024-03-01'\nSELECT id FROM t WHERE a < 0 AND load_dt = '&run_dt';\n"


@pytest.mark.parametrize("given", [(), ("--param", "run_dt=2024-04-01")])
def test_a_known_load_does_not_tie_the_rule_to_it(given, tmp_path):
    (entry,) = _converted(LOADED, "oracle", tmp_path, *given)
    assert "load_dt" not in entry["condition"]
    assert [c["code"] for c in entry["caveats"] if c["code"] == "load_filter"]


def test_a_value_that_is_no_load_is_a_part_of_the_rule(tmp_path):
    text = "DEFINE kind = 'X'\nSELECT id FROM t WHERE a < 0 AND kind = '&kind';\n"
    (entry,) = _converted(text, "oracle", tmp_path)
    assert "'X'" in entry["condition"]


def test_the_reasons_for_housekeeping_come_from_the_mapping(ledgers):
    known = set(table("sql_tables")["first_words"].values())
    told = {e["reason"] for e in ledgers["stock_netezza.sql"]["entries"] if "reason" in e}
    assert told <= known
