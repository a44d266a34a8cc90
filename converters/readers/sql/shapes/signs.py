"""Whether a count is one of bad records, or only a figure about the data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.dialects.tree import bare, called, terms
from ruleferry.converters.readers.sql.found import Setting
from ruleferry.converters.readers.sql.shapes.kinds import kind_of
from ruleferry.converters.readers.sql.shapes.placeholders import table_name
from ruleferry.converters.readers.sql.shapes.trees import number, text
from ruleferry.converters.readers.sql.shapes.words import parts_of, speaks, whole, words

# r00417, chk_12: a column that is called after a rule.
_RULE = re.compile(
    r"(?:r|rl|rule|chk|check|dq|test|tst|ctl|ctrl|err|e|br)[-_]?\d{1,6}(?=_|\b)", re.I
)
# cat_004_weight, k0003: what stands before the number of a rule.
_IN_SERIES = re.compile(r"([a-z]{2,8}(?=[-_]?\d{2,6}(?:_|\b))|[a-z](?=\d{4,6}(?:_|\b)))", re.I)
Sign: TypeAlias = Literal["bad", "figure", "unsure"]


def is_plain_name(name: str) -> bool:
    """It would suit any count."""
    return name.lower() in words("names", "plain")


def sign_of(name: str, condition: exp.Expression | None, *, bad: bool) -> Sign:
    """`name`: of the result column; `condition`: of what is counted; `bad`: where it is TRUE."""
    if speaks(name, "bad") or (name and _RULE.match(name)):
        return "bad"
    if not bad:
        return "bad"  # who marks with 1 what is not good counts what is bad
    if condition is None:
        return "bad" if not name or is_plain_name(name) else "unsure"
    if _is_negative(condition):
        return "bad"
    return "figure" if name and all(_picks(term) for term in terms(condition)) else "unsure"


def _is_negative(condition: exp.Expression) -> bool:
    """It asks for what a sound record does not have: NULL, a value outside a list or a pattern."""
    node = bare(condition)
    if isinstance(node, exp.Or):
        return _is_negative(node.this) and _is_negative(node.expression)
    if _is_empty(node) or _is_outside(node):
        return True
    if any(isinstance(node, kind) for kind in (exp.Not, exp.NEQ)) and not isinstance(
        bare(node.this), exp.Is
    ):
        return True
    return kind_of(node, bad=True) in ("present", "allowed", "pattern", "type", "format")


def _is_empty(node: exp.Expression) -> bool:
    """`NVL(x, '') = ''`, `LENGTH(TRIM(x)) = 0`."""
    if not isinstance(node, exp.EQ):
        return False
    value = bare(node.expression)
    written = text(value)
    if written is not None:
        return not written.strip()
    name = (called(bare(node.this)) or ("",))[0]
    return number(value) == 0 and name in words("functions", "length")


def _is_outside(node: exp.Expression) -> bool:
    """`x LIKE '%[^0-9]%'`: it holds a sign that it should not."""
    return isinstance(node, exp.Like | exp.RegexpLike) and "[^" in (text(node.expression) or "")


def bad_series(
    counted: Iterable[tuple[str, exp.Expression | None, bool]],
) -> frozenset[str]:
    """What the names of numbered results begin with (cat_003, cat_004), where one of them is known
    to count bad records, none another thing, and no column that they look at is called so."""
    signs: dict[str, set[Sign]] = {}
    columns: set[str] = set()
    for name, condition, bad in counted:
        columns |= _parts_of_columns(condition)
        if (series := series_of(name)) is not None:
            signs.setdefault(series, set()).add(sign_of(name, condition, bad=bad))
    return frozenset(
        series
        for series, found in signs.items()
        if "bad" in found and "figure" not in found and series not in columns
    )


def series_of(name: str) -> str | None:
    found = _IN_SERIES.match(name)
    return found[1].lower() if found else None


def _parts_of_columns(condition: exp.Expression | None) -> set[str]:
    if condition is None:
        return set()
    return {part for column in condition.find_all(exp.Column) for part in parts_of(column.name)}


def _picks(term: exp.Expression) -> bool:
    """`status = 'A'`: the records of a category."""
    node = bare(term)
    if isinstance(node, exp.Or):
        return _picks(node.this) and _picks(node.expression)
    if isinstance(node, exp.EQ):
        return isinstance(bare(node.expression), exp.Literal | exp.Boolean)
    if isinstance(node, exp.In):
        return bool(node.expressions)
    return isinstance(node, exp.Column | exp.Like | exp.ILike) and not node.args.get("negate")


# Tables that hold no data of the business ---------------------------------------------------------


def is_catalogue(table: exp.Table) -> bool:
    schemas = [part.name.lower() for part in table.parts[:-1]]
    known = words("catalogue", "schemas")
    return table.name.lower() in words("catalogue", "tables") or any(s in known for s in schemas)


def asks_results(select: exp.Select, table: exp.Table, setting: Setting) -> bool:
    """The results of earlier checks are read: `dq_results WHERE status = 'FAIL'`."""
    name = table_name(table, setting.macros)
    if not any(part in words("names", "results") for part in parts_of(name)):
        return False
    where = select.args.get("where")
    known = words("verdict", "fail") | words("verdict", "pass")
    for node in where.find_all(exp.EQ, exp.NEQ, exp.In) if where is not None else ():
        column = bare(node.this)
        values = [node.expression] if not isinstance(node, exp.In) else node.expressions
        said = [whole(written) for v in values if (written := text(v)) is not None]
        named = isinstance(column, exp.Column) and any(
            part in words("names", "status")
            for part in (column.name.lower(), *parts_of(column.name))
        )
        if named and said and all(one in known for one in said):
            return True
    return False
