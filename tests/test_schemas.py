"""Where the types of a table's columns come from: schema files, and else the suite's own claims."""

from pathlib import Path

import pytest
from made_rules import reading

from ruleferry.converters.config import Config, Source, TableSettings
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.rule import Reading
from ruleferry.converters.schemas import Schemas, read_schemas

ORDERS = "CREATE TABLE main.sales.orders (Id BIGINT, Price DECIMAL(15,2));\n"
LINES = "CREATE TABLE main.sales.lines (id INT);\n"
EXPORT = (
    "table_catalog,table_schema,table_name,column_name,ordinal_position,data_type,full_data_type\n"
    "main,sales,parts,id,1,INT,int\n"
)


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "ddl").mkdir()
    (tmp_path / "ddl/orders.sql").write_text(ORDERS)
    (tmp_path / "ddl/lines.sql").write_text(LINES)
    (tmp_path / "columns.csv").write_text(EXPORT)
    return tmp_path


def schemas(folder: Path, *files: str, **config) -> Schemas:
    return read_schemas(Config(folder, folder, schemas=files, **config))


def types(found: Schemas, table: str, of: Reading | None = None) -> dict[str, str] | None:
    declared = found.types_of(of or reading("a.json"), table).declared
    return None if declared is None else {name: found.text for name, found in declared.items()}


def test_columns_are_known_by_their_names_in_lower_case(folder):
    found = schemas(folder, "ddl/orders.sql")
    assert types(found, "main.sales.orders") == {"id": "bigint", "price": "decimal(15,2)"}
    assert types(found, "ORDERS") == {"id": "bigint", "price": "decimal(15,2)"}


def test_all_files_are_one_pool_whoever_names_them(folder):
    found = schemas(folder, "columns.csv", sources=(Source(schema=("ddl/orders.sql",)),))
    assert types(found, "main.sales.parts") == {"id": "int"}
    assert types(found, "main.sales.orders")
    assert [file.file for file in found.files] == ["columns.csv", "ddl/orders.sql"]


def test_a_table_may_have_files_of_its_own(folder):
    (folder / "mine.sql").write_text("CREATE TABLE orders (Id STRING);")
    tables = {
        "sales.orders": TableSettings(name="main.sales.orders", schema=("mine.sql",)),
        "other": TableSettings(),
    }
    found = schemas(folder, "ddl/orders.sql", tables=tables)
    assert types(found, "main.sales.orders") == {"id": "string"}  # what its module reads
    assert types(found, "sales.orders") == {"id": "string"}
    assert types(found, "x.sales.orders") is None
    assert [file.file for file in found.files] == ["ddl/orders.sql", "mine.sql"]


def test_without_files_nothing_is_known_and_nothing_is_missing(folder):
    found = schemas(folder)
    assert types(found, "main.sales.orders") is None
    assert found.missing() == ()
    assert found.files == ()


def test_tables_that_no_file_has_are_told_once_and_sorted(folder):
    found = schemas(folder, "ddl/orders.sql")
    for table in ("z", "main.sales.orders", "a", "z"):
        types(found, table)
    assert found.missing() == ("a", "z")


def test_one_file_has_one_name_however_it_is_written(folder):
    spellings = ("ddl/orders.sql", "./ddl/../ddl/orders.sql", str(folder / "ddl/orders.sql"))
    tables = {"main.sales.orders": TableSettings(schema=(str(folder / "ddl/orders.sql"),))}
    found = schemas(folder, *spellings, tables=tables)
    assert [file.file for file in found.files] == ["ddl/orders.sql"]
    assert types(found, "main.sales.orders")


def test_a_file_outside_the_folder_is_named_from_it(folder):
    inside = folder / "conf"
    inside.mkdir()
    found = read_schemas(Config(inside, folder, schemas=(str(folder / "columns.csv"),)))
    assert [file.file for file in found.files] == ["../columns.csv"]


def test_what_the_suite_claims_comes_from_the_suite_alone(folder):
    claiming = Reading(
        "a.json", "great_expectations suite", "", type_names={"X": "int64", "y": "Nonsense"}
    )
    found = schemas(folder)
    claimed = found.types_of(claiming, "orders").claimed
    assert {name: claim.text for name, claim in claimed.items()} == {"x": "bigint"}
    assert found.types_of(reading("b.json"), "orders").claimed == {}


def test_the_faults_of_all_files_are_told(folder):
    (folder / "bad.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputFaults) as raised:
        schemas(folder, "no.sql", "bad.csv", "ddl/orders.sql")
    assert {fault.file for fault in raised.value.faults} == {"no.sql", "bad.csv"}


def test_two_tables_that_answer_to_one_name(folder):
    (folder / "more.sql").write_text("CREATE TABLE main.old.orders (id STRING);")
    found = schemas(folder, "ddl/orders.sql", "more.sql")
    with pytest.raises(InputFaults) as raised:
        types(found, "orders")
    (fault,) = raised.value.faults
    assert (fault.file, fault.place) == ("schema", "orders")
    assert fault.found == "several tables of that name: main.sales.orders, main.old.orders"
    assert types(found, "sales.orders")


def test_a_table_is_sought_once(folder, monkeypatch):
    from ruleferry.converters import schemas as module

    found, sought = schemas(folder, "ddl/orders.sql"), []
    real = module.find_table
    monkeypatch.setattr(module, "find_table", lambda *a: sought.append(a[1]) or real(*a))
    for _ in range(3):
        types(found, "orders")
        types(found, "none")
    assert sought == ["orders", "none"]
