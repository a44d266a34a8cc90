"""What each column of a block says of the fields, and whether that is sure.

Nothing is made of a column that is not sure: its cells become gaps under one question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from ruleferry.converters.readers.spreadsheet.blocks import Block, Header
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.header_words import (
    READ,
    RULES,
    Candidate,
    candidates,
    folded,
    part,
    parts,
    words_of,
)
from ruleferry.converters.readers.spreadsheet.name_columns import choose_names, is_name_like
from ruleferry.converters.readers.spreadsheet.statement import Meaning

Parses: TypeAlias = Callable[[Meaning, Cell], bool]

# Several columns may say it, each for itself.
_MANY = frozenset(
    {
        "label", "title", "description", "example", "unit", "order", "ignore", "owner", "rule",
        "sql", "status", "scope", "code", "code_label", "list_name", "rule_kind",
    }
)  # fmt: skip
_LISTS = frozenset({"list_name", "code", "code_label"})
_LIMITS = frozenset({"min", "max", "exclusive_min", "exclusive_max"})
_ENOUGH = 95  # percent
_MOST = 80  # percent


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """`meaning`: None where no word of the header is known; not sure: the best guess.

    `parsed` of the `filled` cells can be read as such. `about`: the index of the column that a
    threshold or a note is about. `code`: the row of mappings/gaps.toml where it is not sure.
    """

    header: Header
    meaning: Meaning | None
    sure: bool
    why: str
    parsed: int = 0
    filled: int = 0
    about: int | None = None
    code: str = "column_unsure"

    @property
    def may_bear_rules(self) -> bool:
        """Whether its cells might state rules, whatever it means in the end."""
        if self.sure:
            return self.meaning in RULES
        found = {candidate.meaning for candidate in _word(self.header)}
        return not found or self.meaning in RULES or bool(found & RULES)


Readings: TypeAlias = dict[int, ColumnReading]


def meanings_of(
    block: Block, parses: Parses, chosen: Mapping[str, Meaning] = MappingProxyType({})
) -> tuple[ColumnReading, ...]:
    """One for each header, in their order. `chosen`: what a profile says of some headers.

    A key of it is the header's text, or `Group/Header`.
    """
    named = {folded(text): meaning for text, meaning in chosen.items()}
    readings = {header.index: _first(block, header, parses, named) for header in block.headers}
    fixed = frozenset(index for index, row in readings.items() if row.why == _BY_PROFILE)
    steps = (
        _observed, _schemas, _sides, _contested, _sparse, _names, _rule_names, _kinds, _unsettled,
    )  # fmt: skip
    for step in steps:
        readings |= step(block, readings, fixed)
    return tuple(readings[header.index] for header in block.headers)


_BY_PROFILE = "the profile says so"


# One header by itself ----------------------------------------------------------------------------


def _first(
    block: Block, header: Header, parses: Parses, named: Mapping[str, Meaning]
) -> ColumnReading:
    filled = sum(1 for _ in _cells(block, header))
    meaning = named.get(folded(f"{header.group}/{header.text}"), named.get(folded(header.text)))
    if meaning is not None:
        parsed = _parsed(block, header, meaning, parses) if meaning in READ else filled
        return ColumnReading(header, meaning, True, _BY_PROFILE, parsed, filled)
    noted = _about(block, header)
    if noted is not None:
        kind, index = noted
        told = _parsed(block, header, kind, parses) if kind in READ else filled
        why = "its header names the column that it is about"
        return _enough(ColumnReading(header, kind, True, why, told, filled, index))
    return _by_word(block, header, parses, filled)


def _by_word(block: Block, header: Header, parses: Parses, filled: int) -> ColumnReading:
    found = _word(header)
    if not found:
        why = "no word of the header is known" if header.text else "its header is empty"
        return ColumnReading(header, None, False, why, 0, filled)
    if found[0].by_cells:
        return _by_cells(block, header, parses, found, filled)
    meaning = found[0].meaning
    parsed = _parsed(block, header, meaning, parses) if meaning in READ else filled
    if not found[0].sure:
        words = " or ".join(dict.fromkeys(candidate.meaning for candidate in found))
        return ColumnReading(header, meaning, False, f"it may mean {words}", parsed, filled)
    if folded(header.text) in part("either_or") and _says_yes_or_no(block, header):
        why = "yes and no do not tell which of both is meant"
        return ColumnReading(header, meaning, False, why, parsed, filled)
    return _enough(ColumnReading(header, meaning, True, "its header says so", parsed, filled))


def _by_cells(
    block: Block, header: Header, parses: Parses, found: Sequence[Candidate], filled: int
) -> ColumnReading:
    """The first meaning as which enough of the cells can be read."""
    tried = [
        ColumnReading(
            header, candidate.meaning, True, "its cells tell",
            _parsed(block, header, candidate.meaning, parses), filled,
        )
        for candidate in found
        if candidate.by_cells
    ]  # fmt: skip
    good = [row for row in tried if filled and _enough(row).sure]
    words = " or ".join(row.meaning or "" for row in tried)
    unsure = replace(tried[0], sure=False, why=f"it may mean {words}")
    return good[0] if good else unsure


def _enough(row: ColumnReading) -> ColumnReading:
    if row.meaning not in READ or row.parsed * 100 >= row.filled * _ENOUGH:
        return row
    why = f"only {row.parsed} of its {row.filled} cells can be read as {row.meaning}"
    return replace(row, sure=False, why=why)


def _cells(block: Block, header: Header) -> Iterator[Cell]:
    """The cells that speak for a meaning: a spoilt one or a struck one tells nothing."""
    for record in block.records:
        for cell in record.cells.get(header.index, ()):
            if not cell.trouble and not cell.struck:
                yield cell


def _parsed(block: Block, header: Header, meaning: Meaning, parses: Parses) -> int:
    """How many cells can be read so. Cells repeat, and each text is asked once."""
    known: dict[tuple[type, str], bool] = {}
    count = 0
    for cell in _cells(block, header):
        key = (type(cell.value), cell.text)
        if key not in known:
            known[key] = parses(meaning, cell)
        count += known[key]
    return count


def _says_yes_or_no(block: Block, header: Header) -> bool:
    return any(folded(cell.text) in part("yes_or_no") for cell in _cells(block, header))


def _word(header: Header) -> tuple[Candidate, ...]:
    """The candidates of a header without the side of the mapping that it names."""
    whole = candidates(header.text)
    if whole or _text_side(header) is None:
        return whole
    words = words_of(header.text)
    first = words[0] in parts("sides")["source"] | parts("sides")["target"]
    return candidates(" ".join(words[1:] if first else words[:-1]))


def _about(block: Block, header: Header) -> tuple[Meaning, int] | None:
    """`isRequiredThreshold` is a threshold, and it is about the column `isRequired`."""
    words = words_of(header.text)
    others = {folded(other.text): other.index for other in block.headers if other.text}
    for meaning, suffixes in parts("suffixes").items():
        index = others.get("".join(words[:-1]))
        if len(words) > 1 and words[-1] in suffixes and index is not None:
            return meaning, index
    return None


# All headers of a block --------------------------------------------------------------------------


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
        known = {candidate.meaning for candidate in _word(row.header)}
        if index in fixed or "schema" not in known or row.sure:
            continue
        if known == {"schema", "owner"} or (tables and known == {"schema", "table"}):
            found[index] = replace(row, meaning=meaning, sure=True, why=why)
    return found


def _group_side(header: Header) -> str | None:
    words = set(words_of(header.group))
    sides = [side for side, known in parts("sides").items() if words & known]
    return sides[0] if len(sides) == 1 else None


def _text_side(header: Header) -> str | None:
    """`SRC_FIELD` and `Nullable (target)`: a side and one word more at least."""
    words = words_of(header.text)
    if len(words) < 2 or candidates(header.text):
        return None
    for side, known in parts("sides").items():
        if words[0] in known and candidates(" ".join(words[1:])):
            return side
        if words[-1] in known and candidates(" ".join(words[:-1])):
            return side
    return None


def _sides(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """In a mapping from a source to a target, the target is the table that is checked."""
    side = {
        index: None if row.about is not None else _group_side(row.header) or _text_side(row.header)
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
            found[index] = _unsure(row, "it speaks of the source of a mapping")
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
            found[header.index] = replace(row, meaning="label", sure=True, why=why)
    return found


def _weak_name(row: ColumnReading) -> bool:
    """A header that may hold names, and no rules in any case."""
    found = [candidate.meaning for candidate in _word(row.header)]
    return not row.sure and found[:1] == ["column"] and not RULES & set(found)


def _rule_names(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """`Rule` beside the column of the rules' text is what they are called."""
    texts = any(row.sure and row.meaning in ("rule", "sql") for row in rows.values())
    return {
        index: replace(row, meaning="rule_id", sure=True, why="the rules stand in another column")
        for index, row in rows.items()
        if texts and not row.sure and index not in fixed
        if "rule_id" in {candidate.meaning for candidate in _word(row.header)}
        and row.filled
        and all(is_name_like(cell.text) for cell in _cells(block, row.header))
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
    """A table that only the first of its rows names: do the rows below belong to it?"""
    first = block.records[0].cells if block.records else {}
    return {
        index: _unsure(row, "it is empty in many rows")
        for index, row in rows.items()
        if row.meaning == "table" and row.sure and index not in fixed and index in first
        if sum(index in record.cells for record in block.records) * 100 < len(block.records) * _MOST
    }


def _unsettled(block: Block, rows: Readings, fixed: Collection[int]) -> Readings:
    """Where it is not sure whose rules they are, none of them is."""
    names = [row for row in rows.values() if row.meaning == "column"]
    why, bound = _doubt(rows), RULES
    if why is None and not names:
        # A rule in words or SQL names its columns itself.
        why, bound = "no column holds the names of the fields", RULES - {"rule", "sql", "threshold"}
    return {
        index: _unsure(row, why)
        for index, row in rows.items()
        if why is not None and row.sure and row.meaning in bound
    }


def _doubt(rows: Readings) -> str | None:
    def of(meaning: Meaning) -> list[ColumnReading]:
        return [row for row in rows.values() if row.meaning == meaning]

    def unsure(found: Sequence[ColumnReading]) -> bool:
        return bool(found) and not any(row.sure for row in found)

    tables = [row for row in of("table") if any(word.sure for word in _word(row.header))]
    scopes = [row for row in of("scope") if row.filled]
    if unsure(of("column")):
        return "which column holds the names of the fields is not sure"
    if unsure(tables):
        return "which column holds the names of the tables is not sure"
    if scopes:
        return f"its rows are for some records alone, as {scopes[0].header.text} says"
    return None
