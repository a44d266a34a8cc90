"""`information_schema.columns` as CSV: one row a column, the header says what is where."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ruleferry.converters.column_types import ColumnType, parse_type
from ruleferry.converters.errors import Fault
from ruleferry.converters.readers.schema_line import SchemaLine
from ruleferry.converters.table_names import written_parts

_NAMES = {"table_name", "column_name"}
_TYPES = {"data_type", "full_data_type"}
_NO_VALUE = {"", "null", "none", "nan"}
_NULLABLE = {"yes": True, "no": False, "true": True, "false": False}
_EXPECTED = "a row of information_schema.columns"


def is_columns_export(text: str, path: Path) -> bool:
    """Whether a text is such a CSV: its header says so, else the file's own name."""
    header = _header(text, _delimiter(text))
    return path.suffix.lower() in (".csv", ".tsv") or (
        _NAMES.issubset(header) and not _TYPES.isdisjoint(header)
    )


def _delimiter(text: str) -> str:
    """The delimiter under which the first line has most cells that we know."""
    known = _NAMES | _TYPES
    return max(",;\t", key=lambda delimiter: len(known & set(_header(text, delimiter))))


def _header(text: str, delimiter: str) -> list[str]:
    """The cells of the first line in lower case; none where it is no line of a CSV."""
    first = text.lstrip("\r\n").partition("\n")[0]
    try:
        cells = next(csv.reader([first], delimiter=delimiter), [])
    except csv.Error:
        return []
    return [cell.strip().lower() for cell in cells]


def read_columns_export(text: str, shown_as: str) -> tuple[list[SchemaLine], list[Fault]]:
    """One line per row, in the order of `ordinal_position` within a table where it is given."""
    header = _header(text, _delimiter(text))
    missing = sorted(_NAMES - set(header)) + ([] if _TYPES & set(header) else ["data_type"])
    twice = sorted({cell for cell in header if cell and header.count(cell) > 1})
    if missing or twice:
        found = f"a header without {', '.join(missing)}" if missing else f"{', '.join(twice)} twice"
        expected = "a header with table_name, column_name and data_type or full_data_type, once"
        return [], [Fault(shown_as, "header", found, expected, "Export the columns again.")]
    numbered: list[tuple[int, SchemaLine]] = []
    faults: list[Fault] = []
    try:
        for place, cells in _rows(text):
            row = dict(zip(header, cells, strict=False))
            wrong = _wrong(row, header, cells)
            if wrong:
                todo = "Mend the row, or export it again."
                faults.append(Fault(shown_as, place, wrong, _EXPECTED, todo))
            else:
                numbered.append((_whole(row, "ordinal_position") or 0, _line(row, place)))
    except csv.Error as error:
        faults.append(Fault(shown_as, None, f"broken CSV ({error})", "CSV", "Export it again."))
    return [line for _, line in sorted(numbered, key=lambda pair: pair[0])], faults


def _rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """(place, cells) of every row below the header that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    began, header_seen = 1, False
    for cells in reader:
        filled = any(cell.strip() for cell in cells)
        if filled and header_seen:
            yield f"line {began}", [cell.strip() for cell in cells]
        header_seen = header_seen or filled
        began = reader.line_num + 1


def _wrong(row: Mapping[str, str], header: list[str], cells: list[str]) -> str | None:
    """What is wrong with a row, or None."""
    if len(cells) != len(header):
        return f"{len(cells)} cells under {len(header)} headings"
    for name in ("table_name", "column_name"):
        if not row[name]:
            return f"no {name}"
    if not _given(row, "full_data_type") and not _given(row, "data_type"):
        return "no data type"
    for name in ("ordinal_position", "numeric_precision", "numeric_scale"):
        if _given(row, name) and _whole(row, name) is None:
            return f"{row[name]!r} as {name}"
    if _given(row, "is_nullable") and row["is_nullable"].lower() not in _NULLABLE:
        return f"{row['is_nullable']!r} as is_nullable"
    return None


def _given(row: Mapping[str, str], name: str) -> str | None:
    value = row.get(name, "")
    return None if value.lower() in _NO_VALUE else value


def _whole(row: Mapping[str, str], name: str) -> int | None:
    """A whole number; 15.0 is what pandas makes of 15 in a column with gaps."""
    match = re.fullmatch(r"(\d{1,9})(\.0)?", _given(row, name) or "", re.ASCII)
    return int(match[1]) if match else None


def _line(row: Mapping[str, str], place: str) -> SchemaLine:
    nullable = _given(row, "is_nullable")
    return SchemaLine(
        table=_table(row),
        column=row["column_name"],
        type=_type(row),
        nullable=_NULLABLE[nullable.lower()] if nullable else None,
        place=place,
    )


def _table(row: Mapping[str, str]) -> tuple[str, ...]:
    """A name beside its schema is one part; alone it may hold the schema before a dot."""
    schema, catalog = _given(row, "table_schema"), _given(row, "table_catalog")
    if not schema:
        return written_parts(row["table_name"])
    return (catalog, schema, row["table_name"]) if catalog else (schema, row["table_name"])


def _type(row: Mapping[str, str]) -> ColumnType:
    full = _given(row, "full_data_type")
    if full:
        return parse_type(full)
    simple = parse_type(row["data_type"])
    if simple.family != "decimal" or "(" in simple.text:
        return simple
    precision, scale = _whole(row, "numeric_precision"), _whole(row, "numeric_scale")
    if precision is None:
        # The plain word DECIMAL in data_type is not DECIMAL(10,0): it leaves the digits open.
        return replace(simple, precision=None, scale=None)
    return parse_type(f"decimal({precision},{scale or 0})")
