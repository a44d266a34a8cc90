"""What [actions.rules] may call a rule: by every name of what was merged into it.

Rules that say the same are called after the one that leads them, and a decision may let another one
lead. So a key that held only by the present name could lose its rule by being written. The names
that a rule has of its own depend on no decision.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from ruleferry.converters import naming
from ruleferry.converters.drafts import Draft
from ruleferry.converters.express import Condition

_WHOLE_ID = 12
_SHORT_ID = 6  # as the module shows it


@dataclass(frozen=True, slots=True)
class ActionKeys:
    """`known`: each key that finds its rule. `unclear`: one that several rules have -> better ones.

    `proposed`: the keys that find their rule whatever else is decided.
    """

    known: frozenset[str] = frozenset()
    unclear: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    proposed: tuple[str, ...] = ()


def spellings(stem: str, draft: Draft, name: str) -> tuple[str, ...]:
    """A name of the rule behind each name of its table."""
    return (f"{stem}.{name}", f"{draft.target.name}.{name}", *_as_stated(draft, name))


def _as_stated(draft: Draft, name: str) -> tuple[str, ...]:
    """An action that was decided before a person told the table or the columns stays."""
    stated = draft.as_stated or draft.rule
    renamed = draft.as_stated is not None
    if not renamed and (draft.target.own or stated.table.stated):
        return ()
    before = naming.base_name(stated, draft.id) if renamed else name
    return f"{stated.table.name}.{before}", f"{draft.target.name}.{before}"


def own_keys(stem: str, draft: Draft) -> tuple[str, ...]:
    """By the names that the rule has if it is merged with none, and by its id."""
    names = (key for name in _own_names(draft) for key in spellings(stem, draft, name))
    return (*names, draft.id[:_SHORT_ID], draft.id)


def _own_names(draft: Draft) -> Iterator[str]:
    """A rule whose condition a person changed leaves its name to those that said the same."""
    base = naming.base_name(draft.rule, draft.id)
    if not draft.changed:
        yield base
    for digits in (naming.SUFFIX, _WHOLE_ID):
        yield naming.with_digits(base, draft.id, digits)


def keys_of(stem: str, groups: Sequence[Sequence[Draft]], names: Mapping[str, str]) -> ActionKeys:
    """Those of one table's rules. `names`: leader's id -> its name."""
    having: defaultdict[str, dict[str, Sequence[Draft]]] = defaultdict(dict)
    for group in groups:
        for key in _keys_of_group(stem, group, names[group[0].id]):
            having[key][group[0].id] = group
    unclear = {key: rules for key, found in having.items() if len(rules := _checked(found)) > 1}
    every = [draft for group in groups for draft in group]
    clear = partial(_clear, stem, unclear=unclear, lent=any(draft.changed for draft in every))
    better = {key: _better(key, stem, rules, clear) for key, rules in unclear.items()}
    proposed = (key for draft in every for key in clear(draft))
    return ActionKeys(frozenset(having.keys() - unclear.keys()), better, tuple(proposed))


def _keys_of_group(stem: str, group: Sequence[Draft], name: str) -> Iterator[str]:
    yield group[0].id
    for draft in group:
        yield from spellings(stem, draft, name)
        yield from own_keys(stem, draft)


def _checked(found: Mapping[str, Sequence[Draft]]) -> list[Sequence[Draft]]:
    """What is left for a person, or is no rule, takes no action that a rule can take."""
    return [group for group in found.values() if isinstance(group[0].result, Condition)]


def _better(
    key: str,
    stem: str,
    rules: Iterable[Sequence[Draft]],
    clear: Callable[[Draft], Sequence[str]],
) -> tuple[str, ...]:
    """One key for each of the rules: that of a member that has the name, else of the first."""
    named = (next((d for d in rule if key in own_keys(stem, d)), rule[0]) for rule in rules)
    return tuple(_like(key, clear(draft)) for draft in named)


def _like(key: str, found: Sequence[str]) -> str:
    """With the name of the table that the person wrote."""
    table = key.rpartition(".")[0]
    return next((other for other in found if other.rpartition(".")[0] == table), found[0])


def _clear(stem: str, draft: Draft, unclear: Container[str], *, lent: bool) -> tuple[str, ...]:
    """The shortest of its own names that no other rule has, else its id.

    `lent`: a rule may be called after one that a person took out of it, so the longest is sure.
    """
    names = list(_own_names(draft))
    for name in reversed(names) if lent else names:
        if found := tuple(k for k in spellings(stem, draft, name) if k not in unclear):
            return found
    return (draft.id,)


def merged(found: Iterable[ActionKeys]) -> ActionKeys:
    """Those of all tables."""
    tables = tuple(found)
    return ActionKeys(
        frozenset(key for keys in tables for key in keys.known),
        {key: better for keys in tables for key, better in keys.unclear.items()},
        tuple(key for keys in tables for key in keys.proposed),
    )
