"""One rule's story: where it comes from, what it became and why, and what is asked about it."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ruleferry.converters.account import Answered, Entry, Ledger, Output, Question
from ruleferry.converters.mappings import caveat_titles, gap_titles
from ruleferry.converters.reports.own_words import own_words
from ruleferry.converters.reports.text import count, full_name, label, visible, where
from ruleferry.converters.reports.words import (
    ANSWERED,
    DECIDERS,
    FAIL_COUNTS,
    GRADES,
    NULLS,
    OUTCOMES,
    action_in_words,
)
from ruleferry.converters.rule import engine_kind

_LABEL_WIDTH = 16
_MODULE = "_expectations.py"


def stories(ledger: Ledger, entries: Sequence[Entry]) -> list[str]:
    """The stories of some entries, line by line, an empty line between two."""
    lines = [line for entry in entries for line in ("", *story(ledger, entry))]
    return lines[1:]


def story(ledger: Ledger, entry: Entry) -> list[str]:
    """Everything that the ledger knows of one entry; each line begins with what it tells."""
    told = [
        *_origin(ledger, entry),
        *_fate(ledger, entry),
        *_action(entry),
        *_decided(entry),
        *_meaning(entry),
        *_others(ledger, entry),
        *_questions(ledger, entry),
        *(("written to", output.file) for output in _modules(ledger, entry)),
    ]
    title = [label(entry)] if label(entry) != entry.name else []
    head = [*title, f"{full_name(entry)} (id {entry.id})"]
    return [*map(visible, head), *(line for name, text in told for line in lines_of(name, text))]


def lines_of(name: str, text: str) -> Iterator[str]:
    """What is told; further lines of the text stand below its first one."""
    for number, line in enumerate(text.splitlines() or [""]):
        yield f"  {'' if number else name:<{_LABEL_WIDTH}}  {visible(line)}".rstrip()


_Told: TypeAlias = Iterator[tuple[str, str]]


def _origin(ledger: Ledger, entry: Entry) -> _Told:
    origin = entry.origin
    if entry.words not in ("", label(entry)):
        yield "in words", entry.words
    ran = origin.engine and engine_kind(origin.engine) != "words"
    tool = f"{origin.tool} on {origin.engine}" if ran else origin.tool
    yield "stands in", f"{where(origin)} ({tool})"
    yield "the text", own_words(ledger).get(entry.id, origin.text)
    if entry.columns:
        yield "columns", ", ".join(entry.columns)
    for name, value in entry.tags:
        yield "tag", f"{name}: {value}"


def _fate(ledger: Ledger, entry: Entry) -> _Told:
    yield "became", f"{OUTCOMES[entry.outcome]} ({entry.outcome})"
    if entry.reason:
        yield "because", entry.reason
    if entry.waived:
        yield "who and why", entry.waived
    if entry.gap:
        title = gap_titles().get(entry.gap.code, entry.gap.code)
        yield "in the way", f"{title}: {entry.gap.reason}"
    for kept in ledger.entries:
        if kept.id == entry.merged_into and kept.outcome != "merged":
            yield "stands for it", _pointer(kept)
    if entry.dataset:
        yield "in dataset", entry.dataset
    if entry.condition:
        yield "condition", entry.condition
    if entry.flag:
        yield "added column", f"{entry.flag.column} = {entry.flag.sql}"
    if entry.validation:
        yield "its query", entry.validation.query
        yield "must hold there", entry.validation.condition


def _action(entry: Entry) -> _Told:
    if entry.action is None:
        return
    counts = f"; {FAIL_COUNTS}" if entry.action == "fail" else ""
    yield "action", f"{entry.action}: {action_in_words(entry)}{counts}"
    if entry.because:
        who, why = DECIDERS[entry.because.by], entry.because.detail
        yield "decided by", who if why in ("", who, "not decided") else f"{who}: {why}"


def _decided(entry: Entry) -> _Told:
    """What is told as its action, or as why it is waived, is not told again."""
    said = entry.because.detail if entry.because and entry.because.by == "decision" else None
    for sentence in entry.decided if entry.outcome != "waived" else ():
        if sentence != f"action {entry.action}, by {said}":
            yield "decided", sentence


def _meaning(entry: Entry) -> _Told:
    if entry.outcome not in ("not_a_rule", "gap", "waived"):
        yield "a missing value", NULLS[entry.nulls]
    if entry.grade:
        yield "grade", f"{entry.grade}: {GRADES[entry.grade]}"
    for caveat in entry.caveats:
        yield "to know", f"{caveat_titles().get(caveat.code, caveat.code)}: {caveat.detail}"


def _others(ledger: Ledger, entry: Entry) -> _Told:
    if entry.outcome == "merged":
        return
    for other in ledger.entries:
        if other.merged_into == entry.id:
            yield "also stated as", _pointer(other)


def _pointer(entry: Entry) -> str:
    return f"{where(entry.origin)} ({full_name(entry)}, id {entry.id})"


def _questions(ledger: Ledger, entry: Entry) -> _Told:
    for question in ledger.questions:
        if entry.id in question.entries:
            yield "question", _shared(question)
            for proposal in question.proposals:
                yield "  answer", f"{proposal.label} – {proposal.effect}"
            for answer in question.answered:
                yield "  answered", _answered(answer)
            yield "  until then", question.until_answered


def _answered(answer: Answered) -> str:
    """What was answered, and why it is asked again."""
    by = f"{answer.by} on {answer.on}" if answer.on else answer.by
    return f"{answer.answer} – by {by}; asked again: {answer.why or ANSWERED[answer.state]}"


def _shared(question: Question) -> str:
    others = len(question.entries) - 1
    asked = f" (asked about {count(others, 'other rule')} too)" if others else ""
    return f"{question.question}{asked}"


def module_of(ledger: Ledger, entry: Entry) -> str | None:
    """The file of the module that the entry's rule stands in."""
    return next((output.file for output in _modules(ledger, entry)), None)


def _modules(ledger: Ledger, entry: Entry) -> list[Output]:
    """The module of the entry's dataset: the longest stem that the dataset's name begins with."""
    if entry.dataset is None:
        return []
    stems = {
        output.file.rpartition("/")[2].removesuffix(_MODULE): output
        for output in ledger.outputs
        if output.file.endswith(_MODULE)
    }
    fitting = [stem for stem in stems if entry.dataset.startswith(f"{stem}_")]
    return [stems[max(fitting, key=len)]] if fitting else []
