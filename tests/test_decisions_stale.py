"""What else than its own text makes an answer about a cell of a dictionary stale."""

import pytest
from made_decisions import decided
from suites import convert, write

from ruleferry.converters.decided import Decisions, Waived
from ruleferry.converters.decisions_file import decisions_text
from ruleferry.converters.predicates import Range
from ruleferry.converters.read_as import read_as

FIELDS = "Table,Field name,Data type,Length,Required,Allowed values,Minimum,Maximum,Description\n"
RULES = "Table,Column,Rule,Severity\n"


def converted(folder, text, decisions=()):
    write(folder, {"d.csv": text, "decisions.toml": decisions_text(Decisions(decisions=decisions))})
    return convert(folder, "d.csv").ledger


def entry_of(ledger, kind):
    return next(e for e in ledger.entries if e.kind == kind and e.outcome != "not_a_rule")


def states(ledger):
    return {given.state for question in ledger.questions for given in question.answered}


@pytest.mark.parametrize("verdict", [Waived("too narrow"), "x BETWEEN 0 AND 9"])
@pytest.mark.parametrize(
    ("before", "after", "kind", "stale"),
    [
        ("t,x,INT,,,,0,9,one", "t,x,INT,,,,0,99999,one", "range", True),  # its other bound
        ("t,x,INT,,,,0,9,one", "t,x,INT,,,,0,,one", "range", True),
        ("t,x,INT,,,,0,9,one", "t,x,INT,,,,0,9,two", "range", False),  # words about the field
        ("t,x,INT,,,,0,9,one", "t,x,INT,,Yes,,0,9,one", "range", False),  # another rule's cell
        ("t,x,INT,,,,0,9,one", "t,y,TEXT,5,,,,,\nt,x,INT,,,,0,9,one", "range", False),
    ],
)  # fmt: skip
def test_cells_that_make_one_rule(tmp_path, verdict, before, after, kind, stale):
    rule = entry_of(converted(tmp_path, f"{FIELDS}{before}\n"), kind)
    answer = decided(verdict, rule, code="type_unknown")
    same = converted(tmp_path, f"{FIELDS}{before}\n", [answer])
    assert "stale" not in states(same)
    now = converted(tmp_path, f"{FIELDS}{after}\n", [answer])
    assert ("stale" in states(now)) is stale
    assert bool(entry_of(now, kind).decided) is not stale


@pytest.mark.parametrize(
    ("after", "stale"),
    [("t,a,must be > 100,High", True), ("t,a,must not be empty,High\nt,b,must be > 5,High", False)],
)
def test_a_row_of_a_rule_list_is_one_rule_whichever_cell_is_its_text(tmp_path, after, stale):
    before = converted(tmp_path, f"{RULES}t,a,must not be empty,High\n")
    rule = next(e for e in before.entries if e.columns == ("a",))
    answer = decided(Waived("an example"), rule, code="column_unsure")
    now = converted(tmp_path, f"{RULES}{after}\n", [answer])
    waived = [e for e in now.entries if e.outcome == "waived"]
    assert bool(waived) is not stale
    assert ("stale" in states(now)) is stale


SUITE = {
    "expectation_suite_name": "orders",
    "meta": {"great_expectations_version": "0.18.0"},
    "evaluation_parameters": {},
    "expectations": [
        {
            "expectation_type": "expect_column_values_to_be_between",
            "kwargs": {"column": "x", "max_value": {"$PARAMETER": "p_max"}},
        }
    ],
}
SCRIPT = "-- id: P-1\nSELECT count(*) FROM orders WHERE x > &p_max;\n"


@pytest.mark.parametrize(("file", "source"), [("orders.json", SUITE), ("orders.sql", SCRIPT)])
def test_the_value_of_a_parameter_is_a_part_of_a_rule(tmp_path, file, source):
    def ledger(value, *decisions):
        config = f'[parameters]\np_max = {value}\n[[source]]\npath = "{file}"\ndialect = "oracle"\n'
        text = decisions_text(Decisions(decisions=decisions))
        write(tmp_path, {file: source, "ruleferry.toml": config, "decisions.toml": text})
        return convert(tmp_path, file).ledger

    (rule,) = ledger(100).entries
    answer = decided(Waived("too high"), rule, code="type_unknown")
    assert [e.outcome for e in ledger(100, answer).entries] == ["waived"]
    now = ledger(5, answer)
    assert [(e.id, e.outcome) for e in now.entries] == [(rule.id, "record")]
    assert states(now) == {"stale"}


def test_what_is_read_is_a_text_that_leaves_out_what_is_not_said():
    assert read_as(Range("x", 0)) == "Range(column='x',low=0)"
    assert read_as((Range("x", 0, 9), None)) == "(Range(column='x',low=0,high=9),None)"
    assert read_as(frozenset({"b", "a"})) == "{'a','b'}"
