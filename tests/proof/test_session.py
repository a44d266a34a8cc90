"""The Spark session: set up to judge, quiet, tidy, and clear about what it needs."""

import gc
import subprocess
import sys
import warnings

import pytest

from ruleferry.converters.proof import session
from ruleferry.converters.proof.session import SparkUnavailable, spark_session

START = "from ruleferry.converters.proof.session import spark_session; spark_session().sql('SELECT 1').collect()"  # fmt: skip  # noqa: E501

SETTINGS = [
    ("spark.sql.ansi.enabled", "true"),
    ("spark.sql.codegen.wholeStage", "true"),
    ("spark.sql.session.timeZone", "UTC"),
    ("spark.sql.shuffle.partitions", "1"),
    ("spark.sql.catalogImplementation", "in-memory"),
    ("spark.ui.enabled", "false"),
]


@pytest.mark.parametrize(("key", "value"), SETTINGS)
def test_settings(spark, key, value):
    assert spark.conf.get(key) == value


def test_one_session_a_process(spark):
    assert spark_session() is spark


def test_small_tables_are_not_interpreted(spark):
    """Else a shared division would never raise here, and would on a real table."""
    import pyarrow as pa

    frame = spark.createDataFrame(pa.table({"n": [1, 2]})).selectExpr("n > 1 AS v")
    assert "LocalRelation [v" not in frame._jdf.queryExecution().optimizedPlan().toString()


def test_nothing_is_printed_and_nothing_left_behind(spark, tmp_path):
    """`spark` is asked for only because this test needs Java too."""
    work, scratch = tmp_path / "work", tmp_path / "scratch"
    work.mkdir()
    scratch.mkdir()
    run = subprocess.run(
        [sys.executable, "-c", START],
        cwd=work,
        env={**session.os.environ, "TMPDIR": str(scratch)},
        capture_output=True,
        check=True,
    )
    assert (run.stdout, run.stderr) == (b"", b"")
    assert list(work.iterdir()) == []
    assert [path.name for path in scratch.iterdir() if "ruleferry" in path.name] == []


def unavailable(monkeypatch) -> str:
    monkeypatch.setattr(session, "spark_session", spark_session.__wrapped__)
    with pytest.raises(SparkUnavailable) as refused:
        session.spark_session()
    return str(refused.value)


def test_java_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    message = unavailable(monkeypatch)
    assert f"no java in JAVA_HOME ({tmp_path})" in message
    assert "openjdk-17" in message
    monkeypatch.delenv("JAVA_HOME")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "no java on the PATH" in unavailable(monkeypatch)


def test_pyspark_is_missing(monkeypatch):
    monkeypatch.setattr(session, "find_spec", lambda name: None)
    assert "pip install 'ruleferry[spark]'" in unavailable(monkeypatch)


@pytest.fixture
def old_java(monkeypatch, tmp_path):
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\necho 'UnsupportedClassVersionError: class file 61.0' >&2\nexit 1\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    return java


def test_java_is_too_old(monkeypatch, old_java):
    message = unavailable(monkeypatch)
    assert f"could not start with {old_java}; it needs Java 17" in message
    assert "class file 61.0" in message


def test_a_jvm_that_did_not_start_leaves_nothing_open(monkeypatch, old_java):
    with warnings.catch_warnings(record=True) as left:
        warnings.simplefilter("always", ResourceWarning)
        unavailable(monkeypatch)
        gc.collect()
    assert [str(warning.message) for warning in left] == []
