"""Decisions that are facts about files and tables, laid over the configuration.

A fact beats the configuration, and the command line beats a fact. One that can't be used, or that
two people state differently, is not applied; it is a problem, and its question comes again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from ruleferry.converters import fact_texts
from ruleferry.converters.account import About, Answered, Question
from ruleferry.converters.config import Config, TableSettings, table_settings
from ruleferry.converters.decided import Decision, Decisions, Profiled, Told, answer_of, who
from ruleferry.converters.decisions_file import place_in_file
from ruleferry.converters.fact_texts import Refused
from ruleferry.converters.meaning_words import meaning_of
from ruleferry.converters.table_names import name_key, same_table
from ruleferry.converters.told import NOTHING_TOLD, ToldLetter, ToldMeaning, ToldOfFile, ToldOfTable

PROFILE = "profile"
State: TypeAlias = Literal["stale", "disputed", "refused", "pending"]


def _meaning_in(text: str) -> str:
    found = meaning_of(text)
    if found is None:
        raise Refused("it is none of the things that a column can say; choose one of the proposals")
    return found


_READ: Mapping[str, Callable[[str], object]] = {
    "table": fact_texts.table_in,
    "engine": fact_texts.engine_in,
    "dialect": fact_texts.dialect_in,
    "order_by": fact_texts.columns_in,
    "columns": fact_texts.renamed_in,
    "tables": fact_texts.tables_in,
    "meaning": _meaning_in,
    "legend": fact_texts.legend_in,
    "threshold": fact_texts.threshold_in,
    PROFILE: fact_texts.file_in,
}
_OF_FILES = ("table", "engine", "dialect", "meaning", "legend", "threshold", PROFILE)
_OF_TABLES = ("order_by", "columns")
_OF_ALL_FILES = ("engine", "dialect", PROFILE)


@dataclass(frozen=True, slots=True)
class Fact:
    """`value`: the answer as it was read."""

    decision: Decision
    takes: str
    value: Any

    @property
    def about(self) -> About:
        return self.decision.about

    @property
    def by(self) -> str:
        return who(self.decision)


@dataclass(frozen=True, slots=True)
class Problem:
    """A fact that is not applied."""

    decision: Decision
    answered: Answered


@dataclass(frozen=True, slots=True)
class Facts:
    """`config`: the configuration with the facts that hold; `known`: these facts."""

    config: Config
    known: tuple[Fact, ...] = ()
    problems: tuple[Problem, ...] = ()
    notices: tuple[str, ...] = ()


def with_facts(config: Config, decisions: Decisions) -> Facts:
    """What the decisions tell, before any file is read."""
    found: list[Fact] = []
    problems: list[Problem] = []
    for decision in sorted(decisions.decisions, key=place_in_file):  # however the file is sorted
        fact = _fact(decision)
        if isinstance(fact, Fact):
            found.append(fact)
        elif fact is not None:
            problems.append(fact)
    found, wrong = _undisputed(found, config)
    known, notices = _not_beaten(found, config)
    return Facts(_laid_over(config, known), tuple(known), (*problems, *wrong), tuple(notices))


def without(facts: Facts, wrong: Sequence[Problem], config: Config) -> Facts:
    """The facts without those that turned out wrong. `config`: without any facts."""
    gone = [problem.decision for problem in wrong]
    known = tuple(fact for fact in facts.known if fact.decision not in gone)
    problems = (*facts.problems, *wrong)
    return replace(facts, config=_laid_over(config, known), known=known, problems=problems)


def problem(fact: Fact, state: State, why: str) -> Problem:
    return _problem(fact.decision, state, why)


def with_answered(
    questions: Sequence[Question], problems: Sequence[Problem]
) -> tuple[Question, ...]:
    """The questions with the facts that were told about the same and do not settle them."""
    return tuple(
        replace(question, answered=(*question.answered, *found))
        if (found := answered_by(question, problems))
        else question
        for question in questions
    )


def answered_by(question: Question, problems: Sequence[Problem]) -> tuple[Answered, ...]:
    return tuple(one.answered for one in problems if _answers(one.decision, question))


def _answers(decision: Decision, question: Question) -> bool:
    if decision.code:
        return decision.code == question.code and _same(decision.about, question.about)
    takes = _takes(decision)
    return takes == question.takes and _same(decision.about, question.about)


def _same(one: About, other: About) -> bool:
    """A header that has changed since is the same column all the same."""
    table = one.table == other.table or (
        one.table is not None and other.table is not None and same_table(one.table, other.table)
    )
    return table and (one.file, one.column, one.text) == (other.file, other.column, other.text)


# Reading ------------------------------------------------------------------------------------------


def _takes(decision: Decision) -> str | None:
    match decision.verdict:
        case Told(takes):
            return takes
        case Profiled():
            return PROFILE
        case _:
            return None


def _fact(decision: Decision) -> Fact | Problem | None:
    """None for what decides about rules."""
    takes = _takes(decision)
    if takes is None:
        return None
    verdict = decision.verdict
    text = verdict.value if isinstance(verdict, Told) else ""
    text = verdict.profile if isinstance(verdict, Profiled) else text
    missing = _missing(takes, decision.about)
    if missing:
        return _problem(decision, "refused", f"it does not say which {missing} it is about")
    read = _READ.get(takes)
    if read is None:
        return _problem(decision, "refused", f"nothing is known that takes {takes}")
    try:
        return Fact(decision, takes, read(text))
    except Refused as refused:
        return _problem(decision, "refused", str(refused))


def _missing(takes: str, about: About) -> str | None:
    if takes in _OF_FILES and about.file is None:
        return "file"
    if takes in _OF_TABLES and about.table is None:
        return "table"
    if takes == "legend" and about.text is None:
        return "letter or word"
    return "column" if takes in ("meaning", "legend") and about.column is None else None


def _problem(decision: Decision, state: State, why: str) -> Problem:
    on = decision.on.isoformat() if decision.on else None
    answer = answer_of(decision.verdict)
    return Problem(decision, Answered(state, answer, decision.by, on, why))


# Facts that differ --------------------------------------------------------------------------------


_Claim: TypeAlias = tuple[object, ...]


def _undisputed(found: Sequence[Fact], config: Config) -> tuple[list[Fact], list[Problem]]:
    """Of one person's answers the newer one holds; of two people's that differ, none does."""
    found = [fact for number, fact in enumerate(found) if not _replaced(fact, number, found)]
    tables = _tables_told(found)
    claims: defaultdict[_Claim, list[tuple[object, Fact]]] = defaultdict(list)
    for fact in found:
        for claim, value in _claims(fact, tables, config):
            claims[claim].append((value, fact))
    wrong: list[Problem] = []
    for told in claims.values():
        if len({value for value, _ in told}) > 1:
            wrong += [_disputed(fact, [other for _, other in told]) for _, fact in told]
    gone = [one.decision for one in wrong]
    return [f for f in found if f.decision not in gone], _each_once(wrong)


def _each_once(wrong: Sequence[Problem]) -> list[Problem]:
    kept: list[Problem] = []
    for one in wrong:
        if all(one.decision != other.decision for other in kept):
            kept.append(one)
    return kept


def _replaced(fact: Fact, number: int, found: Sequence[Fact]) -> bool:
    """By the same person's newer word on the same; without dates the later one is newer."""
    return any(
        (other.takes, other.about, other.decision.by) == (fact.takes, fact.about, fact.decision.by)
        and _is_newer(other, at, fact, number)
        for at, other in enumerate(found)
        if other is not fact
    )


def _is_newer(one: Fact, at: int, other: Fact, number: int) -> bool:
    ours, theirs = one.decision.on, other.decision.on
    if ours is not None and theirs is not None and ours != theirs:
        return ours > theirs
    return at > number


def _disputed(fact: Fact, others: Sequence[Fact]) -> Problem:
    told = [other for other in others if other is not fact and other.value != fact.value]
    said = "; ".join(sorted({f"{o.by} said {answer_of(o.decision.verdict)}" for o in told}))
    return problem(fact, "disputed", said)


def _claims(
    fact: Fact, tables: Mapping[tuple[str, tuple[str, ...]], str], config: Config
) -> Iterator[tuple[_Claim, object]]:
    """What it says of what, so that two of them can be told to differ."""
    about = fact.about
    if fact.takes in _OF_TABLES:
        place = (fact.takes, *_place(about, tables, config))
        if fact.takes == "order_by":
            yield place, tuple(name.lower() for name in fact.value)
        else:
            yield from (((*place, old.lower()), new.lower()) for old, new in fact.value)
            yield from (((*place, "new", new.lower()), old.lower()) for old, new in fact.value)
    elif fact.takes == "tables":
        yield from ((("tables", name_key(old)), name_key(new)) for old, new in fact.value)
    elif fact.takes == "table":
        stated = name_key(about.table) if about.table else None
        yield ("table", about.file, stated), name_key(fact.value)
    else:
        yield (fact.takes, about.file, about.column, about.header, about.text), fact.value


def _tables_told(found: Sequence[Fact]) -> dict[tuple[str, tuple[str, ...]], str]:
    """File and table as the file states it -> what it is told to be called."""
    return {
        (fact.about.file or "", name_key(fact.about.table or "")): fact.value
        for fact in found
        if fact.takes == "table"
    }


def _place(
    about: About, tables: Mapping[tuple[str, tuple[str, ...]], str], config: Config
) -> tuple[object, ...]:
    """One for all names of a table; a table that nothing states is its file's own."""
    assert about.table is not None
    told = tables.get((about.file or "", name_key(about.table)), about.table)
    settings = table_settings(config, told)
    reads = settings.name if settings and settings.name else told
    own = about.file if told is about.table and settings is None else None
    return name_key(reads), own


# What is stronger ---------------------------------------------------------------------------------


def _not_beaten(found: Sequence[Fact], config: Config) -> tuple[list[Fact], list[str]]:
    """Without those that the command line beats; and what is to be told of what differs."""
    known: list[Fact] = []
    notices: list[str] = []
    for fact in found:
        asked = getattr(config.asked, fact.takes) if fact.takes in _OF_ALL_FILES else None
        if asked is not None and asked != fact.value:
            notices.append(
                f"{fact.about.file}: --{fact.takes} {asked} holds in this run; {fact.by} said "
                f"{fact.value}"
            )
        elif asked is None:
            known.append(fact)
        notices += _beside_config(fact, config)
    return known, notices


def _beside_config(fact: Fact, config: Config) -> Iterator[str]:
    """What [tables] says otherwise. Of files that is known when they are found."""
    file = config.file or "the configuration"
    if fact.takes == "order_by":
        settings = table_settings(config, fact.about.table or "")
        if settings and settings.order_by and settings.order_by != fact.value:
            told = ", ".join(fact.value)
            yield f"{fact.about.table}: ordered by {told}, as {fact.by} said; {file} says otherwise"
    if fact.takes == "tables":
        for old, new in fact.value:
            settings = table_settings(config, old)
            if settings and settings.name and not same_table(settings.name, new):
                yield f"{old}: {new}, as {fact.by} said; {file} says {settings.name}"


# Laying over --------------------------------------------------------------------------------------


def _laid_over(config: Config, known: Sequence[Fact]) -> Config:
    files: dict[str, ToldOfFile] = {}
    for fact in known:
        if fact.takes in _OF_FILES and fact.about.file is not None:
            before = files.get(fact.about.file, NOTHING_TOLD)
            files[fact.about.file] = _with_file_fact(before, fact)
    tables = dict(config.tables)
    for fact in known:
        if fact.takes == "tables":
            for old, new in fact.value:
                _name_table(tables, old, new)
    told = tuple(_of_table(fact) for fact in known if fact.takes in _OF_TABLES)
    names = tuple(
        (old, new, fact.by) for fact in known if fact.takes == "tables" for old, new in fact.value
    )
    return replace(
        config, told_files=files, told_tables=told, told_names=names, tables=tables
    )  # fmt: skip


def _with_file_fact(told: ToldOfFile, fact: Fact) -> ToldOfFile:
    about, by = fact.about, {**told.by, fact.takes: fact.by}
    match fact.takes:
        case "table":
            tables = {**told.tables, about.table or "": fact.value}
            whose = {**told.tables_by, about.table or "": fact.by}
            return replace(told, tables=tables, tables_by=whose, by=by)
        case "meaning":
            meaning = ToldMeaning(about.column or "", about.header or "", fact.value, fact.by)
            return replace(told, meanings=(*told.meanings, meaning), by=by)
        case "legend":
            where = about.column or "", about.header or "", about.text or ""
            letter = ToldLetter(*where, fact.value, fact.by)
            return replace(told, letters=(*told.letters, letter), by=by)
        case "threshold":
            return replace(told, threshold=fact.value, by=by)
        case "engine":
            return replace(told, engine=fact.value, by=by)
        case "dialect":
            return replace(told, dialect=fact.value, by=by)
        case _:
            return replace(told, profile=fact.value, by=by)


def _of_table(fact: Fact) -> ToldOfTable:
    told = ToldOfTable(fact.about.table or "", fact.about.file, by=fact.by)
    if fact.takes == "order_by":
        return replace(told, order_by=fact.value)
    return replace(told, columns=fact.value)


def _name_table(tables: dict[str, TableSettings], old: str, new: str) -> None:
    """As [tables."old"] name = "new" does; a table that has the name already gets an alias."""
    for name, settings in tables.items():
        if any(same_table(old, spelling) for spelling in (name, *settings.aliases)):
            tables[name] = replace(settings, name=new)
            return
    for name, settings in tables.items():
        if same_table(settings.name or name, new):
            tables[name] = replace(settings, aliases=(*settings.aliases, old))
            return
    tables[old] = TableSettings(name=new)
