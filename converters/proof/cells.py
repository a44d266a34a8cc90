"""What a cell of a boundary row may hold, and what a family of column types says about values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.predicates import Value

# A datetime has no zone and means UTC.
Cell: TypeAlias = Value | float | bytes


@dataclass(frozen=True, slots=True)
class Family:
    """Three questions about the types of one family.

    `fit`: the values of the type that a cell becomes (none, or two where it lies between two);
    `around`: what lies next to a literal, still to be fitted; `limits`: the type's own edges.
    """

    fit: Callable[[Cell, ColumnType], Iterator[Cell]]
    around: Callable[[Value, ColumnType], Iterator[Cell]]
    limits: Callable[[ColumnType], Iterator[Cell]]
