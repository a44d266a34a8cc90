"""CREATE TABLE statements of Databricks SQL: each column with its type as it is written."""

import logging
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice

from sqlglot import Token, TokenType, exp
from sqlglot.dialects.databricks import Databricks
from sqlglot.errors import ParseError, TokenError

from ruleferry.converters.column_types import ColumnType, parse_type
from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.schema_line import SchemaLine

# Words that may stand between CREATE and the kind of thing that is created.
_MODIFIERS = {"OR", "REPLACE", "REFRESH", "EXTERNAL", "TEMPORARY", "TEMP", "STREAMING", "LIVE"}
# Statements that change no column of a table.
_HARMLESS = {
    "USE", "SET", "DROP", "COMMENT", "GRANT", "REVOKE", "INSERT", "SELECT", "WITH", "MERGE",
    "DESCRIBE", "DESC", "SHOW", "OPTIMIZE", "VACUUM", "ANALYZE", "REFRESH",
}  # fmt: skip
_HARMLESS_CHANGES = (exp.AddConstraint, exp.AlterSet)
# A column's type ends where one of its properties begins.
_PROPERTIES = {
    "NOT", "NULL", "COMMENT", "DEFAULT", "GENERATED", "CONSTRAINT", "PRIMARY", "UNIQUE",
    "REFERENCES", "FOREIGN", "CHECK",
}  # fmt: skip
_EXPECTED = "CREATE TABLE with its columns, in Databricks SQL"
_TODO = "Mend the statement, or export information_schema.columns as CSV instead."


def read_create_tables(text: str, shown_as: str) -> tuple[list[SchemaLine], list[Fault]]:
    """Read every CREATE TABLE of a script; a statement that could change columns is a fault."""
    try:
        statements = _statements(Databricks().tokenize(text))
    except TokenError:
        found = "text that is no SQL, or an open quote or comment"
        return [], [Fault(shown_as, None, found, _EXPECTED, _TODO)]
    lines: list[SchemaLine] = []
    faults: list[Fault] = []
    for number, tokens in enumerate(statements):
        read = _read_statement(tokens, text, number)
        if isinstance(read, str):
            faults.append(Fault(shown_as, f"line {tokens[0].line}", read, _EXPECTED, _TODO))
        else:
            lines += read
    return lines, faults


def _statements(tokens: Sequence[Token]) -> list[list[Token]]:
    """The tokens of each statement; of 'it''s' the first half, since the parser takes no two."""
    statements: list[list[Token]] = [[]]
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.token_type == TokenType.SEMICOLON:
            statements.append([])
        elif not _continues(before, token):
            statements[-1].append(token)
    return [statement for statement in statements if statement]


def _continues(before: Token | None, token: Token) -> bool:
    if before is None or before.end + 1 != token.start:
        return False
    return before.token_type == token.token_type == TokenType.STRING


def _read_statement(tokens: list[Token], text: str, number: int) -> list[SchemaLine] | str:
    """The lines of a statement, or what was found instead of a table's columns."""
    words = [token.text.upper() for token in tokens]
    if words[0] in _HARMLESS or (words[0] == "CREATE" and _created(words) != "TABLE"):
        return []
    collation, rest = _default_collation(tokens)
    try:
        with _without_warnings():
            tree = Databricks().parser().parse(rest, text)[0]
    except ParseError as error:
        first = error.errors[0]
        sign = first["highlight"] or "the end"
        return f'"{sign}" in line {first["line"]}, where it cannot stand'
    if isinstance(tree, exp.Alter) and _is_harmless(tree):
        return []
    if not isinstance(tree, exp.Create):
        return f"a statement that cannot be read ({' '.join(words[:3])} …)"
    if problem := _not_plain(tree):
        return problem
    types = [_collated(kind, collation) for kind in _written_types(_columns(tree), tokens, text)]
    return _lines(tree, types, number)


def _created(words: Sequence[str]) -> str | None:
    return next((word for word in words[1:] if word not in _MODIFIERS), None)


def _is_harmless(alter: exp.Alter) -> bool:
    actions = alter.args.get("actions") or []
    return bool(actions) and all(isinstance(action, _HARMLESS_CHANGES) for action in actions)


def _default_collation(tokens: list[Token]) -> tuple[str | None, list[Token]]:
    """Take out `DEFAULT COLLATION name`, which the parser does not know."""
    for at in range(len(tokens) - 2):
        if [token.text.upper() for token in tokens[at : at + 2]] == ["DEFAULT", "COLLATION"]:
            return tokens[at + 2].text, tokens[:at] + tokens[at + 3 :]
    return None, tokens


@contextmanager
def _without_warnings() -> Iterator[None]:
    """The parser warns of what it cannot read; here that is a fault, told once."""
    logger = logging.getLogger("sqlglot")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _not_plain(create: exp.Create) -> str | None:
    """Why a CREATE TABLE does not state its columns and their types, or None."""
    if create.args.get("expression"):
        return "a table made by a query, whose types are not written"
    if create.find(exp.LikeProperty):
        return "a table made LIKE another, whose columns are not written"
    if not isinstance(create.this, exp.Schema) or not _columns(create):
        return "a table without columns"
    table = create.this.this
    if not isinstance(table, exp.Table) or not all(
        isinstance(part, exp.Identifier) for part in table.parts
    ):
        return f"a placeholder in the table's name ({table.sql('databricks')})"
    untyped = [column.name for column in _columns(create) if column.kind is None]
    return f"the column {untyped[0]} without a type" if untyped else None


def _columns(create: exp.Create) -> list[exp.ColumnDef]:
    """The columns in order, those that PARTITIONED BY adds last."""
    partitions = create.find(exp.PartitionedByProperty)
    schemas = [create.this, partitions.this if partitions else None]
    return [
        column
        for schema in schemas
        if isinstance(schema, exp.Schema)
        for column in schema.expressions
        if isinstance(column, exp.ColumnDef)
    ]


def _lines(create: exp.Create, types: Sequence[ColumnType], number: int) -> list[SchemaLine]:
    table = tuple(part.name for part in create.this.this.parts)
    keys = _key_columns(create)
    return [
        SchemaLine(
            table=table,
            column=column.name,
            type=kind,
            nullable=not (_is_required(column) or column.name.lower() in keys),
            place=f"line {column.this.meta['line']}",
            statement=number,
        )
        for column, kind in zip(_columns(create), types, strict=True)
    ]


def _written_types(
    columns: Sequence[exp.ColumnDef], tokens: Sequence[Token], text: str
) -> Iterator[ColumnType]:
    """The types from the source's own text: generated again, TIME(6) would be TIMESTAMP(6)."""
    starts = [token.start for token in tokens]
    for column in columns:
        after_name = bisect_right(starts, column.this.meta["end"])
        own = list(_type_tokens(islice(tokens, after_name, None)))
        yield parse_type(text[own[0].start : own[-1].end + 1] if own else "")


def _collated(kind: ColumnType, collation: str | None) -> ColumnType:
    """The table's default collation is that of its texts without one of their own."""
    if collation and kind.family in ("string", "char") and not kind.collation:
        return replace(kind, collation=collation.upper())
    return kind


def _type_tokens(tokens: Iterable[Token]) -> Iterator[Token]:
    depth = 0
    for token in tokens:
        opens, closes = token.text in ("(", "<"), token.text in (")", ">")
        # PRIMARY KEY and FOREIGN KEY are one token each.
        word = token.text.upper().partition(" ")[0]
        if depth == 0 and (word in _PROPERTIES or word in (",", ")")):
            return
        depth += opens - closes
        yield token


def _is_required(column: exp.ColumnDef) -> bool:
    kinds = [constraint.kind for constraint in column.constraints]
    return any(
        isinstance(kind, exp.PrimaryKeyColumnConstraint)
        or (isinstance(kind, exp.NotNullColumnConstraint) and not kind.args.get("allow_null"))
        for kind in kinds
    )


def _key_columns(create: exp.Create) -> set[str]:
    """The columns of the primary key: Databricks declares them NOT NULL without being told."""
    keys = create.find_all(exp.PrimaryKey)
    return {name.name.lower() for key in keys for name in key.find_all(exp.Identifier)}
