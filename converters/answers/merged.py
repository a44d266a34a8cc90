"""What a merge did with each answer."""

from __future__ import annotations

from dataclasses import dataclass

from ruleferry.converters.answers.given import Given
from ruleferry.converters.decided import Decision, Decisions
from ruleferry.converters.errors import Fault


@dataclass(frozen=True, slots=True)
class NotTaken:
    """An answer that decides nothing now, and why not."""

    given: Given
    why: str


@dataclass(frozen=True, slots=True)
class Dispute:
    """Answers of several people to one thing (a rule's `table.name`, a file, …) that differ."""

    about: str
    answers: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """`decisions`: all of them, with the answers that were taken; as they were where there are
    `faults`.

    `added`, `replaced` (something that was there), `unchanged` (it was known): the rows that were
    taken. `not_taken`: those that decide nothing, for nobody asks that any more, or for a later
    answer is known. `unanswered`: ids of the questions that remain open.
    """

    decisions: Decisions
    added: tuple[Given, ...] = ()
    replaced: tuple[Given, ...] = ()
    unchanged: tuple[Given, ...] = ()
    not_taken: tuple[NotTaken, ...] = ()
    disputed: tuple[Dispute, ...] = ()
    unanswered: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
