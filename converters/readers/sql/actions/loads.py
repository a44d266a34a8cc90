"""Loads: what they leave out is dropped where another statement says that it is bad."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from ruleferry.converters.dialects.tree import text_of
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.actions.same import (
    form,
    is_null_test,
    never_unknown,
    parts_of_and,
    tree_of,
)
from ruleferry.converters.readers.sql.actions.told import (
    Told,
    is_of,
    joined,
    kept_in,
    on_same_table,
)
from ruleferry.converters.readers.sql.found import EffectKind, Found
from ruleferry.converters.readers.sql.shapes.written.parts import is_rule
from ruleferry.converters.readers.sql.shapes.written.tables import same_table
from ruleferry.converters.rule import Caveat, Row, Unread

_COPIES: Sequence[EffectKind] = ("insert", "merge")


def of_others(told: Told) -> None:
    """A load of the records that are not in a table of bad ones."""
    for place, load in enumerate([*told.founds]):
        effect = load.effect
        if effect.kind != "load" or effect.by_table is None:
            continue
        for number, copy in [*told.rules(*_COPIES)]:
            known = same_table(copy.effect.target or "", effect.by_table)
            words = {label.text for label in copy.labels}
            meant = not effect.codes or bool(words & set(effect.codes))
            if number < place and known and meant and is_of(copy, load.checked.table):
                told.acts(number, "drop", joined(_left_out(load), kept_in(copy)))


def _left_out(load: Found) -> str:
    return f"the load of {load.effect.target} leaves them out"


# A load and what copies the rest ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Copy:
    """`bad`: what OR joins in its condition; None where it is of another kind."""

    place: int
    found: Found
    bad: frozenset[Hashable] | None


@dataclass(frozen=True, slots=True)
class _Twin:
    """The rule that copies what a load leaves out; `complete`: no record is lost between them."""

    copy: _Copy
    complete: bool


def with_twins(told: Told) -> None:
    copies = [_copy(place, found) for place, found in told.rules(*_COPIES)]
    for place, load in [*told.rules("load")]:
        near = [copy for copy in copies if _is_near(copy.found, load)]
        twin = _twin(load, near)
        if twin is not None:
            _one_rule(told, place, twin)
        else:
            _by_parts(told, place, load, near)


def _is_near(copy: Found, load: Found) -> bool:
    """They look at the same records."""
    return on_same_table(copy, load) and copy.checked.scope == load.checked.scope


def _copy(place: int, found: Found) -> _Copy:
    check = found.checked.check
    tree = tree_of(check)
    if tree is None or not _is_sql(check) or not check.predicate.bad:  # type: ignore[union-attr]
        return _Copy(place, found, None)
    return _Copy(place, found, _parts(form(tree)))


def _twin(load: Found, copies: Sequence[_Copy]) -> _Twin | None:
    tree = tree_of(load.checked.check)
    for copy in copies:
        checked = copy.found.checked
        if tree is None:
            alike = (checked.check, checked.scope)
            if (load.checked.check, load.checked.scope) == alike:
                return _Twin(copy, True)
        elif (complete := _is_rest(tree, copy)) is not None:
            return _Twin(copy, complete)
    return None


def _is_rest(good: exp.Expression, copy: _Copy) -> bool | None:
    """Whether it copies all that is not good, those of an unknown condition too; None: another."""
    if copy.bad is None:
        return None
    opposite = _parts(form(good, denied=True))
    if copy.bad == opposite:
        return never_unknown(good)
    if opposite < copy.bad and all(is_null_test(part) for part in copy.bad - opposite):
        return True
    return None


def _parts(of: Hashable) -> frozenset[Hashable]:
    """What OR joins."""
    if isinstance(of, tuple) and of[0] == "or":
        parts: frozenset[Hashable] = of[1]
        return parts
    return frozenset({of})


def _one_rule(told: Told, place: int, twin: _Twin) -> None:
    """The load's own condition decides; the copy names the rule."""
    load, copy = told.founds[place], twin.copy.found
    checked = load.checked
    if not twin.complete:
        checked = replace(checked, caveats=(*checked.caveats, _lost(load, copy)))
    told.founds[place] = replace(
        load, checked=checked, labels=load.labels + copy.labels, tags=load.tags + copy.tags
    )
    told.acts(place, "drop", joined(_left_out(load), kept_in(copy)))
    if is_rule(told.founds[twin.copy.place]):
        told.repeats(twin.copy.place, place)


def _lost(load: Found, copy: Found) -> Caveat:
    detail = (
        f"a record for which the condition is unknown went neither to {load.effect.target} nor to "
        f"{copy.effect.target}; it is bad now"
    )
    return Caveat("rows_lost", detail)


def _by_parts(told: Told, place: int, load: Found, copies: Sequence[_Copy]) -> None:
    """One copy for each condition of a load: each is a rule by the load's own condition."""
    tree = tree_of(load.checked.check)
    parts = parts_of_and(tree) if tree is not None else []
    if len(parts) < 2:
        return
    matched: dict[int, int] = {}
    for part, good in enumerate(parts):
        for copy in copies:
            complete = _is_rest(good, copy)
            if complete is not None and copy.place not in matched.values():
                matched[part] = copy.place
                _by_load(told, copy.place, good, load, complete=complete)
                break
    if len(matched) == len(parts):
        told.repeats(place, matched[0])
    elif matched:
        others = [parts[n] for n in range(len(parts)) if n not in matched]
        told.check(place, _filter(load, others))


def _by_load(told: Told, number: int, good: exp.Expression, load: Found, *, complete: bool) -> None:
    copy = told.founds[number]
    check = copy.checked.check
    if not isinstance(check, Row) or not isinstance(check.predicate, SqlText):
        return
    own = check.predicate
    text = text_of(good, sql_dialects()[own.dialect])
    checked = replace(copy.checked, check=Row(replace(own, text=text, bad=False, tree=good)))
    if not complete:
        checked = replace(checked, caveats=(*checked.caveats, _lost(load, copy)))
    told.founds[number] = replace(copy, checked=checked)
    told.acts(number, "drop", joined(_left_out(load), kept_in(copy)))


# What nothing says to be bad ----------------------------------------------------------------------


def left(told: Told) -> None:
    """A load's own conditions alone may be rules, or what the table is for."""
    for place, load in [*told.rules("load")]:
        if load.effect.action is None:
            tree = tree_of(load.checked.check)
            told.check(place, _filter(load, [] if tree is None else [tree]))


def _filter(load: Found, conditions: Sequence[exp.Expression]) -> Unread:
    check = load.checked.check
    dialect = check.predicate.dialect if _is_sql(check) else None  # type: ignore[union-attr]
    said = ""
    if dialect is not None and conditions:
        texts = [text_of(condition, sql_dialects()[dialect]) for condition in conditions]
        said = f": {' AND '.join(texts)}"
    reason = f"it loads only some records into {load.effect.target}{said}"
    return Unread("rule_or_filter", reason, load.checked.columns)


def _is_sql(check: object) -> bool:
    return isinstance(check, Row) and isinstance(check.predicate, SqlText)
