"""Plain text within a pattern of java.util.regex."""

from __future__ import annotations

_IN_BRACKETS = frozenset(".$*+?(){}|")


def literal(char: str) -> str:
    """The character for itself, outside a class; without a backslash where that can be."""
    if char in _IN_BRACKETS:
        return f"[{char}]"
    return member(char) if char in "\\^[]" else shown(char)


def member(char: str) -> str:
    """The character for itself as a member of a class."""
    return f"\\{char}" if char in "\\^[]-&" else shown(char)


def shown(char: str) -> str:
    r"""The character if one can see it, else \n, \xhh or \x{h…}."""
    return char if char.isprintable() else escaped(ord(char))


def escaped(code: int) -> str:
    if code in (9, 10, 13):
        return {9: r"\t", 10: r"\n", 13: r"\r"}[code]
    return f"\\x{code:02X}" if code < 256 else f"\\x{{{code:X}}}"
