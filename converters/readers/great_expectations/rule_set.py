"""A list of expectations in a file: that of a suite, of a run, or of a file made at home."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ruleferry.converters.readers.great_expectations.data import Data
from ruleferry.converters.readers.great_expectations.version import Generation, Version
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.rule import Engine

Kind: TypeAlias = Literal["suite", "run", "list"]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """`elements`, each at one of `places` in the file; `stated`: as the author wrote them, if else.

    A run has run at `ran_at` (digits of a time, which sort) on `data` of `datasource`, and the
    elements of `raised` gave an error; `partial`: it kept only what failed. `anonymous`: it names
    no suite. `table`: the one that a list states beside itself; `asset`: what up to 0.8 called its
    data. `generation` is told by the form of the file, where the elements themselves don't tell it.
    """

    kind: Kind
    file: str
    name: str
    elements: Sequence[Json]
    places: Sequence[str]
    stated: Sequence[Json] = ()
    level: str | None = None
    table: str | None = None
    asset: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    engine: Engine | None = None
    version: Version | None = None
    generation: Generation | None = None
    parameters: Mapping[str, Json] = field(default_factory=dict)
    citations: tuple[Mapping[str, Json], ...] = ()
    anonymous: bool = False
    partial: bool = False
    ran_at: str = ""
    datasource: str = ""
    data: Data | None = None
    raised: frozenset[int] = frozenset()

    @property
    def stem(self) -> str:
        """Its data's own name, or the suite's without the ending that 0.8 to 0.13 gave a level."""
        named = self.name.removesuffix(f".{self.level}") if self.level else self.name
        return self.asset or named
