"""V2: expectations by the Dataset API, which 0.18.22 still holds, on pandas and on Spark 3.5."""

from __future__ import annotations

from contextlib import contextmanager

from old_frames import old_pandas_frame, spark_frame


def on_pandas(rows, style):
    from great_expectations.dataset import PandasDataset

    dataset = PandasDataset(old_pandas_frame(rows, style))

    def ask(name, kwargs):
        found = _called(dataset, name, kwargs)
        unexpected = found.result.get("unexpected_index_list")
        return bool(found.success) if unexpected is None else set(unexpected)

    return ask


def on_spark(rows, _style):
    """SparkDFDataset counts unexpected rows and lists their values, but not where they stand.

    It asks for the successes of a frame that it has made, whose rows are caught there: those of
    the column that are not NULL, in their order; pairs by `__row`, others by their values.
    """
    from great_expectations.dataset import SparkDFDataset

    dataset = SparkDFDataset(spark_frame(rows, numbered=False))

    def ask(name, kwargs):
        try:
            with _caught_successes():
                found = _called(dataset, name, kwargs)
        except _Successes as caught:
            return _unexpected(caught.frame, rows, name, kwargs)
        return bool(found.success)

    return ask


def _called(dataset, name, kwargs):
    """As `Dataset.validate` calls the expectations of a suite."""
    method = getattr(dataset, name)
    return method(**{"result_format": "COMPLETE", **kwargs}, catch_exceptions=False)


class _Successes(BaseException):
    """Nothing of Great Expectations catches it on its way."""

    def __init__(self, frame):
        super().__init__()
        self.frame = frame


@contextmanager
def _caught_successes():
    from pyspark.sql import DataFrame

    plain = DataFrame.filter

    def caught(frame, condition):
        if isinstance(condition, str) and condition == "__success = True":
            raise _Successes(frame)
        return plain(frame, condition)

    DataFrame.filter = caught
    try:
        yield
    finally:
        DataFrame.filter = plain


def _unexpected(frame, rows, name, kwargs):
    names = [column for column, _ in rows.columns]
    if "column" in kwargs:
        kept = name.endswith(("_to_be_null", "_to_not_be_null"))
        place = names.index(kwargs["column"])
        asked = [n for n, row in enumerate(rows.cells) if kept or row[place] is not None]
        passed = [row[0] for row in frame.selectExpr(_GOOD).collect()]
        return {number for number, good in zip(asked, passed, strict=True) if not good}
    if "column_list" in kwargs:
        bad = _bad_values(frame)
        places = [names.index(column) for column in kwargs["column_list"]]
        return {n for n, row in enumerate(rows.cells) if repr([row[p] for p in places]) in bad}
    # The pair's frame is a join, and has the number of the row twice.
    unlike = frame.toDF(*(f"c{place}" for place in range(len(frame.columns))))
    row, passed = (f"c{frame.columns.index(column)}" for column in ("__row", "__success"))
    bad = unlike.where(f"NOT coalesce({passed} = True, false)").select(row)
    return {row[0] for row in bad.collect()}


def _bad_values(frame):
    values = [f"`{column}`" for column in frame.columns if column.startswith("__eval_col")]
    bad = frame.where(f"NOT {_GOOD}").selectExpr(*values)
    return {repr([_plain(value) for value in row]) for row in bad.collect()}


def _plain(value):
    """Bytes as the rows hold them."""
    return bytes(value) if isinstance(value, bytearray) else value


_GOOD = "coalesce(__success = True, false)"
DATASETS = {"v2 pandas": on_pandas, "v2 spark": on_spark}
