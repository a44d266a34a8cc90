"""The second count: it agrees with the reader, and tells where the reader lost something."""

import json
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ruleferry import cli
from ruleferry.converters.readers import great_expectations, raw
from ruleferry.converters.readers.great_expectations import documents
from ruleferry.converters.readers.great_expectations.count import count_expectations
from ruleferry.converters.sources import ConservationError, conserved

# Texts that look like what the count goes by.
TEXTS = st.text(max_size=6) | st.sampled_from(
    [
        "expectations",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        '"',
        "\\",
        '\\"',
        '"expectations": [',
        "\\\\",
        "",
    ]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=15,
)
SUITES = st.dictionaries(TEXTS, VALUES, max_size=4)
STYLES = st.sampled_from(
    [{}, {"indent": 1}, {"separators": (",", ":")}, {"ensure_ascii": False}, {"indent": "\t"}]
)


@settings(deadline=None)
@given(SUITES, STYLES)
@example({"expectations": []}, {})
@example({"expectations": [[]]}, {})
@example({"expectations": [1]}, {})
@example({"a": {"expectations": [1, 2]}, "expectations": [3]}, {})
@example({"a": ["expectations", [1, 2]], "expectations": None}, {})
@example({"expectations": {"expectations": [1]}}, {})
@example({"expectations": 'a, "b"], ['}, {})
@example({"meta": "expectations", "a": [1]}, {})
@example({'"expectations"': [1, 2], "expectations": ["[", {"a": [1, 2], "b": "],["}, "}"]}, {})
def test_it_counts_the_outermost_list(document, style):
    found = document.get("expectations")
    wanted = len(found) if isinstance(found, list) else None
    assert count_expectations(json.dumps(document, **style)) == wanted


@settings(deadline=None)
@given(st.lists(VALUES, max_size=5), SUITES, STYLES)
def test_it_agrees_with_the_reader(elements, rest, style):
    document = {**rest, "expectation_suite_name": "s", "expectations": elements}
    counted = read(json.dumps(document, **style))
    assert conserved(counted).atoms == counted.second_count == len(elements)


@pytest.mark.parametrize("document", [[], [{"expectations": [1]}], "x", None, 5, {}])
def test_there_is_nothing_to_count(document):
    assert count_expectations(json.dumps(document)) is None


def test_a_key_may_be_written_with_escapes():
    assert count_expectations(r'{"expectation\u0073": [1, 2]}') == 2
    assert count_expectations(r'{"expectation\\u0073": [1, 2]}') is None


# Sabotage: a reader that loses or invents ---------------------------------------------------------

ELEMENTS = [{"type": "expect_column_values_to_be_null", "kwargs": {"column": c}} for c in "abc"]
SUITE = json.dumps({"name": "s", "expectations": ELEMENTS})


def read(text, tables=("t",)) -> raw.Counted:
    file = raw.RawFile("s.json", text, "", None, lambda _: tables)
    return great_expectations.read_files([file])[0]


def lose(rules):
    return rules[:-1]


def lose_all(rules):
    return ()


def repeat(rules):
    return (*rules, rules[0])


def replace_one(rules):
    return (*rules[:-1], rules[0])


def invent(rules):
    return (*rules, replace(rules[0], atom="expectations[3]"))


def lose_a_table(rules):
    return tuple(rule for rule in rules if rule.table == rules[0].table)[: len(rules) - 1]


SABOTAGE = [lose_a_table, lose, lose_all, repeat, replace_one, invent]


@pytest.fixture
def sabotaged(monkeypatch):
    """Makes the reader hand over what `change` leaves of its rules."""
    honest = great_expectations.rules_of

    def by(change):
        def rules_of(*of_set):
            return change(tuple(honest(*of_set)))

        monkeypatch.setattr(great_expectations, "rules_of", rules_of)

    return by


@pytest.mark.parametrize("tables", [("t",), ("t", "u"), ()])
@pytest.mark.parametrize("change", SABOTAGE)
def test_what_is_lost_or_invented_is_noticed(sabotaged, change, tables):
    conserved(read(SUITE, tables))
    sabotaged(change)
    with pytest.raises(ConservationError, match=r"^s\.json"):
        conserved(read(SUITE, tables))


@pytest.mark.parametrize("number", [2, 4])
def test_a_wrong_number_of_atoms_is_noticed(number):
    counted = read(SUITE)
    wrong = replace(counted, reading=replace(counted.reading, atoms=number))
    with pytest.raises(ConservationError, match=f"3 rules were counted, {number} were read and 3"):
        conserved(wrong)


def test_an_expectation_that_the_parser_drops_is_noticed(monkeypatch):
    honest = documents.parse_json

    def parse(text):
        document = honest(text)
        return {**document, "expectations": document["expectations"][1:]}

    monkeypatch.setattr(documents, "parse_json", parse)
    with pytest.raises(ConservationError, match="3 rules were counted, 2 were read and 2"):
        conserved(read(SUITE))


@pytest.mark.parametrize("change", SABOTAGE)
@pytest.mark.parametrize("options", [(), ("--partial",)])
def test_convert_then_ends_with_2_and_writes_nothing(
    sabotaged, change, options, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEFERRY_DEBUG", raising=False)
    (tmp_path / "s.json").write_text(SUITE)
    sabotaged(change)
    result = CliRunner().invoke(cli.app, ["convert", "s.json", *options])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "internal error: ConservationError: s.json" in result.stderr
    assert "Traceback" not in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["s.json"]


def test_all_suites_of_the_corpus_balance(shared):
    files = sorted((shared / "corpus/great_expectations").rglob("*.json"))
    counts = [len(json.loads(f.read_text("utf-8-sig"))["expectations"]) for f in files]
    assert [count_expectations(f.read_text("utf-8-sig")) for f in files] == counts
    assert sum(counts) > 800
