"""Great Expectations: suites, runs of them, and what tells where they run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.great_expectations.documents import (
    Document,
    look,
    too_deep_to_read,
)
from ruleferry.converters.readers.great_expectations.latest import Latest
from ruleferry.converters.readers.great_expectations.rules import rules_of, tables_of
from ruleferry.converters.readers.great_expectations.suite import claimed_types
from ruleferry.converters.readers.great_expectations.targets import Project, project_of
from ruleferry.converters.readers.raw import Counted, RawFile
from ruleferry.converters.rule import LegacyRule, Reading


def read_files(files: Sequence[RawFile]) -> Sequence[Counted | Fault]:
    """A reading of each file, in their order: first what each of them is, then what all tell."""
    found = [look(raw) for raw in files]
    documents = [document for document in found if isinstance(document, Document)]
    project = _project(documents)
    latest = Latest.of(project)
    return [
        document if isinstance(document, Fault) else _read(document, raw, project, latest)
        for document, raw in zip(found, files, strict=True)
    ]


def _project(documents: Sequence[Document]) -> Project:
    configured = {
        project_of(d.file) or "": d.datasources for d in documents if d.datasources is not None
    }
    asked = [(d.file, validation) for d in documents for validation in d.validations]
    return Project(configured, asked, [rules for d in documents for rules in d.sets])


def _read(document: Document, raw: RawFile, project: Project, latest: Latest) -> Counted | Fault:
    try:
        return _counted(document, raw, project, latest)
    except RecursionError:
        return too_deep_to_read(raw)


def _counted(document: Document, raw: RawFile, project: Project, latest: Latest) -> Counted:
    where = [tables_of(rules, raw, project, latest) for rules in document.sets]
    rules: list[LegacyRule] = []
    for of_set, targets in zip(document.sets, where, strict=True):
        rules += rules_of(of_set, targets, raw, latest)
    reading = Reading(
        file=raw.file,
        read_as=document.read_as,
        sha256=raw.sha256,
        atoms=sum(len(rules.elements) for rules in document.sets),
        rules=tuple(rules),
        why=document.why,
        type_names=_claims(document),
    )
    wanted = {
        place: len(targets)
        for of_set, targets in zip(document.sets, where, strict=True)
        for place in of_set.places
    }
    return Counted(reading, document.count, wanted)


def _claims(document: Document) -> Mapping[str, str]:
    """What all rule sets of the file claim together."""
    return claimed_types([element for rules in document.sets for element in rules.elements])
