"""Questionnaires: groups, repeats, what is asked when; whose names a phrase or column means."""

from spreadsheet_project import at, convert, xlsx

SURVEY = ("type", "name", "label", "required", "relevant", "constraint")
PROFILE = """
[[sheets]]
match = "survey"
[sheets.columns]
type = "type"
column = "name"
label = "label"
required = "required"
condition = "relevant"
rule = "constraint"
"""
ROWS = (
    ("begin group", "g", "G", "", "${a} = '1'", ""),
    ("integer", "b", "B", "yes", "", ". > 3"),
    ("begin_group", "h", "H", "", "${b} > 5", ""),
    ("integer", "c", "C", "yes", "", ""),
    ("end_group", "", "", "", "", ""),
    ("integer", "d", "D", "yes", "", ""),
    ("end group", "", "", "", "", ""),
    ("text", "a", "A", "yes", "", ""),
    ("begin repeat", "r", "R", "", "", ""),
    ("integer", "e", "E", "yes", "", ". < 3"),
    ("end repeat", "", "", "", "", ""),
    ("integer", "f", "F", "yes", "${b} > 4", ""),
    ("integer", "i", "I", "yes", "once(${b}) mod 7", ""),
)


def survey(folder):
    files = {"d.xlsx": xlsx(SURVEY, *ROWS, name="survey"), "p.toml": PROFILE}
    return convert(folder, files, profile="p.toml")


def one(done, place):
    (made,) = at(done, place)
    return made


def test_a_required_field_may_be_empty_where_it_is_not_asked(tmp_path):
    done = survey(tmp_path)
    asked = "a IS NULL OR CAST(a AS STRING) <> '1' OR "
    assert one(done, "survey!D3") == f"{asked}b IS NOT NULL"
    inner = one(done, "survey!D5")
    assert inner.startswith(f"{asked}b IS NULL OR ")
    assert inner.endswith("c IS NOT NULL")
    assert one(done, "survey!D7") == f"{asked}d IS NOT NULL"
    assert one(done, "survey!D9") == "a IS NOT NULL"
    assert one(done, "survey!D13").startswith("b IS NULL OR NOT ")
    assert one(done, "survey!D14") == "condition_elsewhere"


def test_conditions_and_the_ends_of_groups_are_no_rules(tmp_path):
    done = survey(tmp_path)
    for place in ("A6", "A8", "A12", "E2", "E4", "E13"):
        assert one(done, f"survey!{place}") == "not_a_rule", place


def test_the_records_of_a_repeat_are_a_table_of_their_own(tmp_path):
    done = survey(tmp_path)
    assert [one(done, f"survey!{p}") for p in ("A11", "D11", "F11")] == ["other_records"] * 3


def test_the_parts_of_a_key_in_a_repeat_are_no_key_of_the_whole(tmp_path):
    rows = [(*row, "yes" if row[1] in ("a", "d", "e") else "") for row in ROWS]
    files = {"d.xlsx": xlsx((*SURVEY, "Primary key"), *rows, name="survey"), "p.toml": PROFILE}
    done = convert(tmp_path, files, profile="p.toml")
    keys = [e for e in done.ledger.entries if (e.kind, e.outcome) == ("unique", "flag")]
    assert [e.columns for e in keys] == [("a", "d")]
    assert at(done, "survey!G11") == ["other_records"]


# Whose name it is ---------------------------------------------------------------------------------


def test_a_label_that_two_columns_have_names_neither(tmp_path):
    header = ("Field", "Label", "Type", "Validation rule")
    rows = [
        ("begun", "Start", "date", ""),
        ("tried", "Start", "date", ""),
        ("sent", "Sending", "date", ""),
        ("ended", "End", "date", "must be after Start"),
        ("paid", "Pay", "date", "must be after Sending"),
    ]
    done = convert(tmp_path, {"d.xlsx": xlsx(header, *rows)})
    assert " IS NULL" not in one(done, "Fields!D5")
    assert "sent IS NULL" in one(done, "Fields!D6")


def test_a_doubtful_table_where_the_fields_repeat(tmp_path):
    header = ("Section", "Field", "Type")
    done = convert(tmp_path, {"d.xlsx": xlsx(header, ("a", "x", "int"), ("b", "x", "int"))})
    assert at(done, "Fields!C2") == at(done, "Fields!C3") == ["column_unsure"]
    done = convert(tmp_path / "2", {"d.xlsx": xlsx(header, ("a", "x", "int"), ("b", "y", "int"))})
    assert "column_unsure" not in at(done, "Fields!C2")


def test_a_column_of_a_rule_list_that_nobody_knows_may_limit_its_rules(tmp_path):
    header = ("Rule ID", "Table", "Column", "Rule description", "SQL expression", "Oddity")
    rows = [("R1", "o", "a", "x", "a > 0", "only on Mondays"), ("R2", "o", "a", "x", "a > 0", "")]
    done = convert(tmp_path, {"d.xlsx": xlsx(header, *rows, name="Rules")})
    assert at(done, "Rules!E2") == ["column_unsure"]
    assert at(done, "Rules!E3") != ["column_unsure"]
