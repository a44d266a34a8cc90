"""What limits the cells of a sheet: data validations, and the comments on a template's header."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleferry.converters.readers.spreadsheet.blocks import Block, Layout
from ruleferry.converters.readers.spreadsheet.cells import (
    Area,
    Sheet,
    Validation,
    address,
)
from ruleferry.converters.readers.spreadsheet.lists.validations import (
    comment_statements,
    sheet_validations,
)
from ruleferry.converters.readers.spreadsheet.look import Look
from ruleferry.converters.readers.spreadsheet.phrases import read_phrase
from ruleferry.converters.readers.spreadsheet.statement import Column, Statement
from ruleferry.converters.readers.spreadsheet.statements import Stated
from ruleferry.converters.rule import NotARule


def of_sheet(sheet: Sheet, layout: Layout, look: Look) -> Iterator[Stated]:
    """Each validation of the sheet, and each comment on a field's name of a template."""
    template = next((block for block in layout.blocks if block.kind == "template"), None)
    tables = (template.table,) if template and template.table else ()
    names = _names(template)
    header = template.headers[0].cell.row if template else None
    read = sheet_validations(sheet, look.book, names, look.lists, header)
    for number, (validation, statements) in enumerate(read, 1):
        said = statements if names or validation.kind == "none" else (_of_the_sheet(layout),)
        place = _place(sheet, validation)
        yield Stated(
            f"{place} validation {number}", place, _text(validation), sheet.name, tables, said
        )
    if template is not None:
        yield from _comments(template, tables, look)


def _names(template: Block | None) -> Mapping[int, str]:
    return {h.cell.column: h.text for h in template.headers if h.text} if template else {}


def _of_the_sheet(layout: Layout) -> Statement:
    if layout.blocks:
        reason = "it limits what may be typed into the sheet itself, and no data"
    else:
        reason = f"its sheet is not read: {layout.why}"
    return Statement("predicate", NotARule(reason))


def _place(sheet: Sheet, validation: Validation) -> str:
    if not validation.areas:
        return sheet.name
    return f"{sheet.name}!{address(validation.areas[0].top, validation.areas[0].left)}"


def _text(validation: Validation) -> str:
    """The author's own words of it: what is typed, and what a person is told."""
    where = ", ".join(map(_shown, validation.areas)) or "no cells"
    said = validation.kind
    if validation.formulas:
        operator = "" if validation.kind in ("list", "custom") else f" {validation.operator}"
        said = f"{validation.kind}{operator} {' and '.join(validation.formulas)}"
    told = filter(None, (validation.message, validation.prompt))
    return "\n".join([f"{where}: {said}", *told])


def _shown(area: Area) -> str:
    first, last = address(area.top, area.left), address(area.bottom, area.right)
    return first if first == last else f"{first}:{last}"


def _comments(template: Block, tables: tuple[str, ...], look: Look) -> Iterator[Stated]:
    setting = look.settings[template.sheet]
    for header in template.headers:
        if not header.cell.comment:
            continue
        column = Column(template.table or "", header.text)

        def said(text: str, _: str, column: Column = column) -> tuple[Statement, ...]:
            return read_phrase(text, column, setting)

        place, comment = header.cell.place, header.cell.comment
        statements = comment_statements(comment, header.text, said)
        yield Stated(f"{place} comment", place, comment, template.sheet, tables, statements)
