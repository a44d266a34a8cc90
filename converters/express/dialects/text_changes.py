"""Functions that change a text in parts: REPLACE, TRANSLATE, TRIM."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from ruleferry.converters.express.dialects.call_shape import Call, Rule
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.terms import (
    has_letters,
    ignores_case,
    is_null,
    literal_text,
    null_text,
    refuse,
    same_letters,
    text,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.regex_text import literal, member
from ruleferry.converters.express.sql_types import STRING

# Replacing ----------------------------------------------------------------------------------------


def _replace(found: Call) -> Term:
    """Every part that is equal, by the collation."""
    wanted = literal_text(found.tree(1))
    if wanted == "":
        raise found.refused("looks for an empty text")
    if wanted is None and ignores_case(found.here):
        raise found.refused("looks for a text that is not written out, without regard to case")
    if wanted is not None and has_letters(wanted) and ignores_case(found.here):
        return _replace_folded(found, wanted)
    return Term(call("replace", found.trees), STRING)


def _replace_folded(found: Call, wanted: str) -> Term:
    new = literal_text(found.tree(2))
    if new is None or "$" in new or "\\" in new:
        raise found.refused("puts in a text that can't be carried over")
    same_letters(found.terms[0], found.here)
    pattern = text("(?iu)" + "".join(map(literal, wanted)))
    return Term(call("regexp_replace", [found.tree(0), pattern, text(new)]), STRING)


def _replace_missing(found: Call) -> Term:
    """Where '' is NULL, a missing text to put in takes the part away."""
    wanted = found.terms[1]
    if is_null(wanted):
        return found.terms[0]
    if literal_text(wanted.tree) is None:
        raise found.refused("looks for a text that is not written out")
    new = _or_empty(found.terms[2]) if len(found) > 2 else text("")
    return Term(call("replace", [*found.trees[:2], new]), STRING)


def _or_empty(term: Term) -> exp.Expression:
    if is_null(term) or literal_text(term.tree) is not None:
        return text(literal_text(term.tree) or "")
    return call("coalesce", [term.tree, text("")])


def _translate(found: Call) -> Term:
    """Each character of the second text becomes that of the third; without one it is left out."""
    if found.here.dialect.empty and any(is_null(term) for term in found.terms):
        return Term(null_text(), STRING)
    if ignores_case(found.here) and any(has_letters(found.word(at)) for at in (1, 2)):
        raise found.refused("may take letters without regard to case")
    return Term(call("translate", found.trees), STRING)


def _case_unsettled(rule: Rule, *words: int) -> Rule:
    """Whether letters are looked for without regard to case is not certain."""

    def checked(found: Call) -> Term:
        for at in words:
            if has_letters(found.word(at, "")) and found.here.dialect.case:
                raise found.refused("may take letters without regard to case")
        return rule(found)

    return checked


def _replace_or_cut(found: Call) -> Term:
    """Without a third text the part is taken away."""
    terms = (*found.terms, Term(text(""), STRING))[:3]
    return _replace(Call(found.name, terms, found.here, found.read))


def _translate_equal(found: Call) -> Term:
    """Both texts are equally long, else the source stops."""
    if len(found.word(1)) != len(found.word(2)):
        raise found.refused("has texts of different length, where the check stops")
    return _translate(found)


def _translate_padded(found: Call) -> Term:
    """TRANSLATE(text, to, from): what has no counterpart becomes a blank."""
    new, old = found.word(1), found.word(2)
    pad = found.word(3, " ")
    if len(pad) != 1:
        raise found.refused("has a filling that is not one character")
    filled = text(new.ljust(len(old), pad)[: len(old)])
    return Term(call("translate", [found.tree(0), text(old), filled]), STRING)


# Trimming -----------------------------------------------------------------------------------------


def trimmed(subject: Term, characters: str, side: str, here: Dialectal) -> Term:
    """Without the characters of a set at one end ("leading", "trailing") or at "both"."""
    if not characters:
        raise refuse("a trim of no characters is not carried over")
    if has_letters(characters) and ignores_case(here):
        raise refuse("a trim of letters depends on the database's collation")
    if characters == " ":
        name = {"leading": "ltrim", "trailing": "rtrim", "both": "trim"}[side]
        return Term(call(name, [subject.tree]), STRING)
    if side == "both":
        return Term(call("btrim", [subject.tree, text(characters)]), STRING)
    inside = f"[{''.join(map(member, dict.fromkeys(characters)))}]+"
    pattern = text(f"^{inside}" if side == "leading" else rf"{inside}\z")
    return Term(call("regexp_replace", [subject.tree, pattern, text("")]), STRING)


def _trim(side: str) -> Rule:
    def rule(found: Call) -> Term:
        return trimmed(found.terms[0], found.word(1, " "), side, found.here)

    return rule


# The white space of Unicode.
_WHITE = "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
_WHITE += "\u200a\u2028\u2029\u202f\u205f\u3000"


def _trim_white(side: str) -> Rule:
    def rule(found: Call) -> Term:
        return trimmed(found.terms[0], found.word(1, _WHITE), side, found.here)

    return rule


RULES: Mapping[str, Rule] = {
    "replace": _replace,
    "replace_missing": _replace_missing,
    "translate": _translate,
    "replace_case_unsettled": _case_unsettled(_replace_or_cut, 1),
    "translate_case_unsettled": _case_unsettled(_translate, 1),
    "translate_equal": _translate_equal,
    "translate_padded": _translate_padded,
    "trim": _trim("both"),
    "ltrim": _trim("leading"),
    "rtrim": _trim("trailing"),
    "trim_white": _trim_white("both"),
    "ltrim_white": _trim_white("leading"),
    "rtrim_white": _trim_white("trailing"),
}
