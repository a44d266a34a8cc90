"""Types that two sources state of one column: a question where no type is both, else none."""

import pytest
from suites import suite, values
from told_facts import convert, told


def asked(done):
    return [q.question for q in done.ledger.questions if q.code == "conflict"]


def suite_of(kind, column="qty"):
    return suite("orders", values("be_of_type", column, type_=kind))


@pytest.mark.parametrize(
    ("kind", "other", "column", "conflicts"),
    [
        ("IntegerType", "DateType", "QTY", 1),
        ("IntegerType", "StringType", "qty", 1),
        ("IntegerType", "IntegerType", "qty", 0),
    ],
)
def test_two_suites_under_aliases_and_other_cases(tmp_path, kind, other, column, conflicts):
    files = {
        "s/orders.json": suite_of(kind),
        "t/bestellungen.json": suite_of(other, column),
        "ruleferry.toml": (
            '[[source]]\npath = ["s/**"]\ntable = "main.x.orders"\n'
            '[[source]]\npath = ["t/**"]\ntable = "Orders_Old"\n'
            '[tables."main.x.orders"]\naliases = ["orders_old"]\n'
        ),
    }
    done = convert(tmp_path, files)
    assert len(asked(done)) == conflicts
    merged = [e for e in done.ledger.entries if e.outcome == "merged"]
    assert len(merged) == 1 - conflicts


@pytest.mark.parametrize(("kind", "conflicts"), [("DateType", 1), ("IntegerType", 0)])
def test_a_sheet_against_a_suite(tmp_path, kind, conflicts):
    files = {"d.csv": "Column,Type\nQty,int\n", "s/orders.json": suite_of(kind)}
    facts = [
        told("table", "main.x.orders", file="d.csv"),
        told("table", "main.x.orders", file="s/orders.json"),
    ]
    done = convert(tmp_path, files, *facts)
    assert {e.outcome for e in done.ledger.entries} == {"record", "schema"}
    assert len(asked(done)) == conflicts
