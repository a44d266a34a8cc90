"""Every legacy rule with its id, its table and what could be made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ruleferry.converters import naming
from ruleferry.converters.account import Gap, Side
from ruleferry.converters.config import Config, TableSettings, told_name, told_of_table
from ruleferry.converters.express import (
    PLAIN,
    Condition,
    Others,
    OtherTable,
    Traits,
    Types,
    express,
)
from ruleferry.converters.renaming import Names, NotRenamed, Renames, renamed
from ruleferry.converters.rule import (
    Caveat,
    Check,
    LegacyRule,
    NotARule,
    Opposed,
    Reading,
    Repeat,
    Row,
    Table,
    Unread,
)
from ruleferry.converters.standing import NOTHING_DECIDED, Standing, Waiver
from ruleferry.converters.table_names import joined, name_key, same_table
from ruleferry.converters.told import ToldOfTable
from ruleferry.converters.who_told import WhoTold
from ruleferry.converters.wording import in_words

Result: TypeAlias = Condition | Gap | NotARule | Repeat | Waiver
TypesOf: TypeAlias = Callable[[Reading, str], Types]
_NO_TYPES = Types()
_TOO_DEEP = Gap("not_readable", "it is too long: its parts are nested too deep")


@dataclass(frozen=True, slots=True)
class Target:
    """One table: `key` tells it from all others, `reads` is what its module reads.

    `own`: nothing states a table, and the source's own name stands for one. `configured`: [tables]
    has it. `columns`: those that a schema states, in lower case.
    """

    key: str
    name: str
    reads: str
    module: str | None = None
    own: bool = False
    configured: bool = False
    traits: Traits = PLAIN
    columns: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule with its id and what could be made of it.

    `first`: what that was before a person decided about the rule. `as_stated`: the rule with the
    source's own names, which its id is made of; None: as it is. `told`: the facts that it rests on.
    """

    rule: LegacyRule
    id: str
    target: Target
    result: Result
    types: Types = _NO_TYPES
    first: Result | None = None
    standing: Standing = NOTHING_DECIDED
    as_stated: LegacyRule | None = None
    told: tuple[str, ...] = ()

    @property
    def undecided(self) -> Result:
        return self.first or self.result

    @property
    def changed(self) -> bool:
        """Whether a person's decision made something else of it."""
        return self.first is not None and self.first is not self.result


def drafts(
    readings: Sequence[Reading], types_of: TypesOf, config: Config, sources: Mapping[str, str]
) -> list[Draft]:
    """`types_of`: the columns' types for a reading's rules on a table.

    `sources`: file -> the name that stands for it in ids.
    """
    rules = [(reading, rule) for reading in readings for rule in reading.rules]
    ids = naming.rule_ids([rule for _, rule in rules], sources)
    found: list[Draft] = []
    targets: dict[str, Target] = {}
    told = _Told(config, WhoTold(config))
    for (reading, stated), rule_id in zip(rules, ids, strict=True):
        target = _target(stated.table, stated.origin.file, config)
        if isinstance(stated.check, NotARule | Repeat):  # nothing is asked of the table
            draft = told.unasked(stated, rule_id, targets.get(target.key, target))
            found.append(told.credited(draft, stated, reading))
            continue
        types = types_of(reading, target.reads)
        if target.key not in targets:  # one table, in the first of its spellings
            columns = frozenset(types.declared or ())
            targets[target.key] = replace(target, columns=columns)
        target = targets[target.key]
        rule, facts = told.renamed(stated), told.of(stated.table, stated.origin.file)
        types = _called_now(types, facts.names)
        if isinstance(rule, Gap):
            found.append(
                told.credited(Draft(stated, rule_id, target, rule, types), stated, reading)
            )
            continue
        traits = replace(target.traits, order_by=facts.order_by or target.traits.order_by)
        named: dict[str, None] = {}
        result = _result(rule, types, traits, _others(reading, types_of, config, named))
        before = None if rule is stated else stated
        draft = Draft(rule, rule_id, target, result, types, as_stated=before)
        found.append(told.credited(draft, stated, reading, named))
    return found


# What a person told -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Facts:
    """Of one table in one file. `names`: column, in lower case -> its name; `by`: who says so."""

    order: ToldOfTable | None = None
    names: Renames = field(default_factory=dict)
    by: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def order_by(self) -> tuple[str, ...]:
        return self.order.order_by if self.order else ()


@dataclass(frozen=True, slots=True)
class _Told:
    config: Config
    who: WhoTold
    known: dict[tuple[str, Table], _Facts] = field(default_factory=dict)

    def of(self, table: Table, file: str) -> _Facts:
        if (file, table) not in self.known:
            self.known[file, table] = self._of(table, file)
        return self.known[file, table]

    def _of(self, table: Table, file: str) -> _Facts:
        own = not table.stated
        told = told_of_table(self.config, file, table.name, own=own)
        pairs = [(old, new, one.by) for one in told for old, new in one.columns]
        return _Facts(
            next((one for one in told if one.order_by), None),
            {old.lower(): new for old, new, _ in pairs},
            {
                old.lower(): f"{old} is called {new} on Databricks, as {by} said"
                for old, new, by in pairs
            },
            {old.lower(): f"column {old} = {new}, by {by}" for old, new, by in pairs},
        )

    def credited(
        self, draft: Draft, stated: LegacyRule, reading: Reading, others: Iterable[str] = ()
    ) -> Draft:
        """With the facts that made it what it is, and who told them."""
        config = self.config
        if not (config.told_files or config.told_tables or config.told_names):
            return draft
        facts = self.of(stated.table, stated.origin.file)
        renamed_of = facts.columns if draft.as_stated is not None else {}
        found = [
            *self.who.of_file(stated, reading),
            *self.who.of_tables(stated, others),
            *self.who.of_order(stated, facts.order),
            *(said for old, said in renamed_of.items() if _speaks(stated, old)),
        ]
        return replace(draft, told=tuple(dict.fromkeys(found)))

    def renamed(self, rule: LegacyRule) -> LegacyRule | Gap:
        """With the columns' names on Databricks, and what is told of it."""
        facts = self.of(rule.table, rule.origin.file)
        if not any(told.columns for told in self.config.told_tables):
            return rule

        def of_other(name: str) -> Renames:
            return self.of(Table(name), "").names

        try:
            found = renamed(rule, Names(facts.names, of_other))
        except NotRenamed as cannot:
            return Gap("unsupported_query", str(cannot))
        if found == rule:
            return rule
        told = [Caveat("column_renamed", by) for o, by in facts.by.items() if _speaks(rule, o)]
        return replace(found, caveats=(*found.caveats, *told))

    def unasked(self, stated: LegacyRule, rule_id: str, target: Target) -> Draft:
        """What is no rule may say of a column that a value may be missing."""
        rule = self.renamed(stated)
        rule = stated if isinstance(rule, Gap) else rule
        assert isinstance(rule.check, NotARule | Repeat)
        before = None if rule is stated else stated
        return Draft(rule, rule_id, target, rule.check, as_stated=before)


def _speaks(rule: LegacyRule, column: str) -> bool:
    try:
        return renamed(rule, Names({column: f"{column}_"})) != rule
    except NotRenamed:
        return True


def _called_now(types: Types, names: Renames) -> Types:
    """What a source claims of its columns' types, under their names on Databricks."""
    if not names or not types.claimed:
        return types
    claimed = {names.get(old, old).lower(): found for old, found in types.claimed.items()}
    return replace(types, claimed=claimed)


def _others(reading: Reading, types_of: TypesOf, config: Config, named: dict[str, None]) -> Others:
    """What a source calls a table is mapped like its own; what it claims of columns is its own.

    `named`: gets the tables that are asked for.
    """

    def other(name: str) -> OtherTable:
        named[name] = None
        target = _target(Table(name), "", config)
        declared = types_of(reading, target.reads).declared
        confirmed = declared is not None or target.configured
        return OtherTable(target.reads, Types(declared), confirmed)

    return other


def _target(table: Table, file: str, config: Config) -> Target:
    """The settings under the table's name, an alias, or the name that it has now.

    A table that nothing states is its file's own, unless a person told its name.
    """
    settings, told = config.tables, told_name(config, file, table.name)
    if told != table.name:
        table = Table(told)
    for name, found in settings.items():
        if any(same_table(table.name, other) for other in (name, *found.aliases)):
            return _named(name, found)
    for name, found in settings.items():
        if found.name and same_table(table.name, found.name):
            return _named(name, found)
    if table.stated:
        return Target(joined(name_key(table.name)), table.name, table.name)
    return Target(f"{table.name}\n{file}", table.name, table.name, own=True)


def _named(name: str, found: TableSettings) -> Target:
    reads = found.name or name
    traits = Traits(found.order_by, found.streaming)
    key = joined(name_key(reads))
    return Target(key, name, reads, found.module, configured=True, traits=traits)


def _side(opposed: Opposed, rule: LegacyRule, types: Types) -> Side:
    """What a rule would be that another place contradicts, as an answer can state it."""
    says = opposed.says
    if isinstance(says, NotARule) and says.permits:
        return Side(opposed.place, f"{says.permits} may be empty", permits=True)
    if not isinstance(says, Row):
        return Side(opposed.place)
    alone = replace(rule, check=says)
    found = express(alone, types)
    if isinstance(found, Gap) or found.computed or found.over != "record":
        return Side(opposed.place)
    return Side(opposed.place, in_words(alone), found.text)


def _result(rule: LegacyRule, types: Types, traits: Traits, others: Others) -> Result:
    check: Check = rule.check
    match check:
        case Unread():
            side = _side(check.opposed, rule, types) if check.opposed else None
            return Gap(check.code, check.reason, check.doubtful, side)
        case NotARule() | Repeat():
            return check
        case _:
            try:
                return express(rule, types, traits, others)
            except RecursionError:
                return _TOO_DEEP
