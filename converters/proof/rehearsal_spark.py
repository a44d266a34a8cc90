"""A rehearsal on a plain Spark session, which is the judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from sqlglot import exp

from ruleferry.converters.proof.pipeline import run_modules
from ruleferry.converters.proof.rehearsal_data import Sample
from ruleferry.converters.proof.rehearsal_run import Ran, failed_rules
from ruleferry.converters.proof.session import spark_session
from ruleferry.converters.proof.standin import quoted
from ruleferry.converters.rehearsed import Quarantine

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def rehearse_on_spark(sources: Mapping[str, str], samples: Iterable[Sample]) -> Ran:
    """One update of the modules. EXECUTES `sources`. Raises SparkUnavailable."""
    spark = spark_session()
    tables = {sample.table.name: sample_rows(spark, sample) for sample in samples}
    run = run_modules(sources, spark, tables)
    quarantines = tuple(
        _quarantine(name, frame, column)
        for name, frame in run.frames.items()
        if (column := failed_rules(frame.columns))
    )
    return Ran(
        f"Spark {spark.version}", run.expectations, run.flows, quarantines, streamed=run.streamed
    )


def sample_rows(spark: SparkSession, sample: Sample) -> DataFrame:
    """The rows with the columns' types; also on a session of Spark Connect."""
    if sample.parquet:
        return spark.read.parquet(str(sample.path))
    texts = ", ".join(f"`{number}` STRING" for number in range(len(sample.columns)))
    rows = spark.read.schema(texts).json(str(sample.path), mode="FAILFAST")
    return rows.selectExpr(
        *(
            _cast(str(number), column_type.text, name)
            for number, (name, column_type) in enumerate(sample.columns)
        )
    )


def _cast(column: str, kind: str, name: str) -> str:
    read = exp.column(exp.to_identifier(column, quoted=True))
    cast = exp.cast(read, exp.DataType.build(kind, dialect="databricks"))
    return exp.alias_(cast, name, quoted=True).sql("databricks")


def _quarantine(dataset: str, frame: DataFrame, column: str) -> Quarantine:
    """Only texts are collected: Python has no date for every date of Spark."""
    from pyspark.sql import functions as F  # noqa: N812

    named = F.col(quoted(column)).cast("string")
    broken = frame.filter(~named.eqNullSafe(""))
    texts = broken.select(*(F.col(quoted(name)).cast("string") for name in frame.columns))
    rows = tuple(tuple(row) for row in texts.collect())
    return Quarantine(dataset, column, tuple(frame.columns), rows)
