"""Scripts of several statements as the readers of SQL see them, for tests."""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from ruleferry.converters.dialects.parse import parse_statement
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.behaviour import Stop, with_actions
from ruleferry.converters.readers.sql.found import Found, Setting
from ruleferry.converters.readers.sql.macros import prepare
from ruleferry.converters.readers.sql.shapes import read_query
from ruleferry.converters.readers.sql.shapes.writes import read_write
from ruleferry.converters.rule import Exists, NotARule, Repeat, Row, Unread


def founds(dialect: str, *statements: str) -> list[Found]:
    """What each statement says by itself; they stand on lines of their own."""
    told: list[Found] = []
    known = sql_dialects()[dialect]
    start = 0
    for text in statements:
        made = prepare(text, known, "", {})
        tree = parse_statement(made.text, known)
        is_query = isinstance(tree, exp.Query) and not tree.args.get("into")
        read = read_query if is_query else read_write
        told += read(tree, start, start + len(text), Setting(known, macros=made.macros))
        start += len(text) + 1
    return told


def script(dialect: str, *statements: str, stops: Mapping[int, Stop] | None = None) -> list[Found]:
    """With their actions. `stops`: number of the statement -> what ends the run after it."""
    starts = [sum(len(text) + 1 for text in statements[:n]) for n in range(len(statements))]
    at = {
        (starts[number], starts[number] + len(statements[number])): stop
        for number, stop in (stops or {}).items()
    }
    return [*with_actions(founds(dialect, *statements), "f.sql", atom, at)]


def atom(found: Found) -> str:
    return f"{found.start} {found.part}".strip()


def says(found: Found) -> object:
    """What it checks, shortly: ("bad", text), ("found", table, keys), a code, or a word."""
    check = found.checked.check
    match check:
        case Row(SqlText() as text):
            return ("bad" if text.bad else "good", text.text)
        case Exists():
            word = "not found" if check.negated else "found"
            return (word, check.lookup.table, *[f"{a}={b}" for a, b in check.lookup.keys])
        case Unread():
            return check.code
        case NotARule():
            return "no rule"
        case Repeat():
            return "repeat"
    return type(check).__name__


def rules(told: Sequence[Found]) -> list[tuple[object, str | None]]:
    """What is a rule, with its action."""
    words = ("no rule", "repeat")
    return [(says(f), f.effect.action) for f in told if says(f) not in words]
