"""Soda: one check -> what it checks.

A count that may be 0 alone is a rule on each record; any other threshold is one on a figure. What
is missing is never invalid.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_statement
from ruleferry.converters.predicates import Length, Matches, Value
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.sql.dsl.args import Args, exact
from ruleferry.converters.readers.sql.dsl.build import (
    On,
    all_of,
    call,
    column,
    count_all,
    literal,
)
from ruleferry.converters.readers.sql.dsl.thresholds import Threshold, threshold
from ruleferry.converters.readers.sql.found import Checked, Setting
from ruleferry.converters.readers.sql.macros import prepare
from ruleferry.converters.readers.sql.shapes import bad_rows
from ruleferry.converters.rule import Exists, Figure, Lookup, Row

_METRIC = re.compile(
    r"(?P<name>\w+)\s*(?:\(\s*(?P<columns>[^()]*?)\s*\))?\s*(?P<rest>.*)\Z", re.DOTALL
)
_REFERENCE = re.compile(
    r"values\s+in\s+\(?(?P<ours>[^()]+?)\)?\s+must\s+(?P<negated>not\s+)?exist\s+in\s+"
    r"(?P<table>[^\s()]+)\s*\(?(?P<theirs>[^()]+?)\)?\s*\Z",
    re.IGNORECASE,
)
_SAME = re.compile(r"row_count\s+same\s+as\s+(?P<table>\S+)\Z")
_AGE = re.compile(r"<\s*((?:\d+\s*[dhms]\s*)+)\Z")
_UNITS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
_AGGREGATES = {
    "min": "min", "max": "max", "avg": "avg", "sum": "sum", "stddev": "stddev",
    "avg_length": "avg", "min_length": "min", "max_length": "max",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """A check as it is written (`said`), with what is configured beside it."""

    said: str
    metric: str
    columns: tuple[str, ...]
    limit: Threshold | None
    config: Mapping[str, Json]
    on: On
    rest: str = ""
    taken: set[str] = field(default_factory=set, compare=False)

    @staticmethod
    def of(text: str, config: Mapping[str, Json], on: On) -> Asked:
        match = _METRIC.match(text)
        name = match["name"] if match else text
        listed = match["columns"] if match else None
        columns = tuple(part.strip() for part in (listed or "").split(",") if part.strip())
        rest = (match["rest"] if match else "").strip()
        if reference := _REFERENCE.match(text):
            return Asked(text, "reference", _names(reference["ours"]), None, config, on)
        return Asked(text, name, columns, threshold(rest), config, on, rest)

    def default_name(self) -> str:
        if self.said.startswith("failed rows"):
            return "failed_rows"
        return "_".join((*self.columns, self.metric))

    @property
    def args(self) -> Args:
        return Args(self.said, self.config, self.taken)

    def column(self) -> str:
        if len(self.columns) != 1:
            raise Unreadable("malformed", f"{self.metric} is of one column")
        return self.columns[0]

    def needed(self) -> Threshold:
        if self.limit is None:
            raise Unreadable("not_understood", f"the threshold of {self.said!r} can't be read")
        return self.limit


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def read_check(asked: Asked) -> Checked:
    """Raises Unreadable."""
    where = asked.args.sql("filter")
    found = _read(asked)
    asked.args.done()
    return asked.on.limited(found, where)


def _read(asked: Asked) -> Checked:
    if asked.said.startswith("failed rows"):
        return _failed_rows(asked)
    if asked.metric == "reference":
        return _reference(asked)
    if same := _SAME.match(asked.said):
        other = (("other_table_name", same["table"]),)
        return asked.on.made(Figure("row_count_of_tables", (), other), "row_count")
    if asked.metric == "freshness":
        return _freshness(asked)
    if asked.metric == "row_count" and not asked.columns:
        return _row_count(asked)
    if asked.metric in ("missing_count", "missing_percent"):
        return _missing(asked)
    if asked.metric in ("invalid_count", "invalid_percent"):
        return _invalid(asked)
    if asked.metric in ("duplicate_count", "duplicate_percent"):
        return _duplicates(asked)
    if asked.metric in _AGGREGATES and asked.columns:
        return _aggregate(asked)
    return _own_metric(asked)


def _failed_rows(asked: Asked) -> Checked:
    condition, query = asked.args.sql("fail condition"), asked.args.sql("fail query")
    if condition and not query:
        return asked.on.bad(condition)
    if not query:
        raise Unreadable("malformed", "it has neither a fail condition nor a fail query")
    on = asked.on
    prepared = prepare(query.strip().rstrip(";"), on.setting.dialect, on.wrapper, on.values)
    tree = parse_statement(prepared.text, on.setting.dialect)
    return bad_rows(tree, Setting(on.setting.dialect, on.setting.settings, prepared.macros))


def _reference(asked: Asked) -> Checked:
    match = _REFERENCE.match(asked.said)
    if match is None:
        raise Unreadable("not_understood", f"{asked.said!r} can't be read")
    theirs = _names(match["theirs"])
    if len(theirs) != len(asked.columns):
        raise Unreadable("malformed", "it names more columns of one table than of the other")
    found = asked.on.exists(asked.columns, match["table"], theirs)
    if not match["negated"]:
        return found
    keys = tuple(zip(asked.columns, theirs, strict=True))
    check = Exists(Lookup(match["table"], keys), negated=True)
    return replace(found, check=check)


def _freshness(asked: Asked) -> Checked:
    age = _AGE.match(asked.rest)
    if age is None:
        raise Unreadable("not_understood", f"the age of {asked.said!r} can't be read")
    parts = re.findall(r"(\d+)\s*([dhms])", age[1])
    seconds = sum(int(number) * _UNITS[unit] for number, unit in parts)
    name = asked.column()
    return asked.on.made(Figure("freshness", (name,), (("seconds", seconds),)), "figure", (name,))


def _row_count(asked: Asked) -> Checked:
    limit = asked.needed()
    bounds = limit.bounds()
    if bounds is None or bounds == (None, None):
        found = asked.on.measured(limit.of(count_all()), bad=False)
        return replace(found, kind="row_count")
    return asked.on.row_count(*bounds)


# Missing, invalid, duplicate ----------------------------------------------------------------------


def _missing(asked: Asked) -> Checked:
    name = asked.column()
    words = _missing_words(asked)
    limit = asked.needed()
    if limit.is_none and not words:
        return asked.on.present(name)
    bad = _is_missing(name, words)
    if limit.is_none:
        return replace(asked.on.of_tree(bad, bad=True), kind="present")
    return _figure(asked, bad, limit)


def _missing_words(asked: Asked) -> list[Value]:
    if asked.args.raw("missing regex") is not None:
        raise Unreadable("dialect_meaning", "what is missing is told by a pattern (missing regex)")
    given = asked.args.raw("missing values")
    if given is None:
        return []
    return [exact(value) for value in asked.args.values("missing values")]


def _is_missing(name: str, words: Sequence[Value]) -> exp.Expression:
    none = exp.Is(this=column(name), expression=exp.null())
    if not words:
        return none
    listed = exp.In(this=column(name), expressions=[literal(w) for w in words if w is not None])
    return exp.Or(this=none, expression=listed)


def _figure(asked: Asked, bad: exp.Expression, limit: Threshold) -> Checked:
    """So many, or so many in a hundred, of all records; of none, none."""
    counted = exp.Count(this=exp.Case(ifs=[exp.If(this=bad, true=literal(1))]))
    if asked.metric.endswith("_count"):
        return asked.on.measured(limit.of(counted), asked.columns, bad=False)
    empty = exp.EQ(this=count_all(), expression=literal(0))
    tree = limit.scaled(counted, count_all())
    if limit.allows(0):
        tree = exp.Or(this=empty, expression=tree)
    else:
        tree = exp.And(this=exp.Not(this=empty), expression=tree)
    return asked.on.measured(tree, asked.columns, bad=False)


def _invalid(asked: Asked) -> Checked:
    name = asked.column()
    words = _missing_words(asked)
    tests = _valid_tests(asked, name)
    limit = asked.needed()
    if not tests:
        asked.args.done()
        raise Unreadable("never_fails", "it states nothing that would be invalid")
    if limit.is_none and not words and len(tests) == 1 and tests[0][0] is not None:
        return tests[0][0]
    trees = [tree for _, tree in tests]
    if any(tree is None for tree in trees):
        raise Unreadable("dialect_meaning", "a pattern stands beside other conditions")
    bad: exp.Expression = exp.Not(
        this=exp.Paren(this=all_of([tree for tree in trees if tree is not None]))
    )
    if words:
        bad = exp.And(this=exp.Not(this=exp.Paren(this=_is_missing(name, words))), expression=bad)
    return asked.on.of_tree(bad, bad=True) if limit.is_none else _figure(asked, bad, limit)


_Test = tuple[Checked | None, exp.Expression | None]


def _valid_tests(asked: Asked, name: str) -> list[_Test]:
    """What is valid: as a check of the model, and as a tree that is TRUE for it."""
    args, on = asked.args, asked.on
    found: list[_Test] = []
    for key, negated in (("valid values", False), ("invalid values", True)):
        if args.has(key):
            values = [exact(value) for value in args.values(key)]
            listed: exp.Expression = exp.In(
                this=column(name), expressions=[literal(v) for v in values if v is not None]
            )
            tree = exp.Not(this=listed) if negated else listed
            found.append((on.allowed(name, values, negated=negated), tree))
    low, high = args.number("valid min"), args.number("valid max")
    found += _bounded(on.range, column(name), name, low, high)
    exactly = args.number("valid length")
    least, most = args.number("valid min length"), args.number("valid max length")

    def of_length(own: str, low: Value, high: Value) -> Checked:
        return on.made(Row(Length(own, low, high)), "length", (own,))

    length = on.length(column(name))
    found += _bounded(of_length, length, name, exactly, exactly)
    found += _bounded(of_length, length, name, least, most)
    pattern = args.text("valid regex")
    if pattern is not None:
        found.append((_matches(on, name, pattern), None))
    for key in ("valid format", "invalid format", "invalid regex"):
        if args.has(key):
            reason = f"{key}: {args.text(key)} is a pattern that Soda words for each database"
            raise Unreadable("dialect_meaning", reason)
    return found


def _bounded(
    read: object, value: exp.Expression, name: str, low: Value, high: Value
) -> list[_Test]:
    if low is None and high is None:
        return []
    tests: list[exp.Expression] = []
    if low is not None:
        tests.append(exp.GTE(this=value.copy(), expression=literal(low)))
    if high is not None:
        tests.append(exp.LTE(this=value.copy(), expression=literal(high)))
    assert callable(read)
    return [(read(name, low, high), all_of(tests))]


def _matches(on: On, name: str, pattern: str) -> Checked:
    """Soda asks the database's own function for it; that of Snowflake wants the whole text."""
    if on.setting.dialect.backslash and "\\" in pattern:
        reason = f"what a backslash in {pattern} is depends on how it is written into the SQL"
        raise Unreadable("dialect_meaning", reason)
    whole = on.dialect == "snowflake"
    return on.made(Row(Matches(name, (pattern,), whole=whole)), "pattern", (name,))


def _duplicates(asked: Asked) -> Checked:
    if not asked.needed().is_none:
        raise Unreadable("no_equivalent", "it counts the values that occur more than once")
    if not asked.columns:
        raise Unreadable("malformed", "it names no column")
    return asked.on.unique(asked.columns, "any_missing")


# Figures ------------------------------------------------------------------------------------------


def _aggregate(asked: Asked) -> Checked:
    """A figure that is missing passes: Soda does not evaluate it."""
    name = asked.column()
    value: exp.Expression = column(name)
    if asked.metric.endswith("_length"):
        value = asked.on.length(value)
    figure = call(_AGGREGATES[asked.metric], value)
    bad = exp.Not(this=exp.Paren(this=asked.needed().of(figure)))
    return asked.on.measured(bad, (name,), bad=True)


def _own_metric(asked: Asked) -> Checked:
    """`m between 5 and 10:` with `m expression: AVG(size)`."""
    expression = asked.args.sql(f"{asked.metric} expression")
    if expression is None:
        raise Unreadable("unknown_shape", f"{asked.said!r} is no check that can be carried over")
    figure = exp.Paren(this=asked.on.value(expression))
    bad = exp.Not(this=exp.Paren(this=asked.needed().of(figure)))
    return asked.on.measured(bad, bad=True)
