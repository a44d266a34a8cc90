"""The bench as a whole: a right condition agrees with the oracle on every boundary row, a wrong
one is found out. Each wrong one is a mistake that a person or a converter does make."""

from decimal import Decimal

import pytest

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.oracle import verdicts
from ruleferry.converters.proof.rows import boundary_values, table_rows

D = Decimal
TABLE = {
    "n": ("int", [1, 5]),
    "m": ("int", [1, 5]),
    "price": ("double", [D("0.5"), 100]),
    "amount": ("decimal(10,2)", [D("0.5"), 100]),
    "status": ("string", ["F", "O", "P"]),
    "code": ("string", ["AB", 2, 3]),
    "day": ("date", ["2024-03-01"]),
}
CODES = ("AB1", "AB12", "xAB1x", "AB1\n", "AB", "ab1", "AB٣", "A\nB1")


def rule(type_: str, **kwargs):
    return {"type": f"expect_{type_}", "kwargs": kwargs}


def on(column: str, type_: str, **kwargs):
    return rule(f"column_values_{type_}", column=column, **kwargs)


BETWEEN = on("price", "to_be_between", min_value=0.5, max_value=100)
LENGTH = rule("column_value_lengths_to_be_between", column="code", min_value=2, max_value=3)
NOT_LESS = rule("column_pair_values_a_to_be_greater_than_b", column_A="n", column_B="m",
                or_equal=True)  # fmt: skip
PATTERN = on("code", "to_match_regex", regex="AB[0-9]")

# engine, expectation, right conditions, wrong ones
CASES = [
    ("spark", on("n", "to_not_be_null"), ["n IS NOT NULL"], ["n > 0", "n <> 0", "TRUE"]),
    ("spark", on("n", "to_be_between", min_value=1, max_value=5),
     ["n IS NULL OR n BETWEEN 1 AND 5", "n IS NULL OR (n >= 1 AND n <= 5)"],
     ["n IS NULL OR (n > 1 AND n <= 5)", "n IS NULL OR (n >= 1 AND n < 5)",
      "coalesce(n BETWEEN 1 AND 5, FALSE)", "n IS NULL OR n >= 1", "n IS NULL OR n <= 5"]),
    ("spark", BETWEEN, ["price IS NULL OR (price >= 0.5 AND price <= 100)"],
     ["price IS NULL OR isnan(price) OR (price >= 0.5 AND price <= 100)",
      "price IS NULL OR (price >= 0.5 AND price < 100)"]),
    ("pandas", BETWEEN, ["price IS NULL OR isnan(price) OR (price >= 0.5 AND price <= 100)"],
     ["price IS NULL OR (price >= 0.5 AND price <= 100)"]),
    ("pandas", on("amount", "to_be_between", min_value=0.5, max_value=100, strict_max=True),
     ["amount IS NULL OR (amount >= 0.5 AND amount < 100)"],
     ["amount IS NULL OR amount BETWEEN 0.5 AND 100",
      "amount IS NULL OR amount BETWEEN 0.5 AND 99"]),
    ("pandas", on("status", "to_be_in_set", value_set=["F", "O", "P"]),
     ["status IS NULL OR status IN ('F', 'O', 'P')"],
     ["status IS NULL OR upper(status) IN ('F', 'O', 'P')",
      "status IS NULL OR trim(status) IN ('F', 'O', 'P')", "status IS NULL OR status IN ('F', 'O')",
      "status IS NULL OR status RLIKE '^[FOP]$'", "coalesce(status IN ('F', 'O', 'P'), FALSE)",
      "status IS NULL OR status LIKE '%F%' OR status IN ('O', 'P')"]),
    ("spark", LENGTH, ["code IS NULL OR length(code) BETWEEN 2 AND 3"],
     ["code IS NULL OR octet_length(code) BETWEEN 2 AND 3",
      "code IS NULL OR length(trim(code)) BETWEEN 2 AND 3",
      "code IS NULL OR length(code) BETWEEN 2 AND 4"]),
    ("pandas", PATTERN, ["code IS NULL OR code RLIKE 'AB[0-9]'"],
     ["code IS NULL OR code RLIKE '^AB[0-9]'", "code IS NULL OR code RLIKE '^AB[0-9]$'",
      "code IS NULL OR code RLIKE '(?i)AB[0-9]'", "code IS NULL OR code LIKE 'AB_'",
      "code IS NULL OR code RLIKE '(?U)AB\\\\d'"]),
    ("spark", on("day", "to_be_between", max_value="2024-03-01"),
     ["day IS NULL OR day <= DATE'2024-03-01'"],
     ["day IS NULL OR day < DATE'2024-03-01'", "day IS NULL OR day <= DATE'2024-03-02'"]),
    ("spark", NOT_LESS, ["coalesce(n >= m, TRUE)"],
     ["n IS NULL AND m IS NULL OR coalesce(n >= m, FALSE)", "coalesce(n > m, TRUE)",
      "coalesce(n <= m, TRUE)"]),
    ("pandas", NOT_LESS, ["n IS NULL AND m IS NULL OR coalesce(n >= m, FALSE)"],
     ["coalesce(n >= m, TRUE)", "coalesce(n >= m, FALSE)"]),
    ("spark", rule("multicolumn_sum_to_equal", column_list=["n", "m"], sum_total=6),
     ["n IS NULL AND m IS NULL OR coalesce(n, 0) + CAST(coalesce(m, 0) AS BIGINT) = 6"],
     ["n IS NULL AND m IS NULL OR coalesce(try_add(n, m) = 6, FALSE)"]),
]  # fmt: skip


@pytest.fixture(scope="module")
def frame():
    table = {}
    for name, (type_, literals) in TABLE.items():
        more = CODES if name == "code" else ()
        table[name] = parse_type(type_), boundary_values(literals, parse_type(type_), more)
    return table_rows(table, together=[("n", "m")])


@pytest.fixture(scope="module")
def old(spark, frame):
    """Place of the case -> the old verdicts, each engine asked once."""
    found = {}
    for engine in ("pandas", "spark"):
        places = [place for place, case in enumerate(CASES) if case[0] == engine]
        asked = [CASES[place][1] for place in places]
        told = verdicts(asked, frame, engine, pandas_style="numpy", spark=spark)
        found |= dict(zip(places, [verdict.rows for verdict in told], strict=True))
    return found


@pytest.fixture(scope="module")
def new(spark, frame):
    """Condition -> the new verdicts, all in one select."""
    conditions = {c: c for _, _, right, wrong in CASES for c in (*right, *wrong)}
    judged = judge(conditions, frame, spark)
    assert judged.rejected == {}
    return judged.verdicts


@pytest.mark.parametrize("place", range(len(CASES)))
def test_right_conditions_agree_and_wrong_ones_do_not(old, new, place):
    _, _, right, wrong = CASES[place]
    assert {c: new[c] for c in right} == dict.fromkeys(right, old[place])
    assert [c for c in wrong if new[c] == old[place]] == []
