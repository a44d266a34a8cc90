"""What holds for every cell: nothing raises, nothing is lost, and no value is invented."""

import re
from datetime import date
from decimal import Decimal
from time import process_time

from dictionary_cells import MAPPED
from dictionary_values import SETTING
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ruleferry.converters.mappings import caveats, gaps
from ruleferry.converters.predicates import Length, OneOf, Range, Typed
from ruleferry.converters.readers.spreadsheet.cells import Cell, text_of
from ruleferry.converters.readers.spreadsheet.statement import Column, Setting
from ruleferry.converters.readers.spreadsheet.values.cell_values import (
    MEANINGS,
    read_value,
    understood,
)
from ruleferry.converters.readers.spreadsheet.values.literals import number_in
from ruleferry.converters.readers.spreadsheet.values.record_values import read_record
from ruleferry.converters.readers.spreadsheet.values.statuses import in_force
from ruleferry.converters.rule import NotARule, Row, Unread

SORTS = (None, "text", "integer", "decimal", "number", "boolean", "date", "time", "timestamp")
WORDS = """
1 0 00 52 -5 1.5 1,5 1,000 25\u00a0000 99 9-Jan Yes No Y N A B Apple red etc … e.g. see list
between and or to from min max >= <= ≤ ≥ < > = : ; , | / - – \n \t [ ] ( ) { } " ' “ ” ‘ . ! ?
# \0 é today {x} [x] ${x} x Height DATEADD(dd,1,GETDATE()) 2020-01-01 1/2/2020 YYYY MM DD HH
True 1..* 0..1 varchar(5) int decimal(5,2) X(3) S9(4)V99 9(2) not null unsigned list array ISO
3166 TBD t.c sites(id) n/a cm % blank if unless must inclusive exactly characters bytes digits
18, ^a+$ \\d select_one YN PK FK
"""
PARTS = st.sampled_from([*WORDS.split(), "\n", "\t", "25\u00a0000", " "])
TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(PARTS, max_size=9).map(" ".join),
    st.lists(PARTS, max_size=9).map("".join),
)
VALUES = st.one_of(
    TEXTS,
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.dates(),
    st.datetimes(),
    st.times(),
    st.timedeltas(),
)
MEANT = st.sampled_from(sorted(MEANINGS))
COLUMNS = st.builds(
    Column,
    st.just("t"),
    st.just("x"),
    st.sampled_from(SORTS),
    st.sampled_from(((), ("Height",))),
    st.booleans(),
)
RECORDS = st.dictionaries(
    MEANT | st.just("column"), st.lists(VALUES, min_size=1, max_size=3), max_size=7
)
SETTINGS = st.sampled_from((SETTING, Setting(), Setting(day_first=True, closed_lists=False)))


def made(value, row=0, column=0):
    return Cell("S", row, column, value, text_of(value))


@settings(max_examples=400, deadline=None)
@given(MEANT, VALUES, COLUMNS, SETTINGS)
@example("min", "²", Column("t", "x"), SETTING)
@example("codes", "٣-٥", Column("t", "x"), SETTING)
@example("length", "9" * 5000, Column("t", "x"), SETTING)
@example("min", "1e999", Column("t", "x"), SETTING)
@example("range", "[" * 300 + "," * 300, Column("t", "x"), SETTING)
@example("type", "list of " * 500, Column("t", "x"), SETTING)
@example("type", "a[][][][]" + "[]" * 600, Column("t", "x"), SETTING)
@example("pattern", "(" * 3000, Column("t", "x"), SETTING)
@example("min", "today + 999999", Column("t", "x"), SETTING)
def test_every_cell_states_something_and_nothing_raises(meaning, value, column, setting):
    found = read_value(meaning, made(value), column, setting)
    assert found
    known = understood(meaning, made(value), column, setting)
    for statement in found:
        check = statement.check
        if isinstance(check, Unread):
            assert check.code in gaps()
            assert check.columns == ("x",)
        assert known or isinstance(check, Unread)
        assert isinstance(check, NotARule) or "x" in statement.columns
        assert all(caveat.code in caveats() for caveat in statement.caveats)
        if isinstance(check, Unread | NotARule):
            assert check.reason


@settings(max_examples=150, deadline=None)
@given(RECORDS, COLUMNS)
def test_every_cell_of_a_record_states_something(values, column):
    cells = {
        meaning: tuple(made(value, row, index) for row, value in enumerate(listed))
        for index, (meaning, listed) in enumerate(values.items())
    }
    found = read_record(cells, column, SETTING)
    wanted = {(c.row, c.column) for m, listed in cells.items() if m in MEANINGS for c in listed}
    assert found.keys() == wanted
    assert all(found.values())
    in_force([cell for listed in cells.values() for cell in listed])


def predicates(meaning, text, column):
    found = read_value(meaning, made(text), column, Setting())
    return [s.check.predicate for s in found if isinstance(s.check, Row)]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(("codes", "range", "format")), TEXTS, COLUMNS)
def test_values_of_a_list_stand_in_its_text(meaning, text, column):
    words = " ".join(text.translate(str.maketrans("’‘“”\u00a0", "''\"\" ")).split())
    numbers = [int(n) for n in re.findall(r"\d+", words) if n.isascii()]
    for found in predicates(meaning, text, column):
        if not isinstance(found, OneOf):
            continue
        for value in map(str, found.values):
            inside = value.isdigit() and numbers and min(numbers) <= int(value) <= max(numbers)
            assert value == "" or " ".join(value.split()) in words or inside


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(("min", "max", "range", "exclusive_min")), TEXTS, COLUMNS)
def test_bounds_stand_in_their_text(meaning, text, column):
    plain = re.sub(r"[\s,']", "", text).replace("−", "-").replace("–", "-")
    for found in predicates(meaning, text, column):
        for bound in (found.low, found.high) if isinstance(found, Range) else ():
            if isinstance(bound, int | Decimal) and "positive" not in text and bound != 0:
                digits = re.findall(r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+", plain)
                assert any(Decimal(d) == abs(bound) for d in digits), (text, bound)
            if isinstance(bound, date):
                assert str(bound.year) in text


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(("length", "min_length", "precision", "scale", "type")), TEXTS, COLUMNS)
def test_sizes_stand_in_their_text(meaning, text, column):
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    numbers = {int(n) for n in re.findall(r"[0-9]+", text) if len(n) < 12}
    numbers |= {index + 1 for index, word in enumerate(words) if word in text.casefold()}
    for found in predicates(meaning, text, column):
        if isinstance(found, Length):
            assert {n for n in (found.low, found.high) if n is not None} <= numbers
        if isinstance(found, Typed) and not re.search("[9v]", text, re.IGNORECASE):
            assert {n for n in (found.precision, found.scale) if n} <= numbers


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.integers(-(10**15), 10**15), st.decimals("-1e9", "1e9", places=4)))
def test_a_number_is_read_exactly(number):
    assert number_in(text_of(number)) == number
    if isinstance(number, int) and abs(number) >= 1000:
        assert number_in(f"{number:,}") == number
        assert number_in(f"{number:,}".replace(",", " ")) == number


@settings(max_examples=300, deadline=None)
@given(st.dates(date(1000, 1, 1)))
def test_a_day_is_read_as_itself_or_not_at_all(day):
    column = Column("t", "x", "date")
    for text in (f"{day:%Y-%m-%d}", f"{day:%Y%m%d}", f"{day:%d.%m.%Y}", f"{day:%d %B %Y}"):
        (found,) = predicates("min", text, column)
        assert found.low == day
    for text in (f"{day:%d/%m/%Y}", f"{day:%m/%d/%Y}"):
        found = predicates("min", text, column)
        assert not found or found[0].low == day


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.sampled_from(SORTS))
def test_a_cell_that_adds_a_word_is_never_the_same_rule_by_chance(text, sort):
    """What is not read to its end is no rule: a demand behind a range takes the range away."""
    column = Column("t", "x", sort)
    for base in ("0-10", "between 0 and 1", "> 5", "[0,1]"):
        found = predicates("range", f"{base} unless {text} must", column)
        assert not [one for one in found if isinstance(one, Range)]


LONG = [
    *("a" * 7_000, "9" * 7_000, " " * 7_000 + "x", "{" * 5_000, "_x" * 3_000),
    *("if(" * 2_000, "( " * 2_000, "1-2, " * 2_000, "1 = a; " * 1_000, "x or " * 2_000),
    *("> 0 and " * 1_000, "list of " * 1_000, "a[]" * 2_000, "[1,2] " * 1_000, "a/" * 2_000),
    *("today - " * 1_000, "1, a | " * 1_000, '"a", ' * 1_000, "1 " * 3_000, "(a|" * 2_000),
    "a.b" * 2_000,
]


def test_long_texts_are_read_in_no_time():
    for meaning in sorted(MEANINGS):
        for text in LONG:
            start = process_time()
            assert read_value(meaning, made(text), Column("t", "x"), SETTING)
            assert process_time() - start < 1, (meaning, text[:20])


def test_the_mapped_dictionaries_name_meanings_that_are_read():
    assert {m for mapped in MAPPED for m in mapped.columns.values()} <= MEANINGS
