"""Columns that show the status of a whole check: `CASE WHEN COUNT(*) = 0 THEN 'PASS' …`."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, copied
from ruleferry.converters.readers.sql.found import Checked, Found, Label, Setting
from ruleferry.converters.readers.sql.shapes.branches import Arm, arms, branches_of, verdicts
from ruleferry.converters.readers.sql.shapes.checks import unread
from ruleferry.converters.readers.sql.shapes.counting import counting
from ruleferry.converters.readers.sql.shapes.figures import judged
from ruleferry.converters.readers.sql.shapes.here import Here, Part, attempted, found, joined
from ruleferry.converters.readers.sql.shapes.record_status import of_asked_status
from ruleferry.converters.readers.sql.shapes.rows import named_table, of_query
from ruleferry.converters.readers.sql.shapes.status import effect_of, labels_of
from ruleferry.converters.readers.sql.shapes.trees import has_aggregate, has_query, text, value_of
from ruleferry.converters.readers.sql.shapes.words import whole, words
from ruleferry.converters.rule import Caveat, Row

_WORDLESS = "its words don't tell which outcome is bad"


def shows_figures(item: exp.Expression) -> bool:
    """An aggregate, or a query of one value."""
    value = value_of(item)
    return has_aggregate(value) or has_query(value)


def of_outcomes(select: exp.Select, here: Here) -> tuple[Found, ...]:
    """Empty where no column shows a status of figures."""
    items = [(item, name) for item, name in here.named(select) if _is_outcome(item)]
    rules: list[Found] = []
    for item, name in items:
        word = f"column {name}" if len(items) > 1 and name else ""
        rules += _of_column(Part(value_of(item), word, name), select, here)
    return tuple(rules)


def _is_outcome(item: exp.Expression) -> bool:
    branches = branches_of(value_of(item))
    return branches is not None and any(
        branch.condition is not None and shows_figures(branch.condition) for branch in branches
    )


def _of_column(part: Part, select: exp.Select, here: Here) -> list[Found]:
    branches = branches_of(part.tree) or ()
    told = verdicts(branches, part.name)
    if told is None or "bad" not in told:
        table = named_table(select, here.setting)
        return [found(unread("unknown_shape", _WORDLESS, table, here.setting), part, here)]
    made = arms(branches, told)
    if len(made) == 1 and (rules := _of_messages(made[0], part, select, here)):
        return rules
    rules = []
    for arm in made:
        word = f"arm {arm.number}" if len(made) > 1 else ""
        own = replace(part, word=joined(part.word, word), labels=_labels(arm),
                      effect=effect_of(arm.outcome))  # fmt: skip
        rules.append(found(_judged(arm, select, here.setting), own, here))
    return rules


def _of_messages(arm: Arm, part: Part, select: exp.Select, here: Here) -> list[Found]:
    """It counts records whose own status is not good: the rules are the messages of that."""
    condition = bare(arm.condition)
    if not isinstance(condition, exp.Binary):
        return []
    counted = counting(condition.this, select)
    if counted is None or counted.condition is not None or counted.source is not select:
        return []
    if isinstance(_judged(arm, select, here.setting).check, Row):
        return list(of_asked_status(select, replace(here, part=joined(here.part, part.word))))
    return []


def _labels(arm: Arm) -> tuple[Label, ...]:
    """What says no more than that the check failed names no rule."""
    written = text(arm.outcome)
    plain = written is not None and whole(written) in words("verdict", "fail")
    return () if plain else labels_of(arm.outcome)


def _judged(arm: Arm, select: exp.Select, setting: Setting) -> Checked:
    copy = copied(select)
    for key in ("order", "distinct"):
        copy.set(key, None)

    def read() -> Checked:
        return judged(arm.condition, copy, setting, of_query, bad=arm.bad)

    checked = attempted(read, select, setting)
    if not arm.later:
        return checked
    told = Caveat("first_match", "only the first status that holds was shown")
    return replace(checked, caveats=(*checked.caveats, told))
