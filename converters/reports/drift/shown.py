"""What every format shows of a comparison: one order, one verdict, the same sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ruleferry.converters.drifted import (
    CHANGES,
    LEVELS,
    SIDES,
    Accepted,
    At,
    Difference,
    Drift,
    Level,
    Said,
    drifted,
    reaches,
)
from ruleferry.converters.reports.drift.parting import parting, shortened
from ruleferry.converters.reports.drift.plain import plain, short, unarmed
from ruleferry.converters.reports.drift.words import CHANGES as CHANGE_WORDS
from ruleferry.converters.reports.drift.words import EVERYTHING
from ruleferry.converters.reports.drift.words import SIDES as SIDE_WORDS
from ruleferry.converters.reports.text import count, listed, natural

# What a program that shows messages makes of one.
Severity: TypeAlias = Literal["error", "warning", "note"]
_NAMED = 10
_WHOLE = 1 << 62
_RULELESS = ("edited_outside", "table_changed")
_BESIDE = ("added", "removed", "gap_opened", "gap_closed", "answer_stale")


# Order and verdict --------------------------------------------------------------------------------


def ordered(drift: Drift) -> list[Difference]:
    """The most severe first, then by table and name."""
    return sorted(drift.differences, key=_rank)


def ordered_accepted(drift: Drift) -> list[Accepted]:
    return sorted(
        drift.accepted,
        key=lambda a: (a.table, a.rule, a.how, _at(a.source), _at(a.module), a.reason, a.id or ""),
    )


def _rank(one: Difference) -> tuple[object, ...]:
    return (
        *(LEVELS.index(one.level), one.table, one.rule),
        *(CHANGES.index(one.change), SIDES.index(one.side)),
        *(_at(one.source), _at(one.module), one.id or "", one.detail, one.todo),
        *map(_said, (one.source_says, one.module_says, one.last_said)),
    )


def _at(at: At | None) -> tuple[object, ...]:
    return (natural(at.file), at.line or 0, natural(at.place)) if at else ()


def _said(said: Said | None) -> tuple[str, ...]:
    return (said.condition or "", said.action or "", said.note) if said else ()


def severity(one: Difference, fail_on: Level) -> Severity:
    """An error counts against `--fail-on`; of the others those of the lowest level are notes."""
    if reaches(one.level, fail_on):
        return "error"
    return "note" if one.level == "any" else "warning"


def nothing_compared(drift: Drift) -> bool:
    """Neither rules nor differences: that is no sign that anything agrees."""
    return not drift.differences and not drift.sources and not any(drift.rules.values())


def in_sync(drift: Drift) -> bool:
    return not drift.differences and not nothing_compared(drift)


def counted(drift: Drift, fail_on: Level) -> int:
    return sum(reaches(one.level, fail_on) for one in drift.differences)


def headline(drift: Drift, fail_on: Level) -> str:
    """The verdict in one sentence."""
    found = len(drift.differences)
    if nothing_compared(drift):
        return "Nothing was compared: no module has a rule, and no source states one."
    if not found:
        but = f"; accepted: {accepted_count(drift)}" if drift.accepted else ""
        return f"In sync: {agreement(drift)}{but}."
    of_these = counted(drift, fail_on)
    if not drifted(drift, fail_on):
        return f"{count(found, 'difference')}, none of which counts (--fail-on {fail_on})."
    which = (
        "which" if found == 1 else "all of which" if of_these == found else f"{of_these:,} of which"
    )
    verb = "counts" if of_these == 1 else "count"
    return f"Drift: {count(found, 'difference')}, {which} {verb} (--fail-on {fail_on})."


def agreement(drift: Drift) -> str:
    """How many rules of the modules agree with the sources, of which several may say the same."""
    same, compared = sum(agreed(drift).values()), sum(drift.rules.values())
    whole = same == compared and not drift.differences
    rules = count(same, "rule") if whole else f"{same:,} of {count(compared, 'rule')}"
    verb = "agrees" if same == 1 else "agree"
    modules = count(len(drift.rules), "module")
    return f"{rules} of {modules} {verb} with the sources ({count(drift.sources, 'statement')})"


def accepted_count(drift: Drift) -> str:
    """What a person stands for. A rule that is as a person decided agrees."""
    decided = sum(one.how == "decision" for one in drift.accepted)
    marked = len(drift.accepted) - decided
    marks = [f"{count(marked, 'mark')} by hand"] if marked else []
    return listed([*marks, *([count(decided, "decision")] if decided else [])])


def accepted_words(drift: Drift) -> str:
    """A heading of what a person stands for."""
    return f"Accepted, and no failure: {accepted_count(drift)}"


def accepted_how(one: Accepted) -> str:
    """By what a person stands for it, and why."""
    mark = "# manual:" if one.how == "manual" else "by a decision:"
    return f"{mark} {plain(one.reason) or '(no reason)'}"


def written(files: Sequence[str]) -> str:
    """What `--write` did; of many files the first are named."""
    if not files:
        return "Nothing had to be written anew."
    named = [short(file, 200) for file in sorted(files)[:_NAMED]]
    more = [f"{len(files) - _NAMED:,} more"] if len(files) > _NAMED else []
    return f"Written anew: {listed([*named, *more])}"


def agreed(drift: Drift) -> Mapping[str, int]:
    """Module -> how many of its rules neither differ nor are marked as a person's."""
    parted: dict[str, set[tuple[str, str]]] = {}
    every: list[Difference | Accepted] = [one for one in drift.accepted if one.how == "manual"]
    every += [one for one in drift.differences if _parts_the_rule(one)]
    for one in every:
        if one.module and one.rule:
            parted.setdefault(one.module.file, set()).add((one.table, one.rule))
    return {
        file: max(0, rules - len(parted.get(file, ())))
        for file, rules in sorted(drift.rules.items())
    }


def _parts_the_rule(one: Difference) -> bool:
    """A statement that came or went beside others that say the same leaves the rule as it is."""
    beside = one.level == "any" and one.change in _BESIDE and one.side != "hand"
    return one.change not in _RULELESS and not beside


def tally(found: Sequence[Difference], fail_on: Level) -> list[tuple[Difference, int, int]]:
    """One of each change at each level, how many there are, and how many count; in this order."""
    kinds: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], Difference] = {}
    for one in found:
        kinds[one.change, one.level] += 1
        first.setdefault((one.change, one.level), one)
    return [
        (first[kind], kinds[kind], kinds[kind] if reaches(first[kind].level, fail_on) else 0)
        for kind in first
    ]


# One difference -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stand:
    """What one of the three says: where, what becomes of a bad record, the condition, what else.

    All of it is fit to be printed. `condition` and `place` are empty where there is none.
    """

    who: Literal["sources", "module", "last conversion"]
    place: str
    action: str
    condition: str
    note: str


def where(at: At | None) -> str:
    """`dictionary.xlsx Fields!F12`, `expectations/orders_expectations.py:88`."""
    if at is None:
        return ""
    if at.line is not None:
        return f"{short(at.file, 200)}:{at.line}"
    return " ".join(filter(None, (short(at.file, 200), short(at.place, 200))))


def name(one: Difference | Accepted) -> str:
    """`table.rule`, as `ruleferry explain` takes it."""
    shown = (short(part) for part in (one.table, one.rule) if part)
    return unarmed(".".join(shown)) or "(no name)"


def heading(one: Difference) -> str:
    """The rule in words, where there are any beside its name."""
    return "" if one.title == one.rule else plain(one.title, 200)


def title(one: Difference) -> str:
    words = heading(one)
    return f"{name(one)} ({words})" if words else name(one)


def what_happened(one: Difference) -> str:
    return plain(one.detail)


def way_out(one: Difference) -> str:
    return plain(one.todo)


def side(one: Difference) -> str:
    return SIDE_WORDS[one.side]


def stands(one: Difference | Accepted, room: int | None = None) -> tuple[Stand, ...]:
    """What the sources and the module say, and the last conversion where both were changed.

    Of conditions and notes longer than `room` the parts in which they differ.
    """
    ours, theirs = one.source_says, one.module_says
    sources = _stand("sources", one.source, ours, theirs, room)
    module = _stand("module", one.module, theirs, ours, room)
    if isinstance(one, Accepted):
        return sources, module
    of_module = one.change == "edited_outside" or not one.rule
    if of_module and one.source is None and ours is None:
        return (module,)  # nobody states what stands there
    if one.change == "removed" and ours is theirs is None and one.source:
        sources = replace(sources, note=_GONE["sources"])
    if one.side != "both" or one.last_said is None:
        return sources, module
    return sources, module, _last(one, one.last_said, ours or theirs, room)


def parts(one: Difference | Accepted) -> str:
    """Where the two part, if that is more than a look at both would tell."""
    ours, theirs = one.source_says or Said(), one.module_says or Said()
    if ours.condition != theirs.condition:
        return parting(ours.condition or "", theirs.condition or "")
    return parting(ours.note, theirs.note)


def mark(one: Difference, fail_on: Level) -> str:
    """What is beside a difference that is no failure."""
    return "" if reaches(one.level, fail_on) else f"a note: below --fail-on {fail_on}"


def sentences(one: Difference, fail_on: Level, room: int | None = None) -> Iterator[str]:
    """The whole message, sentence by sentence."""
    beside = mark(one, fail_on)
    yield f"{title(one)}: {CHANGE_WORDS[one.change].name}{beside and f' ({beside})'}"
    yield f"{side(one)}: {what_happened(one)}"
    for stand in stands(one, room):
        yield f"{stand.who}: {stand_text(stand)}"
    if told := parts(one):
        yield f"they part: {told}"
    yield f"to do: {way_out(one)}"


def message(one: Difference, fail_on: Level, joint: str, most: int) -> str:
    """The same in at most so many characters: conditions are cut first, and it is said."""
    for room in (most // 8, most // 32):
        text = unarmed(joint.join(sentences(one, fail_on, room)))
        if len(text) <= most:
            return text
    end = f"… ({EVERYTHING})"
    return f"{text[: most - len(end)]}{end}"


def stand_text(stand: Stand) -> str:
    """All of it in a line."""
    action = f"[{stand.action}]" if stand.action else ""
    return " ".join(filter(None, (stand.place, action, stand.condition, stand.note)))


def log(drift: Drift, fail_on: Level) -> Iterator[str]:
    """What stands in a log beside the differences: the verdict is its last line."""
    for one in ordered_accepted(drift):
        places = " and ".join(filter(None, map(where, (one.source, one.module))))
        yield f"accepted: {name(one)}: {accepted_how(one)}{f' (in {places})' if places else ''}"
    if drift.differences:
        yield f"Compared: {agreement(drift)}."
    for notice in dict.fromkeys(drift.notices):
        yield f"Note: {plain(notice)}"
    if drift.written is not None:
        yield written(drift.written)
    yield headline(drift, fail_on)


_Who: TypeAlias = Literal["sources", "module"]
_ABSENT: Mapping[_Who, str] = {"sources": "stated nowhere", "module": "not in it"}
# It stood at that place, and the other one still says it.
_GONE: Mapping[_Who, str] = {"sources": "stated there no more", "module": "there no more"}


def _stand(
    who: _Who, at: At | None, said: Said | None, other: Said | None, room: int | None
) -> Stand:
    if said is not None:
        return Stand(who, where(at), *_says(said, other, room))
    if at is None:
        return Stand(who, "", "", "", _ABSENT[who])
    return Stand(who, where(at), "", "", _GONE[who] if other is not None else "")


def _says(said: Said, other: Said | None, room: int | None) -> tuple[str, str, str]:
    """The action, the condition and the note."""
    most = _WHOLE if room is None else room
    beside = other or said
    condition = shortened(said.condition or "", beside.condition or "", most)
    note = shortened(said.note, beside.note, most)
    return said.action or "", condition, note and f"({note})"


def _last(one: Difference, said: Said, other: Said | None, room: int | None) -> Stand:
    if said == one.source_says:
        return Stand("last conversion", "", "", "", "as the sources say now")
    if said == one.module_says:
        return Stand("last conversion", "", "", "", "as the module says now")
    return Stand("last conversion", "", *_says(said, other, room))
