"""A dictionary that was converted once, and what `drift` tells after something was changed.

The folder is as it was again after each trial.
"""

import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from cells import change_cells, texts_of

from ruleferry.converters.config import Config, Source, load_config
from ruleferry.converters.conversion import convert
from ruleferry.converters.drift import drift
from ruleferry.converters.reports.ledger_reader import open_ledger

HERE = Path(__file__).parent
SAMPLE = HERE.parents[1] / "samples/orders"
PROFILES = HERE.parent / "readers/profiles"
CARRIED = ("record", "flag", "dataset", "schema")


@dataclass(frozen=True)
class Converted:
    """A folder in which `convert` ran. `dictionary`: the file whose cells are changed."""

    config: Config
    dictionary: str
    entries: tuple = ()
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        return self.config.root / self.dictionary

    @property
    def out(self) -> Path:
        return self.config.root / self.config.out

    @property
    def modules(self) -> list[Path]:
        return sorted(self.out.glob("*_expectations.py"))

    def at(self, place: str) -> list:
        return list(self.by_place.get(place, ()))

    @property
    def by_place(self) -> dict[str, list]:
        found = self.__dict__.get("_by_place")
        if found is None:
            found = defaultdict(list)
            for entry in self.entries:
                if entry.origin.file == self.dictionary:
                    found[entry.origin.place].append(entry)
            object.__setattr__(self, "_by_place", found)
        return found


def sample(folder: Path, *, reports=()) -> Converted:
    """The sample, in a folder of its own."""
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns("expectations"))
    config = replace(load_config(None, folder), reports=reports)
    return _converted(config, "dictionary.xlsx")


def dictionary(folder: Path, path: Path, profile: str | None) -> Converted:
    """One dictionary alone, with a profile of the tests for readers or with none."""
    folder.mkdir(parents=True)
    shutil.copy(path, folder)
    if profile:
        shutil.copy(PROFILES / profile, folder)
    source = Source(path=(path.name,), profile=profile)
    return _converted(Config(folder, folder, sources=(source,), reports=()), path.name)


def _converted(config: Config, name: str) -> Converted:
    convert(config)
    ledger = open_ledger(config.root / config.out / "ledger.json", "ledger.json")
    path = config.root / name
    texts = {} if path.suffix.lower() == ".xls" else texts_of(path)
    return Converted(config, name, tuple(ledger.entries), texts)


# Trials -------------------------------------------------------------------------------------------


@contextmanager
def restored(*paths: Path):
    """What is done to these files is undone at the end; a file that was not there is removed."""
    kept = {path: path.read_bytes() if path.is_file() else None for path in paths}
    try:
        yield
    finally:
        for path, data in kept.items():
            if data is None:
                path.unlink(missing_ok=True)
            else:
                path.write_bytes(data)


def after_cells(book: Converted, texts: Mapping[str, str], *, shared: bool = False):
    """What `drift` tells once these cells hold these texts."""
    with restored(book.path):
        change_cells(book.path, texts, shared=shared)
        return drift(book.config)


def after(book: Converted, path: Path, edit: Callable[[Path], None]):
    """What `drift` tells once a file was edited."""
    with restored(path):
        edit(path)
        return drift(book.config)


def after_text(book: Converted, path: Path, old: str, new: str):
    """Once a text that stands once in a file is another."""

    def edit(path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")

    return after(book, path, edit)


# What was told ------------------------------------------------------------------------------------


def short(told) -> list[str]:
    """For a person who looks at a test that failed."""
    return [
        f"{d.level}: {d.change} ({d.side}) {d.rule} | source {d.source and d.source.place} | "
        f"module {d.module and d.module.place} | {d.source_says and d.source_says.condition} | "
        f"{d.module_says and d.module_says.condition} | {d.last_said and d.last_said.condition} "
        f"| {d.detail}"
        for d in told.differences
    ]
