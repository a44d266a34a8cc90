"""Statements within code that the database runs as they are, and assertions."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.sql.code import binding
from ruleferry.converters.readers.sql.code.effects import caught
from ruleferry.converters.readers.sql.code.nodes import Assertion, Dynamic, Span, Sql
from ruleferry.converters.readers.sql.code.place import Place, Work
from ruleferry.converters.readers.sql.code.values import CURRENT, FORMER, FOUND_WORDS, Values
from ruleferry.converters.readers.sql.code.verdicts import (
    count_argument,
    is_aggregate,
    of_test,
    rows_of,
    set_args,
    unread,
)
from ruleferry.converters.readers.sql.found import (
    Checked,
    Found,
    Label,
    Setting,
)
from ruleferry.converters.readers.sql.shapes import read_query
from ruleferry.converters.readers.sql.shapes.writes import read_write
from ruleferry.converters.rule import NotARule

_WRITES = (exp.Insert, exp.Update, exp.Delete, exp.Merge)
_QUIET = {
    "DROP": "it drops something", "TRUNCATE": "it empties a table",
    "GRANT": "it grants rights", "REVOKE": "it takes rights away", "DENY": "it takes rights away",
    "USE": "it chooses a database", "DATABASE": "it chooses a database",
    "ANALYZE": "it gathers statistics", "COLLECT": "it gathers statistics",
    "VACUUM": "it tidies the storage up", "LOCK": "it locks a table", "COMMENT": "it is a comment",
    "REFRESH": "it refreshes metadata", "MSCK": "it refreshes metadata",
    "RENAME": "it renames something", "COPY": "it loads or unloads files",
    "UNLOAD": "it loads or unloads files", "EXPLAIN": "it shows a plan",
    "SHOW": "it shows metadata",
    "DESCRIBE": "it shows metadata", "DESC": "it shows metadata", "VALUES": "it shows constants",
}  # fmt: skip


def read_sql(node: Sql, values: Values, place: Place, work: Work) -> exp.Expression | None:
    """Handed on to who reads statements of its sort; the tree where it is one."""
    if node.word in _QUIET:
        _quiet(node, place, work)
        return None
    if node.word in ("CREATE", "ALTER") and not _is_query(node, place):
        _definition(node, place, work)
        return None
    try:
        tree, setting = place.code.parsed(binding.select_text(node, place.code), values)
    except Unreadable as error:
        _unreadable(node, error, place, work)
        return None
    if _of_record(tree):
        work.quiet.append("it writes or reads with the record at hand")
        return tree
    if _is_values(tree) and place.told:
        work.quiet.append("it writes a record of values")
        return tree
    if node.word == "PERFORM" and not tree.args.get("from_"):
        work.no_rule("it runs a function, which is read where it is written", node.span, place)
        return tree
    if isinstance(tree, exp.Query) and FOUND_WORDS & set(place.code.names):
        work.pending[node.span.start] = (tree, node)  # what it finds may be tested
        return tree
    work.founds += _handed_on(tree, node.span, setting, place)
    return tree


def _quiet(node: Sql, place: Place, work: Work) -> None:
    if node.word == "USE":
        work.quiet.append(_QUIET[node.word])
    else:
        work.no_rule(_QUIET[node.word], node.span, place)


def _is_query(node: Sql, place: Place) -> bool:
    """CREATE TABLE t AS SELECT, CREATE VIEW v AS SELECT."""
    words = [t.upper for t in place.code.tokens[node.span.first : node.span.last]]
    return node.word == "CREATE" and ("SELECT" in words or "SEL" in words)


def _definition(node: Sql, place: Place, work: Work) -> None:
    from ruleferry.converters.readers.sql import ddl

    reader = getattr(ddl, "read_ddl", None)
    by = place.code.offset + node.span.start
    text = place.code.text[node.span.start : node.span.end]
    founds = reader(text, by, place.code.setting) if reader is not None else ()
    if founds:
        work.founds += founds
    else:
        work.no_rule("it creates or changes something while it runs", node.span, place)


def _unreadable(node: Sql, error: Unreadable, place: Place, work: Work) -> None:
    """A record of values alone, or one that a record at hand gives, holds no rule."""
    words = {t.upper for t in place.code.tokens[node.span.first : node.span.last]}
    if node.word == "INSERT" and not words & {"SELECT", "SEL", "FROM"}:
        work.quiet.append("it writes a record of values")
    else:
        work.gap(error.code, error.reason, node.span, place)


def _of_record(tree: exp.Expression) -> bool:
    return any(c.table.lower() in (CURRENT, FORMER) for c in tree.find_all(exp.Column))


def _handed_on(
    tree: exp.Expression, span: Span, setting: Setting, place: Place
) -> tuple[Found, ...]:
    start, end = span.start + place.code.offset, span.end + place.code.offset
    if _is_values(tree):
        return (_no_rule("it writes a record of values", start, end),)
    writes = isinstance(tree, (*_WRITES, exp.Create)) or not isinstance(tree, exp.Query)
    founds = (read_write if writes else read_query)(tree, start, end, setting)
    founds = tuple(_if_caught(found, place) for found in founds)
    return founds or (_no_rule("it checks nothing", start, end),)


def _if_caught(found: Found, place: Place) -> Found:
    """`SELECT ERROR('…') FROM …` raises, too, and a handler may keep what it raises."""
    if found.effect.kind != "raise":
        return found
    kept = caught("", found.labels, place.around)
    return found if kept.effect.kind == "raise" else replace(found, effect=kept.effect)


def _is_values(tree: exp.Expression) -> bool:
    return isinstance(tree, exp.Insert) and not any(tree.find_all(exp.Query))


def _no_rule(reason: str, start: int, end: int) -> Found:
    return Found(Checked(NotARule(reason), "predicate", None), start, end)


# Counts that nothing tests ------------------------------------------------------------------------


def counts_records(tree: exp.Expression) -> bool:
    """SELECT COUNT(*) … with or without more: what it counts may be bad."""
    source = tree.args.get("from_") if isinstance(tree, exp.Select) else None
    if not isinstance(tree, exp.Select) or source is None:
        return False
    singles = []
    for item in tree.expressions:
        one = tree.copy()
        one.set("expressions", [item.copy()])
        singles.append(one)
    return any(is_aggregate(one.expressions[0]) and count_argument(one) for one in singles)


def read_pending(place: Place, work: Work) -> None:
    """A count that goes into a log, and no condition tests."""
    for tree, node in work.pending.values():
        if _of_record(tree):
            work.quiet.append("it reads with the record at hand")
        else:
            work.founds += _handed_on(tree, node.span, place.code.here, place)
    work.pending.clear()


# SQL in a text ------------------------------------------------------------------------------------


def read_text(text: str, node: Dynamic, place: Place, work: Work) -> None:
    """One constant text: what it says stands where the text stands."""
    from ruleferry.converters.readers.sql.code import is_code, read_code

    code = place.code
    if is_code(text, code.setting.dialect):
        founds = read_code(text, 0, code.setting, code.prepare)
    else:
        founds = _of_text(text, node, place)
    start, end = node.span.start + code.offset, node.span.end + code.offset
    for number, found in enumerate(founds, 1):
        part = f"text {number}" if len(founds) > 1 else found.part
        work.founds.append(replace(found, start=start, end=end, part=part))


def _of_text(text: str, node: Dynamic, place: Place) -> tuple[Found, ...]:
    span = node.span
    at = (span.start + place.code.offset, span.end + place.code.offset)
    word = re.match(r"\s*(\w+)", text)
    if word and word[1].upper() in _QUIET:
        return (_no_rule(_QUIET[word[1].upper()], *at),)
    if word and word[1].upper() in ("CREATE", "ALTER") and "select" not in text.lower():
        return (_no_rule("it creates or changes something while it runs", *at),)
    try:
        tree, setting = place.code.parsed(text.rstrip().rstrip(";"), {})
    except Unreadable as error:
        return (Found(unread(error.code, error.reason), *at),)
    return _handed_on(tree, span, setting, place)


# Assertions ---------------------------------------------------------------------------------------


def read_assertion(node: Assertion, values: Values, place: Place, work: Work) -> None:
    labels = (Label("message", node.message),) if node.message else ()
    done = caught("", labels, place.around)
    for number, checked in enumerate(found := _asserted(node, values, place), 1):
        part = f"condition {number}" if len(found) > 1 else ""
        work.rule(checked, node.span, place, done, part)


def _asserted(node: Assertion, values: Values, place: Place) -> tuple[Checked, ...]:
    if place.guard is not None:
        return (unread(place.guard.code, place.guard.reason),)
    if node.condition is None:
        return (unread("procedural", "it has no condition"),)
    try:
        if node.source is not None:
            return (_of_source(node, values, place),)
        tree, _ = place.code.expression(node.condition, values)
    except Unreadable as error:
        return (unread(error.code, error.reason),)
    tree, unknown, _ = binding.resolved(tree, place.code, values)
    if unknown:
        return (unread("procedural", binding.why_unknown(unknown, values)),)
    if place.record is not None:
        return (unread("procedural", "it runs for every record anew"),)
    return of_test(tree, place.code.here, bad=node.bad)


def _of_source(node: Assertion, values: Values, place: Place) -> Checked:
    """ABORT … FROM t WHERE bad: the records of a query. Raises Unreadable."""
    assert node.source is not None
    assert node.condition is not None
    whole = Span(node.source.start, node.condition.end, node.source.first, node.condition.last)
    tree, setting = place.code.parsed("SELECT 1 " + place.code.source(whole), values)
    if not isinstance(tree, exp.Select) or set_args(tree) - {"expressions", "from_", "where"}:
        return unread("unknown_shape", "what it looks at is more than the records of a table")
    where = tree.args.get("where")
    if where is None or is_aggregate(where.this):
        return unread("unknown_shape", "what it looks at is more than the records of a table")
    return rows_of(tree, setting)
