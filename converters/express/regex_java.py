r"""Would java.util.regex compile the pattern? An answer without a Java, careful in one direction:
what is accepted compiles, and what is refused may have compiled.

Spark has no try form of RLIKE: a pattern that does not compile ends the whole query. The grammar
is that of Java 17. Left out, since their rules are long and their use rare: (?x), \c, \N{…}, \b{g},
blocks and scripts other than those of _PROPERTY, a ] or & that is not escaped at a class's start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ruleferry.converters.express.regex_tree import NotRead

_MOST = 2**31 - 1
_LONGEST_BEHIND = 1_000_000
_DEEPEST = 50
_PROPERTY = re.compile(
    r"""(Is)?(C[cfnos]?|L[lmotuCD]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|L1)
    | Lower | Upper | ASCII | Alpha | Digit | Alnum | Punct | Graph | Print | Blank | Cntrl | XDigit
    | Space | java(LowerCase|UpperCase|Whitespace|Mirrored|Letter|Digit|LetterOrDigit|Alphabetic)
    | Is(Alphabetic|Ideographic|Letter|Lowercase|Uppercase|Titlecase|Punctuation|Control)
    | Is(Digit|White_Space|Hex_Digit|Assigned|Latin|Greek|Cyrillic|Arabic|Hebrew|Han|Katakana)""",
    re.VERBOSE,
)
_ONE_CHAR = "tnrfae"
_SETS = "dDsSwWhHvV"
_PLACES = "bBAZzG"
_QUANTIFIER = re.compile(r"(?:[*+?]|\{([0-9]+)(?:(,)([0-9]*))?\})([?+]?)")


@dataclass(slots=True)
class _Checker:
    """One pass over the text. Each method returns the greatest length of what it read, in
    characters; None is without end, or unknown.
    """

    text: str
    at: int = 0
    depth: int = 0
    groups: int = 0
    closed: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def whole(self) -> None:
        self.branches()
        if self.at < len(self.text):
            raise NotRead("it has a bracket too many")

    def branches(self) -> int | None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotRead("its groups are nested too deeply")
        longest = [self.sequence()]
        while self.take("|"):
            longest.append(self.sequence())
        self.depth -= 1
        return _longest(longest)

    def sequence(self) -> int | None:
        total: int | None = 0
        while self.at < len(self.text) and self.peek() not in "|)":
            length = self.repeated(self.atom())
            total = None if total is None or length is None else total + length
        return total

    def peek(self, size: int = 1) -> str:
        return self.text[self.at : self.at + size]

    def take(self, expected: str) -> bool:
        if not self.text.startswith(expected, self.at):
            return False
        self.at += len(expected)
        return True

    def next(self) -> str:
        if self.at >= len(self.text):
            raise NotRead("it ends too early")
        self.at += 1
        return self.text[self.at - 1]

    def taken(self, pattern: str, missing: str) -> re.Match[str]:
        found = re.compile(pattern).match(self.text, self.at)
        if found is None:
            raise NotRead(missing)
        self.at = found.end()
        return found

    def repeated(self, length: int | None) -> int | None:
        found = _QUANTIFIER.match(self.text, self.at)
        if found is None:
            return length
        self.at = found.end()
        if self.peek() and self.peek() in "*+?{":
            raise NotRead("a quantifier follows a quantifier")
        if found[0][0] != "{":
            return length if found[0][0] == "?" else None
        low = int(found[1])
        high = int(found[3]) if found[3] else None if found[2] else low
        if max(low, high or 0) > _MOST or (high is not None and high < low):
            raise NotRead(f"{found[0]} is no range that Java can count")
        return None if length is None or high is None else length * high

    def atom(self) -> int | None:
        char = self.next()
        if char == "\\":
            return self.escape()
        if char == "[":
            self.char_class()
        elif char == "(":
            return self.group()
        elif char in "*+?{":
            raise NotRead(f"the {char} at place {self.at} is no quantifier that Java takes")
        elif char in "^$":
            return 0
        else:
            _check_char(char)
        return 1

    def escape(self) -> int | None:
        letter = self.next()
        if letter in _PLACES:
            if letter in "bB" and self.peek() == "{":
                raise NotRead("Java is not sure to take \\b{…}")
            return 0
        if letter in "RX":
            return None
        if letter in "123456789":
            self.check_reference(int(letter))
            return None
        if letter == "k":
            name = self.taken("<([A-Za-z][A-Za-z0-9]*)>", "\\k needs the name of a group")[1]
            if name not in self.names:
                raise NotRead(f"no group before it is called {name}")
            return None
        if letter == "Q":
            return self.quoted()
        self.at -= 1
        self.char_or_set()
        return 1

    def check_reference(self, number: int) -> None:
        if number not in self.closed or self.peek().isdigit():
            raise NotRead(f"\\{number} is not the number of a group that is closed by then")

    def quoted(self) -> int | None:
        end = self.text.find(r"\E", self.at)
        if end <= self.at:
            raise NotRead(r"\Q has no text or no \E")
        length = end - self.at
        for char in self.text[self.at : end]:
            _check_char(char)
        self.at = end + 2
        return length

    def char_or_set(self) -> int | None:
        """What follows a backslash in a class and outside; the code point, None for a set."""
        letter = self.next()
        if letter in _SETS:
            return None
        if letter in "pP":
            found = self.taken(r"\{([A-Za-z0-9_]+)\}|([LMNPSZC])", "\\p needs a property")
            if not _PROPERTY.fullmatch(found[1] or found[2]):
                raise NotRead(f"the property {found[0]} is not known to exist in Java 17")
            return None
        if letter == "0":
            return int(self.taken("[0-3][0-7]{0,2}|[0-7]{1,2}", "\\0 needs octal digits")[0], 8)
        if letter in "xu":
            return self.hexadecimal(letter)
        if letter in _ONE_CHAR:
            return dict(zip(_ONE_CHAR, (9, 10, 13, 12, 7, 27), strict=True))[letter]
        if letter.isascii() and letter.isalnum():
            raise NotRead(f"\\{letter} is not known to be an escape in Java")
        _check_char(letter)
        return ord(letter)

    def hexadecimal(self, letter: str) -> int:
        forms = {
            "x": r"([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\}",
            "u": r"([0-9a-fA-F]{4})",
        }
        found = self.taken(forms[letter], f"\\{letter} needs hexadecimal digits")
        code = int(found[found.lastindex or 0], 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise NotRead(f"\\{letter}{found[0]} is no character")
        return code

    def char_class(self) -> None:
        self.take("^")
        if self.peek() == "]" or self.peek(2) == "&&":
            raise NotRead("a class starts with ] or &&")
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotRead("its classes are nested too deeply")
        while not self.take("]"):
            self.class_item()
        self.depth -= 1

    def class_item(self) -> None:
        if self.take("&&"):
            if self.peek() in ("&", "]"):
                raise NotRead("&& in a class has nothing on one side")
            return
        if self.take("["):
            self.char_class()
            return
        low = self.class_char()
        if self.peek() != "-" or self.peek(2) in ("-]", "-["):
            return
        if self.peek(3) == "-&&":
            raise NotRead("a range in a class ends in &&")
        self.at += 1
        high = self.class_char()
        if low is None or high is None or high < low:
            raise NotRead("a range in a class has no end, or one before its start")

    def class_char(self) -> int | None:
        char = self.next()
        if char == "\\":
            return self.char_or_set()
        if char == "^" and self.text[self.at - 2] == "[":
            raise NotRead("a ^ after a [ of a class is not plain")
        if char == "[":
            raise NotRead("a range in a class ends in a class")
        _check_char(char)
        return ord(char)

    def group(self) -> int | None:
        if not self.take("?"):
            return self.captured(None)
        if self.take("<="):
            return self.behind()
        if self.take("<!"):
            return self.behind()
        if self.take("=") or self.take("!"):
            self.inside()
            return 0
        if self.take(":") or self.take(">"):
            return self.inside()
        if self.take("<"):
            return self.captured(self.taken("([A-Za-z][A-Za-z0-9]*)>", "a group has no name")[1])
        flags = self.taken("[idmsuU]*(?:-[idmsuU]+)?", "")[0]
        if not flags or flags == "-":
            raise NotRead(f"Java is not sure to take (?{self.peek()}")
        if self.take(":"):
            return self.inside()
        if not self.take(")"):
            raise NotRead(f"Java is not sure to take (?{flags}{self.peek()}")
        if self.peek() and self.peek() in "*+?{":
            raise NotRead("a quantifier follows a flag")
        return 0

    def captured(self, name: str | None) -> int | None:
        self.groups += 1
        number = self.groups
        if name in self.names:
            raise NotRead(f"two groups are called {name}")
        length = self.inside()
        if name is not None:
            self.names.add(name)
        self.closed.add(number)
        return length

    def behind(self) -> int:
        length = self.inside()
        if length is None or length > _LONGEST_BEHIND:
            raise NotRead("a look-behind has no greatest length")
        return 0

    def inside(self) -> int | None:
        length = self.branches()
        if not self.take(")"):
            raise NotRead("a group is not closed")
        return length


def check_java(pattern: str) -> None:
    """Raises NotRead, with the reason, unless Java 17 is known to compile the pattern."""
    _Checker(pattern).whole()


def without_variables(pattern: str) -> str:
    """The pattern, which :func:`check_java` accepts, without ${: Spark puts variables there.

    Raises NotRead where it stands in a quoted text.
    """
    if "${" not in pattern:
        return pattern
    if r"\Q" in pattern:
        raise NotRead("it holds ${, which Spark replaces")
    text, depth = "", 0
    for part in re.findall(r"\\?\$\{|\\.|.", pattern, re.DOTALL):
        depth += {"[": 1, "]": -1 if depth else 0}.get(part, 0)
        if part.endswith("${"):
            part = part[:-1] + r"\{" if depth else _APART[part]
        text += part
    return text


_APART = {"${": "(?:$){", r"\${": "[$]{"}


def _longest(lengths: list[int | None]) -> int | None:
    return None if None in lengths else max(length for length in lengths if length is not None)


def _check_char(char: str) -> None:
    if char == "\0" or 0xD800 <= ord(char) <= 0xDFFF:
        raise NotRead("it holds a NUL or half a character (a surrogate)")
