"""How a database compares texts: whether case counts, and blanks at the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import differs, literal_text
from ruleferry.converters.express.functions import call, called
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_types import STRING


@dataclass(frozen=True, slots=True)
class Collation:
    """`case`, `blanks`: they are ignored. `assumed`: nothing tells, a new database does so."""

    case: bool
    blanks: bool
    accents: bool = False
    assumed: bool = False
    binary: bool = False

    @property
    def exact(self) -> bool:
        return not self.case and not self.blanks


_IGNORED, _COUNTS = frozenset({"ci"}), frozenset({"cs", "bin", "bin2", "binary"})
# Of these dialects blanks at the end count in the comparison only by these collations.
_NO_PAD = re.compile(r"_0900_|^binary$|_nopad_", re.IGNORECASE)
_ALPHABETS = ("tsql", "mysql", "postgres", "db2", "netezza", "teradata")


def collation(here: Dialectal) -> Collation:
    """That of the database. Raises Refusal for a name that says nothing."""
    name = here.settings.collation
    if name is None:
        case = here.dialect.case == "ignored"
        accents = case and here.dialect.name == "mysql"
        return Collation(case, here.dialect.blanks == "ignored", accents, assumed=True)
    return named(name, here)


def named(name: str, here: Dialectal) -> Collation:
    words = set(re.split(r"[_\-. ]", name.lower()))
    case = bool(words & _IGNORED)
    known = bool(words & _COUNTS) or here.dialect.case != "ignored"
    if (not case and not known) or ("ai" in words and not case):
        raise differs(f"whether case counts by the collation {name} is not known")
    blanks = here.dialect.blanks == "ignored"
    if here.dialect.name == "mysql" and name.lower() not in ("ci", "cs"):
        blanks = _NO_PAD.search(name) is None
    accents = "ai" in words or (here.dialect.name == "mysql" and case and "as" not in words)
    binary = bool(words & {"bin", "bin2", "binary", "c", "posix"})
    return Collation(case, blanks, accents and case, binary=binary)


def of_terms(nodes: Iterable[exp.Expression], here: Dialectal) -> Collation:
    """By a COLLATE clause of one of them, else that of the database."""
    for node in nodes:
        found = node.find(exp.Collate)
        if found is not None:
            return named(found.expression.name, here)
    return collation(here)


# Comparing by it ----------------------------------------------------------------------------------


def folded(terms: Sequence[Term], by: Collation, here: Dialectal, *, order: bool) -> list[Term]:
    """Texts as ones that Spark compares byte by byte with the same result.

    What has no letters needs no lower(), unless letters are put in `order` with it.
    """
    literals = [literal_text(term.tree) for term in terms]
    plain = [value for value in literals if value is not None]
    all_plain = len(plain) + 1 >= len(terms)
    letters = any(value.lower() != value.upper() for value in plain)
    case = by.case and (letters or not all_plain or (order and not all(map(_is_low, plain))))
    if case:
        tell(by, here)
    if order and here.dialect.name in _ALPHABETS and not by.binary and not _all_low(plain, terms):
        here.tell("dialect_differs", _ORDER)
    return [Term(_folded(term.tree, case, by.blanks), STRING) for term in terms]


_ORDER = "the order of texts is that of Unicode; the source's collation may order some otherwise"


def tell(by: Collation, here: Dialectal) -> None:
    if by.assumed:
        accents = " and accents" if by.accents else ""
        detail = f"{here.dialect.called} compares texts without regard to case{accents}"
        here.tell("collation_assumed", f"{detail}, unless it was set up otherwise")
    elif by.accents:
        here.tell("dialect_differs", "the source's collation ignores accents, which count on Spark")


def _is_low(value: str) -> bool:
    """Digits and signs before the letters, wherever those stand."""
    return all(char < "A" for char in value)


def _all_low(plain: Sequence[str], terms: Sequence[Term]) -> bool:
    return len(plain) + 1 >= len(terms) and all(map(_is_low, plain))


def _folded(tree: exp.Expression, case: bool, blanks: bool) -> exp.Expression:
    value = literal_text(tree)
    if value is not None:
        value = value.lower() if case else value
        return exp.Literal.string(value.rstrip(" ") if blanks else value)
    if isinstance(bare(tree), exp.Null):
        return tree
    if case and _name(tree) != "lower":
        tree = call("lower", [tree])
    return call("rtrim", [tree]) if blanks and not _has_no_blanks(tree) else tree


def _name(tree: exp.Expression) -> str:
    return (called(bare(tree)) or ("", []))[0]


def _has_no_blanks(tree: exp.Expression) -> bool:
    """At its end."""
    name, arguments = called(bare(tree)) or ("", [])
    if name in ("rtrim", "trim") and len(arguments) == 1:
        return True
    return name in ("lower", "upper") and _has_no_blanks(arguments[0])
