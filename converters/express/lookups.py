"""Rules that look a record up in another table: by a column that the checked table adds.

Whether a key exists is told by a join with the distinct keys of the other table, a comparison with
what is found by EXISTS: neither changes the number of records. A key that is NULL equals no other,
so none in the other table can hide that a record is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from ruleferry.converters.account import KeysOf
from ruleferry.converters.express.computed import BATCH, computed, stand_in
from ruleferry.converters.express.databases import of_database
from ruleferry.converters.express.flags import Flagged, out_of_scope, passing, told
from ruleferry.converters.express.good import Good, OtherTable, Use
from ruleferry.converters.express.nodes import Node, both, call, either, negate
from ruleferry.converters.express.operand import CannotExpress, Operand
from ruleferry.converters.express.scopes import outside
from ruleferry.converters.express.several import refuse_strangers
from ruleferry.converters.express.sql_text import column, number_literal, to_sql
from ruleferry.converters.express.three_valued import always_true, is_not_true, never_true
from ruleferry.converters.predicates import Compare, Operator, Scope
from ruleferry.converters.rule import Caveat, Exists, LookedUp, Lookup, Nulls, Reconciled
from ruleferry.converters.table_names import written_parts
from ruleferry.converters.wording import scope_in_words

# The names of the two tables in a subquery.
HERE, THERE = "s", "l"
_TESTS: Mapping[Operator, Callable[..., Node]] = {
    "=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE,
}  # fmt: skip


def exists(rule: Exists, scope: Scope | None, use: Use) -> Flagged:
    """The record is found, by the source's own rule for a missing key."""
    found = _looked_at(rule.lookup, use)
    keys = KeysOf(
        found.other.reads,
        tuple((to_sql(ours), to_sql(theirs)) for ours, theirs in found.pairs()),
        to_sql(found.inside) if found.inside else None,
    )
    flag = computed(1, "found", _exists(found, []), "lookup", keys)
    out = out_of_scope(scope, use)
    there: Node = stand_in(flag)
    if rule.negated:
        tree = either(*passing(out), negate(there))
        return Flagged(Good(tree, "pass", found.caveats + told(out)), (flag,))
    missing = [term for key in found.ours for term in key.missing()]
    tolerated = missing if rule.missing == "good" else []
    nulls: Nulls = "pass" if tolerated else "fail"
    tree = either(*passing(out), *tolerated, there)
    return Flagged(Good(tree, nulls, found.caveats + told(out) + _of_list(rule)), (flag,))


def _of_list(rule: Exists) -> tuple[Caveat, ...]:
    """NULL among the keys makes NOT IN NULL for all that is not found; NULL NOT IN () is TRUE."""
    if rule.listed is None:
        return ()
    table = rule.lookup.table
    ours, theirs = (", ".join(names) for names in zip(*rule.lookup.keys, strict=True))
    empty = (
        f"where {table} has no record that counts, the old check (NOT IN) found records without "
        f"{ours}, too; this one passes them"
    )
    dead = (
        f"where {table} has a record without {theirs}, the old check (NOT IN) found no bad record "
        "at all; this one does"
    )
    told = (Caveat("dead_check", dead),) if rule.listed == "nullable" else ()
    return (*told, Caveat("empty_list", empty))


def looked_up(rule: LookedUp, scope: Scope | None, use: Use) -> Flagged:
    """What a record is compared with may be missing, or not found: then no comparison holds."""
    found = _looked_at(rule.lookup, use)
    tests, caveats = [], found.caveats
    for comparison in rule.comparisons:
        ours, theirs = use.operand(comparison.left), found.use.operand(comparison.right)
        test, more = _compared(comparison.operator, ours, theirs, use)
        tests.append(test)
        ordered = comparison.operator not in ("=", "!=")
        caveats += more + _of_database([comparison.left], use, ordered=ordered)
    flag = computed(1, "found", _exists(found, tests), "lookup")
    out = out_of_scope(scope, use)
    good: Node = stand_in(flag) if rule.wanted else negate(stand_in(flag))
    nulls: Nulls = "fail" if rule.wanted else "pass"
    tree = either(*passing(out), good)
    caveats = tuple(dict.fromkeys(caveats + told(out)))
    return Flagged(Good(tree, nulls, caveats), (flag,))


def reconciled(rule: Reconciled, scope: Scope | None, use: Use) -> Flagged:
    """Neither table has a combination of values that the other one lacks, as far as it is asked."""
    found = _looked_at(rule.other, use)
    out = out_of_scope(scope, use)
    here = _selected([ours for ours, _ in found.pairs()], table_node(BATCH))
    if out is not None:
        here = here.where(negate(out.tree))
    there = _selected([theirs for _, theirs in found.pairs()], table_node(found.other.reads))
    if found.inside is not None:
        there = there.where(found.inside.copy())
    asked = [("missing", there, here)] if rule.missing else []
    asked += [("extra", here, there)] if rule.extra else []
    if not asked:
        raise CannotExpress("never_fails", "it asks for no record of either table")
    columns = [
        computed(number, suffix, counted(_without(left, right)))
        for number, (suffix, left, right) in enumerate(asked, 1)
    ]
    tests = [exp.EQ(this=stand_in(c), expression=number_literal(0)) for c in columns]
    good = Good(both(*tests), "none", found.caveats + told(out))
    return Flagged(good, tuple(columns), "query")


def _without(left: exp.Select, right: exp.Select) -> exp.Query:
    return exp.Except(this=left.copy(), expression=right.copy(), distinct=True)


def _selected(columns: Sequence[Node], table: exp.Table) -> exp.Select:
    return exp.Select(expressions=list(columns)).from_(table)


def counted(query: exp.Query) -> Node:
    """How many rows a query has, in a query of its own."""
    inner = exp.Subquery(this=query)
    all_ = exp.Count(this=exp.Star())
    return exp.Subquery(this=exp.Select(expressions=[all_]).from_(inner))


def table_node(name: str, alias: str | None = None) -> exp.Table:
    """Raises CannotExpress for what is no name of a table."""
    parts = [column(part).this for part in written_parts(name)]
    if not 1 <= len(parts) <= 3:
        raise CannotExpress("invalid_rule", f"a table was expected, found {name}")
    names = dict(zip(("this", "db", "catalog"), reversed(parts), strict=False))
    called = exp.TableAlias(this=exp.to_identifier(alias)) if alias else None
    return exp.Table(**names, alias=called)


# What is looked at --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _LookedAt:
    """`use`: the same engine and the other table's types; `inside`: TRUE for what counts of it."""

    other: OtherTable
    use: Use
    ours: tuple[Operand, ...]
    theirs: tuple[Operand, ...]
    inside: Node | None
    caveats: tuple[Caveat, ...]

    def pairs(self) -> list[tuple[Node, Node]]:
        """What is equal where a record is found: texts, where a type is not known."""
        return [_alike(a, b) for a, b in zip(self.ours, self.theirs, strict=True)]


def _looked_at(lookup: Lookup, use: Use) -> _LookedAt:
    if not lookup.keys:
        raise CannotExpress("invalid_rule", f"it names no key of {lookup.table}")
    other = use.others(lookup.table)
    table_node(other.reads)
    there = replace(use, types=other.types)
    ours = tuple(use.operand(name) for name, _ in lookup.keys)
    theirs = tuple(there.operand(name) for _, name in lookup.keys)
    inside, caveats = _of_scope(lookup, there)
    caveats += _unconfirmed(lookup.table, other)
    for pair in zip(ours, theirs, strict=True):
        refuse_strangers(pair)
        caveats += _told_of(*pair, lookup.table)
    caveats += _of_database([name for name, _ in lookup.keys], use)
    caveats += tuple(c for o in (*ours, *theirs) for c in o.caveats)
    return _LookedAt(other, there, ours, theirs, inside, tuple(dict.fromkeys(caveats)))


def _of_scope(lookup: Lookup, use: Use) -> tuple[Node | None, tuple[Caveat, ...]]:
    if lookup.scope is None:
        return None, ()
    words = scope_in_words(lookup.scope)
    out = outside(lookup.scope, use.stated, use.types)
    if always_true(out.tree):
        reason = f"of {lookup.table} no record counts ({words}), so that none is ever found"
        raise CannotExpress("never_passes", reason)
    detail = f"of {lookup.table} only the records count where {words}"
    inside = None if never_true(out.tree) else is_not_true(out.tree)
    return inside, (Caveat("scope", detail), *out.caveats)


def _unconfirmed(name: str, other: OtherTable) -> tuple[Caveat, ...]:
    if other.confirmed:
        return ()
    return (Caveat("lookup_named", f"records are looked up in {name}, its name in the source"),)


def _alike(ours: Operand, theirs: Operand) -> tuple[Node, Node]:
    if ours.type is None or theirs.type is None:
        return ours.text(), theirs.text()
    return ours.comparable(), theirs.comparable()


def _told_of(ours: Operand, theirs: Operand, table: str) -> tuple[Caveat, ...]:
    unknown = [o for o in (ours, theirs) if o.type is None]
    if not unknown:
        return ()
    detail = (
        f"{ours.name} and {theirs.name} of {table} are compared as texts, since no schema states "
        "both types: 1 and 1.0 differ"
    )
    return (Caveat("keys_as_texts", detail),)


def _of_database(names: Sequence[str], use: Use, *, ordered: bool = False) -> tuple[Caveat, ...]:
    if use.stated is None or use.kind != "sql":
        return ()
    told = [of_database(Compare(name, ">" if ordered else "=", name), use) for name in names]
    return tuple(caveat for caveats in told for caveat in caveats)


def _exists(found: _LookedAt, tests: Sequence[Node]) -> Node:
    """A subquery with all that must hold."""
    equal = [exp.EQ(this=theirs, expression=ours) for ours, theirs in _qualified(found)]
    inside = [_of(found.inside.copy(), THERE)] if found.inside is not None else []
    query = exp.Select(expressions=[number_literal(1)])
    query = query.from_(table_node(found.other.reads, THERE))
    return call("exists", query.where(both(*equal, *inside, *tests)))


def _qualified(found: _LookedAt) -> list[tuple[Node, Node]]:
    return [(_of(ours, HERE), _of(theirs, THERE)) for ours, theirs in found.pairs()]


def _of(tree: Node, table: str) -> Node:
    """The same with the table's name before its columns."""
    root = exp.Paren(this=tree)
    for node in [*root.find_all(exp.Column)]:
        first, *fields = [part.copy() for part in node.parts]
        named: Node = exp.Column(this=first, table=exp.to_identifier(table))
        node.replace(exp.Dot.build([named, *fields]) if fields else named)
    made: Node = root.this
    return made


def _compared(
    operator: Operator, ours: Operand, theirs: Operand, use: Use
) -> tuple[Node, tuple[Caveat, ...]]:
    refuse_strangers((ours, theirs))
    if ours.type is None or theirs.type is None:
        name = (ours if ours.type is None else theirs).name
        reason = f"how {ours.name} and {theirs.name} compare depends on the type of {name}"
        raise CannotExpress("type_needed", f"{reason}, which is not known")
    left, right = _of(ours.comparable(), HERE), _of(theirs.comparable(), THERE)
    return _TESTS[operator](this=left, expression=right), ours.caveats + theirs.caveats
