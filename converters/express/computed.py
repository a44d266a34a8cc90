"""Columns that a dataset computes for a rule, so that the rule can be tested on one record.

Within a condition they have stand-ins for names, since they are called after their rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlglot import exp

from ruleferry.converters.account import Flag, KeysOf, Place
from ruleferry.converters.express.nodes import Node
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.sql_text import Unfaithful, checked_text, column, to_sql
from ruleferry.converters.normal_form import normal

# The table that is checked, in a query of its own.
BATCH = "ruleferry_batch"
_STAND_IN = "computed_{}_"
# The braces stand for the table's name in a module.
_STAND_INS = re.compile(rf"computed_\d+_|{BATCH}|\{{SOURCE_TABLE\}}", re.IGNORECASE)
# What a condition is tested on: a record of the table, or the one of its figures, of its schema, or
# of a query of its own.
Over: TypeAlias = Literal["record", "figures", "schema", "query"]


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
    own, a column of the checked table; `keys`: it says whether a record is found among them.
    """

    stand_in: str
    suffix: str
    sql: str
    form: object
    over: Place | None = None
    keys: KeysOf | None = None


def computed(
    number: int,
    suffix: str,
    tree: Node,
    over: Place | None = None,
    keys: KeysOf | None = None,
) -> Computed:
    """The column number `number` of a rule. Raises UnsafeText."""
    sql = _read_back(to_sql(tree))
    return Computed(_STAND_IN.format(number), suffix, sql, normal(tree), over, keys)


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


def query_text(columns: Sequence[Flag]) -> str:
    """The query of one row that gives these columns, each a query in brackets."""
    if len(columns) > 1:
        return f"SELECT {', '.join(f'{flag.sql} AS {flag.column}' for flag in columns)}"
    query = parse_condition(columns[0].sql)
    assert isinstance(query, exp.Subquery)
    select: exp.Select = query.this
    figure = exp.Alias(this=select.expressions[0], alias=column(columns[0].column).this)
    select.set("expressions", [figure])
    return to_sql(select)


def of_table(sql: str, name: str) -> str:
    """The query with the name of the table that is checked."""
    return sql.replace(BATCH, name)


def with_names(condition: str, names: Mapping[str, str]) -> str:
    """The condition with the names that its computed columns got. `names`: stand-in -> name."""
    if not names:
        return condition
    tree = parse_condition(condition)
    for node in [*tree.find_all(exp.Identifier)]:
        if node.name in names:
            node.replace(column(names[node.name]).this)
    return checked_text(tree)
