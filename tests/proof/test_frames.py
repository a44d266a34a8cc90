"""Boundary rows as pandas and Spark frames: the types, and nothing changed on the way."""

import math
from datetime import date, datetime
from decimal import Decimal

import pytest

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.proof.frames import number_column, pandas_frame, spark_frame
from ruleferry.converters.proof.rows import Rows, boundary_values, table_rows

TYPES = [
    "string", "varchar(5)", "char(3)", "boolean", "tinyint", "smallint", "int", "bigint",
    "decimal(15,2)", "float", "double", "date", "timestamp", "timestamp_ntz", "binary",
    "array<int>", "interval day",
]  # fmt: skip


def all_types() -> Rows:
    literals = ["ab", 5, Decimal("99.99"), date(2024, 3, 1)]
    return table_rows(
        {name: (parse_type(name), boundary_values(literals, parse_type(name))) for name in TYPES}
    )


def one_column(type_: str, *cells) -> Rows:
    return Rows((("c", parse_type(type_)),), tuple((cell,) for cell in cells))


DTYPES = [
    ("string", "string", "object"),
    ("char(3)", "string", "object"),
    ("boolean", "boolean", "object"),
    ("tinyint", "Int8", "float64"),
    ("bigint", "Int64", "float64"),
    ("decimal(15,2)", "object", "object"),
    ("float", "Float32", "float32"),
    ("double", "Float64", "float64"),
    ("date", "object", "datetime64[us]"),
    ("timestamp", "datetime64[us]", "datetime64[us]"),
    ("timestamp_ntz", "datetime64[us]", "datetime64[us]"),
    ("binary", "object", "object"),
    ("array<int>", "object", "object"),
]


@pytest.mark.parametrize(("type_", "nullable", "numpy"), DTYPES)
def test_dtypes_are_those_of_a_careful_user(type_, nullable, numpy):
    rows = all_types()
    for style, expected in (("nullable", nullable), ("numpy", numpy)):
        frame = pandas_frame(rows, style)
        assert str(frame[type_].dtype) == expected
        missing = [row[TYPES.index(type_)] is None for row in rows.cells]
        found = frame[type_].isna().tolist()
        assert [f for f, m in zip(found, missing, strict=True) if m] == [True] * sum(missing)
        assert list(frame.index) == list(range(len(rows.cells)))


def test_a_plain_integer_column_without_null_stays_integer():
    assert str(pandas_frame(one_column("bigint", 2**53 + 1), "numpy")["c"].dtype) == "int64"
    with_null = pandas_frame(one_column("bigint", 2**53 + 1, None), "numpy")["c"]
    assert with_null[0] == 2**53  # what NULL does to a plain column


def test_spark_frame_has_the_declared_types(spark):
    frame = spark_frame(all_types(), spark)
    types = {field.name: field.dataType.simpleString() for field in frame.schema}
    assert types == {
        **{name: name for name in TYPES},
        "row_number_": "int", "varchar(5)": "string", "char(3)": "string",
    }  # fmt: skip
    assert all(field.nullable for field in frame.schema if field.name != "row_number_")


def test_no_cell_changes_on_the_way_to_spark(spark):
    rows = all_types()
    frame = spark_frame(rows, spark)
    told = [f"CAST(`{name}` AS STRING) AS `{name}`" for name in TYPES if name != "binary"]
    found = frame.selectExpr("row_number_", "hex(binary) AS binary", *told).collect()
    assert [row["row_number_"] for row in found] == list(range(len(rows.cells)))
    for position, name in enumerate(TYPES):
        if name in ("float", "double"):
            continue  # their text differs between Python and Java; see the next test
        expected = [as_spark_writes(row[position]) for row in rows.cells]
        assert [row[name] for row in found] == expected, name


def as_spark_writes(cell) -> str | None:
    if cell is None:
        return None
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, bytes):
        return cell.hex().upper()
    if isinstance(cell, datetime):
        text = cell.isoformat(sep=" ")
        return text.rstrip("0") if cell.microsecond else text
    return cell.isoformat() if isinstance(cell, date) else str(cell)


@pytest.mark.parametrize("type_", ["float", "double"])
def test_floating_numbers_keep_every_bit(spark, type_):
    cells = boundary_values([Decimal("0.1"), 5], parse_type(type_))
    frame = spark_frame(one_column(type_, *cells), spark)
    found = [row[0] for row in frame.orderBy("row_number_").select("c").collect()]
    for cell, back in zip(cells, found, strict=True):
        if cell is None or math.isnan(cell):
            assert repr(back) == repr(cell)
        else:
            assert (back, math.copysign(1, back)) == (cell, math.copysign(1, cell))


def test_not_null_columns_leave_out_the_rows_with_null(spark):
    columns = (("a", parse_type("int")), ("b", parse_type("int")), ("c", parse_type("array<int>")))
    rows = Rows(columns, ((1, 2, None), (None, 2, None), (3, 4, None), (5, None, None)))
    frame = spark_frame(rows, spark, nullable=False)
    assert [field.nullable for field in frame.schema] == [False, False, False, True]
    assert [row[0] for row in frame.collect()] == [0, 2]


def test_char_columns_compare_as_those_of_a_table(spark):
    spark.sql("CREATE TABLE padded (c CHAR(3)) USING parquet")
    try:
        spark.sql("INSERT INTO padded VALUES ('F'), ('FO'), (NULL)")
        asked = [
            "c = 'F' AS a", "c IN ('FO', 'O') AS b", "length(c) AS d", "c LIKE 'F' AS e",
            "c RLIKE '^F$' AS f", "c = 'F  ' AS g", "c || 'x' AS h",
        ]  # fmt: skip
        real = spark.table("padded").orderBy("c").selectExpr(*asked).collect()
        ours = spark_frame(one_column("char(3)", "F  ", "FO ", None), spark)
        assert ours.orderBy("c").selectExpr(*asked).collect() == real
    finally:
        spark.sql("DROP TABLE padded")


def test_a_collation_is_kept(spark):
    frame = spark_frame(one_column("string collate utf8_lcase", "ABC"), spark)
    assert frame.filter("c = 'abc'").count() == 1


def test_an_unknown_type_is_refused(spark):
    with pytest.raises(ValueError, match="Column c: Spark knows no type 'money'"):
        spark_frame(one_column("money", None), spark)


def test_the_column_of_row_numbers_has_a_name_of_its_own():
    rows = Rows((("Row_Number_", parse_type("int")), ("row_number__", parse_type("int"))), ())
    assert number_column(rows) == "row_number___"
