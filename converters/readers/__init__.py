"""The readers: ending of a file's name -> the function that turns such files into readings.

A reader knows nothing of Lakeflow. To add one: a folder here, and a line in `READERS`. The folder
is imported where there is something for it to read; schema files are read without any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleferry.converters.readers.raw import Counted, Faults, RawFile, Reader


def _great_expectations(files: Sequence[RawFile]) -> Sequence[Counted | Faults]:
    from ruleferry.converters.readers.great_expectations import read_files

    return read_files(files)


def _spreadsheet(files: Sequence[RawFile]) -> Sequence[Counted | Faults]:
    from ruleferry.converters.readers.spreadsheet import read_files

    return read_files(files)


# Files that are read as bytes, for they are no texts or tell their encoding themselves.
BINARY = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".csv", ".tsv")

READERS: Mapping[str, Reader] = {
    **dict.fromkeys((".json", ".yml", ".yaml"), _great_expectations),
    **dict.fromkeys(BINARY, _spreadsheet),
}
