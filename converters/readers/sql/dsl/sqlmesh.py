"""SQLMesh: audits that stand by themselves, and those that a model names.

`AUDIT (name x, blocking false); SELECT …` returns bad records; `MODEL (audits (not_null(columns :=
(a, b))))` uses what the tool has itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable, parse_statement
from ruleferry.converters.dialects.words import SqlDialect, dialect_word, sql_dialects
from ruleferry.converters.readers.sql.ddl.cursor import Cursor, closing, parts
from ruleferry.converters.readers.sql.ddl.tokens import Token, tokens_of
from ruleferry.converters.readers.sql.dsl.build import On, any_of, call, column, count_all, literal
from ruleferry.converters.readers.sql.dsl.item import Item, Listed, rule
from ruleferry.converters.readers.sql.dsl.nodes import Place
from ruleferry.converters.readers.sql.found import Checked, Found, Setting
from ruleferry.converters.readers.sql.macros import prepare
from ruleferry.converters.readers.sql.shapes import bad_rows
from ruleferry.converters.rule import Action

_HEAD = re.compile(
    r"\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*)*(AUDIT|MODEL)\s*\(", re.IGNORECASE | re.DOTALL
)
_THIS = "@this_model"
_THIS_MODEL = re.compile(r"@this_model\b", re.IGNORECASE)
_STAND_IN = "ruleferry_this_model"


def is_sqlmesh(text: str) -> bool:
    """AUDIT ( or MODEL ( at its beginning."""
    return _HEAD.match(text) is not None


def read_sqlmesh(
    text: str, file: str, setting: Setting, values: Mapping[str, object] | None = None
) -> Listed:
    """Of a standalone audit whose model nothing tells the table is `@this_model`."""
    tokens = list(tokens_of(text, setting.dialect))
    founds: list[Found] = []
    lengths: dict[str, int] = {}
    for block in _blocks(tokens):
        dialect = _dialect(block, setting.dialect)
        reading = _Reading(text, replace(setting, dialect=dialect), values or {})
        if block.kind == "AUDIT":
            founds.append(reading.audit(block, len(founds)))
            lengths[f"audits[{len(lengths)}]"] = 1
        else:
            found, count = reading.model(block)
            founds += found
            lengths["audits"] = count
    return tuple(founds), lengths


@dataclass(frozen=True, slots=True)
class _Block:
    """`AUDIT (…);` and the tokens of the query that follows it."""

    kind: str
    settings: Mapping[str, tuple[Token, ...]]
    query: tuple[Token, ...]
    start: int
    end: int


def _blocks(tokens: Sequence[Token]) -> Iterator[_Block]:
    place = 0
    while place < len(tokens):
        if (
            tokens[place].word in ("AUDIT", "MODEL")
            and tokens[place + 1 : place + 2]
            and (tokens[place + 1].text == "(")
        ):
            end = closing(tokens, place + 1)
            if end is None:
                return
            after = _next_block(tokens, end + 1)
            query = tuple(t for t in tokens[end + 1 : after] if t.text != ";")
            last = tokens[after - 1].end
            yield _Block(tokens[place].word, _settings(tokens[place + 2 : end]), query,
                         tokens[place].start, last)  # fmt: skip
            place = after
        else:
            place += 1


def _next_block(tokens: Sequence[Token], first: int) -> int:
    for place in range(first, len(tokens) - 1):
        starts = place == 0 or tokens[place - 1].text == ";"
        if starts and tokens[place].word in ("AUDIT", "MODEL") and tokens[place + 1].text == "(":
            return place
    return len(tokens)


def _settings(tokens: Sequence[Token]) -> Mapping[str, tuple[Token, ...]]:
    """`name x` -> NAME: x."""
    return {part[0].word: tuple(part[1:]) for part in parts(tokens) if part[0].word}


def _dialect(block: _Block, default: SqlDialect) -> SqlDialect:
    given = block.settings.get("DIALECT", ())
    word = dialect_word(given[0].value.strip("'\"")) if given else None
    return sql_dialects()[word.dialect] if word and word.dialect else default


@dataclass(frozen=True, slots=True)
class _Reading:
    text: str
    setting: Setting
    values: Mapping[str, object]

    def audit(self, block: _Block, index: int) -> Found:
        item = Item(f"audits[{index}]", _word(block, "NAME"), _THIS, action=_action(block))
        standalone = _word(block, "STANDALONE").lower() == "true"
        if _word(block, "SKIP").lower() == "true":
            item = replace(item, retired="the audit is skipped (skip true)")
        if standalone:
            item = replace(item, table=None, action="warn")
        where = {item.place: Place(block.start, block.end)}
        return rule(item, lambda: self._query(block, item), where)

    def _query(self, block: _Block, item: Item) -> Checked:
        if not block.query:
            raise Unreadable("malformed", "no query follows the audit")
        if "DEFAULTS" in block.settings:
            raise Unreadable("template", "its query has parameters (defaults)")
        text = self.text[block.query[0].start : block.query[-1].end]
        dialect = self.setting.dialect
        prepared = prepare(_THIS_MODEL.sub(_STAND_IN, text), dialect, "sqlmesh", self.values)
        tree = parse_statement(prepared.text, dialect)
        found = bad_rows(tree, replace(self.setting, macros=prepared.macros))
        if _STAND_IN in repr(found.check):
            raise Unreadable("unsupported_query", "it compares the model with itself")
        return replace(found, table=item.table) if found.table == _STAND_IN else found

    def model(self, block: _Block) -> tuple[list[Found], int]:
        """The audits that a model names; a list in parentheses, or one of them."""
        given = block.settings.get("AUDITS") or block.settings.get("AUDIT", ())
        if not given:
            return [], 0
        cursor = Cursor(given)
        listed = cursor.group()
        uses = parts(listed if listed is not None and cursor.done else given)
        table = _path(block.settings.get("NAME", ()))
        founds = [self._use(use, f"audits[{index}]", table) for index, use in enumerate(uses)]
        return founds, len(uses)

    def _use(self, tokens: Sequence[Token], place: str, table: str | None) -> Found:
        name = tokens[0].value.lower()
        words: tuple[Token, ...] = tuple(tokens[2:-1]) if tokens[-1].text == ")" else ()
        given = _arguments(words)
        item = Item(place, "", table, action=_of_use(given, name))
        where = {place: Place(tokens[0].start, tokens[-1].end)}
        on = On(table or "", self.setting, "sqlmesh", self.values)
        call_ = _Call(name.removesuffix("_non_blocking"), given, on, self.text)
        item = replace(item, name="_".join((call_.audit, *call_.names())), columns=call_.names())
        return rule(item, lambda: _audited(call_, table), where)


def _word(block: _Block, name: str) -> str:
    tokens = block.settings.get(name, ())
    return "".join(token.value for token in tokens).strip("'\"")


def _path(tokens: Sequence[Token]) -> str | None:
    return Cursor(tokens).path() if tokens else None


def _action(block: _Block) -> Action:
    return "warn" if _word(block, "BLOCKING").lower() == "false" else "fail"


def _of_use(given: Mapping[str, tuple[Token, ...]], name: str) -> Action:
    blocking = given.get("BLOCKING", ())
    off = bool(blocking) and blocking[0].word == "FALSE"
    return "warn" if off or name.endswith("_non_blocking") else "fail"


def _arguments(tokens: Sequence[Token]) -> Mapping[str, tuple[Token, ...]]:
    """`columns := (a, b), threshold := 5`."""
    found: dict[str, tuple[Token, ...]] = {}
    for part in parts(tokens):
        sign = next((at for at, token in enumerate(part) if token.text == "="), 0)
        if sign == 1 or (sign == 2 and part[1].text == ":"):
            found[part[0].word] = tuple(part[sign + 1 :])
        else:
            found["?"] = tuple(part)
    return found


# What the tool has itself -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Call:
    audit: str
    given: Mapping[str, tuple[Token, ...]]
    on: On
    text: str

    def listed(self, name: str) -> list[tuple[Token, ...]]:
        """The items in parentheses or brackets, or the one that stands there."""
        tokens = self.given.get(name, ())
        if tokens and tokens[0].text in ("(", "[") and tokens[-1].text in (")", "]"):
            return parts(tokens[1:-1])
        return [tokens] if tokens else []

    def names(self) -> tuple[str, ...]:
        found = [*self.listed("COLUMNS"), *self.listed("COLUMN")]
        return tuple(part[0].value for part in found if len(part) == 1)

    def column(self) -> str:
        names = self.names()
        if len(names) != 1:
            raise Unreadable("malformed", f"{self.audit} is of one column")
        return names[0]

    def source(self, tokens: Sequence[Token]) -> str:
        return self.text[tokens[0].start : tokens[-1].end]

    def value(self, name: str) -> exp.Expression | None:
        tokens = self.given.get(name)
        return self.on.value(self.source(tokens)) if tokens else None


# Others that SQLMesh has itself.
_OWN = frozenset({
    "sequential_values", "interval_end_gte_today", "mutually_exclusive_ranges",
    "match_regex_pattern_list", "not_match_regex_pattern_list", "match_like_pattern_list",
    "not_match_like_pattern_list", "valid_uuid", "valid_url", "valid_http_method", "valid_email",
    "mean_in_range", "stddev_in_range", "z_score", "kl_divergence", "chi_square",
})  # fmt: skip
_KNOWN: Mapping[str, frozenset[str]] = {
    "string_length_equal": frozenset({"COLUMN", "V"}),
    "string_length_between": frozenset({"COLUMN", "MIN_V", "MAX_V", "INCLUSIVE"}),
    "not_null": frozenset({"COLUMNS"}),
    "unique_values": frozenset({"COLUMNS"}),
    "unique_combination_of_columns": frozenset({"COLUMNS"}),
    "accepted_values": frozenset({"COLUMN", "IS_IN"}),
    "not_accepted_values": frozenset({"COLUMN", "IS_IN"}),
    "accepted_range": frozenset({"COLUMN", "MIN_V", "MAX_V", "INCLUSIVE"}),
    "forall": frozenset({"CRITERIA"}),
    "number_of_rows": frozenset({"THRESHOLD"}),
    "at_least_one": frozenset({"COLUMN"}),
    "not_constant": frozenset({"COLUMN"}),
    "not_empty_string": frozenset({"COLUMN"}),
    "not_null_proportion": frozenset({"COLUMN", "THRESHOLD"}),
}


def _audited(use: _Call, table: str | None) -> Checked:
    if table is None:
        raise Unreadable("no_table", "the model has no name")
    known = _KNOWN.get(use.audit)
    if known is None and use.audit in _OWN:
        raise Unreadable("no_equivalent", f"SQLMesh's audit {use.audit} is not carried over")
    if known is None:
        raise Unreadable("custom_test", f"the audit {use.audit} is one of the project")
    left = sorted(set(use.given) - known - {"BLOCKING", "CONDITION"})
    if left:
        raise Unreadable("unknown_shape", f"{', '.join(left).lower()} of {use.audit} is not known")
    found = _READERS[use.audit](use)
    condition = use.given.get("CONDITION")
    return use.on.limited(found, use.source(condition)) if condition else found


def _not_null(use: _Call) -> Checked:
    names = use.names()
    if len(names) == 1:
        return use.on.present(names[0])
    return replace(_any(use, [_missing(name) for name in names]), kind="present")


def _missing(name: str) -> exp.Expression:
    return exp.Is(this=column(name), expression=exp.null())


def _any(use: _Call, tests: Sequence[exp.Expression]) -> Checked:
    if not tests:
        raise Unreadable("malformed", f"{use.audit} names nothing that it checks")
    return use.on.of_tree(any_of(tests), bad=True)


def _unique_values(use: _Call) -> Checked:
    """Each column by itself, and two missing values are alike (a window numbers them)."""
    return use.on.unique((use.column(),), "never")


def _accepted(use: _Call, *, negated: bool) -> Checked:
    nodes = [use.on.value(use.source(part)) for part in use.listed("IS_IN")]
    if not nodes:
        raise Unreadable("malformed", "it lists no value")
    return use.on.in_list(use.column(), nodes, negated=negated)


def _length(use: _Call) -> Checked:
    value = use.value("V")
    if value is None:
        raise Unreadable("malformed", "v: a length was expected")
    length = use.on.length(column(use.column()))
    found = use.on.of_tree(exp.NEQ(this=length, expression=value), bad=True)
    return replace(found, kind="length")


def _length_between(use: _Call) -> Checked:
    return replace(_within(use, use.on.length(column(use.column()))), kind="length")


def _accepted_range(use: _Call) -> Checked:
    return replace(_within(use, column(use.column())), kind="range")


def _within(use: _Call, what: exp.Expression) -> Checked:
    """Of releases the inclusive bounds differ: some of them refuse the bound itself."""
    inclusive = use.given.get("INCLUSIVE")
    if inclusive and inclusive[0].word not in ("TRUE", "FALSE"):
        raise Unreadable("template", "whether the bounds are allowed is only known when it runs")
    opened = bool(inclusive) and inclusive is not None and inclusive[0].word == "FALSE"
    low, high = use.value("MIN_V"), use.value("MAX_V")
    tests: list[exp.Expression] = []
    if low is not None:
        sign: type[exp.Expression] = exp.LTE if opened else exp.LT
        tests.append(sign(this=what.copy(), expression=low))
    if high is not None:
        sign = exp.GTE if opened else exp.GT
        tests.append(sign(this=what.copy(), expression=high))
    if not tests:
        raise Unreadable("never_fails", "it states no bound, and lets every value pass")
    return _any(use, tests)


def _forall(use: _Call) -> Checked:
    criteria = [use.on.value(use.source(part)) for part in use.listed("CRITERIA")]
    return _any(use, [exp.Not(this=exp.Paren(this=one)) for one in criteria])


def _number_of_rows(use: _Call) -> Checked:
    """More than the threshold."""
    found = use.value("THRESHOLD")
    if not isinstance(found, exp.Literal) or found.is_string or not found.name.isdigit():
        raise Unreadable("malformed", "threshold: a number of records was expected")
    return use.on.row_count(int(found.name) + 1, None)


def _at_least_one(use: _Call) -> Checked:
    name = use.column()
    counted = call("count", column(name))
    return use.on.measured(exp.GT(this=counted, expression=literal(0)), (name,), bad=False)


def _not_constant(use: _Call) -> Checked:
    name = use.column()
    counted = exp.Count(this=exp.Distinct(expressions=[column(name)]))
    return use.on.measured(exp.GT(this=counted, expression=literal(1)), (name,), bad=False)


def _not_empty(use: _Call) -> Checked:
    empty = exp.EQ(this=column(use.column()), expression=exp.Literal.string(""))
    return use.on.of_tree(empty, bad=True)


def _proportion(use: _Call) -> Checked:
    """More than that share of all records has a value; of no records none has."""
    name, found = use.column(), use.value("THRESHOLD")
    if not isinstance(found, exp.Literal) or found.is_string:
        raise Unreadable("malformed", "threshold: a share was expected")
    there = call("count", column(name))
    least = exp.Mul(this=count_all(), expression=literal(Decimal(found.name)))
    return use.on.measured(exp.GT(this=there, expression=least), (name,), bad=False)


_READERS: Mapping[str, Callable[[_Call], Checked]] = {
    "not_null": _not_null,
    "unique_values": _unique_values,
    "unique_combination_of_columns": lambda use: use.on.unique(use.names(), "never"),
    "accepted_values": lambda use: _accepted(use, negated=False),
    "not_accepted_values": lambda use: _accepted(use, negated=True),
    "accepted_range": _accepted_range,
    "string_length_equal": _length,
    "string_length_between": _length_between,
    "forall": _forall,
    "number_of_rows": _number_of_rows,
    "at_least_one": _at_least_one,
    "not_constant": _not_constant,
    "not_empty_string": _not_empty,
    "not_null_proportion": _proportion,
}
