"""The promises on all public suites: the books, the modules, and their conditions on Spark."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from importlib.resources import files

import jsonschema
import pytest
import sqlglot
from suites import rules_of

from ruleferry.converters.column_types import ColumnType, parse_type, type_from_name
from ruleferry.converters.config import load_config
from ruleferry.converters.conversion import convert, inspect
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.pipeline import run_module
from ruleferry.converters.proof.rows import boundary_values, table_rows
from ruleferry.converters.reports.books import imbalances

STRING = parse_type("string")
LIST = parse_type("array<string>")


@pytest.fixture(scope="module")
def converted(shared, tmp_path_factory):
    """(folder, conversion) of the whole corpus in one run."""
    folder = tmp_path_factory.mktemp("corpus")
    shutil.copytree(shared / "corpus/great_expectations", folder / "suites")
    config = load_config(None, folder)
    return folder, convert(config, ["suites"])


@pytest.fixture(scope="module")
def modules(converted):
    """Stem -> the text of its module."""
    folder, done = converted
    return {
        m.stem: (folder / f"expectations/{m.stem}_expectations.py").read_text()
        for m in done.modules
    }


def test_the_books_balance_and_the_ledger_is_as_its_schema_says(converted):
    folder, done = converted
    written = json.loads((folder / "expectations/ledger.json").read_text())
    schema = json.loads((files("ruleferry") / "mappings/ledger.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(written)
    assert imbalances(done.ledger) == ()
    assert len(written["entries"]) == sum(s["atoms"] for s in written["sources"]) > 1000


def test_every_file_is_read_or_has_its_reason(converted, shared):
    _, done = converted
    listed = {source.file.removeprefix("suites/") for source in done.ledger.sources}
    root = shared / "corpus/great_expectations"
    assert listed == {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()}
    assert all(s.why for s in done.ledger.sources if s.read_as == "not read")


def test_nothing_is_left_that_one_record_can_say(converted):
    """A gap needs other records, the schema, a parameter or an answer; none is merely unread."""
    _, done = converted
    codes = Counter(entry.gap.code for entry in done.ledger.entries if entry.gap)
    assert codes.keys() <= {
        "custom_expectation", "no_equivalent", "no_order", "type_mismatch", "type_name",
        "parameter", "query_asset",
    }  # fmt: skip


def test_the_dictionaries_of_every_module_are_the_ledger(converted, modules):
    _, done = converted
    for module in done.modules:
        found = rules_of(modules[module.stem])
        assert found == {rule.name: (rule.action, rule.condition) for rule in module.rules}


@pytest.mark.parametrize("options", [[], ["--line-length", "100", "--select", "E,F,W,I"]])
def test_ruff_has_nothing_to_say_of_the_modules(converted, modules, options):
    folder, _ = converted
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", *options]
    done = subprocess.run([*command, str(folder / "expectations")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# On Spark -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables(converted):
    """(module, its columns with the types that its suite claims, else texts)."""
    folder, done = converted
    readings = {r.file: r for r in inspect(load_config(None, folder), ["suites"])}
    found = []
    for module in done.modules:
        columns = {}
        for rule in module.rules:
            claims = readings[rule.origin.file].type_names
            claimed = {c.lower(): type_from_name(name) for c, name in claims.items()}
            for column in (*rule.columns, *of_its_scope(rule)):
                kind = claimed.get(column.lower()) or STRING
                columns[column] = LIST if kind.family == "nested" else kind
        found.append((module, columns))
    return found


def of_its_scope(rule):
    """The columns that only the scope of a rule on records speaks of."""
    if rule.outcome != "record":
        return []
    named = sqlglot.parse_one(rule.condition, dialect="spark").find_all(sqlglot.exp.Column)
    known = {column.lower() for column in rule.columns}
    return [column.name for column in named if column.name.lower() not in known]


def packed(tables):
    """Few frames for all tables: one takes in a table whose columns do not clash with its own."""
    frames: list[tuple[dict[str, tuple[str, ColumnType]], list]] = []
    for module, columns in tables:
        lower = {name.lower(): (name, kind) for name, kind in columns.items()}
        for taken, rules in frames:
            if all(taken.get(key, mine) == mine for key, mine in lower.items()):
                taken.update(lower)
                rules.extend(module.rules)
                break
        else:
            frames.append((lower, list(module.rules)))
    return frames


def test_every_condition_is_true_or_false_on_hostile_rows(tables, spark):
    for taken, rules in packed(tables):
        cells = {kind: boundary_values([], kind)[:12] for _, kind in taken.values()}
        rows = table_rows({name: (kind, cells[kind]) for name, kind in taken.values()})
        conditions = {r.id: r.condition for r in rules if r.outcome == "record"}
        judged = judge(conditions, rows, spark)
        assert not judged.rejected
        assert not [i for i, letters in judged.verdicts.items() if set(letters) - {"T", "F"}]


def frame_of(columns, records, spark):
    schema = ", ".join(f"`{name.replace('`', '``')}` {kind.text}" for name, kind in columns.items())
    return spark.createDataFrame([(None,) * len(columns)] * records, schema)


def test_modules_run_untouched_and_their_tables_add_up(tables, modules, spark):
    """The largest ones, all of whose rules warn: nothing is lost and nothing quarantined."""
    for module, columns in sorted(tables, key=lambda t: -len(t[0].rules))[:3]:
        source = {module.source_table: frame_of(columns, 3, spark)}
        done = run_module(modules[module.stem], spark, source)
        assert {flow.status for flow in done.flows} == {"COMPLETED"}
        stem = module.stem
        counts = {name.removeprefix(f"{stem}_"): f.count() for name, f in done.frames.items()}
        assert counts.pop("figures", 1) == counts.pop("schema", 1) == 1
        assert counts == {"checked": 3, "clean": 3, "quarantine": 0}
        failed = {count.name: count.failed for count in done.expectations}
        of_records = [rule for rule in module.rules if rule.outcome in ("record", "flag")]
        nulls = {rule.name: 3 if rule.nulls == "fail" else 0 for rule in of_records}
        assert {name: failed.pop(name) for name in nulls} == nulls
        assert set(failed.values()) <= {0, 1}


def test_no_dataset_of_a_module_raises_on_an_empty_table(tables, modules, spark):
    """Those with most figures and statements about columns, which have one row there, too."""
    beside = [
        (sum(rule.outcome in ("dataset", "schema") for rule in module.rules), module, columns)
        for module, columns in tables
    ]
    for count, module, columns in sorted(beside, key=lambda found: -found[0])[:3]:
        assert count > 5
        source = {module.source_table: frame_of(columns, 0, spark)}
        done = run_module(modules[module.stem], spark, source)
        assert {flow.status for flow in done.flows} == {"COMPLETED"}
        of_one_row = [c for c in done.expectations if c.dataset.endswith(("_figures", "_schema"))]
        assert len(of_one_row) == count
        assert all(c.passed + c.failed == 1 for c in of_one_row)


def test_each_record_ends_in_exactly_one_table(spark, tmp_path):
    """checked = clean + quarantine with missing values, and each bad record names its rules."""
    kwargs = [
        ("expect_column_values_to_not_be_null", {"column": "a"}),
        ("expect_column_values_to_be_between", {"column": "a", "min_value": 0}),
        ("expect_column_values_to_be_in_set", {"column": "s", "value_set": ["x", "it's"]}),
    ]
    suite = {"name": "t", "expectations": [{"type": t, "kwargs": k} for t, k in kwargs]}
    (tmp_path / "t.json").write_text(json.dumps(suite))
    (tmp_path / "schema.sql").write_text("CREATE TABLE t (a BIGINT, s STRING)")
    (tmp_path / "ruleferry.toml").write_text(
        '[[source]]\npath = "t.json"\ntable = "t"\nengine = "spark"\nschema = "schema.sql"\n'
        '[actions]\ndefault = "drop"\n'
    )
    convert(load_config(None, tmp_path))
    text = (tmp_path / "expectations/t_expectations.py").read_text()
    rows = [(1, "x"), (None, "x"), (-1, None), (None, None), (5, "it's"), (-2, "y"), (0, None)]
    done = run_module(text, spark, {"t": spark.createDataFrame(rows, "a BIGINT, s STRING")})
    kept = {tuple(row) for row in done.frames["t_clean"].collect()}
    bad = {tuple(row)[:2]: row["failed_rules"] for row in done.frames["t_quarantine"].collect()}
    assert kept == {(1, "x"), (5, "it's"), (0, None)}
    assert bad == {
        (None, "x"): "a_present",
        (-1, None): "a_range",
        (None, None): "a_present",
        (-2, "y"): "a_range, s_allowed",
    }
