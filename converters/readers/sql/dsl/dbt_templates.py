"""dbt: tests of the project's own, `{% test positive(model, column_name) %} … {% endtest %}`.

A use fills a template in as dbt does, as text; the query is then read like any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleferry.converters.dialects.parse import Unreadable, parse_statement
from ruleferry.converters.readers.sql.dsl.build import is_plain
from ruleferry.converters.readers.sql.found import Checked, Found, Setting
from ruleferry.converters.readers.sql.macros import prepare
from ruleferry.converters.readers.sql.shapes import bad_rows
from ruleferry.converters.rule import NotARule

if TYPE_CHECKING:
    from ruleferry.converters.readers.sql.dsl.dbt_tests import Use

_TEMPLATE = re.compile(
    r"\{%-?\s*(?:test\s+(?P<test>\w+)|macro\s+test_(?P<macro>\w+))\s*\((?P<parameters>[^%]*?)\)"
    r"\s*-?%\}(?P<body>.{0,20000}?)\{%-?\s*end(?:test|macro)\s*-?%\}",
    re.DOTALL,
)
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)
_VALUE = re.compile(r"\{\{-?\s*(\w+)\s*-?\}\}")
_PARAMETER = re.compile(r"\s*(\w+)\s*(?:=\s*(.+?)\s*)?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Template:
    """`parameters`: name -> the text of its default, None where it has none."""

    name: str
    parameters: Mapping[str, str | None]
    body: str
    start: int = 0
    end: int = 0


def templates_in(text: str) -> Mapping[str, Template]:
    return {template.name: template for template in _all(text)}


def _all(text: str) -> list[Template]:
    blank = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    found = []
    for match in _TEMPLATE.finditer(blank):
        parameters = _parameters(match["parameters"])
        if parameters is not None:
            name = match["test"] or match["macro"]
            found.append(Template(name, parameters, match["body"], match.start(), match.end()))
    return found


def _parameters(text: str) -> Mapping[str, str | None] | None:
    """None where a default is a list, or more than a word."""
    found: dict[str, str | None] = {}
    for part in text.split(",") if text.strip() else []:
        match = _PARAMETER.match(part)
        if match is None or (match[2] and any(sign in match[2] for sign in "[({")):
            return None
        found[match[1]] = match[2]
    return found


def read_dbt_templates(text: str, file: str) -> tuple[Found, ...]:
    """A template states a rule only where a model uses it."""
    return tuple(
        Found(
            Checked(NotARule(f"a template: each use of {one.name} is a rule"), "predicate", None),
            one.start,
            one.end,
            part=f"test {one.name}",
        )
        for one in _all(text)
    )


def filled(template: Template, use: Use) -> Checked:
    """Raises Unreadable, also where an argument is no text or number."""
    values = _values(template, use)
    body = _VALUE.sub(lambda found: values.get(found[1], found[0]), template.body)
    if "{%" in body:
        raise Unreadable("template", f"the template of {template.name} has code of its own")
    on = use.on
    prepared = prepare(body.strip().rstrip(";"), on.setting.dialect, on.wrapper, on.values)
    tree = parse_statement(prepared.text, on.setting.dialect)
    setting = Setting(on.setting.dialect, on.setting.settings, prepared.macros)
    return bad_rows(tree, setting)


def _values(template: Template, use: Use) -> Mapping[str, str]:
    given = {name: use.args.raw(name) for name in use.args.given}
    unknown = sorted(set(given) - set(template.parameters))
    if unknown:
        raise Unreadable("unknown_shape", f"{template.name} has no parameter {', '.join(unknown)}")
    if not all(is_plain(part) for part in use.on.table.split(".")):
        raise Unreadable("unknown_shape", f"{use.on.table} is no plain name of a table")
    found = {"model": use.on.table}
    if use.column is not None:
        found["column_name"] = use.column
    for name, default in template.parameters.items():
        value = given.get(name)
        if name in found:
            continue
        if isinstance(value, bool | list | dict) or (value is None and default is None):
            raise Unreadable("template", f"{name} of {template.name} is no text or number")
        found[name] = str(value) if value is not None else _unquoted(default or "")
    return found


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
