"""What holds for every source: what was just converted is in sync, nothing is written, and the
same inputs give the same report.
"""

import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from books import APPROPRIATIONS, BOOKS, SAGE
from cells import change_cells
from modules import RULES, ModuleText
from test_module_edits import edited, unlike
from trial import Converted, dictionary, drift, restored, sample, short

from ruleferry.converters.config import Config, Source, load_config
from ruleferry.converters.conversion import convert
from ruleferry.converters.drifted import drifted

DIALECTS = {
    "bigquery", "databricks", "db2", "hive", "impala", "mysql", "netezza", "oracle", "postgres",
    "redshift", "snowflake", "spark", "teradata", "tsql",
}  # fmt: skip


def in_sync(config, given=()):
    convert(config, given)
    told = drift(config, given)
    assert short(told) == []
    assert not drifted(told, "any")
    return told


def files(folder):
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


# In sync ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reports", [(), ("md", "html", "xlsx")])
@pytest.mark.parametrize("quarantine", ["tables", "column"])
@pytest.mark.parametrize("limit", ["fail", "drop", "warn"])
def test_the_sample(limit, quarantine, reports, tmp_path):
    if reports and (limit, quarantine) != ("fail", "tables"):
        pytest.skip("reports have nothing to do with it")
    made = sample(tmp_path / "one", reports=reports)
    told = in_sync(replace(made.config, max_action=limit, quarantine=quarantine, out="other"))
    assert sum(told.rules.values()) == 31


def test_a_table_that_is_streamed(tmp_path):
    made = sample(tmp_path / "one")
    path = made.config.root / "ruleferry.toml"
    text = path.read_text()
    path.write_text(
        text.replace("[tables.orders_raw]\n", "[tables.orders_raw]\nstreaming = true\n")
    )
    in_sync(replace(load_config(None, made.config.root), out="other", reports=()))


@pytest.mark.parametrize("book", [APPROPRIATIONS, SAGE], ids=lambda b: b.id)
def test_a_dictionary(book, shared, tmp_path):
    file = shared / "corpus/spreadsheets" / book.file
    made = dictionary(tmp_path / "one", file, book.profile)
    assert short(drift(made.config)) == []


@pytest.mark.more
@pytest.mark.parametrize("profile", [True, False], ids=["profile", "without"])
def test_every_public_dictionary(profile, shared, tmp_path):
    profiles = {book.file: book.profile for book in BOOKS}
    for path in sorted((shared / "corpus/spreadsheets").glob("*.[cx][sl]*")):
        named = profiles.get(path.name) if profile else None
        made = dictionary(tmp_path / path.stem, path, named)
        assert short(drift(made.config)) == [], path.name


def test_every_public_suite(shared, tmp_path):
    shutil.copytree(shared / "corpus/great_expectations", tmp_path / "suites")
    told = in_sync(replace(load_config(None, tmp_path), reports=()), ["suites"])
    assert sum(told.rules.values()) > 500


@pytest.fixture(scope="module")
def scripts(shared, tmp_path_factory):
    """All SQL cases, each in its dialect, converted at once; a file whose dialect nothing tells is
    read as what its text is.
    """
    folder = tmp_path_factory.mktemp("scripts")
    sources = []
    for path in sorted((shared / "cases/sql").iterdir()):
        if path.suffix in (".md", ".tsv"):
            continue
        shutil.copy(path, folder)
        dialect = next((d for d in path.stem.split("_") if d in DIALECTS), None)
        sources.append(Source(path=(path.name,), dialect=dialect))
    config = Config(folder, folder, sources=tuple(sources), reports=())
    convert(config)
    return Converted(config, "")


def test_every_script(scripts):
    told = drift(scripts.config)
    assert short(told) == []
    assert sum(told.rules.values()) > 60


@pytest.mark.parametrize("turn", range(6))
def test_each_rule_of_every_script(scripts, turn):
    """They have what no dictionary has: queries, figures, comparisons with looked-up values."""
    edits = []
    with restored(*scripts.modules):
        for path in scripts.modules:
            module = ModuleText.of(path.read_text(encoding="utf-8"))
            shown = f"{scripts.config.out}/{path.name}"
            edits += [(shown, module, edit) for edit in edited(module, turn)]
            path.write_text(str(module), encoding="utf-8", newline="\n")
        assert unlike(edits, drift(scripts.config)) == []
    assert len(edits) > 60


# What a rule is tested on: dictionary -> what must be told of a rule that needs a changed entry.
_OF_COLUMNS = {
    "LOOKUPS": ("lookup_changed",),
    "COMPARED": ("lookup_changed",),
    "FLAGS": ("changed",),
    "FIGURES": ("validation_changed",),
    "FIGURES_REQUIRED": ("validation_changed",),
    "QUERIES": ("validation_changed",),
}


def columns(made):
    """Module, dictionary and name of each column of the edit blocks."""
    for path in made.modules:
        module = ModuleText.of(path.read_text(encoding="utf-8"))
        for found in module.dictionaries().values():
            if not RULES.fullmatch(found.name):
                yield from ((path, found.name, item.name) for item in found.items)


def test_each_column_of_every_script(scripts):
    """One at a time: what it is made of is another thing."""
    tried = set()
    for path, dictionary_, name in columns(scripts):
        module = ModuleText.of(path.read_text(encoding="utf-8"))
        (item,) = [i for i in module.dictionaries()[dictionary_].items if i.name == name]
        item.lines = _otherwise(dictionary_, item)
        with restored(path):
            path.write_text(str(module), encoding="utf-8", newline="\n")
            told = drift(scripts.config)
        assert told.differences, (path.name, name)
        assert {d.side for d in told.differences} == {"hand"}, (path.name, name)
        assert {d.change for d in told.differences} <= set(_OF_COLUMNS[dictionary_]), short(told)
        assert all(d.module.file.endswith(path.name) for d in told.differences)
        tried.add(dictionary_)
    assert tried >= {"LOOKUPS", "FLAGS", "FIGURES", "QUERIES"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"customers_ref"', '"archive.customers_ref"'),
        ('("o_custkey", "c_custkey")', '("c_custkey", "o_custkey")'),
        ('("o_custkey", "c_custkey"),', '("o_custkey", "c_custkey"), ("o_clerk", "c_clerk"),'),
    ],
)
def test_a_lookup_that_hardly_looks_changed_is_by_hand(old, new, tmp_path):
    made = sample(tmp_path / "one")
    (path,) = made.modules
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    told = drift(made.config)
    assert {(d.change, d.side) for d in told.differences} == {("lookup_changed", "hand")}


def test_a_query_that_its_rule_finds_no_more(scripts):
    """The rule has another name, and the query is called as before."""
    path = next(p for p in scripts.modules if "QUERIES = {" in p.read_text(encoding="utf-8"))
    module = ModuleText.of(path.read_text(encoding="utf-8"))
    found = next(
        d for n, d in module.dictionaries().items() if n.startswith("QUERY_RULES") and d.items
    )
    item = found.items[0]
    item.lines = [line.replace(f'"{item.name}":', f'"{item.name}_too":') for line in item.lines]
    with restored(path):
        path.write_text(str(module), encoding="utf-8")
        told = drift(scripts.config)
    assert told.differences
    assert {d.side for d in told.differences} == {"hand"}


def _otherwise(dictionary_, item):
    """What still is such an entry, and says something else."""
    text = "\n".join(item.lines)
    if dictionary_ == "LOOKUPS":
        return text.replace('"table": "', '"table": "another_', 1).split("\n")
    value = item.text
    if dictionary_ == "QUERIES":
        value = f"SELECT * FROM ({value}) WHERE rand() > 2"
    else:
        value = f"CASE WHEN rand() > 2 THEN {value} END"
    return [f'    "{item.name}": {value!r},']


# Nothing is written, and the same is told again ---------------------------------------------------


def changed(made):
    """Something of each side."""
    change_cells(made.path, {"Fields!D12": "VARCHAR(99)", "Fields!F5": "No", "Fields!F9": "Yes"})
    (path,) = made.modules
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("o_shippriority BETWEEN 0 AND 9", "o_shippriority > 5"))


def test_nothing_is_written(tmp_path):
    made = sample(tmp_path / "one", reports=("md", "html", "xlsx"))
    before = files(made.config.root)
    drift(made.config)
    assert files(made.config.root) == before
    changed(made)
    before = files(made.config.root)
    assert drift(made.config).differences
    assert files(made.config.root) == before


def test_the_same_is_told_twice_and_elsewhere(tmp_path):
    one, other = (sample(tmp_path / name) for name in ("one", "other/deep"))
    for made in (one, other):
        changed(made)
    told = drift(one.config)
    assert repr(told) == repr(drift(one.config)) == repr(drift(other.config))
    assert str(tmp_path) not in repr(told)


def test_whatever_the_hash_seed(tmp_path):
    made = sample(tmp_path / "one")
    changed(made)
    said = {_said(made, seed) for seed in ("0", "1", "77")}
    assert len(said) == 1


def _said(made, seed):
    script = (
        "from pathlib import Path; from ruleferry.converters.config import load_config; "
        "from ruleferry.converters.drift import drift; "
        f"print(drift(load_config(None, Path({str(made.config.root)!r}))))"
    )
    import os

    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    return done.stdout


def test_the_order_of_what_is_named_is_nothing(tmp_path):
    made = sample(tmp_path / "one")
    changed(made)
    named = ["dictionary.xlsx", "suites", "checks"]
    assert drift(made.config, named) == drift(made.config, named[::-1])


def test_after_a_conversion_it_is_in_sync_again(tmp_path):
    made = sample(tmp_path / "one")
    change_cells(made.path, {"Fields!D12": "VARCHAR(99)", "Fields!F5": "No", "Fields!F9": "Yes"})
    assert len(drift(made.config).differences) == 3
    in_sync(made.config)


def test_the_most_severe_first(tmp_path):
    made = sample(tmp_path / "one")
    changed(made)
    order = ["removed", "loosened", "changed", "any"]
    levels = [order.index(one.level) for one in drift(made.config).differences]
    assert levels == sorted(levels)
    assert len(set(levels)) > 2
