"""The road as a whole: what it refuses, what it tells, and what the books say of its inputs."""

import pytest
from suites import between, convert, entries, ledger, outputs, present, suite, values, write

from ruleferry.converters.config import Config
from ruleferry.converters.conversion import inspect
from ruleferry.converters.errors import InputFaults

ORDERS = suite("orders", present("o_id"), between("price", 0))


@pytest.fixture
def folder(tmp_path):
    write(tmp_path, {"suites/orders.json": ORDERS})
    return tmp_path


def sources(folder) -> dict[str, dict]:
    return {source["file"]: source for source in ledger(folder)["sources"]}


# Actions that are for no rule ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "todo"),
    [
        ("orders.prize_range", "Correct the name; the nearest is orders.price_range."),
        ("order.o_id_present", "Correct the name; the nearest is orders.o_id_present."),
    ],
)
def test_an_action_for_no_rule_is_refused_with_the_nearest(folder, key, todo):
    write(folder, {"ruleferry.toml": f'[actions.rules]\n"{key}" = "drop"\n'})
    with pytest.raises(InputFaults) as raised:
        convert(folder)
    (fault,) = raised.value.faults
    assert (fault.file, fault.place) == ("ruleferry.toml", f'actions.rules."{key}"')
    assert (fault.found, fault.todo) == ("a rule that no source states", todo)
    assert not (folder / "expectations").exists()


def test_all_actions_for_no_rule_are_told(folder):
    write(folder, {"ruleferry.toml": '[actions.rules]\n"a" = "drop"\n"b" = "drop"\n'})
    with pytest.raises(InputFaults) as raised:
        convert(folder)
    assert [fault.place for fault in raised.value.faults] == [
        'actions.rules."a"',
        'actions.rules."b"',
    ]


def test_without_any_rule_there_is_no_nearest(folder):
    write(folder, {"suites/orders.json": suite("orders")})
    write(folder, {"ruleferry.toml": '[actions.rules]\n"a" = "drop"\n'})
    with pytest.raises(InputFaults) as raised:
        convert(folder)
    assert raised.value.faults[0].todo == "Remove it."


def test_an_action_for_a_gap_is_a_decision_for_the_day_when_it_is_none(folder):
    write(folder, {"suites/orders.json": suite("orders", values("be_increasing", "o_id"))})
    write(folder, {"ruleferry.toml": '[actions.rules]\n"orders.o_id_order" = "drop"\n'})
    convert(folder)
    assert entries(folder)["o_id_order"]["outcome"] == "gap"


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ('[tables.a]\nname = "m.t"\n[tables.b]\nname = "M.t"\n', "the name `m.t` again"),
        ('[actions.words]\nHigh = "drop"\nhigh = "fail"\n', "the word `high` again"),
    ],
)
def test_what_is_told_twice_is_refused(folder, config, told):
    write(folder, {"ruleferry.toml": config})
    with pytest.raises(InputFaults, match=told):
        convert(folder)


# The books ----------------------------------------------------------------------------------------


def test_every_file_is_listed_with_what_it_was(folder):
    write(
        folder,
        {
            "suites/notes.txt": "a note",
            "suites/schema.sql": "CREATE TABLE orders (o_id INT, price INT);",
            "more.sql": "CREATE TABLE lines (l_id INT);",
            "ruleferry.toml": "[tables.orders]\nschema = ['suites/schema.sql', './more.sql']\n",
        },
    )
    convert(folder)
    found = {f: (s["read_as"], s.get("why"), s["atoms"]) for f, s in sources(folder).items()}
    assert found == {
        "more.sql": ("used", "schema", 0),
        "ruleferry.toml": ("used", "configuration", 0),
        "suites/notes.txt": ("not read", "a text for people", 0),
        "suites/orders.json": ("great_expectations suite", None, 2),
        "suites/schema.sql": ("used", "schema", 0),
    }
    assert list(sources(folder)) == sorted(found)


def test_a_suite_on_two_tables_has_its_atoms_once_and_its_entries_twice(folder):
    convert(folder, table=["orders=a.b.x", "orders=a.b.y"])
    source = sources(folder)["suites/orders.json"]
    assert (source["atoms"], source["entries"], source["outcomes"]) == (2, 4, {"record": 4})
    assert {e["table"] for e in ledger(folder)["entries"]} == {"a.b.x", "a.b.y"}
    assert {"x_expectations.py", "y_expectations.py"} <= outputs(folder).keys()


def test_an_unreadable_file_is_a_gap_with_partial(folder):
    write(folder, {"suites/broken.json": "{"})
    with pytest.raises(InputFaults):
        convert(folder)
    convert(folder, partial=True)
    source = sources(folder)["suites/broken.json"]
    assert (source["atoms"], source["outcomes"]) == (1, {"gap": 1})
    assert {q["code"] for q in ledger(folder)["questions"]} >= {"unreadable"}


def test_faults_of_sources_and_schemas_are_told_together(folder):
    write(folder, {"suites/broken.json": "{"})
    with pytest.raises(InputFaults) as raised:
        convert(folder, schema=["no.sql"])
    assert {fault.file for fault in raised.value.faults} == {"suites/broken.json", "no.sql"}


def test_inspect_reads_and_writes_nothing(folder):
    before = sorted(folder.rglob("*"))
    (reading,) = inspect(Config(folder, folder), ["suites"])
    assert (reading.file, reading.atoms, len(reading.rules)) == ("suites/orders.json", 2, 2)
    assert sorted(folder.rglob("*")) == before


# What is told beside the ledger -------------------------------------------------------------------


def test_tables_that_no_schema_has_are_told(folder):
    write(folder, {"lines.sql": "CREATE TABLE lines (l_id INT);"})
    done = convert(folder, schema=["lines.sql"])
    assert done.notices == ("orders: no schema file has this table",)


@pytest.mark.parametrize(("tables", "told"), [(100, False), (101, True)])
def test_more_modules_than_a_pipeline_takes_are_told(tmp_path, tables, told):
    write(
        tmp_path,
        {f"suites/{n}.json": suite(f"t{n}", present("x")) for n in range(tables)},
    )
    done = convert(tmp_path)
    notice = "101 modules: a pipeline takes 100 source files, and 1,000 in folders"
    assert done.notices == ((notice,) if told else ())
    assert len(done.modules) == tables


def test_a_run_that_changes_nothing_tells_nothing(folder):
    convert(folder)
    assert convert(folder).notices == ()


def test_the_most_that_a_module_may_do(folder):
    write(folder, {"ruleferry.toml": 'max_action = "drop"\n[actions]\ndefault = "fail"\n'})
    done = convert(folder)
    assert {e["action"] for e in ledger(folder)["entries"]} == {"fail"}
    assert {r.action for m in done.modules for r in m.rules} == {"drop"}
    assert {r.action for m in convert(folder, max_action="warn").modules for r in m.rules} == {
        "warn"
    }


def test_an_expectations_own_owner_beats_that_of_its_suite(tmp_path):
    told = {
        "expectation_suite_name": "orders",
        "meta": {"great_expectations_version": "0.18.0", "owner": "team a"},
        "expectations": [
            {
                "expectation_type": "expect_column_values_to_not_be_null",
                "kwargs": {"column": column},
                "meta": meta,
            }
            for column, meta in (("a", {"owner": "team b"}), ("b", {"owner": "team a"}), ("c", {}))
        ],
    }
    write(tmp_path, {"suites/orders.json": told})
    owners = {e.columns: dict(e.tags)["owner"] for e in convert(tmp_path).ledger.entries}
    assert owners == {("a",): "team b", ("b",): "team a", ("c",): "team a"}
