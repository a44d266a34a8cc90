"""A statement as it is written -> a text that parses, with stand-ins for its placeholders.

Comments are stepped over. In code a placeholder becomes an identifier, together with the name that
it is glued to; a literal that is nothing but a placeholder becomes one as a whole; in a longer
literal the stand-in takes the placeholder's place. Where a value is known it is written out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from re import Match

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.found import STAND_IN, Macro, Prepared
from ruleferry.converters.readers.sql.macros import filling, place
from ruleferry.converters.readers.sql.macros.styles import BOUND, MARKED, PASTED, Styles, styles_of
from ruleferry.converters.readers.sql.macros.written_name import Held, Of, held_by

_TRIGGER = re.compile(r"[:&$#@{?]|%%|%s|%\(|<<")
_GLUE_LEFT = re.compile(r"[\w$]+\Z")
_GLUE_RIGHT = re.compile(r"[\w$]+")
_TYPED = re.compile(r"\b(?:DATE|TIMESTAMP|TIMESTAMPTZ|TIME|DATETIME|INTERVAL)\s*\Z", re.I)
_BEFORE_NAME = re.compile(
    r"(?:\b(?:FROM|JOIN|INTO|UPDATE|TABLE|LIKE|AND|BETWEEN)|[.=<>])\s*\Z", re.I
)
_SEEN = 200  # as much of the code before a placeholder is looked at


def prepare(text: str, dialect: SqlDialect, wrapper: str, values: Mapping[str, object]) -> Prepared:
    """`values`: by the bare names of parameters, of any case. Never raises."""
    if not _TRIGGER.search(text):
        return Prepared(text)
    work = _Work(text, dialect, wrapper, filling.by_name(values), styles_of(dialect, wrapper))
    return work.done()


@dataclass(slots=True)
class _Work:
    """One pass over a text, from left to right."""

    text: str
    dialect: SqlDialect
    wrapper: str
    values: Mapping[str, object]
    styles: Styles
    out: list[str] = field(default_factory=list)
    before: str = ""  # the code so far, without comments: its end
    macros: dict[str, Macro] = field(default_factory=dict)
    filled: dict[str, Macro] = field(default_factory=dict)
    config: dict[str, object] = field(default_factory=dict)
    unread: str = ""
    number: int = 0
    marks: int = 0

    def done(self) -> Prepared:
        taken = re.findall(rf"{STAND_IN}(\d+)_", self.text, re.I)
        self.number = max((int(digits) for digits in taken if len(digits) < 9), default=0)
        at = 0
        while found := self.styles.code.search(self.text, at):
            at = self._step(found, at)
        self._emit(self.text[at:])
        return Prepared(
            "".join(self.out), self.macros, tuple(self.filled.values()), self.unread, self.config
        )

    def _step(self, found: Match[str], at: int) -> int:
        """Takes the text from `at` over what was found; where to go on."""
        between = self.text[at : found.start()]
        if found.lastgroup == "comment":
            found = self._marked(found, between) or found
        kind = found.lastgroup or ""
        if kind in PASTED:
            glued = _GLUE_LEFT.search(between)
            left = glued[0] if glued and not place.is_word(glued[0]) else ""
            self._emit(between[: len(between) - len(left)])
            return self._pasted(found, left)
        self._emit(between)
        if kind in BOUND:
            self._bound(found, kind)
        else:
            self._other(found, kind)
        return found.end()

    def _marked(self, found: Match[str], between: str) -> Match[str] | None:
        """`FROM #STG.orders` of MySQL: # begins no comment there."""
        before = self.before + between
        return MARKED.match(self.text, found.start()) if _BEFORE_NAME.search(before) else None

    def _emit(self, text: str) -> None:
        self.out.append(text)
        self.before = (self.before + text)[-_SEEN:]

    def _other(self, found: Match[str], kind: str) -> None:
        text = found[0]
        if kind == "comment":
            self.out.append(text)
            self.before += " "
        elif kind == "literal":
            self._literal(text)
        elif kind == "name":
            self._quoted_name(text)
        elif kind in ("note", "default"):
            self._emit(" ")
        else:  # a block, a choice, a call of a macro
            self._refuse(f"{_short(text)} is not evaluated")
            self._emit(self._stand_in(text, "", whole=False) if kind == "call" else " ")

    def _refuse(self, reason: str) -> None:
        self.unread = self.unread or reason

    # Placeholders in code ----------------------------------------------------------------------

    def _bound(self, found: Match[str], kind: str) -> None:
        if kind == "mark" and self._is_operator():
            return self._emit("?")
        if kind == "mark":
            self.marks += 1
        held = self._held(found[0], kind)
        value = self._beside(held, kind)
        is_name = place.is_name(self.before, self.text[found.end() :][:_SEEN])
        if value is None or (is_name and isinstance(held.value, str)):
            return self._emit(self._stand_in(found[0], held.name))
        self._fill(held)
        return self._emit(value)

    def _beside(self, held: Held, kind: str) -> str | None:
        """psql pastes what other tools hand over beside the text."""
        if kind == "colon" and self.dialect.parser == "postgres" and not held.is_open:
            return filling.pasted(held.value, self.dialect)
        return held.literal(self.dialect)

    def _is_operator(self) -> bool:
        return self.dialect.parser == "postgres" and place.after_operand(self.before)

    def _held(self, text: str, kind: str) -> Held:
        return held_by(text, Of(kind, self.wrapper, self.values, self.marks))

    def _pasted(self, found: Match[str], left: str) -> int:
        """A placeholder with the name around it."""
        if self._is_and(found, left):
            self._emit(left + found[0])
            return found.end()
        parts: list[str | Held] = [left] if left else []
        at = found.end()
        one: Match[str] | None = found
        while one:
            parts.append(self._held(one[0], one.lastgroup or ""))
            at = one.end()
            if rest := _GLUE_RIGHT.match(self.text, at):
                parts.append(rest[0])
                at = rest.end()
            after = self.styles.code.match(self.text, at)
            one = after if after and after.lastgroup in PASTED else None
        self._glued(parts, self.text[found.start() - len(left) : at], self.text[at:][:_SEEN])
        return at

    def _is_and(self, found: Match[str], left: str) -> bool:
        """`flags &mask`: an operator, but in dialects that have none of this sign."""
        if found.lastgroup != "amp" or self.dialect.name in ("oracle", "snowflake", "teradata"):
            return False
        return bool(left) or place.after_operand(self.before)

    def _glued(self, parts: list[str | Held], written: str, after: str) -> None:
        held = [part for part in parts if isinstance(part, Held)]
        if len(parts) == 1 and held[0].is_config:
            self.config.update(held[0].config)
            return self._emit(" ")
        for one in held:
            self._refuse_if(one.unread)
        is_name = place.is_name(self.before, after)
        if not is_name and place.after_operand(self.before):
            self._refuse(f"{_short(written)} stands where a clause would")
        filled = self._alone(held[0], is_name) if len(parts) == 1 else _joined(parts)
        if filled is None:
            name = held[0].name
            return self._emit(self._stand_in(written, name, whole=len(parts) == 1))
        for one in held:
            self._fill(one)
        return self._emit(filled)

    def _refuse_if(self, reason: str) -> None:
        if reason:
            self._refuse(reason)

    def _alone(self, held: Held, is_name: bool) -> str | None:
        if held.table:
            return held.table_text
        if is_name or held.names:
            return filling.as_name(held.value)
        return None if held.is_open else filling.pasted(held.value, self.dialect)

    def _fill(self, held: Held) -> None:
        self.filled[held.written] = held.macro()

    def _stand_in(self, written: str, name: str, *, whole: bool = True) -> str:
        macro = Macro(written, name, whole=whole)
        for key, known in self.macros.items():
            if known == macro and written != "?":
                return key
        self.number += 1
        key = f"{STAND_IN}{self.number}_"
        self.macros[key] = macro
        return key

    # Placeholders in literals and quoted names ---------------------------------------------------

    def _literal(self, text: str) -> None:
        start, end = _bounds(text)
        inner = text[start:end]
        found = [one for one in self.styles.literal.finditer(inner) if self._counts(one, inner)]
        if not found:
            return self._emit(text)
        if len(found) == 1 and found[0][0] == inner and not _TYPED.search(self.before):
            return self._whole_literal(text, inner, found[0])
        return self._emit(text[:start] + self._within(inner, found, text) + text[end:])

    def _counts(self, found: Match[str], inner: str) -> bool:
        if found.lastgroup == "percent":
            return not re.search(r"LIKE\s*\(?\s*\Z", self.before, re.I)
        if found.lastgroup == "curly" and found[0] == inner and self.dialect.parser == "postgres":
            # An array's text beside an operator of arrays.
            return not re.search(r"(?:@>|<@|&&|#>>?|ANY\s*\()\s*\Z", self.before, re.I)
        return True

    def _whole_literal(self, text: str, inner: str, found: Match[str]) -> None:
        held = self._held(inner, found.lastgroup or "")
        self._refuse_if(held.unread)
        value = self._escaped(held, text)
        if value is None:
            return self._emit(self._stand_in(text, held.name))
        self._fill(held)
        start, end = _bounds(text)
        return self._emit(text[:start] + value + text[end:])

    def _within(self, inner: str, found: list[Match[str]], text: str) -> str:
        parts, at = [], 0
        for one in found:
            held = self._held(one[0], one.lastgroup or "")
            self._refuse_if(held.unread)
            value = self._escaped(held, text)
            if value is None:
                value = self._stand_in(one[0], held.name, whole=False)
            else:
                self._fill(held)
            parts += [inner[at : one.start()], value]
            at = one.end()
        return "".join([*parts, inner[at:]])

    def _escaped(self, held: Held, literal: str) -> str | None:
        """The value within this literal's quotes; None where that can't be said safely."""
        text = None if held.is_open else filling.as_text(held.value)
        if text is None:
            return None
        prefix = literal[: _bounds(literal)[0]].lower()
        quote = prefix[-1:]
        if prefix.strip("n") in ("'", '"'):
            return filling.within(text, self.dialect, quote)
        return text if re.fullmatch(r"[\w .:/+-]*", text) else None

    def _quoted_name(self, text: str) -> None:
        """A part of a name that holds a placeholder becomes a stand-in within its quotes."""
        inner, quote, close = text[1:-1], text[0], text[-1]
        parts = inner.split(".") if self.dialect.name == "bigquery" else [inner]
        self._emit(quote + ".".join(self._name_part(part) for part in parts) + close)

    def _name_part(self, part: str) -> str:
        found = list(self.styles.literal.finditer(part))
        if not found:
            return part
        held = [self._held(one[0], one.lastgroup or "") for one in found]
        for one in held:
            self._refuse_if(one.unread)
        written, at = [], 0
        for match, one in zip(found, held, strict=True):
            text = None if one.is_open else filling.as_text(one.value)
            written += [part[at : match.start()], text]
            at = match.end()
        whole = [*written, part[at:]]
        name = None if None in whole else filling.as_part("".join(filter(None, whole)))
        if name is None:
            return self._stand_in(part, held[0].name, whole=False)
        for one in held:
            self._fill(one)
        return name


def _bounds(literal: str) -> tuple[int, int]:
    """Where the text of a literal begins and ends, prefix and quotes left out."""
    if found := re.match(r"[nN]?[qQ]'.", literal, re.DOTALL):
        return found.end(), len(literal) - 2
    if found := re.match(r"\$\w*\$", literal):
        return found.end(), len(literal) - len(found[0])
    found = re.match(r"\w*('''|\"\"\"|'|\")", literal)
    assert found is not None
    long = len(found[1]) == 3 and len(literal) >= found.end() + 3
    start = found.end() if long or len(found[1]) == 1 else found.end() - 2
    return start, len(literal) - (3 if long else 1)


def _joined(parts: list[str | Held]) -> str | None:
    texts = []
    for part in parts:
        text = part if isinstance(part, str) else part.part()
        if text is None:
            return None
        texts.append(text)
    return filling.as_part("".join(texts))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"
