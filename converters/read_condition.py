"""The text of a condition, as a module or a ledger holds it -> what it means.

A person may have edited it: it may be anything.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sqlglot import exp

from ruleferry.converters.express.calls import filled
from ruleferry.converters.express.functions import called, function
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.normal_form import Form, normal

# More is no condition that somebody could have meant; a list of ten thousand values is shorter.
_LONGEST = 1_000_000

_NO_CONDITION = (
    exp.Query, exp.DDL, exp.DML, exp.Command, exp.Window, exp.Star, exp.Alias, exp.Aliases,
    exp.Lambda, exp.Placeholder, exp.Parameter, exp.SubqueryPredicate,
)  # fmt: skip


@lru_cache(maxsize=4_096)
def meaning_of(condition: str) -> Form | None:
    """The normal form; None where the text is not one Boolean expression over a record.

    Calls that say the same in other words (`nvl`, `isnull`, `if`) are those words.
    """
    try:
        return _meaning(condition)
    except RecursionError:
        return None


def _meaning(condition: str) -> Form | None:
    tree = _tree(condition)
    if tree is None or not _is_boolean(tree) or tree.find(*_NO_CONDITION):
        return None
    if not all(map(_is_number, tree.find_all(exp.Literal))):
        return None
    return normal(_in_other_words(tree))


def _tree(condition: str) -> exp.Expression | None:
    """None also for what can't stand between the parentheses that a module puts it in."""
    if len(condition) > _LONGEST or condition.rstrip().endswith(";"):
        return None
    try:
        tree = parse_condition(condition)
        if "--" in condition.rpartition("\n")[2]:
            parse_condition(f"({condition})")
    except Refusal:
        return None
    return tree


def _is_boolean(tree: exp.Expression) -> bool:
    """Whether it may be TRUE or FALSE; a column may be, and so may what is not known."""
    match tree:
        case exp.Paren():
            return _is_boolean(tree.this)
        case exp.Connector():
            return True
        case exp.Not() | exp.Predicate() | exp.Boolean() | exp.Null() | exp.Column():
            return True
        case exp.Escape() | exp.Dot() | exp.Bracket():
            return True
        case exp.Cast():
            return bool(tree.to.is_type("boolean"))
        case exp.Case():
            results = [one.args["true"] for one in tree.args["ifs"]]
            return all(map(_is_boolean, [*results, tree.args.get("default") or exp.Null()]))
    return _gives_boolean(tree)


_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def _is_number(literal: exp.Literal) -> bool:
    """Whether Spark reads it as one, too: 1e and 1.0.50 are none."""
    whole = _NUMBER.fullmatch(literal.name) and not isinstance(literal.parent, exp.Dot)
    return bool(literal.is_string or whole)


_PERHAPS = ("boolean", "any", "first", "same", "element")


def _gives_boolean(tree: exp.Expression) -> bool:
    call = called(tree)
    if call is None:
        return False
    row = function(call[0], len(call[1]))
    return row is None or row.returns in _PERHAPS


def _in_other_words(tree: exp.Expression) -> exp.Expression:
    """The inner calls first, so that an outer one is filled with what they became."""
    root = exp.Paren(this=tree)
    for node in reversed(list(root.find_all(exp.Anonymous))):
        arguments = list(node.expressions)
        row = function(str(node.this).lower(), len(arguments))
        if row and row.means and row.kinds(len(arguments)) is not None:
            node.replace(exp.Paren(this=filled(row.means, arguments)))
    return root
