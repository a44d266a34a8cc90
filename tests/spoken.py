"""Reads the words of a condition back, as a person does: the other way round than they are made.

Every reading that the grammar allows is tried. A test of what is missing does not hold, unless what
can't be read passes, or every missing value does.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

Row = Mapping[str, object]
# Whether it holds of a row; the flag: what a test makes of a missing value.
Holds = Callable[[Row, bool], bool]
Value = Callable[[Row], object]

_QUOTED = r'"(?:[^"]|"")*"'
# The words of the sentences stand in quotes where they are values.
_OURS = "blank|missing|not|one|none|an|a|at|above|below|empty|true|false"
_LITERAL = re.compile(rf"{_QUOTED}|-?\d+(?:\.\d+)?|an empty text|(?!(?:{_OURS})\b)[A-Za-z]\w*")
_PATTERN = re.compile(rf'{_QUOTED}|[^\s",()]+')
_COLUMN = re.compile(r"[a-z]\b")
_ORDERS = {
    "is below ": lambda a, b: a < b, "is at most ": lambda a, b: a <= b,
    "is above ": lambda a, b: a > b, "is at least ": lambda a, b: a >= b,
}  # fmt: skip
_EQUAL = {
    "equals ": lambda a, b: a == b, "does not equal ": lambda a, b: a != b,
}  # fmt: skip
_SUFFIXES = {
    " in small letters": lambda v: v.lower(), " in capital letters": lambda v: v.upper(),
    " without blanks around it": lambda v: v.strip(" "), " without its sign": abs,
}  # fmt: skip
_SIGNS = {" + ": lambda a, b: a + b, " - ": lambda a, b: a - b, " * ": lambda a, b: a * b}


def readings(words: str) -> list[Holds]:
    """Every way in which the words can be read."""
    return [holds for holds, rest in _sentence(words) if not rest]


@dataclass(frozen=True)
class Subject:
    value: Value
    lenient: bool = False


def number(value):
    try:
        return float(value)
    except ValueError:
        return None


def literal(written: str):
    if written.startswith('"'):
        return written[1:-1].replace('""', '"')
    if written == "an empty text":
        return ""
    return float(written) if re.fullmatch(r"-?\d+(\.\d+)?", written) else written


def _sentence(words: str) -> Iterator[tuple[Holds, str]]:
    if words.startswith("if "):
        for when, rest in _chain(words[3:]):
            has_comma = "," in re.sub(_QUOTED, "", words[: len(words) - len(rest)])
            mark = ", then " if has_comma else ", "
            if rest.startswith(mark):
                for then, left in _chain(rest[len(mark) :]):
                    yield (lambda r, m, a=when, b=then: not a(r, False) or b(r, m)), left
    yield from _chain(words)


def _chain(words: str) -> Iterator[tuple[Holds, str]]:
    yield from _shared(words)
    for first, subject, rest in _element(words, None):
        yield first, rest
        for word, joined in (("and", all), ("or", any)):
            for parts, left in _more(rest, word, [first], subject):
                yield (lambda r, m, p=tuple(parts), j=joined: j(one(r, m) for one in p)), left


def _more(words: str, word: str, parts: list, subject, joined=False) -> Iterator[tuple[list, str]]:
    """What follows of a chain, whose last joint says its word."""
    if joined:
        yield parts, words
    for joint, carried in ((f", {word} ", subject), (f" {word} ", subject), (", ", None)):
        if words.startswith(joint):
            for part, told, rest in _element(words[len(joint) :], carried):
                yield from _more(rest, word, [*parts, part], told, word in joint)


def _shared(words: str) -> Iterator[tuple[Holds, str]]:
    """`x, y or s has a value`."""
    subjects = r"((?:[a-z], )*[a-z]) (and|or) ([a-z]) "
    verbs = r"(?:(?:has|have) (a|no) value|can be read as a number)"
    found = re.match(subjects + verbs, words)
    if not found:
        return
    names = [*found[1].split(", "), found[3]]
    joined = all if found[2] == "and" else any

    def of_one(value):
        if found[4] is None:
            return value is not None and number(value) is not None
        return (value is not None) == (found[4] == "a")

    yield (lambda r, m: joined(of_one(r[n]) for n in names)), words[found.end() :]


def _element(words: str, subject) -> Iterator[tuple[Holds, Subject | None, str]]:
    if words.startswith("it does not hold that "):
        for part, _, rest in _element(words.removeprefix("it does not hold that "), None):
            yield (lambda r, m, p=part: not p(r, False)), None, rest
    if words.startswith("("):
        for part, rest in _sentence(words[1:]):
            if rest.startswith(")"):
                yield part, None, rest[1:]
    if subject is not None:
        for holds, rest in _verb(words, subject):
            yield holds, subject, rest
        for holds, rest in _verb(f"is {words}", subject):
            if not words.startswith(("is ", "not ", "one ", "none ")):
                yield holds, subject, rest
    for told, rest in _subject(words):
        if rest.startswith(" "):
            for holds, left in _verb(rest[1:], told):
                yield holds, told, left


def _subject(words: str) -> Iterator[tuple[Subject, str]]:
    for value, rest in _value(words):
        yield Subject(value), rest
        for lenient, how in (
            (True, ", where it can be read as a number,"),
            (False, ", read as a number,"),
        ):
            for end in (how, how[:-1]):
                if rest.startswith(end):
                    yield Subject(_read(value), lenient), rest[len(end) :]


def _read(value: Value) -> Value:
    return lambda r: None if (v := value(r)) is None else number(v)


def _value(words: str) -> Iterator[tuple[Value, str]]:
    for first, rest in _operand(words):
        yield first, rest
        for sign, of in _SIGNS.items():
            if rest.startswith(sign):
                for second, left in _operand(rest[len(sign) :]):
                    yield _applied(of, first, second), left


def _applied(of, *values: Value) -> Value:
    def applied(row):
        given = [value(row) for value in values]
        return None if None in given else of(*given)

    return applied


def _operand(words: str) -> Iterator[tuple[Value, str]]:
    for value, rest in _primary(words):
        yield value, rest
        for suffix, of in _SUFFIXES.items():
            if rest.startswith(suffix):
                yield _applied(of, value), rest[len(suffix) :]
        if found := re.match(rf" \(({_LITERAL.pattern}) where it is missing\)", rest):
            other = literal(found[1])
            yield (lambda r, v=value, o=other: o if v(r) is None else v(r)), rest[found.end() :]


def _primary(words: str) -> Iterator[tuple[Value, str]]:
    if found := _COLUMN.match(words):
        yield (lambda r, name=found[0]: r[name]), words[found.end() :]
    if found := re.match(r"-?\d+(\.\d+)?", words):
        yield (lambda r, value=float(found[0]): value), words[found.end() :]
    if words.startswith("the length of "):
        for value, rest in _primary(words.removeprefix("the length of ")):
            yield _applied(lambda v: float(len(v)), value), rest
    if words.startswith("("):
        for value, rest in _value(words[1:]):
            if rest.startswith(")"):
                yield value, rest[1:]


def _there(test):
    """None of a value that is missing."""
    return lambda row, value: None if value is None else test(row, value)


def _verb(words: str, subject: Subject) -> Iterator[tuple[Holds, str]]:
    for test, rest in _test(words):
        yield (lambda r, m, t=test: _holds(t, subject, r, m)), rest
    for test, rest in _of_missing(words):
        yield (lambda r, m, t=test: t(subject.value(r))), rest


class Watched(dict):
    """A row that knows whether a missing value was asked for."""

    missed = False

    def __getitem__(self, name):
        value = super().__getitem__(name)
        self.missed = self.missed or value is None
        return value


def _holds(test, subject: Subject, row: Row, missing: bool) -> bool:
    watched = Watched(row)
    value = subject.value(watched)
    if value is None and subject.lenient:
        return True
    found = test(watched, value)
    return found if found is not None else missing and watched.missed


def _test(words: str):
    """Tests of a value that is there; they give None where the other side is missing."""
    for verb, of in _ORDERS.items():
        if words.startswith(verb):
            rest = words[len(verb) :]
            if rest.startswith(("the text ", "an empty text")) or not rest[0].isalpha():
                yield from _against(rest.removeprefix("the text "), of)
            yield from _against_value(rest, of)
    for verb, of in _EQUAL.items():
        if words.startswith(verb):
            yield from _against_value(words[len(verb) :], of)
    for verb, of in (("is ", lambda a, b: a == b), ("is not ", lambda a, b: a != b)):
        if words.startswith(verb):
            yield from _against(words[len(verb) :], of)
    for verb, among in (("is one of ", True), ("is none of ", False)):
        if words.startswith(verb):
            for values, rest in _list(words[len(verb) :]):
                yield _there(lambda r, v, vs=values, a=among: (v in vs) == a), rest
    yield from _likeness(words)
    if words.startswith("is not blank"):
        yield _there(lambda r, v: v.strip(" ") != ""), words.removeprefix("is not blank")
    if words.startswith("is empty or all blanks"):
        yield _there(lambda r, v: v.strip(" ") == ""), words.removeprefix("is empty or all blanks")


def _against(words: str, of):
    if found := _LITERAL.match(words):
        other = literal(found[0])
        yield _there(lambda r, v, o=other: type(v) is type(o) and of(v, o)), words[found.end() :]


def _against_value(words: str, of):
    for other, rest in _subject(words):

        def test(row, value, other=other):
            right = other.value(row)
            if right is None and other.lenient:
                return True
            if right is None:
                return None
            return None if value is None else of(value, right)

        yield test, rest


def _list(words: str, found: tuple = ()):
    match = _LITERAL.match(words)
    if match:
        values, rest = (*found, literal(match[0])), words[match.end() :]
        yield values, rest
        if rest.startswith(", "):
            yield from _list(rest[2:], values)


def _likeness(words: str):
    for verb, wanted, of in (
        ("begins with ", True, str.startswith), ("does not begin with ", False, str.startswith),
        ("ends with ", True, str.endswith), ("does not end with ", False, str.endswith),
        ("contains ", True, str.__contains__), ("does not contain ", False, str.__contains__),
        ("matches the pattern ", True, lambda v, p: re.search(p, v) is not None),
        ("does not match the pattern ", False, lambda v, p: re.search(p, v) is not None),
    ):  # fmt: skip
        if words.startswith(verb) and (found := _PATTERN.match(words[len(verb) :])):
            part = found[0]
            part = part[1:-1].replace('""', '"') if part.startswith('"') else part
            rest = words[len(verb) + found.end() :]
            yield _there(lambda r, v, p=part, o=of, w=wanted: o(v, p) == w), rest


def _of_missing(words: str):
    for verb, test in (
        ("has a value", lambda v: v is not None),
        ("has no value", lambda v: v is None),
        ("is not missing and not empty", lambda v: v is not None and v != ""),
        ("is missing or empty", lambda v: v is None or v == ""),
        ("can be read as a number", lambda v: v is not None and number(v) is not None),
        ("is missing or can't be read as a number", lambda v: v is None or number(v) is None),
    ):
        if words.startswith(verb):
            yield test, words[len(verb) :]
    for form, test in (
        (rf"is not ({_LITERAL.pattern}) and not missing", lambda v, o: v is not None and v != o),
        (rf"is ({_LITERAL.pattern}) or missing", lambda v, o: v is None or v == o),
    ):
        if found := re.match(form, words):
            other = literal(found[1])
            yield (lambda v, t=test, o=other: t(v, o)), words[found.end() :]
