"""Facts as a person writes them: what is read, and what is refused and why."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleferry.converters.fact_texts import (
    Refused,
    columns_in,
    dialect_in,
    engine_in,
    file_in,
    renamed_in,
    table_in,
    tables_in,
)
from ruleferry.converters.meaning_words import meaning_of, meaning_words
from ruleferry.converters.readers.spreadsheet.meaning.header_words import meanings

READ = [
    (table_in, " main.sales.orders\n", "main.sales.orders"),
    (table_in, "main.`a-b`.orders", "main.`a-b`.orders"),
    (engine_in, " Pandas ", "pandas"),
    (engine_in, "Postgres", "postgres"),
    (engine_in, "PostgreSQL", "postgres"),
    (engine_in, " sql  server", "tsql"),
    (dialect_in, "TSQL", "tsql"),
    (dialect_in, "SQL Server", "tsql"),
    (dialect_in, "Oracle", "oracle"),
    (columns_in, "a, `b c`\nd", ("a", "b c", "d")),
    (columns_in, "a,", ("a",)),
    (renamed_in, "a = b", (("a", "b"),)),
    (renamed_in, "a=b, `c d` = `e f`\r\ng = h;", (("a", "b"), ("c d", "e f"), ("g", "h"))),
    (renamed_in, "Order Date = order_date", (("Order Date", "order_date"),)),
    (renamed_in, "a.b = c", (("a.b", "c"),)),
    (renamed_in, "a = b, b = a", (("a", "b"), ("b", "a"))),
    (renamed_in, "`x=y` = z", (("x=y", "z"),)),
    (renamed_in, "a = `b``c`", (("a", "b`c"),)),
    (tables_in, "dbo.items = main.sales.items", (("dbo.items", "main.sales.items"),)),
    (tables_in, "a = b\nc = d.e", (("a", "b"), ("c", "d.e"))),
    (file_in, " profiles/p.toml ", "profiles/p.toml"),
]

REFUSED = [
    (table_in, "", "no table's name"),
    (table_in, "a.b.c.d", "no table's name"),
    (table_in, "the orders", "no table's name"),
    (table_in, "a; DROP TABLE b", "no table's name"),
    (engine_in, "mssql", "Did you mean tsql?"),
    (dialect_in, "cobol", "is not known"),
    (columns_in, " , ", "no column is named"),
    (columns_in, "a = b", "is not the name of one column"),
    (columns_in, "a, A", "named twice"),
    (columns_in, "a b", "no plain name"),
    (columns_in, "`a", "not closed"),
    (renamed_in, "", "no names are given"),
    (renamed_in, "a", "can't be read"),
    (renamed_in, "a =", "can't be read"),
    (renamed_in, "= b", "can't be read"),
    (renamed_in, "a = b = c", "can't be read"),
    (renamed_in, "a = b c", "no plain name"),
    (renamed_in, "a = b.c", "no plain name"),
    (renamed_in, "a = `b.c`", "dot within a name"),
    (renamed_in, "a = `b", "not closed"),
    (renamed_in, "`a`b = c", "can't be read"),
    (renamed_in, "a = A", "changes nothing"),
    (renamed_in, "a = b, A = c", '"A" gets two new names'),
    (renamed_in, "a = x, b = X", 'two columns would both be called "X"'),
    (renamed_in, "a = `\u0007`", "no name"),
    (renamed_in, "a = ''; DROP", "can't be read"),
    (tables_in, "main.sales.items", "its name in the source"),
    (tables_in, "a = b = c", "can't be read"),
    (tables_in, "a = the items", "no table's name"),
    (tables_in, "a = b, `A` = c", "two new names"),
    (tables_in, "\n", "no table is named"),
    (file_in, "", "no path"),
    (file_in, "/etc/passwd", "no path"),
]


@pytest.mark.parametrize(("read", "text", "found"), READ)
def test_what_is_read(read, text, found):
    assert read(text) == found


@pytest.mark.parametrize(("read", "text", "why"), REFUSED)
def test_what_is_refused(read, text, why):
    with pytest.raises(Refused) as refused:
        read(text)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


READERS = [table_in, engine_in, dialect_in, columns_in, renamed_in, tables_in, file_in]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(READERS), st.text(st.sampled_from("ab`=,;.\n \t'\"é\u202e\x00"), max_size=20)
)
def test_any_text_is_read_or_refused(read, text):
    try:
        assert read(text)
    except Refused as refused:
        assert str(refused)  # noqa: PT017


NAMES = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="."), min_size=1)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(NAMES, NAMES, min_size=1, max_size=3))
def test_names_in_backticks_come_back(names):
    quoted = [[f"`{name.replace('`', '``')}`" for name in pair] for pair in names.items()]
    text = "\n".join(f"{old} = {new}" for old, new in quoted)
    try:
        assert renamed_in(text) == tuple(names.items())
    except Refused as refused:
        assert any(why in str(refused) for why in ("two", "nothing"))  # noqa: PT017


def test_every_meaning_has_words_of_its_own():
    assert set(meaning_words()) == set(meanings())
    assert len(set(meaning_words().values())) == len(meanings())
    for meaning, words in meaning_words().items():
        assert meaning_of(f" {words.upper()}. ") == meaning_of(meaning) == meaning
    assert meaning_of("something else") is None
