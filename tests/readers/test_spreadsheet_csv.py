"""CSV and its like: encodings, delimiters, quotes, lines."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.readers.spreadsheet.cells import Book
from ruleferry.converters.readers.spreadsheet.workbook.csv_text import read_csv_head
from ruleferry.converters.readers.spreadsheet.workbook.read import read_book


def table(text, file="fields.csv", encoding="utf-8", rows=None):
    data = text if isinstance(text, bytes) else text.encode(encoding)
    book = read_book(data, file, rows)
    assert isinstance(book, Book), book
    return [list(row) for row in book.sheets[0].rows]


def fault(data, file="fields.csv"):
    found = read_book(data if isinstance(data, bytes) else data.encode(), file)
    assert isinstance(found, list), found
    return found[0]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("name,type\nid,int\n", [["name", "type"], ["id", "int"]]),
        ("name;type\nid;decimal(5,2)\n", [["name", "type"], ["id", "decimal(5,2)"]]),
        ("name\ttype\nid\tint", [["name", "type"], ["id", "int"]]),
        ("name|type\r\nid|int\r\n", [["name", "type"], ["id", "int"]]),
        ("name\ntype\n", [["name"], ["type"]]),
        ("a;b\n1,5;2,5\n1,5;3,5\n", [["a", "b"], ["1,5", "2,5"], ["1,5", "3,5"]]),
        (
            'sex,"1, Yes | 0, No"\nage,"1, Yes | 0, No"\n',
            [["sex", "1, Yes | 0, No"], ["age", "1, Yes | 0, No"]],
        ),
        ('a, "b, c"\nd, "e"\n', [["a", "b, c"], ["d", "e"]]),
        ('a, b\nc, "d" e\n', [["a", " b"], ["c", ' "d" e']]),
        ('a,5" pipe\nb,c\n', [["a", '5" pipe'], ["b", "c"]]),
        ('a,"say ""x"""\nb,c\n', [["a", 'say "x"'], ["b", "c"]]),
        ("# banner\na,b\nc,d\ne,f\n", [["# banner"], ["a", "b"], ["c", "d"], ["e", "f"]]),
        ("a,b\n\nc,d\n", [["a", "b"], [], ["c", "d"]]),
        ("sep=;\na;b,c\n", [["a", "b,c"]]),
        ("a,007,1e5,TRUE,2024-05-01\n", [["a", "007", "1e5", "TRUE", "2024-05-01"]]),
    ],
)
def test_rows(text, rows):
    assert table(text) == rows


def test_a_tsv_is_one():
    assert table("a,b\tc\nd,e\tf\n", "fields.tsv") == [["a,b", "c"], ["d,e", "f"]]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le-bom", "utf-16-be-bom", "cp1252"]
)
def test_encodings(encoding):
    text = "name,label\nlänge,Größe – €\n"
    if encoding.endswith("-bom"):
        data = "\ufeff".encode(encoding[:9]) + text.encode(encoding[:9])
    else:
        data = text.encode(encoding)
    assert table(data) == [["name", "label"], ["länge", "Größe – €"]]


@pytest.mark.parametrize("encoding", ["cp1251", "gbk", "shift_jis", "koi8-r", "cp1253"])
def test_encodings_that_cannot_be_told(encoding):
    text = {"gbk": "字段名称,数据类型", "shift_jis": "項目名称,データ型", "cp1253": "όνομα,τύπος"}
    found = fault(("a,b\n" + text.get(encoding, "Имя,Тип поля") + "\n").encode(encoding))
    assert "encoding" in found.found
    assert found.place == "line 2"


@pytest.mark.parametrize(
    ("data", "place", "found"),
    [
        ('a,b\nc,"d\ne,f\n', "line 2", "never closed"),
        ('a,b\n"x\ny",z\nc,"d"e\n', "line 4", "text after a closing quote"),
        (b"a,b\0\nc,d", None, "binary"),
        ("<!DOCTYPE html><html>", None, "HTML or XML"),
        ('a,b\n"' + "x" * 140_000 + '",c\n', "line 2", "131,072 characters"),
        ('a,b\nc;x,d\ne,"f"g\n', "line 3", "text after a closing quote"),
        ('sep=;\na;b\nc;"d\n', "line 3", "never closed"),
    ],
)
def test_broken_text(data, place, found):
    told = fault(data)
    assert found in told.found
    assert told.place == place


def test_each_row_knows_its_line():
    book = read_book(b'a,b\n"x\n\ny",z\n\nc,d\n', "fields.csv")
    assert book.sheets[0].lines == (1, 2, 5, 6)
    assert book.sheets[0].cell(1, 0).place == "A2"
    stated = read_book(b"sep=,\r\na,b\r\nc,d\r\n", "fields.csv")
    assert stated.sheets[0].lines == (2, 3)


def test_the_first_rows_alone():
    assert table("a,b\nc,d\ne,f\n", rows=2) == [["a", "b"], ["c", "d"]]
    assert table('a,b\nc,d\ne,"f\n', rows=2) == [["a", "b"], ["c", "d"]]


def test_the_head_of_a_large_file(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("name,note\n" + 'x,"a\né"\n' * 600_000, "utf-8")
    book = read_csv_head(path, "data.csv", 10)
    assert len(book.sheets[0].rows) == 10
    all_of_it = read_csv_head(path, "data.csv", 10**9)
    assert 100_000 < len(all_of_it.sheets[0].rows) < 500_000
    assert {tuple(row) for row in all_of_it.sheets[0].rows[1:]} == {("x", "a\né")}
    assert "no readable file" in read_csv_head(tmp_path / "no.csv", "no.csv", 3)[0].found


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)


@settings(max_examples=300, deadline=None)
@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(
            st.lists(cells, min_size=width, max_size=width), min_size=1, max_size=6
        )
    ),
    st.sampled_from("\t;"),
)
def test_what_is_written_is_read(rows, delimiter):
    """Of any texts, where the delimiter is known."""
    held = io.StringIO(newline="")
    writer = csv.writer(held, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows(rows)
    data = f"sep={delimiter}\r\n".encode() + held.getvalue().encode()
    assert table(data) == rows


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from('ab,;|\t"\n\r =')) | st.text())
def test_nothing_raises(text):
    found = read_book(text.encode("utf-8", "replace"), "fields.csv")
    assert isinstance(found, Book | list)
    if isinstance(found, Book):
        sheet = found.sheets[0]
        assert len(sheet.lines) == len(sheet.rows)
