"""What Spark says of conditions, alone and in company."""

from decimal import Decimal

import pytest

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.proof import judge as judging
from ruleferry.converters.proof.judge import judge, refused
from ruleferry.converters.proof.rows import Rows, boundary_values, table_rows

COLUMNS = {"n": "int", "m": "int", "s": "string", "d": "double", "day": "date", "b": "boolean"}
CELLS = [
    (None, None, None, None, None, None),
    (1, 0, "1", 1.5, None, True),
    (5, 2, "x", float("nan"), None, False),
]


def rows(cells=CELLS) -> Rows:
    columns = tuple((name, parse_type(type_)) for name, type_ in COLUMNS.items())
    return Rows(columns, tuple(cells))


@pytest.mark.parametrize(
    ("condition", "verdicts"),
    [
        ("n > 1", "NFT"),
        ("n IS NULL OR n > 1", "TFT"),
        ("coalesce(n > 1, FALSE)", "FFT"),
        ("CAST(NULL AS BOOLEAN)", "NNN"),
        ("b", "NTF"),
        ("d <= 2", "NTF"),  # NaN is above every number
        ("coalesce(try_cast(s AS INT) = 1, FALSE)", "FTF"),
        ("current_date() > DATE'2020-01-01'", "TTT"),
        ("`n` > 1 -- a comment\n", "NFT"),
        ("n2 > 1", None),
    ],
)
def test_verdicts(spark, condition, verdicts):
    judged = judge({"rule": condition}, rows(), spark)
    assert judged.verdicts.get("rule") == verdicts
    assert ("rule" in judged.rejected) is (verdicts is None)


REJECTED = [
    ("parse", "PARSE_SYNTAX_ERROR", "n = 1) OR (true"),  # would be let in by wrapping alone
    ("parse", "PARSE_SYNTAX_ERROR", "n = 1 -- swallows what follows"),
    ("parse", "PARSE_SYNTAX_ERROR", "n > 1 AS big"),  # parses alone, not when wrapped
    ("parse", "PARSE_SYNTAX_ERROR", "n = 1, m = 1"),
    ("parse", "PARSE_SYNTAX_ERROR", "n > 1;"),
    ("parse", "PARSE_EMPTY_STATEMENT", ""),
    ("analysis", "UNRESOLVED_COLUMN.WITH_SUGGESTION", "nope > 1"),
    ("analysis", "UNRESOLVED_COLUMN.WITH_SUGGESTION", "row_number_ >= 0"),  # ours, not the table's
    ("analysis", "UNRESOLVED_ROUTINE", "ai_query(s) = 'x'"),
    ("analysis", "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES", "day > 5"),
    ("analysis", "NOT_BOOLEAN", "n + 1"),
    ("analysis", "NOT_BOOLEAN", "'true'"),
    ("analysis", "NOT_BOOLEAN", "NULL"),
    ("analysis", "NOT_OF_ONE_RECORD", "max(n) > 1"),
    ("analysis", "NOT_OF_ONE_RECORD", "count(*) > 1"),
    ("analysis", "NOT_OF_ONE_RECORD", "row_number() OVER (ORDER BY n) = 1"),
    ("analysis", "NOT_OF_ONE_RECORD", "explode(array(true))"),
    ("analysis", "SUBQUERY", "n IN (SELECT 1)"),
    ("analysis", "SUBQUERY", "EXISTS (SELECT 1)"),
    ("analysis", "NOT_DETERMINISTIC", "rand() > 0.5"),
    ("run", "DIVIDE_BY_ZERO", "n / m > 1"),
    ("run", "CAST_INVALID_INPUT", "CAST(s AS INT) > 0"),
    ("run", "CAST_INVALID_INPUT", "s = 1"),
    ("run", "ARITHMETIC_OVERFLOW", "n + 2147483647 > 0"),
    ("run", "PatternSyntaxException", "s RLIKE '('"),
]


def test_rejected_conditions_are_named_and_the_others_judged(spark):
    conditions = {f"bad_{place}": c for place, (_, _, c) in enumerate(REJECTED)}
    judged = judge({"first": "n > 1", **conditions, "last": "b"}, rows(), spark)
    assert judged.verdicts == {"first": "NFT", "last": "NTF"}
    found = [(r.stage, r.error, conditions[name]) for name, r in judged.rejected.items()]
    assert found == REJECTED
    assert all(r.message and not r.together_with for r in judged.rejected.values())


def test_what_the_rows_are_made_of_is_no_affair_of_the_conditions(spark):
    """A flag by EXISTS, two figures each in a query of its own, a random number."""
    frame = spark.sql(
        "SELECT k, EXISTS (SELECT 1 FROM VALUES (1) l(k) WHERE l.k = s.k) AS found, "
        "(SELECT count(*) FROM VALUES (1)) AS n, rand() AS r FROM VALUES (1), (2) s(k)"
    )
    told = {"flag": "found OR k = 2", "figure": "n = 1", "random": "r < 2"}
    wrong = {"query": "k IN (SELECT 1)", "clock": "r < rand()"}
    found = refused({**told, **wrong}, frame)
    assert {name: rejected.error for name, rejected in found.items()} == {
        "query": "SUBQUERY",
        "clock": "NOT_DETERMINISTIC",
    }


def test_messages_name_no_machine(spark):
    message = judge({"rule": "s RLIKE '('"}, rows(), spark).rejected["rule"].message
    assert message == "Unclosed group near index 1"


@pytest.mark.parametrize(
    "shared_guard",
    [
        ("m <> 0 AND n / m > 1", "m = 0 OR n / m > 2"),
        ("s RLIKE '^[0-9]+$' AND CAST(s AS INT) > 1", "s RLIKE '^[0-9]+$' AND CAST(s AS INT) > 2"),
    ],
)
def test_a_guard_that_two_rules_share_does_not_hold(spark, shared_guard):
    one, other = shared_guard
    assert not judge({"one": one}, rows(), spark).rejected
    assert not judge({"other": other}, rows(), spark).rejected
    conditions = {"one": one, "between": "n > 1", "other": other, "last": "b"}
    judged = judge(conditions, rows(), spark)
    assert judged.verdicts == {"between": "NFT", "last": "NTF"}
    assert judged.rejected["one"].together_with == ("other",)
    assert judged.rejected["other"].together_with == ("one",)
    assert judged.rejected["one"].error in ("DIVIDE_BY_ZERO", "CAST_INVALID_INPUT")


@pytest.mark.parametrize(
    "total",
    [
        ("m <> 0 AND try_divide(n, m) > 1", "m = 0 OR try_divide(n, m) > 2"),
        ("CASE WHEN m <> 0 THEN n / m > 1 END", "CASE WHEN m <> 0 THEN n / m > 2 END"),
    ],
)
def test_total_rules_may_share_anything(spark, total):
    judged = judge(dict(zip("ab", total, strict=True)), rows(), spark)
    assert set(judged.verdicts) == {"a", "b"}


def test_spark_folds_is_not_null_on_a_required_column(spark):
    condition = {"rule": "to_date(s, 'yyyy-MM-dd') IS NOT NULL"}
    assert judge(condition, rows(), spark).rejected["rule"].error == "CANNOT_PARSE_TIMESTAMP"
    cells = [(1, 1, "x", 1.0, None, True), (1, 1, None, 1.0, None, True)]
    judged = judge(condition, rows(cells), spark, nullable=False)
    assert judged.verdicts == {"rule": "T-"}  # TRUE for 'x'; the row with NULL is left out


def test_more_conditions_than_a_batch(spark, monkeypatch):
    monkeypatch.setattr(judging, "BATCH", 3)
    conditions = {f"c{number}": f"n > {number}" for number in range(8)} | {"bad": "n / m > 1"}
    judged = judge(conditions, rows(), spark)
    assert list(judged.verdicts) == [f"c{number}" for number in range(8)]
    assert judged.verdicts["c4"] == "NFT"
    assert judged.verdicts["c5"] == "NFF"
    assert list(judged.rejected) == ["bad"]


def test_without_conditions_or_rows(spark):
    assert judge({}, rows(), spark).verdicts == {}
    assert judge({"rule": "n > 1"}, rows([]), spark).verdicts == {"rule": ""}


def test_every_row_is_judged_in_its_place(spark):
    """A thousand boundary rows against Python's own arithmetic."""
    column = (parse_type("int"), boundary_values([5, 100], parse_type("int")))
    frame = table_rows({"n": column, "m": column}, together=[("n", "m")], limit=1000)
    judged = judge({"over": "n > 5", "less": "n < m", "half": "m = 2.5"}, frame, spark)

    def letter(verdict):
        return "N" if verdict is None else "T" if verdict else "F"

    def less(n, m):
        return None if n is None or m is None else n < m

    assert len(frame.cells) > 500
    assert judged.verdicts["over"] == "".join(
        letter(None if n is None else n > 5) for n, _ in frame.cells
    )
    assert judged.verdicts["less"] == "".join(letter(less(n, m)) for n, m in frame.cells)
    assert judged.verdicts["half"] == "".join(
        letter(None if m is None else m == Decimal("2.5")) for _, m in frame.cells
    )
