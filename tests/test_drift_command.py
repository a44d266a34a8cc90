"""`ruleferry drift` as a command: what is printed, what is kept in files, and the exit codes."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ruleferry import cli
from ruleferry.converters import conversion
from ruleferry.converters.drift import request
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.reports import drift as reports

VALUES = "expect_column_values_to_"
CONFIG = """fail_on = "gap"
[[source]]
path = ["suites/**"]
table = "main.sales.orders"
"""
MODULE = "expectations/orders_expectations.py"
FORMATS = ("text", "markdown", "json", "junit", "sarif", "github", "azure")
FILES = {
    "drift.md": "markdown",
    "drift.json": "json",
    "drift.xml": "junit",
    "drift.sarif": "sarif",
    "drift.sarif.json": "sarif",
}


PRESENT = {"type": f"{VALUES}not_be_null", "kwargs": {"column": "o_orderkey"}}
NEW = {"type": f"{VALUES}be_unique", "kwargs": {"column": "o_orderkey"}}


def suite(*allowed: str, rules: tuple = ()) -> str:
    in_set = {"column": "o_orderstatus", "value_set": allowed}
    expectations = [
        PRESENT,
        {"type": f"{VALUES}be_in_set", "kwargs": in_set},
        {"type": f"{VALUES}be_dateutil_parseable", "kwargs": {"column": "o_comment"}},  # a gap
    ]
    meta = {"great_expectations_version": "1.2.0"}
    return json.dumps({"name": "orders", "expectations": [*expectations, *rules], "meta": meta})


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(*arguments: str):
    return CliRunner().invoke(cli.app, arguments)


def done(*arguments: str, code: int) -> str:
    result = run("drift", *arguments)
    assert (result.exit_code, result.stderr) == (code, "")
    return result.stdout


def refused(*arguments: str) -> str:
    """The message of a comparison that ends with 2 and prints no report."""
    result = run("drift", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    return result.stderr


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("converted")
    write(folder / "suites/orders.json", suite("F", "O", "P"))
    write(folder / "ruleferry.toml", CONFIG)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run("convert", "--quiet", "--fail-on", "none").exit_code == 0
    return folder


@pytest.fixture
def folder(converted, tmp_path, monkeypatch) -> Path:
    """A working directory with one suite, converted."""
    shutil.copytree(converted, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEFERRY_DEBUG", raising=False)
    return tmp_path


def loosen(folder: Path) -> None:
    write(folder / "suites/orders.json", suite("F", "O", "P", "X"))


def files(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


# Exit codes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_in_sync_ends_with_0_and_changes_nothing(folder, form):
    before = files(folder)
    done("--format", form, code=0)
    assert files(folder) == before


@pytest.mark.parametrize("form", FORMATS)
def test_a_difference_ends_with_1_in_every_format_and_changes_nothing(folder, form):
    loosen(folder)
    before = files(folder)
    assert "o_orderstatus_allowed" in done("--format", form, code=1)
    assert files(folder) == before


LEVELS = ("any", "changed", "loosened", "removed")


@pytest.mark.parametrize(
    ("changed", "codes"),
    [
        (suite("F", "O", "P", rules=(NEW,)), (1, 0, 0, 0)),
        (suite("F", "O"), (1, 1, 0, 0)),
        (suite("F", "O", "P", "X"), (1, 1, 1, 0)),
        (suite("F", "O", "P").replace(f"{json.dumps(PRESENT)}, ", ""), (1, 1, 1, 1)),
    ],
    ids=["a new rule", "tighter", "looser", "a rule less"],
)
def test_each_level_includes_those_after_it(folder, changed, codes):
    write(folder / "suites/orders.json", changed)
    found = tuple(run("drift", "--fail-on", level).exit_code for level in LEVELS)
    assert found == codes


def test_a_gap_of_the_conversion_is_no_drift_whatever_the_configuration_says(folder):
    """`fail_on` of the configuration is that of a conversion."""
    assert run("convert", "--quiet").exit_code == 1
    done(code=0)


def test_every_wrong_word_is_told_at_once(folder):
    told = refused("--fail-on", "lost", "--format", "pdf", "--output", "drift.doc")
    assert told.count("command line, --") == 3
    assert 'found     "lost"\n  expected  one of any, changed, loosened, removed\n' in told
    assert "expected  one of text, markdown, json, junit, sarif, github, azure\n" in told
    assert '--output\n  found     "drift.doc"\n  expected  a file\'s name with .json, .md,' in told


def test_the_nearest_word_is_told(folder):
    assert "to do     Write loosened.\n" in refused("--fail-on", "Loosend")


@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        (("--out", "x"), "out", "x"),
        (("--table", "a=b", "--table", "c=d"), "table", ["a=b", "c=d"]),
        (("--schema", "a.sql"), "schema", ["a.sql"]),
        (("--engine", "pandas"), "engine", "pandas"),
        (("--dialect", "oracle"), "dialect", "oracle"),
        (("--param", "a=1"), "param", ["a=1"]),
        (("--profile", "p.toml"), "profile", "p.toml"),
        (("--streaming", "t"), "streaming", ["t"]),
        (("--max-action", "warn"), "max_action", "warn"),
        (("--fail-on", "removed"), "fail_on", None),
    ],
)
def test_each_option_arrives(folder, monkeypatch, arguments, field, value):
    from ruleferry.converters import options

    seen = []
    monkeypatch.setattr(options, "with_options", lambda config, given: seen.append(given))
    run("drift", *arguments)
    assert getattr(seen[0], field) == value
    others = {name for name in options.Options.__dataclass_fields__ if name != field}
    assert all(getattr(seen[0], name) is None for name in others)


# What is printed -------------------------------------------------------------------------------


def test_json_is_short_for_its_format(folder):
    loosen(folder)
    assert json.loads(done("--json", code=1))
    assert done("--json", code=1) == done("--format", "json", code=1)


def test_quiet_leaves_the_exit_code_and_what_a_program_reads(folder):
    loosen(folder)
    assert done("--quiet", code=1) == ""
    assert done("--quiet", "--json", code=1) == done("--json", code=1)


def test_files_are_named_as_seen_from_the_working_directory(folder, monkeypatch):
    loosen(folder)
    monkeypatch.chdir(folder.parent)
    config = f"{folder.name}/ruleferry.toml"
    told = done("--config", config, "--json", code=1)
    assert f'"{folder.name}/suites/orders.json"' in told
    assert f'"{folder.name}/{MODULE}"' in told


# A comparison that fails -----------------------------------------------------------------------


def no_suite(folder: Path) -> None:
    (folder / "suites/orders.json").unlink()


def broken_suite(folder: Path) -> None:
    write(folder / "suites/orders.json", "{")


def broken_config(folder: Path) -> None:
    write(folder / "ruleferry.toml", 'oot = "x"\n')


def no_ledger(folder: Path) -> None:
    (folder / "expectations/ledger.json").unlink()


def no_module(folder: Path) -> None:
    (folder / MODULE).unlink()


def broken_module(folder: Path) -> None:
    write(folder / MODULE, "RULES_WARN = {")


BREAKS = (no_suite, broken_suite, broken_config, no_ledger, no_module, broken_module)


@pytest.mark.parametrize("breaks", BREAKS, ids=lambda f: f.__name__)
def test_a_comparison_that_fails_prints_no_report_and_leaves_none(folder, breaks):
    kept = [option for name in FILES for option in ("--output", f"reports/{name}")]
    done("--quiet", *kept, code=0)
    assert len(list((folder / "reports").iterdir())) == len(FILES)
    breaks(folder)
    assert "  found     " in refused(*kept)
    assert list((folder / "reports").iterdir()) == []
    for form in FORMATS:
        assert "  found     " in refused("--format", form)


@pytest.mark.parametrize("form", FORMATS)
def test_a_bug_of_ours_looks_no_better(folder, monkeypatch, form):
    done("--output", "drift.json", code=0)

    def fails(*_, **__):
        raise KeyError("x")

    monkeypatch.setattr(request, "drift", fails)
    assert refused("--format", form, "--output", "drift.json").startswith(
        "internal error: KeyError"
    )
    assert not (folder / "drift.json").exists()


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_that_can_not_be_made_leaves_no_other(folder, monkeypatch, form):
    def fails(*_, **__):
        raise KeyError("x")

    monkeypatch.setattr(request, "report_text", fails)
    monkeypatch.setattr(reports, "report_text", fails)
    refused("--format", form, "--output", "a.json", "--output", "b.md")
    assert not (folder / "a.json").exists()


def test_a_report_that_can_not_be_written_is_told_before_anything_is_printed(folder):
    write(folder / "taken", "a file")
    assert "  found     Not a directory\n" in refused("--output", "taken/drift.json")


def test_all_reports_are_written_or_none(folder, monkeypatch):
    write_one = request._write

    def fails_later(path: Path, text: str) -> None:
        if path.name == "b.md":
            raise OSError(28, "No space left on device", str(path))
        write_one(path, text)

    monkeypatch.setattr(request, "_write", fails_later)
    assert "No space left" in refused("--output", "a.json", "--output", "b.md")
    assert not (folder / "a.json").exists()


# Files that keep a report ----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "form"), FILES.items())
@pytest.mark.parametrize("part", [loosen, lambda folder: None], ids=["drift", "in sync"])
def test_a_file_keeps_the_report_in_the_form_of_its_name(folder, name, form, part):
    part(folder)
    before = files(folder)
    printed = run("drift", "--format", form).stdout
    text = run("drift", "--output", f"new/{name}").stdout
    assert (folder / "new" / name).read_text("utf-8") == printed
    assert text == run("drift").stdout
    kept = files(folder)
    assert kept.pop(str(folder / "new" / name))
    assert kept == before


def test_several_files_and_what_is_printed_are_of_one_comparison(folder):
    loosen(folder)
    told = done("--format", "github", "--output", "a.md", "--output", "b.sarif", code=1)
    assert told.startswith("::error ")
    assert (folder / "a.md").read_text("utf-8") == done("--format", "markdown", code=1)
    assert (folder / "b.sarif").read_text("utf-8") == done("--format", "sarif", code=1)


@pytest.mark.parametrize("name", FILES)
def test_a_report_is_written_over_one_of_an_earlier_run(folder, name):
    done("--output", name, code=0)
    before = (folder / name).read_bytes()
    loosen(folder)
    done("--output", name, code=1)
    assert (folder / name).read_bytes() != before
    done("--output", name, code=1)


@pytest.mark.parametrize(
    "name",
    [
        "suites/orders.json", "expectations/ledger.json", "expectations/gap_report.md",
        "notes.md", "empty.json", "pom.xml", "codeql.sarif", "latin.md", "folder.md",
    ],
)  # fmt: skip
def test_what_is_no_report_of_ours_is_not_touched(folder, name):
    write(folder / "notes.md", "### ruleferry drift\n\nWe run `ruleferry drift`: see drift.md.\n")
    write(folder / "empty.json", "{}")
    write(folder / "pom.xml", "<project/>")
    write(folder / "codeql.sarif", '{"runs": [{"tool": {"driver": {"name": "CodeQL"}}}]}')
    (folder / "latin.md").write_bytes(b"caf\xe9")
    (folder / "folder.md").mkdir()
    before = files(folder)
    told = refused("--output", "fine.md", "--output", name)
    assert told.startswith(f"{name}\n  found     something that is there, and no report")
    assert files(folder) == before


def test_wrong_usage_leaves_no_report_of_an_earlier_run_either(folder):
    done("--output", "drift.md", code=0)
    refused("--output", "drift.md", "--output", "suites/orders.json")
    assert not (folder / "drift.md").exists()
    assert (folder / "suites/orders.json").exists()


# --write ---------------------------------------------------------------------------------------


def test_what_parted_is_written_anew_after_it_was_told(folder):
    loosen(folder)
    plain = done(code=1)
    told = done("--write", code=1)
    assert told.startswith(plain)
    assert told.removeprefix(plain) == (
        "\nWritten anew: expectations/gap_report.html, expectations/gap_report.md, "
        "expectations/gap_report.xlsx, expectations/ledger.json and "
        "expectations/orders_expectations.py\n"
    )
    assert "'X'" in (folder / MODULE).read_text("utf-8")
    done(code=0)


def test_where_nothing_parted_nothing_is_written(folder):
    before = files(folder)
    assert done("--write", code=0) == done(code=0)
    assert files(folder) == before


def test_a_document_says_what_was_written(folder):
    loosen(folder)
    told = json.loads(done("--write", "--json", "--output", "drift.json", code=1))
    assert MODULE in json.dumps(told)
    assert json.loads((folder / "drift.json").read_text("utf-8")) == told
    done(code=0)


def edit(folder: Path) -> None:
    module = folder / MODULE
    write(module, module.read_text("utf-8").replace("('F', 'O', 'P')", "('F', 'O', 'P', 'Y')"))


def test_an_edit_by_hand_is_told_and_not_overwritten(folder):
    edit(folder)
    before = files(folder)
    result = run("drift", "--write", "--output", "drift.json")
    assert result.exit_code == 2
    assert "o_orderstatus_allowed" in result.stdout
    assert "# manual: reason" in result.stderr
    assert files(folder) == before


@pytest.mark.parametrize("form", FORMATS[1:])
def test_a_document_is_not_begun_where_writing_fails(folder, form):
    edit(folder)
    assert "# manual: reason" in refused("--write", "--format", form)


def test_a_conversion_that_fails_has_been_told_of(folder, monkeypatch):
    loosen(folder)

    def fails(*_, **__):
        raise InputFaults([Fault("disk", None, "full", "space", "Make some.")])

    monkeypatch.setattr(conversion, "convert", fails)
    monkeypatch.setattr(request, "convert", fails)
    result = run("drift", "--write")
    assert (result.exit_code, result.stderr.startswith("disk\n")) == (2, True)
    assert "o_orderstatus_allowed" in result.stdout
