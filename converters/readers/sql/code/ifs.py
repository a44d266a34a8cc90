"""IF and CASE: of what their branches complain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.readers.sql.code.branches import Branch, branches_of, ends
from ruleferry.converters.readers.sql.code.conditions import Test, holds, mark_used, unread_of
from ruleferry.converters.readers.sql.code.nodes import Arm, If, Node, Skip, Span, Sql
from ruleferry.converters.readers.sql.code.place import Guard, Place, Work, first_match
from ruleferry.converters.readers.sql.code.rows import of_record, reached
from ruleferry.converters.readers.sql.code.values import CURRENT, Value, Values, changed
from ruleferry.converters.readers.sql.code.verdicts import of_test, unread
from ruleferry.converters.readers.sql.found import Checked
from ruleferry.converters.rule import Measured

Walk = Callable[[Sequence[Node], Values, Place, Work], None]


def read_if(node: If, values: Values, place: Place, work: Work, walk: Walk) -> None:
    branches = branches_of(node, values, place, work)
    complains = any(branch.done is not None for branch in branches)
    after: list[Values] = []
    for branch in branches:
        if branch.test is not None:
            mark_used(branch.test, values, place, work)
        if branch.unsure:
            _of_unsure(branch, place, work)
        elif branch.done is None:
            _no_complaint(branch, place, work, alone=not complains)
        elif not _is_all_collected(branch.test, work):
            _complaint(branch, node, values, place, work)
        inner = dict(values)
        walk(branch.arm.body, inner, _inside(branch, place), work)
        after.append(values if ends(branch.arm.body) else inner)
    _merge(values, after, branches, place)


def _is_all_collected(test: Test | None, work: Work) -> bool:
    """IF v_errors IS NOT NULL THEN RAISE: each of the complaints is a rule already."""
    if test is None or not test.unknown:
        return False
    return set(test.unknown) <= work.collected and not (test.of_data or test.of_record)


def _merge(
    values: Values, after: Sequence[Values], branches: Sequence[Branch], place: Place
) -> None:
    """What a branch changes is unsure afterwards."""
    found: set[str] = set()
    for branch, inner in zip(branches, after, strict=True):
        if inner is not values:
            found |= changed(branch.arm.body, place.code)
            found |= {name for name in inner if inner[name] != values.get(name)}
    for name in found:
        values[name] = Value(why="is set in one branch and not in the other")


# Branches that complain ---------------------------------------------------------------------------


def _complaint(branch: Branch, node: If, values: Values, place: Place, work: Work) -> None:
    assert branch.done is not None
    checks = _checks(branch, values, place, work)
    if branch.test is not None and any(b.done is not None for b in branch.before):
        checks = tuple(first_match(checked) for checked in checks)
    span = _span(branch, node)
    for number, checked in enumerate(checks, 1):
        part = f"condition {number}" if len(checks) > 1 else ""
        work.rule(checked, span, place, branch.done, part)


def _span(branch: Branch, node: If) -> Span:
    """From the query that fills its variable to the end of what it does."""
    decides = branch.deciding[-1]
    end = branch.arm.body[-1].span.end if branch.arm.body else decides.span.end
    start = decides.span.start
    if not branch.before or branch.test is None:
        queries = [query.start for query in decides.queries if query.start < node.span.start]
        start = min([node.span.start, *queries])
        end = node.span.end if len(node.arms) == 1 else end
    return Span(start, end, decides.span.first, decides.span.last)


def _checks(branch: Branch, values: Values, place: Place, work: Work) -> tuple[Checked, ...]:
    test = branch.test
    before = [b for b in branch.before if b.done is None or test is None]
    passed = [b.test for b in before if b.test is not None]
    decides = [*passed] if test is None else [*passed, test]
    for one in decides:
        if reason := unread_of(one, values, place):
            return (reason,)
    if any(one.of_record for one in decides):
        return (_of_record(test, passed, place, work),)
    return _of_tables(test, passed, place)


def _of_record(test: Test | None, passed: Sequence[Test], place: Place, work: Work) -> Checked:
    record = place.record
    if record is None:
        why = place.guard.reason if place.guard is not None else "it is no record of one table"
        return unread("procedural", why)
    tree = reached(test.tree if test is not None and test.tree is not None else None, passed)
    if place.guard is not None:
        return unread(place.guard.code, place.guard.reason, record.table)
    used = {c.name.lower() for c in tree.find_all(exp.Column) if c.table.lower() == CURRENT}
    if used & work.changed:
        name = min(used & work.changed)
        return unread("procedural", f"{name} is changed before it is tested", record.table)
    if not record.table:
        return unread("no_table", "the trigger that runs this function is not at hand")
    return of_record(tree, record, place.code.here)


def _of_tables(test: Test | None, passed: Sequence[Test], place: Place) -> tuple[Checked, ...]:
    if place.guard is not None:
        return (unread(place.guard.code, place.guard.reason),)
    if place.record is not None and not place.written:
        return (unread("procedural", "it runs in a loop, for every record anew"),)
    if test is not None and passed:
        return (unread("procedural", "another branch, which does not complain, comes before it"),)
    tree = test.tree if test is not None else passed[0].tree
    assert tree is not None
    for one in passed[1:] if test is None else ():
        assert one.tree is not None
        tree = exp.Or(this=tree.copy(), expression=one.tree.copy())
    found = of_test(tree, place.code.here, bad=test is not None)
    return tuple(_of_trigger(checked) if place.written else checked for checked in found)


def _of_trigger(checked: Checked) -> Checked:
    if isinstance(checked.check, Measured):
        return unread("procedural", "it looks at all records of one statement", checked.table)
    return checked


# Branches that do not -----------------------------------------------------------------------------


def _of_unsure(branch: Branch, place: Place, work: Work) -> None:
    """Of data, else it is a message of the run."""
    if not branch.of_data or not branch.arm.body:
        work.quiet.append("it shows a message")
        return
    code = "procedural" if branch.done is not None and branch.done.collected else "unknown_shape"
    work.gap(code, branch.unsure, branch.arm.body[0].span, place, branch.done)


def _no_complaint(branch: Branch, place: Place, work: Work, *, alone: bool) -> None:
    if not branch.of_data or not alone:
        work.quiet.append("it decides what else is run")
        return
    decides = branch.deciding[-1]
    if place.record is not None and decides.of_record:
        _of_quiet_record(branch, place.record.table, place, work)
    elif _logs(branch.arm, place):
        reason = "whether what it writes is a complaint can't be told"
        work.gap("unknown_shape", reason, decides.span, place)
    elif branch.test is not None:
        work.no_rule("it decides what else is run, and complains of nothing", decides.span, place)


def _of_quiet_record(branch: Branch, table: str, place: Place, work: Work) -> None:
    if _leaves_record(branch.arm):
        reason = f"records of {table} are passed over here"
        work.gap("rule_or_filter", reason, branch.arm.body[0].span, place)
    elif any(isinstance(node, Sql) and node.word == "UPDATE" for node in branch.arm.body):
        reason = "whether such a record is bad can't be told from what is done"
        work.gap("procedural", reason, branch.arm.body[0].span, place)
    else:
        work.quiet.append("it decides what else is run")


def _leaves_record(arm: Arm) -> bool:
    return bool(arm.body) and isinstance(arm.body[0], Skip) and arm.body[0].leaves == "row"


def _logs(arm: Arm, place: Place) -> bool:
    """Records of values alone, which could be a complaint; RETURN of a text."""
    for node in arm.body:
        tokens = place.code.tokens[node.span.first : node.span.last]
        words = [token.upper for token in tokens]
        if isinstance(node, Sql) and node.word == "INSERT" and "FROM" not in words:
            if any(_is_log(token.text) for token in tokens):
                return True
        elif isinstance(node, Skip) and node.leaves == "routine":
            return any(token.kind == "text" for token in tokens)
    return False


def _is_log(name: str) -> bool:
    return any(word in name.lower() for word in ("log", "audit", "result", "message", "check"))


def _inside(branch: Branch, place: Place) -> Place:
    """What holds within the branch."""
    place = replace(place, told=place.told or branch.done is not None)
    tests = branch.deciding
    if not all(test.is_known for test in tests):
        return replace(place, guard=place.guard or _guard(tests, place))
    if place.record is not None and any(test.of_record for test in tests):
        own = branch.test.tree if branch.test is not None else None
        guard = reached(own, [b.test for b in branch.before if b.test is not None])
        record = replace(place.record, guards=(*place.record.guards, guard))
        return replace(place, record=record)
    if branch.test is not None and not branch.before and holds(branch.test):
        return place
    return replace(place, guard=place.guard or _guard(tests, place))


def _guard(tests: Sequence[Test], place: Place) -> Guard:
    span = tests[-1].span
    text = " ".join(place.code.text[span.start : span.end].split())
    shown = text if len(text) <= 60 else text[:57] + "…"
    return Guard("procedural", f"it runs only in a branch of: {shown}")
