"""The engine that a suite's own text gives away, where nothing else tells it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleferry.converters.column_types import type_from_name
from ruleferry.converters.readers.great_expectations.catalogue import catalogue
from ruleferry.converters.readers.great_expectations.data import Words, text, words
from ruleferry.converters.readers.great_expectations.expectation import type_of
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.rule import Engine, engine_kind

# A row condition of these syntaxes runs on one engine alone.
_PARSERS = {"pandas": "pandas", "python": "pandas", "spark": "spark"}


def engine_of(elements: Sequence[Json]) -> Engine | None:
    """The one engine that all clues allow; None where there is none, or they disagree.

    A name of a type alone is no clue, since suites mix them; against another one it is.
    """
    objects = [element for element in elements if isinstance(element, dict)]
    found = {clue for element in objects for clue in _clues(element)}
    if len(found) != 1:
        return None
    against = {clue for element in objects for clue in _of_types(element)}
    return found.pop() if against <= found else None


def _of_types(element: Words) -> Iterator[Engine]:
    """Spark's own names of types, which no other engine has: StringType."""
    kwargs = words(element, "kwargs")
    listed = kwargs.get("type_list")
    for name in (kwargs.get("type_"), *(listed if isinstance(listed, list) else ())):
        if isinstance(name, str) and name.endswith("Type") and type_from_name(name, "spark"):
            yield "spark"


def _clues(element: Words) -> Iterator[Engine]:
    """A row condition's syntax, and an expectation that only one kind of engine has."""
    kwargs = words(element, "kwargs")
    parser = _PARSERS.get(text(kwargs, "condition_parser"))
    if parser and kwargs.get("row_condition") and "type" not in element:  # 1.x does not insist
        yield parser
    name = type_of(element)
    row = catalogue().row(name) if isinstance(name, str) else None
    if row is not None and len(row.engines) == 1:
        yield engine_kind(row.engines[0])
