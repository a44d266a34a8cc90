"""The readers: ending of a file's name -> the function that turns such files into readings.

A reader knows nothing of Lakeflow. To add one: a folder here, and a line in `READERS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ruleferry.converters.readers.great_expectations import read_files
from ruleferry.converters.readers.raw import Reader

READERS: Mapping[str, Reader] = dict.fromkeys((".json", ".yml", ".yaml"), read_files)
