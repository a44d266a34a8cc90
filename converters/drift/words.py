"""What is said of a difference: what happened, and the way out."""

from __future__ import annotations

from collections.abc import Mapping

from ruleferry.converters.drifted import Change, Side

# What happened to the rule; of an edit by hand, of what stands in the module.
HAPPENED: Mapping[Change, str] = {
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
BY_HAND: Mapping[Change, str] = {
    **HAPPENED,
    "removed": "the rule was taken out of the module",
    "loosened": "in the module more records pass",
    "changed": "in the module the condition says something else",
    "tightened": "in the module fewer records pass",
    "action_changed": "in the module a bad record meets another fate",
    "lookup_changed": "in the module the rule looks at something else in another table",
    "validation_changed": "in the module the figure or query behind the rule is another one",
    "table_changed": "the module reads another table",
    "name_changed": "in the module the rule has another name",
    "added": "the module has a rule that no source states",
}
TODO: Mapping[Side, str] = {
    "source": "Run `ruleferry convert` to carry it into the module, or change the source back.",
    "hand": "Put the change into the source, ruleferry.toml or decisions.toml, or put "
    "`# manual: reason` above it in the module; `ruleferry convert --force` undoes it.",
    "both": "Decide which of the two holds: state it in the source and run `ruleferry convert "
    "--force`, or keep the module's with `# manual: reason`.",
    "settings": "Run `ruleferry convert` to carry it into the module.",
    "tool": "Nobody changed it: read what is new, and run `ruleferry convert`.",
}
