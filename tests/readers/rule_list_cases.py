"""Rows of rule lists for the column `c`, and what becomes of them."""

from decimal import Decimal

from ruleferry.converters.predicates import Matches, Present, Range, SqlText
from ruleferry.converters.rule import Figure, Row, Share, Unique


def good(text):
    return Row(SqlText(text, "spark", bad=False))


def figure(measure, *columns, **arguments):
    return Figure(measure, columns, tuple(sorted(arguments.items())))


CONVERTS = [
    ({"rule_kind": "row_dq", "sql": "price > 0"}, good("price > 0")),
    ({"rule_kind": "row_dq", "rule": "name = ':x'"}, good("name = ':x'")),
    ({"rule_kind": "row_dq", "sql": "a::int > 1"}, good("a::int > 1")),
    (
        {"rule_kind": "agg_dq", "sql": "sum(price) > 10"},
        figure("sum", "price", min_value=10, strict_min=True),
    ),
    (
        {"rule_kind": "agg_dq", "sql": "5 < count(*)"},
        figure("row_count", min_value=5, strict_min=True),
    ),
    (
        {"rule_kind": "agg_dq", "sql": "avg(x) between -1 and 2.5"},
        figure("mean", "x", min_value=-1, max_value=Decimal("2.5")),
    ),
    (
        {"rule_kind": "agg_dq", "sql": "COUNT(DISTINCT x) = 3"},
        figure("unique_value_count", "x", value=3),
    ),
    ({"rule_kind": "agg_dq", "sql": "(stddev(x) <= 2)"}, figure("stdev", "x", max_value=2)),
    ({"sql": "price > 0"}, good("price > 0")),
    ({"rule_kind": "not_null"}, Row(Present("c"))),
    ({"rule_kind": "Validity", "rule": "at least 0"}, Row(Range("c", 0))),
    (
        {"rule_kind": "regex_email", "threshold": "0.99"},
        Share(Row(Matches("c", ("@",))), Decimal("0.99")),
    ),
    ({"rule_kind": "not_null", "threshold": "1.00"}, Row(Present("c"))),
    ({"rule_kind": "not_null", "threshold": "95%"}, Share(Row(Present("c")), Decimal("0.95"))),
    ({"rule_kind": "not_null", "status": "approved"}, Row(Present("c"))),
    # Ready-made rules.
    ({"rule_kind": "library", "rule": "noNullValues"}, Row(Present("c"))),
    ({"rule": "nullCheck"}, Row(Present("c"))),
    ({"rule": "nullValues", "threshold_operator": "mustBe", "threshold": "0"}, Row(Present("c"))),
    ({"rule": "uniqueCheck"}, Unique(("c",))),
    ({"rule": "duplicateValues", "threshold_operator": "mustBe", "threshold": "0"}, Unique(("c",))),
    (
        {"rule": "rowCount", "threshold_operator": "mustBeGreaterThan", "threshold": "1000"},
        figure("row_count", min_value=1000, strict_min=True),
    ),
    (
        {"rule": "rowCount", "threshold_operator": "mustBeBetween", "threshold": "[1, 5]"},
        figure("row_count", min_value=1, max_value=5),
    ),
    (
        {
            "rule_kind": "sql",
            "sql": "SELECT COUNT(*) FROM o WHERE p < 0",
            "threshold_operator": "mustBe",
            "threshold": "0",
        },
        Row(SqlText("p < 0", "spark", bad=True)),
    ),
    (
        {
            "rule_kind": "sql",
            "sql": "select max(p) from o",
            "threshold_operator": "mustBeLessThan",
            "threshold": "9",
        },
        figure("max", "p", max_value=9, strict_max=True),
    ),
]


SELECT = {"threshold_operator": "mustBe", "threshold": "0"}
REFUSES = [
    ({"rule_kind": "row_dq", "sql": "expectation1"}, "not_understood", "no condition"),
    ({"rule_kind": "agg_dq", "sql": "expectation6"}, "not_understood", "no condition"),
    ({"rule_kind": "query_dq", "sql": "expectation9"}, "not_understood", "name or value"),
    (
        {"rule_kind": "query_dq", "sql": "(select count(*) from a) > (select count(*) from b)"},
        "other_records",
        "whole tables",
    ),
    ({"rule_kind": "row_dq", "sql": "price > ${least}"}, "template", "placeholder"),
    ({"rule_kind": "row_dq", "sql": "price > {{ least }}"}, "template", "placeholder"),
    ({"rule_kind": "agg_dq", "sql": "sum(<column>) > 1"}, "template", "placeholder"),
    ({"rule_kind": "agg_dq", "sql": "sum(a) > sum(b)"}, "other_records", "figure"),
    ({"rule_kind": "agg_dq", "sql": "sum(a) > 1 or count(*) > 1"}, "other_records", "figure"),
    ({"rule_kind": "agg_dq", "sql": "sum(a) > 1 and 2"}, "other_records", "figure"),
    ({"rule_kind": "agg_dq", "sql": "count(a) > 1"}, "other_records", "figure"),
    ({"rule_kind": "agg_dq", "sql": "sum(distinct a) > 1"}, "other_records", "figure"),
    ({"rule_kind": "agg_dq", "sql": "max(a, b) > 1"}, "other_records", "figure"),
    ({"rule_kind": "agg_dq", "sql": "sum(a) filter (where b) > 1"}, "other_records", "figure"),
    ({"rule_kind": "agg_dq", "sql": "sum(a) over () > 1"}, "other_records", "figure"),
    ({"rule_kind": "agg_dq", "sql": "max(d) > '2020-01-01'"}, "other_records", "figure"),
    ({"rule_kind": "agg_dq", "sql": "sum(a) not between 1 and 2"}, "other_records", "figure"),
    ({"rule_kind": "agg_dq", "sql": "sum(a) > ("}, "other_records", "figure"),
    ({"sql": "select * from t where a < 0"}, "other_records", "good records or bad"),
    ({"rule_kind": "custom", "rule": "checks: ..."}, "not_understood", "another tool"),
    ({"rule_kind": "unheard_of"}, "not_understood", "unheard_of"),
    ({"rule": "It should be nice."}, "not_understood", "nice"),
    ({"rule_kind": "not_null", "status": "in_review"}, "status_doubt", "in_review"),
    ({"rule_kind": "not_null", "status": "proposed"}, "status_doubt", "proposed"),
    ({"rule_kind": "not_null", "threshold": "5"}, "threshold_unsure", "good or of bad"),
    ({"rule_kind": "not_null", "threshold": "0.02"}, "threshold_unsure", "good or of bad"),
    ({"rule_kind": "not_null", "threshold": "high"}, "threshold_unsure", "good or of bad"),
    (
        {"rule_kind": "row_dq", "sql": "a > 0", "threshold": ("0.9", "0.8")},
        "not_understood",
        "several",
    ),
    (
        {"rule_kind": "agg_dq", "sql": "sum(a) > 1", "threshold": "0.9"},
        "not_understood",
        "no rule of one record",
    ),
    ({"rule": "at least 0", "reference_table": "other"}, "other_records", "two tables"),
    ({"rule": "at least 0", "cross_file": "y"}, "other_records", "two tables"),
    ({"rule": "at least 0", "rule_kind": "Cross File Calculation"}, "other_records", "two tables"),
    ({"rule_kind": "range", "min": "1", "max": "5"}, "not_understood", "min, max"),
    ({"rule": "at least 0", "condition": "a = 1"}, "not_understood", "condition"),
    ({"rule": "nullValues"}, "not_understood", "nullValues"),
    (
        {"rule": "nullValues", "threshold_operator": "mustBeLessThan", "threshold": "5"},
        "not_understood",
        "nullValues",
    ),
    ({"rule": "rowCount"}, "not_understood", "rowCount"),
    (
        {"rule": "rowCount", "threshold_operator": "mustNotBe", "threshold": "5"},
        "not_understood",
        "threshold",
    ),
    (
        {"rule": "rowCount", "threshold_operator": "mustBe", "threshold": "many"},
        "not_understood",
        "threshold",
    ),
    ({"rule": "rowCount", "threshold": "5"}, "not_understood", "threshold"),
    ({"rule_kind": "library", "rule": "freshness"}, "not_understood", "freshness"),
    ({"sql": "select count(*) from a join b on a.x = b.x", **SELECT}, "other_records", "one table"),
    ({"sql": "select count(*) from a, b", **SELECT}, "other_records", "one table"),
    (
        {"sql": "select count(*) from a where x in (select y from b)", **SELECT},
        "other_records",
        "one table",
    ),
    (
        {"sql": "select count(*) from a where x > 1 group by y", **SELECT},
        "other_records",
        "one table",
    ),
    ({"sql": "select count(*) from a limit 1", **SELECT}, "other_records", "one table"),
    ({"sql": "select count(x) from a where b", **SELECT}, "other_records", "figure"),
    ({"sql": "select count(*) from ${t} where b", **SELECT}, "template", "placeholder"),
    ({"sql": "select count(*", **SELECT}, "other_records", "one table"),
]


SHARES = {
    ("0.99", None): "0.99",
    ("1", None): None,
    ("1.0", None): "1",
    ("100%", None): "1",
    ("1%", None): None,
    ("99%", None): "0.99",
    ("0,95", None): "0.95",
    ("0.5", None): None,
    ("0", None): None,
    ("5", None): None,
    ("100", None): None,
    ("x", None): None,
    ("0", "failing percent"): "1",
    ("5", "failing percent"): "0.95",
    ("100", "failing percent"): "0",
    ("101", "failing percent"): None,
    ("99", "good percent"): "0.99",
    ("0.02", "failing share"): "0.98",
    ("2%", "failing share"): "0.98",
    ("0.3", "good share"): "0.3",
    ("2", "good share"): None,
    ("-1", "good share"): None,
    ("", "good share"): None,
    ("1e5", "good percent"): None,
}
