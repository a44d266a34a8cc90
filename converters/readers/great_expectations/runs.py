"""Validation results and checkpoint results -> the rule sets of their runs.

Sometimes they are all that is left of a suite. What a run found in the data is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from ruleferry.converters.readers.great_expectations.data import (
    Data,
    DataSource,
    Words,
    of_spec,
    text,
    words,
)
from ruleferry.converters.readers.great_expectations.expectation import type_of
from ruleferry.converters.readers.great_expectations.rule_set import RuleSet
from ruleferry.converters.readers.great_expectations.suite import level_of
from ruleferry.converters.readers.great_expectations.version import stated_version
from ruleferry.converters.readers.json_text import Json

_DIGITS = "%Y%m%d%H%M%S%f"
# What a run adds to an expectation.
_FOUND = ("result", "success", "rendered_content", "exception_info")
_MOMENT = re.compile(
    r"(\d{4})-?(\d\d)-?(\d\d)[T ]?(\d\d):?(\d\d):?(\d\d)(?:\.(\d{1,6}))?"
    r"(?:([+-])(\d\d):?(\d\d))?"
)


def runs_of(document: Json, file: str) -> tuple[RuleSet, ...]:
    """The runs of a validation result or a checkpoint result, none where it is neither."""
    return tuple(_runs(document, file)) if isinstance(document, dict) else ()


def _runs(document: Words, file: str) -> Iterator[RuleSet]:
    if _is_result(document):
        yield _run(document, file, "")
    elif isinstance(found := document.get("run_results"), dict):
        for number, of_one in enumerate(found.values()):
            result = words(of_one, "validation_result") if isinstance(of_one, dict) else {}
            if isinstance(result.get("results"), list):  # only Great Expectations writes this
                yield _run(result, file, f"run_results[{number}].")
    elif isinstance(found := document.get("validation_results"), list):
        for number, described in enumerate(found):
            if isinstance(described, dict) and isinstance(described.get("expectations"), list):
                yield _described(described, file, f"validation_results[{number}].")


def _is_result(document: Words) -> bool:
    """Results of a suite; other tools write lists of that name, too."""
    results = document.get("results")
    if not isinstance(results, list) or "success" not in document:
        return False
    return not results or any(type_of(_configuration(result)) for result in results)


def _run(document: Words, file: str, place: str) -> RuleSet:
    results = document["results"]
    assert isinstance(results, list)
    meta = words(document, "meta")
    definition = words(meta, "active_batch_definition")
    kwargs = words(meta, "batch_kwargs")
    name = text(document, "suite_name") or text(meta, "expectation_suite_name")
    return RuleSet(
        kind="run",
        file=file,
        name=name or PurePosixPath(file).stem,
        level=level_of(name),
        elements=[_configuration(result) for result in results],
        places=[f"{place}results[{i}]" for i in range(len(results))],
        version=stated_version(document),
        # Only the Dataset API, which 0.13 to 0.18 still had, writes batch_kwargs.
        generation="v2" if "batch_kwargs" in meta else None,
        parameters=words(document, "evaluation_parameters") or words(document, "suite_parameters"),
        ran_at=_time(meta),
        partial=_is_partial(document, len(results)),
        datasource=text(definition, "datasource_name") or text(kwargs, "datasource"),
        data=_data(meta, definition, kwargs),
        raised=_raised(results),
    )


def _is_partial(document: Words, kept: int) -> bool:
    """`only_return_failures` leaves out of the results what held."""
    evaluated = words(document, "statistics").get("evaluated_expectations")
    return isinstance(evaluated, int) and evaluated > kept


def run_data(run: RuleSet, sources: Mapping[str, DataSource]) -> Data | None:
    """The data of a run, by what its project says of the datasource."""
    data = run.data
    if data is None:
        return None
    if data.batch_id:
        return _of_batch(data, sources)
    engine = sources[run.datasource].engine if run.datasource in sources else None
    return replace(data, engine=engine) if engine and data.engine in (None, "sql") else data


def _of_batch(data: Data, sources: Mapping[str, DataSource]) -> Data:
    for name, source in sources.items():
        asset = data.batch_id.removeprefix(f"{name}-")
        if asset != data.batch_id and asset in source.assets:
            return source.assets[asset]
    return data


def _data(meta: Words, definition: Words, kwargs: Words) -> Data | None:
    if not definition and not kwargs:
        return None
    spec = words(meta, "batch_spec") or kwargs
    named = definition or {"data_asset_name": kwargs.get("data_asset_name")}
    return of_spec(named, spec, words(meta, "batch_markers"))


def _described(described: Words, file: str, place: str) -> RuleSet:
    """A run as `CheckpointResult.describe()` of 1.x writes it, with neither suite nor table."""
    elements = described["expectations"]
    assert isinstance(elements, list)
    return RuleSet(
        kind="run",
        file=file,
        name=PurePosixPath(file).stem,
        elements=[_without_result(element) for element in elements],
        places=[f"{place}expectations[{i}]" for i in range(len(elements))],
        generation="1.x",
        anonymous=True,
        data=_batch(elements),
    )


def _batch(elements: list[Json]) -> Data | None:
    """`<datasource>-<asset>`, which is all that tells one run from another."""
    kwargs = (words(e, "kwargs") for e in elements if isinstance(e, dict))
    batch = next((found for given in kwargs if (found := text(given, "batch_id"))), "")
    return Data(f"the batch {batch}", batch_id=batch) if batch else None


def _without_result(element: Json) -> Json:
    if not isinstance(element, dict):
        return element
    return {key: value for key, value in element.items() if key not in _FOUND}


def _configuration(result: Json) -> Json:
    """The expectation of a result; a result without one stays as it is, to be told."""
    if not isinstance(result, dict):
        return result
    stated = result.get("expectation_config", result)
    if not isinstance(stated, dict):
        return stated
    # A rendering quotes what was observed in the data.
    return {key: value for key, value in stated.items() if key != "rendered_content"}


def _time(meta: Words) -> str:
    run = meta.get("run_id")
    stated = (
        text(run, "run_time") if isinstance(run, dict) else run,
        meta.get("validation_time"),
    )
    for time in stated:
        if isinstance(time, str) and (found := _MOMENT.search(time)):
            return _in_utc(found)
    return ""


def _in_utc(found: re.Match[str]) -> str:
    """Digits that sort: runs are written in the time zone of the machine that ran them."""
    *whole, fraction, sign, hours, minutes = found.groups()
    digits = "".join(whole) + (fraction or "").ljust(6, "0")
    if not sign:
        return digits
    try:
        local = datetime.strptime(digits, _DIGITS)  # noqa: DTZ007
        apart = timedelta(hours=int(hours), minutes=int(minutes))
        return (local - apart if sign == "+" else local + apart).strftime(_DIGITS)
    except (ValueError, OverflowError):
        return digits


def _raised(results: list[Json]) -> frozenset[int]:
    found = enumerate(results)
    return frozenset(
        i for i, r in found if isinstance(r, dict) and _has_raised(words(r, "exception_info"))
    )


def _has_raised(info: Words) -> bool:
    """1.x has an exception a metric."""
    if info.get("raised_exception") is True:
        return True
    return any(_has_raised(value) for value in info.values() if isinstance(value, dict))
