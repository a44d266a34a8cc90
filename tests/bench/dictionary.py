"""A data dictionary of any size, as a workbook."""

from pathlib import Path

TYPES = ("BIGINT", "VARCHAR(40)", "DECIMAL(12,2)", "DATE", "CHAR(1)")
LISTS = (None, None, None, None, "A; B; C")
HEADER = (
    "Table", "Column", "Label", "Description", "Data type", "Length", "Required", "Minimum",
    "Maximum", "Allowed values", "Format", "Status", "Owner", "Notes",
)  # fmt: skip


def write(path: Path, fields: int, *, raised: bool = False) -> None:
    """100 fields a table. `raised`: a maximum of each table is higher by one."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Fields")
    sheet.append(HEADER)
    for number in range(fields):
        kind = number % len(TYPES)
        low, high = (0, 1000 + number) if kind == 2 else (None, None)
        if raised and number % 100 == 2:
            high = 1001 + number
        sheet.append(
            (
                f"table_{number // 100}", f"column_{number}", f"Column {number}",
                f"What column {number} of the table holds, told at some length", TYPES[kind], None,
                "Yes" if number % 3 else "No", low, high, LISTS[kind], None, "Active",
                f"team {number % 7}", f"seen in {number % 90} reports",
            )
        )  # fmt: skip
    book.save(path)
