"""A legacy rule -> a condition, TRUE for a good record, or a gap that says why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from ruleferry.converters.express.dispatch import good
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.moulds import moulded
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import UnsafeText
from ruleferry.converters.express.worded import Worded, in_words
from ruleferry.converters.mappings import grade_of
from ruleferry.converters.normal_form import Meaning
from ruleferry.converters.rule import Caveat, Gap, Grade, LegacyRule, Nulls, Row, SqlText

__all__ = ["Condition", "Types", "express"]


@dataclass(frozen=True, slots=True)
class Condition:
    """`text` is Databricks SQL, TRUE for a good record."""

    text: str
    meaning: Meaning
    nulls: Nulls
    grade: Grade
    caveats: tuple[Caveat, ...] = ()


def express(rule: LegacyRule, types: Types) -> Condition | Gap:
    """The condition of a rule on the record alone. Other checks are the planner's."""
    assert isinstance(rule.check, Row)
    predicate, engine = rule.check.predicate, rule.origin.engine
    try:
        found = moulded(predicate, engine, types)
        if rule.scope is not None:
            tree = good(predicate, Use(engine or "spark", types)).tree
            found = _within(rule.scope, Good(tree, found.nulls, found.told), types)
    except CannotExpress as cannot:
        return cannot.gap
    except UnsafeText as unsafe:
        return Gap("unsafe_text", str(unsafe))
    except Refusal as refusal:  # the text is too deep to be read back
        return Gap(refusal.refused.code, refusal.refused.reason)
    caveats = tuple(dict.fromkeys(rule.caveats + found.told))
    return Condition(found.text, found.meaning, found.nulls, grade_of(caveats), caveats)


def _within(scope: SqlText, inside: Good, types: Types) -> Worded:
    # Its room is large, and most suites don't need it.
    from ruleferry.converters.express.spark_text import scoped

    return in_words(scoped(inside, scope, types))
