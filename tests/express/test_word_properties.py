"""Rules in words on Spark, against their meaning in plain Python, for rules that nobody chose."""

import random
from datetime import date
from decimal import Decimal

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from test_words import of, rule
from word_oracle import is_good

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.predicates import (
    Absent,
    And,
    ColumnComparison,
    Compare,
    Comparison,
    CountPresent,
    Identity,
    Length,
    Not,
    OneOf,
    Or,
    Present,
    Range,
    Typed,
)
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.rows import Rows

TYPES = {
    "s": "string", "t": "string", "n": "int", "m": "bigint", "w": "decimal(10,2)", "d": "double",
    "day": "date",
}  # fmt: skip
D = Decimal
TEXTS = (
    "", "  ", "NA", "n/a", "-999", "-999.0", "0", "5", "05", "5.0", "7", "1e1", "12", " 5", "abc",
    "NaN", "1e400", "2024-02-29", "2023-02-29", "2024-01-31", "1900-01-01", "x", "5d",
)  # fmt: skip
VALUES = {
    "s": TEXTS, "t": TEXTS,
    "n": (0, 5, 7, 12, -999, 2**31 - 1, -(2**31)),
    "m": (0, 5, 7, 12, -999, 2**63 - 1, -(2**63)),
    "w": (D("0.00"), D("5.00"), D("7.25"), D("-999.00"), D("12.00")),
    # Infinity is a number of a double, and no number of a text.
    "d": (0.0, 5.0, 7.25, -999.0, 12.0, float("nan"), 1e300),
    "day": (date(2024, 2, 29), date(2024, 1, 31), date(1900, 1, 1)),
}  # fmt: skip
NAMES, TEXTUAL, NUMERIC = tuple(TYPES), ("s", "t"), ("s", "t", "n", "m", "w", "d")


def records(count: int):
    dice = random.Random(5)
    rows = [
        tuple(None if dice.random() < 0.15 else dice.choice(VALUES[name]) for name in NAMES)
        for _ in range(count)
    ]
    return [*rows, (None,) * len(NAMES)]


ROWS = records(150)

numbers = st.sampled_from([0, 5, 7, 12, D("7.25"), -999])
days = st.sampled_from([date(2024, 1, 31), date(2024, 2, 29), date(1900, 1, 1)])
texts = st.sampled_from(["5", "NA", "x", "abc", "05"])


def ranges(columns, bounds):
    def made(column, low, high, opened):
        low, high = sorted((low, high))
        return Range(column, low, high, opened and low != high, False)

    both = st.builds(made, columns, bounds, bounds, st.booleans())
    return st.one_of(
        both, st.builds(lambda c, b, o: Range(c, low=b, low_open=o), columns, bounds, st.booleans())
    )


numeric, textual, days_or_texts = map(st.sampled_from, (NUMERIC, TEXTUAL, ("s", "day")))
some = st.lists(numbers, min_size=1, max_size=3).map(tuple)
lists = st.one_of(
    st.builds(OneOf, numeric, some, st.booleans()),
    st.builds(OneOf, textual, st.lists(texts, min_size=1).map(tuple), st.booleans()),
)
several = st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True).map(tuple)
counts = several.flatmap(
    lambda c: (
        st.tuples(st.integers(0, len(c)), st.integers(0, len(c)))
        .map(sorted)
        .filter(lambda b: b != [0, len(c)])
        .map(lambda b: CountPresent(c, *b))
    )
)
added = st.sampled_from(("s", "t", "n", "m", "w"))
terms = st.lists(st.tuples(st.sampled_from((1, -1)), added), min_size=1, max_size=3)
predicates = st.one_of(
    st.builds(Present, st.sampled_from(NAMES)),
    st.builds(Absent, st.sampled_from(NAMES)),
    ranges(numeric, numbers),
    ranges(days_or_texts, days),
    lists,
    counts,
    st.builds(Typed, textual, st.sampled_from(("integer", "number", "date"))),
    st.builds(Typed, numeric, st.just("integer"), st.integers(1, 3)),
    st.builds(Length, textual, st.none(), st.integers(1, 5)),
    st.builds(Identity, added, terms.map(tuple)),
    st.tuples(textual, textual).map(lambda c: Compare(c[0], ">=", c[1])),
    st.sampled_from((Compare("s", "=", "t"), Compare("n", ">", "m"), Compare("w", ">=", "n"))),
)
leaves = st.one_of(
    st.builds(Comparison, numeric, st.sampled_from(("=", "!=", "<", "<=", ">", ">=")), numbers),
    st.builds(Comparison, textual, st.sampled_from(("=", "!=")), texts),
    st.builds(Comparison, days_or_texts, st.sampled_from(("<", ">=")), days),
    st.builds(Present, st.sampled_from(NAMES)),
    st.builds(Absent, st.sampled_from(NAMES)),
    lists,
    st.sampled_from((ColumnComparison("s", "<", "t"), ColumnComparison("n", ">=", "m"))),
)
pairs = st.lists(leaves, min_size=2, max_size=2).map(tuple)
scopes = st.one_of(
    st.none(),
    leaves,
    st.builds(Not, leaves),
    st.builds(And, pairs),
    st.builds(Not, st.builds(Or, pairs)),
    st.builds(Not, st.builds(And, pairs)),
)
words = st.sampled_from(
    [(), ("NA",), ("",), ("NA", "n/a", ""), ("-999",), ("NA", "-999", "1900-01-01")]
)
rules = st.tuples(predicates, scopes, words, st.booleans())


# No smaller example is looked for: each one takes Spark a second.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)


@settings(max_examples=12, deadline=None, phases=PHASES, suppress_health_check=list(HealthCheck))
@given(st.lists(rules, min_size=15, max_size=30))
def test_spark_says_of_a_record_what_the_words_say(spark, rules):
    made = {}
    for number, (predicate, scope, given_words, known) in enumerate(rules):
        found = of(predicate, TYPES if known else None, given_words, scope)
        if isinstance(found, Condition) and found.over == "record":
            made[str(number)] = found.text
    rows = Rows(tuple((n, parse_type(t)) for n, t in TYPES.items()), tuple(ROWS))
    judged = judge(made, rows, spark)
    assert not judged.rejected
    wrong = []
    for number in made:
        predicate, scope, given_words, known = rules[int(number)]
        for values, letter in zip(ROWS, judged.verdicts[number], strict=True):
            record = dict(zip(NAMES, values, strict=True))
            good = is_good(predicate, scope, record, given_words, known=known)
            if letter != ("T" if good else "F"):
                wrong.append((rules[int(number)], letter, record, made[number]))
    assert not wrong[:1]


@settings(max_examples=200, deadline=None)
@given(rules)
def test_a_mould_changes_nothing(made):
    """A rule is expressed alike whether or not another one was before it."""
    from ruleferry.converters.express.worded import worded

    predicate, _, given_words, known = made
    types = Types({n: parse_type(t) for n, t in TYPES.items()} if known else None)
    types = Types(types.declared, missing_words=given_words)
    found = express(rule(predicate, given_words), types)
    if isinstance(found, Condition) and found.over == "record":
        alone = worded(predicate, "words", types)
        assert (found.text, found.nulls, found.caveats) == (alone.text, alone.nulls, alone.told)
        assert found.meaning == alone.meaning
