"""What a rule of a script is called, and what is said of it: literals, messages, comments, names.

The order: a literal that is the rule's id or name; an id at the start of a message or a comment;
the message or the comment itself, where it reads like a name; the result column; the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ruleferry.converters.readers.sql.found import STAND_IN, Found, Script
from ruleferry.converters.readers.sql.labels.comments import Block, blocks_at
from ruleferry.converters.readers.sql.labels.ids import (
    Led,
    is_id,
    is_plain,
    led_by_id,
    without_ending,
)
from ruleferry.converters.readers.sql.labels.plain import plain
from ruleferry.converters.readers.sql.labels.remarks import Remark, lines_of, read_remark
from ruleferry.converters.readers.sql.labels.sidecar import SideFacts, read_sidecar
from ruleferry.converters.rule import Caveat, NotARule, Repeat

__all__ = ["Named", "SideFacts", "labelled", "read_sidecar"]

_PARTS = re.compile(rf"(?i:{STAND_IN}\d+_)|%\d*!?\w?!?|\{{\w*\}}")


@dataclass(frozen=True, slots=True)
class Named:
    """`author_id` is an id that the author gave; the rule's name is made from `author_name`.

    Both are None where nothing but the columns can name it.
    """

    author_id: str | None
    author_name: str | None
    title: str
    tags: tuple[tuple[str, str], ...] = ()
    caveats: tuple[Caveat, ...] = ()


@dataclass(frozen=True, slots=True)
class _Said:
    """All that is said of one found."""

    found: Found
    own: Remark = field(default_factory=Remark)  # by comments at it alone
    shared: Remark = field(default_factory=Remark)  # by comments at several
    tags: tuple[tuple[str, str], ...] = ()

    def texts(self, *kinds: str) -> list[str]:
        found = (_cleaned(one.text) for one in self.found.labels if one.kind in kinds)
        return [text for text in found if plain(text)]


def labelled(
    founds: Sequence[Found],
    script: Script,
    stem: str,
    *,
    config: Mapping[str, object] | None = None,
    side: SideFacts | None = None,
    by_file: bool = False,
) -> tuple[Named, ...]:
    """One per found. `stem`: the file's name without its ending.

    `by_file`: it is the rule's own name (a test of dbt). `config`: what dbt is told. `side`: what a
    table beside the script says of it.
    """
    blocks = blocks_at(founds, script)
    times = Counter(block.start for at in blocks for block in at)
    said = [
        _with_tags(_said(found, at, times), config or {}, side)
        for found, at in zip(founds, blocks, strict=True)
    ]
    rules = [one for one in said if not isinstance(one.found.checked.check, NotARule)]
    same = _said_of_all(rules)
    names = [_choose(one, same, side if len(rules) == 1 else None, by_file) for one in said]
    unnamed = sum(name is None for name in names)
    own_file = stem if unnamed == 1 or by_file else None
    return tuple(_named(one, name, stem, own_file) for one, name in zip(said, names, strict=True))


@dataclass(frozen=True, slots=True)
class _Name:
    id: str | None
    name: str
    title: str = ""


def _said(found: Found, blocks: Sequence[Block], times: Mapping[int, int]) -> _Said:
    no_ids = _own_names(found)
    own = [_remark(b, no_ids) for b in blocks if times[b.start] == 1]
    own += [read_remark([label.text], no_ids) for label in found.labels if label.kind == "comment"]
    shared = [_remark(b, no_ids) for b in blocks if times[b.start] > 1]
    return _Said(found, _merged(own), _merged(shared))


def _own_names(found: Found) -> frozenset[str]:
    table = (found.checked.table or "").lower()
    return frozenset(name.lower() for name in found.checked.columns) | set(table.split(".")[-1:])


def _remark(block: Block, no_ids: frozenset[str]) -> Remark:
    remark = read_remark(lines_of("\n".join(block.lines)), no_ids)
    if block.names or remark.ids:
        return remark
    return Remark(tags=remark.tags)


def _merged(remarks: Sequence[Remark]) -> Remark:
    """The nearest one that has an id gives the ids, the nearest one that has a name the name."""
    ids = next((one for one in remarks if one.ids), Remark())
    name = next((one for one in remarks if one.name), Remark())
    tags = dict(pair for one in reversed(remarks) for pair in one.tags)
    return Remark(ids.ids, name.name, ids.title or name.title, tuple(tags.items()))


def _cleaned(text: str) -> str:
    """Without stand-ins and what is filled in when it runs."""
    return " ".join(_PARTS.sub(" ", text).split()).strip(" :;,.-|!")


def _said_of_all(rules: Sequence[_Said]) -> frozenset[str]:
    """Literals that several rules of the script share name none of them."""
    stated = [one for one in rules if not isinstance(one.found.checked.check, Repeat)]
    texts = Counter(text for one in stated for text in set(one.texts("id", "name")))
    return frozenset(text for text, times in texts.items() if times > 1)


def _choose(
    one: _Said, same: frozenset[str], side: SideFacts | None, by_file: bool
) -> _Name | None:
    own = (_literal(one, same), _of_side(side))
    if found := next((name for name in own if name), None):
        return found
    if by_file:
        return None
    ways = (_id_of_message(one), _id_of_comment(one), _sentence(one), _alias(one), _of_shared(one))
    return next((name for name in ways if name), None)


def _literal(one: _Said, same: frozenset[str]) -> _Name | None:
    for kind in ("id", "name"):
        for text in one.texts(kind):
            if text not in same:
                return _Name(text if kind == "id" or is_id(text) else None, text)
    return None


def _of_side(side: SideFacts | None) -> _Name | None:
    if side is None or not (side.id or side.name):
        return None
    return _Name(side.id, side.id or side.name or "", side.message or side.name or "")


def _id_of_message(one: _Said) -> _Name | None:
    for text in one.texts("message"):
        if led := led_by_id(text):
            return _Name(led.id, led.id, led.rest)
    return None


def _id_of_comment(one: _Said) -> _Name | None:
    """Of several ids the one that a result column is named after."""
    own = one.own.ids
    led = own[0] if len(own) == 1 else _paired(one, (*own, *one.shared.ids))
    return _Name(led.id, led.id, led.rest) if led else None


def _paired(one: _Said, ids: Sequence[Led]) -> Led | None:
    names = {without_ending(alias) for alias in one.texts("alias")}
    names |= {plain(alias) for alias in one.texts("alias")}
    return next((led for led in ids if plain(led.id) in names), None)


def _sentence(one: _Said) -> _Name | None:
    if texts := one.texts("message"):
        return _Name(None, texts[0])
    if one.own.name and not isinstance(one.found.checked.check, NotARule):
        return _Name(None, one.own.name)
    return None


def _alias(one: _Said) -> _Name | None:
    return next((_Name(None, text) for text in one.texts("alias") if not is_plain(text)), None)


def _of_shared(one: _Said) -> _Name | None:
    """What is said of several rules together, where nothing is said of each."""
    if isinstance(one.found.checked.check, NotARule):
        return None
    if ids := one.own.ids or one.shared.ids:
        return _Name(ids[0].id, ids[0].id, ids[0].rest) if len(ids) == 1 else None
    return _Name(None, one.shared.name) if one.shared.name else None


def _named(one: _Said, name: _Name | None, stem: str, own_file: str | None) -> Named:
    title = _title(one, name, stem)
    if name is None:
        return Named(None, own_file, title, one.tags)
    return Named(name.id, name.name, title, one.tags, _differing(one, name))


def _title(one: _Said, name: _Name | None, stem: str) -> str:
    """The longest story first: a message, what follows an id, a comment."""
    ways = [*one.texts("message"), name.title if name else "", one.own.title]
    said = [text for text in ways if text]
    return said[0] if said else name.name if name else stem


def _with_tags(one: _Said, config: Mapping[str, object], side: SideFacts | None) -> _Said:
    """What stands nearest to the rule wins."""
    tags = dict(one.shared.tags) | dict(side.tags if side else ())
    tags |= _of_config(config) | dict(one.own.tags) | dict(one.found.tags)
    return replace(one, tags=tuple(tags.items()))


def _of_config(config: Mapping[str, object]) -> dict[str, str]:
    meta = config.get("meta")
    said = {**(meta if isinstance(meta, dict) else {}), **config}
    known = ("severity", "owner", "description")
    return {tag: value for tag in known if isinstance(value := said.get(tag), str) and value}


def _differing(one: _Said, name: _Name) -> tuple[Caveat, ...]:
    """The comment above speaks of another id than the literal."""
    if len(one.own.ids) != 1 or name.id is None or plain(one.own.ids[0].id) == plain(name.id):
        return ()
    literals = one.texts("id", "name")
    if name.name not in literals or not is_id(name.name):
        return ()
    return (Caveat("named_twice", f"{name.name}; the comment says {one.own.ids[0].id}"),)
