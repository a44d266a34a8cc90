"""What a run prints: plain lines, in a few colours where a person watches."""

import shutil
import sys
import threading
import traceback
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TextIO, TypeAlias

from ruleferry.converters.account import Ledger, Module, Source
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.reports.books import imbalances, outcome_counts, table_figures
from ruleferry.converters.reports.rendering import FILES
from ruleferry.converters.reports.report import Line as Figures
from ruleferry.converters.reports.report import old_checks
from ruleferry.converters.reports.text import count, display_width, listed, visible
from ruleferry.converters.reports.words import NO_COUNTS, OUTCOMES, outcomes_in_order, undecided
from ruleferry.converters.rule import Action, Grade

Style: TypeAlias = Literal["", "bold", "dim", "yellow"]
# A line's text and how it is shown where colours are.
Line: TypeAlias = tuple[str, Style]

# Of a long list the first; the gap report has all.
_SHOWN = 20
_ACTIONS: tuple[Action, ...] = ("warn", "drop", "fail")
_GRADES: tuple[Grade, ...] = ("exact", "differs", "assumed")


def summary(
    ledger: Ledger,
    modules: Sequence[Module],
    out: str,
    written: Sequence[str],
    *,
    figures: Figures | None = None,
    notices: Sequence[str] = (),
    width: int | None = None,
) -> tuple[Line, ...]:
    """The end of `convert`: what was read, what became of it, table by table, and where it stands.

    `out` is the output folder as a person gave it, `written` the files in it, `figures` those of
    all rules. In `width` columns long names of tables are cut in their middle; None: nothing is
    cut.
    """
    lowered = _lowered(ledger, modules)
    everything = _to_read(written)
    blocks = (
        _sources(ledger),
        _outcomes(ledger),
        _tables(ledger, lowered, width, everything),
        _to_do(ledger, figures, f"{out}/{everything}"),
        _written(out, written),
        _notices(ledger, lowered, notices),
    )
    lines = [line for block in map(list, blocks) if block for line in (*block, ("", ""))]
    return tuple(lines[:-1])


def reported(
    figures: Figures, out: str, written: Sequence[str], notices: Sequence[str] = ()
) -> tuple[Line, ...]:
    """The end of `report`."""
    files = listed(visible(file) for file in sorted(written)) or "no report"
    lines: list[Line] = [
        (old_checks(figures), ""),
        (f"Written to {visible(out)}: {files}", "bold"),
    ]
    return (*lines, *((f"Note: {visible(notice)}", "") for notice in notices))


def _to_read(written: Sequence[str]) -> str:
    """The report that a person opens first; without any there is the ledger."""
    return next((file for file in FILES.values() if file in written), "ledger.json")


def error_lines(error: Exception) -> tuple[Line, ...]:
    """What went wrong: all faults of the input, a file that can't be used, or one line on a bug."""
    match error:
        case InputFaults():
            return fault_lines(error.faults)
        case OSError(filename=str(file)):
            found = error.strerror or type(error).__name__
            expected = "a place that can be read and written"
            todo = "Check the path, its permissions and the space on the disk."
            return fault_lines([Fault(file, None, found, expected, todo)])
        case _:
            return ((_internal_error(error), ""),)


def fault_lines(faults: Sequence[Fault]) -> tuple[Line, ...]:
    """One paragraph a fault: where it is, what was found, what was expected, what to do."""
    lines: list[Line] = []
    for fault in faults:
        place = f", {fault.place}" if fault.place else ""
        lines += [
            (visible(f"{fault.file}{place}"), "bold"),
            (f"  found     {visible(fault.found)}", ""),
            (f"  expected  {visible(fault.expected)}", ""),
            (f"  to do     {visible(fault.todo)}", ""),
            ("", ""),
        ]
    return tuple(lines[:-1])


def _internal_error(error: Exception) -> str:
    """One line that is worth reporting: what was raised, and where in our code."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    what = visible(f"{type(error).__name__}: {error}")
    return (
        f"internal error: {what}{place}. Please report this line; "
        "RULEFERRY_DEBUG=1 shows where it came from."
    )


def print_lines(lines: Sequence[Line], stream: TextIO) -> None:
    """Print to a stream: plain, or in colours where it is a terminal that shows them."""
    if not stream.isatty():
        stream.write("".join(f"{text}\n" for text, _ in lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    for text, style in lines:
        console.print(Text(text, style=style), overflow="fold")


def width(stream: TextIO) -> int | None:
    """The columns of a terminal; None for a file or a pipe, where nothing needs to be cut."""
    return shutil.get_terminal_size().columns if stream.isatty() else None


@contextmanager
def working(label: str, *, quiet: bool, after: float = 1.0) -> Iterator[None]:
    """A moving bar on stderr while work takes more than `after` seconds; only in a terminal."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(label, total=None)
    timer = threading.Timer(after, bar.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        bar.stop()


# The blocks of the summary ------------------------------------------------------------------------


def _sources(ledger: Ledger) -> Iterator[Line]:
    of_word: dict[str, list[Source]] = {}
    for source in ledger.sources:
        of_word.setdefault(source.read_as, []).append(source)
    unread = of_word.pop("not read", [])
    rows = [
        (visible(word), count(len(files), "file"), count(sum(f.entries for f in files), "rule"))
        for word, files in sorted(of_word.items())
    ]
    yield "Sources", "bold"
    yield from ((f"  {line}", "") for line in aligned(rows, right=(1, 2)))
    if unread:
        yield f"  not read: {count(len(unread), 'file')}", "yellow"
    lines = [f"    {visible(f.file)}: {visible(f.why or '')}" for f in unread]
    yield from _capped(lines, "files", "ledger.json")


def _outcomes(ledger: Ledger) -> Iterator[Line]:
    rows = [
        (word, f"{number:,}", OUTCOMES[word])
        for word, number in outcomes_in_order(outcome_counts(ledger.entries))
    ]
    yield f"Rules: {len(ledger.entries):,}", "bold"
    for row, line in zip(rows, aligned(rows, right=(1,)), strict=True):
        yield f"  {line}", "yellow" if row[0] == "gap" else ""
    for wrong in imbalances(ledger):
        yield f"  The books do not balance: {visible(wrong)}", "yellow"


def _tables(
    ledger: Ledger, lowered: Mapping[str, Action], width: int | None, everything: str
) -> Iterator[Line]:
    figures = table_figures(ledger, lowered)
    if not figures:
        return
    header = ("Tables", *_ACTIONS, *_GRADES, "left")
    numbers = [
        (
            *(f"{row.actions.get(action, 0):,}" for action in _ACTIONS),
            *(f"{row.grades.get(grade, 0):,}" for grade in _GRADES),
            f"{row.outcomes.get('gap', 0):,}",
        )
        for row in figures
    ]
    needed = display_width(aligned([header[1:], *numbers], right=range(7))[0]) + 4
    room = None if width is None else max(width - needed, 20)
    names = [_cut(visible(row.table), room) for row in figures]
    rows = [header, *((f"  {name}", *row) for name, row in zip(names, numbers, strict=True))]
    head, *lines = aligned(rows, right=range(1, 8))
    yield head, "bold"
    yield from _capped(lines, "tables", everything)


def _to_do(ledger: Ledger, figures: Figures | None, to_read: str) -> Iterator[Line]:
    open_ones = sum(1 for entry in ledger.entries if entry.grade and undecided(entry))
    warn = "it warns" if open_ones == 1 else "they warn"
    if open_ones:
        yield f"No action is decided for {count(open_ones, 'rule')}: {warn}.", ""
    if figures is not None and figures.checks:
        yield old_checks(figures), ""
    if ledger.questions:
        yield f"{_how_many(ledger)} for the owner of the rules: {visible(to_read)}", "yellow"


def _how_many(ledger: Ledger) -> str:
    """The number of questions, and of topics where these are fewer."""
    topics = {question.code for question in ledger.questions}
    told = count(len(ledger.questions), "question")
    fewer = len(topics) < len(ledger.questions)
    return f"{told} on {count(len(topics), 'topic')}" if fewer else told


def _written(out: str, written: Sequence[str]) -> Iterator[Line]:
    modules = [file for file in written if file.endswith(".py")]
    others = [file for file in sorted(written) if not file.endswith(".py")]
    files = listed([count(len(modules), "module"), *map(visible, others)])
    yield f"Written to {visible(out)}: {files}", "bold"


def _lowered(ledger: Ledger, modules: Sequence[Module]) -> Mapping[str, Action]:
    """Id -> action of the rules that are weaker in their module than was decided."""
    decided = {entry.id: entry.action for entry in ledger.entries if entry.action}
    rules = [rule for module in modules for rule in module.rules]
    return {r.id: r.action for r in rules if r.action and r.action != decided.get(r.id)}


def _notices(
    ledger: Ledger, lowered: Mapping[str, Action], notices: Sequence[str]
) -> Iterator[Line]:
    if lowered:
        yield f"Note: {count(len(lowered), 'rule')} weaker than decided, by --max-action.", ""
    carried = [entry for entry in ledger.entries if entry.grade]
    fails = sum(1 for e in carried if lowered.get(e.id, e.action) == "fail")
    if fails:
        which = "it" if fails == 1 else "them"
        yield f"Note: {count(fails, 'rule')} to fail: {NO_COUNTS} {which}, as the update stops.", ""
    for notice in dict.fromkeys(notices):
        yield f"Note: {visible(notice)}", ""


# Columns ------------------------------------------------------------------------------------------


def aligned(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> list[str]:
    """Lines in which the cells stand below each other; the columns in `right` end together."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            _padded(cell, width, index in right)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _padded(cell: str, width: int, right: bool) -> str:
    space = " " * (width - display_width(cell))
    return f"{space}{cell}" if right else f"{cell}{space}"


def _cut(text: str, room: int | None) -> str:
    """Both ends of a text that is too long; more of its end, which tells names apart."""
    if room is None or len(text) <= room:
        return text
    end = (room - 1) * 2 // 3
    return f"{text[: room - 1 - end]}…{text[-end:]}"


def _capped(lines: Sequence[str], words: str, everything: str) -> Iterator[Line]:
    yield from ((line, "") for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        yield f"    … and {len(lines) - _SHOWN:,} more {words}: see {everything}", "dim"
