"""Rules over many records: Great Expectations 1.24.1 against the module as it is written.

The module runs as a pipeline would run it, with all rules of a table in it; on the other side
stand pandas (in both of its styles), Spark and SQLite.
"""

from collections import Counter
from dataclasses import dataclass

import pytest
from many_cases import (
    COLUMNS,
    ON_SQLITE,
    Element,
    V,
    elements,
    figures,
    near,
    of,
    on,
    schema_statements,
    spark_types,
    tables,
)
from many_verdicts import by_element, new_verdicts, old_verdicts, planned

from ruleferry.converters.account import Entry
from ruleferry.converters.proof.verdict import Overall, Raised, RowVerdicts, Verdict

PANDAS_TABLES = ("all missing", "with NaN")


@dataclass(frozen=True)
class Compared:
    table: str
    element: Element
    entry: Entry
    old: Verdict
    new: Verdict

    def __str__(self) -> str:
        computed = self.entry.flag or self.entry.validation
        return f"{self.table}: {self.element}: {self.old} {self.new} {computed}"


def compared(wanted, columns, engine, names, spark, folder, styles=("nullable",)):
    """Each expectation that is carried over, on each table and in each style of pandas."""
    found = planned(wanted, columns, engine)
    entries = by_element(found)
    by_row = engine != "sqlite"
    of_records = [by_row and entry.outcome in ("record", "flag") for entry in entries]
    for name in names:
        rows = on(tables()[name], columns)
        new = new_verdicts(found, rows, spark)
        for style in styles:
            old = old_verdicts(wanted, of_records, rows, engine, style, spark, folder)
            for element, entry, verdict in zip(wanted, entries, old, strict=True):
                if entry.outcome != "gap":
                    now = new[entry.name] if by_row else as_a_whole(new[entry.name])
                    yield Compared(f"{name} {style}", element, entry, verdict, now)


def as_a_whole(verdict: Verdict) -> Verdict:
    return Overall("F" not in verdict.rows) if isinstance(verdict, RowVerdicts) else verdict


def differing(found, grades=("exact", "assumed")):
    """Where Great Expectations raised, there is no old verdict."""
    return [
        str(c)
        for c in found
        if c.entry.grade in grades and not isinstance(c.old, Raised) and c.old != c.new
    ]


def verdicts_seen(found):
    """What was seen: both answers of figures, and records of both kinds."""
    seen = Counter()
    for c in found:
        match c.old:
            case Overall(success=success):
                seen["passes" if success else "fails"] += 1
            case RowVerdicts(rows=letters):
                seen.update(letters)
    return seen


@pytest.fixture(scope="module")
def on_pandas(spark, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pandas")
    styles = ("numpy", "nullable")
    return [
        *compared(elements("pandas"), COLUMNS, "pandas", PANDAS_TABLES, spark, folder, styles),
        *compared([*near()], COLUMNS, "pandas", ("all alike",), spark, folder, styles),
    ]


@pytest.fixture(scope="module")
def on_spark(spark, tmp_path_factory):
    """Great Expectations takes long for a figure on Spark, so one table has them all."""
    wanted = [*elements("spark"), *schema_statements(), *spark_types()]
    folder = tmp_path_factory.mktemp("spark")
    return [
        *compared(wanted, COLUMNS, "spark", ("with NaN",), spark, folder),
        *compared(
            [e for e in figures() if columns_of(e) <= {"f"}],
            COLUMNS,
            "spark",
            ("all missing",),
            spark,
            folder,
        ),
    ]


@pytest.fixture(scope="module")
def on_sqlite(spark, tmp_path_factory):
    wanted = [e for e in elements("sqlite") if columns_of(e) <= ON_SQLITE.keys()]
    folder = tmp_path_factory.mktemp("sqlite")
    return [*compared(wanted, ON_SQLITE, "sqlite", ("some missing",), spark, folder)]


def columns_of(element: Element) -> set[str]:
    kwargs = element["kwargs"]
    single = {kwargs[name] for name in ("column", "column_A", "column_B") if name in kwargs}
    return single | set(kwargs.get("column_list", ()))


def test_each_table_has_the_verdict_that_it_had_on_pandas(on_pandas):
    assert not differing(on_pandas)
    seen = verdicts_seen(on_pandas)
    assert min(seen["passes"], seen["fails"], seen["T"], seen["F"]) > 100


def test_each_table_has_the_verdict_that_it_had_on_spark(on_spark):
    assert not differing(on_spark)
    seen = verdicts_seen(on_spark)
    assert min(seen["passes"], seen["fails"], seen["T"], seen["F"]) > 50


def test_each_table_has_the_verdict_that_it_had_on_sqlite(on_sqlite):
    assert not differing(on_sqlite, ("exact",))
    seen = verdicts_seen(on_sqlite)
    assert min(seen["passes"], seen["fails"]) > 20


def test_what_is_graded_as_differing_does_differ(on_pandas):
    assert differing(on_pandas, ("differs",))


def test_most_of_it_had_a_verdict(on_pandas, on_spark):
    for found in (on_pandas, on_spark):
        raised = [c for c in found if isinstance(c.old, Raised)]
        assert len(raised) < len(found) / 8, Counter(c.element["type"] for c in raised)


# Converts to --------------------------------------------------------------------------------------

PAIR = {"column_list": ["i", "s"]}
FLAGS = [
    (of(V + "be_unique", column="s"), "pandas", "count(*) OVER (PARTITION BY s)",
     "s IS NULL OR s_unique_copies <= 1"),
    (of(V + "be_unique", column="f"), "spark", "count(*) OVER (PARTITION BY f)",
     "f IS NULL OR f_unique_copies <= 1"),
]  # fmt: skip


@pytest.mark.parametrize(("element", "engine", "sql", "condition"), FLAGS)
def test_a_rule_about_other_records_is_a_flag(element, engine, sql, condition):
    (entry,) = planned([element], COLUMNS, engine).entries
    assert (entry.outcome, entry.dataset) == ("flag", "t_clean")
    assert (entry.flag.sql, entry.condition) == (sql, condition)


FIGURES = [
    (of("expect_table_row_count_to_equal", value=3), "spark", "count(*) AS row_count_value",
     "row_count_value IS NOT NULL AND row_count_value BETWEEN 3 AND 3"),
    (of("expect_column_mean_to_be_between", column="i", min_value=1), "spark",
     "avg(CAST(i AS DOUBLE)) AS i_mean_value", "i_mean_value IS NOT NULL AND i_mean_value >= 1"),
    (of("expect_column_mean_to_be_between", column="f", max_value=5), "spark",
     "nullif(avg(f), CAST('NaN' AS DOUBLE)) AS f_mean_value",
     "f_mean_value IS NOT NULL AND f_mean_value <= 5"),
]  # fmt: skip


@pytest.mark.parametrize(("element", "engine", "select", "condition"), FIGURES)
def test_a_rule_about_all_records_is_a_figure(element, engine, select, condition):
    (entry,) = planned([element], COLUMNS, engine).entries
    assert (entry.outcome, entry.dataset) == ("dataset", "t_figures")
    assert entry.validation.query == f"SELECT {select} FROM t"
    assert entry.condition == entry.validation.condition == condition


def test_the_count_of_another_table_is_a_query_of_its_own():
    element = of("expect_table_row_count_to_equal_other_table", other_table_name="s.Other t")
    (entry,) = planned([element], COLUMNS, "postgres").entries
    assert (entry.outcome, entry.dataset) == ("dataset", "t_row_count_of_tables")
    assert entry.validation.query == (
        "SELECT (SELECT count(*) FROM t) AS row_count_of_tables_value, "
        "(SELECT count(*) FROM s.`Other t`) AS row_count_of_tables_other"
    )
    assert entry.condition == "row_count_of_tables_value = row_count_of_tables_other"


def test_a_share_of_flags_is_a_figure_of_the_checked_table():
    (entry,) = planned([of(V + "be_unique", column="s", mostly=0.9)], COLUMNS, "spark").entries
    assert (entry.outcome, entry.kind, entry.flag.column) == ("dataset", "share", "s_share_copies")
    assert entry.validation.query == (
        "SELECT count_if(s IS NOT NULL) AS s_share_checked, "
        "count_if(NOT (s IS NULL OR s_share_copies <= 1)) AS s_share_bad FROM t_checked"
    )


def test_a_share_of_records_says_what_one_record_must_satisfy():
    scoped = {"row_condition": "i > 1", "condition_parser": "spark"}
    element = of(V + "be_in_set", column="s", value_set=["a"], mostly=0.9, **scoped)
    (entry,) = planned([element], COLUMNS, "spark").entries
    (detail,) = (c.detail for c in entry.caveats if c.code == "row_predicate")
    assert "where i IS NULL OR i <= 1 OR s IS NULL OR s IN ('a'):" in detail


@pytest.mark.parametrize("kwargs", [{}, {"mostly": 0.9}])
@pytest.mark.parametrize("name", ["be_unique", "be_in_set"])
def test_how_a_database_compares_texts_is_told_of_many_records_too(name, kwargs):
    values = {"value_set": ["a"]} if name == "be_in_set" else {}
    (entry,) = planned([of(V + name, column="s", **values, **kwargs)], COLUMNS, "tsql").entries
    assert entry.grade == "assumed"
    assert "text_comparison" in {caveat.code for caveat in entry.caveats}


@pytest.mark.parametrize("name", [V + "be_unique", "expect_column_mean_to_be_between"])
def test_a_row_condition_is_told(name):
    bounds = {} if "unique" in name else {"max_value": 1}
    scoped = {"row_condition": "s = 'a'", "condition_parser": "spark"}
    (entry,) = planned([of(name, column="i", **bounds, **scoped)], COLUMNS, "spark").entries
    told = [c.detail for c in entry.caveats if c.code == "scope"]
    assert told == ["checked only where s = 'a'"]


# Must not convert ---------------------------------------------------------------------------------

DISTINCT = "expect_column_distinct_values_to_"
QUANTILES = "expect_column_quantile_values_to_be_between"
HALVES = {"quantiles": [0.5], "value_ranges": [[1, 2]]}
NOBODY = {"row_condition": "i = NULL", "condition_parser": "spark"}
REFUSED = [
    (of("expect_column_mean_to_be_between", column="i", max_value=1, **NOBODY), "spark",
     "row_condition"),
    (of(V + "be_increasing", column="s"), "pandas", "type_mismatch"),
    (of(V + "be_increasing", column="b"), "spark", "type_mismatch"),
    (of(V + "be_in_set", column="i", value_set=[1], mostly=0), "spark", "never_fails"),
    (of(V + "not_be_outliers", column="i", multiplier=-1), "pandas", "invalid_rule"),
    (of(V + "not_be_outliers", column="i", method="mad"), "pandas", "invalid_rule"),
    (of("expect_column_mean_to_be_between", column="i"), "pandas", "never_fails"),
    (of("expect_column_mean_to_be_between", column="s", max_value=1), "pandas", "type_mismatch"),
    (of(DISTINCT + "contain_set", column="s", value_set=["a", None]), "pandas", "never_passes"),
    (of(DISTINCT + "equal_set", column="s", value_set=["a", None]), "spark", "never_passes"),
    (of(DISTINCT + "be_in_set", column="s", value_set=["a", None]), "spark", "never_fails"),
    (of(DISTINCT + "contain_set", column="s", value_set=["a", "a"]), "spark", "never_passes"),
    (of(DISTINCT + "contain_set", column="s", value_set=[]), "spark", "never_fails"),
    (of(DISTINCT + "contain_set", column="i", value_set=["a"]), "pandas", "never_passes"),
    (of("expect_column_most_common_value_to_be_in_set", column="d", value_set=["2024-01-01"]),
     "spark", "never_passes"),
    (of(QUANTILES, column="i", quantile_ranges={"quantiles": [0.5], "value_ranges": []}),
     "pandas", "invalid_rule"),
    (of(QUANTILES, column="i", quantile_ranges={"quantiles": [2], "value_ranges": [[1, 2]]}),
     "pandas", "invalid_rule"),
    (of(QUANTILES, column="i", quantile_ranges={"quantiles": [0.5], "value_ranges": [[2, 1]]}),
     "pandas", "invalid_rule"),
    (of(QUANTILES, column="i", quantile_ranges=HALVES, allow_relative_error="lower"), "spark",
     "invalid_rule"),
    (of(QUANTILES, column="i", quantile_ranges=HALVES, allow_relative_error=0.1), "pandas",
     "invalid_rule"),
    (of(V + "be_of_type", column="i", type_="object"), "pandas", "type_name"),
    (of("expect_query_results_to_match_comparison", base_query="SELECT 1",
        comparison_data_source_name="d", comparison_query="SELECT 1"), "spark", "comparison"),
]  # fmt: skip


@pytest.mark.parametrize(("element", "engine", "code"), REFUSED)
def test_what_must_not_convert(element, engine, code):
    (entry,) = planned([element], COLUMNS, engine).entries
    assert (entry.outcome, entry.gap and entry.gap.code) == ("gap", code)
    assert entry.gap.reason


def test_without_an_order_there_is_none():
    wanted = [of(V + "be_increasing", column="i")]
    (entry,) = planned(wanted, COLUMNS, "pandas", order_by=()).entries
    assert entry.gap.code == "no_order"
    (entry,) = planned(wanted, COLUMNS, "pandas", typed=False).entries
    assert entry.gap.code == "type_needed"


def test_without_an_engine_a_word_for_the_error_is_that_of_pandas():
    wanted = [of(QUANTILES, column="i", quantile_ranges=HALVES, allow_relative_error="lower")]
    (entry,) = planned(wanted, COLUMNS, None).entries
    assert (entry.outcome, entry.grade) == ("dataset", "differs")


Z_SCORE = "expect_column_value_z_scores_to_be_less_than"
NO_SPREAD = {"column": "i", "threshold": 1, "double_sided": True}


@pytest.mark.parametrize("run", ["v3 pandas", "v3 spark"])
def test_a_z_score_without_spread_is_what_it_was_in_0_18(spark, gx018, run):
    element = {"expectation_type": Z_SCORE, "kwargs": NO_SPREAD}
    rows = tables()["all alike"]
    found = planned([element], COLUMNS, run.split()[1], version=(0, 18))
    (old,) = gx018.verdicts([element], rows, run, style="numpy")
    assert new_verdicts(found, rows, spark)["i_z_score"] == old


def test_what_1_x_before_1_24_made_of_it_is_not_known():
    element = of(Z_SCORE, **NO_SPREAD)
    (entry,) = planned([element], COLUMNS, "pandas", version=(1, 3)).entries
    assert (entry.grade, entry.caveats[0].code) == ("assumed", "version_unknown")
    (entry,) = planned([element], COLUMNS, "pandas").entries
    assert entry.grade == "exact"


# Columns of unknown type --------------------------------------------------------------------------


def test_nothing_raises_on_an_empty_table(spark):
    found = planned([*elements("spark"), *schema_statements()], COLUMNS, "spark")
    told = new_verdicts(found, tables()["empty"], spark)
    assert all(v.rows == "" for v in told.values() if isinstance(v, RowVerdicts))
    assert sum(isinstance(v, Overall) for v in told.values()) > 100


def test_without_types_nothing_raises(spark):
    """A guarded form runs on the columns as they are, and each verdict says that it is assumed."""
    found = planned(elements("spark"), COLUMNS, None, typed=False)
    assert new_verdicts(found, tables()["with NaN"], spark)
    carried = [entry for entry in found.entries if entry.grade]
    assert len(carried) > 100
    assert {e.grade for e in carried if e.name.startswith("f_mean")} == {"assumed"}
