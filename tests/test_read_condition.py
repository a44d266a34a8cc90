"""The text of a condition is read as what it means, or not at all: it may have been edited."""

import shutil
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.compare import relation
from ruleferry.converters.config import load_config
from ruleferry.converters.conversion import convert
from ruleferry.converters.read_condition import meaning_of

SAMPLE = Path(__file__).parents[1] / "samples/orders"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x >= 0 AND x <= 9", "X BETWEEN 0 AND 9.0"),
        ("x >= 0", "\n\t( `x`>=0 )  "),
        ("x >= 0", "x >= 0 -- nothing is negative\n"),
        ("x >= 0", "/* nothing /* is */ negative */ x >= 0"),
        ("x RLIKE '^\\\\d+$'", "x RLIKE r'^\\d+$'"),
        ("x = 'it\\'s'", "x = 'it''s'"),
        ("x = 'a'", 'x = "a"'),
        ("nvl(x, FALSE)", "COALESCE(x, false)"),
        ("isnotnull(x)", "x IS NOT NULL"),
        ("regexp_like(x, 'a')", "x RLIKE 'a'"),
        ("char_length(x) > 3", "length(x) > 3"),
        ("len(ifnull(x, '')) > 3", "character_length(nvl(x, '')) > 3"),
        ("if(a, b, c)", "CASE WHEN a THEN b ELSE c END"),
        ("x::INT > 3", "CAST(x AS INT) > 3"),
        ("x <= curdate()", "x <= current_date"),
    ],
)
def test_one_meaning(one, other):
    assert meaning_of(one) is not None
    assert meaning_of(one) == meaning_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 'a'", "x = 'A'"),
        ("x = 'a'", "x = a"),
        ("x RLIKE '\\d'", "x RLIKE '\\\\d'"),
        ("x >= 0", "`x >= 0`"),
        ("x >= 0", "x >= 0 AND y"),
        ("length(x) > 3", "octet_length(x) > 3"),
        ("nvl(x, FALSE)", "nvl(x, TRUE)"),
        ("if(a, b, c)", "if(a, c, b)"),
        ("CAST(x AS INT) > 3", "try_cast(x AS INT) > 3"),
    ],
)
def test_another_meaning(one, other):
    assert meaning_of(one) != meaning_of(other)


NO_CONDITION = {
    "nothing": "",
    "blanks": " \n ",
    "a comment alone": "-- x > 1",
    "garbage": "x >>> ]",
    "half of one": "x > 1 AND",
    "a parenthesis too few": "(x > 1",
    "a parenthesis too many": "x > 1)",
    "another one behind it": "x > 1) OR (TRUE",
    "two": "x > 1, y > 1",
    "a quote not closed": "x = 'a",
    "a statement": "SELECT x > 1",
    "a statement that changes things": "DROP TABLE t",
    "a condition and a statement": "x > 1; DROP TABLE t",
    "a semicolon, which Spark refuses": "x > 1;",
    "a comment that swallows what follows": "x > 1 -- so the steward",
    "a name of its own": "x > 1 AS good",
    "a subquery": "x IN (SELECT 1)",
    "another subquery": "EXISTS (SELECT 1)",
    "one behind a word": "x = 1 OR (SELECT TRUE)",
    "a window": "count(x) OVER (PARTITION BY y) = 1",
    "a star": "count(*) > 1",
    "a function as an argument": "exists(x, y -> y > 1)",
    "a number": "1",
    "a text": "'x > 1'",
    "a sum": "x + 1",
    "a length": "length(x)",
    "a date": "CURRENT_DATE()",
    "a number behind CASE": "CASE WHEN x > 1 THEN 1 ELSE 0 END",
    "a number with two points": "x IN (1, 1.0.50)",
    "half of a number": "x > 1e",
    "a placeholder": "x > ${least}",
    "another": "x > {{ least }}",
    "a parameter": "x > :least",
    "a map of a half": "CAST( <=> map( IS",
    "a word that begins a statement": "IF x",
    "a lone surrogate": "x = '\ud800' AND",
}


@pytest.mark.parametrize("text", NO_CONDITION.values(), ids=NO_CONDITION.keys())
def test_no_condition(text):
    assert meaning_of(text) is None


LARGE = {
    "a hundred thousand characters": ("x = '" + "a" * 100_000 + "'", True),
    "a hundred thousand digits": ("x = " + "1" * 100_000, True),
    "ten million characters": ("x = '" + "a" * 10_000_000 + "'", False),
    "ten thousand values": (f"x IN ({', '.join(map(str, range(10_000)))})", True),
    "five thousand patterns": (" OR ".join(f"x RLIKE 'p{n}'" for n in range(5_000)), True),
    "ten thousand parentheses": ("(" * 10_000 + "x = 1" + ")" * 10_000, False),
    "ten thousand of them open": ("(" * 10_000 + "x = 1", False),
    "ten thousand NOTs": ("NOT " * 10_000 + "x = 1", False),
    "ten thousand signs": ("x = " + "- " * 10_000 + "1", False),
    "a sum of ten thousand": ("x" + " + 1" * 10_000 + " = 1", False),
    "ten thousand calls": ("coalesce(" * 10_000 + "x = 1" + ", TRUE)" * 10_000, False),
    "ten thousand calls in other words": ("nvl(" * 10_000 + "x" + ", y)" * 10_000, False),
    "thirty calls in other words": ("nvl(" * 30 + "x" + ", y)" * 30, True),
    "ten thousand cases": ("CASE WHEN " * 10_000 + "x" + " THEN TRUE END" * 10_000, False),
    "ten thousand types": ("CAST(x AS " + "ARRAY<" * 10_000 + "INT" + ">" * 10_000 + ")", False),
    "ten thousand comments": ("/* " * 10_000 + "*/ " * 10_000 + "x = 1", True),
}


@pytest.mark.parametrize(("text", "known"), LARGE.values(), ids=LARGE.keys())
def test_a_large_one_neither_raises_nor_hangs(text, known):
    began = time.process_time()
    assert (meaning_of(text) is not None) is known
    assert time.process_time() - began < 10


_WORDS = (
    "x y `z` . , ( ) [ ] { } < > = <> <=> ! ~ % & | || ^ + - * / // ' \" ` \\ ; : :: ? @ $ # 1 1. "
    ".5 1e9 1e999999 0x1 1L 1BD 9999999999 'a' r'\\' \"b\" NULL TRUE NOT AND OR XOR IS IN LIKE "
    "ILIKE RLIKE BETWEEN ESCAPE ANY ALL CASE WHEN THEN ELSE END CAST( try_cast( AS INT DATE "
    "TIMESTAMP INTERVAL DISTINCT FROM SELECT WITH EXISTS( coalesce( nvl( if( rand() nvl2( date("
    " OVER -> => /* */ -- \n \t \0 \u2028 é 😀 ${x} {{ COLLATE AT TIME ZONE DAY EXTRACT( "
    "struct( map( array( count( DIV lateral values table using pivot @x :x"
)
_PIECES = st.sampled_from(_WORDS.split(" "))


def test_nothing_is_told_of_what_cannot_be_read(caplog):
    assert meaning_of("IF x > 1") is None
    assert not caplog.records


@given(st.lists(_PIECES, max_size=14).map(" ".join) | st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_it_never_raises(text):
    meaning_of(text)


def test_what_we_write_ourselves_is_read_and_its_guards_are_no_difference(tmp_path):
    """As a module tests it: `coalesce((…), false)`."""
    folder = shutil.copytree(SAMPLE, tmp_path / "orders")
    done = convert(load_config(folder / "ruleferry.toml", folder), [])
    written = {entry.condition for entry in done.ledger.entries if entry.condition}
    assert len(written) > 15
    for text in written:
        found, guarded = meaning_of(text), meaning_of(f"coalesce(({text}), false)")
        assert found is not None, text
        assert guarded is not None
        assert relation(found, guarded) == "equal", text
        more = meaning_of(f"new_column IS NULL OR ({text})")
        assert more is not None
        assert relation(more, found) == "looser", text
