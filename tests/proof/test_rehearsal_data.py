"""Sample files: what each cell becomes, on both engines alike, and what is refused."""

import json

import duckdb
import pytest

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import Config
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.proof.duckdb_store import Store
from ruleferry.converters.proof.rehearsal_data import read_samples
from ruleferry.converters.proof.rehearsal_files import Written, read_cells
from ruleferry.converters.proof.rehearsal_run import as_text, of_double
from ruleferry.converters.proof.rehearsal_spark import sample_rows
from ruleferry.converters.proof.rehearsal_values import Unfit, canonical, inferred
from ruleferry.converters.schemas import read_schemas


def samples(folder, *given, ddl=None):
    schemas = ("schema.sql",) if ddl else ()
    if ddl:
        (folder / "schema.sql").write_text(ddl)
    config = Config(folder, folder, schemas=schemas)
    return read_samples(given, read_schemas(config), folder, folder)


def texts(cells) -> list:
    return [[None if cell is None else cell.text for cell in row] for row in cells.rows]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a,b\n1,x\n", [["1", "x"]]),
        ("a,b\r\n1,x\r\n\r\n2,y", [["1", "x"], ["2", "y"]]),
        ("a;b\n1;x,y\n", [["1", "x,y"]]),
        ("a\tb\n1\tx\n", [["1", "x"]]),
        ('a,b\n1,""\n2,\n', [["1", ""], ["2", None]]),  # an empty text, and a missing one
        ('a,b\n1,"x,""y""\nz"\n,  w \n', [["1", 'x,"y"\nz'], [None, "  w "]]),
        (',b\n1,"x"\n'.replace(",b", "a,b"), [["1", "x"]]),
        ('a,b\n,\n,"x"\n', [[None, None], [None, "x"]]),
        ("a,b\nNULL,nan\n", [["NULL", "nan"]]),
        ("a\n\n1\n", [["1"]]),
    ],
)
def test_a_csv(tmp_path, text, rows):
    (tmp_path / "t.csv").write_bytes(text.encode())
    assert texts(read_cells(tmp_path / "t.csv", "t.csv")) == rows


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("t.csv", "a,b\n1\n", "line 2: found 1 cells under 2 names"),
        ("t.csv", "a,A\n1,2\n", "line 1: found the column a twice"),
        ("t.csv", "a,\n1,2\n", "line 1: found a column without a name"),
        ("t.csv", 'a\n"x\n', "line 2: found a quote that is not closed"),
        ("t.csv", 'a\nx"y\n', "line 2: found a quote that is not closed, or stands within a cell"),
        ("t.csv", "", "found an empty file"),
        ("t.json", '{"a": 1', "line 1: found text that is no JSON"),
        ("t.json", "[1]", "[0]: found JSON that is no object"),
        ("t.json", '{"a": 1}\n{"a": [1]}', "line 2: found a nested value in a"),
    ],
)
def test_a_file_that_can_not_be_read(tmp_path, name, text, found):
    (tmp_path / name).write_text(text)
    assert found in str(read_cells(tmp_path / name, name))


def test_json_lines_and_an_array_are_read_alike(tmp_path):
    objects = [{"a": 1, "b": "x"}, {"b": None, "c": True, "a": 1.50}]
    lines = "\n".join(map(json.dumps, objects)).replace("1.5}", "1.50}")
    (tmp_path / "t.jsonl").write_text(lines)
    (tmp_path / "t.json").write_text(f"[{lines.replace(chr(10), ',')}]")
    for name in ("t.jsonl", "t.json"):
        cells = read_cells(tmp_path / name, name)
        assert cells.columns == ("a", "b", "c")
        assert texts(cells) == [["1", "x", None], ["1.50", None, "true"]]


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("bigint", " +007 ", "7"),
        ("tinyint", "-128", "-128"),
        ("decimal(5,2)", "1.5", "1.5"),
        ("decimal(5,2)", "-123.450", "-123.450"),
        ("decimal(5,2)", "1e2", "100"),
        ("double", "1e400", "inf"),
        ("double", "-Infinity", "-Infinity"),
        ("double", "nan", "NaN"),
        ("boolean", "TRUE", "true"),
        ("date", "2024-02-29", "2024-02-29"),
        ("timestamp", "2024-01-31T10:00:00+02:00", "2024-01-31 08:00:00.000000"),
        ("timestamp_ntz", "2024-01-31 10:00", "2024-01-31 10:00:00.000000"),
        ("string", " 007 ", " 007 "),
        ("varchar(3)", "abc", "abc"),
        ("char(3)", "a", "a  "),
        ("array<int>", "[1]", "[1]"),
    ],
)
def test_a_value_of_a_type(kind, text, value):
    assert canonical(text, parse_type(kind)) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("int", "1.0"), ("int", "1e3"), ("int", "2147483648"), ("int", ""), ("int", "٣"),
        ("decimal(5,2)", "1.555"), ("decimal(5,2)", "1000"), ("decimal(5,2)", "x"),
        ("double", "0x10"), ("boolean", "1"), ("boolean", "yes"), ("date", "2024-02-30"),
        ("date", "01/02/2024"), ("date", "2024-1-2"), ("date", "2024-01-31 10:00:00"),
        ("timestamp", "today"), ("timestamp_ntz", "2024-01-31T10:00:00Z"),
        ("varchar(3)", "abcd"), ("char(3)", "abcd"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_value_of_a_type(kind, text):
    with pytest.raises(Unfit):
        canonical(text, parse_type(kind))


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["1", "-2"], "bigint"),
        (["007", "8"], "string"),  # what is written with zeros in front is no number
        (["9223372036854775808"], "decimal(19,0)"),
        (["1", "-2.50"], "decimal(3,2)"),
        (["1.5", "1e3"], "double"),
        (["01.5"], "string"),
        (["true", "FALSE"], "boolean"),
        (["2024-01-31"], "date"),
        (["2024-01-31", "2024-13-01"], "string"),
        (["2024-01-31 10:00"], "timestamp"),
        (["31/01/2024"], "string"),
        (["1", "x"], "string"),
        ([], "string"),
    ],
)
def test_a_type_that_nobody_declared(texts, kind):
    cells = [None, *(Written(text) for text in texts)]
    assert inferred(cells).text == kind


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([Written("1", "text")], "string"),
        ([Written("2024-01-31", "text")], "string"),
        ([Written("1", "number")], "bigint"),
        ([Written("1.5", "number")], "decimal(2,1)"),
        ([Written("true", "boolean")], "boolean"),
        ([Written("true", "boolean"), Written("1", "number")], "string"),
    ],
)
def test_a_type_that_json_states(cells, kind):
    assert inferred(cells).text == kind


def test_declared_types_win_and_the_others_are_told(tmp_path):
    (tmp_path / "t.csv").write_text("Code,n,day\n007,1,2024-01-31\n")
    (found,) = samples(tmp_path, "T=t.csv", ddl="CREATE TABLE a.b.t (code STRING, day DATE, x INT)")
    assert [(name, kind.text) for name, kind in found.columns] == [
        ("Code", "string"), ("n", "bigint"), ("day", "date"),
    ]  # fmt: skip
    assert found.table.inferred == (("n", "bigint"),)
    assert found.notes == (
        "T: types inferred from the rows, not declared: n bigint.",
        "T: the files lack columns of the schema: x.",
    )


def test_files_of_one_table_are_its_rows_together(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    (tmp_path / "b.json").write_text('{"Y": 4, "x": 3.5}\n')
    (found,) = samples(tmp_path, "t=a.csv", "T = b.json")
    assert found.table.files == ("a.csv", "b.json")
    rows = [json.loads(line) for line in found.path.read_text().splitlines()]
    assert rows == [{"0": "1", "1": "2"}, {"0": "3.5", "1": "4"}]
    assert [kind.text for _, kind in found.columns] == ["decimal(2,1)", "bigint"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["t=bad.csv"], 'bad.csv, line 3, day: found "soon"; expected a value of type date'),
        (["t=a.csv", "t=other.csv"], "other.csv: found the columns z; expected those of a.csv"),
        (["t=a.csv", "t=p.parquet"], "several files for t, one of them Parquet"),
        (["t=false.parquet"], "false.parquet: found a file that is no Parquet; expected a Parquet"),
        (["t"], '--data: found "t"; expected --data TABLE=FILE'),
    ],
)
def test_data_that_is_refused(tmp_path, given, message):
    (tmp_path / "bad.csv").write_text("day\n2024-01-31\nsoon\nlater\n")
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "other.csv").write_text("z\n1\n")
    (tmp_path / "false.parquet").write_text("z\n1\n")
    with pytest.raises(InputFaults) as caught:
        samples(tmp_path, *given, ddl="CREATE TABLE t (day DATE)")
    assert message in str(caught.value)
    assert len(caught.value.faults) == 1


def test_all_faults_of_all_files_are_told_at_once(tmp_path):
    (tmp_path / "bad.csv").write_text("day,n\nsoon,x\nlater,y\n")
    with pytest.raises(InputFaults) as caught:
        samples(tmp_path, "t=bad.csv", "u=lost.csv", "v", ddl="CREATE TABLE t (day DATE, n INT)")
    assert len(caught.value.faults) == 4


# Both engines hold the same values ----------------------------------------------------------------

DDL = (
    "CREATE TABLE t (b BOOLEAN, i INT, l BIGINT, m DECIMAL(15,2), f FLOAT, d DOUBLE, day DATE, "
    "ts TIMESTAMP, tn TIMESTAMP_NTZ, s STRING)"
)
ROWS = """b,i,l,m,f,d,day,ts,tn,s
true,-1,9223372036854775807,1.50,0.1,1e22,0001-01-01,2024-01-31T10:00:00+02:00,2024-01-31 10:00,"it's"
false,0,-9223372036854775808,-0.01,1e10,0.0001,9999-12-31,1969-12-31 23:59:59.5,9999-12-31 23:59:59.999999,""
,,,,,,,,,
true,7,0,9999999999999.99,NaN,-Infinity,2024-02-29,2024-01-01,0001-01-01,"a
\\ ""b"" é 😀"
"""  # noqa: E501


def on_duckdb(found) -> list[tuple]:
    with duckdb.connect() as connection:
        store = Store(connection)
        relation = store.loaded(found)
        assert [own.type.text for own in relation.fields] == [k.text for _, k in found.columns]
        rows = connection.execute(relation.query.sql("duckdb")).fetchall()
    return [tuple(map(as_text, row)) for row in rows]


def test_both_engines_hold_the_same_values(spark, tmp_path):
    (tmp_path / "t.csv").write_text(ROWS, encoding="utf-8")
    (found,) = samples(tmp_path, "t=t.csv", ddl=DDL)
    frame = sample_rows(spark, found)
    rows = frame.selectExpr(*(f"CAST({name} AS STRING)" for name in frame.columns)).collect()
    mine = on_duckdb(found)
    floats = [column for column in range(10) if column != 4]  # a FLOAT has fewer digits as text
    assert [[row[c] for c in floats] for row in mine] == [[row[c] for c in floats] for row in rows]
    assert frame.select((frame.f == 0.1).cast("string")).collect()[0][0] == "false"
    assert frame.dtypes[3] == ("m", "decimal(15,2)")
    assert mine[2] == (None,) * 10
    assert mine[1][9] == ""


@pytest.mark.parametrize("written", ["INT96", "TIMESTAMP_MICROS"])
def test_parquet_brings_its_own_types(spark, tmp_path, written):
    query = (
        "SELECT CAST(1 AS TINYINT) AS b, 2 AS i, 3L AS l, CAST(1.5 AS DECIMAL(9,3)) AS m, "
        "CAST(1 AS DOUBLE) AS d, DATE'2024-01-31' AS day, TIMESTAMP'2024-01-31 10:00:00' AS ts, "
        "TIMESTAMP_NTZ'2024-01-31 10:00:00' AS tn, 'x' AS s, true AS o, array(1) AS a"
    )
    spark.conf.set("spark.sql.parquet.outputTimestampType", written)
    spark.sql(query).coalesce(1).write.parquet(str(tmp_path / "out"))
    spark.conf.unset("spark.sql.parquet.outputTimestampType")
    (file,) = (tmp_path / "out").glob("*.parquet")
    (found,) = samples(tmp_path, f"t={file}")
    with duckdb.connect() as connection:
        relation = Store(connection).loaded(found)
        (row,) = connection.execute(relation.query.sql("duckdb")).fetchall()
    kinds = {own.name: own.type.text for own in relation.fields}
    a = kinds.pop("a")
    assert kinds == dict(sample_rows(spark, found).drop("a").dtypes)
    assert "of duckdb" in a
    assert as_text(row[6]) == as_text(row[7]) == "2024-01-31 10:00:00"


@pytest.mark.parametrize(
    "number", [0.0, -0.0, 1.0, 1e7, 12345678.9, 9999999.0, 1e-3, 9.99e-4, -1.5e300, 5e-324, 1e22]
)
def test_a_double_is_written_as_java_does(spark, number):
    (row,) = spark.sql(f"SELECT CAST(CAST('{number!r}' AS DOUBLE) AS STRING)").collect()
    assert of_double(number) == row[0] or number == 5e-324  # Java 17 writes 4.9E-324
