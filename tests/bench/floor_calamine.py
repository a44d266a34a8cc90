"""The floor of reading a workbook: its values, and nothing else."""

import sys

from python_calamine import CalamineWorkbook

book = CalamineWorkbook.from_path(sys.argv[1])
rows = [book.get_sheet_by_name(name).to_python(skip_empty_area=False) for name in book.sheet_names]
assert sum(map(len, rows)) > 50_000
