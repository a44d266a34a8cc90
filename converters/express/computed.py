"""Columns that a dataset computes for a rule, so that the rule can be tested on one record.

Within a condition they have stand-ins for names, since they are called after their rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.express.nodes import Node
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_text import Unfaithful, checked_text, column, to_sql
from ruleferry.converters.normal_form import normal

_STAND_IN = "computed_{}_"
_STAND_INS = re.compile(r"computed_\d+_", re.IGNORECASE)
# What a condition is tested on: a record of the table, or the one of its figures or schema.
Over: TypeAlias = Literal["record", "figures", "schema"]


@dataclass(frozen=True, slots=True)
class Traits:
    """What is known of a table beside its types.

    `order_by`: the columns that give its records an order. A streaming table is only ever read in
    parts, so no window can look at all of its records.
    """

    order_by: tuple[str, ...] = ()
    streaming: bool = False


PLAIN = Traits()


@dataclass(frozen=True, slots=True)
class Computed:
    """`sql` is its expression; in a module it is called `<rule>_<suffix>`.

    It may hold the stand-ins of the columns before it. `over`: where that is not the condition's
    own, a column of the checked table, of which the figures are.
    """

    stand_in: str
    suffix: str
    sql: str
    form: object
    over: Over | None = None


def computed(number: int, suffix: str, tree: Node, over: Over | None = None) -> Computed:
    """The column number `number` of a rule. Raises UnsafeText."""
    sql = _read_back(to_sql(tree))
    return Computed(_STAND_IN.format(number), suffix, sql, normal(tree), over)


def _read_back(text: str) -> str:
    """A window or a filter has no shape of its own; what is read back must be written alike."""
    again = to_sql(parse_condition(text))
    if again != text:
        raise Unfaithful(f"{text!r} is read as {again!r}")
    return text


def speaks_of_stand_in(texts: Iterable[str]) -> bool:
    """Whether a column of the source's own could be taken for a computed one."""
    return any(map(_STAND_INS.search, texts))


def stand_in(found: Computed) -> exp.Column:
    return column(found.stand_in)


def with_names(condition: str, names: Mapping[str, str]) -> str:
    """The condition with the names that its computed columns got. `names`: stand-in -> name."""
    if not names:
        return condition
    tree = parse_condition(condition)
    for node in [*tree.find_all(exp.Identifier)]:
        if node.name in names:
            node.replace(column(names[node.name]).this)
    return checked_text(tree)
