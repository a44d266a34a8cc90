"""Changes of looks: what people and programs do to a file without changing a rule of it."""

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from cells import (
    change_cells,
    column_number,
    column_of,
    csv_fields,
    edit_part,
    read_part,
    row_of,
    sheet_parts,
    texts_of,
)

_ROW = re.compile(r"<row(?=\s)([^>]*)(?:/>|(?<!/)>(.*?)</row>)", re.DOTALL)
_CELL = re.compile(r'<c(?=\s)([^>]*?)\sr="([A-Z]+)([0-9]+)"([^>]*?)(/>|>.*?</c>)', re.DOTALL)


def moved_rows(sheet: str, first: int, seed: int = 7) -> Callable[[Path], None]:
    """The rows from `first` on in another order."""

    def edit(path: Path) -> None:
        def moved(xml: str) -> str:
            rows = [m for m in _ROW.finditer(xml) if _number(m[1]) >= first and m[2]]
            order = list(rows)
            random.Random(seed).shuffle(order)
            for row, other in reversed(list(zip(rows, order, strict=True))):
                number = str(_number(row[1]))
                attributes = re.sub(r'\sr="\d+"', f' r="{number}"', other[1])
                inner = _CELL.sub(rf'<c\1 r="\g<2>{number}"\4\5', other[2])
                xml = f"{xml[: row.start()]}<row{attributes}>{inner}</row>{xml[row.end() :]}"
            return xml

        edit_part(path, sheet_parts(path)[sheet], moved)

    return edit


def _number(attributes: str) -> int:
    return int(re.search(r'\sr="(\d+)"', attributes)[1])


def moved_columns(sheet: str, order: Mapping[str, str]) -> Callable[[Path], None]:
    """Columns in other places: letter -> letter, there and back."""

    def edit(path: Path) -> None:
        def moved(xml: str) -> str:
            return _ROW.sub(row, xml)

        def row(found: re.Match) -> str:
            if not found[2]:
                return found[0]
            cells = [
                (order.get(m[2], m[2]), f'<c{m[1]} r="{order.get(m[2], m[2])}{m[3]}"{m[4]}{m[5]}')
                for m in _CELL.finditer(found[2])
            ]
            cells.sort(key=lambda cell: column_number(cell[0]))
            return f"<row{found[1]}>{''.join(xml for _, xml in cells)}</row>"

        edit_part(path, sheet_parts(path)[sheet], moved)

    return edit


def numbers_with_a_point(path: Path) -> None:
    """10 is written as 10.0, in all sheets."""
    for part in sheet_parts(path).values():
        xml = read_part(path, part).decode("utf-8")
        new = re.sub(
            r'(<c(?=\s)(?:(?!\st=)[^>])*?(?:\st="n")?[^>]*?><v>)(-?[0-9]+)(</v></c>)',
            lambda m: m[0] if re.search(r'\st="[^n]', m[1]) else f"{m[1]}{m[2]}.0{m[3]}",
            xml,
        )
        if new != xml:
            edit_part(path, part, lambda _, new=new: new)


def restyled(path: Path) -> None:
    """Another font and another size, everywhere."""
    edit_part(
        path,
        "xl/styles.xml",
        lambda xml: re.sub(r'<sz val="[0-9.]+"', '<sz val="17"', re.sub(
            r'<name val="[^"]*"', '<name val="Comic Neue"', xml)),
    )  # fmt: skip


def wider(path: Path) -> None:
    for part in sheet_parts(path).values():
        if "<cols>" in read_part(path, part).decode("utf-8"):
            edit_part(path, part, lambda xml: re.sub(r'width="[0-9.]+"', 'width="61.5"', xml))
            return
    raise AssertionError("no width")


def packed_again(path: Path) -> None:
    """Other bytes of the same parts: not compressed, in another order, at another time."""
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as book:
        for name in sorted(parts, reverse=True):
            book.writestr(zipfile.ZipInfo(name, (2031, 5, 6, 7, 8, 10)), parts[name])


def saved_by_openpyxl(path: Path) -> None:
    import openpyxl

    openpyxl.load_workbook(path).save(path)


def with_comment(place: str, text: str) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        import openpyxl
        from openpyxl.comments import Comment

        sheet, _, address = place.rpartition("!")
        book = openpyxl.load_workbook(path)
        book[sheet][address].comment = Comment(text, "steward")
        book.save(path)

    return edit


def with_sheet(name: str, rows) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        import openpyxl

        book = openpyxl.load_workbook(path)
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        book.save(path)

    return edit


def texts(changes: Mapping[str, str]) -> Callable[[Path], None]:
    return lambda path: change_cells(path, changes)


def every(column: str, change: Callable[[str], str], first: int = 2) -> Callable[[Path], None]:
    """All cells of a column (`Sheet!F`, of a CSV file `F`) below its heading."""
    sheet, _, letter = column.rpartition("!")

    def edit(path: Path) -> None:
        changed = {}
        for place, text in texts_of(path).items():
            of, _, address = place.rpartition("!")
            if of == sheet and column_of(address) == letter and row_of(address) >= first:
                new = change(text)
                if new != text:
                    changed[place] = new
        assert changed, f"nothing to change in {column}"
        change_cells(path, changed)

    return edit


# CSV ----------------------------------------------------------------------------------------------


def _grid(path: Path) -> list[list[str]]:
    rows: dict[int, dict[int, str]] = {}
    for address, text, _ in csv_fields(path.read_bytes()):
        rows.setdefault(row_of(address), {})[column_number(column_of(address))] = text
    width = max(max(row) for row in rows.values())
    return [[row.get(n, "") for n in range(1, width + 1)] for _, row in sorted(rows.items())]


def _save(path: Path, grid: list[list[str]], **style) -> None:
    out = io.StringIO()
    csv.writer(out, **style).writerows(grid)
    path.write_bytes(out.getvalue().encode(style.pop("encoding", "utf-8")))


def csv_rows(path: Path) -> None:
    head, *rows = _grid(path)
    random.Random(7).shuffle(rows)
    _save(path, [head, *rows])


def csv_columns(path: Path) -> None:
    grid = _grid(path)
    order = list(range(len(grid[0])))
    random.Random(7).shuffle(order)
    _save(path, [[row[n] for n in order] for row in grid])


def csv_quoted(path: Path) -> None:
    _save(path, _grid(path), quoting=csv.QUOTE_ALL, lineterminator="\n")


def csv_with_mark(path: Path) -> None:
    """A byte order mark, and the line ends of another system."""
    _save(path, _grid(path), lineterminator="\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())


def csv_with_another_column(path: Path) -> None:
    head, *rows = _grid(path)
    _save(path, [[*head, "Remarks"], *([*row, "seen"] for row in rows)])


# Suites and scripts -------------------------------------------------------------------------------


def indented(path: Path) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()), indent=9), encoding="utf-8")


def keys_turned(path: Path) -> None:
    def turned(value):
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    path.write_text(json.dumps(turned(json.loads(path.read_text()))), encoding="utf-8")


def expectations_turned(path: Path) -> None:
    suite = json.loads(path.read_text())
    suite["expectations"].reverse()
    path.write_text(json.dumps(suite, indent=1), encoding="utf-8")


def script(change: Callable[[str], str]) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        old = path.read_text(encoding="utf-8")
        new = change(old)
        assert new != old
        path.write_text(new, encoding="utf-8")

    return edit
