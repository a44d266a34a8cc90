"""What stewards tell of workbooks: tables of sheets, dialects, what columns say, profiles."""

import pytest
from made_workbooks import saved
from spreadsheet_project import xlsx
from steward_books import book
from told_facts import codes, convert, ids, profiled, told


def test_each_sheet_is_asked_for_its_own_table(tmp_path):
    rows = [["Column", "Required"], ["a", "yes"]]
    more = [["Column", "Required", "Type"], ["b", "yes", "int"], ["c", "yes", "int"]]
    made = book(more, "Fields", book(rows, "Sheet1"))
    files = {"d.xlsx": saved(made)}
    done = convert(tmp_path / "a", files)
    tables = {entry.table for entry in done.ledger.entries}
    asked = [q.about for q in done.ledger.questions if q.code == "table_not_stated"]
    assert [(one.file, one.table) for one in asked] == [("d.xlsx", t) for t in sorted(tables)]
    facts = [
        told("table", f"main.x.{n}", file="d.xlsx", table=t) for n, t in enumerate(sorted(tables))
    ]
    after = convert(tmp_path / "b", files, *facts)
    assert sorted(m.source_table for m in after.modules) == ["main.x.0", "main.x.1"]
    assert ids(done) == ids(after)


SQL_CELLS = xlsx(("Column", "SQL"), ("a", "a > 0 and a < 5"), name="orders")


def test_the_dialect_of_conditions_in_cells(tmp_path):
    files = {"d.xlsx": SQL_CELLS}
    before = convert(tmp_path / "a", files)
    after = convert(tmp_path / "b", files, told("dialect", "postgres", file="d.xlsx"))
    assert ids(before) == ids(after)
    assert "dialect_assumed" in codes(before)
    assert "dialect_assumed" not in codes(after)


# What a column says -------------------------------------------------------------------------------


DICTIONARY = xlsx(
    ("Column", "Type", "Pflicht/Kann", "Zzz"),
    ("a", "int", "yes", "1"),
    ("b", "int", "no", "2"),
    name="orders",
)


def unsure(done):
    return [q for q in done.ledger.questions if q.code == "column_unsure"]


def test_what_a_column_says(tmp_path):
    before = convert(tmp_path / "a", {"d.xlsx": DICTIONARY})
    asked = {q.about.header: q for q in unsure(before)}
    assert asked["Pflicht/Kann"].about.column == "orders!C"
    facts = [
        told("meaning", "It says whether a value is required.", file="d.xlsx",
             column="orders!C", header="Pflicht/Kann"),
        told("meaning", "ignore", file="d.xlsx", column="orders!D", header="zzz"),
    ]  # fmt: skip
    after = convert(tmp_path / "b", {"d.xlsx": DICTIONARY}, *facts)
    assert not unsure(after)
    assert not after.notices
    conditions = [e.condition for e in after.ledger.entries if e.kind == "present" and e.condition]
    assert conditions == ["a IS NOT NULL"]


def test_every_proposal_for_a_column_is_an_answer(tmp_path):
    before = convert(tmp_path / "a", {"d.xlsx": DICTIONARY})
    for asked in unsure(before):
        values = [p.value for p in asked.proposals if p.does == "value"]
        assert "ignore" in values
        for value in values:
            about = {"file": "d.xlsx", "column": asked.about.column, "header": asked.about.header}
            after = convert(
                tmp_path / value, {"d.xlsx": DICTIONARY}, told("meaning", value, **about)
            )
            assert asked.about not in [q.about for q in unsure(after)]


def test_a_header_that_changed_makes_an_answer_stale(tmp_path):
    fact = told("meaning", "required", file="d.xlsx", column="orders!C", header="Pflicht")
    done = convert(tmp_path, {"d.xlsx": DICTIONARY}, fact)
    (asked,) = [q for q in unsure(done) if q.about.column == "orders!C"]
    (answered,) = asked.answered
    assert answered.state == "stale"
    assert answered.why == 'the column orders!C is called "Pflicht/Kann" now, and was "Pflicht"'


def test_a_column_that_moved_is_known_by_its_header(tmp_path):
    fact = told("meaning", "required", file="d.xlsx", column="orders!H", header="Pflicht/Kann")
    done = convert(tmp_path, {"d.xlsx": DICTIONARY}, fact)
    assert not done.notices
    assert [q.about.header for q in unsure(done)] == ["Zzz"]


def test_two_columns_can_not_both_say_it(tmp_path):
    about = [
        {"column": "orders!C", "header": "Pflicht/Kann"},
        {"column": "orders!D", "header": "Zzz"},
    ]
    facts = [told("meaning", "required", file="d.xlsx", **one) for one in about]
    done = convert(tmp_path, {"d.xlsx": DICTIONARY}, *facts)
    assert [[a.state for a in q.answered] for q in unsure(done)] == [["refused"], ["refused"]]


def test_of_two_columns_that_say_the_same_the_told_one_counts(tmp_path):
    rows = ("Column", "Required", "Mandatory"), ("a", "yes", "no"), ("b", "no", "yes")
    files = {"d.xlsx": xlsx(*rows, name="orders")}
    before = convert(tmp_path / "a", files)
    assert {q.about.header for q in unsure(before)} == {"Required", "Mandatory"}
    facts = [
        told("meaning", "required", file="d.xlsx", column="orders!C", header="Mandatory"),
        told("meaning", "ignore", file="d.xlsx", column="orders!B", header="Required"),
    ]
    for told_now, left in ((facts[:1], {"Required"}), (facts, set())):
        after = convert(tmp_path / f"b{len(told_now)}", files, *told_now)
        assert {q.about.header for q in unsure(after)} == left
        assert "b IS NOT NULL" in [e.condition for e in after.ledger.entries]
        assert not after.notices


NAMELESS = xlsx(
    ("Element", "Name", "Type", "Required"),
    ("Key of it", "The key", "int", "yes"),
    ("Price of it", "The price", "int", "no"),
    name="orders",
)


def test_which_column_holds_the_names(tmp_path):
    """The cells that depend on it are asked about once, under the column that is in question."""
    before = convert(tmp_path / "a", {"d.xlsx": NAMELESS})
    (asked,) = unsure(before)
    assert len(asked.entries) == 4
    values = [p.value for p in asked.proposals if p.does == "value"]
    assert values[0] == "column"
    about = {"file": "d.xlsx", "column": asked.about.column, "header": asked.about.header}
    after = convert(tmp_path / "b", {"d.xlsx": NAMELESS}, told("meaning", "column", **about))
    assert not unsure(after)
    assert {e.outcome for e in after.ledger.entries} <= {"record", "schema", "not_a_rule"}


# Profile ------------------------------------------------------------------------------------------


PROFILE = (
    '[[sheets]]\nmatch = "orders"\n[sheets.columns]\nrequired = "Pflicht/Kann"\nignore = "Zzz"\n'
)


def test_a_profile_that_a_person_confirmed(tmp_path):
    files = {"d.xlsx": DICTIONARY, "p.toml": PROFILE}
    done = convert(tmp_path, files, profiled("p.toml", file="d.xlsx"))
    assert not unsure(done)
    assert ("p.toml", "used") in [(s.file, s.read_as) for s in done.ledger.sources]


@pytest.mark.parametrize(
    ("profile", "why"),
    [
        (None, "p.toml"),
        ('[[sheets]]\nmatch = "gone"\n', "no sheet that is called `gone`"),
        ('[[sheets]]\nmatch = "orders"\n[sheets.columns]\nrequired = "No"\n', "no header `No`"),
        ("[[sheets", "no TOML"),
    ],
)
def test_a_profile_that_does_not_fit_is_refused(tmp_path, profile, why):
    files = {"d.xlsx": DICTIONARY, **({"p.toml": profile} if profile else {})}
    done = convert(tmp_path, files, profiled("p.toml", file="d.xlsx"))
    (notice,) = done.notices
    assert "refused" in notice
    assert why in notice
    assert unsure(done)


def test_what_says_that_a_field_may_be_empty_goes_with_its_column(tmp_path):
    """Else the two sources would no longer be seen to contradict each other."""
    files = {
        "d.xlsx": xlsx(("Column", "Required"), ("a", "no"), name="orders"),
        "c.sql": "SELECT * FROM orders WHERE a IS NULL;\n",
    }
    facts = (), (told("columns", "a = b", table="orders"),)
    for number, told_now in enumerate(facts):
        done = convert(tmp_path / str(number), files, *told_now, dialect="postgres")
        assert "conflict" in codes(done)


# Who told it --------------------------------------------------------------------------------------


def test_the_cells_of_a_column_say_who_told_what_it_means(tmp_path):
    about = {"file": "d.xlsx", "column": "orders!H", "header": "Pflicht/Kann"}
    done = convert(tmp_path, {"d.xlsx": DICTIONARY}, told("meaning", "required", **about))
    said = {e.origin.place[:-1]: e.decided for e in done.ledger.entries}
    by = "by Ann Smith on 2026-11-30"
    assert said["orders!C"] == (f"column “Pflicht/Kann” read as required, {by}",)
    assert said["orders!B"] == ()


def test_the_whole_sheet_says_who_told_where_its_names_stand(tmp_path):
    about = {"file": "d.xlsx", "column": "orders!A", "header": "Element"}
    done = convert(tmp_path, {"d.xlsx": NAMELESS}, told("meaning", "column", **about))
    said = {e.decided for e in done.ledger.entries}
    assert said == {("column “Element” read as column, by Ann Smith on 2026-11-30",)}
