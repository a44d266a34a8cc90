"""What a comment says of the rule it stands at: ids, a name, a title, tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache

from ruleferry.converters.readers.sql.found import STAND_IN
from ruleferry.converters.readers.sql.labels.ids import Led, led_by_id, without_prefix
from ruleferry.converters.readers.sql.words import entries, words

_LONGEST, _MOST_WORDS = 100, 14
_MARKS = re.compile(r"\A(?:/\*+|--+|//|#+|\*+|(?i:REM(?:ARK)?|PROMPT)\b)\s?|\*+/\Z")
_BORDER = re.compile(r"[-=*#_~+/\\. ]{3,}")
_ROW = re.compile(r"([-=*#~_+])\1{3,}")
_PLACEHOLDER = re.compile(
    rf"(?i:{STAND_IN}\d+_)|\$\{{[^}}]*\}}|\{{\{{.*?\}}\}}|\{{\w*\}}|(?:&&?|@|\$\$?|(?<!:):)\w+\.?"
    r"|%%\w+(?:%%)?|<<\w+>>|#\w+#|\$\(\w+\)"
)
_PATH = re.compile(
    r"[\w.-]+[/\\][\w./\\-]+|\b[\w-]+\.(?:sql|hql|btq|yml|yaml|ksh|sh|py|csv|sqlx)\b"
)
_BAR = re.compile(r"\s*\|\s*")


@dataclass(frozen=True, slots=True)
class Remark:
    """`ids`: those that lead it, or each of its parts. `name`: the text where it reads like one."""

    ids: tuple[Led, ...] = ()
    name: str = ""
    title: str = ""
    tags: tuple[tuple[str, str], ...] = ()


def lines_of(comment: str) -> list[str]:
    """Without the signs of a comment and borders."""
    found = [_plain(line) for line in comment.splitlines() or [comment]]
    return [line for line in found if line]


def is_framed(comment: str) -> bool:
    """A line of signs, or a title between such: a heading."""
    lines = comment.splitlines()
    return any(_ROW.search(line) or _BORDER.fullmatch(_unmarked(line)) for line in lines)


def _plain(line: str) -> str:
    inner = _unmarked(line)
    if _BORDER.fullmatch(inner):
        return ""
    return inner.strip("*=~#_- \t") if _BORDER.search(inner) else inner


def _unmarked(line: str) -> str:
    text, before = line.strip(), ""
    while text != before:
        before, text = text, _MARKS.sub("", text).strip()
    return text


def read_remark(lines: Sequence[str], no_ids: Set[str] = frozenset()) -> Remark:
    """`no_ids`: as in `led_by_id`. The first line that says something gives the name."""
    ids: list[Led] = []
    tags: dict[str, str] = {}
    name = ""
    for line in lines:
        text, told = _without_tags(line)
        for tag, value in told:
            tags.setdefault(tag, value)
        found = list(_leads(text, no_ids))
        ids += found
        if not name and not ids:
            name = _named(text)
    title = ids[0].rest or ids[0].id if ids else name
    return Remark(tuple(ids), name, title, tuple(tags.items()))


def _leads(text: str, no_ids: Set[str]) -> Iterator[Led]:
    """`R1 a ; R2 b`: an id leads each part; a part without one ends the row."""
    for part in re.split(r"\s*;\s*", text):
        if (led := led_by_id(part.strip(), no_ids)) is None:
            return
        yield led


def _without_tags(line: str) -> tuple[str, list[tuple[str, str]]]:
    """`DQ-101 | text | severity: HIGH` -> `DQ-101 | text`, and what was told."""
    kept, tags = [], []
    for part in _BAR.split(line):
        if found := _tag(part):
            tags.append(found)
            continue
        text, within = _tags_within(part)
        kept.append(text)
        tags += within
    return " | ".join(part for part in kept if part), tags


def _tag(part: str) -> tuple[str, str] | None:
    if part.strip().lower() in words("tag", "severities"):
        return "severity", part.strip()
    for tag, pattern in _told_alone():
        if found := pattern.fullmatch(part):
            return tag, (found[1] or found[2]).strip(" ,;")
    return None


@cache
def _told_alone() -> tuple[tuple[str, re.Pattern[str]], ...]:
    forms = r"@?(?:{0})\s*[:=]\s*(\S.*)|@(?:{0})\s+(\S.*)"
    return tuple((tag, _pattern(forms, tag)) for tag in ("severity", "owner", "description"))


@cache
def _told_within() -> tuple[tuple[str, re.Pattern[str]], ...]:
    form = r"[\s,;(\[]*(?<![\w])@?(?:{0})\s*[:=]\s*([\w.@/-]+)[)\]]?"
    return tuple((tag, _pattern(form, tag)) for tag in ("severity", "owner"))


def _pattern(form: str, tag: str) -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in entries("tag", tag))
    return re.compile(form.format(names), re.I)


def _tags_within(part: str) -> tuple[str, list[tuple[str, str]]]:
    """`… severity=HIGH, owner=x` at the end of a text without bars."""
    tags = []
    for tag, pattern in _told_within():
        if found := pattern.search(part):
            tags.append((tag, found[1]))
            part = part[: found.start()] + part[found.end() :]
    return part.strip(), tags


def _named(text: str) -> str:
    """A name or a short sentence; "" for headers, code, paths and legends of parameters."""
    told = without_prefix(text)
    bare = " ".join(_PLACEHOLDER.sub(" ", told).split()).strip(" .:;,-|")
    first = re.match(r"\W*(\w*)", bare)
    if told == text and first and first[1].lower() in words("rule", "no_names"):
        return ""
    if not re.search(r"[^\W\d_]{2}", bare) or re.search(r"[=<>(){}\[\]\"]", bare):
        return ""
    if _PATH.search(bare) or bare.endswith(";") or text.rstrip().endswith(";"):
        return ""
    return bare if len(bare) <= _LONGEST and len(bare.split()) <= _MOST_WORDS else ""
