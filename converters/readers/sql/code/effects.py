"""What code does where a condition holds, as far as its statements say so themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from ruleferry.converters.readers.sql.code.cursor import plain_message
from ruleferry.converters.readers.sql.code.nodes import (
    Assign,
    Block,
    Declare,
    Handler,
    If,
    Loop,
    Node,
    Raise,
    Skip,
    Span,
    Sql,
)
from ruleferry.converters.readers.sql.code.tokens import Token
from ruleferry.converters.readers.sql.found import Effect, Label

# What tables of errors are called; a log or an audit also holds what went well.
_ERRORS = re.compile(
    r"(?:^|[_.\W])(?:err|errs|errors?|rejects?|rejected|rej|exceptions?|excp|violations?|issues?"
    r"|fail|failed|failures?|dq|invalid|bad|quarantine|faults?|alerts?)(?:$|[_.\W])",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is done with it; `collected`: the variable that a text or a mark is put into.

    `sure`: a message that is a complaint, whatever it says.
    """

    effect: Effect
    labels: tuple[Label, ...] = ()
    collected: str = ""
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a statement: handlers from the inside out, what comes after it, texts of
    variables, declared exceptions with theirs. `undoes`: a ROLLBACK here refuses the record;
    `leaves_out`: RETURN NULL keeps it out of the table."""

    handlers: tuple[tuple[Handler, ...], ...] = ()
    later: tuple[tuple[Sequence[Node], int], ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    exceptions: Mapping[str, str] = field(default_factory=dict)
    undoes: bool = False
    leaves_out: bool = False
    table: str | None = None

    def after(self, nodes: Sequence[Node], place: int) -> Around:
        """What comes after a statement: the rest of each body around it, from the inside out."""
        return replace(self, later=((nodes, place + 1), *self.later))

    def following(self) -> Iterator[Node]:
        for nodes, place in self.later:
            yield from islice(nodes, place, None)

    def within(self, handlers: tuple[Handler, ...]) -> Around:
        return replace(self, handlers=(handlers, *self.handlers)) if handlers else self


def outcome(body: Sequence[Node], around: Around, tokens: Sequence[Token]) -> Outcome | None:
    """None where what is done depends on more, or is no complaint."""
    mild: Outcome | None = None
    for place, node in enumerate(body):
        match node:
            case Raise() if not node.again:
                found = _raised(node, around)
                if found.effect.kind == "raise":
                    return found
                mild = _better(mild, found)
            case Block():
                inner = outcome(node.body, around.within(node.handlers), tokens)
                if inner is not None and inner.effect.kind == "raise":
                    return inner
                mild = _better(mild, inner)
            case Skip() if around.undoes and node.what == "it takes a transaction back":
                undone = Effect("raise", detail="what is written is rolled back")
                mild = _better(mild, Outcome(undone))
            case Skip() if around.leaves_out and _is_null(node, tokens):
                gone = Effect(
                    "delete", around.table, action="drop", detail="the record is left out"
                )
                return _better(mild, Outcome(gone))
            case Skip() if node.leaves:
                break
            case Assign() if "." in "".join(node.variables):
                mild = _better(mild, _mark_of_record(node, around, tokens))
            case Assign():
                around = _with_text(node, around, tokens)
                mild = mild or _collected(node, tokens)
            case Sql():
                mild = _better(mild, _written(node, tokens) or _marked(node, tokens))
            case If() | Loop():
                # What it does may be left by an inner condition: only what came before is sure.
                if _may_leave(body[place:]):
                    return mild
            case _:
                pass
    return mild


def _is_null(node: Skip, tokens: Sequence[Token]) -> bool:
    words = [token.upper for token in tokens[node.span.first : node.span.last]]
    return words == ["RETURN", "NULL"]


def _better(one: Outcome | None, other: Outcome | None) -> Outcome | None:
    """A message beats a text in a variable, a record in a table of errors beats a message."""
    if one is None or other is None:
        return one or other
    ranks = {"notice": 1, "insert": 2}
    best = max((one, other), key=lambda o: 0 if o.collected else ranks.get(o.effect.kind, 3))
    labels = tuple(dict.fromkeys((*one.labels, *other.labels)))
    return replace(best, labels=labels)


def _may_leave(nodes: Sequence[Node]) -> bool:
    from ruleferry.converters.readers.sql.code.values import everything

    return any(isinstance(node, Raise | Skip) for node in everything(nodes[:1]))


# Errors and messages ------------------------------------------------------------------------------


def _raised(node: Raise, around: Around) -> Outcome:
    message = node.message or around.texts.get(node.variable, "")
    labels = _labels(message, node.name, around)
    if not node.stops:
        return Outcome(Effect("notice"), labels, sure=node.warns)
    return caught(node.name.upper(), labels, around)


def _labels(message: str, name: str, around: Around) -> tuple[Label, ...]:
    message = message or around.exceptions.get(name, "")
    if message:
        return (Label("message", message),)
    return (Label("name", name),) if name else ()


def caught(name: str, labels: tuple[Label, ...], around: Around) -> Outcome:
    """An error goes outwards until a handler keeps it."""
    for place, handlers in enumerate(around.handlers):
        handler = next((h for h in handlers if name and name in h.names), None)
        handler = handler or next((h for h in handlers if "OTHERS" in h.names), None)
        if handler is None:
            continue
        again = next((n for n in _straight(handler.body) if isinstance(n, Raise) and n.stops), None)
        if again is None:
            detail = "a handler catches the error, and the run goes on"
            told = _first_message(handler.body)
            return Outcome(Effect("notice", detail=detail), labels or told)
        if not any(label.kind == "message" for label in labels) and again.message:
            labels = (Label("message", again.message), *labels)
        rest = replace(around, handlers=around.handlers[place + 1 :])
        return caught(again.name.upper(), labels, rest)
    return Outcome(Effect("raise"), labels)


def _straight(body: Sequence[Node]) -> list[Node]:
    """What runs in any case."""
    found: list[Node] = []
    for node in body:
        found += _straight(node.body) if isinstance(node, Block) else [node]
    return found


def _first_message(body: Sequence[Node]) -> tuple[Label, ...]:
    texts = [n.message for n in _straight(body) if isinstance(n, Raise) and n.message]
    return (Label("message", texts[0]),) if texts else ()


def _with_text(node: Assign, around: Around, tokens: Sequence[Token]) -> Around:
    """SET @msg = 'text' before the statement that shows it."""
    text = literal(node.value, tokens)
    if not text:
        return around
    return replace(around, texts={**around.texts, **dict.fromkeys(node.variables, text)})


# Messages that say that all is well or what is done, and those that complain.
_WELL = re.compile(
    r"\b(?:ok|okay|pass|passed|passes|success\w*|succeeded|good|valid|clean|correct|load(?:ed|ing)"
    r"|insert(?:ed|ing)|updat(?:ed|ing)|process(?:ed|ing)?|complet\w*|done|finish\w*|start\w*|begin\w*"
    r"|end|ended|running|ready|created|copied|merged|deleted)\b",
    re.I,
)
_ILL = re.compile(
    r"(?:\b(?:ko|nok|not|no|non|without|bad|null|blank|empty|zero|must|can'?t|cannot|should|over|under"
    r"|below|above|before|after|later|earlier|more|less|too|future|gap|gaps|only|never|out of)\b"
    r"|fail|error|invalid|missing|negative|duplicat|wrong|mismatch|exceed|unknown|violat|reject|warn"
    r"|orphan|incorrect|unexpected|inconsisten|differ|overlap|unmatched|incomplete|alert|illegal"
    r"|unmapped|undefined|outside|corrupt|suspicious|problem|issue)",
    re.I,
)


# "no errors found"
_NOTHING_ILL = re.compile(
    r"\b(?:no|zero|0|without(?: any)?)\s+(?:\w+\s+)?(?:bad|invalid|err\w*|missing|duplicate\w*"
    r"|orphan\w*|negative\w*|violat\w*|problem\w*|issue\w*|null\w*|reject\w*|mismatch\w*"
    r"|difference\w*|fail\w*|warning\w*)\b",
    re.I,
)


def is_complaint(found: Outcome) -> bool | None:
    """None where its message does not tell."""
    if found.effect.kind != "notice" or found.sure or found.effect.detail:
        return True
    text = " ".join(label.text for label in found.labels)
    if _NOTHING_ILL.search(text):
        return False
    if _ILL.search(text):
        return True
    return False if _WELL.search(text) else None


# Marks, texts and records of errors ---------------------------------------------------------------


def literal(span: Span | None, tokens: Sequence[Token]) -> str:
    """The first literal of a value that says something."""
    if span is None:
        return ""
    for token in tokens[span.first : span.last]:
        if token.kind == "text" and (text := plain_message(token.value)):
            return text
    return ""


def _collected(node: Assign, tokens: Sequence[Token]) -> Outcome | None:
    """A text or a mark is put into a variable; to empty it is no complaint."""
    if len(node.variables) != 1 or "." in node.variables[0]:
        return None
    span = node.value
    if span is None:
        counts = node.told == "a running value"
        return Outcome(Effect("notice"), (), node.variables[0]) if counts else None
    text = literal(span, tokens)
    words = {token.upper or token.text for token in tokens[span.first : span.last]}
    numbers = {w for w in words if w.isdigit() and w.strip("0")}
    if not (text or numbers or "TRUE" in words):
        return None
    labels = (Label("message", text),) if text else ()
    return Outcome(Effect("notice"), labels, node.variables[0])


def _written(node: Sql, tokens: Sequence[Token]) -> Outcome | None:
    """INSERT INTO a table of errors, of values alone."""
    words = [token.upper for token in tokens[node.span.first : node.span.last]]
    if node.word != "INSERT" or "FROM" in words:
        return None
    target = target_of(node, tokens)
    if not target or not _ERRORS.search(target):
        return None
    text = literal(node.span, tokens)
    labels = (Label("message", text),) if text else ()
    return Outcome(Effect("insert", target), labels)


_MARKS = re.compile(
    r"(?:err|reject|invalid|valid|flag|status|remark|reason|comment|dq_|issue)", re.I
)


def _marked(node: Sql, tokens: Sequence[Token]) -> Outcome | None:
    """UPDATE t SET status = 'E' WHERE …: a mark beside a record."""
    if node.word != "UPDATE":
        return None
    words = [token.upper for token in tokens[node.span.first : node.span.last]]
    if "SET" not in words or "FROM" in words or "SELECT" in words:
        return None
    place = node.span.first + words.index("SET") + 1
    if place + 2 >= node.span.last or tokens[place + 1].text != "=":
        return None
    return _mark(tokens[place].value, tokens[place + 2], tokens[node.span.first + 1].value)


def _mark_of_record(node: Assign, around: Around, tokens: Sequence[Token]) -> Outcome | None:
    """NEW.status := 'INVALID'"""
    span = node.value
    if span is None or span.last - span.first != 1 or len(node.variables) != 1:
        return None
    return _mark(node.variables[0].rpartition(".")[2], tokens[span.first], around.table)


def _mark(column: str, value: Token, target: str | None) -> Outcome | None:
    if value.kind not in ("text", "number") or not _MARKS.search(column):
        return None
    effect = Effect("update", target, column, value.value)
    text = value.value
    if _WELL.search(text) or _NOTHING_ILL.search(text):
        return None
    labels = (Label("message", plain_message(text)),) if " " in text or _ILL.search(text) else ()
    return Outcome(effect, labels)


def target_of(node: Sql, tokens: Sequence[Token]) -> str:
    """The table of INSERT [INTO] t."""
    place = node.span.first + 1
    if place < node.span.last and tokens[place].upper == "INTO":
        place += 1
    found = ""
    while place < node.span.last and tokens[place].kind in ("word", "name"):
        found += tokens[place].value
        if place + 1 >= node.span.last or tokens[place + 1].text != ".":
            break
        found += "."
        place += 2
    return found


def is_error_table(name: str) -> bool:
    return _ERRORS.search(name) is not None


def exceptions_of(nodes: Sequence[Node], tokens: Sequence[Token]) -> dict[str, str]:
    """Declared exceptions and their texts, which Snowflake states with them."""
    from ruleferry.converters.readers.sql.code.values import everything

    return {
        name: literal(node.value, tokens)
        for node in everything(nodes)
        if isinstance(node, Declare) and node.sort == "exception"
        for name in node.names
    }
