"""SQL text of a dialect -> sqlglot's tree of it, in which calls stay as they are written.

sqlglot makes another function of many a call, or loses an argument; so each call is renamed before
it is parsed and named back afterwards: `exp.Anonymous` with the name in lower case. Forms with
words of their own inside (CAST, EXTRACT, TRIM … FROM) are sqlglot's nodes.
"""

from __future__ import annotations

from functools import cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from ruleferry.converters.dialects.call_names import CALL_PREFIX, named_back, with_calls_renamed
from ruleferry.converters.dialects.gaps import unread_in
from ruleferry.converters.dialects.output_clause import output_first
from ruleferry.converters.dialects.rewrites import rewritten
from ruleferry.converters.dialects.slips import SLIPS, quiet
from ruleferry.converters.dialects.words import SqlDialect


class Unreadable(ValueError):
    """`code` is a row of mappings/gaps.toml; the text is one sentence for the rule's owner."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def parse_expression(text: str, dialect: SqlDialect) -> exp.Expression:
    """One condition or value. Raises Unreadable."""
    return _parse(text, dialect, exp.Condition)


def parse_statement(text: str, dialect: SqlDialect) -> exp.Expression:
    """One statement without what ends it. Raises Unreadable, also for what sqlglot only stores."""
    tree = _parse(text, dialect, None)
    if isinstance(tree, exp.Command):
        raise Unreadable("not_readable", f"{tree.name} … can't be read as {dialect.called}'s SQL")
    return tree


def _parse(text: str, dialect: SqlDialect, into: type[exp.Condition] | None) -> exp.Expression:
    known = _known(dialect.parser)
    try:
        text = f"({text}\n)" if into else text  # REPLACE( begins a statement, but no value
        tokens = _tokens(text, known, dialect)
        tokens = tokens[1:-1] if into else tokens
        if tokens and tokens[-1].token_type == TokenType.SEMICOLON:
            tokens.pop()
        tokens = with_calls_renamed(rewritten(output_first(tokens), dialect.name))
        parser = known.parser()
        with quiet():
            found = parser.parse_into(into, tokens, text) if into else parser.parse(tokens, text)
    except TokenError as error:
        raise Unreadable("not_readable", "a quote or a comment in it is not closed") from error
    except ParseError as error:
        first = error.errors[0] if error.errors else {}
        near = str(first.get("highlight") or "").strip().removeprefix(CALL_PREFIX)
        where = f" near {near!r}" if near else ""
        reason = f"it can't be read as {dialect.called}'s SQL{where}"
        raise Unreadable("not_readable", reason) from error
    except Unreadable:
        raise
    except SLIPS as error:
        raise Unreadable("not_readable", f"it can't be read as {dialect.called}'s SQL") from error
    except RecursionError as error:
        raise Unreadable("not_readable", "its parentheses are nested too deep") from error
    tree = found[0] if len(found) == 1 else None
    if not isinstance(tree, exp.Expression):
        raise Unreadable("not_readable", f"it is not one text of {dialect.called}'s SQL")
    return _with_not_in(named_back(tree))


def _with_not_in(tree: exp.Expression) -> exp.Expression:
    """`x NOT IN (SELECT …)`, which the parser of Snowflake calls `x <> ALL (SELECT …)`."""
    root = exp.Paren(this=tree)
    for node in reversed([*root.find_all(exp.NEQ)]):  # the innermost first
        every = node.expression
        if isinstance(every, exp.All) and isinstance(every.this, exp.Select):
            query = exp.Subquery(this=every.this.copy())
            node.replace(exp.Not(this=exp.In(this=node.this.copy(), query=query)))
    found: exp.Expression = root.this
    found.pop()
    return found


@cache
def _known(parser: str) -> Dialect:
    return Dialect.get_or_raise(parser)


def _tokens(text: str, known: Dialect, dialect: SqlDialect) -> list[Token]:
    tokens = known.tokenize(text)
    if unread := unread_in(text, tokens, dialect):
        raise Unreadable("not_readable", f"{unread!r} can't be read")
    return tokens
