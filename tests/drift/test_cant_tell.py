"""What can't be compared: a message that names the file and what to do, and nothing is written."""

import json
import os
import re
import shutil
import zipfile
from dataclasses import replace

import pytest
from cells import change_cells, edit_part, sheet_parts
from trial import drift

from ruleferry.converters.config import load_config
from ruleferry.converters.errors import InputFaults

BOOK, SUITE, SCRIPT = "dictionary.xlsx", "suites/orders.json", "checks/nightly.sql"
MODULE, LEDGER = "expectations/orders_expectations.py", "expectations/ledger.json"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
# How an encrypted workbook begins: a compound file, no zip.
COMPOUND = bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 504


def write(data: bytes):
    return lambda path: path.write_bytes(data)


def text(change):
    def edit(path):
        old = path.read_text(encoding="utf-8")
        new = change(old)
        assert new != old
        path.write_text(new, encoding="utf-8")

    return edit


def swap(old: str, new: str):
    return text(lambda whole: whole.replace(old, new, 1))


def ledger(**fields):
    return text(lambda old: json.dumps({**json.loads(old), **fields}))


def without_rows(path):
    """The sheet has its heading and no field any more."""
    part = sheet_parts(path)["Fields"]
    cut = r'<row r="([4-9]|1[0-9])".*?</row>'
    edit_part(path, part, lambda xml: re.sub(cut, "", xml, flags=re.DOTALL))


def without_sheets_filled(path):
    for part in sheet_parts(path).values():
        edit_part(path, part, lambda xml: re.sub(r"<row.*</row>", "", xml, flags=re.DOTALL))


def header_emptied(cell):
    return lambda path: change_cells(path, {f"Fields!{cell}": ""})


def header_called(cell, name):
    return lambda path: change_cells(path, {f"Fields!{cell}": name})


def cut(share: float):
    return lambda path: path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])


def not_zipped(path):
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("readme.txt", "no workbook")


def removed(path):
    path.unlink()


def a_folder(path):
    path.unlink()
    path.mkdir()


# A file, what happens to it, what the message must speak of besides it.
CASES = {
    "no workbook": (BOOK, removed, ""),
    "no suite": ("suites", shutil.rmtree, "suites/**"),
    "no script": ("checks", shutil.rmtree, "checks/**"),
    "no module": (MODULE, removed, "convert"),
    "no ledger": (LEDGER, removed, "convert"),
    "a folder for a module": (MODULE, a_folder, ""),
    "a folder for a ledger": (LEDGER, a_folder, ""),
    "no field": (BOOK, without_rows, ""),
    "nothing at all in the workbook": (BOOK, without_sheets_filled, ""),
    "no header Required": (BOOK, header_emptied("F3"), "Required"),
    "no header Column": (BOOK, header_emptied("B3"), ""),
    "no header Data type": (BOOK, header_emptied("D3"), "Data type"),
    "no header Minimum": (BOOK, header_emptied("H3"), "Minimum"),
    "no header Allowed values": (BOOK, header_emptied("J3"), "Allowed values"),
    "no header Validation rule": (BOOK, header_emptied("L3"), "Validation rule"),
    "a header that nobody knows": (BOOK, header_called("F3", "Zebra"), "Required"),
    "an empty file": (BOOK, write(b""), ""),
    "a pointer": (BOOK, write(POINTER), ""),
    "encrypted": (BOOK, write(COMPOUND), ""),
    "garbage": (BOOK, write(bytes(range(256)) * 20), ""),
    "half a workbook": (BOOK, cut(0.5), ""),
    "a zip that is no workbook": (BOOK, not_zipped, ""),
    "half a suite": (SUITE, cut(0.5), ""),
    "a suite without a check": (SUITE, text(lambda _: '{"name": "orders", "expectations": []}'), ""),  # noqa: E501
    "an empty script": (SCRIPT, write(b""), ""),
    "a script of comments": (SCRIPT, write(b"-- nothing any more\n"), ""),
    "no Python": (MODULE, swap("RULES_FAIL = {", "RULES_FAIL = {{"), "line"),
    "half a module": (MODULE, cut(0.2), ""),
    "an empty module": (MODULE, write(b""), ""),
    "bytes for a module": (MODULE, write(b"\xff\xfe\x00\x01" * 50), ""),
    "a dictionary is computed": (MODULE, swap("RULES_DROP = {", "RULES_DROP = {**OTHERS, "), ""),
    "a dictionary is made by a call": (
        MODULE, swap("RULES_FAIL = {", "RULES_FAIL = dict(mine='TRUE')\nRULES_LIST = {"), "RULES_FAIL",  # noqa: E501
    ),
    "a condition is computed": (
        MODULE, swap('"o_orderkey IS NOT NULL"', '"o_orderkey" + " IS NOT NULL"'), "line",
    ),
    "a condition is formatted": (
        MODULE, swap('"o_orderkey IS NOT NULL"', 'f"{KEY} IS NOT NULL"'), "line",
    ),
    "a dictionary is changed later": (
        MODULE, text(lambda old: f"{old}\nRULES_WARN.clear()\n"), "RULES_WARN",
    ),
    "a dictionary is changed in a branch": (
        MODULE, text(lambda old: f"{old}\nif True:\n    RULES_FAIL = {{}}\n"), "RULES_FAIL",
    ),
    "a dictionary is missing": (MODULE, swap("RULES_FAIL = {", "RULES_LOST = {"), "RULES_FAIL"),
    "a dictionary that is read below is missing": (
        MODULE,
        swap("SCHEMA_RULES_FAIL = {}\n", ""),
        "no SCHEMA_RULES_FAIL",
    ),
    "a name twice": (
        MODULE, swap("RULES_WARN = {", 'RULES_WARN = {\n    "ord_05": "TRUE",'), "ord_05",
    ),
    "the end of the block is gone": (MODULE, swap("# ---- TO HERE", "# ---- to here"), ""),
    "a ledger of another version": (LEDGER, ledger(version=2), "2"),
    "half a ledger": (LEDGER, cut(0.5), ""),
    "an empty ledger": (LEDGER, write(b""), ""),
    "a ledger that is none": (LEDGER, write(b"[]"), ""),
    "a ledger without entries": (LEDGER, ledger(entries=[]), ""),
    "a ledger without sources": (LEDGER, ledger(sources=[]), ""),
    "settings that are none": ("ruleferry.toml", swap("[[source]]", "[[source"), ""),
    "a schema that is gone": ("schema.csv", removed, ""),
}  # fmt: skip


def files(made):
    root = made.config.root
    return {
        path.relative_to(root): path.read_bytes() if path.is_file() else b""
        for path in root.rglob("*")
        if "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("case", CASES)
def test_it_is_told_and_nothing_is_written(case, own):
    file, edit, speaks_of = CASES[case]
    edit(own.config.root / file)
    before = files(own)
    with pytest.raises(InputFaults) as told:
        drift(replace(load_config(None, own.config.root), reports=()))
    assert file.rpartition("/")[2] in str(told.value)
    assert all(f.found and f.expected and f.todo for f in told.value.faults)
    assert speaks_of in str(told.value)
    assert files(own) == before


def test_a_lock_file_is_no_workbook(own):
    """It lies beside the workbook while somebody has it open: the workbook is read all the same."""
    (own.config.root / "~$dictionary.xlsx").write_bytes(b"\x05Ann" + b" " * 161)
    assert drift(own.config).differences == ()


def test_a_lock_file_in_place_of_the_workbook(own):
    own.path.unlink()
    (own.config.root / "~$dictionary.xlsx").write_bytes(b"\x05Ann" + b" " * 161)
    with pytest.raises(InputFaults, match=r"dictionary\.xlsx"):
        drift(own.config)


def test_a_ledger_that_lost_what_was_written(own):
    """The module is there, and nobody knows who wrote it."""
    ledger(outputs=[])(own.config.root / LEDGER)
    with pytest.raises(InputFaults, match=r"orders_expectations\.py"):
        drift(own.config)


def test_a_header_that_states_no_rule_itself(own):
    """Without its heading nothing says any more that a field is retired: its rules are told."""
    change_cells(own.path, {"Fields!M3": ""})
    told = drift(own.config).differences
    assert {one.source.place for one in told} == {"Fields!D13", "Fields!F13", "Fields!J13"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(own):
    own.path.chmod(0)
    with pytest.raises(InputFaults, match=r"dictionary\.xlsx"):
        drift(own.config)


def test_all_that_is_wrong_is_told_at_once(own):
    (own.config.root / BOOK).write_bytes(b"")
    (own.config.root / SUITE).write_text("{", encoding="utf-8")
    (own.config.root / MODULE).write_text("x =", encoding="utf-8")
    with pytest.raises(InputFaults) as told:
        drift(own.config)
    named = {fault.file for fault in told.value.faults}
    assert {BOOK, SUITE, MODULE} <= named


def test_some_of_the_sources_are_named(own):
    """The rest would look as if it was gone."""
    with pytest.raises(InputFaults, match=r"nightly\.sql|orders\.json"):
        drift(own.config, [BOOK])


def test_a_module_of_a_table_that_is_new_is_there_already(own):
    """Nobody knows who wrote it."""
    path = own.config.root / "ruleferry.toml"
    path.write_text(path.read_text().replace('module = "orders"', 'module = "sales"'))
    (own.out / "sales_expectations.py").write_text("# ours\n", encoding="utf-8")
    with pytest.raises(InputFaults, match=r"sales_expectations\.py"):
        drift(replace(load_config(None, own.config.root), reports=()))
