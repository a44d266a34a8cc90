"""What a reader is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ruleferry.converters.errors import Fault
from ruleferry.converters.rule import Engine, Reading

# The names of a rule set (a suite) -> the tables that were stated for it.
TablesOf: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class RawFile:
    """A file's text, and what the run was told about it; `parameters`: [parameters]."""

    file: str
    text: str
    sha256: str
    engine: Engine | None
    tables_of: TablesOf
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Counted:
    """A reading, and the number of its atoms as other code counts them.

    `rules_of_atom`: how many rules each atom has, where the source's form says so.
    """

    reading: Reading
    second_count: int
    rules_of_atom: int | None = None


Reader: TypeAlias = Callable[[RawFile], Counted | Fault]
