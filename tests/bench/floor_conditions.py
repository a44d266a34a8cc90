"""Floor of `convert`: load the suite, import sqlglot, build and generate the bare conditions.

    python floor_conditions.py SUITE

It reads no options, checks nothing, merges nothing and writes nothing: what is left of the work
when everything that the tool promises is taken away.
"""

import json
import sys
from pathlib import Path

from sqlglot import exp


def literal(value: object) -> exp.Expression:
    return exp.Literal.string(value) if isinstance(value, str) else exp.Literal.number(value)


def check(kind: str, kwargs: dict) -> exp.Expression:
    if "column_A" in kwargs:
        return exp.GTE(this=column(kwargs["column_A"]), expression=column(kwargs["column_B"]))
    this = column(kwargs["column"])
    if kind.endswith("not_be_null"):
        return exp.Not(this=exp.Is(this=this, expression=exp.Null()))
    if "value_set" in kwargs:
        return exp.In(this=this, expressions=[literal(value) for value in kwargs["value_set"]])
    if "regex" in kwargs:
        return exp.RegexpLike(this=this, expression=literal(kwargs["regex"]))
    measured = exp.Length(this=this) if "lengths" in kind else this
    low, high = literal(kwargs["min_value"]), literal(kwargs["max_value"])
    return exp.Between(this=measured, low=low, high=high)


def column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)


suite = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
for item in suite["expectations"]:
    check(item["type"], item["kwargs"]).sql(dialect="databricks")
