"""Functions of texts whose meaning a template can't say."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.express.arithmetic import least
from ruleferry.converters.express.dialects.call_shape import Call, Rule
from ruleferry.converters.express.dialects.chars import filled_up
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.terms import (
    family,
    has_letters,
    is_null,
    is_text,
    is_whole,
    literal_text,
    null_text,
    said,
    same_letters,
    text,
    whole,
    whole_literal,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.sql_types import INT, STRING

# Joining ------------------------------------------------------------------------------------------


def _concat(found: Call) -> Term:
    """NULL where an argument is."""
    return Term(call("concat", _texts(found)), STRING)


def _concat_but_null(found: Call) -> Term:
    """A missing text counts as an empty one."""
    parts = [
        tree if literal_text(tree) is not None else call("coalesce", [tree, text("")])
        for tree in _texts(found)
    ]
    return Term(call("concat", parts), STRING)


def _texts(found: Call) -> list[exp.Expression]:
    """NULL is left to be joined as a text, and a whole number is one here."""
    return [_as_text(filled_up(term, found.here)) for term in found.terms]


def _as_text(term: Term) -> exp.Expression:
    if is_null(term):
        return null_text()
    if is_whole(term):
        return exp.Cast(this=term.tree, to=exp.DataType(this=exp.DataType.Type.TEXT))
    return term.tree


def _concat_ws(found: Call) -> Term:
    return Term(call("concat_ws", _texts(found)), STRING)


# Parts --------------------------------------------------------------------------------------------


def _substring_window(found: Call) -> Term:
    """Places before the first one count: SUBSTRING(x, 0, 2) is one character."""
    start = whole_literal(found.tree(1))
    if start is None:
        return _substring_anywhere(found)
    if len(found) == 2:
        return _substring(found, max(start, 1))
    if start >= 1:
        return _substring(found, start)
    length = found.whole(2) + start - 1
    return Term(_part(found.tree(0), whole(1), whole(max(length, 0))), STRING)


def _substring(found: Call, start: int) -> Term:
    rest = found.trees[2:]
    return Term(call("substring", [found.tree(0), whole(start), *rest]), STRING)


def _part(subject: exp.Expression, *places: exp.Expression) -> exp.Expression:
    return call("substring", [subject, *places])


def _substring_anywhere(found: Call) -> Term:
    _want_whole(found)
    if (least(found.tree(1)) or 0) >= 1:
        return Term(call("substring", found.trees), STRING)
    if len(found) == 2:
        return said("substring(_1, greatest(_2, 1))", *found.trees, kind=STRING)
    template = "CASE WHEN _2 >= 1 THEN substring(_1, _2, _3) ELSE substring(_1, 1, _2 + _3 - 1) END"
    return said(template, *found.trees, kind=STRING)


def _want_whole(found: Call) -> None:
    if any(family(term) not in ("integer", None) for term in found.terms[1:]):
        raise found.refused("has a place that is no whole number")


def _substring_back(found: Call, zero: str, beyond: str) -> Term:
    """A negative place counts from the end. `zero`: what place 0 is, "first" or "empty".

    `beyond`: what a place before the first character gives, "empty" or "all".
    """
    lowest = least(found.tree(1))
    if lowest is not None and lowest >= (0 if zero == "first" else 1):
        return Term(call("substring", found.trees), STRING)
    start = found.whole(1)
    if start == 0:
        if zero == "refused":
            raise found.refused("has the place 0")
        return _substring(found, 1) if zero == "first" else _empty_of(found)
    if beyond == "refused":
        raise found.refused("counts from the end, beyond which its value is not certain")
    long = said("length(_1) >= _2", found.tree(0), whole(-start)).tree
    other = _substring(found, 1).tree if beyond == "all" else _empty_of(found).tree
    arm = exp.If(this=long, true=_substring(found, start).tree.copy())
    return Term(exp.Case(ifs=[arm], default=other.copy()), STRING)


def _empty_of(found: Call) -> Term:
    return said("left(_1, 0)", found.tree(0), kind=STRING)


def _substring_padded(found: Call) -> Term:
    """A text that is too short is filled with blanks."""
    start = found.whole(1)
    if start < 1:
        raise found.refused("has a place before the first one, where the check stops")
    if len(found) == 2:
        return _substring(found, start)
    template = "rpad(substring(_1, _2, _3), _3, ' ')"
    return said(template, *found.trees, kind=STRING)


def _left(found: Call) -> Term:
    """A negative number of characters leaves out so many at the end."""
    count = found.whole(1)
    if count >= 0:
        return Term(call("left", found.trees), STRING)
    template = "left(_1, greatest(length(_1) - _2, 0))"
    return said(template, found.tree(0), whole(-count), kind=STRING)


def _right(found: Call) -> Term:
    count = found.whole(1)
    if count >= 0:
        return Term(call("right", found.trees), STRING)
    return said("substring(_1, _2)", found.tree(0), whole(1 - count), kind=STRING)


def _stuff(found: Call) -> Term:
    start, length = found.whole(1), found.whole(2)
    if start < 1 or length < 0:
        return Term(null_text(), STRING)
    new = found.terms[3]
    added = text("") if is_null(new) else said("coalesce(_1, '')", new.tree).tree
    added = new.tree if literal_text(new.tree) is not None else added
    template = "CASE WHEN length(_1) >= _2 THEN concat(left(_1, _3), _4, substring(_1, _5)) END"
    places = whole(start), whole(start - 1), added, whole(start + length)
    return said(template, found.tree(0), *places, kind=STRING)


def _split_part(found: Call) -> Term:
    """Snowflake's part 0 is the first."""
    place = found.whole(2) or 1
    if not found.word(1):
        raise found.refused("has an empty separator")
    return Term(call("split_part", [*found.trees[:2], whole(place)]), STRING)


def _repeated(found: Call) -> Term:
    return Term(call("repeat", [*found.trees[:1], whole(max(found.whole(1), 0))]), STRING)


def _space(found: Call) -> Term:
    return Term(text(" " * min(max(found.whole(0), 0), 8000)), STRING)


def _char(found: Call) -> Term:
    """One ASCII character that is written as its number."""
    code = found.whole(0)
    if not 1 <= code <= 126:
        raise found.refused("names a character that depends on the database's encoding")
    return Term(text(chr(code)), STRING)


# Searching ----------------------------------------------------------------------------------------


def _instr(found: Call) -> Term:
    """INSTR(text, part, place, occurrence)"""
    return _place(found, found.terms[0], found.terms[1], 2)


def _locate(found: Call) -> Term:
    """LOCATE(part, text, place)"""
    return _place(found, found.terms[1], found.terms[0], 2)


def _place(found: Call, subject: Term, wanted: Term, at: int) -> Term:
    if literal_text(wanted.tree) == "":
        raise found.refused("looks for an empty text")
    here = found.here
    inside, part = _alike(subject, wanted, here)
    start, count = _start(found, at), found.whole(at + 1, 1)
    if start == -1 and count == 1:
        return _last_place(inside, part)
    if start < 1 or not 1 <= count <= 4:
        raise found.refused("starts at a place that is not carried over")
    tree = _first_place(inside, part, start)
    for _ in range(count - 1):
        tree = _next_place(inside, part, tree)
    return Term(tree, INT)


def _alike(subject: Term, wanted: Term, here: Dialectal) -> tuple[exp.Expression, exp.Expression]:
    """As they are searched; a part without letters needs no care for case."""
    written = literal_text(wanted.tree)
    if written is not None and not has_letters(written):
        return subject.tree, text(written)
    return same_letters(subject, here), same_letters(wanted, here)


def _start(found: Call, at: int) -> int:
    start = found.whole(at, 1)
    return 1 if start < 1 and found.here.dialect.name == "tsql" else start


def _first_place(inside: exp.Expression, part: exp.Expression, start: int) -> exp.Expression:
    if start == 1:
        return call("instr", [inside.copy(), part.copy()])
    return call("locate", [part.copy(), inside.copy(), whole(start)])


def _next_place(
    inside: exp.Expression, part: exp.Expression, before: exp.Expression
) -> exp.Expression:
    template = "CASE WHEN _3 = 0 THEN 0 ELSE locate(_2, _1, _3 + 1) END"
    return said(template, inside, part, before).tree


def _last_place(inside: exp.Expression, part: exp.Expression) -> Term:
    template = (
        "CASE WHEN instr(_1, _2) = 0 THEN 0 "
        "ELSE length(_1) - instr(reverse(_1), reverse(_2)) - length(_2) + 2 END"
    )
    return said(template, inside, part, kind=INT)


def _find_in_set(found: Call) -> Term:
    trees = [same_letters(term, found.here) for term in found.terms]
    return Term(call("find_in_set", trees), INT)


def _starts(found: Call, name: str) -> Term:
    return Term(call(name, [same_letters(term, found.here) for term in found.terms]))


def _strcmp(found: Call) -> Term:
    """Only whether they are equal is certain: the order is the collation's."""
    raise found.refused("orders texts by the database's collation")


# Lengths and fillings -----------------------------------------------------------------------------


def _padded(name: str) -> Rule:
    def rule(found: Call) -> Term:
        if len(found) == 3 and literal_text(found.tree(2)) == "":
            raise found.refused("fills with an empty text")
        return Term(call(name, found.trees), STRING)

    return rule


def _length_trimmed(found: Call) -> Term:
    detail = f"{found.name}() may count a character beyond U+FFFF as two"
    found.here.tell("length_counted", detail)
    return said("length(rtrim(_1))", found.tree(0), kind=INT)


def _datalength(found: Call) -> Term:
    """Bytes: those of NVARCHAR can't be told from those of VARCHAR but in a literal."""
    node = found.terms[0]
    written = literal_text(node.tree)
    if written is None:
        raise found.refused("counts the bytes of a text whose encoding is not known")
    if not is_text(node) or not written.isascii():
        raise found.refused("counts the bytes of a text whose encoding is not known")
    return Term(whole(len(written) * (2 if isinstance(node.tree, exp.National) else 1)), INT)


RULES: Mapping[str, Rule] = {
    "concat": _concat,
    "concat_but_null": _concat_but_null,
    "concat_ws": _concat_ws,
    "substring_window": _substring_window,
    "substring_oracle": lambda found: _substring_back(found, "first", "empty"),
    "substring_mysql": lambda found: _substring_back(found, "empty", "empty"),
    "substring_all": lambda found: _substring_back(found, "first", "all"),
    "substring_padded": _substring_padded,
    "substring_front": lambda found: _substring_back(found, "refused", "refused"),
    "left": _left,
    "right": _right,
    "stuff": _stuff,
    "split_part": _split_part,
    "repeat": _repeated,
    "space": _space,
    "char": _char,
    "instr": _instr,
    "locate": _locate,
    "find_in_set": _find_in_set,
    "startswith": lambda found: _starts(found, "startswith"),
    "endswith": lambda found: _starts(found, "endswith"),
    "contains": lambda found: _starts(found, "contains"),
    "strcmp": _strcmp,
    "lpad": _padded("lpad"),
    "rpad": _padded("rpad"),
    "length_trimmed": _length_trimmed,
    "datalength": _datalength,
}
