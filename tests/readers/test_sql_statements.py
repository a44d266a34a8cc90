"""SELECT statements as rules: counts, statuses, messages, batteries, figures; and what is none."""

import pytest
from sql_shapes import checked, found_in, parsed, rules
from sql_statement_cases import STATEMENTS

from ruleferry.converters.dialects.words import dialect_word
from ruleferry.converters.mappings import caveats, gaps
from ruleferry.converters.readers.sql.shapes import read_query
from ruleferry.converters.rule import Measured, NotARule, Row, Unread


@pytest.mark.parametrize(("dialect", "text", "expected"), STATEMENTS)
def test_statements(dialect, text, expected):
    assert rules(dialect, text) == expected


@pytest.mark.parametrize(("dialect", "text", "expected"), STATEMENTS)
def test_each_part_is_told_apart_and_lies_in_the_statement(dialect, text, expected):
    found = found_in(dialect, text)
    assert len({one.part for one in found}) == len(found)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    for one in found:
        assert all(caveat.code in caveats() for caveat in one.checked.caveats)
        if isinstance(one.checked.check, Unread):
            assert one.checked.check.code in gaps()


def test_branches_stand_on_their_own_lines():
    text = (
        "SELECT 'a' AS rule, id FROM t WHERE x < 0\nUNION ALL\nSELECT 'b', id FROM t WHERE y < 0\n"
    )
    tree, setting = parsed("postgres", text)
    lines = [text.count("\n", 0, one.start - 500) for one in read_query(tree, 500, 700, setting)]
    assert lines == [0, 2]


def test_reading_never_changes_the_tree():
    for dialect, text, _ in STATEMENTS:
        tree, setting = parsed(dialect, text)
        before = repr(tree)
        read_query(tree, 0, len(text), setting)
        assert repr(tree) == before


# Files of the shared cases: what their statements check, by kind. Others are read by other rooms.
CASES = {
    "s001_tsql_count_where.sql": ["dbo.stg_orders range"],
    "s002_oracle_rows_where.sql": ["crm.customers predicate"],
    "s003_snowflake_case_pass.sql": ["sales.raw.order_lines range"],
    "s005_postgres_union_battery.sql": [
        "mart.products present", "mart.products range", "mart.products pattern",
        "mart.products range",
    ],
    "s006_tsql_having_dup.sql": ["dbo.stg_orders unique"],
    "s007_postgres_left_join_orphan.sql": ["sales.orders exists"],
    "s008_oracle_not_exists.sql": ["stg_account exists"],
    "s009_mysql_not_in.sql": ["stg_address exists"],
    "s010_oracle_minus.sql": ["src.payments reconcile"],
    "s011_teradata_rowcount.btq": ["stg_db.policy reconcile"],
    "s012_snowflake_pct_threshold.sql": ["crm.contacts share"],
    "s027_oracle_params.sql": ["&1..stg_txn gap template"],
    "s028_bigquery_window.sql": ["proj.ds.events unique"],
    "s030_postgres_overlap.sql": ["dim.customer predicate", "dim.customer compare"],
    "s031_hive_lag.hql": ["stage.meter_read predicate"],
    "s033_tsql_like_class.sql": ["dbo.Supplier not_pattern", "dbo.Supplier pattern"],
    "s034_tsql_isnumeric_isdate.sql": ["stg.RawPay type", "stg.RawPay predicate"],
    "s035_tsql_datediff.sql": ["dbo.Staff predicate"],
    "s036_tsql_collation.sql": ["dbo.Ticket allowed"],
    "s037_oracle_trunc_nvl.sql": ["wms.shipment predicate"],
    "s038_oracle_decode_concat.sql": ["stg_payment predicate", "stg_payment predicate"],
    "s039_oracle_translate_numeric.sql": ["stg_addr predicate"],
    "s040_mysql_zero_date.sql": ["member predicate", "member refused"],
    "s041_postgres_similar_any.sql": ["item pattern", "item predicate", "item predicate"],
    "s042_bigquery_safe.sql": [
        "proj.ds.people predicate", "proj.ds.people pattern", "proj.ds.people format",
    ],
    "s044_snowflake_regexp_anchor.sql": ["t_code pattern"],
    "s045_hive_cast_div.hql": ["stage.lines type", "stage.lines predicate"],
    "s046_redshift_check.sql": ["spectrum.codes pattern"],
    "s047_dbt_singular.sql": ["fct_orders range"],
    "s055_ssis_execute_sql.sql": ["stg.FileRow present"],
    "s057_netezza.sql": ["ADMIN.STG_TRX predicate", "ADMIN.STG_TRX range"],
}  # fmt: skip


@pytest.fixture(scope="module")
def cases(shared):
    return shared / "cases" / "sql"


@pytest.mark.parametrize("name", CASES)
def test_shared_cases(cases, name):
    rows = [line.split("\t") for line in (cases / "expected.tsv").read_text("utf-8").splitlines()]
    expected = [row for row in rows if row[0] == name]
    word = dialect_word(expected[0][1])
    found = [
        one
        for text in _statements((cases / name).read_text("utf-8"))
        for one in found_in(word.dialect or "snowflake", text)
    ]
    told = [one for one in found if not isinstance(one.checked.check, NotARule)]
    assert [_kind(one) for one in told] == CASES[name]
    assert [one.checked.table for one in told] == [row[4] for row in expected]
    assert [_class(one) for one in told] == [_expected_class(name, row[5]) for row in expected]


def _statements(text: str) -> list[str]:
    """The files of these cases have no semicolon but at the end of a statement."""
    lines = [line for line in text.splitlines() if not line.startswith((".", "REM", "--", "#"))]
    return [part for part in "\n".join(lines).split(";") if "SELECT" in part.upper()]


def _kind(one) -> str:
    check = one.checked.check
    word = f"gap {check.code}" if isinstance(check, Unread) else one.checked.kind
    return f"{one.checked.table} {word}"


def _class(one) -> str:
    check = one.checked.check
    if isinstance(check, Row):
        return "validation_dataset" if check.predicate.whole_query else "per_record"
    if isinstance(check, Unread):
        return "gap"
    known = {"Exists": "join_flag", "Unique": "validation_dataset"}
    return known.get(type(check).__name__, "validation_dataset")


def _expected_class(name: str, word: str) -> str:
    """A table whose name is a placeholder is a gap."""
    return "gap" if name == "s027_oracle_params.sql" else word


def test_statements_that_are_no_rules(cases):
    texts = _statements((cases / "s060_not_rules.sql").read_text("utf-8"))
    found = [one.checked.check for text in texts for one in found_in("oracle", text)]
    assert len(found) == 3
    assert all(isinstance(check, NotARule) for check in found)


def test_figures_are_over_the_batch():
    check = found_in(
        "snowflake", "SELECT CASE WHEN (SELECT COUNT(*) FROM a) = (SELECT COUNT(*) FROM b) "
                     "THEN 'OK' ELSE 'KO' END AS same")[0].checked.check  # fmt: skip
    assert isinstance(check, Measured)
    assert (check.predicate.bad, check.predicate.text) == (
        False, "(SELECT count(*) FROM ruleferry_batch AS a) = (SELECT count(*) FROM b)",
    )  # fmt: skip


def test_a_load_filter_in_a_query_of_one_value_is_a_parameter():
    text = ("SELECT CASE WHEN (SELECT COUNT(*) FROM a WHERE dt = :d) = (SELECT COUNT(*) FROM b) "
            "THEN 'OK' ELSE 'KO' END")  # fmt: skip
    assert rules("oracle", text) == ["a predicate gap parameter"]


def test_bad_rows_of_a_battery_is_no_one_rule():
    assert isinstance(
        checked("tsql", "SELECT a FROM t WHERE a < 0 UNION SELECT a FROM t WHERE a > 9").check, Row
    )
