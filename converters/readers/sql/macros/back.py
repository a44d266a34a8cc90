"""From stand-ins back to what the author wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from sqlglot import exp

from ruleferry.converters.readers.sql.found import STAND_IN, Macro

_STAND_IN = re.compile(rf"{STAND_IN}\d+_", re.IGNORECASE)


def macros_in(tree: exp.Expression, macros: Mapping[str, Macro]) -> tuple[Macro, ...]:
    """Those whose stand-in is somewhere in a tree: a name, a literal or a part of one."""
    found: dict[str, Macro] = {}
    for text in _texts(tree) if macros else ():
        for key in _STAND_IN.findall(text):
            if macro := macros.get(key.lower()):
                found[key.lower()] = macro
    return tuple(found.values())


def _texts(tree: exp.Expr) -> Iterator[str]:
    for node in tree.walk():
        for value in node.args.values():
            if isinstance(value, str):
                yield value


def written(text: str, macros: Mapping[str, Macro]) -> str:
    """Every stand-in as the author wrote it."""
    if not macros:
        return text
    return _STAND_IN.sub(lambda found: _of(found[0], macros), text)


def _of(key: str, macros: Mapping[str, Macro]) -> str:
    macro = macros.get(key.lower())
    return macro.written if macro else key


def table_name(table: exp.Table, macros: Mapping[str, Macro]) -> str:
    """As the source writes it, without quotes: parts between dots, placeholders as written."""
    parts = [part.name if isinstance(part, exp.Identifier) else part.sql() for part in table.parts]
    if table.args.get("catalog") and not table.db:  # db..t: the user's own schema
        parts.insert(1, "")
    return ".".join(written(part, macros) for part in parts)


def is_template(table: exp.Table, macros: Mapping[str, Macro]) -> bool:
    """A placeholder without a value stands in the table's name."""
    return any(_STAND_IN.search(text) for part in table.parts for text in _texts(part) if macros)
