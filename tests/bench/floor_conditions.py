"""Floor of `convert`: load the suite, import sqlglot, build and generate the bare conditions.

    python floor_conditions.py SUITE

A condition here is the check, passed by a missing value. Nothing is known of types, nothing is
checked, merged or written: what is left of the work without all that the tool promises.
"""

import json
import sys
from pathlib import Path

from sqlglot import exp


def condition(kind: str, kwargs: dict) -> exp.Expression:
    if kind.endswith("not_be_null"):
        return exp.Not(this=missing(kwargs["column"]))
    names = [kwargs[key] for key in ("column", "column_A", "column_B") if key in kwargs]
    return exp.or_(*map(missing, names), check(kind, kwargs, *map(column, names)), copy=False)


def check(kind: str, kwargs: dict, this: exp.Column, *other: exp.Column) -> exp.Expression:
    if other:
        return exp.GTE(this=this, expression=other[0])
    if "value_set" in kwargs:
        return exp.In(this=this, expressions=[literal(value) for value in kwargs["value_set"]])
    if "regex" in kwargs:
        return exp.RegexpLike(this=this, expression=literal(kwargs["regex"]))
    measured = exp.Length(this=this) if "lengths" in kind else this
    low, high = literal(kwargs["min_value"]), literal(kwargs["max_value"])
    return exp.Between(this=measured, low=low, high=high)


def missing(name: str) -> exp.Expression:
    return exp.Is(this=column(name), expression=exp.Null())


def column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)


def literal(value: object) -> exp.Expression:
    return exp.Literal.string(value) if isinstance(value, str) else exp.Literal.number(value)


suite = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
for item in suite["expectations"]:
    condition(item["type"], item["kwargs"]).sql(dialect="databricks")
