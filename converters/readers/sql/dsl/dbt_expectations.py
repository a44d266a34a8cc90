"""dbt: the tests of dbt_expectations. A predicate that nobody can tell passes, save in a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.predicates import Absent, Ignore, Matches
from ruleferry.converters.readers.sql.dsl.args import exact
from ruleferry.converters.readers.sql.dsl.build import call, column, count_all, literal
from ruleferry.converters.readers.sql.dsl.dbt_tests import (
    Use,
    accepted,
    between,
    bound,
    compared,
    gap,
    needed_sql,
)
from ruleferry.converters.readers.sql.found import Checked
from ruleferry.converters.rule import Columns, Figure, Kind, Row

_IGNORED: Mapping[str, Ignore] = {
    "all_values_are_missing": "all_missing",
    "any_value_is_missing": "any_missing",
    "never": "never",
}


def _of_rows(read: Callable[[Use], Checked]) -> Callable[[Use], Checked]:
    """With `row_condition`."""

    def limited(use: Use) -> Checked:
        return use.on.limited(read(use), use.condition("row_condition"))

    return limited


def _absent(use: Use) -> Checked:
    name = use.its_column()
    return use.on.made(Row(Absent(name)), "absent", (name,))


def _in_set(use: Use) -> Checked:
    """It joins the values with the list, so that a missing value is not among them."""
    quoted = use.args.flag("quote_values", default=True)
    values = use.args.values("value_set")
    nodes = [literal(str(v) if quoted else exact(v)) for v in values]
    if not quoted and any(isinstance(value, str) for value in values):
        raise Unreadable("unknown_shape", "its values are pieces of SQL")
    if not nodes:
        raise Unreadable("never_passes", "its list is empty")
    return use.on.in_list(use.its_column(), nodes, negated=False, missing=False)


def _between(use: Use) -> Checked:
    strictly = use.args.flag("strictly", default=False)
    return between(use, "min_value", "max_value", inclusive=not strictly)


def _lengths(use: Use) -> Checked:
    strictly = use.args.flag("strictly", default=False)
    name = use.its_column()
    ends = bound(use, "min_value"), bound(use, "max_value")
    return _length(use, name, ends, inclusive=not strictly)


def _length_equals(use: Use) -> Checked:
    name, value = use.its_column(), bound(use, "value")
    return _length(use, name, (value, value), inclusive=True)


def _length(use: Use, name: str, ends: tuple[object, object], *, inclusive: bool) -> Checked:
    tests = compared(use.on.length(column(name)), ends, inclusive=inclusive)
    return replace(use.on.of_tree(exp.Not(this=exp.Paren(this=tests)), bad=True), kind="length")


def _pair_greater(use: Use) -> Checked:
    ours, theirs = use.args.needed("column_A"), use.args.needed("column_B")
    sign = exp.GTE if use.args.flag("or_equal", default=False) else exp.GT
    test = sign(this=column(ours), expression=column(theirs))
    return replace(use.on.of_tree(exp.Not(this=exp.Paren(this=test)), bad=True), kind="compare")


def _pair_equal(use: Use) -> Checked:
    ours, theirs = use.args.needed("column_A"), use.args.needed("column_B")
    test = exp.EQ(this=column(ours), expression=column(theirs))
    return replace(use.on.of_tree(exp.Not(this=exp.Paren(this=test)), bad=True), kind="compare")


def _compound(use: Use) -> Checked:
    use.args.flag("quote_columns", default=False)
    word = use.args.text("ignore_row_if") or "all_values_are_missing"
    if word not in _IGNORED:
        raise Unreadable("malformed", f"ignore_row_if: {word} is not known")
    return use.on.unique(use.args.texts("column_list"), _IGNORED[word])


def _expression(use: Use) -> Checked:
    if use.args.raw("group_by_columns"):
        raise Unreadable("no_equivalent", "it counts by groups of records (group_by_columns)")
    return use.on.condition(needed_sql(use, "expression"))


def _regex(*, negated: bool) -> Callable[[Use], Checked]:
    """It looks for a match anywhere in the text."""

    def read(use: Use) -> Checked:
        pattern, name = use.args.needed("regex"), use.its_column()
        raw = use.args.flag("is_raw", default=False)
        if use.args.text("flags"):
            raise Unreadable("regex", "its pattern has flags of the database")
        if "\\" in pattern and use.on.setting.dialect.backslash and not raw:
            raise Unreadable("dialect_meaning", f"{pattern} loses its backslashes in the SQL")
        kind: Kind = "not_pattern" if negated else "pattern"
        return use.on.made(Row(Matches(name, (pattern,), negated=negated)), kind, (name,))

    return read


def _like(*, negated: bool) -> Callable[[Use], Checked]:
    def read(use: Use) -> Checked:
        pattern, name = use.args.needed("like_pattern"), use.its_column()
        found: exp.Expression = exp.Like(this=column(name), expression=literal(pattern))
        return use.on.of_tree(found if negated else exp.Not(this=found), bad=True)

    return read


# Figures ------------------------------------------------------------------------------------------


def _row_count(use: Use) -> Checked:
    _no_groups(use)
    _whole_table(use)
    low, high = use.args.number("min_value"), use.args.number("max_value")
    strictly = use.args.flag("strictly", default=False)
    tests = compared(count_all(), (low, high), inclusive=not strictly)
    found = use.on.measured(exp.Not(this=exp.Paren(this=tests)), bad=True)
    return replace(found, kind="row_count")


def _row_count_equals(use: Use) -> Checked:
    _no_groups(use)
    _whole_table(use)
    value = use.args.number("value")
    if not isinstance(value, int):
        raise Unreadable("malformed", "value: a number of records was expected")
    return use.on.row_count(value, value)


def _same_row_count(use: Use) -> Checked:
    _no_groups(use)
    _whole_table(use)
    for name in ("factor", "compare_group_by", "compare_row_condition"):
        if use.args.raw(name) not in (None, 1):
            raise Unreadable("no_equivalent", f"{name} changes what is compared")
    other = use.other("compare_model")
    return use.on.made(
        Figure("row_count_of_tables", (), (("other_table_name", other),)), "row_count"
    )


def _no_groups(use: Use) -> None:
    if use.args.raw("group_by"):
        raise Unreadable("no_equivalent", "it counts by groups of records (group_by)")


def _whole_table(use: Use) -> None:
    if use.condition("row_condition"):
        raise Unreadable("unsupported_query", "its figure is of some of the records only")


def _aggregate(name: str) -> Callable[[Use], Checked]:
    """A figure that is missing passes."""

    def read(use: Use) -> Checked:
        _no_groups(use)
        _whole_table(use)
        own = use.its_column()
        strictly = use.args.flag("strictly", default=False)
        ends = bound(use, "min_value"), bound(use, "max_value")
        tests = compared(_figure(name, own), ends, inclusive=not strictly)
        return use.on.measured(exp.Not(this=exp.Paren(this=tests)), (own,), bad=True)

    return read


def _figure(name: str, own: str) -> exp.Expression:
    if name == "distinct":
        return exp.Count(this=exp.Distinct(expressions=[column(own)]))
    return call(name, column(own))


# Columns ------------------------------------------------------------------------------------------


def _exists(use: Use) -> Checked:
    name = use.its_column()
    index = use.args.number("column_index")
    use.args.text("transform")
    arguments = (("column_index", index),) if index is not None else ()
    return use.on.made(Columns("exists", (name,), arguments), "columns", (name,))


def _column_count(use: Use) -> Checked:
    value = use.args.number("value")
    arguments = (("value", value),)
    return use.on.made(Columns("column_count", (), arguments), "columns")


def _column_counts(use: Use) -> Checked:
    ends = {name: use.args.number(name) for name in ("max_value", "min_value")}
    arguments = tuple((name, value) for name, value in sorted(ends.items()) if value is not None)
    return use.on.made(Columns("column_count", (), arguments), "columns")


def _column_set(*, exact_match: bool) -> Callable[[Use], Checked]:
    def read(use: Use) -> Checked:
        use.args.text("transform")
        names = list(use.args.texts("column_list"))
        arguments = (("column_set", names), ("exact_match", exact_match))
        return use.on.made(Columns("column_set", tuple(names), arguments), "columns", tuple(names))

    return read


def _column_order(use: Use) -> Checked:
    use.args.text("transform")
    names = list(use.args.texts("column_list"))
    return use.on.made(Columns("column_order", tuple(names), (("column_list", names),)), "columns",
                       tuple(names))  # fmt: skip


TESTS: Mapping[str, Callable[[Use], Checked]] = {
    "expect_column_to_exist": _exists,
    "expect_table_column_count_to_equal": _column_count,
    "expect_table_column_count_to_be_between": _column_counts,
    "expect_table_columns_to_match_set": _column_set(exact_match=True),
    "expect_table_columns_to_contain_set": _column_set(exact_match=False),
    "expect_table_columns_to_match_ordered_list": _column_order,
    "expect_table_row_count_to_be_between": _row_count,
    "expect_table_row_count_to_equal": _row_count_equals,
    "expect_table_row_count_to_equal_other_table": _same_row_count,
    "expect_column_values_to_not_be_null": _of_rows(lambda use: use.on.present(use.its_column())),
    "expect_column_values_to_be_null": _of_rows(_absent),
    "expect_column_values_to_be_unique": _of_rows(
        lambda use: use.on.unique((use.its_column(),), "any_missing")
    ),
    "expect_column_values_to_be_in_set": _of_rows(_in_set),
    "expect_column_values_to_not_be_in_set": _of_rows(
        lambda use: accepted(use, "value_set", "quote_values", negated=True)
    ),
    "expect_column_values_to_be_between": _of_rows(_between),
    "expect_column_value_lengths_to_be_between": _of_rows(_lengths),
    "expect_column_value_lengths_to_equal": _of_rows(_length_equals),
    "expect_column_pair_values_A_to_be_greater_than_B": _of_rows(_pair_greater),
    "expect_column_pair_values_to_be_equal": _of_rows(_pair_equal),
    "expect_compound_columns_to_be_unique": _of_rows(_compound),
    "expression_is_true": _of_rows(_expression),
    "expect_column_min_to_be_between": _aggregate("min"),
    "expect_column_max_to_be_between": _aggregate("max"),
    "expect_column_mean_to_be_between": _aggregate("avg"),
    "expect_column_sum_to_be_between": _aggregate("sum"),
    "expect_column_unique_value_count_to_be_between": _aggregate("distinct"),
    "expect_column_values_to_match_regex": _of_rows(_regex(negated=False)),
    "expect_column_values_to_not_match_regex": _of_rows(_regex(negated=True)),
    "expect_column_values_to_match_like_pattern": _of_rows(_like(negated=False)),
    "expect_column_values_to_not_match_like_pattern": _of_rows(_like(negated=True)),
    "expect_column_values_to_be_increasing": gap("it compares each record with the one before it"),
    "expect_column_values_to_be_decreasing": gap("it compares each record with the one before it"),
}
