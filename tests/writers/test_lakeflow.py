"""The emitted module: its text, what breaks nothing in it, and what it does to rows on Spark."""

import ast
import hashlib
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import parse_one

from ruleferry.converters.account import Entry, Module
from ruleferry.converters.rule import Caveat, Origin
from ruleferry.converters.writers.clock import clock_column, reading_column, reads_clock
from ruleferry.converters.writers.lakeflow import module_condition, module_text, table_reference
from ruleferry.converters.writers.rules_module import (
    BLOCK_END,
    BLOCK_START,
    ModuleRule,
    body_sha256,
    read_module,
)

SUITE = "suites/orders.json"


def rule(name: str, condition: str, action: str = "warn", **fields: Any) -> Entry:
    place = fields.pop("place", f"expectations[{len(name)}]")
    made = {
        "id": hashlib.sha256(name.encode()).hexdigest()[:12],
        "atom": place,
        "title": "",
        "kind": "range",
        "table": "orders_raw",
        "columns": (),
        "outcome": "record",
        "origin": Origin(SUITE, place, "", "great_expectations", "pandas"),
        "text_sha256": "",
        "nulls": "pass",
        "grade": "exact",
    }
    return Entry(name=name, condition=condition, action=action, **{**made, **fields})


def module(*rules: Entry, table: str = "orders_raw", stem: str = "orders", **origins) -> Module:
    found = {entry.id: origins.get(entry.name, (entry.origin,)) for entry in rules}
    return Module(table, stem, table, rules, found)


def block(text: str) -> str:
    return text.partition(BLOCK_START + "\n")[2].partition(BLOCK_END)[0]


def rules_of(text: str) -> list[str]:
    """The lines within the three dictionaries, without their indentation."""
    return [line[4:] for line in block(text).splitlines() if line.startswith("    ")]


# The text ----------------------------------------------------------------------------------------

ORDERS = (
    rule("o_orderkey_present", "o_orderkey IS NOT NULL", "fail", id="1a2b3c4d5e6f", kind="present"),
    rule(
        "o_totalprice_range", "o_totalprice IS NULL OR o_totalprice > 0", "drop", id="2a2b3c4d5e6f"
    ),
    rule(
        "o_orderpriority_allowed",
        "o_orderpriority IS NULL OR o_orderpriority IN ('1-URGENT', '2-HIGH', '3-MEDIUM', "
        "'4-NOT SPECIFIED', '5-LOW')",
        id="3a2b3c4d5e6f",
        kind="allowed",
    ),
)


def test_the_edit_block():
    assert (
        block(module_text(module(*ORDERS)))
        == """\
SOURCE_TABLE = "orders_raw"

# A row that breaks one of these stops the update.
RULES_FAIL = {
    # [1a2b3c] suites/orders.json:expectations[18]
    "o_orderkey_present": "o_orderkey IS NOT NULL",
}

# A row that breaks one of these goes to the quarantine, not to the clean table.
RULES_DROP = {
    # [2a2b3c] suites/orders.json:expectations[18]
    "o_totalprice_range": "o_totalprice IS NULL OR o_totalprice > 0",
}

# A row that breaks one of these is kept and counted.
RULES_WARN = {
    # [3a2b3c] suites/orders.json:expectations[23]
    "o_orderpriority_allowed": (
        "o_orderpriority IS NULL OR o_orderpriority IN ('1-URGENT', '2-HIGH', '3-MEDIUM', "
        "'4-NOT SPECIFIED', '5-LOW')"
    ),
}
"""
    )


def test_empty_dictionaries_stay_to_be_filled():
    assert block(module_text(module())).count(" = {}\n") == 3


def test_a_module_uses_what_both_pipelines_know():
    """Only materialized_view(comment=...), which open-source Spark has, and the expectations."""
    tree = ast.parse(module_text(module(*ORDERS)))
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    used = {node.attr for node in attributes if ast.unparse(node.value) == "dp"}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert used == {"materialized_view", "expect_all", "expect_all_or_drop", "expect_all_or_fail"}
    assert {keyword.arg for call in calls for keyword in call.keywords} == {"comment"}
    (imported,) = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert ast.unparse(imported) == "from pyspark import pipelines as dp"
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    datasets = [function for function in functions if function.decorator_list]
    assert [f.name for f in datasets] == ["orders_checked", "orders_clean", "orders_quarantine"]
    # Open-source Spark's materialized_view returns None, so no decorator can stand above it.
    firsts = {ast.unparse(f.decorator_list[0]).partition("(")[0] for f in datasets}
    assert firsts == {"dp.materialized_view"}


@pytest.mark.parametrize(
    ("places", "line"),
    [
        ([("a.json", "expectations[0]")], "# [00002a] a.json:expectations[0]"),
        (
            [("a.json", "e[0]"), ("b.xlsx", "Fields!G12")],
            "# [00002a] a.json:e[0]; b.xlsx:Fields!G12",
        ),
        (
            [("a.json", f"expectations[{i}]") for i in range(15)],
            "# [00002a] a.json:expectations[0]; a.json:expectations[1]; a.json:expectations[2]"
            " and 12 more",
        ),
        (
            [("suites/" + "d" * 50 + ".json", f"e[{i}]") for i in range(3)],
            "# [00002a] suites/" + "d" * 50 + ".json:e[0] and 2 more",
        ),
        (
            [("suites/" + "d" * 90 + ".json", "expectations[0]")] * 2,
            "# [00002a] ..." + "d" * 50 + ".json:expectations[0] and 1 more",
        ),
        ([("a\n.json", 'x"""')], '# [00002a] a⏎.json:x"""'),
        ([("manual: x", "y # noqa")], "# [00002a] manual: x:y \\x23 noqa"),
    ],
)
def test_origins(places, line):
    origins = tuple(Origin(file, place, "", "") for file, place in places)
    entry = rule("r", "TRUE", id="00002a000000", origin=origins[0])
    assert rules_of(module_text(module(entry, r=origins)))[0] == line


def test_an_id_is_whole_where_six_digits_are_two_rules():
    ids = ("012346789abc", "0123450000ff", "012345000000")
    entries = [rule(f"r{i}", "TRUE", id=id_) for i, id_ in enumerate(ids)]
    comments = [line.split()[1] for line in rules_of(module_text(module(*entries))) if "#" in line]
    assert comments == ["[012346]", "[0123450000ff]", "[012345000000]"]


UNKNOWN = Caveat("type_unknown", "the type of d is not known")
NAMELESS = Caveat("table_not_stated", "the suite names no table")


@pytest.mark.parametrize(
    ("fields", "notes"),
    [
        ({"grade": "exact"}, []),
        ({"grade": "exact", "caveats": (NAMELESS,)}, []),
        (
            {"grade": "assumed", "caveats": (NAMELESS, UNKNOWN)},
            ["# assumed: the type of d is not known"],
        ),
        (
            {"grade": "differs", "caveats": (replace(UNKNOWN, detail="long " * 20), UNKNOWN)},
            ["# differs: The column's type is not known"],
        ),
        (
            {"grade": "assumed", "caveats": (replace(UNKNOWN, detail="a\n# manual: b"),)},
            ["# assumed: a⏎# manual: b"],
        ),
        ({"nulls": "fail", "kind": "present"}, []),  # the condition says it
        ({"nulls": "fail", "kind": "compare"}, ["# a missing value fails"]),
        ({"nulls": "none"}, []),
    ],
)
def test_notes(fields, notes):
    lines = rules_of(module_text(module(rule("r", "d > 0", **fields))))
    assert lines[1:] == [*notes, '"r": "d > 0",']


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("orders_raw", "orders_raw"),
        ("main.sales.orders_raw", "main.sales.orders_raw"),
        ("Sales.Orders", "Sales.Orders"),
        ("Fancy Table-2020", "`Fancy Table-2020`"),
        ("main.Fancy Table", "main.`Fancy Table`"),
        ("main.`odd-name`.t", "main.`odd-name`.t"),
        ("`plain`.t", "plain.t"),
        ("`a.b`", "`a.b`"),
        ("2020_orders", "`2020_orders`"),  # 2020, 1e5 and 12L would be numbers
        ("`tick``ed`", "`tick``ed`"),
        ("größe", "`größe`"),
        ("a..b", "`a..b`"),  # no parts can be told: one name, which Spark will not find
        ("`open", "```open`"),
    ],
)
def test_table_reference(name, reference):
    assert table_reference(name) == reference
    assert read_module(module_text(module(table=name)), "m.py").source_table == reference


@pytest.mark.parametrize("stem", ["", "2020_orders", "Orders", "a-b", "größe", "a b", "x\n"])
def test_a_stem_must_be_a_function_name(stem):
    with pytest.raises(ValueError, match="no stem for the functions"):
        module_text(module(stem=stem))


# Nothing breaks out ------------------------------------------------------------------------------

WORDS = [
    *"x = '\"\\`#{}éß日한א\n\r\t\u2028\u202e\x00\x0c\x85\xa0\ud800\U0001f600",
    *("AND ", "OR ", ", ", '"""', "'''", "${x}", "\\d", "\\N{DASH}", "e\u0301", "--", ");"),
    *("# noqa", "# fmt: off", "# manual: x", "# type: ignore"),
]
TEXT = st.lists(
    st.sampled_from(WORDS) | st.text(max_size=4) | st.integers(1, 100).map("z".__mul__), max_size=30
).map("".join)
ORIGINS = st.builds(Origin, TEXT, TEXT, TEXT, TEXT)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,62}", fullmatch=True)
IDS = st.sampled_from(["abcdef", "123456"]).flatmap(
    lambda start: st.integers(0, 999).map(lambda number: f"{start}{number:06x}")
)
CAVEATS = st.builds(Caveat, st.sampled_from(["type_unknown", "number_in_text"]), TEXT)


@st.composite
def modules(draw):
    names = draw(st.lists(NAMES, unique=True, max_size=5))
    ids = draw(st.lists(IDS, unique=True, min_size=len(names), max_size=len(names)))
    entries = [
        rule(
            name,
            draw(TEXT),
            draw(st.sampled_from(["warn", "drop", "fail"])),
            id=id_,
            grade=draw(st.sampled_from(["exact", "assumed"])),
            caveats=(draw(CAVEATS),),
            nulls=draw(st.sampled_from(["pass", "fail"])),
            columns=(draw(TEXT),),
        )
        for name, id_ in zip(names, ids, strict=True)
    ]
    origins = {name: tuple(draw(st.lists(ORIGINS, min_size=1, max_size=5))) for name in names}
    stem = draw(st.from_regex(r"[a-z][a-z0-9_]{0,62}", fullmatch=True))
    return module(*entries, table=draw(TEXT), stem=stem, **origins)


def conditions(made: Module) -> dict[str, dict[str, str | None]]:
    return {
        action: {r.name: r.condition for r in made.rules if r.action == action}
        for action in ("fail", "drop", "warn")
    }


@given(modules())
def test_any_text_stays_in_its_place(made):
    text = module_text(made)
    read = read_module(text, "m.py")
    assert {action: read.conditions(action) for action in ("fail", "drop", "warn")} == conditions(
        made
    )
    assert read.source_table == table_reference(made.source_table)
    assert not any(found.manual for found in read.rules)
    # All that comes from a source is within the header and the block; the rest never changes.
    plain = module(*[rule(r.name, "TRUE", r.action) for r in made.rules], stem=made.stem)
    assert body_sha256(text, "m.py") == body_sha256(module_text(plain), "m.py")
    shape = [type(node) for node in ast.parse(text).body]
    assert shape == [type(node) for node in ast.parse(module_text(plain)).body]


@settings(max_examples=25, deadline=None)
@given(modules())
def test_ruff_has_nothing_to_add(made):
    text = module_text(made).encode()
    for arguments in (
        ["format", "--line-length=100", "--diff"],
        ["check"],
        ["check", "--line-length=100", "--extend-select=E,W,RUF100,D300,D301"],
    ):
        name = f"--stdin-filename={made.stem}_expectations.py"
        command = [sys.executable, "-m", "ruff", *arguments, "--isolated", "--no-cache", name, "-"]
        run = subprocess.run(command, input=text, capture_output=True, check=False)
        assert run.returncode == 0, (run.stdout + run.stderr).decode()


@given(modules())
def test_same_bytes(made):
    again = replace(made, origins=dict(reversed(made.origins.items())))
    assert module_text(made) == module_text(again)


# Rules that a person changed ---------------------------------------------------------------------


def test_kept_rules_stand_with_their_reasons():
    kept = (
        ModuleRule("added", "drop", "x > 1", "asked for by sales"),
        ModuleRule("o_totalprice_range", "warn", "o_totalprice > 1", 'too "strict" # noqa'),
    )
    text = module_text(module(*ORDERS), kept)
    assert rules_of(text)[2:6] == [
        "# manual: asked for by sales",
        '"added": "x > 1",',
        "# [2a2b3c] suites/orders.json:expectations[18]",
        '# manual: too "strict" \\x23 noqa',
    ]
    read = read_module(text, "m.py")
    again = [found for found in read.rules if found.manual]
    assert {found.name for found in again} == {"added", "o_totalprice_range"}
    assert module_text(module(*ORDERS), again) == text


# The clock ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("d <= CURRENT_DATE", "d <= CAST(checked_at AS DATE)"),
        ("d <= current_date()", "d <= CAST(checked_at AS DATE)"),
        ("d <= CURRENT_DATE ( ) OR FALSE", "d <= CAST(checked_at AS DATE) OR FALSE"),
        ("t < CURRENT_TIMESTAMP()", "t < checked_at"),
        ("t < now() AND t > curdate()", "t < checked_at AND t > CAST(checked_at AS DATE)"),
        ("t < LOCALTIMESTAMP", "t < CAST(checked_at AS TIMESTAMP_NTZ)"),
        (
            "d <= DATE_ADD(CURRENT_DATE, -30) OR s RLIKE '^\\\\d'",
            "d <= DATE_ADD(CAST(checked_at AS DATE), -30) OR s RLIKE '^\\\\d'",
        ),
    ],
)
def test_a_drop_rule_reads_the_clock_once(condition, told):
    entry = rule("r", condition, "drop")
    assert reads_clock(condition)
    assert module_condition(entry) == told
    assert read_module(module_text(module(entry)), "m.py").conditions("drop") == {"r": told}
    tree = parse_one(told, read="databricks").sql("databricks")
    assert "CURRENT" not in tree.upper()
    for action in ("warn", "fail"):
        assert module_condition(replace(entry, action=action)) == condition


@pytest.mark.parametrize(
    "condition",
    [
        "`current_date` <= d",  # a column
        "t.current_date <= d",
        "s <> 'current_date'",
        "s <> 'it is now()'",
        "now > 1",  # without brackets a column
        "current_dates > 1",
        "d > 0",
        "it's not SQL",  # never looked at: it names no clock
    ],
)
def test_no_clock(condition):
    assert not reads_clock(condition)
    assert reading_column(condition, "checked_at") == condition
    assert clock_column(module(rule("r", condition, "drop"))) is None


@pytest.mark.parametrize(
    ("others", "column"),
    [
        ((), "checked_at"),
        ((rule("a", "checked_at IS NOT NULL"),), "checked_at_"),
        ((rule("a", "`Checked_At` IS NOT NULL"), rule("b", "checked_at_ > 1")), "checked_at__"),
        ((rule("a", "TRUE", columns=("CHECKED_AT",)),), "checked_at_"),
        ((rule("a", "unchecked_at > 1"),), "checked_at"),
    ],
)
def test_the_column_is_nobody_elses(others, column):
    entry = rule("r", "d <= CURRENT_DATE", "drop")
    assert clock_column(module(entry, *others)) == column
    text = module_text(module(entry, *others))
    assert f'"current_timestamp() AS {column}")' in text
    assert f'"r": "d <= CAST({column} AS DATE)",' in text


def test_without_a_drop_rule_on_the_clock_nothing_is_added():
    text = module_text(module(rule("r", "d <= CURRENT_DATE", "fail"), rule("s", "x > 1", "drop")))
    assert "checked_at" not in text
    assert '"r": "d <= CURRENT_DATE",' in text


def test_a_changed_rule_still_finds_the_column():
    """It may read checked_at, which is there because of the rule whose place it takes."""
    kept = [ModuleRule("r", "drop", "d < CAST(checked_at AS DATE)", "only past days")]
    text = module_text(module(rule("r", "d <= CURRENT_DATE", "drop")), kept)
    assert '"current_timestamp() AS checked_at"' in text


def test_failed_rules_makes_way_for_a_column_of_that_name():
    text = module_text(module(rule("r", "failed_rules IS NULL", "drop")))
    assert 'AS failed_rules_"' in text
    assert "\"failed_rules_ <> ''\"" in text
