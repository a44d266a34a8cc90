"""The files of the books: what each of them is, and what became of its rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence

from ruleferry.converters.account import Entry, Heading, Source
from ruleferry.converters.config import Config
from ruleferry.converters.decided import Decisions
from ruleferry.converters.rule import Outcome, Reading
from ruleferry.converters.schemas import Schemas
from ruleferry.converters.sources import Sources


def listed_sources(
    sources: Sources,
    schemas: Schemas,
    config: Config,
    decisions: Decisions,
    entries: Sequence[Entry],
) -> tuple[Source, ...]:
    outcomes: dict[str, Counter[Outcome]] = {}
    for entry in entries:
        outcomes.setdefault(entry.origin.file, Counter())[entry.outcome] += 1
    used = {f.file: f.sha256 for f in schemas.files}
    used |= sources.profiles
    if config.file and config.sha256:
        used[config.file] = config.sha256
    if decisions.sha256:
        used[decisions.file] = decisions.sha256

    def used_as(file: str) -> str:
        return _used_as(file, config, decisions, sources.profiles)

    found = [
        _source(reading, used, outcomes.get(reading.file, Counter()), used_as)
        for reading in sources.readings
    ]
    listed = {source.file for source in found}
    found += [
        Source(file, "used", sha256, 0, 0, {}, used_as(file))
        for file, sha256 in used.items()
        if file not in listed
    ]
    return tuple(sorted(found, key=lambda source: source.file))


def _source(
    reading: Reading,
    used: Mapping[str, str],
    outcomes: Counter[Outcome],
    used_as: Callable[[str], str],
) -> Source:
    if reading.file in used and not reading.atoms:
        return Source(reading.file, "used", reading.sha256, 0, 0, {}, used_as(reading.file))
    counts = dict(sorted(outcomes.items()))
    return Source(
        file=reading.file,
        read_as=reading.read_as,
        sha256=reading.sha256,
        atoms=reading.atoms,
        entries=sum(counts.values()),
        outcomes=counts,
        why=reading.why,
        cells=reading.classes,
        skipped=reading.skipped,
        headings=tuple(
            Heading(c.place, c.header, c.meaning if c.sure else None) for c in reading.columns
        ),
    )


def _used_as(file: str, config: Config, decisions: Decisions, profiles: Container[str]) -> str:
    if file == config.file:
        return "configuration"
    if file == decisions.file and decisions.sha256:
        return "decisions"
    return "profile" if file in profiles else "schema"
