"""UPDATE: it marks bad records, takes marks away, or puts data right."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import bare
from ruleferry.converters.readers.sql.found import Checked, Effect, Found, Label, LabelKind
from ruleferry.converters.readers.sql.shapes import bad_rows
from ruleferry.converters.readers.sql.shapes.words import parts_of
from ruleferry.converters.readers.sql.shapes.written.arms import Arm, arms
from ruleferry.converters.readers.sql.shapes.written.asked import (
    asks_for_marked,
    is_of_table,
    marks_of,
)
from ruleferry.converters.readers.sql.shapes.written.marks import Mark, mark, mark_kind
from ruleferry.converters.readers.sql.shapes.written.parts import Place, name_of
from ruleferry.converters.readers.sql.shapes.written.sources import (
    Changed,
    of_update,
    only_picks,
)
from ruleferry.converters.rule import Caveat, NotARule, Unread

_CODES = frozenset({"code", "codes", "cd", "id", "rule", "rules"})
_FIRST = "a record got the first message alone; now each rule tells what it finds"


def updated(tree: exp.Expression, place: Place) -> tuple[Found, ...]:
    assert isinstance(tree, exp.Update)
    changed = of_update(tree)
    name = name_of(changed.table, place.setting)
    effect = Effect("update", name)
    marks, cases = _set(tree)
    if not marks and not cases:
        return place.nothing(f"it puts values of {name} right", effect, name)
    own = {each.column.lower() for each in marks} | {column.lower() for column, _ in cases}
    asked = [c for c in changed.conditions if not _is_unmarked(c, changed.table, own)]
    says_why = any(each.message for each in marks)
    if (reason := _copies_marks(asked, place, says_why=says_why)) is not None:
        return place.nothing(f"{reason} of {name}", effect, name)
    if asked and not cases and only_picks(asked, place.setting):
        return place.nothing(f"it marks a batch of {name}", effect, name)
    if any(_names(condition) & own for condition in asked):
        reason = "which records it finds depends on the marks that they have already"
        return place.unread("unknown_shape", reason, effect, name)
    left_out = len(asked) < len(changed.conditions)
    if cases:
        return _by_arms(cases, asked, changed, effect, place)
    return _by_marks(marks, asked, changed, effect, place, left_out=left_out)


def marks_set(tree: exp.Update) -> list[Mark]:
    """Those that a MERGE sets; of a CASE it is not known what it says."""
    marks, cases = _set(tree)
    return marks + [Mark(column, "status", None) for column, _ in cases]


def _set(tree: exp.Update) -> tuple[list[Mark], list[tuple[str, exp.Case]]]:
    """The marks that it sets alike for all records, and those that a CASE sets."""
    marks, cases = [], []
    for item in tree.expressions:
        column = bare(item.this) if isinstance(item, exp.EQ) else item
        kind = mark_kind(column.name) if isinstance(column, exp.Column) else None
        if kind is None:
            continue
        value = bare(item.expression)
        if isinstance(value, exp.Case):
            cases.append((column.name, value))
        else:
            marks.append(mark(column.name, kind, value))
    return marks, cases


def _is_unmarked(condition: exp.Expression, table: exp.Table, own: Collection[str]) -> bool:
    """`err_msg IS NULL`: what has a mark already gets no other one.

    A status that the statement does not set may be the record's own, and another table's is.
    """
    if not marks_of(condition) or asks_for_marked(condition) is not False:
        return False
    if not is_of_table(condition, table):
        return False
    return all(name in own or mark_kind(name) != "status" for name in _names(condition))


def _copies_marks(asked: Sequence[exp.Expression], place: Place, *, says_why: bool) -> str | None:
    """`says_why`: it says what is wrong, which a status that nobody knows may be."""
    asked = [c for c in asked if not only_picks([c], place.setting)]
    if not asked or not all(marks_of(condition) for condition in asked):
        return None
    if says_why and all(asks_for_marked(condition) is None for condition in asked):
        return None
    return "it carries one mark over to another one"


def _names(condition: exp.Expression) -> set[str]:
    return {node.name.lower() for node in condition.find_all(exp.Column)}


# One mark for all that it finds -------------------------------------------------------------------


def _by_marks(
    marks: Sequence[Mark],
    asked: Sequence[exp.Expression],
    changed: Changed,
    effect: Effect,
    place: Place,
    *,
    left_out: bool,
) -> tuple[Found, ...]:
    name = effect.target or ""
    says = {each.says for each in marks if each.says != "cleared"}
    if not says:
        return place.nothing(f"it marks no record of {name} as bad", effect, name)
    if len(says) > 1 or None in says:
        columns = ", ".join(each.column for each in marks)
        reason = f"what it says of a record by {columns} is not certain"
        return place.unread("unknown_shape", reason, effect, name)
    bad = says == {"bad"}
    if not asked and not changed.select.args.get("joins"):
        word = "bad" if bad else "good"
        return place.nothing(f"it marks all records of {name} as {word}", effect, name)
    shown = next((m for m in marks if m.kind != "message" and m.says != "cleared"), marks[0])
    effect = replace(effect, column=shown.column, value=shown.value, by_columns=_columns(marks))
    checked = bad_rows(changed.only(asked), place.setting, bad=bad)
    return (place.found(_told(checked, left_out), effect, labels=labels_of(marks)),)


def _columns(marks: Sequence[Mark]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m.column for m in marks if m.says != "cleared"))


def labels_of(marks: Sequence[Mark]) -> tuple[Label, ...]:
    """A code before a message."""
    said = [m for m in marks if m.message]
    codes = [m for m in said if _CODES & frozenset(parts_of(m.column))]
    others = [m for m in said if m not in codes]
    named = [Label("id", m.message) for m in codes]
    return (*named, *(Label("message", m.message) for m in others))


def _told(checked: Checked, left_out: bool) -> Checked:
    if not left_out or isinstance(checked.check, NotARule | Unread):
        return checked
    return replace(checked, caveats=(*checked.caveats, Caveat("first_match", _FIRST)))


# A CASE -------------------------------------------------------------------------------------------


def _by_arms(
    cases: Sequence[tuple[str, exp.Case]],
    asked: Sequence[exp.Expression],
    changed: Changed,
    effect: Effect,
    place: Place,
) -> tuple[Found, ...]:
    """Of several columns with the same arms, the one that says most names the rules."""
    name = effect.target or ""
    read = [(column, arms(column, case)) for column, case in cases]
    column, found = max(read, key=lambda each: sum(arm.message != "" for arm in each[1]))
    conditions = [[arm.condition for arm in other] for _, other in read]
    if any(each != conditions[0] for each in conditions[1:]):
        raise Unreadable("unknown_shape", "it marks records by several CASEs that do not agree")
    effect = replace(effect, column=column, by_columns=tuple(c for c, _ in cases))
    if not found:
        return place.nothing(f"it marks no record of {name} as bad", effect, name)
    return tuple(_of_arm(arm, asked, changed, effect, place) for arm in found)


def _of_arm(
    arm: Arm,
    asked: Sequence[exp.Expression],
    changed: Changed,
    effect: Effect,
    place: Place,
) -> Found:
    if not arm.bad and asked:
        raise Unreadable("unknown_shape", "what it says of records that it does not find is open")
    checked = bad_rows(changed.only([*asked, arm.condition]), place.setting, bad=arm.bad)
    kind: LabelKind = "id" if _CODES & frozenset(parts_of(effect.column or "")) else "message"
    labels = (Label(kind, arm.message),) if arm.message else ()
    effect = replace(effect, value=arm.value)
    return place.found(_told(checked, arm.shared), effect, part=arm.part, labels=labels)
