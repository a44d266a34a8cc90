"""Files that mean harm, or are none, from the command line: one message, little memory, no output.

Each run is a process of its own, which tells its peak of memory.
"""

import io
import os
import subprocess
import sys
import zipfile

import pytest
from made_workbooks import SHEET, bare, edited, old_file, parts_of
from spreadsheet_project import HEADER, csv_of, put, xlsx

# What the system counts for a new process includes what the one that started it held.
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
ROW = ("id", "int", "Y", 1)
GOOD = xlsx(HEADER, ROW)
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
EVIL = b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
MEGABYTES = 400


def run(folder, *arguments):
    """(exit code, stdout, stderr, peak in MB)."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, "convert", *arguments],
        cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=120,
        env=os.environ | {"NO_COLOR": "1"},
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    peak = folder / "peak"
    kilobytes = int(peak.read_text().split()[1]) if peak.exists() else 0
    return done.returncode, done.stdout, done.stderr, kilobytes / 1024


def bomb():
    """600 MB of blanks in a sheet."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts_of(GOOD).items():
            with archive.open(name, "w") as part:
                part.write(content)
                for _ in range(600 if name == SHEET else 0):
                    part.write(b" " * 2**20)
    return held.getvalue()


def far_cell(old):
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    return old.replace(b"</sheetData>", far)


REFUSED = {
    "encrypted": ("d.xlsx", lambda: old_file(EncryptionInfo=b"x", EncryptedPackage=b"x" * 5000)),
    "a broken zip archive": ("d.xlsx", lambda: GOOD[: len(GOOD) // 2]),
    "a pointer of Git LFS": ("d.xlsx", lambda: POINTER),
    "pointer of Git LFS": ("d.csv", lambda: POINTER),
    "an empty file": ("d.xlsx", lambda: b""),
    "HTML or XML under the ending .xls": ("d.xls", lambda: "<html><table></table></html>"),
    "a document type (DOCTYPE)": ("d.xlsx", lambda: edited(GOOD, {SHEET: lambda o: EVIL + o})),
    "of more than 300 MB": ("d.xlsx", bomb),
    "filled cells as far as XFD1048576": ("d.xlsx", lambda: edited(GOOD, {SHEET: far_cell})),
    "a binary file": ("d.csv", lambda: csv_of(HEADER, ROW).replace(b"id", b"i\0d")),
    "while it is open": ("~$d.xlsx", lambda: b"x" * 165),
    "no header of a data dictionary": ("d.csv", lambda: "id,name\n1,x\n"),
    "more than 1,048,576 rows": ("d.csv", lambda: csv_of(HEADER, ROW) + b"a,b\n" * 1_048_577),
}


@pytest.mark.parametrize("found", REFUSED)
def test_one_message_and_nothing_written(tmp_path, found):
    name, made = REFUSED[found]
    put(tmp_path, {name: made()})
    code, out, told, peak = run(tmp_path, name)
    assert (code, out) == (2, "")
    assert found in told
    assert told.count("  found ") == told.count("  to do ") == 1
    assert name in told
    assert not (tmp_path / "expectations").exists()
    assert peak < MEGABYTES


def test_with_partial_the_rest_is_converted(tmp_path):
    files = {"in/a.xlsx": GOOD[:100], "in/b.xlsx": GOOD, "in/c.xls": "<html>"}
    put(tmp_path, files)
    code, out, told, _ = run(tmp_path, "in")
    assert (code, out, told.count("  found ")) == (2, "", 2)
    code, out, _, _ = run(tmp_path, "in", "--partial")
    assert code == 1
    assert "unreadable" in out
    made = {path.name for path in (tmp_path / "expectations").iterdir()}
    reports = {"gap_report.md", "gap_report.html", "gap_report.xlsx"}
    assert made == {"b_expectations.py", "ledger.json", *reports}


def empty_rows(first, last):
    return "".join(f'<row r="{n}"><c r="A{n}"/></row>' for n in range(first, last)).encode()


def with_empty_rows(old):
    return old.replace(b"</sheetData>", empty_rows(10, 1_000_001) + b"</sheetData>")


HARMLESS = {
    "a million empty rows": lambda: edited(GOOD, {SHEET: with_empty_rows}),
    "16,384 columns": lambda: xlsx(
        (*HEADER, *(f"Note {n}" for n in range(16_377))), (*ROW, "", "", "", *["x"] * 16_377)
    ),
    "macros": lambda: edited(GOOD, {"xl/vbaProject.bin": b"x" * 100}),
}


@pytest.mark.parametrize("which", HARMLESS)
def test_what_is_only_large(tmp_path, which):
    name = "d.xlsm" if which == "macros" else "d.xlsx"
    # What reading it costs: a workbook of as many rules is larger than this one.
    put(tmp_path, {name: HARMLESS[which](), "ruleferry.toml": 'reports = ["md"]'})
    code, out, _, peak = run(tmp_path, name)
    assert code == 0
    assert "data dictionary" in out
    assert peak < MEGABYTES


def test_a_million_rows_of_nothing(tmp_path):
    put(tmp_path, {"d.xlsx": bare(empty_rows(1, 1_000_001).decode())})
    code, _, told, peak = run(tmp_path, "d.xlsx")
    assert code == 2
    assert "no header of a data dictionary" in told
    assert peak < MEGABYTES


@pytest.mark.parametrize("header", ["id,name,amount", "field,type,name,format"])
def test_a_large_file_of_data_in_a_folder_is_listed(tmp_path, header):
    put(tmp_path, {"in/d.xlsx": GOOD, "in/data.csv": ""})
    with (tmp_path / "in/data.csv").open("w") as file:
        file.write(header + "\n")
        lines = "".join(f"{n},name {n},{n * 3},x\n" for n in range(50_000))
        for _ in range(100_000_000 // len(lines) + 1):
            file.write(lines)
    code, out, _, peak = run(tmp_path, "in")
    assert code == 0
    assert "in/data.csv: more than 32 MB" in out
    assert peak < 150


def test_a_folder_that_is_called_like_a_workbook(tmp_path):
    put(tmp_path, {"x.xlsx/d.xlsx": GOOD})
    code, out, _, _ = run(tmp_path, "x.xlsx")
    assert code == 0
    assert "data dictionary" in out


def test_a_link_that_leads_nowhere(tmp_path):
    put(tmp_path, {"in/d.xlsx": GOOD})
    (tmp_path / "in/e.xlsx").symlink_to("nowhere.xlsx")
    code, _, told, _ = run(tmp_path, "in")
    assert code == 2
    assert "the link e.xlsx, which leads nowhere" in told
    assert not (tmp_path / "expectations").exists()
