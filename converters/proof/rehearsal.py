"""A rehearsal: untouched modules of one pipeline, updated once on sample rows.

This EXECUTES the modules, with all that they may do. Nothing else of ruleferry does.
"""

from __future__ import annotations

import ast
import contextlib
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from ruleferry.converters.config import FILE_NAME, Config
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.proof.rehearsal_data import Sample, read_samples
from ruleferry.converters.proof.rehearsal_run import ModuleRaised, NeedsSpark, Ran, in_order
from ruleferry.converters.proof.session import SparkUnavailable, why_unavailable
from ruleferry.converters.proof.standin import GivenTwice, view_of
from ruleferry.converters.rehearsed import FailOn, Rehearsal
from ruleferry.converters.schemas import read_schemas
from ruleferry.converters.text_files import read_text

_ON = ("auto", "spark", "sdp", "duckdb")
_Run: TypeAlias = Callable[[Mapping[str, str], Iterable[Sample]], Ran]

_STREAMED = "A table is read as a stream: all its rows were taken as one batch."


def rehearse(
    config: Config, modules: Sequence[str], data: Sequence[str], on: str = "auto"
) -> Rehearsal:
    """Run the modules on the files of `data` (TABLE=FILE each) and tell what every rule did.

    Paths are relative to the working directory; the types of a table's columns are those of the
    configuration's schema files. `on`: spark, sdp, duckdb, or auto. Raises InputFaults: a file that
    can't be read, a table without rows, a module that raises, an engine that is not installed.
    """
    sources = _read_modules(modules, config.cwd)
    _refuse_missing(_without_rows(sources, data))
    engine, why = _engine(on)
    with tempfile.TemporaryDirectory(prefix="ruleferry-") as scratch:
        samples = read_samples(data, read_schemas(config), config.cwd, Path(scratch))
        with _told_of(sources, on), contextlib.redirect_stdout(sys.stderr):
            ran = _RUNS[engine](sources, samples)
    lacking = {f.missing: f.dataset for f in ran.flows if f.missing}
    _refuse_missing([(dataset, table) for table, dataset in lacking.items()])
    notes = [note for sample in samples for note in sample.notes]
    return Rehearsal(
        modules=tuple(modules),
        engine=ran.engine,
        why=why,
        tables=tuple(sample.table for sample in samples),
        expectations=ran.expectations,
        flows=ran.flows,
        quarantines=tuple(in_order(found) for found in ran.quarantines),
        notes=(*notes, *((_STREAMED,) if ran.streamed else ()), *ran.notes),
    )


def fail_on(given: str) -> FailOn:
    """The value of --fail-on. Raises InputFaults for another word."""
    words: tuple[FailOn, ...] = ("fail", "quarantined", "never")
    if given not in words:
        raise InputFaults([_unknown("--fail-on", given, words)])
    return given


def nearby(modules: Sequence[str], cwd: Path) -> Path | None:
    """The configuration beside a module, where the working directory holds none."""
    if (cwd / FILE_NAME).exists():
        return None
    beside = (Path(module).parent / FILE_NAME for module in modules)
    return next((file for file in beside if (cwd / file).exists()), None)


# Modules ------------------------------------------------------------------------------------------


def _read_modules(modules: Sequence[str], cwd: Path) -> dict[str, str]:
    read = {module: read_text(cwd / module, module) for module in modules}
    faults = [found for found in read.values() if isinstance(found, Fault)]
    if faults:
        raise InputFaults(faults)
    return {module: found.text for module, found in read.items() if not isinstance(found, Fault)}


def _without_rows(sources: Mapping[str, str], data: Sequence[str]) -> list[tuple[str, str]]:
    """(module, table) of the tables that edit blocks name and that nobody gave."""
    given = {view_of(option.partition("=")[0].strip()) for option in data}
    trees = {module: tree for module, text in sources.items() if (tree := _parsed(text))}
    defined = {
        node.name.lower()
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    return [
        (module, table)
        for module, tree in trees.items()
        for table in _tables(tree)
        if view_of(table) not in given | defined
    ]


def _parsed(text: str) -> ast.Module | None:
    """None for what is no Python: running it will say so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _tables(tree: ast.Module) -> Iterator[str]:
    """SOURCE_TABLE and the like: what a module's edit block calls a table, in plain text."""
    for statement in tree.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Constant(value=str() as table)
            ) if name.endswith("_TABLE"):
                yield table


def _refuse_missing(tables: Iterable[tuple[str, str]]) -> None:
    """Each table once, with the option that gives it its rows."""
    needed = {table: place for place, table in reversed([*tables])}
    faults = [
        Fault(
            place,
            None,
            f"no rows for the table {table}, which it reads",
            f"--data {table}=FILE",
            "Give a CSV with a header, JSON lines or a Parquet file with sample rows.",
        )
        for table, place in sorted(needed.items())
    ]
    if faults:
        raise InputFaults(faults)


@contextlib.contextmanager
def _told_of(sources: Mapping[str, str], on: str) -> Iterator[None]:
    """What a module raises, or an engine lacks, as a fault of the input."""
    try:
        yield
    except InputFaults:
        raise
    except GivenTwice as error:
        todo = "Leave it out: the module makes its rows."
        raise InputFaults([Fault("command line", "--data", str(error), "a table", todo)]) from error
    except SparkUnavailable as error:
        raise InputFaults([_not_installed(on, str(error))]) from error
    except ModuleRaised as raised:
        raise InputFaults([_raised(*raised.args)]) from raised
    except NeedsSpark as why:
        raise InputFaults([_needing(sources, str(why))]) from why
    except (Exception, SystemExit) as error:  # a module's own code may raise anything
        absent = isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("pyspark")
        found = _needing(sources, str(error)) if absent else _module_fault(error, sources)
        if found is None:
            raise
        raise InputFaults([found]) from error


def _needing(sources: Mapping[str, str], found: str) -> Fault:
    todo = "Rehearse it on Spark: --on spark."
    return Fault(", ".join(sources), None, found, "tables and queries in SQL", todo)


def _module_fault(error: BaseException, sources: Mapping[str, str]) -> Fault | None:
    """The last line of a module on the way to the error; None where no module is to blame."""
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        places.append((error.filename or "", error.lineno))
    own = [(file, line) for file, line in places if file in sources]
    if not own:
        return None
    return _raised(*own[-1], f"{type(error).__name__}: {error}")


def _raised(file: str, line: int | None, error: str) -> Fault:
    expected = "a module that runs in a pipeline"
    found = f"code that raises {error}"
    return Fault(file, f"line {line}", found, expected, "Correct the module.")


# Engines ------------------------------------------------------------------------------------------


def _on_spark(sources: Mapping[str, str], samples: Iterable[Sample]) -> Ran:
    from ruleferry.converters.proof.rehearsal_spark import rehearse_on_spark

    return rehearse_on_spark(sources, samples)


def _on_sdp(sources: Mapping[str, str], samples: Iterable[Sample]) -> Ran:
    from ruleferry.converters.proof.rehearsal_sdp import rehearse_on_sdp

    return rehearse_on_sdp(sources, samples)


def _on_duckdb(sources: Mapping[str, str], samples: Iterable[Sample]) -> Ran:
    from ruleferry.converters.proof.rehearsal_duckdb import rehearse_on_duckdb

    return rehearse_on_duckdb(sources, samples)


_RUNS: Mapping[str, _Run] = {"spark": _on_spark, "sdp": _on_sdp, "duckdb": _on_duckdb}


def _engine(on: str) -> tuple[str, str]:
    """The engine to take, and why. Raises InputFaults where there is none."""
    if on not in _ON:
        raise InputFaults([_unknown("--on", on, _ON)])
    lacked = why_unavailable()
    no_duckdb = find_spec("duckdb") is None
    if on == "auto":
        if lacked is None:
            return "spark", "Java and pyspark are here"
        if no_duckdb:
            raise InputFaults([_not_installed(on, f"{lacked} Nor is DuckDB installed.")])
        return "duckdb", lacked
    if on == "duckdb" and no_duckdb:
        raise InputFaults([_not_installed(on, "DuckDB is not installed (no module duckdb)")])
    if on != "duckdb" and lacked is not None:
        raise InputFaults([_not_installed(on, lacked)])
    return on, f"--on {on}"


def _unknown(option: str, given: str, words: Sequence[str]) -> Fault:
    return Fault("command line", option, f'"{given}"', f"one of {', '.join(words)}", "Change it.")


def _not_installed(on: str, found: str) -> Fault:
    todo = (
        "Install DuckDB: pip install 'ruleferry[duckdb]'."
        if on == "duckdb"
        else "Install what is missing, or take DuckDB for a first look: "
        "pip install 'ruleferry[duckdb]' and --on duckdb."
    )
    return Fault("command line", f"--on {on}", found, "an engine that runs the modules", todo)
