"""One entry of the ledger for each rule: its outcome, condition and action, and where it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ruleferry.converters import naming
from ruleferry.converters.account import Because, Entry, Flag, Gap, Validation
from ruleferry.converters.action_keys import ActionKeys, own_keys, spellings
from ruleferry.converters.actions import decided, strictest, undecided
from ruleferry.converters.config import Config
from ruleferry.converters.decided import who
from ruleferry.converters.drafts import Draft, Result
from ruleferry.converters.express import Condition
from ruleferry.converters.express.computed import of_table, query_text, with_names
from ruleferry.converters.plain_words import rule_in_words
from ruleferry.converters.rule import Action, Caveat, NotARule, Outcome, Repeat, Unread
from ruleferry.converters.standing import Standing, Waiver, graded, reason_of, sentences
from ruleferry.converters.table_names import table_reference

Decision = tuple[Action, Because]


@dataclass(frozen=True, slots=True)
class TableRules:
    """The rules of one table. A group says the same thing; its first member leads it.

    `names` and `computed` are those of the leaders, by id: the rule's name, and the columns that a
    dataset computes for it, by their stand-ins. `unnamed`: leader -> why a name that a person gave
    it can't be used. `keys`: what [actions.rules] may call the rules.
    """

    stem: str
    groups: tuple[tuple[Draft, ...], ...]
    names: Mapping[str, str]
    computed: Mapping[str, Mapping[str, Flag]]
    unnamed: Mapping[str, str] = field(default_factory=dict)
    keys: ActionKeys = field(default_factory=ActionKeys)


def table_entries(table: TableRules, config: Config) -> list[Entry]:
    made: list[Entry] = []
    for group in table.groups:
        leader, *followers = group
        decision = _decision(table, group, config)
        marked = config.quarantine == "column"
        made.append(_entry(leader, leader, table, decision, marked=marked))
        made += [_entry(draft, leader, table, None) for draft in followers]
    return made


def _decision(table: TableRules, group: Sequence[Draft], config: Config) -> Decision | None:
    if not isinstance(group[0].result, Condition):
        return None
    decisions = decisions_of(table, group, config)
    # All of them run today, so the strictest holds.
    return strictest(decisions) if decisions else undecided(config.actions)


# What the other datasets of a module are called after its table.
OTHER_DATASETS = ("checked", "clean", "quarantine", "figures", "figures_required", "schema")


def dataset_of(
    stem: str,
    action: Action,
    outcome: Outcome = "record",
    *,
    query: str | None = None,
    marked: bool = False,
) -> str:
    """The dataset of a module that carries the rules of an action.

    `query`: the name of a rule that is a query of its own. `marked`: the checked table has a column
    for the quarantine.
    """
    if query is not None:
        return f"{stem}_{query}"
    if outcome == "schema":
        return f"{stem}_schema"
    if outcome == "dataset":
        return f"{stem}_figures{'_required' if action == 'fail' else ''}"
    return f"{stem}_{'checked' if marked or action == 'fail' else 'clean'}"


def decisions_of(table: TableRules, group: Sequence[Draft], config: Config) -> list[Decision]:
    """What was decided about the members of a group; what is said of its leader is for all.

    A person's decision about any of them beats all else; that it warns, nothing but that nobody
    decided.
    """
    if acted := [found for draft in group for found in _acted(draft.standing)]:
        return acted
    found = (decided(d.rule, _keys(table, d, group[0]), config.actions) for d in group)
    by_sources = [decision for decision in found if decision is not None]
    return by_sources or [found for draft in group for found in _confirmed(draft.standing)]


def _keys(table: TableRules, draft: Draft, leader: Draft) -> list[str]:
    """What is said of one rule beats what is said of those that it was merged with."""
    of_all = (*spellings(table.stem, draft, table.names[leader.id]), leader.id)
    keys = (*own_keys(table.stem, draft), *of_all)
    return [key for key in keys if key not in table.keys.unclear]


def _acted(standing: Standing) -> list[Decision]:
    if standing.action is None or standing.acted is None:
        return []
    return [(standing.acted, Because("decision", who(standing.action)))]


def _confirmed(standing: Standing) -> list[Decision]:
    decision = standing.confirmed
    return [("warn", Because("decision", who(decision)))] if decision else []


def _entry(
    draft: Draft,
    leader: Draft,
    table: TableRules,
    decision: Decision | None,
    *,
    marked: bool = False,
) -> Entry:
    rule, result = draft.rule, draft.result
    merged = draft is not leader
    outcome: Outcome = "merged" if merged else _outcome(result)
    condition = result if isinstance(result, Condition) else None
    columns = table.computed.get(leader.id, {})
    action, because, told = _for_dataset(decision, outcome)
    words = _words(draft, leader.result)
    entry = Entry(
        id=draft.id,
        atom=rule.atom,
        name=table.names[leader.id],
        title=rule.title or words,
        kind=rule.kind,
        table=draft.target.name,
        columns=rule.columns,
        outcome=outcome,
        origin=rule.origin,
        text_sha256=naming.text_sha256(rule),
        nulls=condition.nulls if condition else "none",
        words=words if rule.title else "",
        tags=rule.tags,
        dataset=_dataset(table, leader, action, outcome, marked=marked) if action else None,
        condition=_named(condition, columns) if condition else None,
        action=action,
        because=because,
        grade=graded(condition.caveats, draft.standing) if condition and not merged else None,
        caveats=_unstated(draft) + _told(draft) + told + _unnamed(draft, table),
        gap=result if isinstance(result, Gap) else None,
        merged_into=leader.id if merged else None,
        reason=result.reason if isinstance(result, NotARule) else None,
        waived=_waived(result, table) if isinstance(result, Waiver) else None,
        decided=(*draft.told, *sentences(draft.standing.holding)),
    )
    if not columns or merged:
        return entry
    return _with_columns(entry, columns, draft, table.stem)


def _words(draft: Draft, result: Result) -> str:
    """A condition that stands for many rules says each of them."""
    if not isinstance(result, Condition) or result.over != "record" or result.computed:
        return rule_in_words(draft.rule)
    return rule_in_words(draft.rule, result.text, result.nulls, stated=draft.changed)


def _dataset(
    table: TableRules, leader: Draft, action: Action, outcome: Outcome, *, marked: bool
) -> str:
    result = leader.result
    alone = isinstance(result, Condition) and result.over == "query"
    query = table.names[leader.id] if alone else None
    return dataset_of(table.stem, action, outcome, query=query, marked=marked)


def _named(condition: Condition, columns: Mapping[str, Flag]) -> str:
    names = {stand_in: flag.column for stand_in, flag in columns.items()}
    return with_names(condition.text, names)


def _for_dataset(
    decision: Decision | None, outcome: Outcome
) -> tuple[Action | None, Because | None, tuple[Caveat, ...]]:
    """A figure has no record that could be dropped, so a drop only warns."""
    if decision is None:
        return None, None, ()
    action, because = decision
    if outcome not in ("dataset", "schema") or action != "drop":
        return action, because, ()
    detail = f"drop was decided ({because.detail}); a figure has no record to drop, so it warns"
    return "warn", because, (Caveat("no_record_to_drop", detail),)


def _with_columns(entry: Entry, columns: Mapping[str, Flag], draft: Draft, stem: str) -> Entry:
    """One column of the checked table at most, and the figures of a dataset."""
    flag = next((column for column in columns.values() if column.of_record), None)
    if entry.outcome == "flag":
        return replace(entry, flag=flag)
    figures = [column for column in columns.values() if not column.of_record]
    source = f"{stem}_checked" if flag else draft.target.reads
    query = _query(figures, source, draft.target.reads)
    assert entry.dataset is not None
    assert entry.condition is not None
    validation = Validation(entry.dataset, query, entry.condition)
    return replace(entry, flag=flag, validation=validation)


def _query(figures: Sequence[Flag], source: str, table: str) -> str:
    """What the dataset computes for the rule: figures of all records, and of queries."""
    if figures[0].over == "query":
        return of_table(query_text(figures), table_reference(table))
    return figures_query(figures, source)


def figures_query(figures: Sequence[Flag], source: str) -> str:
    chosen = ", ".join(f"{figure.sql} AS {figure.column}" for figure in figures)
    return f"SELECT {chosen} FROM {source}"  # noqa: S608 - shown, never run


def _outcome(result: Result) -> Outcome:
    match result:
        case Condition(over="figures" | "query"):
            return "dataset"
        case Condition(over="schema"):
            return "schema"
        case Condition():
            return "flag" if result.computed else "record"
        case Gap():
            return "gap"
        case NotARule():
            return "not_a_rule"
        case Repeat():
            return "merged"
        case Waiver():
            return "waived"


def _waived(waiver: Waiver, table: TableRules) -> str:
    holds = table.names.get(waiver.instead or "", waiver.instead or "")
    return reason_of(waiver, f"{table.stem}.{holds}")


def _unnamed(draft: Draft, table: TableRules) -> tuple[Caveat, ...]:
    why = table.unnamed.get(draft.id)
    return (Caveat("name_refused", why),) if why else ()


def _told(draft: Draft) -> tuple[Caveat, ...]:
    match draft.result:
        case Condition():
            return draft.result.caveats
        case Gap():
            return draft.rule.caveats
        case NotARule() | Repeat() | Waiver():
            return ()


def _is_of_no_table(draft: Draft) -> bool:
    """A statement of a script that was not read names its table itself, once it can be."""
    unread = isinstance(draft.rule.check, Unread) and isinstance(draft.result, Gap)
    return draft.rule.origin.tool == "sql" and unread


def _unstated(draft: Draft) -> tuple[Caveat, ...]:
    if draft.rule.table.stated or not draft.target.own:
        return ()
    if isinstance(draft.result, NotARule | Repeat | Waiver) or _is_of_no_table(draft):
        return ()  # nothing reads that table for it
    detail = f"the module reads {draft.target.reads}, the name of its source"
    if draft.rule.table.told:
        detail += f"; {draft.rule.table.told}"
    return (Caveat("table_not_stated", detail),)
