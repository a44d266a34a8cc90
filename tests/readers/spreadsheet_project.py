"""Dictionaries of a test's own in a folder of its own, and what the product makes of them."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace

from made_workbooks import saved, workbook

from ruleferry.converters import conversion
from ruleferry.converters.config import load_config
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.options import Options, with_options

HEADER = ("Field", "Type", "Required", "Minimum", "Maximum", "Allowed values", "Rule")


def book_of(sheets: Mapping[str, Sequence[Sequence[object]]]):
    """{name: rows} -> openpyxl's workbook."""
    book = workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append([None if value == "" else value for value in row])
    return book


def xlsx(*rows, name="Fields", **sheets):
    """The bytes of a workbook: the rows of its first sheet; those of others by their names."""
    return saved(book_of({name: rows, **sheets}))


def csv_of(*rows):
    held = io.StringIO()
    csv.writer(held, lineterminator="\n").writerows(rows)
    return held.getvalue().encode()


def put(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def convert(folder, files, *given, partial=False, **options):
    """As `ruleferry convert` in the folder, which then holds the files. Without `given`: the first.

    `options` are those of the command line.
    """
    put(folder, files)
    config = with_options(load_config(None, folder), Options(**options))
    named = given or (() if "ruleferry.toml" in files else (next(iter(files)),))
    return conversion.convert(replace(config, reports=("md",)), named, partial=partial)


def refused(folder, files, *given, **options):
    """The message of a conversion that is given up."""
    try:
        convert(folder, files, *given, **options)
    except InputFaults as found:
        assert not (folder / "expectations").exists()
        return "\n".join(map(str, found.faults))
    raise AssertionError("it was converted")


def told(done):
    """{(place, kind): condition, or what became of it} of all entries."""
    return {(e.origin.place, e.kind): made(e) for e in done.ledger.entries}


def made(entry):
    return entry.condition or (entry.gap.code if entry.gap else entry.outcome)


def at(done, place):
    """What became of a cell: its conditions, codes of gaps and outcomes."""
    return [made(e) for e in done.ledger.entries if e.origin.place == place]


def source(done, file):
    return next(s for s in done.ledger.sources if s.file == file)
