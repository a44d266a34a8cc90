"""Rules under the names that columns have on Databricks: each place of a name, and no value."""

from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import get_args

import pytest

from ruleferry.converters import predicates as p
from ruleferry.converters import rule as r
from ruleferry.converters.renamed_sql import renamed_sql
from ruleferry.converters.renaming import Names, NotRenamed, renamed

OWN = {"old": "new", "q": "the new"}
OTHER = {"k": "key"}
NAMES = Names(OWN, lambda table: OTHER if table == "other" else {})


def rule(check, scope=None, columns=("OLD", "b")):
    origin = r.Origin("f", "p", "old", "t")
    return r.LegacyRule(origin, "a", "predicate", check, r.Table("t"), columns, scope, title="old")


PREDICATES = [
    (p.Present("old"), p.Present("new")),
    (p.Absent("Old"), p.Absent("new")),
    (p.Range("old", "old", "q"), p.Range("new", "old", "q")),
    (p.OneOf("old", ("old", 1)), p.OneOf("new", ("old", 1))),
    (p.Matches("old", ("old",)), p.Matches("new", ("old",))),
    (p.Like("old", ("old",)), p.Like("new", ("old",))),
    (p.Length("old", 1), p.Length("new", 1)),
    (p.Format("old", "old"), p.Format("new", "old")),
    (p.Json("old"), p.Json("new")),
    (p.Compare("old", "=", "q"), p.Compare("new", "=", "the new")),
    (p.PairIn("old", "q", (("old", "q"),)), p.PairIn("new", "the new", (("old", "q"),))),
    (p.DistinctWithin(("old", "b")), p.DistinctWithin(("new", "b"))),
    (p.SameWithin(("b", "old")), p.SameWithin(("b", "new"))),
    (p.SumIs(("old", "b"), 1), p.SumIs(("new", "b"), 1)),
    (p.Typed("old", "integer"), p.Typed("new", "integer")),
    (p.CountPresent(("old", "b")), p.CountPresent(("new", "b"))),
    (p.Identity("old", ((1, "q"), (-1, "b"))), p.Identity("new", ((1, "the new"), (-1, "b")))),
    (p.AgainstToday("old", "<"), p.AgainstToday("new", "<")),
    (
        p.SqlText("old > 'old' AND x.old = 1", "spark", bad=False),
        p.SqlText("`new` > 'old' AND x.old = 1", "spark", bad=False),
    ),
]


@pytest.mark.parametrize(("before", "after"), PREDICATES)
def test_a_predicate(before, after):
    found = renamed(rule(r.Row(before), before if not isinstance(before, p.Range) else None), NAMES)
    assert found.check == r.Row(after)
    assert found.columns == ("new", "b")
    assert (found.title, found.origin.text) == ("old", "old")


def test_every_kind_of_predicate_is_tested():
    assert {type(before) for before, _ in PREDICATES} == set(get_args(p.Predicate))


OTHER_SIDE = r.Lookup("other", (("old", "k"), ("b", "old")), p.Comparison("k", "=", "k"))
THEIRS = r.Lookup("other", (("new", "key"), ("b", "old")), p.Comparison("key", "=", "k"))
CHECKS = [
    (r.Share(r.Row(p.Present("old")), Decimal("0.9")),
     r.Share(r.Row(p.Present("new")), Decimal("0.9"))),
    (r.Unique(("old", "b")), r.Unique(("new", "b"))),
    (r.Ordered("old"), r.Ordered("new")),
    (r.Exists(OTHER_SIDE), r.Exists(THEIRS)),
    (r.LookedUp(OTHER_SIDE, (p.ColumnComparison("old", "=", "k"),)),
     r.LookedUp(THEIRS, (p.ColumnComparison("new", "=", "key"),))),
    (r.Reconciled(OTHER_SIDE), r.Reconciled(THEIRS)),
    (r.Figure("max", ("old",), (("max_value", "old"),)),
     r.Figure("max", ("new",), (("max_value", "old"),))),
    (r.Measured(p.SqlText("sum(old) > 0", "spark", bad=False)),
     r.Measured(p.SqlText("sum(`new`) > 0", "spark", bad=False))),
    (r.Columns("column_set", ("old",), (("column_set", ("old", "b")), ("exact", True))),
     r.Columns("column_set", ("new",), (("column_set", ("new", "b")), ("exact", True)))),
    (r.NotARule("old", "old"), r.NotARule("old", "new")),
    (r.Repeat("old", "old"), r.Repeat("old", "old")),
    (r.Unread("unclear", "old", ("old",)), r.Unread("unclear", "old", ("new",))),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), CHECKS)
def test_a_check(before, after):
    assert renamed(rule(before), NAMES).check == after


def test_every_kind_of_check_is_tested():
    of_none = {r.Row}
    assert {type(before) for before, _ in CHECKS} | of_none == set(get_args(r.Check))


def test_a_scope():
    parts = (p.IsTrue("old"), p.Not(p.Comparison("old", "=", "old")),
             p.Or((p.ColumnComparison("old", "<", "q"),)))  # fmt: skip
    found = renamed(rule(r.Row(p.Present("b")), p.And(parts)), NAMES)
    assert found.scope == p.And(
        (p.IsTrue("new"), p.Not(p.Comparison("new", "=", "old")),
         p.Or((p.ColumnComparison("new", "<", "the new"),)))
    )  # fmt: skip


def test_texts_of_a_model_are_columns_or_values():
    """A new field that holds a column's name under another name would be left out."""
    known = {
        "column", "columns", "left", "right", "terms", "permits",  # columns
        "sort", "format", "escape", "operator", "dialect", "text", "low", "high", "unknown",
        "ignore", "read_as", "missing", "listed", "measure", "arguments", "statement", "table",
        "keys", "code", "reason", "file", "atom", "value", "values", "patterns", "pairs", "total",
    }  # fmt: skip
    kinds = (*get_args(p.Predicate), *get_args(p.Scope), *get_args(r.Check), r.Lookup)
    for kind in kinds:
        assert is_dataclass(kind)
        texts = {f.name for f in fields(kind) if "str" in str(f.type) or "Value" in str(f.type)}
        assert texts <= known, kind


QUERIES = [
    ("SELECT * FROM {batch} WHERE old < 0", "SELECT * FROM {batch} WHERE `new` < 0"),
    (
        "SELECT b.Old FROM {batch} b WHERE b.old < 0",
        "SELECT b.`new` FROM {batch} b WHERE b.`new` < 0",
    ),
    (
        "SELECT * FROM {batch} b JOIN other o ON o.k = b.old WHERE o.old = 1",
        "SELECT * FROM {batch} b JOIN other o ON o.`key` = b.`new` WHERE o.old = 1",
    ),
    (
        "SELECT n FROM (SELECT old, count(*) n FROM {batch} GROUP BY old) d WHERE d.old > 1",
        "SELECT n FROM (SELECT `new` AS old, count(*) n FROM {batch} GROUP BY `new`) d "
        "WHERE d.old > 1",
    ),
    ("SELECT * FROM {batch} WHERE x = 'old'", "SELECT * FROM {batch} WHERE x = 'old'"),
    ("SELECT old(x) FROM {batch}", "SELECT old(x) FROM {batch}"),
    ("SELECT '{{' FROM {batch} WHERE old = 1", "SELECT '{{' FROM {batch} WHERE `new` = 1"),
]


@pytest.mark.parametrize(("query", "after"), QUERIES)
def test_a_query(query, after):
    found = renamed_sql(p.SqlText(query, "spark", True, whole_query=True), OWN, NAMES.of)
    assert found.text == after


UNCLEAR = [
    "SELECT * FROM {batch} b JOIN other o ON o.k = b.x WHERE old = 1",
    "SELECT * FROM {batch} WHERE EXISTS (SELECT 1 FROM other o WHERE o.k = old)",
    "SELECT * FROM {batch} JOIN other USING (old)",
    "SELECT * FROM (SELECT * FROM {batch}) d WHERE d.old = 1",
    "SELECT count(*) AS old FROM {batch} GROUP BY x HAVING old > 1",
    "SELECT * FROM {batch} WHERE \"old\" = 'F' AND old = 1",
]


@pytest.mark.parametrize("query", UNCLEAR)
def test_a_query_in_which_it_is_not_clear(query):
    with pytest.raises(NotRenamed):
        renamed_sql(p.SqlText(query, "spark", True, whole_query=True), OWN, NAMES.of)


def test_what_can_not_be_parsed_stays():
    text = p.SqlText("old >", "spark", bad=False)
    assert renamed_sql(text, OWN, NAMES.of) is text
