"""The rules of the short report, counted, and its figures by table and file."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ruleferry.converters.mappings import gap_titles
from ruleferry.converters.reports.cells import Room, bounded_table, by_number, counted, named, said
from ruleferry.converters.reports.markdown import Row, folded
from ruleferry.converters.reports.report import Line, Report, RuleView
from ruleferry.converters.reports.text import count
from ruleferry.converters.reports.words import GRADES
from ruleferry.converters.rule import Grade

_REASONS = Room(40, 4_000)
_CAVEATS = Room(40, 5_000)
_FAILING = Room(15, 4_000)
_FIGURES = Room(40, 6_000)
# Those of a rule's meaning that a person must know of, the worst first.
_GRADES: tuple[Grade, ...] = ("differs", "assumed", "exact")
_LINE = ("rules:", "carried over:", "merged:", "left:", "waived:", "exact:", "off:", "ready:")


def rule_sections(report: Report, elsewhere: str) -> Iterator[str]:
    """What is left for a person, what stops the update, and what differs or is assumed."""
    yield from _gaps(report.rules, elsewhere)
    yield from _failing(report.rules, elsewhere)
    yield from _caveats(report.rules, elsewhere)


def _gaps(rules: Sequence[RuleView], elsewhere: str) -> Iterator[str]:
    titles = gap_titles()
    codes = [rule.entry.gap.code for rule in rules if rule.entry.gap]
    if not codes:
        return
    yield f"## Left for a person ({len(codes):,})\n"
    yield "None of these rules is in a module. Keep the old checks running meanwhile.\n"
    reasons = by_number(Counter(titles.get(code, code) for code in codes))
    header, more = ("what is in the way", "rules:"), f"reasons: {elsewhere}"
    yield bounded_table(header, reasons, counted, _REASONS, more)


def _failing(rules: Sequence[RuleView], elsewhere: str) -> Iterator[str]:
    failing = [rule for rule in rules if _stops_the_update(rule)]
    if not failing:
        return
    yield f"## Rules that stop the update ({len(failing):,})\n"
    yield (
        "One bad record stops the update of the table and of all that reads from it. The error "
        "names the rule and the record; do not rely on a count of bad records.\n"
    )
    header = ("rule", "table", "decided by", "where it stands")
    yield bounded_table(header, failing, _decided, _FAILING, f"rules: {elsewhere}")


def _decided(rule: RuleView) -> Row:
    return said(rule.title), named(rule.entry.table), said(rule.why), named(rule.place)


def _stops_the_update(rule: RuleView) -> bool:
    """A figure or the schema stops a dataset of its own, and no table."""
    return rule.entry.action == "fail" and rule.entry.outcome in ("record", "flag")


# What a reader of the conditions must know --------------------------------------------------------


def _caveats(rules: Sequence[RuleView], elsewhere: str) -> Iterator[str]:
    """By what the caveat makes of a rule's meaning, then the commonest first."""
    noted = Counter(key for rule in rules for key in _caveats_of(rule))
    if not noted:
        return
    yield "## What to know of the rules that were carried over\n"
    ordered = sorted(noted.items(), key=lambda i: (_GRADES.index(i[0][0]), -i[1], i[0][1]))
    header = ("what to know", "what the new rule means", "rules:")
    yield bounded_table(header, ordered, _noted, _CAVEATS, f"remarks: {elsewhere}")


def _noted(item: tuple[tuple[Grade, str], int]) -> Row:
    (grade, title), number = item
    return said(title), GRADES[grade], f"{number:,}"


def _caveats_of(rule: RuleView) -> set[tuple[Grade, str]]:
    """Grade and title of each, and a nameless one where none of them gives the rule's grade."""
    grade = rule.entry.grade
    if grade is None:
        return set()
    found = {(of, title) for of, title, _ in rule.caveats}
    unexplained = grade not in ("exact", *(of for of, _ in found))
    return found | {(grade, "No reason is stated")} if unexplained else found


# Figures ------------------------------------------------------------------------------------------


def figure_sections(report: Report, elsewhere: str) -> Iterator[str]:
    """By table and by file, folded away."""
    lines = {breakdown.by: breakdown.lines for breakdown in report.breakdowns}
    if not report.rules:
        return
    yield "## Figures\n"
    yield (
        "off: the old check may be switched off; ready: it may be once old and new are seen to "
        "agree.\n"
    )
    for by, word in (("table", "table"), ("source", "file")):
        more = f"{word}s: {elsewhere}"
        body = bounded_table((word, *_LINE), lines[by], _figures, _FIGURES, more)
        yield folded(count(len(lines[by]), word), body)


def _figures(line: Line) -> Row:
    fates = (line.rules, line.carried, line.merged, line.left, line.waived)
    numbers = (*fates, line.exact, line.off, line.ready)
    return named(line.label), *(f"{number:,}" for number in numbers)
