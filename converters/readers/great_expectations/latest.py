"""Which rule set speaks for a run: the suite itself, else the newest run on the same data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ruleferry.converters.readers.great_expectations.catalogue import catalogue
from ruleferry.converters.readers.great_expectations.data import text, words
from ruleferry.converters.readers.great_expectations.expectation import type_of
from ruleferry.converters.readers.great_expectations.rule_set import RuleSet
from ruleferry.converters.readers.great_expectations.targets import Project, project_of
from ruleferry.converters.readers.json_text import Json, json_text
from ruleferry.converters.rule import NotARule, Repeat


@dataclass(frozen=True, slots=True)
class Latest:
    """`speaks`: the identity of a run -> the rule set that counts."""

    speaks: Mapping[int, RuleSet]

    @staticmethod
    def of(project: Project) -> Latest:
        groups: defaultdict[object, list[RuleSet]] = defaultdict(list)
        speaks: dict[int, RuleSet] = {}
        for rules in project.sets:
            if rules.kind != "run":
                continue
            suites = _named(rules, project) or _alike(rules, project)
            if len(suites) == 1:
                speaks[id(rules)] = suites[0]
            else:
                groups[_group(rules)].append(rules)
        for group in groups.values():
            whole = [run for run in group if not run.partial]
            if whole:
                newest = max(whole, key=lambda run: (run.ran_at, run.file, run.places[:1]))
                speaks |= {id(run): newest for run in group if _speaks_for(newest, run)}
        return Latest(speaks)

    def of_run(self, rules: RuleSet) -> RuleSet:
        """The rule set that speaks for this one: itself, where nothing newer says the same."""
        return self.speaks.get(id(rules), rules)


def _speaks_for(newest: RuleSet, run: RuleSet) -> bool:
    """For a run that kept only what failed, where it says nothing else: it may be the newer one."""
    return not run.partial or all(isinstance(r, Repeat) for r in repeats(run, newest))


def _named(run: RuleSet, project: Project) -> list[RuleSet]:
    return [] if run.anonymous else project.meant(run.file, run.name)


def _alike(run: RuleSet, project: Project) -> list[RuleSet]:
    """For a run that names no suite: those that state each of its rules."""
    if not run.anonymous:
        return []
    suites = [rules for rules in project.sets if rules.kind == "suite"]
    return [s for s in suites if all(isinstance(r, Repeat) for r in repeats(run, s))]


def _group(run: RuleSet) -> object:
    """Runs of one suite on the same data."""
    data = run.data
    on = (data.table or data.query or data.called) if data else ""
    return project_of(run.file), run.name, on


def repeats(run: RuleSet, speaking: RuleSet) -> Iterator[Repeat | NotARule]:
    """What each element of an older run is, beside the rule set that speaks for it."""
    waiting: defaultdict[object, list[int]] = defaultdict(list)
    for number, element in enumerate(speaking.elements):
        waiting[_sort(element)].append(number)
    for element in run.elements:
        same = [n for n in waiting[_sort(element)] if _says(speaking.elements[n], element)]
        if same:
            waiting[_sort(element)].remove(same[0])
            yield Repeat(speaking.file, speaking.places[same[0]])
        else:
            yield NotARule(f"a run stated it; {_name(speaking)} states it no longer, or otherwise")


def _name(speaking: RuleSet) -> str:
    what = "the suite" if speaking.kind == "suite" else "a newer run,"
    return f"{what} {speaking.file}"


def _sort(element: Json) -> object:
    """Elements that can't say the same differ in this."""
    if not isinstance(element, dict):
        return json_text(element)
    kwargs = words(element, "kwargs")
    return type_of(element), text(kwargs, "column"), text(kwargs, "column_A")


def _says(stated: Json, ran: Json) -> bool:
    """Whether a run's element is the stated one, with its parameters put in."""
    if not isinstance(stated, dict) or not isinstance(ran, dict):
        return stated == ran
    return _same(_arguments(stated), _arguments(ran))


def _arguments(element: Mapping[str, Json]) -> Json:
    noise = catalogue().noise
    return {k: v for k, v in words(element, "kwargs").items() if k not in noise}


def _same(stated: Json, ran: Json) -> bool:
    if isinstance(stated, dict) and "$PARAMETER" in stated:
        return True
    if isinstance(stated, dict) and isinstance(ran, dict):
        return stated.keys() == ran.keys() and all(_same(v, ran[k]) for k, v in stated.items())
    if isinstance(stated, list) and isinstance(ran, list):
        return len(stated) == len(ran) and all(map(_same, stated, ran))
    return stated == ran


def spoken(run: RuleSet, latest: Latest) -> Sequence[Repeat | NotARule] | None:
    """None where the run speaks for itself."""
    speaking = latest.of_run(run)
    return None if speaking is run else [*repeats(run, speaking)]
