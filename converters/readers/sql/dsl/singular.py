"""Tests of dbt that are a query of their own: the rows that it returns are bad."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_statement
from ruleferry.converters.readers.sql.found import (
    Checked,
    Effect,
    Found,
    Piece,
    Prepared,
    Script,
    Setting,
)
from ruleferry.converters.readers.sql.shapes import bad_rows
from ruleferry.converters.rule import Action, Check, NotARule, Unread

# What only dbt calls so; a template of another tool has no ref().
_OF_DBT = re.compile(r"\{\{\s*(?:ref|source|config)\s*\(")
_NO_TESTS = frozenset({"models", "snapshots", "analyses", "macros", "seeds"})
# Which rows count, and how many are too many.
_DECIDING = ("error_if", "warn_if", "limit", "where", "fail_calc", "group_by")
_ACTIONS: Mapping[str, Action] = {"error": "fail", "warn": "warn"}


@dataclass(frozen=True, slots=True)
class Singular:
    """`folder`: where the file stands that holds no test, else ""."""

    folder: str

    def found(self, prepared: Prepared, piece: Piece, setting: Setting) -> Found:
        config = prepared.config
        action = _ACTIONS.get(str(config.get("severity", "error")).lower())
        detail = f"severity: {config['severity']}" if "severity" in config else ""
        effect = Effect("test", action=action, detail=detail)
        checked = self._checked(prepared, setting)
        return Found(checked, piece.start, piece.end, effect=effect)

    def _checked(self, prepared: Prepared, setting: Setting) -> Checked:
        config = prepared.config
        if self.folder:
            return _checked(
                NotARule(f"dbt makes a table of it, in {self.folder}, and tests nothing")
            )
        if config.get("enabled") is False:
            return _checked(NotARule("it is switched off (enabled: false)"))
        if deciding := [key for key in _DECIDING if key in config]:
            reason = f"dbt is told {', '.join(deciding)}, which decides what it finds"
            return _checked(Unread("unknown_shape", reason))
        try:
            tree = parse_statement(prepared.text, setting.dialect)
        except Unreadable as unreadable:
            return _checked(Unread(unreadable.code, unreadable.reason))
        if not isinstance(tree, exp.Query):
            return _checked(Unread("unknown_shape", "a test of dbt is a query"))
        return bad_rows(tree, replace(setting, macros=prepared.macros))


def singular_test(script: Script, wrapper: str) -> Singular | None:
    """None where the script is none of dbt's."""
    if wrapper != "dbt" and not _OF_DBT.search(script.text):
        return None
    folders = PurePosixPath(script.file).parts[:-1]
    return Singular(next((name for name in folders if name in _NO_TESTS), ""))


def _checked(check: Check) -> Checked:
    return Checked(check, "predicate", None)
