"""What MariaDB was seen to say of predicates in MySQL's SQL, and Spark says of the conditions."""

import json
from pathlib import Path

from spark_verdicts import verdicts

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.predicates import SqlSettings, SqlText
from ruleferry.converters.rule import LegacyRule, Origin, Row, Table

_SETTINGS = SqlSettings(collation="utf8mb4_general_ci")
_COLUMNS = {
    "n": "int", "m": "int", "x": "decimal(10,2)", "f": "double", "s": "string", "t": "string",
    "c": "char(5)", "d": "date", "e": "date", "ts": "timestamp_ntz", "b": "boolean", "k": "bigint",
}  # fmt: skip


def test_true_of_the_same_rows(spark):
    rows, measured = _measured()
    made = {text: _express(text) for text in measured}
    assert {text for text, found in made.items() if not isinstance(found, Condition)} == set()
    new = verdicts(_frame(spark, rows), [found.text for found in made.values()])
    wrong = []
    for (text, letters), after in zip(measured.items(), new, strict=True):
        assert set(after) <= {"true", "false"}, (text, made[text].text)
        if letters != "".join("T" if now == "false" else "F" for now in after):
            wrong.append((text, made[text].text, letters, after))
    assert wrong == []


def _measured() -> tuple[list[list[object]], dict[str, str]]:
    text = Path(__file__).with_name("mariadb_truths.tsv").read_text("utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    (_, rows), *truths = lines
    return json.loads(rows), dict(truths)


def _express(text: str) -> object:
    rule = LegacyRule(
        origin=Origin("checks.sql", "line 1", text, "sql", "mysql"),
        atom="line 1",
        kind="predicate",
        check=Row(SqlText(text, "mysql", bad=True, settings=_SETTINGS)),
        table=Table("r"),
    )
    return express(rule, Types({name: parse_type(kind) for name, kind in _COLUMNS.items()}))


def _frame(spark, rows):
    """A CHAR has its blanks on Databricks."""
    texts = [tuple(None if v is None else _written(v) for v in row) for row in rows]
    frame = spark.createDataFrame(texts, ", ".join(f"{name} string" for name in _COLUMNS))
    named = [
        f"rpad({name}, 5, ' ') AS {name}" if kind == "char(5)" else f"CAST({name} AS {kind})"
        for name, kind in _COLUMNS.items()
    ]
    return frame.selectExpr(*named).toDF(*_COLUMNS).cache()


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
