"""Records that are passed over: what comes after CONTINUE or RETURN holds for the others alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.readers.sql.code.branches import flattened
from ruleferry.converters.readers.sql.code.conditions import Test, test_of
from ruleferry.converters.readers.sql.code.nodes import Arm, Block, If, Loop, Node, Skip
from ruleferry.converters.readers.sql.code.place import Guard, Place
from ruleferry.converters.readers.sql.code.rows import not_true, reached
from ruleferry.converters.readers.sql.code.values import Values, everything

_PASSED = Guard("procedural", "some records are passed over before it")


def beyond(node: Node, values: Values, place: Place) -> Place:
    """Where the statements after this one stand."""
    if place.record is None or place.guard is not None:
        return place
    match node:
        case If():
            return _beyond_if(node, values, place)
        case Skip() if node.leaves and _is_conditional(node, place):
            return replace(place, guard=_PASSED)
        case Block() if _leaves(node.body):
            return replace(place, guard=_PASSED)
    return place


def _beyond_if(node: If, values: Values, place: Place) -> Place:
    """Behind IF c THEN CONTINUE; END IF are the records of which c is not true."""
    before: list[Test] = []
    for arm in flattened(node):
        test = None if arm.condition is None else test_of(arm.condition, node, values, place)
        tests = [*before] if test is None else [*before, test]
        if _leaves(arm.body) and any(each.of_record for each in tests):
            place = _without(arm, test, before, place)
        before = tests
    return place


def _without(arm: Arm, test: Test | None, before: Sequence[Test], place: Place) -> Place:
    tests = [*before] if test is None else [*before, test]
    sure = all(each.is_known and each.of_record for each in tests)
    if (
        place.record is None
        or not sure
        or not any(isinstance(n, Skip) and n.leaves for n in arm.body)
    ):
        return replace(place, guard=place.guard or _PASSED)
    passed = reached(None if test is None else test.tree, before)
    guard = not_true(passed, exp.true())
    return replace(place, record=replace(place.record, guards=(*place.record.guards, guard)))


def _leaves(body: Sequence[Node]) -> bool:
    """The loop, its round, or the routine; not merely a loop within."""
    for node in body:
        if isinstance(node, Loop):
            inner = [n for n in everything(node.body) if isinstance(n, Skip)]
            if any(n.leaves == "routine" for n in inner):
                return True
        elif any(isinstance(n, Skip) and n.leaves for n in everything([node])):
            return True
    return False


def _is_conditional(node: Skip, place: Place) -> bool:
    """CONTINUE WHEN …, EXIT WHEN …"""
    tokens = place.code.tokens[node.span.first : node.span.last]
    return any(token.upper == "WHEN" for token in tokens)
