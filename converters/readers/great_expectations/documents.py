"""What a file is: a suite, runs of suites, a checkpoint, the configuration, or none of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.great_expectations.checkpoints import (
    Validation,
    is_checkpoint,
    validations,
)
from ruleferry.converters.readers.great_expectations.count import (
    count_expectations,
    count_in_yaml,
    count_items,
)
from ruleferry.converters.readers.great_expectations.data import DataSource, text
from ruleferry.converters.readers.great_expectations.expectation import KEYS
from ruleferry.converters.readers.great_expectations.home_made import lists_of
from ruleferry.converters.readers.great_expectations.project import datasources, is_project
from ruleferry.converters.readers.great_expectations.rule_set import RuleSet
from ruleferry.converters.readers.great_expectations.runs import runs_of
from ruleferry.converters.readers.great_expectations.suite import NotASuite, suite_of
from ruleferry.converters.readers.json_text import Json, Malformed, parse_json, too_deep
from ruleferry.converters.readers.raw import RawFile
from ruleferry.converters.readers.yaml_text import parse_yaml

READ_AS = "great_expectations suite"
LISTS = "list of great_expectations types"
_YAML = (".yml", ".yaml")
# Words of which one stands in any file that is meant for Great Expectations.
_SIGNS = ("expect_", "Expect", "expectation", "batch_request", "datasources", "unexpected_rows")


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read. `count`: its expectations, as other code counts them.

    `datasources` is not None for the configuration of a project alone.
    """

    file: str
    read_as: str
    why: str | None = None
    sets: tuple[RuleSet, ...] = ()
    count: int = 0
    validations: tuple[Validation, ...] = ()
    datasources: Mapping[str, DataSource] | None = None


def look(raw: RawFile) -> Document | Fault:
    """What the file holds; a document of another kind is "not read", with the reason."""
    yaml = raw.file.lower().endswith(_YAML)
    if PurePosixPath(raw.file).stem == "config_variables" and yaml:
        return Document(raw.file, "not read", "values, maybe secret ones, for a configuration")
    if ".ipynb_checkpoints" in PurePosixPath(raw.file).parts and not raw.named:
        return Document(raw.file, "not read", "a copy that Jupyter keeps")
    try:
        return _recognised(parse_yaml(raw.text) if yaml else parse_json(raw.text), raw, yaml)
    except NotASuite as what:
        return Document(raw.file, "not read", str(what))
    except Malformed as error:
        return _malformed(raw, error, yaml)
    except RecursionError:
        return too_deep_to_read(raw)


def _recognised(document: Json, raw: RawFile, yaml: bool) -> Document:
    """What its form tells, and whatever else stands beside that. Raises NotASuite."""
    why_not = None
    try:
        found = _of_its_form(document, raw, yaml)
    except NotASuite as what:
        found, why_not = Document(raw.file, "used"), what
    rest = _rest(document, found)
    asked, lists = validations(rest, raw.file), lists_of(rest, raw.file)
    found = replace(
        found,
        read_as=LISTS if lists and not found.sets else found.read_as,
        sets=found.sets + lists,
        count=found.count + count_items(rest),
        validations=asked,
    )
    if why_not is None or lists:
        return found
    if asked or (isinstance(document, dict) and is_checkpoint(document)):
        return replace(found, why=_tells(asked) or _checkpoint(document))
    raise why_not


def _tells(asked: Sequence[Validation]) -> str:
    """What a file of validations says of its suites; "" where there is none."""
    told = dict.fromkeys(validation.suite for validation in asked if validation.tells)
    named = dict.fromkeys(v.suite for v in asked if v.suite not in told)
    parts = (
        f"tells what {', '.join(told)} runs on" if told else "",
        f"names {', '.join(named)}, and no data to run on" if named else "",
    )
    return "; ".join(part for part in parts if part)


def _of_its_form(document: Json, raw: RawFile, yaml: bool) -> Document:
    """A configuration, runs, or a suite. Raises NotASuite."""
    if isinstance(document, dict) and is_project(document):
        why = "the configuration of a Great Expectations project"
        return Document(raw.file, "used", why, datasources=datasources(document))
    if runs := runs_of(document, raw.file):
        return _of_runs(runs, document, raw, yaml)
    suite = suite_of(document, raw.file)
    count = count_in_yaml(raw.text) if yaml else count_expectations(raw.text) or 0
    return Document(raw.file, READ_AS, sets=(suite,), count=count)


def _of_runs(runs: tuple[RuleSet, ...], document: Json, raw: RawFile, yaml: bool) -> Document:
    assert isinstance(document, dict)
    form = next(form for form, key in _FORMS.items() if key in document)
    what = "validation result" if form == "result" else "checkpoint result"
    count = sum(len(r.elements) for r in runs) if yaml else count_expectations(raw.text, form)
    return Document(raw.file, f"great_expectations {what}", sets=runs, count=count or 0)


_FORMS = {
    "result": "results",
    "checkpoint result": "run_results",
    "description": "validation_results",
}


def _rest(document: Json, found: Document) -> Json:
    """What the form of a document leaves unread: nothing that names a rule may get lost there."""
    if not isinstance(document, dict) or not found.sets:
        return document
    if found.sets[0].kind == "run":
        form = next(key for key in _FORMS.values() if key in document)
        return {key: value for key, value in document.items() if key != form}
    suite = found.sets[0]
    beside = [_beside(element) for element in suite.stated or suite.elements]
    rest = {key: value for key, value in document.items() if key != "expectations"}
    return rest | {"expectations": beside} if any(beside) else rest


def _beside(element: Json) -> Json:
    """Lists and objects that stand in an expectation, and belong to nothing that it has."""
    if not isinstance(element, dict) or element.keys() <= KEYS or len(element) == 1:
        return {}
    found = {
        key: value
        for key, value in element.items()
        if key not in KEYS and isinstance(value, dict | list)
    }
    # Alone a name and its arguments would stand for the element itself.
    return {**found, "kwargs": None} if found else {}


def _checkpoint(document: Json) -> str:
    """One that runs validation definitions (1.x), or nothing that it names."""
    listed = document.get("validation_definitions") if isinstance(document, dict) else None
    found = listed if isinstance(listed, list) else []
    names = [name for each in found if isinstance(each, dict) and (name := text(each, "name"))]
    several = "s" if len(names) > 1 else ""
    of = f" of the validation definition{several} {', '.join(names)}" if names else ""
    return f"a checkpoint{of}"


def _malformed(raw: RawFile, error: Malformed, yaml: bool) -> Document | Fault:
    """YAML of any kind lies about in a project: what can't be ours is listed, and no fault."""
    if yaml and not raw.named and not any(sign in raw.text for sign in _SIGNS):
        return Document(raw.file, "not read", f"{error.found} ({error.place})")
    return _fault(raw, error)


def too_deep_to_read(raw: RawFile) -> Fault:
    return _fault(raw, too_deep(raw.text))


def _fault(raw: RawFile, error: Malformed) -> Fault:
    todo = "Mend the file, or leave it out of the sources."
    form = "YAML" if raw.file.lower().endswith(_YAML) else "JSON"
    return Fault(raw.file, error.place, error.found, f"a suite in {form}", todo)
