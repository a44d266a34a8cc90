"""The files of the reports: written by `convert`, again by `report`, and never over an answer."""

import hashlib
import json
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
import suites
from suites import between, ledger, no_rows, outputs, present, suite, write

from ruleferry.converters.config import load_config
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.options import Options, with_options
from ruleferry.converters.rendering_again import last_report, render_again
from ruleferry.converters.reports.workbook.columns import QUESTION_HEADERS

convert = partial(suites.convert, all_reports=True)
REPORTS = {"gap_report.md", "gap_report.html", "gap_report.xlsx"}
SAMPLE = Path(__file__).resolve().parents[1] / "samples/orders"
BOOK = "expectations/gap_report.xlsx"


@pytest.fixture
def folder(tmp_path) -> Path:
    """A table converted once, one of its rules left for a person."""
    orders = suite("orders", present("o_id"), between("price", 0, 9), no_rows("magic(a) > 1"))
    write(tmp_path, {"suites/orders.json": orders})
    convert(tmp_path, engine="spark")
    return tmp_path


def again(folder: Path, *, force=False, **options):
    return render_again(with_options(load_config(None, folder), Options(**options)), force=force)


def refused(call, *args, **kwargs) -> list[str]:
    with pytest.raises(InputFaults) as raised:
        call(*args, **kwargs)
    return [f"{f.file}, {f.place}: {f.found}" for f in raised.value.faults]


def true_to(folder: Path) -> bool:
    """Whether the ledger says of every file in the folder what it is."""
    known = {output["file"]: output["sha256"] for output in ledger(folder)["outputs"]}
    files = {file: hashlib.sha256(data).hexdigest() for file, data in outputs(folder).items()}
    return known == {file: sha for file, sha in files.items() if file[-9:] != "dger.json"}


# Rendered again -----------------------------------------------------------------------------------


def test_the_same_bytes_again(folder):
    before = outputs(folder)
    assert before.keys() >= REPORTS
    done = again(folder)
    assert set(done.written) == REPORTS
    assert outputs(folder) == before
    for file in REPORTS:
        (folder / "expectations" / file).unlink()
    again(folder)
    assert outputs(folder) == before


def test_the_sample_is_rendered_as_it_was_converted(tmp_path):
    kept = shutil.ignore_patterns("expectations")
    shutil.copytree(SAMPLE, tmp_path / "orders", ignore=kept)
    convert(tmp_path / "orders", "suites", "dictionary.xlsx", "checks")
    before = outputs(tmp_path / "orders")
    again(tmp_path / "orders")
    assert outputs(tmp_path / "orders") == before


def proof(folder: Path) -> None:
    """The first exact rule is proved."""
    rule = next(e for e in ledger(folder)["entries"] if e.get("grade") == "exact")
    proved = {
        "id": rule["id"],
        "text_sha256": rule["origin"]["text_sha256"],
        "condition_sha256": hashlib.sha256(rule["condition"].encode()).hexdigest(),
        "verdict": "agrees",
        "rows": 9,
    }
    text = json.dumps({"version": 1, "tool": "ruleferry 0.1.0", "proofs": [proved]})
    write(folder, {"expectations/proof.json": text})


def test_what_is_proved_shows_in_the_reports_alone(folder):
    before = outputs(folder)
    old = ledger(folder)
    proof(folder)
    assert again(folder).report.total.off == 1
    after = outputs(folder)
    changed = {file for file, data in after.items() if before.get(file) != data}
    assert changed == REPORTS | {"ledger.json", "proof.json"}
    assert b"1 of 3 old checks may be switched off" in after["gap_report.md"]
    new = ledger(folder)
    assert new | {"outputs": old["outputs"]} == old
    (folder / "expectations/proof.json").unlink()
    again(folder)
    assert outputs(folder) == before


def test_a_conversion_shows_what_is_proved(folder):
    proof(folder)
    again(folder)
    before = outputs(folder)
    done = convert(folder, engine="spark")
    assert done.figures.off == 1
    assert outputs(folder) == before
    write(folder, {"expectations/proof.json": "{"})
    (told,) = refused(convert, folder, engine="spark")
    assert told.startswith("expectations/proof.json, line 1")
    assert refused(again, folder) == [told]
    assert outputs(folder) == before | {"proof.json": b"{"}


def test_modules_stay_as_they_are(folder):
    module = folder / "expectations/orders_expectations.py"
    module.write_text("# mine\n")
    again(folder)
    assert module.read_text() == "# mine\n"
    module.unlink()
    again(folder)
    assert not module.exists()


def test_without_a_conversion_there_is_nothing_to_render(tmp_path):
    assert refused(again, tmp_path) == ["expectations/ledger.json, None: no file"]
    assert outputs(tmp_path) == {}


def test_the_view_is_read_and_nothing_is_written(folder):
    (folder / "expectations/gap_report.md").write_text("mine")
    before = outputs(folder)
    assert last_report(load_config(None, folder)).total.rules == 3
    assert outputs(folder) == before


# What a person changed ----------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["gap_report.md", "gap_report.html"])
def test_a_report_that_was_changed_by_hand_is_not_overwritten(folder, file):
    path = folder / "expectations" / file
    data = path.read_bytes()
    path.write_bytes(data + b"mine")
    told = [f"expectations/{file}, None: a file that was changed since it was written"]
    assert refused(again, folder) == told
    assert refused(convert, folder, engine="spark") == told
    again(folder, force=True)
    assert path.read_bytes() == data


def resaved(folder: Path, **answers: str) -> None:
    """The workbook as another program saves it, with answers in the row of the first question."""
    import openpyxl

    book = openpyxl.load_workbook(folder / BOOK)
    sheet = book["Questions"]
    rows = list(sheet.iter_rows())
    header = next(row for row in rows if QUESTION_HEADERS["question_id"] in {c.value for c in row})
    columns = {cell.value: cell.column for cell in header}
    for name, value in answers.items():
        sheet.cell(header[0].row + 1, columns[QUESTION_HEADERS[name]]).value = value
    book.save(folder / BOOK)


def test_a_workbook_that_was_saved_again_without_answers_is_overwritten(folder):
    before = outputs(folder)
    resaved(folder)
    assert outputs(folder) != before
    again(folder)
    assert outputs(folder) == before
    resaved(folder)
    convert(folder, engine="spark")
    assert outputs(folder) == before


def test_a_workbook_with_answers_is_not_overwritten(folder):
    resaved(folder, answer="a > 1", by="Ann")
    filled = (folder / BOOK).read_bytes()
    before = outputs(folder)
    for run in (again, convert):
        (told,) = refused(run, folder)
        assert told.startswith("expectations/gap_report.xlsx, Questions!")
        assert "a > 1" in told
        assert outputs(folder) == before
    again(folder, force=True)
    assert (folder / BOOK).read_bytes() != filled


def test_answers_that_are_merged_are_not_lost_with_the_workbook(folder):
    from ruleferry.converters.answers.taking import take_answers

    before = outputs(folder)
    resaved(folder, answer="keep the old check", by="Ann")
    take_answers(load_config(None, folder), [BOOK], None, None)
    assert (folder / "decisions.toml").is_file()
    again(folder)
    assert outputs(folder) == before


def test_decisions_that_can_not_be_read_are_told(folder):
    resaved(folder, answer="a > 1", by="Ann")
    write(folder, {"decisions.toml": "["})
    (told,) = refused(again, folder)
    assert told.startswith("decisions.toml, ")


def test_a_workbook_of_our_name_that_is_none_of_ours_is_not_overwritten(folder):
    (folder / BOOK).write_bytes(b"mine")
    assert refused(again, folder)[0].startswith("expectations/gap_report.xlsx")
    assert (folder / BOOK).read_bytes() == b"mine"


def test_without_a_ledger_no_workbook_is_ours(folder):
    (folder / "expectations/ledger.json").unlink()
    assert f"{BOOK}, None: a file that ruleferry did not write" in refused(
        convert, folder, engine="spark"
    )


# Which reports ------------------------------------------------------------------------------------


def test_reports_that_are_not_wanted_are_removed(folder):
    write(folder, {"ruleferry.toml": 'reports = ["md"]'})
    done = again(folder)
    assert done.written == ("gap_report.md",)
    assert sorted(done.notices) == [
        "gap_report.html: removed, since `reports` does not name it",
        "gap_report.xlsx: removed, since `reports` does not name it",
    ]
    assert outputs(folder).keys() & REPORTS == {"gap_report.md"}
    assert true_to(folder)
    write(folder, {"ruleferry.toml": "reports = []"})
    done = convert(folder, engine="spark")
    assert outputs(folder).keys() == {"ledger.json", "orders_expectations.py"}
    assert true_to(folder)
    assert "gap_report.md: removed, since `reports` does not name it" in done.notices


@pytest.mark.parametrize("run", [again, lambda folder: convert(folder, engine="spark")])
def test_answers_in_a_workbook_that_is_not_wanted_stay(folder, run):
    resaved(folder, answer="a > 1")
    write(folder, {"ruleferry.toml": 'reports = ["html"]'})
    done = run(folder)
    told = "gap_report.xlsx: `reports` does not name it; it was changed by hand, so it was left"
    assert told in done.notices
    assert outputs(folder).keys() & REPORTS == {"gap_report.html", "gap_report.xlsx"}


@pytest.mark.parametrize("value", ['"md"', '["pdf"]', "[1]", "true", '["md", ["html"]]'])
def test_what_is_no_list_of_reports_is_told(folder, value):
    write(folder, {"ruleferry.toml": f"reports = {value}"})
    (told,) = refused(load_config, None, folder)
    assert told.startswith("ruleferry.toml, line 1: ")


LOADED = """
import sys
from pathlib import Path
from ruleferry.converters.config import load_config
from ruleferry.converters.conversion import convert
convert(load_config(None, Path(sys.argv[1])), ["suites"])
print(*sys.modules)
"""


def test_what_only_other_reports_need_is_not_imported(folder):
    write(folder, {"ruleferry.toml": 'reports = ["md"]'})
    command = [sys.executable, "-c", LOADED, str(folder)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert {"jinja2", "openpyxl", "ruleferry.converters.answers"} & {*run.stdout.split()} == set()


# A copy of the workbook ---------------------------------------------------------------------------


def test_a_copy_of_the_workbook_is_no_source(folder):
    resaved(folder, answer="a > 1", by="Ann")
    filled = (folder / BOOK).read_bytes()
    write(folder, {"suites/from Ann.xlsx": filled, "suites/again.xlsm": filled})
    (folder / BOOK).unlink()
    done = convert(folder, engine="spark")
    unread = {s.file: s.why for s in done.ledger.sources if s.read_as == "not read"}
    assert unread.keys() == {"suites/from Ann.xlsx", "suites/again.xlsm"}
    assert all("ruleferry answers" in why for why in unread.values())
    (told,) = refused(convert, folder, "suites/from Ann.xlsx")
    assert "answers to our questions" in told


def test_a_dictionary_with_sheets_of_these_names_is_one(folder):
    import openpyxl

    book = openpyxl.Workbook()
    for name in ("Questions", "Rules"):
        sheet = book.create_sheet(name)
        sheet.append(["Column", "Mandatory", "Question id"])
        sheet.append(["price", "yes", "7"])
    book.remove(book.worksheets[0])
    book.save(folder / "suites/dictionary.xlsx")
    done = convert(folder, engine="spark")
    (source,) = [s for s in done.ledger.sources if s.file == "suites/dictionary.xlsx"]
    assert source.read_as != "not read"


def test_the_ledger_says_what_every_file_is(folder):
    assert true_to(folder)
    (folder / "expectations/gap_report.md").write_text("mine")
    assert not true_to(folder)
