r"""Writes a Python pattern in Java's syntax (java.util.regex of Java 17), so that both find a match
in the same texts. What is the same in both keeps the author's text.

The differences are measured, code point by code point (tests/express/test_regex.py):

- `\d \w \s \b` take every script in Python. `(?U)` gives Java the same `\d`, and the same `\s` but
  for four separators, U+001C-1F; `\w` is `[\p{L}\p{N}_]`; `\b` becomes look-arounds on it, since
  Java's own takes combining marks and changed with Java 19.
- `.` and `$` know only the line feed in Python, five line ends in Java without `(?d)`. A `^` of
  many lines also matches at the very end in Python. `\Z` is `\z`.
- A class of Java has brackets, `&&` and blanks of its own, and a `^` after any `[` negates.
- Inside a look-behind Java counts UTF-16 units, not characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ruleferry.converters.express.regex_case import fold_char, fold_class, unicode_case
from ruleferry.converters.express.regex_limits import chars, check
from ruleferry.converters.express.regex_text import escaped
from ruleferry.converters.express.regex_tree import (
    Anchor,
    Backref,
    Branches,
    Char,
    CharClass,
    Dot,
    Group,
    Item,
    Node,
    NotRead,
    Read,
    Repeat,
    Sequence,
    Shorthand,
    Span,
    least_width,
    walk,
)
from ruleferry.converters.express.regex_units import takes_two_units

_WORD = r"[\p{L}\p{N}_]"
_NO_WORD = r"[^\p{L}\p{N}_]"
_BLANK = r"\s\x1C-\x1F"  # Java's \s under (?U), and the separators that Python adds


@dataclass(frozen=True, slots=True)
class Java:
    """What holds for the whole pattern: Java's names of the groups, whether (?i) needs a u."""

    names: dict[str, str]
    unicode_case: bool


def emit(found: Read) -> str:
    """Java's text. Raises NotRead where Java has no counterpart."""
    nodes = tuple(walk(found.branches))
    check(found)
    unicode = unicode_case(found.branches)
    header = _letters(found.flags & (re.IGNORECASE | re.MULTILINE | re.DOTALL), unicode)
    header += "d" * any(map(ends_lines, nodes)) + "U" * any(map(needs_unicode, nodes))
    java = Java(_java_names(nodes), unicode)
    text = (f"(?{header})" if header else "") + _branches(found.branches, java)
    if "${" in text:  # Spark puts variables into literals
        raise NotRead("it would hold ${, which Spark replaces")
    return text


def scripts(node: Node) -> str:
    r"""The shorthands and boundaries of the node (d D w W s S b B) that know every script."""
    if isinstance(node, CharClass):
        parts = [item for item in node.items if isinstance(item, Shorthand)]
        return "" if takes_all(node) else "".join(map(scripts, parts))
    if isinstance(node, Shorthand):
        return "" if node.flags & re.ASCII else node.letter
    if isinstance(node, Anchor) and node.sign in "bB":
        return "" if node.flags & re.ASCII else node.sign
    return ""


def needs_unicode(node: Node) -> bool:
    return any(letter in "dDsS" for letter in scripts(node))


def ends_lines(node: Node) -> bool:
    """The node knows what ends a line: Java needs (?d)."""
    if isinstance(node, Dot):
        return not node.flags & re.DOTALL
    if not isinstance(node, Anchor):
        return False
    return node.sign == "$" or (node.sign == "^" and bool(node.flags & re.MULTILINE))


def syntax_notes(node: Node) -> list[str]:
    """What both engines accept and read differently, apart from scripts and line ends."""
    found = [char.raw for char in chars(node)]
    notes = []
    if r"\v" in found:
        notes.append(r"\v is one character in Python, any vertical blank in Java")
    if any(raw[0] == "\\" and raw[1:2] in tuple("1234567") for raw in found):
        notes.append("an octal number is a reference to a group in Java")
    if isinstance(node, CharClass):
        plain = "".join(item.raw if isinstance(item, Char) else "." for item in node.items)
        if "&&" in plain or "[" in found:
            notes.append("Java has a meaning for [ and && within a class")
    return notes


def takes_all(node: CharClass) -> bool:
    r"""A class such as [\s\S]: whatever its parts mean, together they are everything."""
    letters = {item.letter for item in node.items if isinstance(item, Shorthand)}
    return any({letter, letter.upper()} <= letters for letter in "dsw")


def _java_names(nodes: tuple[Node, ...]) -> dict[str, str]:
    """Names of letters and digits, which is all that Java allows; distinct, in order of place."""
    names: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, Group) and node.name:
            stem = "".join(re.findall("[A-Za-z0-9]+", node.name))
            stem = stem if stem[:1].isalpha() else f"g{stem}"
            name, number = stem, 2
            while name in names.values():
                name, number = f"{stem}x{number}", number + 1
            names[node.name] = name
    return names


def _letters(flags: int, unicode: bool) -> str:
    fold = ("iu" if unicode else "i") if flags & re.IGNORECASE else ""
    return fold + "m" * bool(flags & re.MULTILINE) + "s" * bool(flags & re.DOTALL)


def _branches(branches: Branches, java: Java) -> str:
    return "|".join(_sequence(sequence, java) for sequence in branches)


def _sequence(sequence: Sequence, java: Java) -> str:
    parts: list[str] = []
    for index, node in enumerate(sequence):
        before = sequence[index - 1] if index else None
        after = sequence[index + 1] if index + 1 < len(sequence) else None
        if isinstance(node, Anchor):
            parts.append(_anchor(node, before, after))
        elif isinstance(node, Backref) and after and _node(after, java)[0].isdigit():
            number = _node(node, java)
            parts.append(number if node.name else f"(?:{number})")
        else:
            parts.append(_node(node, java))
    return "".join(parts)


def _node(node: Node, java: Java) -> str:
    match node:
        case Char():
            return _char(node)
        case Dot():
            return "."
        case Shorthand():
            return _shorthand(node)
        case CharClass():
            return _char_class(node)
        case Anchor():
            return _anchor(node, None, None)
        case Backref():
            return rf"\k<{java.names[node.name]}>" if node.name else rf"\{node.number}"
        case Repeat():
            return _repeat(node, java)
        case Group():
            return _group(node, java)


def _char(char: Char) -> str:
    folded = fold_char(char)
    if folded is not None:
        return f"[{folded}]"
    return r"\{" if char.raw == "{" else spelled(char)


def spelled(char: Char) -> str:
    r"""The author's spelling where Java reads it alike, else \xhh or \x{h…}."""
    if len(char.raw) == 1:
        return char.raw if char.raw.isprintable() else escaped(char.code)
    letter = char.raw[1]
    if letter in "xuafnrt" or (letter.isprintable() and not letter.isalnum()):
        return char.raw
    return letter if letter.isalpha() and not letter.isascii() else escaped(char.code)


def _shorthand(node: Shorthand) -> str:
    if node.flags & re.ASCII or node.letter in "dD":
        return f"\\{node.letter}"
    return {"s": f"[{_BLANK}]", "S": f"[^{_BLANK}]", "w": _WORD, "W": _NO_WORD}[node.letter]


def _char_class(node: CharClass) -> str:
    opening = "[^" if node.negated else "["
    if takes_all(node):
        kept = "".join(f"\\{i.letter}" for i in node.items if isinstance(i, Shorthand))
        return f"{opening}{kept}]"
    folded = fold_class(node)
    if folded is not None:
        rest = [item for item in node.items if isinstance(item, Shorthand)]
        return f"(?-i:{opening}{folded}{''.join(map(_shorthand_in_class, rest))}])"
    text = opening
    for index, item in enumerate(node.items):
        last = index == len(node.items) - 1
        text += _class_item(item, text, last)
    return f"{text}]"


def _class_item(item: Item, before: str, last: bool) -> str:
    if isinstance(item, Shorthand):
        return _shorthand_in_class(item)
    if isinstance(item, Span):
        low, high = (_class_char(end, before, False) for end in (item.low, item.high))
        return f"{low}-{high}{_upper_too(item)}"
    return _class_char(item, before, last or before in ("[", "[^"))


def _class_char(char: Char, before: str, dash: bool) -> str:
    """`dash`: a plain - is safe here, at the start or the end of the class."""
    text = spelled(char)
    if text in ("[", "]") or (text == "-" and not dash):
        return f"\\{text}"
    if (text == "^" and before[-1] in "[^") or (text == "&" and before[-1] == "&"):
        return f"\\{text}"
    if text == "{" and before[-1] == "$":
        return r"\{"
    return text


def _upper_too(span: Span) -> str:
    """Ignoring case, Java finds K (Kelvin) and İ only through the small letters k and i."""
    if not span.low.flags & re.IGNORECASE or span.low.flags & re.ASCII:
        return ""
    low, high = max(span.low.code, ord("A")), min(span.high.code, ord("Z"))
    if not any(low <= ord(letter) <= high for letter in "KI"):
        return ""
    return f"{chr(low).lower()}-{chr(high).lower()}"


def _shorthand_in_class(node: Shorthand) -> str:
    if node.flags & re.ASCII or node.letter in "dDSW":
        return _shorthand(node)
    return _BLANK if node.letter == "s" else _WORD[1:-1]


def _anchor(node: Anchor, before: Node | None, after: Node | None) -> str:
    if node.sign == "^" and node.flags & re.MULTILINE:
        # Java's own never matches at the very end
        return "^" if after and least_width(after) else r"(?:\A|(?<=\n))"
    if node.sign in "^$":
        return node.sign
    if node.sign in "AZ":
        return r"\A" if node.sign == "A" else r"\z"
    return _boundary(node, before, after)


def _boundary(node: Anchor, before: Node | None, after: Node | None) -> str:
    # {1,2}: a look-behind takes back UTF-16 units, and a letter may be two of them.
    word, back = (r"\w", r"\w") if node.flags & re.ASCII else (_WORD, _WORD + "{1,2}")
    if node.sign == "B":  # in Python before 3.14 \B finds nothing in an empty text
        inside, outside = rf"(?<={back})(?={word})", rf"(?<!{back})(?!{word})(?!\A\z)"
        return f"(?:{inside}|{outside})"
    if _is_word(after):
        return f"(?<!{back})"
    if _is_word(before):
        return f"(?!{word})"
    return f"(?:(?<={back})(?!{word})|(?<!{back})(?={word}))"


def _is_word(node: Node | None) -> bool:
    r"""The node takes one or more characters of \w and nothing else."""
    if isinstance(node, Repeat):
        return node.low > 0 and _is_word(node.item)
    if isinstance(node, Char):
        return node.code < 128 and (chr(node.code).isalnum() or node.code == ord("_"))
    if isinstance(node, CharClass) and not node.negated:
        return all(_is_word_item(item) for item in node.items)
    return isinstance(node, Shorthand) and node.letter in "dw"


def _is_word_item(item: Item) -> bool:
    if not isinstance(item, Span):
        return _is_word(item)
    ends = (chr(item.low.code), chr(item.high.code))
    return any(all(low <= end <= high for end in ends) for low, high in ("09", "AZ", "az"))


def _repeat(node: Repeat, java: Java) -> str:
    item = _node(node.item, java)
    raw = re.sub(r"^\{,", "{0,", node.raw)
    if raw[0] == "{" and item == r"\$":
        item = "[$]"  # so that no ${ stands in the text
    return f"{item}{raw}{node.mode}"


def _group(node: Group, java: Java) -> str:
    body = _branches(node.branches, java)
    if node.kind in ("<=", "<!"):
        behind = (_sequence(s, java) + "{1,2}" * takes_two_units(s) for s in node.branches)
        return f"(?{node.kind}{'|'.join(behind)})"
    if node.kind == "capture":
        return f"(?<{java.names[node.name]}>{body})" if node.name else f"({body})"
    if node.kind != "plain":
        return f"(?{'>' if node.kind == 'atomic' else node.kind}{body})"
    added, dropped = (_letters(flags, java.unicode_case) for flags in (node.added, node.dropped))
    dropped = dropped.replace("u", "")
    return f"(?{added}{'-' * bool(dropped)}{dropped}:{body})"
