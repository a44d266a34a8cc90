"""Old verdict against new verdict, row by row: what 0.18.22 says by its Validator and by its
Dataset API, on pandas 2.1 and Spark 3.5, against Spark 4.3."""

import json
from collections import Counter
from dataclasses import dataclass

import pytest
from express_cases import Case
from old_cases import GREATER, PARSED, P, V, frames

from ruleferry.converters.account import Gap
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.verdict import Raised, RowVerdicts
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.readers.json_text import parse_json
from ruleferry.converters.rule import Row, Table, Unread

RUNS = [
    ("v3 spark", "numpy"),
    ("v2 spark", "numpy"),
    *(
        (f"{generation} pandas", style)
        for generation in ("v3", "v2")
        for style in ("numpy", "nullable")
    ),
]
VERSIONS = {"v2": (0, 12), "v3": (0, 18)}
# The caveats that say where a row may be judged otherwise than before. (All runs are in UTC, so
# `session_time_zone` is no reason here.)
SAY_WHERE = {
    "compared_as_double", "dates_as_texts", "dates_by_dateutil", "json_dialect", "number_in_text",
    "pandas_nullable", "sum_wraps", "values_converted", "written_differently",
}  # fmt: skip


NEVER = {"ignore_row_if": "never"}
DAY = {"value_set": ["2020-01-01"], **PARSED}
CHAIN = {"regex_list": ["^A", "C$"], "match_on": "all"}


@dataclass(frozen=True)
class Seen:
    """`new` is None where there is no condition."""

    case: Case
    run: str
    style: str
    result: Condition | Gap
    old: object
    new: str | None
    cells: tuple

    @property
    def differing(self):
        if not isinstance(self.old, RowVerdicts) or self.new is None:
            return []
        judged = zip(self.cells, self.old.rows, self.new, strict=True)
        return [(row, old, new) for row, old, new in judged if old != new]

    @property
    def grade(self):
        return self.result.grade if isinstance(self.result, Condition) else "gap"

    def __str__(self):
        return (
            f"{self.run} {self.style}: {self.case}: {self.result}: {self.differing[:3]} {self.old}"
        )


def element(case, run):
    """The Dataset API has its own spelling of one name."""
    name = case.type
    if run.startswith("v2") and name == GREATER:
        name = name.replace("a_to_be_greater_than_b", "A_to_be_greater_than_B")
    return {"expectation_type": name, "kwargs": dict(case.kwargs)}


def expressed(case, run, *, typed=True):
    """`run` may end in "-": nothing tells the engine."""
    generation, engine = run.split()
    engine = None if engine == "-" else engine
    context = Context("s.json", Table("t"), engine, version=VERSIONS[generation])
    rule = read_expectation(parse_json(json.dumps(element(case, run))), 0, context)
    if isinstance(rule.check, Unread):
        return Gap(rule.check.code, rule.check.reason)
    assert isinstance(rule.check, Row)
    types = {name: parse_type(text) for name, text in case.columns.items()}
    return express(rule, Types(types if typed else None))


def compared(group, rows, gx018, spark):
    results = {run: [expressed(case, run) for case in group] for run in {run for run, _ in RUNS}}
    texts = {
        result.text
        for found in results.values()
        for result in found
        if isinstance(result, Condition)
    }
    judged = judge({text: text for text in texts}, rows, spark)
    assert not judged.rejected, judged.rejected
    for run, style in RUNS:
        old = gx018.verdicts([element(case, run) for case in group], rows, run, style)
        for case, result, verdict in zip(group, results[run], old, strict=True):
            new = judged.verdicts[result.text] if isinstance(result, Condition) else None
            yield Seen(case, run, style, result, verdict, new, rows.cells)


@pytest.fixture(scope="module")
def seen(gx018, spark):
    return [s for group, rows in frames() for s in compared(group, rows, gx018, spark)]


def test_rules_and_rows_of_every_run_are_compared(seen):
    verdicts = [s for s in seen if s.new is not None and isinstance(s.old, RowVerdicts)]
    assert Counter(s.run for s in verdicts).keys() == {run for run, _ in RUNS}
    assert len({str(s.case) for s in verdicts}) > 90
    assert len(verdicts) > 450
    assert sum(len(s.cells) for s in verdicts) > 50_000


def test_an_exact_condition_gives_the_old_verdict_on_every_row(seen):
    exact = [s for s in seen if s.grade == "exact"]
    assert not [str(s) for s in exact if s.differing]
    spoke = Counter(s.run for s in exact if isinstance(s.old, RowVerdicts))
    assert set(spoke) == {run for run, _ in RUNS}
    assert min(spoke.values()) > 50


def test_every_condition_is_true_or_false_for_every_row(seen):
    assert not [str(s) for s in seen if s.new is not None and set(s.new) - {"T", "F"}]


def test_without_types_or_an_engine_a_condition_is_true_or_false_and_never_exact(spark):
    """Save where the column's type does not matter."""
    runs = [
        f"{generation} {engine}" for generation in VERSIONS for engine in ("spark", "pandas", "-")
    ]
    exact = set()
    for group, rows in frames():
        made = {
            (case.type, f"{run} {case}"): expressed(case, run, typed=False)
            for run in runs
            for case in group
        }
        found = {key: c for key, c in made.items() if isinstance(c, Condition)}
        judged = judge({c.text: c.text for c in found.values()}, rows, spark)
        assert not judged.rejected
        assert not [t for t, letters in judged.verdicts.items() if set(letters) - {"T", "F"}]
        exact |= {name for (name, _), c in found.items() if c.grade == "exact"}
    assert {name.rpartition("values_")[2] for name in exact} == {"to_not_be_null", "to_be_null"}


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("run", "name", "kwargs", "types", "expected"),
    [
        # Only pandas knows "never", and there one missing value equals no other.
        ("v2 -", P + "to_be_equal", NEVER, ("int", "int"), "coalesce(a = b, FALSE)"),
        # On pandas the list alone was read as times, and a text is none.
        ("v2 pandas", V + "be_in_set", DAY, ("string",), "never_passes"),
        ("v2 pandas", V + "not_be_in_set", DAY, ("string",), "never_fails"),
        ("v2 spark", V + "be_in_set", DAY, ("date",), "type_mismatch"),
        ("v2 spark", P + "a_to_be_greater_than_b", PARSED, ("date", "date"), "type_mismatch"),
        ("v3 spark", V + "be_in_set", {"value_set": ["true"]}, ("boolean",), "type_mismatch"),
        ("v3 spark", V + "be_in_set", {"value_set": [1e20]}, ("string",), "type_mismatch"),
        ("v3 spark", V + "be_in_set", {"value_set": [True]}, ("string",), "type_mismatch"),
        (
            *("v3 spark", V + "be_in_set", {"value_set": [1.0, 2]}, ("string",)),
            "a IS NULL OR a IN ('1.0', '2')",
        ),
        (
            *("v3 spark", V + "match_regex_list", CHAIN, ("string",)),
            "a IS NULL OR a RLIKE '(?=^A)(?=C$)'",
        ),
    ],
)
def test_it_becomes(run, name, kwargs, types, expected):
    columns = dict(zip("ab", types, strict=False))
    named = {"column": "a"} if len(types) == 1 else {"column_A": "a", "column_B": "b"}
    result = expressed(Case(name, {**named, **kwargs}, columns), run)
    assert (result.text if isinstance(result, Condition) else result.code) == expected


def test_a_difference_is_one_that_a_caveat_names(seen):
    codes = Counter()
    for s in seen:
        if s.differing:
            named = {caveat.code for caveat in s.result.caveats} & SAY_WHERE
            assert named, str(s)
            assert named != {"number_in_text"} or all(is_number(row[0]) for row, *_ in s.differing)
            codes.update(named)
    # A grade that never shows is no grade.
    assert {"dates_by_dateutil", "sum_wraps", "pandas_nullable", "number_in_text"} <= codes.keys()


def test_what_is_said_to_be_refused_was_refused(seen):
    """On every frame: Great Expectations gave no verdict at all."""
    spoke = [
        str(s)
        for s in seen
        if isinstance(s.result, Gap)
        and s.result.code == "invalid_rule"
        and not isinstance(s.old, Raised)
    ]
    assert not spoke
    refused = {str(s.case) for s in seen if s.grade == "gap" and s.result.code == "invalid_rule"}
    assert len(refused) > 15


def test_an_exact_condition_had_an_old_verdict(seen):
    """Where every frame of a run raised, nothing is exact."""
    spoke = {(s.run, str(s.case)) for s in seen if not isinstance(s.old, Raised)}
    silent = {(s.run, str(s.case)) for s in seen if s.grade == "exact"} - spoke
    # With pandas 2 the Validator can't leave a row of a pair unchecked; and it knows no "never",
    # which makes the rule one of the Dataset API.
    assert {run for run, _ in silent} == {"v3 pandas"}
    assert all("pair_values_to_be_in_set" in case for _, case in silent)
