"""Where a part of a statement stands, as far as its names tell."""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.readers.sql.found import Setting


def place_of(tree: exp.Expression, start: int, end: int, setting: Setting) -> tuple[int, int]:
    """Offsets in the script. A placeholder may be longer than its stand-in: then all of it."""
    if setting.macros:
        return start, end
    spots = [
        (first, last)
        for node in tree.find_all(exp.Identifier, exp.Column, exp.Anonymous, exp.Star)
        if isinstance(first := node.meta.get("start"), int)
        and isinstance(last := node.meta.get("end"), int)
    ]
    if not spots:
        return start, end
    first = start + min(first for first, _ in spots)
    last = start + max(last for _, last in spots) + 1
    return (first, last) if start <= first < last <= end else (start, end)
