"""Which Great Expectations ran a suite: its generation decides what an expectation means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.rule import Engine

# v2: the Dataset API up to 0.12; v3: metrics, 0.13 to 0.18; 1.x.
Generation: TypeAlias = Literal["v2", "v3", "1.x"]
GENERATIONS: tuple[Generation, ...] = ("v2", "v3", "1.x")
# Major and minor number.
Version: TypeAlias = tuple[int, int]

_NUMBER = re.compile(r"(\d{1,3})\.(\d{1,3})(?!\d)")


@dataclass(frozen=True, slots=True)
class Ran:
    """What ran an expectation; `version` is None where its file states none."""

    generation: Generation
    engine: Engine | None = None
    version: Version | None = None

    @property
    def modern(self) -> bool:
        return self.generation == "1.x"

    @staticmethod
    def of(
        element: Mapping[str, Json],
        version: Version | None,
        engine: Engine | None,
        generation: Generation | None = None,
    ) -> Ran:
        """The element's own key tells 1.x from 0.x, whatever its file was labelled with later.

        `generation`: the one that the form of the file tells.
        """
        if generation is not None:
            return Ran(generation, engine, version)
        if "type" in element:
            return Ran("1.x", engine, version if version and version >= (1, 0) else None)
        old = version if version and version < (1, 0) else None
        return Ran("v2" if old and old < (0, 13) else "v3", engine, old)


def stated_version(document: Mapping[str, Json]) -> Version | None:
    """`great_expectations_version` of a document's meta, or what 0.7 to 0.11 called it."""
    meta = document.get("meta")
    for key in ("great_expectations_version", "great_expectations.__version__"):
        found = meta.get(key) if isinstance(meta, dict) else None
        if isinstance(found, str) and (number := _NUMBER.match(found)):
            return int(number[1]), int(number[2])
    return None
