"""Rules in the small languages of schema tools: `inRange 50 100 error`, `#Patient unique^^`."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from ruleferry.converters.predicates import Matches, Range, Value
from ruleferry.converters.readers.spreadsheet.phrases.assemble import of_check
from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    HERE,
    PRESENT,
    UNIQUE,
    Claims,
    gap,
    on_column,
    row,
    typed,
)
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import strings
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting, Statement
from ruleferry.converters.rule import Exists, Lookup, Unread

_LEVELS = ("error", "warning")
_NUMBER = re.compile(r"-?\d+(\.\d+)?\Z", re.ASCII)
_VERBS = frozenset(
    (
        "list", "regex", "inrange", "unique", "recommended", "protectages", "url",
        "matchatleastone", "matchexactlyone", "matchnone", "filenameexists",
    )
)  # fmt: skip


def is_schematic(text: str) -> bool:
    first = text.split("^^")[0].strip()
    if first.startswith("#"):
        first = first.partition(" ")[2].strip()
    word = re.split(r"[\s:]", first, maxsplit=1)[0]
    return word.casefold() in _VERBS or word in strings("schematic")


def read_schematic(text: str, column: Column, setting: Setting) -> tuple[Statement, ...]:
    """Each part between ^^ is for one component; without a name it is for all of them."""
    parts = [p.strip() for p in text.split("^^") if p.strip()]
    return tuple(s for part in parts for s in _part(part, column, setting))


def _part(text: str, column: Column, setting: Setting) -> tuple[Statement, ...]:
    if text.startswith("#"):
        component, _, text = text[1:].partition(" ")
        if component.casefold() != column.table.casefold():
            reason = f"it is for the component {component}, which may be another table"
            return (of_check(Unread("other_records", reason, (column.name,))),)
    return _rules(text.strip(), column, setting)


def _rules(text: str, column: Column, setting: Setting) -> tuple[Statement, ...]:
    rules = [r.strip() for r in text.split("::")]
    if rules[0].casefold().split(" ")[0] == "list":
        gap_found = Unread(
            "several_values", f"{column.name} holds a list of values", (column.name,)
        )
        return (of_check(gap_found),)
    if len(rules) > 1:
        reason = "rules that are joined by :: depend on each other"
        return (of_check(Unread("not_understood", reason, (column.name,))),)
    return _one(text, column, setting)


def _one(text: str, column: Column, setting: Setting) -> tuple[Statement, ...]:
    words = text.split()
    level = words[-1] if len(words) > 1 and words[-1] in _LEVELS else None
    claims = _claims(words[: len(words) - bool(level)], setting)
    suggested = words[0] == "recommended"
    found = (of_check(on_column(c, column.name, column)) for c in claims)
    return tuple(
        s if isinstance(s.check, Unread) else replace(s, severity=level, suggested=suggested)
        for s in found
    )


def _claims(words: list[str], setting: Setting) -> Claims:
    match words:
        case [word] if word in strings("schematic"):
            return typed(strings("schematic")[word])
        case ["unique"]:
            return UNIQUE
        case ["recommended"]:
            return PRESENT
        case ["inRange", low, high]:
            return _in_range(low, high)
        case ["regex", "match", pattern]:
            return row(Matches(HERE, (f"^(?:{pattern})",)))
        case ["regex", "search", pattern]:
            return row(Matches(HERE, (pattern,)))
        case ["url"] | ["filenameExists", *_]:
            return gap("external_authority", "it looks the value up outside of the data")
        case ["matchAtLeastOne", target, "value"]:
            return _exists(target, setting)
        case [("matchAtLeastOne" | "matchExactlyOne" | "matchNone"), *_]:
            return gap("other_records", "it compares the column with columns of other tables")
        case _:
            return gap("not_understood", "its words are not all understood")


def _in_range(low: str, high: str) -> Claims:
    bounds = _number(low), _number(high)
    if None in bounds:
        return gap("not_understood", "its limits are not two numbers")
    return row(Range(HERE, *bounds))


def _number(text: str) -> Value:
    if not _NUMBER.match(text):
        return None
    return Decimal(text) if "." in text else int(text)


def _exists(target: str, setting: Setting) -> Claims:
    table, _, column = target.partition(".")
    known = setting.tables.get(table.casefold())
    if known is None or not column:
        return gap("other_records", f"the workbook has no table {table}")
    return (Exists(Lookup(known, ((HERE, column),)), missing="good"),)
