"""YAML as data: the values of a document, what is refused, and scalars that readers differ on."""

import json
import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.readers.json_text import Malformed, Written, json_text, parse_json
from ruleferry.converters.readers.yaml_text import Doubtful, parse_yaml


def exactly(value):
    """A value that equals only one of its own type and digits."""
    return type(value), json_text(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("# nothing", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("False", False),
        ("12", 12),
        ("-12", -12),
        ("+3", 3),
        ("0x1F", 31),
        ("0o17", 15),
        ("0.1", 0.1),
        ("1.10", Written("1.10")),
        ("0.30000000000000000001", Written("0.30000000000000000001")),
        (".5", Written(".5")),
        ("a b", "a b"),
        ("'yes'", "yes"),
        ('"2020-01-01"', "2020-01-01"),
        ("'017'", "017"),
        ("!!str 5", "5"),
        ("!!str yes", "yes"),
        ("|\n a\n b\n", "a\nb\n"),
        ("{a: 1, b: [x, 2]}", {"a": 1, "b": ["x", 2]}),
        ("- a\n- b: c\n", ["a", {"b": "c"}]),
        ("1: a", {"1": "a"}),
        ("true: a", {"true": "a"}),
        ("base: &b {x: 1, y: 2}\nmore:\n  <<: *b\n  y: 3", {
            "base": {"x": 1, "y": 2}, "more": {"x": 1, "y": 3}}),
        ("a: {<<: [{x: 1}, {x: 2, y: 2}]}", {"a": {"x": 1, "y": 2}}),
        ("'<<': {x: 1}", {"<<": {"x": 1}}),
        ("a: &x [1]\nb: *x", {"a": [1], "b": [1]}),
    ],
)  # fmt: skip
def test_what_a_document_holds(text, value):
    assert exactly(parse_yaml(text)) == exactly(value)


def test_infinity_is_no_text():
    assert parse_yaml("[.inf, -.INF]") == [math.inf, -math.inf]
    assert math.isnan(parse_yaml(".nan"))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("yes", "true or false"),
        ("Off", "true or false"),
        ("y", "true or false"),
        ("2020-01-01", "a date"),
        ("2020-1-1 12:00:00", "a date"),
        ("017", "an octal number"),
        ("1_000", "a number"),
        ("0b11", "a number"),
        ("12:30", "a number to the base 60"),
        ("1e3", "a text or a number"),
        ("1.5e3", "a text or a number"),
    ],
)
def test_scalars_that_readers_take_for_different_things(text, meant):
    found = parse_yaml(f"a: {text}")["a"]
    assert (type(found), found, found.meant) == (Doubtful, text, meant)
    assert type(parse_yaml(f"a: '{text}'")["a"]) is str


BOMB = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
    f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("a: 1\nb: 2\na: 3", "line 3, column 1", 'the key "a" twice in one object'),
        ("a: {b: 1, 'b': 2}", "line 1, column 11", 'the key "b" twice in one object'),
        ("a: [1\nb: 2", "line 2, column 2", "text that is no YAML: did not find expected ',' or"),
        ("a: 'x", "line 1, column 6", "text that is no YAML: found unexpected end of stream"),
        ("\ta: 1", "line 1, column 1", "text that is no YAML: found character that cannot"),
        ("a: 1\n---\nb: 1", "line 2, column 1", "text that is no YAML: but found another document"),
        ("x: !!python/object/apply:os.system [ls]", "line 1, column 4", "os.system, which asks"),
        ("x: !Ref y", "line 1, column 4", "the tag !Ref, which asks for more than data"),
        ("x: !!binary aGk=", "line 1, column 4", "binary, which asks for more than data"),
        ("x: !!set {a}", "line 1, column 4", "set, which asks for more than data"),
        ("a: &a [*a]", "line 1, column 4", "an anchor that holds itself"),
        ("a: *b", "line 1, column 4", "text that is no YAML: found undefined alias"),
        ("? [1]\n: 2", "line 1, column 3", "a key that is no single value"),
        ("a: {<<: 5}", "line 1, column 9", "a merge (<<) of something that is no object"),
        (BOMB, "line 1, column 1", "anchors that swell 430 characters to 1,234,567,909"),
        ("- " * 200 + "x", "line 1, column 201", "YAML that is nested more than 100 deep"),
        ("[" * 50_000, "line 1, column 1001", "text that is no YAML: exceeded maximum nesting"),
        ("a: " + "9" * 5_000, "line 1, column 4", "a number too long to be read"),
        ("a: \x01", "line 1", "text that is no YAML: "),
    ],
)  # fmt: skip
def test_what_is_refused_and_where(text, place, found):
    with pytest.raises(Malformed) as raised:
        parse_yaml(text)
    assert (raised.value.place, found in raised.value.found) == (place, True), raised.value.found


TEXTS = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@settings(deadline=None)
@given(VALUES)
def test_json_is_yaml(value):
    """Texts are quoted in JSON, so that nothing is doubtful but numbers with an exponent."""
    text = json.dumps(value, ensure_ascii=False)
    found = parse_yaml(text)
    if not any(isinstance(leaf, Doubtful) for leaf in leaves(found)):
        assert exactly(found) == exactly(parse_json(text))


def leaves(value):
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from leaves(inner)
    else:
        yield value


def test_a_large_document_of_many_anchors_is_fine():
    text = "base: &b {x: 1}\n" + "".join(f"k{i}: *b\n" for i in range(20_000))
    assert len(parse_yaml(text)) == 20_001


def test_digits_are_kept():
    assert parse_yaml("a: 1.10")["a"] == Decimal("1.1")
    assert json_text(parse_yaml("a: 1.10")) == '{"a": 1.10}'
