"""The bytes of a script -> its text, or the one reason why they are none."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST = 32 * 1024 * 1024  # bytes; nobody writes a script that large, and dumps have no bound

_EXPORT = "Export it again."
_SAVE = "Save it as text in UTF-8."
# First bytes of what is often given by mistake.
_SIGNATURES = {
    b"PK\x03\x04": "a zip archive or a workbook",
    b"\x1f\x8b": "a file compressed by gzip",
    b"BZh": "a file compressed by bzip2",
    b"\xfd7zXZ\x00": "a file compressed by xz",
    b"\x28\xb5\x2f\xfd": "a file compressed by zstd",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"\xd0\xcf\x11\xe0": "an old Office file or an encrypted workbook",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF file",
    b"SQLite format 3\x00": "a database of SQLite",
    b"PGDMP": "an archive of pg_dump",
    b"\x7fELF": "a program",
    b"\xff\xfe\x00\x00": "text in UTF-32",
    b"\x00\x00\xfe\xff": "text in UTF-32",
}
_POINTER = b"version https://git-lfs.github.com/spec/"
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_CONTROL = re.compile("[\x00-\x08\x0e-\x19\x1b-\x1f\x7f]")
# Letters of other alphabets and of Central Europe look like this when they are read as Western
# text: signs within words, and words of accented letters alone.
_FOREIGN = re.compile("[^\\W\\d_][¡-©«-¹»-¿×÷€‚„†‡‰‹•›™“”‘]+[^\\W\\d_]|[À-ÖØ-öø-ÿŒœŠšŽžŸ]{3}")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text without its byte order mark; `encoding`: utf-8, utf-16 or cp1252, which is a guess."""

    text: str
    encoding: str


@dataclass(frozen=True, slots=True)
class NoText:
    """What the file is instead, and what to do."""

    found: str
    todo: str


def decode(data: bytes) -> Decoded | NoText:
    """Tells what the bytes are without a copy of them, until they may be a text."""
    if len(data) > MOST:
        return too_large()
    if not data.strip():
        return NoText("an empty file", _EXPORT)
    for signature, what in _SIGNATURES.items():
        if data.startswith(signature):
            return NoText(what, _SAVE)
    if data.startswith(_POINTER):
        return NoText("a pointer of Git LFS, and not the file itself", "Run git lfs pull.")
    return _wide(data) if data[:2] in _WIDE else _narrow(data)


def too_large() -> NoText:
    """Also of a file whose size alone is known."""
    found = f"more than {MOST >> 20} MB; no script is that large"
    return NoText(found, "Give the scripts without data, one by one.")


def _wide(data: bytes) -> Decoded | NoText:
    try:
        text = data[2:].decode(_WIDE[data[:2]])
    except UnicodeDecodeError as error:
        return NoText(f"text in UTF-16 that breaks off at byte {error.start + 2}", _EXPORT)
    if not text.strip():
        return NoText("an empty file", _EXPORT)
    return _binary() if _CONTROL.search(text) else Decoded(text, "utf-16")


def _narrow(data: bytes) -> Decoded | NoText:
    if b"\0" in data:
        return _binary()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return _western(data, error)
    if not text.strip():
        return NoText("an empty file", _EXPORT)
    return _binary() if _CONTROL.search(text) else Decoded(text, "utf-8")


def _western(data: bytes, error: UnicodeDecodeError) -> Decoded | NoText:
    line = data.count(b"\n", 0, error.start) + 1
    other = NoText(f"the byte 0x{data[error.start]:02X} in line {line}, which is no UTF-8", _SAVE)
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return other
    if _CONTROL.search(text):
        return _binary()
    return other if _FOREIGN.search(text) else Decoded(text, "cp1252")


def _binary() -> NoText:
    return NoText("a binary file", _SAVE)
