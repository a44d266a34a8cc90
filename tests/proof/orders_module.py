"""Lakeflow expectations for orders_raw, with a lookup, in the shape of an emitted module."""

# ruff: noqa: F821
from pyspark import pipelines as dp

SOURCE_TABLE = "orders_raw"
LOOKUP_TABLE = "customers_ref"
SOURCE_KEY = "o_custkey"
LOOKUP_KEY = "c_custkey"

RULES_FAIL = {
    "order_key_present": "o_orderkey IS NOT NULL",
}
RULES_DROP = {
    "price_positive": "o_totalprice > 0",
    "status_valid": "o_orderstatus IN ('F', 'O', 'P')",
    "order_date_present": "o_orderdate IS NOT NULL",
    "customer_exists": "customer_found",
}
RULES_WARN = {
    "priority_known": "o_orderpriority IN ('1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', "
    "'5-LOW')",
}


def _passes(condition):
    return f"coalesce(({condition}), false)"


def _sql_text(name):
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _failed_rules(rules):
    names = [f"CASE WHEN NOT {_passes(c)} THEN {_sql_text(n)} END" for n, c in rules.items()]
    return f"concat_ws(', ', {', '.join(names)})" if names else "''"


def _expect(decorator, rules):
    return decorator(rules) if rules else lambda dataset: dataset


@dp.materialized_view(comment="All rows; one that breaks a rule of RULES_FAIL stops the update")
@_expect(dp.expect_all_or_fail, RULES_FAIL)
def orders_checked():
    return spark.sql(f"""
        SELECT s.*, l.{LOOKUP_KEY} IS NOT NULL AS customer_found
        FROM {SOURCE_TABLE} s
        LEFT JOIN (SELECT DISTINCT {LOOKUP_KEY} FROM {LOOKUP_TABLE}) l
        ON s.{SOURCE_KEY} = l.{LOOKUP_KEY}
    """)


@dp.materialized_view(comment="Rows that break no rule of RULES_DROP")
@_expect(dp.expect_all_or_drop, RULES_DROP)
@_expect(dp.expect_all, RULES_WARN)
def orders_clean():
    return spark.read.table("orders_checked")


@dp.materialized_view(comment="Rows that break a rule of RULES_DROP, and the names of those rules")
def orders_quarantine():
    checked = spark.read.table("orders_checked")
    failed_rules = f"{_failed_rules(RULES_DROP)} AS failed_rules"
    return checked.selectExpr("*", failed_rules).filter("failed_rules <> ''")
