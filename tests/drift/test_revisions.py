"""Two revisions of a dictionary: one was converted, the other is what the source says now."""

import csv
import shutil
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from cells import column_of, row_of, split_place, texts_of
from trial import dictionary, drift, short

from ruleferry.converters.config import Config, Source
from ruleferry.converters.conversion import convert

HERE = Path(__file__).parent
THEN, NOW = "14_cms_bfd_rif_layout_prev.xlsx", "14_cms_bfd_rif_layout.xlsx"

# Public ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def revised(shared, tmp_path_factory):
    """What is told once the later revision is in place of the earlier one; cells of both."""
    folder = tmp_path_factory.mktemp("revisions")
    path = folder / "layout.xlsx"
    shutil.copy(shared / "corpus/spreadsheets" / THEN, path)
    config = Config(folder, folder, sources=(Source(path=(path.name,)),), reports=())
    convert(config)
    then = texts_of(path)
    shutil.copy(shared / "corpus/spreadsheets" / NOW, path)
    return drift(config), then, texts_of(path)


def test_the_report_is_as_it_was_read_by_hand(revised):
    """two_revisions.tsv: each line was held against the cells of both revisions.

    Most identifiers became BIGINT of 8 bytes from CHAR(15): their length is a rule no more, their
    type is a new one. Where a number had no digits (`*`) and has some, a question is closed.
    """
    with (HERE / "two_revisions.tsv").open(encoding="utf-8", newline="") as file:
        wanted = Counter(tuple(row.values()) for row in csv.DictReader(file, delimiter="\t"))
    told, _, _ = revised
    found = Counter(
        (d.table, d.source.place, d.change, d.level, " ".join(d.columns)) for d in told.differences
    )
    assert found == wanted
    assert {d.side for d in told.differences} == {"source"}
    assert Counter(d.change for d in told.differences) == {
        "added": 26, "changed": 23, "gap_closed": 20, "removed": 16, "gap_changed": 3,
        "gap_opened": 3,
    }  # fmt: skip


def test_all_fields_that_were_changed_are_told_of_and_no_other(revised):
    """Read anew from the cells, without the product: name, type, length, scale, optional."""
    told, then, now = revised
    before, after = _fields(then), _fields(now)
    changed = {key for key in before | after if before.get(key) != after.get(key)}
    assert {(d.table, column) for d in told.differences for column in d.columns} == changed
    assert len(changed) == 50


def _fields(texts):
    """(sheet, name) -> what the columns B to E say of it, as often as it is described."""
    rows = defaultdict(dict)
    for place, text in texts.items():
        sheet, address = split_place(place)
        rows[sheet, row_of(address)][column_of(address)] = text
    fields = defaultdict(list)
    for (sheet, row), cells in rows.items():
        if row > 2 and "A" in cells:
            fields[sheet, cells["A"].strip()].append([cells.get(letter) for letter in "BCDE"])
    return fields


# Made ---------------------------------------------------------------------------------------------

BEFORE = """\
Table,Field,Type,Length,Required,Min,Max,Allowed values,Comment
sales,id,integer,,Yes,1,,,key
sales,status,varchar(1),,Yes,,,A; B; C,
sales,country,char(2),,Yes,,,,
sales,discount,number,,No,0,100,,in percent
sales,price,number,,Yes,0,,,
sales,currency,varchar(3),,No,,,EUR; USD; GBP,
sales,note,varchar(200),,No,,,,
sales,channel,varchar(10),,Yes,,,,
sales,weight,number,,No,0,50,,
clients,id,integer,,Yes,,,,
clients,birth,date,,No,1900-01-01,,,
clients,email,varchar(80),,Yes,,,,
"""
# The rows of sales stand in another order. status: one code more; country: not required; discount:
# its upper limit is lower; currency: one code less; note is gone; channel is called sales_channel;
# weight is required; tax is new; birth: as a day of 1910 and later; email: longer.
AFTER = """\
Table,Field,Type,Length,Mandatory,Min,Max,Allowed values,Comment
sales,tax,number,,Yes,0,,,new
sales,weight,number,,Yes,0,50,,
sales,sales_channel,varchar(10),,Yes,,,,as it is called now
sales,currency,varchar(3),,No,,,USD; EUR,
sales,price,number,,Yes,0.0,,,gross
sales,discount,number,,No,0,90,,in percent
sales,country,char(2),,No,,,,
sales,status,varchar(1),,Yes,,,C; B; D; A,
sales,id,integer,,Yes,1,,,key
clients,id,integer,,Yes,,,,
clients,birth,date,,No,1910-01-01,,,
clients,email,varchar(120),,Yes,,,,
"""
WANTED = {
    ("sales", "tax", "added"): 3,  # type, required, least
    ("sales", "weight", "added"): 1,
    ("sales", "currency", "tightened"): 1,
    ("sales", "discount", "tightened"): 1,
    ("sales", "country", "removed"): 1,
    ("sales", "status", "loosened"): 1,
    ("sales", "note", "removed"): 1,
    ("clients", "birth", "tightened"): 1,
    ("clients", "email", "loosened"): 1,
}
# A field that has another name, in another place: told so, or as one that is gone and one that is
# new. In no case may it be silent.
RENAMED = (
    {("sales", "sales_channel", "renamed_column"): 2},
    {("sales", "channel", "removed"): 2, ("sales", "sales_channel", "added"): 2},
)


def test_a_made_revision(tmp_path):
    first = tmp_path / "fields.csv"
    first.write_text(BEFORE, encoding="utf-8")
    made = dictionary(tmp_path / "one", first, None)
    assert short(drift(made.config)) == []
    made.path.write_text(AFTER, encoding="utf-8")
    told = drift(made.config)
    found = Counter((d.table, *d.columns, d.change) for d in told.differences)
    assert found in [Counter({**WANTED, **renamed}) for renamed in RENAMED]
    assert {d.side for d in told.differences} == {"source"}


def test_back_again(tmp_path):
    """The later one was converted, and the earlier one is there again."""
    first = tmp_path / "fields.csv"
    first.write_text(AFTER, encoding="utf-8")
    made = dictionary(tmp_path / "one", first, None)
    made.path.write_text(BEFORE, encoding="utf-8")
    found = Counter(d.change for d in drift(made.config).differences)
    turned = {"added": 2, "loosened": 3, "tightened": 2, "removed": 4}
    assert found in [
        Counter({**turned, "renamed_column": 2}),
        Counter({**turned, "added": 4, "removed": 6}),
    ]
