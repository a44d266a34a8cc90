"""A rule in plain words, for a person who reads no code."""

from __future__ import annotations

from collections.abc import Sequence

from ruleferry.converters.rule import (
    Absent,
    Columns,
    Compare,
    DistinctWithin,
    Figure,
    Format,
    Json,
    LegacyRule,
    Length,
    Like,
    Matches,
    OneOf,
    Ordered,
    PairIn,
    Predicate,
    Present,
    Range,
    Row,
    SameWithin,
    Share,
    SqlText,
    SumIs,
    Unique,
    Value,
)

_SHOWN = 6


def in_words(rule: LegacyRule) -> str:
    """One sentence without a full stop; the columns alone where nothing could be read."""
    said = _check(rule)
    return f"{said}, where {rule.scope.text}" if rule.scope else said


def _check(rule: LegacyRule) -> str:
    check = rule.check
    match check:
        case Row():
            return _of_record(check.predicate)
        case Share():
            return (
                f"{_of_record(check.row.predicate)}, in at least {check.threshold:%} of the records"
            )
        case Unique():
            what = "value" if len(check.columns) == 1 else "combination"
            return f"{_listed(check.columns)}: each {what} occurs once"
        case Ordered():
            never, always = ("rises", "falls") if check.descending else ("falls", "rises")
            way = always if check.strictly else f"never {never}"
            return f"{check.column} {way} from one record to the next"
        case Columns(statement="exists"):
            return f"the table has the column {_listed(check.columns)}"
        case Figure() | Columns():
            return _of_table(check)
        case _:
            return _listed(rule.columns)


def _of_table(check: Figure | Columns) -> str:
    word = check.measure if isinstance(check, Figure) else check.statement
    about = f" of {_listed(check.columns)}" if check.columns else ""
    arguments = ", ".join(f"{name} {value}" for name, value in check.arguments)
    return f"{word.replace('_', ' ')}{about}" + (f": {arguments}" if arguments else "")


def _of_record(predicate: Predicate) -> str:
    match predicate:
        case Present():
            return f"{predicate.column} has a value"
        case Absent():
            return f"{predicate.column} has no value"
        case Range():
            return f"{predicate.column} is {_bounds(predicate)}"
        case Length():
            return f"{predicate.column} has {_bounds(predicate)} characters"
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
            return f"{predicate.column} is a date or time written as {predicate.format}"
        case Json():
            return f"{predicate.column} is JSON"
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
        case SqlText() if predicate.bad:
            return f"no record is found by {predicate.text}"
        case SqlText():
            return predicate.text
    return ""


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
