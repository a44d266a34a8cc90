"""What is said of a difference: what happened, and the way out."""

from __future__ import annotations

from collections.abc import Mapping

from ruleferry.converters.drift.causes import Cause
from ruleferry.converters.drifted import Change, Side

# What happened to the rule; after an edit by hand, beside what the sources say.
_HAPPENED: Mapping[Change, str] = {
    "removed": "the sources don't state the rule any more",
    "gap_opened": "what the sources say now can't be carried over",
    "loosened": "more records pass than before",
    "changed": "the condition says something else",
    "tightened": "fewer records pass than before",
    "action_changed": "a bad record meets another fate",
    "renamed_column": "the column has another name",
    "lookup_changed": "the rule looks at something else in another table",
    "validation_changed": "the figure or query behind the rule is another one",
    "table_changed": "the rules are of another table",
    "edited_outside": "something was changed outside the rules",
    "name_changed": "the rule has another name",
    "gap_changed": "what can't be carried over reads otherwise",
    "gap_closed": "what could not be carried over asks nothing any more",
    "answer_stale": "the answer was given to another text",
    "added": "the rule is new",
}
_BY_HAND: Mapping[Change, str] = {
    **_HAPPENED,
    "removed": "the rule was taken out",
    "loosened": "more records pass than the sources let pass",
    "tightened": "fewer records pass than the sources let pass",
    "table_changed": "it reads another table",
    "name_changed": "the rule has a name of its own",
    "added": "no source states the rule",
}
_TODO: Mapping[Side, str] = {
    "source": "Run `ruleferry convert` to carry it into the module, or change the source back.",
    "hand": "Put the change into the source, ruleferry.toml or decisions.toml, or put "
    "`# manual: reason` above it in the module; `ruleferry convert --force` undoes it.",
    "both": "Decide which of the two holds: state it in the source and run `ruleferry convert "
    "--force`, or keep the module's with `# manual: reason`.",
    "settings": "Run `ruleferry convert` to carry it into the module.",
    "tool": "Nobody changed it: read what is new, and run `ruleferry convert`.",
}
# The way out of some changes, whoever made them.
_OF_CHANGE: Mapping[Change, str] = {
    "gap_opened": "Change the source so that it can be read, or run `ruleferry convert` and answer "
    "what it asks; until then it takes the rule out of the module.",
    "gap_changed": "Run `ruleferry convert`, which asks about it anew.",
    "answer_stale": "Run `ruleferry convert`, which asks about it again, with the old answer.",
}


def happened(change: Change, cause: Cause) -> str:
    """In one sentence, with its cause."""
    words = _BY_HAND[change] if cause.side == "hand" else _HAPPENED[change]
    return f"{words}; {cause.why}" if cause.why else words


def way_out(change: Change, side: Side) -> str:
    return _OF_CHANGE.get(change, _TODO[side])
