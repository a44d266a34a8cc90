"""Conditions that read the clock.

The clean and the quarantine dataset run at different moments. A drop rule that reads the clock in
both could pass a row in neither, so it reads a column that the checked dataset computed once.
"""

import re
from collections.abc import Iterator, Sequence

from sqlglot import exp
from sqlglot.dialects.databricks import Databricks

from ruleferry.converters.account import Module

# Function -> the type of its value, where that is not the column's own TIMESTAMP.
_CLOCKS: dict[str, str | None] = {
    "current_date": "DATE",
    "curdate": "DATE",
    "current_timestamp": None,
    "getdate": None,
    "now": None,
    "localtimestamp": "TIMESTAMP_NTZ",
}
# Databricks reads these as functions without brackets, too.
_BARE = {"current_date", "current_timestamp", "localtimestamp"}
_ANY = re.compile(rf"\b(?:{'|'.join(_CLOCKS)})\b", re.IGNORECASE)


def reads_clock(condition: str) -> bool:
    return any(_clock_calls(condition))


def reading_column(condition: str, column: str) -> str:
    """The condition with `column`, a TIMESTAMP, in place of the clock; all else as it was."""
    parts, done = [], 0
    for start, end, name in _clock_calls(condition):
        parts += [condition[done:start], _moment(column, _CLOCKS[name]).sql("databricks")]
        done = end
    return "".join([*parts, condition[done:]])


def clock_column(module: Module) -> str | None:
    """The column of the checked dataset that drop rules read instead of the clock, if any does."""
    entries = module.rules
    if not any(e.action == "drop" and reads_clock(e.condition or "") for e in entries):
        return None
    texts = [text for e in entries for text in (e.condition or "", *e.columns)]
    return free_name("checked_at", [*texts, *module.columns])


def free_name(name: str, texts: Sequence[str]) -> str:
    """`name`, followed by as many `_` as it takes until no text speaks of such a column."""
    while any(map(re.compile(rf"\b{name}\b", re.IGNORECASE).search, texts)):
        name += "_"
    return name


def _moment(column: str, kind: str | None) -> exp.Expr:
    read = exp.column(column)
    return exp.cast(read, kind, dialect="databricks") if kind else read


def _clock_calls(condition: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and function of each call; a name in quotes or after a dot is a column's."""
    if not _ANY.search(condition):  # nearly all conditions: not worth the tokens
        return
    tokens = Databricks().tokenize(condition)
    for index, token in enumerate(tokens):
        name = condition[token.start : token.end + 1].lower()
        if name not in _CLOCKS or (index and tokens[index - 1].text == "."):
            continue
        after = [following.text for following in tokens[index + 1 : index + 3]]
        if after == ["(", ")"]:
            yield token.start, tokens[index + 2].end + 1, name
        elif name in _BARE and after[:1] != ["("]:
            yield token.start, token.end + 1, name
