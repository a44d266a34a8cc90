"""Suite -> the tables that it runs on, and the engine: all that the files of its project tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os.path import commonpath
from pathlib import PurePosixPath

from ruleferry.converters.predicates import Or, Scope
from ruleferry.converters.readers.great_expectations.checkpoints import Validation
from ruleferry.converters.readers.great_expectations.clues import engine_of
from ruleferry.converters.readers.great_expectations.data import (
    Data,
    DataSource,
    of_kwargs,
    of_name,
    of_request,
    words,
)
from ruleferry.converters.readers.great_expectations.parameters import Given, agreed
from ruleferry.converters.readers.great_expectations.parameters import given as given_by
from ruleferry.converters.readers.great_expectations.queries import Filtered, read_query
from ruleferry.converters.readers.great_expectations.rule_set import RuleSet
from ruleferry.converters.readers.great_expectations.runs import run_data
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.raw import RawFile
from ruleferry.converters.rule import Caveat, Engine, Table, Unread, engine_kind
from ruleferry.converters.table_names import name_key

# The folders and files of a project; what stands before the first of them in a path is the project.
_OF_PROJECT = ("expectations", "checkpoints", "validation_definitions", "uncommitted")


@dataclass(frozen=True, slots=True)
class Target:
    """One table that a rule set runs on. `scope`: the records of a filtered query.

    `unread`: why no rule of it can be carried over there. `columns`: those that the query selects,
    in small letters, where it does not take all of them.
    """

    table: Table
    engine: Engine | None = None
    scope: Scope | None = None
    caveats: tuple[Caveat, ...] = ()
    unread: Unread | None = None
    uses: tuple[Use, ...] = ()
    columns: frozenset[str] | None = None

    @property
    def parameters(self) -> dict[str, Given]:
        """What those who run it give."""
        found: dict[str, list[Given]] = {}
        for use in self.uses:
            for name, given in given_by(use.parameters, f"as {use.told_by} states").items():
                found.setdefault(name, []).append(given)
        return {name: agreed(name, each) for name, each in found.items()}


@dataclass(frozen=True, slots=True)
class Use:
    """A rule set in use on some data, and who says so."""

    data: Data
    told_by: str
    parameters: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Project:
    """What all files together tell. `configured`: folder of a project -> its datasources."""

    configured: Mapping[str, Mapping[str, DataSource]]
    asked: Sequence[tuple[str, Validation]]
    sets: Sequence[RuleSet]

    def sources(self, file: str) -> Mapping[str, DataSource]:
        """Those of the project that a file belongs to; else of the only one, or the nearest."""
        folder = project_of(file)
        if folder is not None and folder in self.configured:
            return self.configured[folder]
        if len(self.configured) == 1:
            return next(iter(self.configured.values()))
        nearness = {f: _shared(file, f"{f}/x") for f in self.configured}
        near = [f for f, shared in nearness.items() if shared == max(nearness.values()) > 1]
        return self.configured[near[0]] if len(near) == 1 else {}

    def uses(self, rules: RuleSet) -> tuple[Use, ...]:
        """By checkpoints and validation definitions; else by its runs; else by its citations."""
        asked = [
            Use(asks.data(self.sources(file)), asks.told_by, asks.parameters)
            for file, asks in self.asked
            if asks.suite == rules.name and self._means(file, rules)
        ]
        return tuple(
            asked or self._run_on(rules) or self._cited(rules) or self._of_its_asset(rules)
        )

    def _run_on(self, rules: RuleSet) -> list[Use]:
        runs = (
            (run, run_data(run, self.sources(run.file)))
            for run in self.sets
            if run.kind == "run" and run.name == rules.name and self._means(run.file, rules)
        )
        return [Use(data, f"the validation result {run.file}") for run, data in runs if data]

    def _cited(self, rules: RuleSet) -> list[Use]:
        """The newest of the citations that name a batch: what the suite was written from."""
        sources = self.sources(rules.file)
        for citation in reversed(rules.citations):
            told_by = f"a citation in {rules.file}"
            if request := words(citation, "batch_request"):
                return [Use(of_request(request, sources), told_by)]
            if kwargs := words(citation, "batch_kwargs"):
                return [Use(of_kwargs(kwargs, sources), told_by)]
        return []

    def _of_its_asset(self, rules: RuleSet) -> list[Use]:
        if not rules.asset:
            return []
        source = self.sources(rules.file).get(rules.datasource)
        return [Use(of_name(rules.asset, source), f"the suite {rules.file}")]

    def _means(self, file: str, rules: RuleSet) -> bool:
        """Whether a file that names a suite means this one: two projects may have one of a name."""
        return rules in self.meant(file, rules.name)

    def meant(self, file: str, suite: str) -> list[RuleSet]:
        named = [s for s in self.sets if s.kind == "suite" and s.name == suite]
        folder = project_of(file)
        own = [s for s in named if folder is not None and project_of(s.file) == folder]
        if own or len(named) < 2:
            return own or named
        nearest = max(_shared(file, s.file) for s in named)
        near = [s for s in named if _shared(file, s.file) == nearest]
        return near if len({project_of(s.file) for s in near}) == 1 else []


def project_of(file: str) -> str | None:
    """The folder of the project, as Great Expectations lays it out; None for other places."""
    parts = PurePosixPath(file).parts
    if parts[-1].startswith("great_expectations.y"):
        return "/".join(parts[:-1])
    at = next((i for i, part in enumerate(parts[:-1]) if part in _OF_PROJECT), None)
    return None if at is None else "/".join(parts[:at])


def _shared(one: str, other: str) -> int:
    return len(commonpath([f"/{one}", f"/{other}"]))


# Targets ------------------------------------------------------------------------------------------


def targets(rules: RuleSet, uses: Sequence[Use], raw: RawFile) -> tuple[Target, ...]:
    """One for each table; where nothing states one, the set's own name stands for it."""
    given = raw.tables_of((rules.name, rules.stem))
    if given:
        return tuple(_given(name, rules, uses, raw) for name in given)
    if rules.table:
        return (_target(rules, Table(rules.table), (), raw),)
    found = [_of_use(use, rules, raw) for use in uses if use.data.table or use.data.query]
    if raw.table and all(target.unread for target in found):
        return (_given(raw.table, rules, uses, raw),)
    if not found:
        table = Table(rules.stem, stated=False, told=_ran_on(uses))
        return (_target(rules, table, uses, raw),)
    others = [use for use in uses if not (use.data.table or use.data.query)]
    elsewhere = (Caveat("run_elsewhere", _ran_on(others)),) if others else ()
    return tuple(
        replace(target, caveats=target.caveats + elsewhere) for target in _one_a_table(found)
    )


def _given(name: str, rules: RuleSet, uses: Sequence[Use], raw: RawFile) -> Target:
    """A table that the user names: he knows where the data of these runs is now."""
    target = _target(rules, Table(name), uses, raw)
    queried = next((use for use in uses if use.data.query), None)
    if queried is None or any(use.data.table for use in uses):
        return target
    ran_on = f"{queried.told_by} runs it on {queried.data.called}"
    detail = f"{ran_on}; {name} is taken to hold its result"
    return replace(target, caveats=(*target.caveats, Caveat("query_result", detail)))


def _of_use(use: Use, rules: RuleSet, raw: RawFile) -> Target:
    if use.data.table:
        return _target(rules, Table(use.data.table, told=use.told_by), [use], raw)
    assert use.data.query is not None
    found = read_query(use.data.query, use.data.engine)
    if isinstance(found, Filtered):
        if found.batch:
            use = replace(use, data=replace(use.data, batch=found.batch))
        target = _target(rules, Table(found.table, told=use.told_by), [use], raw)
        return replace(target, scope=found.scope, columns=found.columns)
    table = Table(rules.stem, stated=False, told=_ran_on([use]))
    name = raw.told.table(rules.stem)
    if name is not None:
        target = _target(rules, table, [use], raw)
        detail = f"{table.told}; {name} is taken to hold its result"
        return replace(target, caveats=(*target.caveats, Caveat("query_result", detail)))
    reason = f"{use.told_by} runs it on {use.data.called}, {found}"
    return replace(_target(rules, table, [use], raw), unread=Unread("query_asset", reason))


def _target(rules: RuleSet, table: Table, uses: Sequence[Use], raw: RawFile) -> Target:
    ran_on = {use.data.engine for use in uses if use.data.engine}
    told = ran_on.pop() if len(ran_on) == 1 else rules.engine or engine_of(rules.elements)
    engine = raw.engine or told
    caveats = tuple(dict.fromkeys(_of_batch(use) for use in uses if use.data.batch))
    if raw.engine and told and engine_kind(told) != engine_kind(raw.engine):
        by = uses[0].told_by if uses else "the suite"
        detail = f"converted for {raw.engine}, as configured; {by} says {told}"
        caveats = (*caveats, Caveat("engine_contradicts", detail))
    return Target(table, engine, None, caveats, None, tuple(uses))


def _of_batch(use: Use) -> Caveat:
    detail = f"{use.told_by} runs it on a part of the data at a time: {use.data.batch}"
    return Caveat("one_batch", detail)


def _ran_on(uses: Sequence[Use]) -> str:
    """What is told of data that is no table."""
    return "; ".join(dict.fromkeys(f"{u.told_by} runs it on {u.data.called}" for u in uses))


def _one_a_table(found: Iterable[Target]) -> Iterable[Target]:
    """Several uses of one table: the engine counts where they agree; a rule holds for all records
    that one of them checks.
    """
    tables: dict[tuple[tuple[str, ...], object], Target] = {}
    for target in found:
        key = (name_key(target.table.name), target.unread)
        before = tables.get(key)
        tables[key] = target if before is None else _together(before, target)
    return tables.values()


def _together(one: Target, other: Target) -> Target:
    return replace(
        one,
        engine=one.engine if one.engine == other.engine else None,
        scope=_either(one.scope, other.scope),
        caveats=tuple(dict.fromkeys(one.caveats + other.caveats)),
        uses=one.uses + other.uses,
        columns=one.columns if one.columns == other.columns else None,
    )


def _either(one: Scope | None, other: Scope | None) -> Scope | None:
    if one is None or other is None:
        return None
    return one if one == other else Or((one, other))
