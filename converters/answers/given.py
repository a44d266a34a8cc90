"""An answer as it stands in a workbook, and when two texts of people are the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from ruleferry.converters.rule import Action

# What programs make of typed text on their own, and what nobody sees.
_TYPED = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\xad\u200b\u200c\u200d\u2060\ufeff", None),
        "…": "...",
    }
)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Given:
    """One filled row of sheet Questions.

    `rule` and `text` (what the workbook says of the rule's text, as a decision keeps it) are empty
    in a row that answers for all rules of a question; `seen` has them of all rows of that question.
    `place`: the cell of the answer.
    """

    file: str
    place: str
    question: str
    rule: str = ""
    text: str = ""
    answer: str = ""
    action: Action | None = None
    note: str = ""
    by: str = ""
    on: date | None = None
    seen: tuple[tuple[str, str], ...] = field(default=(), compare=False)


def key(text: str) -> str:
    """The same for texts that differ in case, spaces, quotes and dashes alone."""
    return " ".join(text.translate(_TYPED).split()).casefold()


def day_in(text: str) -> date | None:
    """2026-11-30, and nothing else."""
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
