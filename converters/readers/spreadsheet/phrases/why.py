"""Why a sentence is not read: a process, a register, other records, a name, or no reason known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from ruleferry.converters.readers.spreadsheet.phrases.combine import Source, TooManyReadings
from ruleferry.converters.readers.spreadsheet.phrases.sentences import readings
from ruleferry.converters.readers.spreadsheet.phrases.tokens import Token, Tokens
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import phrases
from ruleferry.converters.rule import NotARule, Unread

_STAND_IN = "\0"
NOT_ALL = Unread("not_understood", "not all of it is understood")
_NO_COLUMN = "its subject is no column of the table"


def why_not(source: Source) -> Unread | NotARule:
    tokens = source.tokens
    subject = _subject_of_a_rule(source)
    if subject:
        return _by_words(subject) or Unread("name_unresolved", _NO_COLUMN)
    if all(t.norm in phrases("form_tags", "why") for t in tokens):
        return NotARule("it says how a form shows the field")
    process = _told("process", tokens)
    if process and not _names_a_column(source):
        return NotARule(f'it speaks of screens or of how the work is done: "{process}"')
    several = _told("several", tokens)
    if several:
        return Unread("several_values", f'it speaks of several values of a field: "{several}"')
    if _told("partial", tokens) and _told("list", tokens):
        return Unread("partial_list", "the list in it is not complete")
    unit = _unit(tokens)
    known = Unread("unit", f"a value in it is in {unit}") if unit else None
    return _by_words(tokens) or known or NOT_ALL


def _by_words(tokens: Tokens) -> Unread | None:
    external = _told("external", tokens)
    if external:
        return Unread("external_authority", f'it refers to a register of others: "{external}"')
    others = _told("other_records", tokens)
    if others:
        return Unread("other_records", f'it speaks of other records or files: "{others}"')
    return None


def _told(name: str, tokens: Tokens) -> str:
    """The first phrase of the table that stands in the sentence."""
    text = f" {' '.join(t.norm for t in tokens)} "
    return next((p for p in phrases(name, "why") if f" {p} " in text), "")


def _names_a_column(source: Source) -> bool:
    named = (t.text for t in source.tokens if t.kind in ("word", "quoted", "ref"))
    return any(source.setting.column_of(text) is not None for text in named)


def _unit(tokens: Tokens) -> str:
    """The word of measure beside a number, where something is said of the number."""
    if not any(t.norm in phrases("says_so", "beside_others") for t in tokens):
        return ""
    for number, following in pairwise(tokens):
        if number.kind == "number" and following.norm in phrases("units", "why"):
            return following.text
    return ""


def _subject_of_a_rule(source: Source) -> Tokens:
    """The first words, where the sentence is read once they are taken for a column's name."""
    for place, token in enumerate(source.tokens[:10]):
        if place and token.norm in phrases("verbs", "beside_others"):
            stand_in = Token("ref", _STAND_IN, _STAND_IN)
            setting = replace(source.setting, column_of=_known_too(source.setting.column_of))
            trial = replace(source, tokens=(stand_in, *source.tokens[place:]), setting=setting)
            return source.tokens[:place] if _is_read(trial) else ()
    return ()


def _is_read(source: Source) -> bool:
    try:
        return bool(readings(source))
    except TooManyReadings:
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
