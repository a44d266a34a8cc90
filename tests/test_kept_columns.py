"""Columns of an edit block that a person keeps by hand, and those that a kept rule needs."""

import re
from pathlib import Path

import pytest
from suites import convert, entries, present, suite, write
from test_outputs import MODULE, SPARK, folder, refusal, rules

from ruleferry.converters.writers.rules_module import read_module

__all__ = ["folder"]  # a fixture

UNIQUE = {"type": "expect_column_values_to_be_unique", "kwargs": {"column": "o_id"}}
MEAN = {"type": "expect_column_mean_to_be_between", "kwargs": {"column": "price", "max_value": 9}}
QUERY = {
    "type": "unexpected_rows_expectation",
    "description": "no doubles",
    "kwargs": {
        "unexpected_rows_query": "SELECT o_id FROM {batch} GROUP BY o_id HAVING count(*) > 1"
    },
}
LOOKUP = {
    "type": "unexpected_rows_expectation",
    "description": "has a line",
    "kwargs": {
        "unexpected_rows_query": "SELECT * FROM {batch} o WHERE NOT EXISTS "
        "(SELECT 1 FROM lines l WHERE l.id = o.o_id)"
    },
}
CLOCK = {
    "type": "unexpected_rows_expectation",
    "description": "not in the future",
    "kwargs": {"unexpected_rows_query": "SELECT * FROM {batch} WHERE checked_at > now()"},
}
MANY = (UNIQUE, MEAN, QUERY, LOOKUP)
COPIES = '    "o_id_unique_copies": "count(*) OVER (PARTITION BY o_id)",'
# What is edited, dictionary and name, and what the column says then.
COLUMN_EDITS = [
    (COPIES, COPIES.replace("PARTITION BY o_id", "PARTITION BY o_id, day"), "o_id_unique_copies"),
    ('"table": "lines"', '"table": "main.x.lines"', "has_a_line_found"),
    ('"avg(CAST(price AS DOUBLE))"', '"avg(CAST(price AS DOUBLE)) * 2"', "price_mean_value"),
    ("HAVING count(*) > 1", "HAVING count(*) > 2", "no_doubles"),
]  # fmt: skip


@pytest.fixture
def many(folder) -> Path:
    write(folder, {"suites/orders.json": suite("orders", present("o_id"), *MANY)})
    convert(folder, **SPARK)
    return folder


def columns(folder: Path) -> dict:
    found = read_module((folder / MODULE).read_text(), MODULE).columns
    return {column.name: (column.value, column.manual) for column in found}


def marked(text: str, name: str) -> str:
    """The module with the mark above the item of this name."""
    return re.sub(rf'( +)("{name}": )', r"\1# manual: Anna knows\n\1\2", text, count=1)


@pytest.mark.parametrize(("old", "new", "name"), COLUMN_EDITS)
def test_a_marked_column_is_kept_and_an_unmarked_edit_told(many, old, new, name):
    path = many / MODULE
    before = columns(many)[name]
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert any(f"a change of {name} in " in told for told in refusal(many))
    path.write_text(marked(path.read_text(), name))
    for _ in range(2):
        convert(many, **SPARK)
        value, why = columns(many)[name]
        assert why == "Anna knows"
        assert value != before[0]
    assert {n: c for n, c in columns(many).items() if n != name} == {
        n: c for n, c in columns_of_sources(many).items() if n != name
    }


def columns_of_sources(folder: Path) -> dict:
    """What the sources alone would give."""
    convert(folder, out="other", **SPARK)
    found = read_module((folder / "other/orders_expectations.py").read_text(), MODULE).columns
    return {column.name: (column.value, column.manual) for column in found}


def test_beside_a_marked_rule_an_edited_column_is_told(many):
    text = marked((many / MODULE).read_text(), "o_id_present")
    (many / MODULE).write_text(text.replace("PARTITION BY o_id", "PARTITION BY o_id, day"))
    (told,) = refusal(many)
    assert "a change of o_id_unique_copies in FLAGS" in told


def test_a_kept_rule_keeps_the_columns_that_it_needs(many):
    """The rule is gone from the sources, and with it its flag, its figure, its query."""
    path = many / MODULE
    text = path.read_text()
    for name in ("o_id_unique", "price_mean", "no_doubles", "has_a_line"):
        where, rest = text.split("RULES_FAIL", 1)
        head, sep, tail = rest.rpartition(f'    "{name}":')
        text = f"{where}RULES_FAIL{head}    # manual: Anna knows\n{sep}{tail}"
    path.write_text(text)
    before = columns(many)
    write(many, {"suites/orders.json": suite("orders", present("o_id"))})
    convert(many, **SPARK)
    assert columns(many) == before
    assert {"o_id_unique", "price_mean", "no_doubles", "has_a_line"} <= set(rules(many))


def test_a_column_of_ones_own_is_kept_and_takes_effect(folder):
    own = (
        "# Columns of my own\n"
        'FLAGS = {\n    # manual: only here\n    "pair": "count(*) OVER (PARTITION BY o_id)",\n}\n'
    )
    text = (folder / MODULE).read_text()
    rule = 'RULES_DROP = {\n    # manual: only here\n    "own": "pair <= 1",\n}'
    text = text.replace("RULES_DROP = {}", rule)
    (folder / MODULE).write_text(
        text.replace(
            "# A row that breaks one of these stops",
            own.partition("\n")[2] + "\n# A row that breaks one of these stops",
            1,
        )
    )
    convert(folder, **SPARK)
    assert columns(folder)["pair"] == ("count(*) OVER (PARTITION BY o_id)", "only here")
    assert "*_with_names(FLAGS)" in (folder / MODULE).read_text()


def test_the_account_says_what_is_kept_by_hand(many):
    path = many / MODULE
    for old, new, name in COLUMN_EDITS:
        path.write_text(marked(path.read_text().replace(old, new), name))
    done = convert(many, **SPARK)
    found = entries(many)
    for name in ("o_id_unique", "has_a_line", "price_mean", "no_doubles"):
        assert found[name]["grade"] == "assumed"
        assert "Anna knows" in found[name]["caveats"][-1]["detail"]
    assert found["o_id_unique"]["flag"]["sql"] == "count(*) OVER (PARTITION BY o_id, day)"
    assert found["has_a_line"]["flag"]["sql"] == (
        "(CAST(o_id AS STRING)) IN (SELECT CAST(id AS STRING) FROM main.x.lines)"
    )
    assert "* 2 AS price_mean_value FROM orders" in found["price_mean"]["validation"]["query"]
    assert "HAVING count(*) > 2" in found["no_doubles"]["validation"]["query"]
    assert not any("by hand alone" in notice for notice in done.notices)


def test_a_query_rule_kept_by_hand_stays_in_its_dataset(many):
    path = many / MODULE
    text = path.read_text().replace("no_doubles_rows = 0", "no_doubles_rows < 5")
    place = text.rindex('    "no_doubles":')
    path.write_text(f"{text[:place]}    # manual: Anna knows\n{text[place:]}")
    convert(many, **SPARK)
    found = entries(many)["no_doubles"]
    assert (found["dataset"], found["condition"]) == ("orders_no_doubles", "no_doubles_rows < 5")
    assert found["validation"]["condition"] == "no_doubles_rows < 5"


def test_what_stands_there_by_hand_alone_is_told(many):
    path = many / MODULE
    path.write_text(path.read_text().replace(
        "RULES_DROP = {}", 'RULES_DROP = {\n    # manual: mine\n    "mine": "day > 1",\n}'
    ))  # fmt: skip
    done = convert(many, **SPARK)
    told = "orders_expectations.py: by hand alone, and in no other account: mine"
    assert told in done.notices


@pytest.mark.parametrize("over", ["OVER (", "OVER(", "over\t("])
def test_a_window_kept_by_hand_is_no_part_of_a_stream(many, over):
    path = many / MODULE
    path.write_text(marked(path.read_text(), "o_id_unique_copies").replace("OVER (", over))
    convert(many, **SPARK)
    write(many, {"ruleferry.toml": "[tables.orders]\nstreaming = true\nschema = 'schema.sql'\n"})
    assert any("a window in o_id_unique_copies" in told for told in refusal(many))


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (COPIES + "\n", "that o_id_unique_copies was removed from FLAGS"),
        (
            re.compile(r' {4}"price_mean_value": .*\n'),
            "that price_mean_value was removed from FIGURES",
        ),
    ],
)
def test_a_removed_column_is_told_by_its_name(many, item, told):
    text = (many / MODULE).read_text()
    text = text.replace(item, "") if isinstance(item, str) else item.sub("", text)
    (many / MODULE).write_text(text)
    assert any(told in found for found in refusal(many))


def test_added_columns_give_way_to_those_of_the_table(folder):
    write(folder, {
        "schema.sql": "CREATE TABLE orders (o_id BIGINT, has_a_line_found INT, failed_rules INT, "
        "o_id_unique_copies INT, checked_at TIMESTAMP)",
        "ruleferry.toml": "[tables.orders]\nschema = 'schema.sql'\n[actions]\ndefault = 'drop'\n",
        "suites/orders.json": suite("orders", UNIQUE, LOOKUP, CLOCK),
    })  # fmt: skip
    convert(folder, force=True, **SPARK)
    assert set(columns(folder)) == {"has_a_line_found_flag", "o_id_unique_copies_flag"}
    text = (folder / MODULE).read_text()
    assert "AS failed_rules_" in text
    assert "AS checked_at_" in text
