"""The SELECT statement that is read: where it stands, and what it says of all of its rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.sql.found import Checked, Effect, Found, Label, Setting
from ruleferry.converters.readers.sql.shapes.checks import unread
from ruleferry.converters.readers.sql.shapes.places import place_of
from ruleferry.converters.readers.sql.shapes.rows import named_table
from ruleferry.converters.readers.sql.shapes.said import Said, alias_label


@dataclass(frozen=True, slots=True)
class Here:
    """`names`: of the result columns, from the first query of several; `part`: of its statement."""

    start: int
    end: int
    setting: Setting
    names: tuple[str, ...] = ()
    part: str = ""
    said: Said = field(default_factory=Said)

    def named(self, select: exp.Select) -> list[tuple[exp.Expression, str]]:
        """The items of a select list, each with the name of its column or ""."""
        names = [*self.names, *[""] * len(select.expressions)]
        return list(zip(select.expressions, names, strict=False))


@dataclass(frozen=True, slots=True)
class Part:
    """What of the statement a rule is: the tree that states it, and what that says."""

    tree: exp.Expression
    word: str = ""
    name: str = ""
    labels: tuple[Label, ...] = ()
    effect: Effect = field(default_factory=lambda: Effect("select"))


def found(checked: Checked, part: Part, here: Here) -> Found:
    start, end = here.start, here.end
    word = joined(here.part, part.word)
    if word:
        start, end = place_of(part.tree, start, end, here.setting)
    labels = (*here.said.labels, *part.labels, *alias_label(part.name))
    return Found(checked, start, end, word, labels, part.effect, here.said.tags)


def joined(*words: str) -> str:
    return ", ".join(word for word in words if word)


def attempted(read: Callable[[], Checked], tree: exp.Expression, setting: Setting) -> Checked:
    """A part that can't be read doesn't hide the others."""
    try:
        return read()
    except Unreadable as fault:
        return unread(fault.code, fault.reason, named_table(tree, setting), setting)
