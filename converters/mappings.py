"""The tables of `mappings/` that more than one room reads, as frozen rows."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

from ruleferry.converters.account import Proposal, Takes
from ruleferry.converters.rule import Caveat, Grade

AskBy: TypeAlias = Literal["rule", "table", "file", "code", "column", "text", "reason"]
_WORST: tuple[Grade, ...] = ("differs", "assumed", "exact")


@dataclass(frozen=True, slots=True)
class Topic:
    """A code of gaps.toml or caveats.toml. `question` is None where nobody needs to be asked.

    `takes`: what an answer may be that is none of the proposals. `of_text`: it is about what the
    rule's own text was meant to say, and asked of a merged rule, too.
    """

    code: str
    title: str
    grade: Grade | None = None
    question: str | None = None
    ask_by: AskBy = "rule"
    proposals: tuple[Proposal, ...] = ()
    until: str = ""
    takes: Takes | None = None
    of_text: bool = False


def table(name: str) -> Mapping[str, object]:
    """`mappings/<name>.toml` as it stands."""
    return tomllib.loads((files("ruleferry") / "mappings" / f"{name}.toml").read_text("utf-8"))


@cache
def gaps() -> Mapping[str, Topic]:
    return _topics("gaps")


@cache
def caveats() -> Mapping[str, Topic]:
    return _topics("caveats")


def _topics(name: str) -> Mapping[str, Topic]:
    return {code: _topic(code, row) for code, row in table(name).items()}


def _topic(code: str, row: object) -> Topic:
    assert isinstance(row, dict)
    proposals = tuple(Proposal(*parts) for parts in row.pop("proposals", []))
    return Topic(code, proposals=proposals, **row)


def gap_titles() -> Mapping[str, str]:
    return {code: topic.title for code, topic in gaps().items()}


def caveat_titles() -> Mapping[str, str]:
    return {code: topic.title for code, topic in caveats().items()}


def grade_of(found: Iterable[Caveat]) -> Grade:
    """The worst grade that a caveat gives."""
    rows = caveats()
    grades = {rows[caveat.code].grade for caveat in found}
    return next((grade for grade in _WORST if grade in grades), "exact")


@cache
def kind_words() -> Mapping[str, str]:
    return {kind: str(word) for kind, word in table("names").items()}


@cache
def action_words() -> Mapping[str, str]:
    return {word: str(action) for word, action in table("actions").items()}
