"""Whole or not at all, and never over what a person wrote."""

import hashlib
import shutil
from pathlib import Path

import pytest
from suites import between, convert, entries, ledger, no_rows, outputs, present, suite, write

from ruleferry.converters import conversion
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.writers.rules_module import body_sha256, read_module

MODULE = "expectations/orders_expectations.py"
SPARK = {"engine": "spark"}


@pytest.fixture
def folder(tmp_path) -> Path:
    """Two tables, converted once."""
    orders = suite("orders", present("o_id"), between("price", 0), between("rate", 0, 1))
    write(
        tmp_path,
        {
            "suites/orders.json": orders,
            "suites/lines.json": suite("lines", present("l_id")),
            "schema.sql": "CREATE TABLE orders (o_id INT, price INT, rate INT, day DATE);",
            "ruleferry.toml": "[tables.orders]\nschema = 'schema.sql'\n",
        },
    )
    convert(tmp_path, **SPARK)
    return tmp_path


def edit(folder: Path, *changes: tuple[str, str], file: str = MODULE) -> None:
    text = (folder / file).read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    write(folder, {file: text})


def rules(folder: Path, file: str = MODULE) -> dict[str, tuple[str, str, str | None]]:
    """name -> action, condition, reason of a person."""
    found = read_module((folder / file).read_text("utf-8"), file).rules
    return {rule.name: (rule.action, rule.condition, rule.manual) for rule in found}


def refusal(folder: Path, **options) -> list[str]:
    """Where and what, of each fault; nothing has changed."""
    before = outputs(folder)
    with pytest.raises(InputFaults) as raised:
        convert(folder, **SPARK | options)
    assert outputs(folder) == before
    return [f"{f.file}, {f.place}: {f.found}" for f in raised.value.faults]


# What is written ----------------------------------------------------------------------------------


def test_the_ledger_knows_every_file_by_its_bytes(folder):
    written = outputs(folder)
    known = {output["file"]: output for output in ledger(folder)["outputs"]}
    assert known.keys() == written.keys() - {"ledger.json"}
    for file, output in known.items():
        assert output["sha256"] == hashlib.sha256(written[file]).hexdigest()
        if file.endswith(".py"):
            assert output["body_sha256"] == body_sha256(written[file].decode("utf-8"), file)
        else:
            assert "body_sha256" not in output


def test_the_conversion_tells_what_it_wrote(folder):
    done = convert(folder, **SPARK)
    assert set(done.written) == outputs(folder).keys()
    assert {m.stem for m in done.modules} == {"orders", "lines"}


STEPS = [
    "look_before", "_last_ledger", "read_sources", "read_schemas", "plan", "refuse_unused_actions",
    "open_proofs", "module_text", "body_sha256", "rendered_view", "ledger_text",
    "refuse_overwriting",
    "stale_outputs", "write_all",
]  # fmt: skip


def broken(*_, **__):
    raise ZeroDivisionError


@pytest.mark.parametrize("step", STEPS)
def test_a_failure_in_any_step_changes_no_file(folder, monkeypatch, step):
    before = outputs(folder)
    write(folder, {"suites/orders.json": suite("orders", present("rate"))})
    (folder / "suites/lines.json").unlink()  # its module would be removed
    monkeypatch.setattr(conversion, step, broken)
    with pytest.raises(ZeroDivisionError):
        convert(folder, force=True, **SPARK) if step != "refuse_overwriting" else convert(folder)
    assert outputs(folder) == before


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("count", range(1, 5))
@pytest.mark.parametrize("call", ["write_bytes", "copy2", "replace", "unlink"])
def test_a_failure_while_files_are_moved_changes_no_file(folder, monkeypatch, call, count, error):
    before = outputs(folder)
    write(folder, {"suites/new.json": suite("a_new", present("new"))})  # a file more
    (folder / "suites/lines.json").unlink()  # and one less
    fail_at(monkeypatch, shutil if call == "copy2" else Path, call, count, error)
    try:
        convert(folder, **SPARK)
    except error:
        assert outputs(folder) == before
    else:  # there were not so many calls
        assert count > (1 if call == "unlink" else 3)
        assert "lines_expectations.py" not in outputs(folder)


def fail_at(monkeypatch, owner, call, count, error) -> None:
    """The count-th call fails; of a copy, after half of it was written."""
    real, calls = getattr(owner, call), []

    def failing(*args, **kwargs):
        calls.append(args)
        if len(calls) != count:
            return real(*args, **kwargs)
        if call == "copy2":
            Path(args[1]).write_bytes(b"half")
        raise error

    monkeypatch.setattr(owner, call, failing)


def test_a_first_run_that_fails_leaves_no_file(tmp_path, monkeypatch):
    write(tmp_path, {"suites/orders.json": suite("orders", present("x"))})
    fail_at(monkeypatch, Path, "replace", 2, InterruptedError)
    with pytest.raises(InterruptedError):
        convert(tmp_path)
    assert list((tmp_path / "expectations").iterdir()) == []


def test_a_folder_in_place_of_a_file_is_not_touched(folder):
    report = folder / "expectations/gap_report.md"
    report.unlink()
    write(report, {"notes.txt": "mine"})
    write(folder, {"suites/orders.json": suite("orders", present("new"))})
    before = outputs(folder)
    with pytest.raises(IsADirectoryError):
        convert(folder, force=True, **SPARK)
    assert outputs(folder) == before
    assert refusal(folder) == [
        "expectations/gap_report.md, None: a file that ruleferry did not write"
    ]


def test_faults_of_the_sources_change_no_file(folder):
    write(folder, {"suites/a.json": "{", "suites/b.json": "["})
    told = refusal(folder)
    assert len(told) == 2


# What was edited ----------------------------------------------------------------------------------

PRICE = '"price_range": "price IS NULL OR price >= 0",'
LINE = "    " + PRICE


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ([(PRICE, PRICE.replace("0", "1"))], ", line 26: a change of price_range"),
        ([(LINE + "\n", "")], ", None: that price_range was removed"),
        (
            [(LINE + "\n", ""), ("RULES_DROP = {}", f"RULES_DROP = {{\n{LINE}\n}}")],
            ", line 20: a change of price_range",
        ),
        ([("RULES_FAIL = {}", 'RULES_FAIL = {"my": "TRUE"}')], ", line 16: a rule of its own, my"),
        (
            [('SOURCE_TABLE = "orders"', 'SOURCE_TABLE = "mine"')],
            ", SOURCE_TABLE: the SOURCE_TABLE mine",
        ),
        (
            [("RULES_FAIL = {}", "LOW = 1\nRULES_FAIL = {}")],
            ", line 16: a line of its own: LOW = 1",
        ),
        ([(LINE, f"    # Anna says so\n{LINE}")], ", line 26: a line of its own: # Anna says so"),
        ([("written by ruleferry.", "written by me.")], ", line 1: a line of its own: "),
        ([('comment="All rows;', 'comment="Rows;')], ", None: a change below the rules"),
        ([(LINE, LINE + "  # Anna")], ", None: a change of its text"),
    ],
)
def test_an_edited_module_is_refused_and_the_edit_told(folder, changes, told):
    edit(folder, *changes)
    (fault,) = refusal(folder)
    assert fault.startswith(MODULE + told)


def test_all_edits_of_all_files_are_told_with_the_ways_out(folder):
    edit(folder, (PRICE, PRICE.replace("0", "1")), ("RULES_DROP = {}", 'RULES_DROP = {"a": "b"}'))
    edit(folder, ('"l_id_present', '"id_present'), file="expectations/lines_expectations.py")
    (folder / "expectations/gap_report.md").write_text("mine")
    told = refusal(folder)
    assert len(told) == 5
    with pytest.raises(InputFaults, match=r"ruleferry\.toml.*# manual: reason.*--force"):
        convert(folder, **SPARK)


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe", b"caf\xe9", b"", b"def (", b"RULES_DROP = 1\n", b"\0"],
)
@pytest.mark.parametrize("file", [MODULE, "expectations/gap_report.md"])
def test_what_is_no_module_any_more_is_refused(folder, file, content):
    write(folder, {file: content})
    (fault,) = {told.partition(",")[0] for told in refusal(folder)}
    assert fault == file


@pytest.mark.parametrize("content", ["def (", "# manual: x\ndef (", b"# \xe9"])
def test_two_modules_that_can_not_be_read_are_both_told(folder, content):
    for file in (MODULE, "expectations/lines_expectations.py"):
        write(folder, {file: content})
    assert len({told.partition(",")[0] for told in refusal(folder)}) == 2


def test_force_does_not_lose_a_mark_that_can_not_be_read(folder):
    write(folder, {MODULE: "# manual: x\ndef ("})
    assert refusal(folder, force=True)


def test_a_removed_rule_of_any_dataset_is_told(folder):
    config = (folder / "ruleferry.toml").read_text()
    write(folder, {"ruleferry.toml": config + "[actions]\ndefault = 'fail'\n"})
    convert(folder, **SPARK)
    edit(folder, (LINE + "\n", ""))
    assert refusal(folder) == [f"{MODULE}, None: that price_range was removed"]


def test_what_was_deleted_is_written_again(folder):
    before = outputs(folder)
    (folder / MODULE).unlink()
    (folder / "expectations/gap_report.md").unlink()
    convert(folder, **SPARK)
    assert outputs(folder) == before


def test_a_folder_in_place_of_the_ledger_is_refused(folder):
    (folder / "expectations/ledger.json").unlink()
    write(folder, {"expectations/ledger.json/mine": ""})
    told = refusal(folder)
    assert "expectations/ledger.json, None: a file that ruleferry did not write" in told


def test_a_file_that_is_not_ours_is_refused(tmp_path):
    write(
        tmp_path,
        {
            "suites/orders.json": suite("orders", present("x")),
            MODULE: "mine",
            "expectations/a": "b",
        },
    )
    assert refusal(tmp_path) == [f"{MODULE}, None: a file that ruleferry did not write"]
    convert(tmp_path, force=True)
    assert rules(tmp_path).keys() == {"x_present"}
    assert outputs(tmp_path)["a"] == b"b"


def test_force_overwrites(folder):
    before = outputs(folder)
    edit(folder, (PRICE, PRICE.replace("0", "1")))
    (folder / "expectations/gap_report.md").write_bytes(b"\xff")
    convert(folder, force=True, **SPARK)
    assert outputs(folder) == before


def test_other_ends_of_lines_are_no_edit(folder):
    before = outputs(folder)
    for file, data in before.items():
        write(folder, {f"expectations/{file}": data.replace(b"\n", b"\r\n")})
    convert(folder, **SPARK)
    assert outputs(folder) == before


def test_a_broken_ledger_is_told(folder):
    write(folder, {"expectations/ledger.json": "{"})
    (told,) = refusal(folder)
    assert told.startswith("expectations/ledger.json, ")


# What is kept by hand -----------------------------------------------------------------------------

BY_HAND = f"    # manual: Anna knows\n{LINE.replace('0', '10')}"


@pytest.fixture
def kept(folder) -> Path:
    edit(folder, (LINE, BY_HAND))
    convert(folder, **SPARK)
    return folder


MANUAL = ("warn", "price IS NULL OR price >= 10", "Anna knows")


def test_a_manual_rule_is_kept_by_every_later_conversion(kept):
    assert rules(kept)["price_range"] == MANUAL
    assert set(rules(kept)) == {"o_id_present", "price_range", "rate_range"}
    before = outputs(kept)
    convert(kept, **SPARK)
    assert outputs(kept) == before
    write(kept, {"suites/lines.json": suite("lines", present("other"))})
    convert(kept, **SPARK)
    assert rules(kept)["price_range"] == MANUAL


def test_the_ledger_says_what_is_kept_by_hand(kept):
    entry = entries(kept)["price_range"]
    assert (entry["condition"], entry["action"], entry["grade"]) == (
        "price IS NULL OR price >= 10",
        "warn",
        "assumed",
    )
    assert entry["because"] == {
        "by": "decision",
        "detail": "kept by hand in the module: Anna knows",
    }
    assert entry["caveats"][-1]["code"] == "kept_by_hand"
    convert(kept, **SPARK)
    assert len(entries(kept)["price_range"]["caveats"]) == len(entry["caveats"])


def test_without_the_mark_the_source_holds_again(kept):
    edit(kept, ("    # manual: Anna knows\n", ""))
    convert(kept, **SPARK)
    assert rules(kept)["price_range"] == ("warn", "price IS NULL OR price >= 0", None)


@pytest.mark.parametrize(("action", "dataset"), [("FAIL", "checked"), ("DROP", "clean")])
def test_a_rule_moved_by_hand_has_the_action_of_its_place(folder, action, dataset):
    moved = f"RULES_{action} = {{\n{BY_HAND}\n}}"
    edit(folder, (LINE + "\n", ""), (f"RULES_{action} = {{}}", moved))
    done = convert(folder, **SPARK)
    entry = entries(folder)["price_range"]
    assert (entry["action"], entry["dataset"]) == (action.lower(), f"orders_{dataset}")
    assert rules(folder)["price_range"][0] == action.lower()
    (orders,) = (m for m in done.modules if m.stem == "orders")
    assert {r.action for r in orders.rules if r.name == "price_range"} == {action.lower()}


def test_a_rule_of_ones_own_is_kept(folder):
    own = 'RULES_DROP = {\n    # manual: only here\n    "own": "o_id > 5",\n}'
    edit(folder, ("RULES_DROP = {}", own))
    for _ in range(2):
        convert(folder, **SPARK)
        assert rules(folder)["own"] == ("drop", "o_id > 5", "only here")
    assert "own" not in entries(folder)


def test_a_kept_rule_whose_source_is_gone_stays(kept):
    write(kept, {"suites/orders.json": suite("orders", present("o_id"))})
    convert(kept, **SPARK)
    assert rules(kept) == {
        "o_id_present": ("warn", "o_id IS NOT NULL", None),
        "price_range": MANUAL,
    }


def test_a_kept_rule_follows_its_rule_to_another_name_and_id(kept):
    """A second rule of that name comes: both names end in digits, and both ids change."""
    more = suite("orders", present("o_id"), between("price", 1), between("price", 0))
    write(kept, {"suites/orders.json": more})
    convert(kept, **SPARK)
    check_that_it_followed(kept)


def test_a_rule_marked_just_now_follows_as_well(folder):
    edit(folder, (LINE, BY_HAND))
    more = suite("orders", present("o_id"), between("price", 1), between("price", 0))
    write(folder, {"suites/orders.json": more})
    # Its neighbour went with the source, and is no edit.
    convert(folder, **SPARK)
    check_that_it_followed(folder)


def check_that_it_followed(kept: Path) -> None:
    prices = {name: found for name, found in rules(kept).items() if "price" in name}
    assert all(name.startswith("price_range_") for name in prices)
    assert sorted(prices.values()) == [("warn", "price IS NULL OR price >= 1", None), MANUAL]
    assert entries(kept)[next(n for n, r in prices.items() if r == MANUAL)]["origin"]["place"] == (
        "expectations[2]"
    )


def test_a_kept_rule_follows_its_table_to_another_module(kept):
    write(kept, {"ruleferry.toml": "[tables.orders]\nmodule = 'sales'\nschema = 'schema.sql'\n"})
    done = convert(kept, **SPARK)
    assert rules(kept, "expectations/sales_expectations.py")["price_range"] == MANUAL
    assert "orders_expectations.py" not in outputs(kept)
    assert "orders_expectations.py: removed, since no rules go there any more" in done.notices


@pytest.mark.parametrize("old", [MODULE])
def test_a_module_that_holds_a_kept_rule_is_not_removed(kept, old):
    (kept / "suites/orders.json").unlink()
    done = convert(kept, **SPARK)
    assert rules(kept, old)["price_range"] == MANUAL
    assert any("was edited by hand, so it was left" in notice for notice in done.notices)


def test_force_keeps_what_is_marked(kept):
    edit(kept, ("rate BETWEEN 0 AND 1", "rate BETWEEN 0 AND 2"))
    convert(kept, force=True, **SPARK)
    assert rules(kept)["price_range"] == MANUAL
    assert rules(kept)["rate_range"][1] == "rate IS NULL OR rate BETWEEN 0 AND 1"


def test_without_a_ledger_what_is_marked_is_kept_all_the_same(kept):
    (kept / "expectations/ledger.json").unlink()
    assert {t.partition(":")[2] for t in refusal(kept)} == {" a file that ruleferry did not write"}
    convert(kept, force=True, **SPARK)
    assert rules(kept)["price_range"] == MANUAL


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (('SOURCE_TABLE = "orders"', 'SOURCE_TABLE = "mine"'), "the SOURCE_TABLE mine"),
        (("rate BETWEEN 0 AND 1", "rate BETWEEN 0 AND 2"), "a change of rate_range"),
        (("RULES_FAIL = {}", "LOW = 1\nRULES_FAIL = {}"), "a line of its own: LOW = 1"),
        (('"rate_range"', '# note\n    "rate_range"'), "a line of its own: # note"),
        (('comment="All rows;', 'comment="Rows;'), "a change below the rules"),
    ],
)
def test_a_mark_on_one_rule_is_no_leave_to_lose_another_edit(folder, change, told):
    edit(folder, (LINE, BY_HAND), change)
    (fault,) = refusal(folder)
    assert fault.endswith(told)


def test_a_mark_beside_lowered_actions_is_no_edit_of_theirs(folder):
    """The ledger has `drop`, the module `warn`, and nobody touched it."""
    config = (folder / "ruleferry.toml").read_text()
    write(folder, {"ruleferry.toml": config + "[actions]\ndefault = 'drop'\n"})
    convert(folder, max_action="warn", **SPARK)
    edit(folder, (LINE, BY_HAND))
    convert(folder, max_action="warn", **SPARK)
    assert rules(folder)["price_range"] == MANUAL
    assert entries(folder)["rate_range"]["action"] == "drop"


CLOCK = "CAST(checked_at AS DATE)"


@pytest.fixture
def timed(folder) -> Path:
    """A drop rule that reads the clock: the module has a column for it, the ledger has not."""
    config = (folder / "ruleferry.toml").read_text()
    write(
        folder,
        {
            "ruleferry.toml": config + "[actions]\ndefault = 'drop'\n",
            "suites/orders.json": suite("orders", no_rows("day > current_date()"), present("o_id")),
        },
    )
    convert(folder, **SPARK)
    assert CLOCK in (folder / MODULE).read_text()
    return folder


def test_a_mark_beside_a_rule_of_the_clock_is_no_edit_of_it(timed):
    edit(timed, ('    "o_id_present"', '    # manual: so\n    "o_id_present"'))
    convert(timed, **SPARK)
    assert rules(timed)["o_id_present"][2] == "so"


def test_a_kept_rule_of_the_clock_still_has_its_column(timed):
    edit(timed, ('    "rule"', '    # manual: so\n    "rule"'))
    for _ in range(2):
        convert(timed, **SPARK)
        text = (timed / MODULE).read_text()
        assert CLOCK in text
        assert "current_timestamp() AS checked_at" in text
        assert rules(timed)["rule"][2] == "so"


# What no source states any more -------------------------------------------------------------------


def test_a_module_without_rules_is_removed(folder):
    (folder / "suites/lines.json").unlink()
    done = convert(folder, **SPARK)
    assert "lines_expectations.py" not in outputs(folder)
    assert done.notices == ("lines_expectations.py: removed, since no rules go there any more",)
    assert all(o["file"] != "lines_expectations.py" for o in ledger(folder)["outputs"])


def test_a_module_without_rules_that_was_edited_is_left_and_named(folder):
    edit(folder, ('"l_id_present', '"id_present'), file="expectations/lines_expectations.py")
    (folder / "suites/lines.json").unlink()
    before = outputs(folder)["lines_expectations.py"]
    done = convert(folder, **SPARK)
    assert outputs(folder)["lines_expectations.py"] == before
    assert done.notices == (
        "lines_expectations.py: no rules go there any more; it was edited by hand, so it was left",
    )
    assert convert(folder, **SPARK).notices == ()  # it is the person's own from now on


def test_a_module_without_rules_that_was_deleted_is_not_missed(folder):
    (folder / "suites/lines.json").unlink()
    (folder / "expectations/lines_expectations.py").unlink()
    assert convert(folder, **SPARK).notices == ()


def test_a_ledger_that_was_tampered_with_removes_nothing_elsewhere(folder):
    write(folder, {"precious.txt": "mine"})
    book = ledger(folder)
    book["outputs"].append(
        {"file": "../precious.txt", "sha256": hashlib.sha256(b"mine").hexdigest()}
    )
    write(folder, {"expectations/ledger.json": book})
    assert not any("removed" in notice for notice in convert(folder, **SPARK).notices)
    assert (folder / "precious.txt").read_text() == "mine"
