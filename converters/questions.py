"""What a person is asked: one question about one entry or many, from the topics of `mappings/`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from ruleferry.converters.account import Entry, Proposal, Question
from ruleferry.converters.mappings import Topic, caveats, gaps
from ruleferry.converters.naming import sha256

# What is lost stands before what is uncertain, and that before what is only undecided.
_LAST = ("table_not_stated", "action_undecided")
# Signs of a source's text that a question repeats.
_LONGEST = 120


def ask(
    entries: Sequence[Entry], conflicts: Iterable[tuple[str, Sequence[Entry]]]
) -> tuple[Question, ...]:
    """All questions of a conversion. `conflicts`: a code and the entries that it joins."""
    groups: defaultdict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        for topic in _topics(entry):
            groups[(topic.code, _group(topic, entry))].append(entry)
    found = [_question(_topic(code), key, about) for (code, key), about in groups.items()]
    found += [_question(gaps()[code], about[0].id, about) for code, about in conflicts]
    return tuple(sorted(found, key=_place))


def _topics(entry: Entry) -> Iterator[Topic]:
    """Each topic once, however often a caveat is repeated."""
    if entry.gap is not None:
        yield gaps()[entry.gap.code]
    if entry.outcome in ("merged", "waived", "not_a_rule"):
        return
    for code in dict.fromkeys(caveat.code for caveat in entry.caveats):
        if caveats()[code].question:
            yield caveats()[code]
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
            return f"{entry.origin.file}\n{_column(entry)}"
        case "text":
            return f"{entry.origin.file}\n{_column(entry)}\n{entry.text_sha256}"
        case "reason":
            return f"{entry.origin.file}\n{_reason(entry)}"
        case "table":
            # Tables that nothing states are their files' own, even where they share a name.
            own = any(caveat.code == "table_not_stated" for caveat in entry.caveats)
            return f"{entry.table}\n{entry.origin.file}" if own else entry.table


def _question(topic: Topic, key: str, about: Sequence[Entry]) -> Question:
    first = about[0]
    said = {
        "n": len(about),
        "table": first.table,
        "file": first.origin.file,
        "place": first.origin.place,
        "column": _column(first),
        "text": _shortened(first.origin.text),
        "why": _why(about),
        "reason": _reason(first),
    }
    proposals = tuple(
        Proposal(p.label.format(**said), p.effect.format(**said)) for p in topic.proposals
    )
    return Question(
        id=sha256(f"{topic.code}\n{key}")[:12],
        code=topic.code,
        entries=tuple(entry.id for entry in about),
        question=(topic.question or "").format(**said),
        proposals=proposals,
        until_answered=topic.until,
    )


def _column(entry: Entry) -> str:
    """`Fields!G12` stands in `Fields!G`."""
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
