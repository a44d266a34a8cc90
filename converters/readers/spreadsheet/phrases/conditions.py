"""The condition under which a demand holds: `if A = x and B is empty`, `(RecordType = 2 or 3)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from ruleferry.converters.predicates import (
    Absent,
    And,
    ColumnComparison,
    Comparison,
    Not,
    OneOf,
    Operator,
    Or,
    Present,
    Scope,
    Value,
)
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    before,
    delayed,
    distinct,
    enclosed,
    kept,
    listed,
    many,
    mapped,
    opt,
    says,
    seq,
    then,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.limits import (
    Bound,
    Today,
    Versus,
    sign,
    versus,
)
from ruleferry.converters.readers.spreadsheet.phrases.names import Name, name, operand
from ruleferry.converters.readers.spreadsheet.phrases.values import (
    Item,
    Values,
    code_item,
    values,
    word_item,
)
from ruleferry.converters.readers.spreadsheet.phrases.vocabulary import (
    never_gloss,
    never_values,
    one_of,
)
from ruleferry.converters.rule import Unread


@dataclass(frozen=True, slots=True)
class Given:
    """A condition as it was read. `gloss`: the words that name the records it holds for.

    `subject`: it says that the very field that is spoken of holds a value, or both of them.
    """

    scope: Scope | Unread | None
    gloss: str = ""
    subject: Literal["present", "both", ""] = ""


Test: TypeAlias = Scope | Unread


def unresolved(found: Name) -> Unread:
    return Unread("name_unresolved", f'"{found.text}" is no column of the table')


def negated(scope: Scope) -> Scope:
    match scope:
        case Present(column):
            return Absent(column)
        case Absent(column):
            return Present(column)
        case OneOf():
            return OneOf(scope.column, scope.values, not scope.negated)
        case Not(part):
            return part
        case _:
            return Not(scope)


def first_unread(tests: tuple[Test, ...]) -> Unread | None:
    return next((t for t in tests if isinstance(t, Unread)), None)


def all_of(tests: tuple[Test, ...]) -> Test:
    unread = first_unread(tests)
    if unread is not None:
        return unread
    scopes = tuple(t for t in tests if not isinstance(t, Unread))
    return scopes[0] if len(scopes) == 1 else And(scopes)


def any_one(tests: tuple[Test, ...]) -> Test:
    unread = first_unread(tests)
    if unread is not None:
        return unread
    scopes = tuple(t for t in tests if not isinstance(t, Unread))
    return scopes[0] if len(scopes) == 1 else Or(scopes)


# One test -----------------------------------------------------------------------------------------


def _has_values(both: tuple[Name, Values]) -> Test | None:
    """`A = x`, `A is 1 or 2`."""
    found, wanted = both
    if found.column is None:
        return unresolved(found)
    if wanted.blank:
        return Or((Absent(found.column), equals(found.column, wanted.values)))
    return equals(found.column, wanted.values)


def equals(column: str, wanted: tuple[Value, ...]) -> Scope:
    if len(wanted) == 1:
        return Comparison(column, "=", wanted[0])
    return OneOf(column, wanted)


def _lacks_values(both: tuple[Name, Values]) -> Test | None:
    found, refused = both
    if found.column is None:
        return unresolved(found)
    if refused.blank:
        return None
    if len(refused.values) == 1:
        return Comparison(found.column, "!=", refused.values[0])
    return OneOf(found.column, refused.values, negated=True)


def _short_code(source: Source, at: int) -> Readings[Item]:
    """`is USA`, but not `IS SET`."""
    found, linking = source.at(at), source.at(at - 1)
    if found is None or linking is None or found.kind != "word" or linking.text.isupper():
        return
    capitals = found.text.isalpha() and found.text.isupper() and len(found.text) == 3
    known = source.setting.column_of(found.text) is not None
    if capitals and not known and found.norm not in never_values():
        yield Item("bare", found.text, found.text), at + 1


_is = any_of(["is", "are", "was", "were"])
_is_not = any_of(["is not", "are not", "isn't", "aren't", "was not", "were not", "is no"])
_equals = any_of(["equals", "equal", "is equal to", "is set to", "is one of", "is any of", "is :"])
_equals_not = any_of(["does not equal", "is not equal to", "is not one of", "not equal to"])
_code_values = values(alt(code_item, _short_code))


def _equal_sign(source: Source, at: int) -> Readings[str]:
    for found, after in sign(source, at):
        if found in ("=", "!="):
            yield found, after


def _by_sign(both: tuple[tuple[Name, str], Values]) -> Test | None:
    (found, operator), wanted = both
    return (_has_values if operator == "=" else _lacks_values)((found, wanted))


def _compared(both: tuple[Name, Versus]) -> Test | None:
    found, against = both
    if found.column is None:
        return unresolved(found)
    match against.limit:
        case Bound(value, unit, doubt):
            return _with_bound(found.column, against.operator, value, unit, doubt)
        case Name(None, _):
            return unresolved(against.limit)
        case Name(str(column), _):
            return ColumnComparison(found.column, against.operator, column)
        case Today():
            return Unread("not_understood", "a condition on today's date can't be read yet")
        case _:
            return None


def _with_bound(
    column: str, operator: Operator, value: Value, unit: str, doubt: str
) -> Test | None:
    if doubt:
        return Unread("not_understood", doubt)
    if unit:
        return Unread("unit", f"the condition on {column} is in {unit}")
    return Comparison(column, operator, value)


_present_words = alt(
    then(_is, one_of("present")),
    any_of(["has a value", "exists", "is not blank", "is not empty", "is not null", "not blank"]),
    any_of(["is not missing", "is known", "is filled", "not empty", "not null", "= not empty"]),
)
_absent_words = alt(
    then(_is_not, one_of("present")),
    then(_is, one_of("blank")),
    any_of(["has no value", "does not exist", "= blank", "= empty", "= null"]),
)


def _presence(both: tuple[Name, bool]) -> Test:
    found, there = both
    if found.column is None:
        return unresolved(found)
    return Present(found.column) if there else Absent(found.column)


_presence_words = alt(says(_present_words, True), says(_absent_words, False))


def _selected(both: tuple[Values, Name]) -> Test | None:
    return _has_values((both[1], both[0]))


_was_selected = mapped(
    seq(
        before(_code_values, any_of(["was selected in", "is selected in", "is selected for"])),
        name,
    ),
    _selected,
)

_join_and = any_of(["and", ", and"])
_join_or = any_of(["or", ", or"])


def _all_present(names: tuple[Name, ...]) -> Test:
    return all_of(tuple(_presence((n, True)) for n in names))


def _one_present(names: tuple[Name, ...]) -> Test:
    return any_one(tuple(_presence((n, True)) for n in names))


def _none_present(names: tuple[Name, ...]) -> Test:
    return all_of(tuple(_presence((n, False)) for n in names))


_blank_together = then(any_of(["are", "is", "are both", "are all"]), one_of("blank"))
_several = alt(
    mapped(
        before(then(opt(words("both")), many(name, _join_and, 2)), _blank_together), _none_present
    ),
    mapped(
        before(then(opt(words("both")), many(name, _join_and, 2)), _present_words), _all_present
    ),
    mapped(
        before(then(opt(words("either")), many(name, _join_or, 2)), _present_words), _one_present
    ),
    mapped(
        before(then(words("neither"), many(name, words("nor"), 2)), _present_words), _none_present
    ),
)

_tests: Parser[Test] = alt(
    kept(mapped(seq(seq(operand, _equal_sign), values(word_item)), _by_sign)),
    kept(mapped(seq(before(operand, _equals), values(word_item)), _has_values)),
    kept(mapped(seq(before(operand, _equals_not), values(word_item)), _lacks_values)),
    kept(mapped(seq(before(operand, _is), _code_values), _has_values)),
    kept(mapped(seq(before(operand, _is_not), _code_values), _lacks_values)),
    kept(mapped(seq(before(operand, opt(_is)), versus), _compared)),
    mapped(seq(operand, _presence_words), _presence),
    kept(_was_selected),
    _several,
    enclosed(delayed(lambda: test)),
)


# Several tests ------------------------------------------------------------------------------------

_single = distinct(_tests)
_joint = listed({"and": "and", ", and": "and", "or": "or", ", or": "or"})


def test(source: Source, at: int) -> Readings[Test]:
    """Tests joined by and, or by or: by both only in brackets."""
    for first, after in _single(source, at):
        yield from _longer(source, after, (first,), ())


def _longer(
    source: Source, at: int, tests: tuple[Test, ...], joints: tuple[str, ...]
) -> Readings[Test]:
    source.step()
    yield _joined(tests, joints), at
    for joint, start in _joint(source, at):
        for following, after in _single(source, start):
            yield from _longer(source, after, (*tests, following), (*joints, joint))


def _joined(tests: tuple[Test, ...], joints: tuple[str, ...]) -> Test:
    if len(set(joints)) > 1:
        return Unread("not_understood", "it joins conditions by and and by or without brackets")
    return any_one(tests) if "or" in joints else all_of(tests)


# Where a condition stands in a sentence -----------------------------------------------------------


def _given(found: Test) -> Given:
    return Given(found)


def _not_given(found: Test) -> Given:
    return Given(found if isinstance(found, Unread) else negated(found))


def _gloss(source: Source, at: int) -> Readings[str]:
    """The words that name the records of a condition in brackets: `aggregate records (A = 1)`."""
    text: list[str] = []
    for place in range(at, min(at + _MOST_GLOSS, len(source.tokens))):
        found = source.tokens[place]
        if found.kind != "word" or found.norm in never_gloss():
            return
        if source.setting.column_of(found.text) is not None:
            return
        text.append(found.text)
        yield " ".join(text), place + 1


_MOST_GLOSS = 10
_that_is = opt(any_of(["i.e.", "i.e. ,", "ie", "that is", "that is ,"]))
_if = one_of("if")
_in_brackets = enclosed(then(_that_is, then(opt(_if), test)))


def _with_gloss(both: tuple[str, Test]) -> Given:
    return Given(both[1], both[0])


_elliptic: Parser[Given] = alt(
    says(alt(one_of("present"), _present_words), Given(None, subject="present")),
    says(
        any_of(["both are provided", "both are present", "both are submitted"]),
        Given(None, subject="both"),
    ),
    says(
        any_of(["both provided", "both present", "they are both provided"]),
        Given(None, subject="both"),
    ),
)
_for_records = seq(
    opt(any_of(["all", "any", "the"])),
    before(one_of("records"), any_of(["where", "when", "with", "in which", "for which"])),
)
_for_values: Parser[Test] = kept(mapped(then(words("for"), seq(name, _code_values)), _has_values))

condition: Parser[Given] = alt(
    mapped(then(_if, test), _given),
    mapped(then(one_of("unless"), test), _not_given),
    then(_if, _elliptic),
    mapped(then(words("for"), seq(_gloss, _in_brackets)), _with_gloss),
    mapped(then(seq(words("for"), _for_records), test), _given),
    mapped(_for_values, _given),
)
