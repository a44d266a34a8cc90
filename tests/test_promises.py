"""The promises of the design, kept on all public suites at once and on texts that mean harm."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from datetime import date
from decimal import Decimal
from functools import partial
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from zipfile import ZipFile, is_zipfile

import pytest
import suites
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from sqlglot import exp
from suites import (
    CORPUS,
    Converted,
    between,
    convert_corpus,
    ledger,
    no_rows,
    outputs,
    present,
    rules_of,
    suite,
    values,
    write,
)

from ruleferry.converters import conversion
from ruleferry.converters.config import Config, load_config
from ruleferry.converters.drafts import drafts
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.express import Condition
from ruleferry.converters.express.functions import function
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.mappings import caveats, gaps
from ruleferry.converters.normal_form import normal
from ruleferry.converters.reports.books import imbalances
from ruleferry.converters.schemas import Schemas
from ruleferry.converters.writers.rules_module import BLOCK_END

# Promises hold for all that is written.
convert = partial(suites.convert, all_reports=True)
ROOT = Path(__file__).resolve().parents[1]
SCHEMA = json.loads((files("ruleferry") / "mappings" / "ledger.schema.json").read_text("utf-8"))
CARRIED = ("record", "flag", "dataset", "schema")
NAME = re.compile(r"[a-z][a-z0-9_]{0,62}\Z")


@pytest.fixture(scope="module")
def corpus(shared, tmp_path_factory) -> Converted:
    return convert_corpus(shared, tmp_path_factory.mktemp("corpus"), all_reports=True)


@pytest.fixture(scope="module")
def book(corpus) -> dict:
    return ledger(corpus.folder)


def check_modules_say_what_the_ledger_says(modules: dict[str, str], book: dict) -> None:
    of_module = defaultdict(dict)
    for entry in book["entries"]:
        if entry["outcome"] in CARRIED:
            stem = re.sub("_(checked|clean|figures|figures_required|schema)$", "", entry["dataset"])
            assert entry["name"] not in of_module[stem]
            of_module[stem][entry["name"]] = entry["action"], entry["condition"]
    assert {stem: rules_of(text) for stem, text in modules.items()} == of_module


# 1. Conservation ----------------------------------------------------------------------------------


def test_the_ledger_is_as_its_schema_says(book):
    assert not [e.message for e in Draft202012Validator(SCHEMA).iter_errors(book)]


def test_the_books_balance_per_source_and_in_total(corpus, book):
    assert imbalances(corpus.done.ledger) == ()
    sources, entries = book["sources"], book["entries"]
    atoms = {(e["origin"]["file"], e["atom"]) for e in entries}
    assert sum(source["atoms"] for source in sources) == len(atoms)
    assert sum(source["entries"] for source in sources) == len(entries)
    total = sum((Counter(source["outcomes"]) for source in sources), Counter())
    assert total == Counter(entry["outcome"] for entry in entries)
    assert total["record"] > 600


def test_every_file_is_listed_once_and_says_how_it_was_read(corpus, book):
    there = {
        p.relative_to(corpus.folder).as_posix()
        for p in (corpus.folder / CORPUS).rglob("*")
        if p.is_file()
    }
    listed = [source["file"] for source in book["sources"]]
    assert sorted(listed) == sorted(there)
    for source in book["sources"]:
        assert source["read_as"].partition(":")[0] in (
            "great_expectations suite", "used", "not read"
        ), source  # fmt: skip
        assert bool(source.get("why")) == (source["read_as"] in ("used", "not read"))


def elements(corpus) -> dict[str, list]:
    """file -> the expectations of every suite, read by means of the test's own."""
    found = {}
    for path in sorted((corpus.folder / CORPUS).rglob("*.json")):
        document = json.loads(path.read_text("utf-8"), parse_float=Decimal)
        found[path.relative_to(corpus.folder).as_posix()] = document["expectations"]
    return found


def test_every_expectation_of_every_suite_is_accounted_for(corpus, book):
    suites = (s for s in book["sources"] if s["read_as"] == "great_expectations suite")
    counted = {s["file"]: s["atoms"] for s in suites}
    assert counted == {file: len(found) for file, found in elements(corpus).items()}
    assert sum(counted.values()) > 1000
    places = {(e["origin"]["file"], e["origin"]["place"]) for e in book["entries"]}
    assert places == {
        (file, f"expectations[{index}]")
        for file, found in elements(corpus).items()
        for index in range(len(found))
    }


def test_every_entry_keeps_the_authors_own_text(corpus, book):
    of_file = elements(corpus)
    for entry in book["entries"]:
        origin = entry["origin"]
        index = int(origin["place"].removeprefix("expectations[").removesuffix("]"))
        text = json.loads(origin["text"], parse_float=Decimal)
        assert text == of_file[origin["file"]][index]


FIELDS = (
    "condition", "action", "because", "grade", "dataset", "flag", "validation", "gap",
    "merged_into", "reason",
)  # fmt: skip
OF_A_RULE = {"condition", "action", "because", "grade", "dataset"}
HAS = {
    "record": OF_A_RULE,
    "flag": {*OF_A_RULE, "flag"},
    "dataset": {*OF_A_RULE, "validation"},
    "schema": OF_A_RULE,
    "gap": {"gap"},
    "merged": {"condition", "merged_into"},
}


def test_every_entry_has_one_outcome_and_what_belongs_to_it(book):
    for entry in book["entries"]:
        has = {field for field in FIELDS if field in entry}
        of_flags = has & {"flag"} if entry["outcome"] == "dataset" else set()
        assert HAS[entry["outcome"]] | of_flags == has, entry["id"]
        assert "gap" not in entry or entry["gap"]["code"] in gaps()
        assert all(caveat["code"] in caveats() for caveat in entry.get("caveats", ()))


def test_what_is_merged_says_the_same_as_what_it_points_to(book):
    by_id = {entry["id"]: entry for entry in book["entries"]}
    assert len(by_id) == len(book["entries"])
    merged = [entry for entry in book["entries"] if entry["outcome"] == "merged"]
    for entry in merged:
        leader = by_id[entry["merged_into"]]
        assert leader["outcome"] in CARRIED
        assert leader["table"] == entry["table"]
        assert (leader["name"], leader["nulls"]) == (entry["name"], entry["nulls"])
        one, other = (normal(parse_condition(e["condition"])) for e in (leader, entry))
        assert one == other
        assert leader["origin"]["file"] == entry["origin"]["file"]  # no suite states its table


def test_every_gap_and_every_undecided_action_is_asked_about(book):
    asked = defaultdict(set)
    for question in book["questions"]:
        asked[question["code"]].update(question["entries"])
    known = {entry["id"] for entry in book["entries"]}
    assert set().union(*asked.values()) <= known
    for entry in book["entries"]:
        if entry["outcome"] == "gap":
            assert entry["id"] in asked[entry["gap"]["code"]]
        elif entry["outcome"] in CARRIED:
            assert entry["id"] in asked["action_undecided"]
            inexact = [c for c in entry.get("caveats", ()) if caveats()[c["code"]].question]
            assert all(entry["id"] in asked[caveat["code"]] for caveat in inexact)


# 4. Lakeflow-legal --------------------------------------------------------------------------------


def test_every_module_says_what_the_ledger_says(corpus, book):
    assert len(corpus.modules) > 50
    check_modules_say_what_the_ledger_says(corpus.modules, book)


def test_names_are_legal_and_unique_in_their_module(corpus):
    for text in corpus.modules.values():
        assert all(NAME.match(name) for name in rules_of(text))  # unique: rules_of saw to it
    assert all(re.fullmatch("[a-z][a-z0-9_]{0,79}", stem) for stem in corpus.modules)


def ruff(*arguments: str, folder: Path) -> str:
    command = [sys.executable, "-m", "ruff", *arguments, "--no-cache", "--isolated", "."]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode else ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("check", "--select", "E,F,W", "--line-length", "100"),
        ("format", "--check", "--line-length", "100"),
    ],
)
def test_every_module_passes_ruff(corpus, arguments):
    assert ruff(*arguments, folder=corpus.folder / "expectations") == ""


# What an expectation of Lakeflow may not hold, as far as a parser can tell.
ILLEGAL = (
    exp.Query, exp.Subquery, exp.Exists, exp.AggFunc, exp.Window, exp.UDTF, exp.Explode,
    exp.Rand, exp.Randn, exp.Uuid, exp.Parameter, exp.Placeholder, exp.Command, exp.Star,
)  # fmt: skip


# Of the schema dataset, on its own columns: none of them can raise.
OF_SCHEMA = {"array_except", "array_contains", "size", "get", "contains", "lower"}


def test_every_condition_is_one_expression_over_one_record(book):
    for entry in (entry for entry in book["entries"] if "condition" in entry):
        tree = parse_condition(entry["condition"])
        assert not list(tree.find_all(*ILLEGAL)), entry["condition"]
        own = OF_SCHEMA if entry["kind"] in ("columns", "column_type") else set()
        for call in tree.find_all(exp.Anonymous):
            name = str(call.this).lower()
            assert name in own or function(name, len(call.expressions)), entry["condition"]


def test_what_merges_is_decided_by_what_is_written(corpus):
    """The form that is compared is that of the text in the ledger, however the text was made."""
    config = Config(corpus.folder, corpus.folder)
    found = drafts(conversion.inspect(config, [CORPUS]), Schemas().types_of, config, {})
    conditions = [d.result for d in found if isinstance(d.result, Condition)]
    assert len(conditions) > 600
    for condition in conditions:
        assert condition.meaning.form == normal(parse_condition(condition.text)), condition.text


# 6. Same bytes ------------------------------------------------------------------------------------


def test_a_second_run_writes_the_same(corpus):
    before = corpus.files
    convert(corpus.folder, CORPUS)
    assert corpus.files == before


def test_a_copy_elsewhere_read_from_another_working_directory_gives_the_same(corpus, tmp_path):
    folder = tmp_path / "deep" / "er"
    shutil.copytree(corpus.folder / CORPUS, folder / CORPUS)
    write(folder, {"ruleferry.toml": f'[[source]]\npath = ["{CORPUS}/**"]\n'})
    for cwd, out in ((folder, "one"), (tmp_path, "two")):
        config = load_config(folder / "ruleferry.toml", cwd)
        conversion.convert(config)
        shutil.move(folder / "expectations", folder / out)
    one, two = ({p.name: p.read_bytes() for p in (folder / d).iterdir()} for d in ("one", "two"))
    assert one == two
    modules = {name: data for name, data in corpus.files.items() if name.endswith(".py")}
    assert {name: data for name, data in one.items() if name.endswith(".py")} == modules


def test_the_order_of_arguments_and_of_folders_changes_nothing(corpus, tmp_path, monkeypatch):
    shutil.copytree(corpus.folder / CORPUS, tmp_path / CORPUS)
    projects = sorted(f"{CORPUS}/{p.name}" for p in (tmp_path / CORPUS).iterdir() if p.is_dir())
    convert(tmp_path, *projects)
    before = outputs(tmp_path)
    shutil.rmtree(tmp_path / "expectations")
    walk = os.walk
    monkeypatch.setattr(os, "walk", lambda *a: ((b, f[::-1], n[::-1]) for b, f, n in walk(*a)))
    Random(1).shuffle(projects)
    convert(tmp_path, *projects, projects[0])
    assert outputs(tmp_path) == before


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_the_seed_of_hashes_changes_nothing(rich, tmp_path, seed):
    """In a process of its own, by the command line."""
    shutil.copytree(rich / "suites", tmp_path / "suites")
    shutil.copy(rich / "ruleferry.toml", tmp_path)
    command = [sys.executable, "-m", "ruleferry", "convert", "suites", "--quiet"]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    assert outputs(tmp_path) == outputs(rich)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_files_changes_nothing_where_they_meet_on_one_table(rich, tmp_path, seed):
    """Which of two rules stays must not depend on which file was named first."""
    shutil.copytree(rich / "suites", tmp_path / "suites")
    shutil.copy(rich / "ruleferry.toml", tmp_path)
    given = sorted(f"suites/{path.name}" for path in (tmp_path / "suites").iterdir())
    Random(seed).shuffle(given)
    convert(tmp_path, *given)
    assert outputs(tmp_path) == outputs(rich)


@pytest.fixture(scope="module")
def rich(tmp_path_factory) -> Path:
    """Sets, chains, merges, conflicts and clashes: whatever could be written in another order."""
    folder = tmp_path_factory.mktemp("rich")
    letters = [chr(97 + n) for n in range(20)]
    one = suite(
        "orders",
        values("be_in_set", "state", value_set=letters),
        values("be_in_set", "state", value_set=letters[:9]),
        between("price", 0, 100),
        between("price", 0, 120),
        values("match_regex_list", "code", regex_list=[f"^{c}" for c in letters]),
        no_rows(" OR ".join(f"n{c} > {n}" for n, c in enumerate(letters))),
        {
            "type": "expect_select_column_values_to_be_unique_within_record",
            "kwargs": {"column_list": letters[:6]},
        },
        {"type": "expect_multicolumn_sum_to_equal",
         "kwargs": {"column_list": letters[:6], "sum_total": 7}},
    )  # fmt: skip
    more = {f"suites/{n}.json": suite(f"orders{n}", *one["expectations"][n:]) for n in range(5)}
    tables = ", ".join(f'"orders{n}"' for n in range(5))
    config = f'[tables."main.orders"]\naliases = ["orders", {tables}]\n'
    write(folder, {"suites/orders.json": one, **more, "ruleferry.toml": config})
    convert(folder)
    found = Counter(entry["outcome"] for entry in ledger(folder)["entries"])
    assert found["merged"] > 10
    assert {q["code"] for q in ledger(folder)["questions"]} >= {"conflict", "action_undecided"}
    return folder


def test_nothing_written_tells_of_this_machine_or_of_the_time(corpus):
    today = date.today().isoformat()  # noqa: DTZ011 - as a time stamp would have it
    hints = (str(corpus.folder), str(corpus.folder.parent), str(ROOT), f"{Path.home()}/", today)
    for file, data in corpus.files.items():
        for text in texts_of(data):
            assert not [hint for hint in hints if hint in text], file


# 7. Nothing is executed, and no text breaks out ---------------------------------------------------

PAYLOADS = (
    '"""\nimport os\n',
    "'''\\",
    "\\",
    '"',
    "'); DROP TABLE orders; --",
    "`; SELECT 1",
    "${spark.app.name}",
    "{{ 7 * 7 }}",
    "{table}{0}%s$stem",
    f"x\n{BLOCK_END}\n",
    "# manual: mine",
    "# noqa",
    "# fmt: off",
    "\r\n\x0b\x0c\x85\u2028\u2029",
    "\x00\x1b[31m\x7f",
    "\u202eevil\u202c\u200b\ufeff",
    "\ud800",
    "<script>alert(1)</script>",
    "<!--",
    "](javascript:alert(1))",
    "| a | b |\n# Heading\n\n- [ ] item",
    "=cmd|' /C calc'!A0",
    "__import__('os').system('touch pwned')",
    "a" * 300,
    "日本語 ©️ 👩‍👩‍👧",
    "",
    " ",
)
TEXTS = st.sampled_from(PAYLOADS) | st.text(max_size=40)
FILE_NAMES = TEXTS.map(lambda t: re.sub("[/\0\ud800-\udfff]", "_", t).strip(".")[:50] or "x")


def hostile_suite(name: str, column: str, value: str, note: str, title: str) -> dict:
    meta = {"notes": note, "owner": note, "dimension": title}
    rules = [
        present(column),
        values("be_in_set", column, value_set=[value, "F"]),
        values("match_like_pattern", column, like_pattern=value),
        values("match_regex", column, regex=re.escape(value)),
        values("be_between", column, min_value=value),
        no_rows(f"a = '{value}'"),
        {"type": f"expect_{value}", "kwargs": {"column": column, "note": note}},
        {"type": "expect_column_pair_values_to_be_equal",
         "kwargs": {"column_A": column, "column_B": value}},
    ]  # fmt: skip
    rules = [{**rule, "description": title, "meta": meta, "id": note} for rule in rules]
    return suite(name, *rules)


def outline(text: str, stem: str) -> list[str]:
    """What a module does, without its texts: one that broke out would add to it."""
    return [
        re.sub(rf"\b{stem}_(checked|clean|quarantine)\b", r"\1", ast.unparse(part))
        for part in ast.parse(text).body
        if not isinstance(part, ast.Assign | ast.Expr)
    ]


@given(name=TEXTS, column=TEXTS, value=TEXTS, note=TEXTS, title=TEXTS, file=FILE_NAMES)
@settings(max_examples=25, deadline=None)
@example(
    name=PAYLOADS[0],
    column=PAYLOADS[3],
    value=PAYLOADS[4],
    note=PAYLOADS[9],
    title=PAYLOADS[10],
    file=PAYLOADS[0],
)
@example(
    name=PAYLOADS[9],
    column=PAYLOADS[2],
    value=PAYLOADS[1],
    note=PAYLOADS[13],
    title=PAYLOADS[15],
    file="# noqa\u2028",
)
def test_no_text_breaks_out(name, column, value, note, title, file):
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        told = hostile_suite(name, column, value, note, title)
        benign = suite("orders", present("x"))
        write(folder, {f"suites/{file}.json": told, "suites/benign.json": benign})
        found = Converted(folder, convert(folder))
        book = ledger(folder)
        assert not list(Draft202012Validator(SCHEMA).iter_errors(book))
        assert imbalances(found.done.ledger) == ()
        check_modules_say_what_the_ledger_says(found.modules, book)
        outlines = [outline(text, stem) for stem, text in found.modules.items()]
        assert all(other == outlines[0] for other in outlines)
        for written, data in found.files.items():
            assert re.fullmatch(r"[a-z0-9_]+(_expectations\.py|\.md|\.json|\.html|\.xlsx)", written)
            check_plain_text(data)


def check_plain_text(data: bytes) -> None:
    """UTF-8, and no character that nobody sees or that steers a screen."""
    unseen = "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\ufeff\ud800-\udfff]"
    assert not [found for text in texts_of(data) for found in re.findall(unseen, text)]


def texts_of(data: bytes) -> list[str]:
    """A workbook is an archive of texts."""
    if not is_zipfile(BytesIO(data)):
        return [data.decode("utf-8")]
    with ZipFile(BytesIO(data)) as book:
        return [book.read(name).decode("utf-8") for name in book.namelist()]


@pytest.fixture(scope="module")
def harmful(tmp_path_factory) -> Converted:
    """A suite for each payload, in all its places."""
    folder = tmp_path_factory.mktemp("harmful")
    told = {f"suites/{n}.json": hostile_suite(*[payload] * 5) for n, payload in enumerate(PAYLOADS)}
    write(folder, told)
    return Converted(folder, convert(folder))


def test_the_report_is_no_web_page_and_has_no_headings_but_its_own(harmful):
    report = harmful.files["gap_report.md"].decode("utf-8")
    code = re.compile(r"\\.|(`+)(?!`).+?(?<!`)\1(?!`)")  # a backslash spares the character after it
    plain = code.sub(lambda found: "CODE" if found[1] else "ESCAPED", report)
    assert not re.search(r"<(?!/?(details|summary|br|code)>)[a-zA-Z!/?]", plain)
    assert "](" not in plain
    assert not re.search(r"^#+ *(Heading|!|noqa|fmt|manual)", plain, re.MULTILINE)
    assert not re.search(r"^\s*- \[ \] item", plain, re.MULTILINE)
    # A cell too many, or one too few, would move all that follows; code is no shelter from that.
    for block in re.findall(r"(?:^\|.*\n)+", report, re.MULTILINE):
        assert len({re.sub(r"\\.", "", row).count("|") for row in block.splitlines()}) == 1, block


def test_modules_of_harmful_texts_pass_ruff(harmful):
    folder = harmful.folder / "expectations"
    for arguments in (("check",), ("format", "--check", "--line-length", "100")):
        assert ruff(*arguments, folder=folder) == ""


CODE = """
from pathlib import Path
Path(__file__).with_name("pwned").write_text("x")
Path("pwned").write_text("x")
raise SystemExit("executed")
"""


def test_nothing_of_the_sources_is_executed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "suites"))
    call = "__import__('pathlib').Path('pwned').write_text('x')"
    write(
        tmp_path,
        {
            "suites/orders.json": {
                **hostile_suite(*[call] * 5),
                "meta": {"expectation_module": "evil", "class_name": "evil.Suite"},
            },
            "suites/evil.py": CODE,
            "suites/conftest.py": CODE,
            "suites/plugins/__init__.py": CODE,
            "suites/evil.ipynb": json.dumps({"cells": [{"source": CODE}]}),
            "suites/great_expectations.yml": f"x: !!python/object/apply:os.system ['{call}']\n",
            "ruleferry.toml": "[tables.orders]\nmodule = 'sales'\n",
        },
    )
    convert(tmp_path)
    module = tmp_path / "expectations/sales_expectations.py"
    assert not module.exists()
    before = {p.name for p in (tmp_path / "expectations").iterdir()}
    for written in before:  # an edited module is read back, and not run either
        if written.endswith(".py"):
            path = tmp_path / "expectations" / written
            path.write_text(path.read_text("utf-8") + CODE, "utf-8")
    with pytest.raises(InputFaults, match="a change below the rules"):
        convert(tmp_path)
    assert not list(tmp_path.rglob("pwned"))
    assert not {"evil", "plugins"} & sys.modules.keys()


# Calls that run what they are given; where they may stand.
RUNNING = {
    "eval", "exec", "compile", "__import__", "import_module", "system", "popen", "Popen", "run",
    "check_output", "run_path", "run_module", "loads_pickle", "unsafe_load", "full_load",
}  # fmt: skip
MAY_RUN = {
    "converters/express/regex_python.py": {"import_module"},  # Python's own parser of patterns
    "converters/proof/standin.py": {"exec", "compile"},  # the module that `rehearse` is given
    "converters/proof/session.py": {"run"},  # which Java is there
    "converters/proof/rehearsal_sdp.py": {"run"},  # open-source pipelines, for `rehearse`
}


def test_no_code_of_ours_runs_what_it_reads():
    for path in sorted((ROOT / "converters").rglob("*.py")):
        called = {
            getattr(call.func, "attr", getattr(call.func, "id", ""))
            for call in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(call, ast.Call) and not _of_re(call.func)
        }
        allowed = MAY_RUN.get(path.relative_to(ROOT).as_posix(), set())
        assert called & RUNNING <= allowed, path


def _of_re(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and ast.unparse(function.value) == "re"
