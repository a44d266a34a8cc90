"""Conditions of IF: what their variables hold, and why nothing of data can be told of some."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import bare
from ruleferry.converters.readers.sql.code import binding, dynamic
from ruleferry.converters.readers.sql.code.nodes import If, Span
from ruleferry.converters.readers.sql.code.place import Guard, Place, Work
from ruleferry.converters.readers.sql.code.simple import plain
from ruleferry.converters.readers.sql.code.values import CURRENT, FORMER, Values, is_constant
from ruleferry.converters.readers.sql.code.verdicts import unread
from ruleferry.converters.readers.sql.found import Checked
from ruleferry.converters.rule import NotARule

# What tells how the run goes, and nothing of the data.
_SYSTEM = frozenset({
    "@@ERROR", "@@TRANCOUNT", "@@FETCH_STATUS", "@@NESTLEVEL", "SQLCODE", "SQLSTATE", "SQLERRM",
    "XACT_STATE", "OBJECT_ID", "DB_ID", "COL_LENGTH", "ERROR_NUMBER", "ERROR_SEVERITY", "NOTFOUND",
    "ISOPEN", "DB_NAME", "CURRENT_USER", "SYSTEM_USER", "IS_MEMBER", "IS_SRVROLEMEMBER",
    "TRIGGER_NESTLEVEL", "SESSION_USER", "SERVERPROPERTY",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Test:
    """A condition with what its variables hold; `unknown`: those whose value isn't known."""

    span: Span
    tree: exp.Expression | None
    unknown: tuple[str, ...] = ()
    queries: tuple[Span, ...] = ()
    gap: Guard | None = None

    @property
    def of_data(self) -> bool:
        return self.tree is not None and any(self.tree.find_all(exp.Query, exp.Exists))

    @property
    def of_record(self) -> bool:
        columns = self.tree.find_all(exp.Column) if self.tree is not None else ()
        return any(column.table.lower() in (CURRENT, FORMER) for column in columns)

    @property
    def is_known(self) -> bool:
        return self.tree is not None and not self.unknown and self.gap is None


def test_of(span: Span, node: If, values: Values, place: Place) -> Test:
    if node.operand:
        return Test(span, None, gap=Guard("procedural", "a CASE over one value decides"))
    try:
        tree, _ = place.code.expression(span, values)
    except Unreadable as error:
        return Test(span, None, gap=Guard(error.code, error.reason))
    tree, unknown, queries = binding.resolved(tree, place.code, values)
    return Test(span, tree, unknown, queries)


def mark_used(test: Test, values: Values, place: Place, work: Work) -> None:
    """The queries whose value it tests need no rule of their own."""
    tokens = place.code.tokens[test.span.first : test.span.last]
    named = {plain(token.value) for token in tokens} & values.keys()
    for query in (*test.queries, *(values[name].query for name in named)):
        if query is not None:
            work.pending.pop(query.start, None)


def unread_of(test: Test, values: Values, place: Place) -> Checked | None:
    """Why nothing of data can be told of the condition; None where something can."""
    words = {token.upper for token in place.code.tokens[test.span.first : test.span.last]}
    if words & _SYSTEM and not test.of_record:
        return _none("it looks at how the run goes, not at data")
    if test.gap is not None:
        return unread(test.gap.code, test.gap.reason, place.record.table if place.record else None)
    if test.unknown:
        return _of_unknown(test, values)
    if test.of_data or test.of_record:
        return _of_catalogue(test, place)
    if test.tree is not None and all(is_constant(part) for part in _sides(test.tree)):
        return _none("it compares constants of the code")
    return unread("procedural", "it depends on what is computed elsewhere")


def _sides(tree: exp.Expression) -> list[exp.Expression]:
    node = bare(tree)
    if isinstance(node, exp.Binary):
        return [*_sides(node.this), *_sides(node.expression)]
    return [node.this] if isinstance(node, exp.Is | exp.Not) else [node]


def _none(reason: str) -> Checked:
    return Checked(NotARule(reason), "predicate", None)


def _of_unknown(test: Test, values: Values) -> Checked:
    known = [values[name] for name in test.unknown if name in values]
    given = all(v.parameter for v in known) and len(known) == len(test.unknown)
    data = test.of_data or test.of_record
    if given and not data:
        return _none("it checks how it was called, not data")
    if given:
        return unread("parameter", f"the value of {test.unknown[0]} is given when it runs")
    runs = [v.why for v in known if v.why.startswith("holds it runs")]
    if runs and not data:
        return _none(runs[0].removeprefix("holds "))
    return unread("procedural", binding.why_unknown(test.unknown, values))


def _of_catalogue(test: Test, place: Place) -> Checked | None:
    """Whether a table is there is no question of its records."""
    from ruleferry.converters.readers.sql.macros import table_name

    assert test.tree is not None
    names = [table_name(t, place.code.here.macros) for t in test.tree.find_all(exp.Table)]
    if names and all(dynamic.is_catalogue(name) for name in names):
        return _none("it looks at the database's own catalogue")
    return None


def holds(test: Test) -> bool:
    """It is true of every new record, or of constants once the values of parameters are in it."""
    node = bare(test.tree) if test.tree is not None else None
    if isinstance(node, exp.Anonymous) and str(node.this).lower() == "update":
        return True  # T-SQL's UPDATE(column)
    if not isinstance(node, exp.EQ):
        return False
    left, right = bare(node.this), bare(node.expression)
    return is_constant(left) and left == right and not isinstance(left, exp.Null)
