"""Whose change a difference is: the source's, a person's in the module, both, the tool's, or that
of the settings.
"""

import json
from dataclasses import replace

import pytest
from cells import change_cells
from made_decisions import decided
from modules import ModuleText, written
from trial import Converted, dictionary, drift, restored, short

from ruleferry.converters.config import Config, Source, load_config
from ruleferry.converters.conversion import convert
from ruleferry.converters.decided import Decisions
from ruleferry.converters.decisions_file import decisions_text
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.reports.ledger_reader import open_ledger

LENGTH, AT = "o_comment_length", "Fields!D12"
CONDITION = "o_comment IS NULL OR length(o_comment) <= {}"


def set_rule(made: Converted, name: str, condition: str, *above: str) -> int:
    """The rule's line, once it says something else."""
    (path,) = made.modules
    module = ModuleText.of(path.read_text(encoding="utf-8"))
    for found in module.dictionaries().values():
        for item in found.items:
            if item.name == name:
                item.above = [*item.above, *(f"    # {line}" for line in above)]
                item.lines = written(name, condition)
                path.write_text(str(module), encoding="utf-8")
                return module.line_of(found.name, name)
    raise AssertionError(name)


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def seen(told):
    return [(one.change, one.side, one.rule) for one in told.differences]


# Both at once -------------------------------------------------------------------------------------


def test_both_changed_it_otherwise(orders):
    with restored(orders.path, *orders.modules):
        change_cells(orders.path, {AT: "VARCHAR(99)"})
        line = set_rule(orders, LENGTH, CONDITION.format(60))
        told = drift(orders.config)
    (one,) = told.differences
    assert (one.side, one.source.place, one.module.line) == ("both", AT, line)
    assert one.source_says.condition == CONDITION.format(99)
    assert one.module_says.condition == CONDITION.format(60)
    assert one.last_said.condition == CONDITION.format(79)


def test_both_changed_it_to_the_same(orders):
    with restored(orders.path, *orders.modules):
        change_cells(orders.path, {AT: "VARCHAR(99)"})
        set_rule(orders, LENGTH, f"(99 >= length(o_comment)) OR {CONDITION[:17]}")
        told = drift(orders.config)
    assert short(told) == []


def test_the_one_changed_this_rule_and_the_other_that(orders):
    with restored(orders.path, *orders.modules):
        change_cells(orders.path, {AT: "VARCHAR(99)"})
        set_rule(orders, "o_clerk_length", "o_clerk IS NULL OR length(o_clerk) <= 14")
        told = drift(orders.config)
    assert sorted(seen(told)) == [
        ("loosened", "source", LENGTH),
        ("tightened", "hand", "o_clerk_length"),
    ]


def test_the_rule_is_gone_in_both(orders):
    (path,) = orders.modules
    with restored(orders.path, path):
        change_cells(orders.path, {"Fields!E10": ""})
        module = ModuleText.of(path.read_text(encoding="utf-8"))
        for found in module.dictionaries().values():
            found.items = [item for item in found.items if item.name != "o_clerk_length"]
        path.write_text(str(module), encoding="utf-8")
        told = drift(orders.config)
    assert short(told) == []


def test_it_is_gone_here_and_changed_there(orders):
    (path,) = orders.modules
    with restored(orders.path, path):
        change_cells(orders.path, {"Fields!E10": "16"})
        module = ModuleText.of(path.read_text(encoding="utf-8"))
        for found in module.dictionaries().values():
            found.items = [item for item in found.items if item.name != "o_clerk_length"]
        path.write_text(str(module), encoding="utf-8")
        told = drift(orders.config)
    assert seen(told) == [("removed", "both", "o_clerk_length")]


def test_the_source_lost_what_a_person_changed(orders):
    with restored(orders.path, *orders.modules):
        change_cells(orders.path, {"Fields!E10": ""})
        set_rule(orders, "o_clerk_length", "o_clerk IS NULL OR length(o_clerk) <= 14")
        told = drift(orders.config)
    assert seen(told) == [("removed", "both", "o_clerk_length")]


# By hand ------------------------------------------------------------------------------------------


def test_a_rule_is_added(orders):
    (path,) = orders.modules
    with restored(path):
        edit(path, "RULES_WARN = {\n", 'RULES_WARN = {\n    "mine": "o_clerk <> \'x\'",\n')
        told = drift(orders.config)
        line = path.read_text().splitlines().index('    "mine": "o_clerk <> \'x\'",') + 1
    (one,) = told.differences
    assert (one.change, one.side, one.level, one.module.line) == ("added", "hand", "any", line)


def test_a_rule_of_a_person_who_says_so(orders):
    (path,) = orders.modules
    with restored(path):
        mine = '    # manual: the team wants it\n    "mine": "o_clerk <> \'x\'",\n'
        edit(path, "RULES_WARN = {\n", f"RULES_WARN = {{\n{mine}")
        told = drift(orders.config)
    assert short(told) == []
    assert [(a.how, a.rule, a.reason) for a in told.accepted] == [
        ("manual", "mine", "the team wants it")
    ]


def test_a_mark_stands_for_what_it_marks_and_no_longer_once_the_source_changes(orders):
    with restored(orders.path, *orders.modules):
        set_rule(orders, LENGTH, CONDITION.format(60), "manual: until May")
        told = drift(orders.config)
        assert short(told) == []
        assert [(a.rule, a.reason) for a in told.accepted] == [(LENGTH, "until May")]
        change_cells(orders.path, {AT: "VARCHAR(99)"})
        now = drift(orders.config)
    assert [(one.side, one.rule) for one in now.differences] == [("both", LENGTH)]


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ('"customers_ref"', '"people"', [
            ("lookup_changed", "customer_exists"), ("lookup_changed", "o_custkey_exists")
        ]),
        ('("o_custkey", "c_custkey")', '("o_custkey", "c_id")', [
            ("lookup_changed", "customer_exists"), ("lookup_changed", "o_custkey_exists")
        ]),
        ('        "table": "customers_ref",\n', '        "table": "customers_ref",\n        "where": "c_active",\n', [  # noqa: E501
            ("lookup_changed", "customer_exists"), ("lookup_changed", "o_custkey_exists")
        ]),
        ("OVER (PARTITION BY o_orderkey)", "OVER (PARTITION BY o_orderkey, o_custkey)", [
            ("changed", "o_orderkey_unique")
        ]),
        ('"count_if(o_comment IS NOT NULL)"', '"count(*)"', [
            ("validation_changed", "o_comment_share")
        ]),
        ("length(o_comment) BETWEEN 10 AND 79", "length(o_comment) BETWEEN 10 AND 80", [
            ("validation_changed", "o_comment_share")
        ]),
        ('"row_count_value": "count(*)"', '"row_count_value": "count(*) + 1"', [
            ("validation_changed", "row_count")
        ]),
        ('>= 0.99, TRUE)"', '>= 0.9, TRUE)"', [("loosened", "o_comment_share")]),
        ("row_count_value >= 1000", "row_count_value >= 999", [("loosened", "row_count")]),
        ('SOURCE_TABLE = "orders_raw"', 'SOURCE_TABLE = "orders_old"', [
            ("table_changed", "SOURCE_TABLE")
        ]),
        ("FLAGS = {\n", 'FLAGS = {\n    "mine": "o_clerk || \'x\'",\n', [("edited_outside", "mine")]),  # noqa: E501
        ("# Figures of all rows", "import os\n# Figures of all rows", [("edited_outside", "")]),
        ("    return spark.read.table(\"orders_checked\")", "    return spark.read.table(\"x\")", [
            ("edited_outside", "")
        ]),
        ("def _passes(condition):\n", "def _passes(condition):\n    return 'TRUE'\n", [
            ("edited_outside", "")
        ]),
        ("from pyspark import pipelines as dp", "from mine import pipelines as dp", [
            ("edited_outside", "")
        ]),
    ],
    ids=lambda v: str(v)[:40],
)  # fmt: skip
def test_what_is_beside_the_rules(old, new, wanted, orders):
    (path,) = orders.modules
    with restored(path):
        edit(path, old, new)
        told = drift(orders.config)
    assert sorted((one.change, one.rule) for one in told.differences) == sorted(wanted)
    assert {one.side for one in told.differences} == {"hand"}
    assert all(one.module is not None for one in told.differences)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RULES_FAIL = {", "# The worst ones first\nRULES_FAIL = {"),
        ("count(*) OVER (PARTITION BY o_orderkey)", "COUNT(*) over (partition by `o_orderkey`)"),
        ('"customers_ref"', '"`customers_ref`"'),
        ('SOURCE_TABLE = "orders_raw"', "SOURCE_TABLE = '`ORDERS_RAW`'"),
        ('        "table": "customers_ref",\n', '        # the copy\n        "table": "customers_ref",\n'),  # noqa: E501
        ('"""Lakeflow', '"""Our Lakeflow'),
        ("\n# ruff: noqa", "\n# reviewed in March\n# ruff: noqa"),
    ],
)  # fmt: skip
def test_what_is_only_written_otherwise(old, new, orders):
    (path,) = orders.modules
    with restored(path):
        edit(path, old, new)
        assert short(drift(orders.config)) == []


def test_line_ends_of_another_system(orders):
    (path,) = orders.modules
    with restored(path):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        assert short(drift(orders.config)) == []


# The tool -----------------------------------------------------------------------------------------


def by_another_version(made: Converted, condition: str) -> None:
    """As if an earlier version had made this condition of the same text."""
    ledger = made.out / "ledger.json"
    data = json.loads(ledger.read_text(encoding="utf-8"))
    data["tool"] = "ruleferry 0.0.1"
    (entry,) = [e for e in data["entries"] if e["name"] == LENGTH and e["outcome"] == "record"]
    now = entry["condition"]
    entry["condition"] = condition
    ledger.write_text(json.dumps(data), encoding="utf-8")
    (path,) = made.modules
    edit(path, now, condition)


def test_another_version_makes_another_condition_of_the_same_text(orders):
    with restored(orders.out / "ledger.json", *orders.modules):
        by_another_version(orders, CONDITION.format(78))
        told = drift(orders.config)
    assert seen(told) == [("loosened", "tool", LENGTH)]
    assert "0.0.1" in told.differences[0].detail


def test_another_version_that_writes_the_same_otherwise(orders):
    with restored(orders.out / "ledger.json", *orders.modules):
        by_another_version(orders, "79 >= length(o_comment) OR o_comment IS NULL")
        assert short(drift(orders.config)) == []


def test_another_version_and_a_person(orders):
    """The person's change is not the tool's."""
    with restored(orders.out / "ledger.json", *orders.modules):
        by_another_version(orders, CONDITION.format(78))
        set_rule(orders, "o_clerk_length", "o_clerk IS NULL OR length(o_clerk) <= 14")
        told = drift(orders.config)
    assert sorted(seen(told)) == [
        ("loosened", "tool", LENGTH),
        ("tightened", "hand", "o_clerk_length"),
    ]


def test_another_version_and_the_source(orders):
    with restored(orders.path, orders.out / "ledger.json", *orders.modules):
        by_another_version(orders, CONDITION.format(78))
        change_cells(orders.path, {"Fields!E10": "16"})
        told = drift(orders.config)
    assert sorted(seen(told)) == [
        ("loosened", "source", "o_clerk_length"),
        ("loosened", "tool", LENGTH),
    ]


# Settings -----------------------------------------------------------------------------------------


def again(made: Converted):
    return drift(replace(load_config(None, made.config.root), reports=()))


def test_an_action_is_another(own):
    path = own.config.root / "ruleferry.toml"
    edit(path, 'o_orderkey_present" = "fail"', 'o_orderkey_present" = "warn"')
    told = again(own)
    assert seen(told) == [("action_changed", "settings", "o_orderkey_present")]
    assert told.differences[0].level == "loosened"


def test_a_stricter_action(own):
    path = own.config.root / "ruleferry.toml"
    edit(path, 'o_totalprice_range" = "drop"', 'o_totalprice_range" = "fail"')
    told = again(own)
    assert [(*row, one.level) for row, one in zip(seen(told), told.differences, strict=True)] == [
        ("action_changed", "settings", "o_totalprice_range", "changed")
    ]


def test_a_table_has_another_name(own):
    path = own.config.root / "ruleferry.toml"
    edit(path, "[tables.orders_raw]\n", '[tables.orders_raw]\nname = "main.sales.orders"\n')
    told = again(own)
    assert ("table_changed", "settings", "SOURCE_TABLE") in seen(told)
    assert {one.side for one in told.differences} == {"settings"}


def test_the_module_has_another_name(own):
    """Its datasets are called after it."""
    path = own.config.root / "ruleferry.toml"
    edit(path, 'module = "orders"', 'module = "sales"')
    (one,) = again(own).differences
    assert (one.change, one.side, one.level) == ("name_changed", "settings", "changed")
    assert "its rules belong into sales_expectations.py now" in one.detail


def test_the_schema_says_another_type(own):
    path = own.config.root / "schema.csv"
    edit(path, '"decimal(15,2)",DECIMAL', "string,STRING")
    told = again(own)
    assert told.differences
    assert {one.side for one in told.differences} == {"settings"}
    assert all("o_totalprice" in one.columns for one in told.differences)


def test_a_decision_was_added(own):
    ledger = open_ledger(own.out / "ledger.json", "ledger.json")
    (entry,) = [e for e in ledger.entries if e.origin.place == "Fields!L12"]
    text = decisions_text(Decisions(decisions=(decided("o_comment <> 'x'", entry),)))
    (own.config.root / "decisions.toml").write_text(text, encoding="utf-8")
    told = again(own)
    assert [(one.change, one.side) for one in told.differences] == [("gap_closed", "settings")]


def test_the_answer_was_given_to_another_text(own):
    """It is stale, and the text is a question again."""
    ledger = open_ledger(own.out / "ledger.json", "ledger.json")
    (entry,) = [e for e in ledger.entries if e.origin.place == "Fields!L12"]
    text = decisions_text(Decisions(decisions=(decided("o_comment <> 'x'", entry),)))
    (own.config.root / "decisions.toml").write_text(text, encoding="utf-8")
    config = replace(load_config(None, own.config.root), reports=())
    convert(config)
    assert short(drift(config)) == []
    change_cells(own.path, {"Fields!L12": "as agreed with the supplier"})
    told = drift(config)
    assert sorted((one.change, one.side) for one in told.differences) == [
        ("answer_stale", "source"),
        ("gap_opened", "source"),
    ]


def test_a_profile_says_another_column(shared, tmp_path):
    file = shared / "corpus/spreadsheets/02_dataact_appropFields.csv"
    made = dictionary(tmp_path / "one", file, "02_appropriations.toml")
    profile = made.config.root / "02_appropriations.toml"
    edit(profile, 'length = "field_length"\n', "")
    edit(profile, "ignore = [\n", 'ignore = [\n  "field_length",\n')
    told = drift(made.config)
    assert len(told.differences) == 20  # seven rules and thirteen questions
    assert {one.side for one in told.differences} == {"settings"}


def test_the_option_max_action(orders):
    lower = replace(orders.config, max_action="warn")
    told = drift(lower)
    assert {(one.change, one.side, one.level) for one in told.differences} == {
        ("action_changed", "settings", "loosened")
    }
    assert len(told.differences) == 7  # those that drop or fail


@pytest.mark.parametrize("name", ["fields", None])
def test_a_source_is_called_otherwise(name, tmp_path):
    """The rules of a source that has a name of its own are the same in another file."""
    folder = tmp_path / "one"
    folder.mkdir()
    text = "table,column,required\norders,o_clerk,Yes\norders,o_date,Yes\n"
    (folder / "fields.csv").write_text(text, encoding="utf-8")
    config = Config(folder, folder, sources=(Source(path=("*.csv",), name=name),), reports=())
    convert(config)
    (folder / "fields.csv").rename(folder / "columns.csv")
    if name:
        assert short(drift(config)) == []
    else:
        with pytest.raises(InputFaults, match=r"fields\.csv: found no such file"):
            drift(config)
