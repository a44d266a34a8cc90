"""A rules module as text whose entries can be changed one by one; all else stays as it is.

Read by how its lines are indented, with other code than the product's.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_OPENS = re.compile(r"([A-Z_]+) = \{(\}?)")
_NAMED = re.compile(r'    "([^"]+)":')
RULES = re.compile(r"((FIGURE|SCHEMA|QUERY)_)?RULES_(FAIL|DROP|WARN)")


@dataclass
class Item:
    """One entry with the comments above it; `lines` empty: it was taken out."""

    name: str
    above: list[str]
    lines: list[str]

    @property
    def text(self) -> str:
        """The SQL of the entry."""
        source = "\n".join(self.lines).partition(":")[2].strip().rstrip(",")
        return eval(source, {"__builtins__": {}})


@dataclass
class Dictionary:
    name: str
    items: list[Item] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        if not self.items:
            yield f"{self.name} = {{}}"
            return
        yield f"{self.name} = {{"
        for item in self.items:
            yield from item.above
            yield from item.lines
        yield "}"


@dataclass
class ModuleText:
    """`parts`: lines, and dictionaries among them."""

    parts: list

    @classmethod
    def of(cls, text: str) -> "ModuleText":
        parts: list = []
        lines = iter(text.split("\n"))
        for line in lines:
            opens = _OPENS.fullmatch(line)
            if opens is None:
                parts.append(line)
            elif opens[2]:
                parts.append(Dictionary(opens[1]))
            else:
                parts.append(_dictionary(opens[1], lines))
        return cls(parts)

    def dictionaries(self) -> dict[str, Dictionary]:
        return {part.name: part for part in self.parts if isinstance(part, Dictionary)}

    @property
    def table(self) -> str:
        """The table that it reads, without backticks and case."""
        (line,) = [p for p in self.parts if isinstance(p, str) and p.startswith("SOURCE_TABLE = ")]
        return line.partition("=")[2].strip().strip("\"'").replace("`", "").casefold()

    def __str__(self) -> str:
        return "\n".join(
            line
            for part in self.parts
            for line in (part.lines() if isinstance(part, Dictionary) else (part,))
        )

    def line_of(self, dictionary: str, name: str) -> int:
        """The number of the line that an entry begins with."""
        number = 0
        for part in self.parts:
            if not isinstance(part, Dictionary):
                number += 1
                continue
            lines = list(part.lines())
            if part.name == dictionary:
                here = [n for n, line in enumerate(lines, 1) if line.startswith(f'    "{name}":')]
                return number + here[0]
            number += len(lines)
        raise KeyError(dictionary)


def _dictionary(name: str, lines: Iterator[str]) -> Dictionary:
    found = Dictionary(name)
    above: list[str] = []
    for line in lines:
        named = _NAMED.match(line)
        if line == "}":
            return found
        if line.startswith("    #"):
            above.append(line)
        elif named:
            found.items.append(Item(named[1], above, [line]))
            above = []
        else:
            found.items[-1].lines.append(line)
    raise AssertionError(f"{name} does not end")


def written(name: str, value: object) -> list[str]:
    """An entry in one line."""
    return [f'    "{name}": {value!r},']


def split_over_lines(name: str, value: str) -> list[str]:
    """The same text, joined by Python from several literals."""
    middle = max(1, len(value) // 2)
    return [
        f'    "{name}": (',
        f"        {value[:middle]!r}  # the first half",
        f"        {value[middle:]!r}",
        "    ),",
    ]
