"""A constraint -> the rules that it states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_expression
from ruleferry.converters.predicates import OneOf, Present, Range, SqlText
from ruleferry.converters.readers.sql.ddl.constraint import Constraint
from ruleferry.converters.readers.sql.ddl.enforcement import missing_in_key
from ruleferry.converters.readers.sql.ddl.facts import Facts
from ruleferry.converters.readers.sql.found import Setting
from ruleferry.converters.readers.sql.macros import macros_in, prepare
from ruleferry.converters.readers.sql.shapes.kinds import kind_of
from ruleferry.converters.rule import Check, Exists, Kind, Lookup, Row, Unique, Unread


@dataclass(frozen=True, slots=True)
class Stated:
    """One rule of a constraint. `name`: its own, or what its kind and columns make of one."""

    check: Check
    kind: Kind
    columns: tuple[str, ...]
    name: str
    part: str
    scope: SqlText | None = None
    implied: bool = False


def stated(
    constraint: Constraint,
    required: frozenset[str],
    facts: Facts,
    setting: Setting,
) -> tuple[Stated, ...]:
    """`required`: the columns that are NOT NULL by words of their own, in lower case."""
    if constraint.problem is not None:
        return (_unread(constraint, *constraint.problem),)
    match constraint.kind:
        case "not_null":
            return tuple(_present(constraint, required=frozenset()))
        case "primary":
            return (*_present(constraint, required), _unique(constraint, setting))
        case "unique":
            return (_unique(constraint, setting),)
        case "foreign":
            return tuple(_foreign(constraint, facts))
        case "check" | "expect":
            return (_condition(constraint, setting),)
        case "enum":
            return (_listed(constraint),)
        case "unsigned":
            column = constraint.columns[0]
            check = Row(Range(column, low=0))
            return (Stated(check, "range", (column,), f"{column}_unsigned", f"unsigned {column}"),)
    return (_unread(constraint, "not_readable", "a constraint of no known kind"),)


def _unread(constraint: Constraint, code: str, reason: str) -> Stated:
    columns = constraint.columns
    name = constraint.name or "_".join((*columns, _WORDS.get(constraint.kind, "constraint")))
    kind = _KINDS.get(constraint.kind, "predicate")
    return Stated(Unread(code, reason, columns), kind, columns, name, _part(constraint))


_WORDS = {"not_null": "not_null", "primary": "unique", "unique": "unique", "foreign": "fk",
          "check": "check", "expect": "check", "enum": "enum", "unsigned": "unsigned"}  # fmt: skip
_KINDS: dict[str, Kind] = {
    "not_null": "present", "primary": "unique", "unique": "unique", "foreign": "exists",
    "enum": "allowed", "unsigned": "range",
}  # fmt: skip


def _part(constraint: Constraint) -> str:
    words = {"primary": "primary key", "foreign": "foreign key", "not_null": "not null"}
    kind = words.get(constraint.kind, constraint.kind)
    return " ".join((kind, constraint.name or ", ".join(constraint.columns))).strip()


def _present(constraint: Constraint, required: frozenset[str]) -> Iterator[Stated]:
    own = constraint.kind == "not_null"
    for column in constraint.columns:
        if column.lower() in required:
            continue
        name = constraint.name if own and constraint.name else f"{column}_not_null"
        part = _part(constraint) if own else f"{_part(constraint)}: {column} not null"
        yield Stated(Row(Present(column)), "present", (column,), name, part, implied=not own)


def _unique(constraint: Constraint, setting: Setting) -> Stated:
    ignore = missing_in_key(constraint, setting.dialect)
    if constraint.kind == "primary":
        ignore = "any_missing"  # none is missing
    name = constraint.name or "_".join((*constraint.columns, "unique"))
    check: Check = Unique(constraint.columns, ignore)
    scope = None
    if constraint.text is not None:
        found = _parsed(constraint, constraint.text, setting)
        if isinstance(found, Unread):
            check = found
        else:
            scope = SqlText(constraint.text, setting.dialect.name, bad=False,
                            settings=setting.settings, tree=found)  # fmt: skip
    return Stated(check, "unique", constraint.columns, name, _part(constraint), scope)


# Foreign keys -------------------------------------------------------------------------------------


def _foreign(constraint: Constraint, facts: Facts) -> Iterator[Stated]:
    target = constraint.target or ""
    theirs = constraint.target_columns or facts.key_of(target)
    if theirs is None:
        reason = f"it refers to the primary key of {target}, which stands in another script"
        yield _unread(constraint, "key_elsewhere", f"{reason}.")
        return
    if len(theirs) != len(constraint.columns):
        reason = f"it has {len(constraint.columns)} columns and refers to {len(theirs)}"
        yield _unread(constraint, "not_readable", reason)
        return
    if constraint.options.match == "PARTIAL":
        reason = "MATCH PARTIAL looks for those columns of a key that are not missing"
        yield _unread(constraint, "no_equivalent", reason)
        return
    keys = tuple(zip(constraint.columns, theirs, strict=True))
    name = constraint.name or "_".join((*constraint.columns, "fk"))
    check = Exists(Lookup(target, keys), missing="good")
    yield Stated(check, "exists", constraint.columns, name, _part(constraint))
    if constraint.options.match == "FULL" and len(keys) > 1:
        yield _all_or_none(constraint, name)


def _all_or_none(constraint: Constraint, name: str) -> Stated:
    """MATCH FULL: a key is missing as a whole, or not at all."""
    columns = [exp.column(column, quoted=True) for column in constraint.columns]
    missing = [exp.Is(this=column, expression=exp.null()) for column in columns]
    some = exp.Paren(this=exp.or_(*(test.copy() for test in missing), copy=False))
    all_ = exp.Paren(this=exp.and_(*missing, copy=False))
    tree = exp.And(this=some, expression=exp.Not(this=all_))
    check = Row(SqlText(tree.sql(), "postgres", bad=True, tree=tree))
    part = f"{_part(constraint)}: match full"
    return Stated(check, "predicate", constraint.columns, f"{name}_whole", part)


# Conditions ---------------------------------------------------------------------------------------


def _condition(constraint: Constraint, setting: Setting) -> Stated:
    text = constraint.text or ""
    tree = _parsed(constraint, text, setting)
    if isinstance(tree, Unread):
        return _unread(constraint, tree.code, tree.reason)
    columns = columns_in(tree)
    if not constraint.of_column or constraint.kind == "expect":
        constraint = replace(constraint, columns=columns)
    name = constraint.name or "_".join((*constraint.columns, "check"))
    predicate = wanted(tree, setting, known=constraint.kind == "expect")
    kind = kind_of(tree, bad=False)
    return Stated(Row(predicate), kind, columns, name, _part(constraint))


def wanted(tree: exp.Expression, setting: Setting, *, known: bool = False) -> SqlText:
    """A condition that a good record satisfies; `known`: and not one of which nobody can say so."""
    dialect = setting.dialect
    if known:
        text = tree.sql(dialect=dialect.parser)
        return SqlText(text, dialect.name, False, settings=setting.settings, tree=tree)
    bad = exp.Not(this=exp.Paren(this=tree))
    text = bad.sql(dialect=dialect.parser)
    return SqlText(text, dialect.name, True, settings=setting.settings, tree=bad)


def columns_in(tree: exp.Expression) -> tuple[str, ...]:
    """In the order in which they stand."""
    found = (column.name for column in tree.find_all(exp.Column, bfs=False))
    return tuple(dict.fromkeys(found))


def _parsed(constraint: Constraint, text: str, setting: Setting) -> exp.Expression | Unread:
    prepared = prepare(text, setting.dialect, "", {})
    try:
        tree = parse_expression(prepared.text, setting.dialect)
    except Unreadable as cannot:
        return Unread(cannot.code, cannot.reason, constraint.columns)
    if found := macros_in(tree, {**setting.macros, **prepared.macros}):
        reason = f"a placeholder stands in it: {found[0].written}"
        return Unread("template", reason, constraint.columns)
    if not constraint.of_column or "VALUE" not in text.upper():
        return tree
    return _of_domain(tree, constraint)


def _of_domain(tree: exp.Expression, constraint: Constraint) -> exp.Expression:
    """In the condition of a domain VALUE stands for the column."""
    if constraint.target != "domain":
        return tree
    column = exp.column(constraint.columns[0], quoted=True)
    return tree.transform(lambda node: column.copy() if _is_value(node) else node)


def _is_value(node: exp.Expression) -> bool:
    return isinstance(node, exp.Column) and not node.table and node.name.upper() == "VALUE"


def _listed(constraint: Constraint) -> Stated:
    column = constraint.columns[0]
    name = constraint.name or f"{column}_enum"
    check = Row(OneOf(column, constraint.values))
    return Stated(check, "allowed", (column,), name, f"enum {column}")
