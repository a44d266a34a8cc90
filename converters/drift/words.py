"""What is said of a difference: what happened, and the way out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ruleferry.converters.drift.causes import Cause
from ruleferry.converters.drifted import Change

# What happened to the rule.
_HAPPENED: Mapping[Change, str] = {
    "removed": "the sources don't state the rule any more",
    "gap_opened": "what the sources say now can't be carried over",
    "loosened": "more records pass than before",
    "changed": "the condition says something else",
    "tightened": "fewer records pass than before",
    "action_changed": "something else is done with a bad record",
    "renamed_column": "the column has another name",
    "lookup_changed": "the rule looks at something else in another table",
    "validation_changed": "the figure or query behind the rule is another one",
    "table_changed": "the rules are of another table",
    "edited_outside": "something was changed outside the rules",
    "name_changed": "the rule has another name",
    "gap_changed": "what can't be carried over reads otherwise",
    "gap_closed": "what could not be carried over is no question any more",
    "answer_stale": "the answer was given to another text",
    "added": "the rule is new",
}
# Where the module was edited: what it says now beside what the sources say now.
_IN_MODULE: Mapping[Change, str] = {
    **_HAPPENED,
    "loosened": "the module lets more records pass than the sources do",
    "changed": "the condition in the module says something else than the sources do",
    "tightened": "the module lets fewer records pass than the sources do",
    "action_changed": "the module does something else with a bad record than the sources say",
    "table_changed": "it reads another table than the sources say",
    "name_changed": "the rule has a name of its own",
}
_CONVERT = "Run `ruleferry convert`"
_FORCED = "`ruleferry convert --force` undoes it"
_MARK = "put `# manual: reason` above it in the module"
_KEEP = f"Put the change into the source, ruleferry.toml or decisions.toml, or {_MARK}; {_FORCED}."
_BACK = (
    "Put it back, or run `ruleferry convert --force`, which does; if it shall be gone, take it out "
    "of the source, or waive it in decisions.toml."
)
# Where there is no rule that could be marked.
_OUTSIDE: Mapping[Change, str] = {
    "edited_outside": f"Move it into a file of your own, which imports the module; {_FORCED}.",
    "table_changed": "Give the table this name in ruleferry.toml (`name` of its [tables] section) "
    f"and convert with --force; without that, {_FORCED}.",
}
# What is no rule of the module, whoever changed it.
_ASKED: Mapping[Change, str] = {
    "gap_changed": f"{_CONVERT}, which asks about it anew.",
    "answer_stale": f"{_CONVERT}, which asks about it again, with the old answer.",
}
_TAKES_OUT = "; until then it takes the rule out of the module"


@dataclass(frozen=True, slots=True)
class What:
    """A change, its cause, and whether the module and the sources have the rule.

    `gap`: the code of what is left for a person.
    """

    change: Change
    cause: Cause
    in_module: bool = True
    stated: bool = True
    gap: str | None = None


def happened(of: What) -> str:
    """In one sentence, with its cause."""
    return "; ".join(filter(None, (_what(of), of.cause.why)))


def _what(of: What) -> str:
    if of.change == "name_changed" and not of.stated:
        return "the module has another name"
    if of.cause.side not in ("hand", "both"):
        return _HAPPENED[of.change]
    if of.change == "removed" and not of.in_module:
        return "the rule was taken out of the module"
    if of.change == "added" and not of.stated:
        return "no source states the rule"
    return _IN_MODULE[of.change]


def way_out(of: What) -> str:
    change, side = of.change, of.cause.side
    if change in _ASKED:
        return _ASKED[change]
    if change == "gap_opened":
        return _answered(of)
    if side == "hand":
        return _OUTSIDE.get(change) or (_KEEP if of.in_module else _BACK)
    if side == "both":
        return _decided(of)
    if side == "tool":
        return "Nobody changed it: read what is new, and run `ruleferry convert`."
    back = ", or change the source back" if side == "source" else ""
    return f"{_CONVERT}{_carried(of)}{back}."


def _carried(of: What) -> str:
    """What a conversion does of it."""
    if of.cause.stays:
        return ", which leaves the rule in the module"
    if of.change == "removed":
        return " to take it out of the module"
    if of.change == "gap_closed" and not of.stated:
        return ", which asks about it no more"
    if of.change in ("added", "gap_closed") and of.in_module:
        return " to have it in the ledger, too"
    return " to carry it into the module"


def _answered(of: What) -> str:
    table = "the name of the column, or the schema that lacks it"
    mend = table if of.gap == "column_unknown" else "the source, so that it can be read"
    taken = _TAKES_OUT if of.in_module and not of.cause.stays else ""
    return f"Change {mend}, or run `ruleferry convert` and answer what it asks{taken}."


def _decided(of: What) -> str:
    stated = "State in the source which of the two holds"
    if of.cause.marked:
        return (
            f"{_CONVERT}, which keeps the module's as it is marked; without the mark, the source's."
        )
    if not of.in_module:
        return _BACK
    return f"{stated} and run `ruleferry convert --force`, or {_MARK} to keep the module's."
