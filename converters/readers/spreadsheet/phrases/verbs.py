"""What follows "must" and "must not": be …, contain …, start with …, follow a format, exist in …"""

from __future__ import annotations

from ruleferry.converters.predicates import Length
from ruleferry.converters.readers.spreadsheet.phrases.claims import (
    HERE,
    PRESENT,
    UNIQUE,
    Claims,
    allowed,
    beside,
    denied_start,
    ends,
    gap,
    kind_of,
    refused,
    row,
    starts,
    versus_claim,
    without,
)
from ruleferry.converters.readers.spreadsheet.phrases.combine import (
    Parser,
    Readings,
    Source,
    alt,
    any_of,
    kept,
    many,
    mapped,
    opt,
    says,
    seq,
    then,
    token,
    words,
)
from ruleferry.converters.readers.spreadsheet.phrases.complements import (
    complement,
    denied,
    listed_values,
)
from ruleferry.converters.readers.spreadsheet.phrases.formats import (
    affixes,
    contained_chars,
    formats,
    no_chars,
    only,
)
from ruleferry.converters.readers.spreadsheet.phrases.lengths import had_lengths
from ruleferry.converters.readers.spreadsheet.phrases.limits import Limit, Versus, limit, versus
from ruleferry.converters.readers.spreadsheet.phrases.names import Name
from ruleferry.converters.readers.spreadsheet.phrases.tokens import Token
from ruleferry.converters.readers.spreadsheet.phrases.values import Values, as_values, item, items
from ruleferry.converters.rule import Exists, Lookup, Row

# Existence in another table -----------------------------------------------------------------------


def _named(found: Token | None) -> str | None:
    marked = found is not None and found.kind in ("word", "quoted", "ref")
    return found.text if marked and found is not None else None


def _table_key(source: Source, at: int) -> Readings[Claims]:
    """`in table X (column y)`, `in X.y`, of a table that the workbook has."""
    for _, start in any_of(["in", "in the", "in table", "in the table"])(source, at):
        named = _named(source.at(start))
        if named is None:
            continue
        dotted, _, column = named.rpartition(".")
        table = source.setting.tables.get(dotted.casefold())
        if table and column:
            yield _exists(table, column), start + 1
        table = source.setting.tables.get(named.casefold())
        for key, after in _key_column(source, start + 1) if table else ():
            assert table is not None
            yield _exists(table, key), after


def _key_column(source: Source, at: int) -> Readings[str]:
    for _, start in opt(words("table"))(source, at):
        for opened, after in any_of(["( column", "( field", "( as", ", column", "column"])(
            source, start
        ):
            key, closes = _named(source.at(after)), source.at(after + 1)
            if key is None:
                continue
            if not opened.startswith("("):
                yield key, after + 1
            elif closes is not None and closes.norm == ")":
                yield key, after + 2


def _exists(table: str, column: str) -> Claims:
    return (Exists(Lookup(table, ((HERE, column),)), missing="good"),)


# After must ---------------------------------------------------------------------------------------


def _same(found: Limit) -> Claims:
    if isinstance(found, Name) and found.column is not None:
        return beside("=", found.column)
    return gap("not_understood", "what it must match is no column of the table")


def _less(found: Limit) -> Claims:
    return versus_claim(Versus("<", found))


def _more(found: Limit) -> Claims:
    return versus_claim(Versus(">", found))


def _at_most(found: Limit) -> Claims:
    return versus_claim(Versus("<=", found))


def _equal(found: Limit) -> Claims:
    return versus_claim(Versus("=", found))


def _patterned(found: Token) -> Claims:
    return gap("not_understood", f"whether the whole value must match {found.text} is not clear")


_be = any_of(["be", "always be"])
_and = any_of(["and", ", and", "and be"])
_equal_values: Parser[Values] = kept(mapped(items(item), as_values))
_the_value = any_of(["a value", "a non-blank value", "a non-empty value", "data"])
_listed = then(any_of(["contain", "have", "hold", "take"]), then(opt(words("only")), listed_values))
_pattern = seq(any_of(["match", "follow", "match the", "follow the"]), any_of(["pattern", "regex"]))
_starts = any_of(["start with", "begin with", "be prefixed with"])
_ends = any_of(["end with", "end in", "be suffixed with"])
_occur = any_of(["occur", "fall", "come", "lie", "happen"])
_found = any_of(["exist", "be", "be present", "be found", "be listed", "appear"])


def _all(found: tuple[Claims, ...]) -> Claims:
    """Each of them; two of one sort ("1 and 2 or 3") would make a riddle of it."""
    checks = tuple(check for claims in found for check in claims)
    sorts = [kind_of(check) for check in checks if kind_of(check) != "range"]
    if len(found) > 1 and len(set(sorts)) < len(sorts):
        return gap("not_understood", "what it joins by and is not clear")
    return checks


verb: Parser[Claims] = alt(
    mapped(then(_be, many(complement, _and)), _all),
    mapped(_listed, allowed),
    mapped(then(_starts, affixes), starts),
    mapped(then(_ends, affixes), ends),
    says(seq(any_of(["have", "contain", "hold"]), _the_value), PRESENT),
    then(any_of(["have", "contain", "be"]), had_lengths),
    then(any_of(["have", "contain"]), no_chars),
    only,
    then(any_of(["follow", "match", "be in", "use", "have"]), formats),
    mapped(then(_pattern, token("quoted")), _patterned),
    mapped(then(words("exceed"), limit), _more),
    mapped(then(words("precede"), limit), _less),
    mapped(then(words("equal"), _equal_values), allowed),
    mapped(then(words("equal"), limit), _equal),
    mapped(then(words("match"), limit), _same),
    mapped(then(_occur, versus), versus_claim),
    then(_found, _table_key),
)

# After must not -----------------------------------------------------------------------------------


def _not_longer(claims: Claims) -> Claims:
    """`must not exceed 255 characters`: the length that is named is the longest."""
    match claims:
        case (Row(Length(_, low, high)),) if low == high:
            return row(Length(HERE, high=high))
    return gap("not_understood", "what must not be exceeded is not clear")


_quoted_texts = mapped(token("quoted"), lambda found: (found.text,))
_duplicates = any_of(["duplicates", "duplicate values"])

denied_verb: Parser[Claims] = alt(
    then(_be, denied),
    mapped(then(words("exceed"), limit), _at_most),
    mapped(then(words("exceed"), had_lengths), _not_longer),
    mapped(then(words("equal"), _equal_values), refused),
    then(any_of(["contain", "have", "include"]), contained_chars),
    mapped(then(any_of(["contain", "include"]), _quoted_texts), without),
    mapped(then(_starts, affixes), denied_start),
    says(seq(any_of(["have", "contain"]), _duplicates), UNIQUE),
)
