"""Rules in words about several columns of a record, and about today."""

import math

import pytest
from test_guarded_forms import VALUES as HOSTILE
from test_words import CASES, of
from word_cases import D

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.predicates import (
    AgainstToday,
    Compare,
    CountPresent,
    DistinctWithin,
    Identity,
    PairIn,
    SameWithin,
    SumIs,
)
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.writers.clock import reads_clock

COLUMNS = {
    "a": "string",
    "b": "string",
    "n": "int",
    "m": "bigint",
    "w": "decimal(10,2)",
    "d": "double",
}
RECORDS = (
    ("5", "7", 5, 7, D("12.00"), 12.0),
    ("0.1", "0.2", None, 3, D("0.30"), 0.3),
    ("NA", "", 0, 0, D("0.00"), 0.0),
    (None, None, None, None, None, None),
    ("abc", "abc", 2**31 - 1, 2**63 - 1, D("99999999.99"), math.nan),
    ("2024-01-31", "2024-02-01", -5, -7, D("-12.00"), math.inf),
    ("9", "10", 1, None, None, 1.0),
)
# (predicate, words, verdicts by record)
SEVERAL = (
    (CountPresent(("a", "n")), (), "TTTFTTT"),
    (CountPresent(("a", "n")), ("NA",), "TTTFTTT"),
    (CountPresent(("a", "b")), ("NA", ""), "TTFFTTT"),
    (CountPresent(("n", "m"), 1, 1), (), "FTFFFFT"),
    (CountPresent(("n", "m"), 0, 1), (), "FTFTFFT"),
    (CountPresent(("n", "m", "w"), 3), (), "TFTFTTF"),
    (CountPresent(("a", "b"), 0, 0), ("NA", ""), "FFTTFFF"),
    (CountPresent(("n", "m", "w", "d"), 2, 3), (), "FTFFFFT"),
    (Identity("w", ((1, "n"), (1, "m"))), (), "TTTTFTT"),
    (Identity("w", ((1, "a"), (1, "b"))), (), "TTFTFFT"),
    (Identity("w", ((1, "a"), (1, "b"))), ("NA",), "TTTTFFT"),
    (Identity("n", ((1, "m"),)), (), "FTTTFFT"),
    (Identity("m", ((1, "w"), (-1, "n"))), (), "TTTTFTT"),
    (Identity("d", ((1, "w"),)), (), "TTTTFFT"),
    (Identity("d", ((1, "d"),)), (), "TTTTFTT"),
    (SumIs(("a", "b"), 12), (), "TFFTFFF"),
    (SumIs(("n", "m"), 12), (), "TTFTFFT"),
    (SumIs(("n", "m"), 3, missing="zero"), (), "FTFFFFF"),
    (Compare("a", "=", "b"), (), "FFFTTFF"),
    (Compare("a", "=", "b"), ("NA",), "FFTTTFF"),
    (Compare("b", ">", "a"), (), "TTFTFTT"),
    (Compare("b", ">=", "a", unknown="bad"), (), "TTFTFTT"),
    (Compare("m", ">=", "n"), (), "TTTTTFT"),
    (Compare("d", "=", "w"), (), "TTTTFFT"),
    (DistinctWithin(("a", "b")), (), "TTTTFTT"),
    (SameWithin(("n", "m")), (), "FTTTFFT"),
    (PairIn("a", "b", (("5", "7"), ("9", "10"))), (), "TFFTFFT"),
    (PairIn("a", "b", (("5", "7"),)), ("NA",), "TFTTFFF"),
)


@pytest.mark.parametrize("known", [True, False], ids=["typed", "any type"])
def test_several_columns_have_the_verdicts_that_the_words_mean(known, spark):
    texts = {}
    for number, (predicate, words, _) in enumerate(SEVERAL):
        made = of(predicate, COLUMNS if known else None, words)
        assert isinstance(made, Condition), (predicate, made)
        assert to_sql(parse_condition(made.text)) == made.text
        texts[str(number)] = made.text
    rows = Rows(tuple((n, parse_type(t)) for n, t in COLUMNS.items()), RECORDS)
    judged = judge(texts, rows, spark)
    assert not judged.rejected
    found = [(p, words, judged.verdicts[str(n)]) for n, (p, words, _) in enumerate(SEVERAL)]
    expected = [case for case in SEVERAL if known or case not in BY_TYPE]
    assert [case for case in found if known or case[:2] not in [c[:2] for c in BY_TYPE]] == expected


# Of columns whose types are not known, infinite numbers and NaN are no numbers.
BY_TYPE = [case for case in SEVERAL if "'d'" in repr(case[0])]


# Today --------------------------------------------------------------------------------------------

MOMENTS = ("date", "timestamp", "timestamp_ntz", "string")
TODAY = (
    (AgainstToday("c", "<="), "TTTFF"),
    (AgainstToday("c", "<"), "TTFFF"),
    (AgainstToday("c", "="), "FFTFF"),
    (AgainstToday("c", ">"), "FFFTT"),
    (AgainstToday("c", ">=", -7), "FFTTT"),
    (AgainstToday("c", "<=", 30), "TTTTF"),
    (AgainstToday("c", "<=", now=True), "TTTFF"),
    (AgainstToday("c", "<", 3, now=True), "TTTTF"),
)


@pytest.mark.parametrize("known", [True, False], ids=["typed", "any type"])
@pytest.mark.parametrize("kind", MOMENTS)
def test_today_is_the_day_on_which_the_check_runs(kind, known, spark):
    days = (-1000, -8, 0, 2, 1000)
    shifted = " UNION ALL ".join(
        f"SELECT {n} AS n, date_add(current_date(), {day}) AS c" for n, day in enumerate(days)
    )
    more = "UNION ALL SELECT 5, NULL" + (" UNION ALL SELECT 6, 'soon'" if kind == "string" else "")
    frame = spark.sql(f"SELECT n, CAST(c AS {kind}) AS c FROM ({shifted}) {more}")
    made = [of(p, {"c": kind} if known else None) for p, _ in TODAY]
    assert all("reads_clock" in [c.code for c in m.caveats] for m in made)
    assert all(reads_clock(m.text) for m in made)
    rows = frame.selectExpr("n", *(f"({m.text}) AS c{i}" for i, m in enumerate(made))).collect()
    rows = sorted(rows, key=lambda row: row.n)
    found = ["".join("T" if row[f"c{i}"] else "F" for row in rows[:5]) for i in range(len(made))]
    assert found == [verdicts for _, verdicts in TODAY]
    assert all(rows[5][f"c{i}"] is True for i in range(len(made)))
    assert all(row[f"c{i}"] is False for row in rows[6:] for i in range(len(made)))


# Types that nobody expects ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", HOSTILE)
def test_without_a_type_it_runs_on_a_column_of_any_type(kind, spark):
    column = f"IF(id = 0, {HOSTILE[kind]}, NULL)"
    rows = spark.sql(f"SELECT {column} AS a, {column} AS b, {column} AS c FROM range(2)")
    predicates = [case.predicate for case in CASES if not case.known]
    predicates += [p for p, _, _ in SEVERAL if "'n'" not in repr(p) and "'w'" not in repr(p)]
    predicates += [p for p, _ in TODAY]
    texts = set()
    for words in ((), ("NA", "", "-999", "1900-01-01")):
        made = [of(p, None, words) for p in predicates if "'d'" not in repr(p)]
        texts |= {m.text for m in made if isinstance(m, Condition)}
    tests = [f"CAST(({text}) AS STRING) AS v{i}" for i, text in enumerate(texts)]
    for row in rows.selectExpr(*tests).collect():
        assert {t: v for t, v in zip(texts, row, strict=True) if v not in ("true", "false")} == {}
    assert len(texts) > 60
