"""The parts of a sentence, and how they are put together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

# What a person still takes in at one reading; a value counts as one word.
_MOST_WORDS, _MOST_CHARACTERS = 36, 240
_SHARED = ("has a value", "has no value", "can be read as ")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
# Verbs that may leave out their "is" where they follow another one.
_LIMITS = ("is below ", "is at most ", "is above ", "is at least ")


class Unsaid(Exception):
    """It can't be said in plain words."""


@dataclass(frozen=True, slots=True)
class Test:
    subject: str
    verb: str


@dataclass(frozen=True, slots=True)
class All:
    parts: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Any:
    parts: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class If:
    when: Said
    then: Said


@dataclass(frozen=True, slots=True)
class Denied:
    """The part does not hold: also where what it speaks of is missing."""

    part: Said


Said: TypeAlias = Test | All | Any | If | Denied


def every(parts: Sequence[Said]) -> Said:
    return parts[0] if len(parts) == 1 else All(_flat(All, parts))


def some(parts: Sequence[Said]) -> Said:
    return parts[0] if len(parts) == 1 else Any(_flat(Any, parts))


def _flat(kind: type[All] | type[Any], parts: Sequence[Said]) -> tuple[Said, ...]:
    return tuple(
        inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,))
    )


def sentence(said: Said) -> str:
    """Raises Unsaid where it would be too long, or too deep, to be read."""
    words = _text(said, 0)
    counted = _QUOTED.sub('"x"', words)
    if len(counted) > _MOST_CHARACTERS or len(counted.split()) > _MOST_WORDS:
        raise Unsaid
    return words


def _text(said: Said, depth: int) -> str:
    match said:
        case Test():
            return f"{said.subject} {said.verb}"
        case Denied():
            return f"it does not hold that {_part(said.part, depth)}"
        case If():
            when, then = _half(said.when, depth), _half(said.then, depth)
            mark = "then " if "," in _QUOTED.sub("", when) else ""
            return f"if {when}, {mark}{then}"
        case All():
            return _joined(said.parts, "and", depth)
        case Any():
            return _joined(said.parts, "or", depth)


def _half(said: Said, depth: int) -> str:
    """A side of an if: a chain needs no brackets, for the comma ends it."""
    if isinstance(said, If):
        raise Unsaid
    return _text(said, depth)


def _part(said: Said, depth: int) -> str:
    if isinstance(said, Test):
        return _text(said, depth)
    if depth:
        raise Unsaid
    return f"({_text(said, depth + 1)})"


def _joined(parts: Sequence[Said], word: str, depth: int) -> str:
    texts = _together(parts, word) or [
        text if isinstance(text, str) else _part(text, depth) for text in _runs(parts, word)
    ]
    if len(texts) == 1:
        return texts[0]
    comma = "," if any("," in _QUOTED.sub("", text) for text in texts) else ""
    return f"{', '.join(texts[:-1])}{comma} {word} {texts[-1]}"


def _together(parts: Sequence[Said], word: str) -> list[str]:
    """`a, b or c has a value`."""
    verbs = {part.verb if isinstance(part, Test) else "" for part in parts}
    if len(parts) < 2 or len(verbs) > 1 or not min(verbs).startswith(_SHARED):
        return []
    subjects = [part.subject for part in parts if isinstance(part, Test)]
    if len(set(subjects)) < len(subjects):
        return []
    verb = verbs.pop()
    plural = verb.replace("has", "have") if word == "and" else verb
    return [f"{', '.join(subjects[:-1])} {word} {subjects[-1]} {plural}"]


def _runs(parts: Sequence[Said], word: str) -> list[str | Said]:
    """Tests of one subject that follow each other are said in one go."""
    found: list[str | Said] = []
    last = None
    for part in parts:
        if isinstance(part, Test) and last is not None and part.subject == last.subject:
            limits = part.verb.startswith(_LIMITS) and last.verb.startswith(_LIMITS)
            verb = part.verb.removeprefix("is ") if limits else part.verb
            found[-1] = f"{found[-1]} {word} {verb}"
        else:
            found.append(_text(part, 0) if isinstance(part, Test) else part)
        last = part if isinstance(part, Test) else None
    return found
