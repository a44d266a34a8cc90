"""Which rule of a ledger a person means."""

import difflib
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from ruleferry.converters.account import Entry, Ledger
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.reports.text import count, full_name, listed, where

_ID = re.compile(r"[0-9a-f]{6,12}")
# More candidates than these nobody reads.
_TOLD = 8
_FORMS = "`table.name`, an id or its first 6 digits, or FILE:PLACE"


def find(ledger: Ledger, rule: str, file: str) -> tuple[Entry, ...]:
    """The entries that `rule` names: `table.name`, an id or its first 6 digits or more, FILE:PLACE.

    One place may state several rules; they are one answer. The front of a table's name or of a
    file's path may be left out where the rest names one rule or place. Case doesn't matter. Raises
    InputFaults for what names no rule or several, with those that come near.
    """
    wanted = rule.strip().casefold()
    for names, what_is_named in _WAYS:
        found = _standing([entry for entry in ledger.entries if names(entry, wanted)])
        named = {what_is_named(entry) for entry in found}
        if len(named) == 1:
            return tuple(found)
        if named:
            raise InputFaults([_ambiguous(rule, found, file)])
    raise InputFaults([_unknown(ledger, rule, file)])


def _standing(found: Sequence[Entry]) -> Sequence[Entry]:
    """Without those that are merged into another one of them, which tells of them."""
    ids = {entry.id for entry in found if entry.outcome != "merged"}
    return [e for e in found if e.outcome != "merged" or e.merged_into not in ids]


# The ways to name a rule --------------------------------------------------------------------------


def _by_id(entry: Entry, wanted: str) -> bool:
    return entry.id.startswith(wanted) and bool(_ID.fullmatch(wanted))


def _by_name(entry: Entry, wanted: str) -> bool:
    return bool(entry.name) and full_name(entry).casefold() == wanted


def _by_end_of_name(entry: Entry, wanted: str) -> bool:
    return bool(entry.name) and full_name(entry).casefold().endswith(f".{wanted}")


def _by_place(entry: Entry, wanted: str) -> bool:
    return where(entry.origin).casefold() == wanted


def _by_end_of_place(entry: Entry, wanted: str) -> bool:
    return where(entry.origin).casefold().endswith(f"/{wanted}")


def _id(entry: Entry) -> str:
    return entry.id


def _place(entry: Entry) -> str:
    return where(entry.origin)


_Way: TypeAlias = tuple[Callable[[Entry, str], bool], Callable[[Entry], str]]
_WAYS: tuple[_Way, ...] = (
    (_by_id, _id),
    (_by_name, full_name),
    (_by_place, _place),
    (_by_end_of_name, full_name),
    (_by_end_of_place, _place),
)


# What to say otherwise ----------------------------------------------------------------------------


def _ambiguous(rule: str, found: Sequence[Entry], file: str) -> Fault:
    told = [f"{full_name(entry)} (id {entry.id}, {_place(entry)})" for entry in found[:_TOLD]]
    return Fault(
        file,
        None,
        f"{count(len(found), 'rule')} that `{rule}` may mean",
        "one",
        f"Name one by its id: {listed(told)}{_and_more(len(found))}.",
    )


def _unknown(ledger: Ledger, rule: str, file: str) -> Fault:
    near = _near(ledger, rule.strip().casefold())
    told = f"Near it: {listed(near[:_TOLD])}{_and_more(len(near))}." if near else "Nothing is near."
    return Fault(file, None, f"no rule `{rule}`", _FORMS, told)


def _and_more(number: int) -> str:
    return f" … and {number - _TOLD:,} more" if number > _TOLD else ""


def _near(ledger: Ledger, wanted: str) -> Sequence[str]:
    """Names and places that contain what was wanted, else those that are spelt much alike."""
    spelt: dict[str, set[str]] = defaultdict(set)
    for entry in ledger.entries:
        for spelling, name in _spellings(entry):
            spelt[spelling.casefold()].add(name)
    within = {
        name for spelling in spelt if wanted and wanted in spelling for name in spelt[spelling]
    }
    if within:
        return sorted(within)
    alike = difflib.get_close_matches(wanted, spelt, n=_TOLD)  # the nearest first
    return list(dict.fromkeys(name for spelling in alike for name in sorted(spelt[spelling])))


def _spellings(entry: Entry) -> Iterator[tuple[str, str]]:
    """How a person may write the rule, and what it is called: table by table less of its front."""
    name = full_name(entry)
    if entry.name:
        yield name, name
        yield f"{entry.table.rpartition('.')[2]}.{entry.name}", name
        yield entry.name, name
    place = _place(entry)
    yield place, place
    yield place.rpartition("/")[2], place
