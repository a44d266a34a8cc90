"""The rules that were then and are now, and which of them were looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ruleferry.converters.drift.meaning import Parted, Tested, aspects_of, changes
from ruleferry.converters.drift.pairs import Pair
from ruleferry.converters.drift.sides import Sides
from ruleferry.converters.reports.text import listed

Key: TypeAlias = tuple[str, str]  # a module and the name of one of its rules


@dataclass(frozen=True, slots=True)
class Met:
    """A rule that was one then and is one now. `then`: of the module, None where it is gone."""

    pair: Pair
    then: Tested | None
    now: Tested
    found: Sequence[Parted]


@dataclass(frozen=True, slots=True)
class Seen:
    """The rules that were looked at, so that each two are told of once.

    `standing`: those of the module whose condition a source still states -> the files of these.
    `agreeing`: those of today -> the rule of the module that says the same.
    """

    pairs: set[tuple[Key | None, Key | None]] = field(default_factory=set)
    then: set[Key] = field(default_factory=set)
    now: set[Key] = field(default_factory=set)
    standing: Mapping[Key, Collection[str]] = field(default_factory=dict)
    agreeing: Mapping[Key, Tested] = field(default_factory=dict)

    def first(self, then: Tested | None, now: Tested | None) -> bool:
        """Whether these two were not looked at yet. From now on they were."""
        keys = key_of(then) if then else None, key_of(now) if now else None
        is_first = keys not in self.pairs
        self.pairs.add(keys)
        if keys[0]:
            self.then.add(keys[0])
        if keys[1]:
            self.now.add(keys[1])
        return is_first

    def stays(self, then: Tested) -> str:
        """Why it stays, whatever became of one of those who state it; empty where it does not."""
        files = sorted(self.standing.get(key_of(then), ()))
        verb = "states" if len(files) == 1 else "state"
        return f"{then.rule.name} stays, as {listed(files)} still {verb} it" if files else ""


def key_of(rule: Tested) -> Key:
    return rule.file, rule.rule.name


def met_now(pair: Pair, of: Sides) -> Met:
    then, now = of.rule_then(pair.then), of.rule_now(pair.now)
    assert now is not None, pair.now
    found = changes(then, now, of.modules[now.file], pair.renamed) if then else ()
    return Met(pair, then, now, found)


def agreeing(met: Iterable[Met]) -> Mapping[Key, Tested]:
    return {key_of(one.now): one.then for one in met if one.then is not None and not one.found}


def standing(met: Iterable[Met]) -> Mapping[Key, Collection[str]]:
    found: defaultdict[Key, set[str]] = defaultdict(set)
    for one in met:
        if one.then is not None and "condition" not in aspects_of(one.found):
            assert one.pair.now is not None
            found[key_of(one.then)].add(one.pair.now.origin.file)
    return found
