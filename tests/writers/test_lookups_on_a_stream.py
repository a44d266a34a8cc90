"""The module of a streaming table with lookups, on a real stream of plain Spark."""

import re

import pytest
from made_rules import Typed, planned, rule

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import Config, TableSettings
from ruleferry.converters.predicates import ColumnComparison, Present
from ruleferry.converters.proof.rehearsal_data import read_samples
from ruleferry.converters.proof.rehearsal_duckdb import rehearse_on_duckdb
from ruleferry.converters.proof.rehearsal_sdp import rehearse_on_sdp
from ruleferry.converters.proof.rehearsal_spark import rehearse_on_spark
from ruleferry.converters.proof.standin import Definitions, executed, installed, pipelines_module
from ruleferry.converters.rule import Exists, LookedUp, Lookup
from ruleferry.converters.schemas import read_schemas
from ruleferry.converters.writers.lakeflow import module_text

TYPES = {"id": "bigint", "k": "int", "n": "int", "x": "int", "least": "int"}
BY_KEY = Lookup("ref", (("k", "x"),))
RULES = {
    "found": Exists(BY_KEY),
    "not_found": Exists(BY_KEY, negated=True),
    "enough": LookedUp(BY_KEY, (ColumnComparison("n", "<", "least"),)),
}
SOURCE = "(1L, 1, 5), (2L, 2, 5), (3L, NULL, 5), (4L, 9, NULL), (5L, 1, 1)"
REF = "(1, 3), (1, 3), (2, 6), (NULL, 0)"
BROKEN = {
    1: "not_found", 2: "not_found, enough", 3: "found", 4: "found", 5: "not_found, enough",
}  # fmt: skip


def module() -> str:
    rules = [
        rule(Present("k"), table="src", check=check, kind="exists", columns=("k",),
             author_name=name, behaviour="drop", place=name, text=name)
        for name, check in RULES.items()
    ]  # fmt: skip
    types = Typed({name: parse_type(kind) for name, kind in TYPES.items()})
    plan = planned(*rules, types_of=types, tables={"src": TableSettings(streaming=True)})
    return module_text(plan.modules[0])


def stored(spark, name: str, frame, folder) -> None:
    """A table of Parquet files, which can be read as a stream."""
    path = (folder / name).as_uri()
    frame.write.parquet(path)
    spark.sql(f"CREATE TABLE {name} USING parquet LOCATION '{path}'")


def streamed(frame, name: str):
    """All that the stream gives now, as it comes out of a memory sink."""
    assert frame.isStreaming
    writer = frame.writeStream.format("memory").queryName(name).trigger(availableNow=True)
    writer.start().awaitTermination()
    return frame.sparkSession.table(name)


def test_a_real_stream_gives_the_same_verdicts(spark, tmp_path):
    definitions = Definitions()
    with installed(pipelines_module(definitions)):
        executed({"src.py": module()}, spark, definitions, set())
    queries = {name: dataset.query for name, dataset in definitions.datasets.items()}
    source = spark.sql(f"SELECT * FROM VALUES {SOURCE} AS v(id, k, n)")
    spark.sql(f"SELECT * FROM VALUES {REF} AS v(x, least)").createOrReplaceTempView("ref")
    try:
        stored(spark, "src", source, tmp_path)
        checked = streamed(queries["src_checked"](), "checked_now")
        assert sorted(row.id for row in checked.collect()) == [1, 2, 3, 4, 5]
        stored(spark, "src_checked", checked, tmp_path)
        quarantine = streamed(queries["src_quarantine"](), "quarantine_now")
        assert {row.id: row.failed_rules for row in quarantine.collect()} == BROKEN
    finally:
        for name in ("src", "src_checked"):
            spark.sql(f"DROP TABLE IF EXISTS {name}")
        for name in ("ref", "checked_now", "quarantine_now"):
            spark.catalog.dropTempView(name)


SDP = pytest.param(rehearse_on_sdp, marks=pytest.mark.more)


@pytest.mark.parametrize("engine", [rehearse_on_spark, rehearse_on_duckdb, SDP])
def test_a_rehearsal_takes_it_as_one_batch(spark, tmp_path, engine):
    rows = {"src": (["id", "k", "n"], SOURCE), "ref": (["x", "least"], REF)}
    for name, (columns, values) in rows.items():
        lines = "\n".join(re.sub("[ ()L]|NULL", "", row) for row in re.findall(r"\(.*?\)", values))
        (tmp_path / f"{name}.csv").write_text(f"{','.join(columns)}\n{lines}\n")
    given = [f"{name}={name}.csv" for name in rows]
    samples = read_samples(given, read_schemas(Config(tmp_path, tmp_path)), tmp_path, tmp_path)
    ran = engine({"src.py": module()}, samples)
    assert ran.streamed
    assert {(flow.kind, flow.status) for flow in ran.flows} == {("table", "COMPLETED")}
    (quarantine,) = ran.quarantines
    place = quarantine.columns.index("failed_rules")
    assert {int(row[0]): row[place] for row in quarantine.rows} == BROKEN
