"""What `--fail-on` finds: each level includes those before it."""

import pytest
from ledgers import UNDECIDED, bare, entry, ledger_of, left

from ruleferry.converters.account import Because
from ruleferry.converters.config import FailOn
from ruleferry.converters.reports.verdict import found

DECIDED = Because("config", "[actions] default")
GAP = left("a", "expectations[0]", "regex", "why")
DIFFERS = entry("a", grade="differs", because=DECIDED)
ASSUMED = entry("a", grade="assumed", because=DECIDED)
OPEN = entry("a", because=UNDECIDED)
SETTLED = entry("a", because=DECIDED)
MERGED = bare("a", "expectations[0]", outcome="merged", merged_into="0" * 12, because=UNDECIDED)
LOST = left("a", "file", "unreadable", "no JSON")
LEVELS: tuple[FailOn, ...] = ("none", "gap", "differs", "assumed", "undecided")


@pytest.mark.parametrize(
    ("row", "found_at"),
    [
        (GAP, LEVELS[1:]),
        (DIFFERS, LEVELS[2:]),
        (ASSUMED, LEVELS[3:]),
        (OPEN, LEVELS[4:]),
        (SETTLED, ()),
        (MERGED, ()),  # the rule that stands for it is judged
        (LOST, LEVELS),  # a file that nobody could read is always told
    ],
)
def test_levels(row, found_at):
    ledger = ledger_of([row])
    assert tuple(level for level in LEVELS if found(ledger, level)) == found_at
