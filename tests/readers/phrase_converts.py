"""Phrases that state a rule, with the rule. Each stands in the row of the field `amount`."""

from datetime import date
from decimal import Decimal

from ruleferry.converters.predicates import (
    Absent,
    AgainstToday,
    Compare,
    CountPresent,
    DistinctWithin,
    Format,
    Identity,
    Length,
    Matches,
    OneOf,
    Present,
    Range,
    Typed,
)
from ruleferry.converters.rule import Exists, Lookup, Unique

A = "amount"
LETTER = r"[^\W\d_]"


def compare(left, operator, right):
    return Compare(left, operator, right, ignore="any_missing")


PRESENCE = [
    ("Required", Present(A)),
    ("REQUIRED.", Present(A)),
    ("Mandatory", Present(A)),
    ("not null", Present(A)),
    ("Must not be blank", Present(A)),
    ("must be provided", Present(A)),
    ("cannot be empty", Present(A)),
    ("can't be null", Present(A)),
    ("Must always be populated.", Present(A)),
    ("must have a value", Present(A)),
    ("No missing values", Present(A)),
    ("This field is required", Present(A)),
    ("The value must be filled in", Present(A)),
    ("FAIN is required", Present("FAIN")),
    ("FAIN is a required field", Present("FAIN")),
    ("FAIN is always required.", Present("FAIN")),
    ("FAIN cannot be blank.", Present("FAIN")),
    ("[FAIN] must be provided", Present("FAIN")),
    ("${FAIN} must be provided", Present("FAIN")),
    ("{FAIN} must be provided", Present("FAIN")),
    ('"External referrals" = NOT EMPTY', Present("office")),
    ("Is there a value in dwc:eventDate?", Present("eventDate")),
    ("Each row must contain PYA.", Present("PYA")),
    ("must be blank", Absent(A)),
    ("must be left empty", Absent(A)),
    ("must be null", Absent(A)),
    ("must not be used", Absent(A)),
    ("FAIN must not be provided", Absent("FAIN")),
]

RANGES = [
    ("must be at least 0", Range(A, low=0)),
    ("Must be 10–49, inclusive", Range(A, 10, 49)),
    ("Must be 10-49", Range(A, 10, 49)),
    ("between 0 and 52", Range(A, 0, 52)),
    ("must be between 1 and 5", Range(A, 1, 5)),
    ("must be between 0 and 1, exclusive", Range(A, 0, 1, low_open=True, high_open=True)),
    ("from 1 to 10", Range(A, 1, 10)),
    ("Must be in the range 1 to 10", Range(A, 1, 10)),
    ("0 to 52", Range(A, 0, 52)),
    ("1-5", Range(A, 1, 5)),
    ("between -90 and 90", Range(A, -90, 90)),
    ("between 0.21 and 41.5", Range(A, Decimal("0.21"), Decimal("41.5"))),
    ('0 ≤ "Body weight" ≤ 10', Range(A, 0, 10)),
    ('1 ≤ "Number of births" ≤ 8', Range("low", 1, 8)),
    ("0 < amount <= 10", Range(A, 0, 10, low_open=True)),
    ("100 >= amount > 0", Range(A, 0, 100, low_open=True)),
    ("≥ 30 and ≤ 500", Range(A, 30, 500)),
    (">= 0.06 AND <= 0.30", Range(A, Decimal("0.06"), Decimal("0.30"))),
    ("> 0", Range(A, low=0, low_open=True)),
    ("≤ 25 000", Range(A, high=25000)),
    ("must be 25,000 or less", Range(A, high=25000)),
    ("must be 18 or older", None),
    ("must be 18 or more", Range(A, low=18)),
    ("Enter value greater than 0.", Range(A, low=0, low_open=True)),
    ("must not exceed 1980.", Range(A, high=1980)),
    ("Note it must not exceed 1980.", Range(A, high=1980)),
    ("must exceed 5", Range(A, low=5, low_open=True)),
    ("must not be negative", Range(A, low=0)),
    ("must be non-negative", Range(A, low=0)),
    ("must be positive", Range(A, low=0, low_open=True)),
    ("cannot be less than 5", Range(A, low=5)),
    ("must not be greater than 5", Range(A, high=5)),
    ("must be no more than 5", Range(A, high=5)),
    ("must be not less than 5", Range(A, low=5)),
    ("must be up to 100", Range(A, high=100)),
    ("must be zero or greater", Range(A, low=0)),
    ("must be greater than 0 and less than 10", Range(A, 0, 10, True, True)),
    ("at least 5 and at most 10", Range(A, 5, 10)),
    ("minimum 0, maximum 10", Range(A, 0, 10)),
    ("Min. 3", Range(A, low=3)),
    ("max 7", Range(A, high=7)),
    ("must be between 2020-01-01 and 2030-12-31", Range(A, date(2020, 1, 1), date(2030, 12, 31))),
    ("Date Range: 2020-01-01 to 2030-12-31", Range(A, date(2020, 1, 1), date(2030, 12, 31))),
    ("must be on or after October 1, 2010", Range(A, low=date(2010, 10, 1))),
    ("must be before 1 October 2010", Range(A, high=date(2010, 10, 1), high_open=True)),
    ("no later than 31/12/2024", Range(A, high=date(2024, 12, 31))),
    ("must be between 19991001 and 20991231", Range(A, 19991001, 20991231)),
    ("low must be between 0 and 3", Range("low", 0, 3)),
]

VALUES = [
    ('must contain one of the following values: "A", "B", "C"', OneOf(A, ("A", "B", "C"))),
    ('must be "X", "B", or "P"', OneOf(A, ("X", "B", "P"))),
    ("PYA must be X, B, or P", OneOf("PYA", ("X", "B", "P"))),
    ("PYA must be empty, R, or D", OneOf("PYA", ("R", "D", ""))),
    ("Only acceptable values are x and [blank]", OneOf(A, ("x", ""))),
    ("Valid values are: x, y, z", OneOf(A, ("x", "y", "z"))),
    ("Allowed values: 1, 2, 3", OneOf(A, (1, 2, 3))),
    ("Must be one of: NRES, GRU, GRU-NCU", OneOf(A, ("NRES", "GRU", "GRU-NCU"))),
    ("must be one of: 01, 02", OneOf(A, ("01", "02"))),
    ("must be one of 07, F003, or 1", OneOf(A, ("07", "F003", "1"))),
    ("must be blank or 0", OneOf(A, (0,))),
    ("must be Yes or No", OneOf(A, ("Yes", "No"))),
    ("must be either 1 or 2", OneOf(A, (1, 2))),
    ("must be 5", OneOf(A, (5,))),
    ("must equal 5", OneOf(A, (5,))),
    ('must be equal to "open"', OneOf(A, ("open",))),
    ("must not be 0", OneOf(A, (0,), negated=True)),
    ('must not be "city-wide"', OneOf(A, ("city-wide",), negated=True)),
    ('cannot be "N/A" or "none"', OneOf(A, ("N/A", "none"), negated=True)),
    ('When provided, CorrectionFlag must contain one of the following values: "C" or "D".',
     OneOf("CorrectionFlag", ("C", "D"))),
]  # fmt: skip

TEXTS = [
    ("exactly 6 digits", Matches(A, ("^[0-9]{6}$",))),
    ("must be exactly 6 digits", Matches(A, ("^[0-9]{6}$",))),
    ("must be a 3-digit code", Matches(A, ("^[0-9]{3}$",))),
    ("must be one to three letters in length", Matches(A, (f"^{LETTER}{{1,3}}$",))),
    ("Max. 255 characters", Length(A, high=255)),
    ("80 characters maximum", Length(A, high=80)),
    ("between 7 and 128 characters", Length(A, 7, 128)),
    ("fewer than 50 characters", Length(A, high=50, high_open=True)),
    ("must be twelve characters", Length(A, 12, 12)),
    ("exactly 6 characters in length", Length(A, 6, 6)),
    ("must be no longer than 10 characters", Length(A, high=10)),
    ("must not exceed 255 characters", Length(A, high=255)),
    ("must be at least 8 characters long", Length(A, low=8)),
    ("maximum length of 20", Length(A, high=20)),
    ("must have a length of 11", Length(A, 11, 11)),
    ("at most 20 bytes", Length(A, high=20, in_bytes=True)),
    ("When UEI is provided, it must be twelve characters.", None),
    ("must start with GSE", Matches(A, ("^GSE",))),
    ("must start with SAMD, SAMN, or SAME", Matches(A, ("^(?:SAMD|SAMN|SAME)",))),
    ("must begin with phs", Matches(A, ("^phs",))),
    ("must start with E-", Matches(A, ("^E-",))),
    ('must start with "A.b"', Matches(A, (r"^A\.b",))),
    ('must end with ".csv"', Matches(A, (r"\.csv$",))),
    ('must not start with "0"', Matches(A, ("^0",), negated=True)),
    ("no spaces", Matches(A, ("[ ]",), negated=True)),
    ("cannot contain spaces", Matches(A, ("[ ]",), negated=True)),
    ('must not contain "@"', Matches(A, ("@",), negated=True)),
    ("digits only", Matches(A, ("^[0-9]*$",))),
    ("only letters and numbers", Matches(A, (f"^(?:{LETTER}|[0-9])*$",))),
    ("Only letters", Matches(A, (f"^{LETTER}*$",))),
    ("must contain only letters, digits and hyphens", Matches(A, (f"^(?:{LETTER}|[0-9\\-])*$",))),
    ("must follow YYYYMMDD format", Format(A, "%Y%m%d", exact=True)),
    ("must follow YYYYMMDD format, where YYYY is the year, MM the month and DD the day.",
     Format(A, "%Y%m%d", exact=True)),
    ("Use DD/MM/YYYY format", Format(A, "%d/%m/%Y", exact=True)),
    ("YYYY-MM-DD", Format(A, "%Y-%m-%d", exact=True)),
    ("Format: YYYY-MM-DD", Format(A, "%Y-%m-%d", exact=True)),
    ("must be in YYYY-MM-DD format", Format(A, "%Y-%m-%d", exact=True)),
    ("must be in the #### format", Matches(A, ("^[0-9]{4}$",))),
    ("###-###-####", Matches(A, ("^[0-9]{3}-[0-9]{3}-[0-9]{4}$",))),
]  # fmt: skip

TYPES = [
    ("Value must be a whole number", Typed(A, "integer")),
    ("must be numeric", Typed(A, "number")),
    ("Numeric", Typed(A, "number")),
    ("must be an integer", Typed(A, "integer")),
    ("must be a valid date", Typed(A, "date")),
    ("must be a valid ISO date", Typed(A, "date")),
    ("up to 2 decimal places", Typed(A, "number", scale=2)),
    ("Is the value of low an integer?", Typed("low", "integer")),
]

TODAY = [
    ("must not be in the future", AgainstToday(A, "<=")),
    ("cannot be a future date", AgainstToday(A, "<=")),
    ("must be in the past", AgainstToday(A, "<")),
    ("≤ today", AgainstToday(A, "<=")),
    ("≤ {today}", AgainstToday(A, "<=")),
    ("no later than today", AgainstToday(A, "<=")),
    ("must be on or before the current date", AgainstToday(A, "<=")),
    ("must not be later than today", AgainstToday(A, "<=")),
    ("DateTime ≤ Current DateTime", AgainstToday(A, "<=", now=True)),
    ("Note: Maximum expected day = Current day.", AgainstToday(A, "<=")),
]

COLUMNS = [
    ("low must be less than or equal to high", compare("high", ">=", "low")),
    ("low must be less than high", compare("high", ">", "low")),
    ("high must be at least low", compare("high", ">=", "low")),
    ("high must be greater than low", compare("high", ">", "low")),
    ("start_date must occur on or before end_date", compare("end_date", ">=", "start_date")),
    ("start_date must precede end_date", compare("end_date", ">", "start_date")),
    ("When both are provided, start_date must occur on or before end_date.",
     compare("end_date", ">=", "start_date")),
    ("must not be after end_date", compare("end_date", ">=", A)),
    ("must be the same as total", compare(A, "=", "total")),
    ("low must not be equal to high", DistinctWithin(("low", "high"), ignore="any_missing")),
    ("low = high", compare("low", "=", "high")),
    ("total = part_a + part_b - part_c",
     Identity("total", ((1, "part_a"), (1, "part_b"), (-1, "part_c")))),
    ("total= part_a + part_b.", Identity("total", ((1, "part_a"), (1, "part_b")))),
]  # fmt: skip

SEVERAL = [
    ("Must provide either FAIN, URI, or PIID", CountPresent(("FAIN", "URI", "PIID"), 1)),
    ("At least one of FAIN, URI or PIID must be provided",
     CountPresent(("FAIN", "URI", "PIID"), 1)),
    ("FAIN or URI must be provided", CountPresent(("FAIN", "URI"), 1)),
    ("exactly one of FAIN or URI must be provided", CountPresent(("FAIN", "URI"), 1, 1)),
    ("No more than one of FAIN or URI may be provided", CountPresent(("FAIN", "URI"), 0, 1)),
    ("Row must not contain both FAIN and URI", CountPresent(("FAIN", "URI"), 0, 1)),
    ("FAIN and URI cannot be provided on the same row", CountPresent(("FAIN", "URI"), 0, 1)),
    ("FAIN and URI cannot both be provided", CountPresent(("FAIN", "URI"), 0, 1)),
    ("Both FAIN and URI must be provided", CountPresent(("FAIN", "URI"), 2)),
]  # fmt: skip

KEYS = [
    ("Unique", Unique((A,))),
    ("must be unique", Unique((A,))),
    ("Values must be unique", Unique((A,))),
    ("must not be duplicated", Unique((A,))),
    ("No duplicates", Unique((A,))),
    ("The combination of FAIN, URI and PIID must be unique", Unique(("FAIN", "URI", "PIID"))),
    ("must exist in table Site (column siteID)",
     Exists(Lookup("Site", ((A, "siteID"),)), missing="good")),
    ("must exist in Site.siteID", Exists(Lookup("Site", ((A, "siteID"),)), missing="good")),
]  # fmt: skip

ONE_RULE = [
    pair
    for table in (PRESENCE, RANGES, VALUES, TEXTS, TYPES, TODAY, COLUMNS, SEVERAL, KEYS)
    for pair in table
    if pair[1] is not None
]
