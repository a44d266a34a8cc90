"""The command line: parse arguments, call one function, print. No logic.

What a command needs is imported when it runs: `--help` and `--version` need nothing but typer.
"""

import atexit
import gc
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import ruleferry

if TYPE_CHECKING:
    from ruleferry.converters.config import Config
    from ruleferry.converters.options import Options
    from ruleferry.converters.reports.terminal import Line

FOUND = 1  # done, and --fail-on names something that was found
UNUSABLE = 2  # the input, the usage, or ruleferry itself

app = typer.Typer(
    name="ruleferry",
    help="Carry data quality rules into Databricks Lakeflow pipelines, and account for each one.",
    epilog="Exit codes: 0 done; 1 done, and something that --fail-on names was found; 2 unusable "
    "input, wrong usage or internal error.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE",
        help="Files and folders with rules. Without any: those of the configuration.",
        show_default=False,
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="The configuration, else ./ruleferry.toml."),
]
Out = Annotated[
    str | None,
    typer.Option("--out", metavar="DIR", help="The output folder, else ./expectations."),
]
Tables = Annotated[
    list[str] | None,
    typer.Option(
        "--table",
        metavar="SUITE_OR_FILE=TABLE",
        help="The table (catalog.schema.table) that a suite or a file checks. Repeatable.",
    ),
]
Schemas = Annotated[
    list[str] | None,
    typer.Option(
        "--schema",
        metavar="FILE",
        help="Columns and types: information_schema.columns as CSV, CREATE TABLE, or a workbook "
        "that describes them. Repeatable.",
    ),
]
Engine = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="What ran the suites: pandas, spark or a dialect of SQL. "
        "It decides on missing values and patterns.",
    ),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        help="In which SQL the scripts are written: oracle, tsql, mysql, postgres, teradata, "
        "bigquery, snowflake, redshift, hive, impala, db2, netezza, databricks or spark.",
    ),
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        metavar="NAME=VALUE",
        help="The value of a parameter that the suites take when they run. Repeatable.",
    ),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="FILE",
        help="How the spreadsheets are read: which sheets, and what their columns mean.",
    ),
]
MaxAction = Annotated[
    str | None,
    typer.Option(metavar="ACTION", help="warn or drop: lower what is stricter, for a first time."),
]
Partial = Annotated[
    bool, typer.Option("--partial", help="Convert the rest where a file can't be read.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that were changed by hand.")]
Streaming = Annotated[
    list[str] | None,
    typer.Option(
        "--streaming",
        metavar="TABLE",
        help="A table, as its sources name it, that is read as a stream. Repeatable.",
    ),
]
FailOn = Annotated[
    str | None,
    typer.Option(
        metavar="LEVEL",
        help="gap, differs, assumed or undecided: exit with 1 if that, or a level before it, is "
        "found. Else none.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for a program.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no progress and no summary.")]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"ruleferry {ruleferry.__version__}")
        raise typer.Exit


@app.callback()
def _ruleferry(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


@app.command()
def convert(
    sources: Sources = None,
    out: Out = None,
    table: Tables = None,
    schema: Schemas = None,
    engine: Engine = None,
    dialect: Dialect = None,
    param: Parameters = None,
    profile: Profile = None,
    streaming: Streaming = None,
    max_action: MaxAction = None,
    partial: Partial = False,
    force: Force = False,
    fail_on: FailOn = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Read files and folders; write the modules, the reports and ledger.json."""
    with _edge():
        from ruleferry.converters.options import Options

        options = Options(
            out=out,
            table=table,
            schema=schema,
            engine=engine,
            dialect=dialect,
            param=param,
            profile=profile,
            streaming=streaming,
            max_action=max_action,
            fail_on=fail_on,
        )
        told = _config(config, options)
        from ruleferry.converters import conversion
        from ruleferry.converters.reports import ledger_json, terminal, verdict

        with terminal.working("Converting", quiet=quiet):
            done = conversion.convert(told, sources or (), partial=partial, force=force)
        if as_json:
            sys.stdout.write(ledger_json.ledger_text(done.ledger))
        elif not quiet:
            _print(
                terminal.summary(
                    done.ledger,
                    done.modules,
                    done.out,
                    done.written,
                    figures=done.figures,
                    notices=done.notices,
                    width=terminal.width(sys.stdout),
                )
            )
        found = verdict.found(done.ledger, told.fail_on)
    raise typer.Exit(FOUND if found else 0)


@app.command()
def inspect(
    sources: Sources = None,
    table: Tables = None,
    engine: Engine = None,
    dialect: Dialect = None,
    param: Parameters = None,
    profile: Profile = None,
    write_profile: Annotated[
        str | None,
        typer.Option(
            "--write-profile",
            metavar="FILE",
            help="Draft a profile for the one spreadsheet that is named, to be confirmed.",
        ),
    ] = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show what was recognised and how it is read, file by file."""
    with _edge():
        from ruleferry.converters.options import Options

        told = _config(
            config,
            Options(table=table, engine=engine, dialect=dialect, param=param, profile=profile),
        )
        from ruleferry.converters import conversion
        from ruleferry.converters.reports import inspect as inspected
        from ruleferry.converters.reports import terminal

        with terminal.working("Reading", quiet=quiet):
            readings = conversion.inspect(told, sources or ())
            if write_profile is not None:
                conversion.draft_profile(told, sources or (), write_profile)
        if as_json:
            sys.stdout.write(inspected.inspect_json(readings))
        else:
            _print(inspected.inspect_lines(readings))


@app.command()
def explain(
    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE", help="table.name, an id or its first 6 digits, or FILE:PLACE."
        ),
    ],
    out: Out = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Tell one rule's story, from the ledger of the last conversion."""
    with _edge():
        from ruleferry.converters.explained import explained, explained_json
        from ruleferry.converters.options import Options
        from ruleferry.converters.reports.ledger_reader import open_ledger

        told = _config(config, Options(out=out))
        name = f"{told.out}/ledger.json"
        ledger = open_ledger(told.root / name, name)
        about = (ledger, rule, told.root / told.out, told.out)
        if as_json:
            sys.stdout.write(explained_json(*about))
        else:
            _print([(line, "") for line in explained(*about)])


@app.command()
def answers(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="Workbooks gap_report.xlsx that were filled."),
    ],
    by: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who answered, where the workbook does not say it."),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="When, where the workbook does not say it: 2026-11-30."),
    ] = None,
    out: Out = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Read the answers of filled workbooks and merge them into decisions.toml."""
    with _edge():
        from ruleferry.converters.answers import taking
        from ruleferry.converters.answers.told import taken_json, taken_lines
        from ruleferry.converters.options import Options
        from ruleferry.converters.reports import terminal

        told = _config(config, Options(out=out))
        with terminal.working("Reading", quiet=quiet):
            done = taking.take_answers(told, files, by, on)
        if as_json:
            sys.stdout.write(taken_json(done))
        elif not quiet:
            _print(taken_lines(done))


@app.command()
def drift(
    sources: Sources = None,
    out: Out = None,
    table: Tables = None,
    schema: Schemas = None,
    engine: Engine = None,
    dialect: Dialect = None,
    param: Parameters = None,
    profile: Profile = None,
    streaming: Streaming = None,
    max_action: MaxAction = None,
    write: Annotated[
        bool, typer.Option("--write", help="Where they part, convert anew after telling it.")
    ] = False,
    fail_on: Annotated[
        str,
        typer.Option(
            metavar="LEVEL",
            help="any, changed, loosened or removed: exit with 1 if a difference of that level, or "
            "of one after it, is found.",
        ),
    ] = "any",
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="What is printed: text, markdown, json, junit, sarif, github (annotations) or "
            "azure (logging commands).",
        ),
    ] = "text",
    output: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Also keep a report in a file, in the form that its name ends with: .md, .json, "
            ".xml (JUnit) or .sarif. Repeatable.",
        ),
    ] = None,
    config: ConfigFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Short for --format json.")] = False,
    quiet: Quiet = False,
) -> None:
    """Compare the sources with the modules and the ledger of the last conversion."""
    with _edge():
        from ruleferry.converters.drift import request
        from ruleferry.converters.drifted import drifted
        from ruleferry.converters.options import Options
        from ruleferry.converters.reports import terminal
        from ruleferry.converters.reports.drift import drift_lines, report_text

        asked = request.requested(fail_on, "json" if as_json else form, output or (), Path.cwd())
        told = _config(
            config,
            Options(
                out=out,
                table=table,
                schema=schema,
                engine=engine,
                dialect=dialect,
                param=param,
                profile=profile,
                streaming=streaming,
                max_action=max_action,
            ),
        )
        with terminal.working("Comparing", quiet=quiet):
            found = request.compared(told, sources or ())
        lines = drift_lines(found, fail_on=asked.level, width=terminal.width(sys.stdout))
        if write and found.differences:
            if asked.form == "text" and not quiet:
                _print(lines)
            found = request.written_anew(told, sources or (), found)
            lines = request.written_lines(found)
        request.keep(found, asked)
        if asked.form != "text":
            sys.stdout.write(report_text(found, asked.form, fail_on=asked.level))
        elif not quiet:
            _print(lines)
    raise typer.Exit(FOUND if drifted(found, asked.level) else 0)


@app.command()
def rehearse(
    modules: Annotated[
        list[str], typer.Argument(metavar="MODULE", help="Rules modules of one pipeline.")
    ],
    data: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TABLE=FILE",
            help="Sample rows of a table: CSV with a header, JSON lines or Parquet. Repeatable; "
            "several files of one table are its rows together.",
        ),
    ] = None,
    schema: Schemas = None,
    on: Annotated[
        str,
        typer.Option(
            metavar="ENGINE",
            help="spark; sdp, open-source pipelines; duckdb, without Java, for a first look; or "
            "auto: Spark where Java is there, else DuckDB.",
        ),
    ] = "auto",
    fail_on: Annotated[
        str,
        typer.Option(
            metavar="LEVEL",
            help="fail: exit with 1 if a fail rule broke. quarantined: or a drop rule. never.",
        ),
    ] = "fail",
    config: ConfigFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Run rules modules on sample rows: it EXECUTES them, and tells what every rule did."""
    with _edge():
        from ruleferry.converters.options import Options
        from ruleferry.converters.proof import rehearsal
        from ruleferry.converters.rehearsed import found
        from ruleferry.converters.reports import terminal
        from ruleferry.converters.reports.rehearsal import rehearsal_json, rehearsal_lines

        level = rehearsal.fail_on(fail_on)
        told = _config(config or rehearsal.nearby(modules, Path.cwd()), Options(schema=schema))
        with terminal.working("Rehearsing", quiet=quiet):
            done = rehearsal.rehearse(told, modules, data or (), on)
        if as_json:
            sys.stdout.write(rehearsal_json(done))
        elif not quiet:
            _print(rehearsal_lines(done, width=terminal.width(sys.stdout)))
        broke = found(done, level)
    raise typer.Exit(FOUND if broke else 0)


@app.command()
def report(
    out: Out = None,
    force: Force = False,
    config: ConfigFile = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what the reports show as JSON, and write no file.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Render the reports again, from ledger.json and proof.json."""
    with _edge():
        from ruleferry.converters import rendering_again
        from ruleferry.converters.options import Options
        from ruleferry.converters.reports import terminal

        told = _config(config, Options(out=out))
        if as_json:
            from ruleferry.converters.reports.report_json import report_json

            sys.stdout.write(report_json(rendering_again.last_report(told)))
            return
        with terminal.working("Rendering", quiet=quiet):
            done = rendering_again.render_again(told, force=force)
        if not quiet:
            _print(terminal.reported(done.report.total, done.out, done.written, done.notices))


def _config(file: Path | None, options: "Options") -> "Config":
    from ruleferry.converters.config import load_config
    from ruleferry.converters.options import with_options

    return with_options(load_config(file, Path.cwd()), options)


def _print(lines: "list[Line] | tuple[Line, ...]") -> None:
    from ruleferry.converters.reports.terminal import print_lines

    print_lines(lines, sys.stdout)


@contextmanager
def _edge() -> Iterator[None]:
    """Where what went wrong becomes a message and exit code 2, and never a traceback."""
    try:
        yield
    except BrokenPipeError:
        raise  # the reader of our output has gone: typer leaves quietly
    except Exception as error:
        from ruleferry.converters.errors import InputFaults
        from ruleferry.converters.reports.terminal import error_lines, print_lines

        if os.environ.get("RULEFERRY_DEBUG") == "1" and not isinstance(error, InputFaults):
            raise
        print_lines(error_lines(error), sys.stderr)
        raise typer.Exit(UNUSABLE) from error


def main() -> None:
    """The console script. Output is UTF-8 on every system; what it can't hold is spelt out.

    A command makes many small records and keeps them to its end. Cycles are sought less often
    among them, and not at all in what is left when the process gives back everything at once.
    """
    gc.set_threshold(200_000)
    atexit.register(gc.freeze)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    app()
