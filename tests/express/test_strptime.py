"""Formats of strptime: TRUE where Python parses the text, FALSE where it raises."""

import random
import re
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.express.sql_text import column, to_sql
from ruleferry.converters.express.strptime import Expressed, Refused, parses

YEAR = "(?!([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00))[0-9]{4}"
DAY = "(3[01]|[12][0-9]|0?[1-9]| [1-9])"
BLANKS = r"[\\s\\x1C-\\x1F\\x85\\p{Z}]+"

EXPRESSED = [
    (
        "%Y-%m-%d",
        rf"c RLIKE '^(?!0000)[0-9]{{4}}-(1[0-2]|0?[1-9])-{DAY}\\z'"
        " AND c NOT RLIKE '^[0-9]{4}-(0?2-30|(0?[2469]|11)-31)'"
        f" AND c NOT RLIKE '^{YEAR}-0?2-29'",
        "digits",
    ),
    (
        "%d/%m/%Y",
        rf"c RLIKE '^{DAY}/(1[0-2]|0?[1-9])/(?!0000)[0-9]{{4}}\\z'"
        " AND c NOT RLIKE '^(30/0?2|31/(0?[2469]|11))'"
        f" AND c NOT RLIKE '^29/0?2/{YEAR}'",
        "digits",
    ),
    (
        "%Y%m%d",
        rf"c RLIKE '^(?!0000)[0-9]{{4}}(1[0-2]|0?[1-9]){DAY}\\z'"
        " AND c NOT RLIKE '^[0-9]{4}(0?230|(0?[2469]|11)31)'"
        f" AND c NOT RLIKE '^{YEAR}0?229'",
        "digits",
    ),
    (
        "%Y-%m-%d %H:%M:%S",
        rf"c RLIKE '^(?!0000)[0-9]{{4}}-(1[0-2]|0?[1-9])-{DAY}{BLANKS}"
        r"(2[0-3]|[01]?[0-9]):[0-5]?[0-9]:[0-5]?[0-9]\\z'"
        " AND c NOT RLIKE '^[0-9]{4}-(0?2-30|(0?[2469]|11)-31)'"
        f" AND c NOT RLIKE '^{YEAR}-0?2-29'",
        "digits",
    ),
    ("%H:%M", r"c RLIKE '^(2[0-3]|[01]?[0-9]):[0-5]?[0-9]\\z'", "digits"),
    ("%I:%M%p", r"c RLIKE '^(1[0-2]|0?[1-9]):[0-5]?[0-9](?i:AM|PM)\\z'", "digits locale"),
    ("%m", r"c RLIKE '^(1[0-2]|0?[1-9])\\z'", ""),
    ("%f", r"c RLIKE '^[0-9]{1,6}\\z'", ""),
    ("%d", rf"c RLIKE '^{DAY}\\z'", "digits"),
    # fields that touch: Python's first way, and what it took
    (
        "%d%m",
        rf"c RLIKE '^(?>{DAY}(1[0-2]|0?[1-9]))\\z'"
        rf" AND regexp_replace(c, '^(?>{DAY}(1[0-2]|0?[1-9]))\\z', '$2-$1')"
        " NOT RLIKE '^(0?2-(29|30)|(0?[2469]|11)-31)'",
        "digits",
    ),
    (
        "%S%f",
        r"c RLIKE '^(?>(6[01]|[0-5]?[0-9])[0-9]{1,6})\\z'"
        r" AND regexp_replace(c, '^(?>(6[01]|[0-5]?[0-9])[0-9]{1,6})\\z', '$1') NOT RLIKE '^6[01]'",
        "digits",
    ),
    ("%H%I", r"c RLIKE '^(?>(?:2[0-3]|[01]?[0-9])(?:1[0-2]|0?[1-9]))\\z'", "digits"),
    ("100%% T.", r"c RLIKE '^100%" + BLANKS + r"[Tt][.]\\z'", ""),
    ("${x}", r"c RLIKE '^[$][{][Xx][}]\\z'", ""),
    ("", r"c RLIKE '^\\z'", ""),
]

REFUSED = [
    ("%T", "no directive %T"),
    ("%F", "no directive %F"),
    ("%D", "no directive %D"),
    ("%e", "no directive %e"),
    ("%-d", "no directive %-"),
    ("%", "no directive %"),
    ("% d", "no directive % "),
    ("%.f", "no directive %."),
    ("%é", "no directive %é"),
    ("%c", "locale"),
    ("%x", "locale"),
    ("%X", "locale"),
    ("%Z", "locale"),
    ("%Y %W %w", "weeks"),
    ("%G-%V-%u", "weeks"),
    ("%d%d", "twice"),
    ("%Y %y", "same thing"),
    ("%b %m", "same thing"),
    ("%j %d", "same thing"),
    ("%z%H", "may be taken as a part of it"),
    ("%z:00", "may be taken as a part of it"),
    ("%z1", "may be taken as a part of it"),
]


def condition(fmt):
    found = parses(column("c"), fmt)
    assert isinstance(found, Expressed)
    return to_sql(found.tree)


@pytest.mark.parametrize(("fmt", "text", "caveats"), EXPRESSED)
def test_a_format_is_expressed(fmt, text, caveats):
    found = parses(column("c"), fmt)
    assert isinstance(found, Expressed)
    assert to_sql(found.tree) == text
    assert [caveat.code for caveat in found.caveats] == [f"format_{c}" for c in caveats.split()]


@pytest.mark.parametrize(("fmt", "reason"), REFUSED)
def test_a_format_is_refused(fmt, reason):
    found = parses(column("c"), fmt)
    assert isinstance(found, Refused)
    assert reason in found.reason


@pytest.mark.parametrize(
    "fmt", [fmt for fmt, why in REFUSED if "directive" in why or "twice" in why]
)
def test_python_refuses_the_format_too(fmt):
    for text in ("", "1", "11", "2024-01-01", "12:00:00"):
        with pytest.raises((ValueError, re.error)):
            datetime.strptime(text, fmt)  # noqa: DTZ007


# Verdicts -----------------------------------------------------------------------------------------

COMMON = [
    *("%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%y", "%Y%m%d", "%y%m%d", "%Y-%m-%d %H:%M:%S"),
    *("%H:%M", "%H:%M:%S", "%H%M", "%H%M%S", "%I:%M %p", "%Y-%m-%dT%H:%M:%S.%f%z", "%Y-%m", "%Y"),
    *("%d-%b-%Y", "%B %d, %Y", "%d %B", "%d %b %y", "%A, %d %B %Y", "%a %b %d %H:%M:%S %Y"),
    *("%Y-%j", "%y%j", "%j", "%Y%j", "%m/%Y", "%m-%d", "%d", "%w", "%u %p", "%z", "%Y-%m-%d%z"),
]
GLUED = [
    *("%Y%m%d%H%M%S", "%Y%m%d%H%M", "%d%m%Y", "%d%m%y", "%m%d%Y", "%d%m", "%m%d", "%m%d%H"),
    *("%S%f", "%M%S", "%S%M", "%H%M%S%f", "%d%H", "%H%d", "%j%H", "%j%Y", "%f%S", "%d%b%Y"),
    *("%b%d%y", "%m1%d", "%m%y%d", "%I%M%S%p", "%Y%m%dT%H%M%S", "%Y%m%d%H%M%S%z", "%d%y%b"),
]
ODD = [
    *("", " ", "T", "k%%", "%Y ", " %d", "%d  %m", "\t%H", "%Y[%m]", "(%d)*", "%d|%m", "ß%Y"),
    *("%Y年", "é.%d^"),
]


def parsed(text, fmt):
    try:
        datetime.strptime(text, fmt)  # noqa: DTZ007
    except (ValueError, OverflowError):
        return False
    return True


def spark_verdicts(spark, formats, texts):
    frame = spark.createDataFrame(list(enumerate(texts)), "id int, c string")
    letters = [f"CAST(CAST({condition(fmt)} AS INT) AS STRING)" for fmt in formats]
    rows = frame.selectExpr("id", f"concat({', '.join(letters)}) AS found").collect()
    return {texts[row.id]: row.found for row in rows}


def check_alike(spark, formats, texts):
    """Python's verdict is Spark's, but for digits of other scripts where the caveat says so."""
    found = spark_verdicts(spark, formats, texts)
    assert all(len(letters) == len(formats) for letters in found.values())
    told = {fmt: {c.code for c in parses(column("c"), fmt).caveats} for fmt in formats}
    wrong = []
    for text, letters in found.items():
        foreign = any(char.isdecimal() and not char.isascii() for char in text)
        for fmt, letter in zip(formats, letters, strict=True):
            if parsed(text, fmt) != (letter == "1") and not (
                foreign and "format_digits" in told[fmt]
            ):
                wrong.append((fmt, text, letter))
    assert wrong == []


def written(fmt, choose):
    """A text of about the format: fields in and out of their range, in every width."""
    return "".join(field(part, choose) for part in re.findall(r"%.|[^%]", fmt))


def field(part, choose):
    if part in NAMES:
        return choose([str.lower, str.upper, str.title, str])(choose(NAMES[part]))
    if part[0] == "%" and part != "%%":
        number = choose(NUMBERS.get(part, [0, 1, 2, 3, 5, 9, 10, 11, 12, 13, 19]))
        return choose(["{}", "{:02}", "{:02}", "{:2}", "{:03}"]).format(number)
    return choose(
        [part.removeprefix("%")] * 12 + [part.swapcase(), "", " ", "\n", "x", "\xa0 ", "٣"]
    )


NUMBERS = {
    "%Y": ["0000", "0001", "1900", "2000", "2023", "2024", "2100", "9999", "999", "20240", "٢٠٢٤"],
    "%y": ["00", "23", "24", "68", "69", "99", "4"],
    "%m": [0, 1, 2, 2, 2, 3, 4, 6, 9, 10, 11, 12, 13],
    "%d": [0, 1, 5, 10, 28, 29, 29, 30, 30, 31, 31, 32],
    "%H": [0, 9, 10, 19, 20, 23, 24],
    "%I": [0, 1, 9, 10, 12, 13],
    "%M": [0, 9, 10, 59, 60],
    "%S": [0, 9, 10, 59, 60, 61, 62],
    "%j": [0, 1, 9, 59, 60, 99, 100, 299, 365, 366, 367],
    "%f": [0, 1, 123456, 1234567],
    "%z": [
        "Z",
        "z",
        "+0000",
        "+05:30",
        "-23:59",
        "+24:00",
        "+2359",
        "+01:02:03",
        "+010203.5",
        "+01:0203",
    ],
}
NAMES = {
    "%b": ["jan", "feb", "apr", "may", "sep", "dec", "sept", "ſep", "fév"],
    "%B": ["january", "february", "april", "may", "november", "feb", "aprİl"],
    "%a": ["mon", "sun", "monday"],
    "%A": ["monday", "sunday", "sun"],
    "%p": ["am", "pm", "a.m."],
}


def test_every_format_on_texts_of_every_format(spark):
    source = random.Random(366)
    formats = [*COMMON, *GLUED, *ODD]
    texts = {written(fmt, source.choice) for fmt in formats for _ in range(25)}
    texts |= {f"{text}\n" for text in sorted(texts)[::20]}
    assert sum(parsed(text, fmt) for text in texts for fmt in formats) > 1000
    check_alike(spark, formats, sorted(texts))


def test_every_day_of_some_years(spark):
    formats = ["%Y-%m-%d", "%d/%m/%Y", "%y.%m.%d", "%d-%m"]
    days = [(m, d) for m in range(14) for d in range(33)]
    years = ["0000", "0004", "0100", "1900", "2000", "2023", "2024", "9999"]
    texts = [f"{y}-{m:02}-{d}" for y in years for m, d in days]
    texts += [f"{d:02}/{m}/{y}" for y in years for m, d in days]
    texts += [f"{y:02}.{m}.{d}" for y in (0, 4, 23, 24, 99) for m, d in days]
    texts += [f"{d}-{m}" for m, d in days]
    check_alike(spark, formats, texts)


def test_fields_that_touch_on_all_short_numbers(spark):
    formats = ["%m%d", "%d%m", "%H%M", "%M%S", "%H%M%S", "%S%f", "%d%H", "%j%H", "%m%d%H", "%S%M"]
    texts = [str(n).zfill(width) for width in (1, 2, 3, 4) for n in range(10**width)]
    texts += [str(n) for n in range(0, 10**6, 397)]
    check_alike(spark, formats, texts)
    dated = ["%Y%m%d", "%Y%m%d%H", "%y%m%d"]
    days = [f"{year}{n}" for year in (2023, 2024) for n in texts[:11110:3]]
    check_alike(spark, dated, days)


@settings(max_examples=60, deadline=None)
@given(st.text("%YmdHMSfybBjpIzaAwu%%T-:/. ${}[]()\\|^+*kKé年", max_size=12))
def test_every_format_is_expressed_or_refused(fmt):
    found = parses(column("c"), fmt)
    if isinstance(found, Refused):
        assert found.reason
        return
    text = to_sql(found.tree)
    assert "${" not in text


def test_null_stays_null(spark):
    """NULL is the caller's to judge."""
    frame = spark.sql("SELECT CAST(NULL AS STRING) AS c")
    row = frame.selectExpr(
        *(f"{condition(fmt)} AS `{fmt}`" for fmt in ("%Y-%m-%d", "%d%m%Y"))
    ).first()
    assert list(row) == [None, None]
