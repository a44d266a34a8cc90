"""Checks of the shape of JSON that we wrote ourselves: every fault is told with its place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args

from ruleferry.converters.errors import Fault

# A JSON value whose shape `problems` has checked.
Checked: TypeAlias = Any
Path: TypeAlias = tuple[str | int, ...]
# A place, what was found there and what was expected.
Problem: TypeAlias = tuple[Path, str, str]

_NAMES = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}


@dataclass(frozen=True, slots=True)
class Field:
    """A field's JSON type; the closed list of its words; the shape of an object or of list items.

    `texts` says that a list or an object holds texts only.
    """

    type: type
    words: frozenset[str] | None = None
    shape: Shape | None = None
    texts: bool = False
    optional: bool = False


Shape: TypeAlias = Mapping[str, Field]

TEXT = Field(str)
NO_TEXT = Field(str, optional=True)
TEXTS = Field(list, texts=True)


def one_word(literal: object, optional: bool = False) -> Field:
    """One of the words of a `Literal`."""
    return Field(str, frozenset(get_args(literal)), optional=optional)


def optional_object(shape: Shape) -> Field:
    return Field(dict, shape=shape, optional=True)


def parsed(text: str, file: str, what: str, version: int, again: str) -> Checked | Fault:
    """The JSON of a text, in the version that we write; `again`: how to get the file anew."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        return Fault(file, place, error.msg, "JSON", again)
    except ValueError as error:  # a number of thousands of digits
        return Fault(file, None, f"what can't be read ({error})", what, again)
    except RecursionError:
        return Fault(file, None, "endless nesting", what, again)
    found = value.get("version") if isinstance(value, dict) else None
    if type(found) is int and found != version:
        todo = f"Use the ruleferry that wrote it. {again}"
        expected = f"schema version {version}"
        return Fault(file, "version", f"schema version {found}", expected, todo)
    return value


def faults(file: str, found: Iterable[Problem], again: str) -> list[Fault]:
    return [Fault(file, place(path), what, expected, again) for path, what, expected in found]


def problems(value: Checked, shape: Shape, path: Path = ()) -> Iterator[Problem]:
    """What of an object is not as its shape says."""
    if not isinstance(value, dict):
        yield path, shown(value), _NAMES[dict]
        return
    for name, item in value.items():
        field = shape.get(name)
        if field is None:
            yield (*path, name), "an unknown field", f"one of {', '.join(shape)}"
        elif type(item) is not field.type:
            yield (*path, name), shown(item), _NAMES[field.type]
        elif field.words is not None and item not in field.words:
            yield (*path, name), shown(item), f"one of {', '.join(sorted(field.words))}"
        elif field.texts:
            yield from _text_problems(item, (*path, name))
        elif field.shape is not None:
            yield from _inner_problems(item, field.shape, (*path, name))
    for name, field in shape.items():
        if name not in value and not field.optional:
            yield (*path, name), "nothing", _NAMES[field.type]


def _inner_problems(value: Checked, shape: Shape, path: Path) -> Iterator[Problem]:
    if type(value) is dict:
        yield from problems(value, shape, path)
    else:
        for index, row in enumerate(value):
            yield from problems(row, shape, (*path, index))


def _text_problems(value: Checked, path: Path) -> Iterator[Problem]:
    for key, item in value.items() if type(value) is dict else enumerate(value):
        if type(item) is not str:
            yield (*path, key), shown(item), _NAMES[str]


def shown(value: object) -> str:
    """A value as a message quotes it: at most 60 characters."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 60 else text[:59] + "…"


def place(path: Path) -> str | None:
    """`entries[3].origin`; None for the whole file."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return "".join(steps).removeprefix(".") or None
