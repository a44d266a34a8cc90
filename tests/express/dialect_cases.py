"""Expressions of the dialects and what they are worth, on one record that all of them speak of."""

import csv
from dataclasses import dataclass, field
from pathlib import Path

from ruleferry.converters.column_types import ColumnType, parse_type
from ruleferry.converters.dialects.parse import Unreadable, parse_expression
from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.express.coercion import Findings
from ruleferry.converters.express.dialects import in_spark
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.spark_text import pattern_fault
from ruleferry.converters.express.sql_text import to_sql
from ruleferry.converters.express.totality import total_value
from ruleferry.converters.predicates import SqlSettings

TYPE_TEXTS = {
    "s": "string", "n": "int", "m": "int", "z": "int", "d": "date", "ts": "timestamp",
    "b": "boolean", "nul": "string", "e": "string", "bl": "string", "x": "decimal(3,2)",
    "num": "string",
}  # fmt: skip
TYPES: dict[str, ColumnType] = {name: parse_type(text) for name, text in TYPE_TEXTS.items()}
ROW = """
    SELECT 'abc' AS s, 7 AS n, 2 AS m, 0 AS z, DATE'2024-03-05' AS d,
        TIMESTAMP'2024-03-05 10:11:12' AS ts, true AS b, CAST(NULL AS STRING) AS nul, '' AS e,
        '   ' AS bl, CAST(2.50 AS DECIMAL(3,2)) AS x, '12a' AS num
"""


@dataclass(frozen=True, slots=True)
class Case:
    dialect: str
    text: str
    value: str  # T, F and U for truth values, NULL, or the text of the value
    predicate: bool
    settings: SqlSettings = field(default_factory=SqlSettings)


@dataclass(frozen=True, slots=True)
class Made:
    """The Spark SQL of a case, or why there is none; `told`: what is said of it."""

    case: Case
    sql: str | None
    reason: str | None = None
    told: tuple[str, ...] = ()


def traps(path: Path) -> list[Case]:
    """Rows of the measured file that are expressions of a dialect."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [
        Case(row["dialect"], row["input"], row["expected_in_source"], row["kind"] == "predicate")
        for row in rows
        if row["dialect"] in sql_dialects() and row["kind"] in ("predicate", "value")
    ]


def made(case: Case, types: dict[str, ColumnType]) -> Made:
    dialect = sql_dialects()[case.dialect]
    try:
        tree = parse_expression(case.text, dialect)
        found = in_spark(
            tree, dialect, case.settings, lambda column: types.get(column.name.lower()),
            as_condition=case.predicate,
        )  # fmt: skip
        findings = Findings(types, pattern_fault)
        total = total_value(found.tree, findings)
    except Unreadable as unreadable:
        return Made(case, None, f"{unreadable.code}: {unreadable.reason}")
    except Refusal as refusal:
        return Made(case, None, f"{refusal.refused.code}: {refusal.refused.reason}")
    notes = tuple(findings.notes) + tuple(c.code for c in found.caveats)
    return Made(case, to_sql(total.tree), None, notes)


def worth(value: object, predicate: bool) -> str:
    if value is None:
        return "U" if predicate else "NULL"
    if isinstance(value, bool):
        return "T" if value else "F"
    return str(value)


def same(found: str, wanted: str) -> bool:
    if found == wanted:
        return True
    try:
        return float(found) == float(wanted)
    except ValueError:
        return False


def values(spark, founds: list[Made]) -> list[str]:
    """The worth of each, all in one query."""
    texts = [f"{found.sql} AS c{i}" for i, found in enumerate(founds)]
    spark.sql(ROW).createOrReplaceTempView("dialect_row")
    row = spark.sql(f"SELECT {', '.join(texts)} FROM dialect_row").collect()[0]
    return [worth(v, f.case.predicate) for v, f in zip(row, founds, strict=True)]
