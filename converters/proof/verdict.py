"""What the oracle says of an expectation on some rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class RowVerdicts:
    """One letter a row: F is unexpected, T is not (NULL and out of scope are not)."""

    rows: str


@dataclass(frozen=True, slots=True)
class Overall:
    """An expectation that says nothing of single rows: an aggregate, a type, a column list."""

    success: bool


@dataclass(frozen=True, slots=True)
class Raised:
    """Great Expectations refused the expectation, or could not compute it on these rows."""

    message: str


Verdict: TypeAlias = RowVerdicts | Overall | Raised
