"""Checks of values in a TOML file: every fault is collected, with the line of its key."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from ruleferry.converters.errors import Fault

Key: TypeAlias = str | int
Check: TypeAlias = Callable[[object], object]


class Unfit(Exception):
    """A value of the wrong kind: what was expected, and what to do."""

    def __init__(self, expected: str, todo: str = "Change it.") -> None:
        super().__init__(expected)
        self.expected, self.todo = expected, todo


class Record(Protocol):
    """A dataclass whose fields name their check: `field(metadata={"check": text})`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


R = TypeVar("R", bound=Record)


def parse_toml(text: str, shown_as: str) -> dict[str, object] | Fault:
    """The table of a TOML text, numbers with a point as exact decimals."""
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except RecursionError:
        found = "what is nested too deep"
        return Fault(shown_as, None, found, "a table of texts, numbers and lists", "Mend it.")
    except tomllib.TOMLDecodeError as error:
        told, _, place = str(error).partition(" (at ")
        return Fault(
            shown_as,
            place.rstrip(")") or None,
            f"what is no TOML ({told})",
            "TOML",
            "Mend it there; texts stand in quotes, a table's name in brackets.",
        )


@dataclass(frozen=True, slots=True)
class Checker:
    """One TOML file under check; it collects (line, fault) while its tables are read."""

    file: str
    text: str
    told: list[tuple[int, Fault]] = field(default_factory=list)

    @property
    def faults(self) -> list[Fault]:
        """All faults so far, in the order of the file."""
        return [fault for _, fault in sorted(self.told, key=lambda pair: pair[0])]

    def record(self, kind: type[R], value: object, at: tuple[Key, ...]) -> R | None:
        """A table as a record; None when it is no table or lacks what is required."""
        given = self.table(value, at)
        if given is None:
            return None
        required = [f.name for f in fields(kind) if f.metadata.get("required")]
        for name in required:
            if name not in given:
                self.fault(at, f"no `{name}` in {shown(at)}", f"`{name}`", "Add it.")
        values = self.values(kind, given, at)
        return kind(**values) if all(name in values for name in required) else None

    def values(
        self,
        kind: type[R],
        given: Mapping[str, object],
        at: tuple[Key, ...],
        also: Set[str] = frozenset(),
    ) -> dict[str, Any]:
        """The checked values of a table for those fields of a record that name a check.

        A value that fails its check is left out: after its fault the run ends anyway. `also`
        are keys that are read elsewhere.
        """
        checks = {f.name: f.metadata["check"] for f in fields(kind) if "check" in f.metadata}
        self.unknown_keys(given, checks.keys() | also, at)
        checked = {
            key: self.value(checks[key], raw, (*at, key))
            for key, raw in given.items()
            if key in checks
        }
        return {key: value for key, value in checked.items() if value is not None}

    def listed(self, kind: type[R], value: object, at: tuple[Key, ...]) -> tuple[R, ...]:
        """A list of tables, each a record."""
        if not isinstance(value, list):
            self.fault(at, f"{_quoted(value)}", f"a list of tables, [[{shown(at)}]]", "Write one.")
            return ()
        records = [self.record(kind, item, (*at, number)) for number, item in enumerate(value)]
        return tuple(record for record in records if record is not None)

    def named(self, kind: type[R], value: object, at: tuple[Key, ...]) -> dict[str, R]:
        """A table of tables: name -> record."""
        given = self.table(value, at) or {}
        records = {name: self.record(kind, raw, (*at, name)) for name, raw in given.items()}
        return {name: record for name, record in records.items() if record is not None}

    def mapped(self, check: Check, value: object, at: tuple[Key, ...]) -> dict[str, Any]:
        """A table whose names are free and whose values pass one check."""
        given = self.table(value, at) or {}
        checked = {name: self.value(check, raw, (*at, name)) for name, raw in given.items()}
        return {name: value for name, value in checked.items() if value is not None}

    def table(self, value: object, at: tuple[Key, ...]) -> Mapping[str, object] | None:
        """The value as a table; None after a fault."""
        if isinstance(value, dict):
            return value
        self.fault(at, f"{_quoted(value)} as `{shown(at)}`", "a table", "Write a table.")
        return None

    def value(self, check: Check, raw: object, at: tuple[Key, ...]) -> object:
        """A checked value; None after a fault."""
        try:
            return check(raw)
        except Unfit as unfit:
            self.fault(at, f"{_quoted(raw)} as `{shown(at)}`", unfit.expected, unfit.todo)
            return None

    def unknown_keys(
        self, given: Iterable[str], known: Iterable[str], at: tuple[Key, ...] = ()
    ) -> None:
        names = sorted(known)
        for key in given:
            if key not in names:
                near = get_close_matches(key.lower(), names, 1, 0.5)
                todo = f"Did you mean `{near[0]}`?" if near else "Remove it."
                self.fault((*at, key), f"the unknown key `{key}`", f"{_listed(names)}", todo)

    def fault(self, at: tuple[Key, ...], found: str, expected: str, todo: str) -> None:
        line = line_of(self.text, at)
        place = f"line {line}" if line else None
        self.told.append((line or 0, Fault(self.file, place, found, expected, todo)))


def line_of(text: str, at: tuple[Key, ...]) -> int | None:
    """The line where the statement of a key ends: the shortest start of the text that has it."""
    lines = text.splitlines(keepends=True)
    first = 0
    if len(at) > 1 and isinstance(at[0], str) and isinstance(at[1], int):
        # Of a long list of tables only the one that is meant: each try reads all lines again.
        starts = table_lines(text, at[0])
        if at[1] < len(starts):
            first, at = starts[at[1]] - 1, (at[0], 0, *at[2:])
    for count in range(first + 1, len(lines) + 1):
        try:
            found: object = tomllib.loads("".join(lines[first:count]))
        except tomllib.TOMLDecodeError:
            continue
        if at and _has(found, at):
            return count
    return None


@lru_cache(maxsize=4)  # asked for each fault of a file
def table_lines(text: str, name: str) -> tuple[int, ...]:
    """The lines of `[[name]]`; none where they can't be told from the lines of a long text."""
    head = re.compile(rf"[ \t]*\[\[[ \t]*{re.escape(name)}[ \t]*\]\]")
    found = [n for n, line in enumerate(text.splitlines(), 1) if head.match(line)]
    try:
        tables = tomllib.loads(text).get(name)
    except tomllib.TOMLDecodeError:
        return ()
    return tuple(found) if isinstance(tables, list) and len(tables) == len(found) else ()


def _has(value: object, at: Sequence[Key]) -> bool:
    if not at:
        return True
    key, *rest = at
    if isinstance(value, dict):
        return key in value and _has(value[key], rest)
    if isinstance(value, list) and isinstance(key, int):
        return key < len(value) and _has(value[key], rest)
    return False


def shown(at: tuple[Key, ...]) -> str:
    """`tables."sales.orders".module`, `source 2.path`."""
    parts = [
        key if not isinstance(key, str) or re.fullmatch(r"[\w-]+", key) else f'"{key}"'
        for key in at
    ]
    words = [f" {part + 1}" if isinstance(part, int) else f".{part}" for part in parts]
    return "".join(words).removeprefix(".")


def _quoted(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def _listed(words: Iterable[str]) -> str:
    return f"one of {', '.join(words)}"


# Checks ------------------------------------------------------------------------------------------


def text(value: object) -> str:
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value
    raise Unfit("a text in quotes, not empty, in one line")


def texts(value: object) -> tuple[str, ...]:
    """One text or a list of them."""
    if isinstance(value, list):
        return tuple(text(item) for item in value)
    return (text(value),)


def words(value: object) -> tuple[str, ...]:
    """A list of texts, each of which may be empty."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise Unfit("a list of texts in quotes")


def flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise Unfit("true or false")


def one_of(*choices: str, synonyms: Mapping[str, str] = MappingProxyType({})) -> Check:
    """One of some words; a synonym is not taken, but told as the nearest."""

    def check(value: object) -> str:
        if isinstance(value, str) and value in choices:
            return value
        word = value.lower() if isinstance(value, str) else ""
        near = [synonyms[word]] if word in synonyms else get_close_matches(word, choices, 1)
        raise Unfit(_listed(choices), f"Did you mean {near[0]}?" if near else "Change it.")

    return check
