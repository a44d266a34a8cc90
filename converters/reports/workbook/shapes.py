"""A sheet as it is to be written: frozen rows of texts and numbers, nothing of a file format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

# How a cell looks. `open`: the number of a question by which rules are lost; `later`: of another
# one; `answer`, `date`: to be filled by a person; `id`: of no interest to a reader.
Style: TypeAlias = Literal[
    "title", "heading", "note", "warning", "bold", "said", "text", "strong", "code", "number",
    "total", "open", "later", "link", "go", "header", "header_number", "header_filled", "answer",
    "date", "id",
]  # fmt: skip
STYLES: tuple[Style, ...] = get_args(Style)


@dataclass(frozen=True, slots=True)
class Link:
    """Another place of the workbook: row 1 is the header."""

    sheet: str
    row: int = 1


@dataclass(frozen=True, slots=True)
class Cell:
    """A text is shown as it is, whatever it looks like; it is never a formula."""

    value: str | int = ""
    style: Style = "text"
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """`folded`: it belongs to the row above it, and shows when that is opened.

    `opens`: rows that belong to it follow. `height` in points; None: as the program likes it.
    """

    cells: tuple[Cell | None, ...]
    height: int | None = None
    folded: bool = False
    opens: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """What the cells of a column may hold, in these rows.

    `free`: another text is welcome too; `told`: shown beside the cell that is being filled.
    `picks` is None where a date is wanted.
    """

    column: int
    rows: tuple[int, ...]
    picks: tuple[str, ...] | None
    free: bool
    told: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """`widths` in characters, a column each; a `listing` has a header row, which stays and filters.

    `frozen`: how many columns stay when a person scrolls to the right.
    """

    name: str
    rows: tuple[Row, ...]
    widths: tuple[int, ...]
    choices: tuple[Choice, ...] = ()
    listing: bool = True
    frozen: int = 0
    hidden: bool = False
