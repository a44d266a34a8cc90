"""The books balance or say what doesn't."""

from dataclasses import replace

import pytest
from ledgers import SUITE, bare, entry, ledger_of, orders_ledger

from ruleferry.converters.reports.books import imbalances, table_figures


def test_the_books_of_a_conversion_balance():
    assert imbalances(orders_ledger()) == ()


def test_an_atom_on_two_tables_is_one_place_and_two_entries():
    ledger = ledger_of([entry("a", table="x"), entry("a", table="y")])
    assert (ledger.sources[0].atoms, ledger.sources[0].entries) == (1, 2)
    assert imbalances(ledger) == ()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"atoms": 3}, f"{SUITE}: 3 places counted, 2 in the ledger"),
        ({"entries": 1}, f"{SUITE}: 1 entry counted, 2 in the ledger"),
        ({"outcomes": {"record": 1, "gap": 1}}, f"{SUITE}: the outcomes counted are not those"),
        ({"file": "other.json"}, f"{SUITE} has entries and is no source"),
    ],
)
def test_an_imbalance_is_told(change, told):
    ledger = ledger_of([entry("a", "expectations[0]"), entry("b", "expectations[1]")])
    ledger = replace(ledger, sources=(replace(ledger.sources[0], **change),))
    assert imbalances(ledger)[0].startswith(told)


def test_a_count_of_none_is_no_imbalance():
    ledger = ledger_of([entry("a")])
    source = replace(ledger.sources[0], outcomes={"record": 1, "gap": 0})
    assert imbalances(replace(ledger, sources=(source,))) == ()


def test_figures_of_a_table():
    rows = [
        entry("a", "expectations[0]", action="drop"),
        entry("b", "expectations[1]", grade="assumed"),
        bare("c", "expectations[2]", outcome="merged", merged_into="0" * 12),
        bare("d", "expectations[3]", outcome="not_a_rule", reason="a heading"),
    ]
    (figures,) = table_figures(ledger_of(rows))
    assert (figures.rules, figures.undecided) == (3, 2)
    assert figures.actions == {"drop": 1, "warn": 1}
    assert figures.grades == {"exact": 1, "assumed": 1}
    assert figures.outcomes == {"record": 2, "merged": 1}


def test_figures_count_the_action_that_the_module_has():
    rule = entry("a", action="fail")
    assert table_figures(ledger_of([rule]), {rule.id: "warn"})[0].actions == {"warn": 1}
