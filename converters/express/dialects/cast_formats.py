"""Date formats of casts as those of Spark."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ruleferry.converters.express.dialects.steps import differs

# The third argument of CONVERT.
STYLES: Mapping[str, str] = {
    "23": "yyyy-MM-dd",
    "101": "MM/dd/yyyy",
    "102": "yyyy.MM.dd",
    "103": "dd/MM/yyyy",
    "104": "dd.MM.yyyy",
    "105": "dd-MM-yyyy",
    "108": "HH:mm:ss",
    "110": "MM-dd-yyyy",
    "111": "yyyy/MM/dd",
    "112": "yyyyMMdd",
    "120": "yyyy-MM-dd HH:mm:ss",
    "121": "yyyy-MM-dd HH:mm:ss.SSS",
}
_STRFTIME = {
    "%Y": "yyyy", "%y": "yy", "%m": "MM", "%d": "dd", "%H": "HH", "%M": "mm", "%S": "ss",
}  # fmt: skip
_TERADATA = {
    "YYYY": "yyyy", "Y4": "yyyy", "MM": "MM", "M2": "MM", "DD": "dd", "D2": "dd", "HH": "HH",
    "MI": "mm", "SS": "ss",
}  # fmt: skip
_SIGN = re.compile(r"[-/:., ]")
# The letters of a format by their number: cut to so many characters, the text is that of the rest.
_PIECES = re.compile(r"yyyy|MM|dd|HH|mm|ss|SSS|[-/:., ]")


def of_strftime(written: str) -> str:
    return _translated(written, _STRFTIME, re.compile("%."))


def of_teradata(written: str) -> str:
    return _translated(written.upper(), _TERADATA, re.compile("YYYY|Y4|MM|M2|DD|D2|HH|MI|SS"))


def _translated(written: str, parts: Mapping[str, str], piece: re.Pattern[str]) -> str:
    made, at = "", 0
    while at < len(written):
        found = piece.match(written, at) or _SIGN.match(written, at)
        if found is None or (len(found[0]) > 1 and found[0] not in parts):
            raise differs(f"the format {written!r} is not carried over")
        made += parts.get(found[0], found[0])
        at = found.end()
    return made


def shortened(java: str, length: int) -> str | None:
    """The format whose texts are the first characters of those of `java`."""
    made = ""
    for piece in _PIECES.findall(java):
        if len(made) >= length:
            break
        made += piece
    return made if len(made) <= length else None


def loose(java: str) -> str:
    """Read so, a day or month of one digit may stand without its 0."""
    if java == "yyyyMMdd":
        return java
    return java.replace("MM", "M").replace("dd", "d")


_CONFIGURED = {
    "YYYY": "yyyy", "RRRR": "yyyy", "YY": "yy", "RR": "yy", "MON": "MMM", "MMM": "MMM", "MM": "M",
    "DD": "d", "HH24": "H", "MI": "m", "SS": "s",
}  # fmt: skip


def of_configured(written: str) -> str:
    """A format of the configuration, in the letters of Oracle and its kin."""
    piece = re.compile("YYYY|RRRR|YY|RR|MON|MMM|MM|DD|HH24|MI|SS")
    found = _translated(written.upper(), _CONFIGURED, piece)
    together = re.search("[yMdHms]{2,}", found) and not re.search(r"[-/:., ]", found)
    return found.replace("M", "MM").replace("d", "dd") if together and "MMM" not in found else found
