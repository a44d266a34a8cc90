"""The line of a place in a script, whatever ends its lines."""

from hypothesis import given
from hypothesis import strategies as st

from ruleferry.converters.dialects.words import sql_dialects
from ruleferry.converters.readers.sql.found import Script


@given(st.text(alphabet="a\r\n\u2028"))
def test_a_line_is_the_number_of_ends_before_it(text):
    script = Script("a.sql", text, sql_dialects()["oracle"], ())
    for offset in range(len(text) + 1):
        before = text[:offset]
        ends = before.count("\n") + before.count("\r") - before.count("\r\n")
        assert script.line(offset) == ends + 1
