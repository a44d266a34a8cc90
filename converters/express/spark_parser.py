"""Spark SQL text -> a tree that means what Spark would make of the text, or a refusal.

sqlglot's parser reads, but three things are taken out of its hands, each with a reason:
- function calls stay as they are written: sqlglot makes other functions of many (`date_format`
  and its pattern, `get_json_object` and its path), and can't tell an unknown one from a known one;
- string literals are decoded by Spark's own rules for escapes;
- where sqlglot binds operators otherwise than Spark, the text must hold parentheses.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import TokenType

from ruleferry.converters.dialects.slips import SLIPS, quiet
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_tokens import CALL_PREFIX, UNCLEAR, spark_tokens


def parse_condition(text: str) -> exp.Expression:
    """One expression. Raises Refusal: not_readable, template."""
    return _parse(text, exp.Condition)


def parse_query(text: str) -> exp.Expression:
    """One SELECT with whatever belongs to it. Raises Refusal."""
    return _parse(text, None)


def _parse(text: str, into: type[exp.Condition] | None) -> exp.Expression:
    tokens = spark_tokens(text)
    if tokens and tokens[-1].token_type == TokenType.SEMICOLON:
        tokens.pop()
    if not tokens:
        raise Refusal("not_readable", "there is no SQL in it")
    if any(t.token_type == TokenType.SEMICOLON for t in tokens):
        raise Refusal("not_readable", "it holds more than one SQL statement")
    parser = Dialect.get_or_raise("databricks").parser()
    try:
        with quiet():
            found = parser.parse_into(into, tokens, text) if into else parser.parse(tokens, text)
    except ParseError as error:
        raise Refusal("not_readable", _complaint(error)) from error
    except SLIPS as error:
        raise Refusal("not_readable", "Spark SQL can't be read from it") from error
    except RecursionError as error:
        raise Refusal("not_readable", "its parentheses are nested too deep") from error
    tree = found[0] if len(found) == 1 else None
    if not isinstance(tree, exp.Expression):
        raise Refusal("not_readable", "Spark SQL can't be read from it")
    tree = _named_back(tree)
    _check_bits(tree)
    return tree


def _complaint(error: ParseError) -> str:
    first = error.errors[0] if error.errors else {}
    near = str(first.get("highlight") or "").strip()
    where = f" near {near!r}" if near else ""
    return f"Spark SQL can't be read from it{where}"


def _named_back(tree: exp.Expression) -> exp.Expression:
    """A tree has no place for another root, so it gets one for the time being."""
    root = exp.Paren(this=tree)
    for node in list(root.find_all(exp.Anonymous)):
        name = str(node.this)
        if name.startswith(CALL_PREFIX):
            node.replace(call(name.removeprefix(CALL_PREFIX), list(node.expressions)))
    named: exp.Expression = root.this
    return named


_SUMS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.IntDiv)
_BITS = (
    exp.DPipe,
    exp.BitwiseAnd,
    exp.BitwiseOr,
    exp.BitwiseXor,
    exp.BitwiseLeftShift,
    exp.BitwiseRightShift,
)


def _check_bits(tree: exp.Expression) -> None:
    """`||`, bits and sums side by side: sqlglot does not know how Spark ranks them."""
    for node in tree.walk():
        if not isinstance(node, (*_SUMS, *_BITS, exp.Neg, exp.BitwiseNot)):
            continue
        others = _SUMS + _BITS if isinstance(node, _BITS) else _BITS
        for operand in node.iter_expressions():
            if isinstance(operand, others) and type(operand) is not type(node):
                raise Refusal("not_readable", UNCLEAR)
