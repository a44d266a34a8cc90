"""Which table and which engine: checkpoints, definitions, configurations, runs and citations."""

import json
from dataclasses import replace

import pytest

from ruleferry.converters.errors import Fault
from ruleferry.converters.predicates import And, Present, SqlText
from ruleferry.converters.readers.great_expectations import read_files
from ruleferry.converters.readers.raw import RawFile
from ruleferry.converters.rule import NotARule, Row, Table, Unique, Unread
from ruleferry.converters.sources import conserved

ELEMENT = {
    "expectation_type": "expect_column_values_to_not_be_null",
    "kwargs": {"column": "a"},
    "meta": {},
}


def suite(name="orders", *, elements=(ELEMENT,), **more):
    return json.dumps({"expectation_suite_name": name, "expectations": [*elements], **more})


def read(files, *, tables=None, table=None, engine=None):
    """file -> its reading. `tables`: suite -> what --table gives it."""
    raws = [
        RawFile(
            file=file,
            text=text,
            sha256="0" * 64,
            engine=engine,
            tables_of=lambda names: tuple((tables or {}).get(names[0], ())),
            table=table,
        )
        for file, text in files.items()
    ]
    found = read_files(raws)
    assert not [f for f in found if isinstance(f, Fault)]
    return {counted.reading.file: conserved(counted) for counted in found}


def targets(reading):
    """(table, stated, engine) of the rules of a file."""
    found = [(r.table.name, r.table.stated, r.origin.engine) for r in reading.rules]
    return sorted(set(found), key=repr)


SQL_SOURCE = """
config_version: 3.0
datasources:
  wh:
    class_name: Datasource
    execution_engine: {class_name: SqlAlchemyExecutionEngine, connection_string: "%s"}
    data_connectors:
      inferred: {class_name: InferredAssetSqlDataConnector}
      listed:
        class_name: ConfiguredAssetSqlDataConnector
        assets:
          o: {table_name: orders, schema_name: sales}
          plain: {}
          cut:
            table_name: orders
            splitter_method: split_on_year
            sampling_method: _sample_using_limit
      runtime: {class_name: RuntimeDataConnector, batch_identifiers: [id]}
  lake:
    class_name: Datasource
    execution_engine: {class_name: SparkDFExecutionEngine}
    data_connectors: {files: {class_name: InferredAssetFilesystemDataConnector}}
  frames:
    class_name: PandasDatasource
    data_asset_type: {class_name: PandasDataset}
fluent_datasources:
  pg:
    type: postgres
    connection_string: ${MY_DB}
    assets:
      t: {type: table, table_name: orders, schema_name: sales}
      q: {type: query, query: "SELECT a, b FROM sales.orders"}
      f: {type: query, query: "SELECT * FROM sales.orders WHERE b > 1"}
      j: {type: query, query: "SELECT * FROM orders JOIN other USING (a)"}
      parts:
        type: table
        table_name: orders
        batch_definitions:
          all: {partitioner: null}
          daily: {partitioner: {method_name: partition_on_year_and_month_and_day, column_name: d}}
  dbx: {type: databricks_sql, assets: {t: {type: table, table_name: orders}}}
  pd: {type: pandas_filesystem, assets: {csvs: {type: csv}, df: {type: dataframe}}}
  sp:
    type: spark
    assets:
      df: {type: dataframe}
"""


CONFIG = "gx/great_expectations.yml"
SUITE = "gx/expectations/o.json"
URL = "postgresql+psycopg2://me:secret@host/db"


def in_project(text=None, connection=URL, **files):
    """A project with one suite; `files`: path below its folder, __ for a slash, json at its end."""
    found = {CONFIG: SQL_SOURCE % connection, SUITE: text or suite()}
    named = {f"gx/{name.replace('__', '/')}.json": content for name, content in files.items()}
    return found | named


def checkpoint(request, suite="orders", **more):
    step = {"batch_request": request, "expectation_suite_name": suite}
    return json.dumps({"name": "cp", "class_name": "Checkpoint", "validations": [step], **more})


def of(source, asset, **more):
    return {"datasource_name": source, "data_asset_name": asset, **more}


def test_a_checkpoint_tells_of_the_suites_that_it_names_data_for():
    steps = [
        {"batch_request": {"data_asset_name": "o"}, "expectation_suite_name": "orders"},
        {"batch_request": {"data_asset_name": None}, "expectation_suite_name": "customers"},
        {"expectation_suite_name": "parts"},
    ]
    named = json.dumps({"name": "cp", "class_name": "Checkpoint", "validations": steps})
    used = read(in_project(checkpoints__cp=named))["gx/checkpoints/cp.json"]
    assert used.why == "tells what orders runs on; names customers, parts, and no data to run on"


@pytest.mark.parametrize(
    ("request_", "table", "stated", "engine"),
    [
        (
            of("wh", "sales.orders", data_connector_name="inferred"),
            "sales.orders",
            True,
            "postgres",
        ),
        (of("wh", "orders", data_connector_query={"index": -1}), "orders", True, "postgres"),
        (of("wh", "o", data_connector_name="listed"), "sales.orders", True, "postgres"),
        (of("wh", "plain", data_connector_name="listed"), "plain", True, "postgres"),
        (of("wh", "x", data_connector_name="runtime"), "orders", False, "postgres"),
        (of("wh", "x", runtime_parameters={"table_name": "t"}), "t", True, "postgres"),
        (of("wh", "${SCHEMA}.orders"), "orders", False, "postgres"),
        (of("wh", "x", runtime_parameters={"query": "SELECT * FROM t"}), "t", True, "postgres"),
        (of("lake", "orders"), "orders", False, "spark"),
        (of("lake", "sales.orders"), "orders", False, "spark"),
        (of("frames", "orders.csv"), "orders", False, "pandas"),
        (of("pg", "t"), "sales.orders", True, "postgres"),
        (of("pg", "q"), "sales.orders", True, "postgres"),
        (of("dbx", "t"), "orders", True, "databricks"),
        (of("pd", "csvs"), "orders", False, "pandas"),
        (of("pd", "df"), "orders", False, "pandas"),
        (of("sp", "df"), "orders", False, "spark"),
        (of("elsewhere", "sales.orders"), "sales.orders", True, None),
        (of("elsewhere", "orders"), "orders", False, None),
        (of("elsewhere", "orders.csv"), "orders", False, None),
        (of("elsewhere", "data/2020.parquet"), "orders", False, None),
        ({}, "orders", False, None),
    ],
)
def test_the_table_and_the_engine_of_a_checkpoint(request_, table, stated, engine):
    readings = read(in_project(checkpoints__cp=checkpoint(request_)))
    assert targets(readings[SUITE]) == [(table, stated, engine)]
    used = readings["gx/checkpoints/cp.json"]
    why = "tells what orders runs on" if request_ else "names orders, and no data to run on"
    assert (used.read_as, used.why, used.rules) == ("used", why, ())
    assert readings[CONFIG].read_as == "used"
    assert "secret" not in repr(readings)


@pytest.mark.parametrize(
    ("connection", "engine"),
    [
        ("sqlite:///x.db", "sqlite"),
        ("mssql+pyodbc://host/db?driver=x", "tsql"),
        ("snowflake://u:p@account/db", "snowflake"),
        ("mysql+pymysql://host/db", "mysql"),
        ("${CONNECTION}", "sql"),
        ("somedb://host", "sql"),
    ],
)
def test_the_database_is_that_of_the_connection(connection, engine):
    files = in_project(connection=connection, checkpoints__cp=checkpoint(of("wh", "orders")))
    assert targets(read(files)[SUITE]) == [("orders", True, engine)]


def definition(source, asset, batch="all", suite="orders"):
    data = {"datasource": {"name": source}, "asset": {"name": asset}}
    return json.dumps(
        {
            "name": "vd",
            "suite": {"name": suite},
            "data": data | {"batch_definition": {"name": batch}},
        }
    )


def caveats(reading, code):
    return {c.detail for rule in reading.rules for c in rule.caveats if c.code == code}


@pytest.mark.parametrize(
    ("files", "batch"),
    [
        ({"validation_definitions__v": definition("pg", "parts")}, None),
        (
            {"validation_definitions__v": definition("pg", "parts", "daily")},
            "the validation definition vd (gx/validation_definitions/v.json) runs it on a part of "
            "the data at a time: partition on year and month and day of d",
        ),
        (
            {"checkpoints__c": checkpoint(of("wh", "cut"))},
            "the checkpoint cp (gx/checkpoints/c.json) runs it on a part of the data at a time: "
            "split on year, sample using limit",
        ),
        (
            {"checkpoints__c": checkpoint(of("pg", "parts", options={"year": 2020}))},
            "the checkpoint cp (gx/checkpoints/c.json) runs it on a part of the data at a time: "
            "year 2020",
        ),
        (
            {"checkpoints__c": checkpoint(of("wh", "orders", data_connector_query={"index": -1}))},
            "the checkpoint cp (gx/checkpoints/c.json) runs it on a part of the data at a time: "
            "the latest batch",
        ),
    ],
)
def test_a_part_of_the_data_is_told(files, batch):
    reading = read(in_project(**files))[SUITE]
    assert targets(reading) == [("orders", True, "postgres")]
    assert caveats(reading, "one_batch") == ({batch} if batch else set())


def test_a_definition_of_1_x_with_its_checkpoint():
    checkpoint_ = json.dumps({"name": "cp", "validation_definitions": [{"name": "vd"}]})
    readings = read(
        in_project(validation_definitions__v=definition("dbx", "t"), checkpoints__c=checkpoint_)
    )
    assert targets(readings[SUITE]) == [("orders", True, "databricks")]
    used = readings["gx/checkpoints/c.json"]
    assert (used.read_as, used.why) == ("used", "a checkpoint of the validation definition vd")


def test_a_checkpoint_of_up_to_0_12():
    batches = [
        {"batch_kwargs": {"table": "orders", "schema": "s", "datasource": "wh"}},
        {"batch_kwargs": {"path": "x/orders.csv", "datasource": "frames"}},
        {"batch_kwargs": {"query": "SELECT * FROM v", "datasource": "wh"}},
    ]
    batches = [batch | {"expectation_suite_names": ["orders"]} for batch in batches]
    old = json.dumps({"validation_operator_name": "x", "batches": batches})
    reading = read(in_project(checkpoints__c=old))[SUITE]
    assert targets(reading) == [("s.orders", True, "postgres"), ("v", True, "postgres")]


def test_what_a_checkpoint_states_for_all_its_steps():
    text = json.dumps(
        {
            "class_name": "SimpleCheckpoint",
            "batch_request": of("wh", "a"),
            "expectation_suite_name": "orders",
            "validations": [{}, {"batch_request": {"data_asset_name": "b"}}],
        }
    )
    reading = read(in_project(checkpoints__c=text))[SUITE]
    assert targets(reading) == [("a", True, "postgres"), ("b", True, "postgres")]
    assert len(reading.rules) == 2


def test_checkpoints_in_a_configuration_made_at_home():
    text = """
    hr:
      validations:
        - batch_request: {datasource_name: x, data_asset_name: hr.people}
          expectation_suite_name: orders
    """
    files = {"services/configs/hr.yml": text, "services/ge/expectations/orders.json": suite()}
    readings = read(files)
    assert targets(readings["services/ge/expectations/orders.json"]) == [("hr.people", True, None)]
    assert readings["services/configs/hr.yml"].why == "tells what orders runs on"


# Two projects, two suites of one name ------------------------------------------------------------


def test_a_checkpoint_means_the_suite_of_its_own_project():
    files = {
        "one/gx/expectations/o.json": suite(),
        "two/gx/expectations/o.json": suite(),
        "one/gx/checkpoints/c.json": checkpoint(of("x", "s.one")),
        "two/gx/checkpoints/c.json": checkpoint(of("x", "s.two")),
    }
    readings = read(files)
    assert targets(readings["one/gx/expectations/o.json"]) == [("s.one", True, None)]
    assert targets(readings["two/gx/expectations/o.json"]) == [("s.two", True, None)]


def test_a_checkpoint_of_neither_project_means_none_of_two():
    files = {
        "one/gx/expectations/o.json": suite(),
        "two/gx/expectations/o.json": suite(),
        "three/c.json": checkpoint(of("x", "s.three")),
    }
    readings = read(files)
    for project in ("one", "two"):
        assert targets(readings[f"{project}/gx/expectations/o.json"]) == [("orders", False, None)]


# Queries ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "engine", "table", "scope"),
    [
        ("SELECT * FROM t", "postgres", "t", None),
        ("select a, b from s.t;", "postgres", "s.t", None),
        ("SELECT * FROM `s`.`t` WHERE a > 1", "spark", "s.t", "a > 1"),
        ("SELECT * FROM s.t WHERE a ~ 'x'", "postgres", "s.t", "a ~ 'x'"),
    ],
)
def test_a_plain_query_is_a_filter_of_its_table(query, engine, table, scope):
    source = {"postgres": "wh", "spark": "lake"}[engine]
    request_ = of(source, "x", runtime_parameters={"query": query})
    (rule,) = read(in_project(checkpoints__cp=checkpoint(request_)))[SUITE].rules
    assert (rule.table, rule.origin.engine) == (Table(table), engine)
    assert rule.scope == (scope and SqlText(scope, engine, bad=False))
    assert isinstance(rule.check, Row)


BATCH = "the checkpoint cp (gx/checkpoints/cp.json) runs it on a part of the data at a time: "


@pytest.mark.parametrize(
    ("query", "batch", "scope"),
    [
        ("SELECT * FROM t WHERE d = '{ymd}'", "d = '{ymd}'", Present("d")),
        ("SELECT * FROM t WHERE '${ymd}' = t.d", "'${ymd}' = t.d", Present("d")),
        (
            "SELECT * FROM t WHERE d = '{{ ds }}' AND b > 1 AND c = 'x' AND e = '{e}'",
            "d = '{{ ds }}' AND e = '{e}'",
            And((And((Present("d"), Present("e"))), SqlText("b > 1 AND c = 'x'", "", bad=False))),
        ),
    ],
)
@pytest.mark.parametrize(("source", "engine"), [("wh", "postgres"), ("lake", "spark")])
def test_a_placeholder_that_a_column_equals_is_one_batch(query, batch, scope, source, engine):
    """The records of no batch are those without a value."""
    if isinstance(scope, And):
        scope = And((scope.parts[0], replace(scope.parts[1], dialect=engine)))
    request_ = of(source, "x", runtime_parameters={"query": query})
    (rule,) = read(in_project(checkpoints__cp=checkpoint(request_)))[SUITE].rules
    assert (rule.table, isinstance(rule.check, Row), rule.scope) == (Table("t"), True, scope)
    assert [c.detail for c in rule.caveats if c.code == "one_batch"] == [BATCH + batch]


OF_TABLE = {
    "expect_table_column_count_to_equal": {"value": 2},
    "expect_table_column_count_to_be_between": {"min_value": 2},
    "expect_table_columns_to_match_set": {"column_set": ["a", "b"]},
    "expect_table_columns_to_match_ordered_list": {"column_list": ["a", "b"]},
    "expect_table_row_count_to_equal": {"value": 2},
    "expect_column_to_exist": {"column": "A"},
    "expect_column_values_to_be_null": {"column": "b"},
}


@pytest.mark.parametrize("name", OF_TABLE)
def test_what_is_said_of_all_columns_is_not_said_of_those_that_a_query_selects(name):
    element = {"expectation_type": name, "kwargs": OF_TABLE[name]}
    text = json.dumps({"expectation_suite_name": "orders", "expectations": [element]})

    def found(query):
        request_ = of("wh", "x", runtime_parameters={"query": query})
        return read(in_project(text, checkpoints__cp=checkpoint(request_)))[SUITE].rules[0].check

    assert not isinstance(found("SELECT * FROM t WHERE b > 1"), Unread)
    check = found('SELECT a, "B" FROM t WHERE b > 1')
    assert getattr(check, "code", None) == ("query_asset" if "_table_column" in name else None)
    if "_table_column" in name:
        assert check.reason.endswith("which does not select all columns of the table")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("expect_column_values_to_be_null", "invalid_rule"),
        ("expect_column_to_exist", "never_passes"),
        ("expect_column_max_to_be_between", "invalid_rule"),
    ],
)
def test_a_column_that_the_query_does_not_select(name, code):
    kwargs = {"column": "c"} | ({"max_value": 1} if "max" in name else {})
    element = {"expectation_type": name, "kwargs": kwargs}
    text = json.dumps({"expectation_suite_name": "orders", "expectations": [element]})
    request_ = of("wh", "x", runtime_parameters={"query": "SELECT a, b FROM t"})
    (rule,) = read(in_project(text, checkpoints__cp=checkpoint(request_)))[SUITE].rules
    assert (rule.check.code, rule.check.reason.endswith("which does not select c")) == (code, True)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("SELECT a AS b FROM t", "which is more than a filter of one table"),
        ("SELECT a, a FROM t JOIN u USING (a)", "which is more than a filter of one table"),
        ("SELECT * FROM t, u", "which is more than a filter of one table"),
        ("SELECT a FROM t GROUP BY a", "which is more than a filter of one table"),
        ("SELECT DISTINCT a FROM t", "which is more than a filter of one table"),
        ("SELECT * FROM t LIMIT 5", "which is more than a filter of one table"),
        ("SELECT * FROM (SELECT * FROM t) x", "which is more than a filter of one table"),
        ("WITH x AS (SELECT 1) SELECT * FROM t", "which is more than a filter of one table"),
        ("SELECT t.* FROM t", "which is more than a filter of one table"),
        ("SELECT a FROM t UNION SELECT a FROM t", "which is no plain SELECT"),
        ("SELECT * FROM t TABLESAMPLE (10 PERCENT)", "which is more than a filter of one table"),
        ("SELECT * FROM t WHERE a > '{ymd}'", "and it holds a placeholder"),
        ("SELECT * FROM t WHERE a = '{ymd}' OR b > 1", "and it holds a placeholder"),
        ("SELECT * FROM t WHERE a = '{ymd}-01'", "and it holds a placeholder"),
        ("SELEC", "which is no plain SELECT"),
        ("SELECT * FROM", "which can't be read"),
        ("{{ sql }}", "which"),
    ],
)
def test_another_query_is_a_gap_until_somebody_names_a_view_of_it(query, why):
    request_ = of("wh", "x", runtime_parameters={"query": query})
    files = in_project(checkpoints__cp=checkpoint(request_))
    (rule,) = read(files)[SUITE].rules
    assert isinstance(rule.check, Unread)
    assert rule.check.code == "query_asset"
    assert rule.check.reason.endswith(why) or why == "which"
    assert (rule.kind, rule.columns, rule.table.stated) == ("present", ("a",), False)
    (configured,) = read(files, table="main.s.v")[SUITE].rules
    (rule,) = read(files, tables={"orders": ["main.s.v"]})[SUITE].rules
    assert configured == rule
    assert (isinstance(rule.check, Row), rule.table) == (True, Table("main.s.v"))
    (told,) = [c.detail for c in rule.caveats if c.code == "query_result"]
    assert told.endswith("main.s.v is taken to hold its result")


def test_a_suite_on_a_table_and_on_a_part_of_it_checks_the_whole():
    steps = [
        {"batch_request": of("lake", "x", runtime_parameters={"query": query})}
        for query in ("SELECT * FROM t", "SELECT * FROM t WHERE a > 1")
    ]
    text = json.dumps({"expectation_suite_name": "orders", "validations": steps})
    (rule,) = read(in_project(checkpoints__c=text))[SUITE].rules
    assert (rule.table, rule.scope) == (Table("t"), None)


# What the user says -------------------------------------------------------------------------------


def test_a_table_that_is_named_beats_what_a_checkpoint_states():
    files = in_project(checkpoints__c=checkpoint(of("pg", "t")))
    reading = read(files, tables={"orders": ["main.s.orders", "main.s.copy"]})[SUITE]
    wanted = [("main.s.copy", True, "postgres"), ("main.s.orders", True, "postgres")]
    assert targets(reading) == wanted


def test_the_table_of_a_source_stands_where_nothing_tells():
    files = in_project(checkpoints__c=checkpoint(of("pg", "t")))
    assert targets(read(files, table="x.y")[SUITE]) == [("sales.orders", True, "postgres")]
    assert targets(read({"a.json": suite()}, table="x.y")["a.json"]) == [("x.y", True, None)]


def test_an_engine_that_the_project_contradicts_holds_and_is_told():
    files = in_project(checkpoints__c=checkpoint(of("pg", "t")))
    reading = read(files, engine="spark")[SUITE]
    assert targets(reading) == [("sales.orders", True, "spark")]
    assert caveats(reading, "engine_contradicts") == {
        "converted for spark, as configured; "
        "the checkpoint cp (gx/checkpoints/c.json) says postgres"
    }
    assert caveats(read(files, engine="mysql")[SUITE], "engine_contradicts") == set()


def test_two_engines_on_one_table_are_no_engine():
    steps = [{"batch_request": of("wh", "orders")}, {"batch_request": of("dbx", "t")}]
    text = json.dumps({"expectation_suite_name": "orders", "validations": steps})
    assert targets(read(in_project(checkpoints__c=text))[SUITE]) == [("orders", True, None)]


@pytest.mark.parametrize(
    ("asset", "expected"),
    [
        ({"data_asset_name": "wh/default/orders"}, ("orders", True, "postgres")),
        ({"data_asset_name": "wh/default/sales.orders"}, ("sales.orders", True, "postgres")),
        ({"data_asset_name": "lake/default/orders"}, ("orders", False, "spark")),
        ({"data_asset_name": "else/default/orders"}, ("orders", False, None)),
        ({"data_asset_name": "orders"}, ("orders", False, None)),
        ({"dataset_name": "orders"}, ("orders", False, None)),
        (
            {"data_asset_name": {"datasource": "wh", "generator": "g", "generator_asset": "o"}},
            ("o", True, "postgres"),
        ),
        ({"data_asset_name": "a/b"}, ("a/b", False, None)),
        ({}, ("default", False, None)),
    ],
)
def test_the_asset_of_a_suite_of_up_to_0_8_is_its_data(asset, expected):
    """Any asset could have a suite of that name."""
    document = {"expectation_suite_name": "default", "expectations": [ELEMENT], **asset}
    reading = read(in_project(json.dumps(document)))[SUITE]
    assert targets(reading) == [expected]
    assert dict(reading.rules[0].tags)["suite"] == "default"
    named = read(in_project(json.dumps(document)), tables={"default": ["x.y"]})[SUITE]
    assert targets(named)[0][:2] == ("x.y", True)


AFFIXED = """
config_version: 3.0
datasources:
  wh:
    class_name: Datasource
    execution_engine: {class_name: SqlAlchemyExecutionEngine, connection_string: "postgresql://x"}
    data_connectors:
      all: {class_name: InferredAssetSqlDataConnector, data_asset_name_prefix: wh__}
      days:
        class_name: InferredAssetSqlDataConnector
        data_asset_name_suffix: __daily
        splitter_method: _split_on_date
      listed:
        class_name: ConfiguredAssetSqlDataConnector
        assets: {s.orders: {table_name: o, splitter_method: _split_on_year}}
  simple:
    class_name: SimpleSqlalchemyDatasource
    connection_string: "mysql://x"
    introspection:
      whole: {data_asset_name_suffix: __whole}
expectations_store_name: e
"""


@pytest.mark.parametrize(
    ("source", "connector", "asset", "expected", "batch"),
    [
        ("wh", "all", "wh__s.orders", ("s.orders", True, "postgres"), None),
        ("wh", "all", "s.orders", ("s.orders", True, "postgres"), None),
        ("wh", "days", "s.orders__daily", ("s.orders", True, "postgres"), "split on date"),
        ("wh", "listed", "s.orders", ("o", True, "postgres"), "split on year"),
        ("wh", "other", "s.orders__daily", ("s.orders__daily", True, "postgres"), None),
        ("simple", "whole", "orders__whole", ("orders", True, "mysql"), None),
    ],
)
def test_what_a_connector_adds_to_a_tables_name(source, connector, asset, expected, batch):
    request_ = of(source, asset, data_connector_name=connector)
    files = in_project(checkpoints__cp=checkpoint(request_)) | {CONFIG: AFFIXED}
    reading = read(files)[SUITE]
    assert targets(reading) == [expected]
    assert caveats(reading, "one_batch") == ({BATCH + batch} if batch else set())


# Citations and clues ------------------------------------------------------------------------------


def test_the_newest_citation_tells_where_nothing_else_does():
    citations = [
        {"batch_request": of("x", "s.old")},
        {"batch_request": of("x", "s.new")},
        {"comment": "edited"},
    ]
    text = suite(meta={"citations": citations})
    assert targets(read({"a.json": text})["a.json"]) == [("s.new", True, None)]
    files = in_project(text, checkpoints__c=checkpoint(of("pg", "t")))
    assert targets(read(files)[SUITE]) == [("sales.orders", True, "postgres")]


def test_what_is_no_table_is_told_with_the_question():
    files = in_project(checkpoints__c=checkpoint(of("frames", "orders.csv")))
    (rule,) = read(files)[SUITE].rules
    told = "the checkpoint cp (gx/checkpoints/c.json) runs it on the file orders.csv"
    assert (rule.table.stated, rule.table.told) == (False, told)


def an(name, **kwargs):
    return {"expectation_type": f"expect_column_values_{name}", "kwargs": {"column": "b", **kwargs}}


@pytest.mark.parametrize(
    ("elements", "engine"),
    [
        ([an("to_be_null", row_condition="a > 1", condition_parser="pandas")], "pandas"),
        ([an("to_be_null", row_condition="a > 1", condition_parser="spark")], "spark"),
        ([an("to_match_like_pattern", like_pattern="a%")], "sql"),
        ([an("to_be_dateutil_parseable")], "pandas"),
        ([an("to_be_null")], None),
        ([an("to_be_null", condition_parser="pandas")], None),
        (
            [
                an("to_be_dateutil_parseable"),
                an("to_match_like_pattern", like_pattern="a%"),
            ],
            None,
        ),
    ],
)
def test_an_expectation_of_one_engine_gives_it_away(elements, engine):
    reading = read({"a.json": suite(elements=[ELEMENT, *elements])})["a.json"]
    assert reading.rules[0].origin.engine == engine


# Runs ---------------------------------------------------------------------------------------------


def result(elements=(ELEMENT,), name="orders", time="2026-01-02T03:04:05.000006+00:00", **meta):
    """A validation result of 0.x; `meta` beside the usual."""
    about = {"expectation_suite_name": name, "run_id": {"run_name": None, "run_time": time}, **meta}
    results = [
        {"success": True, "expectation_config": e, "result": {"observed_value": "secret"}}
        for e in elements
    ]
    return json.dumps({"success": True, "results": results, "statistics": {}, "meta": about})


ON_TABLE = {
    "active_batch_definition": {"datasource_name": "wh", "data_asset_name": "s.o"},
    "batch_spec": {"table_name": "o", "schema_name": "s"},
}
AN_ASSET = {"active_batch_definition": {"data_asset_name": "x"}}
OTHER = an("to_be_null")


def test_a_result_alone_states_the_rules_the_table_and_the_engine():
    (rule,) = read({"r.json": result(**ON_TABLE)})["r.json"].rules
    assert (rule.table, rule.origin.engine) == (Table("s.o"), "sql")
    assert (rule.atom, rule.origin.text) == ("results[0]", json.dumps(ELEMENT))
    assert isinstance(rule.check, Row)


@pytest.mark.parametrize(
    ("meta", "table", "engine"),
    [
        (ON_TABLE, "s.o", "sql"),
        ({"batch_kwargs": {"table": "o", "datasource": "x"}}, "o", "sql"),
        ({"batch_kwargs": {"ge_batch_id": "1"}}, "orders", None),
        (AN_ASSET | {"batch_spec": {"batch_data": "SparkDataFrame"}}, "orders", "spark"),
        (AN_ASSET | {"batch_markers": {"pandas_data_fingerprint": "1"}}, "orders", "pandas"),
        ({}, "orders", None),
    ],
)
def test_the_data_of_a_run(meta, table, engine):
    (rule,) = read({"r.json": result(**meta)})["r.json"].rules
    assert (rule.table.name, rule.origin.engine) == (table, engine)


@pytest.mark.parametrize(("about", "read_as"), [("batch_kwargs", Row), ("batch_spec", Unread)])
def test_a_run_on_batch_kwargs_is_of_up_to_0_12(about, read_as):
    """Only they took a `mostly` of null for the default, and only they wrote `batch_kwargs`."""
    element = ELEMENT | {"kwargs": {"column": "a", "mostly": None}}
    (rule,) = read({"r.json": result([element], **{about: {"table": "o"}})})["r.json"].rules
    assert isinstance(rule.check, read_as)


def test_a_run_tells_what_its_suite_runs_on():
    files = in_project(uncommitted__validations__r=result(**ON_TABLE))
    readings = read(files)
    assert targets(readings[SUITE]) == [("s.o", True, "postgres")]
    (rule,) = readings["gx/uncommitted/validations/r.json"].rules
    assert (rule.check.file, rule.check.atom) == (SUITE, "expectations[0]")


def test_the_newest_run_wins_and_older_ones_repeat_it():
    files = {
        "a.json": result([ELEMENT, OTHER], time="2026-01-02T00:00:00+00:00", **ON_TABLE),
        "b.json": result([ELEMENT, ELEMENT], time="2026-03-02T00:00:00+00:00", **ON_TABLE),
        "c.json": result([ELEMENT], time="2025-01-02T00:00:00+00:00", **ON_TABLE),
    }
    readings = read(files)
    assert [type(r.check) for r in readings["b.json"].rules] == [Row, Row]
    first, gone = readings["a.json"].rules
    assert (first.check.file, first.check.atom) == ("b.json", "results[0]")
    reason = "a run stated it; a newer run, b.json states it no longer, or otherwise"
    assert gone.check == NotARule(reason)
    (old,) = readings["c.json"].rules
    assert (old.check.file, old.check.atom) == ("b.json", "results[0]")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("2026-01-02T03:00:00+05:00", "2026-01-02T01:00:00+00:00"),
        ("2026-01-02T01:00:00+00:00", "2026-01-01T23:00:00-0800"),
        ("2026-10-25T02:30:00+02:00", "2026-10-25T02:10:00+01:00"),
        ("20260102T010000.000000Z", "2026-01-02 01:00:00.000001+00:00"),
    ],
)
def test_the_newest_run_is_told_across_time_zones(older, newer):
    """They are written in the zone of the machine, with its offset."""
    files = {
        "a.json": result([ELEMENT], time=newer, **ON_TABLE),
        "b.json": result([OTHER], time=older, **ON_TABLE),
    }
    readings = read(files)
    assert isinstance(readings["a.json"].rules[0].check, Row)
    assert isinstance(readings["b.json"].rules[0].check, NotARule)


def test_a_run_that_kept_only_what_failed_speaks_for_no_other():
    def partial(elements, time):
        document = json.loads(result(elements, time=time, **ON_TABLE))
        return json.dumps(document | {"statistics": {"evaluated_expectations": 5}})

    files = {
        "a.json": result([ELEMENT, OTHER], time="2026-01-02T00:00:00+00:00", **ON_TABLE),
        "b.json": partial([ELEMENT], "2026-01-03T00:00:00+00:00"),
        "c.json": partial([ELEMENT, an("to_be_unique")], "2026-01-04T00:00:00+00:00"),
        "d.json": partial([OTHER], "2025-01-04T00:00:00+00:00"),
    }
    readings = read(files)
    checks = {name: [r.check for r in reading.rules] for name, reading in readings.items()}
    assert [type(check) for check in checks["a.json"]] == [Row, Row]
    assert [check.atom for check in checks["b.json"] + checks["d.json"]] == [
        "results[0]",
        "results[1]",
    ]
    assert [type(check) for check in checks["c.json"]] == [Row, Unique]
    alone = read({name: files[name] for name in ("b.json", "d.json")})
    assert [type(r.check) for reading in alone.values() for r in reading.rules] == [Row, Row]


def test_runs_on_two_tables_both_count():
    other = ON_TABLE | {"batch_spec": {"table_name": "p"}}
    readings = read({"a.json": result(**ON_TABLE), "b.json": result(**other)})
    assert targets(readings["a.json"]) == [("s.o", True, "sql")]
    assert targets(readings["b.json"]) == [("p", True, "sql")]


def test_a_parameter_of_the_suite_is_any_value_of_its_run():
    stated = an("to_be_between", min_value={"$PARAMETER": "p"}, max_value=9)
    ran = an("to_be_between", min_value=3, max_value=9, batch_id="x", result_format="BASIC")
    files = in_project(suite(elements=[stated]), uncommitted__r=result([ran]))
    (rule,) = read(files)["gx/uncommitted/r.json"].rules
    assert (rule.check.file, rule.check.atom) == (SUITE, "expectations[0]")
    other = result([an("to_be_between", max_value=9)])
    files = in_project(suite(elements=[stated]), uncommitted__r=other)
    (rule,) = read(files)["gx/uncommitted/r.json"].rules
    assert isinstance(rule.check, NotARule)


def test_a_rule_that_gave_no_verdict_says_so():
    document = json.loads(result(**ON_TABLE))
    raised = {"raised_exception": True, "exception_message": "no column\n a"}
    for info in (raised, {"MetricConfigurationID(x)": raised}):
        document["results"][0]["exception_info"] = info
        reading = read({"r.json": json.dumps(document)})["r.json"]
        told = {"in the run of r.json it gave an error in place of a verdict"}
        assert caveats(reading, "raised_before") == told
        assert "no column" not in repr(reading)  # an error may quote data


def test_a_checkpoint_result_of_0_x_holds_several_runs():
    on_p = {"batch_spec": {"table_name": "p"}, **AN_ASSET}
    found = (result(**ON_TABLE), result([ELEMENT, OTHER], **on_p))
    runs = {f"Id::{i}": {"validation_result": json.loads(r)} for i, r in enumerate(found)}
    text = json.dumps({"run_id": {}, "run_results": runs, "checkpoint_config": {}, "success": True})
    reading = read({"c.json": text})["c.json"]
    assert reading.read_as == "great_expectations checkpoint result"
    assert [(r.table.name, r.atom) for r in reading.rules] == [
        ("s.o", "run_results[0].results[0]"),
        ("p", "run_results[1].results[0]"),
        ("p", "run_results[1].results[1]"),
    ]


def test_a_described_checkpoint_result_of_1_x():
    described = []
    for asset in ("t", "nowhere"):
        found = {"success": True, "result": {"unexpected_list": ["secret"]}}
        kwargs = {"column": "a", "batch_id": f"pg-{asset}"}
        described.append(
            {"success": True, "expectations": [{**ELEMENT, **found, "kwargs": kwargs}]}
        )
    text = json.dumps({"success": True, "statistics": {}, "validation_results": described})
    reading = read(in_project(described=text))["gx/described.json"]
    assert targets(reading) == [("described", False, None), ("sales.orders", True, "postgres")]
    assert "secret" not in repr(reading)


# What a run or a checkpoint gives -----------------------------------------------------------------


def parameters(*given, asset="orders"):
    """A suite of one parameter, and a checkpoint with a step for each of its values."""
    stated = an("to_be_between", min_value={"$PARAMETER": "p"})
    steps = [
        {"batch_request": of("wh", asset), "evaluation_parameters": {"p": value}} for value in given
    ]
    text = json.dumps({"expectation_suite_name": "orders", "validations": steps})
    (rule,) = read(in_project(suite(elements=[stated]), checkpoints__c=text))[SUITE].rules
    return rule


def test_a_parameter_of_the_checkpoint():
    assert parameters(3).check.predicate.low == 3
    assert parameters(3, 3).check.predicate.low == 3


def test_a_parameter_with_two_values_is_a_gap():
    check = parameters(3, 4).check
    by = "as the checkpoint gx/checkpoints/c.json states"
    assert (check.code, check.reason) == (
        "parameter",
        f'min_value is the parameter "p"; it has several values: 3, {by}, and 4, {by}',
    )


@pytest.mark.parametrize("value", ["$LOW", "${LOW}", ["a", "$LOW"], {"x": "${LOW}"}])
def test_a_variable_of_the_environment_is_a_gap(value):
    check = parameters(value).check
    assert check.code == "parameter"
    assert check.reason.endswith("which the environment fills in")


def test_other_data_that_is_no_table_is_told():
    steps = [{"batch_request": of("wh", "orders")}, {"batch_request": of("frames", "x.csv")}]
    text = json.dumps({"expectation_suite_name": "orders", "validations": steps})
    reading = read(in_project(checkpoints__c=text))[SUITE]
    assert targets(reading) == [("orders", True, "postgres")]
    told = "the checkpoint gx/checkpoints/c.json runs it on the file x.csv"
    assert caveats(reading, "run_elsewhere") == {told}


@pytest.mark.parametrize(
    "path", ["s3://key:SECRET@bucket/a/f.csv?sig=SECRET", "https://h/f.csv#SECRET", "/SECRET/f.csv"]
)
def test_no_secret_of_a_path_is_told(path):
    for request_ in (of("wh", "x", runtime_parameters={"path": path}), of("lake", path)):
        reading = read(in_project(checkpoints__c=checkpoint(request_)))[SUITE]
        (rule,) = reading.rules
        assert rule.table.told.endswith("runs it on the file f.csv") or "lake" in str(request_)
        assert "SECRET" not in repr(reading) or path.startswith("/")


def test_a_rendering_of_what_was_observed_is_left_out():
    rendered = {**ELEMENT, "rendered_content": {"value": "secret"}}
    assert "secret" not in repr(read({"r.json": result([rendered], **ON_TABLE)}))


def test_clues_that_contradict_tell_no_engine():
    typed = {
        "expectation_type": "expect_column_values_to_be_of_type",
        "kwargs": {"column": "a", "type_": "IntegerType"},
    }
    reading = read({"a.json": suite(elements=[typed, an("to_be_dateutil_parseable")])})["a.json"]
    assert {rule.origin.engine for rule in reading.rules} == {None}


def test_a_described_run_repeats_the_suite_that_states_all_of_it():
    expectation = {**ELEMENT, "success": True, "result": {}}
    described = [{"success": True, "expectations": [expectation]}]
    text = json.dumps({"success": True, "statistics": {}, "validation_results": described})
    (rule,) = read(in_project(a_described=text))["gx/a_described.json"].rules
    assert (rule.check.file, rule.check.atom) == (SUITE, "expectations[0]")


def test_a_copy_of_jupyter_is_no_suite():
    reading = read({"x/.ipynb_checkpoints/o-checkpoint.json": suite()})
    (found,) = reading.values()
    assert (found.read_as, found.why) == ("not read", "a copy that Jupyter keeps")
