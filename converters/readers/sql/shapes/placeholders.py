"""The placeholders of a tree: what names a table, what picks the load, and what blocks a rule."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.sql.found import Macro
from ruleferry.converters.readers.sql.macros import (
    is_load_filter,
    is_template,
    macros_in,
    table_name,
    written,
)

__all__ = [
    "is_load_filter",
    "macros_in",
    "refuse_parameters",
    "table_name",
    "with_tables",
    "written",
]


def refuse_parameters(tree: exp.Expression, macros: Mapping[str, Macro]) -> None:
    """A placeholder within a rule needs a value."""
    found = macros_in(tree, macros)
    if found:
        names = ", ".join(macro.written for macro in found)
        raise Unreadable("parameter", f"it depends on {names}, whose value is not known")


def with_tables(tree: exp.Expression, macros: Mapping[str, Macro]) -> exp.Expression:
    """The tree, if each of its tables has a name. Raises Unreadable."""
    for table in tree.find_all(exp.Table) if macros else ():
        if is_template(table, macros):
            name = table_name(table, macros)
            raise Unreadable("template", f"its table is a placeholder: {name}")
    return tree
