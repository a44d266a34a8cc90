"""A predicate in SQL over columns under their names on Databricks.

A name is changed where it is certain whose column it is: the checked table's or another one's.
Where that is not certain, the rule is left for a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_expression, parse_statement
from ruleferry.converters.dialects.tree import copied, nodes, text_of
from ruleferry.converters.dialects.words import SqlDialect, sql_dialects
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.table_names import joined

BATCH = "ruleferry_batch"
_Renames: TypeAlias = Mapping[str, str]
_OfOthers: TypeAlias = Callable[[str], _Renames]


class NotRenamed(Exception):
    """The text says why, for the rule's owner."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A part of a column's name, and what it is on Databricks; `keep`: under its old name."""

    part: exp.Identifier
    new: str
    keep: bool


def renamed_sql(predicate: SqlText, own: _Renames, of: _OfOthers) -> SqlText:
    """Raises NotRenamed. What can't be parsed stays as it is: no condition is made of it."""
    dialect = sql_dialects().get(predicate.dialect)
    if dialect is None:
        return predicate
    if isinstance(predicate.tree, exp.Expression):
        return _of_tree(predicate, predicate.tree, dialect, own, of)
    text = _filled(predicate.text) if predicate.whole_query else predicate.text
    try:
        parse = parse_statement if predicate.whole_query else parse_expression
        tree = parse(text, dialect)
    except Unreadable:
        return predicate
    changes = list(_Scopes(tree, own, of).changes())
    if not changes:
        return predicate
    _refuse_double_quotes(tree, text, own)
    # A condition is parsed in brackets.
    new = _spliced(text, changes, dialect, 0 if predicate.whole_query else 1)
    return replace(predicate, text=_braced(new) if predicate.whole_query else new)


def _of_tree(
    predicate: SqlText, tree: exp.Expression, dialect: SqlDialect, own: _Renames, of: _OfOthers
) -> SqlText:
    root = exp.Paren(this=copied(tree))
    changes = list(_Scopes(root.this, own, of).changes())
    if not changes:
        return predicate
    for change in changes:
        _change(change)
    made: exp.Expression = root.this
    made.pop()
    text = text_of(made, dialect)
    return replace(predicate, tree=made, text=_braced(text) if predicate.whole_query else text)


def _change(change: _Change) -> None:
    column = change.part.parent
    assert column is not None
    old = change.part.copy()
    change.part.replace(exp.Identifier(this=change.new, quoted=True))
    if change.keep:
        column.replace(exp.Alias(this=column.copy(), alias=old))


def _filled(text: str) -> str:
    return text.replace("{batch}", BATCH).replace("{{", "{").replace("}}", "}")


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}").replace(BATCH, "{batch}")


def _refuse_double_quotes(tree: exp.Expression, text: str, own: _Renames) -> None:
    """`"status" = 'F'` compares two texts in Spark; whoever writes a column's name means it."""
    for node in tree.find_all(exp.Literal):
        name = str(node.this)
        if node.is_string and name.lower() in own and f'"{name}"' in text:
            raise NotRenamed(f'"{name}" in double quotes is a text, not the column')


def _spliced(text: str, changes: list[_Change], dialect: SqlDialect, before: int) -> str:
    """The author's own text, with nothing but the names changed."""
    for change in sorted(changes, key=lambda change: -_place(change)[0]):
        start, end = (place - before for place in _place(change))
        written = text[start:end]
        if change.part.name not in written:
            raise NotRenamed(f"the column {change.part.name} could not be found in its SQL")
        new = exp.Identifier(this=change.new, quoted=True).sql(dialect=dialect.parser)
        text = f"{text[:start]}{new}{f' AS {written}' if change.keep else ''}{text[end:]}"
    return text


def _place(change: _Change) -> tuple[int, int]:
    meta = change.part.meta
    start, end = meta.get("start"), meta.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        raise NotRenamed(f"the column {change.part.name} could not be found in its SQL")
    return start, end + 1


# Whose column a name is ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Scopes:
    tree: exp.Expression
    own: _Renames
    of: _OfOthers

    def changes(self) -> Iterator[_Change]:
        found = [node for node in nodes(self.tree) if isinstance(node, exp.Column)]
        for column in found:
            yield from self._of_column(column)
        for join in self.tree.find_all(exp.Join):
            self._refuse_using(join)

    def _of_column(self, column: exp.Column) -> Iterator[_Change]:
        part, renames = self._named(column)
        new = renames.get(part.name.lower()) if part is not None else None
        if part is not None and new is not None:
            yield _Change(part, new, self._is_shown(column))

    def _named(self, column: exp.Column) -> tuple[exp.Identifier | None, _Renames]:
        """The part that names a column, and what its table's columns are called."""
        parts = [part for part in column.parts if isinstance(part, exp.Identifier)]
        if not parts:  # a star
            return None, {}
        selects = list(_around(column))
        for place, part in enumerate(parts[:-1]):
            for select in selects:
                source = _sources(select).get(part.name.lower())
                if source is not None:
                    return parts[place + 1], self._renames(source, parts[place + 1].name)
        return parts[0], self._unqualified(parts[0].name, selects)

    def _unqualified(self, name: str, selects: list[exp.Select]) -> _Renames:
        if not selects:  # of the record itself
            return self.own
        sources = list(_sources(selects[0]).values())
        if not any(name.lower() in renames for renames in self._known()):
            return {}
        outer = len(selects) > 1 or not isinstance(self.tree, exp.Query)
        alone = len(sources) == 1 and (_is_batch(sources[0]) or not outer)
        if not alone or name.lower() in _aliases(selects[0]):
            raise NotRenamed(
                f"whose column {name} is, is not clear where several tables are read; its table's "
                "name must stand before it"
            )
        return self._renames(sources[0], name)

    def _renames(self, source: exp.Expression, name: str) -> _Renames:
        if isinstance(source, exp.Table) and not self._is_cte(source):
            return self._renames_of_table(source)
        if name.lower() in self.own and any(map(_is_starred, self.tree.find_all(exp.Select))):
            raise NotRenamed(f"its SQL reads {name} through a list of all columns (*)")
        return {}

    def _renames_of_table(self, table: exp.Table) -> _Renames:
        if _is_batch(table):
            return self.own
        return self.of(joined([part.name for part in table.parts]))

    def _known(self) -> Iterator[_Renames]:
        """Of all tables that it reads."""
        yield self.own
        for table in self.tree.find_all(exp.Table):
            if not _is_batch(table) and not self._is_cte(table):
                yield self._renames_of_table(table)

    def _is_cte(self, table: exp.Table) -> bool:
        known = {cte.alias.lower() for cte in self.tree.find_all(exp.CTE)}
        return len(table.parts) == 1 and table.name.lower() in known

    def _is_shown(self, column: exp.Column) -> bool:
        """Whether what reads the query sees the column under this name."""
        select = column.parent
        shown = isinstance(select, exp.Select) and column.arg_key == "expressions"
        return shown and select is not self.tree

    def _refuse_using(self, join: exp.Join) -> None:
        for part in join.args.get("using") or []:
            if any(part.name.lower() in renames for renames in self._known()):
                raise NotRenamed(f"its SQL joins by USING ({part.name}), which two tables share")


def _around(column: exp.Column) -> Iterator[exp.Select]:
    """The queries that it stands in, the nearest first."""
    node = column.parent
    while node is not None:
        if isinstance(node, exp.Select):
            yield node
        node = node.parent


def _sources(select: exp.Select) -> dict[str, exp.Expression]:
    """What it is called -> what the query reads."""
    start = select.args.get("from_")
    items = [start.this] if start is not None else []
    items += [join.this for join in select.args.get("joins") or []]
    return {item.alias_or_name.lower() or f"#{n}": item for n, item in enumerate(items)}


def _is_batch(source: exp.Expression) -> bool:
    return isinstance(source, exp.Table) and source.name.lower() == BATCH


def _aliases(select: exp.Select) -> set[str]:
    return {item.alias.lower() for item in select.expressions if isinstance(item, exp.Alias)}


def _is_starred(select: exp.Select) -> bool:
    """A query within another one that shows all columns."""
    shown = [item.this if isinstance(item, exp.Column) else item for item in select.expressions]
    star = any(isinstance(item, exp.Star) for item in shown)
    return star and select.parent is not None and not isinstance(select.parent, exp.Paren)
