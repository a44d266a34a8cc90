"""`proof.json`: what is read is what its schema allows, and nothing that can't be true."""

import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ruleferry.converters.errors import InputFaults
from ruleferry.converters.proof_file import open_proofs, read_proofs
from ruleferry.converters.proved import DifferingRow, Proved

SCHEMA = json.loads((files("ruleferry") / "mappings" / "proof.schema.json").read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)
SHA = "0" * 64
ROW = {"values": {"price": "-1", "day": "no value"}, "old": "good", "new": "bad"}


def proved(verdict="agrees", **fields) -> dict:
    figures = {
        "agrees": {"rows": 9},
        "differs": {"rows": 9, "differing": 2, "examples": [ROW]},
        "untested": {"why": "no rows"},
    }[verdict]
    made = {"id": "a", "text_sha256": SHA, "condition_sha256": SHA, "verdict": verdict, **figures}
    return {name: value for name, value in (made | fields).items() if value is not None}


def proofs(*rows: dict, **fields) -> str:
    return json.dumps({"version": 1, "tool": "ruleferry 0.1.0", "proofs": rows} | fields)


def told(text: str) -> list[str]:
    found = read_proofs(text, "out/proof.json")
    assert isinstance(found, list)
    assert all(fault.file == "out/proof.json" and fault.todo for fault in found)
    return [f"{fault.place}: {fault.found}; {fault.expected}" for fault in found]


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


def test_verdicts_are_read():
    text = proofs(proved(), proved("differs", id="b"), proved("untested", id="c"))
    assert VALIDATOR.is_valid(json.loads(text))
    row = DifferingRow((("price", "-1"), ("day", "no value")), "good", "bad")
    assert read_proofs(text, "p") == (
        Proved("a", SHA, SHA, "agrees", rows=9),
        Proved("b", SHA, SHA, "differs", rows=9, differing=2, examples=(row,)),
        Proved("c", SHA, SHA, "untested", why="no rows"),
    )


FINE = ROW | {"new": "fine"}
NUMBER = ROW | {"values": {"a": 1}}
REFUSED = [
    ({"verdict": "agree"}, '[0].verdict: "agree"; one of agrees, differs, untested'),
    ({"verdict": None}, "[0].verdict: nothing; a text"),
    ({"rows": "9"}, '[0].rows: "9"; a whole number'),
    ({"rows": True}, "[0].rows: true; a whole number"),
    ({"row": 9}, "[0].row: an unknown field; one of id, text_sha256, condition_sha256"),
    ({"rows": 0}, "[0].rows: 0; 1 or more"),
    ({"rows": None}, "[0].rows: 0; 1 or more"),
    ({"differing": 1}, "[0].differing: 1; 0 to 0, since it agrees"),
    ({"examples": [ROW]}, "[0].examples: 1; 0 or fewer"),
    ({"text_sha256": "0" * 12}, "[0].text_sha256: "),
    ({"condition_sha256": "G" * 64}, "[0].condition_sha256: "),
    ({"condition_sha256": "0" * 64 + "\n"}, "[0].condition_sha256: "),
    (proved("differs", differing=0, examples=[]), "[0].differing: 0; 1 to 9, since it differs"),
    (proved("differs", rows=0), "[0].rows: 0; 1 or more"),
    (proved("untested", why=None), "[0].why: nothing; why the rule could not be compared"),
    (proved("untested", why=""), "[0].why: nothing; why the rule could not be compared"),
    (proved("untested", rows=-1), "[0].rows: -1; 0 or more"),
    (proved("differs", examples=[FINE]), '[0].examples[0].new: "fine"; one of bad'),
    (proved("differs", examples=[NUMBER]), "[0].examples[0].values.a: 1; a text"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), REFUSED)
def test_what_is_no_verdict_is_told_with_its_place(change, expected):
    row = change if "id" in change else proved()
    row = {name: value for name, value in (row | change).items() if value is not None}
    text = proofs(row)
    (fault,) = told(text)
    assert fault.startswith(f"proofs{expected}")
    assert not VALIDATOR.is_valid(json.loads(text))


# What a schema can't say.
CONTRADICTIONS = [
    ([proved(), proved()], 'proofs[1].id: "a" again; each rule once'),
    ([proved("differs", differing=10)], "proofs[0].differing: 10; 1 to 9, since it differs"),
    ([proved("differs", examples=[ROW] * 3)], "proofs[0].examples: 3; 2 or fewer"),
    (
        [proved("differs", examples=[ROW | {"new": "good"}])],
        'proofs[0].examples[0]: "good" twice; a record on which old and new disagree',
    ),
]


@pytest.mark.parametrize(("rows", "expected"), CONTRADICTIONS)
def test_what_contradicts_itself_is_refused(rows, expected):
    assert told(proofs(*rows)) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "line 1, column 2: "),
        ("[]", "None: []; an object"),
        ("[" * 100_000, "None: endless nesting; proofs"),
        ('{"version": ' + "9" * 5000 + "}", "None: what can't be read ("),
        (proofs(version=2), "version: schema version 2; schema version 1"),
        (proofs(tool=None), "tool: null; a text"),
        (proofs(proved(), by="me"), "by: an unknown field; one of version, tool, proofs"),
    ],
)
def test_what_is_no_file_of_proofs_is_told(text, expected):
    assert told(text)[0].startswith(expected)


def test_all_faults_are_told_at_once():
    assert len(told(proofs(proved(rows=0), proved(id="b", text_sha256=""), proved()))) == 3


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["version", "tool", "proofs", "id", "verdict", "rows", "examples"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(value=JSON)
def test_nothing_raises(value):
    assert isinstance(read_proofs(json.dumps({"version": 1, "proofs": value}), "p"), list)
    assert isinstance(read_proofs(json.dumps(value), "p"), list)


def test_without_a_file_nothing_is_proved(tmp_path):
    assert open_proofs(tmp_path, "out") == ()


def test_a_file_that_can_not_be_read_is_told(tmp_path):
    (tmp_path / "proof.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputFaults, match=r"out/proof\.json: found text in UTF-16"):
        open_proofs(tmp_path, "out")
    (tmp_path / "proof.json").write_text(proofs(proved()))
    assert open_proofs(tmp_path, "out") == (Proved("a", SHA, SHA, "agrees", rows=9),)
