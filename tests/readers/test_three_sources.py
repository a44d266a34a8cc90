"""One column, three sources: what merges by its meaning, what rightly does not, and conflicts."""

import json
import time
from dataclasses import replace

import pytest
from made_rules import planned, rule
from spreadsheet_project import convert, xlsx
from suites import between, no_rows, present, suite, values

from ruleferry.converters.account import Ledger, Question
from ruleferry.converters.config import Actions
from ruleferry.converters.conflict_questions import conflict_question
from ruleferry.converters.predicates import Absent, OneOf, Present, Range, SqlText, Typed
from ruleferry.converters.rule import Columns, NotARule, Row

HEADER = (
    "Field", "Type", "Required", "Minimum", "Maximum", "Allowed values", "Length", "Pattern",
    "Primary key", "Foreign key", "Nullable", "Business rule",
)  # fmt: skip
TYPES = "CREATE TABLE orders (id INT, amount INT, status STRING, code STRING, cust INT, d DATE);"


def row(field: str, **cells: str) -> list[str]:
    return [field, *(cells.get(name.replace(" ", "_"), "") for name in HEADER[1:])]


def lengths(column: str, **bounds: int) -> dict[str, object]:
    return {
        "type": "expect_column_value_lengths_to_be_between",
        "kwargs": {"column": column, **bounds},
    }


def carried(folder, expectation, cells, sql, *, types: bool = True) -> Ledger:
    """What becomes of a suite, a workbook and a script, each of which may be None."""
    files: dict[str, object] = {
        "a.json": expectation and json.dumps(suite("orders", expectation)),
        "b.xlsx": cells and xlsx(HEADER, *cells, name="orders"),
        "c.sql": sql,
    }
    files = {name: content for name, content in files.items() if content}
    named = [f"{name}=orders" for name in files if name == "b.xlsx"]
    tables = [*named, *(["orders=orders"] if "a.json" in files else [])]
    given = tuple(files)
    if types:
        files["types.ddl"] = TYPES
    options = {"schema": ["types.ddl"]} if types else {}
    return convert(
        folder, files, *given, table=tables, dialect="postgres", engine="spark", **options
    ).ledger


def outcomes(ledger: Ledger) -> dict[str, str]:
    """File -> what became of its rule; what is only read together with another cell is left out."""
    rules = [e for e in ledger.entries if not (e.reason or "").startswith("read together")]
    return {e.origin.file: e.outcome for e in rules}


def conflicts(ledger) -> list[Question]:
    return [q for q in ledger.questions if q.code == "conflict"]


# Merging by meaning -------------------------------------------------------------------------------

SAME = {
    "range": (
        between("amount", 0, 100),
        [row("amount", Minimum="0", Maximum="100")],
        "SELECT * FROM orders WHERE amount < 0 OR amount > 100;",
    ),
    "range as BETWEEN": (
        no_rows("NOT (amount BETWEEN 0 AND 100.0)"),
        [row("amount", Minimum="0.0", Maximum="100")],
        "SELECT * FROM orders WHERE amount NOT BETWEEN 0 AND 100;",
    ),
    "one bound": (
        no_rows("amount < 0"),
        [row("amount", Business_rule="must be >= 0")],
        "SELECT count(*) FROM orders WHERE 0 > amount;",
    ),
    "days": (
        between("d", "2020-01-01", "2021-12-31"),
        [row("d", Minimum="2020-01-01", Maximum="2021-12-31")],
        "SELECT * FROM orders WHERE d < DATE '2020-01-01' OR d > DATE '2021-12-31';",
    ),
    "required": (
        present("id"),
        [row("id", Required="Y")],
        "SELECT * FROM orders WHERE id IS NULL;",
    ),
    "required by constraint": (
        present("id"),
        [row("id", Nullable="N")],
        "CREATE TABLE orders (id INT NOT NULL);",
    ),
    "list in another order": (
        values("be_in_set", "status", value_set=["F", "O", "P"]),
        [row("status", Allowed_values="P, O, F")],
        "SELECT * FROM orders WHERE status NOT IN ('O', 'P', 'F');",
    ),
    "length": (
        lengths("code", max_value=10),
        [row("code", Length="10")],
        "SELECT * FROM orders WHERE length(code) > 10;",
    ),
    "unique": (
        values("be_unique", "id"),
        [row("id", Business_rule="must be unique")],
        "CREATE TABLE orders (id INT UNIQUE);",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_one_rule_of_three_sources_is_one_rule_with_three_origins(case, tmp_path):
    ledger = carried(tmp_path, *SAME[case])
    found = outcomes(ledger)
    assert sorted(found) == ["a.json", "b.xlsx", "c.sql"]
    assert list(found.values()).count("merged") == 2, found
    (leader,) = (e for e in ledger.entries if e.outcome in ("record", "flag"))
    assert {e.merged_into for e in ledger.entries if e.outcome == "merged"} == {leader.id}
    assert conflicts(ledger) == []


def test_a_reference_of_two_sources_is_one_rule(tmp_path):
    query = no_rows("cust NOT IN (SELECT id FROM customers)")
    found = outcomes(carried(tmp_path, query, [row("cust", Foreign_key="customers.id")], None))
    assert found == {"a.json": "flag", "b.xlsx": "merged"}


# Two rules that look alike, and the record on which they differ.
APART = {
    "a load filter leaves out what has no value": (
        between("amount", 0, 100),
        None,
        "SELECT * FROM orders WHERE (amount BETWEEN 0 AND 100) IS NOT TRUE;",
    ),
    "for some records only": (
        between("amount", 0, 100),
        None,
        "SELECT * FROM orders WHERE status = 'F' AND (amount < 0 OR amount > 100);",
    ),
    "without regard to case": (
        values("be_in_set", "status", value_set=["f", "o"]),
        None,
        "SELECT * FROM orders WHERE lower(status) NOT IN ('f', 'o');",
    ),
    "a group of records without a key counts as copies": (
        values("be_unique", "id"),
        None,
        "SELECT id FROM orders GROUP BY id HAVING COUNT(*) > 1;",
    ),
    "a line feed at the end of the text": (
        values("match_regex", "code", regex="^[A-Z]{3}$"),
        None,
        "SELECT * FROM orders WHERE code !~ '^[A-Z]{3}$';",
    ),
}


@pytest.mark.parametrize("case", APART)
def test_rules_that_differ_on_one_record_stay_two(case, tmp_path):
    ledger = carried(tmp_path, *APART[case])
    assert "merged" not in outcomes(ledger).values()
    assert conflicts(ledger) == []


# Conflicts ----------------------------------------------------------------------------------------

OPPOSED = {
    "ranges": (
        between("amount", 0, 100),
        [row("amount", Minimum="0", Maximum="120")],
        "SELECT * FROM orders WHERE amount < 0 OR amount > 130;",
    ),
    "lists": (
        values("be_in_set", "status", value_set=["F", "O"]),
        [row("status", Allowed_values="F, P")],
        "SELECT * FROM orders WHERE status NOT IN ('O', 'P');",
    ),
    "lengths": (
        lengths("code", max_value=10),
        [row("code", Length="20")],
        "SELECT * FROM orders WHERE length(code) > 30;",
    ),
    "days": (
        between("d", "2020-01-01", "2021-12-31"),
        [row("d", Minimum="2020-01-01", Maximum="2022-12-31")],
        "SELECT * FROM orders WHERE d < DATE '2020-01-01' OR d > DATE '2023-12-31';",
    ),
}


@pytest.mark.parametrize("types", [True, False])
@pytest.mark.parametrize("case", OPPOSED)
def test_what_contradicts_is_asked_once_with_all_places(case, types, tmp_path):
    ledger = carried(tmp_path, *OPPOSED[case], types=types)
    assert set(outcomes(ledger).values()) == {"record"}  # all of them stay
    (question,) = conflicts(ledger)
    by_id = {e.id: e.origin.file for e in ledger.entries}
    assert {by_id[i] for i in question.entries} == {"a.json", "b.xlsx", "c.sql"}
    kept = [p for p in question.proposals if p.does == "keep"]
    assert sorted(p.value for p in kept) == sorted(question.entries)
    for proposal in kept:
        assert by_id[proposal.value] in proposal.label
        assert by_id[proposal.value] in question.question
    assert [p.does for p in question.proposals[3:]] == ["settle", "elsewhere"]


@pytest.mark.parametrize(
    ("predicate", "words"),
    [
        ("x < 0 OR x > 130", "x, where it can be read as a number, is at least 0 and at most 130"),
        ("x <= 0", "x, where it can be read as a number, is above 0"),
        ("x NOT IN ('B', 'A')", "x is one of B, A"),
        ("length(x) >= 30", "the length of x is below 30"),
    ],
)
def test_a_query_of_bad_records_is_told_in_plain_words(predicate, words):
    sql = rule(SqlText(predicate, "spark", bad=True), file="c.sql", columns=("x",))
    other = Range("x", 500) if "IN" not in predicate else OneOf("x", ("Z",))
    if "length" in predicate:
        other = SqlText("length(x) < 99", "spark", bad=False)
    assert f"{words} (c.sql expectations[0])" in about(sql, rule(other, columns=("x",))).question


EMPTY = (
    [row("id", Required="N")],
    [row("id", Nullable="Y")],
    [row("id", Business_rule="may be blank")],
)


@pytest.mark.parametrize("cells", EMPTY)
def test_a_cell_that_lets_a_field_be_empty_contradicts_what_requires_it(cells, tmp_path):
    ledger = carried(tmp_path, present("id"), cells, None)
    (question,) = conflicts(ledger)
    states = {e.id: e.outcome for e in ledger.entries}
    assert [states[i] for i in question.entries] == ["record", "not_a_rule"]
    assert "id may be empty (b.xlsx orders!" in question.question
    assert [p.does for p in question.proposals] == ["keep", "keep", "elsewhere"]
    assert question.until_answered == "Until then it is checked that the field has a value."


@pytest.mark.parametrize("cell", ["", "Y"])
def test_where_nothing_lets_a_field_be_empty_nothing_is_asked(cell, tmp_path):
    cells = [row("id", Required=cell, Type="integer")]
    assert conflicts(carried(tmp_path, present("id"), cells, None)) == []


def test_a_field_that_is_required_for_some_records_may_be_empty_on_others(tmp_path):
    query = no_rows("status = 'F' AND id IS NULL")
    assert conflicts(carried(tmp_path, query, [row("id", Required="N")], None)) == []


def about(*rules, **config) -> Question:
    (question,) = (q for q in planned(*rules, **config).questions if "conflict" in q.code)
    return question


def typed(sort, file, *size):
    return replace(rule(Present("x"), file=file), check=Row(Typed("x", sort, *size)), kind="type")


def column_type(name, file):
    check = Columns("type", ("x",), (("type_", name),))
    return replace(rule(Present("x"), file=file), check=check, kind="column_type")


@pytest.mark.parametrize(
    ("one", "other", "asks"),
    [
        (typed("integer", "a"), typed("date", "b"), True),
        (typed("decimal", "a", 10, 2), typed("decimal", "b", 12, 2), True),
        (typed("date", "a"), column_type("IntegerType", "b"), True),
        (column_type("LongType", "a"), column_type("IntegerType", "b"), True),
        (typed("integer", "a"), column_type("IntegerType", "b"), False),
        (typed("integer", "a"), typed("decimal", "b"), False),  # a whole number is one, too
        (typed("decimal", "a", 10, 2), typed("decimal", "b"), False),
    ],
)
def test_two_types_of_one_column(one, other, asks):
    found = [q for q in planned(one, other).questions if q.code == "conflict"]
    assert len(found) == asks


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Range("x", 0), Range("x", None, 100)),
        (OneOf("x", (1, 2)), OneOf("x", ("1", "2"))),
        (Range("x", 0), Range("y", 1)),
        (OneOf("x", (1, 2)), Range("x", 0, 100)),
    ],
)
def test_what_does_not_contradict(one, other):
    found = planned(rule(one, file="a"), rule(other, file="b")).questions
    assert "conflict" not in [q.code for q in found]


def test_the_question_is_the_same_one_whatever_comes_first():
    one, other = rule(Range("x", 0, 9), file="a"), rule(Range("x", 0, 8), file="b")
    more = rule(Range("x", 0, 7), file="c")
    assert (
        about(one, other).id
        == about(other, one).id
        == about(one, other, rule(Present("x"), file="d")).id
    )
    assert about(one, other).id != about(one, other, more).id


def test_the_order_of_its_rules_does_not_tell_a_question_from_itself():
    entries = planned(rule(Range("x", 0, 9), file="a"), rule(Range("x", 0, 8), file="b")).entries
    ids = {conflict_question("conflict", e, {}, {}).id for e in (entries, entries[::-1])}
    assert len(ids) == 1


def test_labels_are_distinct_and_places_of_merged_rules_are_counted():
    rules = [rule(Range("x", 0, n), place="expectations[0]", text=str(n)) for n in range(1, 9)]
    labels = [p.label.casefold() for p in about(*rules).proposals]
    assert len(set(labels)) == len(labels)
    merged = about(rule(Range("x", 0, 1), file="a"), rule(Range("x", 0, 1), file="b"),
                   rule(Range("x", 0, 2), file="c"))  # fmt: skip
    assert "a expectations[0] and 1 other place" in merged.question


def test_of_very_many_rules_some_are_named_and_the_others_counted():
    rules = [rule(Range("x", 0, n), file=f"{n:02}.json") for n in range(1, 21)]
    question = about(*rules)
    assert len(question.entries) == 20
    assert [p.does for p in question.proposals].count("keep") == 12
    assert "; and 8 more. Which of them holds?" in question.question


def test_an_action_is_chosen_among_those_that_the_sources_state():
    words = Actions(words={"high": "drop", "low": "warn"})
    rules = [
        rule(Present("x"), file=file, tags=(("severity", word),))
        for file, word in (("a", "low"), ("b", "high"), ("c", "high"))
    ]
    question = about(*rules, actions=words)
    acts = [(p.label, p.value) for p in question.proposals if p.does == "action"]
    assert acts == [
        ("warn, as a expectations[0] says", "warn"),
        ("drop, as b expectations[0] and 1 other place says", "drop"),
    ]
    assert question.code == "action_conflict"


def test_present_and_absent_and_a_permit_are_one_question():
    permit = replace(rule(Present("x"), file="c"), check=NotARule("so", permits="X"))
    question = about(rule(Present("x"), file="a"), rule(Absent("x"), file="b"), permit)
    assert len(question.entries) == 3
    quiet = planned(rule(Absent("x"), file="b"), permit).questions
    assert "conflict" not in [q.code for q in quiet]


def test_a_text_that_sql_compares_contradicts_the_same_text_of_a_list():
    sql = SqlText("x IN ('A', 'B')", "spark", bad=False)
    assert about(rule(OneOf("x", ("A",)), file="a"), rule(sql, file="b", columns=("x",)))


def test_many_rules_on_one_column_take_time_in_proportion():
    def seconds(n: int) -> float:
        rules = [rule(Range("x", 0, k), place=f"expectations[{k}]") for k in range(1, n)]
        start = time.process_time()
        assert len(about(*rules).entries) == n - 1
        return time.process_time() - start

    seconds(50)
    assert seconds(2000) < 16 * max(seconds(500), 0.05)
