"""`ruleferry rehearse` on the sample: the figures of the guide's three runs, on every engine."""

import csv
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ruleferry import cli

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "samples" / "orders"
MODULE = Path(__file__).parent / "orders_module.py"

# The sdp engine starts a process and a JVM of its own for each run: 12 to 60 seconds.
ENGINES = ["spark", "duckdb", pytest.param("sdp", marks=pytest.mark.more)]
RULES = {
    "order_key_present": ("orders_checked", "fail"),
    "price_positive": ("orders_clean", "drop"),
    "status_valid": ("orders_clean", "drop"),
    "order_date_present": ("orders_clean", "drop"),
    "customer_exists": ("orders_clean", "drop"),
    "priority_known": ("orders_clean", "warn"),
}
# The guide's table has these columns alone.
COLUMNS = [
    "o_orderkey", "o_custkey", "o_orderstatus", "o_totalprice", "o_orderdate", "o_orderpriority",
]  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """The sample's rows and types beside the module with the guide's six rules."""
    for source in (SAMPLE / "ruleferry.toml", SAMPLE / "schema.csv", MODULE):
        shutil.copy(source, tmp_path)
    for name in ("orders", "planted", "null_key"):
        with (SAMPLE / "data" / f"{name}.csv").open(encoding="utf-8") as file:
            rows = [[row[column] for column in COLUMNS] for row in csv.DictReader(file)]
        with (tmp_path / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *rows])
    shutil.copy(SAMPLE / "data" / "customers.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rehearse(engine: str, *files: str, module="orders_module.py", options=(), code=0) -> str:
    data = [f"orders_raw={file}" for file in files] + ["customers_ref=customers.csv"]
    given = [part for table in data for part in ("--data", table)]
    result = CliRunner().invoke(cli.app, ["rehearse", module, "--on", engine, *given, *options])
    assert result.exit_code == code, result.output
    return result.stdout


def told(engine: str, *files: str, code=0, **more) -> dict:
    return json.loads(rehearse(engine, *files, options=["--json"], code=code, **more))


def flows(found: dict) -> dict:
    return {
        flow["dataset"]: (flow["status"], flow["output_rows"], flow["dropped_records"])
        for flow in found["flows"]
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_clean_data(spark, engine):
    found = told(engine, "orders.csv")
    assert flows(found) == {
        "orders_checked": ("COMPLETED", 1000, 0),
        "orders_clean": ("COMPLETED", 1000, 0),
        "orders_quarantine": ("COMPLETED", 0, 0),
    }
    assert {e["name"]: (e["dataset"], e["action"]) for e in found["expectations"]} == RULES
    assert {(e["passed"], e["failed"]) for e in found["expectations"]} == {(1000, 0)}


@pytest.mark.parametrize("engine", ENGINES)
def test_planted_errors(spark, engine):
    found = told(engine, "orders.csv", "planted.csv")
    assert flows(found) == {
        "orders_checked": ("COMPLETED", 1006, 0),
        "orders_clean": ("COMPLETED", 1001, 5),
        "orders_quarantine": ("COMPLETED", 5, 0),
    }
    assert {e["name"]: (e["passed"], e["failed"]) for e in found["expectations"]} == {
        "order_key_present": (1006, 0),
        "customer_exists": (1004, 2),
        "order_date_present": (1005, 1),
        "price_positive": (1005, 1),
        "priority_known": (1005, 1),
        "status_valid": (1004, 2),
    }
    (quarantine,) = found["quarantines"]
    assert [(row["o_orderkey"], row["failed_rules"]) for row in quarantine["rows"]] == [
        ("900000001", "price_positive"),
        ("900000002", "status_valid"),
        ("900000003", "customer_exists"),
        ("900000004", "order_date_present"),
        ("900000006", "status_valid, customer_exists"),
    ]
    assert quarantine["rows"][3] == {
        "o_orderkey": "900000004", "o_custkey": "1", "o_orderstatus": "F",
        "o_totalprice": "100.00", "o_orderdate": None, "o_orderpriority": "1-URGENT",
        "customer_found": "true", "failed_rules": "order_date_present",
    }  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
def test_the_fail_rule_stops_the_update(spark, engine):
    found = told(engine, "orders.csv", "null_key.csv", code=1)
    assert flows(found) == {
        "orders_checked": ("FAILED", None, None),
        "orders_clean": ("SKIPPED", None, None),
        "orders_quarantine": ("SKIPPED", None, None),
    }
    checked = found["flows"][0]
    assert checked["violated"] == ["order_key_present"]
    assert checked["record"] == (
        '{"o_orderkey":null,"o_custkey":1,"o_orderstatus":"F","o_totalprice":100.00,'
        '"o_orderdate":"1995-01-01","o_orderpriority":"1-URGENT","customer_found":true}'
    )
    assert {(e["passed"], e["failed"]) for e in found["expectations"]} == {(None, None)}


@pytest.mark.parametrize(
    ("fail_on", "files", "code"),
    [
        ("fail", ["orders.csv", "planted.csv"], 0),
        ("quarantined", ["orders.csv"], 0),
        ("quarantined", ["orders.csv", "planted.csv"], 1),
        ("quarantined", ["orders.csv", "null_key.csv"], 1),
        ("never", ["orders.csv", "null_key.csv"], 0),
    ],
)
def test_what_makes_the_exit_code(fail_on, files, code):
    assert rehearse("duckdb", *files, options=["--fail-on", fail_on, "--quiet"], code=code) == ""


def test_the_emitted_module_says_the_same_on_both_engines(spark, folder):
    shutil.copytree(SAMPLE / "suites", folder / "suites")
    # Without the dictionary: what it says of types is a dataset that DuckDB does not answer.
    assert CliRunner().invoke(cli.app, ["convert", "suites", "--quiet"]).exit_code == 0
    module = "expectations/orders_expectations.py"
    both = []
    for engine in ("spark", "duckdb"):
        # The rows of the sample as they are, with the columns that the suite speaks of.
        data = [SAMPLE / "data" / name for name in ("orders.csv", "planted.csv")]
        found = told(engine, *map(str, data), module=module)
        both.append([found[key] for key in ("expectations", "flows", "quarantines", "tables")])
    assert both[0] == both[1]
    counts = {e["name"]: e["failed"] for e in both[0][0]}
    assert counts["o_orderstatus_allowed"] == 2
    assert counts["o_orderpriority_allowed"] == 1
    assert {flow["status"] for flow in both[0][1]} == {"COMPLETED"}


@pytest.mark.parametrize("engine", ["spark", "duckdb"])
def test_a_stream_is_one_batch_and_says_so(spark, folder, engine):
    text = MODULE.read_text().replace(
        '    return spark.read.table("orders_checked")',
        '    return spark.readStream.option("x", "y").table("orders_checked")',
    )
    (folder / "stream.py").write_text(text.replace("dp.materialized_view", "dp.table"))
    found = told(engine, "orders.csv", "planted.csv", module="stream.py")
    assert flows(found)["orders_clean"] == ("COMPLETED", 1001, 5)
    assert any("read as a stream" in note for note in found["notes"])


def test_modules_of_one_pipeline_read_each_other(folder):
    (folder / "more.py").write_text(
        "from pyspark import pipelines as dp\n\nSOURCE_TABLE = 'orders_clean'\n\n"
        "@dp.materialized_view\n@dp.expect_or_drop('urgent', \"o_orderpriority = '1-URGENT'\")\n"
        "def urgent():\n    return spark.read.table(SOURCE_TABLE)\n"
    )
    data = ["orders_raw=orders.csv", "customers_ref=customers.csv"]
    given = [part for table in data for part in ("--data", table)]
    command = ["rehearse", "more.py", "orders_module.py", "--on", "duckdb", "--json", *given]
    found = json.loads(CliRunner().invoke(cli.app, command).stdout)
    assert flows(found)["urgent"][0] == "COMPLETED"
    assert sum(flows(found)["urgent"][1:]) == 1000


# What a person reads ------------------------------------------------------------------------------


def test_the_tables_that_are_printed():
    printed = rehearse("duckdb", "orders.csv", "planted.csv")
    assert "Executed orders_module.py\non DuckDB " in printed
    assert (
        """
dataset         expectation         action  passed  failed
orders_checked  order_key_present   fail     1,006       0
orders_clean    price_positive      drop     1,005       1
orders_clean    status_valid        drop     1,004       2
orders_clean    order_date_present  drop     1,005       1
orders_clean    customer_exists     drop     1,004       2
orders_clean    priority_known      warn     1,005       1

flow               status     rows written  dropped
orders_checked     COMPLETED         1,006        0
orders_clean       COMPLETED         1,001        5
orders_quarantine  COMPLETED             5        0

orders_quarantine: 5 rows
  o_orderkey  o_custkey  o_orderstatus  o_totalprice  o_orderdate  failed_rules
  900000001   1          F              -5.00         1995-01-01   price_positive
"""
        in printed
    )
    assert "900000004   1          F              100.00        NULL  " in printed
    assert "types inferred" not in printed  # the schema file has both tables


def test_the_record_that_stopped_the_update_is_printed():
    printed = rehearse("duckdb", "orders.csv", "null_key.csv", code=1)
    assert "orders_checked  order_key_present   fail         -       -\n" in printed
    assert "orders_checked stopped: a record breaks order_key_present\n  {" in printed


def test_auto_says_which_engine_it_took_and_why(monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    printed = rehearse("auto", "orders.csv")
    assert "on DuckDB" in printed
    assert "(Spark needs Java 17 or newer, and there is no java in JAVA_HOME (/nowhere)." in printed


# What is refused ----------------------------------------------------------------------------------


def refused(*arguments: str) -> str:
    result = CliRunner().invoke(cli.app, ["rehearse", *arguments])
    assert result.exit_code == 2, result.output
    assert "internal error" not in result.stderr
    return result.stderr


MODULES = {
    "no file": (None, "found     no readable file"),
    "no Python": ("def (", "code that raises SyntaxError: "),
    "raises": ("\n\n1 / 0", "line 3\n  found     code that raises ZeroDivisionError: "),
    "leaves": ("import sys\nsys.exit(0)", "line 2\n  found     code that raises SystemExit: 0"),
    "raises in a dataset": (
        "from pyspark import pipelines as dp\n@dp.table\ndef t():\n    return undefined\n",
        "line 4\n  found     code that raises NameError: ",
    ),
    "more than SQL": (
        "from pyspark.sql import functions as F\n",
        "No module named 'pyspark.sql'; 'pyspark' is not a package\n"
        "  expected  tables and queries in SQL\n  to do     Rehearse it on Spark: --on spark.",
    ),
    "a session": ("spark.conf.get('x')", "found     spark.conf"),
    "an unknown table": (
        "from pyspark import pipelines as dp\n@dp.table\ndef t():\n"
        "    return spark.table('main.sales.lost')\n",
        "t\n  found     no rows for the table main.sales.lost, which it reads\n"
        "  expected  --data main.sales.lost=FILE",
    ),
    "a dataset that is given": (
        "from pyspark import pipelines as dp\n@dp.table\ndef n():\n    return spark.table('n')\n",
        "n is a dataset of the module, and was given as a table",
    ),
}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_that_can_not_be_rehearsed(folder, name):
    text, message = MODULES[name]
    if text is not None:
        (folder / "m.py").write_text(text)
    (folder / "n.csv").write_text("a\n1\n")
    assert message in refused("m.py", "--on", "duckdb", "--data", "n=n.csv")


def test_the_tables_without_rows_are_named_all_at_once():
    message = refused("orders_module.py")
    for table in ("orders_raw", "customers_ref"):
        assert f"found     no rows for the table {table}, which it reads" in message
        assert f"expected  --data {table}=FILE" in message


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--on", "flink", 'found     "flink"\n  expected  one of auto, spark, sdp, duckdb'),
        ("--fail-on", "warn", 'found     "warn"\n  expected  one of fail, quarantined, never'),
        ("--data", "orders.csv", "expected  --data TABLE=FILE"),
        ("--data", "a b=orders.csv", "expected  --data TABLE=FILE"),
        ("--data", "t=nowhere.csv", "no readable file"),
        ("--data", "t=nowhere.parquet", "no readable file"),
    ],
)
def test_options_that_are_refused(option, value, message):
    given = ["--data", "orders_raw=orders.csv", "--data", "customers_ref=customers.csv"]
    assert message in refused("orders_module.py", "--on", "duckdb", *given, option, value)


@pytest.mark.parametrize(
    ("on", "module", "message"),
    [
        ("duckdb", "duckdb", "pip install 'ruleferry[duckdb]'"),
        ("spark", "pyspark", "pip install 'ruleferry[spark]'"),
        ("sdp", "pyarrow", "pip install 'ruleferry[spark]'"),
    ],
)
def test_an_engine_that_is_not_installed(monkeypatch, on, module, message):
    from ruleferry.converters.proof import rehearsal, session

    for room in (rehearsal, session):
        found = room.find_spec
        monkeypatch.setattr(
            room, "find_spec", lambda name, found=found: None if name == module else found(name)
        )
    data = ["--data", "orders_raw=orders.csv", "--data", "customers_ref=customers.csv"]
    assert message in refused("orders_module.py", "--on", on, *data)
