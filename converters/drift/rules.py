"""Rule by rule: each entry then beside the one now, and what the module has of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ruleferry.converters.account import Entry
from ruleferry.converters.drift.causes import Cause
from ruleferry.converters.drift.meaning import (
    ASPECTS,
    Aspect,
    Parted,
    Tested,
    aspect_of,
    aspects_of,
    changes,
)
from ruleferry.converters.drift.met import Key, Met, Seen, agreeing, key_of, met_now, standing
from ruleferry.converters.drift.pairs import Pair, is_gap, is_rule
from ruleferry.converters.drift.sides import Sides
from ruleferry.converters.drift.telling import accepted, by_hand_alone, difference
from ruleferry.converters.drifted import LEVELS, Accepted, Change, Difference, Level
from ruleferry.converters.reports.text import listed

Found: TypeAlias = Difference | Accepted


def of_rules(found: Sequence[Pair], of: Sides) -> Iterator[Found]:
    """What became of every rule. Those whose text changed go first: they are told as the cause."""
    both = [pair for pair in found if is_rule(pair.then) and is_rule(pair.now)]
    met = [met_now(pair, of) for pair in sorted(both, key=lambda pair: not _text_changed(pair))]
    seen = Seen(standing=standing(met), agreeing=agreeing(met))
    for one in met:
        yield from _carried(one, of, seen)
    for pair in found:
        if is_rule(pair.then) and not is_rule(pair.now):
            yield from _gone(pair, of, seen)
    alone = {key_of(rule): rule for rule in of.alone}
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
    here = {key_of(rule) for rule in of.tested_now.values()}
    left = sorted((there - seen.then) | (here - seen.now))
    assert not left, f"rules that were not compared: {left}"


def _text_changed(pair: Pair) -> bool:
    then, now = pair.then, pair.now
    return then is None or now is None or then.text_sha256 != now.text_sha256


# Rules then and now -------------------------------------------------------------------------------


def _carried(met: Met, of: Sides, seen: Seen) -> Iterator[Found]:
    pair, then, now = met.pair, met.then, met.now
    if not seen.first(then, now):
        return
    if then is None:
        moved = _text_changed(pair) and of.moved(pair)
        cause = _in_both(of.causes.of_pair(pair)) if moved else Cause("hand")
        yield difference("removed", "removed", cause, pair, of, now=now)
    elif met.found:
        yield from _parted(met, of, then, seen)
    else:
        yield from _called(pair, of, then, now)


def _in_both(cause: Cause) -> Cause:
    return Cause("both", f"{cause.why}, and the module was edited")


def _parted(met: Met, of: Sides, then: Tested, seen: Seen) -> Iterator[Found]:
    """Each of condition and action has its own cause: one person may have changed the one alone."""
    pair, now = met.pair, met.now
    assert pair.then is not None
    cause, reason = of.causes.of_pair(pair), _marked(then)
    asked = cause.side == "source" and _text_changed(pair)
    moved: Collection[Aspect] = of.moved(pair) if asked else ()
    edited = ASPECTS if reason else of.by_hand(then, of.leader(pair.then), now)
    if reason and not moved:
        yield accepted(pair, of, then, now, reason)
    elif (stays := seen.stays(then)) and "condition" in aspects_of(met.found) - edited:
        cause = Cause(cause.side, f"{cause.why}; {stays}")
        same = seen.agreeing.get(key_of(now))
        yield difference(
            "added", "any", _also(cause, now) if same else cause, pair, of, then=same, now=now
        )
    else:
        for aspect in sorted(aspects_of(met.found) - edited):
            for change, level in _of_aspect(aspect, met.found):
                why = _unheard(cause, then, of) if aspect == "action" else cause
                yield difference(change, level, why, pair, of, then=then, now=now)
        yield from _edited(met, of, then, edited, moved)


def _unheard(cause: Cause, then: Tested, of: Sides) -> Cause:
    """An action was given to the rule by a name that no rule has any more."""
    heard = [key for key in of.idle if then.rule.name in (key, key.rpartition(".")[2])]
    told = f"[actions.rules] speaks of {listed(heard)}, the name of no rule, or of several, now"
    return Cause(cause.side, f"{cause.why}; {told}") if heard else cause


def _edited(
    met: Met, of: Sides, then: Tested, edited: Collection[Aspect], moved: Collection[Aspect]
) -> Iterator[Found]:
    """The module beside the sources. Where both moved, either may win: the worse level counts."""
    pair, now, reason = met.pair, met.now, _marked(then)
    by_module = changes(now, then, of.modules[now.file], _turned(pair.renamed))
    for aspect in sorted(aspects_of(met.found) & set(edited)):
        ours = _of_aspect(aspect, met.found)
        theirs = _of_aspect(aspect, by_module) or ours
        if aspect not in moved:
            if reason:
                yield accepted(pair, of, then, now, reason)
                continue
            for change, level in theirs:
                yield difference(change, level, Cause("hand"), pair, of, then=then, now=now)
            continue
        cause = _in_conflict(of.causes.of_pair(pair), reason)
        worst = min((level for _, level in ours), key=LEVELS.index)
        for change, level in theirs:
            at = min(level, worst, key=LEVELS.index)
            told = cause if at == level else _worse(cause, at)
            yield difference(change, at, told, pair, of, then=then, now=now)


def _worse(cause: Cause, level: Level) -> Cause:
    return replace(cause, why=f"{cause.why}; it counts as {level}, as either of them may win")


def _in_conflict(cause: Cause, reason: str | None) -> Cause:
    kept = Cause("both", f"kept by hand ({reason}), while {cause.why}", marked=True)
    return kept if reason else _in_both(cause)


def _of_aspect(aspect: Aspect, found: Sequence[Parted]) -> list[Parted]:
    return [(change, level) for change, level in found if aspect_of(change) == aspect]


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
    cause = of.causes.of_pair(pair)
    named = f"{now.rule.name} in the sources, {then.rule.name} in the module"
    if then.rule.name != of.leader(pair.then).name:
        reason = _marked(then)
        if reason:
            yield accepted(pair, of, then, now, reason)
        else:
            by_hand = Cause("hand", named)
            yield difference("name_changed", "any", by_hand, pair, of, then=then, now=now)
    elif not pair.then.merged_into and not pair.now.merged_into:
        cause = Cause(cause.side, f"{named}; {cause.why}")
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
    if stays := seen.stays(then):
        why = Cause(cause.side, f"{cause.why}; {stays}", stays=True)
        yield difference(change, "any", why, pair, of, then=then)
    elif reason and cause.side != "source":
        yield accepted(pair, of, then, None, reason)
    elif cause.side == "source" and (reason or of.by_hand(then, of.leader(pair.then), None)):
        yield difference(change, "removed", _in_conflict(cause, reason), pair, of, then=then)
    else:
        yield difference(change, "removed", cause, pair, of, then=then)


# What was no rule ---------------------------------------------------------------------------------


def _new(pair: Pair, of: Sides, seen: Seen, alone: Mapping[Key, Tested]) -> Iterator[Found]:
    cause = of.causes.of_pair(pair)
    before, after = is_gap(pair.then), is_gap(pair.now)
    now = of.rule_now(pair.now) if is_rule(pair.now) else None
    if now is not None:
        yield from _added(pair, of, seen, now, alone.get(key_of(now)))
    elif before and after:
        if _gap_changed(pair):
            yield difference("gap_changed", "any", cause, pair, of)
    elif before or after:
        change: Change = "gap_closed" if before else "gap_opened"
        yield difference(change, "any", cause, pair, of)


def _added(pair: Pair, of: Sides, seen: Seen, now: Tested, there: Tested | None) -> Iterator[Found]:
    change: Change = "gap_closed" if is_gap(pair.then) else "added"
    cause = of.causes.of_pair(pair)
    known = key_of(now) in seen.now
    if known or there is None:
        seen.first(None, now)
        same = seen.agreeing.get(key_of(now))
        cause = _also(cause, now) if known else cause
        yield difference(change, "any", cause, pair, of, then=same, now=now)
    else:  # a person wrote it into the module, too
        seen.first(there, now)
        for found, level in changes(now, there, of.modules[now.file]):
            reason = _marked(there)
            if reason:
                yield accepted(pair, of, there, now, reason)
                return
            yield difference(found, level, _in_both(cause), pair, of, then=there, now=now)


def _also(cause: Cause, now: Tested) -> Cause:
    """Another source states it, too."""
    told = f"it says the same as {now.rule.name}, which stands for it"
    return Cause(cause.side, f"{cause.why}; {told}")


def _gap_changed(pair: Pair) -> bool:
    then, now = pair.then, pair.now
    assert then is not None
    assert now is not None
    return _asked(then) != _asked(now)


def _asked(entry: Entry) -> tuple[object, ...]:
    """However it is spaced."""
    text = " ".join(entry.origin.text.split())
    return text, entry.gap and entry.gap.code, entry.columns
