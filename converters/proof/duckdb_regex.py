r"""A pattern of java.util.regex as RE2 reads it, where both find a match in the same texts.

Only what means the same, or can be said so: characters, classes, groups, repetitions, ^ and $. The
two differ in what ends a line, in \s and \b, in letters of other alphabets, and in all that RE2 has
not (lookaround, references); measured on DuckDB 2.0 and Java 17.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ruleferry.converters.proof.rehearsal_run import NeedsSpark

_SHORT = {"d": "0-9", "w": "0-9A-Za-z_", "s": r" \t\n\x{b}\f\r"}
_ESCAPES = {"t": 9, "n": 10, "r": 13, "f": 12}
# The end of a line for Java, unless (?d) says that only \n ends one.
_LINE_END = r"(?:\r\n|[\n\r\x{85}\x{2028}\x{2029}])?\z"
_NO_LINE_END = r"[^\n\r\x{85}\x{2028}\x{2029}]"
_REPEAT = re.compile(r"(?:[*+?]|\{([0-9]{1,3})(?:,([0-9]{0,3}))?\})\??(?![+?*{])")
_MOST = 100


def re2(pattern: str) -> str:
    """Raises NeedsSpark for a pattern with anything else in it."""
    unix = pattern.startswith("(?d)")
    reader = _Reader(pattern.removeprefix("(?d)"), unix)
    text, _ = reader.branches()
    if reader.at < len(reader.text):
        raise _refused(pattern)
    if reader.loose_end and reader.takes_any and not unix:
        # Java's $ does not stand between \r and \n; what takes the \r would need to know.
        raise _refused(pattern)
    return text


def _refused(pattern: str) -> NeedsSpark:
    return NeedsSpark(f"the pattern {pattern!r} may mean something else to DuckDB")


@dataclass(slots=True)
class _Reader:
    """One pass over the text. A method returns what it read for RE2, and whether it ends with $."""

    text: str
    unix: bool
    at: int = 0
    takes_any: bool = False  # something may take a \r
    loose_end: bool = False  # what stands before some $ may be nothing, or take a \r

    def branches(self) -> tuple[str, bool]:
        read = [self.sequence()]
        while self.take("|"):
            read.append(self.sequence())
        return "|".join(text for text, _ in read), any(end for _, end in read)

    def sequence(self) -> tuple[str, bool]:
        """$ stands last: nothing behind it could take a line's end, and RE2 takes it itself."""
        parts, end, solid = [], False, False
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            if end:
                raise _refused(self.text)
            before, self.takes_any = self.takes_any, False
            part, end = self.item()
            repeat = _REPEAT.match(self.text, self.at)
            if repeat:
                part += self.repeated(repeat, end)
            self.loose_end |= end and not solid and part != r"\z"
            solid = not self.takes_any and not (repeat and repeat[0].startswith(("*", "?", "{0")))
            solid &= not part.startswith(("(", "\\A"))
            self.takes_any |= before
            parts.append(part)
        return "".join(parts), end

    def repeated(self, repeat: re.Match[str], end: bool) -> str:
        counts = [int(count) for count in repeat.groups() if count]
        if end or any(count > _MOST for count in counts) or counts != sorted(counts):
            raise _refused(self.text)
        self.at = repeat.end()
        return repeat[0]

    def item(self) -> tuple[str, bool]:
        sign = self.text[self.at]
        self.at += 1
        match sign:
            case "(":
                return self.group()
            case "[":
                return self.char_class(), False
            case "^":
                return r"\A", False
            case "$":
                return self.end(), True
            case ".":
                return (r"[^\n]" if self.unix else _NO_LINE_END), False
            case "\\":
                return self.escape()
            case _ if sign in "*+?{}])":
                raise _refused(self.text)
        return _char(ord(sign)), False

    def group(self) -> tuple[str, bool]:
        if self.take("?") and not self.take(":"):
            raise _refused(self.text)
        text, end = self.branches()
        if not self.take(")"):
            raise _refused(self.text)
        return f"(?:{text})", end

    def end(self) -> str:
        return r"\n?\z" if self.unix else _LINE_END

    def escape(self) -> tuple[str, bool]:
        sign = self.next()
        if sign == "Z":
            return self.end(), True
        if sign == "z":
            return r"\z", True
        if sign == "A":
            return r"\A", False
        if sign.lower() in _SHORT:
            negated = sign.isupper()
            self.takes_any |= negated or sign == "s"
            return f"[{'^' if negated else ''}{_SHORT[sign.lower()]}]", False
        code = self.escaped(sign)
        self.takes_any |= code == ord("\r")
        return _char(code), False

    def escaped(self, sign: str) -> int:
        """The character of an escape of one letter or sign."""
        if sign in _ESCAPES:
            return _ESCAPES[sign]
        if not sign.isascii() or sign.isalnum():
            raise _refused(self.text)
        return ord(sign)

    def char_class(self) -> str:
        negated = self.take("^")
        self.takes_any |= negated
        parts = []
        while not self.take("]"):
            parts.append(self.class_item())
        if not parts:
            raise _refused(self.text)
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def class_item(self) -> str:
        low = self.class_char()
        if isinstance(low, str):
            return low
        following = self.text[self.at : self.at + 2]
        if following[:1] != "-" or following == "-]":
            self.takes_any |= low == ord("\r")
            return _char(low)
        self.at += 1
        high = self.class_char()
        if isinstance(high, str) or high < low:
            raise _refused(self.text)
        self.takes_any |= low <= ord("\r") <= high
        return f"{_char(low)}-{_char(high)}"

    def class_char(self) -> int | str:
        """A character, or what stands for several."""
        sign = self.next()
        if sign == "\\":
            sign = self.next()
            if sign in _SHORT:
                self.takes_any |= sign == "s"
                return _SHORT[sign]
            return self.escaped(sign)
        if sign in "[]&^-" and not self.is_hyphen_at_an_end(sign):
            raise _refused(self.text)
        return ord(sign)

    def is_hyphen_at_an_end(self, sign: str) -> bool:
        before, after = self.text[self.at - 2 : self.at - 1], self.text[self.at : self.at + 1]
        return sign == "-" and (after == "]" or before == "[")

    def next(self) -> str:
        if self.at >= len(self.text):
            raise _refused(self.text)
        self.at += 1
        return self.text[self.at - 1]

    def take(self, sign: str) -> bool:
        if self.text[self.at : self.at + 1] != sign:
            return False
        self.at += 1
        return True


def _char(code: int) -> str:
    """Every character by its number: no sign of RE2 can be meant."""
    return f"\\x{{{code:x}}}"
