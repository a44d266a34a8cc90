from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spreadsheet_blocks import block_of

from ruleferry.converters.readers.spreadsheet.blocks import Layout
from ruleferry.converters.readers.spreadsheet.meaning.meanings import meanings_of
from ruleferry.converters.readers.spreadsheet.meaning.profile import (
    chosen_of,
    read_profile,
    setting_of,
    settings_of,
    sheet_profile,
    split_of,
)
from ruleferry.converters.readers.spreadsheet.meaning.profile_draft import draft_profile
from ruleferry.converters.readers.spreadsheet.meaning.profile_match import check_profile
from ruleferry.converters.readers.spreadsheet.meaning.profile_types import Profile, SheetSettings
from ruleferry.converters.readers.spreadsheet.statement import Setting

WHOLE = """
[workbook]
file = "dictionary*.xlsx"
ignore_sheets = ["README", "*-OLD"]
hidden_sheets = "use"
hidden_rows = "skip"
struck = "use"

[[sheets]]
match = "ANC.*"
header_row = 2
first_row = 4
last_row = 90
last_column = "j"
transposed = false
kind = "dictionary"
continuation = "blank-name"
table = {from = "cell", cell = "b1"}
columns = {column = "Data Element", required = ["Required", "Target/Needed"], ignore = ["Notes"]}
[sheets.values.required]
R = true
O = false
" C " = "conditional"
[sheets.values.severity]
"Высокая" = "drop"
[sheets.polarity]
"Optional?" = "inverted"

[[sheets]]
match = ["Fields", "Lists [x]"]
table = {from = "column", column = "File Name", split = "; "}

[[sheets]]
match = "T1"
table = {from = "sheet"}

[[sheets]]
match = "*"
table = {from = "name", name = "orders"}

[lists]
closed = true
[names]
"Body weight" = "current_weight"
[nulls]
words = ["NA", ""]
sentinels = [-999, 99.5, "x"]
[dates]
dmy = true
[modes]
relevance = "warn"
suggestions = "warn"
[severity]
Fatal = "fail"
[types]
Codes = "text"
"""


def read(text):
    found = read_profile(text, "p.toml")
    assert isinstance(found, Profile), found
    return found


def test_all_of_a_profile():
    profile = read(WHOLE)
    assert (profile.file, profile.workbooks) == ("p.toml", ("dictionary*.xlsx",))
    assert (profile.hidden_sheets, profile.hidden_rows, profile.struck) == ("use", "skip", "use")
    assert settings_of(profile, "anc.visit") == SheetSettings(
        2, "J", False, "dictionary", "B1", "blank-name", False, 4, 90, False, True, True
    )
    assert chosen_of(profile, "ANC.visit") == {
        "Data Element": "column", "Required": "required", "Target/Needed": "required",
        "Notes": "ignore", "Optional?": "nullable",
    }  # fmt: skip
    assert profile.names == {"Body weight": "current_weight"}
    assert (profile.severity, profile.types) == ({"fatal": "fail"}, {"codes": "text"})
    assert profile.suggestions == "warn"


def test_where_the_table_stands():
    profile = read(WHOLE)
    assert chosen_of(profile, "Fields") == {"File Name": "table"}
    assert (split_of(profile, "fields"), split_of(profile, "T1")) == ("; ", None)
    told = replace(SheetSettings(), read_hidden=True, skip_hidden_rows=True)
    assert settings_of(profile, "Fields") == told
    assert settings_of(profile, "T1") == replace(told, table="T1", named=True)
    assert settings_of(profile, "other") == replace(told, table="orders", named=True)
    assert settings_of(read(""), "Fields") == SheetSettings()
    assert settings_of(profile, "Fields-old").ignore
    assert sheet_profile(read('[[sheets]]\nmatch = ""'), "") is not None
    assert sheet_profile(read('[[sheets]]\nmatch = "a"'), "b") is None


def test_what_it_says_of_cells():
    setting = setting_of(read(WHOLE), "ANC.x", Setting(legend={"required": {"x": True}}))
    assert setting.legend["required"] == {"x": True, "r": True, "o": False, "c": "conditional"}
    assert setting.legend["severity"] == {"высокая": "drop"}
    assert setting.null_words == ("NA", "", "-999", "99.5", "x")
    assert (setting.day_first, setting.relevance, setting.closed_lists) == (True, "warn", True)
    plain = setting_of(read(""), "x", Setting(day_first=False, closed_lists=False))
    assert (plain.day_first, plain.relevance, plain.closed_lists) == (False, "off", False)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[workbok]", "`workbok`; expected one of dates, .* Did you mean `workbook`?"),
        ("[workbook]\nhiden_sheets = 'use'", "line 2: .*`hidden_sheets`?"),
        ("[workbook]\nhidden_sheets = 'show'", '"show" as `workbook.hidden_sheets`'),
        ("[[sheets]]\nheader_row = 2", "no `match`"),
        ("[[sheets]]\nmatch = 'a'\nheader_row = 0", "a row as the sheet counts it"),
        ("[[sheets]]\nmatch = 'a'\nheader_row = true", "a row as the sheet counts it"),
        ("[[sheets]]\nmatch = 'a'\nlast_column = 7", "the letters of a column"),
        ("[[sheets]]\nmatch = 'a'\nkind = 'dictonary'", "Did you mean dictionary?"),
        ("[[sheets]]\nmatch = 'a'\ncolumns = {requird = 'x'}", "Did you mean `required`?"),
        ("[[sheets]]\nmatch = 'a'\ncolumns = {required = 3}", "the text of a header"),
        ("[[sheets]]\nmatch = 'a'\ncolumns = 3", "a table"),
        ("[[sheets]]\nmatch = 'a'\n[sheets.values.requird]\nx = true", "`required`?"),
        ("[[sheets]]\nmatch = 'a'\n[sheets.values.required]\nx = 3", "true, false or a word"),
        ("[[sheets]]\nmatch = 'a'\n[sheets.values.required]\nx = true\nX = false", "`X` again"),
        ("[[sheets]]\nmatch = 'a'\n[sheets.polarity]\nx = 'invert'", "Did you mean inverted?"),
        ("[[sheets]]\nmatch = 'a'\ntable = {from = 'cel', cell = 'B1'}", "Did you mean cell?"),
        ("[[sheets]]\nmatch = 'a'\ntable = {from = 'cell'}", "no `cell`"),
        ("[[sheets]]\nmatch = 'a'\ntable = {from = 'cell', cell = '1B'}", "the address of a cell"),
        ("[[sheets]]\nmatch = 'a'\ntable = {from = 'cell', cell = 'B1', name = 'x'}", "`name`"),
        ("[[sheets]]\nmatch = 'a'\ntable = {cell = 'B1'}", "one of sheet, cell"),
        ("[[sheets]]\nmatch = 'a'\ntable = 'B1'", "a table"),
        ("sheets = 3", r"a list of tables, \[\[sheets\]\]"),
        ("sheets = [3]", "a table"),
        ("[nulls]\nwords = 'NA'", "a list of texts"),
        ("[nulls]\nsentinels = [true]", "a list of numbers or texts"),
        ("[nulls]\nsentinels = [2020-01-01]", "a list of numbers or texts"),
        ("[dates]\ndmy = 'yes'", "true or false"),
        ("[modes]\nrelevance = 'on'", "one of off, warn"),
        ("[severity]\nfatal = 'stop'", "one of warn, drop, fail"),
        ("[severity]\nA = 'warn'\na = 'fail'", "`a` again"),
        ("[names]\nx = 3", "a text in quotes"),
        ("[lists]\nclosed = 1", "true or false"),
        ("[[sheets]", "what is no TOML"),
    ],
)
def test_faults_of_a_profile(text, told):
    import re

    found = read_profile(text, "p.toml")
    assert isinstance(found, list)
    shown = " ".join(map(str, found))
    assert re.search(told.replace("?", r"\?"), shown), shown
    assert "p.toml" in shown


# Against a workbook -------------------------------------------------------------------------------


def layouts():
    block = block_of(["Column Name", "Required", "Type", "Type"], ("a", "Yes", "int", "x"),
                     groups=["", "", "Old", "New"], sheet="Fields")  # fmt: skip
    other = block_of(["Field", "Needed"], ("a", "Yes"), sheet="More")
    return [Layout("Fields", "dictionary", "", (block,)),
            Layout("More", "dictionary", "", (other,)),
            Layout("README", "readme", "a text")]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "[[sheets]]\nmatch = 'fields'\ncolumns = {column = 'column name', type = 'New/Type'}",
        "[[sheets]]\nmatch = '*'\n"
        "columns = {column = ['Column Name', 'Field'], required = 'Needed'}",
        "[[sheets]]\nmatch = 'Fields'\ncolumns = {required = 'Required'}\n"
        "[[sheets]]\nmatch = '*'\ncolumns = {column = 'Field'}",
        "[[sheets]]\nmatch = 'README'\nignore = true",
        "[workbook]\nignore_sheets = ['nothing']",
    ],
)
def test_a_profile_that_fits(text):
    assert check_profile(read(text), layouts()) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[sheets]]\nmatch = 'Feilds'", "`Feilds`; expected one of Fields, More, README. "
         "Did you mean `Fields`?"),
        ("[[sheets]]\nmatch = 'Fields'\ncolumns = {required = 'Requird'}",
         "`Requird` in the sheet; "
         "expected a header as it stands there. Did you mean `Required`?"),
        ("[[sheets]]\nmatch = 'Fields'\npolarity = {'Optional?' = 'inverted'}", "`Optional?` in"),
        ("[[sheets]]\nmatch = 'Fields'\ntable = {from = 'column', column = 'Tab'}", "`Tab` in"),
        ("[[sheets]]\nmatch = 'Fields'\ncolumns = {type = 'Type'}", "`Type` more than once"),
        ("[[sheets]]\nmatch = 'More'\ncolumns = {required = 'Required'}",
         "sheets 1.columns.required"),
        ("[[sheets]]\nmatch = 'README'\ncolumns = {required = 'Required'}", "`Required` in"),
    ],
)  # fmt: skip
def test_a_profile_that_fits_no_more(text, told):
    (fault,) = check_profile(read(text), layouts())
    assert told in str(fault)


# Drafts -------------------------------------------------------------------------------------------


def test_a_draft_holds_what_is_sure_and_asks_for_the_rest():
    block = block_of(["Column", "Required", "Value", "Foo"], ("a", "Yes", "1", "x"), sheet="Fields")
    sheets = [
        Layout("Fields", "dictionary", "", (block,)),
        Layout("Old\n#", "copy", "an old\ncopy"),
    ]
    readings = {"Fields": [meanings_of(block, lambda *_: True)]}
    text = draft_profile("d.xlsx", sheets, readings)
    assert '\ncolumn = "Column"\nrequired = "Required"\n' in text
    assert (
        '# What does "Value" say of the fields? it may mean code or codes (cells: 1)\n'
        '# code = "Value"' in text
    )
    assert '# ignore = "Foo"' in text
    assert '# "Old\\n#" is not read: "an old\\ncopy"' in text
    profile = read(text)
    assert chosen_of(profile, "Fields") == {"Column": "column", "Required": "required"}
    assert check_profile(profile, sheets) == []


TEXTS = st.text(max_size=8) | st.sampled_from(
    ["Column", "Required", "Type", 'a"b', "a\nb", "#", "[x]*", "\x7f"]
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=6), TEXTS), max_size=3), TEXTS.filter(bool)
)
def test_a_draft_is_a_profile_that_fits_and_reads_the_same(made, file):
    sheets, readings = [], {}
    for number, (name, headers, group) in enumerate(made):
        sheet = f"{name}{number}"
        block = block_of(headers, ["a"] * len(headers), groups=[group], sheet=sheet)
        sheets.append(Layout(sheet, "dictionary", "", (block,)))
        readings[sheet] = [meanings_of(block, lambda *_: True)]
    profile = read(draft_profile(file, sheets, readings))
    assert check_profile(profile, sheets) == []
    for layout in sheets:
        before = readings[layout.sheet][0]
        after = meanings_of(layout.blocks[0], lambda *_: True, chosen_of(profile, layout.sheet))
        assert [(r.meaning, r.sure) for r in after if r.sure] == [
            (r.meaning, r.sure) for r in before if r.sure
        ]


def test_a_draft_of_odd_names_and_of_headers_that_stand_twice():
    block = block_of(["Column", "Notes", "Notes"], ("a", "b", "c"), sheet="Lists [x]*")
    sheets = [Layout("Lists [x]*", "dictionary", "", (block,))]
    text = draft_profile("d.xlsx", sheets, {"Lists [x]*": [meanings_of(block, lambda *_: True)]})
    assert chosen_of(read(text), "Lists [x]*") == {"Column": "column"}
    assert "say of the fields? its header stands there more than once" in text
    assert check_profile(read(text), sheets) == []
