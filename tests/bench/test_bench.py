"""The bench measures what it says: its suites and its verdicts."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import bench
import pytest
import suite


def test_a_suite_holds_as_many_rules_as_asked_and_the_same_ones_each_time(tmp_path):
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path in paths:
        suite.write(path, 800)

    assert paths[0].read_bytes() == paths[1].read_bytes()
    items = json.loads(paths[0].read_text())["expectations"]
    assert len(items) == 800
    assert len({json.dumps(item) for item in items}) == 800
    kinds = Counter(item["type"] for item in items)
    assert kinds["expect_column_values_to_not_be_null"] == 200
    assert len(kinds) == 6


def test_the_schema_has_each_column_of_the_suite_once(tmp_path):
    suite.write_schema(tmp_path / "schema.sql", 800)
    columns = re.findall(r"(c\w+) (?:STRING|BIGINT)", (tmp_path / "schema.sql").read_text())
    named = [v for item in suite.expectations(800) for k, v in item["kwargs"].items() if "col" in k]
    assert set(columns) == set(named)
    assert len(set(columns)) == len(columns)


@pytest.mark.parametrize(
    ("cpu", "peak_mb", "met"),
    [(1.5, 200, True), (1.6, 100, False), (1.0, 201, False)],
)
def test_a_target_is_met_by_time_and_by_memory(cpu, peak_mb, met):
    job = bench.Job("job", bench.TYPER, bench.TYPER, 1.5, peak_mb=200)
    assert bench.row(job, bench.Cost(cpu, peak_mb), bench.Cost(1.0, 1))[1] is met


def test_ten_times_the_work_may_take_ten_times_as_long():
    job = bench.Job("job", bench.TYPER, bench.TYPER, 1.2, size=10)
    assert bench.row(job, bench.Cost(12.0, 1), bench.Cost(1.0, 1))[1]
    assert not bench.row(job, bench.Cost(12.1, 1), bench.Cost(1.0, 1))[1]


MEASURES = """
import sys
from pathlib import Path
import bench
for code in ("", "b = bytearray(60_000_000)", "for _ in range(5_000_000): pass"):
    cost = bench.run(bench.Work((sys.executable, "-c", code)), Path())
    print(cost.cpu, cost.peak_mb)
"""


def test_cpu_and_memory_are_those_of_the_process():
    # In a process of its own: as the bench is, and unlike pytest, it must be small to measure.
    command = [sys.executable, "-c", MEASURES]
    told = subprocess.run(command, cwd=bench.HERE, check=True, capture_output=True, text=True)
    idle, large, busy = (tuple(map(float, line.split())) for line in told.stdout.splitlines())
    assert large[1] > idle[1] + 50
    assert busy[0] > idle[0] + 0.03


def test_cpu_may_be_told_by_a_process_that_drives_others(tmp_path):
    code = "open('cpu', 'w').write('12.5')"
    assert bench.run(bench.Work((sys.executable, "-c", code)), tmp_path).cpu == 12.5


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (bench.Work((sys.executable, "-c", "exit('out of luck')")), "out of luck"),
        (bench.Work((sys.executable, "-c", ""), (), Path.is_file), "did not do the work"),
    ],
    ids=["a process that failed", "a process that did nothing"],
)
def test_what_did_not_work_is_not_measured(work, message, tmp_path):
    with pytest.raises(SystemExit, match=message):
        bench.run(work, tmp_path)


def test_each_file_that_a_job_reads_can_be_made():
    wanted = {f for job in bench.JOBS for work in (job.work, job.floor) for f in work.files}
    assert wanted <= set(bench.FILES)
