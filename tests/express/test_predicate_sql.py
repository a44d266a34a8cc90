"""SQL texts become conditions with the same verdict on every row, never NULL and never raising."""

from __future__ import annotations

import pytest
from predicate_cases import PREDICATES, TYPES, frames, rows_sql
from spark_verdicts import old_verdicts, verdicts

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express.predicate_sql import (
    Good,
    Query,
    Refused,
    read_predicate,
    read_query,
)
from ruleferry.converters.express.sql_text import checked_text
from ruleferry.converters.mappings import gaps

# Spark folds `to_date(s, f) IS NULL` to FALSE where s is NOT NULL; the condition looks at the text.
_FOLDED = {"to_date(s, 'yyyy-MM-dd') IS NULL", "to_timestamp(s, 'dd/MM/yyyy') IS NOT NULL"}
# abs() of a wider type gives a verdict where the text raises, so there is nothing to tell.
_BETTER = {"abs(n) > 1", "abs(l) > 1"}


def good(text, types=TYPES, *, bad=True):
    found = read_predicate(text, types, bad=bad)
    assert isinstance(found, Good), found
    return found


@pytest.mark.parametrize(
    ("bad", "condition", "grade", "nulls"),
    [
        ("n < 0", "n IS NULL OR n >= 0", "exact", "pass"),
        ("n IS NULL OR n <= 0", "n IS NOT NULL AND n > 0", "exact", "fail"),
        ("n IS NULL", "n IS NOT NULL", "exact", "fail"),
        ("coalesce(n, 0) = 0", "coalesce(n, 0) <> 0", "exact", "fail"),
        ("s IS NOT NULL AND dt IS NULL", "s IS NULL OR dt IS NOT NULL", "exact", "pass"),
        ("NOT (s RLIKE '^[A-Z]{3}$')", "s IS NULL OR s RLIKE '^[A-Z]{3}$'", "exact", "pass"),
        (
            "CAST(s AS INT) > 5",
            "try_cast(s AS INT) IS NULL OR try_cast(s AS INT) <= 5",
            "differs",
            "pass",
        ),
        ("try_cast(s AS INT) IS NULL", "try_cast(s AS INT) IS NOT NULL", "exact", "fail"),
        ("x = 'F'", "x IS NULL OR CAST(x AS STRING) <> 'F'", "assumed", "pass"),
        ("dt > current_date()", "dt IS NULL OR dt <= current_date()", "exact", "pass"),
    ],
)
def test_bad_rows(bad, condition, grade, nulls):
    found = good(bad)
    assert checked_text(found.tree, each=True) == condition
    assert (found.grade, found.nulls) == (grade, nulls)


@pytest.mark.parametrize(
    ("text", "condition", "nulls"),
    [
        ("n > 0", "n IS NOT NULL AND n > 0", "fail"),
        ("n > 0 OR n IS NULL", "n > 0 OR n IS NULL", "pass"),
        ("s IN ('a', 'b')", "s IS NOT NULL AND s IN ('a', 'b')", "fail"),
        ("o", "o IS TRUE", "fail"),
    ],
)
def test_good_rows(text, condition, nulls):
    found = good(text, bad=False)
    assert (checked_text(found.tree, each=True), found.nulls) == (condition, nulls)


def test_columns_in_the_order_of_the_text():
    found = good("K > 1 AND coalesce(n, k) > 1 AND st.x > 1 AND `a.b` = 'x'")
    assert found.columns == ("K", "n", "st", "a.b")


@pytest.mark.parametrize(
    ("text", "bad", "code"),
    [
        ("n = NULL", True, "never_fails"),
        ("n = NULL", False, "never_passes"),
        ("n NOT IN (1, NULL)", True, "never_fails"),
        ("n NOT IN (1, NULL)", False, "never_passes"),
        ("1 = 0", True, "never_fails"),
        ("1 = 1", True, "never_passes"),
        ("1 = 1", False, "never_fails"),
        ("true", False, "never_fails"),
        ("n BETWEEN 5 AND 1", True, "never_fails"),
        ("n < n", True, "never_fails"),
        ("n IS NULL OR n IS NOT NULL", True, "never_passes"),
        ("n IS NULL AND n > 1", False, "never_passes"),
        ("n IS NOT NULL AND n IS NULL", True, "never_fails"),
        ("x = 1) OR (true", True, "not_readable"),
        ("n > 1; DELETE FROM t", True, "not_readable"),
        ('"n" = 5', True, "not_readable"),
        ("n > ${limit}", True, "template"),
        ("n > {{ limit }}", True, "template"),
        ("n > :limit", True, "template"),
        ("n IN (SELECT k FROM t)", True, "needs_dataset"),
        ("count(*) OVER () > 1", True, "needs_dataset"),
        ("rand() > 0.5", True, "not_lakeflow"),
        ("my_udf(n)", True, "unsupported_function"),
        ("dt = 5", True, "type_mismatch"),
        ("s RLIKE '('", True, "regex"),
        ("s LIKE 'a\\\\b'", True, "like"),
        ("to_date(s, 'YYYY') > dt", True, "format"),
    ],
)
def test_must_not_convert(text, bad, code):
    found = read_predicate(text, TYPES, bad=bad)
    assert isinstance(found, Refused), checked_text(found.tree)
    assert found.code == code
    assert found.code in gaps()
    assert found.reason.strip()


def test_a_text_in_double_quotes_may_be_meant():
    assert checked_text(good('s = "F"').tree) == "s IS NULL OR s <> 'F'"
    assert checked_text(good("s = 'say \"n\"'").tree) == "s IS NULL OR s <> 'say \"n\"'"


# Rows --------------------------------------------------------------------------------------------


def conditions(types):
    """(text, bad) -> what was read of it."""
    found = {}
    for text in PREDICATES:
        for bad in (True, False):
            read = read_predicate(text, types, bad=bad)
            if isinstance(read, Good):
                found[text, bad] = read
    return found


def test_there_are_many_conditions():
    assert len({text for text, _ in conditions(TYPES)}) == len(PREDICATES) > 200


@pytest.mark.parametrize("nullable", [True, False], ids=["nullable", "not null"])
def test_verdicts_are_those_of_the_text(spark, nullable):
    frame = frames(spark)[0 if nullable else 1]
    read = conditions(TYPES)
    new = verdicts(frame, [checked_text(found.tree) for found in read.values()])
    old = dict(
        zip(
            PREDICATES, old_verdicts(spark, rows_sql(80, missing=nullable), PREDICATES), strict=True
        )
    )
    for ((text, bad), found), verdict in zip(read.items(), new, strict=True):
        assert set(verdict) <= {"true", "false"}, text
        if text not in _FOLDED or nullable:
            assert _differing(old[text], verdict, bad) == [], (text, bad)
        if None in old[text] and text not in _BETTER:
            assert found.notes, text


def _differing(old, new, bad):
    """Rows whose verdict is not that of the text, leaving out those where the text raises."""
    passing = {"T": not bad, "F": bad, "N": bad}
    rows = [(o, n) for o, n in zip(old, new, strict=True) if o is not None]
    return [(o, n) for o, n in rows if str(passing[o]).lower() != n]


def test_verdicts_where_no_type_is_known(spark):
    """A FLOAT column is the one whose text does not tell its value."""
    frame, _ = frames(spark)
    read = conditions({})
    assert len(read) > 400
    new = verdicts(frame, [checked_text(found.tree) for found in read.values()])
    texts = list({text: None for text, _ in read})
    old = dict(zip(texts, old_verdicts(spark, rows_sql(80, missing=True), texts), strict=True))
    for ((text, bad), found), verdict in zip(read.items(), new, strict=True):
        assert set(verdict) <= {"true", "false"}, text
        if text != "f > 0.1":
            assert _differing(old[text], verdict, bad) == [], (text, bad)
        if None in old[text] and text not in _BETTER:
            assert found.notes, text


def test_guarded_conditions_analyse_on_columns_of_any_type(spark):
    texts = ["x = 'F'", "x > 5", "x < y", "x IN ('a', y)", "x BETWEEN y AND 5", "x <=> y"]
    texts += ["x + y > 1", "x > '2020-01-01'", "x < current_date()", "coalesce(x, 'a') = 'b'"]
    texts += ["x LIKE 'a%' OR y IS NULL", "x AND y"]
    written = [checked_text(good(text, {}).tree, each=True) for text in texts]
    frame, _ = frames(spark)
    for left in ("s", "n", "l", "d", "m", "o", "dt", "ts", "tn", "a", "st"):
        for right in ("s", "n", "dt"):
            pair = frame.selectExpr(f"{left} AS x", f"{right} AS y").limit(20)
            usable = [t for t in written if "LIKE" not in t or left not in ("a", "st")]
            for text, found in zip(usable, verdicts(pair, usable), strict=True):
                assert set(found) <= {"true", "false"}, (text, left, right)


# Queries -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "condition", "alias"),
    [
        ("SELECT * FROM {batch} WHERE n < 0", "n IS NULL OR n >= 0", None),
        ("select n, s from {batch} where n < 0 ;", "n IS NULL OR n >= 0", None),
        ("SELECT b.n FROM {batch} b WHERE b.n < 0", "n IS NULL OR n >= 0", "b"),
        ("SELECT B.* FROM {batch} AS B WHERE b.`n` < 0", "n IS NULL OR n >= 0", "B"),
        ("SELECT * FROM {batch} b WHERE b.st.x IS NULL", "st.x IS NOT NULL", "b"),
        (
            "SELECT * FROM {batch} WHERE s RLIKE '^[0-9]{{3}}$'",
            "s IS NULL OR s NOT RLIKE '^[0-9]{3}$'",
            None,
        ),
        ("SELECT upper(s) AS u FROM {batch} WHERE n < 0 ORDER BY n", "n IS NULL OR n >= 0", None),
        ("-- negative\nSELECT * FROM {batch} WHERE n < 0", "n IS NULL OR n >= 0", None),
    ],
)
def test_queries(query, condition, alias):
    found = read_query(query, TYPES)
    assert isinstance(found, Query), found
    assert checked_text(found.tree, each=True) == condition
    assert (found.table, found.alias) == ("{batch}", alias)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("SELECT * FROM orders WHERE n < 0", "needs_dataset"),
        ("SELECT * FROM (SELECT * FROM {batch}) WHERE n < 0", "needs_dataset"),
        ("SELECT * FROM {batch} a JOIN {batch} b ON a.n = b.n WHERE a.k > 1", "needs_dataset"),
        ("SELECT * FROM {batch}, t WHERE n < 0", "needs_dataset"),
        ("SELECT * FROM {batch} LEFT JOIN t ON t.n = k WHERE t.n IS NULL", "needs_dataset"),
        ("SELECT n, count(*) FROM {batch} WHERE n < 0 GROUP BY n", "needs_dataset"),
        ("SELECT n FROM {batch} WHERE n < 0 GROUP BY n HAVING count(*) > 1", "needs_dataset"),
        ("SELECT count(*) FROM {batch} WHERE n < 0", "needs_dataset"),
        ("SELECT max(n) FROM {batch} WHERE n < 0", "needs_dataset"),
        ("SELECT row_number() OVER (ORDER BY n) FROM {batch} WHERE n < 0", "needs_dataset"),
        ("SELECT explode(a) FROM {batch} WHERE n < 0", "needs_dataset"),
        ("SELECT my_aggregate(n) FROM {batch} WHERE n < 0", "unsupported_function"),
        ("SELECT DISTINCT n FROM {batch} WHERE n < 0", "needs_dataset"),
        ("SELECT * FROM {batch} WHERE n < 0 LIMIT 10", "needs_dataset"),
        ("SELECT * FROM {batch} WHERE n < 0 UNION ALL SELECT * FROM {batch}", "needs_dataset"),
        ("WITH b AS (SELECT 1) SELECT * FROM {batch} WHERE n < 0", "needs_dataset"),
        ("SELECT * FROM {batch} WHERE n IN (SELECT n FROM {batch})", "needs_dataset"),
        ("SELECT * FROM {batch} WHERE n IN (SELECT n FROM t)", "needs_dataset"),
        ("SELECT * FROM {batch} TABLESAMPLE (10 PERCENT) WHERE n < 0", "needs_dataset"),
        ("SELECT * FROM s.{batch} WHERE n < 0", "needs_dataset"),
        ("SELECT * FROM {batch} QUALIFY row_number() OVER (ORDER BY n) > 1", "needs_dataset"),
        ("SELECT * FROM {batch} b WHERE c.n < 0", "needs_dataset"),
        ("DELETE FROM {batch} WHERE n < 0", "needs_dataset"),
        ("SELECT * FROM {batch}", "never_passes"),
        ("SELECT * FROM {batch} WHERE true", "never_passes"),
        ("SELECT * FROM {batch} WHERE n = NULL", "never_fails"),
        ("SELECT * FROM {batch} WHERE n < 0; DROP TABLE t", "not_readable"),
        ("SELECT * FROM {batch} WHERE n < {limit}", "template"),
        ("SELECT * FROM {batch} WHERE s RLIKE '^[0-9]{3}$'", "template"),
        ("SELECT * FROM {batch} WHERE n < }", "template"),
        ("SELECT * FROM {batch} WHERE n <", "not_readable"),
        ("SELECT * FROM {batch} WHERE foo(n)", "unsupported_function"),
    ],
)
def test_queries_that_are_not_per_record(query, code):
    found = read_query(query, TYPES)
    assert isinstance(found, Refused), checked_text(found.tree)
    assert found.code == code
    assert found.code in gaps()


def test_a_type_from_the_mapping_is_found_whatever_the_case():
    found = read_predicate("AMOUNT > 5", {"amount": parse_type("bigint")}, bad=True)
    assert isinstance(found, Good)
    assert checked_text(found.tree) == "AMOUNT IS NULL OR AMOUNT <= 5"
