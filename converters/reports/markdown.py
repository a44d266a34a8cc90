"""Markdown that text from a source can't break out of (CommonMark, and GitHub's tables)."""

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape

from ruleferry.converters.reports.text import visible

# What could begin or end markup in the middle of a line; `_` inside a word never does.
_MARKUP = re.compile(r"[&<>\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])|(?<!\S)#")
# What could begin a block at the start of a line.
_START = re.compile(r"^(?:[+=:-]|[0-9]{1,9}(?=[.)]))")
# Renderers make links of these by themselves, even where a part is an entity; never in code.
_LINK = re.compile(r"://|www\.|@|mailto:|xmpp:", re.IGNORECASE)
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_TICKS = re.compile("`+")

Row = Sequence[str]


@lru_cache(maxsize=4096)
def prose(text: str) -> str:
    """Text as it is, inside a line: nothing in it is Markdown or HTML, and no link comes of it."""
    shown = visible(text).strip()
    if _LINK.search(shown):
        return _code_of_entities(shown) if "|" in shown else code(shown)
    return _MARKUP.sub(_escaped, shown)


def paragraph(text: str) -> str:
    """The same at the start of a line."""
    return _START.sub(_not_a_start, prose(text))


def code(text: str) -> str:
    """Text as code, outside of tables."""
    shown = visible(text)
    if not shown:
        return ""
    fence = "`"
    if "`" in shown:
        fence *= 1 + max(map(len, _TICKS.findall(shown)))
    if shown[0] == "`" or shown[-1] == "`" or shown[0] == shown[-1] == " ":
        shown = f" {shown} "
    return f"{fence}{shown}{fence}"


@lru_cache(maxsize=4096)
def cell_code(text: str) -> str:
    """Text as code in a table, where a bar ends the cell even inside code."""
    if "\\|" not in text:
        return code(text).replace("|", "\\|")
    # Readers of tables disagree about a backslash before an escaped bar: no code span says it.
    return _code_of_entities(visible(text))


def _code_of_entities(shown: str) -> str:
    return f"<code>{_PUNCTUATION.sub(_entity, shown)}</code>"


def _escaped(match: re.Match[str]) -> str:
    # A backslash is easier on a reader of the file itself, and does not stop these everywhere.
    return _entity(match) if match[0] in "&<>|$" else f"\\{match[0]}"


def _entity(match: re.Match[str]) -> str:
    return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(match[0], f"&#{ord(match[0])};")


def _not_a_start(match: re.Match[str]) -> str:
    return f"{match[0]}\\" if match[0].isdigit() else f"\\{match[0]}"


def table(header: Row, rows: Sequence[Row]) -> str:
    """A table of finished cells. A column whose title ends in `:` holds numbers."""
    titles = [title.removesuffix(":") for title in header]
    ruler = ["---:" if title.endswith(":") else "---" for title in header]
    return "".join(f"| {' | '.join(row)} |\n" for row in (titles, ruler, *rows))


def folding_table(header: Row, rows: Sequence[Row], shown: int, words: str) -> str:
    """A table whose rows after the first `shown` are there and folded away, with their number.

    `words` says what they are, in the plural.

    A fold of a few rows would hide more than it saves: up to a quarter more stand open.
    """
    if len(rows) <= shown + shown // 4:
        return table(header, rows)
    rest = folded(f"{len(rows) - shown:,} more {words}", table(header, rows[shown:]))
    return f"{table(header, rows[:shown])}\n{rest}"


def folded(summary: str, body: str) -> str:
    """Markdown that opens by a click on its summary, which is any text."""
    return f"<details><summary>{escape(visible(summary))}</summary>\n\n{body}\n</details>\n"
