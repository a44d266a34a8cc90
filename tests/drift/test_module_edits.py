"""Each entry of a module is edited once, and `drift` tells what the edit means, and in which line.

Many entries are edited at a time, each in a way of its own: what is told must be what was done.
`python test_module_edits.py DIR` prints how many entries were edited and told right.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from books import BOOKS, Book
from conditions import others, respelt
from modules import RULES, Dictionary, Item, ModuleText, split_over_lines, written
from trial import Converted, dictionary, drift, restored, sample, short

QUICK = ("02_dataact_appropFields.csv", "31_sage_schematic_model.csv")
_ORDER = ("WARN", "DROP", "FAIL")
LEVELS = {"removed": "removed", "loosened": "loosened"}
REASON = "agreed with the owner of the table"


@dataclass(frozen=True)
class Edit:
    """What was done to an entry. `told`: what may be told of it; empty: nothing. `level`: where
    it isn't that of the class. `rule`: its name now. `accepted`: it is listed as a person's.
    """

    what: str
    dictionary: str
    rule: str
    told: tuple[str, ...] = ()
    level: str = ""
    accepted: bool = False
    gone: bool = False


@pytest.fixture(scope="module")
def converted(shared, tmp_path_factory):
    made = {}

    def of(book: Book) -> Converted:
        if book.id not in made:
            folder = tmp_path_factory.mktemp("books") / "one"
            file = shared / "corpus/spreadsheets" / book.file
            made[book.id] = dictionary(folder, file, book.profile)
        return made[book.id]

    return of


# Edits --------------------------------------------------------------------------------------------


def ways(module: ModuleText, found: Dictionary, item: Item) -> Iterator[tuple]:
    """All edits of one rule: what to do, and what must be told of it."""
    condition = item.text
    for new, told in others(condition):
        yield _set(item, new), Edit(f"-> {new}", found.name, item.name, told)
        yield _mark(item, new), Edit("marked", found.name, item.name, accepted=True)
    for new in respelt(condition):
        yield _set(item, new), Edit(f"== {new}", found.name, item.name)
    yield _split(item, condition), Edit("split", found.name, item.name)
    yield _comment(item), Edit("comment", found.name, item.name)
    yield _take_out(item), Edit("taken out", found.name, item.name, ("removed",), gone=True)
    renamed = f"{item.name}_too"
    if not found.name.startswith("QUERY"):  # a query is called as its rule
        edit = Edit("renamed", found.name, renamed, ("name_changed",), "any")
        yield _rename(item, renamed), edit
    for other, level in _neighbours(module, found.name):
        edit = Edit(f"moved to {other}", other, item.name, ("action_changed",), level)
        yield _move(module, found, item, other), edit


def _set(item: Item, condition: str):
    def do() -> None:
        item.lines = written(item.name, condition)

    return do


def _mark(item: Item, condition: str):
    def do() -> None:
        item.above = [*item.above, f"    # manual: {REASON}"]
        item.lines = written(item.name, condition)

    return do


def _split(item: Item, condition: str):
    def do() -> None:
        item.lines = split_over_lines(item.name, condition)

    return do


def _comment(item: Item):
    def do() -> None:
        item.above = [*item.above, "    # seen by the team in March"]

    return do


def _take_out(item: Item):
    def do() -> None:
        item.above, item.lines = [], []

    return do


def _rename(item: Item, name: str):
    def do() -> None:
        item.lines = [item.lines[0].replace(f'"{item.name}"', f'"{name}"', 1), *item.lines[1:]]
        item.name = name

    return do


def _move(module: ModuleText, found: Dictionary, item: Item, other: str):
    def do() -> None:
        found.items.remove(item)
        module.dictionaries()[other].items.append(item)

    return do


def _neighbours(module: ModuleText, name: str) -> Iterator[tuple[str, str]]:
    stem, _, action = name.rpartition("_")
    for other in _ORDER:
        target = f"{stem}_{other}"
        if other != action and target in module.dictionaries():
            weaker = _ORDER.index(other) < _ORDER.index(action)
            yield target, "loosened" if weaker else "changed"


def edited(module: ModuleText, turn: int, *, every: int = 1) -> list[Edit]:
    """Does one edit to each rule of the module; with another turn another one."""
    rules = [
        (found, item)
        for found in module.dictionaries().values()
        if RULES.fullmatch(found.name)
        for item in found.items
    ]
    done = []
    for number, (found, item) in enumerate(rules):
        if number % every == turn % every:
            choices = list(ways(module, found, item))
            do, edit = choices[(number * 7 + turn) % len(choices)]
            do()
            done.append(edit)
    for part in module.dictionaries().values():
        part.items = [item for item in part.items if item.lines]
    return done


# What is told -------------------------------------------------------------------------------------


def unlike(edits: Sequence[tuple[str, ModuleText, Edit]], told) -> list[str]:
    """`edits`: module as shown, its text, the edit."""
    by_rule = {(file, edit.rule): (module, edit) for file, module, edit in edits}
    lines = {}
    for difference, line in zip(told.differences, short(told), strict=True):
        file = difference.module.file if difference.module else _module_of(difference, edits)
        lines[file, difference.rule] = [*lines.get((file, difference.rule), ()), (difference, line)]
    wrong = []
    for key, (module, edit) in by_rule.items():
        found = lines.pop(key, [])
        wrong += _wrong(module, edit, found, key)
    wrong += [f"too much: {line}" for many in lines.values() for _, line in many]
    accepted = Counter((one.rule, one.reason) for one in told.accepted)
    wanted = Counter((edit.rule, REASON) for _, _, edit in edits if edit.accepted)
    wrong += [f"not accepted: {one}" for one in (wanted - accepted).elements()]
    wrong += [f"accepted, too: {one}" for one in (accepted - wanted).elements()]
    return wrong


def _module_of(difference, edits) -> str:
    """A rule that was taken out stands in no module: its table tells in which one it stood."""
    return next(
        (
            file
            for file, module, edit in edits
            if edit.gone
            and edit.rule == difference.rule
            and module.table == _plain(difference.table)
        ),
        "",
    )


def _plain(table: str) -> str:
    return table.replace("`", "").casefold()


def _wrong(module: ModuleText, edit: Edit, found, key) -> Iterator[str]:
    if not edit.told:
        yield from (f"not silent: {key} {edit.what}: {line}" for _, line in found)
        return
    if len(found) != 1:
        yield f"told {len(found)} times: {key} {edit.what} {[line for _, line in found]}"
        return
    ((difference, line),) = found
    level = edit.level or LEVELS.get(difference.change, "changed")
    place = None if edit.gone else f"line {module.line_of(edit.dictionary, edit.rule)}"
    at = difference.module.place if difference.module else None
    if (difference.change not in edit.told) or (difference.side, difference.level, at) != (
        "hand", level, place
    ):  # fmt: skip
        yield f"wanted {edit.told} {level} {place}: {key} {edit.what}: {line}"


def tried(made: Converted, turn: int, *, every: int = 1) -> tuple[int, list[str]]:
    """How many entries were edited, and what was told wrong."""
    edits = []
    with restored(*made.modules):
        for path in made.modules:
            module = ModuleText.of(path.read_text(encoding="utf-8"))
            shown = f"{made.config.out}/{path.name}"
            edits += [(shown, module, edit) for edit in edited(module, turn, every=every)]
            path.write_text(str(module), encoding="utf-8", newline="\n")
        return len(edits), unlike(edits, drift(made.config))


@pytest.mark.parametrize("turn", range(24))
def test_each_rule_of_the_sample(orders, turn):
    assert tried(orders, turn)[1] == []


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("book", [b for b in BOOKS if b.file in QUICK], ids=lambda b: b.id)
def test_each_rule_of_a_dictionary(book, converted, turn):
    assert tried(converted(book), turn)[1] == []


@pytest.mark.more
@pytest.mark.parametrize("book", BOOKS, ids=lambda b: b.id)
def test_each_rule_of_all_dictionaries(book, converted):
    for turn in range(12):
        assert tried(converted(book), turn)[1] == []


def main(folder: str, *names: str) -> None:
    shared = Path(__file__).resolve().parents[3] / "shared"
    made = {"sample": sample(Path(folder) / "sample")}
    for book in BOOKS:
        if not names or any(name in book.file for name in names):
            file = shared / "corpus/spreadsheets" / book.file
            made[book.id] = dictionary(Path(folder) / book.id, file, book.profile)
    for name, one in made.items():
        count, wrong = 0, []
        for turn in range(24 if name == "sample" else 6):
            entries, found = tried(one, turn)
            count += entries
            wrong += found
        print(f"{name}: {count} edits, {len(wrong)} told wrong")  # noqa: T201
        for line in wrong[:20]:
            print("   ", line[:600])  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
