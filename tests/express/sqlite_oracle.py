"""The old verdict on a database: Great Expectations 1.24.1 on SQLite, through SQLAlchemy."""

import sqlite3
import warnings
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from ruleferry.converters.proof.oracle import _quiet
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.proof.verdict import Raised, RowVerdicts

# Declared in SQLite as these; a value of another type would be kept as it is.
TYPES = {"string": "TEXT", "bigint": "INTEGER", "double": "REAL"}
_NUMBER = "row_number"


def on_sqlite(
    expectations: Sequence[Mapping[str, object]], rows: Rows, folder: Path
) -> list[RowVerdicts | Raised]:
    """The verdict of each expectation on the rows; the columns are of `TYPES`."""
    with _quiet(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        built = [_built(each, place) for place, each in enumerate(expectations)]
        found = _validated([b for b in built if not isinstance(b, Raised)], rows, folder)
    return [b if isinstance(b, Raised) else found[i] for i, b in enumerate(built)]


def _built(expectation: Mapping[str, object], place: int):
    """`place` comes back with the result; results come in any order."""
    from great_expectations.exceptions.exceptions import GreatExpectationsError
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration

    try:
        return ExpectationConfiguration(**expectation, meta={"place": place}).to_domain_obj()
    except (GreatExpectationsError, ValueError, TypeError) as refusal:
        return Raised(str(refusal))


def _validated(built, rows: Rows, folder: Path) -> dict[int, RowVerdicts | Raised]:
    import great_expectations as gx

    wanted = {
        "result_format": "COMPLETE",
        "unexpected_index_column_names": [_NUMBER],
        "return_unexpected_index_query": False,
        "partial_unexpected_count": 200,
    }
    suite = gx.ExpectationSuite("rules", expectations=built)
    outcome = _batch(_database(rows, folder)).validate(suite, result_format=wanted)
    assert len(outcome.results) == len(built)
    return {
        result.expectation_config.meta["place"]: _verdict(result, len(rows.cells))
        for result in outcome.results
    }


def _database(rows: Rows, folder: Path) -> Path:
    path = folder / f"{len(list(folder.iterdir()))}.db"
    names = [name for name, _ in rows.columns]
    declared = ", ".join(f'"{name}" {TYPES[kind.text]}' for name, kind in rows.columns)
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE t ({_NUMBER} INTEGER, {declared})")
    marks = ", ".join("?" * (len(names) + 1))
    cells = [(n, *map(_cell, row)) for n, row in enumerate(rows.cells)]
    connection.executemany(f"INSERT INTO t VALUES ({marks})", cells)
    connection.commit()
    connection.close()
    return path


def _cell(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else value


def _batch(path: Path):
    import great_expectations as gx
    from great_expectations.data_context.types.base import ProgressBarsConfig

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    source = context.data_sources.add_sqlite("rows", connection_string=f"sqlite:///{path}")
    asset = source.add_table_asset("t", table_name="t")
    return asset.add_batch_definition_whole_table("rows").get_batch()


def _verdict(outcome, length: int) -> RowVerdicts | Raised:
    messages = [m["exception_message"] for m in _exceptions(outcome.exception_info)]
    if messages:
        return Raised(messages[0])
    bad = [row[_NUMBER] for row in outcome.result["unexpected_index_list"] or ()]
    assert len(bad) == outcome.result["unexpected_count"], outcome.expectation_config
    return RowVerdicts("".join("F" if row in bad else "T" for row in range(length)))


def _exceptions(info):
    found = [info] if "exception_message" in info else list(info.values())
    return [one for one in found if one.get("exception_message")]
