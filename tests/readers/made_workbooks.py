"""Workbooks made by hand: openpyxl's, with parts replaced; bare sheets; .ods and .xlsb."""

import io
import struct
import zipfile

import openpyxl

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
SHEET = "xl/worksheets/sheet1.xml"
SHEET_RELS = "xl/worksheets/_rels/sheet1.xml.rels"
BOOK_RELS = "xl/_rels/workbook.xml.rels"
ODF = "urn:oasis:names:tc:opendocument:xmlns"


def zipped(parts):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return held.getvalue()


def parts_of(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def saved(book):
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def workbook(cells=None, name="Fields"):
    """{"A1": value} -> openpyxl's workbook."""
    book = openpyxl.Workbook()
    book.active.title = name
    for place, value in (cells or {}).items():
        book.active[place] = value
    return book


def edited(data, edits):
    """Part -> its new content, or a function of the old one (b"" where there is none)."""
    parts = parts_of(data)
    for name, edit in edits.items():
        parts[name] = edit(parts.get(name, b"")) if callable(edit) else edit
    return zipped(parts)


def related(kind, target, number=77, office=OFFICE):
    """Adds a relationship to a .rels part."""
    link = f'<Relationship Id="rId{number}" Type="{office}/{kind}" Target="{target}"/>'.encode()

    def edit(old):
        old = old or f'<Relationships xmlns="{RELATIONS}"></Relationships>'.encode()
        return old.replace(b"</Relationships>", link + b"</Relationships>")

    return edit


def sheet_xml(rows, before="", after="", start=""):
    return (
        f'{start}<worksheet xmlns="{MAIN}" xmlns:r="{OFFICE}">{before}'
        f"<sheetData>{rows}</sheetData>{after}</worksheet>"
    ).encode()


def bare(rows, before="", after="", texts=None, edits=None):
    """A workbook whose one sheet holds these rows; `texts`: the inside of its shared texts."""
    changes = {SHEET: sheet_xml(rows, before, after)}
    if texts is not None:
        changes["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{texts}</sst>'
        changes[BOOK_RELS] = related("sharedStrings", "sharedStrings.xml")
    return edited(saved(workbook()), changes | (edits or {}))


def text_cell(place, text):
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def ods(tables, styles=""):
    names = " ".join(f'xmlns:{n}="{ODF}:{n}:1.0"' for n in ("office", "style", "table", "text"))
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {names}>'
        f"<office:automatic-styles>{styles}</office:automatic-styles><office:body>"
        f"<office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": "<manifest/>",
            "content.xml": content,
        }
    )


def ods_text(text, repeated=1):
    again = f' table:number-columns-repeated="{repeated}"' if repeated > 1 else ""
    return (
        f'<table:table-cell office:value-type="string"{again}><text:p>{text}</text:p>'
        "</table:table-cell>"
    )


def record(kind, content=b""):
    """One record of a binary part."""
    head = bytes([kind]) if kind < 128 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size, length = len(content), b""
    while True:
        length += bytes([size & 0x7F | (0x80 if size > 127 else 0)])
        size >>= 7
        if not size:
            return head + length + content


def wide(text):
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def number(value):
    return 5, struct.pack("<d", value)


def written(text):
    return 6, wide(text)


def xlsb(cells, shared=b""):
    """{(row, column): number(1.5)}."""
    rows, last = b"", -1
    for (row, column), (kind, content) in cells.items():
        if row != last:
            rows, last = rows + record(0, struct.pack("<IIHHBI", row, 0, 300, 0, 0, 0)), row
        rows += record(kind, struct.pack("<II", column, 0) + content)
    extent = record(148, struct.pack("<IIII", 0, 0, 0, 0))
    one = struct.pack("<II", 0, 1) + wide("rId1") + wide("Fields")
    parts = {
        "[Content_Types].xml": "<Types/>",
        "xl/_rels/workbook.bin.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship '
        f'Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.bin"/></Relationships>',
        "xl/workbook.bin": record(131)
        + record(153, struct.pack("<II", 0, 0) + wide(""))
        + record(143)
        + record(156, one)
        + record(144)
        + record(132),
        "xl/worksheets/sheet1.bin": record(129)
        + extent
        + record(145)
        + rows
        + record(146)
        + record(130),
    }
    return zipped(parts | ({"xl/sharedStrings.bin": shared} if shared else {}))


def biff(kind, content=b""):
    return struct.pack("<HH", kind, len(content)) + content


BOF = biff(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))


def old_file(**streams):
    """A file of streams: the large ones in sectors, the small ones in the root's stream."""
    sectors, table, entries, small, small_table = [], [], [], b"", []

    def store(content):
        first = len(sectors)
        pieces = [content[at : at + 512].ljust(512, b"\0") for at in range(0, len(content), 512)]
        sectors.extend(pieces)
        table.extend([*range(first + 1, first + len(pieces)), END])
        return first

    def entry(name, kind, first, size):
        text = (name + "\0").encode("utf-16-le")
        head = text.ljust(64, b"\0") + struct.pack("<HBB", len(text), kind, 1)
        links = struct.pack("<III", 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF) + bytes(36)
        return head + links + struct.pack("<IQ", first, size)

    for name, content in streams.items():
        if len(content) >= 4096:
            entries.append(entry(name, 2, store(content), len(content)))
        else:
            first, count = len(small) // 64, -(-len(content) // 64)
            small += content.ljust(count * 64, b"\0")
            small_table.extend([*range(first + 1, first + count), END])
            entries.append(entry(name, 2, first, len(content)))
    root = entry("Root Entry", 5, store(small) if small else END, len(small))
    links = store(struct.pack(f"<{len(small_table)}I", *small_table)) if small else END
    directory = store(root + b"".join(entries))
    table.append(0xFFFFFFFD)
    fat = struct.pack(f"<{len(table)}I", *table).ljust(512, b"\xff")
    assert len(table) <= 128
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, directory, 0, 4096, links, 1, END, 0)
    head += struct.pack("<I", len(sectors)).ljust(436, b"\xff")
    return head + b"".join(sectors) + fat


END = 0xFFFFFFFE
