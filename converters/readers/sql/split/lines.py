"""Commands of the clients that run scripts: what stands on a line by itself and is no SQL."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from ruleferry.converters.readers.sql.split.facts import Client, Facts

# "ends": it ends the statement before it, and is nothing else; "line": of the client;
# "spoken": text of REM and PROMPT; "call": a statement that ends with its line.
LineKind: TypeAlias = Literal["ends", "line", "spoken", "call"]
Line: TypeAlias = tuple[LineKind, int]

_REST = r"[^\r\n]*+"
_ALONE = r"[ \t]*+(?=[\r\n]|\Z|--|/\*)"
# A hyphen at its end carries a command on to the next line.
_CARRIED = r"(?:[^\r\n]*?(?<=[ \t])-[ \t]*+(?:\r\n?|\n))*+[^\r\n]*+"

# Of the loaders: they end with a semicolon, and not with their line.
_MLOAD = r"(?:BEGIN|END|LAYOUT|FIELD|FILLER|DML|LOGTABLE|ROUTE|IMPORT[ \t]+INFILE)\b"

# Where a statement may begin. A statement that lacks its end would swallow those of _SURE.
_AT_START: Mapping[Client, tuple[tuple[LineKind, str], ...]] = {
    "sqlplus": (
        ("spoken", rf"(?:REM(?:ARK)?|PRO(?:MPT)?)(?![\w$#]|[ \t]*=[ \t]*[^=\s]){_REST}"),
        ("call", rf"EXEC(?:UTE)?(?=[ \t])(?![ \t]+IMMEDIATE\b){_CARRIED}"),
        (
            "line",
            r"SET(?=[ \t])(?![ \t]+(?:TRANSACTION|ROLE|CONSTRAINTS?)\b|[^\r\n=]*=)"
            rf"{_CARRIED}",
        ),
        (
            "line",
            r"(?:WHENEVER|SPO(?:OL)?|DEF(?:INE)?|UNDEF(?:INE)?|VAR(?:IABLE)?|ACC(?:EPT)?|CONN(?:ECT)?"
            r"|DISC(?:ONNECT)?|EXIT|QUIT|HO(?:ST)?|STA(?:RT)?|COL(?:UMN)?|BRE(?:AK)?|COMP(?:UTE)?"
            r"|TTI(?:TLE)?|BTI(?:TLE)?|CL(?:EAR)?|PAU(?:SE)?|SHO(?:W)?|TIMI(?:NG)?|DESC(?:RIBE)?"
            r"|PRI(?:NT)?|REPH(?:EADER)?|REPF(?:OOTER)?|PASSW(?:ORD)?|STORE|SAV(?:E)?|GET)"
            rf"(?![\w$#(.]|[ \t]*[=:]){_CARRIED}",
        ),
        ("line", rf"(?:@@?(?=[\w./&~\"'$%])|!){_REST}"),
    ),
    "sqlcmd": (("line", rf":(?=[A-Za-z!]){_REST}"), ("line", rf"!!{_REST}")),
    "mysql": (
        (
            "line",
            r"(?:SOURCE|TEE|NOTEE|PAGER|NOPAGER|WARNINGS|NOWARNING|PROMPT)\b(?![ \t]*[(=.])"
            rf"{_REST}",
        ),
    ),
    "psql": (),
    "bteq": (
        ("line", rf"\.[ \t]*+(?=[A-Za-z=])(?!{_MLOAD}){_CARRIED}"),
        ("line", r"(?:QUIT|EXIT|LOGOFF)(?:[ \t]+\w+)?[ \t]*+;?(?=[ \t]*+(?:[\r\n]|\Z))"),
        ("line", rf"LOGON[ \t]{_REST}"),
    ),
    "snowsql": (("line", rf"!(?=[A-Za-z]){_REST}"),),
    "beeline": (("line", rf"!(?=[A-Za-z]){_REST}"), ("line", r"dfs(?=[ \t])[^\r\n;]*+")),
    "clp": (("line", rf"!(?=[A-Za-z]){_REST}"), ("line", rf"ECHO(?=[ \t\r\n]){_REST}")),
    "": (),
}  # fmt: skip
# Wherever a line begins with one.
_SURE: Mapping[Client, tuple[tuple[LineKind, str], ...]] = {
    "sqlplus": (
        ("ends", rf"[/.]{_ALONE}"),
        ("spoken", rf"PROMPT(?=[ \t\r\n]|\Z)(?![ \t]*[=,)]){_REST}"),
        ("line", rf"SPOOL[ \t]+(?=[\w./&~\"'$%]){_REST}"),
        ("line", rf"WHENEVER[ \t]+(?:SQL|OS)ERROR\b{_CARRIED}"),
        (
            "line",
            r"SET[ \t]+(?:ECHO|FEED(?:BACK)?|SERVEROUT(?:PUT)?|DEF(?:INE)?|VER(?:IFY)?|HEA(?:DING)?"
            r"|PAGES(?:IZE)?|LIN(?:ESIZE)?|TERM(?:OUT)?|TRIMS(?:POOL)?|TIMI(?:NG)?|SCAN|ESCAPE"
            rf"|SQLBL(?:ANKLINES)?|AUTO(?:COMMIT)?)[ \t]+(?!=){_CARRIED}",
        ),
    ),
    "sqlcmd": (
        ("ends", r"GO(?:[ \t]+\d+)?[ \t]*+;?(?=[ \t]*+(?:[\r\n]|\Z|--|/\*))"),
        ("line", rf":(?:SETVAR|R|ON|CONNECT|OUT|ERROR|EXIT|QUIT|SERVERLIST|XML|LIST)\b{_REST}"),
    ),
    "mysql": (),
    "psql": (),
    "bteq": (
        (
            "line",
            r"\.[ \t]*+(?:IF|ELSE(?:IF)?|ENDIF|GOTO|LABEL|QUIT|EXIT|LOGON|LOGOFF|SET|RUN|REMARK|OS"
            rf"|EXPORT|IMPORT(?![ \t]+INFILE)|REPEAT|COMPILE|MAXERROR|SHOW|HANG)\b{_CARRIED}",
        ),
    ),
    "snowsql": (),
    "beeline": (),
    "clp": (),
    "": (),
}  # fmt: skip
_USE = (
    r"USE[ \t]+(?:(?:DATABASE|SCHEMA|WAREHOUSE|ROLE|CATALOG|SECONDARY[ \t]+ROLES)[ \t]+)?"
    r"(?:[\w$.{}<>&#()@%-]|`[^`\r\n]*`|\[[^\]\r\n]*\]|\"[^\"\r\n]*\")++"
    r"(?=[ \t]*+(?:;|[\r\n]|\Z|--|/\*))"
)
# Oracle's Data Integrator, and only in its own scripts or before its ruler.
_AMPERSAND = rf"&{_ALONE}"
_AMPERSAND_RULER = r"&(?=[ \t]*+/\*-)"


@dataclass(frozen=True, slots=True)
class Lines:
    """The commands of a client, where a statement may begin and where a line does."""

    start: re.Pattern[str]
    sure: re.Pattern[str]

    def at(self, text: str, at: int, *, opened: bool) -> Line | None:
        """The command that begins at a place where nothing but blanks stands before it."""
        pattern = self.sure if opened else self.start
        found = pattern.match(text, at)
        if found is None or found.lastgroup is None:
            return None
        kind = _KINDS[found.lastgroup.rstrip("0123456789")]
        return kind, _before_open_comment(text, at, found.end())


_KINDS: Mapping[str, LineKind] = {k: k for k in ("ends", "line", "spoken", "call")}
DELIMITER = re.compile(r"DELIMITER[ \t]+(\S+)[^\r\n]*", re.IGNORECASE)


def _before_open_comment(text: str, start: int, end: int) -> int:
    """A comment that goes on behind the line is none of the command's."""
    opening = text.rfind("/*", start + 1, end)
    if opening < 0 or not text[opening - 1].isspace() or text.find("*/", opening, end) >= 0:
        return end
    return opening


@cache
def lines_of(facts: Facts, wrapper: str) -> Lines:
    sure = [*_SURE[facts.client], ("ends", _AMPERSAND_RULER)]
    if wrapper == "odi" or facts.client == "sqlplus":
        sure.append(("ends", _AMPERSAND))
    return Lines(_compiled([*sure, *_AT_START[facts.client], ("line", _USE)]), _compiled(sure))


def _compiled(rows: Sequence[tuple[LineKind, str]]) -> re.Pattern[str]:
    groups = (f"(?P<{kind}{number}>{pattern})" for number, (kind, pattern) in enumerate(rows))
    return re.compile("|".join(groups), re.IGNORECASE)
