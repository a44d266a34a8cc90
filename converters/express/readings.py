r"""What a text says as a number, a day or a time, for rules that a person wrote.

Spark's casts take more than a person calls a number or a date: `1d`, ` 12 ` and `NaN` are numbers
to them, and `2024` is a day. So a text is cast only where it has the shape: a number has a sign, a
point and an exponent at most, a day is yyyy-MM-dd, a time of day may follow.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.express.nodes import Node, call
from ruleferry.converters.express.sql_text import number_literal, string_literal

_Type = exp.DataType.Type

# Of these signs alone a cast takes nothing but numbers: the letters of NaN, 1d and 0x1p3 are out.
NUMBER = r"^[-+.0-9eE]+\z"
DAY = "(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}"
CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?"
_ZONE = "(Z|[-+](0[0-9]|1[0-4]):?[0-5][0-9])?"
MOMENT = rf"^({DAY})([ T]{CLOCK}{_ZONE})?\z"

# What is cast to a type: a pattern, and which of its groups.
_SHAPES: Mapping[exp.DType, tuple[str, int]] = {
    _Type.DOUBLE: (NUMBER, 0),
    _Type.DECIMAL: (NUMBER, 0),
    _Type.DATE: (MOMENT, 1),
    _Type.TIMESTAMP: (MOMENT, 0),
    _Type.TIMESTAMPTZ: (MOMENT, 0),
    _Type.TIMESTAMPNTZ: (MOMENT, 0),
}


def shaped(text: Node, kind: exp.DType) -> Node:
    """The text where it has the shape of the type, else an empty one, which is of no type."""
    pattern, group = _SHAPES[kind]
    return extract(text, pattern, group)


def extract(text: Node, pattern: str, group: int = 0) -> Node:
    return call("regexp_extract", text, string_literal(pattern), number_literal(group))


def like(text: Node, pattern: str) -> Node:
    return exp.RegexpLike(this=text, expression=string_literal(pattern))
