"""Options beat the configuration."""

from dataclasses import replace
from decimal import Decimal

import pytest

from ruleferry.converters.config import Config, Source, TableSettings
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.options import Options, with_options

TABLES = {
    "sales.orders": TableSettings(aliases=("ORDERS",), schema=("o.sql",), streaming=True),
    "customers": TableSettings(module="people", streaming=True),
}


@pytest.fixture
def config(tmp_path):
    return Config(
        root=tmp_path / "conf",
        cwd=tmp_path,
        out="rules",
        sources=(Source(path=("a",), engine="spark", schema=("s.sql",), profile="p.toml"),),
        tables=TABLES,
        parameters={"low": 1, "high": 2},
    )


def test_no_option_changes_nothing(config):
    assert with_options(config, Options()) == config


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        (Options(out="made"), {"out": "../made"}),
        (Options(out="conf/made/"), {"out": "made"}),
        (Options(fail_on="gap"), {"fail_on": "gap"}),
        (Options(max_action="warn"), {"max_action": "warn"}),
        (Options(target="other"), {"target": "other"}),
        (Options(table=["suites/a=b.json = main.s.`t 1`", "x=t"]),
         {"table_of": {"suites/a=b.json": ("main.s.`t 1`",), "x": ("t",)}}),
        (Options(table=["x=t", "x=u", "x=t"]), {"table_of": {"x": ("t", "u")}}),
        (Options(param=["high=0.50", "new=a=b", "yes=true", "id=007", "n=-3"]),
         {"parameters": {"low": 1, "high": Decimal("0.50"), "new": "a=b", "yes": True,
                         "id": "007", "n": -3}}),
    ],
)  # fmt: skip
def test_an_option_beats_the_file(config, options, changes):
    found = with_options(config, options)
    assert replace(found, options=()) == replace(config, **changes)


def test_the_options_that_shape_a_conversion_are_remembered(config):
    """As a person writes them; a path from the configuration's folder. Others shape nothing."""
    given = Options(
        *(None, ["x=t", "x=u"], ["y.csv"], "pandas", "tsql", ["n=-3"], "conf/x/q.toml", ["s"]),
        max_action="warn", fail_on="gap", target="other",
    )  # fmt: skip
    assert with_options(config, given).options == (
        "--dialect tsql", "--engine pandas", "--max-action warn", "--param n=-3",
        "--profile x/q.toml", "--schema ../y.csv", "--streaming s", "--table x=t", "--table x=u",
        "--target other",
    )  # fmt: skip
    assert with_options(config, Options(out="made", fail_on="gap")).options == ()


def test_a_number_keeps_its_digits(config):
    found = with_options(config, Options(param=["high=0.50"]))
    assert str(found.parameters["high"]) == "0.50"


def test_how_to_read_holds_for_every_source_and_for_given_files(config):
    found = with_options(
        config, Options(engine="pandas", dialect="tsql", profile="conf/x/q.toml", schema=["y.csv"])
    )
    (source,) = found.sources
    for read in (source, found.given):
        assert (read.engine, read.dialect, read.profile) == ("pandas", "tsql", "x/q.toml")
        assert read.schema == ()
    assert found.schemas == ("../y.csv",)
    assert [table.schema for table in found.tables.values()] == [(), ()]


def test_streaming_holds_for_the_tables_given_alone(config):
    found = with_options(config, Options(streaming=["`orders`", "new.one"]))
    assert {name: table.streaming for name, table in found.tables.items()} == {
        "sales.orders": True,  # by its alias
        "customers": False,
        "new.one": True,
    }
    assert found.tables["customers"].module == "people"
    assert not any(t.streaming for t in with_options(config, Options(streaming=[])).tables.values())


@pytest.mark.parametrize(
    ("options", "place", "told"),
    [
        (Options(table=["orders"]), "--table", "SUITE_OR_FILE=catalog.schema.table"),
        (Options(table=["=t"]), "--table", "SUITE_OR_FILE=catalog.schema.table"),
        (Options(table=["a="]), "--table", "SUITE_OR_FILE=catalog.schema.table"),
        (Options(table=["a=b c"]), "--table", "catalog.schema.table, where"),
        (Options(param=["x"]), "--param", "NAME=VALUE"),
        (Options(param=["x=1", "x=2"]), "--param", "one value for x"),
        (Options(engine="mssql"), "--engine", "Did you mean tsql?"),
        (Options(dialect="pandas"), "--dialect", "one of bigquery"),
        (Options(max_action="drops"), "--max-action", "Did you mean drop?"),
        (Options(fail_on="loosened"), "--fail-on", "one of none, gap"),
        (Options(out=""), "--out", "a text"),
        (Options(schema=[""]), "--schema", "a text"),
        (Options(profile=" "), "--profile", "a text"),
        (Options(streaming=[""]), "--streaming", "a text"),
        (Options(target=""), "--target", "a text"),
    ],
)
def test_a_wrong_option_is_one_fault(config, options, place, told):
    with pytest.raises(InputFaults) as raised:
        with_options(config, options)
    (fault,) = raised.value.faults
    assert (fault.file, fault.place) == ("command line", place)
    assert told in f"{fault.expected} {fault.todo}"


def test_all_wrong_options_are_told(config):
    with pytest.raises(InputFaults) as raised:
        with_options(config, Options(table=["x", "y"], engine="x", out=""))
    places = [fault.place for fault in raised.value.faults]
    assert sorted(places) == ["--engine", "--out", "--table", "--table"]
    assert len(str(raised.value).splitlines()) == 4
