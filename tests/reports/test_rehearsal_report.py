"""A rehearsal as text and as JSON."""

import json

import pytest

from ruleferry.converters.rehearsed import (
    Count,
    Flow,
    Quarantine,
    Rehearsal,
    SampleTable,
    found,
)
from ruleferry.converters.reports.rehearsal import rehearsal_json, rehearsal_lines


def rehearsal(**more) -> Rehearsal:
    given = {
        "modules": ("m.py",),
        "engine": "Spark 4.3.0",
        "why": "--on spark",
        "tables": (SampleTable("t", ("a.csv", "b.csv"), (("n", "bigint"),)),),
        "expectations": (),
        "flows": (),
        "quarantines": (),
    }
    return Rehearsal(**given | more)


def text(**more) -> str:
    width = more.pop("width", None)
    return "\n".join(line for line, _ in rehearsal_lines(rehearsal(**more), width=width))


def test_it_says_what_was_executed_on_what_and_why():
    assert text() == ("Executed m.py\non Spark 4.3.0 (--on spark), with\n  t: a.csv, b.csv")


def test_a_condition_that_needs_spark_is_told_with_the_reason():
    needing = "the function upper"
    printed = text(
        expectations=(
            Count("d", "a", "drop", None, None, needing),
            Count("d", "b", "warn", 1_000, 0),
            Count("d", "c", "fail", None, None, needing),
        ),
        flows=(Flow("d", "table", "NEEDS SPARK", error="the condition of a, c"),),
    )
    assert "d        b            warn     1,000       0\n" in printed
    assert "d     NEEDS SPARK             -        -\n  the condition of a, c\n" in printed
    assert "Needs Spark (--on spark):\n  a, c: the function upper" in printed


def quarantine(rows: int, cell: str = "x") -> Quarantine:
    line = (*[cell] * 12, "rule_a, rule_b")
    columns = (*(f"column_{n}" for n in range(12)), "failed_rules")
    return Quarantine("q", "failed_rules", columns, (line,) * rows)


def test_the_first_twenty_rows_and_the_rules_always():
    printed = text(quarantines=(quarantine(23),))
    assert "q: 23 rows" in printed
    assert printed.count("rule_a, rule_b") == 20
    assert printed.endswith("… and 3 more rows: see --json")


@pytest.mark.parametrize("width", [40, 100, 200])
def test_as_many_columns_as_there_is_room_for(width):
    lines = text(quarantines=(quarantine(1),), width=width).splitlines()[-2:]
    assert all(len(line) <= width for line in lines)
    assert lines[0].startswith("  column_0")
    assert lines[0].split()[-1] == "failed_rules"
    assert ("column_11" in lines[0]) is (width == 200)


def test_long_and_hidden_text_in_a_cell():
    printed = text(quarantines=(quarantine(1, "a\n\u202e" + "y" * 90),))
    assert "a⏎⟨U+202E⟩yyy" in printed
    assert "y" * 41 not in printed


def test_no_rows_no_table():
    assert "q:" not in text(quarantines=(quarantine(0),))


def test_json_holds_every_row_and_every_figure():
    flow = Flow("d", "table", "FAILED", violated=("a",), record='{"n":1}')
    told = json.loads(
        rehearsal_json(
            rehearsal(
                expectations=(Count("d", "a", "fail", None, None),),
                flows=(flow,),
                quarantines=(quarantine(23),),
                notes=("note",),
            )
        )
    )
    assert told["version"] == 1
    assert told["tables"] == [
        {"name": "t", "files": ["a.csv", "b.csv"], "inferred": {"n": "bigint"}}
    ]
    assert told["expectations"] == [
        {"dataset": "d", "name": "a", "action": "fail", "passed": None, "failed": None,
         "needs_spark": None}
    ]  # fmt: skip
    assert told["flows"] == [
        {"dataset": "d", "kind": "table", "status": "FAILED", "output_rows": None,
         "dropped_records": None, "violated": ["a"], "record": '{"n":1}', "error": None}
    ]  # fmt: skip
    assert len(told["quarantines"][0]["rows"]) == 23
    assert told["quarantines"][0]["rows"][0]["column_0"] == "x"
    assert told["notes"] == ["note"]


@pytest.mark.parametrize(
    ("action", "failed", "levels"),
    [
        ("warn", 5, set()),
        ("warn", None, set()),
        ("drop", 0, set()),
        ("drop", 5, {"quarantined"}),
        ("drop", None, {"quarantined"}),  # nobody counted it: it can't be ruled out
        ("fail", 0, set()),
        ("fail", None, {"fail", "quarantined"}),
    ],
)
def test_what_fail_on_finds(action, failed, levels):
    done = rehearsal(expectations=(Count("d", "r", action, 1, failed),))
    assert {level for level in ("fail", "quarantined", "never") if found(done, level)} == levels


def test_a_flow_that_failed_for_another_reason_is_found_too():
    done = rehearsal(flows=(Flow("d", "table", "FAILED", error="DIVIDE_BY_ZERO"),))
    assert [level for level in ("fail", "quarantined", "never") if found(done, level)] == [
        "fail",
        "quarantined",
    ]
