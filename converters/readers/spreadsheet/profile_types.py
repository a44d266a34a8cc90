"""What a profile may say of one sheet, in place of what the reader would find out itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleferry.converters.readers.spreadsheet.blocks import SheetKind

Continuation: TypeAlias = Literal["blank-name", "none"]


@dataclass(frozen=True, slots=True)
class SheetSettings:
    """None: the reader decides. Rows count from 1, as a person counts.

    `last_column`: its letters; in a transposed sheet too. `table`: a name, or the address of the
    cell that holds it (B1). `first_row`, `last_row`: the records outside them are not read; in a
    transposed sheet the rows of the sheet all the same. `ignore`: the sheet is not read.
    """

    header_row: int | None = None
    last_column: str | None = None
    transposed: bool | None = None
    kind: SheetKind | None = None
    table: str | None = None
    continuation: Continuation | None = None
    ignore: bool = False
    first_row: int | None = None
    last_row: int | None = None


NO_SETTINGS = SheetSettings()
