"""Code of the tests, and what the reader of code makes of it, in a line each."""

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.code import read_code
from ruleferry.converters.readers.sql.found import Setting
from ruleferry.converters.readers.sql.macros import prepare
from ruleferry.converters.rule import (
    Exists,
    LookedUp,
    Measured,
    NotARule,
    Row,
    Unique,
    Unread,
)


def founds_of(text, dialect, values=None, tables=None, offset=0):
    known = sql_dialects()[dialect]

    def prepared(part):
        return prepare(part, known, "", values or {})

    return read_code(text, offset, Setting(known), prepared, tables)


def told(found):
    """table: what is checked -> what is done"""
    checked = found.checked
    return f"{checked.table}: {_check(checked.check)} -> {found.effect.kind}"


def _check(check):
    match check:
        case Row() | Measured():
            text = check.predicate.text
            return text if check.predicate.bad else f"good {text}"
        case Exists():
            keys = ", ".join(f"{a}={b}" for a, b in check.lookup.keys)
            return f"{'not ' if check.negated else ''}in {check.lookup.table} by {keys}"
        case LookedUp():
            return f"looked up in {check.lookup.table}"
        case Unique():
            return f"unique {', '.join(check.columns)}"
        case _:
            return type(check).__name__


def rules_of(text, dialect, **known):
    """Without what is no rule."""
    founds = founds_of(text, dialect, **known)
    return [told(f) for f in founds if not isinstance(f.checked.check, NotARule | Unread)]


def gaps_of(text, dialect, **known):
    founds = founds_of(text, dialect, **known)
    return [f.checked.check.code for f in founds if isinstance(f.checked.check, Unread)]
