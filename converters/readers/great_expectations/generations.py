"""What an expectation of 0.x means, where 1.x makes something else of it.

v2 is the Dataset API of 0.8 to 0.12, which lived on beside the Validator of 0.13 to 0.18, v3. Read
in the source of 0.18.22, which holds both, and run there on pandas 2.1 and Spark 3.5.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime

from ruleferry.converters.predicates import (
    Compare,
    DistinctWithin,
    Length,
    Matches,
    OneOf,
    PairIn,
    Predicate,
    Range,
    SumIs,
    Value,
)
from ruleferry.converters.readers.great_expectations.arguments import (
    ArgumentFault,
    NoEquivalentFault,
    time,
)
from ruleferry.converters.readers.great_expectations.catalogue import Row, catalogue
from ruleferry.converters.readers.great_expectations.pandas_patterns import since_pandas_3
from ruleferry.converters.readers.great_expectations.version import GENERATIONS, Ran
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.rule import Caveat, Check, Figure, engine_kind
from ruleferry.converters.rule import Row as RecordRow

PARSED = "parse_strings_as_datetimes"
_CALLED = {"v2": "up to 0.12", "v3": "up to 0.18", "1.x": "1.x"}
# Up to 1.23 Spark was given one pattern for those that must all match.
_APART = _MEASURED = (1, 24)
# A flag, a group with a name or a reference: what a pattern hands on to those joined to it.
_REACHES_ON = re.compile(r"\(\?(?!:)|\\[1-9kQ]|\(.*\\[1-9]")


def in_its_generation(name: str, row: Row, kwargs: Mapping[str, Json], ran: Ran) -> tuple[Row, Ran]:
    """The row and the generation that know the expectation's name and words."""
    never = "column_A" in kwargs and kwargs.get("ignore_row_if") == "never"
    if ran.generation == "v3" and (name in catalogue().also or never):
        ran = replace(ran, generation="v2")
    if row.before and ran.generation == "v2":
        return catalogue().rows[row.before], ran
    return row, ran


def refuse_generation(row: Row, kwargs: Mapping[str, Json], ran: Ran) -> None:
    """Raises ArgumentFault for what its generation did not have."""
    if GENERATIONS.index(ran.generation) < GENERATIONS.index(row.since):
        called = _CALLED[ran.generation]
        raise ArgumentFault(f"Great Expectations {called} has no {row.name}, so it never ran")
    for name, where in row.refused.items():
        if kwargs.get(name) and _is_all_of(where, ran):
            raise ArgumentFault(f"Great Expectations refuses {name} here, so it never ran")


def _is_all_of(where: tuple[str, ...], ran: Ran) -> bool:
    """Whether it is refused wherever the rule may have run."""
    kinds = [engine_kind(ran.engine)] if ran.engine else ["pandas", "spark"]
    return all(f"{ran.generation} {kind}" in where for kind in kinds)


def as_it_ran(check: Check, kwargs: Mapping[str, Json], ran: Ran) -> tuple[Check, list[Caveat]]:
    """The check as its generation meant it, and what is to be told of it. Raises ArgumentFault."""
    if isinstance(check, Figure) and check.measure == "z_score":
        return _z_score(check, ran)
    if not isinstance(check, RecordRow):
        return check, []
    told: list[Caveat] = []
    predicate = _meant(check.predicate, kwargs, ran, told)
    if _depends_on_version(predicate, kwargs, ran):
        detail = "no version is stated; it means what 0.13 to 0.18 made of it, and not 0.12"
        told.append(Caveat("version_unknown", detail))
    return RecordRow(predicate), told


def _z_score(check: Figure, ran: Ran) -> tuple[Check, list[Caveat]]:
    """Where there is no spread, 0.18 refused every value on pandas; 1.24 passes them (probes)."""
    if not ran.modern:
        arguments = tuple(sorted((*check.arguments, ("undefined", "bad"))))
        return replace(check, arguments=arguments), []
    if ran.version is not None and ran.version >= (1, 24):
        return check, []
    detail = "values without any spread pass, as in 1.24; what earlier versions did is not known"
    return check, [Caveat("version_unknown", detail)]


def _meant(
    predicate: Predicate, kwargs: Mapping[str, Json], ran: Ran, told: list[Caveat]
) -> Predicate:
    """`told` is added to."""
    if isinstance(predicate, Matches):
        told += _of_pandas(predicate, ran)
        return _as_one(predicate, ran, told)
    if ran.modern:
        _refuse_day_beside_time(predicate, ran)
        return predicate
    match predicate:
        case Range():
            return _range(predicate, kwargs, ran)
        case OneOf():
            return _one_of(predicate, kwargs, ran, told)
        case Length():
            return _length(predicate, ran, told)
        case Compare() if kwargs.get(PARSED):
            return _read(predicate, ran, told)
        case Compare():
            return _compare(predicate, ran, told)
        case PairIn():
            _refuse_never(predicate, ran)
            return replace(predicate, as_written=_may_be_spark(ran))
        case DistinctWithin():
            return replace(predicate, neighbours=ran.generation == "v2")
        case SumIs():
            summed = replace(predicate, wraps=_may_be_spark(ran))
            return replace(summed, missing="zero") if ran.generation == "v2" else summed
        case _:
            return predicate


def _may_be_spark(ran: Ran) -> bool:
    return ran.engine in ("spark", None)


def _depends_on_version(predicate: Predicate, kwargs: Mapping[str, Json], ran: Ran) -> bool:
    if ran.generation != "v3" or ran.version is not None:
        return False
    match predicate:
        case Compare():
            return predicate.operator != "=" and (_may_be_spark(ran) or bool(kwargs.get(PARSED)))
        case DistinctWithin():
            return _may_be_spark(ran) and len(predicate.columns) > 2
        case SumIs():
            return ran.engine != "spark"
        case _:
            return bool(kwargs.get(PARSED))


# One column ---------------------------------------------------------------------------------------


def _as_one(rule: Matches, ran: Ran, told: list[Caveat]) -> Matches:
    """Patterns that Spark was given as one: where all must match up to 1.23, else to this day."""
    if len(rule.patterns) < 2:
        return rule
    if rule.each:
        before = not ran.modern or (ran.version is not None and ran.version < _APART)
        if before and ran.engine == "spark":
            detail = "up to 1.23 all patterns had to match from one and the same place of the text"
            told.append(Caveat("patterns_chained", detail))
        return replace(rule, chained=before)
    apart = (rule.negated and ran.generation != "v2") or not _may_be_spark(ran)
    return replace(rule, branched=not apart and any(map(_REACHES_ON.search, rule.patterns)))


def _of_pandas(rule: Matches, ran: Ran) -> list[Caveat]:
    if not ran.modern or ran.engine != "pandas":
        return []
    found = ((pattern, since_pandas_3(pattern)) for pattern in rule.patterns)
    return [
        Caveat("pattern_of_pandas", f"it is read as Python reads it; in {pattern} pandas 3 {other}")
        for pattern, other in found
        if other
    ]


def _refuse_day_beside_time(predicate: Predicate, ran: Ran) -> None:
    """Measured on 1.24; earlier versions of 1.x may have taken a day for its midnight."""
    if not isinstance(predicate, Range) or ran.version is None or ran.version < _MEASURED:
        return
    ends = [end for end in (predicate.low, predicate.high) if isinstance(end, date)]
    if len({isinstance(end, datetime) for end in ends}) == 2:
        raise ArgumentFault("Great Expectations can't compare a day with a time, so it never ran")


def _range(rule: Range, kwargs: Mapping[str, Json], ran: Ran) -> Range:
    """Spark compared a text with a number, or a time, after it had read the text as one."""
    given = [kwargs.get(name) for name in ("min_value", "max_value")]
    if ran.engine == "spark" and any(isinstance(value, bool) for value in given):
        raise ArgumentFault("Spark refuses to compare with a truth value, so it never ran")
    if _may_be_spark(ran):
        rule = replace(rule, unknown="bad" if ran.generation == "v2" else "good")
    if not kwargs.get(PARSED):
        return rule
    if ran.generation == "v2":
        _refuse_unparsed(given, ran)
    return replace(rule, low=_time(rule.low), high=_time(rule.high), as_times=True)


def _time(bound: Value) -> Value:
    return time(bound) if isinstance(bound, str) else bound


def _refuse_unparsed(given: list[Json], ran: Ran) -> None:
    stated = [value for value in given if value is not None]
    unread = [value for value in stated if not isinstance(value, str)]
    if unread and not any(unread) and ran.engine != "spark":
        raise NoEquivalentFault(f"{PARSED} reads only texts as bounds, and pandas skips a 0")
    if unread:
        raise ArgumentFault(f"{PARSED} reads only texts as bounds, so it never ran")
    if ran.engine == "spark" and len(stated) < 2:
        raise ArgumentFault(f"on Spark {PARSED} needs both bounds, so it never ran")


def _one_of(rule: OneOf, kwargs: Mapping[str, Json], ran: Ran, told: list[Caveat]) -> OneOf:
    rule = replace(rule, as_written=_may_be_spark(ran))
    if ran.generation == "v2" and None in rule.values:
        if ran.engine == "spark":
            raise ArgumentFault("up to 0.12 Spark refuses a null in the list, so it never ran")
        told.append(Caveat("null_in_set", "the null in its list never matches a value"))
        rule = replace(rule, values=tuple(v for v in rule.values if v is not None))
    if not kwargs.get(PARSED):
        return rule
    if ran.generation == "v3":
        told.append(Caveat("argument_ignored", f"{PARSED} had no effect on a list of values"))
        return rule
    if not all(isinstance(value, str) and time(value) for value in rule.values):
        if ran.engine == "spark":
            raise ArgumentFault(f"a list of texts was expected beside {PARSED}, so it never ran")
        raise NoEquivalentFault(f"{PARSED} reads only the texts of the list")
    return replace(rule, as_times=True)


def _length(rule: Length, ran: Ran, told: list[Caveat]) -> Length:
    """Only on pandas was a bound itself refused."""
    strict = [n for n, on in (("min", rule.low_open), ("max", rule.high_open)) if on]
    if not strict or ran.engine == "pandas":
        return rule
    names = " and ".join(f"strict_{name}" for name in strict)
    if ran.engine is None:
        told.append(Caveat("engine_unknown", f"{names} had no effect on Spark, but on pandas"))
    else:
        told.append(Caveat("argument_ignored", f"{names} had an effect on pandas alone"))
    return replace(rule, low_open=False, high_open=False)


# Two columns --------------------------------------------------------------------------------------


def _refuse_never(rule: Compare | PairIn, ran: Ran) -> None:
    if ran.generation == "v2" and ran.engine == "spark" and rule.ignore == "never":
        raise ArgumentFault("on Spark ignore_row_if: never raises, so it never ran")


def _compare(rule: Compare, ran: Ran, told: list[Caveat]) -> Compare:
    _refuse_never(rule, ran)
    if ran.generation == "v3" or (ran.engine and engine_kind(ran.engine) == "sql"):
        return rule
    if ran.engine != "spark":
        detail = "where a column had one of pandas' nullable types, a missing value passed"
        told.append(Caveat("pandas_nullable", detail))
    return replace(rule, unknown="bad")


def _read(rule: Compare, ran: Ran, told: list[Caveat]) -> Compare:
    """dateutil reads both texts; the Validator cuts them to days on Spark."""
    if ran.engine and engine_kind(ran.engine) == "sql":
        raise ArgumentFault(f"on a database {PARSED} is refused, so it never ran")
    _refuse_never(rule, ran)
    if ran.generation == "v2":
        return replace(rule, read_as="text", unknown="bad")
    if ran.engine == "pandas":
        return replace(rule, read_as="time", unknown="bad")
    if ran.engine is None:
        told.append(Caveat("engine_unknown", "days are compared, as on Spark; on pandas, times"))
    return replace(rule, read_as="day", unknown="good")
