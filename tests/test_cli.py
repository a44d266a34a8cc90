"""The command line, end to end: what is printed where, what is written, and the exit codes."""

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

import ruleferry
from ruleferry import cli
from ruleferry.converters.errors import Fault, InputFaults

VALUES = "expect_column_values_to_"
SUITE = {
    "name": "orders",
    "expectations": [
        {"type": f"{VALUES}not_be_null", "kwargs": {"column": "o_orderkey"}},
        {
            "type": f"{VALUES}be_in_set",
            "kwargs": {"column": "o_orderstatus", "value_set": ["F", "O", "P"]},
        },
        {"type": f"{VALUES}be_dateutil_parseable", "kwargs": {"column": "o_comment"}},
    ],
    "meta": {"great_expectations_version": "1.2.0"},
}
SCHEMA = (
    "CREATE TABLE main.sales.orders (o_orderkey BIGINT, o_orderstatus STRING, o_comment STRING);"
)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A working directory with one suite of two rules and a gap."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEFERRY_DEBUG", raising=False)
    write(tmp_path / "suites/orders.json", json.dumps(SUITE))
    write(tmp_path / "schema.sql", SCHEMA)
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(*arguments: str):
    return CliRunner().invoke(cli.app, arguments)


def done(*arguments: str, code: int = 0) -> str:
    """The output of a run that ends with `code` and says nothing on stderr."""
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (code, "")
    return result.stdout


def refused(*arguments: str) -> str:
    """The message of a run that ends with 2 and prints nothing on stdout."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    return result.stderr


ORDERS = ("suites", "--table", "orders=main.sales.orders", "--schema", "schema.sql")


# convert ------------------------------------------------------------------------------------------


def test_convert_writes_and_tells(folder):
    told = done("convert", *ORDERS)
    assert (
        "\nRules: 3\n  record  2  checked on each record\n  gap     1  left for a person\n" in told
    )
    assert "  main.sales.orders     2     0     0      2        0        0     1\n" in told
    assert "0 of 3 old checks may be switched off; " in told
    assert "for the owner of the rules: expectations/gap_report.html\n" in told
    assert (
        "Written to expectations: 1 module, gap_report.html, gap_report.md, gap_report.xlsx and "
        "ledger.json\n" in told
    )
    assert {file.name for file in (folder / "expectations").iterdir()} == {
        "gap_report.html", "gap_report.md", "gap_report.xlsx", "ledger.json",
        "orders_expectations.py",
    }  # fmt: skip


def test_json_is_the_ledger_and_nothing_else(folder):
    printed = done("convert", *ORDERS, "--json")
    assert printed == (folder / "expectations/ledger.json").read_text("utf-8")
    assert json.loads(printed)["version"] == 1


def test_the_ledger_fits_the_published_schema(folder):
    schema = json.loads((files("ruleferry") / "mappings/ledger.schema.json").read_text("utf-8"))
    ledger = json.loads(done("convert", *ORDERS, "--json"))
    assert list(Draft202012Validator(schema).iter_errors(ledger)) == []


def test_quiet_prints_nothing(folder):
    assert done("convert", *ORDERS, "--quiet") == ""
    assert (folder / "expectations/ledger.json").is_file()


def test_the_configuration_gives_what_the_command_line_does_not(folder):
    write(
        folder / "ruleferry.toml",
        'out = "rules"\nfail_on = "gap"\n[[source]]\npath = ["suites/**"]\n'
        'table = "main.sales.orders"\nschema = ["schema.sql"]\n',
    )
    assert "Written to rules:" in done("convert", code=1)
    assert (folder / "rules/orders_expectations.py").is_file()
    assert "Written to elsewhere:" in done("convert", "--out", "elsewhere", "--fail-on", "none")


def test_another_configuration(folder):
    write(
        folder / "conf/mine.toml", 'out = "rules"\n[[source]]\npath = ["../suites/orders.json"]\n'
    )
    done("convert", "--config", "conf/mine.toml")
    assert (folder / "conf/rules/ledger.json").is_file()


@pytest.mark.parametrize(
    ("level", "code"),
    [("none", 0), ("gap", 1), ("differs", 1), ("assumed", 1), ("undecided", 1)],
)
def test_fail_on(folder, level, code):
    done("convert", *ORDERS, "--fail-on", level, code=code)


def test_fail_on_looks_no_further_than_its_level(folder):
    suite = {**SUITE, "expectations": SUITE["expectations"][:2]}
    write(folder / "suites/orders.json", json.dumps(suite))
    done("convert", *ORDERS, "--fail-on", "assumed")
    done("convert", *ORDERS, "--fail-on", "undecided", code=1)


def test_all_faults_are_told_at_once_and_nothing_is_written(folder):
    write(folder / "suites/a.json", "{")
    write(folder / "suites/b.json", "\xff{")
    message = refused("convert", *ORDERS)
    assert "suites/a.json, line 1, column 2\n  found     " in message
    assert "suites/b.json" in message
    assert message.count("  to do     ") == 2
    assert not (folder / "expectations").exists()


def test_partial_converts_the_rest_and_ends_with_1(folder):
    write(folder / "suites/a.json", "{")
    told = done("convert", *ORDERS, "--partial", code=1)
    assert "Written to expectations: 1 module" in told
    report = (folder / "expectations/gap_report.md").read_text("utf-8")
    assert "## 1 file could not be read" in report.partition("## Totals")[0]


def test_an_edited_file_is_not_overwritten_but_by_force(folder):
    done("convert", *ORDERS)
    report = folder / "expectations/gap_report.md"
    write(report, "mine")
    assert "expectations/gap_report.md\n  found     " in refused("convert", *ORDERS)
    assert report.read_text("utf-8") == "mine"
    done("convert", *ORDERS, "--force")
    assert report.read_text("utf-8") != "mine"


def test_the_same_run_again_writes_the_same_bytes(folder):
    done("convert", *ORDERS)
    before = {file.name: file.read_bytes() for file in (folder / "expectations").iterdir()}
    done("convert", *ORDERS)
    assert {file.name: file.read_bytes() for file in (folder / "expectations").iterdir()} == before


def test_the_reports_are_rendered_again(folder):
    refused("report")
    done("convert", *ORDERS)
    before = {file.name: file.read_bytes() for file in (folder / "expectations").iterdir()}
    told = done("report")
    assert told.startswith("0 of 3 old checks may be switched off; ")
    assert told.endswith(
        "Written to expectations: gap_report.html, gap_report.md and gap_report.xlsx\n"
    )
    assert {file.name: file.read_bytes() for file in (folder / "expectations").iterdir()} == before
    write(folder / "expectations/gap_report.md", "mine")
    assert "expectations/gap_report.md\n  found     " in refused("report", "--quiet")
    assert done("report", "--force", "--quiet") == ""
    assert {file.name: file.read_bytes() for file in (folder / "expectations").iterdir()} == before


def test_what_the_reports_show_is_printed_and_nothing_is_written(folder):
    done("convert", *ORDERS)
    write(folder / "expectations/gap_report.md", "mine")
    told = json.loads(done("report", "--json"))
    assert told["figures"]["checks"] == 3
    assert (folder / "expectations/gap_report.md").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        (("--out", "x"), "out", "x"),
        (("--table", "a=b", "--table", "c=d"), "table", ["a=b", "c=d"]),
        (("--schema", "a.sql", "--schema", "b.csv"), "schema", ["a.sql", "b.csv"]),
        (("--engine", "pandas"), "engine", "pandas"),
        (("--max-action", "warn"), "max_action", "warn"),
        (("--fail-on", "gap"), "fail_on", "gap"),
    ],
)
def test_each_option_of_convert_arrives(folder, monkeypatch, arguments, field, value):
    from ruleferry.converters import options

    seen = []
    monkeypatch.setattr(options, "with_options", lambda config, given: seen.append(given))
    run("convert", *arguments)
    assert getattr(seen[0], field) == value
    others = {name for name in options.Options.__dataclass_fields__ if name != field}
    assert all(getattr(seen[0], name) is None for name in others)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--max-action", "stop"), "--max-action"),
        (("--fail-on", "everything"), "--fail-on"),
        (("--engine", "abacus"), "--engine"),
        (("--table", "orders"), "--table"),
    ],
)
def test_a_wrong_value_is_told_with_its_option(folder, arguments, named):
    assert refused("convert", "suites", *arguments).startswith(f"command line, {named}\n  found")


# The first: options come with what they do, not before.
@pytest.mark.parametrize(
    "arguments",
    [
        ("convert", "--target", "x"),
        ("convert", "--jobs", "x"),
        ("convert", "--max-action"),
        ("explain",),
        ("nothing",),
    ],
)
def test_wrong_usage_ends_with_2(folder, arguments):
    assert "Error" in refused(*arguments)


# inspect ------------------------------------------------------------------------------------------


def test_inspect_tells_how_each_file_is_read_and_writes_nothing(folder):
    write(folder / "suites/notes.txt", "a note")
    before = sorted(folder.rglob("*"))
    told = done("inspect", "suites")
    assert (
        "suites/orders.json\n  great_expectations suite\n  3 places that may state a rule," in told
    )
    assert "  tables: orders (not stated)\n" in told
    assert "suites/notes.txt\n  not read: " in told
    assert told.endswith("\n3 rules in 3 places of 1 of 2 files\n")
    assert sorted(folder.rglob("*")) == before


def test_inspect_as_json(folder):
    (row,) = json.loads(done("inspect", "suites/orders.json", "--json", "--table", "orders=a.b.c"))
    assert (row["file"], row["read_as"]) == ("suites/orders.json", "great_expectations suite")
    assert (row["atoms"], row["rules"], row["tables"]) == (3, 3, ["a.b.c"])


DICTIONARY = "Column,Data type,Required,Type?\nid,int,Yes,x\nday,date,No,y\n"


def test_inspect_drafts_a_profile_that_reads_the_same(folder):
    write(folder / "d.csv", DICTIONARY)
    told = done("inspect", "d.csv", "--write-profile", "d.toml")
    assert "  filled cells: 4 header, 2 name, 4 rule and 2 unsure\n" in told
    assert '\ncolumn = "Column"\n' in (folder / "d.toml").read_text()
    rules = [
        json.loads(done("convert", "d.csv", *profile, "--json", "--force"))["entries"]
        for profile in ((), ("--profile", "d.toml"))
    ]
    assert rules[0] == rules[1]
    assert {e["origin"]["place"] for e in rules[0] if e["outcome"] == "record"} == {
        "B2",
        "C2",
        "B3",
    }


def test_a_profile_is_not_overwritten(folder):
    write(folder / "d.csv", DICTIONARY)
    write(folder / "d.toml", "# confirmed")
    told = refused("inspect", "d.csv", "--write-profile", "d.toml")
    assert told.startswith("d.toml\n  found     a file that is there already\n")
    assert (folder / "d.toml").read_text() == "# confirmed"


def test_a_profile_is_drafted_for_one_spreadsheet(folder):
    told = refused("inspect", "suites", "--write-profile", "d.toml")
    assert told.startswith("command line, SOURCE\n  found     none\n  expected  one spreadsheet")


def test_a_profile_that_does_not_fit_is_told_with_its_place(folder):
    write(folder / "d.csv", DICTIONARY)
    write(folder / "d.toml", '[[sheets]]\nmatch = ""\ncolumns = {required = "Needed"}\n')
    told = refused("convert", "d.csv", "--profile", "d.toml")
    assert told.startswith("d.toml, sheets 1.columns.required\n  found     no header `Needed`")
    write(folder / "d.toml", "[[sheets]]\nmatsch = 3\n")
    told = refused("convert", "d.csv", "--profile", "d.toml")
    assert "`matsch`" in told.replace("sheets 1.", "")


def test_actions_of_rules_that_given_files_do_not_state_are_a_notice(folder):
    write(folder / "d.csv", DICTIONARY)
    rules = '[[source]]\npath = ["suites"]\n[actions.rules]\n"orders.no_such_rule" = "drop"\n'
    write(folder / "ruleferry.toml", rules)
    told = done("convert", "d.csv")
    assert "[actions.rules] speaks of rules that these files don't state" in told


# explain ------------------------------------------------------------------------------------------


def test_explain_tells_one_rule(folder):
    done("convert", *ORDERS)
    told = done("explain", "orders.o_orderkey_present")
    assert "  condition         o_orderkey IS NOT NULL\n" in told
    assert "  stands in         suites/orders.json:expectations[0] (great_expectations" in told
    assert told == done("explain", "orders.json:expectations[0]")


def test_explain_as_json(folder):
    ledger = json.loads(done("convert", *ORDERS, "--json", "--out", "rules"))
    (entry,) = json.loads(done("explain", "o_orderkey_present", "--out", "rules", "--json"))
    assert entry in ledger["entries"]


def test_explain_an_unknown_rule(folder):
    done("convert", *ORDERS)
    message = refused("explain", "o_orderkey_presents")
    assert message.startswith("expectations/ledger.json\n  found     no rule `o_orderkey_presents`")
    assert "Near it: main.sales.orders.o_orderkey_present" in message


def test_explain_without_a_ledger(folder):
    assert "expectations/ledger.json\n  found     no file\n" in refused("explain", "a.b")


# Everywhere ---------------------------------------------------------------------------------------


def test_the_version(folder):
    assert done("--version") == f"ruleferry {ruleferry.__version__}\n"


def test_help_names_every_command_and_the_exit_codes():
    told = " ".join(done("--help").split())
    assert all(f" {name} " in told for name in ("convert", "inspect", "explain"))
    assert "Exit codes: 0 done;" in told


def test_a_broken_configuration_is_told(folder):
    write(folder / "ruleferry.toml", 'oot = "x"\n')
    for arguments in (("convert", "suites"), ("inspect", "suites"), ("explain", "x")):
        assert refused(*arguments).startswith("ruleferry.toml, ")


def test_a_configuration_that_is_not_there_is_told(folder):
    assert refused("convert", "--config", "no.toml").startswith("no.toml\n  found")


@pytest.fixture
def broken(monkeypatch):
    """Makes `conversion.convert` raise."""
    from ruleferry.converters import conversion

    def fail_with(error: Exception) -> None:
        def convert(*_, **__):
            raise error

        monkeypatch.setattr(conversion, "convert", convert)

    return fail_with


def test_an_internal_error_is_one_line(folder, broken):
    broken(KeyError("x\ny\x1b[31m"))
    message = refused("convert", "suites")
    assert message.startswith(r"internal error: KeyError: 'x\ny\x1b[31m' at test_cli.py:")
    assert message.count("\n") == 1
    assert "Please report" in message


def test_a_folder_that_can_not_be_made_is_told(folder):
    write(folder / "taken", "a file")
    assert "taken\n  found     File exists\n" in refused("convert", *ORDERS, "--out", "taken")


def test_an_internal_error_has_its_traceback_on_request(folder, broken, monkeypatch):
    monkeypatch.setenv("RULEFERRY_DEBUG", "1")
    broken(KeyError("x"))
    assert isinstance(run("convert", "suites").exception, KeyError)
    assert "no file under" in refused("inspect", "nowhere")  # a fault of the input stays a message


def test_text_of_a_fault_does_not_steer_the_terminal(folder, broken):
    broken(InputFaults([Fault("a\x1b[31m.json", None, "[red]x", "\u202ey", "z")]))
    message = refused("convert", "suites")
    assert "a⟨U+001B⟩[31m.json\n  found     [red]x\n  expected  ⟨U+202E⟩y\n" in message


def test_help_and_version_import_nothing_of_ours():
    code = (
        "import sys\nfrom ruleferry import cli\n"
        "try: cli.app(sys.argv[1:])\nexcept SystemExit: pass\n"
        "print([m for m in sys.modules if m.startswith(('ruleferry.converters', 'sqlglot'))])"
    )
    for option in ("--help", "--version"):
        result = subprocess.run(
            [sys.executable, "-c", code, option], capture_output=True, text=True, check=True
        )
        assert result.stdout.endswith("\n[]\n")


def test_output_is_utf_8_whatever_the_locale(folder):
    suite = {**SUITE, "name": "célà"}
    write(folder / "suites/orders.json", json.dumps(suite))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    result = subprocess.run(
        [sys.executable, "-m", "ruleferry", "inspect", "suites"],
        capture_output=True,
        check=True,
        env=environment,
    )
    assert "tables: célà (not stated)" in result.stdout.decode("utf-8")
