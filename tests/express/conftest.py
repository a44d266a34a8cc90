"""The comparison with Great Expectations, made once for all tests of this folder."""

import pytest
from express_cases import cases
from express_verdicts import RUNS, compare


@pytest.fixture(scope="session")
def compared(spark):
    """(engine, style of the pandas frame) -> all cases, compared once for all tests."""
    return {(engine, style): compare(cases(), engine, spark, style=style) for engine, style in RUNS}
