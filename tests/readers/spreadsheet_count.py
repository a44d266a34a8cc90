"""How many cells of a file are filled, counted without the product."""

import csv
import io
import re
import zipfile

_CELL = re.compile(r"<c\b[^>]*/>|<c\b[^>]*>.*?</c>", re.DOTALL)


def filled_cells(path) -> int:
    """Those with a value, and those whose value is an error or was never computed."""
    if path.suffix == ".csv":
        return sum(bool(cell.strip()) for row in _rows(path) for cell in row)
    import python_calamine

    book = python_calamine.CalamineWorkbook.from_path(path)
    sheets = (book.get_sheet_by_name(name) for name in book.sheet_names)
    rows = (row for sheet in sheets for row in sheet.to_python(skip_empty_area=False))
    values = sum(bool(str(value).strip()) for row in rows for value in row)
    return values + (_without_value(path) if path.suffix == ".xlsx" else 0)


def _rows(path):
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252")
    return csv.reader(io.StringIO(text, newline=""))


def _without_value(path) -> int:
    """Error cells, which calamine gives as empty, and formulas without a result."""
    with zipfile.ZipFile(path) as book:
        sheets = [n for n in book.namelist() if re.fullmatch(r"xl/worksheets/[^/]+\.xml", n)]
        texts = [book.read(name).decode() for name in sheets]
    cells = [cell for text in texts for cell in _CELL.findall(text)]
    errors = [cell for cell in cells if re.match(r'<c\b[^>]*\bt="e"', cell)]
    formulas = [cell for cell in cells if "<f" in cell and not re.search(r"<v[ />]", cell)]
    return len(errors) + len([cell for cell in formulas if cell not in errors])
