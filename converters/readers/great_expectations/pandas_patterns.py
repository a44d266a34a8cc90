"""Patterns that pandas reads otherwise since version 3.

Its texts are those of Arrow since then, whose patterns are RE2's. pandas leaves to Python what it
knows that RE2 lacks or means otherwise; the rest was found by running both over each other
(pandas 3.1 with pyarrow). Great Expectations of 0.x never ran on such a pandas.
"""

from __future__ import annotations

import re

_POSIX = re.compile(r"\[:\^?\w+:\]")
_OPEN_REPEAT = re.compile(r"\{,\d*\}")
_FLAGS = re.compile(r"\(\?[a-zA-Z]*(?:-[a-zA-Z]+)?[:)]")
_IGNORES_CASE = re.compile(r"\(\?[a-zA-Z]*i")
# The letters i, or a range that may hold one of them.
_WITH_I = re.compile(r"[iIıİ]|\[[^\]]*[^\]\\]-[^\]]")


def since_pandas_3(pattern: str) -> str | None:
    """What else the pattern means there, as the end of a sentence; None where it is the same."""
    if found := _POSIX.search(pattern):
        return f"takes {found[0]} for a class of characters, and Python for single ones"
    if found := _OPEN_REPEAT.search(pattern):
        return f"takes {found[0]} for these very characters, and Python for a repetition"
    if _IGNORES_CASE.search(pattern) and _WITH_I.search(_FLAGS.sub("", pattern)):
        return "does not take ı and İ for an i where case is ignored, as Python does"
    return None
