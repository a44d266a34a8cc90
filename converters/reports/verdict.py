"""Whether a conversion found what `--fail-on` names."""

from typing import get_args

from ruleferry.converters.account import Entry, Ledger
from ruleferry.converters.config import FailOn
from ruleferry.converters.reports.words import undecided

# Each level includes those before it.
_LEVELS: tuple[FailOn, ...] = get_args(FailOn)


def found(ledger: Ledger, fail_on: FailOn) -> bool:
    """Whether an entry is at or above the level: gap, then differs, assumed, undecided.

    A file that could not be read (`--partial`) counts at every level, `none` too.
    """
    wanted = _LEVELS[1 : _LEVELS.index(fail_on) + 1]
    return any(_level(entry) in wanted or _unreadable(entry) for entry in ledger.entries)


def _level(entry: Entry) -> FailOn:
    if entry.outcome == "gap":
        return "gap"
    if entry.grade == "differs" or entry.grade == "assumed":
        return entry.grade
    return "undecided" if entry.grade and undecided(entry) else "none"


def _unreadable(entry: Entry) -> bool:
    return entry.gap is not None and entry.gap.code == "unreadable"
