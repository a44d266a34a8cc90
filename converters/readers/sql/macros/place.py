"""What a placeholder in the code stands for: an operand, a name, or a clause of its own."""

from __future__ import annotations

import re

from ruleferry.converters.readers.sql.macros import words

_NAMES_A_TABLE = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE|TABLE|VIEW|OVERWRITE|AS)\s*\Z", re.I)
_NO_TABLE = re.compile(
    r"DISTINCT\s+FROM\s*\Z|\(\s*(?!SEL)\w+(?:\s+\S+)?\s+FROM\s*\Z|\(\s*FROM\s*\Z", re.I
)


def after_operand(before: str) -> bool:
    """Something that is whole stands before it."""
    text = before.rstrip()
    if not text or text[-1] == ";":
        return False
    if word := re.search(r"[\w$]+\Z", text):
        return word[0].lower() not in words.after()
    return text[-1] in ")]}'\"`"


def is_word(text: str) -> bool:
    return text.lower() in words.after()


def is_name(before: str, after: str) -> bool:
    """A part of a dotted name, or what stands where a table or an alias belongs."""
    if before.endswith(".") and not re.search(r"(?<![\w])\d+\.\Z", before):
        return True
    if re.match(r"\.\s*[\w\"`\[{$@&*:#]", after):
        return True
    return bool(_NAMES_A_TABLE.search(before)) and not _NO_TABLE.search(before)
