"""The workbook's file: its parts, and that the same report gives the same bytes."""

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import fromstring
from zipfile import ZIP_STORED, ZipFile

from ledgers import ledger_of, orders_ledger
from workbooks import asking, parts, workbook

from ruleferry.converters.account import Proposal

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
PRINTED = (
    "import hashlib; from ledgers import orders_ledger; from workbooks import workbook; "
    "print(hashlib.sha256(workbook(orders_ledger())).hexdigest())"
)


def in_another_process(**variables: str) -> str:
    paths = [str(Path(__file__).parent), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", PRINTED],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), **variables},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def test_the_same_report_gives_the_same_bytes():
    assert workbook(orders_ledger()) == workbook(orders_ledger())


def test_neither_hashes_nor_the_time_zone_change_them():
    first = in_another_process(PYTHONHASHSEED="1", TZ="UTC")
    assert first == in_another_process(PYTHONHASHSEED="2", TZ="Asia/Tokyo")


def test_the_archive_has_no_clock_and_no_compression():
    with ZipFile(BytesIO(workbook(orders_ledger()))) as archive:
        infos = archive.infolist()
    assert infos[0].filename == "[Content_Types].xml"
    assert [i.filename for i in infos[1:]] == sorted(i.filename for i in infos[1:])
    assert {i.date_time for i in infos} == {(1980, 1, 1, 0, 0, 0)}
    assert {(i.compress_type, i.create_system) for i in infos} == {(ZIP_STORED, 0)}


def test_the_properties_have_no_clock():
    told = parts(workbook(orders_ledger()))["docProps/core.xml"]
    assert told.count("1980-01-01T00:00:00Z") == 2
    assert "20" not in told.replace("2006", "").replace("2001", "")


def test_each_part_is_declared():
    found = parts(workbook(orders_ledger()))
    types = fromstring(found["[Content_Types].xml"])
    named = {child.get("PartName") for child in types} - {None}
    assert named == {f"/{name}" for name in found if not name.endswith(".rels")} - {
        "/[Content_Types].xml"
    }


def test_no_sheet_has_an_empty_list_of_what_it_does_not_have():
    for data in (workbook(ledger_of([])), workbook(orders_ledger())):
        for name, part in parts(data).items():
            for tag in ("dataValidations", "hyperlinks", "mergeCells"):
                assert all(len(found) for found in fromstring(part).iter(f"{MAIN}{tag}")), name


def test_the_elements_of_a_sheet_stand_in_the_order_of_the_format():
    order = (
        "sheetPr", "sheetViews", "sheetFormatPr", "cols", "sheetData", "autoFilter",
        "dataValidations", "hyperlinks", "pageMargins", "pageSetup",
    )  # fmt: skip
    for name, part in parts(workbook(orders_ledger())).items():
        if name.startswith("xl/worksheets/"):
            tags = [child.tag.removeprefix(MAIN) for child in fromstring(part)]
            assert tags == [tag for tag in order if tag in tags]


def test_the_looks_are_few_however_many_cells():
    styles = fromstring(parts(workbook(orders_ledger()))["xl/styles.xml"])
    assert len(styles.find(f"{MAIN}cellXfs")) < 60


def test_as_many_dropdowns_as_lists():
    """However many questions there are: Excel reads no file of endless validations."""
    questions = [
        asking(id=f"q{n}", proposals=(Proposal("ab"[n % 2], "", "settle"),)) for n in range(200)
    ]
    sheet = fromstring(parts(workbook(ledger_of([], *questions)))["xl/worksheets/sheet2.xml"])
    assert len(list(sheet.iter(f"{MAIN}dataValidation"))) == 3
