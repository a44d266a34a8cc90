"""The names of a table's rules: as if nobody had decided anything, then those that people gave.

So no decision about a rule renames another one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from ruleferry.converters import naming
from ruleferry.converters.decided import who
from ruleferry.converters.drafts import Draft
from ruleferry.converters.express import Condition
from ruleferry.converters.standing import Waiver

Groups: TypeAlias = Sequence[Sequence[Draft]]

_NAME = re.compile(rf"[a-z][a-z0-9_]{{0,{naming.LONGEST - 1}}}")


def names_of(groups: Groups, before: Groups, datasets: Sequence[str]) -> dict[str, str]:
    """Leader's id -> name. `before`: the groups if nobody had decided anything.

    A query of its own is a dataset, and must not be called as another one of the `datasets`.
    """
    bases = {group[0].id: _base_name(group[0], datasets) for group in before}
    left = {g[0].id for g in before if not isinstance(g[0].undecided, Condition)}
    first = naming.distinct_names(bases, left)
    group_of = {draft.id: group[0].id for group in before for draft in group}
    names: dict[str, str] = {}
    taken: set[str] = set()
    for leader in _in_turn(groups):
        was = group_of[leader.id]
        if isinstance(leader.result, Waiver):
            names[leader.id] = first[was]
        elif was not in taken and (not leader.changed or was == leader.id):
            names[leader.id] = first[was]
            taken.add(was)
    new = {g[0].id: _base_name(g[0], datasets) for g in groups if g[0].id not in names}
    return names | _beside({first[was] for was in taken}.union(bases.values()), new)


def _in_turn(groups: Groups) -> Iterator[Draft]:
    """Whose condition nobody changed keeps the name of those that said the same."""
    leaders = [group[0] for group in groups]
    yield from sorted(leaders, key=lambda leader: leader.changed)


def _beside(taken: set[str], new: Mapping[str, str]) -> dict[str, str]:
    """Names for rules that had none of their own; each that clashes ends in digits of its id."""
    shared = Counter(new.values())
    names: dict[str, str] = {}
    for rule_id, base in sorted(new.items()):
        digits = 0 if shared[base] == 1 else naming.SUFFIX
        while (name := naming.with_digits(base, rule_id, digits)) in taken:
            digits = max(digits + 1, naming.SUFFIX)
        names[rule_id] = name
        taken.add(name)
    return names


def _base_name(draft: Draft, datasets: Sequence[str]) -> str:
    base = naming.base_name(draft.rule, draft.id)
    first = draft.undecided
    alone = isinstance(first, Condition) and first.over == "query"
    return f"{base}_query" if alone and base in datasets else base


# Names that people gave ---------------------------------------------------------------------------


def pinned(
    groups: Groups, names: Mapping[str, str], datasets: Sequence[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """The names with those that were given, and leader's id -> why a given one can't be used."""
    living = [group for group in groups if not isinstance(group[0].result, Waiver)]
    given: dict[str, str] = {}
    unnamed: dict[str, str] = {}
    for group in living:
        wanted = _wanted(group)
        why = _refused(wanted, datasets)
        if why:
            unnamed[group[0].id] = f"{_givers(group)}: {why}"
        elif wanted:
            given[group[0].id] = wanted[0]
    others = {group[0].id: names[group[0].id] for group in living}
    while clashing := _clashing(others | given, given):
        for rule_id in clashing:
            group = next(g for g in living if g[0].id == rule_id)
            unnamed[rule_id] = f"{_givers(group)}: another rule is called {given.pop(rule_id)}"
    return {**names, **given}, unnamed


def _wanted(group: Sequence[Draft]) -> list[str]:
    return list(dict.fromkeys(d.standing.called for d in group if d.standing.called is not None))


def _refused(wanted: Sequence[str], datasets: Sequence[str]) -> str:
    if len(wanted) > 1:
        return f"rules that say the same can't have two names: {', '.join(wanted)}"
    if wanted and not _NAME.fullmatch(wanted[0]):
        return (
            f"no rule can be called {wanted[0]!r}: a name has lower-case letters, digits and _, "
            f"begins with a letter, and is at most {naming.LONGEST} signs long"
        )
    if wanted and wanted[0] in datasets:
        return f"a dataset of the module is called {wanted[0]}"
    return ""


def _clashing(names: Mapping[str, str], given: Mapping[str, str]) -> list[str]:
    count = Counter(names.values())
    return [rule_id for rule_id, name in given.items() if count[name] > 1]


def _givers(group: Sequence[Draft]) -> str:
    found = (draft.standing.name for draft in group)
    return ", ".join(dict.fromkeys(who(decision) for decision in found if decision))
