"""The condition of a rule that a person stated, through the same gates as any other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ruleferry.converters.account import Gap
from ruleferry.converters.compare import leaves_nothing
from ruleferry.converters.decided import Decision, who
from ruleferry.converters.drafts import Draft
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.mappings import caveats, grade_of
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.rule import Caveat, LegacyRule, Nulls, Row, Unread, engine_kind
from ruleferry.converters.wording import scope_in_words

_MISSING: dict[Nulls, str] = {
    "fail": "; a record of which it can't be told, since a value is missing, is bad",
    "pass": "; a record that has none of its values is good",
    "none": "",
}
# What is asked about words of a dictionary alone.
_OF_WORDS = (
    "condition_elsewhere", "contradiction", "format", "list_elsewhere", "not_understood",
    "several_values", "suggestion", "unit",
)  # fmt: skip
# What would help, for whoever has seldom written one.
_HELP = {
    "not_readable": "; a condition is such as amount >= 0 or status IN ('A', 'B')",
    "template": "; write the value itself, a text in single quotes",
    "type_mismatch": "; a condition compares, such as amount >= 0",
    "unsupported_function": "; say it with comparisons, LIKE, IN or RLIKE, or ask an engineer",
    "needs_dataset": "; a condition is about one record, and sees no other",
    "regex": "; have somebody who knows such patterns look at it",
    "not_lakeflow": "; a condition says the same of a record each time",
}
# More would fill a sentence with the text that is refused.
_LONGEST = 300


def stated(draft: Draft, decision: Decision, text: str) -> Condition | Gap:
    """TRUE for a good record; where the text is neither TRUE nor FALSE, the record is bad.

    What a source claims of its columns' types is not taken for granted here.
    """
    try:
        found = express(_as_stated(draft.rule, text), Types(draft.types.declared))
    except RecursionError:
        found = Gap("not_readable", "it is too long: its parts are nested too deep")
    if isinstance(found, Gap):
        return _refused(found, decision)
    if found.nulls == "none":
        return _refused(Gap("never_fails", "it reads no column of a record"), decision)
    if leaves_nothing(found.meaning.form):
        return _refused(Gap("never_passes", "no value is in the range that it allows"), decision)
    told = (*found.caveats, _by_a_person(draft.rule, decision, found.nulls))
    return replace(found, caveats=told, grade=grade_of(told))


def _as_stated(rule: LegacyRule, text: str) -> LegacyRule:
    return replace(
        rule,
        check=Row(SqlText(text, "databricks", bad=False)),
        scope=None,
        missing_words=(),
        caveats=tuple(_still_told(rule)),
        origin=replace(rule.origin, engine="spark"),
    )


def _still_told(rule: LegacyRule) -> Iterator[Caveat]:
    """How a text was read no longer counts; what was found beside it is told as before."""
    for caveat in rule.caveats:
        row = caveats()[caveat.code]
        if row.grade == "exact" and not row.question:
            yield caveat


def _by_a_person(rule: LegacyRule, decision: Decision, nulls: Nulls) -> Caveat:
    scope = f"; it no longer adds: where {scope_in_words(rule.scope)}" if rule.scope else ""
    note = f": {decision.note}" if decision.note else ""
    detail = f"{who(decision)}{note}{_MISSING[nulls]}{scope}"
    # Where no old check ran, there is nothing that it could differ from.
    if _is_words(rule):
        return Caveat("condition_stated", detail)
    return Caveat("condition_replaced", detail)


def _is_words(rule: LegacyRule) -> bool:
    """A dictionary's cell that was not understood, too; SQL in a cell is some tool's check."""
    if rule.origin.engine:
        return engine_kind(rule.origin.engine) == "words"
    check = rule.check
    return (
        rule.origin.tool == "spreadsheet"
        and rule.kind != "figure"
        and isinstance(check, Unread)
        and check.code in _OF_WORDS
        and not check.reason.startswith("a name or value is no condition")
    )


def _refused(found: Gap, decision: Decision) -> Gap:
    reason = found.reason if len(found.reason) <= _LONGEST else f"{found.reason[:_LONGEST]}…"
    reason = f"its pattern can't be read: {reason}" if found.code == "regex" else reason
    return Gap("answer_refused", f"{_told(decision)}{reason}{_HELP.get(found.code, '')}")


def _told(decision: Decision) -> str:
    return f"the answer of {who(decision)} can't be used: "


def why_refused(found: Gap, decision: Decision) -> str:
    """The reason alone, to stand beside the answer."""
    return found.reason.removeprefix(_told(decision))
