"""`col("x") > 5`: the row conditions that Great Expectations 0.13 to 1.x parses itself.

Read in expectations/row_conditions.py of 0.18.22 and legacy_row_conditions.py of 1.24.1; 0.18 reads
less and nothing otherwise. Their parser stops after the first comparison and drops the rest.
"""

from __future__ import annotations

import re
from typing import cast

from ruleferry.converters.predicates import Comparison, Operator, Present, Scope, Value
from ruleferry.converters.readers.great_expectations.arguments import (
    ArgumentFault,
    ConditionFault,
    number,
    shown,
)
from ruleferry.converters.readers.great_expectations.version import Ran
from ruleferry.converters.rule import Caveat, engine_kind

_BLANK = r"[ \t\r\n]*"
# ASCII but quotes, and the letters of Latin 1.
_CHARACTER = "!#-&(-~À-ÖØ-öø-ÿ"
_TEXT = (
    rf"(?:\"{_BLANK}(?P<{{0}}double>[{_CHARACTER}][{_CHARACTER} \t]*){_BLANK}\""
    rf"|'{_BLANK}(?P<{{0}}single>[{_CHARACTER}][{_CHARACTER} \t]*){_BLANK}')"
)
_COMPARISON = re.compile(
    rf'{_BLANK}col\("(?P<column>[^"\r\n]*)"\){_BLANK}'
    rf"(?:(?i:\.(?P<present>notnull)\(\))"
    rf"|(?P<operator>[<>]=|==|!=|[<>]){_BLANK}"
    rf"(?:(?P<number>[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)"
    rf"|{_TEXT.format('')}"
    rf"|(?P<date>date){_BLANK}\({_BLANK}{_TEXT.format('date_')}{_BLANK}\)))"
)
_NAME_OF_0_X = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")


def read_col_condition(text: str, ran: Ran) -> tuple[Scope, tuple[Caveat, ...]]:
    """What Great Expectations applied of the text, and a caveat where it left out the rest.

    Raises ArgumentFault where it could not parse the text, or not run it on the engine.
    """
    found = _COMPARISON.match(text)
    if found is None or not found["column"]:
        raise ArgumentFault(f"Great Expectations can't parse the row condition {shown(text)}")
    if "\\" in found["column"]:
        raise ConditionFault(f"its row condition names a column with a backslash: {shown(text)}")
    scope = _scope(found)
    if not ran.modern:
        _refuse_in_0_x(found, ran)
    return scope, _cut(text, found)


def _scope(found: re.Match[str]) -> Scope:
    if found["present"]:
        return Present(found["column"])
    operator = "=" if found["operator"] == "==" else found["operator"]
    return Comparison(found["column"], cast(Operator, operator), _value(found))


def _value(found: re.Match[str]) -> Value:
    """A date is compared as its text."""
    if (digits := found["number"]) is not None:
        return number(int(digits) if digits.lstrip("+-").isdigit() else float(digits))
    names = ("double", "single", "date_double", "date_single")
    return next(found[name] for name in names if found[name] is not None)


def _refuse_in_0_x(found: re.Match[str], ran: Ran) -> None:
    written = found[0]
    if not written.isascii() or not _NAME_OF_0_X.fullmatch(found["column"]):
        raise ArgumentFault(f"Great Expectations 0.x can't parse the row condition {written}")
    if found["date"] and (ran.engine is None or engine_kind(ran.engine) == "sql"):
        reason = "Great Expectations 0.x compares with a text where a date is meant"
        raise ConditionFault(f"its row condition is {written}: on a database {reason}")
    if ran.engine == "spark" and not _runs_on_spark(found):
        raise ArgumentFault(
            f"Great Expectations 0.x can't run the row condition {written} on Spark, so it never "
            "ran"
        )


def _runs_on_spark(found: re.Match[str]) -> bool:
    """0.x on Spark has no `!=`, and no order of texts."""
    operator = found["operator"]
    return operator != "!=" and (found["number"] is not None or operator in (None, "=="))


def _cut(text: str, found: re.Match[str]) -> tuple[Caveat, ...]:
    rest = text[found.end() :].strip()
    if not rest:
        return ()
    applied = found[0].strip()
    detail = f"Great Expectations applied {applied} and left out the rest of the text: {rest}"
    return (Caveat("row_condition_cut", detail),)
