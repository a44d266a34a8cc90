"""What a person is asked: one question about one entry or many, from the topics of `mappings/`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ruleferry.converters.account import About, Answered, Entry, Proposal, Question
from ruleferry.converters.asked_again import answers, as_asked, asked, in_conflict, with_answers
from ruleferry.converters.conflict_questions import conflict_question
from ruleferry.converters.mappings import Topic, caveats, gaps
from ruleferry.converters.meaning_words import meaning_words
from ruleferry.converters.naming import sha256
from ruleferry.converters.opposed_cells import of_both, paired
from ruleferry.converters.rule import Action
from ruleferry.converters.standing import NOTHING_DECIDED, Standing, Unsettled

# What is lost stands before what is uncertain, and that before what is only undecided.
_LAST = ("table_not_stated", "action_undecided")
# Signs of a source's text that a question repeats.
_LONGEST = 120

_Given: TypeAlias = tuple[Answered, ...]


def ask(
    entries: Sequence[Entry],
    conflicts: Iterable[tuple[str, Sequence[Entry]]],
    standings: Mapping[str, Standing] | None = None,
    *,
    stated: Mapping[str, Action] | None = None,
) -> tuple[Question, ...]:
    """All questions of a conversion. `conflicts`: a code and the entries that it joins.

    `standings`: rule id -> what was decided about it, and which answers settle nothing.
    `stated`: rule id -> the action that its source states, where those of one rule differ.
    """
    conflicts, standings = list(conflicts), standings or {}
    found = [
        with_answers(_question(_topic(code), key, about), unsettled)
        for code, key, about, unsettled in _grouped(entries, conflicts, standings)
    ]
    merged = _merged(entries)
    for code, joined in conflicts:
        question = conflict_question(code, joined, merged, stated or {})
        found.append(with_answers(question, in_conflict(code, joined, standings)))
    return tuple(sorted(found, key=_place))


def _grouped(
    entries: Sequence[Entry],
    conflicts: Sequence[tuple[str, Sequence[Entry]]],
    standings: Mapping[str, Standing],
) -> Iterator[tuple[str, str, Sequence[Entry], tuple[Unsettled, ...]]]:
    """Rules with other answers to one question are asked about apart."""
    opposed: defaultdict[str, set[str]] = defaultdict(set)
    for code, joined in conflicts:
        for entry in joined:
            opposed[entry.id].add(code)
    groups: defaultdict[tuple[str, str], dict[_Given, list[Entry]]] = defaultdict(dict)
    beside: dict[_Given, tuple[Unsettled, ...]] = {(): ()}
    seen_as = {e.id: as_asked(e, standings.get(e.id, NOTHING_DECIDED)) for e in entries}
    pairs = paired(seen_as.values())
    for entry in entries:
        standing, seen = standings.get(entry.id, NOTHING_DECIDED), seen_as[entry.id]
        for topic, unsettled in asked(seen, [*_topics(seen)], standing, opposed.get(entry.id, ())):
            given = answers(unsettled)
            beside.setdefault(given, unsettled)
            key = pairs.get(entry.id) if topic.code == "contradiction" else None
            groups[topic.code, key or _group(topic, seen)].setdefault(given, []).append(seen)
    for (code, key), parts in groups.items():
        for given, about in parts.items():
            apart = f"\n{sha256(repr(given))}" if given and len(parts) > 1 else ""
            yield code, key + apart, about, beside[given]


def _merged(entries: Iterable[Entry]) -> Mapping[str, Sequence[Entry]]:
    """Rule id -> those that say the same."""
    found: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.merged_into is not None:
            found[entry.merged_into].append(entry)
    return found


def _topics(entry: Entry) -> Iterator[Topic]:
    """Each topic once, however often a caveat is repeated."""
    if entry.gap is not None:
        yield gaps()[entry.gap.code]
    if entry.outcome in ("waived", "not_a_rule"):
        return
    merged = entry.outcome == "merged"
    for code in dict.fromkeys(caveat.code for caveat in entry.caveats):
        topic = caveats()[code]
        if topic.question and (topic.of_text or not merged):
            yield topic
    if merged:
        return
    if entry.because is not None and entry.because.by == "default":
        yield gaps()["action_undecided"]


def _topic(code: str) -> Topic:
    return gaps().get(code) or caveats()[code]


def _group(topic: Topic, entry: Entry) -> str:
    match topic.ask_by:
        case "rule":
            return entry.id
        case "file":
            return entry.origin.file
        case "code":
            return ""
        case "column":
            column = entry.gap.doubtful if entry.gap else None
            header = f"\n{column.header}" if column else ""
            return f"{entry.origin.file}\n{_column(entry)}{header}"
        case "text":
            return f"{entry.origin.file}\n{_column(entry)}\n{sha256(entry.origin.text)}"
        case "reason":
            return f"{entry.origin.file}\n{_reason(entry)}"
        case "table":
            # Tables that nothing states are their files' own, even where they share a name.
            own = any(caveat.code == "table_not_stated" for caveat in entry.caveats)
            return f"{entry.table}\n{entry.origin.file}" if own else entry.table


def _question(topic: Topic, key: str, about: Sequence[Entry]) -> Question:
    first = about[0]
    column = first.gap.doubtful if first.gap else None
    said = {
        "n": len(about),
        "table": first.table,
        "file": first.origin.file,
        "place": first.origin.place,
        "column": _column(first),
        "header": f' "{_shortened(column.header)}"' if column and column.header else "",
        "text": _shortened(first.origin.text),
        "why": _why(about),
        "reason": _reason(first),
    }
    proposals = tuple(
        replace(p, label=p.label.format(**said), effect=p.effect.format(**said))
        for p in topic.proposals
    )
    if topic.takes == "meaning":
        proposals = (*_meanings(first), *(_left_out(first, p) for p in proposals))
    if topic.takes == "legend" and first.kind != "present":
        proposals = tuple(p for p in proposals if p.value == "nothing")
    question = Question(
        id=sha256(f"{topic.code}\n{key}")[:12],
        code=topic.code,
        entries=tuple(entry.id for entry in about),
        question=(topic.question or "").format(**said),
        proposals=proposals,
        until_answered=topic.until,
        about=_about(topic, first),
        takes=topic.takes,
    )
    return of_both(question, about) if topic.code == "contradiction" else question


def _about(topic: Topic, entry: Entry) -> About:
    """What all entries of a question share."""
    match topic.ask_by:
        case "table":
            own = any(caveat.code == "table_not_stated" for caveat in entry.caveats)
            return About(table=entry.table, file=entry.origin.file if own else None)
        case "column" | "text":
            column = entry.gap.doubtful if entry.gap else None
            header = column.header if column else None
            text = entry.origin.text if topic.takes == "legend" else None
            return About(entry.origin.file, None, _column(entry), header, text)
        case "file" | "reason":
            return About(file=entry.origin.file)
        case "rule" | "code":
            return About()


# What a column says that limits the rules of its rows to some records.
_LIMITS = "scope"


def _meanings(entry: Entry) -> Iterator[Proposal]:
    """What the column in question is likely to say, the likeliest first."""
    column = entry.gap.doubtful if entry.gap else None
    for meaning, _ in column.likely if column else ():
        if meaning == _LIMITS:
            continue  # that is known, and not what is asked
        effect = "its cells are read as that, and carried over in the next run"
        yield Proposal(meaning_words()[meaning], effect, "value", meaning)


def _left_out(entry: Entry, proposal: Proposal) -> Proposal:
    """To ignore for which records rules hold makes them hold for all: so it must be said."""
    column = entry.gap.doubtful if entry.gap else None
    if proposal.value != "ignore" or column is None or column.likely[:1] == ():
        return proposal
    if column.likely[0][0] != _LIMITS:
        return proposal
    label = "the rules beside it hold for every record, whatever it says"
    effect = (
        "the rules of its rows are carried over without it; a value that it allows may be refused"
    )
    return replace(proposal, label=label, effect=effect)


def _column(entry: Entry) -> str:
    """`Fields!G12` stands in `Fields!G`; what another column is in question for is about that."""
    if entry.gap and entry.gap.doubtful:
        return entry.gap.doubtful.column
    return entry.origin.place.rstrip("0123456789")


def _why(about: Sequence[Entry]) -> str:
    """In brackets, what is in the way of each of them; empty where that differs."""
    reasons = {entry.gap.reason if entry.gap else "" for entry in about}
    reason = _shortened(reasons.pop()) if len(reasons) == 1 else ""
    return f" ({reason})" if reason else ""


def _reason(entry: Entry) -> str:
    return entry.gap.reason if entry.gap else ""


def _shortened(text: str) -> str:
    """In one line, as a question can hold it."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _place(question: Question) -> tuple[bool, bool, str, int, str]:
    late = question.code in _LAST
    return late, question.code in caveats(), question.code, -len(question.entries), question.id
