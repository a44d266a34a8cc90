"""What is sure of the headers of real files is right, even where every cell could be read."""

import pytest
from spreadsheet_blocks import real_block
from spreadsheet_header_facts import FACTS

from ruleferry.converters.readers.spreadsheet.meaning.meanings import meanings_of


@pytest.mark.parametrize("place", FACTS, ids=lambda place: f"{place[0]}:{place[1]}")
def test_what_is_sure_was_checked_by_eye(shared, place):
    file, sheet, header_row, group_row = place
    block = real_block(shared / "corpus" / "spreadsheets" / file, sheet, header_row, group_row)
    found: dict[str, list[str]] = {}
    for row in meanings_of(block, lambda *_: True):
        if row.sure:
            group = f"{row.header.group}/" if row.header.group else ""
            found.setdefault(row.meaning, []).append(group + row.header.text)
    assert found == FACTS[place]


def test_the_facts_are_of_all_files(shared):
    files = {path.name for path in (shared / "corpus" / "spreadsheets").iterdir()}
    assert files - {"MANIFEST.tsv"} == {file for file, *_ in FACTS}
