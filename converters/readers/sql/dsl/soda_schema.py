"""Soda: checks of the columns of a table, each alert of which is a rule of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.sql.dsl.build import On
from ruleferry.converters.readers.sql.dsl.item import Item
from ruleferry.converters.readers.sql.found import Checked
from ruleferry.converters.rule import Columns

_WILD = re.compile(r"[%*?]")
_Read = Callable[[], Checked]


def schema_checks(on: On, config: Mapping[str, Json], item: Item) -> Iterator[tuple[Item, _Read]]:
    """At least one; those that can't be read raise Unreadable when they are read."""
    found = False
    name = config.get("name")
    for level in ("fail", "warn"):
        alerts = config.get(level)
        for when, wanted in alerts.items() if isinstance(alerts, dict) else ():
            for label, columns, read in _alert(on, str(when), wanted):
                found = True
                own = f"{name}_{label}" if isinstance(name, str) and name else label
                action = "fail" if level == "fail" else "warn"
                yield replace(item, name=own, columns=columns, action=action), read  # type: ignore[arg-type]
    if not found:
        yield item, _refused("unknown_shape", "no alert of it can be read")


_Alert = tuple[str, tuple[str, ...], _Read]


def _alert(on: On, when: str, wanted: Json) -> Iterator[_Alert]:
    if when == "when required column missing" and _are_names(wanted):
        names = tuple(map(str, wanted))  # type: ignore[call-overload]
        arguments = (("column_set", list(names)), ("exact_match", False))
        check = Columns("column_set", names, arguments)
        yield "columns_required", names, lambda: on.made(check, "columns", names)
    elif when == "when wrong column type" and isinstance(wanted, dict):
        for name, kind in wanted.items():
            yield _typed(on, str(name), kind)
    elif when == "when wrong column index" and isinstance(wanted, dict):
        for name, index in wanted.items():
            yield _placed(on, str(name), index)
    else:
        yield when.removeprefix("when "), (), _refused("no_equivalent", f"{when} can't be told")


def _are_names(wanted: Json) -> bool:
    return (
        isinstance(wanted, list)
        and bool(wanted)
        and all(isinstance(name, str) and not _WILD.search(name) for name in wanted)
    )


def _typed(on: On, name: str, kind: Json) -> _Alert:
    label = f"{name}_type"
    if not isinstance(kind, str) or _WILD.search(name):
        return label, (), _refused("unknown_shape", f"the type of {name} can't be read")
    check = Columns("type", (name,), (("type_", kind),))
    return label, (name,), lambda: on.made(check, "column_type", (name,))


def _placed(on: On, name: str, index: Json) -> _Alert:
    """The model takes no place 0."""
    label = f"{name}_index"
    if isinstance(index, bool) or not isinstance(index, int) or index < 1 or _WILD.search(name):
        return label, (), _refused("no_equivalent", f"the place {index} of {name} can't be told")
    check = Columns("exists", (name,), (("column_index", index),))
    return label, (name,), lambda: on.made(check, "columns", (name,))


def _refused(code: str, reason: str) -> _Read:
    def read() -> Checked:
        raise Unreadable(code, reason)

    return read
