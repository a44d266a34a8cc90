"""Writing: whole or not at all, and never over what a person wrote."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.rule import Entry, Ledger, Output
from ruleferry.converters.writers.rules_module import ModuleRule, body_sha256, read_module

LEDGER = "ledger.json"
_WAYS = (
    "Put the change into ruleferry.toml, or mark the rule with `# manual: reason`, which every "
    "later conversion keeps, or overwrite it with --force."
)


@dataclass(frozen=True, slots=True)
class Before:
    """What an earlier run left in the output folder; `manual`: file -> the rules to keep."""

    ledger: Ledger | None
    manual: Mapping[str, tuple[ModuleRule, ...]]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def look_before(folder: Path, ledger: Ledger | None) -> Before:
    """Read the modules of the last run. Raises InputFaults where one is no module any more."""
    manual: dict[str, tuple[ModuleRule, ...]] = {}
    for output in ledger.outputs if ledger else ():
        path = folder / output.file
        if output.body_sha256 is None or not path.is_file():
            continue
        text = path.read_text("utf-8")
        if digest(path.read_bytes()) == output.sha256 and "manual:" not in text:
            continue
        rules = [rule for rule in read_module(text, output.file).rules if rule.manual]
        if rules:
            manual[output.file] = tuple(rules)
    return Before(ledger, manual)


def refuse_overwriting(folder: Path, shown: str, files: Sequence[str], before: Before) -> None:
    """Raises InputFaults for every file that is there and is not as the last ledger says."""
    known = {o.file: o for o in before.ledger.outputs} if before.ledger else {}
    faults: list[Fault] = []
    for file in files:
        path = folder / file
        if path.exists():
            faults += _differences(path, f"{shown}/{file}", known.get(file), before.ledger)
    if faults:
        raise InputFaults(faults)


def _differences(
    path: Path, shown: str, output: Output | None, ledger: Ledger | None
) -> list[Fault]:
    if path.name == LEDGER and ledger is not None:
        return []
    if output is None or ledger is None:
        return [_fault(shown, None, "a file that ruleferry did not write")]
    data = path.read_bytes()
    if digest(data) == output.sha256:
        return []
    if output.body_sha256 is None:
        return [_fault(shown, None, "a file that was changed since it was written")]
    return _edits(data.decode("utf-8"), shown, output, ledger)


def _edits(text: str, shown: str, output: Output, ledger: Ledger) -> list[Fault]:
    """The changes of a module that are not marked as manual."""
    rules = read_module(text, shown).rules
    faults: list[Fault] = []
    if body_sha256(text, shown) != output.body_sha256:
        faults.append(_fault(shown, None, "a change below the rules"))
    written = _written(ledger, output.file)
    for rule in rules:
        entry = written.pop(rule.name, None)
        if rule.manual:
            continue
        if entry is None:
            faults.append(_fault(shown, f"line {rule.line}", f"a rule of its own, {rule.name}"))
        elif (rule.condition, rule.action) != (entry.condition, entry.action):
            faults.append(_fault(shown, f"line {rule.line}", f"a change of {rule.name}"))
    faults += [_fault(shown, None, f"that {name} was removed") for name in written]
    return (
        faults or [_fault(shown, None, "a change of its text")]
        if not _any_manual(rules)
        else faults
    )


def _any_manual(rules: Sequence[ModuleRule]) -> bool:
    return any(rule.manual for rule in rules)


def _written(ledger: Ledger, file: str) -> dict[str, Entry]:
    stem = file.removesuffix("_expectations.py")
    datasets = {f"{stem}_checked", f"{stem}_clean"}
    return {e.name: e for e in ledger.entries if e.outcome == "record" and e.dataset in datasets}


def _fault(file: str, place: str | None, found: str) -> Fault:
    return Fault(file, place, found, "the file as the last run wrote it", _WAYS)


# Writing ------------------------------------------------------------------------------------------


def write_all(folder: Path, texts: Mapping[str, str], stale: Sequence[str]) -> None:
    """All files are complete beside their places before the first one is moved there."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".ruleferry-", dir=folder) as staging:
        for file, text in texts.items():
            (Path(staging) / file).write_bytes(text.encode("utf-8", "surrogatepass"))
        for file in texts:
            (Path(staging) / file).replace(folder / file)
    for file in stale:
        (folder / file).unlink(missing_ok=True)


def stale_outputs(
    folder: Path, files: Sequence[str], before: Before
) -> tuple[list[str], list[str]]:
    """Outputs of the last run that this one does not write: the untouched, and the edited."""
    untouched: list[str] = []
    edited: list[str] = []
    for output in before.ledger.outputs if before.ledger else ():
        path = folder / output.file
        if output.file in files or not path.is_file():
            continue
        same = digest(path.read_bytes()) == output.sha256
        (untouched if same else edited).append(output.file)
    return untouched, edited
