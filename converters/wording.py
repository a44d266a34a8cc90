"""A rule in plain words, for a person who reads no code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleferry.converters.predicates import (
    Absent,
    AgainstToday,
    And,
    ColumnComparison,
    Compare,
    Comparison,
    CountPresent,
    DistinctWithin,
    Format,
    Identity,
    IsTrue,
    Json,
    Length,
    Like,
    Matches,
    Not,
    OneOf,
    Or,
    PairIn,
    Predicate,
    Present,
    Range,
    SameWithin,
    Scope,
    SqlText,
    SumIs,
    Typed,
    Value,
)
from ruleferry.converters.rule import (
    Check,
    Columns,
    Figure,
    LegacyRule,
    Measured,
    Ordered,
    Row,
    Share,
    Unique,
)

_SHOWN = 6
# What the table that is checked is called in SQL.
BATCH = "ruleferry_batch"
COMPARED = {
    "=": "is", "!=": "is not", "<": "is below", "<=": "is at most", ">": "is above",
    ">=": "is at least",
}  # fmt: skip


def in_words(rule: LegacyRule) -> str:
    """One sentence without a full stop; the columns alone where nothing could be read.

    What a source says in SQL is said in `plain_words`.
    """
    said = _check(rule)
    return f"{said}, where {scope_in_words(rule.scope)}" if rule.scope else said


def scope_in_words(scope: Scope) -> str:
    """Which records a rule is limited to."""
    match scope:
        case SqlText():
            return scope.text
        case Comparison():
            return f"{scope.column} {COMPARED[scope.operator]} {_quoted(scope.value)}"
        case ColumnComparison():
            return f"{scope.left} {COMPARED[scope.operator]} {scope.right}"
        case OneOf():
            verb = "is none of" if scope.negated else "is one of"
            shown = _some([_quoted(value) for value in scope.values])
            return f"{scope.column} {verb} {shown or 'an empty list'}"
        case Present() | Absent():
            return _of_record(scope)
        case IsTrue():
            return f"{scope.column} is true"
        case Not():
            return f"not ({scope_in_words(scope.part)})"
        case And():
            return " and ".join(_within(part, Or) for part in scope.parts)
        case Or():
            return " or ".join(_within(part, And) for part in scope.parts)


def _within(part: Scope, bracketed: type[And] | type[Or]) -> str:
    words = scope_in_words(part)
    return f"({words})" if isinstance(part, bracketed | SqlText) else words


def _quoted(value: Value) -> str:
    return f'"{value}"' if isinstance(value, str) else _shown(value)


def _check(rule: LegacyRule) -> str:
    return _of(rule.check) or _listed(rule.columns)


def _of(check: Check) -> str:
    match check:
        case Row():
            return _of_record(check.predicate)
        case Share():
            return f"{_of(check.row)}, in at least {check.threshold:%} of the records"
        case Unique():
            what = "value" if len(check.columns) == 1 else "combination"
            return f"{_listed(check.columns)}: each {what} occurs once"
        case Ordered():
            never, always = ("rises", "falls") if check.descending else ("falls", "rises")
            way = always if check.strictly else f"never {never}"
            return f"{check.column} {way} from one record to the next"
        case Figure():
            return _of_figure(check, dict(check.arguments))
        case Measured(predicate):
            finds = "its SQL finds nothing bad in the table"
            return finds if predicate.bad else "what its SQL asks of the table holds"
        case Columns():
            return _of_columns(check, dict(check.arguments))
    return ""


# How a figure is called; the column follows.
_FIGURES = {
    "min": "the least value of",
    "max": "the greatest value of",
    "mean": "the mean of",
    "median": "the median of",
    "sum": "the sum of",
    "stdev": "the standard deviation of",
    "unique_value_count": "the number of different values of",
    "proportion_of_unique_values": "the share of different values among those of",
    "proportion_of_non_null_values": "the share of records that have a value of",
}
_OF_LISTS = {
    "distinct_values_allowed": "every value of {} is one of {}",
    "distinct_values_contain": "{} takes each of the values {}",
    "distinct_values_equal": "{} takes each of the values {} and no other one",
    "most_common": "the most common value of {} is one of {}",
}


def _of_figure(check: Figure, given: Mapping[str, object]) -> str:
    column = _listed(check.columns)
    if check.measure in _FIGURES:
        return f"{_FIGURES[check.measure]} {column} is {_limits(given)}"
    if check.measure in _OF_LISTS:
        return _OF_LISTS[check.measure].format(column, _argument(given.get("value_set")))
    match check.measure:
        case "row_count":
            return f"the number of records is {_limits(given)}"
        case "row_count_of_tables":
            return f"there are as many records as in {given.get('other_table_name')}"
        case "z_score":
            sides = " above or below" if given.get("double_sided") else " above"
            most = _argument(given.get("threshold"))
            far = f"{most} {named('standard deviation', most)}"
            return f"{column} lies less than {far}{sides} its mean"
        case "outliers":
            return f"{column} is no outlier ({_arguments(given) or 'iqr, 1.5'})"
        case "quantiles":
            return _quantiles(column, given.get("quantile_ranges"))
    return f"{check.measure.replace('_', ' ')} of {column}: {_arguments(given)}"


def _limits(given: Mapping[str, object]) -> str:
    if "value" in given:
        return f"exactly {_argument(given['value'])}"
    bounds = Range("", given.get("min_value"), given.get("max_value"),  # type: ignore[arg-type]
                   bool(given.get("strict_min")), bool(given.get("strict_max")))  # fmt: skip
    return _bounds(bounds)


def _quantiles(column: str, ranges: object) -> str:
    """The ranges are what the source states, so they may be anything."""
    given = ranges if isinstance(ranges, dict) else {}
    shares, bounds = given.get("quantiles"), given.get("value_ranges")
    if not isinstance(shares, list) or not isinstance(bounds, list):
        return f"quantiles of {column}: {_argument(ranges)}"
    pairs = [pair if isinstance(pair, list) and len(pair) == 2 else [None, None] for pair in bounds]
    told = [
        f"{_argument(share)} is {_bounds(Range('', *pair))}"
        for share, pair in zip(shares, pairs, strict=False)
    ]
    return f"of the quantiles of {column}, {_some(told)}"


def _of_columns(check: Columns, given: Mapping[str, object]) -> str:
    match check.statement:
        case "exists":
            place = given.get("column_index")
            where = f" at place {_argument(place)}, counted from 0" if place else ""
            return f"the table has the column {_listed(check.columns)}{where}"
        case "column_count":
            return f"the number of columns is {_limits(given)}"
        case "column_order":
            return f"the columns are {_argument(given.get('column_list'))}, in this order"
        case "column_set":
            only = "" if given.get("exact_match") is False else " and no other ones"
            return f"the table has the columns {_argument(given.get('column_set'))}{only}"
    kinds = _argument(given["type_list"] if "type_list" in given else given.get("type_"))
    return f"{_listed(check.columns)} is of the type {kinds.replace(', ', ' or ')}"


def _arguments(given: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {_argument(value)}" for name, value in given.items())


def _argument(value: object) -> str:
    if isinstance(value, tuple | list):
        return _some([_argument(item) for item in value])
    if isinstance(value, dict):
        return _some([f"{key} {_argument(item)}" for key, item in value.items()])
    return _shown(value)  # type: ignore[arg-type]


def _of_record(predicate: Predicate) -> str:
    match predicate:
        case Present():
            return f"{predicate.column} has a value"
        case Absent():
            return f"{predicate.column} has no value"
        case Range():
            return f"{predicate.column} is {_bounds(predicate)}"
        case Length():
            last = predicate.low if predicate.high is None else predicate.high
            unit = named("byte" if predicate.in_bytes else "character", last)
            return f"{predicate.column} has {_bounds(predicate)} {unit}"
        case OneOf():
            verb = "is none of" if predicate.negated else "is one of"
            return f"{predicate.column} {verb} {_values(predicate.values) or 'an empty list'}"
        case Matches():
            return f"{predicate.column} {_matching(predicate)} the pattern{_patterns(predicate)}"
        case Like():
            return (
                f"{predicate.column} {_matching(predicate)} the LIKE pattern{_patterns(predicate)}"
            )
        case Format():
            digits = ", with all digits" if predicate.exact else ""
            return f"{predicate.column} is a date or time written as {predicate.format}{digits}"
        case Json():
            return f"{predicate.column} is JSON"
        case Typed():
            return f"{predicate.column} is {_sort(predicate)}"
        case AgainstToday():
            compared = COMPARED[predicate.operator]
            return f"{predicate.column} {compared} {_moment(predicate)}"
        case _:
            return _of_several(predicate)


def _of_several(predicate: Predicate) -> str:
    match predicate:
        case Compare():
            words = {"=": "equals", ">": "is greater than", ">=": "is at least"}
            return f"{predicate.left} {words[predicate.operator]} {predicate.right}"
        case PairIn():
            pairs = _some([f"({_shown(a)}, {_shown(b)})" for a, b in predicate.pairs])
            among = f"the pairs {pairs}" if pairs else "an empty list of pairs"
            return f"{predicate.left} and {predicate.right} are one of {among}"
        case DistinctWithin():
            return f"{_listed(predicate.columns)} differ from each other"
        case SameWithin():
            return f"{_listed(predicate.columns)} are all equal"
        case SumIs():
            return f"{_listed(predicate.columns)} add up to {predicate.total}"
        case CountPresent():
            return _present(predicate)
        case Identity():
            return f"{predicate.column} equals {_terms(predicate)}"
        case SqlText() if predicate.bad:
            return "its SQL finds no bad record"
        case SqlText():
            return "what its SQL asks of a record holds"
    return ""


_SORTS = {
    "text": "a text",
    "integer": "a whole number",
    "decimal": "a decimal number",
    "number": "a number",
    "boolean": "a truth value",
    "date": "a date",
    "time": "a time of day",
    "timestamp": "a date with a time of day",
}


def _sort(rule: Typed) -> str:
    sizes = []
    if rule.precision is not None:
        sizes.append(f"at most {rule.precision} {named('digit', rule.precision)}")
    if rule.scale is not None:
        alone = "" if sizes else "at most "
        sizes.append(f"{alone}{rule.scale} {named('digit', rule.scale)} after the point")
    words = "" if not sizes else f" of {', '.join(sizes)}"
    return f"{_SORTS[rule.sort]}{words}"


def named(word: str, number: object) -> str:
    """What is counted: `digit` where it is one, else `digits`."""
    return word if str(number) == "1" else f"{word}s"


def _moment(rule: AgainstToday) -> str:
    then = "this moment" if rule.now else "today"
    if not rule.days:
        return then
    count = abs(rule.days)
    return f"{count} {named('day', count)} {'after' if rule.days > 0 else 'before'} {then}"


def _present(rule: CountPresent) -> str:
    count = len(rule.columns)
    high = count if rule.high is None else min(rule.high, count)
    if rule.low == high:
        many = "all" if high == count else "none" if high == 0 else f"exactly {high}"
    elif rule.low <= 0:
        many = f"at most {high}"
    else:
        many = f"at least {rule.low}" + (f" and at most {high}" if high < count else "")
    verb = "has" if many.split()[-1] == "1" else "have"
    return f"{many} of {_listed(rule.columns)} {verb} a value"


def _terms(rule: Identity) -> str:
    (sign, first), *others = rule.terms
    more = "".join(f" {'+' if s == 1 else '-'} {name}" for s, name in others)
    return f"{'' if sign == 1 else '-'}{first}{more}"


def _matching(predicate: Matches | Like) -> str:
    several = len(predicate.patterns) > 1
    if predicate.negated:
        return "matches none of" if several else "does not match"
    if several:
        return "matches each of" if predicate.each else "matches one of"
    return "matches"


def _patterns(predicate: Matches | Like) -> str:
    return f"{'s' if len(predicate.patterns) > 1 else ''} {_values(predicate.patterns)}"


def _bounds(rule: Range | Length) -> str:
    if rule.low is not None and rule.low == rule.high and not (rule.low_open or rule.high_open):
        return f"exactly {rule.low}"
    low = f"{'above' if rule.low_open else 'at least'} {rule.low}" if rule.low is not None else ""
    high = (
        f"{'below' if rule.high_open else 'at most'} {rule.high}" if rule.high is not None else ""
    )
    return " and ".join(part for part in (low, high) if part) or "anything"


def _values(values: Sequence[Value]) -> str:
    return _some([_shown(value) for value in values])


def _some(texts: Sequence[str]) -> str:
    shown, more = ", ".join(texts[:_SHOWN]), len(texts) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _shown(value: Value) -> str:
    """As a person writes it: words for what has no digits or letters."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case "":
            return "an empty text"
    return str(value)


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(columns)
