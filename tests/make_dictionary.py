"""Makes samples/orders/dictionary.xlsx, a data dictionary as a steward keeps one.

python tests/make_dictionary.py
"""

from datetime import datetime
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.worksheet import Worksheet

PLACE = Path(__file__).parents[1] / "samples" / "orders" / "dictionary.xlsx"
HEADER = (
    "Table", "Column", "Description", "Data type", "Length", "Required", "Primary key", "Minimum",
    "Maximum", "Allowed values", "References", "Validation rule", "Status", "Data owner",
)  # fmt: skip
T = "orders_raw"
FIELDS = (
    (T, "o_orderkey", "Number of the order", "BIGINT", None, "Yes", "Yes", 1, None, None, None,
     None, "Active", "Sales"),
    (T, "o_custkey", "Who ordered", "BIGINT", None, "Yes", None, None, None, None,
     "customers_ref.c_custkey", None, "Active", "Sales"),
    (T, "o_orderstatus", "F finished, O open, P in part", "CHAR(1)", None, "Yes", None, None, None,
     "F = finished; O = open; P = in part", None, None, "Active", "Sales"),
    (T, "o_totalprice", "Price of all lines, in EUR", "DECIMAL(15,2)", None, "Yes", None, None,
     None, None, None, "must be greater than 0", "Active", "Finance"),
    (T, "o_orderdate", "Day of the order", "DATE", None, "Yes", None, "1992-01-01", None, None,
     None, "must not be in the future", "Active", "Sales"),
    (T, "o_orderpriority", "How urgent it is", "VARCHAR(15)", None, "No", None, None, None,
     "See Priorities", None, None, "Active", "Sales"),
    (T, "o_clerk", "Who took the order", "VARCHAR", 15, "No", None, None, None, None, None,
     'must start with "Clerk#"', "Active", "Sales"),
    (T, "o_shippriority", "Always 0 today", "INT", None, "No", None, 0, 9, None, None, None,
     "Active", "Logistics"),
    (T, "o_comment", "Free text", "VARCHAR(79)", None, "Conditional", None, None, None, None, None,
     "as agreed with the customer", "Active", "Sales"),
    (T, "o_channel", "Where the order came in", "CHAR(3)", None, "Yes", None, None, None,
     "WEB; TEL", None, None, "Retired", "Sales"),
)  # fmt: skip
PRIORITIES = ("1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW")


def write(path: Path) -> None:
    book = Workbook()
    fields = book.active
    fields.title = "Fields"
    for row in (("Data dictionary of the orders",), (), HEADER, *FIELDS):
        fields.append(row)
    _dress(fields, header=3)
    codes = book.create_sheet("Priorities")
    for row in (("Code", "Meaning"), *((code, code[2:].capitalize()) for code in PRIORITIES)):
        codes.append(row)
    _dress(codes, header=1)
    readme = book.create_sheet("Read me")
    readme.append(("Changes go to the owner of the field. A blank cell states nothing.",))
    book.properties.created = book.properties.modified = datetime(2026, 1, 1)  # noqa: DTZ001
    book.save(path)


def _dress(sheet: Worksheet, header: int) -> None:
    for cell in sheet[header]:
        cell.font = Font(bold=True)
        cell.fill = PatternFill("solid", fgColor="DDE6F0")
    for column in sheet.columns:
        longest = max(len(str(c.value or "")) for c in column[header - 1 :])
        sheet.column_dimensions[column[-1].column_letter].width = min(longest + 2, 40)
    for row in sheet.iter_rows(min_row=header + 1):
        for cell in row:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
    sheet.freeze_panes = sheet.cell(header + 1, 1)


if __name__ == "__main__":
    write(PLACE)
