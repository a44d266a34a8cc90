"""CREATE TABLE says NULL of a column: no rule, but against another source that wants a value."""

import pytest
from filled_books import answered, choices
from spreadsheet_project import xlsx
from told_facts import convert

BOOK = xlsx(("Column", "Required"), ("A", "yes"), ("b", "yes"), name="orders")


def of(tmp_path, sql, **options):
    return convert(tmp_path, {"t.sql": sql, "d.xlsx": BOOK}, dialect="postgres", **options)


def conflicts(done):
    return [q for q in done.ledger.questions if q.code == "conflict"]


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE orders (a int NULL, b int);",
        "CREATE TABLE orders (a int DEFAULT 0 NULL, b int NOT NULL);",
        'CREATE TABLE orders ("a" varchar(9) NULL UNIQUE, b int);',
        "CREATE TABLE orders (b int); ALTER TABLE orders ADD COLUMN a int NULL;",
    ],
)
def test_null_against_required(tmp_path, sql):
    (asked,) = conflicts(of(tmp_path, sql))
    assert "A may be empty" in asked.question
    assert "t.sql" in asked.question
    assert "orders!B2" in asked.question


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE orders (a int, b int);",
        "CREATE TABLE orders (a int DEFAULT NULL, b int);",
        "CREATE TABLE orders (a int NULL, b int, PRIMARY KEY (a));",
        "CREATE TABLE orders (a int NULL, b int); ALTER TABLE orders ALTER COLUMN a SET NOT NULL;",
        "CREATE TABLE orders (a int NULL, b int); ALTER TABLE orders DROP COLUMN a;",
        "CREATE TABLE orders (a int NULL, b int); DROP TABLE orders;",
        "CREATE TABLE items (a int NULL, b int);",
        "CREATE TABLE orders (c int CHECK (c IS NULL OR c > 0), b int);",
    ],
)
def test_what_does_not_say_that_it_may_be_empty(tmp_path, sql):
    assert not conflicts(of(tmp_path, sql))


def test_the_table_that_a_person_chose_holds(tmp_path):
    files = {"t.sql": "CREATE TABLE orders (a int NULL, b int NOT NULL);", "d.xlsx": BOOK}

    def answer(done):
        (asked,) = conflicts(done)
        label = next(label for label in choices(asked) if label.startswith("A may be empty"))
        return {asked.id: label}

    _, after = answered(tmp_path, files, answer, dialect="postgres")
    assert not conflicts(after)
    (required,) = [e for e in after.ledger.entries if e.origin.place == "orders!B2"]
    assert required.outcome == "waived"
