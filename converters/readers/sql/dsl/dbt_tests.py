"""dbt: the tests that it has itself, and those of dbt_utils."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.dialects.tree import bare
from ruleferry.converters.predicates import SqlText, Value
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.sql.dsl.args import Args, exact
from ruleferry.converters.readers.sql.dsl.build import On, all_of, call, column, count_all, literal
from ruleferry.converters.readers.sql.found import Checked
from ruleferry.converters.readers.sql.macros.jinja import Call, read_expression
from ruleferry.converters.rule import Caveat, Figure

_NO_CONDITION = re.compile(r"\s*(?:1\s*=\s*1|true)\s*\Z", re.IGNORECASE)
_SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a test. `column`: None on the table itself; `sources`: of the same file."""

    on: On
    column: str | None
    args: Args
    sources: Mapping[tuple[str, str], str]

    def its_column(self) -> str:
        found = self.column if self.column is not None else self.args.text("column_name")
        if not found:
            raise Unreadable("malformed", f"{self.args.of} has no column")
        return found

    def condition(self, name: str) -> str | None:
        found = self.args.sql(name)
        return None if found is None or _NO_CONDITION.match(found) else found

    def other(self, name: str) -> str:
        """The table that `ref('x')` or `source('a', 'b')` names, also within braces."""
        found = self.args.given.get(name)
        self.args.taken.add(name)
        if not isinstance(found, str) or not found.strip():
            raise Unreadable("malformed", f"{name}: a reference to a table was expected")
        inner = re.sub(r"\A\s*\{\{-?|-?\}\}\s*\Z", "", found)
        read = read_expression(inner)
        if (
            isinstance(read, Call)
            and read.known
            and all(isinstance(a, str) for a in read.arguments)
        ):
            names = [str(argument) for argument in read.arguments]
            if read.dotted == "ref" and names and not read.named:
                return names[-1]
            if read.dotted == "source" and len(names) == 2 and not read.named:
                return self.sources.get((names[0], names[1]), ".".join(names))
        if re.fullmatch(r"[\w.]+", found):
            return found
        raise Unreadable("template", f"{name}: the table {found} is only known when it runs")


def read_test(name: str, use: Use) -> Checked:
    """Raises Unreadable for a test that nobody knows, naming it."""
    found = _TESTS.get(name) or _dbt_expectations().get(name.rpartition(".")[2])
    if found is None:
        given = ", ".join(f"{key}: {value}" for key, value in use.args.given.items())
        shown = f"{name} ({given[:200]})" if given else name
        raise Unreadable("custom_test", f"the test {shown} is one of the project or a package")
    return found(use)


def _dbt_expectations() -> Mapping[str, Callable[[Use], Checked]]:
    from ruleferry.converters.readers.sql.dsl.dbt_expectations import TESTS

    return TESTS


# dbt itself ---------------------------------------------------------------------------------------


def _unique(use: Use) -> Checked:
    return use.on.unique((use.its_column(),), "any_missing")


def _not_null(use: Use) -> Checked:
    return use.on.present(use.its_column())


def accepted(use: Use, name: str = "values", quote: str = "quote", *, negated: bool) -> Checked:
    """Values stand in quotes unless `quote` is false; then they are pieces of SQL."""
    values = use.args.values(name)
    quoted = use.args.flag(quote, default=True)
    column_name = use.its_column()
    if not values:
        return use.on.allowed(column_name, (), negated=negated)
    if quoted and all(isinstance(value, str) for value in values):
        return use.on.allowed(column_name, tuple(map(exact, values)), negated=negated)
    if not quoted and not any(isinstance(value, str) for value in values):
        return use.on.allowed(column_name, tuple(map(exact, values)), negated=negated)
    nodes = [_listed(value, quoted, use) for value in values]
    return use.on.in_list(column_name, nodes, negated=negated)


def _listed(value: Json, quoted: bool, use: Use) -> exp.Expression:
    if quoted:
        if isinstance(value, bool | None):
            return exp.Literal.string(str(value))
        return literal(str(value) if isinstance(value, str) else str(exact(value)))
    found = use.on.value(value) if isinstance(value, str) else literal(exact(value))
    if not isinstance(bare(found), exp.Literal | exp.Boolean | exp.Neg | exp.Cast | exp.Null):
        raise Unreadable("unknown_shape", f"{value} among its values is more than a value")
    return found


def _relationships(use: Use) -> Checked:
    field = use.args.needed("field")
    return use.on.exists((use.its_column(),), use.other("to"), (field,))


# dbt_utils ----------------------------------------------------------------------------------------


def _expression_is_true(use: Use) -> Checked:
    expression = needed_sql(use, "expression")
    condition = use.condition("condition")
    text = f"{use.column} {expression}" if use.column is not None else expression
    return use.on.limited(use.on.condition(text), condition)


def needed_sql(use: Use, name: str) -> str:
    found = use.args.sql(name)
    if not found:
        raise Unreadable("malformed", f"it has no {name}")
    return found


def _unique_combination(use: Use) -> Checked:
    """It groups by its columns, and a missing value is a group of its own."""
    use.args.flag("quote_columns", default=False)
    return use.on.unique(use.args.texts("combination_of_columns"), "never")


def bound(use: Use, name: str) -> Value | exp.Expression:
    """A number, or a piece of SQL."""
    found = use.args.raw(name)
    if isinstance(found, str):
        tree = use.on.value(found)
        number = bare(tree)
        if isinstance(number, exp.Literal) and not number.is_string:
            return Decimal(number.name)
        return tree
    if isinstance(found, bool | list | dict):
        raise Unreadable("malformed", f"{name}: a number was expected")
    return exact(found)


def between(use: Use, low: str, high: str, *, inclusive: bool) -> Checked:
    """A missing value passes; bounds that are more than numbers are compared in SQL."""
    ends = bound(use, low), bound(use, high)
    name = use.its_column()
    if not any(isinstance(end, exp.Expression) for end in ends):
        first, last = ends
        opens = {"low_open": not inclusive, "high_open": not inclusive}
        return use.on.range(name, first, last, **opens)  # type: ignore[arg-type]
    tests = compared(column(name), ends, inclusive=inclusive)
    return use.on.of_tree(exp.Not(this=exp.Paren(this=tests)), bad=True)


def compared(
    value: exp.Expression, ends: tuple[object, object], *, inclusive: bool
) -> exp.Expression:
    """`value >= low AND value <= high`, of the ends that there are."""
    signs: tuple[type[exp.Expression], type[exp.Expression]] = (
        (exp.GTE, exp.LTE) if inclusive else (exp.GT, exp.LT)
    )
    tests: list[exp.Expression] = []
    for end, sign in zip(ends, signs, strict=True):
        if end is not None:
            node = end if isinstance(end, exp.Expression) else literal(end)  # type: ignore[arg-type]
            tests.append(sign(this=value.copy(), expression=node.copy()))
    if not tests:
        raise Unreadable("never_fails", "it states no bound, and lets every value pass")
    return all_of(tests)


def _accepted_range(use: Use) -> Checked:
    inclusive = use.args.flag("inclusive", default=True)
    return between(use, "min_value", "max_value", inclusive=inclusive)


def _not_null_proportion(use: Use) -> Checked:
    at_least, at_most = use.args.number("at_least"), use.args.number("at_most")
    _refuse_groups(use)
    if at_least is None:
        raise Unreadable("malformed", "it has no at_least")
    if at_most not in (None, 1):
        raise Unreadable("no_equivalent", f"at_most: {at_most} wants some values to be missing")
    if at_least == 1:
        return use.on.present(use.its_column())
    return use.on.share(use.on.present(use.its_column()), Decimal(at_least))


def _refuse_groups(use: Use) -> None:
    if use.args.raw("group_by_columns"):
        raise Unreadable("no_equivalent", "it counts by groups of records (group_by_columns)")


def _not_empty_string(use: Use) -> Checked:
    """Newer versions of dbt_utils take tabs and line ends for blanks, too."""
    name = use.its_column()
    value: exp.Expression = column(name)
    trimmed = use.args.flag("trim_whitespace", default=True)
    if trimmed:
        value = call("trim", value)
    empty = exp.EQ(this=value, expression=exp.Literal.string(""))
    return use.on.of_tree(empty, bad=True)


def _equal_rowcount(use: Use) -> Checked:
    _refuse_groups(use)
    other = use.other("compare_model")
    return use.on.made(
        Figure("row_count_of_tables", (), (("other_table_name", other),)), "row_count"
    )


def _fewer_rows_than(use: Use) -> Checked:
    _refuse_groups(use)
    table = exp.to_table(use.other("compare_model"))
    there = exp.Subquery(this=exp.Select(expressions=[count_all()]).from_(table))
    tree = exp.LT(this=count_all(), expression=there)
    return replace(use.on.measured(tree, bad=False), kind="row_count")


def _relationships_where(use: Use) -> Checked:
    scope = _scope(use, use.condition("to_condition"))
    field = use.args.needed("field")
    found = use.on.exists((use.its_column(),), use.other("to"), (field,), scope)
    return use.on.limited(found, use.condition("from_condition"))


def _scope(use: Use, text: str | None) -> SqlText | None:
    return None if text is None else use.on.sql(use.on.value(text), bad=False)


def _at_least_one(use: Use) -> Checked:
    _refuse_groups(use)
    name = use.its_column()
    counted = exp.Count(this=column(name))
    return use.on.measured(exp.GT(this=counted, expression=literal(0)), (name,), bad=False)


def _not_constant(use: Use) -> Checked:
    _refuse_groups(use)
    name = use.its_column()
    counted = exp.Count(this=exp.Distinct(expressions=[column(name)]))
    return use.on.measured(exp.EQ(this=counted, expression=literal(1)), (name,), bad=True)


def _recency(use: Use) -> Checked:
    """Without any time the test passes, and a figure that is not there does not."""
    field, part = use.args.needed("field"), use.args.needed("datepart")
    interval = use.args.number("interval")
    _refuse_groups(use)
    if use.args.flag("ignore_time_component", default=False):
        raise Unreadable("no_equivalent", "it compares days, and not times (ignore_time_component)")
    seconds = _SECONDS.get(part.lower())
    if seconds is None or not isinstance(interval, int) or interval <= 0:
        raise Unreadable("no_equivalent", f"{interval} {part} is no fixed number of seconds")
    figure = Figure("freshness", (field,), (("seconds", seconds * interval),))
    detail = f"a table without any {field} passed the test, and does not pass here"
    found = use.on.made(figure, "figure", (field,))
    return replace(found, caveats=(Caveat("dialect_differs", detail),))


def gap(reason: str) -> Callable[[Use], Checked]:
    def read(use: Use) -> Checked:
        raise Unreadable("no_equivalent", reason)

    return read


_TESTS: Mapping[str, Callable[[Use], Checked]] = {
    "unique": _unique,
    "not_null": _not_null,
    "accepted_values": lambda use: accepted(use, negated=False),
    "relationships": _relationships,
    "dbt_utils.expression_is_true": _expression_is_true,
    "dbt_utils.unique_combination_of_columns": _unique_combination,
    "dbt_utils.accepted_range": _accepted_range,
    "dbt_utils.not_null_proportion": _not_null_proportion,
    "dbt_utils.not_empty_string": _not_empty_string,
    "dbt_utils.not_accepted_values": lambda use: accepted(use, negated=True),
    "dbt_utils.equal_rowcount": _equal_rowcount,
    "dbt_utils.fewer_rows_than": _fewer_rows_than,
    "dbt_utils.relationships_where": _relationships_where,
    "dbt_utils.at_least_one": _at_least_one,
    "dbt_utils.not_constant": _not_constant,
    "dbt_utils.recency": _recency,
    "dbt_utils.sequential_values": gap("it compares each record with the one before it"),
    "dbt_utils.mutually_exclusive_ranges": gap("it compares the ranges of neighbouring records"),
    "dbt_utils.equality": gap("it compares the records of two tables, column by column"),
    "dbt_utils.cardinality_equality": gap("it compares how often values occur in two tables"),
}
