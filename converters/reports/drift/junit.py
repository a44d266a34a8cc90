"""A comparison as JUnit XML: a suite for each module, a case for each difference.

The form is that of Jenkins' schema (junit-10.xsd), which other programs read too.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ruleferry.converters.drifted import Accepted, Difference, Drift, Level, reaches
from ruleferry.converters.reports.drift import shown
from ruleferry.converters.reports.drift.plain import plain, short
from ruleferry.converters.reports.drift.words import CHANGES, rule_id
from ruleferry.converters.reports.text import count


@dataclass(frozen=True, slots=True)
class _Suite:
    """`agree` of the `rules` of a module agree; None: the suite is that of no module."""

    name: str
    differences: tuple[Difference, ...]
    accepted: tuple[Accepted, ...]
    rules: int | None
    agree: int


def junit(drift: Drift, fail_on: Level) -> str:
    """XML. What XML can't hold is spelt out."""
    suites = _suites(drift)
    root = Element("testsuites", name="ruleferry drift")
    for suite in suites:
        root.append(_suite(suite, fail_on))
    if not suites:
        root.append(_nothing(drift, fail_on))
    SubElement(root[0], "system-out").text = "\n".join(_beside(drift, fail_on))
    _count(root, list(root.iter("testcase")))
    indent(root)
    text = tostring(root, encoding="unicode").replace("##", "#&#35;")  # no command of a log
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suites(drift: Drift) -> list[_Suite]:
    """By module; what stands in no module goes to a suite of its table."""
    agreeing = shown.agreed(drift)
    found: dict[str, tuple[list[Difference], list[Accepted]]] = {
        file: ([], []) for file in agreeing
    }
    for one in shown.ordered(drift):
        found.setdefault(_home(one), ([], []))[0].append(one)
    for each in shown.ordered_accepted(drift):
        found.setdefault(_home(each), ([], []))[1].append(each)
    return [
        _Suite(name, tuple(parted), tuple(let), drift.rules.get(name), agreeing.get(name, 0))
        for name, (parted, let) in sorted(found.items())
    ]


def _home(one: Difference | Accepted) -> str:
    return one.module.file if one.module else f"table {one.table}"


def _suite(suite: _Suite, fail_on: Level) -> Element:
    made = Element("testsuite", name=short(suite.name, 200))
    names: Counter[tuple[str, str]] = Counter()
    for one in suite.differences:
        case = _case(made, one, f"{shown.name(one)}: {CHANGES[one.change].name}", names)
        _difference(case, one, fail_on)
    for each in suite.accepted:
        case = _case(made, each, f"{shown.name(each)}: accepted", names)
        SubElement(case, "skipped", message=shown.accepted_how(each))
        SubElement(case, "system-out").text = "\n".join(
            f"{stand.who}: {shown.stand_text(stand)}" for stand in shown.stands(each)
        )
    if suite.rules is not None:
        _agreement(made, suite, suite.rules)
    _count(made, list(made.iter("testcase")))
    return made


def _case(
    suite: Element, one: Difference | Accepted, name: str, names: Counter[tuple[str, str]]
) -> Element:
    """A case; programs take two of one name for the same one, so that further ones get a number."""
    table = short(one.table) or "(no table)"
    names[table, name] += 1
    number = names[table, name]
    return SubElement(
        suite, "testcase", classname=table, name=name if number == 1 else f"{name} ({number})"
    )


def _difference(case: Element, one: Difference, fail_on: Level) -> None:
    text = "\n".join(shown.sentences(one, fail_on))
    line = f"{shown.side(one)}: {shown.what_happened(one)}"
    if reaches(one.level, fail_on):
        SubElement(case, "failure", type=rule_id(one.change), message=line).text = text
    else:
        SubElement(case, "skipped", message=f"{shown.mark(one, fail_on)}: {line}")
        SubElement(case, "system-out").text = text


def _agreement(suite: Element, of: _Suite, rules: int) -> None:
    """The case that passes, where a rule agrees: without one it looks as if nothing had run."""
    name = f"{of.agree:,} of {count(rules, 'rule')} agree with the sources"
    case = SubElement(suite, "testcase", classname=short(of.name, 200), name=name)
    if not of.agree:
        SubElement(case, "skipped", message="no rule of this module agrees with the sources")


def _nothing(drift: Drift, fail_on: Level) -> Element:
    """A comparison of no module at all passes nowhere."""
    suite = Element("testsuite", name="ruleferry drift")
    case = SubElement(suite, "testcase", classname="ruleferry", name="modules agree")
    SubElement(case, "skipped", message=shown.headline(drift, fail_on))
    _count(suite, [case])
    return suite


def _count(of: Element, cases: list[Element]) -> None:
    of.set("tests", str(len(cases)))
    of.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    of.set("errors", "0")
    if of.tag == "testsuite":
        of.set("skipped", str(sum(case.find("skipped") is not None for case in cases)))


def _beside(drift: Drift, fail_on: Level) -> list[str]:
    """What is known beside the cases."""
    told = [shown.headline(drift, fail_on)]
    told += [f"Note: {plain(notice)}" for notice in dict.fromkeys(drift.notices)]
    if drift.written is not None:
        told.append(shown.written(drift.written))
    return told
