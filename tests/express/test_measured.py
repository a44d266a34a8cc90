"""Predicates over figures of all records: what the module says is what plain Python counts."""

from decimal import Decimal

import pytest
from made_rules import planned

from ruleferry.converters.account import Gap
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import Actions
from ruleferry.converters.dialects.parse import parse_expression
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express import Types, express
from ruleferry.converters.plain_words import rule_in_words
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.proof.pipeline import run_module
from ruleferry.converters.rule import LegacyRule, Measured, Origin, Table
from ruleferry.converters.writers.lakeflow import module_text

COLUMNS = {"k": "bigint", "x": "decimal(10,2)", "s": "string"}
TYPES = {name: parse_type(kind) for name, kind in COLUMNS.items()}
ROWS = {
    "mixed": [(1, 10, "A"), (2, -5, "A"), (2, 20, "B"), (3, None, None), (None, 0, "A"),
              (4, 1, ""), (5, 1, "a "), (6, -1, "b")],
    "good": [(1, 10, "A"), (2, 20, "A"), (3, 30, "B")],
    "without numbers": [(1, None, "A"), (2, None, None)],
    "empty": [],
}  # fmt: skip
OTHERS = {"mixed": [1, 2, 3, 3, 4], "good": [1, 2, 3], "without numbers": [], "empty": []}
IN_A = SqlText("s = 'A'", "spark", bad=False)


def share(part, whole):
    """NULLIF, and what is divided by it."""
    return None if not whole else 100 * part / whole


def above(value, limit):
    return None if value is None else value > limit


def sum_of(values):
    found = [value for value in values if value is not None]
    return sum(found) if found else None


def whole_share(part, whole):
    return None if not whole else 100 * part // whole


def texts(rows):
    return [s for *_, s in rows if s is not None]


def xs(rows):
    return [x for _, x, _ in rows]


def below(rows, limit=0):
    return sum(x is not None and x < limit for x in xs(rows))


def keys(rows):
    return [k for k, _, _ in rows if k is not None]


def same_sum(rows, other):
    total = sum_of(keys(rows))
    return None if total is None else total != (sum_of(other) or 0)


# The text, and what it says of the table's rows and of the other table's keys.
PREDICATES = {
    "COUNT(*) > 3": lambda r, o: len(r) > 3,
    "COUNT(*) = 0": lambda r, o: not r,
    "COUNT(x) < COUNT(*)": lambda r, o: None in xs(r),
    "COUNT(DISTINCT k) <> COUNT(k)": lambda r, o: len({*keys(r)}) != len(keys(r)),
    "SUM(CASE WHEN x < 0 THEN 1 ELSE 0 END) > 0": lambda r, o: above(
        below(r) if r else None, 0
    ),
    "100.0 * COUNT_IF(x < 0) / NULLIF(COUNT(*), 0) > 10": lambda r, o: above(
        share(below(r), len(r)), 10
    ),
    "COUNT(*) FILTER (WHERE x < 5) * 100 / NULLIF(COUNT(x), 0) > 30": lambda r, o: above(
        share(below(r, 5), len([x for x in xs(r) if x is not None])), 30
    ),
    "AVG(x) > 8": lambda r, o: above(
        None if sum_of(xs(r)) is None else sum_of(xs(r)) / len([x for x in xs(r) if x is not None]),
        8,
    ),
    "MIN(x) < 0 OR COUNT(*) = 0": lambda r, o: not r or below(r) > 0,
    "SUM(x) > 20": lambda r, o: above(sum_of(xs(r)), 20),
    "COALESCE(SUM(x), 0) <= 20": lambda r, o: (sum_of(xs(r)) or 0) <= 20,
    "COUNT(*) <> (SELECT COUNT(*) FROM other)": lambda r, o: len(r) != len(o),
    "SUM(k) <> (SELECT COALESCE(SUM(o.k), 0) FROM other o)": lambda r, o: same_sum(r, o),
    "(SELECT COUNT(*) FROM (SELECT k FROM ruleferry_batch GROUP BY k HAVING COUNT(*) > 1) d) > 0":
        lambda r, o: len({k for k, *_ in r}) != len(r),
    "(SELECT COUNT(*) FROM other WHERE k > 3) > 0": lambda r, o: any(k > 3 for k in o),
    "NOT EXISTS (SELECT 1 FROM other WHERE k = 3)": lambda r, o: 3 not in o,
}  # fmt: skip
# In SQL of another dialect: the same, of which the database makes something else than Spark.
DIALECTS = {
    ("tsql", "SUM(CASE WHEN x < 0 THEN 1 ELSE 0 END) * 100 / NULLIF(COUNT(*), 0) > 24"):
        lambda r, o: above(whole_share(below(r), len(r)), 24),
    ("tsql", "SUM(CASE WHEN x < 0 THEN 1 ELSE 0 END) * 100 / NULLIF(COUNT(*), 0) > 25"):
        lambda r, o: above(whole_share(below(r), len(r)), 25),
    ("tsql", "COUNT(DISTINCT s) <> 2"):
        lambda r, o: len({t.strip().lower() for t in texts(r)}) != 2,
    ("oracle", "COUNT(s) < COUNT(*)"): lambda r, o: len([t for t in texts(r) if t]) < len(r),
    ("postgres", "COUNT(s) < COUNT(*)"): lambda r, o: len(texts(r)) < len(r),
    ("postgres", "COUNT(*) FILTER (WHERE x < 0) * 100 / NULLIF(COUNT(*), 0) > 25"):
        lambda r, o: above(whole_share(below(r), len(r)), 25),
    ("bigquery", "COUNTIF(x < 0) / NULLIF(COUNT(*), 0) > 0.25"):
        lambda r, o: above(share(below(r), len(r)), 25),
    ("mysql", "SUM(x < 0) > 1"):
        lambda r, o: above(below(r) if sum_of(xs(r)) is not None else None, 1),
    ("snowflake", "COUNT_IF(x < 0) > (SELECT COUNT(*) FROM other WHERE k > 3)"):
        lambda r, o: below(r) > len([k for k in o if k > 3]),
    ("oracle", "COUNT(*) <> (SELECT COUNT(*) FROM other)"): lambda r, o: len(r) != len(o),
    ("db2", "COUNT(DISTINCT k) < COUNT(k)"): lambda r, o: len({*keys(r)}) < len(keys(r)),
}  # fmt: skip
# Those of which some records count, too.
SCOPED = [text for text in PREDICATES if "SELECT" not in text or text.startswith("COUNT")]


def measured(text, *, bad=True, scope=None, dialect="spark", name="figure"):
    origin = Origin("checks.sql", name, "SELECT …", "sql script", dialect)
    tree = None if dialect == "spark" else parse_expression(text, sql_dialects()[dialect])
    check = Measured(SqlText(text, dialect, bad, tree=tree))
    return LegacyRule(origin, name, "figure", check, Table("t"), scope=scope, author_name=name)


def rules():
    found = {}
    for number, (text, says) in enumerate(PREDICATES.items()):
        for bad in (True, False):
            for scope in (None, IN_A) if text in SCOPED else (None,):
                name = f"r{number}_{'bad' if bad else 'good'}{'_a' if scope else ''}"
                found[name] = measured(text, bad=bad, scope=scope, name=name), says, bad, scope
    for number, ((dialect, text), says) in enumerate(DIALECTS.items()):
        name = f"d{number}_{dialect}"
        found[name] = measured(text, dialect=dialect, name=name), says, True, None
    return found


def expected(rows, other):
    told = {}
    for name, (_, says, bad, scope) in rules().items():
        seen = [row for row in rows if scope is None or row[2] == "A"]
        verdict = says(seen, other)
        told[name] = verdict is not True if bad else verdict is True
    return told


def counted(spark, plan, rows, other):
    """By name, as the module says it; merged rules by the one that says the same."""
    (module,) = plan.modules
    frames = {
        "t": spark.createDataFrame(
            [(k, None if x is None else Decimal(x), s) for k, x, s in rows],
            ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items()),
        ),
        "other": spark.createDataFrame([(k,) for k in other], "k bigint"),
    }
    run = run_module(module_text(module), spark, frames)
    assert {flow.status for flow in run.flows} == {"COMPLETED"}, run.flows
    of = {count.name: count.failed == 0 for count in run.expectations}
    names = {e.id: e.name for e in plan.entries}
    return {e.atom: of[names[e.merged_into or e.id]] for e in plan.entries if not e.gap}


@pytest.mark.parametrize("typed", [True, False])
def test_the_module_says_what_python_counts(spark, typed):
    found = rules()
    plan = planned(*(r for r, *_ in found.values()), types_of=OfTables(typed))
    gaps = {entry.atom: entry.gap.code for entry in plan.entries if entry.gap}
    assert gaps == ({} if typed else UNTYPED)
    for kind in ROWS if typed else ["mixed"]:
        told = counted(spark, plan, ROWS[kind], OTHERS[kind])
        wanted = expected(ROWS[kind], OTHERS[kind])
        assert told == {name: wanted[name] for name in told}, kind
        assert told.keys() | gaps.keys() == wanted.keys()


class OfTables:
    def __init__(self, typed):
        self.typed = typed

    def __call__(self, reading, table):
        known = TYPES if table == "t" else {"k": TYPES["k"]}
        return Types(known if self.typed else None)


def condition(text, **fields):
    return express(measured(text, **fields), Types(TYPES))


# Whether they are whole numbers, or texts, decides what the database does.
UNTYPED: dict[str, str] = {}


def test_each_figure_is_a_column_and_the_same_one_only_once():
    found = condition("SUM(x) > 10 AND SUM(x) < 2 * COUNT(*)")
    assert [column.sql for column in found.computed] == ["try_sum(x)", "count(*)"]
    assert found.over == "figures"
    assert found.nulls == "none"


def test_a_count_is_never_missing():
    assert condition("COUNT(*) > 5").text == "computed_1_ <= 5"
    assert condition("SUM(k) > 5").text == "computed_1_ IS NULL OR computed_1_ <= 5"
    good = condition("SUM(k) > 5", bad=False).text
    assert good == "computed_1_ IS NOT NULL AND computed_1_ > 5"


def test_a_query_beside_a_figure_makes_queries_of_both():
    found = condition("COUNT(*) <> (SELECT COUNT(*) FROM other)", scope=IN_A)
    assert found.over == "query"
    assert [column.sql for column in found.computed] == [
        "(SELECT count(*) FROM ruleferry_batch WHERE NOT (s IS NULL OR s <> 'A'))",
        "(SELECT count(*) FROM other)",
    ]
    assert {caveat.code for caveat in found.caveats} == {"other_table", "scope"}


def test_a_scope_limits_what_is_counted_beside_a_filter_of_its_own():
    found = condition("AVG(x) FILTER (WHERE x > 0) > 5", scope=IN_A)
    (column,) = found.computed
    inside = "NOT (s IS NULL OR s <> 'A')"
    assert column.sql == f"CAST(try_avg(x) FILTER(WHERE x > 0 AND {inside}) AS DOUBLE)"


def test_a_divisor_that_counts_is_never_less_than_nothing():
    text = "SUM(CASE WHEN x < 0 THEN 1 ELSE 0 END) * 100 / COUNT(*) > 5"
    found = condition(text, dialect="tsql")
    assert (
        found.text == "(try_multiply(computed_1_, 100) DIV nullif(computed_2_, 0) > 5) IS NOT TRUE"
    )
    refused = condition("COUNT(*) / SUM(CASE WHEN x < 0 THEN 1 ELSE 0 END) > 5", dialect="tsql")
    assert isinstance(refused, Gap)


def test_columns_of_another_table_have_types_of_their_own():
    """In SQL Server a whole number divided by a whole one is one, too."""
    own = condition("(SELECT COUNT(*) FROM ruleferry_batch WHERE x / 2 > 1) > 0", dialect="tsql")
    assert own.computed[0].sql == "(SELECT count(*) FROM ruleferry_batch AS batch WHERE x / 2 > 1)"
    other = condition("(SELECT COUNT(*) FROM other WHERE x / 2 > 1) > 0", dialect="tsql")
    assert isinstance(other, Gap)
    assert other.code == "type_needed"


REFUSED = {
    "1 = 1": "unsupported_query",
    "x > COUNT(*)": "unsupported_query",
    "COUNT(*) OVER () > 1": "unsupported_query",
    "SUM(COUNT(x)) > 1": "unsupported_query",
    "COUNT(nothing) > 1": "column_unknown",
    "(SELECT k FROM other) > 1": "unsupported_query",
    "(SELECT COUNT(*) FROM other GROUP BY k) > 1": "unsupported_query",
    "(SELECT MAX(k) FROM other LIMIT 1) > 1": "unsupported_query",
    "(SELECT MAX(k) + z FROM other) > 1": "unsupported_query",
    "(SELECT COUNT(*) FROM other UNION ALL SELECT 1) > 1": "unsupported_query",
    "(SELECT COUNT(*) FROM other WHERE other.k = t.k) > 1": "unsupported_query",
    "SUM(CASE WHEN k IN (SELECT k FROM other) THEN 1 ELSE 0 END) > 0": "unsupported_query",
    "COUNT(*) IS NULL": "never_fails",
    "COUNT(*) IS NOT NULL": "never_passes",
    "RAND() > COUNT(*)": "not_lakeflow",
    "COUNT(*) > {limit}": "template",
    "COUNT(*) >": "not_readable",
}


@pytest.mark.parametrize(("text", "code"), REFUSED.items())
def test_what_is_no_figure_is_a_gap(text, code):
    found = condition(text)
    assert isinstance(found, Gap), found
    assert found.code == code, found


def test_a_figure_has_no_record_to_drop():
    plan = planned(
        measured("COUNT(*) > 5"), types_of=OfTables(True), actions=Actions(default="drop")
    )
    (entry,) = plan.entries
    assert entry.action == "warn"
    assert plan.questions


def test_in_plain_words():
    bad = measured("COUNT(*) <> (SELECT COUNT(*) FROM ruleferry_batch)")
    records = "the number of records"
    differ = f"{records} does not equal {records} of this table"
    assert rule_in_words(bad) == f"the table is bad where {differ}"
    good = measured("COUNT(*) > 5", bad=False)
    assert rule_in_words(good) == f"{records} is above 5"
    unsaid = measured("max(a) OVER () > 5")
    assert rule_in_words(unsaid) == "its SQL finds nothing bad in the table"
