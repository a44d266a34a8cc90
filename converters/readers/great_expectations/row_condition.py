"""The records that an expectation is limited to: `row_condition` in each of its syntaxes.

Which one a text is in was said by `condition_parser` and checked by the engine up to 1.7. Since 1.8
a text that is not in Great Expectations' own syntax is handed to pandas or Spark as it stands,
whatever the parser is called (read in the execution engines of 0.12 to 1.24.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleferry.converters.predicates import Scope, SqlText
from ruleferry.converters.readers.great_expectations.arguments import (
    ArgumentFault,
    ConditionFault,
    shown,
)
from ruleferry.converters.readers.great_expectations.version import Ran
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.rule import Caveat, Engine, engine_kind

_PARSERS = ("pandas", "spark", "great_expectations", "great_expectations__experimental__")
_OWN = _PARSERS[2:]
_OF_PANDAS = ("pandas", "python")
_CONDITIONS = ("comparison", "nullity", "and", "or", "pass_through")
# From here on a text is handed on to the engine.
_HANDED_ON = (1, 8)
_Syntax: TypeAlias = Literal["own", "pandas", "python", "spark"]


@dataclass(frozen=True, slots=True)
class RowCondition:
    scope: Scope | None = None
    caveats: tuple[Caveat, ...] = ()


def engine_of(kwargs: Mapping[str, Json]) -> Engine | None:
    """The engine that a condition_parser is made for, where there is a row condition."""
    parser = kwargs.get("condition_parser") if kwargs.get("row_condition") else None
    if parser in _OF_PANDAS:
        return "pandas"
    return "spark" if parser == "spark" else None


def row_condition(kwargs: Mapping[str, Json], ran: Ran, *, one_column: bool) -> RowCondition:
    """`one_column`: the expectation is about the values of one column.

    Raises ArgumentFault where Great Expectations refuses the condition, ConditionFault where it
    can't be read.
    """
    condition, parser = kwargs.get("row_condition"), kwargs.get("condition_parser")
    if ran.modern:
        _refuse_condition(condition, parser)
    if condition is None or condition == "":
        return RowCondition()
    if isinstance(condition, dict) and ran.modern:
        return _of_object(condition, parser, ran)
    if not isinstance(condition, str):
        raise ArgumentFault(f"row_condition: a text was expected, found {shown(condition)}")
    return _of_text(condition, _syntax(parser, ran, one_column), ran)


def _refuse_condition(condition: Json, parser: Json) -> None:
    if parser is not None and parser not in _PARSERS:
        found = f"one of {', '.join(_PARSERS)} was expected, found {shown(parser)}"
        raise ArgumentFault(f"condition_parser: {found}")
    known = isinstance(condition, dict) and condition.get("type") in _CONDITIONS
    if not (condition is None or isinstance(condition, str) or known) or condition == "":
        raise ArgumentFault(f"row_condition: a condition was expected, found {shown(condition)}")


def _of_object(condition: Mapping[str, Json], parser: Json, ran: Ran) -> RowCondition:
    from ruleferry.converters.readers.great_expectations.condition_object import (
        read_condition_object,
    )

    if condition.get("type") != "pass_through":
        return RowCondition(read_condition_object(condition, ran))
    text = condition.get("pass_through_filter")
    if not isinstance(text, str):
        raise ArgumentFault(f"row_condition: a text was expected, found {shown(text)}")
    return _of_text(text, _handed_on(None if parser in _OWN else parser, ran), ran)


def _of_text(text: str, syntax: _Syntax, ran: Ran) -> RowCondition:
    if syntax == "spark":
        return RowCondition(SqlText(text, "spark", bad=False))
    if syntax == "own":
        from ruleferry.converters.readers.great_expectations.col_condition import (
            read_col_condition,
        )

        return RowCondition(*read_col_condition(text, ran))
    from ruleferry.converters.readers.great_expectations.pandas_query import read_pandas_query

    return RowCondition(read_pandas_query(text, python=syntax == "python"))


def _syntax(parser: Json, ran: Ran, one_column: bool) -> _Syntax:
    if ran.generation == "v2":
        return _in_v2(parser, ran, one_column)
    if ran.modern and parser in _OWN:
        if ran.engine == "pandas" and _is_before(ran):
            raise _not_taken(parser, ran)
        return "own"
    if ran.modern and not _is_before(ran):
        return _handed_on(parser, ran)
    return _checked(parser, ran)


def _is_before(ran: Ran) -> bool:
    return ran.version is not None and ran.version < _HANDED_ON


def _in_v2(parser: Json, ran: Ran, one_column: bool) -> _Syntax:
    """Of the data sets of 0.12 and older only that of pandas had row conditions."""
    if ran.engine not in ("pandas", None):
        reason = f"no row condition on {_named(ran.engine)}"
        raise ArgumentFault(f"Great Expectations 0.12 and older had {reason}, so it never ran")
    if one_column and parser not in _OF_PANDAS:
        raise _not_taken(parser, ran)
    return "python" if one_column and parser == "python" else "pandas"


def _checked(parser: Json, ran: Ran) -> _Syntax:
    """0.13 to 1.7: the engine refuses a parser that is not its own."""
    kind = ran.engine and engine_kind(ran.engine)
    if parser in _OF_PANDAS and kind in ("pandas", None):
        return "python" if parser == "python" else "pandas"
    if parser == "spark" and kind in ("spark", None):
        return "spark"
    if parser == _OWN[1] and kind != "pandas":
        return "own"
    raise _not_taken(parser, ran)


def _handed_on(parser: Json, ran: Ran) -> _Syntax:
    kind = ran.engine and engine_kind(ran.engine)
    if kind == "sql":
        raise _not_taken(parser, ran)
    if parser is not None and kind not in (parser, None) and ran.version is None:
        conflict = f"its condition_parser is {parser} and the engine {kind}"
        raise ConditionFault(f"{conflict}, and only since 1.8 Great Expectations reads such a text")
    return "pandas" if kind == "pandas" else "spark"


def _not_taken(parser: Json, ran: Ran) -> ArgumentFault:
    stated = f"the condition_parser {shown(parser)}" if parser else "no condition_parser"
    return ArgumentFault(
        f"a row condition with {stated} is refused on {_named(ran.engine)}, so it never ran"
    )


def _named(engine: Engine | None) -> str:
    return {"pandas": "pandas", "spark": "Spark", None: "every engine"}.get(engine, "a database")
