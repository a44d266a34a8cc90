"""Old verdict against new verdict, row by row: Great Expectations 1.24.1 against Spark 4.3."""

from collections import Counter, defaultdict

import pytest
from express_cases import cases
from express_strategies import batches
from express_verdicts import RUNS, compare, expressed, frame
from hypothesis import HealthCheck, Phase, given, settings

from ruleferry.converters.express import Condition
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.oracle import Raised


@pytest.mark.parametrize("run", RUNS)
def test_an_exact_condition_gives_the_old_verdict_on_every_row(compared, run):
    exact = [c for c in compared[run] if graded(c, "exact")]
    wrong = [f"{c.case}: {c.result.text}: {c.differing[:3]}" for c in exact if c.differing]
    assert not wrong
    assert sum(isinstance(c.old, str) for c in exact) > 150


@pytest.mark.parametrize("run", RUNS)
def test_every_condition_is_true_or_false_for_every_row(compared, run):
    judged = [c for c in compared[run] if c.new is not None]
    assert not [c.result.text for c in judged if set(c.new) - {"T", "F"}]
    assert len(judged) > 300


def test_what_is_graded_as_differing_does_differ_somewhere(compared):
    """A grade that never shows is no grade: each code is seen on some row of some run."""
    seen = Counter(
        caveat.code
        for found in compared.values()
        for c in found
        if graded(c, "differs") and c.differing
        for caveat in c.result.caveats
    )
    assert {"compared_as_double", "json_dialect"} <= seen.keys()


def test_an_exact_condition_had_an_old_verdict(compared):
    """Where Great Expectations raises for every frame, nothing is exact."""
    spoke = {str(c.case) for run in RUNS[1:] for c in compared[run] if isinstance(c.old, str)}
    pandas = [c for c in compared[RUNS[1]] if graded(c, "exact") and isinstance(c.old, Raised)]
    assert not [str(c.case) for c in pandas if str(c.case) not in spoke]
    spark = [c for c in compared[RUNS[0]] if graded(c, "exact") and isinstance(c.old, Raised)]
    assert not [f"{c.case}: {c.old.message}" for c in spark]


def graded(compared, grade):
    return isinstance(compared.result, Condition) and compared.result.grade == grade


# Literals that nobody chose -----------------------------------------------------------------------


# Shrinking would run Great Expectations hundreds of times; the message names the one rule anyway.
@settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[Phase.generate],
)
@given(batches())
def test_any_literal_gives_the_old_verdict(spark, batch):
    for engine, style in (RUNS[0], RUNS[2]):
        found = compare(batch, engine, spark, style=style)
        wrong = [c for c in found if graded(c, "exact") and c.differing]
        assert not [(engine, str(c.case), c.result.text, c.differing[:2]) for c in wrong]


# Columns of unknown type --------------------------------------------------------------------------


def test_a_guarded_form_runs_on_a_column_of_any_type(spark):
    """It analyses, never raises, and is TRUE or FALSE: on every type, for every rule."""
    by_columns = defaultdict(list)
    for case in cases():
        by_columns[tuple(case.columns.items())].append(case)
    for columns, group in by_columns.items():
        made = [expressed(case, "spark", typed=False) for case in group]
        texts = {f"{i}: {r.text}": r.text for i, r in enumerate(made) if isinstance(r, Condition)}
        judged = judge(texts, frame(dict(columns), group), spark)
        assert not judged.rejected
        assert not [text for text, letters in judged.verdicts.items() if set(letters) - {"T", "F"}]
        assert texts


def test_without_an_engine_a_rule_that_depends_on_it_is_assumed():
    for case in cases():
        spark, pandas, unknown = (expressed(case, e) for e in ("spark", "pandas", None))
        if not isinstance(spark, Condition) or not isinstance(unknown, Condition):
            continue
        assert unknown.text == spark.text
        if not isinstance(pandas, Condition) or pandas.text != spark.text:
            assert unknown.grade != "exact", case
