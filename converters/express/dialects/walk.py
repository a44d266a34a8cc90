"""Which room reads which node."""

from __future__ import annotations

from ruleferry.converters.express.dialects import (
    arithmetic,
    casts,
    comparing,
    forms,
    leaves,
    likes,
    logic,
    queries,
)
from ruleferry.converters.express.dialects.steps import STEPS, condition, read

__all__ = ["condition", "read"]

for _room in (leaves, logic, comparing, likes, arithmetic, casts, forms, queries):
    STEPS.update(_room.STEPS_HERE)
