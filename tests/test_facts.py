"""Facts that stewards tell, from end to end: no question comes again, and no id changes."""

import pytest
from suites import between, present, suite, values
from told_facts import codes, convert, ids, profiled, question, schema, told

from ruleferry.converters import conversion
from ruleferry.converters.config import load_config
from ruleferry.converters.options import Options, with_options

SUITE = {"s/orders.json": suite("orders", present("o_key"), between("o_price", 0, 100))}
FILE = "s/orders.json"
NAME = "main.sales.orders"


def both(folder, files, *facts, **options):
    """Without the facts, and with them. Ids stay."""
    before = convert(folder / "before", files, **options)
    after = convert(folder / "after", files, *facts, **options)
    assert ids(before) == ids(after)
    return before, after


# Table --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [None, "orders"])
def test_the_table_of_a_suite(tmp_path, table):
    fact = told("table", NAME, file=FILE, table=table)
    before, after = both(tmp_path, SUITE, fact)
    assert "table_not_stated" in codes(before)
    assert "table_not_stated" not in codes(after)
    (module,) = after.modules
    assert module.source_table == NAME
    assert {entry.table for entry in after.ledger.entries} == {NAME}
    assert not after.notices


def test_the_question_for_the_table_names_what_an_answer_is_about(tmp_path):
    done = convert(tmp_path, SUITE)
    about = question(done, "table_not_stated").about
    assert (about.file, about.table) == (FILE, "orders")


CHECKPOINT = {
    "p/expectations/orders.json": suite("orders", present("o_key")),
    "p/checkpoints/c.yml": """
name: c
validations:
  - expectation_suite_name: orders
    batch_request:
      datasource_name: d
      data_connector_name: x
      runtime_parameters:
        query: SELECT count(*) AS o_key FROM a GROUP BY b
""",
}


def test_the_name_of_a_query_that_a_suite_runs_on(tmp_path):
    file = "p/expectations/orders.json"
    before = convert(tmp_path / "a", CHECKPOINT)
    about = question(before, "query_asset").about
    after = convert(
        tmp_path / "b", CHECKPOINT, told("table", NAME, code="query_asset", file=about.file)
    )
    assert about.file == file
    assert ids(before) == ids(after)
    assert "query_asset" not in codes(after)
    (entry,) = after.ledger.entries
    assert (entry.outcome, entry.table) == ("record", NAME)
    assert "query_result" in [caveat.code for caveat in entry.caveats]


def test_a_table_beats_the_configuration_and_says_so(tmp_path):
    toml = '[[source]]\npath = ["s/**"]\ntable = "other.orders"\n'
    files = {**SUITE, "ruleferry.toml": toml}
    before, after = both(tmp_path, files, told("table", NAME, file=FILE, table="orders"))
    assert before.modules[0].source_table == "other.orders"
    assert after.modules[0].source_table == NAME
    (notice,) = after.notices
    assert notice == (
        f"{FILE}: the table is {NAME}, as Ann Smith on 2026-11-30 said; ruleferry.toml says "
        "other.orders"
    )


@pytest.mark.parametrize("table", [None, "orders"])
def test_the_command_line_beats_a_table(tmp_path, table):
    fact = told("table", NAME, file=FILE, table=table)
    done = convert(tmp_path, SUITE, fact, table=["orders=x.y.z"])
    assert done.modules[0].source_table == "x.y.z"
    (notice,) = done.notices
    assert "--table" in notice
    assert NAME in notice


SCRIPT = {"checks.sql": "SELECT * FROM a WHERE x < 0;\nSELECT * FROM b WHERE y < 0;\n"}


def test_one_name_is_refused_for_a_script_of_several_tables(tmp_path):
    done = convert(tmp_path, SCRIPT, told("table", NAME, file="checks.sql"), dialect="postgres")
    assert sorted(m.source_table for m in done.modules) == ["a", "b"]
    (notice,) = done.notices
    assert "several tables" in notice


def test_a_table_of_a_script_by_its_name(tmp_path):
    fact = told("table", NAME, file="checks.sql", table="A")
    _, done = both(tmp_path, SCRIPT, fact, dialect="postgres")
    assert sorted(m.source_table for m in done.modules) == ["b", NAME]


# Engine and dialect -------------------------------------------------------------------------------


def test_the_engine_of_a_suite(tmp_path):
    files = {"s/orders.json": suite("orders", between("a", 0, 1))}
    before, after = both(tmp_path, files, told("engine", "pandas", file=FILE))
    assert "engine_unknown" in codes(before)
    assert "engine_unknown" not in codes(after)
    assert {e.origin.engine for e in after.ledger.entries} == {"pandas"}


def test_the_dialect_of_a_script(tmp_path):
    files = {"c.sql": "SELECT * FROM a WHERE x < 0;\n"}
    before = convert(tmp_path / "a", files)
    after = convert(tmp_path / "b", files, told("dialect", "Oracle", file="c.sql"))
    assert codes(before)[0] == "dialect_unknown"
    assert "dialect_unknown" not in codes(after)
    assert [e.outcome for e in after.ledger.entries] == ["record"]


def test_a_dialect_that_is_not_known_is_refused_and_asked_again(tmp_path):
    fact = told("dialect", "cobol", file="c.sql", code="dialect_unknown")
    done = convert(tmp_path, {"c.sql": "SELECT * FROM a WHERE x < 0;\n"}, fact)
    (answered,) = question(done, "dialect_unknown").answered
    assert (answered.state, answered.answer, answered.by) == ("refused", "cobol", "Ann Smith")
    assert '"cobol" is not known' in answered.why


def test_the_command_line_beats_an_engine(tmp_path):
    done = convert(tmp_path, SUITE, told("engine", "pandas", file=FILE), engine="spark")
    assert {e.origin.engine for e in done.ledger.entries} == {"spark"}
    assert done.notices == (
        f"{FILE}: --engine spark holds in this run; Ann Smith on 2026-11-30 said pandas",
    )


# Order --------------------------------------------------------------------------------------------


INCREASING = {"s/orders.json": suite("orders", values("be_increasing", "o_key"))}


def test_the_order_of_a_table(tmp_path):
    columns = ("o_key int", "o_date date")
    files = {**INCREASING, "schema.csv": schema(*columns, table="orders")}
    fact = told("order_by", "o_date, `o_key`", file=FILE, table="orders")
    before, after = both(tmp_path, files, fact, schema=["schema.csv"])
    assert "no_order" in codes(before)
    assert "no_order" not in codes(after)
    (entry,) = after.ledger.entries
    assert "ORDER BY o_date NULLS LAST, o_key NULLS LAST" in entry.flag.sql


def test_an_order_by_a_column_that_the_schema_does_not_have_is_refused(tmp_path):
    files = {**INCREASING, "schema.csv": schema("o_key int")}
    fact = told("order_by", "o_dat", code="no_order", file=FILE, table="orders")
    done = convert(tmp_path, files, told("table", NAME, file=FILE), fact, schema=["schema.csv"])
    asked = question(done, "no_order")
    assert asked.about.table == NAME
    assert any("has no column o_dat" in notice for notice in done.notices)


# Columns ------------------------------------------------------------------------------------------


RENAMED = told("columns", "o_key = `order key`\no_price = price", file=FILE, table="orders")


def test_the_names_of_columns(tmp_path):
    before, after = both(tmp_path, SUITE, RENAMED)
    key, price = sorted(after.ledger.entries, key=lambda e: e.columns)
    assert key.columns == ("order key",)
    assert key.condition == "`order key` IS NOT NULL"
    assert key.name == "order_key_present"
    assert "`price`" not in price.condition
    assert "price" in price.condition
    assert "o_price" not in price.condition
    (caveat,) = [c for c in key.caveats if c.code == "column_renamed"]
    assert caveat.detail == (
        "o_key is called order key on Databricks, as Ann Smith on 2026-11-30 said"
    )
    assert [e.grade for e in before.ledger.entries] == [e.grade for e in after.ledger.entries]


def test_columns_that_the_schema_does_not_have(tmp_path):
    files = {**SUITE, "schema.csv": schema("order_key int", "price int")}
    table = told("table", NAME, file=FILE, table="orders")
    options = {"schema": ["schema.csv"]}
    before = convert(tmp_path / "a", files, table, **options)
    asked = question(before, "column_unknown")
    fact = told("columns", "o_key = order_key, o_price = price", table=asked.about.table)
    after = convert(tmp_path / "b", files, table, fact, **options)
    assert "column_unknown" not in codes(after)
    assert [e.outcome for e in after.ledger.entries] == ["record", "record"]
    assert ids(before) == ids(after)


def test_a_new_name_that_the_schema_does_not_have_is_refused(tmp_path):
    files = {**SUITE, "schema.csv": schema("order_key int", "price int")}
    table = told("table", NAME, file=FILE, table="orders")
    fact = told("columns", "o_key = order_ky, o_price = price", code="column_unknown", table=NAME)
    done = convert(tmp_path, files, table, fact, schema=["schema.csv"])
    (answered,) = question(done, "column_unknown").answered
    assert answered.state == "refused"
    assert answered.why == f"{NAME} has no column order_ky; the nearest is order_key"


SQL = {
    "c.sql": (
        "SELECT * FROM orders o WHERE o.qty < 0 OR upper(o.state) = 'BAD';\n"
        "SELECT count(*) FROM orders WHERE qty IS NULL;\n"
        "SELECT o.* FROM orders o LEFT JOIN items i ON i.order_id = o.id "
        "WHERE i.order_id IS NULL;\n"
    )
}


def test_columns_within_sql(tmp_path):
    fact = told("columns", "qty = quantity, id = order_id, state = `the state`", table="orders")
    _, after = both(tmp_path, SQL, fact, dialect="postgres")
    texts = " ".join(f"{e.condition} {e.flag.sql if e.flag else ''}" for e in after.ledger.entries)
    assert "quantity" in texts
    assert "qty" not in texts
    assert "`the state`" in texts
    assert "o.order_id" in texts or "order_id" in texts
    assert all(e.outcome != "gap" for e in after.ledger.entries)
    lookup = next(e for e in after.ledger.entries if e.kind == "exists")
    assert lookup.columns == ("order_id",)


def test_the_columns_of_a_looked_up_table(tmp_path):
    fact = told("columns", "order_id = oid", table="items")
    _, after = both(
        tmp_path,
        {"c.sql": SQL["c.sql"] + "SELECT * FROM items WHERE order_id < 0;\n"},
        fact,
        dialect="postgres",
    )
    lookup = next(e for e in after.ledger.entries if e.kind == "exists")
    assert "oid" in str(lookup.flag)
    assert "order_id" not in str(lookup.flag)


def test_a_query_in_which_it_is_not_clear_whose_column_it_is(tmp_path):
    query = "SELECT * FROM {batch} b JOIN items i ON i.k = b.k WHERE qty < 0"
    element = {"type": "unexpected_rows_expectation", "kwargs": {"unexpected_rows_query": query}}
    files = {"s/orders.json": suite("orders", element)}
    _, after = both(tmp_path, files, told("columns", "qty = q", file=FILE, table="orders"))
    (entry,) = after.ledger.entries
    assert entry.gap.code == "unsupported_query"
    assert "whose column qty is" in entry.gap.reason


def test_columns_of_another_files_table_of_that_name_stay(tmp_path):
    files = {**SUITE, "t/orders.json": suite("orders", present("o_key"))}
    done = convert(tmp_path, files, RENAMED)
    other = next(e for e in done.ledger.entries if e.origin.file == "t/orders.json")
    assert other.columns == ("o_key",)


def test_what_a_suite_claims_of_a_type_is_claimed_of_the_renamed_column(tmp_path):
    claim = values("be_of_type", "o_price", type_="IntegerType")
    files = {FILE: suite("orders", claim, between("o_price", 0, 100))}
    before, after = both(tmp_path, files, RENAMED)
    (old,), (new,) = ([e for e in d.ledger.entries if e.kind == "range"] for d in (before, after))
    assert "type_from_suite" in [caveat.code for caveat in old.caveats]
    assert "type_from_suite" in [caveat.code for caveat in new.caveats]
    assert new.condition == old.condition.replace("o_price", "price")


def test_actions_keep_holding_for_a_rule_by_its_old_name(tmp_path):
    toml = '[[source]]\npath = ["s/**"]\n[actions.rules]\n"orders.o_key_present" = "drop"\n'
    files = {**SUITE, "ruleferry.toml": toml}
    done = convert(tmp_path, files, RENAMED, told("table", "main.x.y", file=FILE))
    (action,) = [e.action for e in done.ledger.entries if e.kind == "present"]
    assert action == "drop"


# Other tables -------------------------------------------------------------------------------------


def test_the_name_of_a_looked_up_table(tmp_path):
    before, after = both(
        tmp_path,
        SQL,
        told("tables", "items = main.sales.items", table="orders"),
        dialect="postgres",
    )
    assert "lookup_named" in codes(before)
    assert "lookup_named" not in codes(after)
    lookup = next(e for e in after.ledger.entries if e.kind == "exists")
    assert lookup.flag.keys.table == "main.sales.items"


def test_another_name_of_a_table_that_the_configuration_has(tmp_path):
    toml = (
        '[[source]]\npath = ["*.sql"]\n[tables.x]\nname = "main.sales.orders"\nmodule = "pinned"\n'
    )
    fact = told("tables", "orders = main.sales.orders", table="orders")
    done = convert(tmp_path, {**SQL, "ruleferry.toml": toml}, fact, dialect="postgres")
    assert [(m.stem, m.source_table) for m in done.modules] == [("pinned", NAME)]


def test_a_name_without_its_name_in_the_source_is_refused(tmp_path):
    fact = told("tables", "main.sales.items", table="orders", code="lookup_named")
    done = convert(tmp_path, SQL, fact, dialect="postgres")
    (answered,) = question(done, "lookup_named").answered
    assert answered.state == "refused"
    assert "its name in the source = catalog.schema.table" in answered.why


# Profile ------------------------------------------------------------------------------------------


def test_a_profile_of_what_is_no_spreadsheet_is_refused(tmp_path):
    done = convert(tmp_path, {**SUITE, "p.toml": ""}, profiled("p.toml", file=FILE))
    (notice,) = done.notices
    assert "a profile says how spreadsheets are read" in notice


# People who differ, and what is gone --------------------------------------------------------------


def test_two_people_who_differ_are_both_asked_again(tmp_path):
    facts = [
        told("table", NAME, file=FILE, table="orders", code="table_not_stated"),
        told(
            "table", "x.y.z", by="Bob", on=None, file=FILE, table="orders", code="table_not_stated"
        ),
    ]
    done = convert(tmp_path, SUITE, *facts)
    assert done.modules[0].source_table == "orders"
    answered = question(done, "table_not_stated").answered
    assert [(a.state, a.answer, a.by, a.why) for a in answered] == [
        ("disputed", NAME, "Ann Smith", "Bob said x.y.z"),
        ("disputed", "x.y.z", "Bob", f"Ann Smith on 2026-11-30 said {NAME}"),
    ]


def test_two_people_who_say_the_same_agree(tmp_path):
    facts = [
        told("table", NAME, file=FILE, table="orders"),
        told("table", "`main`.SALES.orders", by="Bob", file=FILE, table="orders"),
    ]
    done = convert(tmp_path, SUITE, *facts)
    assert done.modules[0].source_table.lower().replace("`", "") == NAME


@pytest.mark.parametrize(
    ("first", "second", "holds"),
    [("2026-11-30", "2026-12-01", "b"), ("2026-12-01", "2026-11-30", "a"), (None, None, "b")],
)
def test_the_newer_word_of_one_person_holds(tmp_path, first, second, holds):
    facts = [
        told("table", "a", on=first, file=FILE, table="orders"),
        told("table", "b", on=second, file=FILE, table="orders"),
    ]
    done = convert(tmp_path, SUITE, *facts)
    assert done.modules[0].source_table == holds
    assert not done.notices


def test_people_who_differ_about_a_table_under_two_of_its_names(tmp_path):
    facts = [
        told("table", NAME, file=FILE, table="orders"),
        told("columns", "o_key = a", file=FILE, table="orders"),
        told("columns", "o_key = b", by="Bob", table=NAME),
    ]
    done = convert(tmp_path, SUITE, *facts)
    assert len(done.notices) == 2
    assert {e.columns for e in done.ledger.entries} == {("o_key",), ("o_price",)}


@pytest.mark.parametrize(
    "fact",
    [
        told("table", NAME, file="gone.json", table="orders"),
        told("table", NAME, file=FILE, table="gone"),
        told("engine", "pandas", file="gone.json"),
        told("columns", "a = b", table="gone"),
        told("order_by", "a", table="orders"),  # the suite's own table is none of that name
        told("meaning", "required", file="gone.xlsx", column="a!B", header="x"),
    ],
)
def test_what_is_gone_is_told(tmp_path, fact):
    done = convert(tmp_path, SUITE, fact)
    (notice,) = done.notices
    assert "stale" in notice


def test_of_some_of_the_files_nothing_is_told_of_the_others(tmp_path):
    files = {**SUITE, "ruleferry.toml": '[[source]]\npath = ["s/**", "t/**"]\n',
             "t/x.json": suite("x", present("a"))}  # fmt: skip
    done = convert(tmp_path, files, told("engine", "pandas", file="t/x.json"), given=[FILE])
    assert not done.notices


# Who told it --------------------------------------------------------------------------------------


def decided_of(done, kind):
    (found,) = [entry.decided for entry in done.ledger.entries if entry.kind == kind]
    return found


ANN = "by Ann Smith on 2026-11-30"


def test_a_rule_says_who_told_what_it_rests_on(tmp_path):
    facts = [
        told("table", NAME, file=FILE, table="orders"),
        told("engine", "pandas", by="Bob", on=None, file=FILE),
        told("columns", "o_key = k", file=FILE, table="orders"),
    ]
    done = convert(tmp_path, SUITE, *facts)
    table = f"table {NAME}, {ANN}"
    assert decided_of(done, "present") == (
        "engine pandas, by Bob",
        table,
        f"column o_key = k, {ANN}",
    )
    assert decided_of(done, "range") == ("engine pandas, by Bob", table)


def test_it_says_so_of_sql_and_of_looked_up_tables(tmp_path):
    facts = [
        told("dialect", "oracle", file="c.sql"),
        told("tables", "items = main.sales.items", by="Bob", on=None, table="orders"),
    ]
    done = convert(tmp_path, SQL, *facts)
    dialect = f"dialect oracle, {ANN}"
    looked_up = (dialect, "table items = main.sales.items, by Bob")
    assert decided_of(done, "exists") == looked_up
    assert {e.decided for e in done.ledger.entries if e.kind != "exists"} == {(dialect,)}


def test_of_an_order_only_rules_of_an_order_say_so(tmp_path):
    files = {FILE: suite("orders", values("be_increasing", "o_key"), present("o_key"))}
    done = convert(tmp_path, files, told("order_by", "o_date", file=FILE, table="orders"))
    assert decided_of(done, "order") == (f"in the order of o_date, {ANN}",)
    assert decided_of(done, "present") == ()


def test_a_fact_that_is_not_used_is_not_named(tmp_path):
    facts = [
        told("table", NAME, file=FILE, table="orders"),
        told("table", "x.y.z", by="Bob", file=FILE, table="orders"),
    ]
    done = convert(tmp_path, SUITE, *facts, table=["orders=a.b.c"])
    assert {entry.decided for entry in done.ledger.entries} == {()}
    again = convert(tmp_path / "b", SUITE, facts[0], table=["orders=a.b.c"])
    assert {entry.decided for entry in again.ledger.entries} == {()}


def test_inspect_shows_files_as_they_are_told_to_be(tmp_path):
    facts = [told("table", NAME, file=FILE, table="orders"), told("engine", "pandas", file=FILE)]
    convert(tmp_path, SUITE, *facts)
    (reading,) = conversion.inspect(load_config(None, tmp_path), [FILE])
    assert {(r.table.name, r.origin.engine) for r in reading.rules} == {(NAME, "pandas")}


def test_inspect_leaves_out_what_does_not_fit(tmp_path):
    convert(tmp_path, SCRIPT, told("table", NAME, file="checks.sql"), dialect="postgres")
    config = with_options(load_config(None, tmp_path), Options(dialect="postgres"))
    (reading,) = conversion.inspect(config, ["checks.sql"])
    assert {rule.table.name for rule in reading.rules} == {"a", "b"}
