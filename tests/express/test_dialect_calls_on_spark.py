"""What a dialect gives for a call, Spark gives for what the call becomes."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal, InvalidOperation

import pytest
from dialect_reading import COLUMNS, here_of, term_of, total_value

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.express.dialects.function_rows import rows_of
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.express.sql_types import TEXTS

DIALECTS = (
    "oracle", "tsql", "mysql", "postgres", "redshift", "netezza", "teradata", "bigquery",
    "snowflake", "hive", "impala", "db2",
)  # fmt: skip


def _examples():
    for dialect in DIALECTS:
        for owner in ("common", dialect):
            for key, row in rows_of(owner).items():
                if row.example is not None and key not in _shadowed(owner, dialect):
                    yield dialect, row.example, row.value


def _shadowed(owner, dialect):
    """Rows of all dialects that this one has in its own way."""
    own = {key.partition("/")[0] for key in rows_of(dialect)}
    return own if owner == "common" else ()


def _frame(spark):
    columns = ", ".join(f"{value} AS {name}" for name, (_, value) in COLUMNS.items())
    return spark.sql(f"SELECT {columns}")


def _values(spark, trees):
    named = [f"CAST(({to_sql(tree)}) AS STRING) AS c{at}" for at, tree in enumerate(trees)]
    return list(_frame(spark).selectExpr(*named).collect()[0]) if named else []


def _same(found, wanted, kind):
    found = {None: "NULL", "true": "T", "false": "F"}.get(found, found)
    wanted = "NULL" if wanted in ("NULL", "U") else wanted
    if found == wanted or (wanted in ("0", "1") and found == "FT"[int(wanted)]):
        return True
    if kind is not None and kind.family in TEXTS:
        return False
    try:
        return Decimal(found) == Decimal(wanted)
    except (InvalidOperation, TypeError):
        return f"{wanted} 00:00:00" == found


def test_every_example(spark):
    asked = list(_examples())
    terms = [term_of(text, dialect) for dialect, text, _ in asked]
    found = _values(spark, [total_value(term.tree) for term in terms])
    wrong = [
        (dialect, text, wanted, value)
        for (dialect, text, wanted), term, value in zip(asked, terms, found, strict=True)
        if not _same(value, wanted, term.type)
    ]
    assert not wrong
    assert len(asked) > 700


HOSTILE = {
    "s": ("string", ["NULL", "''", "' '", "'abc'", "'12x'", "'-1'", "'2024-02-30'", "'$'",
                     "'a,b'", "'\\\\'", "'%'", "'99999999999999999999'", "'é'", "'0000-00-00'"]),
    "n": ("int", ["NULL", "0", "1", "-1", "2147483647", "-2147483648"]),
    "m": ("int", ["NULL", "0", "-5", "3", "2147483647"]),
    "x": ("decimal(10,2)", ["NULL", "0", "-0.01", "99999999.99", "2.50"]),
    "d": ("date", ["NULL", "DATE'0001-01-01'", "DATE'9999-12-31'", "DATE'2024-02-29'"]),
    "ts": ("timestamp", ["NULL", "TIMESTAMP'0001-01-01 00:00:00'",
                         "TIMESTAMP'9999-12-31 23:59:59'", "TIMESTAMP'2024-02-29 10:00:00'"]),
    "b": ("boolean", ["NULL", "TRUE", "FALSE"]),
}  # fmt: skip
_ARGUMENTS = {
    "text": "s", "number": "x", "whole": "n", "boolean": "b", "any": "s", "same": "s",
    "date": "d", "time": "ts",
}  # fmt: skip


def _hostile_calls():
    """Every row with columns where it takes them, and the example's own text elsewhere."""
    for dialect in DIALECTS:
        rows = {**rows_of("common"), **rows_of(dialect)}
        for key, row in rows.items():
            for subject in ("s", "n", "x", "d", "ts"):
                made = _call_of(key, row, subject)
                if made:
                    yield dialect, made


_WRITTEN = {
    "count": "2", "place": "2", "word": "'a'", "unit": "month", "interval": "INTERVAL '2' DAY",
    "array": "split(s, ',')",
}  # fmt: skip


def _call_of(key, row, subject):
    count = int(key.partition("/")[2] or max(row.needed, 1 if row.repeated else row.needed))
    kinds = row.kinds_of(count) or ()
    if "counted" in kinds or not kinds:
        return None
    made = []
    for kind in kinds:
        if kind in ("any", "same"):
            made.append(subject)
        elif kind in _ARGUMENTS:
            made.append(_ARGUMENTS[kind])
        else:
            made.append(_WRITTEN[kind])
    return f"{row.name}({', '.join(made)})"


def test_nothing_raises(spark):
    trees, texts = [], []
    for dialect, text in _hostile_calls():
        try:
            term = term_of(text, dialect, here_of(dialect))
            trees.append(total_value(term.tree))
        except (Refusal, Unreadable):
            continue
        texts.append((dialect, text))
    most = max(len(values) for _, values in HOSTILE.values())
    rows = []
    for step in range(3):
        for at in range(most):
            cells = [
                f"CAST({values[(at * (1 + place) + step) % len(values)]} AS {kind}) AS {name}"
                for place, (name, (kind, values)) in enumerate(HOSTILE.items())
            ]
            rows.append(f"SELECT {', '.join(cells)}")
    frame = spark.sql(" UNION ALL ".join(rows)).repartition(1).cache()
    named = list(dict.fromkeys(f"CAST(({to_sql(tree)}) AS STRING)" for tree in trees))
    for start in range(0, len(named), 150):
        frame.selectExpr(*named[start : start + 150]).collect()
    assert len(texts) > 400


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_row_has_an_example(dialect):
    without = [
        key
        for key, row in rows_of(dialect).items()
        if row.example is None and row.kinds[:1] != ("counted",)
    ]
    assert set(without) <= {"power", "strcmp", "to_timestamp/2", "timestamp_format/2"}


# Differences of dates -----------------------------------------------------------------------------

_MOMENTS = [
    datetime.fromisoformat(text)
    for text in (
        "2023-12-31 23:59:59", "2024-01-01", "2024-01-31 10:30", "2024-02-29", "2024-02-29 12:00",
        "2024-03-01", "2024-03-02", "2024-03-03 00:00:01", "2024-03-31 09:00", "2025-02-28 12:00",
        "1999-12-30 01:02:03", "2000-02-29",
    )
]  # fmt: skip


def _weeks(at, first):
    """The number of the week that begins on this weekday (Monday is 0)."""
    return (at.toordinal() - 1 - first) // 7


_BEGUN = {
    "year": lambda at: at.year,
    "quarter": lambda at: at.year * 4 + (at.month - 1) // 3,
    "month": lambda at: at.year * 12 + at.month,
    "day": lambda at: at.toordinal(),
    "hour": lambda at: at.toordinal() * 24 + at.hour,
    "minute": lambda at: (at.toordinal() * 24 + at.hour) * 60 + at.minute,
    "second": lambda at: ((at.toordinal() * 24 + at.hour) * 60 + at.minute) * 60 + at.second,
}


def _completed(unit, start, end):
    """How many whole units, as one counts birthdays."""
    if end < start:
        return -_completed(unit, end, start)
    months = (end.year - start.year) * 12 + end.month - start.month
    within = [(at.day, at.time()) for at in (start, end)]
    months -= within[1] < within[0]
    seconds = int((end - start).total_seconds())
    return {"month": months, "year": months // 12, "quarter": months // 3,
            "day": seconds // 86400, "hour": seconds // 3600}[unit]  # fmt: skip


def test_differences_of_dates(spark):
    pairs = [(a, b) for a in _MOMENTS for b in _MOMENTS]
    rows = " UNION ALL ".join(
        f"SELECT {at} AS i, TIMESTAMP'{a}' AS ts, TIMESTAMP'{b}' AS t2"
        for at, (a, b) in enumerate(pairs)
    )
    types = {"ts": parse_type("timestamp"), "t2": parse_type("timestamp")}
    asked = {
        **{(d, u): (f"DATEDIFF({u}, ts, t2)", lambda a, b, u=u: _BEGUN[u](b) - _BEGUN[u](a))
           for d in ("tsql", "snowflake", "redshift") for u in _BEGUN},
        **{("mysql", u): (f"TIMESTAMPDIFF({u}, ts, t2)", lambda a, b, u=u: _completed(u, a, b))
           for u in ("year", "quarter", "month", "day", "hour")},
        ("tsql", "week"): ("DATEDIFF(week, ts, t2)", lambda a, b: _weeks(b, 6) - _weeks(a, 6)),
        ("snowflake", "week"): (
            "DATEDIFF(week, ts, t2)", lambda a, b: _weeks(b, 0) - _weeks(a, 0)),
        ("bigquery", "isoweek"): (
            "DATE_DIFF(t2, ts, ISOWEEK)", lambda a, b: _weeks(b, 0) - _weeks(a, 0)),
    }  # fmt: skip
    terms = [term_of(text, key[0], here_of(key[0], types)) for key, (text, _) in asked.items()]
    named = [f"{to_sql(total_value(term.tree, types))} AS c{at}" for at, term in enumerate(terms)]
    found = sorted(tuple(row) for row in spark.sql(rows).selectExpr("i", *named).collect())
    wrong = [
        (key, pairs[at], value, wanted(*pairs[at]))
        for at, *values in found
        for (key, (_, wanted)), value in zip(asked.items(), values, strict=True)
        if value != wanted(*pairs[at])
    ]
    assert not wrong
