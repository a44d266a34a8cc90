"""What is no drift: changes of looks, of order and of what states no rule. All of it is silent.

`python test_looks.py DIR` prints how many of them are.
"""

import sys
from pathlib import Path

import looks
import pytest
from books import APPROPRIATIONS, BFD, BOOKS, CICA, DIGITAL_LAND, MIXS, MOCK_SPEC, P21, SAGE
from trial import after, after_cells, dictionary, restored, sample, short

BOOK, SUITE, SCRIPT = "dictionary.xlsx", "suites/orders.json", "checks/nightly.sql"
_NBSP, _THIN = "\N{NO-BREAK SPACE}", "\N{THIN SPACE}"
_YES = {"Yes": "Y", "No": "n", "Conditional": "Conditional"}

SAMPLE = {
    "rows": (BOOK, looks.moved_rows("Fields", 4)),
    "rows, once more": (BOOK, looks.moved_rows("Fields", 4, seed=3)),
    "columns": (BOOK, looks.moved_columns("Fields", {"F": "K", "K": "F", "D": "L", "L": "D"})),
    "packed again": (BOOK, looks.packed_again),
    "saved by another program": (BOOK, looks.saved_by_openpyxl),
    "font": (BOOK, looks.restyled),
    "wider": (BOOK, looks.wider),
    "10.0": (BOOK, looks.numbers_with_a_point),
    "a number as text": (BOOK, looks.texts({"Fields!H4": "1.0", "Fields!E10": "15.0"})),
    "comment": (BOOK, looks.with_comment("Fields!B5", "Seen by the team in March")),
    "another sheet": (BOOK, looks.with_sheet("Notes", [["Who", "When"], ["Ann", "March"]])),
    "no-break space": (BOOK, looks.texts({
        "Fields!F5": f"{_NBSP}Yes{_NBSP}", "Fields!D6": f"CHAR{_NBSP}(1)", "Fields!B7": "o_totalprice ",  # noqa: E501
        "Fields!L7": f"must{_NBSP}be  greater than{_THIN} 0",
    })),
    "quotes": (BOOK, looks.texts({"Fields!L10": "must start with “Clerk#”"})),
    "white space in a list": (BOOK, looks.texts({
        "Fields!J6": "F  =  finished ;O=open;  P = in part ",
    })),
    "order of a list": (BOOK, looks.texts({"Fields!J6": "P = in part; F = finished; O = open"})),
    "order of a list elsewhere": (BOOK, looks.texts({
        "Priorities!A2": "5-LOW", "Priorities!A6": "1-URGENT",
    })),
    "Y and n": (BOOK, looks.every("Fields!F", _YES.__getitem__, 4)),
    "yEs and nO": (BOOK, looks.every("Fields!F", lambda t: t[0].lower() + t[1:].upper() if len(t) < 4 else t, 4)),  # noqa: E501
    "TRUE": (BOOK, looks.texts({"Fields!F5": "TRUE", "Fields!F9": "FALSE", "Fields!G4": "true"})),
    "type in small letters": (BOOK, looks.every("Fields!D", str.lower, 4)),
    "description": (BOOK, looks.every("Fields!C", lambda text: f"{text}, as we say", 4)),
    "owner": (BOOK, looks.every("Fields!N", lambda text: f"{text} and others", 4)),
    "title": (BOOK, looks.texts({"Fields!A1": "The orders, as of March"})),
    "read me": (BOOK, looks.texts({"Read me!A1": "Ask the owner."})),
    "header": (BOOK, looks.texts({"Fields!F3": "Mandatory"})),
    "headers": (BOOK, looks.texts({
        "Fields!F3": "Is required?", "Fields!H3": "Min", "Fields!I3": "Max value",
        "Fields!B3": "Field name", "Fields!D3": "Type",
    })),
    "meaning of a code": (BOOK, looks.texts({"Fields!J6": "F = done; O = open; P = partly"})),
    "a day written otherwise": (BOOK, looks.texts({"Fields!H8": "1 January 1992"})),
    "indented": (SUITE, looks.indented),
    "keys": (SUITE, looks.keys_turned),
    "expectations": (SUITE, looks.expectations_turned),
    "value set": (SUITE, looks.script(lambda t: t.replace('"F", "O", "P"', '"P", "F", "O"'))),
    "0": (SUITE, looks.script(lambda t: t.replace('"min_value": 0.0', '"min_value": 0'))),
    "notes of a check": (SUITE, looks.script(
        lambda t: t.replace('"meta": {},', '"meta": {"notes": "seen"},', 1)
    )),
    "comments": (SCRIPT, looks.script(lambda t: f"-- seen in March\n\n{t}-- the end\n")),
    "lines": (SCRIPT, looks.script(lambda t: t.replace("\nFROM", "\n\n   FROM").replace(" AND ", "\n  AND "))),  # noqa: E501
    "case": (SCRIPT, looks.script(
        lambda t: t.replace("SELECT", "select").replace("WHERE", "where").replace("FROM", "from")
    )),
    "order of a set": (SCRIPT, looks.script(lambda t: t.replace("('F', 'O', 'P')", "('P', 'O', 'F')"))),  # noqa: E501
    "line ends": (SCRIPT, lambda path: path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))),
    "settings in another order": ("ruleferry.toml", looks.script(
        lambda t: t.replace('out = "expectations"\n', 'fail_on = "none"\nout = "expectations"\n')
    )),
}  # fmt: skip

_CSV = {
    "rows": looks.csv_rows,
    "columns": looks.csv_columns,
    "quoted": looks.csv_quoted,
    "mark": looks.csv_with_mark,
}
_XLSX = {
    "packed again": looks.packed_again,
    "font": looks.restyled,
    "wider": looks.wider,
    "10.0": looks.numbers_with_a_point,
}
_OWN = {
    APPROPRIATIONS: {
        "true": looks.every("D", str.capitalize),
        "yes": looks.every("D", {"TRUE": "yes", "FALSE": "no"}.__getitem__),
        "FLOAT": looks.every("E", str.upper),
        "labels": looks.every("A", str.upper),
        "another column": looks.csv_with_another_column,
    },
    SAGE: {"spaces": looks.every("C", lambda text: text.replace(", ", ",   "))},
    DIGITAL_LAND: {"descriptions": looks.every("D", lambda text: f"{text} So it is.")},
    MOCK_SPEC: {
        "rows": looks.moved_rows("Variables", 2),
        "columns": looks.moved_columns("Variables", {"F": "O", "O": "F", "E": "I", "I": "E"}),
        "y": looks.every("Variables!I", str.lower),
        "labels": looks.every("Variables!E", str.upper),
        "rows of a list": looks.moved_rows("Controlled_Terms", 2),
    },
    P21: {"rows": looks.moved_rows("Variables", 2)},
    MIXS: {
        "rows": looks.moved_rows("environmental_packages", 2),
        "definitions": looks.every("environmental_packages!D", lambda t: f"{t} (see there)"),
    },
    BFD: {
        "rows": looks.moved_rows("Carrier", 3),
        "columns": looks.moved_columns("Carrier", {"B": "H", "H": "B", "E": "G", "G": "E"}),
        "labels": looks.every("Carrier!H", str.title, 3),
    },
    CICA: {"rows": looks.moved_rows("Data Dictionary", 3)},
}  # fmt: skip
QUICK = (APPROPRIATIONS, SAGE)


def of_book(book) -> dict:
    """Name of the change -> the change."""
    general = _CSV if book.file.endswith(".csv") else _XLSX
    return {**general, **_OWN.get(book, {})}


PAIRS = [(book, name) for book in BOOKS for name in of_book(book)]


@pytest.fixture(scope="module")
def converted(shared, tmp_path_factory):
    made = {}

    def of(book):
        if book.id not in made:
            folder = tmp_path_factory.mktemp("books") / "one"
            file = shared / "corpus/spreadsheets" / book.file
            made[book.id] = dictionary(folder, file, book.profile)
        return made[book.id]

    return of


@pytest.mark.parametrize("name", SAMPLE)
def test_the_sample(name, orders):
    file, edit = SAMPLE[name]
    assert short(after(orders, orders.config.root / file, edit)) == []


@pytest.mark.parametrize(
    ("book", "name"), [p for p in PAIRS if p[0] in QUICK], ids=lambda v: getattr(v, "id", v)
)
def test_a_dictionary(book, name, converted):
    made = converted(book)
    assert short(after(made, made.path, of_book(book)[name])) == []


@pytest.mark.more
@pytest.mark.parametrize(
    ("book", "name"), [p for p in PAIRS if p[0] not in QUICK], ids=lambda v: getattr(v, "id", v)
)
def test_a_large_dictionary(book, name, converted):
    made = converted(book)
    assert short(after(made, made.path, of_book(book)[name])) == []


@pytest.mark.more
def test_the_sample_saved_by_libreoffice(office, orders):
    saved = office.convert(orders.path, "xlsx").read_bytes()
    assert short(after(orders, orders.path, lambda path: path.write_bytes(saved))) == []


@pytest.mark.more
@pytest.mark.parametrize("book", [b for b in BOOKS if b.file.endswith(".xlsx")], ids=lambda b: b.id)
def test_a_dictionary_saved_by_libreoffice(book, office, converted):
    made = converted(book)
    saved = office.convert(made.path, "xlsx").read_bytes()
    assert short(after(made, made.path, lambda path: path.write_bytes(saved))) == []


def test_a_change_of_looks_beside_a_change_of_a_rule(orders):
    """The one is told, and not the other."""
    with restored(orders.path):
        looks.moved_rows("Fields", 4)(orders.path)
        looks.restyled(orders.path)
        at = next(p for p, t in looks.texts_of(orders.path).items() if t == "VARCHAR(79)")
        told = after_cells(orders, {at: "VARCHAR(80)"})
    assert [(d.change, d.source.place) for d in told.differences] == [("loosened", at)]


def main(folder: str) -> None:
    made = sample(Path(folder) / "sample")
    tried = {
        f"sample, {name}": (made, made.config.root / file, edit)
        for name, (file, edit) in SAMPLE.items()
    }
    shared = Path(__file__).resolve().parents[3] / "shared"
    for book in BOOKS:
        file = shared / "corpus/spreadsheets" / book.file
        made = dictionary(Path(folder) / book.id, file, book.profile)
        tried |= {f"{book.id}, {n}": (made, made.path, edit) for n, edit in of_book(book).items()}
    silent = 0
    for name, (made, path, edit) in tried.items():
        lines = short(after(made, path, edit))
        silent += not lines
        for line in lines[:8]:
            print(name, line[:300])  # noqa: T201
    print(f"{silent} of {len(tried)} changes of looks are silent")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
