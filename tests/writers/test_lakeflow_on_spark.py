"""What the emitted module does to rows: its three datasets on real Spark, expectations stood in.

The stand-in keeps to what Lakeflow documents: a rule holds only where its condition is TRUE.
"""

from collections import Counter
from types import ModuleType

import pyspark
import pytest

from ruleferry.converters.account import Entry, Module
from ruleferry.converters.rule import Origin
from ruleferry.converters.writers.lakeflow import module_text

SOURCE = """
    SELECT k, CAST(price AS DECIMAL(15, 2)) AS price, status, CAST(day AS DATE) AS day FROM VALUES
        (1L, 10, 'F', '2024-01-01'),
        (2L, -1, 'F', '2024-01-01'),
        (3L, 10, 'X', NULL),
        (4L, NULL, 'X', '9999-12-31'),
        (5L, NULL, NULL, NULL),
        (NULL, 0, 'it\\'s', '9999-12-31')
    AS v(k, price, status, day)
"""
PRICE = ("price_range", "price IS NULL OR price > 0")
STATUS = ("status_allowed", "status IS NULL OR status IN ('F', 'O', 'it\\'s')")
DAY = ("day_range", "day IS NULL OR day <= CURRENT_DATE")
KEY = ("k_present", "k IS NOT NULL")
UNKNOWN = ("unknown", "price > 0")  # NULL where the price is missing


class Stopped(Exception):
    """A fail rule broke: the update stops."""


class Run:
    """One update: datasets become views; `broken` counts the rows that broke each rule."""

    def __init__(self, spark, text):
        self.spark, self.broken = spark, {}
        dp = ModuleType("pyspark.pipelines")
        dp.materialized_view = self.materialized_view
        dp.expect_all = self.expecting("warn")
        dp.expect_all_or_drop = self.expecting("drop")
        dp.expect_all_or_fail = self.expecting("fail")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pyspark, "pipelines", dp, raising=False)
            exec(compile(text, "t_expectations.py", "exec"), {"spark": spark})

    def materialized_view(self, *, comment):
        assert comment
        return lambda dataset: dataset().createOrReplaceTempView(dataset.__name__)

    def expecting(self, action):
        def with_rules(rules):
            def decorate(dataset):
                def guarded():
                    return self.apply(action, rules, dataset())

                guarded.__name__ = dataset.__name__
                return guarded

            assert rules, "a decorator of no rules"
            return decorate

        return with_rules

    def apply(self, action, rules, frame):
        held = {name: f"coalesce(({condition}), false)" for name, condition in rules.items()}
        counts = [f"count_if(NOT {holds})" for holds in held.values()]
        self.broken.update(zip(rules, frame.selectExpr(*counts).first(), strict=True))
        if action == "fail" and any(self.broken[name] for name in rules):
            raise Stopped(*[name for name in rules if self.broken[name]])
        return frame.filter(" AND ".join(held.values())) if action == "drop" else frame

    def rows(self, dataset, columns="k, price, status, day"):
        return self.spark.sql(f"SELECT {columns} FROM t_{dataset} ORDER BY k").collect()

    def keys(self, dataset):
        return [row.k for row in self.rows(dataset)]

    def failed(self):
        return {row.k: row.failed_rules for row in self.rows("quarantine", "k, failed_rules")}


@pytest.fixture(scope="module", autouse=True)
def source(spark):
    spark.sql(SOURCE).createOrReplaceTempView("`odd name-2020`")
    yield
    for view in ("odd name-2020", "t_checked", "t_clean", "t_quarantine"):
        spark.catalog.dropTempView(view)


def text_of(fail=(), drop=(), warn=()) -> str:
    found = (
        [("fail", *r) for r in fail] + [("drop", *r) for r in drop] + [("warn", *r) for r in warn]
    )
    rules = [
        Entry(
            id=f"{number:012x}",
            atom=name,
            name=name,
            title="",
            kind="range",
            table="odd name-2020",
            columns=(),
            outcome="record",
            origin=Origin("s.json", f"expectations[{number}]", "", "great_expectations"),
            text_sha256="",
            nulls="pass",
            condition=condition,
            action=action,
            grade="exact",
        )
        for number, (action, name, condition) in enumerate(found)
    ]
    origins = {rule.id: (rule.origin,) for rule in rules}
    return module_text(Module("odd name-2020", "t", "odd name-2020", tuple(rules), origins))


@pytest.mark.parametrize(
    ("rules", "clean", "failed"),
    [
        ({}, [None, 1, 2, 3, 4, 5], {}),
        ({"warn": [PRICE, STATUS, UNKNOWN]}, [None, 1, 2, 3, 4, 5], {}),
        ({"fail": [("any_row", "TRUE")]}, [None, 1, 2, 3, 4, 5], {}),
        ({"drop": [PRICE]}, [1, 3, 4, 5], {None: "price_range", 2: "price_range"}),
        (
            {"drop": [PRICE, STATUS, KEY]},
            [1, 5],
            {
                None: "price_range, k_present",
                2: "price_range",
                3: "status_allowed",
                4: "status_allowed",
            },
        ),
        # NULL is no pass: the row is in the quarantine and nowhere else.
        ({"drop": [UNKNOWN]}, [1, 3], dict.fromkeys([None, 2, 4, 5], "unknown")),
        ({"drop": [DAY], "warn": [PRICE]}, [1, 2, 3, 5], {None: "day_range", 4: "day_range"}),
        ({"drop": [("nobody", "FALSE")]}, [], dict.fromkeys([None, 1, 2, 3, 4, 5], "nobody")),
    ],
)
def test_checked_is_clean_and_quarantine(spark, rules, clean, failed):
    run = Run(spark, text_of(**rules))
    kept, removed = run.rows("clean"), run.rows("quarantine")
    assert [row.k for row in kept] == clean
    assert run.failed() == failed
    assert Counter(kept) + Counter(removed) == Counter(run.rows("checked"))
    assert len(kept) + len(removed) == 6


def test_warn_rules_count_and_fail_rules_stop(spark):
    run = Run(spark, text_of(warn=[PRICE, UNKNOWN], fail=[("any_row", "TRUE")]))
    assert run.broken == {"price_range": 2, "unknown": 4, "any_row": 0}
    with pytest.raises(Stopped, match="k_present"):
        Run(spark, text_of(fail=[KEY], drop=[PRICE]))


@pytest.mark.parametrize("action", ["fail", "drop", "warn"])
def test_a_rule_added_by_hand_takes_effect(spark, action):
    empty = f"RULES_{action.upper()} = {{}}"
    text = text_of().replace(empty, empty[:-1] + '"it\'s \\\\ odd": "price <> -1"}')
    if action == "fail":
        with pytest.raises(Stopped, match="odd"):
            Run(spark, text)
        return
    run = Run(spark, text)
    assert run.broken == {"it's \\ odd": 3}
    dropped = dict.fromkeys([2, 4, 5], "it's \\ odd") if action == "drop" else {}
    assert run.failed() == dropped


def test_the_clock_is_read_once(spark):
    """Whatever the day, checked tells it to clean and quarantine alike."""
    Run(spark, text_of(drop=[DAY]))
    assert spark.table("t_checked").columns == ["k", "price", "status", "day", "checked_at"]
    assert spark.table("t_quarantine").columns[-2:] == ["checked_at", "failed_rules"]
    text = text_of(drop=[DAY]).replace("current_timestamp()", "TIMESTAMP '9999-12-31 12:00:00'")
    assert Run(spark, text).keys("clean") == [None, 1, 2, 3, 4, 5]


def test_a_source_that_has_failed_rules_already_is_refused(spark):
    """No rule speaks of the column, so the module could not know; no row is written wrong."""
    from pyspark.errors import AnalysisException

    text = text_of(drop=[PRICE]).replace(
        "spark.read.table(SOURCE_TABLE)",
        ('spark.read.table(SOURCE_TABLE).selectExpr("*", "1 AS failed_rules")'),
    )
    with pytest.raises(AnalysisException, match="failed_rules"):
        Run(spark, text)
