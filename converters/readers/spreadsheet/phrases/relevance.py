"""When a field is asked at all, and constraints: the public readings of machine syntax."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from ruleferry.converters.predicates import Absent, Range, Scope
from ruleferry.converters.readers.spreadsheet.phrases.assemble import merged, of_check
from ruleferry.converters.readers.spreadsheet.phrases.cell import read_phrase
from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    HERE,
    PRESENT,
    UNIQUE,
    Claims,
    on_column,
    row,
    typed,
)
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Source,
    TooManyReadings,
    before,
    end,
    opt,
    then,
)
from ruleferry.converters.readers.spreadsheet.phrases.conditions import Test, negated, test
from ruleferry.converters.readers.spreadsheet.phrases.constraints import constraint
from ruleferry.converters.readers.spreadsheet.phrases.machine import whole
from ruleferry.converters.readers.spreadsheet.phrases.schematic import is_schematic, read_schematic
from ruleferry.converters.readers.spreadsheet.phrases.tokens import CannotCut, Tokens, cut
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import one_of, phrases, strings
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting, Statement
from ruleferry.converters.rule import NotARule, Row, Unread

_in_words: Parser[Test] = before(then(opt(one_of("if")), test), end)


def read_relevance(text: str, setting: Setting) -> Scope | Unread:
    """The condition under which a field is asked."""
    try:
        source = Source(cut(text), setting)
    except CannotCut as fault:
        return Unread("not_understood", str(fault))
    for parser in (whole, _in_words):
        try:
            found = list(dict.fromkeys(meaning for meaning, _ in parser(source, 0)))
        except TooManyReadings:
            continue
        clean = [meaning for meaning in found if not isinstance(meaning, Unread)]
        if len(clean) == 1:
            return clean[0]
        if clean:
            return Unread("not_understood", "the condition can be read in more than one way")
        if found:
            return found[0]
    return Unread("not_understood", "the condition is not understood as a whole")


def relevance_statements(text: str, column: Column, setting: Setting) -> tuple[Statement, ...]:
    """Skip logic states no rule, unless the profile wants the field empty where it isn't asked."""
    if setting.relevance == "off":
        reason = "relevance: it says when the field is asked, not what it may hold"
        return (replace(of_check(NotARule(reason)), columns=(column.name,)),)
    scope = read_relevance(text, setting)
    if isinstance(scope, Unread):
        gap = replace(scope, columns=(column.name,))
        return (of_check(gap),)
    absent = of_check(Row(Absent(column.name)))
    return (replace(absent, scope=negated(scope), action_word="warn"),)


def says_when_shown(text: str) -> bool:
    """One of its sentences says when the field is shown at all: `must be shown if x is 'Yes'`."""
    sentences = re.split(r"[\n;]|\.\s", text)
    return any(_shows(re.findall(r"\w+", sentence.casefold())) for sentence in sentences)


def _shows(words: list[str]) -> bool:
    of = {name: set(phrases(name, "shown")) & set(words) for name in ("shows", "under", "others")}
    return bool(of["shows"] and of["under"]) and not of["others"]


def read_constraint(text: str, column: Column, setting: Setting) -> tuple[Statement, ...]:
    """A constraint of XLSForm or schematic, a rule's name in one word, or a phrase."""
    token = text.strip()
    if token in strings("tokens") or token in strings("tokens_open"):
        return _of_claims(_of_token(token), column)
    if is_schematic(token):
        return read_schematic(token, column, setting)
    try:
        source = Source(cut(text), setting, column)
    except CannotCut as fault:
        return (of_check(Unread("not_understood", str(fault), (column.name,))),)
    claims = _constrained(source)
    if claims is not None:
        return _of_claims(claims, column)
    if _is_expression(source.tokens):
        gap = Unread("not_understood", "the expression is not understood as a whole")
        return _of_claims((gap,), column)
    return read_phrase(text, column, setting)


def _constrained(source: Source) -> Claims | None:
    try:
        found = list(dict.fromkeys(merged(claims) for claims, _ in constraint(source, 0)))
    except TooManyReadings:
        return None
    return found[0] if len(found) == 1 else None


def _is_expression(tokens: Tokens) -> bool:
    """Whether a point in it is the field, or a name in braces another one."""
    points = (after for token, after in pairwise(tokens) if token.norm == ".")
    return any(t.kind == "sign" or t.norm in (")", ",") for t in points) or any(
        t.kind == "ref" for t in tokens
    )


def _of_claims(claims: Claims, column: Column) -> tuple[Statement, ...]:
    return tuple(of_check(on_column(check, column.name, column)) for check in claims)


def _of_token(token: str) -> Claims:
    if token in strings("tokens_open"):
        code = strings("tokens_open")[token]
        return (Unread(code, f"{token} doesn't say what exactly it checks"),)
    match strings("tokens")[token]:
        case "present":
            return PRESENT
        case "unique":
            return UNIQUE
        case "nonnegative":
            return row(Range(HERE, low=0))
        case "positive":
            return row(Range(HERE, low=0, low_open=True))
        case sort:
            return typed(sort)
