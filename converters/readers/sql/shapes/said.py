"""What the select list of a check says of it: its name, its message, its severity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.readers.sql.found import Label, LabelKind
from ruleferry.converters.readers.sql.shapes.trees import text, value_of
from ruleferry.converters.readers.sql.shapes.words import CODE, words

_KINDS: Mapping[str, LabelKind] = {"id": "id", "name": "name", "message": "message"}
_SEVERITIES = frozenset({
    "critical", "high", "medium", "low", "minor", "major", "fatal", "warning", "warn", "error",
    "info", "blocker", "severe",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    labels: tuple[Label, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()

    @property
    def named(self) -> bool:
        """A literal says which rule it is."""
        return any(label.kind in ("id", "name") for label in self.labels)


def names_of(items: Sequence[exp.Expression]) -> tuple[str, ...]:
    """The names of result columns; "" for one without."""
    return tuple(item.alias if isinstance(item, exp.Alias) else "" for item in items)


def said(items: Sequence[exp.Expression], names: Sequence[str]) -> Said:
    """`names`: of the result columns, which the first of several queries gives."""
    labels: list[Label] = []
    tags: list[tuple[str, str]] = []
    codes: list[Label] = []  # under names that say nothing
    for place, item in enumerate(items):
        written = text(value_of(item))
        name = names[place].lower() if place < len(names) else ""
        if written is None or not written.strip():
            continue
        if (kind := _kind(name)) is not None:
            labels.append(Label(kind, written.strip()))
        elif (tag := _tag(name)) is not None:
            tags.append((tag, written.strip()))
        elif not name and written.strip().lower() in _SEVERITIES:
            tags.append(("severity", written.strip()))
        elif not name or " " in written.strip():
            labels.append(_unnamed(written.strip(), labels))
        elif CODE.fullmatch(written.strip()):
            codes.append(Label("id", written.strip()))
    if not any(label.kind in ("id", "name") for label in labels):
        labels += codes[:1]
    return Said(tuple(labels), tuple(tags))


def _kind(name: str) -> LabelKind | None:
    for key, kind in _KINDS.items():
        if name in words("names", key):
            return kind
    return None


def _tag(name: str) -> str | None:
    return next((tag for tag in ("severity", "owner") if name in words("names", tag)), None)


def _unnamed(written: str, before: Sequence[Label]) -> Label:
    """A text without a name of its own: the first that is one word names the rule."""
    if CODE.fullmatch(written):
        return Label("id", written)
    if " " in written or any(label.kind == "name" for label in before):
        return Label("message", written)
    return Label("name", written)


def alias_label(name: str) -> tuple[Label, ...]:
    """The name of a result column, unless it would suit any rule."""
    if not name or name.lower() in words("names", "plain"):
        return ()
    return (Label("alias", name),)
