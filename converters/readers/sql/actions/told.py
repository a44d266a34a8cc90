"""The rules of one script while their actions are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ruleferry.converters.readers.sql.found import EffectKind, Found
from ruleferry.converters.readers.sql.shapes.written.parts import is_rule
from ruleferry.converters.readers.sql.shapes.written.tables import same_table
from ruleferry.converters.rule import Action, Check, Repeat


@dataclass(slots=True)
class Told:
    """`founds` in the order of the script; each step puts others in their places."""

    founds: list[Found]
    file: str
    atom_of: Callable[[Found], str]

    def rules(self, *kinds: EffectKind) -> Iterator[tuple[int, Found]]:
        """The rules of these effects, with their places."""
        for place, found in enumerate([*self.founds]):
            if found.effect.kind in kinds and is_rule(found):
                yield place, found

    def acts(self, place: int, action: Action, detail: str) -> None:
        """The first reason that is found stays; a statement's own word counts most."""
        found = self.founds[place]
        if found.effect.action is None:
            effect = replace(found.effect, action=action, detail=detail)
            self.founds[place] = replace(found, effect=effect)

    def check(self, place: int, check: Check) -> None:
        found = self.founds[place]
        self.founds[place] = replace(found, checked=replace(found.checked, check=check))

    def repeats(self, place: int, of: int) -> None:
        """The rule says again what the other one says."""
        self.check(place, Repeat(self.file, self.atom_of(self.founds[of])))


def on_same_table(one: Found, other: Found) -> bool:
    return _same(one.checked.table, other.checked.table)


def is_of(found: Found, table: str | None) -> bool:
    return _same(found.checked.table, table)


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and same_table(one, other)


def kept_in(found: Found) -> str:
    """What else becomes of the records that are dropped."""
    effect = found.effect
    return f"{effect.target} keeps them" if effect.kind in ("insert", "merge") else ""


def joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
