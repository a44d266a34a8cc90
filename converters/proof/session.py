"""The Spark session that judges conditions: real Spark on this machine, small, quick to start."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py4j.clientserver import ClientServer  # type: ignore[import-untyped]
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

# The C1 compiler and the serial collector halve the CPU time of a short run; C1's default code
# cache is full after some 3,000 conditions, and compilation would stop there.
JVM = (
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-XX:ReservedCodeCacheSize=256m",
    "-Xlog:disable",
)

# Spark evaluates a projection over a small local table while it optimises, in the interpreter.
# There a division or cast that two rules share never raises; in generated code, which runs on
# real tables, it does. Without this rule small tables take the same road as large ones.
_NEVER_INTERPRETED = "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"

_SETTINGS = {
    "spark.master": "local[2]",
    "spark.app.name": "ruleferry",
    "spark.driver.extraJavaOptions": " ".join(JVM),
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.ansi.enabled": "true",
    "spark.sql.codegen.wholeStage": "true",
    "spark.sql.optimizer.excludedRules": _NEVER_INTERPRETED,
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.catalogImplementation": "in-memory",
}


class SparkUnavailable(RuntimeError):
    """Spark can't run here; the message says what to install."""


def find_java() -> Path | None:
    """The `java` that Spark would start: that of JAVA_HOME, else the first on the PATH."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home) / "bin") if home else None)
    return Path(found) if found else None


def why_unavailable() -> str | None:
    """What Spark lacks here and how to get it, without starting anything; None: nothing."""
    missing = [name for name in ("pyspark", "pyarrow") if find_spec(name) is None]
    if missing:
        return (
            f"Spark is not installed (no module {missing[0]}). "
            "Install it with: pip install 'ruleferry[spark]'"
        )
    if find_java() is None:
        home = os.environ.get("JAVA_HOME")
        where = f"in JAVA_HOME ({home})" if home else "on the PATH"
        return (
            f"Spark needs Java 17 or newer, and there is no java {where}. Install one "
            "(for example OpenJDK 17, package openjdk-17-jre-headless) or set JAVA_HOME."
        )
    return None


@cache
def spark_session() -> SparkSession:
    """The one classic Spark session of this process, started at the first call (some 4 s).

    ANSI mode and generated code on, as on Databricks; session time zone UTC; nothing is written
    to the working directory. Raises SparkUnavailable when Java 17 or pyspark is missing.
    """
    java = find_java()
    if (why := why_unavailable()) or java is None:
        raise SparkUnavailable(why)
    return _start(java)


def _start(java: Path) -> SparkSession:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    scratch = Path(tempfile.mkdtemp(prefix="ruleferry-spark-"))
    conf = _conf(scratch)
    gateway = _launched(conf, scratch / "stderr.txt")
    if isinstance(gateway, str):
        shutil.rmtree(scratch, ignore_errors=True)
        raise SparkUnavailable(
            f"Spark could not start with {java}; it needs Java 17 or newer. It said: {gateway}"
        )
    with warnings.catch_warnings():
        # pyspark 4.3 says of pandas 3 that it isn't fully supported: we hand over Arrow tables.
        warnings.simplefilter("ignore", FutureWarning)
        context = SparkContext(conf=conf, gateway=gateway)
        session = SparkSession(context)
    atexit.register(_stop, context, gateway, scratch)
    # Python workers (some Great Expectations rules need one) run in this very environment.
    context.pythonExec = sys.executable
    context.setLogLevel("OFF")
    # pyspark logs each ANSI error as ten kilobytes of JSON.
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return session


def _launched(conf: SparkConf, said: Path) -> ClientServer | str:
    """The way to a new JVM, or the last that it said."""
    from pyspark.errors import PySparkException
    from pyspark.java_gateway import launch_gateway

    with warnings.catch_warnings():
        # pyspark leaves the pipe to a JVM that did not start, and it ends with the exception here.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            # Spark prints a dozen lines while it starts, before its log level can be set.
            with said.open("wb") as stderr:
                return launch_gateway(  # type: ignore[no-untyped-call]
                    conf, popen_kwargs={"stderr": stderr}
                )
        except PySparkException:
            pass
        words = said.read_text(errors="replace").strip().splitlines()
        return " / ".join(words[-3:]) or "nothing"


def _conf(scratch: Path) -> SparkConf:
    from pyspark import SparkConf

    conf = SparkConf(loadDefaults=False).setAll(list(_SETTINGS.items()))
    conf.set("spark.sql.warehouse.dir", (scratch / "warehouse").as_uri())
    return conf.set("spark.local.dir", str(scratch))


def _stop(context: SparkContext, gateway: ClientServer, scratch: Path) -> None:
    """End the JVM before its scratch folder goes, or it would write there again."""
    context.stop()
    gateway.shutdown()
    jvm: subprocess.Popen[bytes] = gateway.proc
    if jvm.stdin:
        jvm.stdin.close()
    try:
        jvm.wait(timeout=10)
    except subprocess.TimeoutExpired:
        jvm.kill()
    shutil.rmtree(scratch, ignore_errors=True)
