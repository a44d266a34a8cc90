"""Files -> readings: every file is read or listed with its reason, and no fault hides another."""

import hashlib
import json
import os
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ruleferry import cli
from ruleferry.converters import sources as room
from ruleferry.converters.config import Config, Source
from ruleferry.converters.conversion import convert
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.mappings import table
from ruleferry.converters.readers import READERS
from ruleferry.converters.readers.raw import Counted
from ruleferry.converters.rule import Origin, Unread
from ruleferry.converters.sources import ConservationError, conserved, read_sources

BE_NULL = {"type": "expect_column_values_to_be_null", "kwargs": {"column": "a"}}
SUITE = json.dumps({"name": "orders.warning", "expectations": [BE_NULL, BE_NULL]})
RESULT = '{"success": true, "results": [{"name": "x"}]}'
NO_READER = "no reader knows files of this name"


def write(path: Path, content: str | bytes = SUITE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.fixture
def root(tmp_path) -> Path:
    write(tmp_path / "p/suites/orders.json")
    return tmp_path / "p"


def config(root: Path, *sources: Source, **more) -> Config:
    return replace(Config(root, root, "ruleferry.toml", sources=sources), **more)


def listed(root, given=("suites",), *, partial=False, **more):
    """file -> (read as, why)."""
    readings = read_sources(config(root, **more), given, partial=partial).readings
    return {r.file: (r.read_as, r.why) for r in readings}


def faults(root, given=("suites",), *, partial=False, **more) -> list[str]:
    with pytest.raises(InputFaults) as raised:
        read_sources(config(root, **more), given, partial=partial)
    return [str(fault) for fault in raised.value.faults]


def tables(root, given=("suites",), **more) -> list[tuple[str, bool]]:
    readings = read_sources(config(root, **more), given, partial=False).readings
    rules = [rule for reading in readings for rule in reading.rules]
    return sorted({(rule.table.name, rule.table.stated) for rule in rules})


# Every file is listed -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("logo.png", b"\x89PNG\r\n\x1a\n\0\0", "a picture"),
        ("data.bin", bytes(range(256)), NO_READER),
        ("empty", b"", NO_READER),
        ("empty.txt", b"", "a text for people"),
        (".hidden", b"x", NO_READER),
        ("no ending.", b"x", NO_READER),
        ("suite.json.bak", SUITE.encode(), NO_READER),
        ("names.YML", b"name: x", "YAML without a list of expectations (its keys: name)"),
        ("great_expectations.yml", b"x: 1", "YAML without a list of expectations (its keys: x)"),
        ("broken.yaml", b"a: [", "text that is no YAML: "),
        ("rules.py", b"import os", "Python code, which is never run"),
        ("rules.ipynb", b"{}", "a notebook, which is never run"),
        ("~$book.xlsx", b"\x05steward", "a file that a program puts beside a workbook"),
        ("data.csv", b"id,amount\n1,2\n", "no header of a data dictionary or a list of rules"),
        ("empty.csv", b"", "an empty file; expected "),
        ("nul.csv", b"a,b\n\0,1\n", ""),
        ("a/b/.gitkeep", b"", "an empty file that keeps a folder"),
        ("result.json", RESULT.encode(), "JSON without a list of expectations (its keys: results"),
        ("list.json", b"[]", "JSON that holds a list and no suite"),
    ],
)
def test_what_is_no_rule_set_is_listed_with_its_reason(root, name, content, why):
    write(root / "suites" / name, content)
    readings = read_sources(config(root), ["suites"], partial=False).readings
    assert [r.file for r in readings] == sorted(["suites/orders.json", f"suites/{name}"])
    (found,) = [r for r in readings if r.file == f"suites/{name}"]
    assert (found.read_as, found.atoms, found.rules) == ("not read", 0, ())
    assert found.why.startswith(why)
    assert found.why == why or why != NO_READER
    assert found.sha256 == hashlib.sha256(content).hexdigest()


def test_every_ending_and_name_of_the_table_is_told(root):
    endings, names = table("files")["endings"], table("files")["names"]
    for name in (*(f"x.{ending}" for ending in endings), *names):
        write(root / "suites" / name, "x")
    told = listed(root)
    assert {told[f"suites/x.{e}"][1] for e in endings} == set(endings.values())
    assert all(told[f"suites/{n}"][1] == why for n, why in names.items())
    assert len(told) == 1 + len(endings) + len(names)


def test_an_ending_in_capitals_is_the_same_ending(root):
    write(root / "suites/UPPER.JSON")
    assert listed(root)["suites/UPPER.JSON"] == ("great_expectations suite", None)


def test_folders_and_links_within(root):
    (root / "suites/folder.json").mkdir()
    (root / "suites/link.json").symlink_to(root / "suites/orders.json")
    (root / "suites/again").symlink_to(root / "suites")
    assert list(listed(root)) == ["suites/link.json", "suites/orders.json"]


def test_a_link_that_leads_nowhere_is_a_fault(root):
    (root / "suites/lost.json").symlink_to(root / "suites/moved.json")
    for given, sources in ((["suites"], ()), ([], (Source(path=("suites/**",)),))):
        (told,) = faults(root, given, sources=sources)
        assert "found the link lost.json, which leads nowhere" in told


@pytest.mark.parametrize(
    "content",
    [SUITE.encode(), b"\xef\xbb\xbf" + SUITE.encode(), SUITE.replace(" ", "\r\n").encode()],
)
def test_a_suite_is_read_whatever_its_marks_and_line_ends(root, content):
    write(root / "suites/orders.json", content)
    (reading,) = read_sources(config(root), ["suites"], partial=False).readings
    assert (reading.atoms, len(reading.rules)) == (2, 2)
    assert reading.sha256 == hashlib.sha256(content).hexdigest()


def test_the_order_of_arguments_does_not_matter(root):
    for name in ("b.json", "a.txt", "sub/c.json"):
        write(root / "suites" / name)
    given = ["suites/b.json", "suites", "suites/sub"]
    one, other = (read_sources(config(root), g, partial=False) for g in (given, given[::-1]))
    assert one == other
    assert [r.file for r in one.readings] == sorted(r.file for r in one.readings)


def test_without_sources_there_is_nothing_to_read(root):
    rest = (
        "source: found no source; expected files or folders with rules. "
        "Name them on the command line, or as [[source]] with a path in ruleferry.toml."
    )
    assert faults(root, []) == [f"ruleferry.toml, {rest}"]
    assert faults(root, [], file=None) == [f"command line, {rest}"]


@pytest.mark.parametrize(
    ("engine", "read_for"),
    [(None, None), *((engine, engine) for engine in ("pandas", "spark", "postgres", "tsql"))],
)
def test_the_engine_of_a_source(root, engine, read_for):
    source = Source(path=("suites",), engine=engine)
    (reading,) = read_sources(config(root, source), [], partial=False).readings
    assert {rule.origin.engine for rule in reading.rules} == {read_for}


# Files that were named ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("logo.png", b"\x89PNG", "a picture"),
        ("rules.py", b"", "Python code, which is never run"),
        ("result.json", RESULT.encode(), "JSON without a list of expectations"),
        ("ruleferry.toml", b"", NO_READER),
        ("expectations/ledger.json", RESULT.encode(), "JSON without a list of expectations"),
        ("expectations/orders_expectations.py", b"", "Python code"),
    ],
)
@pytest.mark.parametrize("form", ["{}", "./{}", "suites/../{}"])
def test_a_file_that_is_named_and_not_recognised_is_a_fault(root, name, content, found, form):
    write(root / name, content)
    (told,) = faults(root, ["suites", form.format(name)])
    assert told.startswith(f"{name}: found {found}")
    assert f"expected a file that a reader knows ({', '.join(READERS)})" in told
    assert told.endswith("Leave it out, or name its folder: then it is listed and not read.")
    assert faults(root, [form.format(name)], partial=True) == [told]


def test_a_file_that_the_configuration_names_is_listed(root):
    write(root / "notes.md", "x")
    sources = (Source(path=("suites", "notes.md")),)
    assert listed(root, [], sources=sources)["notes.md"] == ("not read", "a text for people")


# The tool's own files -----------------------------------------------------------------------------


def test_what_an_earlier_run_wrote_is_no_source(root):
    before = config(root, out="out")
    written = convert(before, ["."]).written
    assert {path.name for path in (root / "out").iterdir()} == set(written)
    assert list(listed(root, ["."], out="out")) == ["suites/orders.json"]
    again = convert(before, ["."])
    assert [source.file for source in again.ledger.sources] == ["suites/orders.json"]
    assert all(any(fnmatchcase(w, p) for p in room._WRITTEN) for w in written)


def test_the_configuration_is_no_source(root):
    write(root / "ruleferry.toml", "")
    assert list(listed(root, ["."])) == ["suites/orders.json"]
    assert list(listed(root, ["."], file=None)) == ["ruleferry.toml", "suites/orders.json"]


@pytest.mark.parametrize("out", [".", "suites", "suites/sub", "expectations"])
def test_a_suite_in_the_output_folder_is_a_source(root, out):
    """Great Expectations keeps its suites in a folder `expectations`, which is also our default."""
    write(root / out / "more.json")
    write(root / out / "deep/ledger.json")
    convert(config(root, out=out), ["."])
    found = {"suites/orders.json", *(os.path.normpath(f"{out}/{n}") for n in ("more.json",))}
    deep = os.path.normpath(f"{out}/deep/ledger.json")
    assert set(listed(root, ["."], out=out)) == found | {deep}


# Tables -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key",
    ["orders.warning", "orders", "suites/orders.json", "orders.json", "p/suites/orders.json"],
)
def test_a_table_is_named_by_suite_or_file(root, key):
    told = {"table_of": {key: ("main.s.orders",)}, "cwd": root.parent}
    assert tables(root, ["p/suites"], **told) == [("main.s.orders", True)]


def test_a_table_is_named_by_the_stem_of_a_file(root):
    write(root / "suites/quite.other.json")
    told = {"table_of": {"quite.other": ("t",)}}
    assert tables(root, ["suites/quite.other.json"], **told) == [("t", True)]


def test_several_tables_give_a_rule_for_each(root):
    table_of = {"orders": ("a", "b"), "orders.warning": ("b", "c"), "suites/orders.json": ("d",)}
    assert tables(root, table_of=table_of) == [(name, True) for name in "abcd"]
    (reading,) = read_sources(config(root, table_of=table_of), ["suites"], partial=False).readings
    assert (reading.atoms, len(reading.rules)) == (2, 8)


def test_without_a_table_the_suite_has_its_own_name(root):
    assert tables(root) == [("orders", False)]


def test_an_option_beats_the_table_of_a_source(root):
    write(root / "suites/b.json", SUITE.replace("orders", "b"))
    source = Source(path=("suites",), table="main.s.t")
    assert tables(root, [], sources=(source,)) == [("main.s.t", True)]
    told = tables(root, [], sources=(source,), table_of={"b": ("u",)})
    assert told == [("main.s.t", True), ("u", True)]


def test_a_table_for_nothing_is_a_fault(root):
    table_of = {"orders": ("a",), "ordres": ("b",), "suites": ("c",), "Orders": ("d",)}
    told = faults(root, table_of=table_of)
    assert told == [
        f'command line, --table: found "{key}", which is no suite and no file of the sources; '
        "expected the name of a suite, or the path, name or stem of a file. "
        "Correct the name; ruleferry inspect lists what is there."
        for key in ("Orders", "ordres", "suites")
    ]


def test_a_name_for_several_files(root):
    """[[source]] name: a name of several files names none of them alone."""
    write(root / "suites/b.json")
    write(root / "one.json")
    sources = (
        Source(path=("suites",), name="nightly"),
        Source(path=("one.json",), name="single"),
    )
    names = read_sources(config(root, *sources), [], partial=False).names
    assert names == {
        "one.json": "single",
        "suites/b.json": "nightly/suites/b.json",
        "suites/orders.json": "nightly/suites/orders.json",
    }
    assert read_sources(config(root), ["suites"], partial=False).names == {}


# Conservation -------------------------------------------------------------------------------------


def test_an_atom_has_as_many_rules_as_its_form_says(root):
    table_of = {"orders": ("a", "b")}
    (reading,) = read_sources(config(root, table_of=table_of), ["suites"], partial=False).readings
    atoms = ("expectations[0]", "expectations[1]")
    # Of a cell it is not known how many rules it states.
    for rules_of_atom in ({}, dict.fromkeys(atoms, 2)):
        assert conserved(Counted(reading, 2, rules_of_atom)) is reading
    with pytest.raises(ConservationError) as raised:
        conserved(Counted(reading, 2, dict.fromkeys(atoms, 1)))
    assert str(raised.value) == (
        "suites/orders.json, expectations[0]: 2 rules were made of it, and 1 were expected"
    )
    with pytest.raises(ConservationError) as raised:
        conserved(Counted(reading, 3))
    assert str(raised.value) == (
        "suites/orders.json: 3 rules were counted, 2 were read and 2 are accounted for"
    )


# Faults -------------------------------------------------------------------------------------------

BROKEN = [
    ("{", "line 1, column 2: found text that is no JSON"),
    (b"", "found an empty file"),
    (b" \n", "found an empty file"),
    (SUITE.encode("utf-16"), "found text in UTF-16"),
    (SUITE.replace("null", "n\xfcll").encode("latin-1"), "line 1: found the byte 0xFC"),
    (b"PK\x03\x04rest", "found a workbook or another zip archive"),
    (b"PAR1", "found a Parquet file"),
    (b'{"a": \0}', "found a binary file"),
    (SUITE[:-20], "line 1, column 169: found text that is no JSON"),
    ("[" * 100_000, "line 1, column 100: found JSON that is nested more than 100 deep"),
    ('{"name": 1, "name": 2}', 'line 1, column 13: found the key "name" twice in one object'),
    (f'{{"a": {"9" * 5000}}}', "line 1, column 7: found a number too long"),
]


@pytest.mark.parametrize(("content", "found"), BROKEN)
def test_a_file_that_can_not_be_read_is_told(root, content, found):
    write(root / "suites/a.json", content)
    (told,) = faults(root)
    assert told.startswith("suites/a.json")
    assert found in told


def test_all_faults_are_told_at_once(root):
    for i, (content, _) in enumerate(BROKEN):
        write(root / f"suites/{i:02}.json", content)
    write(root / "x.png", b"")
    told = faults(root, ["suites", "x.png"], table_of={"nothing": ("t",)})
    files = [t.split(",")[0].split(":")[0] for t in told]
    assert files == [*(f"suites/{i:02}.json" for i in range(len(BROKEN))), "x.png"]


def test_a_schema_that_can_not_be_read_is_told_with_the_sources(root):
    write(root / "suites/a.json", "{")
    write(root / "schema.sql", b"\xff")
    with pytest.raises(InputFaults) as raised:
        convert(config(root, schemas=("schema.sql", "no.sql")), ["suites"])
    assert [fault.file for fault in raised.value.faults] == [
        "suites/a.json", "schema.sql", "no.sql",
    ]  # fmt: skip
    assert not (root / "expectations").exists()


@pytest.mark.parametrize("name", ["a.json", "a.png"])
def test_a_file_that_may_not_be_read(root, monkeypatch, name):
    path = write(root / "suites" / name)
    honest = Path.open

    def no_permission(self, *arguments, **more):
        if self == path:
            raise PermissionError(13, "Permission denied", str(self))
        return honest(self, *arguments, **more)

    monkeypatch.setattr(Path, "open", no_permission)
    (told,) = faults(root)
    assert told in (
        "suites/a.json: found no readable file (Permission denied); expected a text file in UTF-8. "
        "Check the path and the permissions.",
        "suites/a.png: found a file that can't be read: Permission denied; "
        "expected a readable file. Check its permissions.",
    )
    assert listed(root, partial=True)[f"suites/{name}"] == ("unreadable", None)


# --partial ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("content", "found"), BROKEN)
def test_partial_makes_a_gap_of_what_can_not_be_read(root, content, found):
    write(root / "suites/a.json", content)
    readings = read_sources(config(root), ["suites"], partial=True).readings
    assert [r.read_as for r in readings] == ["unreadable", "great_expectations suite"]
    (rule,) = readings[0].rules
    assert isinstance(rule.check, Unread)
    assert (rule.check.code, found in rule.check.reason) == ("unreadable", True)
    assert (rule.atom, rule.title, rule.kind) == ("file", "the whole file", "predicate")
    place = found.partition(": ")[0] if found.startswith("line") else "file"
    assert rule.origin == Origin("suites/a.json", place, "", "file")
    assert (rule.table.name, rule.table.stated, readings[0].atoms) == ("a", False, 1)
    data = (root / "suites/a.json").read_bytes()
    assert readings[0].sha256 == hashlib.sha256(data).hexdigest()


def test_partial_knows_the_tables_of_what_can_not_be_read(root):
    write(root / "suites/a.json", "{")
    # Its suite may be called `inner`: that is not known.
    table_of = {"a": ("main.s.a", "main.s.b"), "inner": ("c",)}
    readings = read_sources(config(root, table_of=table_of), ["suites"], partial=True).readings
    assert [(r.table.name, r.table.stated) for r in readings[0].rules] == [
        ("main.s.a", True), ("main.s.b", True),
    ]  # fmt: skip
    assert len(faults(root, table_of=table_of)) == 1
    source = Source(path=("suites",), table="t")
    (first, _) = read_sources(config(root, source), [], partial=True).readings
    assert [rule.table.name for rule in first.rules] == ["t"]


def test_partial_forgives_nothing_else(root):
    (told,) = faults(root, partial=True, table_of={"nothing": ("t",)})
    assert '"nothing", which is no suite and no file' in told


def test_partial_ends_with_1_and_the_books_balance(root, monkeypatch):
    monkeypatch.chdir(root)
    for i, (content, _) in enumerate(BROKEN):
        write(root / f"suites/{i:02}.json", content)
    for command in (["convert", "suites"], ["convert", "suites", "--fail-on", "none"]):
        refused = CliRunner().invoke(cli.app, command)
        assert (refused.exit_code, (root / "expectations").exists()) == (2, False)
        assert refused.stderr.count("  to do ") == len(BROKEN)
    done = CliRunner().invoke(cli.app, ["convert", "suites", "--partial", "--json"])
    assert (done.exit_code, done.stderr) == (1, "")
    ledger = json.loads(done.stdout)
    gaps = [e for e in ledger["entries"] if e.get("gap", {}).get("code") == "unreadable"]
    assert [e["origin"]["file"] for e in gaps] == [
        f"suites/{i:02}.json" for i in range(len(BROKEN))
    ]
    assert [s["read_as"] for s in ledger["sources"]].count("unreadable") == len(BROKEN)
    assert_balanced(ledger)


def assert_balanced(ledger):
    """DESIGN's books: atoms are the entries' distinct places, entries the sum of outcomes."""
    for source in ledger["sources"]:
        entries = [e for e in ledger["entries"] if e["origin"]["file"] == source["file"]]
        assert len({e["atom"] for e in entries}) == source["atoms"]
        assert len(entries) == source["entries"] == sum(source["outcomes"].values())
    assert len(ledger["entries"]) == sum(s["entries"] for s in ledger["sources"])


def test_the_corpus_is_read_and_its_books_balance(shared, tmp_path):
    folder = shared / "corpus/great_expectations"
    done = CliRunner().invoke(
        cli.app, ["convert", str(folder), "--out", str(tmp_path / "out"), "--json"]
    )
    assert (done.exit_code, done.stderr) == (0, "")
    ledger = json.loads(done.stdout)
    files = {os.path.relpath(path) for path in folder.rglob("*") if path.is_file()}
    assert {source["file"] for source in ledger["sources"]} == files
    suites = list(folder.rglob("*.json"))
    atoms = sum(len(json.loads(p.read_text("utf-8-sig"))["expectations"]) for p in suites)
    assert sum(source["atoms"] for source in ledger["sources"]) == atoms > 800
    assert all(s["why"] for s in ledger["sources"] if s["read_as"] == "not read")
    assert_balanced(ledger)
