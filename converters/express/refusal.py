"""Why a SQL text has no condition."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refused:
    """`code` is a row of mappings/gaps.toml; `reason` is one sentence for the rule's owner."""

    code: str
    reason: str


class Refusal(Exception):
    """Raised deep in a tree, caught where the text came in."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.refused = Refused(code, reason)
