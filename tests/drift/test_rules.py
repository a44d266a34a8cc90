"""Whose change it is, and what it is: rules of a suite and of its module, one change at a time."""

import json

import pytest
from parted import (
    CONFIG,
    LEDGER,
    MODULE,
    RULES,
    SCHEMA,
    converted,
    edit,
    faults,
    found,
    look,
    share,
    state,
)
from suites import between, convert, present, values, write

N = '"n IS NULL OR n BETWEEN 0 AND 100"'
S = "\"s IS NULL OR s IN ('a', 'b')\""
WIDER, NARROWER = between("n", 0, 200), between("n", 0, 50)
THREE = values("be_in_set", "s", value_set=["c", "b", "a"])


def test_in_sync(tmp_path):
    folder = converted(tmp_path)
    assert found(folder) == []
    assert look(folder).rules == {MODULE: 6}


# The sources --------------------------------------------------------------------------------------

SOURCE = {
    "a wider range": ({"n_range": WIDER}, [("loosened", "source", "loosened", "n_range")]),
    "a narrower range": ({"n_range": NARROWER}, [("tightened", "source", "changed", "n_range")]),
    "a range that is moved": (
        {"n_range": between("n", 50, 150)},
        [("changed", "source", "changed", "n_range")],
    ),
    "a longer list": ({"s_allowed": THREE}, [("loosened", "source", "loosened", "s_allowed")]),
    "a shorter list": (
        {"s_allowed": values("be_in_set", "s", value_set=["a"])},
        [("tightened", "source", "changed", "s_allowed")],
    ),
    "a rule that is gone": ({"s_present": None}, [("removed", "source", "removed", "s_present")]),
    "a rule that is new": ({"new": present("n")}, [("added", "source", "any", "n_present")]),
    "a rule that nobody understands": (
        {"s_present": values("be_in_harmony", "s")},
        [("gap_opened", "source", "removed", "s_present")],
    ),
    "a new rule that nobody understands": (
        {"new": values("be_in_harmony", "s")},
        [("gap_opened", "source", "any", "s_rule")],
    ),
    "a share": (
        {"share": share(9, 0.8)},
        [("loosened", "source", "loosened", "n_share")],
    ),
    "what the share is of": (
        {
            "share": {
                **between("n", 5, 8),
                "kwargs": {**between("n", 5, 8)["kwargs"], "mostly": 0.9},
            }
        },
        [("validation_changed", "source", "changed", "n_share")],
    ),
    "the same rule a second time, which merges": (
        {"new": {**RULES["s_present"], "id": "another"}},
        [("added", "source", "any", "s_present")],
    ),
    "another column": (
        {"u_unique": values("be_unique", "more")},
        [
            ("removed", "source", "removed", "u_unique"),
            ("added", "source", "any", "more_unique"),
        ],
    ),
}


@pytest.mark.parametrize(("rules", "told"), SOURCE.values(), ids=SOURCE)
def test_changes_in_the_source(rules, told, tmp_path):
    folder = converted(tmp_path)
    state(folder, **rules)
    assert found(folder) == told
    convert(folder)
    assert found(folder) == []


def same(folder):
    path = folder / "suites/t.json"
    path.write_text(json.dumps(json.loads(path.read_text()), indent=4, sort_keys=True))


SILENT = {
    "written with other spaces": same,
    "in another order": lambda folder: state(folder, **dict(reversed(RULES.items()))),
    "whole numbers as fractions": lambda folder: state(folder, n_range=between("n", 0.0, 100.0)),
    "a list in another order": lambda folder: state(
        folder, s_allowed=values("be_in_set", "s", value_set=["b", "a", "b"])
    ),
    "notes": lambda folder: state(folder, s_present={**present("s"), "meta": {"notes": "why"}}),
}


@pytest.mark.parametrize("change", SILENT.values(), ids=SILENT)
def test_no_change_in_the_source(change, tmp_path):
    folder = converted(tmp_path)
    change(folder)
    assert found(folder) == []


def test_a_column_under_another_name(tmp_path):
    """The schema has it no more; then what is said of it is said of the new one."""
    folder = converted(tmp_path)
    state(folder, u_unique=values("be_unique", "v"))
    write(folder, {"schema.csv": SCHEMA.replace("t,u,", "t,v,")})
    assert found(folder) == [("renamed_column", "source", "changed", "u_unique")]


# The module ---------------------------------------------------------------------------------------

HAND = {
    "a wider range": (
        [("BETWEEN 0 AND 100", "BETWEEN 0 AND 200")],
        [("loosened", "hand", "loosened", "n_range")],
    ),
    "a narrower range": (
        [("BETWEEN 0 AND 100", "BETWEEN 1 AND 100")],
        [("tightened", "hand", "changed", "n_range")],
    ),
    "NULL fails": (
        [("s IS NULL OR s IN ('a', 'b')", "s IS NOT NULL AND s IN ('a', 'b')")],
        [("tightened", "hand", "changed", "s_allowed")],
    ),
    "another column": (
        [("s IS NULL OR s IN ('a', 'b')", "d IS NULL OR d IN ('a', 'b')")],
        [("changed", "hand", "changed", "s_allowed")],
    ),
    "no SQL": (
        [("s IS NULL OR s IN ('a', 'b')", "s is surely fine")],
        [("changed", "hand", "changed", "s_allowed")],
    ),
    "a rule of one's own": (
        [('"s_present":', '"own": "n > 3",\n    "s_present":')],
        [("added", "hand", "any", "own")],
    ),
    "a rule that was taken out": (
        [('    "s_present": "s IS NOT NULL",\n', "")],
        [("removed", "hand", "removed", "s_present")],
    ),
    "another name": (
        [('"s_present":', '"has_an_s":')],
        [("name_changed", "hand", "any", "has_an_s")],
    ),
    "a weaker action": (
        [(f'    "n_range": {N},\n', ""), ('"s_present":', f'"n_range": {N},\n    "s_present":')],
        [("action_changed", "hand", "loosened", "n_range")],
    ),
    "a stricter action": (
        [
            ('    "s_present": "s IS NOT NULL",\n', ""),
            ('"n_range":', '"s_present": "s IS NOT NULL",\n    "n_range":'),
        ],
        [("action_changed", "hand", "changed", "s_present")],
    ),
    "a flag": (
        [("PARTITION BY u", "PARTITION BY u, n")],
        [("changed", "hand", "changed", "u_unique")],
    ),
    "a flag that is gone": (
        [('    "u_unique_copies": "count(*) OVER (PARTITION BY u)",\n', "")],
        [("changed", "hand", "changed", "u_unique")],
    ),
    "a flag that no rule needs": (
        [("FLAGS = {\n", 'FLAGS = {\n    "own": "n + 1",\n')],
        [("edited_outside", "hand", "changed", "own")],
    ),
    "a figure": (
        [("BETWEEN 5 AND 9", "BETWEEN 4 AND 9")],
        [("validation_changed", "hand", "changed", "n_share")],
    ),
    "a share": ([(">= 0.9", ">= 0.8")], [("loosened", "hand", "loosened", "n_share")]),
    "the table": (
        [('SOURCE_TABLE = "t"', 'SOURCE_TABLE = "other"')],
        [("table_changed", "hand", "changed", "SOURCE_TABLE")],
    ),
    "what follows the block": (
        [("def _passes(condition):\n", "def _passes(condition):\n    return 'true'\n")],
        [("edited_outside", "hand", "changed", "")],
    ),
    "what stands above the block": (
        [("from pyspark import pipelines as dp", "from mine import pipelines as dp")],
        [("edited_outside", "hand", "changed", "")],
    ),
    "a statement in the block": (
        [("# A row that breaks one of these is kept", "print(1)\n# A row that")],
        [("edited_outside", "hand", "changed", "")],
    ),
}


@pytest.mark.parametrize(("edits", "told"), HAND.values(), ids=HAND)
def test_edits_by_hand(edits, told, tmp_path):
    folder = converted(tmp_path)
    edit(folder, *edits)
    assert found(folder) == told


SAME = {
    "a list in another order": [("IN ('a', 'b')", "IN ('b', 'a')")],
    "BETWEEN as two comparisons": [("n BETWEEN 0 AND 100", "(n >= 0 AND 100 >= `n`)")],
    "whole numbers": [("n BETWEEN 0 AND 100", "n > -1 AND n < 101")],
    "operands in another order": [(S, "\"s IN ('a', 'b') OR s IS NULL\"")],
    "a text in parts": [(S, "(\n        \"s IS NULL \"\n        \"OR s IN ('a', 'b')\"\n    )")],
    "a comment": [('"s_present":', '# asked for by Ann\n    "s_present":')],
    "the comment with the id taken out": [],
}


@pytest.mark.parametrize("edits", SAME.values(), ids=SAME)
def test_the_same_in_other_words(edits, tmp_path):
    folder = converted(tmp_path)
    edit(folder, *edits)
    if not edits:
        path = folder / MODULE
        lines = [x for x in path.read_text().splitlines(True) if not x.startswith("    # [")]
        path.write_text("".join(lines))
    assert found(folder) == []


def test_a_mark_accepts_a_difference_and_is_listed(tmp_path):
    folder = converted(tmp_path)
    edit(
        folder,
        ("BETWEEN 0 AND 100", "BETWEEN 0 AND 200"),
        ('"n_range":', '# manual: as agreed\n    "n_range":'),
        ('"s_present":', '# manual: mine\n    "own": "n > 3",\n    "s_present":'),
    )
    drift = look(folder)
    assert drift.differences == ()
    told = [(a.how, a.rule, a.reason) for a in drift.accepted]
    assert told == [("manual", "n_range", "as agreed"), ("manual", "own", "mine")]
    convert(folder)
    assert [a.rule for a in look(folder).accepted] == ["n_range", "own"]
    assert found(folder) == []
    edit(folder, ("    # manual: as agreed\n", ""))  # what it accepted is a difference again
    assert found(folder) == [("loosened", "hand", "loosened", "n_range")]


# Both ---------------------------------------------------------------------------------------------


def test_both_changed(tmp_path):
    folder = converted(tmp_path)
    state(folder, n_range=WIDER)
    edit(folder, ("BETWEEN 0 AND 100", "BETWEEN 0 AND 50"))
    assert found(folder) == [("tightened", "both", "loosened", "n_range")]
    (difference,) = look(folder).differences
    assert difference.last_said.condition == "n IS NULL OR n BETWEEN 0 AND 100"
    assert difference.source_says.condition == "n IS NULL OR n BETWEEN 0 AND 200"
    assert difference.module_says.condition == "n IS NULL OR n BETWEEN 0 AND 50"


def test_both_changed_to_the_same(tmp_path):
    folder = converted(tmp_path)
    state(folder, n_range=WIDER)
    edit(folder, ("BETWEEN 0 AND 100", "BETWEEN 0 AND 200"))
    assert found(folder) == []


def test_the_source_says_the_same_in_other_words_and_the_module_another_thing(tmp_path):
    folder = converted(tmp_path)
    state(folder, n_range=between("n", 0.0, 100.0))
    edit(folder, ("BETWEEN 0 AND 100", "BETWEEN 0 AND 50"))
    assert found(folder) == [("tightened", "hand", "changed", "n_range")]


def test_the_module_says_the_same_in_other_words_and_the_source_another_thing(tmp_path):
    folder = converted(tmp_path)
    state(folder, n_range=WIDER)
    edit(folder, ("n BETWEEN 0 AND 100", "n >= 0 AND n <= 100"))
    assert found(folder) == [("loosened", "source", "loosened", "n_range")]


def test_the_source_changes_under_a_mark(tmp_path):
    folder = converted(tmp_path)
    edit(folder, ("BETWEEN 0 AND 100", "BETWEEN 0 AND 200"))
    edit(folder, ('"n_range":', '# manual: as agreed\n    "n_range":'))
    state(folder, n_range=NARROWER)
    (difference,) = look(folder).differences
    assert (difference.change, difference.side) == ("loosened", "both")
    assert "kept by hand (as agreed)" in difference.detail


def test_taken_out_on_both_sides(tmp_path):
    folder = converted(tmp_path)
    edit(folder, ('    "s_present": "s IS NOT NULL",\n', ""))
    state(folder, s_present=None)
    assert found(folder) == []


# Settings and the tool ----------------------------------------------------------------------------


def test_settings(tmp_path):
    folder = converted(tmp_path)
    write(folder, {"ruleferry.toml": CONFIG.replace('"drop"', '"fail"')})
    assert found(folder) == [("action_changed", "settings", "changed", "n_range")]
    (difference,) = look(folder).differences
    assert "ruleferry.toml changed" in difference.detail


def test_a_limit_of_actions_is_a_setting(tmp_path):
    folder = converted(tmp_path)
    (difference,) = look(folder, max_action="warn").differences
    assert (difference.change, difference.side) == ("action_changed", "settings")
    assert "options" in difference.detail


def test_another_version_is_nobodys_change(tmp_path):
    folder = converted(tmp_path)
    ledger = json.loads((folder / LEDGER).read_text())
    ledger["tool"] = "ruleferry 0.0.1"
    (folder / LEDGER).write_text(json.dumps(ledger))
    assert found(folder) == []
    edit(folder, ("BETWEEN 0 AND 100", "BETWEEN 0 AND 99"))
    pretend_untouched(folder, ledger, "BETWEEN 0 AND 99")
    assert found(folder) == [("loosened", "tool", "loosened", "n_range")]


def pretend_untouched(folder, ledger, condition):
    """As if that version had written the module so."""
    from ruleferry.converters.outputs import digest

    for output in ledger["outputs"]:
        if output["file"].endswith(".py"):
            output["sha256"] = digest((folder / MODULE).read_bytes())
    for entry in ledger["entries"]:
        if entry["name"] == "n_range":
            entry["condition"] = f"n IS NULL OR n {condition}"
    (folder / LEDGER).write_text(json.dumps(ledger))


# What can't be told -------------------------------------------------------------------------------

CANT = {
    "no ledger": (
        lambda f: (f / LEDGER).unlink(),
        "ledger.json: found no such",
    ),
    "no module": (lambda f: (f / MODULE).unlink(), f"{MODULE}: found no such file"),
    "no suite": (lambda f: (f / "suites/t.json").unlink(), 'no file under "suites/**"'),
    "an empty suite": (lambda f: write(f, {"suites/t.json": ""}), "suites/t.json"),
    "no rules in the suite": (
        lambda f: write(f, {"suites/t.json": {"name": "t", "expectations": [], "meta": {}}}),
        "found nothing that states a rule",
    ),
    "no Python": (lambda f: (f / MODULE).write_text("this is {"), "not Python"),
    "a computed dictionary": (
        lambda f: edit(f, ("RULES_DROP = {", "RULES_DROP = dict() or {")),
        "RULES_DROP computed",
    ),
    "a dictionary that is changed later on": (
        lambda f: edit(f, ("\nRULES_WARN = {", "\nRULES_DROP.clear()\nRULES_WARN = {")),
        "another statement about RULES_DROP",
    ),
    "a ledger of another version": (
        lambda f: edit(f, ('"version": 1', '"version": 9'), file=LEDGER),
        LEDGER,
    ),
    "half a ledger": (
        lambda f: (f / LEDGER).write_text((f / LEDGER).read_text()[:999]),
        LEDGER,
    ),
}


@pytest.mark.parametrize(("act", "told"), CANT.values(), ids=CANT)
def test_what_cant_be_told(act, told, tmp_path):
    folder = converted(tmp_path)
    act(folder)
    assert told in faults(folder)


def test_a_source_that_is_left_out(tmp_path):
    folder = converted(tmp_path)
    write(folder, {"suites/more.json": {"name": "more", "expectations": [present("more")]}})
    convert(folder)
    assert found(folder) == []
    assert "suites/more.json: found a source that is not read now" in faults(
        folder, lambda f: look(f, "suites/t.json")
    )


def test_all_faults_at_once(tmp_path):
    folder = converted(tmp_path)
    (folder / MODULE).unlink()
    write(folder, {"suites/t.json": "{"})
    told = faults(folder)
    assert MODULE in told
    assert "suites/t.json" in told


def test_a_module_that_is_not_ours(tmp_path):
    folder = converted(tmp_path)
    write(folder, {"suites/new.json": {"name": "new", "expectations": [present("x")]}})
    config = CONFIG.replace('table = "t"', "")
    write(folder, {"ruleferry.toml": config, "expectations/new_expectations.py": "x = 1\n"})
    assert "new_expectations.py: found a file that is not in the last ledger" in faults(folder)


def test_nothing_is_written(tmp_path):
    folder = converted(tmp_path)
    state(folder, n_range=WIDER)
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert look(folder) == look(folder)
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
