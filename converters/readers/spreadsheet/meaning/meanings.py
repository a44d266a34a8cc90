"""What each column of a block says of the fields, and whether that is sure.

Nothing is made of a column that is not sure: its cells become gaps under one question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.blocks import Block, Header
from ruleferry.converters.readers.spreadsheet.meaning.header_reading import (
    BY_PROFILE,
    ColumnReading,
    Parses,
    cells_of,
    first_reading,
    text_side,
    word_of,
)
from ruleferry.converters.readers.spreadsheet.meaning.header_words import (
    RULES,
    folded,
    part,
    parts,
    words_of,
)
from ruleferry.converters.readers.spreadsheet.meaning.name_columns import choose_names, is_name_like
from ruleferry.converters.readers.spreadsheet.statement import Meaning

# Several columns may say it, each for itself.
_MANY = frozenset(
    {
        "label", "title", "description", "example", "unit", "order", "ignore", "owner", "rule",
        "sql", "status", "scope", "code", "code_label", "list_name", "rule_kind",
    }
)  # fmt: skip
_LISTS = frozenset({"list_name", "code", "code_label"})
_LIMITS = frozenset({"min", "max", "exclusive_min", "exclusive_max"})
_MOST = 80  # percent
_FEW = 5  # percent
_NEARLY_EMPTY = "it is empty in nearly all rows"
_OF_SOURCE = "it speaks of the source of a mapping"


Readings: TypeAlias = dict[int, ColumnReading]


def meanings_of(
    block: Block,
    parses: Parses,
    chosen: Mapping[str, Meaning] = MappingProxyType({}),
    told: Mapping[int, tuple[Meaning, str]] = MappingProxyType({}),
) -> tuple[ColumnReading, ...]:
    """One for each header, in their order. `chosen`: what a profile says of some headers.

    A key of it is the header's text, or `Group/Header`. `told`: index -> what a person said.
    """
    named = {folded(text): (meaning, BY_PROFILE) for text, meaning in chosen.items()}
    others = {folded(header.text): header.index for header in block.headers if header.text}

    def said(header: Header) -> tuple[Meaning, str] | None:
        grouped = folded(f"{header.group}/{header.text}")
        by_profile = named.get(grouped, named.get(folded(header.text)))
        return told.get(header.index, by_profile)

    readings = {
        header.index: first_reading(block, header, parses, said(header), others)
        for header in block.headers
    }
    fixed = frozenset(index for index, row in readings.items() if row.fixed)
    steps = (
        _observed, _schemas, _sides, _contested, _sparse, _names, _rule_names, _kinds, _unsettled,
    )  # fmt: skip
    for step in steps:
        readings |= step(block, readings, fixed)
    return tuple(readings[header.index] for header in block.headers)


def _unsure(row: ColumnReading, why: str, code: str = "column_unsure") -> ColumnReading:
    return replace(row, sure=False, why=why, code=code)


def _observed(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """Beside counts and averages a minimum is what the data held."""
    seen = [row.header.text for row in rows.values() if folded(row.header.text) in part("observed")]
    if not seen:
        return {}
    why = f"beside {seen[0]} it may be what the data held"
    return {
        index: _unsure(row, why, "observed_values")
        for index, row in rows.items()
        if row.meaning in _LIMITS and index not in fixed
    }


def _schemas(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """An owner beside a table is the schema of it; elsewhere a person."""
    tables = any(row.meaning == "table" and row.sure for row in rows.values())
    meaning, why = ("schema", "beside a table") if tables else ("owner", "no table beside it")
    found: Readings = {}
    for index, row in rows.items():
        known = {candidate.meaning for candidate in word_of(row.header)}
        if index in fixed or "schema" not in known or row.sure:
            continue
        if known == {"schema", "owner"} or (tables and known == {"schema", "table"}):
            found[index] = replace(row, meaning=meaning, sure=True, why=why)
    return found


def _group_side(header: Header) -> str | None:
    words = set(words_of(header.group))
    sides = [side for side, known in parts("sides").items() if words & known]
    return sides[0] if len(sides) == 1 else None


def _sides(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """In a mapping from a source to a target, the target is the table that is checked."""
    side = {
        index: None if row.about is not None else _group_side(row.header) or text_side(row.header)
        for index, row in rows.items()
    }
    target = {row.meaning for index, row in rows.items() if side[index] == "target"}
    found: Readings = {}
    for index, row in rows.items():
        if side[index] != "source" or index in fixed or row.meaning is None:
            continue
        why = "it speaks of the source, and the target is what is checked"
        if target and (row.meaning in target or not row.may_bear_rules):
            found[index] = replace(row, meaning="ignore", sure=True, why=why)
        elif row.meaning in RULES or row.meaning in ("column", "table"):
            found[index] = _unsure(row, _OF_SOURCE)
    return found


def _contested(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """No two columns have one meaning, unless a profile says which of them."""
    found: Readings = {}
    claims = Counter(
        row.meaning for row in rows.values() if row.sure and row.meaning not in _MANY | {"column"}
    )
    for meaning in [meaning for meaning, count in claims.items() if count > 1]:
        same = [row for row in rows.values() if row.sure and row.meaning == meaning]
        if meaning == "threshold":
            same = [row for row in same if row.about is None]
        winner = _winner(same, fixed)
        names = ", ".join(row.header.text for row in same)
        for row in same:
            if len(same) > 1 and row is not winner:
                found[row.header.index] = _unsure(row, f"several columns say {meaning}: {names}")
    return found


def _winner(same: Sequence[ColumnReading], fixed: Collection[int]) -> ColumnReading | None:
    """The one that the profile names; else the one whose word is not a general one."""
    named = [row for row in same if row.header.index in fixed]
    special = [row for row in same if folded(row.header.text) not in part("general")]
    best = named or special
    return best[0] if len(best) == 1 else None


def _names(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """Which column holds the physical names; the others of its kind hold labels."""
    strong = [row.header for row in rows.values() if row.meaning == "column" and row.sure]
    weak = [row.header for index, row in rows.items() if _weak_name(row) and index not in fixed]
    if not strong and not weak:
        return {}
    named = [header for header in strong if header.index in fixed]
    bearing = [index for index, row in rows.items() if row.meaning in RULES]
    records = [one for one in block.records if any(index in one.cells for index in bearing)]
    listed = any(row.sure and row.meaning in _LISTS for row in rows.values())
    choice = choose_names(records or block.records, strong, [] if listed else weak, named)
    found: Readings = {}
    for header in (*strong, *weak):
        row = rows[header.index]
        if choice.header is None:
            found[header.index] = replace(_unsure(row, choice.why), meaning="column")
        elif header is choice.header:
            why = row.why if header.index in fixed else choice.why
            found[header.index] = replace(row, meaning="column", sure=True, why=why)
        else:
            why = f"the names stand in {choice.header.text}"
            kind = "label" if _tells_apart(block, header) else "ignore"
            found[header.index] = replace(row, meaning=kind, sure=row.filled > 0, why=why)
    return found


def _tells_apart(block: Block, header: Header) -> bool:
    """A label belongs to few fields; a mark that many of them have is none."""
    texts = [cell.text for cell in cells_of(block, header)]
    return len(texts) > 0 and len(set(texts)) * 2 >= len(texts)


def _weak_name(row: ColumnReading) -> bool:
    """A header that may hold names, and no rules in any case."""
    found = [candidate.meaning for candidate in word_of(row.header)]
    fit = not row.sure and row.why != _OF_SOURCE
    return fit and found[:1] == ["column"] and not RULES & set(found)


def _rule_names(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """`Rule` beside the column of the rules' text is what they are called."""
    texts = any(row.sure and row.meaning in ("rule", "sql") for row in rows.values())
    return {
        index: replace(row, meaning="rule_id", sure=True, why="the rules stand in another column")
        for index, row in rows.items()
        if texts and not row.sure and index not in fixed
        if "rule_id" in {candidate.meaning for candidate in word_of(row.header)}
        and row.filled
        and all(is_name_like(cell.text) for cell in cells_of(block, row.header))
    }


def _kinds(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """The kind of a rule beside its text; where no column has the text, the kind is the rule."""
    texts = [row for row in rows.values() if row.meaning in ("rule", "sql")]
    names = any(row.meaning == "column" for row in rows.values())
    stated = not names and any(text.sure for text in texts)
    found: Readings = {}
    for index, row in rows.items():
        if index in fixed:
            continue
        if row.meaning == "rule_kind" and row.sure and not texts:
            found[index] = replace(row, meaning="rule", why="no other column states the rules")
        elif stated and folded(row.header.text) in part("rule_kinds"):
            why = "the rules stand in another column"
            found[index] = replace(row, meaning="rule_kind", sure=True, why=why)
    return found


def _sparse(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """A table that only some rows name: do the rows below belong to it?"""
    found: Readings = {}
    for index, row in rows.items():
        if row.meaning != "table" or not row.sure or index in fixed:
            continue
        named = sum(record.first(index) is not None for record in block.records)
        if named * 100 < len(block.records) * _MOST:
            few = named * 100 < len(block.records) * _FEW
            found[index] = _unsure(row, _NEARLY_EMPTY if few else "it is empty in many rows")
    return found


def _unsettled(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """Where it is not sure whose rules they are, none of them is."""
    names = [row for row in rows.values() if row.meaning == "column"]
    (why, asked), bound = _doubt(rows), RULES
    if why is None and not names:
        # A rule in words or SQL names its columns itself.
        why, bound = "no column holds the names of the fields", RULES - {"rule", "sql", "threshold"}
        asked = next((i for i, row in rows.items() if not row.sure and not row.fixed), None)
    return {
        index: replace(_unsure(row, why), asked=asked)
        for index, row in rows.items()
        if why is not None and row.sure and row.meaning in bound
    }


def _doubt(rows: Readings) -> tuple[str | None, int | None]:
    """Why it is not sure whose rules they are, and the column that tells."""

    def of(meaning: Meaning) -> list[ColumnReading]:
        return [row for row in rows.values() if row.meaning == meaning]

    def unsure(found: Sequence[ColumnReading]) -> bool:
        return bool(found) and not any(row.sure for row in found)

    tables = [
        row
        for row in of("table")
        if row.why != _NEARLY_EMPTY and any(word.sure for word in word_of(row.header))
    ]
    scopes = [row for row in of("scope") if row.filled]
    if unsure(of("column")):
        why = "which column holds the names of the fields is not sure"
        return why, of("column")[0].header.index
    if unsure(tables):
        why = "which column holds the names of the tables is not sure"
        return why, tables[0].header.index
    if scopes:
        why = f"its rows are for some records alone, as {scopes[0].header.text} says"
        return why, scopes[0].header.index
    return None, None
