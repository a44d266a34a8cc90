"""A total grammar of phrases that state a rule: every token is read, or the phrase is a gap."""

from __future__ import annotations

from ruleferry.converters.readers.spreadsheet.phrases.cell import read_phrase
from ruleferry.converters.readers.spreadsheet.phrases.relevance import (
    read_constraint,
    read_relevance,
    relevance_statements,
    says_when_shown,
)

__all__ = [
    "read_constraint",
    "read_phrase",
    "read_relevance",
    "relevance_statements",
    "says_when_shown",
]
