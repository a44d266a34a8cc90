"""Unique and ordered values: the window, and what a missing value or a scope makes of it."""

import pytest
from made_rules import Typed, planned, rule

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import TableSettings
from ruleferry.converters.predicates import Present, SqlText
from ruleferry.converters.rule import Ordered, Unique

COLUMNS = {"a": "int", "b": "int", "s": "string", "f": "double", "day": "date", "small": "smallint"}
TYPES = {name: parse_type(kind) for name, kind in COLUMNS.items()}
COPIES, BEFORE = "a_unique_copies", "a_order_before"
ALL = "count(*) OVER (PARTITION BY a, b)"
IN_SCOPE = "count_if(s IS NOT NULL) OVER (PARTITION BY a, b)"


def lag(value: str, parts: str = "", nulls: str = " IGNORE NULLS") -> str:
    return f"lag({value}){nulls} OVER ({parts}ORDER BY b NULLS LAST)"


# Check, engine, row condition -> condition, window.
WINDOWS = [
    (Unique(("a",)), "spark", None, f"a IS NULL OR {COPIES} <= 1",
     "count(*) OVER (PARTITION BY a)"),
    (Unique(("a", "b")), "pandas", None, f"a IS NULL OR b IS NULL OR {COPIES} <= 1", ALL),
    (Unique(("a", "b"), "all_missing"), "spark", None,
     f"(a IS NULL AND b IS NULL) OR {COPIES} <= 1", ALL),
    (Unique(("a", "b"), "never"), "pandas", None, f"{COPIES} <= 1", ALL),
    (Unique(("a", "b"), "never", by_engine=True), "postgres", None,
     f"a IS NULL OR b IS NULL OR {COPIES} <= 1", ALL),
    (Unique(("a", "b"), "never"), "postgres", None, f"{COPIES} <= 1", ALL),
    (Unique(("a", "b"), "never"), "spark", Present("s"), f"s IS NULL OR {COPIES} <= 1", IN_SCOPE),
    (Unique(("f",)), "pandas", None, f"f IS NULL OR isnan(f) OR {COPIES} <= 1",
     "count(*) OVER (PARTITION BY nullif(f, CAST('NaN' AS DOUBLE)))"),
    (Ordered("a"), "spark", None, f"a IS NULL OR {BEFORE} IS NULL OR a >= {BEFORE}", lag("a")),
    (Ordered("a", strictly=True), "pandas", None,
     f"a IS NULL OR {BEFORE} IS NULL OR a > {BEFORE}", lag("a")),
    (Ordered("a", descending=True), "spark", None,
     f"a IS NULL OR {BEFORE} IS NULL OR a <= {BEFORE}", lag("a")),
    (Ordered("a", descending=True, strictly=True), "spark", Present("s"),
     f"s IS NULL OR a IS NULL OR {BEFORE} IS NULL OR a < {BEFORE}",
     lag("a", "PARTITION BY s IS NULL ")),
    (Ordered("day"), "spark", None, f"day IS NULL OR {BEFORE} IS NULL OR day >= {BEFORE}",
     lag("day", nulls="")),
    (Ordered("small"), "spark", None, f"small IS NULL OR {BEFORE} IS NULL OR small >= {BEFORE}",
     lag("small", nulls="")),
    (Ordered("day"), "pandas", None, f"day IS NULL OR {BEFORE} IS NULL OR day >= {BEFORE}",
     lag("day")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "engine", "scope", "condition", "window"), WINDOWS, ids=range(len(WINDOWS))
)
def test_windows(check, engine, scope, condition, window):
    kind = "order" if isinstance(check, Ordered) else "unique"
    checking = rule(
        Present("a"), table="t", check=check, kind=kind, columns=("a",), engine=engine, scope=scope
    )
    tables = {"t": TableSettings(order_by=("b",))}
    (found,) = planned(checking, types_of=Typed(TYPES), tables=tables).entries
    assert (found.outcome, found.nulls) == ("flag", "pass")
    assert (found.condition, found.flag.sql) == (condition, window)
    assert found.flag.over == "record"


def test_what_is_told_of_a_scope_that_holds_for_all_is_kept():
    """Nothing tells that `true` is Spark's."""
    scope = SqlText("true", "spark", bad=False)
    checking = rule(
        Present("a"), table="t", check=Unique(("a",)), kind="unique", engine=None, scope=scope
    )
    (found,) = planned(checking, types_of=Typed(TYPES)).entries
    assert (found.condition, found.grade) == (f"a IS NULL OR {COPIES} <= 1", "assumed")
    assert "engine_unknown" in {caveat.code for caveat in found.caveats}
