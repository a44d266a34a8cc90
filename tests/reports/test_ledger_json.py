"""`ledger.json`: what is written is what is read, and what the published schema says."""

import json
from dataclasses import fields, replace
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from ledgers import SUITE, digest, entry, large_ledger, ledger_of, left, orders_ledger

from ruleferry.converters.account import Because, Entry, Gap, Ledger, Source
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.reports.ledger_json import entry_order, ledger_text
from ruleferry.converters.reports.ledger_reader import read_ledger
from ruleferry.converters.rule import Caveat, Origin, Skipped

SCHEMA = json.loads((files("ruleferry") / "mappings" / "ledger.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def in_order(ledger: Ledger) -> Ledger:
    """The ledger as it is read back: everything sorted."""
    questions = [replace(q, entries=tuple(sorted(q.entries))) for q in ledger.questions]
    return replace(
        ledger,
        entries=tuple(sorted(ledger.entries, key=entry_order)),
        questions=tuple(sorted(questions, key=lambda q: (q.code, q.id))),
    )


def written(ledger: Ledger) -> dict:
    return json.loads(ledger_text(ledger))


def problems(ledger: dict) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(ledger)]


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("ledger", [orders_ledger(), large_ledger(30), ledger_of([])])
def test_what_is_written_fits_the_schema_and_is_read_back(ledger):
    assert problems(written(ledger)) == []
    assert read_ledger(ledger_text(ledger), "ledger.json") == in_order(ledger)


def test_the_cells_of_a_spreadsheet_are_written_and_read_back():
    skipped = (Skipped("Read me", "a text to be read", 3), Skipped("Fields!12:14", "notes", 4))
    sheet = Source(
        "d.xlsx", "data dictionary", "0" * 64, 0, 0, {}, cells={"rule": 5, "skipped": 7},
        skipped=skipped,
    )  # fmt: skip
    ledger = ledger_of([], extra=(sheet,))
    text = ledger_text(ledger)
    assert problems(json.loads(text)) == []
    assert read_ledger(text, "l").sources == (sheet,)
    (row,) = json.loads(text)["sources"]
    assert row["cells"] == {"rule": 5, "skipped": 7}
    assert row["skipped"][0] == {"place": "Read me", "reason": "a text to be read", "cells": 3}


def test_the_order_of_the_inputs_does_not_show():
    ledger = orders_ledger()
    turned = Ledger(
        ledger.tool,
        ledger.sources[::-1],
        tuple(replace(q, entries=q.entries[::-1]) for q in ledger.questions[::-1]),
        ledger.entries[::-1],
        ledger.outputs[::-1],
    )
    assert ledger_text(turned) == ledger_text(ledger)


def test_entries_stand_as_a_person_counts():
    places = [f"expectations[{n}]" for n in (10, 9, 1)]
    ledger = ledger_of([entry(f"r{n}", place) for n, place in enumerate(places)])
    assert [e["origin"]["place"] for e in written(ledger)["entries"]] == places[::-1]


def test_a_field_that_does_not_apply_is_absent():
    made = written(ledger_of([left("x", "expectations[0]", "code", "why")]))["entries"][0]
    assert set(made) == {
        "id", "atom", "name", "kind", "table", "columns", "outcome", "origin", "nulls", "gap",
    }  # fmt: skip


def test_an_outcome_that_did_not_occur_is_absent():
    assert written(ledger_of([entry("a")]))["sources"][0]["outcomes"] == {"record": 1}


def test_each_field_of_an_entry_is_described():
    fields_of_entry = {field.name for field in fields(Entry)} - {"text_sha256"}
    assert set(SCHEMA["$defs"]["entry"]["properties"]) == fields_of_entry
    assert all(p.get("description") for p in SCHEMA["$defs"]["entry"]["properties"].values())


def test_one_field_a_line_so_that_a_diff_shows_what_changed():
    before = ledger_of([entry("a", condition="x > 1")])
    after = ledger_of([entry("a", condition="x > 2")])
    changed = set(ledger_text(after).splitlines()) - set(ledger_text(before).splitlines())
    assert changed == {'  "condition": "x > 2",'}


def test_two_tags_of_one_name_are_refused():
    with pytest.raises(ValueError, match="share a name"):
        ledger_text(ledger_of([entry("a", tags=(("owner", "x"), ("owner", "y")))]))


texts = st.text(min_size=1)


@given(texts, texts, st.text(), st.dictionaries(texts, st.text(), max_size=3))
@settings(deadline=None)
def test_any_text_comes_back_and_nothing_hidden_stands_in_the_file(place, table, text, tags):
    made = entry(
        "a",
        place,
        table=table,
        tags=tuple(sorted(tags.items())),
        caveats=(Caveat("code", text),),
        text_sha256=digest("x"),
    )
    made = replace(made, origin=Origin(SUITE, place, text, "tool"), because=Because("word", text))
    ledger = ledger_of([replace(made, id=digest("i")[:12])])
    file = ledger_text(ledger)
    assert read_ledger(file, "ledger.json") == ledger
    assert not any("\u202a" <= c <= "\u202e" or "\u2066" <= c <= "\u2069" for c in file)
    assert file.encode()  # no half of a surrogate pair


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\ud800", "\U000e0041", "\u2028"])
def test_hidden_characters_are_spelt_out(hidden):
    file = ledger_text(ledger_of([entry("a", title=f"é{hidden}é")]))
    assert hidden not in file
    assert file.count("é") == 2
    assert read_ledger(file, "ledger.json").entries[0].title == f"é{hidden}é"


# Entries that the schema must refuse: the model alone would let them be written.
@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"grade": None}, "grade"),  # a record rule without a grade
        ({"condition": None}, "condition"),
        ({"because": None}, "because"),  # an action without its reason
        ({"gap": Gap("code", "why")}, "gap"),  # a gap's reason beside a condition
        ({"merged_into": "0" * 12}, "merged_into"),
        ({"waived": "somebody"}, "waived"),
        ({"reason": "a heading"}, "reason"),
        ({"name": "Order Key"}, "name"),
        ({"name": "a" * 64}, "name"),
        ({"id": "12345"}, "id"),
        ({"outcome": "gap"}, "grade"),
        ({"outcome": "done"}, "outcome"),
        ({"kind": "nice"}, "kind"),
        ({"action": "stop"}, "action"),
        ({"nulls": "maybe"}, "nulls"),
        ({"text_sha256": "x"}, "text_sha256"),
    ],
)
def test_the_schema_refuses(change, where):
    found = problems(written(ledger_of([replace(entry("a"), **change)])))
    assert found
    assert any(where in problem for problem in found)


@pytest.mark.parametrize("file", ["/home/me/orders.json", "C:\\suites\\orders.json", "D:/x.json"])
def test_the_schema_refuses_an_absolute_path(file):
    assert any(
        "file" in problem for problem in problems(written(ledger_of([entry("a", file=file)])))
    )


def faults(text: str) -> list[str]:
    with pytest.raises(InputFaults) as raised:
        read_ledger(text, "out/ledger.json")
    return [str(fault) for fault in raised.value.faults]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "out/ledger.json, line 1, column 1: found Expecting value; expected JSON."),
        ('{"version": 1,\n<<<<<<< HEAD\n', "out/ledger.json, line 2, column 1: found"),
        ("[]", "out/ledger.json: found []; expected an object."),
        ('{"version": 2}', "out/ledger.json, version: found schema version 2; expected schema"),
        ('{"version": true}', "out/ledger.json, version: found true; expected a whole number."),
        ("[" * 100_000, "out/ledger.json: found endless nesting"),
    ],
)
def test_what_is_no_ledger_is_told(text, told):
    assert faults(text)[0].startswith(told)


def broken(*path_and_value: object) -> str:
    """The ledger of one entry with something else at a path; None removes it."""
    ledger = written(ledger_of([entry("a", tags=(("owner", "me"),))]))
    *path, last, value = path_and_value
    inner = ledger
    for step in path:
        inner = inner[step]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return json.dumps(ledger)


@pytest.mark.parametrize(
    ("path_and_value", "told"),
    [
        (
            ("entries", 0, "outcome", "lost"),
            'entries[0].outcome: found "lost"; expected one of dat',
        ),
        (("entries", 0, "outcome", []), "entries[0].outcome: found []; expected a text."),
        (("entries", 0, "id", None), "entries[0].id: found nothing; expected a text."),
        (("entries", 0, "extra", "x"), "entries[0].extra: found an unknown field; expected one of"),
        (("entries", 0, "columns", ["a", 1]), "entries[0].columns[1]: found 1; expected a text."),
        (("entries", 0, "tags", {"owner": 7}), "entries[0].tags.owner: found 7; expected a text."),
        (("entries", 0, "origin", "place", None), "entries[0].origin.place: found nothing"),
        (("entries", 0, "because", "by", "me"), 'entries[0].because.by: found "me"'),
        (
            ("entries", 0, "caveats", [{"code": "c"}]),
            "entries[0].caveats[0].detail: found nothing",
        ),
        (("entries", 0, "caveats", ["x"]), 'entries[0].caveats[0]: found "x"; expected an object'),
        (
            ("entries", 0, "merged_into", "ff"),
            "entries[0].merged_into: found the id 'ff' of no entry",
        ),
        (("sources", 0, "atoms", 1.0), "sources[0].atoms: found 1.0; expected a whole number."),
        (
            ("sources", 0, "outcomes", {"lost": 1}),
            "sources[0].outcomes.lost: found an unknown field",
        ),
        (("outputs", 0), "outputs: found 0; expected a list."),
    ],
)
def test_a_broken_ledger_is_told_with_its_place(path_and_value, told):
    found = faults(broken(*path_and_value))
    assert len(found) == 1
    assert found[0].startswith(f"out/ledger.json, {told}")


def test_all_faults_are_told_at_once():
    ledger = written(orders_ledger())
    for row in ledger["entries"]:
        row["kind"] = "nice"
    assert len(faults(json.dumps(ledger))) == len(ledger["entries"])


def test_a_question_about_no_entry_is_told():
    ledger = written(orders_ledger())
    ledger["questions"][1]["entries"] = ["000000000000"]
    assert faults(json.dumps(ledger))[0].startswith("out/ledger.json, questions[1].entries: found")
