"""The type of what a call gives."""

from __future__ import annotations

from collections.abc import Sequence

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.sql_types import NUMBERS, STRING, TEXTS, VOID, common_number


def same_type(types: Sequence[ColumnType | None]) -> ColumnType | None:
    """The one type of several values; None where it is not known."""
    kinds = [kind for kind in types if kind != VOID]
    known = [kind for kind in kinds if kind is not None]
    if not known or len(known) < len(kinds):
        return None
    if all(kind.family in NUMBERS for kind in known):
        return common_number(known)
    if all(kind.family in TEXTS for kind in known):
        return STRING
    return known[0] if len({kind.text for kind in known}) == 1 else None
