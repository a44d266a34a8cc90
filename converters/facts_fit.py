"""Facts against what was read: those that fit nothing, or not what is there, are not applied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TypeAlias

from ruleferry.converters.config import Config, Source, called_now
from ruleferry.converters.facts import PROFILE, Fact, Facts, Problem, problem, without
from ruleferry.converters.rule import NotARule, Reading
from ruleferry.converters.table_names import same_table

# A table as its module reads it -> its columns in lower case, None without a schema.
Declared: TypeAlias = Callable[[str], Mapping[str, object] | None]


@dataclass(frozen=True, slots=True)
class Read:
    """`configured`: file -> its [[source]], where a person told something of it.

    `whole`: all sources were read, so that what is not among them is gone.
    """

    readings: Sequence[Reading]
    configured: Mapping[str, Source]
    declared: Declared
    whole: bool = True

    @property
    def files(self) -> Mapping[str, Reading]:
        return {reading.file: reading for reading in self.readings}

    def tables(self, file: str | None = None) -> list[tuple[str, str, bool]]:
        """File, table and whether it is stated, of all rules or of one file's."""
        found = {
            (reading.file, rule.table.name, rule.table.stated): None
            for reading in self.readings
            for rule in reading.rules
            if file in (None, reading.file) and not isinstance(rule.check, NotARule)
        }
        return list(found)


def fitted(facts: Facts, config: Config, read: Read) -> Facts:
    """`config`: without any facts. A fact that does not fit is told in a notice, too."""
    facts = replace(facts, config=_with_configured(facts.config, read))
    wrong = list(_wrong(facts, read))
    if wrong:
        facts = without(facts, wrong, config)
        facts = replace(facts, config=_with_configured(facts.config, read))
    notices = (*facts.notices, *_overruled(facts, read), *map(_notice, facts.problems))
    return replace(facts, notices=tuple(dict.fromkeys(notices)))


def _with_configured(config: Config, read: Read) -> Config:
    """What a person told of a file's only table beats the one that its [[source]] names."""
    files = dict(config.told_files)
    for file, source in read.configured.items():
        told = files.get(file)
        if told is not None and source.table and len(told.tables) == 1:
            (name,), (by,) = told.tables.values(), told.tables_by.values()
            files[file] = replace(
                told,
                tables={**told.tables, source.table: name},
                tables_by={**told.tables_by, source.table: by},
            )
    return replace(config, told_files=files)


def _notice(one: Problem) -> str:
    about = one.decision.about
    what = about.column or about.table or about.file or "a decision"
    place = f"{about.file}: " if about.file and what != about.file else ""
    said = f'"{one.answered.answer}" by {one.answered.by}'
    return f"{place}{what}: {said} is {one.answered.state} and not used: {one.answered.why}"


def _overruled(facts: Facts, read: Read) -> Iterator[str]:
    for fact in facts.known:
        source = read.configured.get(fact.about.file or "")
        if fact.takes == "table":
            yield from _by_command_line(fact, facts.config, read)
        configured = getattr(source, fact.takes) if source and fact.takes in _IN_SOURCE else None
        if configured and configured != fact.value:
            file = facts.config.file or "the configuration"
            yield (
                f"{fact.about.file}: the {fact.takes} is {fact.value}, as {fact.by} said; "
                f"{file} says {configured}"
            )


def _by_command_line(fact: Fact, config: Config, read: Read) -> Iterator[str]:
    """--table beats what was told."""
    given = {name for names in config.table_of.values() for name in names}
    for _, name, _ in read.tables(fact.about.file):
        if name in given and not same_table(name, fact.value):
            yield (
                f"{fact.about.file}: --table {name} holds in this run; {fact.by} said {fact.value}"
            )


_IN_SOURCE = ("table", "engine", "dialect", PROFILE)


# What does not fit --------------------------------------------------------------------------------


def _wrong(facts: Facts, read: Read) -> Iterator[Problem]:
    for fact in facts.known:
        found = _of_file(fact, facts.config, read) or _of_table(fact, facts.config, read)
        if found is not None:
            yield found


def _of_file(fact: Fact, config: Config, read: Read) -> Problem | None:
    file = fact.about.file
    if file is None:
        return None
    reading = read.files.get(file)
    if reading is None:
        return _gone(fact, file) if read.whole else None
    misfit = next(
        (
            m
            for m in reading.misfits
            if m.takes == fact.takes
            and (m.column, m.text) == (fact.about.column or "", fact.about.text or "")
        ),
        None,
    )
    if misfit is not None:
        return problem(fact, misfit.state, misfit.why)
    return _of_told_table(fact, config, read) if fact.takes == "table" else None


def _gone(fact: Fact, file: str) -> Problem:
    return problem(fact, "stale", f"{file} is not among the files that were read")


def _of_told_table(fact: Fact, config: Config, read: Read) -> Problem | None:
    file, table = fact.about.file or "", fact.about.table
    stated = [name for _, name, _ in read.tables(file)]
    if table is None:
        if len(set(stated)) > 1:
            names = ", ".join(sorted(set(stated)))
            why = f"the file speaks of several tables, and one name is given: {names}"
            return problem(fact, "refused", why)
        return None
    source = read.configured.get(file)
    also = (source.table,) if source and source.table else ()
    given = [name for names in config.table_of.values() for name in names]
    if any(same_table(one, known) for known in (table, *also, *given) for one in stated):
        return None
    return problem(fact, "stale", f"{file} states nothing of a table {table} any more")


def _of_table(fact: Fact, config: Config, read: Read) -> Problem | None:
    if fact.takes not in ("order_by", "columns") or fact.about.table is None:
        return None
    reads = _reads(fact, config, read)
    if not reads and read.whole and fact.about.file in (None, *read.files):
        return problem(fact, "stale", f"no rule speaks of a table {fact.about.table} any more")
    new = fact.value if fact.takes == "order_by" else [new for _, new in fact.value]
    for table in reads:
        declared = read.declared(table)
        missing = [name for name in new if declared is not None and name.lower() not in declared]
        if missing:
            near = get_close_matches(missing[0].lower(), declared or (), n=1)
            meant = f"; the nearest is {near[0]}" if near else ""
            return problem(fact, "refused", f"{table} has no column {missing[0]}{meant}")
    return None


def _reads(fact: Fact, config: Config, read: Read) -> list[str]:
    """The tables that it speaks of, as their modules read them."""
    about = fact.about
    found: dict[str, None] = {}
    for file, table, stated in read.tables(about.file):
        own = not stated and about.file is None
        if any(same_table(about.table or "", n) for n in called_now(config, file, table, own=own)):
            found[called_now(config, file, table)[-1]] = None
    return list(found)
