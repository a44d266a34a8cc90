"""What a rule that was found says, on one line: for tables of cases."""

from __future__ import annotations

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.predicates import (
    Absent,
    Length,
    Matches,
    OneOf,
    Present,
    Range,
    SqlText,
)
from ruleferry.converters.readers.sql.found import Setting
from ruleferry.converters.rule import (
    Columns,
    Exists,
    Figure,
    Measured,
    NotARule,
    Row,
    Share,
    Unique,
    Unread,
)


def setting(dialect):
    return Setting(sql_dialects()[dialect])


def shown(found):
    """`name: check [where scope] -> action`."""
    checked = found.checked
    name = f"{found.labels[0].text}: " if found.labels else ""
    scope = f" where {checked.scope.text}" if checked.scope else ""
    action = f" -> {found.effect.action}" if _is_rule(checked.check) else ""
    return f"{name}{check(checked.check)}{scope}{action}"


def _is_rule(found):
    return not isinstance(found, Unread | NotARule)


def check(found):
    match found:
        case Row(predicate):
            return _predicate(predicate)
        case Unique(columns, ignore):
            return f"unique {', '.join(columns)} ({ignore})"
        case Exists(lookup):
            keys = ", ".join(f"{ours} = {theirs}" for ours, theirs in lookup.keys)
            inside = f" where {lookup.scope.text}" if lookup.scope else ""
            word = "not in" if found.negated else "in"
            return f"{word} {lookup.table} by {keys}{inside} (missing {found.missing})"
        case Measured(predicate):
            return f"figures {_predicate(predicate)}"
        case Share(row, threshold):
            return f"share {threshold} of {check(row)}"
        case Figure(measure, columns, arguments):
            given = " ".join(f"{name}={value}" for name, value in arguments)
            return " ".join(filter(None, [measure, *columns, given]))
        case Columns(statement, _, arguments):
            given = " ".join(f"{name}={value}" for name, value in arguments)
            return f"columns {statement} {given}"
        case Unread(code):
            return f"gap {code}"
        case NotARule():
            return "no rule"
    raise AssertionError(found)


def _predicate(found):
    match found:
        case SqlText(text, bad=bad):
            return f"bad {text}" if bad else f"good {text}"
        case Present(column):
            return f"{column} present"
        case Absent(column):
            return f"{column} absent"
        case OneOf(column, values, negated):
            return f"{column} {'not ' if negated else ''}in {values}"
        case Range(column, low, high, low_open, high_open):
            left = "(" if low_open else "["
            right = ")" if high_open else "]"
            return f"{column} {left}{low}, {high}{right}"
        case Length(column, low, high):
            return f"length {column} [{low}, {high}]"
        case Matches(column, patterns, negated=negated, whole=whole):
            word = "not like" if negated else "like"
            return f"{column} {word} {patterns[0]}{' whole' if whole else ''}"
    raise AssertionError(found)
