"""What makes a comparison impossible, so that it must not look like an agreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleferry.converters.account import Ledger, Source
from ruleferry.converters.config import Config
from ruleferry.converters.conversion import Today
from ruleferry.converters.drift.committed import Committed
from ruleferry.converters.errors import Fault
from ruleferry.converters.kept_by_hand import file_of


def not_comparable(
    config: Config, then: Ledger, now: Today, committed: Mapping[str, Committed]
) -> list[Fault]:
    return [
        *_not_read(config, then, now.ledger),
        *_emptied(then, now.ledger),
        *_not_ours(config, now, committed),
    ]


def _not_read(config: Config, then: Ledger, now: Ledger) -> Iterator[Fault]:
    """Sources of the last conversion; one that has another name now states the same rules."""
    read = {source.file for source in now.sources}
    there = {entry.id for entry in now.entries}
    for source in then.sources:
        if source.file in read or not source.entries:
            continue
        lost = [e for e in then.entries if e.origin.file == source.file and e.id not in there]
        if not lost:
            continue
        on_disk = (config.root / source.file).is_file()
        yield Fault(
            file=source.file,
            place=None,
            found="a source that is not read now" if on_disk else "no such file",
            expected=f"the file of which the last conversion read {source.entries} rules",
            todo=(
                "Name it, too, or leave out the names to compare all that ruleferry.toml has."
                if on_disk
                else "Restore it. If it is gone for good, run `ruleferry convert` again."
            ),
        )


def _emptied(then: Ledger, now: Ledger) -> Iterator[Fault]:
    before = {source.file: source for source in then.sources}
    for source in now.sources:
        was: Source | None = before.get(source.file)
        if was is not None and was.atoms and not source.atoms:
            yield Fault(
                file=source.file,
                place=None,
                found="nothing that states a rule",
                expected=f"rules, as in the last conversion, which read {was.entries} of it",
                todo="Restore the file. If its rules are gone for good, run `ruleferry convert`.",
            )


def _not_ours(config: Config, now: Today, committed: Mapping[str, Committed]) -> Iterator[Fault]:
    for module in now.modules:
        file = file_of(module)
        if file not in committed and (config.root / config.out / file).exists():
            yield Fault(
                file=f"{config.out}/{file}",
                place=None,
                found="a file that is not in the last ledger",
                expected="a module that the last conversion wrote, or none",
                todo="Move it away, or restore the ledger that belongs to it.",
            )
