"""PostgreSQL evaluates the old predicate, Spark the new condition: equal, row by row."""

import postgres_more
import postgres_predicates
import pytest
from postgres_predicates import joined
from spark_verdicts import verdicts

from ruleferry.converters.account import Gap
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.predicates import SqlText
from ruleferry.converters.rule import LegacyRule, Origin, Row, Table

# A row on which the old predicate itself stops with an error has no verdict.
_ERROR = "E"
_SAFE = """
CREATE FUNCTION verdict(predicate text, number int) RETURNS text LANGUAGE plpgsql AS $body$
DECLARE found boolean;
BEGIN
  EXECUTE 'SELECT (' || predicate || ') FROM r WHERE id = ' || number INTO found;
  RETURN CASE WHEN found THEN 'T' WHEN NOT found THEN 'F' ELSE 'N' END;
EXCEPTION WHEN OTHERS THEN RETURN 'E';
END $body$;
"""


def test_equal_on_every_row(postgres, spark):
    texts = [*postgres_predicates.PREDICATES, *joined(120)]
    made, wrong = _judged(postgres, spark, postgres_predicates, texts)
    assert wrong == set(KNOWN)
    refused = {text for text, found in made.items() if isinstance(found, Gap)}
    assert len(refused - set(joined(120))) <= MOST_REFUSED, sorted(refused)


def test_equal_on_odd_rows(postgres, spark):
    made, wrong = _judged(postgres, spark, postgres_more, list(postgres_more.PREDICATES))
    assert wrong <= set(KNOWN_OF_ODD)
    assert not [text for text, found in made.items() if isinstance(found, Gap)]


def _judged(postgres, spark, of, texts):
    """What the texts became, and those that are not TRUE of the same rows; each says so."""
    made = {text: _express(text, of.COLUMNS) for text in texts}
    kept = {text: found for text, found in made.items() if isinstance(found, Condition)}
    old = _in_postgres(postgres, list(kept), of)
    new = verdicts(_frame(spark, of), [found.text for found in kept.values()])
    wrong = set()
    for (text, found), before, after in zip(kept.items(), old, new, strict=True):
        for row, was, now in zip(of.ROWS, before, after, strict=True):
            assert now in ("true", "false"), (text, found.text, row)
            if was != _ERROR and (was == "T") != (now == "false"):
                assert text in (*KNOWN, *KNOWN_OF_ODD), (text, found.text, was, now, row)
                wrong.add(text)
    # What differs is told, but for one letter.
    assert {made[text].grade for text in wrong if "upper(s)" not in text} <= {"differs"}
    return made, wrong


MOST_REFUSED = 17
# PostgreSQL makes a day of texts that are not of the format: '' is one before our era.
KNOWN = ("to_date(t, 'YYYY-MM-DD') < d",)
KNOWN_OF_ODD = (
    "to_date(s, 'YYYY-MM-DD') = d", "to_date(s, 'YYYYMMDD') = d", "s::date = d",
    "to_timestamp(s, 'YYYY-MM-DD HH24:MI:SS') > ts", "s::date > '2024-01-01'", "s::timestamp > ts",
    # NaN and infinity as texts, and 0x10.
    "s::numeric > 100", "s::float8 > 5", "f / 0 > 1", "f / n > 1",
    # Blanks at the end of a VARCHAR beside a CHAR.
    "c = t",
    # Letters beyond ASCII.
    r"s ~ '\w+'", r"s ~ '^\w$'", r"s ~ '\y'", "s ~ '^[[:alpha:]]+$'", "s ~ '^[[:alnum:]_]+$'",
    "s ~ '^[[:upper:]]+$'", "s ~ '[^[:alpha:]]'",
    # The capital of ß is SS on Spark.
    "upper(s) = 'SS'", "upper(s) = 'ß'",
)  # fmt: skip


@pytest.mark.parametrize("text", ["random() < 0.5", "(SELECT 1) = n", "my_check(s)", "s LIKE t"])
def test_refused(text):
    assert isinstance(_express(text), Gap)


def _express(text: str, columns=postgres_predicates.COLUMNS) -> Condition | Gap:
    rule = LegacyRule(
        origin=Origin("checks.sql", "line 1", text, "sql", "postgres"),
        atom="line 1",
        kind="predicate",
        check=Row(SqlText(text, "postgres", bad=True)),
        table=Table("r"),
    )
    return express(rule, Types({name: parse_type(kind) for name, (_, kind) in columns.items()}))


def _in_postgres(postgres, texts: list[str], of) -> list[list[str]]:
    listed = ", ".join(f"{name} {kind}" for name, (kind, _) in of.COLUMNS.items())
    rows = [
        f"({number}, {', '.join(_literal(row[name]) for name in of.COLUMNS)})"
        for number, row in enumerate(of.ROWS)
    ]
    postgres.psql(
        "SET timezone = 'UTC';"
        f"DROP TABLE IF EXISTS r; CREATE TABLE r (id int, {listed});"
        f"INSERT INTO r VALUES {', '.join(rows)};"
        f"DROP FUNCTION IF EXISTS verdict; {_SAFE}"
    )
    asked = ", ".join(f"({number}, {_literal(text)})" for number, text in enumerate(texts))
    found = postgres.rows(
        f"SELECT p.number, r.id, verdict(p.text, r.id) FROM (VALUES {asked}) AS p (number, text) "
        "CROSS JOIN r ORDER BY 1, 2"
    )
    letters = iter(letter for _, _, letter in found)
    return [[next(letters) for _ in of.ROWS] for _ in texts]


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    return f"'{str(value).replace(chr(39), chr(39) * 2)}'"


def _frame(spark, of):
    named = [f"{_cast(name, kind)} AS {name}" for name, (_, kind) in of.COLUMNS.items()]
    texts = [
        tuple(None if row[name] is None else str(row[name]).lower() if name == "b" else
              str(row[name]) for name in of.COLUMNS)
        for row in of.ROWS
    ]  # fmt: skip
    schema = ", ".join(f"{name} string" for name in of.COLUMNS)
    return spark.createDataFrame(texts, schema).selectExpr(*named).cache()


def _cast(name: str, kind: str) -> str:
    """A CHAR has its blanks on Databricks."""
    return f"rpad({name}, 5, ' ')" if kind.startswith("char") else f"CAST({name} AS {kind})"
