"""What the other statements of a script say of a constraint: keys, domains, what is dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.ddl.alter import altered
from ruleferry.converters.readers.sql.ddl.constraint import Constraint
from ruleferry.converters.readers.sql.ddl.create import created
from ruleferry.converters.readers.sql.ddl.statement import Change, Statement, is_definition
from ruleferry.converters.readers.sql.ddl.tokens import Token, statements
from ruleferry.converters.table_names import name_key

TableKey = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """`keys`: the primary key of each table; `domains`: by name, what a column of it states.

    The changes are in order, with offsets in the script. `required`: the last part of a table's
    name and a column, where any statement says that it has a value.
    """

    keys: Mapping[TableKey, tuple[str, ...]] = field(default_factory=dict)
    domains: Mapping[str, Statement] = field(default_factory=dict)
    changes: tuple[Change, ...] = ()
    required: frozenset[tuple[str, str]] = frozenset()

    def key_of(self, table: str) -> tuple[str, ...] | None:
        return of_table(self.keys, table)


def read(tokens: Sequence[Token], text: str, dialect: SqlDialect) -> Statement | None:
    return created(tokens, text, dialect) or altered(tokens, text, dialect)


def all_statements(text: str, dialect: SqlDialect) -> Iterator[Statement]:
    for tokens in statements(text, dialect):
        found = read(tokens, text, dialect) if is_definition(tokens) else None
        if found is not None:
            yield found


def facts_of(text: str, dialect: SqlDialect, offset: int = 0) -> Facts:
    """Of a whole script, which may hold statements of any other kind."""
    keys: dict[TableKey, tuple[str, ...]] = {}
    domains: dict[str, Statement] = {}
    changes: list[Change] = []
    required: set[tuple[str, str]] = set()
    for statement in all_statements(text, dialect):
        for constraint in statement.constraints:
            if constraint.kind == "primary" and constraint.problem is None:
                keys[name_key(statement.name)] = constraint.columns
            if constraint.kind in ("primary", "not_null") and statement.name:
                last = name_key(statement.name)[-1]
                required |= {(last, column.lower()) for column in constraint.columns}
        if statement.kind in ("domain", "type") and statement.name:
            last = name_key(statement.name)[-1]
            domains[last] = _with(domains.get(last), statement)
        changes += [replace(change, at=change.at + offset) for change in statement.changes]
    in_order = tuple(sorted(changes, key=lambda change: change.at))
    return Facts(keys, domains, in_order, frozenset(required))


def _with(before: Statement | None, statement: Statement) -> Statement:
    """ALTER DOMAIN adds to what CREATE DOMAIN states."""
    if before is None:
        return statement
    return replace(before, extra=(*before.extra, *statement.constraints))


def of_table(found: Mapping[TableKey, tuple[str, ...]], table: str) -> tuple[str, ...] | None:
    """By its whole name, else by its last part where one table alone has it."""
    key = name_key(table)
    if key in found:
        return found[key]
    alike = [value for other, value in found.items() if ends_alike(other, key)]
    return alike[0] if len(alike) == 1 else None


def ends_alike(one: TableKey, other: TableKey) -> bool:
    """`orders` and `sales.orders`, but not `sales.orders` and `crm.orders`."""
    shorter = min(len(one), len(other))
    return one[-shorter:] == other[-shorter:]


# What became of a constraint ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fate:
    """`table`: its name at the end of the script; `retired`: why it is in force no more."""

    table: str
    disabled: bool
    retired: str = ""
    problem: str = ""


def fate(constraint: Constraint, table: str, at: int, facts: Facts) -> Fate:
    found = Fate(table, constraint.options.disabled)
    for change in facts.changes:
        if change.at <= at or found.retired or not _same(change.table, found.table):
            continue
        found = _after(change, constraint, found)
    return found


def _same(one: str, other: str) -> bool:
    return not one or ends_alike(name_key(one), name_key(other))


def _after(change: Change, constraint: Constraint, found: Fate) -> Fate:
    if change.kind == "rename_table":
        return replace(found, table=change.name) if change.name else found
    if change.kind in ("disable", "enable"):
        concerned = not change.name or _is_named(constraint, change.name, found.table)
        return replace(found, disabled=change.kind == "disable") if concerned else found
    if change.kind == "rename_column" and _speaks_of(constraint, change.name):
        return replace(found, problem=f"its column {change.name} has another name later on")
    if _is_dropped(change, constraint, found.table):
        return replace(found, retired=_RETIRED[change.kind].format(name=change.name))
    return found


_RETIRED = {
    "drop": "the constraint is dropped later in the script",
    "drop_not_null": "the script lets {name} be missing later on",
    "drop_primary": "the primary key is dropped later in the script",
    "drop_column": "the column {name} is dropped later in the script",
    "drop_type": "the column {name} gets another type later in the script",
    "drop_table": "the table is dropped later in the script",
}


def _is_dropped(change: Change, constraint: Constraint, table: str) -> bool:
    match change.kind:
        case "drop" if change.columns:
            wanted = [name.lower() for name in change.columns]
            return constraint.kind == "unique" and _lower(constraint.columns) == wanted
        case "drop":
            return _is_named(constraint, change.name, table)
        case "drop_not_null":
            own = constraint.kind == "not_null"
            return own and _lower(constraint.columns) == [change.name.lower()]
        case "drop_type":
            of_type = constraint.kind in ("enum", "unsigned") or constraint.target == "domain"
            return of_type and _lower(constraint.columns) == [change.name.lower()]
        case "drop_primary":
            return constraint.kind == "primary"
        case "drop_column":
            return _speaks_of(constraint, change.name)
        case "drop_table":
            return True
    return False


def _lower(names: Sequence[str]) -> list[str]:
    return [name.lower() for name in names]


def _speaks_of(constraint: Constraint, column: str) -> bool:
    if column.lower() in _lower(constraint.columns):
        return True
    words = (constraint.text or "").lower().replace('"', " ").replace("`", " ").split()
    return any(column.lower() in word for word in words)


_ENDINGS = {"primary": "pkey", "unique": "key", "foreign": "fkey", "check": "check"}


def _is_named(constraint: Constraint, name: str, table: str) -> bool:
    """Its own name, or the one that PostgreSQL gives to it."""
    wanted = name_key(name)[-1]
    if constraint.name is not None:
        return constraint.name.lower() == wanted
    ending = _ENDINGS.get(constraint.kind)
    if ending is None:
        return False
    columns = () if constraint.kind == "primary" else constraint.columns
    return "_".join((name_key(table)[-1], *_lower(columns), ending)) == wanted
