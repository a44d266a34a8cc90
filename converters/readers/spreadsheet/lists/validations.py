"""Data validations -> statements about the fields of a template.

A validation limits the cells of some areas. In a template, whose columns are the fields, it is a
rule for each column that the areas cover.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ruleferry.converters.predicates import Present
from ruleferry.converters.readers.spreadsheet.cells import (
    Area,
    Book,
    Sheet,
    Validation,
    address,
)
from ruleferry.converters.readers.spreadsheet.lists.formulas import Formula, moved, read_formula
from ruleferry.converters.readers.spreadsheet.lists.references import ReadCells, remembered
from ruleferry.converters.readers.spreadsheet.lists.validation_bounds import At
from ruleferry.converters.readers.spreadsheet.lists.validation_custom import of_formula
from ruleferry.converters.readers.spreadsheet.lists.validation_kinds import made, of_bounds, of_list
from ruleferry.converters.readers.spreadsheet.lists.validation_messages import contradiction
from ruleferry.converters.readers.spreadsheet.statement import CodeList, Statement
from ruleferry.converters.rule import NotARule, Row, Unread

Lists: TypeAlias = Callable[[str], CodeList | None]
Said: TypeAlias = Callable[[str, str], tuple[Statement, ...]]

_BOUNDS = frozenset({"decimal", "whole", "date", "time", "textLength"})
# A template may have some rows of explanation between its header and its records.
_EXPLANATIONS = 10
_MARK = re.compile(r"\s*[(\[]\s*(required|mandatory|optional)\s*[)\]]\s*:?\s*", re.IGNORECASE)
_LEAVE_BLANK = re.compile(
    r"\b(?:leave (?:it |this )?(?:blank|empty)|may be (?:blank|empty))\b", re.I
)


def sheet_validations(
    sheet: Sheet, book: Book, names: Mapping[int, str], lists: Lists, header: int | None = None
) -> tuple[tuple[Validation, tuple[Statement, ...]], ...]:
    """All of a sheet's validations, each with its statements; `header` is the row of the names.

    Two that limit one column in different ways are both gaps: which of them holds depends on the
    row, and a rule has none.
    """
    read = remembered()
    found = [
        (validation, validation_statements(validation, sheet, book, names, lists, read=read))
        for validation in sheet.marks.validations
    ]
    limits = _limits(found)
    indexes: dict[str, tuple[int, ...]] = {}
    for index, name in names.items():
        indexes[name] = (*indexes.get(name, ()), index)
    page = _Page(sheet, indexes, header)
    return tuple(
        (validation, tuple(_judged(rule, limits, page) for rule in rules))
        for validation, rules in found
    )


@dataclass(frozen=True, slots=True)
class _Page:
    """A template; `indexes`: field -> the columns of the sheet that bear its name."""

    sheet: Sheet
    indexes: Mapping[str, tuple[int, ...]]
    header: int | None


def validation_statements(
    validation: Validation,
    sheet: Sheet,
    book: Book,
    names: Mapping[int, str],
    lists: Lists,
    *,
    read: ReadCells | None = None,
) -> tuple[Statement, ...]:
    """Of one validation by itself. `names`: column of the sheet -> field."""
    read = read or remembered()
    if validation.kind in ("none", ""):
        return (_none("it only prompts, and limits nothing"),)
    if not validation.areas:
        reason = "it limits cells that are there no more"
        return (Statement("predicate", Unread("suspicious_validation", reason)),)
    covered = [(index, _area(validation, index)) for index in sorted(names)]
    rules: tuple[Statement, ...] = ()
    for index, area in covered:
        if area is not None:
            formulas = _moved(validation, area.top, index)
            at = At(
                validation, area, index, names[index], formulas, sheet, book, names, lists, read
            )
            rules += _of_column(at)
    return rules or (_none("it covers no column that is a field"),)


def _none(reason: str) -> Statement:
    return Statement("predicate", NotARule(reason))


def _area(validation: Validation, index: int) -> Area | None:
    areas = validation.areas
    return next((area for area in areas if area.left <= index <= area.right), None)


def _moved(validation: Validation, row: int, column: int) -> tuple[Formula | None, ...]:
    """The formulas speak of the first area's top left cell; here they are as in another one."""
    first = validation.areas[0]
    formulas = (read_formula(text) for text in validation.formulas)
    rows, columns = row - first.top, column - first.left
    return tuple(None if f is None else moved(f, rows, columns) for f in formulas)


def _of_column(at: At) -> tuple[Statement, ...]:
    kind = at.validation.kind
    if kind == "list":
        rules = of_list(at)
    elif kind in _BOUNDS:
        rules = of_bounds(at)
    elif kind == "custom":
        rules = of_formula(at)
    else:
        rules = (made(at, "predicate", at.unread("not_understood", f"its kind is {kind}")),)
    reason = contradiction(at.validation, rules)
    if reason and not any(isinstance(rule.check, Unread) for rule in rules):
        return (made(at, rules[0].kind, at.unread("suspicious_validation", reason)),)
    return rules


# What the other validations of the sheet say ------------------------------------------------------

_Limits: TypeAlias = Mapping[str, Mapping[str, tuple[Area, ...]]]


def _limits(found: Sequence[tuple[Validation, tuple[Statement, ...]]]) -> _Limits:
    """Field -> the areas of each way in which it is limited.

    A validation that is suspicious by itself limits nothing.
    """
    limits: dict[str, dict[str, tuple[Area, ...]]] = {}
    for validation, rules in found:
        for column, checks in _of_each(rules).items():
            ways = limits.setdefault(column, {})
            ways[checks] = ways.get(checks, ()) + validation.areas
    return limits


def _of_each(rules: Sequence[Statement]) -> Mapping[str, str]:
    """Field -> all that one validation says of it."""
    said: dict[str, str] = {}
    for rule in rules:
        dead = isinstance(rule.check, Unread) and rule.check.code == "suspicious_validation"
        if rule.columns and not dead:
            said[rule.columns[0]] = said.get(rule.columns[0], "") + repr(rule.check)
    return said


def _judged(rule: Statement, limits: _Limits, page: _Page) -> Statement:
    if isinstance(rule.check, NotARule | Unread) or not rule.columns:
        return rule
    column = rule.columns[0]
    ways, indexes = list(limits[column].values()), page.indexes[column]
    if len(ways) > 1:
        where = ", ".join(_shown(areas, indexes) for areas in ways[:4])
        reason = f"the validations of {where} limit one column in different ways"
        return replace(rule, check=Unread("contradiction", reason, (column,)))
    reason = next((why for index in indexes if (why := _partial(ways[0], index, page))), "")
    if reason:
        return replace(rule, check=Unread("suspicious_validation", reason, (column,)))
    return rule


def _shown(areas: Sequence[Area], indexes: Sequence[int]) -> str:
    return next(
        f"{address(area.top, index)}:{address(area.bottom, index)}"
        for area in areas
        for index in indexes
        if area.left <= index <= area.right
    )


def _partial(areas: Sequence[Area], index: int, page: _Page) -> str:
    """Why it is no rule of the whole column: some of its records are not covered."""
    begin = 0 if page.header is None else page.header + 1
    here = [area for area in areas if area.left <= index <= area.right]
    top = min((area.top for area in here), default=begin)
    if top - begin > _EXPLANATIONS:
        return f"it begins in row {top + 1} only, far below the header"
    if here and page.header is not None and max(area.bottom for area in here) <= page.header:
        return f"it covers nothing but the header ({address(top, index)})"
    row = next(_outside(here, index, top, page.sheet), None)
    return "" if row is None else f"{address(row, index)} is filled, and not covered by it"


def _outside(areas: Sequence[Area], index: int, top: int, sheet: Sheet) -> Iterator[int]:
    """The filled rows between the areas and below them."""
    at = top
    for begin, end in [*sorted((area.top, area.bottom) for area in areas), (len(sheet.rows), -1)]:
        rows = range(at, min(begin, len(sheet.rows)))
        yield from (row for row in rows if sheet.cell(row, index) is not None)
        at = max(at, end + 1)


# Comments of a template's header ------------------------------------------------------------------


def comment_statements(comment: str, column: str, said: Said) -> tuple[Statement, ...]:
    """What the comment on a field's name says: `(Required) …`; `said` reads the rest.

    `said(text, column)`: the statements of a text that describes a field.
    """
    text = comment.strip()
    if not text:
        return ()
    found = _MARK.match(text)
    if found is None:
        return said(text, column) or (_guidance(column),)
    rest = text[found.end() :].strip()
    others = said(rest, column) if rest else ()
    if found[1].casefold() == "optional":
        return (
            Statement("present", NotARule("the field is optional", permits=column), (column,)),
            *others,
        )
    if _LEAVE_BLANK.search(rest):
        reason = "its comment says that the field is required, and when to leave it blank"
        return (Statement("present", Unread("contradiction", reason, (column,)), (column,)),)
    return (Statement("present", Row(Present(column)), (column,)), *others)


def _guidance(column: str) -> Statement:
    return Statement("predicate", NotARule("its comment only explains the field"), (column,))
