"""The steward's whole way on public suites and dictionaries, and through another program."""

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hostile_rows import rows_of
from sqlglot import exp
from trips import BOOK, CARRIED, DAY, Trip, fill, without_decisions

from ruleferry.converters.account import Proposal, Question
from ruleferry.converters.answers import Given, merge
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.decided import HASH_DIGITS, NO_DECISIONS
from ruleferry.converters.decisions_file import decisions_text
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.proof.judge import judge

pytestmark = pytest.mark.more

FILES = {
    "suites": "great_expectations/BuiAnh12+ledgercraft/gx/expectations/stg",
    "words": "spreadsheets/16_uk_cica_data_dictionary.xlsx",
    "needed": "spreadsheets/08_oasis_oed_spec.xlsx",
}
# By the code of a question: what its steward answers. Of others, what nobody answered stays asked.
ANSWERS = {
    "custom_expectation": "amount > 0",
    "no_equivalent": "created_at <= current_timestamp()",
    "table_not_stated": "main.lake.{n}",
    "engine_unknown": "Spark",
    "condition_elsewhere": "{column} IS NOT NULL OR coalesce({column}, 'x') = 'y'",
    "contradiction": "length({column}) < 100",
    "not_understood": "{column} <> ''",
    "unit": "length({column}) <= 30",
    "column_unsure": "it states no rules",
    "action_undecided": "warn",
    "iso_dates": None,
    "type_unknown": "leave it as it is",
}  # fmt: skip


def copied(shared: Path, name: str, folder: Path) -> Trip:
    source = shared / "corpus" / FILES[name]
    if source.is_dir():
        shutil.copytree(source, folder / "in")
    else:
        (folder / "in").mkdir()
        shutil.copy(source, folder / "in")
    trip = Trip(folder, "in")
    trip.convert()
    return trip


def rows(trip: Trip):
    """An answer for each question; every third condition's question is waived instead."""
    cells = trip.entries()
    for number, question in enumerate(trip.ledger.questions):
        answer = ANSWERS.get(question.code)
        column = next((c for i in question.entries for c in cells[i].columns), "x")
        quoted = f"`{column.replace('`', '``')}`"
        if answer is None:
            continue
        if question.takes == "condition" and number % 3 == 0:
            yield question, None, {"answer": "don't carry it over", "note": "nobody uses it"}
        else:
            text = answer.format(column=quoted, n=f"t{number}")
            action = {"action": "drop"} if question.takes == "condition" else {}
            yield question, None, {"answer": text, **action}


@pytest.fixture(scope="module", params=FILES)
def both(request, shared, tmp_path_factory):
    """(the trip after its answers, its books before, the rows that were filled)."""
    trip = copied(shared, request.param, tmp_path_factory.mktemp(request.param))
    before = trip.ledger
    filled = list(rows(trip))
    trip.answers(trip.fill(*filled))
    trip.convert()
    return trip, before, filled


def test_what_was_answered_is_carried_or_waived(both):
    trip, _, filled = both
    found = trip.entries()
    seen = Counter()
    for question, _, cells in filled:
        if question.takes != "condition":
            continue
        for rule in question.entries:
            entry = found.get(rule)
            if entry is None:
                continue  # it depended on a column of which an answer says what it means
            assert entry.decided
            if "carry" in cells["answer"]:
                assert entry.outcome == "waived"
                assert entry.waived == "Ann Smith on 2026-11-30: nobody uses it"
            elif entry.outcome == "gap":
                assert entry.gap.code == "answer_refused"
                (again,) = (q for q in trip.ledger.questions if rule in q.entries)
                assert [a.state for a in again.answered] == ["refused"]
            else:
                assert entry.outcome in ("record", "merged")
            if entry.outcome == "record":
                assert (entry.because.by, entry.action) == ("decision", "drop")
            seen[entry.outcome] += 1
    assert seen["record"] > 0
    assert seen["waived"] > 0


def test_questions_that_were_answered_are_gone(both):
    trip, before, filled = both
    answered = {question.id: set(question.entries) for question, *_ in filled}
    for question in trip.ledger.questions:
        assert question.answered or not answered.get(question.id, set()) & set(question.entries)
    assert len(trip.ledger.questions) < len(before.questions) / 2


def test_ids_stay_where_no_column_got_another_meaning(both):
    trip, before, filled = both
    told = {i for q, *_ in filled if q.takes == "meaning" for i in q.entries}
    left = trip.entries().keys() | told
    gone = [e for e in before.entries if e.id not in left]
    assert not gone or (told and len(gone) == 1)
    for entry in gone:  # its length was of no type; now it is read with the cell beside it
        assert any(entry.name in notice for notice in trip.notices)


def test_conditions_are_true_or_false_on_hostile_rows(both, spark):
    trip, *_ = both
    conditions = trip.conditions(decided=True)
    names = {
        column.parts[0].name
        for condition in conditions.values()
        for column in parse_condition(condition).find_all(exp.Column)
    }
    verdicts = judge(conditions, rows_of({n: parse_type("string") for n in sorted(names)}), spark)
    assert verdicts.rejected == {}
    assert not [i for i, told in verdicts.verdicts.items() if set(told) - {*"TF"}]


def test_the_same_bytes_in_any_order_of_decisions(both):
    trip, *_ = both
    first, path = trip.outputs(), trip.folder / "decisions.toml"
    text = path.read_text("utf-8")
    head, *blocks = text.split("[[decision]]\n")
    turned = [block.rstrip() + "\n\n" for block in reversed(blocks)]
    path.write_text("[[decision]]\n".join([head, *turned]), "utf-8")
    trip.convert()
    again = trip.outputs()
    path.write_text(text, "utf-8")
    trip.convert()
    assert trip.outputs() == first
    books = without_decisions(again.pop("ledger.json"))
    assert books == without_decisions(first.pop("ledger.json"))
    assert again == first


# Through another program --------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["sample", "suites", "words"])
def filled(request, shared, tmp_path_factory):
    """A folder whose workbook was filled, with a condition, a waiver, an action and a fact."""
    folder = tmp_path_factory.mktemp(request.param) / "orders"
    if request.param == "sample":
        trip = Trip.of_sample(folder)
        trip.convert()
    else:
        folder.mkdir()
        trip = copied(shared, request.param, folder)
    return trip, trip.fill(*rows(trip))


@pytest.mark.parametrize("forms", [("xlsx",), ("ods", "xlsx")])
def test_another_program_leaves_the_answers_as_they_are(filled, office, tmp_path, forms):
    trip, path = filled
    taken = trip.answers(path)
    assert len(taken.merged.added) > 2
    wanted = trip.decisions_bytes()
    (trip.folder / "decisions.toml").unlink()
    through = Path(shutil.copy(path, tmp_path / "filled.xlsx"))
    for form in forms:
        through = office.convert(through, form)
    trip.answers(through)
    assert trip.decisions_bytes() == wanted
    (trip.folder / "decisions.toml").unlink()


def test_a_workbook_that_another_program_saved_in_its_place_is_kept(office, tmp_path):
    trip = Trip.of_sample(tmp_path / "orders")
    trip.convert()
    when = trip.question("condition_elsewhere")
    book = fill(trip.folder / BOOK, tmp_path / "gap_report.xlsx", (when, None, {"answer": "1 = 1"}))
    shutil.copy(office.convert(book, "xlsx"), trip.folder / BOOK)
    with pytest.raises(Exception, match="ruleferry answers"):
        trip.convert()
    trip.answers(BOOK)
    trip.convert()
    assert trip.question("condition_elsewhere").answered[0].state == "refused"


# All of the corpus --------------------------------------------------------------------------------

_USABLE = ("settle", "action", "keep", "value", "waive")


def usable(question: Question) -> Proposal | None:
    return next((p for p in question.proposals if p.does in _USABLE), None)


def answered(trip: Trip) -> list[Given]:
    """The first usable proposal of every question."""
    texts = {e.id: e.text_sha256[:HASH_DIGITS] for e in trip.ledger.entries}
    found = []
    for number, question in enumerate(trip.ledger.questions):
        proposal = usable(question)
        if proposal is not None:
            row = Given(
                "a.xlsx", f"Questions!H{number + 2}", question.id, answer=proposal.label,
                note="as asked", by="Ann Smith", on=DAY,
                seen=tuple((i, texts[i]) for i in question.entries),
            )  # fmt: skip
            one = question.entries[0]
            alone = len(question.entries) == 1
            found.append(replace(row, rule=one, text=texts[one]) if alone else row)
    return found


def test_every_question_answered_by_its_first_proposal(shared, tmp_path):
    shutil.copytree(shared / "corpus", tmp_path / "in")
    trip = Trip(tmp_path, "in")
    before = trip.convert()
    merged = merge(NO_DECISIONS, answered(trip), before)
    assert (merged.faults, merged.not_taken) == ((), ())
    (tmp_path / "decisions.toml").write_text(decisions_text(merged.decisions), "utf-8")
    after = trip.convert()
    told = {q.id: q for q in before.questions if usable(q)}
    asked = Counter()
    for question in after.questions:
        if question.id in told and not question.answered:
            same = set(question.entries) & set(told[question.id].entries)
            assert not same, (question.code, question.about)
        asked[question.code, question.id in told, bool(question.answered)] += 1
    # What a cell says makes its rule another: it has another kind, and so another id.
    of_cells = ("meaning", "legend", "threshold")
    meanings = {i for q in told.values() if q.takes in of_cells for i in q.entries}
    left = {e.id for e in after.entries} | meanings
    gone = [e for e in before.entries if e.id not in left]
    # Beside the cells that were asked about stand some of their columns that state no rule; and
    # a rule that is no longer the only one of its field and kind has its text in its id.
    places = {(e.origin.file, e.origin.place, e.origin.text, e.kind) for e in after.entries}
    assert all(
        e.outcome == "not_a_rule"
        or (e.origin.file, e.origin.place, e.origin.text, e.kind) in places
        for e in gone
    )
    assert {e.origin.file for e in gone} <= {q.about.file for q in told.values()}
    waived = [e for e in after.entries if e.outcome == "waived"]
    assert waived
    assert all(e.waived.startswith("Ann Smith on 2026-11-30: ") for e in waived)
    carried = [e for e in after.entries if e.outcome in CARRIED]
    assert len(carried) >= sum(e.outcome in CARRIED for e in before.entries) - len(waived)
