"""What tests of all tools come to: checks that are built from their arguments.

Values and bounds are the model's own where every database means the same by them; where it
compares texts in a way of its own the test is a predicate of its dialect.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_expression
from ruleferry.converters.dialects.tree import all_hold, terms, text_of
from ruleferry.converters.predicates import Ignore, OneOf, Present, Range, Scope, SqlText, Value
from ruleferry.converters.readers.sql.found import Checked, Setting
from ruleferry.converters.readers.sql.macros import (
    is_load_filter,
    macros_in,
    prepare,
    written,
)
from ruleferry.converters.readers.sql.shapes import of_condition
from ruleferry.converters.rule import (
    Caveat,
    Check,
    Exists,
    Figure,
    Kind,
    Lookup,
    Measured,
    Row,
    Share,
    Unique,
)

_PLAIN = re.compile(r"[^\W\d][\w$]*\Z")


@dataclass(frozen=True, slots=True)
class On:
    """The table that a test runs on, and how its SQL is read."""

    table: str
    setting: Setting
    wrapper: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def dialect(self) -> str:
        return self.setting.dialect.name

    # Trees ----------------------------------------------------------------------------------------

    def tree(self, text: str) -> tuple[exp.Expression, Setting]:
        """A condition as it is written, and the setting with its placeholders."""
        prepared = prepare(text, self.setting.dialect, self.wrapper, self.values)
        tree = parse_expression(prepared.text, self.setting.dialect)
        return tree, replace(self.setting, macros=prepared.macros)

    def value(self, text: str) -> exp.Expression:
        """An expression in which no placeholder is left open."""
        tree, setting = self.tree(text)
        if found := macros_in(tree, setting.macros):
            raise Unreadable("template", f"a placeholder stands in it: {found[0].written}")
        return tree

    def sql(self, tree: exp.Expression, *, bad: bool) -> SqlText:
        text = text_of(tree, self.setting.dialect)
        return SqlText(text, self.dialect, bad, settings=self.setting.settings, tree=tree)

    def parsed(self, tree: exp.Expression) -> exp.Expression:
        """A tree that was built here as `parse` makes it of its text."""
        parser = self.setting.dialect.parser
        return parse_expression(tree.sql(dialect=parser), self.setting.dialect)

    def length(self, value: exp.Expression) -> exp.Expression:
        """Of a text, as the tools ask the database for it."""
        return call("len" if self.dialect == "tsql" else "length", value)

    def folds(self) -> bool:
        """Whether texts that differ are equal there, or an empty one is none."""
        dialect = self.setting.dialect
        return bool(dialect.case or dialect.blanks or dialect.empty)

    # Checks ---------------------------------------------------------------------------------------

    def made(self, check: Check, kind: Kind, columns: Sequence[str] = ()) -> Checked:
        return Checked(check, kind, self.table, tuple(columns))

    def condition(self, text: str) -> Checked:
        """One that a good record satisfies; one of which nobody can say so is good, too."""
        tree, setting = self.tree(text)
        bad = exp.Not(this=exp.Paren(this=tree))
        return of_condition(bad, setting, self.table, bad=True)

    def bad(self, text: str) -> Checked:
        tree, setting = self.tree(text)
        return of_condition(tree, setting, self.table, bad=True)

    def of_tree(self, tree: exp.Expression, *, bad: bool) -> Checked:
        return of_condition(self.parsed(tree), self.setting, self.table, bad=bad)

    def measured(self, tree: exp.Expression, columns: Sequence[str] = (), *, bad: bool) -> Checked:
        """Figures of all records; `bad`: a figure that is missing is good."""
        predicate = self.sql(self.parsed(tree), bad=bad)
        return self.made(Measured(predicate), "figure", columns)

    def present(self, name: str) -> Checked:
        return self.made(Row(Present(_plain(name))), "present", (name,))

    def unique(self, names: Sequence[str], ignore: Ignore) -> Checked:
        return self.made(Unique(tuple(map(_plain, names)), ignore), "unique", names)

    def allowed(self, name: str, values: Sequence[Value], *, negated: bool = False) -> Checked:
        """A missing value is good."""
        if not values:
            raise Unreadable("never_passes" if not negated else "never_fails", "its list is empty")
        kind: Kind = "refused" if negated else "allowed"
        if self.folds() and any(isinstance(value, str) for value in values):
            nodes = [literal(value) for value in values if value is not None]
            return replace(self.in_list(name, nodes, negated=negated), kind=kind)
        check = Row(OneOf(_plain(name), tuple(values), negated))
        return self.made(check, kind, (name,))

    def in_list(
        self, name: str, nodes: Sequence[exp.Expression], *, negated: bool, missing: bool = True
    ) -> Checked:
        """`missing`: a missing value is good."""
        listed = exp.In(this=column(name), expressions=list(nodes))
        kind: Kind = "refused" if negated else "allowed"
        if negated:
            found = self.of_tree(listed, bad=True)
        elif missing:
            found = self.of_tree(exp.Not(this=listed), bad=True)
        else:
            found = self.of_tree(listed, bad=False)
        return replace(found, kind=kind)

    def range(
        self, name: str, low: Value, high: Value, *, low_open: bool = False, high_open: bool = False
    ) -> Checked:
        if low is None and high is None:
            raise Unreadable("never_fails", "it states no bound, and lets every value pass")
        check = Row(Range(_plain(name), low, high, low_open, high_open))
        return self.made(check, "range", (name,))

    def exists(
        self, names: Sequence[str], table: str, others: Sequence[str], scope: Scope | None = None
    ) -> Checked:
        """A key that is missing is good."""
        keys = tuple(zip(map(_plain, names), map(_plain, others), strict=True))
        return self.made(Exists(Lookup(table, keys, scope), missing="good"), "exists", names)

    def row_count(self, low: int | None, high: int | None) -> Checked:
        bounds = {"max_value": high, "min_value": low}
        arguments = tuple((k, v) for k, v in bounds.items() if v is not None)
        return self.made(Figure("row_count", (), arguments), "row_count")

    def share(self, checked: Checked, threshold: Decimal) -> Checked:
        """At least that share of the records is good."""
        row = checked.check
        if not isinstance(row, Row | Unique | Exists):
            raise Unreadable("no_equivalent", "no share of records can be told of it")
        return replace(checked, check=Share(row, threshold), kind="share")

    # Scopes ---------------------------------------------------------------------------------------

    def limited(self, checked: Checked, where: str | None, *, load: bool = False) -> Checked:
        """To the records that a test picks; what only picks the load is left out and told.

        `load`: that is what each condition with an open placeholder does.
        """
        if not where or not where.strip():
            return checked
        tree, setting = self.tree(where)
        filters: list[str] = []
        kept: list[exp.Expression] = []
        for term in terms(tree):
            if is_load_filter(term, setting.macros) or (load and macros_in(term, setting.macros)):
                text = text_of(term, setting.dialect)
                filters.append(written(text, setting.macros))
            else:
                kept.append(term)
        for term in kept:
            if found := macros_in(term, setting.macros):
                raise Unreadable("template", f"a placeholder stands in it: {found[0].written}")
        scope = self.sql(all_hold(kept), bad=False) if kept else None
        if scope is not None and isinstance(checked.check, Measured):
            raise Unreadable("unsupported_query", "its figures are of some of the records only")
        caveats = checked.caveats
        if filters and not isinstance(checked.check, Row | Exists):
            detail = f"it ran on one load at a time: {', '.join(filters)}"
            caveats = (*caveats, Caveat("whole_table", detail))
        filters = [*checked.filters, *filters]
        return replace(checked, scope=scope, filters=tuple(filters), caveats=caveats)


def _plain(name: str) -> str:
    """The model's checks are of a column, and never of an expression."""
    if not _PLAIN.match(name):
        raise Unreadable("unknown_shape", f"{name!r} is no plain name of a column")
    return name


def is_plain(name: str) -> bool:
    return bool(_PLAIN.match(name))


def column(name: str) -> exp.Column:
    return exp.column(_plain(name))


def literal(value: Value) -> exp.Expression:
    if isinstance(value, bool):
        return exp.true() if value else exp.false()
    if isinstance(value, int | Decimal):
        size = abs(value)
        number = exp.Literal.number(str(size) if isinstance(size, int) else format(size, "f"))
        return exp.Neg(this=number) if value < 0 else number
    return exp.Literal.string(str(value))


def call(name: str, *arguments: exp.Expression) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=list(arguments))


def any_of(tests: Sequence[exp.Expression]) -> exp.Expression:
    return _joined(tests, exp.Or)


def all_of(tests: Sequence[exp.Expression]) -> exp.Expression:
    return _joined(tests, exp.And)


def _joined(tests: Sequence[exp.Expression], how: type[exp.Expression]) -> exp.Expression:
    """In the order given; what joins otherwise stands in parentheses."""
    parts = [exp.Paren(this=test) if isinstance(test, exp.Connector) else test for test in tests]
    tree = parts[0]
    for part in parts[1:]:
        tree = how(this=tree, expression=part)
    return tree


def count_all() -> exp.Expression:
    return exp.Count(this=exp.Star())
