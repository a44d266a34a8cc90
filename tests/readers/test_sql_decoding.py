"""The bytes of a script: its text, or what they are instead."""

import gzip
import zlib

import pytest

from ruleferry.converters.readers.sql.split import Decoded, NoText, decode
from ruleferry.converters.readers.sql.split.decoding import MOST

TEXT = "SELECT 'é', '€' FROM t;\r\n"
DECODES = [
    ("UTF-8", TEXT.encode(), TEXT, "utf-8"),
    ("UTF-8 with its mark", TEXT.encode("utf-8-sig"), TEXT, "utf-8"),
    ("UTF-16", b"\xff\xfe" + TEXT.encode("utf-16-le"), TEXT, "utf-16"),
    ("UTF-16 of the other order", b"\xfe\xff" + TEXT.encode("utf-16-be"), TEXT, "utf-16"),
    ("Western", TEXT.encode("cp1252"), TEXT, "cp1252"),
    ("Western words", "-- prüfen: Größe, año, naïve, œuvre".encode("cp1252"), None, "cp1252"),
    ("the end of DOS", b"SELECT 1;\x1a", "SELECT 1;\x1a", "utf-8"),
    ("comments alone", b"-- nothing", "-- nothing", "utf-8"),
]  # fmt: skip
REFUSED = [
    ("nothing", b"", "an empty file"),
    ("blanks", b" \r\n\t", "an empty file"),
    ("a mark alone", b"\xef\xbb\xbf\n", "an empty file"),
    ("a wide mark alone", b"\xff\xfe", "an empty file"),
    ("NUL", b"SELECT 1;\0", "a binary file"),
    ("UTF-16 without its mark", TEXT.encode("utf-16-le"), "a binary file"),
    ("controls", b"SELECT\x01\x02\x03", "a binary file"),
    ("gzip", gzip.compress(b"SELECT 1"), "gzip"),
    ("zip", b"PK\x03\x04 and more", "zip"),
    ("Parquet", b"PAR1....", "Parquet"),
    ("a dump", b"PGDMP\x01\x0e", "pg_dump"),
    ("UTF-32", "SELECT 1".encode("utf-32"), "UTF-32"),
    ("zlib", zlib.compress(b"SELECT 1 FROM t WHERE a < 0" * 9), ""),
    ("Git LFS", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "Git LFS"),
    ("half a sign", b"\xff\xfeS\0E", "breaks off"),
    ("Cyrillic", "SELECT 'привет'".encode("cp1251"), "line 1"),
    ("Polish", "-- a\n-- wartość główna, źródło, społeczność".encode("cp1250"), "line 2"),
    ("Japanese", "SELECT '確認'".encode("shift-jis"), "no UTF-8"),
    ("too large", b"SELECT 1;\n" * (MOST // 10 + 1), "32 MB"),
]


@pytest.mark.parametrize(
    ("data", "text", "encoding"), [d[1:] for d in DECODES], ids=[d[0] for d in DECODES]
)
def test_a_text_is_read(data, text, encoding):
    read = decode(data)
    assert isinstance(read, Decoded)
    assert read.encoding == encoding
    assert text is None or read.text == text


@pytest.mark.parametrize(("data", "why"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_what_is_no_text_is_told(data, why):
    read = decode(data)
    assert isinstance(read, NoText)
    assert why in read.found
    assert read.todo.endswith(".")
