"""Scripts that are cut off, broken, huge, or mean harm: what is read is what they say, or nothing.

The runs of the command are processes of their own, which tell their peak of memory.
"""

import ast
import json
import os
import subprocess
import sys

import pytest
from sql_whole_scripts import COLUMNS, FOLDER, dialect_of
from typer.testing import CliRunner

from ruleferry import cli
from ruleferry.converters.readers.raw import Counted, RawFile
from ruleferry.converters.readers.sql.reading import read_all
from ruleferry.converters.rule import NotARule, Unread
from ruleferry.converters.sources import conserved

COMMAND = """
import atexit, os
def peak():
    if os.path.exists("/proc/self/status"):
        lines = open("/proc/self/status").read().splitlines()
        open("peak", "w").write(next(line for line in lines if "VmHWM" in line))
atexit.register(peak)
from ruleferry.cli import main
main()
"""


def run(folder, *arguments, dialect="oracle", timeout=300):
    """(exit code, stdout, stderr, peak in MB)."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "convert", *arguments, "--dialect", dialect],
        cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=timeout,
        env=os.environ | {"NO_COLOR": "1"},
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    peak = folder / "peak"
    kilobytes = int(peak.read_text().split()[1]) if peak.exists() else 0
    return done.returncode, done.stdout, done.stderr, kilobytes / 1024


def converted(folder, content: bytes | str, dialect="oracle", name="s.sql"):
    """(exit code, what was said on stderr, entries)."""
    raw = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(raw)
    command = ["convert", str(folder / name), "--dialect", dialect, "--out", str(folder / "out")]
    done = CliRunner().invoke(cli.app, [*command, "--quiet"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    path = folder / "out/ledger.json"
    entries = json.loads(path.read_text("utf-8"))["entries"] if path.exists() else []
    return done.exit_code, done.stderr, entries


# Cut off ------------------------------------------------------------------------------------------


def _raw(file: str, text: str, dialect: str) -> RawFile:
    return RawFile(file, text, "0" * 64, None, lambda _: (), dialect=dialect)


def rules_of(file: str, text: str) -> list[tuple[str, str]]:
    """(outcome, its own text) of what a script states."""
    (read,) = read_all([_raw(file, text, dialect_of(file))])
    assert isinstance(read, Counted)
    conserved(read)
    return [
        (type(rule.check).__name__, rule.origin.text)
        for rule in read.reading.rules
        if not isinstance(rule.check, NotARule | Unread)
    ]


@pytest.mark.parametrize("file", sorted(COLUMNS))
def test_a_script_that_is_cut_off_states_nothing_new(file):
    text = (FOLDER / file).read_text("utf-8")
    for end in range(0, len(text), 97):
        for _, own in rules_of(file, text[:end]):
            assert own in text


# Whole files --------------------------------------------------------------------------------------

SELECT = "SELECT id FROM t WHERE amount < 0;\n"


@pytest.mark.parametrize(
    "content",
    [
        SELECT.encode("utf-8-sig"),
        SELECT.encode("utf-16"),
        SELECT.replace(";\n", ";\r\n").encode(),
        ("-- prüfung der beträge\n" + SELECT).encode("cp1252"),
        ("-- a\r\n-- b\r-- c\n" + SELECT).encode(),
    ],
    ids=["bom", "utf-16", "crlf", "cp1252", "mixed line ends"],
)
def test_a_file_is_read_in_its_encoding(tmp_path, content):
    code, told, entries = converted(tmp_path, content)
    assert (code, told) == (0, "")
    assert [e["outcome"] for e in entries] == ["record"]


@pytest.mark.parametrize("content", [b"", b"\0" * 100, bytes(range(256)) * 40, b"SELECT \0 FROM t"])
def test_what_is_no_text_is_one_message(tmp_path, content):
    code, told, entries = converted(tmp_path, content)
    assert (code, entries) == (2, [])
    assert told.count("  found ") == told.count("  to do ") == 1
    assert "s.sql" in told
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("content", ["-- nothing\n", "/* a\n b */\n-- c\n", "\n\n  \n", ";;;\n"])
def test_a_file_without_a_statement_states_nothing(tmp_path, content):
    code, told, entries = converted(tmp_path, content)
    assert entries == []
    assert code == 0 or told.count("  found ") == 1


# Nests and lengths --------------------------------------------------------------------------------

DEEP = {
    "parentheses": f"SELECT id FROM t WHERE {'(' * 10_000}a < 0{')' * 10_000};\n",
    "open parentheses": f"SELECT id FROM t WHERE {'(' * 10_000}a < 0;\n",
    "not": f"SELECT id FROM t WHERE {'NOT ' * 10_000}a < 0;\n",
    "and": f"SELECT id FROM t WHERE {' AND '.join(['a < 0'] * 2_000)};\n",
    "case": f"SELECT id FROM t WHERE {'CASE WHEN a < ' * 2_000}0{' THEN 1 END' * 2_000} = 1;\n",
    "queries": f"SELECT id FROM {'(SELECT id FROM ' * 2_000}t{') x' * 2_000} WHERE a < 0;\n",
    "plus": f"SELECT id FROM t WHERE a{' + 1' * 10_000} < 0;\n",
    "concat": f"SELECT id FROM t WHERE a{' || b' * 10_000} = 'x';\n",
    "blocks": "BEGIN\n" * 5_000 + "NULL;\n" + "END;\n" * 5_000,
    "ifs": "IF a > 0 THEN\n" * 5_000,
    "comments": "/* " * 10_000 + SELECT,
    "quote": "'" + SELECT * 3,
    "quoted name": '"' + SELECT * 3,
    "union": " UNION ALL ".join(["SELECT 'R1', COUNT(*) FROM t WHERE a < 0"] * 1_000) + ";\n",
}


@pytest.mark.parametrize("dialect", ["oracle", "tsql", "mysql", "postgres", "bigquery"])
@pytest.mark.parametrize("shape", DEEP)
def test_a_deep_or_unclosed_text_is_read_or_listed(tmp_path, shape, dialect):
    code, told, _ = converted(tmp_path, DEEP[shape] + SELECT, dialect)
    assert code == 0 or told.count("  found ") == 1


def test_very_large_files_take_bounded_time_and_memory(tmp_path):
    (tmp_path / "large.sql").write_text("-- nothing\n" * 5_000_000, "utf-8")
    code, _, told, peak = run(tmp_path, "large.sql")
    assert code in (0, 2)
    assert code == 0 or told.count("  found ") == 1
    assert peak < 1500


def test_a_line_of_five_megabytes(tmp_path):
    values = ", ".join(f"'{number:06}'" for number in range(500_000))
    (tmp_path / "s.sql").write_text(f"SELECT id FROM t WHERE a IN ({values});\n{SELECT}", "utf-8")
    code, _, told, peak = run(tmp_path, "s.sql")
    assert code == 0, told
    assert peak < 1500


def test_many_statements():
    """In time that grows with their number: else this would take many minutes."""
    text = "".join(f"SELECT id FROM t{n} WHERE a{n} < 0;\n" for n in range(3_000))
    (read,) = read_all([_raw("s.sql", text, "oracle")])
    assert isinstance(read, Counted)
    assert len(read.reading.rules) == 3_000


# Nothing breaks out -------------------------------------------------------------------------------

EVIL = (
    '"""', "'''", "*/", "-- x", "${x}", "{{ x }}", "\\", "\\'", '\\"', "\n", "\r", "\u202e",
    "\u2028", "__import__('os').system('x')", "'; DROP TABLE t; --", "{x}", "%s", "`",
)  # fmt: skip


def _quoted(text: str) -> str:
    return text.replace("'", "''")


@pytest.mark.parametrize("dialect", ["oracle", "mysql", "tsql", "databricks", "bigquery"])
def test_texts_of_a_script_stay_texts_in_the_module(tmp_path, dialect):
    pieces = []
    for number, evil in enumerate(EVIL):
        said = evil.replace("\n", " ").replace("\r", " ")
        pieces.append(f"-- DQ-{number:03} {said}\n")
        pieces.append(f"SELECT '{_quoted(evil)}' AS message, id FROM t WHERE a{number} < 0;\n")
        pieces.append(f"SELECT id FROM t WHERE b{number} <> 'x{_quoted(evil)}';\n")
        pieces.append(f"-- {said}\nSELECT id FROM t WHERE c{number} IS NULL;\n")
    code, told, entries = converted(tmp_path, "".join(pieces), dialect)
    assert code == 0, told
    assert any(entry["outcome"] == "record" for entry in entries)
    for module in (tmp_path / "out").rglob("*.py"):
        _only_rules(module.read_text("utf-8"))
    for report in (tmp_path / "out").rglob("*.md"):
        assert "\x1b" not in report.read_text("utf-8")


def _only_rules(text: str) -> None:
    """Nothing is called but what modules call, and no control character stands in it raw."""
    assert not {sign for sign in text if sign < " " and sign != "\n"}
    tree = ast.parse(text)
    called = {node.func.id for node in ast.walk(tree)
              if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
    assert "__import__" not in called
    roots = [type(node).__name__ for node in tree.body]
    assert set(roots) <= {"Expr", "Import", "ImportFrom", "Assign", "AnnAssign", "FunctionDef"}


def test_names_with_control_characters_are_listed(tmp_path):
    text = 'SELECT id FROM "t\x1b[31m" WHERE "a\x07b" < 0;\n' + SELECT
    code, told, _ = converted(tmp_path, text)
    assert code in (0, 2)
    assert "\x1b" not in told
    for module in (tmp_path / "out").rglob("*.py"):
        _only_rules(module.read_text("utf-8"))
