"""Expressions of a dialect on the columns of the tests, in Spark."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.dialects.parse import parse_expression
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.walk import read
from ruleferry.converters.express.outcome import Refused
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.regex_java import check_java
from ruleferry.converters.express.regex_tree import NotRead
from ruleferry.converters.express.totality import Total, make_total
from ruleferry.converters.predicates import SqlSettings

# The columns of the project's table of traps, and their values.
COLUMNS = {
    "s": ("string", "'abc'"),
    "nul": ("string", "CAST(NULL AS STRING)"),
    "e": ("string", "''"),
    "bl": ("string", "'   '"),
    "num": ("string", "'12x'"),
    "n": ("int", "7"),
    "m": ("int", "2"),
    "z": ("int", "0"),
    "x": ("decimal(10,2)", "CAST(2.50 AS DECIMAL(10,2))"),
    "d": ("date", "DATE'2024-03-05'"),
    "ts": ("timestamp", "TIMESTAMP'2024-03-05 10:11:12'"),
    "b": ("boolean", "TRUE"),
}
TYPES = {name: parse_type(text) for name, (text, _) in COLUMNS.items()}


def here_of(dialect: str, types=TYPES, **settings) -> Dialectal:
    return Dialectal(
        sql_dialects()[dialect],
        SqlSettings(**settings),
        lambda column: types.get(column.name.lower()),
    )


def term_of(text: str, dialect: str, here: Dialectal | None = None) -> Term:
    """Raises Refusal."""
    here = here or here_of(dialect)
    return read(parse_expression(text, here.dialect), here)


def regex_fault(pattern: str) -> str | None:
    try:
        check_java(pattern)
    except NotRead as reason:
        return str(reason)
    return None


def total_value(tree: exp.Expression, types=TYPES) -> exp.Expression:
    """The value as it stands in a condition that never raises. Raises Refusal."""
    found = make_total(exp.Is(this=tree, expression=exp.Null()), types, regex_fault)
    if isinstance(found, Total):
        return found.tree.this
    assert isinstance(found, Refused) or hasattr(found, "code")
    raise Refusal(found.code, found.reason)
