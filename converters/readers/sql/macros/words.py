"""The words of mappings/sql_names.toml that this room reads."""

from __future__ import annotations

from ruleferry.converters.readers.sql.words import words


def after() -> frozenset[str]:
    """An operand, a name or a clause may begin after one."""
    return words("placeholder", "after")


def names() -> frozenset[str]:
    """Placeholders that stand for a name wherever they stand."""
    return words("placeholder", "names")


def load_columns() -> frozenset[str]:
    """Names of columns that say which load a record came with."""
    return words("load", "columns")


def starts() -> frozenset[str]:
    return words("load", "starts")


def ends() -> frozenset[str]:
    return words("load", "ends")


def times() -> frozenset[str]:
    """Beside a word of `starts` or `ends` they say that a window of loads is bounded."""
    return words("load", "times")


def load_functions() -> frozenset[str]:
    """They leave a value the same point in time, or the same text."""
    return words("load", "functions")
