"""An error of Spark in one line, the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]


def spark_failures() -> tuple[type[Exception], ...]:
    """What Spark raises of a query that it can't analyse or compute."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    return (PySparkException, Py4JJavaError)


def told(error: Exception) -> tuple[str, str]:
    """Its condition (`DIVIDE_BY_ZERO`) and its message; without a condition, the Java class."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException, PythonException

    if isinstance(error, Py4JJavaError):
        return _root_cause(error)
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [""]
    if isinstance(error, PythonException):  # a traceback, which ends with the error itself
        return type(error).__name__, lines[-1]
    condition = error.getCondition() if isinstance(error, PySparkException) else None
    return condition or type(error).__name__, lines[0]


def _root_cause(error: Py4JJavaError) -> tuple[str, str]:
    cause = error.java_exception
    while cause.getCause() is not None:
        cause = cause.getCause()
    message = str(cause.getMessage() or "")
    return cause.getClass().getSimpleName(), message.splitlines()[0] if message else ""
