"""decisions.toml in a conversion: used, listed, told of, and the same in any order."""

import json
import os
from itertools import permutations

import pytest
from made_decisions import ANN, decided
from suites import between, convert, entries, ledger, outputs, present, rules_of, suite, write

from ruleferry.converters.config import load_config
from ruleferry.converters.decided import Accepted, Acted, Called, Decisions, Kept, Pending, Waived
from ruleferry.converters.decisions_file import decisions_text
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.reports.books import imbalances
from ruleferry.converters.reports.explain import story

CUSTOM = {"type": "expect_our_own", "kwargs": {"column": "status"}}


@pytest.fixture
def folder(tmp_path):
    rules = present("o_id"), between("price", 0), between("qty", 1, 9), CUSTOM
    write(tmp_path, {"suites/orders.json": suite("orders", *rules)})
    return tmp_path


def answer(folder, *decisions, file="decisions.toml"):
    write(folder, {file: decisions_text(Decisions(decisions=decisions))})


def by_name(done):
    return {entry.name: entry for entry in done.ledger.entries}


def answers(done):
    found = by_name(done)
    (custom,) = (e for e in found.values() if e.outcome == "gap")
    return (
        decided("status IN ('F', 'O')", custom, code="custom_expectation", note="as agreed"),
        decided(Waived("nobody reads it"), found["o_id_present"]),
        decided(Acted("drop"), found["price_range"]),
        decided(Called("quantity"), found["qty_range"]),
        decided(Pending("ask Bob"), found["qty_range"], code="type_unknown"),
    )


def test_decisions_are_used_and_the_books_balance(folder):
    answer(folder, *answers(convert(folder)))
    done = convert(folder)
    assert imbalances(done.ledger) == ()
    (source,) = (s for s in ledger(folder)["sources"] if s["file"] == "decisions.toml")
    assert (source["read_as"], source["why"], source["entries"]) == ("used", "decisions", 0)
    assert len(source["sha256"]) == 64
    found = entries(folder)
    assert {e["outcome"] for e in found.values()} == {"record", "waived"}
    assert found["o_id_present"]["waived"] == f"{ANN}: nobody reads it"
    assert found["price_range"]["because"] == {"by": "decision", "detail": ANN}
    module = rules_of(outputs(folder)["orders_expectations.py"].decode())
    assert module["price_range"][0] == "drop"
    assert module.keys() == {"price_range", "quantity", "status_rule"}
    assert "'F', 'O'" in module["status_rule"][1]
    assert not [notice for notice in done.notices if "decisions" in notice]


def test_the_same_bytes_in_any_order_of_decisions(folder):
    given = answers(convert(folder))
    seen = set()
    for order in list(permutations(given))[::17]:
        text = "\n".join(
            decisions_text(Decisions(decisions=(d,))).partition("\n\n")[2] for d in order
        )
        write(folder, {"decisions.toml": text})
        convert(folder)
        found = json.loads(outputs(folder)["ledger.json"])
        found["sources"] = [s for s in found["sources"] if s["file"] != "decisions.toml"]
        seen.add((json.dumps(found), outputs(folder)["orders_expectations.py"]))
    assert len(seen) == 1


def test_another_file_and_none(folder):
    write(folder, {"ruleferry.toml": 'decisions = "answers/ours.toml"\n'})
    done = convert(folder)
    assert not [s for s in done.ledger.sources if "toml" in s.file and s.why == "decisions"]
    answer(folder, answers(done)[1], file="answers/ours.toml")
    assert by_name(convert(folder))["o_id_present"].outcome == "waived"


def test_a_decisions_file_that_can_not_be_read_stops_the_run(folder):
    write(folder, {"decisions.toml": '[[decision]]\ncondition = "x"\n[[decision]]\nwave = "y"\n'})
    with pytest.raises(InputFaults) as raised:
        convert(folder)
    assert len(raised.value.faults) > 2
    assert {fault.file for fault in raised.value.faults} == {"decisions.toml"}
    assert not (folder / "expectations").exists()


def test_it_is_no_source(folder):
    answer(folder, *answers(convert(folder)))
    done = convert(folder, ".")
    (source,) = (s for s in done.ledger.sources if s.file == "decisions.toml")
    assert (source.read_as, source.why) == ("used", "decisions")


def test_decisions_about_rules_that_are_gone_are_told(folder):
    waived = answers(convert(folder))[1]
    write(folder, {"suites/orders.json": suite("orders", between("price", 0))})
    answer(folder, waived)
    assert [n for n in convert(folder).notices if "decisions.toml" in n] == [
        "decisions.toml: decisions about rules that no source states any more, which were not "
        "applied: orders.o_id_present"
    ]
    write(folder, {"ruleferry.toml": '[[source]]\npath = ["suites/**"]\n'})
    assert not [n for n in convert(folder, "suites").notices if "decisions.toml" in n]


def test_a_name_that_can_not_be_is_told(folder):
    found = by_name(convert(folder))
    answer(folder, decided(Called("price_range"), found["qty_range"]))
    (told,) = (n for n in convert(folder).notices if "decisions.toml" in n)
    assert told.endswith(f"{ANN}: another rule is called price_range")
    assert load_config(None, folder).decisions == "decisions.toml"


def test_the_story_of_a_decided_rule(folder):
    first = convert(folder)
    answer(folder, *answers(first), decided(Accepted("leave it"), by_name(first)["price_range"],
                                            code="type_unknown"))  # fmt: skip
    done = convert(folder)
    told = {name: "\n".join(story(done.ledger, e)) for name, e in by_name(done).items()}
    assert f"decided           condition, by {ANN}: as agreed" in told["status_rule"]
    assert f"decided by        a steward's decision: {ANN}" in told["price_range"]
    assert f"decided           accepted “leave it”, by {ANN}" in told["price_range"]
    assert f"who and why       {ANN}: nobody reads it" in told["o_id_present"]
    assert f"ask Bob – by {ANN}; asked again: this is not done yet" in told["quantity"]


@pytest.mark.parametrize(
    ("verdict", "code", "told"),
    [
        (Kept("0" * 12), "conflict", True),  # no such rule
        (Accepted("it is so"), "no_such_question", True),
        (Pending("ask Bob"), "no_such_question", True),
        (Pending("ask Bob"), "type_unknown", False),  # it is asked again
        (Acted("drop"), "no_such_question", False),  # it holds
    ],
)
def test_a_decision_that_changes_nothing_is_told(folder, verdict, code, told):
    answer(folder, decided(verdict, by_name(convert(folder))["price_range"], code=code))
    notices = [n for n in convert(folder).notices if "it changed nothing" in n]
    assert bool(notices) is told
    assert all(ANN in notice for notice in notices)


def test_a_link_that_leads_nowhere_is_a_fault(folder):
    (folder / "decisions.toml").symlink_to("gone.toml")
    with pytest.raises(InputFaults, match=r"decisions\.toml: found no readable file"):
        convert(folder)


def test_a_pipe_is_not_waited_for(folder):
    os.mkfifo(folder / "decisions.toml")
    with pytest.raises(InputFaults, match=r"decisions\.toml: found what is no file"):
        convert(folder)


def test_conditions_that_can_not_be_used_are_told_at_once(folder):
    found = by_name(convert(folder))
    answer(folder, decided("price must be at least 5", found["price_range"], code="type_unknown"))
    (notice,) = (n for n in convert(folder).notices if "can't be used" in n)
    assert notice.startswith("decisions.toml: conditions that can't be used")
    assert notice.endswith(": price_range")
