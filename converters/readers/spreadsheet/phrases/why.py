"""Why a sentence is not read: a process, a register, other records, a name, or no reason known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from ruleferry.converters.readers.spreadsheet.phrases.combine import Source
from ruleferry.converters.readers.spreadsheet.phrases.sentences import readings
from ruleferry.converters.readers.spreadsheet.phrases.tokens import Token, Tokens
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import phrases
from ruleferry.converters.rule import NotARule, Unread

_STAND_IN = "\0"


def why_not(source: Source) -> Unread | NotARule:
    tokens = source.tokens
    if _would_be_read(source):
        return Unread("name_unresolved", "its subject is no column of the table")
    process = _told("process", tokens)
    if process and not _names_a_column(source):
        return NotARule(f'it speaks of screens or of how the work is done: "{process}"')
    if _told("partial", tokens):
        return Unread("partial_list", "the list in it is not complete")
    external = _told("external", tokens)
    if external:
        return Unread("external_authority", f'it refers to a register of others: "{external}"')
    others = _told("other_records", tokens)
    if others:
        return Unread("other_records", f'it speaks of other records or files: "{others}"')
    unit = _unit(tokens)
    if unit:
        return Unread("unit", f"a value in it is in {unit}")
    return Unread("not_understood", "its words are not all understood")


def _told(name: str, tokens: Tokens) -> str:
    """The first phrase of the table that stands in the sentence."""
    text = f" {' '.join(t.norm for t in tokens)} "
    return next((p for p in phrases(name, "why") if f" {p} " in text), "")


def _names_a_column(source: Source) -> bool:
    named = (t.text for t in source.tokens if t.kind in ("word", "quoted", "ref"))
    return any(source.setting.column_of(text) is not None for text in named)


def _unit(tokens: Tokens) -> str:
    for number, following in pairwise(tokens):
        if number.kind == "number" and following.norm in phrases("units", "why"):
            return following.text
    return ""


def _would_be_read(source: Source) -> bool:
    """Whether the sentence is read when its first words are taken for a column's name."""
    for place, token in enumerate(source.tokens[:10]):
        if place and token.norm in phrases("verbs", "beside_others"):
            stand_in = Token("ref", _STAND_IN, _STAND_IN)
            setting = replace(source.setting, column_of=_known_too(source.setting.column_of))
            trial = replace(source, tokens=(stand_in, *source.tokens[place:]), setting=setting)
            return bool(readings(trial))
    return False


def _known_too(column_of: Callable[[str], str | None]) -> Callable[[str], str | None]:
    return lambda name: name if name == _STAND_IN else column_of(name)


def may_limit(tokens: Tokens) -> bool:
    """Whether an unread sentence may say more of the rules beside it in the cell."""
    norms = [t.norm for t in tokens]
    if any(n in phrases("limits", "beside_others") for n in norms):
        return True
    if norms[0] in phrases("starts", "beside_others") or norms[-1] in (":", ","):
        return True
    return not any(n in phrases("demands", "beside_others") for n in norms)
