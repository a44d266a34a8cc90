"""Which constraints a database looks at, and what a missing value is in a key of it."""

from __future__ import annotations

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.predicates import Ignore
from ruleferry.converters.readers.sql.ddl.constraint import Constraint
from ruleferry.converters.rule import Action, Caveat

_KEYS = frozenset({"primary", "unique", "foreign"})
# These only note keys down, for whoever plans a query.
_NOTES_KEYS = frozenset({
    "snowflake", "bigquery", "redshift", "databricks", "spark", "hive", "impala", "netezza",
})  # fmt: skip
# There the columns of such a key may be missing, too.
_LETS_BE_MISSING = frozenset({"bigquery", "hive", "impala"})


def in_force(
    constraint: Constraint, dialect: SqlDialect, disabled: bool, outside: str
) -> tuple[Action, tuple[Caveat, ...]]:
    """What the database does with a bad record, and what is told of that."""
    caveats = []
    why = _not_in_force(constraint, dialect, disabled, outside)
    if why:
        caveats.append(Caveat("disabled_constraint", why))
    elif constraint.options.not_validated:
        detail = f"records that were in the table before {_called(constraint)} may break it"
        caveats.append(Caveat("not_validated", detail))
    return ("warn" if why else "fail"), tuple(caveats)


def _not_in_force(constraint: Constraint, dialect: SqlDialect, disabled: bool, outside: str) -> str:
    if disabled:
        return f"{_called(constraint)} is switched off in the database: bad records were stored"
    if constraint.options.not_enforced:
        return f"{_called(constraint)} is declared and not enforced: bad records were stored"
    if outside:
        return f"{dialect.called} notes {_called(constraint)} down: {outside}"
    notes = constraint.kind in _KEYS and not constraint.index and dialect.name in _NOTES_KEYS
    if notes:
        return f"{dialect.called} notes {_called(constraint)} down and stores records that break it"
    return ""


def key_may_miss(dialect: SqlDialect) -> bool:
    """Whether a primary key leaves its columns as they are."""
    return dialect.name in _LETS_BE_MISSING


def _called(constraint: Constraint) -> str:
    return constraint.name or "the constraint"


def missing_in_key(constraint: Constraint, dialect: SqlDialect) -> Ignore:
    """Which records a unique key leaves unchecked.

    By the standard those in which a column is missing. SQL Server, and an index of Teradata and
    Db2, takes NULL for one value like others; Oracle lets a key be that is missing as a whole.
    """
    if constraint.nulls == "same":
        return "never"
    if constraint.nulls == "distinct":
        return "any_missing"
    if dialect.name == "tsql":
        return "never"
    if dialect.name == "oracle":
        return "all_missing"
    if constraint.index and dialect.name in ("teradata", "db2"):
        return "never"
    return "any_missing"
