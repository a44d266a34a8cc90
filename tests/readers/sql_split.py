"""What the tests of cut scripts share."""

from ruleferry.converters.dialects.words import dialect_word, sql_dialects
from ruleferry.converters.readers.sql.split import split


def cut(text, word):
    """The script, by a dialect's word; where the word tells none, by Snowflake's."""
    told = dialect_word(word)
    return split("x.sql", text, sql_dialects()[told.dialect or "snowflake"], told.wrapper)


def texts(script, kind="statement"):
    return [script.of(piece) for piece in script.pieces if piece.kind == kind]


def covers(script):
    return "".join(map(script.of, script.pieces)) == script.text


def shown(script):
    """The text with its statements in « »."""
    return "".join(
        f"«{script.of(piece)}»" if piece.kind == "statement" else script.of(piece)
        for piece in script.pieces
    )
