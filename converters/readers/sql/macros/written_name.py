"""What a placeholder says of itself: its bare name, a default, a table, or that it is code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.found import Macro
from ruleferry.converters.readers.sql.macros import filling, jinja, words

_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Of:
    """What is known beside its text. `mark`: the number of a positional one."""

    kind: str
    wrapper: str
    values: Mapping[str, object]
    mark: int = 0


@dataclass(frozen=True, slots=True)
class Held:
    written: str
    name: str
    value: object = None
    is_open: bool = True  # there is no value
    table: str | None = None
    parts: tuple[str, ...] = ()
    unread: str = ""
    is_config: bool = False
    config: Mapping[str, object] = field(default_factory=dict)

    @property
    def names(self) -> bool:
        return self.name in words.names()

    @property
    def table_text(self) -> str | None:
        """As identifiers; None where a part is none."""
        return ".".join(self.parts) if all(_PLAIN.fullmatch(p) for p in self.parts) else None

    def literal(self, dialect: SqlDialect) -> str | None:
        return None if self.is_open else filling.as_literal(self.value, dialect)

    def part(self) -> str | None:
        if self.table:
            return self.table_text
        return None if self.is_open else filling.as_text(self.value)

    def macro(self) -> Macro:
        return Macro(self.written, self.name, self.value, self.table)


def held_by(text: str, of: Of) -> Held:
    if of.kind == "jinja":
        return _of_jinja(text, of)
    if of.kind == "block":
        return Held(text, "", unread=f"{_short(text)} is not evaluated")
    if of.kind == "brace" and of.wrapper == "dataform":
        return _of_dataform(text, of)
    name = f"?{of.mark}" if of.kind == "mark" else _bare(text)
    return _valued(text, name, of)


def _bare(text: str) -> str:
    """As the author spells it, without the signs around it."""
    inner = re.sub(r"\A[^\w]+|[^\w]+\Z", "", re.sub(r"\)s\Z", "", text))
    return re.sub(r"\A(?:hivevar|hiveconf|env|system|var):", "", inner) or text


def _valued(text: str, name: str, of: Of) -> Held:
    value = filling.value_of(name, of.values)
    if filling.is_missing(value):
        return Held(text, name)
    return Held(text, name, value, is_open=False)


def _of_jinja(text: str, of: Of) -> Held:
    found = jinja.read_expression(text[2:-2])
    if isinstance(found, jinja.Name):
        return _valued(text, found.dotted, of)
    if found is None:
        return Held(text, "", unread=f"{_short(text)} is not evaluated")
    return _of_call(text, found, of)


def _of_dataform(text: str, of: Of) -> Held:
    found = jinja.read_expression(text[2:-1])
    if isinstance(found, jinja.Name):
        return _valued(text, found.dotted, of)
    if isinstance(found, jinja.Call) and found.dotted == "self" and not found.arguments:
        return _valued(text, "self()", of)
    if isinstance(found, jinja.Call) and found.dotted == "ref" and found.known:
        return _table(text, found, found.arguments)
    return Held(text, "", unread=f"{_short(text)} is not evaluated")


def _of_call(text: str, call: jinja.Call, of: Of) -> Held:
    arguments = call.arguments
    if call.known and call.dotted == "config":
        return Held(text, "config", is_config=True, config=dict(call.named))
    if call.known and call.dotted == "ref" and not call.named:
        return _table(text, call, arguments[-1:])
    if call.known and call.dotted == "source" and len(arguments) == 2:
        return _table(text, call, arguments)
    if call.known and call.dotted in ("var", "env_var") and 1 <= len(arguments) <= 2:
        return _variable(text, call, of)
    return Held(text, "", unread=f"{_short(text)} is not evaluated")


def _table(text: str, call: jinja.Call, parts: tuple[object, ...]) -> Held:
    names = tuple(part for part in parts if isinstance(part, str) and part)
    if not names or len(names) != len(parts):
        return Held(text, "", unread=f"{_short(text)} is not evaluated")
    return Held(text, call.dotted, table=".".join(names), parts=names)


def _variable(text: str, call: jinja.Call, of: Of) -> Held:
    name = str(call.arguments[0])
    held = _valued(text, name, of)
    if not held.is_open or len(call.arguments) == 1 or call.arguments[1] is None:
        return held
    return Held(text, name, call.arguments[1], is_open=False)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"
