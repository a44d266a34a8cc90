"""`ruleferry answers`: files in, decisions.toml out, whole or not at all; what is said of it."""

import io
import json
from datetime import date

import pytest
from made_answers import CONFLICT, LEDGER, MANY, ONE, fill, given, opened, saved

from ruleferry import cli
from ruleferry.converters.answers import merge, unmerged
from ruleferry.converters.answers.taking import Taken, take_answers
from ruleferry.converters.answers.told import taken_lines
from ruleferry.converters.config import load_config
from ruleferry.converters.decided import NO_DECISIONS, Acted, Decisions, Stated
from ruleferry.converters.decisions_file import read_decisions
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.reports.ledger_json import ledger_text


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "expectations").mkdir()
    (tmp_path / "expectations" / "ledger.json").write_text(ledger_text(LEDGER), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def filled(path, *rows, by="Ann Smith", on=None):
    """Rows: question, rule's own row, cells."""
    book = opened()
    for asked, own, cells in rows:
        fill(book["Questions"], asked, own, **{"by": by, "on": on} | cells)
    return saved(book, path)


PRICE = ("one", None, {"answer": "price > 0"})
WELL = ("many", None, {"answer": "all is well"})


def take(folder, *files, by=None, on=None):
    return take_answers(load_config(None, folder), files, by, on)


def faults(folder, *files, **more):
    with pytest.raises(InputFaults) as raised:
        take(folder, *files, **more)
    return raised.value.faults


def read(folder, name="decisions.toml"):
    return read_decisions((folder / name).read_text(encoding="utf-8"), name)


def test_answers_are_written_beside_the_configuration(folder):
    book = filled(folder / "filled.xlsx", PRICE, on="2026-11-30")
    before = book.read_bytes()
    taken = take(folder, "filled.xlsx")
    assert (taken.written, taken.file) == (True, "decisions.toml")
    (decision,) = read(folder).decisions
    assert decision.verdict == Stated("price > 0")
    assert (decision.by, decision.on) == ("Ann Smith", date(2026, 11, 30))
    assert book.read_bytes() == before
    assert {path.name for path in folder.iterdir()} == {
        "decisions.toml",
        "expectations",
        "filled.xlsx",
    }


def test_the_configuration_says_where_decisions_are(folder):
    (folder / "ruleferry.toml").write_text('decisions = "kept/answers.toml"\nout = "expectations"')
    filled(folder / "filled.xlsx", PRICE)
    take(folder, "filled.xlsx")
    assert len(read(folder, "kept/answers.toml").decisions) == 1


def test_the_same_file_twice_writes_nothing(folder):
    filled(folder / "filled.xlsx", PRICE, WELL)
    take(folder, "filled.xlsx")
    before = (folder / "decisions.toml").stat()
    again = take(folder, "filled.xlsx", "filled.xlsx")
    assert (again.written, len(again.merged.unchanged)) == (False, 2)
    assert (folder / "decisions.toml").stat().st_mtime_ns == before.st_mtime_ns


def test_files_of_two_people_in_any_order_give_the_same_file(folder):
    filled(folder / "a.xlsx", PRICE, WELL, ("conflict", None, {"answer": "the first holds"}))
    filled(folder / "b.xlsx", ("many", "day", {"answer": "day > 1"}), PRICE, by="Bo")
    texts = []
    for runs in (["a.xlsx", "b.xlsx"], ["b.xlsx", "a.xlsx"], ["a.xlsx"], ["b.xlsx"]):
        if len(runs) > 1:
            (folder / "decisions.toml").unlink(missing_ok=True)
            take(folder, *runs)
            texts.append((folder / "decisions.toml").read_bytes())
        (folder / "decisions.toml").unlink(missing_ok=True)
        for run in (runs, [{"a.xlsx": "b.xlsx", "b.xlsx": "a.xlsx"}[runs[0]]]):
            take(folder, *run)
        texts.append((folder / "decisions.toml").read_bytes())
    assert len(set(texts)) == 1


def test_who_and_when_may_be_said_on_the_command_line(folder):
    filled(
        folder / "filled.xlsx", PRICE, ("action", "clerk", {"answer": "drop", "by": "Bo"}), by=""
    )
    take(folder, "filled.xlsx", by="Ann  Smith", on="2026-11-30")
    said = {(type(d.verdict), d.by, d.on) for d in read(folder).decisions}
    day = date(2026, 11, 30)
    assert said == {(Stated, "Ann Smith", day), (Acted, "Bo", day)}


def test_all_faults_are_told_at_once_and_nothing_is_written(folder):
    filled(folder / "a.xlsx", ("one", None, {"answer": "=1"}))
    (folder / "b.xlsx").write_bytes(b"no workbook")
    (folder / "decisions.toml").write_text("[[decision]]\nby = 5\n")
    (folder / "expectations" / "ledger.json").write_text("{}")
    found = faults(folder, "a.xlsx", "b.xlsx", "c.xlsx", by=" ", on="today")
    files = {fault.file for fault in found}
    assert files >= {"a.xlsx", "b.xlsx", "c.xlsx", "decisions.toml", "expectations/ledger.json"}
    assert {f.place for f in found if f.file == "command line"} == {"--by", "--on"}
    assert (folder / "decisions.toml").read_text() == "[[decision]]\nby = 5\n"


def test_a_bad_answer_keeps_the_good_ones_from_being_written(folder):
    filled(folder / "a.xlsx", PRICE, ("action", None, {"answer": "stop"}))
    (fault,) = faults(folder, "a.xlsx")
    assert '"stop"' in fault.found
    assert not (folder / "decisions.toml").exists()


def test_without_a_conversion_it_is_told(folder):
    (folder / "expectations" / "ledger.json").unlink()
    filled(folder / "a.xlsx", PRICE)
    (fault,) = faults(folder, "a.xlsx")
    assert "ruleferry convert" in fault.todo


def test_comments_that_are_not_kept_are_told(folder):
    kept = '[[decision]] # by hand\nby = "Bo # 1"\naction = "drop"\n# why\n'
    kept += 'rules = [{ id = "a", text = "b" }]\n'
    (folder / "decisions.toml").write_text(kept)
    filled(folder / "a.xlsx", PRICE)
    taken = take(folder, "a.xlsx")
    assert taken.lost == ("line 1: # by hand", "line 4: # why")
    assert any("line 4: # why" in text for text, _ in taken_lines(taken))
    assert len(read(folder).decisions) == 2
    filled(folder / "a.xlsx", PRICE, WELL)
    assert take(folder, "a.xlsx").lost == ()


# What is said -------------------------------------------------------------------------------------


def test_what_was_taken_is_told_in_plain_words():
    before = merge(NO_DECISIONS, [given("one", answer="price > 1", by="Bo")], LEDGER).decisions
    rows = [
        given("one", answer="price > 0", by="Ann"),
        given("action", action="drop", by="Ann"),
        given("many", note="who knows?", by="Bo\u202e"),
        given("one", answer="price > 2", by="Bo"),
    ]
    merged = merge(before, rows, LEDGER)
    text = "\n".join(line for line, _ in taken_lines(Taken("d.toml", True, merged, LEDGER)))
    assert text == (
        """\
Answers taken: 3
  Ann: 2 new
  Bo: 1 instead of an earlier one

Not taken: 1
  ann.xlsx, Questions!H40: "who knows?" by Bo⟨U+202E⟩: there is a note, and no answer

Answers that differ: none of them holds, and it will be asked again
  orders.price: "price > 0" (Ann) and "price > 2" (Bo)

Not answered yet: 4 of 5 questions
  What of one?
  What of many?
  What of table?
  What of conflict?

Written to d.toml; the next `ruleferry convert` applies it"""
    )


def test_where_nothing_is_new_it_is_said():
    taken = Taken("d.toml", False, merge(NO_DECISIONS, [], LEDGER), LEDGER)
    lines = [line for line, _ in taken_lines(taken)]
    assert lines[0] == "Answers taken: 0"
    assert lines[-1] == "Nothing is new: d.toml stays as it is"


def test_json_has_each_row(folder, capsys):
    filled(folder / "a.xlsx", PRICE, ("many", "day", {"note": "?"}), on="2026-11-30")
    with pytest.raises(SystemExit) as ended:
        cli.app(["answers", "a.xlsx", "--json"])
    assert ended.value.code == 0
    told = json.loads(capsys.readouterr().out)
    assert [(row["became"], row["question"]) for row in told["answers"]] == [
        ("added", ONE.id),
        ("not taken", MANY.id),
    ]
    assert told["written"] is True
    assert CONFLICT.id in told["unanswered"]


def test_the_command_ends_with_2_where_something_is_wrong(folder, capsys):
    filled(folder / "a.xlsx", ("one", None, {"answer": "x > 0", "by": None}))
    with pytest.raises(SystemExit) as ended:
        cli.app(["answers", "a.xlsx"])
    assert ended.value.code == 2
    told = capsys.readouterr()
    assert "a.xlsx, Questions!" in told.err
    assert told.out == ""


def test_a_quiet_command_says_nothing(folder, capsys):
    filled(folder / "a.xlsx", PRICE)
    with pytest.raises(SystemExit) as ended:
        cli.app(["answers", "a.xlsx", "--quiet"])
    assert (ended.value.code, capsys.readouterr().out) == (0, "")


# Answers that would be lost -----------------------------------------------------------------------


def test_answers_that_no_decision_holds_are_told(tmp_path):
    path = filled(tmp_path / "g.xlsx", PRICE, WELL, ("conflict", None, {"note": "?"}))
    found = unmerged(path, "out/g.xlsx", NO_DECISIONS, LEDGER)
    assert {fault.found for fault in found} == {
        'the answer "price > 0"',
        'the answer "all is well"',
        'the answer "?"',
    }
    rows = [int(fault.place.removeprefix("Questions!H")) for fault in found]
    assert rows == sorted(rows)
    assert {(f.file, "ruleferry answers out/g.xlsx" in f.todo) for f in found} == {
        ("out/g.xlsx", True)
    }


def test_answers_that_decisions_hold_are_safe(tmp_path):
    path = filled(tmp_path / "g.xlsx", PRICE, WELL)
    rows = [given("one", answer="price > 0", by="Ann Smith")]
    rows.append(given("many", answer="all is well", by="ann smith"))
    decisions = merge(NO_DECISIONS, rows, LEDGER).decisions
    assert unmerged(path, "g.xlsx", decisions, LEDGER) == []
    assert len(unmerged(path, "g.xlsx", Decisions(), LEDGER)) == 2


def test_a_workbook_that_nobody_filled_or_that_is_not_there_holds_nothing(tmp_path):
    path = saved(opened(), tmp_path / "g.xlsx")
    assert unmerged(path, "g.xlsx", NO_DECISIONS, LEDGER) == []
    assert unmerged(tmp_path / "no.xlsx", "no.xlsx", NO_DECISIONS, LEDGER) == []


def test_answers_that_can_not_be_read_are_told_too(tmp_path):
    path = filled(tmp_path / "g.xlsx", ("one", None, {"answer": "=1"}), WELL)
    assert [f.found for f in unmerged(path, "g.xlsx", NO_DECISIONS, LEDGER)] == ["a formula"]
    path = filled(tmp_path / "g.xlsx", ("one", None, {"answer": "x", "by": None}))
    assert len(unmerged(path, "g.xlsx", NO_DECISIONS, LEDGER)) == 1
    path.write_bytes(io.BytesIO(b"PK encrypted").read())
    assert len(unmerged(path, "g.xlsx", NO_DECISIONS, LEDGER)) == 1


def test_a_link_to_the_decisions_stays_one(folder):
    (folder / "kept").mkdir()
    (folder / "kept" / "real.toml").write_text("", encoding="utf-8")
    (folder / "decisions.toml").symlink_to("kept/real.toml")
    filled(folder / "filled.xlsx", PRICE)
    take(folder, "filled.xlsx")
    assert (folder / "decisions.toml").is_symlink()
    assert len(read(folder, "kept/real.toml").decisions) == 1
