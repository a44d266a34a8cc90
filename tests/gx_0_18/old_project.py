"""Makes a project of Great Expectations 0.18.22 and runs it: python old_project.py SUITE OUT.

SUITE is a suite of 1.x; OUT must not exist. The project has the suite `orders.warning` and a
checkpoint that runs it on a table of SQLite in two ways, and there are results of all APIs:
`validator.json` and `dataset.json` on pandas, and `checkpoint_result.json`.
"""

import json
import sqlite3
import sys
from pathlib import Path

import great_expectations as gx
import pandas as pd
from great_expectations.core import ExpectationConfiguration
from great_expectations.core.batch import RuntimeBatchRequest
from great_expectations.dataset import PandasDataset

COLUMNS = ("o_orderkey", "o_custkey", "o_orderstatus", "o_totalprice", "o_orderpriority")
ROWS = ((1, 1, "F", 1.5, "5-LOW"), (2, 1, "X", -1.0, None), (None, 2, "O", None, "2-HIGH"))
NAME = "orders.warning"


def main(suite: Path, out: Path) -> None:
    out.mkdir(parents=True)
    frame = pd.DataFrame(ROWS, columns=list(COLUMNS))
    url = f"sqlite:///{out / 'orders.db'}"
    with sqlite3.connect(out / "orders.db") as connection:
        frame.to_sql("orders", connection, index=False)
    context = gx.data_context.FileDataContext.create(str(out))
    stated = json.loads(suite.read_text("utf-8"))["expectations"]
    made = context.add_expectation_suite(NAME)
    for e in stated:
        made.add_expectation(
            ExpectationConfiguration(expectation_type=e["type"], kwargs=e["kwargs"])
        )
    context.update_expectation_suite(made)
    add_sources(context, url)
    requests = (
        {"datasource_name": "wh", "data_connector_name": "inferred", "data_asset_name": "orders"},
        {"datasource_name": "fluent", "data_asset_name": "its_orders"},
    )
    steps = [{"batch_request": r, "expectation_suite_name": NAME} for r in requests]
    checkpoint = context.add_checkpoint(
        name="nightly", config_version=1.0, class_name="Checkpoint", validations=steps
    )
    write(out / "checkpoint_result.json", checkpoint.run())
    request = RuntimeBatchRequest(
        datasource_name="frames",
        data_connector_name="runtime",
        data_asset_name="a_frame",
        runtime_parameters={"batch_data": frame},
        batch_identifiers={"id": "1"},
    )
    validator = context.get_validator(batch_request=request, expectation_suite_name=NAME)
    write(out / "validator.json", validator.validate())
    write(out / "dataset.json", PandasDataset(frame, expectation_suite=made).validate())


def add_sources(context, url: str) -> None:
    engine = {"module_name": "great_expectations.execution_engine"}
    source = {"class_name": "Datasource", "module_name": "great_expectations.datasource"}
    runtime = {"class_name": "RuntimeDataConnector", "batch_identifiers": ["id"]}
    inferred = {"class_name": "InferredAssetSqlDataConnector"}
    on_sql = {"class_name": "SqlAlchemyExecutionEngine", "connection_string": url}
    context.add_datasource(
        name="wh",
        **source,
        execution_engine=engine | on_sql,
        data_connectors={"inferred": inferred, "runtime": runtime},
    )
    context.add_datasource(
        name="frames",
        **source,
        execution_engine=engine | {"class_name": "PandasExecutionEngine"},
        data_connectors={"runtime": runtime},
    )
    context.sources.add_sqlite("fluent", connection_string=url).add_table_asset(
        "its_orders", table_name="orders"
    )


def write(path: Path, result) -> None:
    path.write_text(json.dumps(result.to_json_dict(), indent=1), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
