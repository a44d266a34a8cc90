"""Writing: whole or not at all, and never over what a person wrote."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from ruleferry.converters.account import Entry, Ledger, Output
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.text_files import read_text
from ruleferry.converters.writers.block_columns import needed_by
from ruleferry.converters.writers.rules_module import (
    BLOCK_END,
    BLOCK_START,
    BlockColumn,
    ModuleRule,
    ModuleRules,
    body_sha256,
    read_module,
)

LEDGER = "ledger.json"
# What is written into a file.
Content: TypeAlias = str | bytes
# Of a file that people fill in, and its name as shown: what would be lost if it were overwritten.
Lost: TypeAlias = Callable[[Path, str], list[Fault]]
MODULE_ENDING = "_expectations.py"
_ENDINGS = ("checked", "clean", "figures", "figures_required", "schema")
_WAYS = (
    "Put the change into ruleferry.toml, or mark the rule with `# manual: reason`, which every "
    "later conversion keeps, or overwrite it with --force."
)
# Lines of an edit block that are compared as rules and columns, and comments that say where a rule
# is from.
_OF_RULES = re.compile(
    r"""\s*(?:["'()\[\]{}]|SOURCE_TABLE\ =|(?:[A-Z]+_)?RULES_[A-Z]+\ =|$
        |(?:LOOKUPS|COMPARED|FLAGS|FIGURES(?:_REQUIRED)?|QUERIES)\ =
        |\#\ (?:\[[0-9a-f]{6,12}\]\ |assumed:|differs:|a\ missing\ value\ fails|manual:))""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Kept:
    """A rule that a person keeps by hand; `entry`: what the last ledger has under its name.

    `columns`: those of the module that its condition names.
    """

    file: str
    rule: ModuleRule
    entry: Entry | None = None
    columns: tuple[BlockColumn, ...] = ()


@dataclass(frozen=True, slots=True)
class Before:
    """What an earlier run left in the output folder. `columns`: file -> those kept by hand."""

    ledger: Ledger | None = None
    kept: tuple[Kept, ...] = ()
    columns: Mapping[str, Sequence[BlockColumn]] = field(default_factory=dict)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def look_before(folder: Path, shown: str, ledger: Ledger | None) -> Before:
    """Read the modules that are there. Raises InputFaults where one of the last run is none."""
    kept: list[Kept] = []
    columns: dict[str, Sequence[BlockColumn]] = {}
    faults: list[Fault] = []
    ours = [output.file for output in _outputs(ledger) if output.body_sha256] if ledger else None
    for file in ours if ours is not None else _modules_in(folder):
        if not (folder / file).is_file():
            continue
        try:
            module = _with_marks(folder / file, f"{shown}/{file}")
        except InputFaults as found:
            faults += found.faults if ours is not None else ()
            continue
        if module is not None:
            kept += _marked(module, file, ledger)
            columns[file] = [column for column in module.columns if column.manual]
    if faults:
        raise InputFaults(faults)
    return Before(ledger, tuple(kept), columns)


def _marked(module: ModuleRules, file: str, ledger: Ledger | None) -> Iterator[Kept]:
    marked = [rule for rule in module.rules if rule.manual]
    written = _written(ledger, file) if marked else {}  # it looks at the whole ledger
    for rule in marked:
        needed = needed_by([rule], module.columns)
        yield Kept(file, rule, written.get(rule.name), tuple(needed))


def _outputs(ledger: Ledger | None) -> list[Output]:
    """What the last run wrote. A ledger that names a file elsewhere was not written by a run."""
    outputs = ledger.outputs if ledger else ()
    return [output for output in outputs if Path(output.file).name == output.file]


def _modules_in(folder: Path) -> list[str]:
    """Without a ledger: what is marked as manual is kept all the same."""
    return sorted(path.name for path in folder.glob(f"*{MODULE_ENDING}"))


def _with_marks(path: Path, shown: str) -> ModuleRules | None:
    """The module, where something in it may be marked."""
    text = _text(path, shown)
    return read_module(text, shown) if "manual:" in text else None


def _text(path: Path, shown: str) -> str:
    found = read_text(path, shown, may_be_empty=True)
    if isinstance(found, Fault):
        raise InputFaults([found])
    return found.text


def _written(ledger: Ledger | None, file: str) -> dict[str, Entry]:
    """The rules of a module of the last run, by name."""
    stem = file.removesuffix(MODULE_ENDING)
    entries = ledger.entries if ledger else ()
    written = (e for e in entries if e.outcome != "merged" and e.dataset)
    return {e.name: e for e in written if e.dataset in {f"{stem}_{d}" for d in (*_ENDINGS, e.name)}}


# What is there already ----------------------------------------------------------------------------


def refuse_overwriting(
    folder: Path,
    shown: str,
    texts: Mapping[str, Content],
    before: Before,
    filled: Mapping[str, Lost] = MappingProxyType({}),
) -> None:
    """Raises InputFaults for every file that is there and is not as the last ledger says.

    `filled`: the files that people fill in; such a one may be overwritten where nothing is lost.
    """
    known = {output.file: output for output in _outputs(before.ledger)}
    faults: list[Fault] = []
    for file, text in texts.items():
        path = folder / file
        if not path.exists() or (file == LEDGER and before.ledger):
            continue
        name, output = f"{shown}/{file}", known.get(file)
        if file in filled and path.is_file():
            changed = output is None or not untouched(path, output)
            faults += filled[file](path, name) if changed else ()
            continue
        try:
            faults += _differences(path, name, output, text, before.ledger)
        except InputFaults as unreadable:
            faults += unreadable.faults
    if faults:
        raise InputFaults(faults)


def _differences(
    path: Path, shown: str, output: Output | None, text: Content, ledger: Ledger | None
) -> list[Fault]:
    if output is None or not path.is_file():
        return [_fault(shown, None, "a file that ruleferry did not write")]
    if untouched(path, output):
        return []
    if output.body_sha256 is None or isinstance(text, bytes):
        return [_fault(shown, None, "a file that was changed since it was written")]
    return _edits(_text(path, shown), shown, output, text, ledger)


def untouched(path: Path, output: Output) -> bool:
    """Ends of lines don't count: version control may change them."""
    data = path.read_bytes()
    return output.sha256 in (digest(data), digest(data.replace(b"\r\n", b"\n")))


def _edits(text: str, shown: str, output: Output, anew: str, ledger: Ledger | None) -> list[Fault]:
    """The changes of a module that nothing keeps: its text now, and as it would be written anew.

    A rule is as the last run wrote it where the ledger says so, or where it would be written again:
    the ledger has neither the action that --max-action lowered nor the column that holds the time.
    """
    there, new = read_module(text, shown), read_module(anew, shown)
    faults = []
    if body_sha256(text, shown) != output.body_sha256:
        faults.append(_fault(shown, None, "a change below the rules"))
    if there.source_table != new.source_table:
        faults.append(_renamed(shown, there.source_table))
    faults += _own_lines(text, shown, anew)
    written = _written(ledger, output.file)
    again = {(rule.name, rule.condition, rule.action) for rule in new.rules}
    for rule in there.rules:
        entry = written.pop(rule.name, None)
        if rule.manual or (rule.name, rule.condition, rule.action) in again:
            continue
        place = f"line {rule.line}"
        if entry is None:
            faults.append(_fault(shown, place, f"a rule of its own, {rule.name}"))
        elif (rule.condition, rule.action) != (entry.condition, entry.action):
            faults.append(_fault(shown, place, f"a change of {rule.name}"))
    faults += [_fault(shown, None, f"that {name} was removed") for name in written]
    faults += _column_edits(there, new, shown, ledger)
    by_hand = {e.name for e in _written(ledger, output.file).values() if _is_kept(e)}
    if any(column.manual for column in there.columns):
        return faults
    if faults or any(rule.manual or rule.name in by_hand for rule in there.rules):
        return faults
    return [_fault(shown, None, "a change of its text")]


def _column_edits(
    there: ModuleRules, new: ModuleRules, shown: str, ledger: Ledger | None
) -> Iterator[Fault]:
    """What nothing keeps; the ledger has the SQL of columns within its flags and queries."""
    again = {(column.name, column.value) for column in new.columns}
    entries = ledger.entries if ledger else ()
    flags = {(e.flag.column, e.flag.sql) for e in entries if e.flag}
    again |= flags
    table = there.source_table
    queries = [e.validation.query for e in entries if e.validation]
    for column in new.columns:
        written = (column.name, column.value) in flags or _stands_in(column, table, queries)
        if written and column.name not in {other.name for other in there.columns}:
            yield _fault(shown, None, f"that {column.name} was removed from {column.dictionary}")
    for column in there.columns:
        known = (column.name, column.value) in again
        if not (column.manual or known or _stands_in(column, table, queries)):
            found = f"a change of {column.name} in {column.dictionary}"
            yield _fault(shown, f"line {column.line}", found)


def _stands_in(column: BlockColumn, table: str, queries: Sequence[str]) -> bool:
    if column.dictionary == "QUERIES":
        return str(column.value).replace("{SOURCE_TABLE}", table) in queries
    return any(f"{column.value} AS {column.name}" in query for query in queries)


def _renamed(shown: str, table: str) -> Fault:
    todo = (
        f"Name the table where the next run finds it: --table SUITE={table}, or in ruleferry.toml "
        f'[tables."its name in the sources"] name = "{table}". --force undoes the change.'
    )
    found = f"the SOURCE_TABLE {table}"
    return Fault(shown, "SOURCE_TABLE", found, "the file as the last run wrote it", todo)


def _is_kept(entry: Entry) -> bool:
    return any(caveat.code == "kept_by_hand" for caveat in entry.caveats)


def _own_lines(text: str, shown: str, anew: str) -> Iterator[Fault]:
    """Lines above the end of the edit block that belong to no rule, and that nobody would write."""
    again = set(anew.splitlines())
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if line == BLOCK_END:
            return
        in_block = in_block or line == BLOCK_START
        if line not in again and not (in_block and _OF_RULES.match(line)):
            yield _fault(shown, f"line {number}", f"a line of its own: {line.strip()[:60]}")


def _fault(file: str, place: str | None, found: str) -> Fault:
    return Fault(file, place, found, "the file as the last run wrote it", _WAYS)


def stale_outputs(
    folder: Path, files: Sequence[str], before: Before, needed: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Outputs of the last run that this one does not write: those to remove, and those to leave.

    What was edited is left, and what is `needed`, since it holds a rule that is kept nowhere else.
    """
    remove: list[str] = []
    leave: list[str] = []
    for output in _outputs(before.ledger):
        path = folder / output.file
        if output.file in files or not path.is_file():
            continue
        gone = untouched(path, output) and output.file not in needed
        (remove if gone else leave).append(output.file)
    return remove, leave


# Writing ------------------------------------------------------------------------------------------


def data_of(content: Content) -> bytes:
    return content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")


def write_all(folder: Path, texts: Mapping[str, Content], stale: Sequence[str]) -> None:
    """All files are complete beside their places before the first one is moved there.

    Where a move fails, those before it are undone.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix=".ruleferry-", dir=folder) as place,
        ExitStack() as undo,
    ):
        staging, saved = Path(place, "new"), Path(place, "old")
        staging.mkdir()
        saved.mkdir()
        for file, text in texts.items():
            (staging / file).write_bytes(data_of(text))
        for file in (*texts, *stale):
            if (folder / file).is_file():
                shutil.copy2(folder / file, saved / file)
            undo.callback(_restore, folder / file, saved / file)
            if file in texts:
                (staging / file).replace(folder / file)
            else:
                (folder / file).unlink(missing_ok=True)
        undo.pop_all()


def _restore(path: Path, saved: Path) -> None:
    if saved.is_file():
        saved.replace(path)
    elif path.is_file():
        path.unlink()
