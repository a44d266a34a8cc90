"""Text files as inputs: read whole as UTF-8, or a fault that says what the file is instead."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from ruleferry.converters.errors import Fault

# First bytes of files that are often given by mistake.
_SIGNATURES = {
    b"PK\x03\x04": "a workbook or another zip archive",
    b"\xd0\xcf\x11\xe0": "an old Office file or an encrypted workbook",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF file",
    b"\x1f\x8b": "a file compressed by gzip",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text without its byte order mark, and the SHA-256 of the file's bytes."""

    text: str
    sha256: str


def read_text(path: Path, shown_as: str, *, may_be_empty: bool = False) -> TextFile | Fault:
    """Read a file as UTF-8; `shown_as` is the name that a fault gives it."""
    expected = "a text file in UTF-8"
    if path.exists() and not path.is_file():  # a pipe would be waited for
        return Fault(shown_as, None, "what is no file", expected, "Check the path.")
    try:
        data = path.read_bytes()
    except OSError as error:
        found = f"no readable file ({error.strerror or error})"
        return Fault(shown_as, None, found, expected, "Check the path and the permissions.")
    if not data.strip() and not may_be_empty:
        return Fault(shown_as, None, "an empty file", expected, "Export it again.")
    for signature, kind in _SIGNATURES.items():
        if data.startswith(signature):
            return Fault(shown_as, None, kind, expected, "Save it as text in UTF-8.")
    if b"\0" in data:
        return Fault(shown_as, None, "a binary file", expected, "Save it as text in UTF-8.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"the byte 0x{data[error.start]:02X}, which is no UTF-8"
        return Fault(shown_as, f"line {line}", found, expected, "Save it as text in UTF-8.")
    return TextFile(text, hashlib.sha256(data).hexdigest())
