"""The page: what its templates are given."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, get_args

from ruleferry.converters.proved import Proved
from ruleferry.converters.reports.cells import grouped
from ruleferry.converters.reports.html.facets import NO_TABLE, facets_of, switch_off
from ruleferry.converters.reports.html.texts import (
    block,
    in_parts,
    is_long,
    lines,
    plain,
    shown,
    title,
)
from ruleferry.converters.reports.report import PROOFS, QuestionView, Report, RuleView
from ruleferry.converters.reports.text import count
from ruleferry.converters.reports.words import (
    ACTIONS,
    ANSWERED,
    GRADES,
    OUTCOMES,
    OUTCOMES_SHORT,
    TAKES,
)
from ruleferry.converters.rule import Action, CellClass, Grade, Outcome

if TYPE_CHECKING:
    from jinja2 import Environment

# Rules that stand below a question at once, and folded; of the others their number is told.
OPEN_RULES = 5
FOLDED_RULES = 200
# So many questions are all laid open; of more only the topics are.
OPEN_QUESTIONS = 20


def gap_page(report: Report) -> str:
    """HTML that needs no network and no script; the same text for the same report."""
    environment = _environment()
    style, script = _asset("style.css"), _asset("script.js")
    return environment.get_template("page.html.j2").render(
        report=report,
        facets=facets_of(report.rules),
        bars=tuple(_bars(report)),
        topics=tuple(_topics(report.questions)),
        tables=tuple(_tables(report)),
        others=tuple(_others(report.others)),
        questions={view.question.id: view for view in report.questions},
        style=_safe(style),
        script=_safe(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


# Groups -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bar:
    """An outcome in the chart: where its bar begins and how long it is, in thousandths."""

    outcome: Outcome
    rules: int
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """`opens`: rules are lost until somebody answers; `rules`: how many the questions are about."""

    title: str
    opens: bool
    number: int
    questions: tuple[QuestionView, ...]
    rules: int


@dataclass(frozen=True, slots=True)
class TableGroup:
    table: str
    number: int
    rules: tuple[RuleView, ...]


@dataclass(frozen=True, slots=True)
class Alike:
    """Places of one file that are no rules for the same reason, with the same text."""

    places: tuple[str, ...]
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class OthersGroup:
    file: str
    places: int
    rows: tuple[Alike, ...]


def _bars(report: Report) -> Iterator[Bar]:
    """What is no rule is not in the chart, as in no other figure."""
    outcomes = [(word, n) for word, n in report.outcomes if word != "not_a_rule"]
    total = sum(n for _, n in outcomes)
    before = 0
    for word, rules in outcomes:
        start, end = round(1000 * before / total), round(1000 * (before + rules) / total)
        yield Bar(word, rules, start, end - start)
        before += rules


def _topics(questions: Sequence[QuestionView]) -> Iterator[TopicGroup]:
    """Those by which rules are lost first, as they come."""
    by_topic = grouped(questions, lambda view: (not view.opens, view.title))
    for number, ((rest, name), found) in enumerate(by_topic.items(), 1):
        about = len({rule.entry.id for view in found for rule in view.rules})
        yield TopicGroup(name, not rest, number, tuple(found), about)


def _tables(report: Report) -> Iterator[TableGroup]:
    tables = groupby(report.rules, lambda rule: rule.entry.table)
    for number, (table, rules) in enumerate(tables, 1):
        yield TableGroup(table, number, tuple(rules))


def _others(others: Sequence[RuleView]) -> Iterator[OthersGroup]:
    for file, found in grouped(others, lambda rule: rule.entry.origin.file).items():
        alike = grouped(found, lambda rule: (rule.entry.reason or "", rule.entry.origin.text))
        rows = tuple(
            Alike(tuple(rule.entry.origin.place for rule in rules), reason, text)
            for (reason, text), rules in alike.items()
        )
        yield OthersGroup(file, len(found), rows)


# Words that this page alone has -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class By:
    """A breakdown: its name for people, and the filter that gives the same groups."""

    title: str
    key: str


BY: Mapping[str, By] = {
    "source": By("source", "source"),
    "table": By("table", "table"),
    "owner": By("owner", "owner"),
    "action": By("action", "action"),
    "grade": By("meaning", "grade"),
    "proof": By("comparison", "proof"),
}
EXPLAINED: Mapping[str, Mapping[str, str]] = {
    "action": {action: ACTIONS[action] for action in get_args(Action)},
    "grade": {grade: GRADES[grade] for grade in get_args(Grade)},
}
CELLS: Mapping[CellClass, str] = {
    "rule": "rules",
    "unsure": "may be rules",
    "name": "names of fields",
    "description": "descriptions",
    "title": "titles",
    "header": "headers",
    "key_value": "facts about the sheet",
    "skipped": "not read",
}
# Whether the old check may be switched off (`facets.SWITCH_OFF`), in a word.
OFF: Mapping[str, str] = {"yes": "yes", "ready": "not yet", "no": "no", "none": "none"}
_PROOF_VALUES = {words: proof for proof, words in PROOFS.items()}


def _value(label: str, by: str) -> str:
    """The value of the filter that gives the rules of a breakdown's line."""
    return _PROOF_VALUES.get(label, label) if by == "proof" else label or NO_TABLE


def _share(part: int, whole: int) -> str:
    percent = 100 * part / whole
    return "< 1 %" if 0 < percent < 1 else f"{percent:.0f} %"


def _columns(proved: Proved) -> tuple[str, ...]:
    """Of all records that differ, in the order in which they come up."""
    return tuple(dict.fromkeys(name for row in proved.examples for name, _ in row.values))


# The templates ------------------------------------------------------------------------------------


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    made = Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        block=block,
        columns=_columns,
        in_parts=in_parts,
        is_long=is_long,
        line=title,
        lines=lines,
        number=_number,
        plain=plain,
        share=_share,
        value=_value,
    )
    made.globals.update(
        ANSWERED=ANSWERED,
        BY=BY,
        CELLS=CELLS,
        EXPLAINED=EXPLAINED,
        FOLDED_RULES=FOLDED_RULES,
        GRADES=GRADES,
        NO_TABLE=NO_TABLE,
        OFF=OFF,
        OPEN_QUESTIONS=OPEN_QUESTIONS,
        OPEN_RULES=OPEN_RULES,
        OUTCOMES=OUTCOMES,
        OUTCOMES_SHORT=OUTCOMES_SHORT,
        PROOFS=PROOFS,
        TAKES=TAKES,
        count=count,
        switch_off=switch_off,
    )
    return made


def _asset(name: str) -> str:
    """A file beside this one; line ends are those that the hash is made of."""
    return (files(__package__) / name).read_text("utf-8")


def _safe(text: str) -> object:
    """Our own style and script, which are no text for people."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - a file of this package


def _hash(text: str) -> str:
    """As a Content-Security-Policy names an inline element."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _number(value: int) -> str:
    return f"{value:,}"
