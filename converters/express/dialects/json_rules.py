"""Paths into JSON texts, and arrays of parts of a text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express.dialects.call_shape import Call, Rule
from ruleferry.converters.express.dialects.reading import Term
from ruleferry.converters.express.dialects.regexes import in_java
from ruleferry.converters.express.dialects.terms import text
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.sql_types import STRING

_PATH = re.compile(r"\$(\.[A-Za-z_][A-Za-z0-9_]*|\[[0-9]{1,5}\])+")


def _json_value(found: Call) -> Term:
    """The text of a plain value; of an object or an array Spark gives the JSON."""
    path = found.word(1)
    if not _PATH.fullmatch(path):
        raise found.refused(f"has the path {path!r}, which is not carried over")
    if found.here.dialect.name == "bigquery":
        detail = f"{found.name}() gives NULL for an object or an array, here its JSON"
        found.here.tell("dialect_differs", detail)
    return Term(call("get_json_object", [found.tree(0), text(path)]), STRING)


def _split(found: Call) -> Term:
    """The separator is a regular expression."""
    java = in_java(found.word(1), found.here.dialect, tell=found.here.tell)
    return Term(call("split", [found.tree(0), text(java)]), parse_type("array<string>"))


RULES: Mapping[str, Rule] = {"json_value": _json_value, "split": _split}
