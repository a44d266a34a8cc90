"""Type texts and type names, against tables and against Spark's own parser."""

import tomllib
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleferry.converters.column_types import ColumnType, parse_type, same_family, type_from_name

# Every text that Spark 4.3 reads as a type, and the family of what it reads.
SPARK_READS = {
    "string": "string",
    "STRING": "string",
    "varchar(10)": "string",
    "varchar( 10 )": "string",
    "char(3)": "char",
    "character(3)": "char",
    "string collate utf8_lcase": "string",
    "STRING  COLLATE  UNICODE_CI_AI": "string",
    "string collate system.builtin.utf8_lcase": "string",
    "char(3) collate utf8_lcase": "char",
    "varchar(3) collate `UNICODE`": "string",
    "boolean": "boolean",
    "byte": "integer",
    "tinyint": "integer",
    "short": "integer",
    "smallint": "integer",
    "int": "integer",
    "integer": "integer",
    "long": "integer",
    "bigint": "integer",
    "decimal": "decimal",
    "DEC": "decimal",
    "dec(5)": "decimal",
    "numeric": "decimal",
    "numeric(5,2)": "decimal",
    "decimal ( 10 , 3 )": "decimal",
    "decimal(38,38)": "decimal",
    "float": "float",
    "real": "float",
    "double": "double",
    "date": "date",
    "timestamp": "timestamp",
    "timestamp_ltz": "timestamp",
    "timestamp with local time zone": "timestamp",
    "timestamp_ntz": "timestamp_ntz",
    "Timestamp Without\tTime Zone": "timestamp_ntz",
    "binary": "binary",
    "array<int>": "nested",
    "map<string,array<int>>": "nested",
    "struct<a:int,`b c`:string>": "nested",
    "struct<>": "nested",
    "variant": "nested",
    "void": "other",
    "time(6)": "other",
    "interval": "other",
    "interval day to second": "other",
    "geography(4326)": "other",
}

# Texts that Spark refuses: nothing may be concluded from them.
SPARK_REFUSES = [
    "object",
    "text",
    "double precision",
    "int(4)",
    "float(4)",
    "string(5)",
    "decimal(39,1)",
    "decimal(5,6)",
    "timestamp with time zone",
    "array<int",
    "integer integer",
    "int collate utf8_lcase",
    "decimal(5,2) collate utf8_lcase",
    "varchar(1,2)",
    "null",
    "json",
    "",
]

# What Spark's parser answers, in our words.
SPARK_FAMILIES = {
    "StringType": "string",
    "VarcharType": "string",
    "CharType": "char",
    "BooleanType": "boolean",
    "ByteType": "integer",
    "ShortType": "integer",
    "IntegerType": "integer",
    "LongType": "integer",
    "DecimalType": "decimal",
    "FloatType": "float",
    "DoubleType": "double",
    "DateType": "date",
    "TimestampType": "timestamp",
    "TimestampNTZType": "timestamp_ntz",
    "BinaryType": "binary",
    "ArrayType": "nested",
    "MapType": "nested",
    "StructType": "nested",
    "VariantType": "nested",
}


@pytest.mark.parametrize(("text", "family"), SPARK_READS.items())
def test_a_type_text_has_its_family(text, family):
    assert parse_type(text).family == family


@pytest.mark.parametrize("text", SPARK_REFUSES)
def test_a_text_that_is_no_type_is_other_and_kept(text):
    assert parse_type(text) == ColumnType("other", text)


@pytest.mark.parametrize(
    ("text", "is_key"),
    [("bigint", True), ("array<int>", True), ("struct<map:int,variants:string>", True),
     ("struct<variant:int>", True), ("map", False), ("map<int,int>", False), ("variant", False),
     ("array<map<int,int>>", False),
     ("struct<a:int,b:map<int,int>>", False), ("struct<a:variant>", False)],
)  # fmt: skip
def test_what_can_be_a_key(text, is_key):
    assert parse_type(text).is_key is is_key


def test_the_families_are_those_of_sparks_own_parser(spark):
    parser = spark._jsparkSession.sessionState().sqlParser()
    read = {text: parser.parseDataType(text).getClass().getSimpleName() for text in SPARK_READS}
    families = {text: SPARK_FAMILIES.get(name.rstrip("$"), "other") for text, name in read.items()}
    assert families == SPARK_READS


def test_what_we_refuse_spark_refuses(spark):
    parser = spark._jsparkSession.sessionState().sqlParser()
    for text in SPARK_REFUSES:
        with pytest.raises(Exception, match=r"SQLSTATE|exceeds"):
            parser.parseDataType(text)


@pytest.mark.parametrize(
    ("text", "precision", "scale"),
    [("decimal(15,2)", 15, 2), ("DECIMAL", 10, 0), ("numeric(7)", 7, 0), ("dec(38,0)", 38, 0)],
)
def test_decimals_have_their_digits(text, precision, scale):
    found = parse_type(text)
    assert (found.precision, found.scale) == (precision, scale)


@given(st.integers(0, 60), st.integers(0, 60))
def test_a_decimal_is_one_only_within_38_digits(precision, scale):
    found = parse_type(f"Decimal({precision}, {scale})")
    if scale <= precision <= 38:
        assert found == ColumnType("decimal", f"decimal({precision},{scale})", precision, scale)
    else:
        assert found == ColumnType("other", f"decimal({precision}, {scale})")


@given(st.text())
def test_any_other_text_stays_as_it_is(text):
    assert parse_type(f"?{text}") == ColumnType("other", f"?{text}".strip().lower())


@pytest.mark.parametrize(
    ("text", "collation"),
    [
        ("string", None),
        ("string collate utf8_lcase", "UTF8_LCASE"),
        ("STRING COLLATE UTF8_BINARY", "UTF8_BINARY"),
        ("string collate system.builtin.unicode", "UNICODE"),
        ("varchar(3) collate `UNICODE_CI`", "UNICODE_CI"),
    ],
)
def test_a_collation_is_named_as_spark_names_it(text, collation):
    assert parse_type(text).collation == collation


@pytest.mark.parametrize(
    ("text", "family"),
    [("DECIMAL", "decimal"), ("LONG", "integer"), ("CHAR", "char"), ("VARCHAR", "string"),
     ("STRUCT", "nested"), ("ARRAY", "nested"), ("MAP", "nested")],
)  # fmt: skip
def test_the_bare_words_of_information_schema_are_types(text, family):
    assert parse_type(text).family == family


SUGGESTS = {
    "str": "string",
    "string": "string",
    "string[pyarrow]": "string",
    "StringType": "string",
    "StringType()": "string",
    "VARCHAR": "string",
    "VARCHAR(255)": "string",
    "Text": "string",
    "CHAR": "char",
    "int": "bigint",
    "int_": "bigint",
    "int64": "bigint",
    "Int64": "bigint",
    "INT8": "bigint",  # eight bytes in SQL
    "int8": "tinyint",  # eight bits in NumPy
    "uint8": "smallint",
    "INTEGER": "int",
    "Bigint": "bigint",
    "BIGINT": "bigint",
    "LongType": "bigint",
    "IntegerType": "int",
    "bool": "boolean",
    "BOOLEAN": "boolean",
    "float": "double",
    "float64": "double",
    "float32": "float",
    "FLOAT": "double",
    "DOUBLE_PRECISION": "double",
    "FloatType": "float",
    "NUMERIC": "decimal",
    "NUMERIC(15, 2)": "decimal(15,2)",
    "number(10)": "decimal(10)",
    "DecimalType": "decimal",
    "DATE": "date",
    "datetime64[ns]": "timestamp",
    "datetime64[ns, UTC]": "timestamp",
    "<M8[ns]": "timestamp",
    "Timestamp": "timestamp",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP(6)": "timestamp",
    "TimestampType": "timestamp",
    "TimestampNTZType": "timestamp_ntz",
    "bytes": "binary",
    "list": "array",
    "dict": "struct",
}

SUGGESTS_NOTHING = [
    "object",  # any Python object: checked row by row
    "category",  # a coding, whatever its values are
    "None",
    "BIT",  # a truth value in T-SQL, a string of bits in PostgreSQL
    "TIME",  # no type of its own on most of Databricks: a string, perhaps
    "NUMBER(50,2)",  # wider than any DECIMAL
    "timedelta64[ns]",
    "JSON",
    "",
    "int; drop table x",
]


@pytest.mark.parametrize(("name", "text"), SUGGESTS.items())
def test_a_name_of_a_suite_suggests_a_type(name, text):
    found = type_from_name(name)
    assert found is not None
    assert (found.text, found.known_from) == (text, "suite")
    assert found.family == parse_type(text).family


@pytest.mark.parametrize("name", SUGGESTS_NOTHING)
def test_a_name_that_says_nothing_certain_suggests_nothing(name):
    assert type_from_name(name) is None


def test_digits_are_known_only_where_the_name_states_them():
    assert type_from_name("DECIMAL") == ColumnType("decimal", "decimal", known_from="suite")
    assert type_from_name("DECIMAL(9,1)") == ColumnType(
        "decimal", "decimal(9,1)", 9, 1, known_from="suite"
    )


@pytest.mark.parametrize(
    ("name", "engine", "text"),
    [
        ("FLOAT", "databricks", "float"),
        ("FLOAT", "postgres", "double"),
        ("BIT", "tsql", "boolean"),
        ("TIMESTAMP", "tsql", "binary"),
        ("DATE", "oracle", "timestamp"),
        ("INTEGER", "bigquery", "bigint"),
        ("int8", "pandas", "tinyint"),
        ("StringType", "pandas", "string"),  # another engine's name is still a hint
    ],
)
def test_the_engine_chooses_between_meanings(name, engine, text):
    found = type_from_name(name, engine)
    assert found is not None
    assert found.text == text


def test_rows_of_types_toml_are_types_and_no_name_stands_twice():
    table = tomllib.loads((files("ruleferry") / "mappings" / "types.toml").read_text("utf-8"))
    names = Counter(
        (engine, name.lower())
        for row in table["types"]
        for engine, words in row["names"].items()
        for name in set(map(str.lower, words))
    )
    assert [name for name, count in names.items() if count > 1] == []
    assert [
        row["type"] for row in table["types"] if parse_type(row["type"]).family == "other"
    ] == []


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("int", "bigint", True),
        ("decimal(5,2)", "numeric", True),
        ("string", "varchar(3)", True),
        ("string", "string collate utf8_binary", True),
        ("string", "string collate utf8_lcase", False),  # Spark: COLLATION_MISMATCH
        ("string", "char(3)", False),  # padded
        ("int", "double", False),
        ("timestamp", "timestamp_ntz", False),
        ("array<int>", "array<int>", True),
        ("array<int>", "map<int,int>", False),
        ("time(6)", "void", False),
    ],
)
def test_same_family(a, b, same):
    assert same_family(parse_type(a), parse_type(b)) is same
    assert same_family(parse_type(b), parse_type(a)) is same
    assert not same_family(parse_type(a), None)
    assert not same_family(None, None)
