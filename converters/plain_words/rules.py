"""A rule in plain words, also where its source says it in SQL, whose text is shown beside them."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_expression
from ruleferry.converters.dialects.words import sql_dialects, sql_of
from ruleferry.converters.plain_words.conditions import figures_in_words, told, tree_in_words
from ruleferry.converters.plain_words.lookups import lookup_in_words
from ruleferry.converters.predicates import And, Not, Or, Scope, SqlText
from ruleferry.converters.rule import (
    Check,
    Exists,
    LegacyRule,
    LookedUp,
    Measured,
    Nulls,
    Reconciled,
    Repeat,
    Row,
    Share,
    Unread,
)
from ruleferry.converters.wording import in_words


def rule_in_words(
    rule: LegacyRule, condition: str | None = None, nulls: Nulls = "none", *, stated: bool = False
) -> str:
    """One sentence without a full stop; empty where nothing is known of it.

    `condition`: where there is one of each record, which needs no other column; `nulls`: what
    becomes there of a missing value; `stated`: a person stated it, not the source.
    """
    if condition and (stated or _is_sql(rule)):
        found = told(condition)
        if found and (nulls == "pass" or not found.passes):
            return found.words
    if rule.scope is None or not _holds_sql(rule.scope):
        return _of_check(rule) or in_words(rule)
    everywhere = replace(rule, scope=None)
    return f"{_of_check(everywhere) or in_words(everywhere)}, {_limit(rule.scope)}"


def _is_sql(rule: LegacyRule) -> bool:
    of_sql = isinstance(rule.check, Row) and isinstance(rule.check.predicate, SqlText)
    return of_sql or (isinstance(rule.check, Row) and _holds_sql(rule.scope))


def _holds_sql(scope: Scope | None) -> bool:
    match scope:
        case SqlText():
            return True
        case Not():
            return _holds_sql(scope.part)
        case And() | Or():
            return any(map(_holds_sql, scope.parts))
    return False


def _limit(scope: Scope) -> str:
    """Which records a rule is limited to."""
    said = _predicate(scope) if isinstance(scope, SqlText) and not scope.bad else None
    return f"where {said}" if said else "in the records that its SQL chooses"


def _of_check(rule: LegacyRule) -> str:
    """Empty for what holds no SQL and is said elsewhere."""
    said = _said(rule.check)
    if isinstance(rule.check, Unread) and rule.columns:
        said = f"something about {', '.join(rule.columns)}, which could not be read"
    return said


def _said(check: Check) -> str:
    match check:
        case Row(SqlText() as predicate):
            return _of_record(predicate)
        case Share(row=Row(SqlText() as predicate)):
            return _of_share(predicate, f"{check.threshold:%}")
        case Measured():
            return _measured(check.predicate)
        case Exists() | LookedUp() | Reconciled():
            return lookup_in_words(check, _limit_beyond)
        case Repeat():
            return f"says again what {check.file}:{check.atom} says"
    return ""


def _limit_beyond(scope: Scope | None) -> str:
    if scope is None:
        return ""
    return _limit(scope) if _holds_sql(scope) else ""


def _of_record(predicate: SqlText) -> str:
    said = _predicate(predicate)
    if predicate.bad:
        return f"a record is bad where {said}" if said else "its SQL finds no bad record"
    return said or "what its SQL asks of a record holds"


def _of_share(predicate: SqlText, least: str) -> str:
    said = _predicate(predicate)
    if predicate.bad and said:
        return f"a record is bad where {said}, and at least {least} of the records are not"
    return f"{_of_record(predicate)}, in at least {least} of the records"


def _measured(predicate: SqlText) -> str:
    tree = _tree(predicate)
    said = figures_in_words(tree) if tree is not None else None
    if predicate.bad:
        return (
            f"the table is bad where {said}" if said else "its SQL finds nothing bad in the table"
        )
    return said or "what its SQL asks of the table holds"


def _predicate(predicate: SqlText) -> str | None:
    if predicate.whole_query:
        return None
    tree = _tree(predicate)
    return tree_in_words(tree) if tree is not None else None


def _tree(predicate: SqlText) -> exp.Expression | None:
    if isinstance(predicate.tree, exp.Expression):
        return predicate.tree
    try:
        return parse_expression(predicate.text, sql_dialects()[sql_of(predicate.dialect)])
    except Unreadable:
        return None
