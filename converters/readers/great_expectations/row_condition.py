"""The records that an expectation is limited to: `row_condition` in each of its syntaxes."""

from __future__ import annotations

from collections.abc import Mapping

from ruleferry.converters.readers.great_expectations.arguments import ArgumentFault, shown
from ruleferry.converters.readers.great_expectations.version import Ran
from ruleferry.converters.readers.json_text import Json, json_text
from ruleferry.converters.rule import SqlText

_PARSERS = ("pandas", "spark", "great_expectations", "great_expectations__experimental__")
_CONDITIONS = ("comparison", "nullity", "and", "or", "pass_through")


def row_condition(kwargs: Mapping[str, Json], ran: Ran) -> SqlText | None:
    """The row condition. Spark SQL is read here; other syntaxes have their own reader."""
    condition, parser = kwargs.get("row_condition"), kwargs.get("condition_parser")
    if ran.modern:
        _refuse_condition(condition, parser)
    if condition is None or condition == "":
        return None
    stated = condition
    if isinstance(condition, dict) and condition.get("type") == "pass_through":
        condition = condition.get("pass_through_filter")
    if not isinstance(condition, str):
        return SqlText(json_text(stated), "great_expectations", bad=False)
    if parser == "spark" or (parser is None and ran.modern and ran.engine == "spark"):
        return SqlText(condition, "spark", bad=False)
    dialect = str(parser) if parser in (*_PARSERS, "python") else "unknown"
    return SqlText(json_text(stated), dialect, bad=False)


def _refuse_condition(condition: Json, parser: Json) -> None:
    if parser is not None and parser not in _PARSERS:
        found = f"one of {', '.join(_PARSERS)} was expected, found {shown(parser)}"
        raise ArgumentFault(f"condition_parser: {found}")
    known = isinstance(condition, dict) and condition.get("type") in _CONDITIONS
    if not (condition is None or isinstance(condition, str) or known) or condition == "":
        raise ArgumentFault(f"row_condition: a condition was expected, found {shown(condition)}")
