"""The row tests can fail: every mutation of the mapping is seen on some row.

A mutation changes the mapping (a row of great_expectations.toml, the form of an argument, the
engine) or the condition that is made. It is killed when a case whose condition is graded exact
gets another verdict than Great Expectations gave on some row, or is no longer converted.
"""

from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, replace
from unittest import mock

import pytest
from express_verdicts import RUNS, expressed
from sqlglot import exp

from ruleferry.converters.express import Condition
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.readers.great_expectations import arguments, catalogue, expectation

pytestmark = pytest.mark.more  # a minute for what changes with the tests alone

SPARK, PANDAS = RUNS[0], RUNS[2]
PREDICATES = {
    "Present", "Absent", "Range", "OneOf", "Matches", "Length", "Format", "Compare", "PairIn",
    "DistinctWithin", "SameWithin", "SumIs",
}  # fmt: skip
ROWS = [row for row in catalogue.catalogue().rows.values() if row.check in PREDICATES]


@dataclass(frozen=True)
class Mutation:
    """`change` patches the mapping while a case is read; `tree` changes the condition's tree."""

    name: str
    run: tuple[str, str]
    types: frozenset[str]
    change: object = None
    tree: object = None


def mutations():
    yield from _of_rows()
    yield from _of_forms()
    yield from _of_engines()
    yield from _of_trees()


# The table of expectations ------------------------------------------------------------------------


def _of_rows():
    for row in ROWS:
        for field in row.fields:
            without = {k: v for k, v in row.fields.items() if k != field}
            if row.fields[field] not in row.required:
                yield _row(row, f"without {field}", fields=without)
        for a, b in (("low", "high"), ("low_open", "high_open")):
            if a in row.fields and row.fields[a] != row.fields[b]:
                swapped = {**row.fields, a: row.fields[b], b: row.fields[a]}
                yield _row(row, f"{a} and {b} swapped", fields=swapped)
        for field, value in row.fixed.items():
            if isinstance(value, bool):
                yield _row(row, f"{field} turned", fixed={**row.fixed, field: not value})
        if len(row.columns) == 2 and row.check in ("Compare", "PairIn"):
            yield _row(row, "columns turned", columns=row.columns[::-1])
    for name, check in OTHER_CHECKS.items():
        yield _row(catalogue.catalogue().rows[name], f"as {check}", check=check)


OTHER_CHECKS = {
    "expect_column_values_to_not_be_null": "Absent",
    "expect_column_values_to_be_null": "Present",
    "expect_select_column_values_to_be_unique_within_record": "SameWithin",
    "expect_multicolumn_values_to_be_equal": "DistinctWithin",
    "expect_column_value_lengths_to_be_between": "Range",
}


def _row(row, what, **changes):
    mutated = replace(row, **changes)
    symmetric = row.check == "Compare" and row.name.endswith("equal") and "columns" in changes
    if symmetric:
        mutated = replace(row, fixed={"operator": ">"})
    found = catalogue.catalogue()
    table = replace(found, rows={**found.rows, row.name: mutated})
    patch = mock.patch.object(expectation, "catalogue", return_value=table)
    # Present and Absent differ from pandas to Spark in NaN alone; either run shows the change.
    run = PANDAS if row.check in ("Matches", "Format", "Compare") else SPARK
    return Mutation(f"{row.name}: {what}", run, frozenset({row.name}), patch)


# The forms of arguments ---------------------------------------------------------------------------


def _of_forms():
    yield _form("match_on", lambda value, modern: not arguments.match_on(value, modern))
    yield _form("or_equal", lambda v, m: ">" if arguments.or_equal(v, m) == ">=" else ">=")
    yield _form("flag", lambda value, modern: not arguments.flag(value, modern))
    yield _form("values", lambda value, modern: arguments.values(value, modern)[1:])
    yield _form("pairs", lambda value, modern: arguments.pairs(value, modern)[1:])
    yield _form("pairs", lambda v, m: tuple((b, a) for a, b in arguments.pairs(v, m)), "turned")
    yield _form("number", lambda value, modern: arguments.number(value) + 1)
    yield _form("bound", lambda value, modern: _more(arguments.bound(value, modern)))
    yield _form("texts", lambda value, modern: arguments.texts(value, modern)[:1])
    for one in ("all_missing", "any_missing", "never"):
        for other in {"all_missing", "any_missing", "never"} - {one}:
            yield _form(
                "ignore",
                lambda v, m, one=one, other=other: (
                    other if arguments.ignore(v, m) == one else arguments.ignore(v, m)
                ),
                f"{one} as {other}",
            )


def _more(value):
    return value + 1 if isinstance(value, int) else value


def _form(form, mutated, what=""):
    types = frozenset(row.name for row in ROWS if form in row.wants.values())
    patch = mock.patch.dict(arguments.FORMS, {form: mutated})
    run = PANDAS if form in ("match_on", "texts") else SPARK
    return Mutation(f"form {form} {what}", run, types, patch)


# The engine's meaning -----------------------------------------------------------------------------


def _of_engines():
    """Spark's meaning where pandas ran, and the other way."""
    for run, other in ((SPARK, "pandas"), (PANDAS, "spark")):
        for row in ROWS:
            if row.check in DEPENDING[other]:
                types = frozenset({row.name})
                yield Mutation(f"{row.name}: meaning of {other}", run, types, other)


DEPENDING = {
    "pandas": {"Present", "Absent", "Range", "SumIs", "Compare"},
    "spark": {"Present", "Absent", "Range", "OneOf", "Matches", "SumIs"},
}


# The condition's tree -----------------------------------------------------------------------------


def _of_trees():
    for name, change in TREES.items():
        for run in (SPARK, PANDAS):
            yield Mutation(f"tree: {name} ({run[0]})", run, frozenset(), None, change)


def _first(kind, make):
    """Replace the first node of a kind; None where there is none."""

    def change(tree):
        node = next(tree.find_all(kind), None)
        return None if node is None else _replaced(tree, node, make(node))

    return change


def _replaced(tree, node, other):
    if node is tree:
        return other
    node.replace(other)
    return tree


def _without_null(tree):
    return tree.expression if isinstance(tree, exp.Or) else None


def _in_without_first(node):
    return exp.In(this=node.this, expressions=node.expressions[1:] or [exp.Literal.string("?")])


def _as(kind):
    return lambda node: kind(this=node.this, expression=node.expression)


TREES = {
    "without the term for a missing value": _without_null,
    "> as >=": _first(exp.GT, _as(exp.GTE)),
    ">= as >": _first(exp.GTE, _as(exp.GT)),
    "< as <=": _first(exp.LT, _as(exp.LTE)),
    "OR as AND": _first(exp.Or, _as(exp.And)),
    "AND as OR": _first(exp.And, _as(exp.Or)),
    "= as <>": _first(exp.EQ, _as(exp.NEQ)),
    "<=> as =": _first(exp.NullSafeEQ, _as(exp.EQ)),
    "IN without its first value": _first(exp.In, _in_without_first),
    "BETWEEN turned": _first(
        exp.Between,
        lambda n: exp.Between(this=n.this, low=n.args["high"], high=n.args["low"]),
    ),
    "NOT left out": _first(exp.Not, lambda node: node.this),
    "a pattern anchored": _first(
        exp.RegexpLike,
        lambda n: exp.RegexpLike(
            this=n.this, expression=exp.Literal.string(f"^{n.expression.this}")
        ),
    ),
}


# The test -----------------------------------------------------------------------------------------


@contextmanager
def _applied(change):
    if change is None or isinstance(change, str):
        yield
    else:
        with change:
            yield


def _mutant(mutation, found):
    """The mutated condition's text; "" where the rule is no longer converted; None: unchanged."""
    engine = mutation.change if isinstance(mutation.change, str) else mutation.run[0]
    with _applied(mutation.change):
        result = expressed(found.case, engine)
    if not isinstance(result, Condition):
        return ""
    if mutation.tree is None:
        return None if result.text == found.result.text else result.text
    tree = mutation.tree(parse_condition(result.text))
    text = None if tree is None else to_sql(tree)
    return None if text == found.result.text else text


def _relevant(mutation, compared):
    for found in compared[mutation.run]:
        named = not mutation.types or found.case.type in mutation.types
        exact = isinstance(found.result, Condition) and found.result.grade == "exact"
        if named and exact and isinstance(found.old, str):
            yield found


@pytest.fixture(scope="module")
def killed(compared, spark):
    """Mutation -> the cases that show it. All mutants of one frame are judged together."""
    seen = defaultdict(list)
    judged = defaultdict(dict)
    for mutation in mutations():
        seen[mutation.name] = []
        for found in _relevant(mutation, compared):
            text = _mutant(mutation, found)
            if text == "":
                seen[mutation.name].append(found.case)
            elif text is not None:
                judged[found.rows][text, found.old] = [
                    *judged[found.rows].get((text, found.old), []),
                    (mutation.name, found.case),
                ]
    for rows, mutants in judged.items():
        texts = {str(i): text for i, (text, _) in enumerate(mutants)}
        verdicts = judge(texts, rows, spark).verdicts
        for i, ((_, old), names) in enumerate(mutants.items()):
            # One that Spark refuses is killed too.
            if verdicts.get(str(i), "").replace("N", "F") != old:
                for name, case in names:
                    seen[name].append(case)
    return seen


def test_there_are_enough_mutations():
    names = [mutation.name for mutation in mutations()]
    assert len(names) == len(set(names)) >= 60


@pytest.mark.parametrize("name", [mutation.name for mutation in mutations()])
def test_every_mutation_is_seen(killed, name):
    assert killed[name]
