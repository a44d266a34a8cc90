"""What is proved of the rules: the verdicts of `proof.json`, as frozen rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

ProofVerdict: TypeAlias = Literal["agrees", "differs", "untested"]


@dataclass(frozen=True, slots=True)
class DifferingRow:
    """A record on which the old check and the new one disagree; `old` and `new`: good, bad, error.

    `values`: column -> its value, as a person reads it.
    """

    values: tuple[tuple[str, str], ...]
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Proved:
    """The verdict on one rule: it holds for the text and the condition that were compared.

    `rows`: how many records were compared; `differing`: on how many they disagree; `examples`: some
    of those. `why`: of an untested rule.
    """

    id: str
    text_sha256: str
    condition_sha256: str
    verdict: ProofVerdict
    rows: int = 0
    differing: int = 0
    examples: tuple[DifferingRow, ...] = ()
    why: str = ""
