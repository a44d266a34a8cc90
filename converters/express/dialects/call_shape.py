"""A call with its arguments translated, as the rules in code get it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.terms import literal_text, refuse, whole_literal


@dataclass(frozen=True, slots=True)
class Call:
    """`read` translates what stands in an argument that is given as it is written."""

    name: str
    terms: tuple[Term, ...]
    here: Dialectal
    read: Callable[[exp.Expression], Term]

    def __len__(self) -> int:
        return len(self.terms)

    def tree(self, at: int) -> exp.Expression:
        return self.terms[at].tree

    @property
    def trees(self) -> list[exp.Expression]:
        return [term.tree for term in self.terms]

    def whole(self, at: int, default: int | None = None) -> int:
        """A number that must be written out."""
        if at >= len(self.terms) and default is not None:
            return default
        value = whole_literal(self.tree(at))
        if value is None:
            raise refuse(f"{self.name}() is certain only with its numbers written out")
        return value

    def word(self, at: int, default: str | None = None) -> str:
        """A text that must be written out."""
        if at >= len(self.terms) and default is not None:
            return default
        value = literal_text(self.tree(at))
        if value is None:
            raise refuse(f"{self.name}() is certain only with its texts written out")
        return value

    def refused(self, reason: str) -> Exception:
        return refuse(f"{self.name}() {reason}")


Rule: TypeAlias = Callable[[Call], Term]
