"""The decisions of a run: read from their file, and what is told of those that changed nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleferry.converters.config import Config
from ruleferry.converters.decided import NO_DECISIONS, Decisions
from ruleferry.converters.decisions_file import read_decisions
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.plan import Plan
from ruleferry.converters.text_files import read_text

# Rules that a notice names before it only counts them.
_NAMED = 10


def decisions_of(config: Config) -> Decisions:
    """What the owners of the rules decided; without the file nothing. Raises InputFaults."""
    path = config.root / config.decisions
    if not path.exists():
        return NO_DECISIONS
    file = read_text(path, config.decisions, may_be_empty=True)
    found = [file] if isinstance(file, Fault) else _read(file.text, config, file.sha256)
    if isinstance(found, list):
        raise InputFaults(found)
    return found


def _read(text: str, config: Config, sha256: str) -> Decisions | list[Fault]:
    return read_decisions(text, config.decisions, sha256)


def in_vain(planned: Plan, decisions: Decisions, *, all_sources: bool) -> Iterator[str]:
    """A notice of rules that no source states, if all sources were read, and of refused names."""
    if planned.lost and all_sources:
        told = "decisions about rules that no source states any more, which were not applied"
        yield f"{decisions.file}: {told}: {_named(planned.lost)}"
    for entry in planned.entries:
        for caveat in entry.caveats:
            if caveat.code == "name_refused":
                yield f"{decisions.file}: the rule {entry.id}: {caveat.detail}"


def _named(lost: Sequence[str]) -> str:
    more = len(lost) - _NAMED
    return ", ".join(lost[:_NAMED]) + (f", and {more} more" if more > 0 else "")
