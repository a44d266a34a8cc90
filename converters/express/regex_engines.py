"""A pattern that is not plain, as Python and Java read it: one for both, or how they differ."""

from __future__ import annotations

import re
from typing import assert_never

from ruleferry.converters.express.regex import Flavour, Pattern, Refused
from ruleferry.converters.express.regex_case import unicode_case
from ruleferry.converters.express.regex_emit import emit, ends_lines, scripts, syntax_notes
from ruleferry.converters.express.regex_java import check_java, without_variables
from ruleferry.converters.express.regex_limits import runs_deep
from ruleferry.converters.express.regex_python import read
from ruleferry.converters.express.regex_tree import Anchor, NotRead, Read, walk
from ruleferry.converters.express.regex_units import counts_units
from ruleferry.converters.rule import Caveat


def translated(pattern: str, flavour: Flavour) -> Pattern | Refused:
    """The pattern for RLIKE with the same verdict as in its own engine, or why there is none."""
    try:
        if flavour == "python":
            return _from_python(pattern)
        if flavour == "java":
            check_java(pattern)
            return Pattern(without_variables(pattern))
    except re.error as error:
        return Refused(_rejected(error))
    except NotRead as reason:
        return Refused(str(reason))
    assert_never(flavour)


def _rejected(error: re.error) -> str:
    if error.msg.startswith("global flags not at the start"):
        return "Python refuses a flag in the middle since 3.11; before, it held for the whole"
    return f"Python rejects it ({error.msg}), so that the rule never ran"


def meaning_differs(pattern: str) -> str | None:
    """How the verdicts of Python and Java on the pattern, as it is written, differ.

    One sentence, for a rule whose engine is not known; None where both agree on every text.
    """
    java = _java_refusal(pattern)
    try:
        found = read(pattern)
        same = _from_python(pattern) == Pattern(pattern)
    except re.error as error:
        python = f"Python rejects the pattern ({error.msg})"
        return f"{python}, {f'and {java}' if java else 'Java runs it'}."
    except NotRead as reason:
        return f"Python and Java read the pattern differently: {reason}."
    if java is not None:
        return f"Python runs the pattern, {java}."
    notes = [] if same else _notes(found)
    return f"Python and Java differ: {'; '.join(notes)}." if notes else None


def _java_refusal(pattern: str) -> str | None:
    try:
        check_java(pattern)
    except NotRead as reason:
        return f"Java may not compile it: {reason}"
    return None


def _from_python(pattern: str) -> Pattern:
    found = read(pattern)
    text = emit(found)
    try:
        check_java(text)
    except NotRead as reason:
        raise NotRead(f"Java may not compile what we make of it, {text}: {reason}") from None
    return Pattern(text, tuple(_caveats(found)))


def _caveats(found: Read) -> list[Caveat]:
    nodes = tuple(walk(found.branches))
    told = []
    if any(letter in "dDwWbB" for node in nodes for letter in scripts(node)):
        told.append(Caveat("regex_unicode", _NEW_LETTERS))
    if counts_units(found.branches):
        told.append(Caveat("regex_astral", _UNITS))
    if any(isinstance(node, Anchor) and node.sign == "B" for node in nodes):
        told.append(Caveat("regex_empty_text", _EMPTY))
    if runs_deep(found.branches):
        told.append(Caveat("regex_long_text", _DEEP))
    return told


_NEW_LETTERS = (
    "letters and digits that Unicode added after version 13 (2020) count as such or not depending "
    "on the version of Python and of Java"
)
_UNITS = (
    "a character beyond U+FFFF (an emoji, a rare script) counts as two where the pattern looks back"
)
_EMPTY = r"from Python 3.14 on \B also matches in an empty text"
_DEEP = (
    "a text on which a group repeats more than about 1,000 times ends the query in Java with a "
    "StackOverflowError"
)


def _notes(found: Read) -> list[str]:
    """What differs between the engines in the author's own text, each thing once."""
    nodes = tuple(walk(found.branches))
    letters = {letter.lower() for node in nodes for letter in scripts(node)}
    notes = [note for letter, note in _SCRIPT_NOTES.items() if letter in letters]
    anchors = [node for node in nodes if isinstance(node, Anchor)]
    if any(map(ends_lines, nodes)):
        notes.append(r"Java ends a line, for . ^ and $, also at \r, \u0085, \u2028 and \u2029")
    if any(anchor.sign == "^" and anchor.flags & re.MULTILINE for anchor in anchors):
        notes.append("Java finds no ^ of many lines at the end of the text")
    if any(anchor.sign == "Z" for anchor in anchors):
        notes.append(r"\Z allows a line end after it in Java")
    if unicode_case(found.branches):
        notes.append("Java ignores the case of ASCII letters only, unless (?u) stands there")
    notes += sorted({note for node in nodes for note in syntax_notes(node)})
    return notes + [caveat.detail for caveat in _caveats(found) if caveat.code != "regex_unicode"]


_SCRIPT_NOTES = {
    "d": r"\d takes the digits of every script in Python, 0-9 in Java",
    "w": r"\w takes the letters and digits of every script in Python, ASCII ones in Java",
    "s": r"\s takes every blank and separator of Unicode in Python, ASCII ones in Java",
    "b": r"\b goes by the letters of every script in Python, by other ones in Java",
}
