"""What was taken from the workbooks, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from ruleferry.converters.account import Answered, Question
from ruleferry.converters.answers.given import Given
from ruleferry.converters.answers.merged import Dispute, NotTaken
from ruleferry.converters.decided import answer_of, who
from ruleferry.converters.reports.terminal import Line
from ruleferry.converters.reports.text import count, listed, shorten, visible

if TYPE_CHECKING:
    from ruleferry.converters.answers.taking import Taken

_SHOWN = 20
_WIDE = 100
_STATES: dict[str, str] = {
    "stale": "the rule changed after it was answered",
    "disputed": "two answers differ",
    "refused": "the answer can't be used",
    "pending": "what was to be done elsewhere is not done yet",
}


def taken_lines(taken: Taken) -> tuple[Line, ...]:
    """Who answered what, what is left out and why, and what remains to be answered."""
    blocks = (
        _people(taken),
        _left_out(taken.merged.not_taken),
        _disputes(taken.merged.disputed),
        _open(taken),
        _again(taken),
        _written(taken),
    )
    lines = [line for block in map(list, blocks) if block for line in (*block, ("", ""))]
    return tuple(lines[:-1])


def _people(taken: Taken) -> Iterator[Line]:
    merged = taken.merged
    rows = [*merged.added, *merged.replaced, *merged.unchanged]
    yield f"Answers taken: {len(rows):,}", "bold"
    for person in sorted({row.by for row in rows}):
        new, instead, known = (
            sum(row.by == person for row in found)
            for found in (merged.added, merged.replaced, merged.unchanged)
        )
        parts = [f"{new:,} new"] if new else []
        parts += [f"{instead:,} instead of an earlier one"] if instead else []
        parts += [f"{known:,} known already"] if known else []
        yield f"  {visible(person)}: {listed(parts)}", ""


def _left_out(found: Sequence[NotTaken]) -> Iterator[Line]:
    if found:
        yield f"Not taken: {len(found):,}", "yellow"
    yield from _capped([_not_taken(each) for each in found])


def _not_taken(left: NotTaken) -> str:
    given = left.given
    by = f" by {given.by}" if given.by else ""
    said = f'"{_short(given.answer or given.action or given.note)}"'
    return f"{visible(given.file)}, {visible(given.place)}: {said}{visible(by)}: {left.why}"


def _disputes(found: Sequence[Dispute]) -> Iterator[Line]:
    if found:
        yield (
            "Answers that differ: none of them holds, and it will be asked again",
            "yellow",
        )
    yield from _capped([_dispute(each) for each in found])


def _dispute(found: Dispute) -> str:
    answers = [f'"{_short(answer_of(d.verdict))}" ({visible(who(d))})' for d in found.answers]
    return f"{visible(found.about)}: {listed(answers)}"


def _open(taken: Taken) -> Iterator[Line]:
    questions = taken.ledger.questions
    left = [q for q in questions if q.id in taken.merged.unanswered]
    if left:
        yield f"Not answered yet: {len(left):,} of {count(len(questions), 'question')}", "yellow"
    elif questions:
        yield f"All questions are answered: {len(questions):,}", "bold"
    yield from _capped([_short(q.question) for q in left])


def _again(taken: Taken) -> Iterator[Line]:
    """Those of which an answer was known and settled nothing, and that are still open."""
    again = [q for q in _left(taken) if q.answered]
    if again:
        yield f"Asked again: {len(again):,}", "yellow"
    yield from _capped([f"{_short(q.question)}: {_why(q.answered)}" for q in again])


def _left(taken: Taken) -> Iterator[Question]:
    return (q for q in taken.ledger.questions if q.id in taken.merged.unanswered)


def _why(answered: Iterable[Answered]) -> str:
    return listed(dict.fromkeys(_STATES[told.state] for told in answered))


def _written(taken: Taken) -> Iterator[Line]:
    file = visible(taken.file)
    if not taken.written:
        yield f"Nothing is new: {file} stays as it is", "bold"
        return
    yield f"Written to {file}; the next `ruleferry convert` applies it", "bold"
    for comment in taken.lost:
        yield f"  not kept: the comment in {visible(comment)}", "yellow"


def _capped(lines: Sequence[str]) -> Iterator[Line]:
    yield from ((f"  {line}", "") for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        yield f"  … and {len(lines) - _SHOWN:,} more", "dim"


def _short(text: str) -> str:
    return shorten(visible(text), _WIDE)


# JSON ---------------------------------------------------------------------------------------------


def taken_json(taken: Taken) -> str:
    """All that became of the answers.

    {"version": 1, "decisions": file, "written": bool,
     "answers": [{"file", "cell", "question", "rule"?, "answer"?, "action"?, "note"?, "by"?, "on"?,
                  "became": "added", "replaced", "unchanged" or "not taken", "why"?}],
     "disputed": [{"about", "answers": [{"answer", "by", "on"?}]}],
     "unanswered": [id of a question], "asked_again": [{"question": id, "states": [state]}],
     "comments_not_kept": [text]}
    """
    merged = taken.merged
    rows = [_row(given, "added") for given in merged.added]
    rows += [_row(given, "replaced") for given in merged.replaced]
    rows += [_row(given, "unchanged") for given in merged.unchanged]
    rows += [_row(left.given, "not taken", left.why) for left in merged.not_taken]
    told = {
        "version": 1,
        "decisions": taken.file,
        "written": taken.written,
        "answers": rows,
        "disputed": [_dispute_object(found) for found in merged.disputed],
        "unanswered": list(merged.unanswered),
        "asked_again": [
            {"question": q.id, "states": list(dict.fromkeys(a.state for a in q.answered))}
            for q in _left(taken)
            if q.answered
        ],
        "comments_not_kept": list(taken.lost),
    }
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


_Became = Literal["added", "replaced", "unchanged", "not taken"]


def _row(given: Given, became: _Became, why: str = "") -> dict[str, str]:
    told = {
        "file": given.file,
        "cell": given.place,
        "question": given.question,
        "rule": given.rule,
        "answer": given.answer,
        "action": given.action or "",
        "note": given.note,
        "by": given.by,
        "on": given.on.isoformat() if given.on else "",
        "became": became,
        "why": why,
    }
    return {name: value for name, value in told.items() if value}


def _dispute_object(found: Dispute) -> dict[str, object]:
    answers = [
        {"answer": answer_of(d.verdict), "by": d.by} | ({"on": d.on.isoformat()} if d.on else {})
        for d in found.answers
    ]
    return {"about": found.about, "answers": answers}
