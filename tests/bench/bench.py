"""What ruleferry costs, in CPU seconds, against a floor measured in the same run.

    python tests/bench/bench.py [WORD]      only the jobs whose name holds WORD

A ratio says more than seconds: a slow or busy machine slows both. Job and floor take turns, each
run is a process of its own in an empty folder, and the median counts. It ends with 1 where a target
is missed. A further job is one more line in JOBS.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median

import checks
import dictionary
import report_page
import suite

HERE = Path(__file__).parent
# Not resolved: the link's own folder is the one of the virtual environment.
RULEFERRY = str(Path(sys.executable).parent / "ruleferry")


# The file in which a process tells the CPU seconds of what it drives and is no child of its own.
TOLD = "cpu"


@dataclass(frozen=True, slots=True)
class Work:
    """One process: its command, the files in its folder, and a check that it did the work."""

    command: tuple[str, ...]
    files: tuple[str, ...] = ()
    done: Callable[[Path], bool] = Path.is_dir


@dataclass(frozen=True, slots=True)
class Job:
    """`work`, which does `size` times what `floor` does, may cost `size * target` floors."""

    name: str
    work: Work
    floor: Work
    target: float
    size: int = 1
    peak_mb: int | None = None
    runs: int = 5


@dataclass(frozen=True, slots=True)
class Cost:
    cpu: float  # seconds, user and system
    peak_mb: float


def ledger_holds(entries: int, folder: Path) -> bool:
    ledger = json.loads((folder / "expectations" / "ledger.json").read_text(encoding="utf-8"))
    return len(ledger["entries"]) == entries


def floor(script: str, *arguments: str, files: tuple[str, ...] = ()) -> Work:
    return Work((sys.executable, str(HERE / script), *arguments), files)


def convert(rules: int, *options: str, files: tuple[str, ...] = ()) -> Work:
    name = f"suite_{rules}.json"
    command = (RULEFERRY, "convert", name, *options)
    return Work(command, (name, *files), partial(ledger_holds, rules))


def fields_are_read(fields: int, folder: Path) -> bool:
    ledger = json.loads((folder / "expectations" / "ledger.json").read_text(encoding="utf-8"))
    (source,) = (s for s in ledger["sources"] if s["atoms"])
    return bool(source["cells"]["name"] >= fields)


def differences_are_found(differences: int, folder: Path) -> bool:
    told = json.loads((folder / "drift.json").read_text(encoding="utf-8"))
    return len(told["differences"]) == differences


def convert_before(path: Path) -> None:
    """The modules of the dictionary, whose file had the same name."""
    with tempfile.TemporaryDirectory() as name:
        dictionary.write(Path(name, "raised.xlsx"), FIELDS)
        command = (RULEFERRY, "convert", "raised.xlsx", "--out", str(path), "--quiet")
        subprocess.run(command, cwd=name, check=True)


def bare(rules: int) -> Work:
    name = f"suite_{rules}.json"
    return floor("floor_conditions.py", name, files=(name,))


TYPER = floor("floor_typer.py", "--help")

SAMPLE = HERE.parents[1] / "samples" / "orders"
ORDERS = {
    "orders_module.py": HERE.parent / "proof" / "orders_module.py",
    "ruleferry.toml": SAMPLE / "ruleferry.toml",
    "schema.csv": SAMPLE / "schema.csv",
    "orders.csv": SAMPLE / "data" / "orders.csv",
    "planted.csv": SAMPLE / "data" / "planted.csv",
    "customers.csv": SAMPLE / "data" / "customers.csv",
}


def rehearse(engine: str) -> Work:
    data = ("orders_raw=orders.csv", "orders_raw=planted.csv", "customers_ref=customers.csv")
    options = [part for table in data for part in ("--data", table)]
    command = (RULEFERRY, "rehearse", "orders_module.py", "--on", engine, *options)
    return Work(command, tuple(ORDERS))


SPARK = floor("floor_spark.py")
DUCKDB = Work((sys.executable, "-c", "import duckdb, sqlglot"))

FIELDS = 50_000
TYPES = ("--engine", "spark", "--schema", "schema.sql")

# Maker of each file that a job finds in its folder.
FILES: dict[str, Callable[[Path], None]] = {
    "suite_10000.json": partial(suite.write, rules=10_000),
    "suite_100000.json": partial(suite.write, rules=100_000),
    "schema.sql": partial(suite.write_schema, rules=10_000),
    "dictionary.xlsx": partial(dictionary.write, fields=FIELDS),
    "raised.xlsx": partial(dictionary.write, fields=FIELDS, raised=True),
    "modules": convert_before,
    "checks_10000.sql": partial(checks.write, rules=10_000),
    "page.html": partial(report_page.write, form="page", rules=10_000),
    "table.html": partial(report_page.write, form="table", rules=10_000),
    **{name: partial(shutil.copy, source) for name, source in ORDERS.items()},
}

DICTIONARY = Work(
    (RULEFERRY, "convert", "dictionary.xlsx"),
    ("dictionary.xlsx",),
    partial(fields_are_read, FIELDS),
)
# The dictionary after its steward raised a maximum of each table, beside the modules of before.
DRIFT = Work(
    (RULEFERRY, "drift", "raised.xlsx", "--out", "modules", "--fail-on", "removed")
    + ("--output", "drift.json"),
    ("raised.xlsx", "modules"),
    partial(differences_are_found, FIELDS // 100),
)
CALAMINE = floor("floor_calamine.py", "dictionary.xlsx", files=("dictionary.xlsx",))

CHECKS = Work(
    (RULEFERRY, "convert", "checks_10000.sql", "--dialect", "postgres"),
    ("checks_10000.sql",),
    partial(ledger_holds, 10_000),
)

# What a browser does until the page listens.
PAGE = floor("report_page.py", "open", "page.html", files=("page.html",))
TABLE = floor("report_page.py", "open", "table.html", files=("table.html",))

JOBS = (
    Job("--help", Work((RULEFERRY, "--help")), TYPER, 1.25, runs=9),
    Job("--version", Work((RULEFERRY, "--version")), TYPER, 1.25, runs=9),
    Job("convert 10,000 expectations", convert(10_000), bare(10_000), 1.5, peak_mb=200),
    Job(
        "convert 10,000, types given",
        convert(10_000, *TYPES, files=("schema.sql",)),
        bare(10_000),
        1.5,
        peak_mb=200,
    ),
    Job("convert 100,000, a rule", convert(100_000), convert(10_000), 1.2, size=10, runs=3),
    Job("convert 50,000 fields", DICTIONARY, CALAMINE, 4, runs=3),
    Job("drift, 50,000 fields", DRIFT, CALAMINE, 4, runs=3),
    Job("convert 10,000 SQL checks", CHECKS, floor("floor_sqlglot.py", "10000"), 2.5, runs=3),
    Job("rehearse on Spark", rehearse("spark"), SPARK, 2.5, runs=3),
    Job("rehearse on DuckDB", rehearse("duckdb"), DUCKDB, 2.5, runs=9),
    Job("open a page of 10,000 rules", PAGE, TABLE, 2, runs=3),
)


def can_run(job: Job) -> bool:
    """A browser may be missing."""
    if job.work is PAGE and not report_page.can_open():
        print(f"{job.name:<30} not measured: no Chromium")
        return False
    return True


def run(work: Work, files: Path) -> Cost:
    """Runs it once in an empty folder. A failure of the process ends the bench with its stderr."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in work.files:
            copied(files / file, folder / file)
        with (folder / "stderr").open("w+b") as errors:
            cost, code = measured(work.command, folder, errors.fileno())
            errors.seek(0)
            if code:
                sys.exit(f"{' '.join(work.command)}: exit code {code}\n{errors.read().decode()}")
        if not work.done(folder):
            sys.exit(f"{' '.join(work.command)}: it ended well, and did not do the work")
        told = folder / TOLD
        return replace(cost, cpu=float(told.read_text())) if told.is_file() else cost


def copied(source: Path, to: Path) -> None:
    (shutil.copytree if source.is_dir() else shutil.copy)(source, to)


def measured(command: tuple[str, ...], folder: Path, errors: int) -> tuple[Cost, int]:
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 2**20 if sys.platform == "darwin" else 2**10  # macOS counts bytes, Linux kilobytes
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit), process.returncode


def middle(costs: list[Cost]) -> Cost:
    return Cost(median(c.cpu for c in costs), median(c.peak_mb for c in costs))


def compared(job: Job, files: Path) -> tuple[Cost, Cost]:
    """Cost of the job and of its floor: the middle run of each, which is not the cold first one."""
    pairs = [(run(job.work, files), run(job.floor, files)) for _ in range(job.runs)]
    return middle([work for work, _ in pairs]), middle([floor for _, floor in pairs])


def row(job: Job, work: Cost, floor: Cost) -> tuple[str, bool]:
    ratio = work.cpu / (floor.cpu * job.size)
    met = ratio <= job.target and work.peak_mb <= (job.peak_mb or work.peak_mb)
    limit = f"{job.target} x" + (f", {job.peak_mb} MB" if job.peak_mb else "")
    figures = f"{work.cpu:8.2f} {floor.cpu:8.2f} {ratio:6.2f} x {work.peak_mb:6.0f} MB"
    return f"{job.name:<30} {figures}   {limit:<14} {'met' if met else 'MISSED'}", met


def main(word: str = "") -> int:
    print(f"{'job':<30} {'CPU s':>8} {'floor':>8} {'ratio':>8} {'peak':>9}   target")
    all_met = True
    with tempfile.TemporaryDirectory() as name:
        files = Path(name)
        jobs = [job for job in JOBS if word in job.name and can_run(job)]
        for file in {file for job in jobs for work in (job.work, job.floor) for file in work.files}:
            FILES[file](files / file)
        for job in jobs:
            line, met = row(job, *compared(job, files))
            print(line, flush=True)
            all_met &= met
    return 0 if all_met else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
