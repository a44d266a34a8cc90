"""Arguments whose value is only known when the suite runs: `{"$PARAMETER": expression}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal

from ruleferry.converters.readers.great_expectations.arguments import ParameterFault
from ruleferry.converters.readers.json_text import Json, Written


def with_parameters(value: Json, parameters: Mapping[str, object]) -> Json:
    """The value with each `{"$PARAMETER": name}` of a given name replaced."""
    if isinstance(value, dict):
        name = value.get("$PARAMETER")
        if isinstance(name, str) and name in parameters:
            given = parameters[name]
            return [*map(_as_json, given)] if isinstance(given, tuple) else _as_json(given)
        return {key: with_parameters(inner, parameters) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_parameters(inner, parameters) for inner in value]
    return value


def _as_json(value: object) -> Json:
    """A value of the configuration as a suite would state it."""
    if isinstance(value, date):
        return value.isoformat()
    return Written(str(value)) if isinstance(value, Decimal) else value


def given_parameters(value: Json, parameters: Mapping[str, object]) -> tuple[str, ...]:
    """What is told of the parameters that have a value: each once, in the order of the text."""
    if not parameters:
        return ()
    found = dict.fromkeys(_parameter_names(value))
    return tuple(f"{n} is {parameters[n]}, as configured" for n in found if n in parameters)


def _parameter_names(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        name = value.get("$PARAMETER")
        if isinstance(name, str):
            yield name
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from _parameter_names(each)


def refuse_parameter(name: str, value: Json) -> None:
    """Raise where the value is `{"$PARAMETER": …}`, at any depth."""
    if isinstance(value, dict):
        if "$PARAMETER" in value:
            raise ParameterFault(f'{name} is the parameter "{value["$PARAMETER"]}"')
        for inner in value.values():
            refuse_parameter(name, inner)
    elif isinstance(value, list):
        for inner in value:
            refuse_parameter(name, inner)
