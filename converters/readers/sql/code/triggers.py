"""The record that a trigger is run for."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.sql.code.nodes import Routine, Trigger
from ruleferry.converters.readers.sql.code.place import Place, Work
from ruleferry.converters.readers.sql.code.rows import Record
from ruleferry.converters.readers.sql.code.tokens import Token
from ruleferry.converters.readers.sql.code.values import CURRENT, FORMER


def is_trigger_function(node: Routine, place: Place) -> bool:
    """RETURNS TRIGGER of PostgreSQL."""
    tokens = place.code.tokens
    return any(
        one.upper == "RETURNS" and other.upper == "TRIGGER" for one, other in pairwise(tokens)
    )


def within_trigger(node: Trigger, place: Place, work: Work) -> Place | None:
    """What holds in its body; None where it can't be read, of which a gap is left."""
    reason = _refused(node, place)
    if reason is not None:
        work.gap(*reason, node.span, place)
        return None
    try:
        source, table = _table(place, node)
    except Unreadable as error:
        work.gap(error.code, error.reason, node.span, place)
        return None
    if place.code.setting.dialect.name == "tsql":
        around = replace(place.around, undoes=True, table=table)
        return replace(place, code=replace(place.code, written=source), around=around, written=True)
    alone = node.events == frozenset({"INSERT"}) and node.timing == "BEFORE"
    record = Record(source, table, on_insert=alone)
    code = place.code.with_record(node.new, CURRENT).with_record(node.old, FORMER)
    work.changed.clear()
    return replace(place, code=code, record=record, around=replace(place.around, table=table))


def _refused(node: Trigger, place: Place) -> tuple[str, str] | None:
    if "INSERT" not in node.events:
        return "old_record", "it checks records only when they are changed or deleted"
    if node.timing == "INSTEAD":
        return "procedural", "it does something instead of writing the record"
    if not node.each_row and place.code.setting.dialect.name != "tsql":
        return "procedural", "it runs once for a statement, not for each record"
    if not node.enabled:
        return "procedural", "the trigger is switched off"
    return None


def _table(place: Place, node: Trigger) -> tuple[exp.Table, str]:
    """Raises Unreadable."""
    from ruleferry.converters.readers.sql.macros import table_name

    text = " ".join(("SELECT 1 FROM", place.code.source(node.table_span)))
    tree, setting = place.code.parsed(text, {})
    found = tree.find(exp.Table)
    if found is None:
        raise Unreadable("no_table", "its table can't be read")
    return found, table_name(found, setting.macros)


def within_function(name: str, place: Place, work: Work) -> Place:
    """Its table stands in the statement that creates the trigger."""
    table = work.tables.get(name.lower(), "")
    source = exp.to_table(table) if table else exp.Table(this=exp.to_identifier("unknown"))
    record = Record(source, table)
    code = place.code.with_record("new", CURRENT).with_record("old", FORMER)
    around = replace(place.around, table=table or None, leaves_out=True)
    work.changed.clear()
    return replace(place, code=code, record=record, around=around)


def runs_for(tokens: tuple[Token, ...], node: Trigger, text: str) -> tuple[str, str] | None:
    """The function that a trigger of PostgreSQL runs for each new record, and its table."""
    if node.when is not None or not node.each_row or "INSERT" not in node.events:
        return None
    if node.timing not in ("BEFORE", "AFTER"):
        return None
    words = [token.upper for token in tokens]
    for place in range(len(words) - 2):
        if words[place] == "EXECUTE" and words[place + 1] in ("FUNCTION", "PROCEDURE"):
            begin = end = place + 2
            while end < len(tokens) and (tokens[end].kind in ("word", "name") or words[end] == "."):
                end += 1
            name = "".join(token.value for token in tokens[begin:end])
            return name.lower(), node.table
    return None
