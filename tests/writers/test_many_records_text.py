"""The module's text where rules look at other records, at all of them, or at the schema."""

import subprocess
import sys
from decimal import Decimal

from made_rules import Typed, planned, rule

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import Actions
from ruleferry.converters.predicates import Present
from ruleferry.converters.rule import Columns, Figure, Row, Share, Unique
from ruleferry.converters.writers.lakeflow import module_text
from ruleferry.converters.writers.rules_module import body_sha256, read_module

TYPES = Typed({name: parse_type("string") for name in ("x", "y")})
UNIQUE = Unique(("x",))
ROWS = Figure("row_count", (), (("min_value", 1),))
HALF = Decimal("0.5")


def module(*checks, **actions) -> str:
    """The text of a table's module; `actions`: name of a rule -> its action."""
    rules = [
        rule(
            Present("x"),
            check=check,
            kind=kind,
            columns=() if kind == "row_count" else ("x",),
            place=f"expectations[{n}]",
        )
        for n, (kind, check) in enumerate(checks)
    ]
    config = Actions(rules={f"orders.{name}": action for name, action in actions.items()})
    (made,) = planned(*rules, types_of=TYPES, actions=config).modules
    return module_text(made)


def block(text: str, name: str) -> str:
    """One dictionary of the edit block, without its comments."""
    _, _, rest = text.partition(f"{name} = {{\n")
    lines = rest.partition("\n}")[0].splitlines()
    return "\n".join(line.strip() for line in lines if not line.strip().startswith("#"))


def function(text: str, name: str) -> str:
    _, _, rest = text.partition(f"def {name}():\n")
    return rest.partition("\n\n")[0]


def test_a_flag_is_a_column_of_the_checked_table():
    text = module(("unique", UNIQUE))
    assert block(text, "FLAGS") == '"x_unique_copies": "count(*) OVER (PARTITION BY x)",'
    assert block(text, "RULES_WARN") == '"x_unique": "x IS NULL OR x_unique_copies <= 1",'
    assert '"*", *_with_names(FLAGS)' in function(text, "orders_checked")
    assert "FIGURES" not in text
    assert "SCHEMA" not in text


def test_figures_are_one_row_of_the_source():
    text = module(("row_count", ROWS))
    assert block(text, "FIGURES") == '"row_count_value": "count(*)",'
    assert "row_count_value >= 1" in block(text, "FIGURE_RULES_WARN")
    body = "    return spark.read.table(SOURCE_TABLE).selectExpr(*_with_names(FIGURES))"
    assert function(text, "orders_figures").rstrip() == body
    assert "FLAGS" not in text
    assert "_required" not in text


def test_figures_that_must_hold_are_a_dataset_of_their_own():
    text = module(("row_count", ROWS), ("share", Share(Row(Present("x")), HALF)), row_count="fail")
    assert "row_count_value" in block(text, "FIGURES_REQUIRED")
    assert "row_count_value" not in block(text, "FIGURES")
    assert "x_share_checked" in block(text, "FIGURES")
    assert "@_expect(dp.expect_all_or_fail, FIGURE_RULES_FAIL)\ndef orders_figures_required" in text
    assert "@_expect(dp.expect_all, FIGURE_RULES_WARN)\ndef orders_figures()" in text


def test_figures_of_a_flag_read_the_checked_table():
    text = module(("share", Share(UNIQUE, HALF)), ("row_count", ROWS), row_count="fail")
    assert block(text, "FLAGS") == '"x_share_copies": "count(*) OVER (PARTITION BY x)",'
    assert "x_share_copies <= 1" in block(text, "FIGURES")
    read = '    rows = spark.read.table("orders_checked")'
    assert function(text, "orders_figures").startswith(read)
    assert "SOURCE_TABLE" in function(text, "orders_figures_required")


def test_statements_about_columns_have_a_dataset_of_one_row():
    text = module(("columns", Columns("exists", ("x",))))
    assert block(text, "SCHEMA_RULES_WARN") == '"x_columns": "array_contains(names, \'x\')",'
    assert block(text, "SCHEMA_RULES_FAIL") == ""
    assert "LEFT JOIN (SELECT * FROM {SOURCE_TABLE} LIMIT 1)" in function(text, "orders_schema")
    assert "FIGURES" not in text


def test_all_of_it_passes_ruff_and_is_read_back(tmp_path):
    text = module(
        ("unique", UNIQUE),
        ("share", Share(UNIQUE, HALF)),
        ("row_count", ROWS),
        ("columns", Columns("exists", ("x",))),
        row_count="fail",
        x_columns="fail",
    )
    path = tmp_path / "orders_expectations.py"
    path.write_text(text)
    for command in (["check"], ["format", "--check", "--line-length", "100"]):
        arguments = [sys.executable, "-m", "ruff", *command, "--isolated", "--no-cache", str(path)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
    found = {(r.name, r.action, r.over) for r in read_module(text, "m.py").rules}
    assert found == {
        ("x_unique", "warn", "record"),
        ("x_share", "warn", "figures"),
        ("row_count", "fail", "figures"),
        ("x_columns", "fail", "schema"),
    }
    assert body_sha256(text, "m.py")
