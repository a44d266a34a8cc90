"""Whatever a text holds, its pieces cover it, and cutting it takes time in proportion to it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sql_scripts_code import ALL
from sql_split import covers, cut, texts

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.count import second_count
from ruleferry.converters.readers.sql.split import comments_of, control_after

DIALECTS = sorted(sql_dialects())
WORDS = [*DIALECTS, "dbt-snowflake", "bigquery+jinja", "dataform", "oracle-odi", "sqlmesh"]
SIGNS = r"""
' " ` [ ] ( ) { } {{ }} {% %} {# #} -- /* */ # // \ ; $$ $a$ @ & . / : ! $ ${ , = << >> q'[
"""
CODE = r"""
SELECT FROM a WHERE INSERT INTO UNION ALL UPDATE SET DELETE WITH AS IF BEGIN END CASE WHEN THEN LOOP
DECLARE @x CREATE PROCEDURE OR REPLACE FUNCTION TRIGGER PACKAGE IS GO DELIMITER USE PROMPT EXEC REM
.IF ACTIVITYCOUNT 1 NULL TABLE CHECK NOT macro endmacro if endif config BEGIN_PROC ET COPY STDIN \.
MACRO RETURN CURSOR E'it\' N'x' r'\' 'x;'
"""
TOKENS = [*SIGNS.split(), *CODE.split(), " ", " ", "\n", "\n", "\r\n", "\r", "\t", "\ufeff", "é"]

soup = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(TOKENS), max_size=60).map("".join),
    st.lists(st.sampled_from(TOKENS), max_size=60).map(" ".join),
)


@settings(max_examples=600, deadline=None)
@given(soup, st.sampled_from(WORDS))
def test_any_text_is_covered(text, word):
    script = cut(text, word)
    assert covers(script)
    ends = [0, *(piece.end for piece in script.pieces)]
    assert [piece.start for piece in script.pieces] == ends[:-1]
    assert all(piece.start < piece.end for piece in script.pieces)
    for piece in script.pieces:
        assert piece.kind != "blank" or not script.of(piece).replace("\ufeff", "").strip()
        if piece.kind == "statement":
            assert script.of(piece) == script.of(piece).strip()
            control_after(script, piece)
            for comment in comments_of(script, piece):
                assert comment.text.strip()
                assert 0 <= comment.start < comment.end <= len(text)


@settings(max_examples=300, deadline=None)
@given(soup, st.sampled_from(WORDS))
def test_a_count_of_any_text(text, word):
    script = cut(text, word)
    statements = sum(piece.kind == "statement" for piece in script.pieces)
    assert second_count(script, []) >= statements


@settings(max_examples=300, deadline=None)
@given(soup, st.sampled_from(DIALECTS))
def test_what_is_cut_does_not_depend_on_the_ends_of_lines(text, dialect):
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = [" ".join(s.split()) for s in texts(cut(text, dialect))]
    for end in ("\r\n", "\r"):
        assert [" ".join(s.split()) for s in texts(cut(text.replace("\n", end), dialect))] == plain


# Scripts of several -------------------------------------------------------------------------------

WHOLE = [
    (word, marked.replace("«", "").replace("»", ""))
    for group, rows in ALL.items()
    if group != "broken"
    for _, word, marked in rows
    if "DELIMITER" not in marked.upper() and "TERMINATOR" not in marked.upper()
]
BETWEEN = {"tsql": "\nGO\n", "oracle": "\n;\n/\n", "oracle-odi": "\n;\n/\n"}
BY_WORD = {
    word: [text for other, text in WHOLE if other == word and "DECLARE n INT64" not in text]
    for word in sorted({word for word, _ in WHOLE})
}


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_scripts_one_after_the_other_have_the_statements_of_each(data):
    word = data.draw(st.sampled_from(sorted(BY_WORD)))
    chosen = data.draw(st.lists(st.sampled_from(BY_WORD[word]), min_size=2, max_size=4))
    between = BETWEEN.get(word, "\n;\n")
    apart = [statement for text in chosen for statement in texts(cut(text, word))]
    assert texts(cut(between.join(chosen), word)) == apart


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(BY_WORD)), st.data())
def test_a_quote_too_few_hides_no_statement_on_the_lines_below(word, data):
    after = data.draw(st.sampled_from(["SELECT 'x', 2 FROM u", "DELETE FROM u WHERE a = 'it''s'"]))
    between = ";\n"
    script = cut(f"SELECT 'a FROM t{between}{after}{between}SELECT 3 FROM v;", word)
    assert texts(script)[-2:] == [after, "SELECT 3 FROM v"]


# Time ---------------------------------------------------------------------------------------------

HOSTILE = [
    "'", "\\'", "'a", "';\nSELECT \\' ", "/*", "*/ /*", ";\n/*", "$$", "$a$ $b", "${{} ", "{{ ",
    "{% if x %}", "{% if x %}{% endfor %}", '"', "`", "[", "- ", "BEGIN ", "BEGIN;\n", "q'[",
    "'''a", "#", "@ ", "\n", ".IF -\n", "SET x -\n", "CREATE ", "COPY a FROM STDIN;",
    "x';\nSELECT 'a",
    "DECLARE a, b INT64;a;",
    "CREATE PROCEDURE x IS BEGIN CASE ", "-- a\n", "IF 1=1 ", "(", "\\",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize("dialect", ["mysql", "bigquery", "oracle", "tsql", "postgres"])
def test_a_hostile_text_is_cut(unit, dialect):
    """In time that grows with its length: else this would take minutes."""
    assert covers(cut(unit * (64_000 // len(unit)), dialect))
