"""Rows from JSON, and as frames of pandas 2.1 and Spark 3.5."""

from __future__ import annotations

import os
import sys
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.proof.boundary_numbers import digits_of
from ruleferry.converters.proof.frames import pandas_frame
from ruleferry.converters.proof.rows import Rows

_READ = {
    "decimal": Decimal,
    "date": date.fromisoformat,
    "timestamp": datetime.fromisoformat,
    "timestamp_ntz": datetime.fromisoformat,
    "binary": bytes.fromhex,
}
_TIMES = {"timestamp", "timestamp_ntz"}
NUMBER = "row_number_"


def rows_of(columns, cells) -> Rows:
    types = [parse_type(text) for _, text in columns]
    return Rows(
        tuple((name, kind) for (name, _), kind in zip(columns, types, strict=True)),
        tuple(tuple(map(_cell, row, types)) for row in cells),
    )


def _cell(value, kind):
    read = _READ.get(kind.family)
    return value if value is None or read is None else read(value)


def old_pandas_frame(rows: Rows, style):
    """As `pandas_frame`, save that times are datetime64[ns], the only ones there were."""
    other = parse_type("other")
    times = _TIMES if style == "nullable" else {*_TIMES, "date"}
    untimed = tuple((n, other if kind.family in times else kind) for n, kind in rows.columns)
    frame = pandas_frame(Rows(untimed, rows.cells), style)
    for name, kind in rows.columns:
        if kind.family in times:
            frame[name] = frame[name].astype("datetime64[ns]")
    return frame


@cache
def spark():
    """One session: as Spark 3.5 stands out of the box (no ANSI mode), small, in UTC."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.catalogImplementation": "in-memory",
    }
    builder = SparkSession.builder.master("local[1]").appName("gx_0_18")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def spark_frame(rows: Rows, *, numbered: bool):
    """One partition, so that the order of the rows stands; `numbered`: with NUMBER behind."""
    from pyspark.sql.types import IntegerType, StructField, StructType

    fields = [StructField(name, _spark_type(kind)) for name, kind in rows.columns]
    cells = [tuple(map(_in_utc, row, rows.columns)) for row in rows.cells]
    if numbered:
        fields.append(StructField(NUMBER, IntegerType()))
        cells = [(*row, number) for number, row in enumerate(cells)]
    return spark().createDataFrame(cells, StructType(fields)).coalesce(1)


def _in_utc(cell, column):
    """pyspark reads a time without a zone in that of the machine, a TIMESTAMP_NTZ as it stands."""
    if column[1].family == "timestamp" and isinstance(cell, datetime):
        return cell.replace(tzinfo=UTC)
    return cell


def _spark_type(kind):
    from pyspark.sql import types

    if kind.family == "decimal":
        return types.DecimalType(*digits_of(kind))
    if kind.family == "integer":
        named = {"tinyint": types.ByteType, "smallint": types.ShortType, "bigint": types.LongType}
        return named.get(kind.text, types.IntegerType)()
    return {
        "boolean": types.BooleanType,
        "float": types.FloatType,
        "double": types.DoubleType,
        "date": types.DateType,
        "timestamp": types.TimestampType,
        "timestamp_ntz": types.TimestampNTZType,
        "binary": types.BinaryType,
    }.get(kind.family, types.StringType)()
