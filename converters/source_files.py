"""Which files a run reads, and with which [[source]]: patterns and folders become files."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from ruleferry.converters.config import Config, Source
from ruleferry.converters.errors import Fault, InputFaults


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`shown_as` is the path from the configuration's folder, with slashes, on any machine."""

    path: Path
    shown_as: str
    source: Source


def source_files(config: Config, given: Sequence[str] = ()) -> tuple[SourceFile, ...]:
    """The files of a run, sorted: those given on the command line, else those of the config.

    A file belongs to the first [[source]] that names it; a given file that none names is read as
    `config.given` says. Raises InputFaults for every path that names no file, and for every link
    that leads out of the folder.
    """
    faults: list[Fault] = []
    owner: dict[Path, Source] = {}
    # Beside given files the patterns only say how to read them: what they do not find is no fault.
    for path, source in _named(config, [] if given else faults):
        owner.setdefault(path, source)
    if given:
        owner = {path: owner.get(path, config.given) for path in _given(config, given, faults)}
    if faults:
        raise InputFaults(faults)
    files = [SourceFile(path, _shown(path, config), source) for path, source in owner.items()]
    return tuple(sorted(files, key=lambda file: file.shown_as))


def _shown(path: Path, config: Config) -> str:
    return Path(os.path.relpath(path, config.root)).as_posix()


def _named(config: Config, faults: list[Fault]) -> Iterator[tuple[Path, Source]]:
    """(file, source) of every pattern of every [[source]], in their order."""
    for number, source in enumerate(config.sources, 1):
        place = f"source {number}.path"
        for pattern in source.path:
            start = _normal(config.root / Path(*takewhile(_is_literal, Path(pattern).parts)))
            limit = start if ".." in Path(pattern).parts else config.root
            search = _Search(config.file or "", place, pattern, limit, faults)
            for path in search.files(_matches(config.root, pattern)):
                yield path, source


def _given(config: Config, given: Sequence[str], faults: list[Fault]) -> Iterator[Path]:
    """The files and folders of the command line; their names are no patterns."""
    for name in given:
        start = _normal(config.cwd / name)
        # A link that is named itself is meant; one found in a folder is not.
        limit = start if start.is_dir() else None
        search = _Search("command line", "SOURCE", name, limit, faults)
        yield from search.files(_below(start) if start.is_dir() else [start])


def _matches(root: Path, pattern: str) -> Iterator[Path]:
    """What a pattern names: `x` and `x/**` are all files below the folder x."""
    folder = pattern.removesuffix("**").rstrip("/") or "."
    for hit in [root / folder] if _is_literal(folder) else root.glob(folder):
        if not hit.is_dir():
            yield hit
        elif folder != pattern or _is_literal(pattern):
            yield from _below(hit)


def _below(folder: Path) -> Iterator[Path]:
    """All files below a folder; a linked folder is named, and not entered."""
    for base, folders, names in os.walk(folder):
        yield from (Path(base) / name for name in names)
        yield from (path for name in folders if (path := Path(base) / name).is_symlink())


def _is_literal(text: str) -> bool:
    return set("*?[").isdisjoint(text)


def _normal(path: Path) -> Path:
    return Path(os.path.normpath(path))


@dataclass(frozen=True, slots=True)
class _Search:
    """The search for the files of one path; `limit` is the folder that links must not leave."""

    file: str
    place: str
    path: str
    limit: Path | None
    faults: list[Fault]

    def files(self, found: Iterable[Path]) -> list[Path]:
        files: list[Path] = []
        before = len(self.faults)
        for path in sorted(found):
            if self.limit and not path.resolve().is_relative_to(self.limit.resolve()):
                todo = "Copy the file to its place, or name where the link leads."
                self._fault(f"the link {path.name}, which leads out of the folder", todo)
            elif path.is_file():
                files.append(_normal(path))
            elif path.is_symlink() and not path.exists():
                self._fault(f"the link {path.name}, which leads nowhere", "Mend or remove it.")
        if not files and len(self.faults) == before:
            self._fault(f'no file under "{self.path}"', "Check the path.")
        return files

    def _fault(self, found: str, todo: str) -> None:
        self.faults.append(Fault(self.file, self.place, found, "files below the folder", todo))
