"""DELETE: the records that an earlier statement copied or marked are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleferry.converters.predicates import SqlText
from ruleferry.converters.readers.sql.actions.same import alternatives, said
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
from ruleferry.converters.rule import NotARule, Repeat, Row, Unread

_COPIES: Sequence[EffectKind] = ("insert", "merge")
_REMOVED = "the script removes them from {}"


def by_condition(told: Told) -> None:
    """A DELETE by the condition of earlier copies (or by several, with OR): one rule for each."""
    before = [(n, found, said(found)) for n, found in told.rules(*_COPIES, "update")]
    for place, removed in told.rules("delete"):
        copies = {
            what: number
            for number, copy, what in reversed(before)
            if number < place and on_same_table(copy, removed)
        }
        whole = copies.get(said(removed))
        parts = [copies.get(each) for each in alternatives(removed)]
        meant = parts if whole is None else [whole]
        found = [number for number in meant if number is not None]
        for number in found:
            where = _REMOVED.format(removed.checked.table)
            told.acts(number, "drop", joined(where, kept_in(told.founds[number])))
        if found and len(found) == len(meant):
            told.repeats(place, found[0])


def refuse_doubtful(told: Told) -> None:
    """A DELETE by what may be a mark, whose records no earlier statement calls bad."""
    for place, removed in [*told.rules("delete")]:
        if removed.effect.doubt and not isinstance(removed.checked.check, Repeat):
            told.check(place, Unread("unknown_shape", removed.effect.doubt))


def by_table(told: Told) -> None:
    """A DELETE by the records of a table into which rules copied bad ones."""
    for place, removed in enumerate([*told.founds]):
        effect = removed.effect
        if effect.kind != "delete" or effect.by_table is None or is_rule(removed):
            continue
        _turn_loads(told, place, removed)
        for number, copy in [*told.rules(*_COPIES)]:
            if number < place and _is_meant(copy, removed):
                where = _REMOVED.format(effect.target)
                told.acts(number, "drop", joined(where, kept_in(copy)))


def _is_meant(copy: Found, removed: Found) -> bool:
    effect = removed.effect
    if copy.effect.target is None or not same_table(copy.effect.target, effect.by_table or ""):
        return False
    if not is_of(copy, effect.target):
        return False
    words = {label.text for label in copy.labels} | {value for _, value in copy.tags}
    return not effect.codes or bool(words & set(effect.codes))


def _turn_loads(told: Told, place: int, removed: Found) -> None:
    """What was copied to a table by which records are then removed was bad.

    The other way round, records are removed to make room for those that are loaded next.
    """
    if not isinstance(removed.checked.check, Unread):
        return
    by, target = removed.effect.by_table or "", removed.effect.target or ""
    turned = False
    for number, copy in [*told.rules("load")]:
        name = copy.effect.target or ""
        if number < place and same_table(name, by) and is_of(copy, target):
            turned = _turn(told, number) or turned
    if turned:
        told.check(place, NotARule(f"it removes the records that {by} holds"))
    elif any(_fills(other, target, by) for other in told.founds):
        told.check(place, NotARule(f"it makes room in {target} for the records of {by}"))


def _turn(told: Told, number: int) -> bool:
    """A condition of copied records, as one of bad ones."""
    found = told.founds[number]
    check = found.checked.check
    if not isinstance(check, Row) or not isinstance(check.predicate, SqlText):
        return False
    told.check(number, Row(replace(check.predicate, bad=True)))
    turned = told.founds[number]
    told.founds[number] = replace(turned, effect=replace(turned.effect, kind="insert"))
    return True


def _fills(other: Found, target: str, source: str) -> bool:
    effect = other.effect
    fills = effect.kind in ("load", "insert", "merge") and same_table(effect.target or "", target)
    return fills and is_of(other, source)


def refuse_good_marks(told: Told) -> None:
    """Several statements that mark good records: one is good that any of them finds."""
    good = [(place, found) for place, found in told.rules("update") if _is_good(found)]
    for place, found in good:
        others = [o for n, o in good if n != place and on_same_table(o, found)]
        if any(o.effect.column == found.effect.column for o in others):
            reason = f"several statements say by {found.effect.column} which records are good"
            told.check(place, Unread("unknown_shape", reason))


def _is_good(found: Found) -> bool:
    check = found.checked.check
    predicate = check.predicate if isinstance(check, Row) else None
    return isinstance(predicate, SqlText) and not predicate.bad


def by_marks(told: Told) -> None:
    """Marks by which a later statement removes records, or leaves them out of a load."""
    users = [
        (place, found) for place, found in enumerate(told.founds)
        if found.effect.kind in ("delete", "load") and found.effect.by_columns
    ]  # fmt: skip
    for place, marked in [*told.rules("update")]:
        columns = {column.lower() for column in marked.effect.by_columns}
        for number, later in users:
            asked = {column.lower() for column in later.effect.by_columns}
            if number > place and asked & columns and is_of(later, marked.checked.table):
                told.acts(place, "drop", _left_out(later))
                break


def _left_out(later: Found) -> str:
    target = later.effect.target
    if later.effect.kind == "delete":
        return f"marked records are removed from {target}"
    return f"marked records are left out of the load of {target}"
