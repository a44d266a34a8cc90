"""A type that only the suite claims: what rests on it is assumed, also where no SQL shows it."""

import pytest
from made_rules import rule

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Types, express
from ruleferry.converters.predicates import Absent, OneOf, Present, Range

INT = {"n": parse_type("bigint")}
CLAIMED, DECLARED, UNKNOWN = Types(None, INT), Types(INT), Types()


def told(predicate, engine, types):
    found = express(rule(predicate, engine=engine), types)
    return found.grade, [caveat.code for caveat in found.caveats]


@pytest.mark.parametrize("predicate", [Present("n"), Absent("n")])
@pytest.mark.parametrize(
    ("engine", "claimed", "unknown"),
    [
        (None, "assumed", "assumed"),  # on pandas NaN was missing, and an integer is never NaN
        ("pandas", "assumed", "assumed"),
        ("spark", "exact", "exact"),  # there no type makes a difference
        ("postgres", "exact", "exact"),
    ],
)
def test_what_is_exact_by_a_claim_alone_is_assumed(predicate, engine, claimed, unknown):
    assert told(predicate, engine, CLAIMED)[0] == claimed
    assert told(predicate, engine, UNKNOWN)[0] == unknown
    assert told(predicate, engine, DECLARED) == ("exact", [])


def test_it_tells_whose_claim_it_is():
    found = express(rule(Present("n"), engine=None), CLAIMED)
    assert [(c.code, c.detail) for c in found.caveats] == [
        ("type_from_suite", "n is taken to be bigint, as the suite says; no schema was given")
    ]


@pytest.mark.parametrize("predicate", [Range("n", 0, 5), OneOf("n", (1, 2))])
def test_what_tells_of_the_claim_itself_tells_it_once(predicate):
    for engine in (None, "pandas", "spark"):
        assert told(predicate, engine, CLAIMED)[1].count("type_from_suite") == 1
