"""A cell that states one rule with another: how it is said, and how that is read back."""

from __future__ import annotations

import re

_SAID = re.compile(r"read together with (.+?)(?:, as .*)?\Z", re.DOTALL)


def together_with(place: str, reason: str = "") -> str:
    """Why it states no rule of its own. `reason`: what the cells are, as `the key of t`."""
    return f"read together with {place}{f', as {reason}' if reason else ''}"


def read_with(reason: str | None) -> str | None:
    """The place that `together_with` named."""
    found = _SAID.match(reason or "")
    return found[1] if found else None
