"""TO_DATE, TO_CHAR and their like: texts read as dates, and dates written as texts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlglot import exp

from ruleferry.converters.express.dialects.call_shape import Call, Rule
from ruleferry.converters.express.dialects.formats import Format, format_of, moment, of_style
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.terms import (
    family,
    is_text,
    literal_text,
    refuse,
    said,
    text,
)
from ruleferry.converters.express.functions import call, called
from ruleferry.converters.express.nodes import as_text
from ruleferry.converters.express.nullness import bare
from ruleferry.converters.express.sql_types import (
    BIGINT,
    DATE,
    INT,
    STRING,
    TEXTS,
    TIMES,
    TIMESTAMP,
)

# Where a function that is not called TRY_… gives NULL for a text of another form.
_GIVE_NULL = frozenset({"mysql", "hive", "impala"})


def read_as(subject: Term, found: Format, here: Dialectal, *, day: bool, tries: bool) -> Term:
    """The text as a DATE, or as a TIMESTAMP; `tries`: the source gives NULL where it is none."""
    written = literal_text(subject.tree)
    if written is not None and not (tries and moment(written, found) is None):
        return _read_literal(written, found, day=day)
    if family(subject) not in (None, "integer", *TEXTS):
        raise refuse("a text is read by a format, and this is none")
    here.tell("dialect_differs", _told(here, tries=tries))
    tree = call("try_to_timestamp", [_as_text(subject), text(found.pattern)])
    if found.pivot:
        template = "CASE WHEN year(_1) >= 2050 THEN try_add(_1, INTERVAL '-100' YEAR) ELSE _1 END"
        tree = said(template, tree).tree
    if not day:
        return Term(tree, TIMESTAMP)
    return said("CAST(_1 AS DATE)", tree, kind=DATE)


def _as_text(subject: Term) -> exp.Expression:
    """20240305 may be stored as a number."""
    return subject.tree if is_text(subject) else as_text(subject.tree)


def _told(here: Dialectal, *, tries: bool) -> str:
    laxer = f"{here.dialect.called} may read texts that are not quite of the format, too"
    return laxer if tries else f"{laxer}, and the check as written stops at others"


def _read_literal(written: str, found: Format, *, day: bool) -> Term:
    at = moment(written, found)
    if at is None:
        raise refuse(f"how the text {written!r} is read by its format is not certain")
    return of_moment(at, day=day)


def of_moment(at: datetime, *, day: bool) -> Term:
    if day:
        return said("CAST(_1 AS DATE)", text(f"{at:%Y-%m-%d}".zfill(10)), kind=DATE)
    written = f"{at:%Y-%m-%d %H:%M:%S}".zfill(19)
    return said("CAST(_1 AS TIMESTAMP)", text(written), kind=TIMESTAMP)


def write_as(subject: Term, found: Format) -> Term:
    if family(subject) not in (None, *TIMES):
        raise refuse("what is written by a date format is no date")
    tree = call("date_format", [subject.tree, text(found.pattern)])
    return Term(call("upper", [tree]) if found.upper else tree, STRING)


def _tries(found: Call) -> bool:
    return found.name.startswith(("try_", "safe.")) or found.here.dialect.name in _GIVE_NULL


def _to_date(found: Call, *, at: int = 0, form: int = 1) -> Term:
    """In Oracle a date has a time of day."""
    fmt = format_of(found.word(form), found.here.dialect.name, "read")
    day = found.here.dialect.name not in ("oracle", "db2") or not fmt.clock
    return read_as(found.terms[at], fmt, found.here, day=day, tries=_tries(found))


def _to_timestamp(found: Call, *, at: int = 0, form: int = 1) -> Term:
    fmt = format_of(found.word(form), found.here.dialect.name, "read")
    return read_as(found.terms[at], fmt, found.here, day=False, tries=_tries(found))


def _str_to_date(found: Call) -> Term:
    fmt = format_of(found.word(1), found.here.dialect.name, "read")
    return read_as(found.terms[0], fmt, found.here, day=not fmt.clock, tries=True)


def _to_day(found: Call) -> Term:
    """TO_DATE(x) without a format: of a time its day, of a text in the form of ISO."""
    subject = found.terms[0]
    if family(subject) in TIMES:
        return said("CAST(_1 AS DATE)", subject.tree, kind=DATE)
    if not is_text(subject):
        raise found.refused("takes what is not known as a text or a time")
    return read_as(subject, _ISO_DAY, found.here, day=True, tries=_tries(found))


_ISO_DAY = Format("yyyy-MM-dd", format_of("%Y-%m-%d", "bigquery", "read").parts)
_ISO_TIME = Format("yyyy-MM-dd HH:mm:ss", format_of("%Y-%m-%d %H:%M:%S", "bigquery", "read").parts)


def _to_moment(found: Call) -> Term:
    """TO_TIMESTAMP(x) without a format."""
    subject = found.terms[0]
    if family(subject) in TIMES:
        return said("CAST(_1 AS TIMESTAMP)", subject.tree, kind=TIMESTAMP)
    if not is_text(subject):
        raise found.refused("takes what is not known as a text or a time")
    written = literal_text(subject.tree)
    known = written and (moment(written, _ISO_TIME) or moment(written, _ISO_DAY))
    if written is not None and (known or not _tries(found)):
        fmt = _ISO_TIME if moment(written, _ISO_TIME) else _ISO_DAY
        return _read_literal(written, fmt, day=False)
    found.here.tell("dialect_differs", _told(found.here, tries=_tries(found)))
    template = "coalesce(try_to_timestamp(_1, _2), try_to_timestamp(_1, _3))"
    patterns = text(_ISO_TIME.pattern), text(_ISO_DAY.pattern)
    return said(template, subject.tree, *patterns, kind=TIMESTAMP)


def _to_char(found: Call) -> Term:
    """The number of a week or of a day of the week stands alone."""
    subject, fmt = found.terms[0], found.word(1)
    if family(subject) not in (None, *TIMES):
        raise found.refused("writes what is no date by a format")
    if subject.type is None and not any(letter in fmt.upper() for letter in ("Y", "M", "HH", "SS")):
        raise found.refused("writes what may be a number, whose type is not known")
    template = _ALONE.get(fmt.upper(), "")
    if template and found.here.dialect.name in ("oracle", "postgres"):
        if fmt.upper() == "D" and found.here.dialect.name == "oracle":
            found.here.tell("dialect_differs", "the first day of the week is taken to be Sunday")
        return said(template, subject.tree, kind=STRING)
    return write_as(subject, format_of(fmt, found.here.dialect.name, "write"))


_ALONE = {
    "IW": "lpad(CAST(weekofyear(_1) AS STRING), 2, '0')",
    "D": "CAST(dayofweek(_1) AS STRING)",
    "Q": "CAST(quarter(_1) AS STRING)",
    "DDD": "lpad(CAST(dayofyear(_1) AS STRING), 3, '0')",
}


def _datename(found: Call) -> Term:
    unit = found.word(0)
    pattern = {"weekday": "EEEE", "dw": "EEEE", "month": "MMMM", "mm": "MMMM", "m": "MMMM"}
    if unit not in pattern:
        raise found.refused(f"names no {unit}")
    found.here.tell("dialect_differs", "names of months and days are English here")
    return Term(call("date_format", [found.tree(1), text(pattern[unit])]), STRING)


def _isdate(found: Call) -> Term:
    """1 for the forms that are read alike under every setting."""
    if not is_text(found.terms[0]) and found.terms[0].type is not None:
        raise found.refused("takes what is no text")
    detail = "ISDATE() also takes forms that depend on the database's language"
    found.here.tell("dialect_differs", detail)
    template = (
        "CASE WHEN coalesce(try_to_timestamp(trim(_1), 'yyyyMMdd'), "
        "try_to_timestamp(trim(_1), 'yyyy-MM-dd'), "
        "try_to_timestamp(trim(_1), 'yyyy-MM-dd HH:mm:ss')) >= DATE'1753-01-01' "
        "THEN 1 ELSE 0 END"
    )
    return said(template, found.tree(0), kind=INT)


def with_style(subject: Term, style: int) -> Term:
    """CONVERT(VARCHAR, day, style); how many characters are kept is for the caller."""
    return write_as(subject, of_style(style))


def read_with_style(subject: Term, style: int, here: Dialectal, *, day: bool, tries: bool) -> Term:
    """CONVERT(DATE, text, style). A year of two digits depends on the settings."""
    fmt = of_style(style)
    if "yyyy" not in fmt.pattern or fmt.pattern.endswith("SSS"):
        raise refuse(f"a text in the style {style} of CONVERT is not carried over")
    return read_as(subject, fmt, here, day=day, tries=tries)


# Seconds since 1970 -------------------------------------------------------------------------------


def _unix_timestamp(found: Call) -> Term:
    subject = found.terms[0]
    if len(found) > 1:
        fmt = format_of(found.word(1), found.here.dialect.name, "read")
        at = read_as(subject, fmt, found.here, day=False, tries=True)
        return Term(call("unix_timestamp", [at.tree]), BIGINT)
    if family(subject) in TIMES:
        return Term(call("unix_timestamp", found.trees), BIGINT)
    if not is_text(subject):
        raise found.refused("takes what may be a text or a time, whose type is not known")
    at = read_as(subject, _ISO_TIME, found.here, day=False, tries=True)
    return Term(call("unix_timestamp", [at.tree]), BIGINT)


def _from_unixtime(found: Call) -> Term:
    """Only of a time that was read before."""
    inner = called(bare(found.tree(0)))
    if inner is None or inner[0] != "unix_timestamp" or len(inner[1]) != 1:
        raise found.refused("makes a time of a number")
    pattern = found.word(1, "yyyy-MM-dd HH:mm:ss")
    at = Term(inner[1][0], TIMESTAMP)
    return write_as(at, format_of(pattern, found.here.dialect.name, "write"))


# Dates of their parts -----------------------------------------------------------------------------


def _date_of_parts(found: Call) -> Term:
    if all(isinstance(node, exp.Literal) for node in found.trees):
        try:
            year, month, day = (found.whole(place) for place in range(3))
            at = datetime(year, month, day)  # noqa: DTZ001
        except ValueError as error:
            raise found.refused("names a day that there is not") from error
        return of_moment(at, day=True)
    template = "CAST(try_make_timestamp(_1, _2, _3, 0, 0, 0) AS DATE)"
    return said(template, *found.trees, kind=DATE)


RULES: Mapping[str, Rule] = {
    "to_date": _to_date,
    "to_timestamp": _to_timestamp,
    "parse_date": lambda found: _to_date(found, at=1, form=0),
    "parse_timestamp": lambda found: _to_timestamp(found, at=1, form=0),
    "str_to_date": _str_to_date,
    "to_day": _to_day,
    "to_moment": _to_moment,
    "to_char": _to_char,
    "format_date": lambda found: _to_char(
        Call(found.name, (found.terms[1], found.terms[0]), found.here, found.read)
    ),
    "datename": _datename,
    "isdate": _isdate,
    "unix_timestamp": _unix_timestamp,
    "from_unixtime": _from_unixtime,
    "date_of_parts": _date_of_parts,
}
