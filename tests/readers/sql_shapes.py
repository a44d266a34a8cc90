"""Statements as their rules, each on one line: what tests of shapes compare."""

from ruleferry.converters.dialects.parse import parse_expression, parse_statement
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.found import Checked, Found, Setting
from ruleferry.converters.readers.sql.macros import prepare
from ruleferry.converters.readers.sql.shapes import bad_rows, of_condition, read_query
from ruleferry.converters.rule import (
    Exists,
    LookedUp,
    Lookup,
    Measured,
    NotARule,
    Reconciled,
    Row,
    Unique,
    Unread,
)


def parsed(dialect: str, text: str):
    """The tree, and what holds for it."""
    known = sql_dialects()[dialect]
    prepared = prepare(text, known, "", {})
    return parse_statement(prepared.text, known), Setting(known, macros=prepared.macros)


def found_in(dialect: str, text: str) -> tuple[Found, ...]:
    tree, setting = parsed(dialect, text)
    return read_query(tree, 0, len(text), setting)


def rules(dialect: str, text: str) -> list[str]:
    return [told(found) for found in found_in(dialect, text)]


def checked(dialect: str, text: str, *, bad: bool = True) -> Checked:
    tree, setting = parsed(dialect, text)
    return bad_rows(tree, setting, bad=bad)


def condition(dialect: str, text: str, *, bad: bool = True) -> Checked:
    known = sql_dialects()[dialect]
    return of_condition(parse_expression(text, known), Setting(known), "t", bad=bad)


def told(found: Found) -> str:
    words = [f"{found.part}:" if found.part else "", brief(found.checked)]
    words += [f"<{label.kind} {label.text}>" for label in found.labels]
    words += [f"<{key}={value}>" for key, value in found.tags]
    words += [f"!{found.effect.kind}"] if found.effect.kind != "select" else []
    return " ".join(word for word in words if word)


def brief(one: Checked) -> str:
    words = [one.table or "-", one.kind, _check(one.check)]
    words += [f"of ({one.scope.text})"] if isinstance(one.scope, SqlText) else []
    words += [f"without ({text})" for text in one.filters]
    words += [f"~{caveat.code}" for caveat in one.caveats]
    return " ".join(words)


def _check(check) -> str:
    match check:
        case Row(SqlText() as predicate):
            return _predicate(predicate)
        case Measured(predicate):
            return f"figures {_predicate(predicate)}"
        case Unique(columns, ignore):
            return f"{', '.join(columns)} ({ignore})"
        case Exists():
            word = "found" if check.negated else "not found"
            more = f" {check.listed}" if check.listed else ""
            return f"{word} in {_lookup(check.lookup)} missing {check.missing}{more}"
        case LookedUp():
            pairs = [f"{c.left} {c.operator} {c.right}" for c in check.comparisons]
            return f"{' and '.join(pairs)} in {_lookup(check.lookup)}"
        case Reconciled():
            ways = [word for word in ("missing", "extra") if getattr(check, word)]
            return f"{'+'.join(ways)} {_lookup(check.other)}"
        case Unread():
            return f"gap {check.code}"
        case NotARule():
            return f"none: {check.reason}"
    raise AssertionError(check)


def _predicate(predicate: SqlText) -> str:
    word = "query" if predicate.whole_query else "bad" if predicate.bad else "good"
    return f"{word} [{predicate.text}]"


def _lookup(lookup: Lookup) -> str:
    keys = ", ".join(f"{ours}={theirs}" for ours, theirs in lookup.keys)
    scope = f" where {lookup.scope.text}" if isinstance(lookup.scope, SqlText) else ""
    return f"{lookup.table}({keys}){scope}"
