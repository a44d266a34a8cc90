"""Workbooks as stewards make them, built in a test and converted from end to end."""

import openpyxl

from ruleferry.converters.config import Config, Source
from ruleferry.converters.conversion import convert

HEADED = ["Field", "Required"]


def book(rows, name="Fields", into=None, at=(1, 1)):
    """Rows of values on a sheet; None leaves a cell empty."""
    made = into or openpyxl.Workbook()
    if into is None:
        made.active.title = name
    sheet = made[name] if name in made.sheetnames else made.create_sheet(name)
    for down, row in enumerate(rows):
        for across, value in enumerate(row):
            if value is not None:
                sheet.cell(at[0] + down, at[1] + across).value = value
    return made


def converted(folder, made, name="book.xlsx", schema=None):
    """A workbook, or the text of a CSV, converted in an empty folder."""
    if isinstance(made, str | bytes):
        name = name.replace(".xlsx", ".csv")
        data = made.encode() if isinstance(made, str) else made
        (folder / name).write_bytes(data)
    else:
        made.save(folder / name)
    schemas = ()
    if schema is not None:
        lines = [f'{table},{column},"{sort}"' for table, column, sort in schema]
        text = "\n".join(["table_name,column_name,data_type", *lines])
        (folder / "schema.csv").write_text(text + "\n")
        schemas = ("schema.csv",)
    return convert(Config(folder, folder, sources=(Source((name,)),), schemas=schemas))


def conditions(done):
    """`table.name` -> the condition, of every rule in the modules."""
    carried = ("record", "flag", "dataset")
    return {
        f"{entry.table}.{entry.name}": entry.condition
        for entry in done.ledger.entries
        if entry.outcome in carried
    }


def outcomes(done):
    """Place -> what became of each of its statements; a gap by its code."""
    found = {}
    for entry in done.ledger.entries:
        told = entry.gap.code if entry.gap else entry.outcome
        found.setdefault(entry.origin.place, []).append(told)
    return {place: told[0] if len(told) == 1 else told for place, told in found.items()}


def skipped(done):
    return {(each.place, each.reason) for source in done.ledger.sources for each in source.skipped}
