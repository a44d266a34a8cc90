"""A legacy rule -> a condition, TRUE for a good record, or a gap that says why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ruleferry.converters.account import Gap
from ruleferry.converters.express.computed import (
    PLAIN,
    Computed,
    Over,
    Traits,
    speaks_of_stand_in,
)
from ruleferry.converters.express.good import Good, Others, OtherTable, Use
from ruleferry.converters.express.operand import CannotExpress, Types
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import UnsafeText
from ruleferry.converters.mappings import grade_of
from ruleferry.converters.predicates import Scope, SqlText, Typed
from ruleferry.converters.rule import (
    Caveat,
    Columns,
    Engine,
    Exists,
    Grade,
    LegacyRule,
    LookedUp,
    Nulls,
    Row,
    engine_kind,
)
from ruleferry.converters.wording import scope_in_words

if TYPE_CHECKING:
    from ruleferry.converters.express.worded import Worded
    from ruleferry.converters.normal_form import Meaning

__all__ = [
    "PLAIN",
    "Computed",
    "Condition",
    "OtherTable",
    "Others",
    "Over",
    "Traits",
    "Types",
    "express",
]


@dataclass(frozen=True, slots=True)
class Condition:
    """`text` is Databricks SQL, TRUE for a good record; `computed`: columns that it needs.

    They stand in the text under their stand-ins (`computed.with_names` names them).
    """

    text: str
    meaning: Meaning
    nulls: Nulls
    grade: Grade
    caveats: tuple[Caveat, ...] = ()
    over: Over = "record"
    computed: tuple[Computed, ...] = ()

    @property
    def said(self) -> object:
        """Equal for conditions that say the same."""
        return self.meaning, self.nulls, self.over, tuple(c.form for c in self.computed)


def express(
    rule: LegacyRule, types: Types, traits: Traits = PLAIN, others: Others = OtherTable
) -> Condition | Gap:
    """The condition of a rule. `others`: the tables that it may look at beside its own.

    What a suite claims of a column's type makes no rule of it impossible: then the form stands that
    needs no type.
    """
    types = _of_rule(rule, types)
    found = _express(rule, types, traits, others)
    misfit = isinstance(found, Gap) and found.code == "type_mismatch"
    if misfit and types.declared is None and types.claimed:
        return _express(rule, _unclaimed(types), traits, others)
    if isinstance(found, Gap) or not (told := _unseen_claims(found, rule, types)):
        return found
    if not _is_other(_express(rule, _unclaimed(types), traits, others), found):
        return found
    caveats = (*found.caveats, *told)
    return replace(found, caveats=caveats, grade=grade_of(caveats))


def _unclaimed(types: Types) -> Types:
    return replace(types, claimed={})


def _unseen_claims(found: Condition, rule: LegacyRule, types: Types) -> tuple[Caveat, ...]:
    """What a suite claims of the rule's columns, where no doubt tells of it yet."""
    if types.declared is not None or any(c.code == "type_from_suite" for c in found.caveats):
        return ()
    claims = ((c, types.claimed[c.lower()]) for c in rule.columns if c.lower() in types.claimed)
    return tuple(types.resting_on(column, claim) for column, claim in claims)


def _is_other(bare: Condition | Gap, found: Condition) -> bool:
    """A claim may take a doubt away without being seen in the SQL: an integer is no NaN."""
    if isinstance(bare, Gap) or bare.text != found.text:
        return True
    return not {c.code for c in bare.caveats} <= {c.code for c in found.caveats}


def _of_rule(rule: LegacyRule, types: Types) -> Types:
    """What a dictionary says of a type is a rule of its own: no other rule takes it for granted."""
    if rule.origin.engine == "words" and types.claimed:
        types = replace(types, claimed={})
    return replace(types, missing_words=rule.missing_words) if rule.missing_words else types


def _express(rule: LegacyRule, types: Types, traits: Traits, others: Others) -> Condition | Gap:
    try:
        found, computed, over = _expressed(rule, types, traits, others)
    except CannotExpress as cannot:
        return cannot.gap
    except UnsafeText as unsafe:
        return Gap("unsafe_text", str(unsafe))
    except Refusal as refusal:  # the text is too deep to be read back
        return Gap(refusal.refused.code, refusal.refused.reason)
    caveats = tuple(dict.fromkeys(rule.caveats + found.told + _of_batches(rule, over)))
    grade = grade_of(caveats)
    made = Condition(found.text, found.meaning, found.nulls, grade, caveats, over, computed)
    return _too_large(made) or made


# Characters. Spark reads ten times as much, but a person opens the module.
_MOST = 200_000


def _too_large(found: Condition) -> Gap | None:
    length = len(found.text) + sum(len(column.sql) for column in found.computed)
    if length <= _MOST:
        return None
    reason = f"its SQL would be {length:,} characters long; more than {_MOST:,} are no condition"
    return Gap("too_large", reason)


def _of_batches(rule: LegacyRule, over: Over) -> tuple[Caveat, ...]:
    """What looks at other records sees those of the whole table, not those of a batch."""
    by_itself = isinstance(rule.check, Row | Exists | LookedUp) and over == "record"
    alone = by_itself or isinstance(rule.check, Columns)
    if alone or all(caveat.code != "one_batch" for caveat in rule.caveats):
        return ()
    detail = "it looked at one batch at a time, and looks at the whole table now"
    return (Caveat("whole_table", detail),)


def _expressed(
    rule: LegacyRule, types: Types, traits: Traits, others: Others
) -> tuple[Worded, tuple[Computed, ...], Over]:
    check = rule.check
    if isinstance(check, Row) and isinstance(check.predicate, Typed):
        # A table's type that settles the question needs no record.
        from ruleferry.converters.express.typed import of_schema

        engine = engine_kind(rule.origin.engine or "spark")
        stated = of_schema(check.predicate, types.operand(check.predicate.column, engine))
        if stated is not None:  # of all records, whichever the rule is limited to
            found, columns, over = _of_many(
                replace(rule, check=stated, scope=None), types, traits, others
            )
            caveats = found.caveats + _size(check.predicate)
            return replace(found, caveats=caveats), columns, over
    if isinstance(check, Row):
        try:
            return _of_record(check, rule.scope, rule.origin.engine, types), (), "record"
        except CannotExpress as cannot:
            if not _is_query(check) or cannot.gap.code != "needs_dataset":
                raise
    return _of_many(rule, types, traits, others)


def _size(predicate: Typed) -> tuple[Caveat, ...]:
    """A decimal is looked for by its name, which does not tell how many digits it has room for."""
    from ruleferry.converters.express.typed import is_sized

    if predicate.sort == "integer" or not is_sized(predicate):
        return ()
    detail = "a column that is a decimal passes, however many digits it has room for"
    return (Caveat("size_not_checked", detail),)


def _is_query(check: Row) -> bool:
    return isinstance(check.predicate, SqlText) and check.predicate.whole_query


def _of_record(check: Row, scope: Scope | None, engine: Engine | None, types: Types) -> Worded:
    # Its rooms are large, and what is no conversion only wants types of this package.
    from ruleferry.converters.express.moulds import moulded

    found = moulded(check.predicate, engine, types)
    return found if scope is None else _limited(check, found, scope, engine, types)


def _limited(
    check: Row, found: Worded, scope: Scope, engine: Engine | None, types: Types
) -> Worded:
    # Many suites need none of these.
    from ruleferry.converters.express.dispatch import good
    from ruleferry.converters.express.scopes import limited
    from ruleferry.converters.express.worded import in_words

    tree = good(check.predicate, Use(engine or "spark", types)).tree
    inside = Good(tree, found.nulls, found.told)
    return in_words(limited(inside, scope, engine, types))


def _of_many(
    rule: LegacyRule, types: Types, traits: Traits, others: Others
) -> tuple[Worded, tuple[Computed, ...], Over]:
    """A rule that looks at other records, by the engine's meaning; without one, by Spark's."""
    # Its rooms are large, and many suites don't need them.
    from ruleferry.converters.express.many import of_many
    from ruleferry.converters.express.worded import in_words

    words = scope_in_words(rule.scope) if rule.scope else ""
    if speaks_of_stand_in((rule.origin.text, words, *rule.columns)):
        reason = (
            "it holds computed_1_ or {SOURCE_TABLE}, which stand for something else in a module"
        )
        raise CannotExpress("unsafe_text", reason)
    engine = rule.origin.engine
    use = Use(engine or "spark", types, engine, others)
    found = of_many(rule.check, rule.scope, use, traits)
    return in_words(found.good), found.columns, found.over
