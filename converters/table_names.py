"""Names of tables: compared without case and backticks, and otherwise as written."""

import re
from collections.abc import Sequence

_PART = re.compile(r"`((?:[^`]|``)+)`|([^.`]+)")
_NAME = re.compile(rf"\s*(?:{_PART.pattern})(?:\.(?:{_PART.pattern}))*\s*")

_PLAIN_PART = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
# Where the name of a table is expected, Spark 4.3 reads these as its syntax.
_SYNTAX = frozenset({"from", "having", "lateral", "limit", "offset", "qualify", "stream", "where"})
_SPARK_NAME = re.compile(r"(?:(?:`(?:[^`]|``)+`|\w+)(?:\.(?!$)|$)){1,3}", re.ASCII)


def written_parts(name: str) -> tuple[str, ...]:
    """The parts of a name without their backticks: ``main.`a.b` `` is ("main", "a.b").

    A text that is no name of that shape (a path, a template) is one part.
    """
    if not _NAME.fullmatch(name):
        return (name.strip(),)
    found = _PART.findall(name.strip())
    return tuple(quoted.replace("``", "`") or plain.strip() for quoted, plain in found)


def is_table_name(name: str) -> bool:
    """Whether Spark reads the text as `table`, `schema.table` or `catalog.schema.table`."""
    return bool(_SPARK_NAME.fullmatch(name))


def name_key(name: str) -> tuple[str, ...]:
    """What two spellings of one table's name share."""
    return tuple(part.lower() for part in written_parts(name))


def same_table(a: str, b: str) -> bool:
    """`orders` and `sales.orders` are two tables; `Orders` and `` `orders` `` are one."""
    return name_key(a) == name_key(b)


def joined(parts: Sequence[str]) -> str:
    """One text of the parts; a part goes in backticks where its dots would read as separators."""
    return ".".join(
        f"`{part.replace('`', '``')}`" if "." in part or "`" in part else part for part in parts
    )


def table_reference(name: str) -> str:
    """A table's name as Spark reads it: a part that is no plain identifier goes in backticks.

    A text that does not read as parts with dots between them is one part.
    """
    return ".".join(
        part if _is_plain(part) else f"`{part.replace('`', '``')}`" for part in written_parts(name)
    )


def _is_plain(part: str) -> bool:
    return bool(_PLAIN_PART.fullmatch(part)) and part.lower() not in _SYNTAX
