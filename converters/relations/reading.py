"""A normal form -> three-valued logic over tests of things."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from ruleferry.converters.normal_form import NULL, Form, negated
from ruleferry.converters.relations.diagrams import CannotTell
from ruleferry.converters.relations.literals import Worth, is_literal, worth
from ruleferry.converters.relations.logic import (
    FALSE,
    NEITHER,
    TRUE,
    All,
    Const,
    Either,
    Kind,
    Logic,
    Missing,
    Not,
    Sure,
    Test,
    Thing,
    Unknown,
    Value,
    chosen,
)
from ruleferry.converters.relations.nullness import called, unsteady

_Word: TypeAlias = Literal["in", "lt", "le", "nan"]

# Up to here every whole number is a DOUBLE.
_EXACT = 2**53
_TRUTHS: Mapping[Form, bool] = {("true",): True, ("false",): False}
# Which ranks of two things are meant, where the first one comes first.
_ORDERS = {"lt": frozenset({-1}), "le": frozenset({-1, 0})}


class Reader:
    """`whole`, `roomy`: columns of which that is known. `tests`: all that were met."""

    def __init__(self, whole: Collection[str], roomy: Collection[str]) -> None:
        self._whole, self._roomy = whole, roomy
        self.tests: defaultdict[Thing, list[Test]] = defaultdict(list)
        self._missing: dict[Form, Logic] = {}
        self._read: dict[Form, Logic] = {}

    def logic(self, form: Form) -> Logic:
        """Of a form where a condition is wanted."""
        if form not in self._read:
            rule = _RULES.get(form[0])
            self._read[form] = (rule and rule(self, form)) or self._truth(form)
        return self._read[form]

    # Connectors -----------------------------------------------------------------------------------

    def _chain(self, form: Form) -> Logic:
        """Values that a chain of ORs asks for are a list, and so are those that ANDs refuse."""
        alternatives = form[0] == "or"
        parts: list[Logic] = []
        lists: dict[tuple[Form, Kind], set[Value]] = {}
        for operand in sorted(form[1], key=spelt):
            found = self._listed(operand if alternatives else _denied(operand))
            if found:
                subject, kind, values = found
                lists.setdefault((subject, kind), set()).update(values)
            else:
                parts.append(self.logic(operand))
        for (subject, kind), values in lists.items():
            test = self._test(subject, kind, "in", values)
            parts.append(test if alternatives else Not(test))
        return Either(tuple(parts)) if alternatives else All(tuple(parts))

    def _not(self, form: Form) -> Logic:
        return Not(self.logic(form[1]))

    def _is(self, form: Form) -> Logic | None:
        _, asked, wanted = form
        if wanted == NULL:
            return self.missing(asked)
        if wanted in _TRUTHS:
            found = self.logic(asked)
            return Sure(found if _TRUTHS[wanted] else Not(found))
        return None

    def _coalesce(self, form: Form) -> Logic:
        parts = dict(form[1:])
        last, *others = reversed((parts["this"], *parts.get("expressions", ())))
        found = self.logic(last)
        for other in others:
            asked = self.logic(other)
            found = chosen(Unknown(asked), found, asked)
        return found

    def _case(self, form: Form) -> Logic | None:
        parts = dict(form[1:])
        if "this" in parts:
            return None
        found = self.logic(parts["default"]) if "default" in parts else NEITHER
        for branch in reversed(parts["ifs"]):
            arm = dict(branch[1:])
            found = chosen(self.logic(arm["this"]), self.logic(arm["true"]), found)
        return found

    # Comparisons ----------------------------------------------------------------------------------

    def _equal(self, form: Form) -> Logic:
        sides = form[1]
        if NULL in sides:
            return NEITHER
        if found := self._listed(form):
            return self._test(found[0], found[1], "in", found[2])
        for wanted, asked in zip(sides, reversed(list(sides)), strict=True):
            if wanted in _TRUTHS and asked not in _TRUTHS:
                return self.logic(asked) if _TRUTHS[wanted] else Not(self.logic(asked))
        return self._pair(sorted(sides, key=spelt), {0})

    def _list(self, form: Form) -> Logic | None:
        """A NULL in a list: what is not in it may be in it."""
        _, subject, values = form
        if NULL in values and subject != NULL:
            others = values - {NULL}
            known = self.logic(("in", subject, others)) if others else NEITHER
            return Either((known, NEITHER))
        found = self._listed(form)
        return self._test(found[0], found[1], "in", found[2]) if found else None

    def _listed(self, form: Form) -> tuple[Form, Kind, set[Value]] | None:
        """The thing and the values, where a form asks whether it is one of some literals."""
        match form:
            case ("in", subject, frozenset() as values) if not is_literal(subject):
                pass
            case ("eq", frozenset() as sides):
                values = frozenset(side for side in sides if is_literal(side))
                if len(values) != 1 or len(sides) != 2 or values & _TRUTHS.keys():
                    return None
                (subject,) = sides - values
            case _:
                return None
        found = [known for value in values if (known := self._worth(subject, value))]
        kinds = {one.kind for one in found}
        if subject == NULL or len(found) < len(values) or len(kinds) != 1:
            return None
        return subject, kinds.pop(), {one.value for one in found}

    def _worth(self, subject: Form, literal: Form) -> Worth | None:
        """Beside a whole number a DOUBLE is what it is worth, as far as it counts in ones."""
        found = worth(literal)
        if found is None or found.kind not in ("number", "double"):
            return found
        kind = self._kind(subject)
        exact = isinstance(found.value, Fraction) and abs(found.value) < _EXACT
        same = found.kind == "number" or (kind == "whole" and exact)
        return found._replace(kind=kind) if same else found

    def _kind(self, form: Form) -> Kind:
        """What it is beside a whole or a decimal literal."""
        column = form[1] if form[0] == "column" and len(form) == 2 else None
        if column in self._whole:
            return "whole"
        return "roomy" if column in self._roomy else called(form).number

    def _order(self, form: Form) -> Logic:
        word, left, right = form
        if NULL in (left, right):
            return NEITHER
        if not is_literal(left) and (found := self._worth(left, right)):
            return self._test(left, found.kind, word, {found.value})
        if not is_literal(right) and (found := self._worth(right, left)):
            return Not(self._test(right, found.kind, "le" if word == "lt" else "lt", {found.value}))
        first, second = sorted((left, right), key=spelt)
        turn = 1 if first == left else -1
        return self._pair([first, second], {turn * rank for rank in _ORDERS[word]})

    def _same(self, form: Form) -> Logic:
        sides = sorted(form[1], key=spelt)
        if len(sides) == 1:
            return TRUE
        if NULL in sides:
            return self.missing(sides[0] if sides[1] == NULL else sides[1])
        neither = All(tuple(map(self.missing, sides)))
        return Either((Sure(self._equal(("eq", form[1]))), neither))

    def _nan(self, form: Form) -> Logic:
        """FALSE for NULL, and for what can't be one."""
        (subject,) = called(form).arguments
        kind = self._kind(subject)
        return FALSE if kind == "whole" else Sure(self._test(subject, kind, "nan", ()))

    # Leaves ---------------------------------------------------------------------------------------

    def _test(self, subject: Form, kind: Kind, word: _Word, values: Iterable[Value]) -> Test:
        thing = Thing(kind, (subject,))
        return self._met(Test(thing, word, frozenset(values), self.missing(subject)))

    def _pair(self, sides: list[Form], ranks: set[int]) -> Logic:
        """Two things that have one order, of which we know no more."""
        thing = Thing("order" if len(set(sides)) == 2 else "same", tuple(sides))
        missing = Either(tuple(map(self.missing, sides)))
        return self._met(Test(thing, "in", frozenset(ranks), missing))

    def _truth(self, form: Form) -> Logic:
        """A column or a call that is TRUE or FALSE."""
        if form in _TRUTHS or form == NULL:
            return TRUE if form == ("true",) else FALSE if form == ("false",) else NEITHER
        missing = Missing(form) if form[0] in _CONDITIONS else self.missing(form)
        return self._met(Test(Thing("truth", (form,)), "in", frozenset({True}), missing))

    def _met(self, test: Test) -> Test:
        self.tests[test.thing].append(test)
        return test

    def missing(self, form: Form) -> Logic:
        """Where a form has no value."""
        if form not in self._missing:
            self._missing[form] = self._no_value(form)
        return self._missing[form]

    def _no_value(self, form: Form) -> Logic:
        if form == NULL or is_literal(form):
            return Const(value=form == NULL)
        if form[0] in _CONDITIONS:
            return Unknown(self.logic(form))
        call = called(form)
        match call.nulls:
            case "never":
                return FALSE
            case "all":
                return All(tuple(map(self.missing, call.arguments)))
            case "args":
                return Either(tuple(map(self.missing, call.arguments)))
            case "more":
                return Either((*map(self.missing, call.arguments), Missing(form)))
        return Missing(form)


def _denied(form: Form) -> Form:
    return negated(form) if form[0] == "not" else NULL


_RULES: Mapping[str, Callable[[Reader, Form], Logic | None]] = {
    "and": Reader._chain,
    "or": Reader._chain,
    "not": Reader._not,
    "is": Reader._is,
    "Coalesce": Reader._coalesce,
    "Case": Reader._case,
    "eq": Reader._equal,
    "in": Reader._list,
    "lt": Reader._order,
    "le": Reader._order,
    "same": Reader._same,
    "IsNan": Reader._nan,
}
_CONDITIONS = _RULES.keys() - {"Coalesce", "Case"}


def spelt(part: object) -> str:
    """A text by which forms are put in order, the same in each run."""
    if isinstance(part, frozenset):
        return "{" + ",".join(sorted(map(spelt, part))) + "}"
    if isinstance(part, tuple):
        return "(" + ",".join(map(spelt, part)) + ")"
    return repr(part)


def check_steady(form: object) -> None:
    """Raises CannotTell where a form holds a function that may give another value each time."""
    if not isinstance(form, frozenset | tuple):
        return
    match form:
        case ("this", str(name)) if name.lower() in unsteady():
            raise CannotTell
    for part in form:
        check_steady(part)
