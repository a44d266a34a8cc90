"""Ids of rules at the start of a comment or a message: DQ-101, CHK_CUST_EMAIL, R00417."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from functools import cache

from ruleferry.converters.readers.sql.labels.plain import plain
from ruleferry.converters.readers.sql.words import entries, words

_END = r"(?=$|[\s:|,;.)\]\-–—])"


@dataclass(frozen=True, slots=True)
class Led:
    """A text that an id leads: the id as it is written, and the rest."""

    id: str
    rest: str


@cache
def _ids() -> re.Pattern[str]:
    free = "|".join(f"(?:{one}){_END}" for one in entries("rule", "ids"))
    told = "|".join(rf"(?:{one})(?=\s*[:|])" for one in entries("rule", "ids_told"))
    return re.compile(rf"[\[(#<]?(?P<id>{free}|{told})[\])>]?", re.ASCII)


@cache
def _prefix() -> re.Pattern[str]:
    longest = sorted(entries("rule", "prefixes"), key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, longest))})\b\s*(?P<told>[:#=])?\s*", re.I)


def led_by_id(text: str, no_ids: Set[str] = frozenset()) -> Led | None:
    """`no_ids`: names of the rule's own columns and table, in lower case."""
    for start in (text, without_prefix(text, told=False)):
        if not (found := _ids().match(start)):
            continue
        word = re.match(r"[A-Za-z]*", found["id"])
        if word and word[0].lower() in words("rule", "no_ids"):
            continue
        if found["id"].lower() not in no_ids:
            return Led(found["id"], start[found.end() :].strip(" :|,;.-–—\t"))
    return None


def without_prefix(text: str, *, told: bool = True) -> str:
    """Without "rule:" before it; `told`: only where a sign follows the word."""
    found = _prefix().match(text)
    if not found or (told and not found["told"]):
        return text
    return text[found.end() :] or text


def is_id(text: str) -> bool:
    led = led_by_id(text)
    return led is not None and not led.rest


def without_ending(alias: str) -> str:
    """r00417_bad -> r00417."""
    parts = plain(alias).split("_")
    while len(parts) > 1 and parts[-1] in words("rule", "endings"):
        parts.pop()
    return "_".join(parts)


def is_plain(alias: str) -> bool:
    """A result column whose name says nothing of the rule."""
    return plain(alias).replace("_", "") in words("rule", "plain")
