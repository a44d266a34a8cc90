"""The old verdict: what Great Expectations itself says of each row.

An expectation that tests records is asked for the metric behind its list of unexpected rows (on
Spark for the condition itself), and all are computed at once; the others are validated one by
one. Great Expectations needs some 5 s and 100 MB to import.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias

from ruleferry.converters.proof.frames import (
    PandasStyle,
    number_column,
    pandas_frame,
    spark_frame,
)
from ruleferry.converters.proof.oracle_batch import (
    Bench,
    first_line,
    index_metric,
    new_bench,
    pandas_rows,
    refusals,
    spark_rows,
)
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.proof.session import spark_session
from ruleferry.converters.proof.verdict import Overall, Raised, RowVerdicts, Verdict

if TYPE_CHECKING:
    from great_expectations.expectations.expectation import Expectation
    from pyspark.sql import SparkSession

OracleEngine: TypeAlias = Literal["pandas", "spark"]


def verdicts(
    expectations: Sequence[Mapping[str, object]],
    rows: Rows,
    engine: OracleEngine,
    *,
    pandas_style: PandasStyle = "nullable",
    spark: SparkSession | None = None,
) -> list[Verdict]:
    """The verdict of each expectation, a mapping {"type", "kwargs"} as a 1.x suite holds it.

    `mostly` counts for nothing here. Each verdict is the one that the expectation would get by
    itself. `spark` is used with engine "spark", and started where it is not given.
    """
    with _quiet():
        if engine == "pandas":
            whole = new_bench(pandas_frame(rows, pandas_style))
            return _all(expectations, whole, whole, len(rows.cells))
        number = number_column(rows)
        frame = spark_frame(rows, spark or spark_session())
        whole = new_bench(frame.drop(number))
        return _all(expectations, new_bench(frame, number), whole, len(rows.cells))


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars, warnings or log lines of Great Expectations, and never the network."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    logger, silence = logging.getLogger("great_expectations"), logging.NullHandler()
    propagate = logger.propagate
    logger.addHandler(silence)
    logger.propagate = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.propagate = propagate
        logger.removeHandler(silence)


# The expectations -------------------------------------------------------------------------------


def _all(
    expectations: Sequence[Mapping[str, object]], bench: Bench, whole: Bench, length: int
) -> list[Verdict]:
    """`whole` is the same batch without the column of row numbers, for what counts columns."""
    built = [_built(expectation) for expectation in expectations]
    asked = {
        place: metric
        for place, expectation in enumerate(built)
        if not isinstance(expectation, Raised) and (metric := index_metric(expectation, bench))
    }
    unexpected = spark_rows(asked, bench) if bench.number else pandas_rows(asked, bench)
    found: list[Verdict] = []
    for place, expectation in enumerate(built):
        known = expectation if isinstance(expectation, Raised) else unexpected.get(place)
        if isinstance(known, Raised):
            found.append(known)
        elif known is not None:
            found.append(_letters(known, length))
        else:
            assert not isinstance(expectation, Raised)
            found.append(_validated(expectation, whole))
    return found


def _built(expectation: Mapping[str, object]) -> Expectation | Raised:
    from great_expectations.expectations.expectation_configuration import (
        ExpectationConfiguration,
    )

    kwargs = expectation["kwargs"]
    assert isinstance(kwargs, Mapping)
    try:
        return ExpectationConfiguration(
            type=str(expectation["type"]), kwargs=dict(kwargs)
        ).to_domain_obj()
    except refusals() as refusal:
        return Raised(" ".join(str(refusal).split()))


def _letters(unexpected: Collection[int], length: int) -> RowVerdicts:
    return RowVerdicts("".join("F" if row in unexpected else "T" for row in range(length)))


def _validated(expectation: Expectation, whole: Bench) -> Overall | Raised:
    try:
        outcome = whole.batch.validate(expectation, result_format="BOOLEAN_ONLY")
    except refusals() as refusal:
        return Raised(first_line(str(refusal)))
    if message := _exception(outcome.exception_info):
        return Raised(first_line(message))
    return Overall(bool(outcome.success))


def _exception(info: Mapping[str, object]) -> str | None:
    """The message, of the expectation or of the first of its metrics that failed."""
    found = [info, *(part for part in info.values() if isinstance(part, Mapping))]
    messages = (part.get("exception_message") for part in found)
    return next((str(message) for message in messages if message), None)
