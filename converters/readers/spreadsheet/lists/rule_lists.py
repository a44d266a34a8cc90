"""Lists of rules: a row for each rule, with its table, column, severity and what else is stated."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import TypeAlias

from ruleferry.converters.mappings import action_words, table
from ruleferry.converters.predicates import Present
from ruleferry.converters.readers.spreadsheet.cells import Cell
from ruleferry.converters.readers.spreadsheet.lists import rule_sql
from ruleferry.converters.readers.spreadsheet.lists.thresholds import (
    reading_of,
    with_threshold,
)
from ruleferry.converters.readers.spreadsheet.statement import Meaning, Setting, Statement
from ruleferry.converters.rule import Figure, NotARule, Row, Unique, Unread

Cells: TypeAlias = Mapping[Meaning, tuple[Cell, ...]]
# (meaning, text, columns): the statements of a text, by the meaning of its cell: "rule" for prose,
# "rule_kind" for a token such as not_null. Nothing where the text is none of that meaning.
Phrase: TypeAlias = Callable[[Meaning, str, tuple[str, ...]], tuple[Statement, ...]]

_CROSS = re.compile(r"\bcross[ -]?(?:file|table|dataset|domain)s?\b", re.IGNORECASE)
_YES = frozenset({"y", "yes", "true", "1", "x"})
# Cells that state a part of a rule; beside a rule in words they are not weighed.
_PARTS = ("min", "max", "exclusive_min", "exclusive_max", "range", "codes", "format", "pattern",
          "condition", "length", "min_length")  # fmt: skip
_BEARING = ("table", "column", "rule", "rule_kind", "sql", "threshold", "threshold_operator",
            "reference_table", "cross_file", "status", "action", *_PARTS)  # fmt: skip
_BETWEEN = re.compile(r"\[?\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]?\Z")


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One row. `tables` as it states them; `tags`: what is told beside the rule, sorted by name."""

    statements: tuple[Statement, ...]
    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    severity: str | None = None
    action_word: str | None = None
    owner: str | None = None
    author_id: str | None = None
    author_name: str | None = None
    tags: tuple[tuple[str, str], ...] = ()


def read_rule_row(cells: Cells, setting: Setting, phrase: Phrase) -> RuleRow:
    columns = columns_in(cells.get("column", ()))
    severity, action = _text(cells, "severity"), _action(cells, setting)
    statements, read_from = _statements(cells, columns, setting, phrase)
    tables = tables_of(cells.get("table", ()), setting) or ((read_from,) if read_from else ())
    return RuleRow(
        tuple(
            replace(s, severity=severity, action_word=action or s.action_word) for s in statements
        ),
        tables,
        columns,
        severity,
        action,
        _text(cells, "owner"),
        _text(cells, "rule_id"),
        _text(cells, "rule_name"),
        _tags(cells, action),
    )


def _text(cells: Cells, meaning: Meaning) -> str | None:
    """Of the only cell of that meaning."""
    found = [cell for cell in cells.get(meaning, ()) if not cell.trouble]
    return found[0].text if len(found) == 1 and found[0].text else None


def _joined(cells: Cells, meaning: Meaning) -> str:
    return "\n".join(cell.text for cell in cells.get(meaning, ()))


def words(text: str) -> str:
    """`noNullValues`, `no_null_values`: no null values."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return " ".join(re.sub(r"[\s_\-]+", " ", spaced).casefold().split())


@cache
def _words(section: str) -> Mapping[str, frozenset[str]]:
    rows = table("rule_lists")[section]
    assert isinstance(rows, dict)
    return {name: frozenset(found) for name, found in rows.items()}


@cache
def _operators() -> Mapping[str, str]:
    rows = table("rule_lists")["operators"]
    assert isinstance(rows, dict)
    return {name: str(sign) for name, sign in rows.items()}


# What stands around the rule ----------------------------------------------------------------------


def columns_in(cells: Sequence[Cell]) -> tuple[str, ...]:
    """One name, or several with a comma, semicolon or line between them."""
    parts = (part.strip() for cell in cells for part in re.split(r"[,;\n|]", cell.text))
    return tuple(dict.fromkeys(part for part in parts if part))


def tables_of(cells: Sequence[Cell], setting: Setting) -> tuple[str, ...]:
    """A/B/C are three tables, where each part is a known one or a letter or two."""
    found: list[str] = []
    for name in columns_in(cells):
        parts = [part.strip() for part in name.split("/")]
        apart = all(0 < len(part) <= 2 or part.casefold() in setting.tables for part in parts)
        found += parts if apart else [name]
    return tuple(dict.fromkeys(found))


def _action(cells: Cells, setting: Setting) -> str | None:
    """The row's own word of action, or what the profile makes of its severity."""
    stated = words(_text(cells, "action") or "")
    if stated in action_words():
        return stated
    severity = (_text(cells, "severity") or "").casefold()
    decided = setting.legend.get("severity", {}).get(severity)
    return decided if isinstance(decided, str) and decided in action_words() else None


def _tags(cells: Cells, action: str | None) -> tuple[tuple[str, str], ...]:
    stated = _text(cells, "action")
    other = stated if stated and action is None else None
    found = {
        "action": other,
        "owner": _text(cells, "owner"),
        "severity": _text(cells, "severity"),
    }
    return tuple((name, text) for name, text in sorted(found.items()) if text)


# The rule -----------------------------------------------------------------------------------------

_Read: TypeAlias = tuple[tuple[Statement, ...], str | None]


def _statements(cells: Cells, columns: tuple[str, ...], setting: Setting, phrase: Phrase) -> _Read:
    """With the table that a query reads."""
    not_in_force = _not_in_force(cells, setting)
    if not_in_force is not None:
        return (Statement("predicate", not_in_force, columns),), None
    spoilt = next((c for m in _BEARING for c in cells.get(m, ()) if c.trouble), None)
    if spoilt is not None:
        return (_gap("corrupted_cell", f"{spoilt.place} holds {spoilt.trouble}", columns),), None
    found, read_from = _body(cells, columns, phrase, setting.dialect)
    if _crosses(cells) and any(isinstance(s.check, Row | Unique | Figure) for s in found):
        reason = "it compares the records of two tables"
        return (_gap("other_records", reason, columns),), read_from
    if cells.get("threshold_operator") or not cells.get("threshold"):
        return found, read_from
    threshold = cells["threshold"]
    if len(threshold) > 1:
        return (_gap("not_understood", "it states several thresholds", columns),), read_from
    return with_threshold(found, threshold[0], reading_of(setting)), read_from


def _gap(code: str, reason: str, columns: tuple[str, ...]) -> Statement:
    return Statement("predicate", Unread(code, reason, columns), columns)


def _not_in_force(cells: Cells, setting: Setting) -> NotARule | Unread | None:
    legend = setting.legend.get("status", {})
    doubt = None
    for cell in cells.get("status", ()):
        if cell.struck:
            return NotARule(f"its status is struck through ({cell.place})")
        word = words(cell.text)
        decided = legend.get(cell.text.casefold(), legend.get(word))
        if decided is False or (decided is None and word in _words("status")["off"]):
            return NotARule(f'it is not in force: "{cell.text}" in {cell.place}')
        if decided is None and word not in _words("status")["on"]:
            reason = f'its status is "{cell.text}"'
            doubt = Unread("status_doubt", reason)
    return doubt


def _crosses(cells: Cells) -> bool:
    """It says so itself, or names a second table."""
    flagged = any(words(cell.text) in _YES for cell in cells.get("cross_file", ()))
    named = any(cell.text for cell in cells.get("reference_table", ()))
    kinds = (cell.text for cell in cells.get("rule_kind", ()))
    return flagged or named or any(_CROSS.search(text) for text in kinds)


def _body(cells: Cells, columns: tuple[str, ...], phrase: Phrase, dialect: str | None) -> _Read:
    kind, sql, rule = (_joined(cells, meaning) for meaning in ("rule_kind", "sql", "rule"))
    known = next((name for name, found in _words("kinds").items() if words(kind) in found), "")
    if known in ("row_sql", "figure_sql", "query_sql"):
        return _of_sql(known, sql or rule, columns), None
    if known == "other_engine":
        reason = "a check in the language of another tool"
        return (_gap("not_understood", reason, columns),), None
    if sql:
        return _of_query(sql, cells, columns, dialect)
    if known == "library" or (not known and _is_of_library(rule)):
        return _of_library(rule, cells, columns), None
    return _in_words(kind, rule or (_joined(cells, "description") if known == "text" else ""),
                     cells, columns, phrase), None  # fmt: skip


def _in_words(
    kind: str, rule: str, cells: Cells, columns: tuple[str, ...], phrase: Phrase
) -> tuple[Statement, ...]:
    """By its prose, else by its token."""
    if not rule and not kind:
        return (Statement("predicate", NotARule("the row states no rule"), columns),)
    beside = [meaning for meaning in _PARTS if cells.get(meaning)]
    if beside:
        reason = f"a part of the rule stands in cells of its own: {', '.join(beside)}"
        return (_gap("not_understood", reason, columns),)
    text = rule or kind
    found = phrase("rule" if rule else "rule_kind", text, columns)
    if not found:
        shown = text if len(text) <= 120 else f"{text[:119]}…"
        return (_gap("not_understood", f"what holds for a record, by: {shown}", columns),)
    return found


# SQL ----------------------------------------------------------------------------------------------


def _of_sql(kind: str, text: str, columns: tuple[str, ...]) -> tuple[Statement, ...]:
    """The kinds of rules of one tool, which runs on Spark."""
    if not text:
        return (Statement("predicate", NotARule("the row states no rule"), columns),)
    if kind == "row_sql":
        return (rule_sql.condition(text, columns, "spark"),)
    if kind == "figure_sql":
        return rule_sql.figures(text, columns)
    return (rule_sql.query(text, columns),)


def _of_query(sql: str, cells: Cells, columns: tuple[str, ...], dialect: str | None) -> _Read:
    """A query whose one number a threshold limits, or a condition on a record."""
    if not cells.get("threshold_operator"):
        return (rule_sql.condition(sql, columns, dialect),), None
    wanted = _wanted(cells)
    if wanted is None:
        return (_gap("not_understood", "its threshold is not understood", columns),), None
    rule, read_from = rule_sql.counted(sql, wanted, columns, dialect)
    return (rule,), read_from


def _wanted(cells: Cells) -> rule_sql.Wanted | None:
    """The operator and its number; () where there is none."""
    operator, value = _text(cells, "threshold_operator"), _text(cells, "threshold")
    if not cells.get("threshold_operator") and not cells.get("threshold"):
        return ()
    sign = _operators().get(words(operator or ""))
    if sign == "between" and (found := _BETWEEN.match(value or "")):
        low, high = _number(found[1]), _number(found[2])
        return None if low is None or high is None else ((">=", low), ("<=", high))
    number = _number(value or "")
    return (
        None
        if sign in (None, "<>", "between", "not between") or number is None
        else ((str(sign), number),)
    )


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() and -30 < number.adjusted() < 30 else None


# Ready-made rules ---------------------------------------------------------------------------------


def _is_of_library(rule: str) -> bool:
    return any(words(rule) in found for found in _words("library").values())


def _of_library(rule: str, cells: Cells, columns: tuple[str, ...]) -> tuple[Statement, ...]:
    library, word, wanted = _words("library"), words(rule), _wanted(cells)
    if wanted is None:
        return (_gap("not_understood", "its threshold is not understood", columns),)
    if word in library["row_count"] and wanted:
        return (Statement("row_count", Figure("row_count", (), rule_sql.arguments(wanted))),)
    none_bad = wanted == (("=", Decimal(0)),) or (not wanted and word not in library["counting"])
    if none_bad and columns and word in library["present"]:
        return tuple(Statement("present", Row(Present(name)), (name,)) for name in columns)
    if none_bad and columns and word in library["unique"]:
        return (Statement("unique", Unique(columns), columns),)
    reason = f"the ready-made rule {rule} with what it is given"
    return (_gap("not_understood", reason, columns),)
