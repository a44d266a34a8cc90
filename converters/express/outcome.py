"""What a translation of a text test ends in: a condition with its caveats, or a reason."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.rule import Caveat


@dataclass(frozen=True, slots=True)
class Expressed:
    """A condition, TRUE or FALSE for every text that is not NULL; it never raises."""

    tree: exp.Expression
    caveats: tuple[Caveat, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """There is no condition; `reason` is one sentence for the author of the rule."""

    reason: str
