"""The committed modules, read as syntax trees, and which rule of the last conversion each holds."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ruleferry.converters.account import Entry, Ledger, Output
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.outputs import MODULE_ENDING, untouched
from ruleferry.converters.text_files import read_text
from ruleferry.converters.writers.rules_module import (
    BLOCK_END,
    BLOCK_NAMES,
    BLOCK_START,
    ModuleRule,
    ModuleRules,
    body_sha256,
    read_module,
)

_DATASETS = ("checked", "clean", "figures", "figures_required", "schema")
# Digits of an id that a comment has at least.
_SHORTEST = 6
_RESTORE = "Restore it from version control, or run `ruleferry convert` again."


@dataclass(frozen=True, slots=True)
class Committed:
    """One module. `shown`: its path as a person sees it; `touched`: it was edited since.

    `body_changed`: below the edit block; `head`: the statements above it, as text. `own_lines`: of
    statements in the block that are not ours. `end`: the line after which the block ends;
    `table_line`: that of SOURCE_TABLE.
    """

    file: str
    shown: str
    text: str
    rules: ModuleRules
    touched: bool
    body_changed: bool
    head: str
    own_lines: tuple[int, ...]
    end: int
    table_line: int


def open_modules(folder: Path, shown: str, ledger: Ledger) -> dict[str, Committed]:
    """file -> module, for all that the last conversion wrote. Raises InputFaults."""
    found: dict[str, Committed] = {}
    faults: list[Fault] = []
    for output in ledger.outputs:
        if output.body_sha256 is None or Path(output.file).name != output.file:
            continue
        try:
            found[output.file] = _open(folder / output.file, f"{shown}/{output.file}", output)
        except InputFaults as wrong:
            faults += wrong.faults
    if faults:
        raise InputFaults(faults)
    return found


def _open(path: Path, shown: str, output: Output) -> Committed:
    if not path.is_file():
        found, expected = "no such file", "the module that the last conversion wrote"
        raise InputFaults([Fault(shown, None, found, expected, _RESTORE)])
    read = read_text(path, shown, may_be_empty=True)
    if isinstance(read, Fault):
        raise InputFaults([read])
    rules = read_module(read.text, shown)
    lines = _lines(read.text)
    return Committed(
        file=output.file,
        shown=shown,
        text=read.text,
        rules=rules,
        touched=not untouched(path, output),
        body_changed=body_sha256(read.text, shown) != output.body_sha256,
        head=head_of(read.text),
        own_lines=tuple(_own_lines(read.text)),
        end=lines.index(BLOCK_END) + 1,
        table_line=next(n for n, line in enumerate(lines, 1) if line.startswith("SOURCE_TABLE")),
    )


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def head_of(text: str) -> str:
    """What is run above the edit block: comments, white space and the docstring are not."""
    lines = _lines(text)
    head = lines[: lines.index(BLOCK_START)] if BLOCK_START in lines else []
    try:
        tree = ast.parse("\n".join(head))
    except (SyntaxError, ValueError):  # an opening bracket above the block closes below it
        return "\n".join(head)
    return "\n".join(ast.unparse(statement) for statement in tree.body if not _is_text(statement))


def _own_lines(text: str) -> Iterator[int]:
    """Where the edit block does something else than to assign its dictionaries."""
    lines = _lines(text)
    start = lines.index(BLOCK_START) + 1 if BLOCK_START in lines else 0
    end = lines.index(BLOCK_END) + 1
    for statement in ast.parse(text).body:
        if start < statement.lineno < end and not _is_ours(statement):
            yield statement.lineno


def _is_ours(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) if (
            name in BLOCK_NAMES
        ):
            return True
    return False


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


# Which rule is which ------------------------------------------------------------------------------


def written_entries(ledger: Ledger, files: Sequence[str]) -> dict[str, dict[str, Entry]]:
    """file -> name -> the rule that the last conversion wrote there."""
    stems = {file.removesuffix(MODULE_ENDING): file for file in files}
    datasets = {f"{stem}_{word}": file for stem, file in stems.items() for word in _DATASETS}
    found: dict[str, dict[str, Entry]] = {file: {} for file in files}
    for entry in ledger.entries:
        if entry.outcome == "merged" or not entry.dataset:
            continue
        own = stems.get(entry.dataset.removesuffix(f"_{entry.name}"))
        file = datasets.get(entry.dataset) or own
        if file is not None:
            found[file][entry.name] = entry
    return found


@dataclass(frozen=True, slots=True)
class Matched:
    """The rules of one module by the ids of their entries; `alone`: those of no entry."""

    by_id: Mapping[str, ModuleRule]
    alone: tuple[ModuleRule, ...]


def matched(module: Committed, written: Mapping[str, Entry]) -> Matched:
    """An entry is found by the short id above the rule, else by its name.

    A rule with both its name and its id goes first: a copy of it with the same comment is another.
    """
    by_id: dict[str, ModuleRule] = {}
    alone: list[ModuleRule] = []
    starts = _by_start(written.values())
    for rule in sorted(module.rules.rules, key=lambda rule: not _is_itself(rule, written)):
        candidates = (*_by_short_id(rule, starts), *_by_name(rule, written))
        entry = next((entry for entry in candidates if entry.id not in by_id), None)
        if entry is None:
            alone.append(rule)
        else:
            by_id[entry.id] = rule
    return Matched(by_id, tuple(sorted(alone, key=lambda rule: rule.line)))


def _is_itself(rule: ModuleRule, written: Mapping[str, Entry]) -> bool:
    entry = written.get(rule.name)
    return entry is not None and (rule.short_id is None or entry.id.startswith(rule.short_id))


def _by_start(entries: Iterable[Entry]) -> Mapping[str, Sequence[Entry]]:
    found: defaultdict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        found[entry.id[:_SHORTEST]].append(entry)
    return found


def _by_short_id(rule: ModuleRule, starts: Mapping[str, Sequence[Entry]]) -> Sequence[Entry]:
    if rule.short_id is None:
        return ()
    near = starts.get(rule.short_id[:_SHORTEST], ())
    alike = [entry for entry in near if entry.id.startswith(rule.short_id)]
    return alike if len(alike) == 1 else ()


def _by_name(rule: ModuleRule, written: Mapping[str, Entry]) -> Sequence[Entry]:
    return (written[rule.name],) if rule.name in written else ()
