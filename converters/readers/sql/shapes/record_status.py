"""Listings that show a status or a message for each record, or ask for one."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.tree import all_hold, bare, called, copied, terms
from ruleferry.converters.readers.sql.found import Checked, Found
from ruleferry.converters.readers.sql.shapes.branches import branches_of, verdicts
from ruleferry.converters.readers.sql.shapes.counting import Counting
from ruleferry.converters.readers.sql.shapes.figures import of_counting
from ruleferry.converters.readers.sql.shapes.here import Here, Part, attempted, found, joined
from ruleferry.converters.readers.sql.shapes.rows import of_query
from ruleferry.converters.readers.sql.shapes.status import messages
from ruleferry.converters.readers.sql.shapes.trees import is_null_test, only_args, text, value_of
from ruleferry.converters.readers.sql.shapes.words import whole, words

_LISTING = frozenset({"expressions", "from_", "where", "joins", "order", "distinct"})


def of_statuses(select: exp.Select, here: Here) -> tuple[Found, ...]:
    """One rule for each message; empty where there is none."""
    if only_args(select, _LISTING):
        return ()
    columns: list[tuple[str, list[Found]]] = []
    for place, (item, name) in enumerate(here.named(select), 1):
        value = value_of(item)
        if _may_be_status(value) and _has_good(value, name, select):
            columns.append((name or str(place), _of_messages(Part(value, "", name), select, here)))
    columns = [(name, rules) for name, rules in columns if rules]
    if len(columns) < 2:
        return tuple(columns[0][1]) if columns else of_asked_status(select, here)
    return tuple(
        replace(rule, part=joined(here.part, f"column {name}", _within(rule, here)))
        for name, rules in columns
        for rule in rules
    )


def _within(rule: Found, here: Here) -> str:
    """The part without that of its query."""
    return rule.part.removeprefix(here.part).removeprefix(", ")


def _may_be_status(value: exp.Expression) -> bool:
    composed = isinstance(value, exp.DPipe | exp.Add) or called(value) is not None
    return composed or branches_of(value) is not None


def _has_good(value: exp.Expression, name: str, select: exp.Select) -> bool:
    """Where every branch is bad, WHERE is the rule, and the texts only say more of it."""
    if not select.args.get("where"):
        return True
    branches = branches_of(value)
    told = verdicts(branches, name) if branches else None
    return told is None or "good" in told


def _of_messages(part: Part, select: exp.Select, here: Here) -> list[Found]:
    def check(condition: exp.Expression, bad: bool) -> Checked:
        counted = Counting(select, condition, bad)
        return attempted(lambda: of_counting(counted, here.setting, of_query), select, here.setting)

    return [
        found(
            message.checked,
            Part(message.tree, message.part, part.name, message.labels, message.effect),
            here,
        )
        for message in messages(part.tree, part.name, check)
    ]


def of_asked_status(select: exp.Select, here: Here) -> tuple[Found, ...]:
    """`SELECT … FROM (SELECT CASE … END AS status FROM t) x WHERE status <> 'P'`."""
    where = select.args.get("where")
    conditions = terms(where.this if where else None)
    asked = [(term, part) for term in conditions if (part := _asked_case(term)) is not None]
    if len(asked) != 1:
        return ()
    rest = [term for term in conditions if term is not asked[0][0]]
    copy = copied(select)
    copy.set("where", exp.Where(this=all_hold(rest)) if rest else None)
    return tuple(_of_messages(asked[0][1], copy, here))


def _asked_case(term: exp.Expression) -> Part | None:
    """The CASE of which all that is not good is asked for: each of its texts, or all but one."""
    tested = is_null_test(term)
    if tested is not None:
        return Part(tested[0], "", "errors") if branches_of(tested[0]) and not tested[1] else None
    node = bare(term)
    if not isinstance(node, exp.NEQ) or branches_of(node.this) is None:
        return None
    written = text(node.expression)
    passed = written is not None and whole(written) in words("verdict", "pass")
    return Part(bare(node.this)) if passed else None
