"""The story of a rule that a person keeps in a module, and that no source states."""

import pytest
from suites import convert, present, suite, write

from ruleferry.converters.errors import InputFaults
from ruleferry.converters.explained import explained, explained_json
from ruleferry.converters.reports.ledger_reader import open_ledger

MODULE = "expectations/orders_expectations.py"
BY_HAND = """RULES_DROP = {
    # manual: a new law
    "price_below_million": "price < 1000000",
"""


@pytest.fixture
def folder(tmp_path):
    """A conversion whose module has a rule that a person wrote."""
    write(tmp_path, {"suites/orders.json": suite("orders", present("o_id"))})
    config = '[tables.orders]\nname = "main.sales.orders"\n[actions]\ndefault = "drop"\n'
    write(tmp_path, {"ruleferry.toml": config})
    convert(tmp_path)
    text = (tmp_path / MODULE).read_text("utf-8")
    write(tmp_path, {MODULE: text.replace("RULES_DROP = {\n", BY_HAND, 1)})
    convert(tmp_path)
    return tmp_path


def asked(folder, wanted: str, tell=explained):
    ledger = open_ledger(folder / "expectations/ledger.json", "expectations/ledger.json")
    return tell(ledger, wanted, folder / "expectations", "expectations")


@pytest.mark.parametrize("table", ["", "orders.", "ORDERS."])
def test_it_tells_of_what_is_kept_by_hand_alone(folder, table):
    line = (folder / MODULE).read_text("utf-8").splitlines().index(BY_HAND.splitlines()[2]) + 1
    assert asked(folder, f"{table}price_below_million") == [
        "price_below_million",
        f"  stands in         {MODULE}:{line}, and in no source",
        "  kept by hand      a new law",
        "  condition         price < 1000000",
        "  action            drop: a bad record goes to the quarantine table",
    ]


def test_a_rule_of_a_source_has_its_own_story(folder):
    assert "orders.o_id_present (id " in "\n".join(asked(folder, "o_id_present"))


@pytest.mark.parametrize("wanted", ["price_below_millions", "other.price_below_million"])
def test_what_nobody_keeps_is_unknown(folder, wanted):
    with pytest.raises(InputFaults, match=f"no rule `{wanted}`"):
        asked(folder, wanted)


def test_a_module_that_cannot_be_read_hides_no_answer(folder):
    """The name is not known, and the module, which may have it, is broken: both are told."""
    write(folder, {MODULE: (folder / MODULE).read_text("utf-8") + "x ="})
    with pytest.raises(InputFaults) as raised:
        asked(folder, "price_below_million")
    assert [fault.file for fault in raised.value.faults] == ["expectations/ledger.json", MODULE]


def test_it_has_no_entry(folder):
    with pytest.raises(InputFaults) as raised:
        asked(folder, "price_below_million", explained_json)
    (fault,) = raised.value.faults
    assert (fault.file, fault.expected) == (MODULE, "an entry")
