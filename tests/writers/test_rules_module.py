"""Rules modules read back: never run, and nothing in them overlooked."""

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleferry.converters.errors import InputFaults
from ruleferry.converters.writers.rules_module import (
    BLOCK_END,
    ModuleRule,
    body_sha256,
    read_module,
)

BLOCK = """\
SOURCE_TABLE = "main.sales.orders"
RULES_FAIL = {}
RULES_DROP = {
    # [0a1b2c] suites/orders.json:expectations[0]
    # manual: agreed with the order desk
    "price": "price > 0",
    "status": (
        "status IN ('F', 'O', "
        "'P')"
    ),
}
RULES_WARN = {"note": "note <> ''"}
"""


def messages(text: str) -> list[str]:
    with pytest.raises(InputFaults) as told:
        read_module(text, "orders_expectations.py")
    return [str(fault) for fault in told.value.faults]


def test_read_module():
    read = read_module(BLOCK, "m.py")
    assert read.source_table == "main.sales.orders"
    assert read.rules == (
        ModuleRule("price", "drop", "price > 0", "agreed with the order desk", 6),
        ModuleRule("status", "drop", "status IN ('F', 'O', 'P')", None, 7),
        ModuleRule("note", "warn", "note <> ''", None, 12),
    )
    assert read.conditions("fail") == {}
    assert read.conditions("warn") == {"note": "note <> ''"}


def test_reading_runs_nothing(tmp_path):
    trap = tmp_path / "ran"
    code = f"import pathlib\npathlib.Path({str(trap)!r}).touch()\n"
    assert read_module(code + BLOCK, "m.py").conditions("warn")
    assert not Path(trap).exists()


def test_annotations_are_read_too():
    text = BLOCK.replace("RULES_FAIL =", "RULES_FAIL: dict[str, str] =")
    assert read_module(text, "m.py").conditions("fail") == {}


@pytest.mark.parametrize(
    ("entry", "reasons"),
    [
        ('    # manual: why\n    "a": "x",\n', ["why", None]),
        ('    #manual:why\n    "a": "x",\n', ["why", None]),
        ('    "a": "x",  # manual: why\n', ["why", None]),
        ('    "a": (\n        # manual: why\n        "x"\n    ),\n', ["why", None]),
        ('    "a": (\n        "x"  # manual: why\n        "y"\n    ),\n', ["why", None]),
        ('    "a": (\n        "x"\n    ),  # manual: why\n', ["why", None]),
        ('    "a": "x",\n    # manual: why\n', [None, "why"]),
        ('    # manual: why\n    # and more\n    "a": "x",\n', ["why", None]),
        ('    # not manual: why\n    "a": "x",\n', [None, None]),
        ('    # manual:\n    "a": "x",\n', [None, None]),  # no reason given
        ('    "a": "x # manual: why",\n', [None, None]),  # text, no comment
    ],
)
def test_whose_reason_it_is(entry, reasons):
    text = BLOCK.replace(
        "RULES_FAIL = {}", "# manual: of nobody\nRULES_FAIL = {\n" + entry + '    "b": "y",\n}'
    )
    read = read_module(text, "m.py")
    assert [rule.manual for rule in read.rules if rule.action == "fail"] == reasons


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("RULES_FAIL = {}", ""), ["found no RULES_FAIL"]),
        (('SOURCE_TABLE = "main.sales.orders"', ""), ["found no SOURCE_TABLE"]),
        (("main.sales.orders", '" + table + "'), ["line 1: found SOURCE_TABLE computed"]),
        (("RULES_FAIL = {}", "RULES_FAIL = dict()"), ["line 2: found RULES_FAIL computed"]),
        (('"price > 0"', '"price > " + LIMIT'), ["line 6: found a computed condition of 'price'"]),
        (('"price > 0"', 'f"price > {LIMIT}"'), ["line 6: found a computed condition of 'price'"]),
        (('"price > 0"', "0"), ["line 6: found a computed condition of 'price'"]),
        (('"price": ', "PRICE: "), ["line 6: found a rule whose name is computed"]),
        (('"price": ', "**OTHERS, 'price': "), ["line 6: found a rule whose name is computed"]),
        (('{"note"', '{"price": "TRUE", "note"'), ["line 12: found the rule 'price' a second"]),
        (('{"note"', '{"note": "TRUE", "note"'), ["line 12: found the rule 'note' a second time"]),
        (
            ("\"note <> ''\"}", '"note <> \'\'"}\nRULES_WARN["x"] = "y"\nRULES_DROP = {}'),
            ["line 13: found another statement about RULES_WARN", "about RULES_DROP"],
        ),
        (("RULES_FAIL = {}", "RULES_FAIL = {}\nRULES_FAIL.update(more)"), ["about RULES_FAIL"]),
        (
            ("RULES_FAIL = {}", "RULES_FAIL = RULES_DROP = {}"),
            ["no RULES_FAIL", "about RULES_DROP", "about RULES_FAIL"],
        ),
        (("RULES_FAIL = {}", "RULES_FAIL = {"), ["found text that is not Python ("]),
        (("RULES_FAIL = {}", "RULES_FAIL = {}\x00"), ["found text that is not Python"]),
    ],
)
def test_what_is_no_rules_module(change, told):
    found = messages(BLOCK.replace(*change))
    assert len(found) == len(told), found
    assert [part for part, message in zip(told, found, strict=True) if part not in message] == []


@pytest.mark.parametrize("text", ["", "x = 1", "\ufeff", "RULES_FAIL: dict", "(" * 5000, "\ud800"])
def test_other_texts_are_refused(text):
    assert messages(text)[0].startswith("orders_expectations.py")


@given(st.text(st.characters(codec=None, categories=None)))
def test_any_text_is_read_or_refused(text):
    with suppress(InputFaults):
        read_module(BLOCK + text, "m.py")


def test_the_body_is_what_follows_the_block():
    text = f"header\n{BLOCK}{BLOCK_END}\n\ndef f(): ...\n"
    same = body_sha256(text, "m.py")
    assert body_sha256(text.replace("price > 0", "price >= 0"), "m.py") == same
    assert body_sha256(text.replace("header", "other"), "m.py") == same
    assert body_sha256(text.replace("\n", "\r\n"), "m.py") == same
    assert body_sha256(text.replace("def f", "def g"), "m.py") != same
    assert body_sha256(text + "\n", "m.py") != same


@pytest.mark.parametrize("text", ["", BLOCK, f"{BLOCK_END}\n{BLOCK_END}\n"])
def test_a_body_needs_one_end_of_the_block(text):
    with pytest.raises(InputFaults, match="one line # ---- TO HERE"):
        body_sha256(text, "m.py")


ITEM = '    "f": "x",\n'
OF_LOOKUPS = '    "f": {{"table": "t", "keys": [("a", "b")], {}}},\n'


@pytest.mark.parametrize(
    ("dictionary", "items", "told"),
    [
        ("FLAGS", ITEM * 2, "the item 'f' a second time"),
        ("FLAGS", '    "f": name,\n', "another value of 'f' in FLAGS"),
        ("LOOKUPS", ITEM, "another value of 'f' in LOOKUPS"),
        ("LOOKUPS", OF_LOOKUPS.format('"where": 1'), "another value of 'f' in LOOKUPS"),
        ("LOOKUPS", OF_LOOKUPS.format("[]: 1"), "another value of 'f' in LOOKUPS"),
        ("LOOKUPS", OF_LOOKUPS.format('"more": "x"'), "another value of 'f' in LOOKUPS"),
    ],
)
def test_an_item_that_is_no_column_is_told(dictionary, items, told):
    (found,) = messages(f"{BLOCK}{dictionary} = {{\n{items}}}\n")
    assert told in found
