"""`ruleferry.toml`: what it says, and every way in which it can be wrong."""

from dataclasses import fields
from datetime import date
from decimal import Decimal

import pytest

from ruleferry.converters.config import (
    Actions,
    Config,
    Source,
    TableSettings,
    load_config,
    table_settings,
)
from ruleferry.converters.errors import Fault, InputFaults

FULL = """
out = "rules"
fail_on = "gap"
max_action = "warn"
quarantine = "tables"
target = "lakeflow"

[[source]]
name = "suites"
path = ["suites/**", "more/*.json"]
table = "main.sales.orders"
engine = "pandas"
schema = "schema.sql"

[[source]]
path = "checks"
dialect = "tsql"
profile = "checks.profile.toml"
collation = "SQL_Latin1_General_CP1_CI_AS"
date_format = "dmy"
week_start = "sunday"
null_words = ["NA", ""]
blank = "missing"

[tables."sales.orders"]
name = "main.sales.`orders raw`"
aliases = ["ORDERS"]
module = "orders"
schema = ["a.csv", "b.csv"]
streaming = true
order_by = "updated_at"

[parameters]
p_max = 100
share = 0.10
since = 2024-01-31
states = ["F", "O"]
strict = true

[actions]
default = "drop"
[actions.words]
fatal = "fail"
[actions.rules]
"orders.price_positive" = "drop"
"""


@pytest.fixture
def load(tmp_path):
    def load_text(text: str) -> Config:
        (tmp_path / "ruleferry.toml").write_text(text)
        return load_config(None, tmp_path)

    return load_text


@pytest.fixture
def faults(load):
    def faults_of(text: str) -> tuple[Fault, ...]:
        with pytest.raises(InputFaults) as raised:
            load(text)
        return raised.value.faults

    return faults_of


def test_every_key_is_read(load):
    config = load(FULL)
    assert (config.out, config.fail_on, config.max_action) == ("rules", "gap", "warn")
    assert config.sources == (
        Source(
            path=("suites/**", "more/*.json"),
            name="suites",
            table="main.sales.orders",
            engine="pandas",
            schema=("schema.sql",),
        ),
        Source(
            path=("checks",),
            dialect="tsql",
            profile="checks.profile.toml",
            collation="SQL_Latin1_General_CP1_CI_AS",
            date_format="dmy",
            week_start="sunday",
            null_words=("NA", ""),
            blank="missing",
        ),
    )
    assert config.tables == {
        "sales.orders": TableSettings(
            name="main.sales.`orders raw`",
            aliases=("ORDERS",),
            module="orders",
            schema=("a.csv", "b.csv"),
            streaming=True,
            order_by=("updated_at",),
        )
    }
    assert config.parameters == {
        "p_max": 100,
        "share": Decimal("0.10"),
        "since": date(2024, 1, 31),
        "states": ("F", "O"),
        "strict": True,
    }
    assert config.actions == Actions("drop", {"fatal": "fail"}, {"orders.price_positive": "drop"})


def test_a_number_with_a_point_is_exact(load):
    assert str(load(FULL).parameters["share"]) == "0.10"


def test_the_example_above_gives_every_key():
    sources, tables = FULL.split("[tables.")
    missing = [f.name for f in fields(Source) if f"\n{f.name} = " not in sources]
    missing += [f.name for f in fields(TableSettings) if f"\n{f.name} = " not in tables]
    assert missing == []


@pytest.mark.parametrize("text", ["", "# nothing\n", "[actions]\n[parameters]\n[tables]\n"])
def test_an_empty_file_is_as_good_as_none(load, tmp_path, text):
    config = load(text)
    assert config == Config(tmp_path, tmp_path, "ruleferry.toml", config.sha256)
    assert config.actions.default is None


def test_without_a_file_the_defaults_hold(tmp_path):
    assert load_config(None, tmp_path) == Config(tmp_path, tmp_path)


def test_no_search_upwards(tmp_path):
    (tmp_path / "ruleferry.toml").write_text('out = "rules"')
    (tmp_path / "below").mkdir()
    assert load_config(None, tmp_path / "below").out == "expectations"


def test_a_file_elsewhere_has_its_own_folder(tmp_path):
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "x.toml").write_text("")
    config = load_config(tmp_path.joinpath("conf/x.toml").relative_to(tmp_path), tmp_path)
    assert (config.root, config.cwd, config.file) == (tmp_path / "conf", tmp_path, "x.toml")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputFaults, match=r"x\.toml: found no readable file"):
        load_config(tmp_path / "x.toml", tmp_path)


WRONG = [
    # text, line, found, expected or to do
    ('fail_onn = "none"', 1, "the unknown key `fail_onn`", "Did you mean `fail_on`?"),
    ('\n\nOut = "x"', 3, "the unknown key `Out`", "Did you mean `out`?"),
    ("[sources]", 1, "the unknown key `sources`", "Did you mean `source`?"),
    ("zzz = 1", 1, "the unknown key `zzz`", "one of actions, decisions, fail_on, max_action, out"),
    ('[[source]]\npath="x"\nengin = "spark"', 3, "the unknown key `engin`", "Did you mean `eng"),
    ('[[source]]\npath="x"\nstreaming = true', 3, "the unknown key `streaming`", "one of blank"),
    ("[tables.x]\nalias = []", 2, "the unknown key `alias`", "Did you mean `aliases`?"),
    ('[actions]\nrule = "x"', 2, "the unknown key `rule`", "Did you mean `rules`?"),
    ("out = 3", 1, "3 as `out`", "a text in quotes"),
    ('out = ""', 1, '"" as `out`', "a text in quotes"),
    ('out = "a\\nb"', 1, '"a', "in one line"),
    ('fail_on = "gaps"', 1, '"gaps" as `fail_on`', "Did you mean gap?"),
    ("fail_on = true", 1, "true as `fail_on`", "one of none, gap"),
    ('max_action = "WARN"', 1, '"WARN" as `max_action`', "Did you mean warn?"),
    ('quarantine = "files"', 1, '"files" as `quarantine`', "one of tables, column"),
    ('source = "x"', 1, '"x"', "a list of tables, [[source]]"),
    ('[source]\npath = "x"', 1, "{'path': 'x'}", "a list of tables, [[source]]"),
    ('[[source]]\npath="x"\n\n[[source]]\nname = "y"', 4, "no `path` in source 2", "`path`"),
    ("source = [1]", 1, "1 as `source 1`", "a table"),
    ("[[source]]\npath = []", 2, "[] as `source 1.path`", "paths or patterns"),
    ('[[source]]\npath = "/etc/*"', 2, '"/etc/*" as', "relative to the configuration"),
    ("[[source]]\npath = [3]", 2, "[3] as `source 1.path`", "a text in quotes"),
    ('[[source]]\npath = "x"\nengine = "mssql"', 3, '"mssql" as', "Did you mean tsql?"),
    ('[[source]]\npath = "x"\nengine = "panda"', 3, '"panda" as', "Did you mean pandas?"),
    ('[[source]]\npath = "x"\ndialect = "pandas"', 3, '"pandas" as', "one of bigquery"),
    ('[[source]]\npath = "x"\nweek_start = "Sun"', 3, '"Sun" as', "Did you mean sunday?"),
    ('[[source]]\npath = "x"\nnull_words = "NA"', 3, '"NA" as', "a list of texts"),
    ('[[source]]\npath = "x"\nnull_words = [-999]', 3, "[-999] as", "a list of texts in quotes"),
    ('[[source]]\npath = "x"\nblank = "null"', 3, '"null" as', "one of value, missing"),
    ('[[source]]\npath = "x"\ntable = "{{ model }}"', 3, '"{{ model }}"', "catalog.schema.table"),
    ("tables = 1", 1, "1 as `tables`", "a table"),
    ("[tables]\norders = 1", 2, "1 as `tables.orders`", "a table"),
    ('[tables."a.b"]\nname = "a b"', 2, '"a b" as `tables."a.b".name`', "catalog.schema.table"),
    ('[tables.x]\nstreaming = "yes"', 2, '"yes" as `tables.x.streaming`', "true or false"),
    ('[tables.x]\nmodule = "../x"', 2, '"../x" as', "lower-case letters"),
    ('[tables.x]\nmodule = "X"', 2, '"X" as', "lower-case letters"),
    ("[parameters]\np = nan", 2, "NaN as `parameters.p`", "finite"),
    ("[parameters]\np = { a = 1 }", 2, "{'a': 1} as", "a text, a number"),
    ("[parameters]\np = [[1]]", 2, "[[1]] as", "a list of them"),
    ("[parameters]\np = 10:00:00", 2, "10:00:00 as", "a date"),
    ("actions = 1", 1, "1 as `actions`", "a table"),
    ('[actions]\nwords = "x"', 2, '"x" as `actions.words`', "a table"),
    ('[actions]\ndefault = "stop"', 2, '"stop" as `actions.default`', "one of warn, drop, fail"),
    ('[actions.words]\na = "x"', 2, '"x" as `actions.words.a`', "one of warn, drop, fail"),
    ('[actions.rules]\n"a.b" = 1', 2, '1 as `actions.rules."a.b"`', "one of warn, drop, fail"),
    # what stands twice
    ('[[source]]\npath="x"\nname="a"\n[[source]]\npath="y"\nname="a"', 6,
     "the source `a` again, after `source 1.name`", "each source in one place"),
    ("[tables.orders]\n[tables.ORDERS]", 2, "the table `orders` again", "each table in one place"),
    ('[tables.x]\naliases = ["Y"]\n[tables."`y`"]', 3, "the table `y` again, after `tables.x.al",
     "each table in one place"),
    ('[tables.x]\nmodule = "m"\n[tables.y]\nmodule = "m"', 4, "the module `m` again",
     "each module in one place"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "found", "told"), WRONG)
def test_a_wrong_key_or_value_is_one_fault(faults, text, line, found, told):
    (fault,) = faults(text)
    assert (fault.file, fault.place) == ("ruleferry.toml", f"line {line}")
    assert found in fault.found
    assert told in f"{fault.expected} {fault.todo}"


def test_all_faults_are_told_in_the_order_of_the_file(faults):
    told = faults(
        'max_action = "x"\n'
        "zzz = 1\n"
        "[[source]]\n"
        'dialect = "x"\n'
        "[tables.x]\n"
        "streaming = 1\n"
        "[parameters]\n"
        "p = [\n"
        "  {},\n"
        "]\n"
        "[actions]\n"
        'default = "x"\n'
    )
    assert [fault.place for fault in told] == [f"line {n}" for n in (1, 2, 3, 4, 6, 10, 12)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('out = "a"\nout = "b"', "end of document"),
        ("out = x", "line 1, column 7"),
        ('out = "a"\n[x', "end of document"),
        ("a = 1\nb = = 2", "line 2, column 5"),
    ],
)
def test_what_is_no_toml_is_one_fault_with_its_place(faults, text, place):
    (fault,) = faults(text)
    assert fault.place == place
    assert fault.found.startswith("what is no TOML")
    assert "\n" not in str(fault)


@pytest.mark.parametrize(
    ("table", "found"),
    [("sales.orders", True), ("`SALES`.Orders", True), ("orders", True), ("x.orders", False)],
)
def test_the_settings_of_a_table_are_found_by_its_names(load, table, found):
    settings = table_settings(load(FULL), table)
    assert (settings is not None and settings.module == "orders") is found
