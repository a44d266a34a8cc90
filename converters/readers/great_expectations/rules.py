"""A rule set on each of its tables -> legacy rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ruleferry.converters.predicates import And, Scope
from ruleferry.converters.readers.great_expectations.expectation import (
    Context,
    read_expectation,
)
from ruleferry.converters.readers.great_expectations.latest import Latest, spoken
from ruleferry.converters.readers.great_expectations.parameters import (
    CONFIGURED,
    OF_SUITE,
    given,
)
from ruleferry.converters.readers.great_expectations.rule_set import RuleSet
from ruleferry.converters.readers.great_expectations.runs import run_data
from ruleferry.converters.readers.great_expectations.targets import (
    Project,
    Target,
    Use,
    targets,
)
from ruleferry.converters.readers.json_text import Json
from ruleferry.converters.readers.raw import RawFile
from ruleferry.converters.readers.yaml_text import Doubtful
from ruleferry.converters.rule import Caveat, Columns, LegacyRule, Unread

# Statements about all columns of a table.
_OF_ALL_COLUMNS = ("column_count", "column_order", "column_set")


def tables_of(rules: RuleSet, raw: RawFile, project: Project, latest: Latest) -> tuple[Target, ...]:
    """Where a rule set runs; one place is enough for a run that another set speaks for."""
    uses = project.uses(rules) if rules.kind == "suite" else _own(rules, project)
    found = targets(rules, uses, raw)
    return found if latest.of_run(rules) is rules else found[:1]


def rules_of(
    rules: RuleSet, where: Sequence[Target], raw: RawFile, latest: Latest
) -> Iterator[LegacyRule]:
    """One rule of each element on each table."""
    older = spoken(rules, latest)
    for target in where:
        context = _context(rules, target, raw)
        for number, element in enumerate(rules.elements):
            stated = rules.stated[number] if rules.stated else None
            place = rules.places[number]
            rule = read_expectation(element, number, context, place=place, stated=stated)
            if older is not None:
                yield replace(rule, check=older[number])
            else:
                yield _on(target, rule, rules, number)


def _own(rules: RuleSet, project: Project) -> tuple[Use, ...]:
    """What a run ran on; a list has nothing but what stands beside it."""
    data = run_data(rules, project.sources(rules.file))
    return (Use(data, f"the validation result {rules.file}"),) if data else ()


def _context(rules: RuleSet, target: Target, raw: RawFile) -> Context:
    level = (("suite_level", rules.level),) if rules.level else ()
    return Context(
        file=rules.file,
        table=target.table,
        engine=target.engine,
        tags=(("suite", rules.name), *level, *rules.tags),
        parameters={
            **given(rules.parameters, OF_SUITE),
            **target.parameters,
            **given(raw.parameters, CONFIGURED),
        },
        version=rules.version,
        generation=rules.generation,
    )


def _on(target: Target, rule: LegacyRule, rules: RuleSet, number: int) -> LegacyRule:
    """With what is told of the data that it ran on, and of the run."""
    caveats = rule.caveats + target.caveats
    if number in rules.raised:
        # Not the text of it, which may quote data or a password.
        detail = f"in the run of {rules.file} it gave an error in place of a verdict"
        caveats += (Caveat("raised_before", detail),)
    unread = _doubt(rules.elements[number]) or target.unread or _unselected(rule, target)
    if caveats == rule.caveats and unread is None and target.scope is None:
        return rule
    check = unread if unread and not isinstance(rule.check, Unread) else rule.check
    return replace(rule, check=check, scope=_both(rule.scope, target.scope), caveats=caveats)


def _unselected(rule: LegacyRule, target: Target) -> Unread | None:
    """Why a rule can't be one of the table where a query takes some of its columns alone."""
    if target.columns is None:
        return None
    states = rule.check.statement if isinstance(rule.check, Columns) else None
    query = f"{target.uses[0].told_by} runs it on {target.uses[0].data.called}"
    missing = [name for name in rule.columns if name.lower() not in target.columns]
    if missing:
        code = "never_passes" if states == "exists" else "invalid_rule"
        return Unread(code, f"{query}, which does not select {', '.join(missing)}")
    if states in _OF_ALL_COLUMNS:
        return Unread("query_asset", f"{query}, which does not select all columns of the table")
    return None


def _both(one: Scope | None, other: Scope | None) -> Scope | None:
    if one is None or other is None:
        return one or other
    return And((one, other))


def _doubt(element: Json) -> Unread | None:
    """A plain scalar of YAML that readers take for different things."""
    kwargs = element.get("kwargs") if isinstance(element, dict) else None
    found = next(_doubtful(kwargs), None)
    if found is None:
        return None
    reason = (
        f"{found} without quotes is a text to some readers of YAML, and {found.meant} to others"
    )
    return Unread("doubtful_yaml", reason)


def _doubtful(value: Json) -> Iterator[Doubtful]:
    if isinstance(value, Doubtful):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _doubtful(inner)
