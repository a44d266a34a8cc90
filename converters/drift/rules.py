"""Rule by rule: each entry then beside the one now, and what the module has of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ruleferry.converters.account import Entry
from ruleferry.converters.drift.causes import Cause
from ruleferry.converters.drift.meaning import Tested, changes
from ruleferry.converters.drift.pairs import Pair, is_gap, is_rule
from ruleferry.converters.drift.sides import Sides
from ruleferry.converters.drift.telling import accepted, by_hand_alone, difference
from ruleferry.converters.drifted import LEVELS, Accepted, Change, Difference, Level, Side

Found: TypeAlias = Difference | Accepted
Key: TypeAlias = tuple[str, str]  # a module and the name of one of its rules
Parted: TypeAlias = tuple[Change, Level]


@dataclass(frozen=True, slots=True)
class Seen:
    """The rules that were looked at, so that each two are told of once.

    `agreeing`: those of the module that say the same as a rule of today.
    """

    pairs: set[tuple[Key | None, Key | None]] = field(default_factory=set)
    then: set[Key] = field(default_factory=set)
    now: set[Key] = field(default_factory=set)
    agreeing: set[Key] = field(default_factory=set)

    def first(self, then: Tested | None, now: Tested | None) -> bool:
        """Whether these two were not looked at yet. From now on they were."""
        keys = _key(then), _key(now)
        is_first = keys not in self.pairs
        self.pairs.add(keys)
        if keys[0]:
            self.then.add(keys[0])
        if keys[1]:
            self.now.add(keys[1])
        return is_first


def _key(rule: Tested | None) -> Key | None:
    return (rule.file, rule.rule.name) if rule else None


def of_rules(found: Sequence[Pair], of: Sides) -> Iterator[Found]:
    """What became of every rule. Those whose text changed go first: they are told as the cause."""
    seen = Seen()
    both = [pair for pair in found if is_rule(pair.then) and is_rule(pair.now)]
    for pair in sorted(both, key=lambda pair: not _text_changed(pair)):
        yield from _carried(pair, of, seen)
    for pair in found:
        if is_rule(pair.then) and not is_rule(pair.now):
            yield from _gone(pair, of, seen)
    alone = {(rule.file, rule.rule.name): rule for rule in of.alone}
    for pair in found:
        if not is_rule(pair.then):
            yield from _new(pair, of, seen, alone)
    for key, rule in alone.items():
        if key not in seen.then:
            seen.first(rule, None)
            yield by_hand_alone(rule, of)
    _check_all_seen(of, seen)


def _check_all_seen(of: Sides, seen: Seen) -> None:
    """A rule that was compared with nothing must not look as if it agreed."""
    there = {(c.file, rule.name) for c in of.committed.values() for rule in c.rules.rules}
    here = {(rule.file, rule.rule.name) for rule in of.tested_now.values()}
    left = sorted((there - seen.then) | (here - seen.now))
    assert not left, f"rules that were not compared: {left}"


def _text_changed(pair: Pair) -> bool:
    then, now = pair.then, pair.now
    return then is None or now is None or then.text_sha256 != now.text_sha256


# Rules then and now -------------------------------------------------------------------------------


def _carried(pair: Pair, of: Sides, seen: Seen) -> Iterator[Found]:
    then, now = of.rule_then(pair.then), of.rule_now(pair.now)
    assert now is not None, pair.now
    if not seen.first(then, now):
        return
    if then is None:
        side: Side = "both" if _text_changed(pair) and of.moved(pair) else "hand"
        yield difference("removed", "removed", Cause(side), pair, of, now=now)
        return
    found = changes(then, now, of.modules[now.file], pair.renamed)
    if found:
        yield from _parted(pair, of, then, now, found)
        return
    seen.agreeing.add((then.file, then.rule.name))
    yield from _called(pair, of, then, now)


def _parted(
    pair: Pair, of: Sides, then: Tested, now: Tested, found: Sequence[Parted]
) -> Iterator[Found]:
    assert pair.then is not None
    cause, module = of.causes.of_pair(pair), of.modules[now.file]
    moved = cause.side == "source" and _text_changed(pair) and of.moved(pair)
    reason = _marked(then)
    if reason and not moved:
        yield accepted(pair, of, then, now, reason)
    elif reason or of.by_hand(then, of.leader(pair.then), now):
        side: Side = "both" if moved else "hand"
        why = f"kept by hand ({reason}), while {cause.why}" if reason else ""
        worst = min((level for _, level in found), key=LEVELS.index)
        by_module = changes(now, then, module, _turned(pair.renamed))
        for change, level in by_module or found:
            at = min(level, worst, key=LEVELS.index) if moved else level
            yield difference(change, at, Cause(side, why), pair, of, then=then, now=now)
    else:
        for change, level in found:
            yield difference(change, level, cause, pair, of, then=then, now=now)


def _turned(renamed: Mapping[str, str]) -> dict[str, str]:
    return {now: then for then, now in renamed.items()}


def _marked(rule: Tested) -> str | None:
    marks = [rule.rule.manual, *(column.manual for column in rule.rests_on)]
    return next((mark for mark in marks if mark), None)


def _called(pair: Pair, of: Sides, then: Tested, now: Tested) -> Iterator[Found]:
    """A name is what the event log counts by. Of rules that merge, either may give it."""
    assert pair.then is not None
    assert pair.now is not None
    if then.rule.name == now.rule.name:
        return
    if then.rule.name != of.leader(pair.then).name:
        reason = _marked(then)
        if reason:
            yield accepted(pair, of, then, now, reason)
        else:
            yield difference("name_changed", "any", Cause("hand"), pair, of, then=then, now=now)
    elif not pair.then.merged_into and not pair.now.merged_into:
        cause = of.causes.of_pair(pair)
        yield difference("name_changed", "any", cause, pair, of, then=then, now=now)


def _gone(pair: Pair, of: Sides, seen: Seen) -> Iterator[Found]:
    """No rule any more. Where another source states the same, it is still checked."""
    then = of.rule_then(pair.then)
    if then is None or not seen.first(then, None):
        return  # it is gone from the module, too
    assert pair.then is not None
    cause = of.causes.of_pair(pair)
    change: Change = "gap_opened" if is_gap(pair.now) else "removed"
    reason = _marked(then)
    if (then.file, then.rule.name) in seen.agreeing:
        why = f"{cause.why}; other sources state the rule, so it stays"
        yield difference(change, "any", Cause(cause.side, why), pair, of, then=then)
    elif reason and cause.side != "source":
        yield accepted(pair, of, then, None, reason)
    else:
        by_hand = reason is not None or of.by_hand(then, of.leader(pair.then), None)
        side: Side = "both" if by_hand and cause.side == "source" else cause.side
        yield difference(change, "removed", Cause(side, cause.why), pair, of, then=then)


# What was no rule ---------------------------------------------------------------------------------


def _new(pair: Pair, of: Sides, seen: Seen, alone: Mapping[Key, Tested]) -> Iterator[Found]:
    cause = of.causes.of_pair(pair)
    before, after = is_gap(pair.then), is_gap(pair.now)
    now = of.rule_now(pair.now) if is_rule(pair.now) else None
    if now is not None:
        yield from _added(pair, of, seen, now, alone.get((now.file, now.rule.name)))
    elif before and after:
        if _gap_changed(pair):
            yield difference("gap_changed", "any", cause, pair, of)
    elif before or after:
        change: Change = "gap_closed" if before else "gap_opened"
        yield difference(change, "any", cause, pair, of)


def _added(pair: Pair, of: Sides, seen: Seen, now: Tested, there: Tested | None) -> Iterator[Found]:
    change: Change = "gap_closed" if is_gap(pair.then) else "added"
    cause = of.causes.of_pair(pair)
    if (now.file, now.rule.name) in seen.now:
        why = f"{cause.why}; it says the same as {now.rule.name}, which stands for it"
        yield difference(change, "any", Cause(cause.side, why), pair, of)
    elif there is None:
        seen.first(None, now)
        yield difference(change, "any", cause, pair, of, now=now)
    else:  # a person wrote it into the module, too
        seen.first(there, now)
        for found, level in changes(now, there, of.modules[now.file]):
            reason = _marked(there)
            if reason:
                yield accepted(pair, of, there, now, reason)
                return
            yield difference(found, level, Cause("both", cause.why), pair, of, then=there, now=now)


def _gap_changed(pair: Pair) -> bool:
    then, now = pair.then, pair.now
    assert then is not None
    assert now is not None
    return _asked(then) != _asked(now)


def _asked(entry: Entry) -> tuple[object, ...]:
    """However it is spaced."""
    text = " ".join(entry.origin.text.split())
    return text, entry.gap and entry.gap.code, entry.columns
