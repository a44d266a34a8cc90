"""Conditions changed in ways whose meaning is known from their form alone, by regular expressions.

None of it asks the product what a condition means.
"""

import re
from collections.abc import Iterator

# What may be told of a change: where a set or an interval grew or shrank, that and nothing else.
LOOSER, TIGHTER, OTHER = ("loosened",), ("tightened",), ("changed",)
# Fewer or more pass, but no interval and no set says so.
TIGHTER_OR_OTHER, LOOSER_OR_OTHER = ("tightened", "changed"), ("loosened", "changed")

_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_END = r"(?P<end>(?:, FALSE\))?)"
_ALONE = r"^(?P<before>(?P<null>\S+) IS NULL OR (?:coalesce\()?)(?P<of>[^ ].*?)"
_COMPARED = re.compile(rf"{_ALONE} (?P<sign><=|>=|<|>) (?P<value>{_NUMBER}){_END}$")
_BETWEEN = re.compile(rf"{_ALONE} BETWEEN (?P<low>{_NUMBER}) AND (?P<high>{_NUMBER}){_END}$")
_LISTED = re.compile(rf"{_ALONE} IN \((?P<values>.*)\){_END}$")
_PRESENT = re.compile(r"^(\S+) IS NOT NULL$")
_MISSING_PASSES = re.compile(r"^(\S+) IS NULL OR (.*)$")
_TEXT = r"'(?:[^'\\]|\\.|'')*'"


def _is_alone(condition: str, found: re.Match | None) -> bool:
    """One comparison of one thing: no other AND or OR, outside of texts."""
    bare = re.sub(_TEXT, "''", condition)
    return (
        found is not None
        and " CASE " not in bare
        and bare.count(" OR ") == 1
        and (bare.count(" AND ") == ("BETWEEN" in bare))
    )


def _match(pattern: re.Pattern, condition: str) -> re.Match | None:
    found = pattern.match(condition)
    return found if _is_alone(condition, found) else None


def others(condition: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Other conditions, with what may be told of each."""
    yield from _bounds(condition)
    yield from _lists(condition)
    if found := _PRESENT.match(condition):
        yield f"{found[1]} IS NOT NULL AND {found[1]} <> {found[1]}", TIGHTER_OR_OTHER
        yield f"{found[1]} IS NULL", OTHER
    elif found := _MISSING_PASSES.match(condition):
        yield f"{found[1]} IS NOT NULL AND ({found[2]})", TIGHTER_OR_OTHER
        yield f"{found[1]} IS NULL", TIGHTER_OR_OTHER
    yield f"NOT ({condition})", OTHER
    yield f"({condition}) OR 1 = 0 + rand()", OTHER


def _bounds(condition: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    if found := _match(_COMPARED, condition):
        upper = found["sign"].startswith("<")
        for step in (1, -1):
            grows = (step > 0) == upper
            value = _moved(found["value"], step)
            new = f"{found['before']}{found['of']} {found['sign']} {value}{found['end']}"
            yield new, LOOSER if grows else TIGHTER
    if found := _match(_BETWEEN, condition):
        low, high = found["low"], found["high"]
        for pair, told in (
            ((_moved(low, -1), high), LOOSER),
            ((low, _moved(high, 1)), LOOSER),
            ((_moved(low, -1), _moved(high, -1)), OTHER),
        ):
            new = f"{found['before']}{found['of']} BETWEEN {pair[0]} AND {pair[1]}{found['end']}"
            yield new, told


def _moved(number: str, step: int) -> str:
    return f"{float(number) + step:g}" if "." in number else str(int(number) + step)


def _lists(condition: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    found = _match(_LISTED, condition)
    values = _values(found["values"]) if found else []
    if not values:
        return
    more = "'zebra'" if values[0].startswith("'") else "987654"
    yield _with_values(found, [*values, more]), LOOSER
    if len(values) > 1:
        yield _with_values(found, values[1:]), TIGHTER
        yield _with_values(found, [*values[1:], more]), OTHER


def _values(text: str) -> list[str]:
    values = re.findall(rf"{_TEXT}|{_NUMBER}", text)
    return values if ", ".join(values) == text else []


def _with_values(found: re.Match, values: list[str]) -> str:
    return f"{found['before']}{found['of']} IN ({', '.join(values)}){found['end']}"


# The same, written otherwise ----------------------------------------------------------------------


def respelt(condition: str) -> Iterator[str]:
    yield f"({condition})"
    yield _outside(condition, lambda text: text.replace(" ", "  \n "))
    yield _outside(condition, str.lower)
    if found := _PRESENT.match(condition):
        yield f"NOT ({found[1]} IS NULL)"
        yield f"NOT {found[1]} IS NULL"
    if found := _match(_COMPARED, condition):
        turned = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}[found["sign"]]
        yield f"{found['before']}{found['value']} {turned} {found['of']}{found['end']}"
        if "." not in found["value"]:
            yield f"{condition[: found.end('value')]}.0{found['end']}"
        if not found["end"]:
            yield f"{found['of']} {found['sign']} {found['value']} OR {found['null']} IS NULL"
    if found := _match(_BETWEEN, condition):
        of, low, high = found["of"], found["low"], found["high"]
        yield f"{found['before']}{of} >= {low} AND {of} <= {high}{found['end']}"
        yield f"{found['before']}(({high} >= {of}) AND ({low} <= {of})){found['end']}"
    if (found := _match(_LISTED, condition)) and (values := _values(found["values"])):
        yield _with_values(found, values[::-1])
        yield _with_values(found, [*values, values[0]])


def _outside(condition: str, change) -> str:
    """Changed outside of texts and of names in backticks."""
    parts = re.split(rf"({_TEXT}|`[^`]*`)", condition)
    return "".join(part if n % 2 else change(part) for n, part in enumerate(parts))
