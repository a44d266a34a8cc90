"""The words of a comparison, as every format says them."""

from collections.abc import Mapping
from typing import NamedTuple

from ruleferry.converters.drifted import Change, Level, Side


class Words(NamedTuple):
    """A change: its name, what it is, and what it means for the records that are checked."""

    name: str
    what: str
    means: str


CHANGES: Mapping[Change, Words] = {
    "removed": Words(
        "removed",
        "A rule is stated or checked no more.",
        "Records that it found bad pass unseen.",
    ),
    "gap_opened": Words(
        "gap opened",
        "A rule can't be carried over as its source states it now.",
        "Until a person answers, it is not checked as it is stated.",
    ),
    "loosened": Words(
        "loosened",
        "A condition lets more records pass.",
        "Records that were bad so far are good.",
    ),
    "changed": Words(
        "changed",
        "A condition says something else, neither tighter nor looser as far as is known.",
        "Some records that were bad may be good, and the other way round.",
    ),
    "tightened": Words(
        "tightened",
        "A condition lets fewer records pass.",
        "Records that were good so far are bad.",
    ),
    "action_changed": Words(
        "action changed",
        "The same condition does something else with a bad record.",
        "A bad record stays where it went to the quarantine or stopped the update, or the other "
        "way round.",
    ),
    "renamed_column": Words(
        "renamed column",
        "The same rule speaks of a column under another name.",
        "It can't run, or looks at another column, where the table has only the other name.",
    ),
    "lookup_changed": Words(
        "lookup changed",
        "A rule looks at another table, or at another record of it.",
        "Which records are good is decided by other data.",
    ),
    "validation_changed": Words(
        "validation changed",
        "Another figure, or another query, stands behind a rule over many records.",
        "It may hold where it did not, and the other way round.",
    ),
    "table_changed": Words(
        "table changed",
        "The module reads another table than the sources say.",
        "Its rules check other data.",
    ),
    "edited_outside": Words(
        "edited outside the rules",
        "The module was edited below the block of its rules.",
        "What its rules do may be another, though they read the same.",
    ),
    "name_changed": Words(
        "name changed",
        "The same rule goes by another name.",
        "It checks the same; its figures in the event log begin anew under the other name.",
    ),
    "gap_changed": Words(
        "gap changed",
        "A rule that can't be carried over has another text.",
        "It was not checked, and is not checked.",
    ),
    "gap_closed": Words(
        "gap closed",
        "A rule that could not be carried over can be now.",
        "It is not checked until the modules are written anew.",
    ),
    "answer_stale": Words(
        "answer stale",
        "An answer was given to a text that is another now.",
        "The answer does not hold any more.",
    ),
    "added": Words(
        "added",
        "A rule is in one place and was not there before.",
        "It is not checked yet, or it is checked and stated nowhere.",
    ),
}
SIDES: Mapping[Side, str] = {
    "source": "changed in the source",
    "hand": "edited by hand in the module",
    "both": "changed in both",
    "settings": "the settings changed",
    "tool": "ruleferry itself (another version), nobody's change",
}
LEVELS: Mapping[Level, str] = {
    "removed": "a check that is gone",
    "loosened": "a check that lets more pass",
    "changed": "a check that says something else",
    "any": "anything else",
}
EVERYTHING = "--format json has all"


def rule_id(change: Change) -> str:
    """The change as a program names it: `drift-gap-opened`."""
    return f"drift-{change.replace('_', '-')}"
