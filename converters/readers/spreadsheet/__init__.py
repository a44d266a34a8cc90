"""Spreadsheets: data dictionaries, mapping sheets and rule lists in the layout of their owner."""

from __future__ import annotations

from collections.abc import Sequence

from ruleferry.converters.readers.raw import Counted, Faults, RawFile
from ruleferry.converters.readers.spreadsheet.reading import draft_of, read_file, unused_profiles


def read_files(files: Sequence[RawFile]) -> Sequence[Counted | Faults]:
    """A reading of each file, in their order."""
    unused = unused_profiles(files)
    return [unused.get(raw.file) or read_file(raw) for raw in files]


__all__ = ["draft_of", "read_files"]
