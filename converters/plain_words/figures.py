"""A figure over the records of a table, as a person calls it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from ruleferry.converters.plain_words.names import name
from ruleferry.converters.plain_words.saying import Unsaid
from ruleferry.converters.plain_words.values import bare, value
from ruleferry.converters.wording import BATCH

_FIGURES: Mapping[str, str] = {
    "sum": "the sum of {}",
    "avg": "the mean of {}",
    "min": "the least value of {}",
    "max": "the greatest value of {}",
}
_COUNTED = ("count_if", "countif")
_Saying = Callable[[exp.Expression], str]


def figure(word: str, arguments: list[exp.Expression], say: _Saying) -> str | None:
    """`say` says a condition. None for what is no figure."""
    if len(arguments) != 1:
        return None
    (given,) = arguments
    if word == "count":
        return f"the number of records{_counted(given, say)}"
    if word in _COUNTED:
        return f"the number of records where {say(given)}"
    if word not in _FIGURES:
        return None
    if not isinstance(bare(given), exp.Column):
        raise Unsaid
    return _FIGURES[word].format(value(given))


def _counted(given: exp.Expression, say: _Saying) -> str:
    if isinstance(given, exp.Star):
        return ""
    if isinstance(given, exp.Column):
        return f" where {value(given)} has a value"
    arms = given.args["ifs"] if isinstance(given, exp.Case) and not given.this else []
    if len(arms) != 1 or given.args.get("default") is not None:
        raise Unsaid
    if not isinstance(arms[0].args["true"], exp.Literal):
        raise Unsaid
    return f" where {say(arms[0].this)}"


def of_table(node: exp.Subquery) -> tuple[exp.Expression, str]:
    """Of `(SELECT count(*) FROM t)`: the figure, and the table."""
    query = node.this
    if not isinstance(query, exp.Select) or len(query.expressions) != 1:
        raise Unsaid
    used = {key for key, given in query.args.items() if given}
    source = query.args.get("from_")
    table = source.this if source else None
    if used - {"expressions", "from_", "kind"} or not isinstance(table, exp.Table):
        raise Unsaid
    if {key for key, given in table.args.items() if given} - {"this", "db", "catalog", "alias"}:
        raise Unsaid
    return query.expressions[0], _table(table)


def _table(table: exp.Table) -> str:
    parts = [part.name for part in table.parts]
    return "this table" if parts == [BATCH] else name(parts)
