"""By what a reader filters the rules: the same groups as the report's breakdowns, and more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from ruleferry.converters.reports.report import PROOFS, ProofState, RuleView, is_ready
from ruleferry.converters.reports.text import natural
from ruleferry.converters.reports.words import GRADES, OUTCOMES
from ruleferry.converters.rule import Action, Grade, Outcome

# Whether the old check may be switched off.
SWITCH_OFF: Mapping[str, str] = {
    "yes": "may be switched off",
    "ready": "only the comparison is missing",
    "no": "must keep running",
    "none": "there is no old check",
}


@dataclass(frozen=True, slots=True)
class Option:
    """`value` stands in links; `label` is what a person reads."""

    value: str
    label: str
    rules: int


@dataclass(frozen=True, slots=True)
class Facet:
    key: str
    title: str
    every: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class _By:
    """`of` gives a rule's value; `labels`: of values in their order, else they are sorted."""

    key: str
    title: str
    every: str
    of: Callable[[RuleView], str]
    labels: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Facets:
    """The filters, and for each rule the number of its option in each of them."""

    facets: tuple[Facet, ...]
    _numbers: tuple[Mapping[str, int], ...]

    def codes(self, rule: RuleView) -> str:
        """`0.2.1`: the numbers in the order of the filters."""
        pairs = zip(_BY, self._numbers, strict=True)
        return ".".join([str(numbers[by.of(rule)]) for by, numbers in pairs])


def facets_of(rules: Sequence[RuleView]) -> Facets:
    facets = tuple(_facet(by, rules) for by in _BY)
    numbers = tuple({o.value: n for n, o in enumerate(facet.options)} for facet in facets)
    return Facets(facets, numbers)


def _facet(by: _By, rules: Sequence[RuleView]) -> Facet:
    counts = Counter(map(by.of, rules))
    labels = by.labels or {value: value for value in sorted(counts, key=natural)}
    found = ((value, label) for value, label in labels.items() if value in counts)
    options = tuple(Option(value, label, counts[value]) for value, label in found)
    return Facet(by.key, by.title, by.every, options)


def switch_off(rule: RuleView) -> str:
    """A word of SWITCH_OFF."""
    if rule.proof == "no_check":
        return "none"
    if rule.switch_off.may:
        return "yes"
    return "ready" if is_ready(rule) else "no"


NO_ACTION = "no action"
NO_GRADE = "not graded"
NO_OWNER = "no owner stated"
NO_TABLE = "no table stated"
_ACTIONS = {action: action for action in get_args(Action)} | {NO_ACTION: NO_ACTION}
_GRADES = {g: f"{g}: {GRADES[g]}" for g in get_args(Grade)} | {NO_GRADE: NO_GRADE}
_PROOFS = {proof: PROOFS[proof] for proof in get_args(ProofState)}
_OUTCOMES = {word: OUTCOMES[word] for word in get_args(Outcome)}

_BY = (
    _By("became", "What became of it", "everything", lambda r: r.entry.outcome, _OUTCOMES),
    _By("action", "Action", "any action", lambda r: r.entry.action or NO_ACTION, _ACTIONS),
    _By("grade", "Meaning", "any meaning", lambda r: r.entry.grade or NO_GRADE, _GRADES),
    _By("off", "Old check", "any old check", switch_off, SWITCH_OFF),
    _By("proof", "Comparison", "any comparison", lambda r: r.proof, _PROOFS),
    _By("owner", "Owner", "all owners", lambda r: r.owner or NO_OWNER),
    _By("table", "Table", "all tables", lambda r: r.entry.table or NO_TABLE),
    _By("source", "Source", "all sources", lambda r: r.entry.origin.file),
)
