"""dbt_project.yml: what becomes of the tests of a project that say nothing of it themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ruleferry.converters.readers.json_text import Json, Malformed
from ruleferry.converters.readers.sql.found import Found
from ruleferry.converters.readers.yaml_text import parse_yaml
from ruleferry.converters.rule import Action

_KEYS = ("tests", "data_tests")
_SEVERITY = ("+severity", "severity")
_ACTIONS: Mapping[str, Action] = {"error": "fail", "warn": "warn"}


def is_project(file: str) -> bool:
    return PurePosixPath(file).name.lower() in ("dbt_project.yml", "dbt_project.yaml")


@dataclass(frozen=True, slots=True)
class Project:
    """`tests`: what it configures of its tests, by folder."""

    file: str
    name: str
    tests: tuple[Mapping[str, Json], ...]

    def holds(self, file: str) -> bool:
        return PurePosixPath(self.file).parent in PurePosixPath(file).parents

    def severity(self, file: str) -> str | None:
        """That of the innermost folder: `tests: {shop: {staging: {+severity: warn}}}`."""
        inner = PurePosixPath(file).relative_to(PurePosixPath(self.file).parent)
        way = (self.name, *inner.parts[1:-1])
        found = [each for node in self.tests for each in _along(node, way)]
        return found[-1] if found else None

    def says(self) -> bool:
        return any(map(_speaks, self.tests))


def _along(node: Mapping[str, Json], way: Sequence[str]) -> Iterator[str]:
    for name in (None, *way):
        inner = node if name is None else node.get(name)
        if not isinstance(inner, dict):
            return
        node = inner
        yield from (str(node[key]) for key in _SEVERITY if isinstance(node.get(key), str))


def _speaks(node: Json) -> bool:
    if not isinstance(node, dict):
        return False
    return any(key in node for key in _SEVERITY) or any(map(_speaks, node.values()))


def project_in(text: str, file: str) -> Project | None:
    try:
        document = parse_yaml(text)
    except Malformed:
        return None
    if not isinstance(document, dict):
        return None
    tests = tuple(node for key in _KEYS if isinstance(node := document.get(key), dict))
    return Project(file, str(document.get("name")), tests)


def with_severity(
    founds: Sequence[Found], file: str, projects: Sequence[Project]
) -> tuple[Found, ...]:
    """Tests that state no severity have that of the project which is nearest to their file."""
    around = [project for project in projects if project.holds(file)]
    nearest = max(around, key=lambda each: len(PurePosixPath(each.file).parts), default=None)
    severity = nearest.severity(file) if nearest is not None else None
    if nearest is None or severity is None:
        return tuple(founds)
    # A template decides it when it runs.
    action = _ACTIONS.get(severity.lower())
    detail = f"{PurePosixPath(nearest.file).name}: severity: {severity}"
    return tuple(
        replace(found, effect=replace(found.effect, action=action, detail=detail))
        if found.effect.kind == "test" and not found.effect.detail
        else found
        for found in founds
    )
