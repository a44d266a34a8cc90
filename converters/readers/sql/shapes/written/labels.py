"""Literals that a statement writes beside a record: the rule's id, its name, or its message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.readers.sql.found import Label, LabelKind
from ruleferry.converters.readers.sql.shapes.trees import text, value_of
from ruleferry.converters.readers.sql.shapes.words import CODE, parts_of, words

_KINDS: Sequence[LabelKind] = ("id", "name", "message")
# What a literal column says beside the rule's name: a tag.
_TAGS = ("severity", "owner")
_ENDS: dict[LabelKind, frozenset[str]] = {
    "id": frozenset({"code", "cd", "id", "no", "num", "nbr"}),
    "name": frozenset({"rule", "check", "test", "name", "control"}),
    "message": frozenset(
        {"desc", "descr", "description", "msg", "mess", "message", "reason", "text", "txt"}
    ),
}
_PLAIN = 40  # a text without blanks up to this length may be a code


@dataclass(frozen=True, slots=True)
class Said:
    """`named`: a column's name tells that one of the labels is an error's code or message."""

    labels: tuple[Label, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    named: bool = False


def said_by(values: Sequence[exp.Expression], names: Sequence[str] = ()) -> Said:
    """`names`: those of the columns that are written, in order; else each value's own."""
    labels: list[Label] = []
    tags: list[tuple[str, str]] = []
    named = False
    for number, item in enumerate(values):
        written = text(value_of(item))
        if written is None or not written.strip():
            continue
        name = names[number] if number < len(names) else _alias(item)
        tag, kind = _tag(name), _kind(name)
        if tag is not None:
            tags.append((tag, written.strip()))
        elif kind is not None:
            labels.append(Label(kind, written.strip()))
            named = True
        elif not name and (guess := _unnamed(written)) is not None:
            labels.append(Label(guess, written.strip()))
    return Said(tuple(_ordered(labels)), tuple(tags), named)


def _alias(item: exp.Expression) -> str:
    return item.alias if isinstance(item, exp.Alias) else ""


def _tag(name: str) -> str | None:
    return next((tag for tag in _TAGS if name.lower() in words("names", tag)), None)


def _kind(name: str) -> LabelKind | None:
    """By the whole name, or by its last word where the others say that it is of an error."""
    lower = name.lower()
    for kind in _KINDS:
        if lower in words("names", kind):
            return kind
    parts = parts_of(name)
    if len(parts) < 2 or not _of_rule(parts[:-1]):
        return None
    return next((kind for kind in _KINDS if parts[-1] in _ENDS[kind]), None)


def _of_rule(parts: Sequence[str]) -> bool:
    about = words("names", "bad") | words("names", "name") | {"dq", "cons", "constraint", "rule"}
    return any(part in about for part in parts)


def _unnamed(written: str) -> LabelKind | None:
    """A code, or a sentence; a word alone may be anything."""
    plain = written.strip()
    if CODE.fullmatch(plain) or ("_" in plain and " " not in plain and len(plain) <= _PLAIN):
        return "id"
    return "message" if " " in plain else None


def _ordered(labels: Sequence[Label]) -> list[Label]:
    """An id before a name, a name before a message."""
    return sorted(labels, key=lambda label: _KINDS.index(label.kind))
