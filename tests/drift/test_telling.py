"""What is said of a difference: whose part is whose, what happened, and a way out that helps."""

import json
from dataclasses import replace

import pytest
from cells import change_cells
from made_decisions import decided
from modules import ModuleText, written
from trial import Converted, after_cells, after_text, drift, restored

from ruleferry.converters.config import Config, Source, load_config
from ruleferry.converters.conversion import convert
from ruleferry.converters.decided import Decisions
from ruleferry.converters.decisions_file import decisions_text
from ruleferry.converters.drift.request import compared
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.options import Options, with_options
from ruleferry.converters.reports.drift.shown import agreement, headline
from ruleferry.converters.reports.ledger_reader import open_ledger
from ruleferry.converters.writers.rules_module import BLOCK_END

SCRIPT = "checks/nightly.sql"
CLERK = "o_clerk IS NULL OR length(o_clerk) <= {}"


def edited(made: Converted, name: str, change, cells=()):
    """What is told once `change` did something with the rule's entry, and cells say otherwise."""
    (path,) = made.modules
    with restored(path):
        module = ModuleText.of(path.read_text(encoding="utf-8"))
        holders = {d.name: d for d in module.dictionaries().values()}
        (holder,) = [d for d in holders.values() if any(i.name == name for i in d.items)]
        change(holders, holder, next(item for item in holder.items if item.name == name))
        path.write_text(str(module), encoding="utf-8")
        return after_cells(made, dict(cells)).differences


def take_out(holders, holder, item):
    holder.items.remove(item)


def to_drop(holders, holder, item):
    holder.items.remove(item)
    holders["RULES_DROP"].items.append(item)


def says(condition):
    def change(holders, holder, item):
        item.lines = written(item.name, condition)

    return change


# Whose part is whose ------------------------------------------------------------------------------


def test_the_source_changed_the_condition_and_a_person_the_action(orders):
    told = edited(orders, "o_orderkey_range", to_drop, {"Fields!H4": "5"})
    assert [(one.change, one.side, one.level) for one in told] == [
        ("action_changed", "hand", "changed"),
        ("tightened", "source", "changed"),
    ]
    assert "the module does something else" in told[0].detail
    assert "fewer records pass than before" in told[1].detail


def test_the_settings_changed_the_action_and_a_person_the_condition(own):
    path = own.config.root / "ruleferry.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f'{text}"orders_raw.o_clerk_length" = "drop"\n', encoding="utf-8")
    now = replace(own, config=replace(load_config(None, own.config.root), reports=()))
    told = edited(now, "o_clerk_length", says(CLERK.format(14)))
    assert [(one.change, one.side) for one in told] == [
        ("action_changed", "settings"),
        ("tightened", "hand"),
    ]


def test_both_changed_the_condition(orders):
    (one,) = edited(orders, "o_clerk_length", says(CLERK.format(12)), {"Fields!E10": "20"})
    assert (one.change, one.side, one.level) == ("tightened", "both", "loosened")
    assert one.detail == (
        "the module lets fewer records pass than the sources do; dictionary.xlsx changed, and the "
        "module was edited; it counts as loosened, as either of them may win"
    )


# What happened ------------------------------------------------------------------------------------


def test_a_rule_taken_out_of_the_module_is_still_stated(orders):
    (alone,) = edited(orders, "o_clerk_length", take_out)
    assert alone.detail == "the rule was taken out of the module"
    (both,) = edited(orders, "o_clerk_length", take_out, {"Fields!E10": "20"})
    assert both.side == "both"
    assert both.detail.startswith("the rule was taken out of the module; dictionary.xlsx changed")
    for one in (alone, both):
        assert one.todo.startswith("Put it back")
        assert "# manual" not in one.todo  # there is no rule to mark


def test_one_of_two_statements_of_a_rule_is_gone(orders):
    """The script counts and deletes; without the DELETE a bad record only warns."""
    gone = r"DELETE FROM orders_raw WHERE o_orderpriority NOT SIMILAR TO '[1-5]-[A-Z ]+';"
    told = after_text(orders, orders.config.root / SCRIPT, gone, "").differences
    assert [(one.change, one.level) for one in told] == [
        ("action_changed", "loosened"),
        ("removed", "any"),
    ]
    assert "ord_05 stays, as checks/nightly.sql still states it" in told[1].detail
    assert "leaves the rule in the module" in told[1].todo


def test_one_source_lets_more_pass_and_the_others_do_not(orders):
    """After a conversion the old rule and the new one are tested: no check is looser."""
    texts = {"Fields!J6": "F = finished; O = open; P = in part; X = cancelled"}
    told = after_cells(orders, texts).differences
    (added,) = [one for one in told if one.source.place == "Fields!J6"]
    assert (added.change, added.level) == ("added", "any")
    assert added.source_says.condition.endswith("IN ('F', 'O', 'P', 'X')")
    assert "o_orderstatus_allowed stays, as" in added.detail
    assert "suites/orders.json" in added.detail
    assert all(one.change != "loosened" for one in told)


def test_a_cell_says_now_what_another_source_says_already(tmp_path):
    """The module tests both; nothing is to be written into it, and no rule of it is another."""
    path = tmp_path / "fields.csv"
    path.write_text("table,column,minimum\nt,a,5\nt,b,1\n", encoding="utf-8")
    (tmp_path / "s.sql").write_text("CREATE TABLE t (a INT, b INT);", encoding="utf-8")
    check = {"type": "expect_column_values_to_be_between"}
    bounds = [{**check, "kwargs": {"column": "a", "min_value": low}} for low in (5, 7)]
    suite = json.dumps({"name": "t", "expectations": bounds})
    (tmp_path / "suite.json").write_text(suite, encoding="utf-8")
    source = Source(path=("fields.csv", "suite.json"), table="t", engine="spark", schema=("s.sql",))
    config = Config(tmp_path, tmp_path, sources=(source,), reports=())
    convert(config)
    path.write_text("table,column,minimum\nt,a,7\nt,b,1\n", encoding="utf-8")
    told = drift(config)
    (one,) = told.differences
    assert (one.change, one.level) == ("added", "any")
    assert one.source.place == "C2"
    assert one.module_says.condition == one.source_says.condition == "a IS NULL OR a >= 7"
    assert "which stands for it" in one.detail
    assert one.todo.startswith("Run `ruleferry convert` to have it in the ledger, too")
    assert agreement(told).startswith("3 of 3 rules of 1 module agree")


def test_what_stands_in_the_place_of_a_rule(orders):
    (one,) = after_cells(orders, {"Fields!F5": "No"}).differences
    assert one.change == "removed"
    assert one.source_says.note == "“No”: the field need not hold a value"
    retired = after_cells(orders, {"Fields!M10": "Retired"}).differences
    assert {one.title for one in retired} == {
        "o_clerk has at most 15 characters",
        "o_clerk matches the pattern ^Clerk#",
    }
    assert all('its status is "Retired"' in one.source_says.note for one in retired)


def test_a_name_that_changed_tells_both_names(orders):
    def called(holders, holder, item):
        item.lines = written("clerks", item.text)

    (one,) = edited(orders, "o_clerk_length", called)
    assert one.change == "name_changed"
    assert "o_clerk_length in the sources, clerks in the module" in one.detail


def test_a_gap_that_was_no_rule_takes_nothing_out(orders):
    """A question that is new beside a rule that stays, and one in the place of a rule."""
    stays = after_cells(orders, {"Fields!L8": "is fine"}).differences
    opened = [one for one in stays if one.change == "gap_opened"]
    assert opened
    assert not any("takes the rule out" in one.todo for one in opened)
    (gone,) = after_cells(orders, {"Fields!L10": "is fine"}).differences
    assert "until then it takes the rule out of the module" in gone.todo


def test_a_column_that_the_schema_lacks(orders):
    told = after_cells(orders, {"Fields!B10": "o_clerk_name"}).differences
    opened = [one for one in told if one.change == "gap_opened"]
    assert len(opened) == 2
    assert all("the schema that lacks it" in one.todo for one in opened)


def test_what_is_below_the_block_says_where_that_begins(orders):
    (path,) = orders.modules
    end = path.read_text(encoding="utf-8").split("\n").index(BLOCK_END) + 1
    with restored(path):
        path.write_text(path.read_text(encoding="utf-8") + "\nprint('x')\n", encoding="utf-8")
        (one,) = drift(orders.config).differences
    assert f"from line {end} on" in one.detail
    assert "# manual" not in one.todo


# SQL ----------------------------------------------------------------------------------------------

COUNTED = """-- {}
SELECT a, count(*) AS n FROM t GROUP BY a HAVING count(*) > {} OR a IS NULL;
"""


def script(tmp_path, *options: str) -> Config:
    (tmp_path / "t.sql").write_text(COUNTED.format("keys are unique", 1), encoding="utf-8")
    config = Config(tmp_path, tmp_path, sources=(Source(path=("t.sql",)),), reports=())
    config = with_options(config, Options(dialect="tsql"))
    convert(config)
    return config


def test_a_query_whose_rule_has_another_name_is_the_same_query(tmp_path):
    config = script(tmp_path)
    (tmp_path / "t.sql").write_text(COUNTED.format("no key twice", 1), encoding="utf-8")
    (one,) = drift(config).differences
    assert (one.change, one.level) == ("name_changed", "any")
    (tmp_path / "t.sql").write_text(COUNTED.format("no key twice", 2), encoding="utf-8")
    told = drift(config).differences
    assert {one.change for one in told} == {"validation_changed"}


def test_an_option_of_the_last_conversion_is_left_out(tmp_path):
    config = script(tmp_path)
    ledger = open_ledger(tmp_path / config.out / "ledger.json", "ledger.json")
    assert ledger.options == ("--dialect tsql",)
    assert drift(config).differences == ()
    without = replace(config, options=(), asked=Source())
    with pytest.raises(InputFaults, match="expected `--dialect tsql`, as in the last conversion"):
        drift(without)


# Beside the rules ---------------------------------------------------------------------------------


def test_a_function_of_a_persons_own_may_use_the_names_for_its_own(orders):
    (path,) = orders.modules
    mine = "\n\ndef mine():\n    QUERIES = 1\n    return QUERIES\n"
    with restored(path):
        path.write_text(path.read_text(encoding="utf-8") + mine, encoding="utf-8")
        (one,) = drift(orders.config).differences
    assert one.change == "edited_outside"


def test_only_comments_were_edited(orders):
    """No drift, and yet a conversion does not write over it."""
    (path,) = orders.modules
    told = after_text(orders, path, BLOCK_END, f"# A remark.\n{BLOCK_END}")
    assert told.differences == ()
    (notice,) = told.notices
    assert notice.startswith(
        "expectations/orders_expectations.py was edited by hand, and its rules agree"
    )
    assert drift(orders.config).notices == ()


def test_a_rule_as_a_person_decided_agrees(own):
    ledger = open_ledger(own.out / "ledger.json", "ledger.json")
    (entry,) = [e for e in ledger.entries if e.origin.place == "Fields!L12"]
    text = decisions_text(Decisions(decisions=(decided("o_comment <> 'x'", entry),)))
    (own.config.root / "decisions.toml").write_text(text, encoding="utf-8")
    before = drift(own.config)
    assert [one.change for one in before.differences] == ["gap_closed"]
    assert before.accepted == ()  # it is open still: the module has not what was decided
    convert(own.config)
    after = drift(own.config)
    assert [one.how for one in after.accepted] == ["decision"]
    assert headline(after, "any") == f"In sync: {agreement(after)}; accepted: 1 decision."
    assert agreement(after).startswith("32 rules of 1 module agree with the sources")


def test_an_empty_column_parts_the_sheet(orders):
    openpyxl = pytest.importorskip("openpyxl")
    with restored(orders.path):
        book = openpyxl.load_workbook(orders.path)
        book["Fields"].insert_cols(3)
        book.save(orders.path)
        with pytest.raises(InputFaults) as found:
            drift(orders.config)
    (first, *_) = found.value.faults
    assert "Fields!A:B is not read" in first.found
    assert "An empty column parts a table: close it." in first.todo


def test_the_advice_names_the_configuration(orders):
    root = orders.config.root
    config = replace(orders.config, cwd=root.parent, file="one/ruleferry.toml")
    with restored(orders.path):
        change_cells(orders.path, {"Fields!E10": "20"})
        (one,) = compared(config, ()).differences
    assert one.todo.startswith("Run `ruleferry convert --config one/ruleferry.toml` to carry")
