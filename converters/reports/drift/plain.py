"""Text from a source, as it may stand in the log of a CI run and in any of the formats."""

import re

from ruleferry.converters.reports.text import visible

# A log is read by the program that runs the job: `##vso[…]` and `##[…]` are commands wherever they
# stand in a line (Azure Pipelines, GitHub, TeamCity), `::…::` is one at its beginning (GitHub).
_ARMED = "##"
_SPELT = "#⟨U+0023⟩"
# Spaces that look like another one, and a tab, which `visible` shows as a space.
_SPACES = re.compile("[\t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_CUT = "…"


def plain(text: str, room: int = 600) -> str:
    """The text on one line: nothing hidden in it, no command of a log, cut to `room` characters."""
    cut = text if len(text) <= room else _cut(text, room)
    return unarmed(visible(cut))


def unarmed(text: str) -> str:
    """The same without a command of a log: pieces that hold none may make one together."""
    return text.replace(_ARMED, _SPELT)


def sql(text: str) -> str:
    """A condition, whole: as `plain`, and no two kinds of space look alike."""
    spelt = text if text.isascii() and "\t" not in text else _SPACES.sub(_code, text)
    return unarmed(visible(spelt))


def short(text: str, room: int = 120) -> str:
    """A name or a path: of a long one both ends are shown, more of its end."""
    return plain(text, room) if len(text) <= room else plain(_ends(text, room), room)


def spelt(text: str) -> str:
    """Each character that could be taken for another one, as its number."""
    return "".join(c if c.isascii() and c.isprintable() and c != " " else _number(c) for c in text)


def line(text: str) -> str:
    """A whole line of a log: it is no command."""
    text = unarmed(text)
    return text.replace("::", "⟨U+003A⟩:", 1) if text.lstrip().startswith("::") else text


def _code(match: re.Match[str]) -> str:
    return _number(match[0])


def _number(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def _cut(text: str, room: int) -> str:
    return f"{text[: room - 1].rstrip()}{_CUT}"


def _ends(text: str, room: int) -> str:
    end = (room - 1) * 2 // 3
    return f"{text[: room - 1 - end]}{_CUT}{text[-end:]}"
