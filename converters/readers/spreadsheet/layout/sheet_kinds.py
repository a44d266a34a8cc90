"""What a block under a header is: a list of fields, of rules or of codes, or none of these."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ruleferry.converters.readers.spreadsheet.blocks import SheetKind
from ruleferry.converters.readers.spreadsheet.layout.grid import Grid
from ruleferry.converters.readers.spreadsheet.layout.header_rows import HeaderLine
from ruleferry.converters.readers.spreadsheet.layout.sheet_words import holds, plain, says, words
from ruleferry.converters.readers.spreadsheet.statement import Meaning

# What says something of a field that the field's data can be held against.
FACTS = frozenset(words("meanings", "facts"))
# What only fields have: a list of anything may have a format or a unit.
_CORE = frozenset(words("meanings", "core"))
RULES = frozenset(words("meanings", "rules"))
READ: frozenset[SheetKind] = frozenset(
    ("dictionary", "rule list", "code list", "mapping", "template")
)
_SAMPLE = 40
_IDENTIFIER = re.compile(r"[^\W\d][\w.$\[\]:/-]*", re.UNICODE)
_TYPE = re.compile(
    r"(n?var)?n?char2?|(long|short|var)?text|str(ing)?|u?(big|small|tiny|medium)?int(eger)?\d*|"
    r"num(ber|eric)?|dec(imal)?|float\d*|double( precision)?|real|money|bool(ean)?|bit|byte|"
    r"(small)?date(time)?\d*|time(stamp(tz)?)?|timestamp[ _]\w+|uuid|guid|[bc]lob|json|xml|"
    r"(var)?binary|object|array|list|enum|struct|code[ds]?|quantity|select\w*|radio|checkbox|"
    r"dropdown|yesno|note|(begin|end)[ _]\w+|calc(ulate)?|alpha(numeric)?|[xa9s]|whole|"
    r"дата|число|текст|строка|целое.*|десятичное.*|url|uri|email|point|geography|multipolygon",
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The meanings of a block's headers and what its records look like."""

    found: HeaderLine
    grid: Grid
    last: int  # the block's last line

    @property
    def meanings(self) -> frozenset[Meaning]:
        return frozenset(meaning for meaning in self.found.meanings if meaning is not None)

    @property
    def share(self) -> float:
        known = sum(meaning is not None for meaning in self.found.meanings)
        return known / max(len(self.found.meanings), 1)

    def sample(self, meaning: Meaning) -> list[str]:
        items = self.found.items(meaning)
        found: list[str] = []
        for line in range(self.found.line + 1, self.last + 1):
            found += [self.grid.text(line, i) for i in self.grid.lines[line] if i in items]
            if len(found) >= _SAMPLE:
                break
        return found


def block_kind(found: HeaderLine, grid: Grid, last: int) -> tuple[SheetKind, str]:
    """The kind of the block under a header, and what decided."""
    evidence = Evidence(found, grid, last)
    return (
        _code_list(evidence)
        or _rule_list(evidence)
        or _mapping(evidence)
        or _dictionary(evidence)
        or _rule_texts(evidence)
        or ("other", "its headers describe neither fields nor rules")
    )


def _code_list(evidence: Evidence) -> tuple[SheetKind, str] | None:
    meanings, name = evidence.meanings, evidence.grid.sheet.name
    named = holds(name, "kinds", "code_list") and not holds(name, "kinds", "mapping")
    facts = (meanings & FACTS) - {"type"}
    labels = meanings & {"code_label", "label", "description", "list_name", "title"}
    if facts or meanings & {"rule", "sql"} or holds(name, "kinds", "readme"):
        return None
    if "list_name" in meanings and meanings & {"code", "code_label", "label", "column"}:
        return "code list", "its headers name lists and their values"
    if "code" in meanings and labels and ("column" not in meanings or "type" not in meanings):
        return "code list", "its headers name codes and what they mean"
    if named and (meanings & {"code", "code_label"} or "type" not in meanings):
        return "code list", f"the sheet's name is {name!r} and no header describes a field"
    return None


def _rule_list(evidence: Evidence) -> tuple[SheetKind, str] | None:
    meanings = evidence.meanings
    rules, facts = meanings & RULES, meanings & FACTS
    texts = meanings & {"rule", "sql"}
    if texts and not facts and meanings & {"column", "table", *(RULES - texts)}:
        return "rule list", "each row states a rule and nothing else of a field"
    if (texts or "rule_kind" in meanings) and len(rules) >= 2 and len(rules) > len(facts):
        return "rule list", "more of its headers speak of rules than of fields"
    return None


def _rule_texts(evidence: Evidence) -> tuple[SheetKind, str] | None:
    """Rules beside headers that describe no field: what looked like facts speaks of the rule."""
    meanings = evidence.meanings
    about = meanings & {"column", "table", *RULES} - {"rule", "sql"}
    texts = [t for meaning in ("rule", "sql") for t in evidence.sample(meaning)]
    says = sum(any(letter.isalpha() for letter in text) for text in texts)
    if 2 * says > len(texts) and about and not meanings & _CORE - {"type"}:
        return "rule list", "its rows state rules, and no header describes a field"
    return None


def _mapping(evidence: Evidence) -> tuple[SheetKind, str] | None:
    found, meanings = evidence.found, evidence.meanings
    if "column" not in meanings and not meanings & FACTS:
        return None
    sides = {side for side in ("source", "target") if _side(found, side)}
    if len(sides) == 2:
        return "mapping", "its headers name a source and a target"
    if _twice(found):
        return "mapping", "the same headers stand under two headings"
    if holds(evidence.grid.sheet.name, "kinds", "mapping"):
        return "mapping", "the sheet's name says that it is a mapping"
    return None


def _side(found: HeaderLine, side: str) -> bool:
    """Whether a header of this side names a field, a table or a type."""
    for header, meaning in zip(found.headers, found.meanings, strict=True):
        spoken = holds(header.text, "sides", side) or holds(header.group, "sides", side)
        if spoken and meaning in ("column", "table", "type"):
            return True
    return False


def _twice(found: HeaderLine) -> bool:
    """Two headings with two headers of the same text under both."""
    under: dict[str, set[str]] = {}
    for header, meaning in zip(found.headers, found.meanings, strict=True):
        if header.group and meaning is not None:
            under.setdefault(plain(header.text), set()).add(header.group)
    return sum(len(groups) > 1 for groups in under.values()) >= 2


def _dictionary(evidence: Evidence) -> tuple[SheetKind, str] | None:
    meanings, share = evidence.meanings, evidence.share
    facts = meanings & FACTS
    if "column" not in meanings:
        if len(facts) >= 3 and len(facts & _CORE) >= 2:
            return "dictionary", "its headers describe fields, though none is known to name them"
        return None
    told = "its headers name fields and describe them"
    if len(facts) >= 2:
        return "dictionary", told
    plainly = any(_plain_name(evidence))
    if facts and "type" not in facts and (share >= 0.5 or plainly):
        return "dictionary", told
    if "type" in facts and _types(evidence) and (plainly or share == 1 or _names(evidence)):
        return "dictionary", "its headers name fields and their types"
    if not facts and "description" in meanings and share >= 0.6 and plainly and _names(evidence):
        return "dictionary", "its headers name fields and explain them"
    return None


def _plain_name(evidence: Evidence) -> Iterable[bool]:
    """Whether a header says of itself that it names fields, as `Name` does not."""
    found = evidence.found
    for header, meaning in zip(found.headers, found.meanings, strict=True):
        yield meaning == "column" and not says(header.text, "any_name")


def _names(evidence: Evidence) -> bool:
    texts = evidence.sample("column")
    return _most(texts, is_identifier)


def _types(evidence: Evidence) -> bool:
    """Whether what stands in the column of types are types, or nothing stands there yet."""
    return _most(evidence.sample("type"), _is_type, 0.6)


def _is_type(text: str) -> bool:
    word = re.split(r"[(\[<;,|]", text.casefold(), maxsplit=1)[0].strip()
    return _TYPE.fullmatch(word) is not None or _TYPE.fullmatch(word.split(" ")[0]) is not None


def _most(texts: list[str], test: Callable[[str], bool], share: float = 0.8) -> bool:
    return sum(test(text) for text in texts) >= share * len(texts)


def is_identifier(text: str) -> bool:
    return _IDENTIFIER.fullmatch(text) is not None


def prose(grid: Grid) -> bool:
    """Whether a sheet is a text to be read: few items, and long ones."""
    texts = [grid.text(line, item) for line in range(len(grid.lines)) for item in grid.lines[line]]
    few = sum(len(line) <= 2 for line in grid.lines if line)
    lines = sum(bool(line) for line in grid.lines)
    return bool(texts) and few >= 0.8 * lines and sum(map(len, texts)) >= 40 * len(texts)
