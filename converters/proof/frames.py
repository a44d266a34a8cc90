"""Boundary rows as a pandas frame and as a Spark frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal, TypeAlias

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.proof.boundary_numbers import bits_of, digits_of
from ruleferry.converters.proof.boundary_text import size_of
from ruleferry.converters.proof.cells import Cell
from ruleferry.converters.proof.rows import Rows

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import DataType, StructField

PandasStyle: TypeAlias = Literal["nullable", "numpy"]
_Series: TypeAlias = Callable[[Sequence[Cell], ColumnType], "pd.Series"]


def number_column(rows: Rows) -> str:
    """A name for the column that numbers the rows, which no column of `rows` has."""
    taken = {name.lower() for name, _ in rows.columns}
    name = "row_number_"
    while name in taken:
        name += "_"
    return name


# pandas -------------------------------------------------------------------------------------------


def pandas_frame(rows: Rows, style: PandasStyle) -> pd.DataFrame:
    """`rows` in the dtypes of a careful user; the index is the position of the row.

    nullable: string, Int64 and the like, boolean, Float64, dates as objects.
    numpy: what NULL makes of a plain frame: integers become float64 (inexact above 2**53),
    strings and booleans become objects, dates become datetime64.
    Decimals and bytes are objects in both, timestamps datetime64[us] without a zone.
    """
    import pandas as pd

    series = _NULLABLE if style == "nullable" else _NUMPY
    columns = [
        series.get(declared.family, _objects)(rows.column(position), declared)
        for position, (_, declared) in enumerate(rows.columns)
    ]
    frame = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=range(len(rows.cells)))
    frame.columns = [name for name, _ in rows.columns]
    return frame


def _objects(cells: Sequence[Cell], _column_type: ColumnType) -> pd.Series:
    import pandas as pd

    return pd.Series(list(cells), dtype="object")


def _of(dtype: str) -> _Series:
    def series(cells: Sequence[Cell], _column_type: ColumnType) -> pd.Series:
        import pandas as pd

        return pd.Series(list(cells), dtype=dtype)

    return series


def _nullable_integers(cells: Sequence[Cell], column_type: ColumnType) -> pd.Series:
    import pandas as pd

    return pd.Series(list(cells), dtype=f"Int{bits_of(column_type)}")


def _plain_integers(cells: Sequence[Cell], column_type: ColumnType) -> pd.Series:
    import pandas as pd

    missing = any(cell is None for cell in cells)
    return pd.Series(list(cells), dtype="float64" if missing else f"int{bits_of(column_type)}")


_TIMES: Mapping[str, _Series] = {
    "timestamp": _of("datetime64[us]"),
    "timestamp_ntz": _of("datetime64[us]"),
}
_NULLABLE: Mapping[str, _Series] = {
    **_TIMES,
    "string": _of("string"),
    "char": _of("string"),
    "boolean": _of("boolean"),
    "integer": _nullable_integers,
    "float": _of("Float32"),
    "double": _of("Float64"),
}
_NUMPY: Mapping[str, _Series] = {
    **_TIMES,
    "integer": _plain_integers,
    "float": _of("float32"),
    "double": _of("float64"),
    "date": _of("datetime64[us]"),
}

# Spark --------------------------------------------------------------------------------------------


def spark_frame(rows: Rows, spark: SparkSession, *, nullable: bool = True) -> DataFrame:
    """`rows` as a frame of the declared types, with `number_column(rows)` in front.

    `nullable` False declares NOT NULL every column that holds any value; a row with a NULL in
    such a column is then left out. Raises ValueError for a column whose type Spark doesn't know.
    """
    import pyarrow as pa
    from pyspark.sql.types import IntegerType, StructField, StructType

    required = set() if nullable else _ever_filled(rows)
    kept = [
        (number, row)
        for number, row in enumerate(rows.cells)
        if all(row[position] is not None for position in required)
    ]
    arrays = [pa.array([number for number, _ in kept], pa.int32())]
    fields = [StructField(number_column(rows), IntegerType(), nullable=False)]
    for position, (name, declared) in enumerate(rows.columns):
        arrays.append(_array([row[position] for _, row in kept], declared))
        fields.append(_field(name, declared, nullable=position not in required))
    table = pa.Table.from_arrays(arrays, names=[field.name for field in fields])
    return spark.createDataFrame(table, StructType(fields))


def _ever_filled(rows: Rows) -> set[int]:
    filled = (
        position for row in rows.cells for position, cell in enumerate(row) if cell is not None
    )
    return set(filled)


def _array(cells: Sequence[Cell], column_type: ColumnType) -> pa.Array:
    import pyarrow as pa

    if column_type.family == "timestamp":
        cells = [cell.replace(tzinfo=UTC) if isinstance(cell, datetime) else cell for cell in cells]
    return pa.array(cells, _arrow_type(column_type))


def _arrow_type(column_type: ColumnType) -> pa.DataType:
    import pyarrow as pa

    plain: dict[str, pa.DataType] = {
        "string": pa.string(),
        "char": pa.string(),
        "boolean": pa.bool_(),
        "float": pa.float32(),
        "double": pa.float64(),
        "date": pa.date32(),
        "timestamp": pa.timestamp("us", "UTC"),
        "timestamp_ntz": pa.timestamp("us"),
        "binary": pa.binary(),
    }
    if column_type.family == "integer":
        return {8: pa.int8(), 16: pa.int16(), 32: pa.int32(), 64: pa.int64()}[bits_of(column_type)]
    if column_type.family == "decimal":
        return pa.decimal128(*digits_of(column_type))
    return plain.get(column_type.family, pa.null())


def _field(name: str, column_type: ColumnType, *, nullable: bool) -> StructField:
    from pyspark.sql.types import DecimalType, StringType, StructField

    metadata: dict[str, str] = {}
    if column_type.family == "decimal":
        declared: DataType = DecimalType(*digits_of(column_type))
    elif column_type.family in ("string", "char"):
        declared = StringType(column_type.collation or "UTF8_BINARY")
        if column_type.family == "char" and (size := size_of(column_type)):
            # How a table marks CHAR(n): Spark then pads the literals that it compares with.
            metadata = {"__CHAR_VARCHAR_TYPE_STRING": f"char({size})"}
    else:
        declared = _spark_type(name, column_type)
    return StructField(name, declared, nullable, metadata)


def _spark_type(name: str, column_type: ColumnType) -> DataType:
    from pyspark.errors import ParseException
    from pyspark.sql.types import StructType

    try:
        parsed = StructType.fromDDL(f"c {column_type.text}")
    except ParseException as unknown:
        raise ValueError(f"Column {name}: Spark knows no type {column_type.text!r}") from unknown
    assert isinstance(parsed, StructType)
    return parsed.fields[0].dataType
