"""What the tests of a dictionary's values share: a cell, its statements, and what they say."""

from ruleferry.converters.readers.spreadsheet.cells import Cell, text_of
from ruleferry.converters.readers.spreadsheet.statement import CodeList, Column, Setting
from ruleferry.converters.readers.spreadsheet.values.cell_values import read_value
from ruleferry.converters.rule import NotARule, Row, Unread

LISTS = {
    "YN": CodeList("YN", ("Y", "N"), "Lists!A2:A3"),
    "Open list": CodeList("Open list", ("A",), "Lists!B2", closed=False),
    "Empty": CodeList("Empty", (), "Lists!C1"),
    "yes_No": CodeList("yes_No", ("yes", "no"), "choices!B2:B3"),
}
NAMES = {"end": "end_date", "end_date": "end_date", "Height": "x", "x": "x"}
SETTING = Setting(lists=LISTS.get, column_of=NAMES.get, tables={"sites": "main.sites"})


def cell(value, row=1, column=1, **more):
    return Cell("S", row, column, value, text_of(value), **more)


def field(sort=None, **more):
    return Column("t", "x", sort, **more)


def states(meaning, value, sort=None, setting=SETTING, **more):
    """The checks that one cell states: predicates bare, gaps as their code, else "no rule"."""
    found = read_value(meaning, cell(value), field(sort, **more), setting)
    return [short(statement) for statement in found]


def short(statement):
    check = statement.check
    if isinstance(check, Unread):
        return check.code
    if isinstance(check, NotARule):
        return "no rule"
    return check.predicate if isinstance(check, Row) else check
