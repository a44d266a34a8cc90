"""Placeholders of templates and parameters: stand-ins before a parse, and back afterwards."""

from __future__ import annotations

from ruleferry.converters.readers.sql.macros.back import (
    is_template,
    macros_in,
    table_name,
    written,
)
from ruleferry.converters.readers.sql.macros.defaults import defaults_in
from ruleferry.converters.readers.sql.macros.filters import is_filter_of_loads, is_load_filter
from ruleferry.converters.readers.sql.macros.prepare import prepare

__all__ = [
    "defaults_in",
    "is_filter_of_loads",
    "is_load_filter",
    "is_template",
    "macros_in",
    "prepare",
    "table_name",
    "written",
]
