"""The readers: ending of a file's name -> the function that turns such files into readings.

A reader knows nothing of Lakeflow. To add one: a folder here, and a line in `READERS`. The folder
is imported where there is something for it to read; schema files are read without any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.raw import Counted, RawFile, Reader


def _great_expectations(files: Sequence[RawFile]) -> Sequence[Counted | Fault]:
    from ruleferry.converters.readers.great_expectations import read_files

    return read_files(files)


READERS: Mapping[str, Reader] = dict.fromkeys((".json", ".yml", ".yaml"), _great_expectations)
