"""Which room expresses a predicate."""

from __future__ import annotations

from ruleferry.converters.express import counted, ranges, sets, several, texts, today, typed
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.nodes import both, either
from ruleferry.converters.express.operand import Operand
from ruleferry.converters.predicates import (
    Absent,
    AgainstToday,
    Compare,
    CountPresent,
    DistinctWithin,
    Format,
    Identity,
    Json,
    Length,
    Like,
    Matches,
    OneOf,
    PairIn,
    Predicate,
    Present,
    Range,
    SameWithin,
    SqlText,
    SumIs,
    Typed,
)
from ruleferry.converters.rule import Caveat


def good(predicate: Predicate, use: Use) -> Good:
    """Raises CannotExpress, or UnsafeText for a name or text that Spark can't be told."""
    match predicate:
        case Present():
            return _present(predicate, use)
        case Absent():
            operand = use.operand(predicate.column)
            return Good(either(*operand.missing()), "pass", _missing_caveats(operand, use))
        case Range():
            return ranges.in_range(predicate, use)
        case Length():
            return ranges.of_length(predicate, use)
        case OneOf():
            return sets.one_of(predicate, use)
        case PairIn():
            return sets.pair_in(predicate, use)
        case Matches():
            return texts.matches(predicate, use)
        case Like():
            return texts.like(predicate, use)
        case Format():
            return texts.of_format(predicate, use)
        case Json():
            return texts.json(predicate, use)
        case Compare():
            return several.compare(predicate, use)
        case DistinctWithin():
            return several.distinct_within(predicate, use)
        case SameWithin():
            return several.same_within(predicate, use)
        case SumIs() if use.kind == "words":
            return counted.sum_is(predicate, use)
        case SumIs():
            return several.sum_is(predicate, use)
        case Typed() | CountPresent() | Identity() | AgainstToday():
            return _of_dictionary(predicate, use)
        case SqlText():
            # A large room, which most suites don't need.
            from ruleferry.converters.express.spark_text import sql_condition

            return sql_condition(predicate, use)


def _of_dictionary(predicate: Typed | CountPresent | Identity | AgainstToday, use: Use) -> Good:
    match predicate:
        case Typed():
            return typed.typed(predicate, use)
        case CountPresent():
            return counted.count_present(predicate, use)
        case Identity():
            return counted.identity(predicate, use)
        case AgainstToday():
            return today.against_today(predicate, use)


def _present(predicate: Present, use: Use) -> Good:
    operand = use.operand(predicate.column)
    terms = operand.present()
    tree = terms[0] if len(terms) == 1 else both(*terms)
    return Good(tree, "fail", _missing_caveats(operand, use))


def _missing_caveats(operand: Operand, use: Use) -> tuple[Caveat, ...]:
    """A type matters here only to pandas, which counts NaN as missing."""
    if use.kind == "pandas" and operand.type is None:
        detail = f"if {operand.name} holds floating-point numbers, NaN in it is a missing value too"
        return (*operand.caveats, Caveat("nan_unknown", detail))
    matters = operand.nan_is_missing
    told = tuple(c for c in operand.caveats if matters or c.code != "type_from_suite")
    return told + operand.of_words()
