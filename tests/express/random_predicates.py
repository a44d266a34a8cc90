"""Random predicates of portable SQL, and rows with NULL everywhere: the same on every engine."""

import random
from itertools import product

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.rule import LegacyRule, Origin, Row, Table

_WRITTEN = {"x": "int", "y": "int", "s": "string", "t": "string", "b": "boolean"}
TYPES = {name: parse_type(kind) for name, kind in _WRITTEN.items()}
_NUMBERS = (None, -2, 0, 3)
_TEXTS = (None, "", "ab", "A%")
_ROWS = list(product(_NUMBERS, _NUMBERS, _TEXTS, _TEXTS, (None, True, False)))
# Enough of the 768 combinations that two predicates which differ are told apart.
ROWS = tuple(random.Random(1).sample(_ROWS, 150))


def predicates(count: int, deepest: int = 3) -> list[str]:
    chance = random.Random(7)
    return [_logic(chance, chance.randint(0, deepest)) for _ in range(count)]


def _logic(chance: random.Random, depth: int) -> str:
    if depth == 0:
        return _test(chance)
    left, right = _logic(chance, depth - 1), _logic(chance, depth - 1)
    return chance.choice((
        f"({left} AND {right})", f"({left} OR {right})", f"NOT ({left})", f"({left})",
        f"(({left}) IS {chance.choice(('', 'NOT '))}{chance.choice(('TRUE', 'FALSE', 'NULL'))})",
        f"(CASE WHEN {left} THEN {right} ELSE {_test(chance)} END)",
        f"(CASE WHEN {left} THEN {right} END)",
        f"COALESCE({left}, {right})", f"(({left}) = ({right}))",
    ))  # fmt: skip


def _test(chance: random.Random) -> str:
    x, y = _number(chance), _number(chance)
    s, t = _text(chance), _text(chance)
    negated = chance.choice(("", "NOT "))
    operator = chance.choice(("=", "<>", "<", "<=", ">", ">="))
    return chance.choice((
        f"{x} {operator} {y}", f"{s} {operator} {t}", "b",
        f"{chance.choice((x, s))} IS {negated}NULL",
        f"{x} {negated}IN ({y}, {_number(chance)})",
        f"{x} {negated}BETWEEN {y} AND {_number(chance)}",
        f"{s} {negated}IN ({t}, 'ab')",
        f"{s} {negated}LIKE {chance.choice(('a%', '%', '_b', ''))!r}",
        f"{x} IS {negated}DISTINCT FROM {y}", f"b = {chance.choice(('TRUE', 'FALSE'))}",
    ))  # fmt: skip


def _number(chance: random.Random) -> str:
    return chance.choice(
        ("x", "x", "y", "0", "3", "-2", "NULL", "COALESCE(x, 0)", "NULLIF(x, 3)", "(x + y)",
         "CASE WHEN b THEN x ELSE y END")
    )  # fmt: skip


def _text(chance: random.Random) -> str:
    return chance.choice(
        ("s", "s", "t", "''", "'ab'", "NULL", "COALESCE(s, 'ab')", "NULLIF(s, '')", "UPPER(t)")
    )


def emitted(predicate: str, dialect: str = "spark") -> str | None:
    """The condition on good records; None where the predicate can never hold, or always does."""
    found = express(
        LegacyRule(
            origin=Origin("checks.sql", "line 1", predicate, "sql", dialect),
            atom="line 1",
            kind="predicate",
            check=Row(SqlText(predicate, dialect, bad=True)),
            table=Table("t"),
        ),
        Types(TYPES),
    )
    if isinstance(found, Condition):
        return found.text
    assert found.code in ("never_fails", "never_passes", "too_large"), (predicate, found)
    return None
