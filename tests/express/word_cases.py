"""What a person means by a rule, written by hand: of some values of a type, which are good.

All other values of that type in VALUES are bad; a missing value passes unless the case says not.
"""

from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal

from ruleferry.converters.predicates import (
    Absent,
    Format,
    Length,
    Like,
    Matches,
    OneOf,
    Predicate,
    Present,
    Range,
    Typed,
)

D, at = Decimal, datetime.fromisoformat
NAN, INF = float("nan"), float("inf")
NUMBER_TEXTS = (
    "0", "1", "12", "-12", "+12", "012", "12.0", "12.5", "12.", ".5", "12.345", "1e3", "1E-2",
    "1000", "999.99", "-999", "9" * 40, "1e400",
)  # fmt: skip
NO_NUMBERS = (
    "", " ", "abc", " 12", "12 ", "1,2", "1d", "12f", "0x1p3", "NaN", "Infinity", "-inf", "-", ".",
    "e5", "1.2.3", "--1", "1e", "true", "TRUE", "yes", "N", "2", "é", "١٢", "12\n", "NA", "n/a",
)  # fmt: skip
DAY_TEXTS = ("2024-01-31", "2024-02-29", "1900-01-01", "9999-12-31")
TIME_TEXTS = (
    "2024-01-31 10:00", "2024-01-31T10:00:00.5Z", "2024-01-31 23:59:59", "2024-12-31 10:00:00",
    "2024-12-31T10:00:00+02:00",
)  # fmt: skip
NO_DAYS = (
    "2024-02-30", "2023-02-29", "2024-13-01", "2024-1-5", "2024", "2024-01", "0000-01-01",
    "20240131", "31.01.2024", "2024-01-31 abc", "2024-01-31 24:00", "2024-01-31 10:61",
    " 2024-01-31", "2024-01-31 10:00:00+25:00", "10:30", "24:00", "10:30:15.25", "1:30",
)  # fmt: skip
VALUES = {
    "string": (*NUMBER_TEXTS, *NO_NUMBERS, *DAY_TEXTS, *TIME_TEXTS, *NO_DAYS),
    "int": (0, 1, 12, -12, 999, 1000, -999, 20240131, 2**31 - 1, -(2**31)),
    "bigint": (0, 1, 12, 1000, -999, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)),
    "decimal(10,2)": tuple(map(D, ("0", "1", "12", "12.5", "-12.34", "999.99", "1000", "-999"))),
    "decimal(38,0)": (D(0), D(12), D(10) ** 37, D("9" * 38), D("-" + "9" * 38)),
    "double": (0.0, 1.0, 12.0, 12.5, 12.345, 999.99, 1000.0, -999.0, 1e10, 1e300, NAN, INF, -INF),
    "float": (0.0, 1.0, 12.5, 1000.0, NAN, INF),
    "date": (date(2024, 1, 31), date(1900, 1, 1), date(2024, 12, 31), date(9999, 12, 31)),
    "timestamp": (
        at("2024-01-31"), at("2024-01-31 10:00"), at("2024-12-31 23:59:59"),
        at("2025-01-01"), at("1900-01-01"),
    ),
    "boolean": (True, False),
}  # fmt: skip
VALUES["timestamp_ntz"] = VALUES["timestamp"]


@dataclass(frozen=True)
class WordCase:
    """`good` as they stand in VALUES; `known` False: the rule is made without the type."""

    predicate: Predicate
    type: str
    good: tuple[object, ...]
    words: tuple[str, ...] = ()
    missing: bool = True
    known: bool = True

    def __str__(self) -> str:
        told = "" if self.known else ", type not known"
        shown = ", ".join(
            f"{f.name}={value!r}"
            for f in fields(self.predicate)
            if (value := getattr(self.predicate, f.name)) not in ("c", None, False)
        )
        words = f" {self.words}" if self.words else ""
        return f"{type(self.predicate).__name__} {shown} on {self.type}{told}{words}"


def but(type_: str, *bad: object) -> tuple[object, ...]:
    """All values of the type, but these."""
    assert all(value in VALUES[type_] for value in bad), bad
    return tuple(value for value in VALUES[type_] if value not in bad)


WHOLE = ("0", "1", "12", "-12", "+12", "012", "1000", "-999", "9" * 40, "2", "2024", "20240131")
NUMBERS = (*NUMBER_TEXTS, "2", "2024", "20240131")


def typed(sort, *sizes):
    return Typed("c", sort, *sizes)


def typed_cases():
    yield WordCase(typed("integer"), "string", WHOLE)
    yield WordCase(typed("integer", 2), "string", ("0", "1", "12", "-12", "+12", "012", "2"))
    yield WordCase(typed("number"), "string", NUMBERS)
    yield WordCase(typed("decimal"), "string", NUMBERS)
    plain = ("0", "1", "12", "-12", "+12", "012", "12.0", "12.5", "12.", ".5", "1000", "999.99",
             "-999", "2", "2024", "20240131")  # fmt: skip
    short = tuple(t for t in plain if t not in ("1000", "2024", "20240131"))
    yield WordCase(typed("decimal", None, 2), "string", (*plain, "9" * 40))
    yield WordCase(typed("decimal", 5, 2), "string", short)
    yield WordCase(typed("number", 5, 2), "string", short)
    yield WordCase(typed("decimal", 2, 2), "string", ("0", ".5"))
    three = ("0", "1", "12", "-12", "+12", "012", "12.0", "12.5", "12.", ".5", "-999", "2")
    yield WordCase(typed("decimal", 3), "string", three)
    truths = ("0", "1", "true", "TRUE", "yes", "N")
    yield WordCase(typed("boolean"), "string", truths)
    yield WordCase(typed("date"), "string", DAY_TEXTS)
    yield WordCase(typed("timestamp"), "string", (*DAY_TEXTS, *TIME_TEXTS))
    yield WordCase(typed("time"), "string", ("10:30", "10:30:15.25"))
    for sort, good in (
        ("integer", WHOLE), ("number", NUMBERS), ("boolean", truths), ("date", DAY_TEXTS),
        ("timestamp", (*DAY_TEXTS, *TIME_TEXTS)), ("time", ("10:30", "10:30:15.25")),
    ):  # fmt: skip
        yield WordCase(typed(sort), "string", good, known=False)
    yield WordCase(typed("decimal", 5, 2), "string", short, known=False)
    yield WordCase(typed("integer", 3), "int", (0, 1, 12, -12, 999, -999))
    yield WordCase(typed("integer", 3), "bigint", (0, 1, 12, -999))
    yield WordCase(typed("integer", 18), "bigint", but("bigint", 2**63 - 1, -(2**63)))
    yield WordCase(typed("decimal", 5, 2), "int", (0, 1, 12, -12, 999, -999))
    yield WordCase(typed("boolean"), "int", (0, 1))
    yield WordCase(typed("integer"), "decimal(10,2)", (D(0), D(1), D(12), D(1000), D(-999)))
    yield WordCase(typed("integer", 3), "decimal(10,2)", (D(0), D(1), D(12), D(-999)))
    yield WordCase(typed("integer"), "decimal(38,0)", VALUES["decimal(38,0)"])
    yield WordCase(typed("integer", 37), "decimal(38,0)", (D(0), D(12)))
    yield WordCase(typed("decimal", 5, 2), "decimal(10,2)", but("decimal(10,2)", D(1000)))
    yield WordCase(
        typed("decimal", 10, 1), "decimal(10,2)", but("decimal(10,2)", D("-12.34"), D("999.99"))
    )
    yield WordCase(typed("boolean"), "decimal(10,2)", (D(0), D(1)))
    whole = (0.0, 1.0, 12.0, 1000.0, -999.0, 1e10, 1e300)
    yield WordCase(typed("integer"), "double", whole)
    yield WordCase(typed("integer", 3), "double", (0.0, 1.0, 12.0, -999.0))
    yield WordCase(typed("decimal", None, 2), "double", (*whole, 12.5, 999.99))
    yield WordCase(typed("decimal", 5, 2), "double", (0.0, 1.0, 12.0, 12.5, 999.99, -999.0))
    yield WordCase(typed("integer"), "float", (0.0, 1.0, 1000.0))
    yield WordCase(typed("boolean"), "double", (0.0, 1.0))
    yield WordCase(
        typed("date"), "timestamp", (at("2024-01-31"), at("2025-01-01"), at("1900-01-01"))
    )
    yield WordCase(
        typed("date"), "timestamp_ntz", (at("2024-01-31"), at("2025-01-01"), at("1900-01-01"))
    )
    # A type that is not known, and is another one than a text.
    yield WordCase(typed("integer"), "double", whole, known=False)
    yield WordCase(typed("integer", 3), "double", (0.0, 1.0, 12.0, -999.0), known=False)
    yield WordCase(typed("integer"), "bigint", VALUES["bigint"], known=False)
    yield WordCase(typed("integer"), "date", (), known=False)
    yield WordCase(typed("integer"), "boolean", (), known=False)
    yield WordCase(
        typed("decimal", 5, 2), "decimal(10,2)", but("decimal(10,2)", D(1000)), known=False
    )
    yield WordCase(typed("number"), "double", but("double", NAN, INF, -INF), known=False)
    yield WordCase(typed("number"), "timestamp", (), known=False)
    yield WordCase(typed("boolean"), "boolean", (True, False), known=False)
    yield WordCase(typed("boolean"), "int", (0, 1), known=False)
    yield WordCase(typed("date"), "date", VALUES["date"], known=False)
    yield WordCase(typed("timestamp"), "timestamp", VALUES["timestamp"], known=False)


def range_cases():
    hundred = ("0", "1", "12", "+12", "012", "12.0", "12.5", "12.", ".5", "12.345", "1E-2", "2")
    positive = tuple(t for t in NUMBERS if t[0] != "-")
    for known in (True, False):
        yield WordCase(Range("c", 0, 100), "string", hundred, known=known)
        yield WordCase(Range("c", 0, 100, unknown="bad"), "string", hundred, known=known)
        yield WordCase(Range("c", 0), "string", positive, known=known)
        yield WordCase(Range("c", D("12.5"), D("999.99"), True, True), "string", (), known=known)
        yield WordCase(Range("c", 0, 12), "double", (0.0, 1.0, 12.0), known=known)
        yield WordCase(
            Range("c", high=12),
            "decimal(10,2)",
            (D(0), D(1), D(12), D("-12.34"), D(-999)),
            known=known,
        )
    yield WordCase(Range("c", 0, low_open=True), "double", but("double", 0.0, -999.0, -INF, NAN))
    yield WordCase(Range("c", 0, low_open=True), "float", but("float", 0.0, NAN))
    yield WordCase(Range("c", 2**53 + 1), "bigint", (2**53 + 1, 2**63 - 1))
    yield WordCase(Range("c", D("0.5"), 12), "int", (1, 12))
    year = Range("c", date(2024, 1, 1), date(2024, 12, 31))
    for known in (True, False):
        texts = ("2024-01-31", "2024-02-29", *TIME_TEXTS)
        yield WordCase(year, "string", texts, known=known)
        yield WordCase(year, "date", (date(2024, 1, 31), date(2024, 12, 31)), known=known)
        yield WordCase(year, "timestamp", VALUES["timestamp"][:3], known=known)
        yield WordCase(year, "timestamp_ntz", VALUES["timestamp_ntz"][:3], known=known)
        after = Range("c", date(2024, 1, 31), low_open=True)
        late = (at("2024-12-31 23:59:59"), at("2025-01-01"))
        yield WordCase(after, "timestamp", late, known=known)
        noon = Range("c", at("2024-01-31 10:00"), at("2024-12-31 10:00"))
        yield WordCase(noon, "timestamp", (at("2024-01-31 10:00"),), known=known)
        yield WordCase(noon, "date", (date(2024, 12, 31),), known=known)  # as its first moment
        yield WordCase(noon, "string", ("2024-02-29", *TIME_TEXTS), known=known)
        wide = Range("c", at("2023-12-31 10:00"), at("2024-12-31 10:00"))
        wide_texts = ("2024-01-31", "2024-02-29", *TIME_TEXTS)
        yield WordCase(wide, "string", wide_texts, known=known)
    yield WordCase(Range("c", "a", "b"), "string", ("abc",))


def list_cases():
    for known in (True, False):
        yield WordCase(OneOf("c", ("12", "NA")), "string", ("12", "NA"), known=known)
        yield WordCase(OneOf("c", ("12", None)), "string", ("12",), known=known)
        ones = ("1", "12", "+12", "012", "12.0", "12.")
        yield WordCase(OneOf("c", (1, 12)), "string", ones, known=known)
        yield WordCase(OneOf("c", (1, 12)), "double", (1.0, 12.0), known=known)
        yield WordCase(OneOf("c", (1, 12)), "int", (1, 12), known=known)
        days = OneOf("c", (date(2024, 1, 31), date(1900, 1, 1)))
        yield WordCase(days, "string", ("2024-01-31", "1900-01-01"), known=known)
        yield WordCase(days, "date", (date(2024, 1, 31), date(1900, 1, 1)), known=known)
        yield WordCase(OneOf("c", (True,)), "boolean", (True,), known=known)
    yield WordCase(OneOf("c", ("12",), negated=True), "string", but("string", "12"))
    yield WordCase(OneOf("c", ("1", "12", "x")), "int", (1, 12))
    yield WordCase(OneOf("c", ("TRUE", "Y")), "boolean", (True,))
    yield WordCase(OneOf("c", (D("12.50"),)), "decimal(10,2)", (D("12.5"),))


def text_cases():
    for known in (True, False):
        yield WordCase(Matches("c", (r"^[0-9]{2}\Z",)), "string", ("12",), known=known)
        yield WordCase(Matches("c", (r"^\d{2}\Z",)), "string", ("12",), known=known)
        yield WordCase(Matches("c", ("^[0-9]{8}$",)), "int", (20240131,), known=known)
        yield WordCase(Length("c", 40, 40), "string", ("9" * 40,), known=known)
        yield WordCase(Format("c", "%Y%m%d", exact=True), "int", (20240131,), known=known)
        days = ("2024-01-31", "2024-02-29", "1900-01-01", "9999-12-31")
        yield WordCase(Format("c", "%Y-%m-%d", exact=True), "string", days, known=known)
        yield WordCase(Format("c", "%Y-%m-%d"), "string", (*days, "2024-1-5"), known=known)
        yield WordCase(Format("c", "%d.%m.%Y", exact=True), "string", ("31.01.2024",), known=known)
        yield WordCase(Format("c", "%H:%M", exact=True), "string", ("10:30",), known=known)
        yield WordCase(Format("c", "%H:%M"), "string", ("10:30", "1:30"), known=known)
    yield WordCase(Length("c", high=1), "string", ("", " ", "0", "1", "-", ".", "N", "2", "é"))
    yield WordCase(
        Length("c", high=1, in_bytes=True), "string", ("", " ", "0", "1", "-", ".", "N", "2")
    )
    yield WordCase(Like("c", ("N%",)), "string", ("NaN", "N", "NA"))


BLANKS = ("", " ")


def missing_cases():
    """Words for a missing value."""
    na, blank, minus = ("NA", "n/a"), ("",), ("-999",)
    for known in (True, False):
        yield WordCase(Present("c"), "string", but("string", "NA", "n/a"), na, False, known)
        yield WordCase(Present("c"), "string", but("string", *BLANKS), blank, False, known)
        yield WordCase(Absent("c"), "string", ("NA", "n/a", *BLANKS), na + blank, True, known)
        yield WordCase(Present("c"), "int", but("int", -999), minus, False, known)
        yield WordCase(Present("c"), "double", but("double", -999.0), minus, False, known)
        yield WordCase(
            Present("c"), "decimal(10,2)", but("decimal(10,2)", D(-999)), minus, False, known
        )
        yield WordCase(Present("c"), "int", VALUES["int"], na + blank, False, known)
        yield WordCase(Present("c"), "boolean", VALUES["boolean"], na + blank, False, known)
        old = ("1900-01-01", "NA")
        yield WordCase(Present("c"), "date", but("date", date(1900, 1, 1)), old, False, known)
        yield WordCase(
            Present("c"), "timestamp", but("timestamp", at("1900-01-01")), old, False, known
        )
        yield WordCase(
            Range("c", 0, 12),
            "string",
            ("0", "1", "12", "+12", "012", "12.0", "12.", ".5", "1E-2", "2", "NA", *BLANKS),
            ("NA", ""),
            known=known,
        )
        yield WordCase(Range("c", 0, 12), "int", (0, 1, 12, -999), minus, known=known)
        yield WordCase(
            typed("integer"), "string", (*WHOLE, "NA", "n/a", *BLANKS), na + blank, known=known
        )
        yield WordCase(OneOf("c", ("12",)), "string", ("12", "NA", "n/a"), na, known=known)
        yield WordCase(Length("c", 40), "string", ("9" * 40, "NA"), ("NA",), known=known)
        yield WordCase(Matches("c", ("^a",)), "string", ("abc", *BLANKS), blank, known=known)
    # A word of a text column is that text and no number.
    yield WordCase(Present("c"), "string", but("string", "12"), ("12",), False)
    # Of a column whose type is not known it may be either.
    twelve = ("12", "+12", "012", "12.0", "12.")
    yield WordCase(Present("c"), "string", but("string", *twelve), ("12",), False, False)
    yield WordCase(Present("c"), "double", but("double", NAN), ("NaN",), False)
    yield WordCase(Absent("c"), "double", (NAN,), ("nan", "x"))
    yield WordCase(Present("c"), "boolean", (True,), ("false",), False)


def cases():
    yield from typed_cases()
    yield from range_cases()
    yield from list_cases()
    yield from text_cases()
    yield from missing_cases()
