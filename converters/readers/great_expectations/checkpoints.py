"""Checkpoints of all generations and validation definitions: which suite runs on which data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ruleferry.converters.readers.great_expectations.data import (
    Data,
    DataSource,
    Words,
    of_kwargs,
    of_request,
    text,
    words,
)
from ruleferry.converters.readers.json_text import Json


@dataclass(frozen=True, slots=True)
class Validation:
    """A suite and the data that it runs on, as a file asks for it; `told_by` names the file's part.

    `batch_definition` is that of 1.x; `kwargs` says that the request is one of up to 0.12.
    """

    suite: str
    request: Words
    told_by: str
    parameters: Mapping[str, Json] = field(default_factory=dict)
    batch_definition: str = ""
    kwargs: bool = False

    @property
    def tells(self) -> bool:
        """Whether it asks for any data: many leave that to the program that runs them."""
        return any(self.request.values())

    def data(self, sources: Mapping[str, DataSource]) -> Data:
        """`sources`: the datasources of its project by name."""
        if self.kwargs:
            return of_kwargs(self.request, sources)
        found = of_request(self.request, sources)
        source = sources.get(text(self.request, "datasource_name"))
        asset = text(self.request, "data_asset_name")
        cut = source.partitions.get((asset, self.batch_definition)) if source else None
        return replace(found, batch=cut) if cut else found


def validations(document: Json, file: str) -> tuple[Validation, ...]:
    """Those of a checkpoint, a validation definition, or a file that holds such at any depth."""
    return tuple(_found(document, file))


def _found(document: Json, file: str) -> Iterator[Validation]:
    if isinstance(document, list):
        for item in document:
            yield from _found(item, file)
    if not isinstance(document, dict):
        return
    own = [*_definition(document, file), *_legacy(document, file), *_checkpoint(document, file)]
    yield from own
    if not own:
        for inner in document.values():
            yield from _found(inner, file)


def is_checkpoint(document: Words) -> bool:
    """A checkpoint by its form, also where it names no suite."""
    classes = ("Checkpoint", "SimpleCheckpoint", "LegacyCheckpoint")
    return text(document, "class_name") in classes or isinstance(
        document.get("validation_definitions"), list
    )


def _definition(document: Words, file: str) -> Iterator[Validation]:
    """`validation_definitions/<name>.json` of 1.x."""
    data = words(document, "data")
    suite = text(words(document, "suite"), "name")
    if suite and data.keys() >= {"datasource", "asset"}:
        request = {
            "datasource_name": text(words(data, "datasource"), "name"),
            "data_asset_name": text(words(data, "asset"), "name"),
        }
        batch = text(words(data, "batch_definition"), "name")
        told_by = _told_by("validation definition", document, file)
        yield Validation(suite, request, told_by, batch_definition=batch)


def _legacy(document: Words, file: str) -> Iterator[Validation]:
    """`batches` of up to 0.12, each with its suites."""
    batches = document.get("batches")
    for batch in batches if isinstance(batches, list) else ():
        suites = batch.get("expectation_suite_names") if isinstance(batch, dict) else None
        for suite in suites if isinstance(suites, list) else ():
            if isinstance(suite, str):
                told_by = _told_by("checkpoint", document, file)
                yield Validation(suite, words(batch, "batch_kwargs"), told_by, kwargs=True)


def _checkpoint(document: Words, file: str) -> Iterator[Validation]:
    """`validations` of 0.13 on; what one of them leaves out, the checkpoint itself states."""
    listed = document.get("validations")
    steps: list[Json] = listed if isinstance(listed, list) and listed else [{}]
    for step in steps:
        if not isinstance(step, dict):
            continue
        suite = text(step, "expectation_suite_name") or text(document, "expectation_suite_name")
        request = {**words(document, "batch_request"), **words(step, "batch_request")}
        if suite and (request or is_checkpoint(document)):
            parameters = _parameters(document) | _parameters(step)
            yield Validation(suite, request, _told_by("checkpoint", document, file), parameters)


def _parameters(document: Words) -> dict[str, Json]:
    found = (words(document, key) for key in ("evaluation_parameters", "suite_parameters"))
    return {name: value for given in found for name, value in given.items()}


def _told_by(what: str, document: Words, file: str) -> str:
    name = text(document, "name")
    return f"the {what} {name} ({file})" if name else f"the {what} {file}"
