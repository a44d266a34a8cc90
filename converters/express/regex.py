"""Regular expressions: a pattern of the source as a pattern for `c RLIKE '…'` in Spark.

RLIKE is `Matcher.find` of java.util.regex (Java 17). A Python pattern, used with `re.search`, is
rewritten so that both give the same verdict on every text; a Java pattern stays as it is, once we
are sure that it compiles. `${`, where Spark puts variables even into literals, never comes out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from ruleferry.converters.express.outcome import Refused as Refused
from ruleferry.converters.rule import Caveat

Flavour: TypeAlias = Literal["python", "java"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """`text` for java.util.regex; each caveat names the texts on which a verdict may differ."""

    text: str
    caveats: tuple[Caveat, ...] = ()


# Most patterns of most suites: letters, digits, a few signs, classes of these, and how often. Both
# engines read them alike, but for what ends a line before the $; there is no more to find out.
_PLAIN = re.compile(
    r"\^?(?:(?:[A-Za-z0-9_ :;,@/%='\"<>!~-]|\\[.+*?()/-]|\[(?:A-Z|a-z|0-9|[A-Za-z0-9_])+\])"
    r"(?:\{[0-9]{1,3}\}|[*+?])?)+\$?"
)


@lru_cache(maxsize=4096)
def to_java(pattern: str, flavour: Flavour) -> Pattern | Refused:
    """The pattern for RLIKE with the same verdict as in its own engine, or why there is none."""
    if _PLAIN.fullmatch(pattern):
        ends = flavour == "python" and pattern.endswith("$")
        return Pattern(f"(?d){pattern}" if ends else pattern)
    # Its rooms are large, and many suites have no other patterns than plain ones.
    from ruleferry.converters.express.regex_engines import translated

    return translated(pattern, flavour)
