"""A script -> its pieces: statements, comments, separators and commands, with exact offsets."""

from __future__ import annotations

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.found import Script
from ruleferry.converters.readers.sql.split.comments import Comment, comments_of
from ruleferry.converters.readers.sql.split.control import at_labels, control_after
from ruleferry.converters.readers.sql.split.cutting import Cutter
from ruleferry.converters.readers.sql.split.decoding import Decoded, NoText, decode


def split(file: str, text: str, dialect: SqlDialect, wrapper: str = "") -> Script:
    """Cut a script where its dialect and its client do; `wrapper` is a word of dialects/words."""
    return Script(file, text, dialect, Cutter(text, dialect, wrapper).pieces())


__all__ = [
    "Comment",
    "Decoded",
    "NoText",
    "at_labels",
    "comments_of",
    "control_after",
    "decode",
    "split",
]
