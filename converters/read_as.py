"""What a reader made of a rule, as a text: equal texts were read alike.

A field that has its default is left out, so that a text stays what it is when the model grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass


def read_as(value: object) -> str:
    """`Range(column='age',low=0)`; an order that means nothing is sorted."""
    if is_dataclass(value) and not isinstance(value, type):
        return f"{type(value).__name__}({','.join(_parts(value))})"
    if isinstance(value, tuple):
        return f"({','.join(map(read_as, value))})"
    if isinstance(value, frozenset):
        return f"{{{','.join(sorted(map(read_as, value)))}}}"
    return repr(value)


def _parts(value: object) -> Iterator[str]:
    """What is not compared, such as the tree of a text, tells nothing more."""
    for each in fields(value):  # type: ignore[arg-type]
        held = getattr(value, each.name)
        default = each.default_factory() if each.default_factory is not MISSING else each.default
        if each.compare and (default is MISSING or held != default):
            yield f"{each.name}={read_as(held)}"
