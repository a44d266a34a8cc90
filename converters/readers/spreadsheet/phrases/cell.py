"""A cell of phrases: each sentence a statement of its own, or a gap."""

from __future__ import annotations

from dataclasses import replace

from ruleferry.converters.predicates import Absent, Present
from ruleferry.converters.readers.spreadsheet.phrases.assemble import Sentence, of_check
from ruleferry.converters.readers.spreadsheet.phrases.combine import Source, TooManyReadings
from ruleferry.converters.readers.spreadsheet.phrases.sentences import readings
from ruleferry.converters.readers.spreadsheet.phrases.split import sentences
from ruleferry.converters.readers.spreadsheet.phrases.tokens import CannotCut, Tokens, cut
from ruleferry.converters.readers.spreadsheet.phrases.why import NOT_ALL, may_limit, why_not
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting, Statement
from ruleferry.converters.rule import NotARule, Row, Unread

# Signs of a sentence that a reason repeats.
_LONGEST = 80


def read_phrase(text: str, column: Column | None, setting: Setting) -> tuple[Statement, ...]:
    """The rules of a cell of free text; `column` is the field in whose row it stands."""
    try:
        tokens = cut(text)
    except CannotCut as fault:
        return (_of_field(of_check(Unread("not_understood", str(fault))), column),)
    found: list[tuple[Tokens, Sentence]] = []
    it: str | None = None
    for words in sentences(tokens):
        read = read_sentence(Source(words, setting, column, it))
        found.append((words, read))
        it = read.it
    if len(found) > 1:
        found = [(words, _telling(words, read)) for words, read in found]
    statements = _beside(found)
    return tuple(_of_field(s, column) for s in _agreeing(statements))


def read_sentence(source: Source) -> Sentence:
    """The one meaning of all complete readings, or why there is none."""
    try:
        found = list(dict.fromkeys(readings(source)))
    except TooManyReadings:
        return Sentence((of_check(Unread("not_understood", "it is too long to be sure of it")),))
    clean = [r for r in found if not any(isinstance(s.check, Unread) for s in r.statements)]
    meanings = list(dict.fromkeys(r.statements for r in clean))
    if len(meanings) == 1:
        return clean[0]
    if meanings:
        reason = "it can be read in more than one way"
        return Sentence((of_check(Unread("not_understood", reason)),))
    if found:
        return found[0]
    return Sentence((of_check(why_not(source)),))


def _telling(words: Tokens, read: Sentence) -> Sentence:
    """Of several sentences a gap says which it is."""
    said = f'not all of it is understood: "{_shown(words)}"'
    statements = tuple(
        replace(s, check=replace(NOT_ALL, reason=said)) if s.check == NOT_ALL else s
        for s in read.statements
    )
    return replace(read, statements=statements)


def _shown(words: Tokens) -> str:
    text = " ".join(token.text for token in words)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _beside(found: list[tuple[Tokens, Sentence]]) -> tuple[Statement, ...]:
    """All statements; rules beside a sentence that may limit them and is not read are gaps too."""
    unread = [
        words for words, read in found if any(isinstance(s.check, Unread) for s in read.statements)
    ]
    statements = tuple(s for _, read in found for s in read.statements)
    limit = next((words for words in unread if may_limit(words)), None)
    if limit is None:
        return statements
    told = f'what else the cell says may limit it: "{_shown(limit)}"'
    gap = of_check(Unread("not_understood", told))
    return tuple(
        s if isinstance(s.check, Unread | NotARule) else replace(gap, columns=s.columns)
        for s in statements
    )


def _agreeing(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """A cell that wants a field filled and empty, or filled and optional, states neither."""
    present = {_there(s) for s in statements} - {""}
    absent = {_gone(s) for s in statements} - {""}
    optional = any(isinstance(s.check, NotARule) and s.check.permits for s in statements)
    both = present if optional else present & absent
    if not both:
        return statements
    gap = of_check(Unread("contradiction", "the cell wants the field filled, and also not"))
    return tuple(
        replace(gap, columns=s.columns) if {_there(s), _gone(s)} & both else s for s in statements
    )


def _there(found: Statement) -> str:
    match found.check:
        case Row(Present(column)):
            return column
    return ""


def _gone(found: Statement) -> str:
    match found.check:
        case Row(Absent(column)):
            return column
    return ""


def _of_field(found: Statement, column: Column | None) -> Statement:
    """A gap of a field's cell names the field."""
    if column is None or not isinstance(found.check, Unread) or found.columns:
        return found
    check = replace(found.check, columns=(column.name,))
    return replace(found, check=check, columns=(column.name,))
