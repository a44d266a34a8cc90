"""Letters that no legend explains, and thresholds: told by a person, without a profile."""

import pytest
from filled_books import answered, choices
from spreadsheet_project import xlsx
from told_facts import convert, question, told

HEAD = ("Column", "Type", "Required", "Length")
ROWS = (
    ("a", "text", "X", "*"), ("b", "text", "X", 9), ("c", "text", "K", 5), ("d", "text", "yes", 7),
    *((f"o{n}", "text", "no", 7) for n in range(70)),
)  # fmt: skip
BOOK = {"d.xlsx": xlsx(HEAD, *ROWS, name="orders")}
SHARES = {"d.xlsx": xlsx(
    ("Table", "Field", "Min", "MinThreshold"), ("t", "a", 0, "5"), ("t", "b", 0, "2"),
)}  # fmt: skip


def letters(done):
    return {q.about.text: q for q in done.ledger.questions if q.code == "legend_missing"}


def choose(text, label):
    return lambda done: {letters(done)[text].id: label}


def test_a_letter_is_asked_about_with_what_it_may_say(tmp_path):
    asked = letters(convert(tmp_path, BOOK))
    assert set(asked) == {"X", "K", "*"}
    about = asked["X"].about
    assert (about.file, about.column, about.header) == ("d.xlsx", "orders!C", "Required")
    nothing = {"it states nothing": ("value", "nothing")}
    needs = {
        "a value is required": ("value", "required"),
        "a value is not required": ("value", "optional"),
    }
    assert choices(asked["X"]) == {**needs, **nothing}
    assert choices(asked["*"]) == nothing


@pytest.mark.parametrize(
    ("text", "label", "columns"),
    [
        ("X", "a value is required", ["a", "b", "d"]),
        ("X", "A value is  required", ["a", "b", "d"]),
        ("X", "a value is not required", ["d"]),
        ("X", "it states nothing", ["d"]),
        ("K", "required", ["c", "d"]),
        ("*", "it states nothing", ["d"]),
    ],
)
def test_what_a_person_says_of_a_letter_holds_for_its_column(tmp_path, text, label, columns):
    before, after = answered(tmp_path, BOOK, choose(text, label))
    assert set(letters(after)) == set(letters(before)) - {text}
    assert not after.notices
    present = [e for e in after.ledger.entries if e.kind == "present" and e.outcome == "record"]
    assert sorted(e.columns[0] for e in present) == columns
    of_letter = [e for e in after.ledger.entries if e.origin.text == text]
    assert all("by Ann Smith" in e.decided[0] for e in of_letter)
    assert not [e for e in after.ledger.entries if e.origin.text != text and e.decided]


ABOUT = {"file": "d.xlsx", "column": "orders!C", "header": "Required", "text": "X"}


@pytest.mark.parametrize(
    ("value", "about", "state", "why"),
    [
        ("perhaps", {}, "refused", "is not known"),
        ("required", {"column": "orders!D", "header": "Length", "text": "*"}, "refused",
         "does not say whether"),
        ("required", {"header": "Nullable"}, "stale", 'is called "Required" now'),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_not_used(tmp_path, value, about, state, why):
    done = convert(tmp_path, BOOK, told("legend", value, **{**ABOUT, **about}))
    assert set(letters(done)) == {"X", "K", "*"}
    (found,) = [a for q in letters(done).values() for a in q.answered]
    assert (found.state, why in found.why) == (state, True)


def test_two_letters_of_one_column_are_two_facts(tmp_path):
    facts = [
        told("legend", "required", **ABOUT),
        told("legend", "optional", **{**ABOUT, "text": "K"}),
    ]
    assert set(letters(convert(tmp_path, BOOK, *facts))) == {"*"}


def test_two_people_who_differ_about_a_letter(tmp_path):
    facts = [told("legend", "required", **ABOUT), told("legend", "optional", by="Bob", **ABOUT)]
    done = convert(tmp_path, BOOK, *facts)
    assert [a.state for a in letters(done)["X"].answered] == ["disputed", "disputed"]


@pytest.mark.parametrize(
    ("label", "outcomes"),
    [
        ("of bad records, in percent", {"0.95", "0.98"}),
        ("of good records, in percent", {"0.05", "0.02"}),
        ("failing percent", {"0.95", "0.98"}),
    ],
)
def test_what_thresholds_count(tmp_path, label, outcomes):
    def answer(done):
        return {question(done, "threshold_unsure").id: label}

    before, after = answered(tmp_path, SHARES, answer)
    assert {e.outcome for e in before.ledger.entries if e.gap} == {"gap"}
    shares = [e for e in after.ledger.entries if e.kind == "share" and e.condition]
    assert {share for share in outcomes if any(share in e.condition for e in shares)} == outcomes
    assert all("by Ann Smith" in e.decided[0] for e in shares)
    assert not [q for q in after.ledger.questions if q.code == "threshold_unsure"]
