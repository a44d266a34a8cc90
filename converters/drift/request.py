"""How a drift is told: what the command line asks for, and the files that keep a report."""

from __future__ import annotations

import os
import posixpath
import re
import shlex
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from ruleferry.converters.config import FILE_NAME, Config
from ruleferry.converters.conversion import convert
from ruleferry.converters.drift import drift
from ruleferry.converters.drifted import LEVELS, At, Drift, Level
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.reports.drift import FORMATS, Format, report_text
from ruleferry.converters.reports.drift.shown import written
from ruleferry.converters.reports.terminal import Line
from ruleferry.converters.text_files import read_text

# The end of a file's name says what is written there; the longer one first. What goes to a
# service line by line (`github`, `azure`), and a text for a person, is printed and has no file.
_ENDINGS: Mapping[str, Format] = {
    ".sarif.json": "sarif",
    ".sarif": "sarif",
    ".json": "json",
    ".xml": "junit",
    ".md": "markdown",
}
# How such a report begins, so that it is not taken for a source or a person's own text.
_BEGINS: Mapping[Format, str] = {
    "markdown": r"### ruleferry drift\n\n\*\*",
    "json": r'\{\s*"version": \d+,\s*"tool": "ruleferry [^"]*",\s*"in_sync": ',
    "junit": r'<\?xml [^>]*\?>\s*<testsuites name="ruleferry drift"',
    "sarif": r'\{\s*"\$schema": "[^"]*",\s*"version": "[^"]*",\s*"runs": \[\s*\{\s*"tool": \{\s*'
    r'"driver": \{\s*"name": "ruleferry"',
}
_Word = TypeVar("_Word", bound=str)


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A file that keeps a report."""

    path: Path
    form: Format


@dataclass(frozen=True, slots=True)
class Request:
    """What the options ask for: which differences count, what is printed, and what is kept."""

    level: Level
    form: Format
    files: tuple[ReportFile, ...] = ()


def requested(fail_on: str, form: str, files: Sequence[str], cwd: Path) -> Request:
    """What the options ask for; the reports that these files kept are removed at once.

    Whatever fails from here on leaves no report of an earlier run that could be taken for its own.
    Raises InputFaults for a wrong word and for a file that is there and is no such report.
    """
    faults: list[Fault] = []
    level = _word("--fail-on", fail_on, tuple(reversed(LEVELS)), faults)
    printed = _word("--format", form, FORMATS, faults)
    kept = [file for name in dict.fromkeys(files) if (file := _file(name, cwd, faults))]
    for file in kept:
        file.path.unlink(missing_ok=True)
    if faults or level is None or printed is None:
        raise InputFaults(faults)
    return Request(level, printed, tuple(kept))


def compared(config: Config, given: Sequence[str]) -> Drift:
    """The comparison, its files named as they are seen from the working directory.

    A service that marks lines of files takes it for the root of the repository.
    """
    found = drift(config, given)
    folder = Path(os.path.relpath(config.root, config.cwd)).as_posix()
    found = found if folder == "." else _seen_from_here(found, folder)
    return found if config.file in (None, FILE_NAME) else _with_config(found, str(config.file))


def written_anew(config: Config, given: Sequence[str], drift: Drift) -> Drift:
    """The drift with the files that a conversion wrote. Raises InputFaults where it may not."""
    done = convert(config, given)
    folder = Path(os.path.relpath(config.root / done.out, config.cwd)).as_posix()
    return replace(drift, written=tuple(f"{folder}/{file}" for file in done.written))


def written_lines(drift: Drift) -> tuple[Line, ...]:
    """What is said after the differences: what was written."""
    return (("", ""), (written(drift.written or ()), "bold"))


def keep(drift: Drift, asked: Request) -> None:
    """Write the report files: all of them, each whole, or none."""
    texts = [report_text(drift, file.form, fail_on=asked.level) for file in asked.files]
    with ExitStack() as undo:
        for file, text in zip(asked.files, texts, strict=True):
            undo.callback(file.path.unlink, missing_ok=True)
            _write(file.path, text)
        undo.pop_all()


# Names of files --------------------------------------------------------------------------------


def _seen_from_here(drift: Drift, folder: str) -> Drift:
    def seen(at: At | None) -> At | None:
        return replace(at, file=_under(folder, at.file)) if at else None

    return replace(
        drift,
        differences=tuple(
            replace(one, source=seen(one.source), module=seen(one.module))
            for one in drift.differences
        ),
        accepted=tuple(
            replace(one, source=seen(one.source), module=seen(one.module)) for one in drift.accepted
        ),
        rules={_under(folder, module): count for module, count in drift.rules.items()},
    )


def _with_config(drift: Drift, file: str) -> Drift:
    """The commands that it advises, as they must be called from here."""
    named = f"`ruleferry convert --config {shlex.quote(file)}"

    def said(text: str) -> str:
        return text.replace("`ruleferry convert", named)

    return replace(
        drift,
        differences=tuple(replace(one, todo=said(one.todo)) for one in drift.differences),
        notices=tuple(map(said, drift.notices)),
    )


def _under(folder: str, file: str) -> str:
    return posixpath.normpath(posixpath.join(folder, file))


# Files -----------------------------------------------------------------------------------------


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".ruleferry-", dir=path.parent) as place:
        complete = Path(place, path.name)
        complete.write_text(text, encoding="utf-8", newline="\n")
        complete.replace(path)


def _word(option: str, given: str, words: Sequence[_Word], faults: list[Fault]) -> _Word | None:
    for word in words:
        if given == word:
            return word
    near = get_close_matches(given.lower(), words, 1)
    todo = f"Write {near[0]}." if near else "Change it."
    faults.append(_fault(option, f'"{given}"', f"one of {', '.join(words)}", todo))
    return None


def _file(name: str, cwd: Path, faults: list[Fault]) -> ReportFile | None:
    """A file that may be written: a new one, or a report of an earlier run."""
    forms = (form for ending, form in _ENDINGS.items() if name.lower().endswith(ending))
    form = next(forms, None)
    if form is None:
        endings = ", ".join(sorted(_ENDINGS))
        faults.append(_fault("--output", f'"{name}"', f"a file's name with {endings}"))
        return None
    path = cwd / name
    if path.exists() and not _is_report(path, form):
        found = "something that is there, and no report of drift"
        faults.append(Fault(name, None, found, "a new file", "Name another file for --output."))
        return None
    return ReportFile(path, form)


def _is_report(path: Path, form: Format) -> bool:
    """Not a source, a module or a person's own text."""
    read = read_text(path, path.name)
    return not isinstance(read, Fault) and re.match(_BEGINS[form], read.text) is not None


def _fault(option: str, found: str, expected: str, todo: str = "Change it.") -> Fault:
    return Fault("command line", option, found, expected, todo)
