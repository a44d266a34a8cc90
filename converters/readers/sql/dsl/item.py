"""An item of a list of tests, and the rule that it becomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.json_text import Json, Malformed
from ruleferry.converters.readers.sql.dsl.nodes import Place, place_of
from ruleferry.converters.readers.sql.found import Checked, Effect, Found, Label
from ruleferry.converters.readers.yaml_text import parse_yaml
from ruleferry.converters.rule import Action, NotARule, Unread

# The rules of a file, and how long the lists are that hold them.
Listed: TypeAlias = tuple[tuple[Found, ...], Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Item:
    """`place`: `models[0].columns[1].tests[0]`; `retired`: why the tool never runs it."""

    place: str
    name: str
    table: str | None
    columns: tuple[str, ...] = ()
    action: Action | None = "fail"
    detail: str = ""
    retired: str = ""
    tags: tuple[tuple[str, str], ...] = ()


def rule(item: Item, read: Callable[[], Checked], where: Mapping[str, Place]) -> Found:
    """What can't be read is a gap of its own."""
    place = place_of(item.place, where)
    return Found(
        _checked(item, read),
        place.start,
        place.end,
        part=item.place,
        labels=(Label("name", item.name),) if item.name else (),
        effect=Effect("test", action=item.action, detail=item.detail),
        tags=item.tags,
    )


def _checked(item: Item, read: Callable[[], Checked]) -> Checked:
    if item.retired:
        return Checked(NotARule(item.retired), "predicate", item.table, item.columns)
    try:
        return read()
    except Unreadable as cannot:
        check = Unread(cannot.code, cannot.reason, item.columns)
        return Checked(check, "predicate", item.table, item.columns)
    except RecursionError:
        return Checked(Unread("too_large", "it is nested too deep"), "predicate", item.table)


def unread(item: Item, code: str, reason: str, where: Mapping[str, Place]) -> Found:
    def cannot() -> Checked:
        raise Unreadable(code, reason)

    return rule(item, cannot, where)


def document_of(text: str) -> Json | Found:
    """The YAML of a file, or the gap that all of it is."""
    try:
        return parse_yaml(text)
    except Malformed as fault:
        return unread(Item("", "", None), "unreadable", f"{fault.found} ({fault.place})", {})
