"""The measured expressions: each has the value that its source gives it, or is refused."""

import pytest
from dialect_cases import TYPES, made, same, traps, values


@pytest.fixture(scope="module")
def cases(shared):
    return traps(shared / "reference" / "legacy_sql_traps.tsv")


@pytest.mark.parametrize("types", [TYPES, {}], ids=["types known", "types unknown"])
def test_no_expression_has_another_value_than_in_its_source(spark, cases, types):
    founds = [made(case, types) for case in cases]
    kept = [found for found in founds if found.sql is not None]
    wrong = [
        f"{f.case.dialect}: {f.case.text} -> {f.sql} = {value}, not {f.case.value}"
        for f, value in zip(kept, values(spark, kept), strict=True)
        if not same(value, f.case.value)
    ]
    assert wrong == []


def test_most_expressions_are_carried_over_and_all_others_have_a_reason(cases):
    founds = [made(case, TYPES) for case in cases]
    assert sum(f.sql is not None for f in founds) > 0.9 * len(cases)
    assert all(f.reason for f in founds if f.sql is None)
