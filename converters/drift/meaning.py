"""What a rule of a module says, however it is written: its condition and what that rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from ruleferry.converters.account import KeysOf, Module
from ruleferry.converters.compare import relation
from ruleferry.converters.drifted import Change, Level
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_parser import parse_condition, parse_query
from ruleferry.converters.normal_form import Form, normal
from ruleferry.converters.read_condition import meaning_of
from ruleferry.converters.rule import Action
from ruleferry.converters.table_names import name_key
from ruleferry.converters.writers.block_columns import needed_by, spoken_of
from ruleferry.converters.writers.rules_module import BlockColumn, ModuleRule

# What one person may change while another one changes the other.
Aspect: TypeAlias = Literal["condition", "action"]
ASPECTS: frozenset[Aspect] = frozenset({"condition", "action"})

Parted: TypeAlias = tuple[Change, Level]

_STRICT: tuple[Action, ...] = ("warn", "drop", "fail")
_TABLE = "{SOURCE_TABLE}"
_STAND_IN = "the_source_table"
_OF_LOOKUPS = frozenset({"LOOKUPS", "COMPARED"})
_OF_DATASETS = frozenset({"FIGURES", "FIGURES_REQUIRED", "QUERIES"})


@dataclass(frozen=True)
class Columns:
    """All columns of a module's edit block."""

    items: tuple[BlockColumn, ...] = ()

    @cached_property
    def names(self) -> Mapping[str, str]:
        return {column.name.lower(): column.name for column in self.items}


@dataclass(frozen=True)
class Tested:
    """A rule of the module `file`, beside all columns that the module computes."""

    file: str
    rule: ModuleRule
    columns: Columns = Columns()

    @cached_property
    def rests_on(self) -> tuple[BlockColumn, ...]:
        names = self.columns.names
        if self.rule.over != "query" and not any(spoken_of(self.rule.condition, names)):
            return ()
        return tuple(needed_by([self.rule], self.columns.items))

    @cached_property
    def definitions(self) -> dict[str, Form]:
        """What the columns are made of, by their names in lower case."""
        return {column.name.lower(): definition(column) for column in self.rests_on}

    @property
    def query(self) -> Form | None:
        """Of a rule that is a query of its own."""
        if self.rule.over != "query":
            return None
        found = self.definitions.get(self.rule.name.lower())
        return found and _whatever_its_name(found, self.rule.name)

    @cached_property
    def condition(self) -> Form:
        text = self.rule.condition
        form = meaning_of(text) or ("unread", " ".join(text.split()))
        return _whatever_its_name(form, self.rule.name) if self.rule.over == "query" else form

    @cached_property
    def meaning(self) -> Form:
        """The condition with what its columns are made of in their places."""
        return _filled(self.condition, self.definitions)

    def outline(self, other: Tested) -> Form:
        """The condition alone, whatever the columns of the two are made of."""
        names = (*self.definitions, *other.definitions)
        return _filled(self.condition, {name: ("made", name.rsplit("_", 1)[-1]) for name in names})


def changes(
    old: Tested, new: Tested, module: Module | None = None, renamed: Mapping[str, str] = {}
) -> list[Parted]:
    """How the second rule differs from the first one, in meaning: nothing where they agree.

    `module`: where the second one is written; `renamed`: columns of the first -> their names in the
    second one.
    """
    found: list[Parted] = []
    if renamed:
        found.append(("renamed_column", "changed"))
    if old.rule.over != new.rule.over:
        found.append(("changed", "changed"))
    else:
        found += _of_condition(old, new, module, renamed)
    return found + _of_action(old.rule.action, new.rule.action)


def aspect_of(change: Change) -> Aspect:
    return "action" if change == "action_changed" else "condition"


def aspects_of(found: Iterable[Parted]) -> frozenset[Aspect]:
    return frozenset(aspect_of(change) for change, _ in found)


def _of_action(old: Action, new: Action) -> list[Parted]:
    if old == new:
        return []
    weaker = _STRICT.index(new) < _STRICT.index(old)
    return [("action_changed", "loosened" if weaker else "changed")]


def _of_condition(
    old: Tested, new: Tested, module: Module | None, renamed: Mapping[str, str]
) -> Iterator[Parted]:
    if not renamed and _alike(old, new):
        return
    names = {name.lower(): ("column", now.lower()) for name, now in renamed.items()}
    before = _filled(old.meaning, names)
    if before != new.meaning:
        numbers = (module.whole, module.roomy) if module else ()
        match relation(new.meaning, before, *numbers):
            case "equal":
                pass
            case _ if _filled(old.outline(new), names) == new.outline(old):
                yield _of_columns(old, new), "changed"
            case "looser":
                yield "loosened", "loosened"
            case "tighter":
                yield "tightened", "changed"
            case "other":
                yield "changed", "changed"
    if old.query != new.query:
        yield "validation_changed", "changed"


def _alike(old: Tested, new: Tested) -> bool:
    """Whether they are written alike: nearly all are, and need no syntax tree."""
    same = old.rule.condition == new.rule.condition
    return same and (old.columns is new.columns or _texts(old) == _texts(new))


def _texts(tested: Tested) -> dict[str, str | KeysOf]:
    return {column.name: column.value for column in tested.rests_on}


def _of_columns(old: Tested, new: Tested) -> Change:
    made = set(old.definitions.values()) ^ set(new.definitions.values())
    where = {
        column.dictionary
        for tested in (old, new)
        for column in tested.rests_on
        if tested.definitions[column.name.lower()] in made
    }
    if where & _OF_LOOKUPS:
        return "lookup_changed"
    return "validation_changed" if where & _OF_DATASETS else "changed"


# Forms --------------------------------------------------------------------------------------------


def form_of(condition: str) -> Form:
    """The normal form of an expression; what is none is its own text, and equal to that alone."""
    try:
        return normal(parse_condition(condition))
    except (Refusal, RecursionError):
        return ("unread", " ".join(condition.split()))


def definition(column: BlockColumn) -> Form:
    if isinstance(column.value, KeysOf):
        keys = column.value
        pairs = frozenset((form_of(ours), form_of(theirs)) for ours, theirs in keys.keys)
        return ("keys", name_key(keys.table), pairs, form_of(keys.where or "TRUE"))
    if column.dictionary != "QUERIES":
        return form_of(column.value)
    text = column.value.replace(_TABLE, _STAND_IN)
    try:
        return ("query", normal(parse_query(text)))
    except (Refusal, RecursionError):
        return ("unread", " ".join(text.split()))


def _whatever_its_name(form: Form, name: str) -> Form:
    """The columns of a query that are called after its rule: the name says nothing of its own."""
    if form[0] == "text":
        return form
    return tuple(_called(part, name) for part in form)


def _called(part: object, name: str) -> object:
    if isinstance(part, str):
        return "{rule}" + part[len(name) :] if part.startswith(f"{name}_") else part
    if isinstance(part, frozenset):
        return frozenset(_called(one, name) for one in part)
    return _whatever_its_name(part, name) if isinstance(part, tuple) and part else part


def _filled(form: Form, made_of: Mapping[str, Form]) -> Form:
    """The form with others in place of columns."""
    if not made_of:
        return form
    if len(form) == 2 and form[0] == "column" and form[1] in made_of:
        return made_of[form[1]]
    return tuple(_part(part, made_of) for part in form)


def _part(part: object, made_of: Mapping[str, Form]) -> object:
    if isinstance(part, tuple):
        return _filled(part, made_of)
    if isinstance(part, frozenset):
        return frozenset(_part(one, made_of) for one in part)
    return part
