"""Records that a statement copies: to a table of bad records, of counts, or where they are used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.tree import all_hold, bare, terms
from ruleferry.converters.readers.sql.found import Checked, Effect, Found
from ruleferry.converters.readers.sql.shapes import bad_rows, read_query
from ruleferry.converters.readers.sql.shapes.plain import resolved
from ruleferry.converters.readers.sql.shapes.sources import merged
from ruleferry.converters.readers.sql.shapes.trees import has_aggregate, text, value_of
from ruleferry.converters.readers.sql.shapes.words import speaks
from ruleferry.converters.readers.sql.shapes.written import tables
from ruleferry.converters.readers.sql.shapes.written.asked import asks_for_marked, marks_of
from ruleferry.converters.readers.sql.shapes.written.labels import Said, said_by
from ruleferry.converters.readers.sql.shapes.written.parts import (
    Place,
    is_rule,
    name_of,
    unread_checked,
)
from ruleferry.converters.readers.sql.shapes.written.sources import Via, only_picks, via
from ruleferry.converters.readers.sql.shapes.written.tables import Role, role_of, same_table
from ruleferry.converters.rule import Exists, NotARule, Unread

_PICKING = ("where", "having", "qualify", "distinct", "joins", "limit", "offset")


def copied(
    query: exp.Expression, target: str, names: Sequence[str], place: Place, *, view: bool = False
) -> tuple[Found, ...]:
    """`names`: the columns that are written, in order, where the statement says so."""
    purpose = role(query, target, names)
    kept = Effect("view" if view else "insert", target)
    if _is_report(query):
        return _figures(query, purpose, names, kept, place)
    if _of_statuses(query):
        told = _reported(query, names, kept, place)
        if purpose != "target" or any(is_rule(found) for found in told):
            return told
    if purpose == "reject":
        return rejected(query, target, names, place, effect=kept)
    if purpose in ("unsure", "results") and _picks(query):
        reason = f"whether {target} holds bad records is not certain"
        return place.unread("unknown_shape", reason, kept)
    return loaded(query, target, place)


def role(
    query: exp.Expression,
    target: str,
    names: Sequence[str],
    values: Sequence[exp.Expression] = (),
) -> Role:
    """What the target is for, by its name and by what is written beside a record."""
    branches = branches_of(query)
    written = values or (branches[0].expressions if branches else [])
    return role_of(target, labelled=said_by(written, names).named)


def branches_of(query: exp.Expression) -> list[exp.Select]:
    """The SELECTs that UNION joins; none where another operation stands among them."""
    if isinstance(query, exp.Subquery | exp.Paren):
        return branches_of(query.this)
    if isinstance(query, exp.Select):
        return [query]
    if not isinstance(query, exp.Union) or query.args.get("limit"):
        return []
    left, right = branches_of(query.this), branches_of(query.expression)
    found = [*left, *right] if left and right else []
    return [_with_named(select, query) for select in found]


def _with_named(select: exp.Select, around: exp.Expression) -> exp.Select:
    with_ = around.args.get("with_")
    if with_ is None or select.args.get("with_"):
        return select
    made = select.copy()
    made.set("with_", with_.copy())
    return made


# Bad records --------------------------------------------------------------------------------------


def rejected(
    query: exp.Expression,
    target: str,
    names: Sequence[str],
    place: Place,
    *,
    effect: Effect,
    written: Sequence[exp.Expression] = (),
) -> tuple[Found, ...]:
    """One rule for each SELECT. `written`: what a MERGE writes of its columns."""
    branches = branches_of(query)
    if not branches:
        return (place.found(bad_rows(query, place.setting), effect),)
    names = names or list(map(_own_name, branches[0].expressions))
    found = []
    for number, select in enumerate(branches, 1):
        part = f"branch {number}" if len(branches) > 1 else ""
        said = _said(select, names, written)
        checked, how = _rejected(select, target, effect, place)
        found.append(place.found(checked, how, part=part, labels=said.labels, tags=said.tags))
    return tuple(found)


def _own_name(item: exp.Expression) -> str:
    """A literal without an alias has none, whatever its text is."""
    return "" if isinstance(item, exp.Literal) else item.alias_or_name


def _said(select: exp.Select, names: Sequence[str], written: Sequence[exp.Expression]) -> Said:
    if not written:
        return said_by(select.expressions, names)
    known = {item.alias_or_name.lower(): value_of(item) for item in select.expressions}
    values = [known.get(v.name.lower(), v) if isinstance(v, exp.Column) else v for v in written]
    found = said_by(values, names)
    return found if found.labels else said_by(select.expressions)


def _rejected(
    select: exp.Select, target: str, effect: Effect, place: Place
) -> tuple[Checked, Effect]:
    seen = _resolved(select, place)
    source = source_of(seen, place)
    if source is not None and role_of(source) == "reject":
        reason = f"it copies what checks found in {source}"
        return Checked(NotARule(reason), "predicate", source), effect
    if not any(seen.args.get(key) for key in _PICKING):
        reason = f"it copies all records of {source or 'a query'} to {target}"
        return Checked(NotARule(reason), "predicate", source), effect
    asked = [c for c in conditions_of(seen) if not only_picks([c], place.setting)]
    marks = [marks_of(condition) for condition in asked]
    alone = not any(seen.args.get(key) for key in _PICKING if key != "where")
    if alone and asked and all(marks) and all(map(asks_for_marked, asked)):
        columns = tuple(dict.fromkeys(column for each in marks for column in each))
        reason = f"it copies the records that {source} has marked to {target}"
        return Checked(NotARule(reason), "predicate", source), replace(effect, by_columns=columns)
    return bad_rows(select, place.setting), effect


def _resolved(select: exp.Select, place: Place) -> exp.Select:
    """What it reads of the queries of its WITH and FROM, as one query where that can be."""
    found = resolved(select, place.setting)
    return merged(found) if isinstance(found, exp.Select) else select


def conditions_of(select: exp.Select) -> list[exp.Expression]:
    where = select.args.get("where")
    return terms(where.this) if where is not None else []


def source_of(select: exp.Select, place: Place) -> str | None:
    from_ = select.args.get("from_")
    table = from_.this if from_ is not None else None
    return name_of(table, place.setting) if isinstance(table, exp.Table) else None


# Counts and statuses ------------------------------------------------------------------------------


def _is_report(query: exp.Expression) -> bool:
    """It counts: all of its SELECTs give figures of many records, without groups."""
    branches = branches_of(query)
    return bool(branches) and all(map(_has_figures, branches))


def _has_figures(select: exp.Select) -> bool:
    if select.args.get("group"):
        return False
    asked = has_aggregate if select.args.get("from_") else _counts
    return any(map(asked, select.expressions))


def _counts(item: exp.Expression) -> bool:
    """`SELECT 'R1', (SELECT COUNT(*) FROM t WHERE …)`"""
    return item.find(exp.Query) is not None or has_aggregate(item)


def _figures(
    query: exp.Expression, purpose: Role, names: Sequence[str], effect: Effect, place: Place
) -> tuple[Found, ...]:
    """Where nothing says that bad records are counted, figures are what the table is for."""
    shown = [item.alias_or_name for select in branches_of(query) for item in select.expressions]
    if purpose == "target" and not any(speaks(name, "bad") for name in (*shown, *names)):
        reason = f"it loads figures into {effect.target}"
        return place.nothing(reason, replace(effect, kind="load"))
    effect = replace(effect, detail=f"the script counts them in {effect.target}")
    return _reported(query, names, effect, place)


def _of_statuses(query: exp.Expression) -> bool:
    """A CASE of texts stands in its list, and all records are looked at."""
    branches = branches_of(query)
    return (
        len(branches) == 1
        and not _picks(query)
        and any(
            isinstance(value_of(item), exp.Case)
            and all(text(arm.args["true"]) is not None for arm in value_of(item).args["ifs"])
            for item in branches[0].expressions
        )
    )


def _reported(
    query: exp.Expression, names: Sequence[str], effect: Effect, place: Place
) -> tuple[Found, ...]:
    """What the query checks by itself, with the names of the columns that it is written to."""
    made = query.copy()
    first = branches_of(made)[:1]
    for item, name in zip(first[0].expressions if first else [], names, strict=False):
        if not isinstance(item, exp.Alias | exp.Column | exp.Star):
            item.replace(exp.Alias(this=item.copy(), alias=exp.to_identifier(name)))
    found = read_query(made, place.start, place.end, place.setting)
    return tuple(replace(each, effect=effect) for each in found)


# Records that are used ----------------------------------------------------------------------------


def _picks(query: exp.Expression) -> bool:
    return any(select.args.get(key) for select in branches_of(query) for key in _PICKING)


def loaded(query: exp.Expression, target: str, place: Place) -> tuple[Found, ...]:
    """What is left out of a load may be bad, or not wanted: other statements tell."""
    effect = Effect("load", target)
    branches = branches_of(query)
    if not branches:
        return place.nothing(f"it loads {target} from a query of several steps", effect)
    found = []
    for number, select in enumerate(branches, 1):
        part = f"branch {number}" if len(branches) > 1 else ""
        checked, how = _loaded(select, target, effect, place)
        found.append(place.found(checked, how, part=part))
    return tuple(found)


def _loaded(
    select: exp.Select, target: str, effect: Effect, place: Place
) -> tuple[Checked, Effect]:
    opened = resolved(select, place.setting)
    keeps_one = isinstance(opened, exp.Select) and _keeps_one(opened)
    select = _resolved(select, place)
    source = source_of(select, place)

    def nothing(reason: str, how: Effect = effect) -> tuple[Checked, Effect]:
        return Checked(NotARule(reason), "predicate", source), how

    if source is not None and role_of(source) == "reject":
        return nothing(f"it loads what was kept in {source}")
    if keeps_one:
        return nothing(f"it loads {target} with one of several copies of a record")
    asked = [c for c in conditions_of(select) if not only_picks([c], place.setting)]
    asked, effect = _without_marked(asked, effect, place)
    asked = [c for c in asked if not _is_new(c, target, place)]
    if not asked and not select.args.get("having"):
        reason = f"it loads {target}"
        if effect.by_columns or effect.by_table:
            reason = f"it loads {target} with the records that are not marked or rejected"
        return nothing(reason, effect)
    limited = select.copy()
    limited.set("where", exp.Where(this=all_hold(asked)) if asked else None)
    if (other := _not_joined(limited, place)) is not None:
        reason = f"it loads {target} with the records that {other} does not hold"
        return nothing(reason, replace(effect, by_table=other))
    if any(select.args.get(key) for key in ("group", "having", "qualify", "limit", "joins")):
        return _unsure(limited, target, source), effect
    checked = bad_rows(limited, place.setting, bad=False)
    if isinstance(checked.check, Unread) and checked.check.code == "unknown_shape":
        return _unsure(limited, target, source), effect
    return checked, effect


def _unsure(select: exp.Select, target: str, source: str | None) -> Checked:
    reason = f"it loads only some records into {target}"
    return unread_checked("rule_or_filter", reason, source)


def _without_marked(
    asked: Sequence[exp.Expression], effect: Effect, place: Place
) -> tuple[list[exp.Expression], Effect]:
    """The conditions that leave marked or rejected records out are rules of other statements."""
    rest = []
    for condition in asked:
        columns = marks_of(condition)
        if columns and asks_for_marked(condition) is False:
            effect = replace(effect, by_columns=(*effect.by_columns, *columns))
        elif (by := _not_via(condition, place)) is not None and effect.by_table is None:
            effect = replace(effect, by_table=by.table, codes=by.codes)
        else:
            rest.append(condition)
    return rest, effect


def _not_via(condition: exp.Expression, place: Place) -> Via | None:
    """`id NOT IN (SELECT id FROM reject)`."""
    node = bare(condition)
    by = via(node.this, place.setting) if isinstance(node, exp.Not) else None
    return by if by is not None and role_of(by.table) == "reject" else None


def _not_joined(select: exp.Select, place: Place) -> str | None:
    """`LEFT JOIN reject r … WHERE r.id IS NULL`: the table of bad records."""
    if not select.args.get("joins"):
        return None
    checked = bad_rows(select, place.setting)
    check = checked.check
    if not isinstance(check, Exists) or check.negated or checked.scope or check.lookup.scope:
        return None
    return check.lookup.table if role_of(check.lookup.table) == "reject" else None


def _is_new(condition: exp.Expression, target: str, place: Place) -> bool:
    """`NOT EXISTS (SELECT 1 FROM target …)`: records that are there already are not added."""
    node = bare(condition)
    by = via(node.this, place.setting) if isinstance(node, exp.Not) else None
    return by is not None and same_table(by.table, target)


def _keeps_one(select: exp.Select) -> bool:
    """DISTINCT, or the first of each key by a window's number."""
    qualify = select.args.get("qualify")
    if qualify is not None:
        return _is_first(qualify.this, select)
    from_ = select.args.get("from_")
    source = from_.this if from_ is not None else None
    if not isinstance(source, exp.Subquery) or not isinstance(source.this, exp.Select):
        return False
    asked = conditions_of(select)
    return len(asked) == 1 and _is_first(asked[0], source.this)


def _is_first(condition: exp.Expression, select: exp.Select) -> bool:
    node = bare(condition)
    if not isinstance(node, exp.EQ | exp.LTE) or node.expression.name != "1":
        return False
    numbered = bare(node.this)
    if isinstance(numbered, exp.Column):
        named = {item.alias.lower(): item.this for item in select.expressions if item.alias}
        numbered = named.get(numbered.name.lower(), numbered)
    return isinstance(numbered, exp.Window) and tables.is_numbering(numbered)
