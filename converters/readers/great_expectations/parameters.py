"""Arguments whose value is only known when the suite runs: `{"$PARAMETER": expression}`.

Great Expectations (0.18.22 and 1.24.1, both measured) takes the temporary value that stands beside
the expression before any other, then what the run gives, then what the suite states. It fills in an
argument as a whole, and nothing within one; 1.x takes no parameter for a column or a row condition.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from ruleferry.converters.readers.great_expectations.arguments import (
    ArgumentFault,
    ParameterFault,
    TemplateFault,
    shown,
)
from ruleferry.converters.readers.great_expectations.parameter_expression import (
    NotComputed,
    NotConstant,
    computed,
    names_in,
    single,
)
from ruleferry.converters.readers.json_text import Json, Written, exact_number
from ruleferry.converters.readers.yaml_text import Doubtful
from ruleferry.converters.rule import Caveat

CONFIGURED = "as configured"
OF_SUITE = "as the suite states"
_KEY = "$PARAMETER"
_URN = "urn:great_expectations:"
# What a profiler of 0.13 to 0.18 fills in when it writes a suite: $domain.domain_kwargs.column.
_OF_PROFILER = re.compile(r"\$(?:domain|parameter|variables)\.")
_TEMPLATE = re.compile(r"\{\{.*\}\}|\{%.*%\}|\$\{.*\}|<%.*%>", re.DOTALL)
_VARIABLE = re.compile(r"(?<!\\)\$(?:\{|[A-Za-z_])")


@dataclass(frozen=True, slots=True)
class Given:
    """A parameter's value, and who gives it: "as configured", "as the suite states".

    `unsettled`: why it can't be told which value that is.
    """

    value: Json
    by: str
    unsettled: str = ""


@dataclass(frozen=True, slots=True)
class Unfilled:
    """What stands for an argument that has no value: why, or the names that miss one."""

    expression: Json
    missing: tuple[str, ...] = ()
    why: str = ""
    invalid: bool = False


def given(parameters: Mapping[str, object], by: str) -> dict[str, Given]:
    """The values of a configuration, a checkpoint or a suite as a suite would state them."""
    return {
        name: Given(_as_json(value), by, _doubt(name, value)) for name, value in parameters.items()
    }


def _doubt(name: str, value: object) -> str:
    """A plain scalar of YAML that readers take for different things settles nothing."""
    if isinstance(value, Doubtful):
        some = f"{name} is {value} without quotes, which to some readers of YAML is a text"
        return f"{some}, and to others {value.meant}"
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((doubt for each in inner if (doubt := _doubt(name, each))), "")


def agreed(name: str, found: Sequence[Given]) -> Given:
    """The one value that all who give it agree on."""
    first = next((each for each in found if each.unsettled), found[0])
    if first.unsettled:
        return first
    variable = next((each for each in found if _has_variable(each.value)), None)
    if variable is not None:
        why = f"{variable.by}, {name} is {_plain(variable.value)}, which the environment fills in"
        return replace(first, unsettled=why)
    other = next((each for each in found if each.value != first.value), None)
    if other is None:
        return first
    one, two = _plain(first.value), _plain(other.value)
    why = f"it has several values: {one}, {first.by}, and {two}, {other.by}"
    return replace(first, unsettled=why)


def _has_variable(value: Json) -> bool:
    """A checkpoint may hold `$NAME` or `${NAME}`; a dollar that is none stands behind a \\."""
    if isinstance(value, str):
        return _VARIABLE.search(value) is not None
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_has_variable, inner))


def _as_json(value: object) -> Json:
    if isinstance(value, tuple | list):
        return [_as_json(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal) and not isinstance(value, Written):
        return Written(str(value))
    return value


# Filling in ---------------------------------------------------------------------------------------


def filled(
    kwargs: Mapping[str, Json],
    parameters: Mapping[str, Given],
    *,
    modern: bool,
    never: Collection[str],
) -> tuple[dict[str, Json], tuple[Caveat, ...]]:
    """The arguments with their parameters filled in, each without a value as an `Unfilled`.

    `never`: the arguments for which 1.x takes none. The caveats tell who gave what.
    """
    found: dict[str, Json] = {}
    told: list[Caveat] = []
    for name, value in kwargs.items():
        if not isinstance(value, dict) or _KEY not in value:
            found[name] = value
        elif modern and name in never:
            found[name] = Unfilled(value[_KEY], why="1.x takes none there", invalid=True)
        else:
            found[name], caveats = _value(value, parameters, modern)
            told += caveats
    return found, tuple(dict.fromkeys(told))


def _value(
    argument: Mapping[str, Json], parameters: Mapping[str, Given], modern: bool
) -> tuple[Json, tuple[Caveat, ...]]:
    expression = argument[_KEY]
    temporary = f"{_KEY}.{expression}"
    if temporary in argument:
        value = argument[temporary]
        return value, (_told(expression, value, "as the suite states beside it, before any other"),)
    if not isinstance(expression, str):
        return Unfilled(expression, why="that is no expression"), ()
    if _URN in expression:
        why = "it is a figure that an earlier validation or a store of metrics gives"
        return Unfilled(expression, why=why), ()
    try:
        return _computed(expression, parameters, modern)
    except NotComputed as error:
        why = f"Great Expectations can't compute it: {error}"
        return Unfilled(expression, why=why, invalid=True), ()
    except NotConstant as why_not:
        return Unfilled(expression, why=str(why_not)), ()


def _computed(
    expression: str, parameters: Mapping[str, Given], modern: bool
) -> tuple[Json, tuple[Caveat, ...]]:
    alone = single(expression)
    names = names_in(expression) if alone is None else (alone,)
    missing = tuple(name for name in names if name not in parameters)
    if alone is not None and missing and not names_in(expression):
        raise NotComputed(f"{alone} alone is taken for the name of a parameter")
    if missing:
        return Unfilled(expression, missing=missing), ()
    if doubt := next((d for name in names if (d := parameters[name].unsettled)), ""):
        return Unfilled(expression, why=doubt), ()
    told = tuple(_told(name, parameters[name].value, parameters[name].by) for name in names)
    if modern and any(parameters[name].by == OF_SUITE for name in names):
        detail = "in 1.x the values that a suite states itself count only without a checkpoint"
        told += (Caveat("parameter_assumed", detail),)
    if alone is not None:
        return parameters[alone].value, told
    values = {name: each.value for name, each in parameters.items()}
    result = computed(expression, values)
    value = exact_number(repr(result)) if isinstance(result, float) else result
    return value, (*told, Caveat("parameter_given", f"{expression} is {_plain(value)}"))


def _told(name: Json, value: Json, by: str) -> Caveat:
    return Caveat("parameter_given", f"{name} is {_plain(value)}, {by}")


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else shown(value)


# Refusing -----------------------------------------------------------------------------------------


def refuse_parameters(arguments: Mapping[str, Json]) -> None:
    """Raises where an argument has no value: for all that miss one at once, else for the first."""
    unfilled = [(name, each) for name in sorted(arguments) for each in _unfilled(arguments[name])]
    for name, each in unfilled:
        if each.invalid:
            raise ArgumentFault(f"{_stated(name, each)}; {each.why}")
    missing = [(name, each) for name, each in unfilled if each.missing]
    if missing:
        raise ParameterFault(_without_value(missing))
    for name, each in unfilled:
        raise ParameterFault(f"{_stated(name, each)}; {each.why}")


def _without_value(missing: list[tuple[str, Unfilled]]) -> str:
    """The expression, and the names without a value where these are not the expression itself."""
    stated = " and ".join(_stated(name, each) for name, each in missing)
    names = dict.fromkeys(name for _, each in missing for name in each.missing)
    if list(names) == [each.expression for _, each in missing]:
        return stated
    return f"{stated}; no value is given for {', '.join(names)}"


def _stated(name: str, each: Unfilled) -> str:
    return f"{name} is the parameter {shown(each.expression)}"


def refuse_placeholders(argument: str, names: Iterable[str]) -> None:
    """Raises where the name of a column is to be filled in by somebody else."""
    for name in names:
        if _TEMPLATE.search(name):
            raise TemplateFault(f"{argument} is the placeholder {shown(name)}")


def _unfilled(value: Json) -> Iterator[Unfilled]:
    if isinstance(value, Unfilled):
        yield value
    elif isinstance(value, str):
        if _OF_PROFILER.match(value):
            yield Unfilled(value, why="a profiler fills it in when it writes a suite")
    elif isinstance(value, dict | list):
        yield from _within(value)


def _within(value: Json) -> Iterator[Unfilled]:
    """Great Expectations fills in whole arguments only, and takes what is within one as it is."""
    if isinstance(value, dict):
        if _KEY in value:
            why = "it stands within the argument, where Great Expectations fills in none"
            yield Unfilled(value[_KEY], why=why)
        for inner in value.values():
            yield from _within(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _unfilled(inner) if isinstance(inner, str) else _within(inner)
