"""SQL that code puts together: one constant text can be read, and rules of a table be asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from ruleferry.converters.readers.sql.code.nodes import Assign, Dynamic, Node, Span
from ruleferry.converters.readers.sql.code.simple import plain
from ruleferry.converters.readers.sql.code.tokens import Token
from ruleferry.converters.readers.sql.code.values import Code, Values, everything

_CATALOGUE = re.compile(
    r"^(?:.*\.)?(?:sys|information_schema|pg_catalog|syscat|sysibm|dbc|dba_\w+|all_tab\w*|user_\w+"
    r"|all_\w+|pg_\w+|svv_\w+)(?:\.|$)",
    re.I,
)


def constant_text(node: Dynamic, code: Code, values: Values) -> str | None:
    """What it runs, where that is one literal, or a variable that holds one."""
    span = node.text
    if span.last - span.first != 1:
        return None
    token = code.tokens[span.first]
    if token.kind in ("text", "body"):
        return token.value
    value = values.get(plain(token.value))
    tree = value.tree if value is not None else None
    if isinstance(tree, exp.National):
        return str(tree.this)
    return tree.name if isinstance(tree, exp.Literal) and tree.is_string else None


def words_of(nodes: Sequence[Node], tokens: Sequence[Token]) -> set[str]:
    """The names that stand in the texts which are run, also by way of variables."""
    spans: list[Span] = [n.text for n in everything(nodes) if isinstance(n, Dynamic)]
    given = [n for n in everything(nodes) if isinstance(n, Assign) and n.value is not None]
    found: set[str] = set()
    while spans:
        span = spans.pop()
        new = {plain(t.value) for t in tokens[span.first : span.last] if t.kind in ("word", "name")}
        for node in given:
            if node.value is not None and new.difference(found).intersection(node.variables):
                spans.append(node.value)
        found |= new
    return found


def rules_of(query: exp.Expression, table: str) -> str | None:
    """What to ask for where a loop runs what a table says; None for a catalogue of tables."""
    if not table or _CATALOGUE.search(table):
        return None
    columns = [item.alias_or_name for item in query.selects] if isinstance(query, exp.Query) else []
    named = ", ".join(name for name in columns if name and name != "*")
    told = f" (columns {named})" if named else ""
    return f"Rules stand in the table {table}{told}, and the code runs what they say."


def is_catalogue(table: str) -> bool:
    return _CATALOGUE.search(table) is not None
