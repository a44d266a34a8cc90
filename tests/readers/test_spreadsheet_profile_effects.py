"""Each key of a profile, and of the configuration of a source, has its effect on the rules."""

import json
import re

import pytest
from made_workbooks import saved
from openpyxl.styles import Font
from spreadsheet_project import at, book_of, convert, refused, source, xlsx

STRANGE = (
    "File Name", "Name of it", "Data kind", "Req", "Options", "Checks", "Skip Logic",
    "May be blank",
)  # fmt: skip
ROWS = (
    ("o; c", "id", "int", "R", "", "", "", "No"),
    ("o", "weight", "amount", "O", "A, B", "should be greater than 0", "", "Yes"),
    ("o", "size", "int", "", "", "must be less than Body weight", "", ""),
    ("o", "day", "date", "", "", "must be after 03/04/2020", "", ""),
    ("o", "note", "text", "Q", "", "", "[id] = '2'", ""),
)
COLUMNS = """
table = {from = "column", column = "File Name", split = "; "}
[sheets.columns]
column = "Name of it"
type = "Data kind"
required = "Req"
codes = "Options"
rule = ["Checks"]
condition = "Skip Logic"
"""
LEGEND = "[sheets.values.required]\nR = true\nO = false\n"


def profile(sheets="", rest="", head=""):
    return f'{head}\n[[sheets]]\nmatch = "Fields"\n{sheets}\n{rest}'


def read(folder, toml, *rows, header=STRANGE, **sheets):
    files = {"d.xlsx": xlsx(header, *(rows or ROWS), **sheets), "p.toml": toml}
    return convert(folder, files, profile="p.toml")


def only(done, place):
    found = [e for e in done.ledger.entries if e.origin.place == place]
    assert len(found) == 1, found
    return found[0]


def test_columns_legends_and_the_parting_of_tables(tmp_path):
    done = read(tmp_path, profile(COLUMNS, LEGEND))
    assert at(done, "Fields!D2") == ["id IS NOT NULL"] * 2
    assert {e.table for e in done.ledger.entries} == {"o", "c"}
    assert at(done, "Fields!D3") == ["not_a_rule"]
    assert at(done, "Fields!D6") == ["legend_missing"]
    assert source(done, "p.toml").why == "profile"


def test_without_it_nothing_is_guessed(tmp_path):
    done = convert(tmp_path, {"d.xlsx": xlsx(STRANGE, *ROWS)}, "d.xlsx")
    assert {e.outcome for e in done.ledger.entries} <= {"gap", "not_a_rule"}


def test_polarity(tmp_path):
    told = '[sheets.polarity]\n"May be blank" = "inverted"\n'
    done = read(tmp_path, profile(COLUMNS, LEGEND + told))
    assert at(done, "Fields!H2") == ["id IS NOT NULL"] * 2
    assert at(done, "Fields!H3") == ["not_a_rule"]


def test_suggestions(tmp_path):
    assert at(read(tmp_path, profile(COLUMNS)), "Fields!F3") == ["suggestion"]
    done = read(tmp_path / "2", profile(COLUMNS, '[modes]\nsuggestions = "warn"'))
    assert (only(done, "Fields!F3").outcome, only(done, "Fields!F3").action) == ("record", "warn")


def test_relevance(tmp_path):
    assert at(read(tmp_path, profile(COLUMNS)), "Fields!G6") == ["not_a_rule"]
    done = read(tmp_path / "2", profile(COLUMNS, '[modes]\nrelevance = "warn"'))
    assert (only(done, "Fields!G6").kind, only(done, "Fields!G6").action) == ("absent", "warn")


def test_names(tmp_path):
    assert only(read(tmp_path, profile(COLUMNS)), "Fields!F4").outcome == "gap"
    done = read(tmp_path / "2", profile(COLUMNS, '[names]\n"Body weight" = "weight"'))
    assert set(only(done, "Fields!F4").columns) == {"size", "weight"}


def test_dates(tmp_path):
    assert only(read(tmp_path, profile(COLUMNS)), "Fields!F5").outcome == "gap"
    for day_first, day in (("true", "2020-04-03"), ("false", "2020-03-04")):
        done = read(tmp_path / day_first, profile(COLUMNS, f"[dates]\ndmy = {day_first}"))
        assert day in only(done, "Fields!F5").condition


def test_types(tmp_path):
    assert at(read(tmp_path, profile(COLUMNS)), "Fields!C3") == ["not_understood"]
    done = read(tmp_path / "2", profile(COLUMNS, '[types]\nAmount = "decimal(10,2)"'))
    entry = only(done, "Fields!C3")
    assert (entry.kind, entry.outcome, entry.origin.text) == ("type", "record", "amount")


def test_null_words_and_sentinels(tmp_path):
    rest = LEGEND + '[nulls]\nwords = ["NA"]\nsentinels = [-999]'
    (condition,) = set(at(read(tmp_path, profile(COLUMNS, rest)), "Fields!D2"))
    assert condition.startswith("id IS NOT NULL AND CAST(id AS STRING) NOT IN ('NA', '-999')")
    assert "= -999" in condition  # -999.0 too


def test_closed_lists(tmp_path):
    assert only(read(tmp_path, profile(COLUMNS)), "Fields!E3").outcome == "record"
    done = read(tmp_path / "2", profile(COLUMNS, "[lists]\nclosed = false"))
    assert only(done, "Fields!E3").outcome == "gap"


HEADER = ("Field", "Type", "Severity", "Status")
TWO = (("a", "int", "Fatal", "X"), ("b", "int", "mild", "Z"))


@pytest.mark.parametrize(
    "toml",
    ['[severity]\nFATAL = "drop"', profile("", '[sheets.values.severity]\nFatal = "drop"')],
)
def test_severity(tmp_path, toml):
    rows = [row[:3] for row in TWO]
    done = read(tmp_path, toml, *rows, header=HEADER[:3])
    assert [(e.action, dict(e.tags)["severity"]) for e in done.ledger.entries] == [
        ("drop", "Fatal"),
        ("warn", "mild"),
    ]


def test_a_legend_of_statuses(tmp_path):
    toml = profile("", "[sheets.values.status]\nX = false\nZ = true\n")
    done = read(tmp_path, toml, *TWO, header=HEADER)
    assert [only(done, f"Fields!B{n}").outcome for n in (2, 3)] == ["not_a_rule", "record"]


def marked():
    book = book_of({
        "Fields": [("Field", "Type"), ("a", "int"), ("b", "int"), ("c", "int")],
        "Old": [("Field", "Type"), ("h", "int")],
        "READ ME": [("Field", "Type"), ("r", "int")],
    })  # fmt: skip
    book["Old"].sheet_state = "hidden"
    book["Fields"].row_dimensions[3].hidden = True
    book["Fields"]["B4"].font = Font(strike=True)
    return saved(book)


@pytest.mark.parametrize(
    ("toml", "read_of"),
    [
        ("", "abr"),
        ('hidden_sheets = "use"', "abhr"),
        ('hidden_rows = "skip"', "ar"),
        ('struck = "use"', "abcr"),
        ('ignore_sheets = ["READ*"]', "ab"),
    ],
)
def test_what_of_the_workbook_is_used(tmp_path, toml, read_of):
    files = {"d.xlsx": marked(), "p.toml": f"[workbook]\n{toml}"}
    done = convert(tmp_path, files, profile="p.toml")
    carried = [e.columns[0] for e in done.ledger.entries if e.outcome == "record"]
    assert "".join(sorted(carried)) == read_of


def test_which_workbooks_it_is_for(tmp_path):
    toml = profile(COLUMNS, LEGEND, '[workbook]\nfile = "d*.xlsx"')
    files = {"in/d.xlsx": xlsx(STRANGE, *ROWS), "in/e.xlsx": xlsx(STRANGE, *ROWS), "p.toml": toml}
    done = convert(tmp_path, files, "in", profile="p.toml")
    assert source(done, "in/d.xlsx").outcomes["record"]
    assert source(done, "in/e.xlsx").outcomes.keys() <= {"gap", "not_a_rule"}
    alone = {"e.xlsx": xlsx(STRANGE, *ROWS), "p.toml": toml}
    message = refused(tmp_path / "2", alone, profile="p.toml")
    assert "p.toml, workbook.file: found d*.xlsx; expected a pattern that e.xlsx has" in message


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        (profile(COLUMNS.replace("Checks", "Check")), r"no header `Check` in the sheet"),
        ('[[sheets]]\nmatch = "Felds"', r"no sheet that is called `Felds`.*`Fields`"),
        ("[lists]\nstyle = 'code, label'", r"line 2: found the unknown key `style`"),
        (profile("", "[sheets.values.codes]\nA = true"), r"the unknown key `codes`"),
    ],
)
def test_what_no_longer_fits_is_refused(tmp_path, toml, message):
    files = {"d.xlsx": xlsx(STRANGE, *ROWS), "p.toml": toml}
    assert re.search(message, refused(tmp_path, files, profile="p.toml"))


# ruleferry.toml -----------------------------------------------------------------------------------

TABLED = ("Table", "Field", "Type", "Required", "Minimum")
ONE = ("o", "id", "int", "Y", 1)


def test_null_words_and_blank_of_a_source(tmp_path):
    toml = '[[source]]\npath = ["d.xlsx"]\nnull_words = ["NA"]\nblank = "missing"\n'
    done = convert(tmp_path, {"ruleferry.toml": toml, "d.xlsx": xlsx(TABLED, ONE)})
    (condition,) = at(done, "Fields!D2")
    assert "'NA'" in condition
    assert "trim(" in condition
    plain = convert(tmp_path / "2", {"d.xlsx": xlsx(TABLED, ONE)})
    assert at(plain, "Fields!D2") == ["id IS NOT NULL"]


def of_kind(done, kind):
    return sorted((e.origin.file, e.outcome) for e in done.ledger.entries if e.kind == kind)


def test_two_workbooks_that_say_the_same_and_contradict_each_other(tmp_path):
    other = ("o", "id", "int", "Y", 5)
    files = {"in/a.xlsx": xlsx(TABLED, ONE), "in/b.xlsx": xlsx(TABLED, other)}
    done = convert(tmp_path, files, "in")
    assert of_kind(done, "present") == [("in/a.xlsx", "record"), ("in/b.xlsx", "merged")]
    assert of_kind(done, "range") == [("in/a.xlsx", "record"), ("in/b.xlsx", "record")]


def test_a_workbook_and_a_suite(tmp_path):
    values = "expect_column_values_to_"
    suite = {
        "name": "o",
        "expectations": [
            {"type": f"{values}not_be_null", "kwargs": {"column": "id"}},
            {"type": f"{values}be_between", "kwargs": {"column": "id", "min_value": 5}},
        ],
        "meta": {"great_expectations_version": "1.2.0"},
    }
    files = {"in/a.xlsx": xlsx(TABLED, ONE), "in/o.json": json.dumps(suite)}
    done = convert(tmp_path, files, "in", table=["o=o"])
    assert of_kind(done, "present") == [("in/a.xlsx", "merged"), ("in/o.json", "record")]
    assert of_kind(done, "range") == [("in/a.xlsx", "record"), ("in/o.json", "record")]


def test_a_table_of_text_that_is_a_schema_states_no_rules(tmp_path):
    text = (
        "table_catalog,table_schema,table_name,column_name,data_type,is_nullable\n"
        "m,s,o,id,BIGINT,NO\n"
    )
    files = {"in/a.xlsx": xlsx(TABLED, ONE), "in/columns.csv": text}
    done = convert(tmp_path, files, "in", schema=["in/columns.csv"])
    assert source(done, "in/columns.csv").read_as == "used"
    assert {e.origin.file for e in done.ledger.entries} == {"in/a.xlsx"}


def test_data_beside_a_dictionary_are_listed(tmp_path):
    files = {"in/a.xlsx": xlsx(TABLED, ONE), "in/data.csv": "id,name,state\n1,x,A\n"}
    done = convert(tmp_path, files, "in")
    assert source(done, "in/data.csv").read_as == "not read"
    assert "no header of a data dictionary" in source(done, "in/data.csv").why


def test_a_profile_is_listed_as_one_however_its_path_is_written(tmp_path):
    told = '[[source]]\npath = ["d.xlsx"]\nprofile = "./sub/../p.toml"\n'
    files = {"d.xlsx": xlsx(("Column", "Required"), ("a", "Yes")), "ruleferry.toml": told}
    done = convert(tmp_path, {**files, "p.toml": "# as it is", "sub/x": ""})
    assert {s.file: s.why for s in done.ledger.sources if s.read_as == "used"} == {
        "p.toml": "profile",
        "ruleferry.toml": "configuration",
    }
