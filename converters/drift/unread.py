"""What makes a comparison impossible, so that it must not look like an agreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleferry.converters.account import Heading, Ledger, Source
from ruleferry.converters.config import Config
from ruleferry.converters.conversion import Today
from ruleferry.converters.drift.committed import Committed
from ruleferry.converters.errors import Fault
from ruleferry.converters.kept_by_hand import file_of
from ruleferry.converters.outputs import LEDGER
from ruleferry.converters.reports.books import imbalances

# Without one of these columns no cell of the sheet is about a field that is known.
_NAMING = frozenset({"column", "table"})


def not_comparable(
    config: Config, then: Ledger, now: Today, committed: Mapping[str, Committed]
) -> list[Fault]:
    return [
        *_options_left_out(config, then),
        *_out_of_balance(config, then),
        *_not_read(config, then, now.ledger),
        *_emptied(then, now.ledger),
        *_headings_gone(then, now.ledger),
        *_not_ours(config, now, committed),
    ]


def _out_of_balance(config: Config, then: Ledger) -> Iterator[Fault]:
    """A ledger that lost a part, by a merge maybe: what is lost would look as if it agreed."""
    for sentence in imbalances(then):
        yield Fault(
            file=f"{config.out}/{LEDGER}",
            place=None,
            found=sentence,
            expected="a ledger as `ruleferry convert` wrote it",
            todo="Restore it from version control, or run `ruleferry convert` again.",
        )


def _options_left_out(config: Config, then: Ledger) -> Iterator[Fault]:
    """What the sources say without them is not what they said with them."""
    for option in then.options:
        if option not in config.options:
            yield Fault(
                file="command line",
                place=option.partition(" ")[0],
                found="another one, or none",
                expected=f"`{option}`, as in the last conversion",
                todo="Give it here, too, or better write it into ruleferry.toml; if it shall be so "
                "no more, run `ruleferry convert` without it.",
            )


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


def _headings_gone(then: Ledger, now: Ledger) -> Iterator[Fault]:
    """A column that stated rules, and of which is not sure any more what it says.

    What another profile makes of a sheet is told rule by rule.
    """
    if _profiles(then) != _profiles(now):
        return
    sources = {source.file: source for source in now.sources}
    bearing = _bearing_columns(then)
    for source in then.sources:
        today = sources.get(source.file)
        if today is None:
            continue
        meant = {(_sheet(heading.place), heading.meaning) for heading in today.headings}
        texts = {(_sheet(h.place), h.text.casefold()) for h in today.headings}
        left = {_sheet(s.place) or s.place for s in today.skipped} | {sheet for sheet, _ in meant}
        for heading in source.headings:
            sheet = _sheet(heading.place)
            bears = heading.meaning in _NAMING or (source.file, _column(heading.place)) in bearing
            there = (sheet, heading.text.casefold()) in texts  # what its cells say is not sure
            if not bears or heading.meaning is None or there or sheet not in left:
                continue
            if (sheet, heading.meaning) not in meant:
                yield _heading_gone(source, heading, today)


def _profiles(ledger: Ledger) -> set[tuple[str, str]]:
    return {(source.file, source.sha256) for source in ledger.sources if source.why == "profile"}


def _heading_gone(source: Source, heading: Heading, today: Source) -> Fault:
    sheet = _sheet(heading.place)
    unread = [s for s in today.skipped if _sheet(s.place) == sheet and s not in source.skipped]
    beside = "".join(f"; {skipped.place} is not read: {skipped.reason}" for skipped in unread)
    parted = " An empty column parts a table: close it." if unread else ""
    return Fault(
        file=source.file,
        place=heading.place,
        found=f'no column that says "{heading.meaning}" of the same fields{beside}',
        expected=f'the header "{heading.text}", as in the last conversion',
        todo=f"Restore the header.{parted} If the column is gone for good, run `ruleferry convert` "
        "again.",
    )


def _bearing_columns(ledger: Ledger) -> set[tuple[str, str]]:
    """(file, `Fields!F`) of all cells that stated something."""
    return {(e.origin.file, _column(e.origin.place)) for e in ledger.entries}


def _sheet(place: str) -> str:
    """Of `Fields!F12` the sheet; a CSV has none."""
    return place.rpartition("!")[0]


def _column(place: str) -> str:
    return place.rstrip("0123456789")
