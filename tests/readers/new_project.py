"""Makes a project of Great Expectations 1.24 on disk and runs it: python new_project.py SUITE OUT.

The project has the suite `orders.warning`, validation definitions on a table of SQLite and on a
dataframe, a checkpoint, and their results; `checkpoint_result.json` is a description of the run.
"""

import json
import sqlite3
import sys
from pathlib import Path

import great_expectations as gx
import pandas as pd
from great_expectations.expectations.expectation_configuration import ExpectationConfiguration

COLUMNS = ("o_orderkey", "o_custkey", "o_orderstatus", "o_totalprice", "o_orderpriority")
ROWS = ((1, 1, "F", 1.5, "5-LOW"), (2, 1, "X", -1.0, None), (None, 2, "O", None, "2-HIGH"))
NAME = "orders.warning"


def main(suite: Path, out: Path) -> None:
    out.mkdir(parents=True)
    frame = pd.DataFrame(ROWS, columns=list(COLUMNS))
    with sqlite3.connect(out / "orders.db") as connection:
        frame.to_sql("orders", connection, index=False)
    context = gx.get_context(mode="file", project_root_dir=str(out))
    made = gx.ExpectationSuite(name=NAME)
    for e in json.loads(suite.read_text("utf-8"))["expectations"]:
        stated = ExpectationConfiguration(type=e["type"], kwargs=e["kwargs"])
        made.add_expectation_configuration(stated)
    context.suites.add(made)
    lite = context.data_sources.add_sqlite(
        "lite", connection_string=f"sqlite:///{out / 'orders.db'}"
    )
    table = lite.add_table_asset("its_orders", table_name="orders")
    whole = table.add_batch_definition_whole_table("whole")
    frames = context.data_sources.add_pandas("frames").add_dataframe_asset("a_frame")
    every = frames.add_batch_definition_whole_dataframe("all")
    on_table = define(context, "on_table", whole, made)
    on_frame = define(context, "on_frame", every, made)
    checkpoint = gx.Checkpoint(name="nightly", validation_definitions=[on_table])
    described = context.checkpoints.add(checkpoint).run().describe()
    (out / "checkpoint_result.json").write_text(described, "utf-8")
    on_frame.run(batch_parameters={"dataframe": frame})


def define(context, name, batch, suite):
    definition = gx.ValidationDefinition(name=name, data=batch, suite=suite)
    return context.validation_definitions.add(definition)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
