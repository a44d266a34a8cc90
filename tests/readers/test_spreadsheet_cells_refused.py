"""Files that are no workbook, broken ones and hostile ones: one fault each, in bounded memory."""

import io
import struct
import subprocess
import sys
import zipfile
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_workbooks import (
    BOF,
    BOOK_RELS,
    SHEET,
    bare,
    biff,
    edited,
    number,
    ods,
    ods_text,
    old_file,
    parts_of,
    record,
    related,
    saved,
    sheet_xml,
    workbook,
    xlsb,
    zipped,
)

from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.spreadsheet.cells import Book
from ruleferry.converters.readers.spreadsheet.workbook import archive, limits
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book

PLAIN = saved(workbook({"A1": "id", "B2": 7}))
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
EVIL = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"
ONE = '<row r="1"><c r="A1"><v>1</v></c></row>'


def fault(data, file="fields.xlsx"):
    faults = read_book(data, file)
    assert isinstance(faults, list), faults
    assert len(faults) == 1
    assert faults[0].file == file
    assert faults[0].todo
    return faults[0]


@pytest.mark.parametrize(
    ("data", "file", "found"),
    [
        (b"", "fields.xlsx", "an empty file"),
        (b" \n", "fields.csv", "an empty file"),
        (PLAIN, "x/~$fields.xlsx", "the lock of a workbook"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
            "f.xlsx",
            "Git LFS",
        ),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "f.csv", "Git LFS"),
        (b"<html><table><tr><td>a</td></tr></table>", "fields.xls", "HTML or XML under the ending"),
        (b'<?xml version="1.0"?><Workbook/>', "fields.xls", "HTML or XML under the ending"),
        ("<html>".encode("utf-16"), "fields.xls", "HTML or XML under the ending"),
        (b"name,type\nid,int\n", "fields.xls", "text under the ending .xls"),
        (b"name,type\nid,int\n", "fields.xlsx", "text under the ending .xlsx"),
        (b"\x00\x01\x02\x03", "fields.xlsx", "a binary file that is no workbook"),
        (PLAIN[: len(PLAIN) // 2], "fields.xlsx", "a broken zip archive"),
        (PLAIN[:200], "fields.xlsx", "a broken zip archive"),
        (old_file(EncryptionInfo=b"x", EncryptedPackage=b"x" * 5000), "f.xlsx", "an encrypted"),
        (old_file(WordDocument=b"x"), "f.xls", "an old Office file that is no workbook"),
        (OLE + bytes(2000), "fields.xls", "a broken old Office file"),
        (zipped({"a.txt": "x"}), "fields.xlsx", "a zip archive without a workbook"),
        (zipped({"mimetype": "application/vnd.oasis.opendocument.x"}), "f.ods", "without its cont"),
    ],
)
def test_what_is_no_workbook(data, file, found):
    assert found in fault(data, file).found


def test_no_sheet_of_cells():
    book = workbook()
    book.create_chartsheet("Chart")

    def cut(count):
        def edit(old):
            sheets = old[old.index(b"<sheet ") : old.index(b"</sheets>")]
            kept = b"<sheet " + sheets.split(b"<sheet ")[2] if count else b""
            return old.replace(sheets, kept)

        return {"xl/workbook.xml": edit}

    for count in (0, 1):
        assert "without a sheet of cells" in fault(edited(saved(book), cut(count))).found


@pytest.mark.parametrize(
    "part",
    [SHEET, "xl/workbook.xml", "xl/styles.xml", BOOK_RELS, "_rels/.rels", "xl/comments9.xml"],
)
def test_document_types(part):
    links = {"xl/worksheets/_rels/sheet1.xml.rels": related("comments", "/xl/comments9.xml")}
    root = b"<comments/>"
    data = edited(PLAIN, {part: lambda old: EVIL.encode() + (old or root)} | links)
    found = fault(data)
    assert "a document type (DOCTYPE)" in found.found
    assert part in found.found


def test_a_document_type_in_the_shared_texts():
    shared = {"xl/sharedStrings.xml": lambda old: EVIL.encode() + old}
    data = edited(bare(ONE, texts="<si><t>a</t></si>"), shared)
    assert "a document type (DOCTYPE)" in fault(data).found


def test_external_entities_are_not_read():
    text = '<row r="1"><c r="A1" t="inlineStr"><is><t>&a;</t></is></c></row>'
    assert "DOCTYPE" in fault(edited(PLAIN, {SHEET: EVIL.encode() + sheet_xml(text)})).found
    assert "entity" in fault(bare(text)).found


@pytest.mark.parametrize(
    "rows",
    [
        ONE + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        '<row r="9999999"><c r="ZZZ9999999"><v>1</v></c></row>',
        ONE + '<row r="2"><c r="XFD900000" t="inlineStr"><is><t>x</t></is></c></row>',
    ],
)
def test_far_cells(rows):
    found = fault(bare(rows))
    assert "filled cells as far as" in found.found
    assert found.place == "sheet Fields"


def test_far_cells_of_many_sheets_add_up():
    row = '<row r="1000000"><c r="D1000000"><v>1</v></c></row>'
    book = workbook()
    for n in range(2):
        book.create_sheet(f"More {n}")
    three = {f"xl/worksheets/sheet{n}.xml": sheet_xml(row) for n in (1, 2, 3)}
    assert fault(edited(saved(book), three)).place == "sheet More 1"


@pytest.mark.parametrize(
    "address", ["A99999999999", "A4294967297", "A0", "1A", "A", "$A$1", "A1:B2"]
)
def test_addresses_of_no_cell(address):
    fault(bare(f'<row r="1"><c r="{address}"><v>1</v></c></row>'))


@pytest.mark.parametrize("address", ["99999999999", "-1", "x", "0"])
def test_rows_of_no_number(address):
    fault(bare(f'<row r="{address}"><c><v>1</v></c></row>'))


def test_far_formats_are_no_far_cells():
    rows = ONE + '<row r="1048576" s="1"><c r="XFD1048576" s="1"/><c r="A1048576" s="0"></c></row>'
    sheet = read_book(bare(rows), "fields.xlsx").sheets[0]
    assert sheet.rows == [[1]]


def test_all_columns():
    book = workbook({"A1": "name", "XFD3": "last"})
    sheet = read_book(saved(book), "fields.xlsx").sheets[0]
    assert list(sheet.filled()) == [(0, 0), (2, 16383)]


def test_lists_that_claim_too_many_elements():
    """Readers set memory aside for them."""
    shared = edited(
        bare(ONE, texts="<si><t>a</t></si>"),
        {
            "xl/sharedStrings.xml": lambda old: old.replace(
                b"<sst ", b'<sst uniqueCount="4294967297" '
            )
        },
    )
    assert "too many elements" in fault(shared).found
    binary = record(159, struct.pack("<II", 4000000000, 4000000000)) + record(160)
    assert "too many elements" in fault(xlsb({(0, 0): number(1)}, binary), "f.xlsb").found
    texts = biff(0xFC, struct.pack("<II", 1, 4000000000))
    extent = biff(0x200, struct.pack("<IIHHH", 0, 134217728, 0, 160, 0))
    turned = biff(0x200, struct.pack("<IIHHH", 126, 0, 0, 7, 0))
    for claim in (texts, extent, turned):
        old = old_file(Workbook=BOF + BOF + claim + bytes(5000))
        assert "more than an .xls can hold" in fault(old, "f.xls").found


def test_far_cells_of_other_formats():
    far = xlsb({(0, 0): number(1), (1048575, 16383): number(2)})
    assert "XFD1048576" in fault(far, "fields.xlsb").found
    many = ods_text("x", repeated=16384)
    rows = f'<table:table-row table:number-rows-repeated="1048576">{many}</table:table-row>'
    assert (
        "XFD1048576"
        in fault(ods(f'<table:table table:name="S">{rows}</table:table>'), "f.ods").found
    )
    spaces = '<table:table-cell><text:p>a<text:s text:c="4000000000"/></text:p></table:table-cell>'
    row = f'<table:table table:name="S"><table:table-row>{spaces}</table:table-row></table:table>'
    assert "spaces" in fault(ods(row), "f.ods").found


def test_other_broken_ods():
    content = parts_of(ods('<table:table table:name="S"/>'))
    open_end = content | {"content.xml": content["content.xml"].replace(b"table:name", b"<")}
    assert "broken XML" in fault(zipped(open_end), "f.ods").found
    evil = content | {"content.xml": EVIL.encode() + content["content.xml"].split(b"?>")[1]}
    assert "DOCTYPE" in fault(zipped(evil), "f.ods").found
    locked = content | {"META-INF/manifest.xml": "<m><encryption-data/></m>"}
    assert "encrypted" in fault(zipped(locked), "f.ods").found


def test_encodings_of_parts():
    """Readers of sheets find nothing in them, and say nothing."""
    text = sheet_xml(ONE).decode()
    wide = edited(PLAIN, {SHEET: text.encode("utf-16")})
    assert "another encoding" in fault(wide).found
    narrow = ('<?xml version="1.0" encoding="ISO-8859-1"?>' + text).encode("latin-1")
    assert "another encoding" in fault(edited(PLAIN, {SHEET: narrow})).found


def test_bombs(monkeypatch):
    """What the archive itself declares; with lower limits, so that it is made at once."""
    monkeypatch.setattr(archive, "PART_BYTES", 2 * limits.MEGABYTE)
    monkeypatch.setattr(archive, "ALL_BYTES", 5 * limits.MEGABYTE)
    big = zipped(parts_of(PLAIN) | {SHEET: b" " * (2 * limits.MEGABYTE + 1)})
    assert "more than 2 MB" in fault(big).found
    many = parts_of(PLAIN) | {f"{n}.xml": b" " * (2 * limits.MEGABYTE - 1) for n in range(3)}
    assert "more than 5 MB" in fault(zipped(many)).found


def lying(data, part, size):
    """The archive says that a part is `size` bytes, with a checksum that fits these."""
    content = parts_of(data)[part]
    with zipfile.ZipFile(io.BytesIO(data)) as held:
        entry = held.getinfo(part)
    told = struct.pack("<III", entry.CRC, entry.compress_size, entry.file_size)
    lie = struct.pack("<III", zlib.crc32(content[:size]), entry.compress_size, size)
    assert data.count(told) == 2
    return data.replace(told, lie)


def test_a_part_larger_than_the_archive_says():
    spaced = edited(PLAIN, {SHEET: lambda old: old + b"\n" * 5_000_000})
    assert "larger than the archive says" in fault(lying(spaced, SHEET, 1000)).found


def test_damaged_parts():
    at = PLAIN.index(b"xl/worksheets/sheet1.xml") + 40
    broken = PLAIN[:at] + bytes(8) + PLAIN[at + 8 :]
    assert "damaged part" in fault(broken).found
    missing = {name: content for name, content in parts_of(PLAIN).items() if name != SHEET}
    assert fault(zipped(missing)).place == "sheet Fields"


def test_two_parts_of_one_name():
    held = io.BytesIO(PLAIN)
    with zipfile.ZipFile(held, "a") as opened, pytest.warns(UserWarning, match="Dup"):
        opened.writestr(SHEET, sheet_xml(ONE))
    assert "two parts named" in fault(held.getvalue()).found


def test_names_that_climb_are_read_and_written_nowhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = edited(
        PLAIN,
        {"../../evil.txt": b"x", "/etc/evil": b"x", BOOK_RELS: related("x", "../../../etc/passwd")},
    )
    assert isinstance(read_book(data, "fields.xlsx"), Book)
    assert not list(tmp_path.iterdir())


def test_lists_of_sheets_that_can_be_read_in_two_ways():
    def twice(old):
        start = old.index(b"<sheet ")
        return old[:start] + old[start : old.index(b"</sheets>")] + old[start:]

    def listed_again(old):
        start, end = old.index(b"<sheet "), old.index(b"</sheets>")
        more = old[start:end].replace(b"Fields", b"More")
        return old[:end] + b"</sheets><sheets>" + more + old[end:]

    for edit in (twice, listed_again):
        assert "in two ways" in fault(edited(PLAIN, {"xl/workbook.xml": edit})).found


def test_a_password_of_the_old_format():
    locked = old_file(Workbook=BOF + biff(0x2F, bytes(54)) + bytes(5000))
    assert "an encrypted workbook" in fault(locked, "f.xls").found
    small = old_file(
        Note=b"x" * 5000, Workbook=BOF + biff(0x2F, bytes(54))
    )  # in the stream of small streams
    assert "an encrypted workbook" in fault(small, "f.xls").found


def test_far_cells_of_the_old_format():
    far = BOF + biff(0x203, struct.pack("<HHHd", 65535, 255, 0, 1.0))
    found = fault(old_file(Workbook=BOF + far + bytes(5000)), "f.xls")
    assert "filled cells as far as IV65536" in found.found
    several = biff(0xBD, struct.pack("<HH", 65535, 0) + bytes(12) + struct.pack("<H", 255))
    assert "IV65536" in fault(old_file(Workbook=BOF + BOF + several), "f.xls").found
    row = BOF + biff(0x203, struct.pack("<HHHd", 65535, 50, 0, 1.0))
    assert fault(old_file(Workbook=BOF + row * 4), "f.xls").place == "sheet number 3"


ROWS_OF_FORMATS = """
import resource, sys, io, zipfile
sys.path.insert(0, sys.argv[1])
from made_workbooks import SHEET, saved, workbook, edited, MAIN
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book
row = b'<row r="%d" s="1" customFormat="1"><c r="P%d" s="1"/></row>'
rows = b"".join(row % (n, n) for n in range(2, 1048577))
first = b'<row r="1"><c r="A1"><v>1</v></c></row>'
start = b'<worksheet xmlns="%s"><sheetData>' % MAIN.encode()
xml = start + first + rows + b"</sheetData></worksheet>"
data = edited(saved(workbook()), {SHEET: xml})
del rows, xml
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))
book = read_book(data, "f.xlsx")
print(len(book.sheets[0].rows), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_a_million_rows_of_formats_alone(request):
    folder = str(request.path.parent)
    done = subprocess.run(
        [sys.executable, "-c", ROWS_OF_FORMATS, folder], capture_output=True, text=True, check=True
    )
    rows, kilobytes = done.stdout.split()
    assert rows == "1"
    assert int(kilobytes) < 200_000


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([SHEET, "xl/workbook.xml", "xl/styles.xml", BOOK_RELS, "_rels/.rels"]),
    st.floats(0, 1),
    st.binary(max_size=6) | st.sampled_from([b"-1", b"99999999999", b"<", b">", b'"', b"&"]),
    st.integers(0, 30),
)
def test_nothing_raises(part, at, inserted, removed):
    content = BROKEN[part]
    start = int(at * len(content))
    data = edited(SMALL, {part: content[:start] + inserted + content[start + removed :]})
    found = read_book(data, "fields.xlsx")
    assert isinstance(found, Book) or all(isinstance(each, Fault) for each in found)


SMALL = bare(
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><f>A1</f><v>2</v></c></row>'
    '<row r="3" hidden="1"><c r="C3" t="e"><v>#REF!</v></c></row>',
    texts="<si><r><t>a</t></r><r><rPr><strike/></rPr><t>b</t></r></si>",
    after='<mergeCells count="1"><mergeCell ref="A1:B2"/></mergeCells><dataValidations count="1">'
    '<dataValidation type="list" sqref="A2"><formula1>"a,b"</formula1></dataValidation>'
    "</dataValidations>",
)
BROKEN = parts_of(SMALL)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["a.xlsx", "a.xls", "a.ods", "a.csv", "a"]))
def test_nothing_raises_on_any_bytes(data, file):
    for start in (b"", b"PK\x03\x04", OLE):
        found = read_book(start + data, file)
        assert isinstance(found, Book) or all(isinstance(each, Fault) for each in found)
