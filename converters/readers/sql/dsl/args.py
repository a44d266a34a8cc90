"""The arguments of a test: taken one by one, so that one that nobody knows makes a gap."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.predicates import Value
from ruleferry.converters.readers.json_text import Json, json_text
from ruleferry.converters.readers.yaml_text import Doubtful


@dataclass(slots=True)
class Args:
    """`of` names the test. Every method raises Unreadable for what it can't take."""

    of: str
    given: Mapping[str, Json]
    taken: set[str] = field(default_factory=set)

    def raw(self, name: str) -> Json:
        self.taken.add(name)
        found = self.given.get(name)
        refuse_doubt(found, name)
        return found

    def has(self, name: str) -> bool:
        return self.given.get(name) is not None

    def text(self, name: str) -> str | None:
        found = self.raw(name)
        if found is None or isinstance(found, str):
            return found
        raise _other(name, "a text", found)

    def sql(self, name: str) -> str | None:
        """A piece of SQL, in which a placeholder may stand."""
        self.taken.add(name)
        found = self.given.get(name)
        if found is None or (isinstance(found, str) and not isinstance(found, Doubtful)):
            return found
        raise _other(name, "a condition", found)

    def needed(self, name: str) -> str:
        found = self.text(name)
        if not found:
            raise Unreadable("malformed", f"it has no {name}")
        return found

    def flag(self, name: str, *, default: bool) -> bool:
        found = self.raw(name)
        if found is None:
            return default
        if isinstance(found, bool):
            return found
        raise _other(name, "true or false", found)

    def number(self, name: str) -> int | Decimal | None:
        found = self.raw(name)
        if found is None:
            return None
        value = exact(found)
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise _other(name, "a number", found)
        return value

    def texts(self, *names: str) -> tuple[str, ...]:
        """A list of texts, or one, under the first of the names that is there."""
        name = next((name for name in names if self.has(name)), names[0])
        found = self.raw(name)
        listed = found if isinstance(found, list) else [found]
        if found is None or not listed or not all(isinstance(one, str) and one for one in listed):
            raise _other(name, "a list of names", found)
        return tuple(str(one) for one in listed)

    def values(self, name: str) -> tuple[Json, ...]:
        found = self.raw(name)
        if not isinstance(found, list):
            raise _other(name, "a list", found)
        if any(isinstance(one, list | dict) for one in found):
            raise _other(name, "a list of values", found)
        return tuple(found)

    def done(self) -> None:
        """What is left is known to nobody."""
        left = sorted(name for name in self.given if name not in self.taken)
        if left:
            raise Unreadable("unknown_shape", f"{', '.join(left)} of {self.of} is not known")


def _other(name: str, wanted: str, found: Json) -> Unreadable:
    shown = json_text(found) if found is not None else "nothing"
    return Unreadable("malformed", f"{name}: {wanted} was expected, found {shown[:80]}")


def refuse_doubt(value: Json, name: str) -> None:
    """What versions of YAML read differently, and what a template fills in at each run."""
    for one in _all(value):
        if isinstance(one, Doubtful):
            raise Unreadable("doubtful_yaml", f"{name}: {one} is a text, or {one.meant}")
        if isinstance(one, str) and ("{{" in one or "{%" in one):
            raise Unreadable("template", f"{name}: a placeholder stands in it: {one[:80]}")


def _all(value: Json) -> list[Json]:
    found: list[Json] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            waiting += one.values()
        else:
            found.append(one)
    return found


def exact(value: Json) -> Value:
    """A number with the digits that were written. Raises Unreadable for what is no value."""
    match value:
        case None | bool() | int() | str():
            return value
        case Decimal():
            return Decimal(value)
        case float() if value - value == 0:
            return Decimal(repr(value))
    raise Unreadable("malformed", f"{value} is no value")
