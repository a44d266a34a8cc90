"""The statements of code one after the other -> what each of them checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.sql.code import binding
from ruleferry.converters.readers.sql.code.dynamic import constant_text, rules_of, words_of
from ruleferry.converters.readers.sql.code.effects import exceptions_of, is_complaint, outcome
from ruleferry.converters.readers.sql.code.ifs import read_if
from ruleferry.converters.readers.sql.code.loops import Rounds, rounds_of
from ruleferry.converters.readers.sql.code.nodes import (
    Arm,
    Assertion,
    Assign,
    Block,
    Declare,
    Dynamic,
    Fetch,
    If,
    Loop,
    Node,
    Other,
    Raise,
    Routine,
    Skip,
    Sql,
    Trigger,
)
from ruleferry.converters.readers.sql.code.passing import beyond
from ruleferry.converters.readers.sql.code.place import Guard, Place, Work
from ruleferry.converters.readers.sql.code.statements import (
    counts_records,
    read_assertion,
    read_pending,
    read_sql,
    read_text,
)
from ruleferry.converters.readers.sql.code.triggers import (
    is_trigger_function,
    within_function,
    within_trigger,
)
from ruleferry.converters.readers.sql.code.values import (
    CURRENT,
    Value,
    Values,
    assigned,
    changed,
    everything,
    mentioned,
)
from ruleferry.converters.readers.sql.code.verdicts import rows_of
from ruleferry.converters.rule import NotARule


def walk(nodes: Sequence[Node], values: Values, place: Place, work: Work) -> None:
    for position, node in enumerate(nodes):
        here = replace(place, around=place.around.after(nodes, position))
        rest = beyond(node, values, place)
        _step(node, values, here, work)
        place = rest


def _step(node: Node, values: Values, place: Place, work: Work) -> None:
    match node:
        case Declare():
            _declare(node, values, place, work)
        case Assign():
            _assign(node, values, place, work)
        case Sql():
            _sql(node, values, place, work)
        case Fetch():
            _fetch(node, values, place)
        case If():
            read_if(node, values, place, work, walk)
        case Loop():
            _loop(node, values, place, work)
        case Block():
            _block(node, values, place, work)
        case Dynamic():
            _dynamic(node, values, place, work)
        case Assertion():
            read_assertion(node, values, place, work)
        case Raise():
            work.quiet.append("it hands an error on" if node.again else "it shows a message")
        case Skip() if node.alone:
            _called(node, values, place, work)
            work.no_rule(node.what, node.span, place)
        case Skip():
            work.quiet.append(node.what)
        case Other():
            binding.forget(mentioned(node.span, place.code), "is in what can't be read", values)
            work.gap("not_readable", node.why, node.span, place)
        case Routine():
            _routine(node, values, place, work)
        case Trigger():
            _trigger(node, values, place, work)


def _called(node: Skip, values: Values, place: Place, work: Work) -> None:
    """What is run may set the variables that it is given, and those of the routine around it."""
    names = mentioned(node.span, place.code) | work.set_within
    binding.forget(names, "may be set by what is run", values)


def _declare(node: Declare, values: Values, place: Place, work: Work) -> None:
    work.quiet.append("it declares variables")
    if node.sort == "cursor" and node.value is not None:
        work.cursors[node.names[0]] = node.value
    binding.declare(node, place.code, values, lambda name: _given(name, place))


def _given(name: str, place: Place) -> Value | None:
    """The value that the configuration has for a parameter."""
    text = place.code.prepare(name if name.startswith("@") else f":{name}")
    if text.macros or text.text.strip().lower() in (name, f":{name}"):
        return None
    try:
        tree, _ = place.code.parsed(text.text, {}, expression=True)
    except Unreadable:
        return None
    return Value(tree, parameter=True)


def _assign(node: Assign, values: Values, place: Place, work: Work) -> None:
    if node.told.startswith("it runs"):
        work.no_rule(node.told, node.span, place)
    else:
        work.quiet.append("it sets variables")
    binding.assign(node, place.code, values)
    _changed(node.variables, place, work)


def _changed(names: Sequence[str], place: Place, work: Work) -> None:
    """A column of the record at hand has another value from here on."""
    for name in names:
        head, _, column = name.rpartition(".")
        if head in place.code.records:
            work.changed.add(column)


def _sql(node: Sql, values: Values, place: Place, work: Work) -> None:
    if node.into and node.word in ("SELECT", "WITH"):
        tree = binding.select(node, place.code, values)
        _changed(node.into, place, work)
        if tree is None:
            work.gap(
                "not_readable", "the query that sets variables can't be read", node.span, place
            )
        elif counts_records(tree):
            work.pending[node.span.start] = (tree, node)
        else:
            work.quiet.append("it sets variables")
    else:
        tree = read_sql(node, values, place, work)
        if node.into:
            binding.forget(node.into, "holds what a statement gives back", values)
    binding.found_after(tree, node, place.code, values)


def _fetch(node: Fetch, values: Values, place: Place) -> None:
    """In a loop over its cursor the variables are columns of the record at hand, and stay so."""
    for name in node.into:
        tree = values[name].tree if name in values else None
        of_record = isinstance(tree, exp.Column) and tree.table.lower() == CURRENT
        if place.record is None or not of_record:
            values[name] = Value(why="holds a value of some record")


def _block(node: Block, values: Values, place: Place, work: Work) -> None:
    walk(node.body, values, replace(place, around=place.around.within(node.handlers)), work)
    for handler in node.handlers:
        names = changed(handler.body, place.code)
        binding.forget(names, "is also set where an error is handled", values)
        for inner in everything(handler.body):
            if isinstance(inner, Sql) and not inner.into:
                read_sql(inner, dict(values), place, work)
            elif isinstance(inner, Skip) and inner.alone:
                work.no_rule(inner.what, inner.span, place)
            elif isinstance(inner, Other):
                work.gap("not_readable", inner.why, inner.span, place)
        work.quiet.append("it handles errors")


def _dynamic(node: Dynamic, values: Values, place: Place, work: Work) -> None:
    text = constant_text(node, place.code, values)
    binding.forget(mentioned(node.span, place.code), "may be set by what is run", values)
    if not place.runs_texts:
        return
    if text is not None:
        read_text(text, node, place, work)
        return
    work.gap("dynamic_sql", "it puts the statement together when it runs", node.span, place)


# Loops --------------------------------------------------------------------------------------------


def _loop(node: Loop, values: Values, place: Place, work: Work) -> None:
    rounds = rounds_of(node, place.code, values, work.cursors)
    known = len(work.founds)
    inner = _in_round(rounds, place)
    if _runs_rules(node, rounds, place, work, values):
        inner = replace(inner, runs_texts=False)
    elif _complains_of_all(node, rounds, inner, place, work):
        inner = replace(inner, record=None, guard=Guard("procedural", "it runs in a loop"))
    walk(node.body, dict(rounds.values), inner, work)
    work.changed.clear()
    if all(isinstance(found.checked.check, NotARule) for found in work.founds[known:]):
        work.gap("procedural", _of_rounds(rounds), node.span, place)
    binding.forget(changed(node.body, place.code), "changes in a loop", values)


def _in_round(rounds: Rounds, place: Place) -> Place:
    guard = place.guard
    if rounds.record is None:
        guard = guard or Guard("procedural", rounds.why)
    return replace(place, code=rounds.code, record=rounds.record, guard=guard)


def _of_rounds(rounds: Rounds) -> str:
    if rounds.record is None:
        return f"{rounds.why}: what it checks in it can't be told"
    return f"it goes through the records of {rounds.table} one by one: what it checks can't be told"


def _runs_rules(node: Loop, rounds: Rounds, place: Place, work: Work, values: Values) -> bool:
    """A loop over a table of rules that runs what is put together of them."""
    texts = [n for n in everything(node.body) if isinstance(n, Dynamic)]
    if not any(constant_text(text, place.code, {}) is None for text in texts):
        return False
    if rounds.query is None or not rounds.told & words_of(node.body, place.code.tokens):
        return False
    reason = rules_of(rounds.query, rounds.table)
    if reason is None:
        work.gap("dynamic_sql", "it puts statements together for many tables", node.span, place)
    else:
        work.gap("rules_in_table", reason, node.span, place)
    return True


def _complains_of_all(node: Loop, rounds: Rounds, inner: Place, place: Place, work: Work) -> bool:
    """FOR r IN (SELECT … bad) LOOP RAISE …: every record of the query is bad."""
    if rounds.query is None or place.guard is not None or place.record is not None:
        return False
    done = outcome(node.body, inner.around, place.code.tokens)
    if done is None or done.collected or not is_complaint(done):
        return False
    work.rule(rows_of(rounds.query, place.code.here), node.span, place, done)
    return True


# Routines and triggers ----------------------------------------------------------------------------


def _routine(node: Routine, values: Values, place: Place, work: Work) -> None:
    around = replace(
        place.around,
        exceptions={**place.around.exceptions, **exceptions_of(node.body, place.code.tokens)},
        handlers=(), later=(),
    )  # fmt: skip
    inner = replace(place, around=around, name=node.name.rpartition(".")[2], guard=None)
    if is_trigger_function(node, place):
        inner = within_function(node.name, inner, work)
    own = dict(values)
    if place.name:
        binding.forget(work.set_within, "is also set elsewhere", own)
    work.set_within |= _set_within(node)
    walk(node.body, own, inner, work)
    read_pending(inner, work)


def _set_within(node: Routine) -> set[str]:
    """What the routines within set of the variables around them."""
    inner = [n for n in node.body if isinstance(n, Routine)]
    return {
        name
        for routine in inner
        for name in assigned([n for n in everything(routine.body) if _sets(n)])
    }


def _sets(node: Node) -> bool:
    return isinstance(node, Assign | Sql | Fetch)


def _trigger(node: Trigger, values: Values, place: Place, work: Work) -> None:
    inner = within_trigger(node, replace(place, name=node.name.rpartition(".")[2]), work)
    if inner is not None:
        body = node.body
        if node.when is not None:
            body = (If(node.span, (Arm(node.when, node.body),)),)
        walk(body, values, inner, work)
        read_pending(inner, work)
