"""Random tables and random rules on them, most of which look at other records."""

from dataclasses import dataclass, replace
from datetime import date

from hypothesis import strategies as st
from made_rules import rule
from meant import SQL

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.predicates import (
    Absent,
    And,
    ColumnComparison,
    Compare,
    Comparison,
    OneOf,
    Or,
    Present,
    Range,
    SqlText,
)
from ruleferry.converters.rule import (
    Exists,
    LegacyRule,
    LookedUp,
    Lookup,
    Ordered,
    Reconciled,
    Row,
    Unique,
)

INTS = [None, -1, 0, 1, 2, 3]
TEXTS = [None, "F", "X", "it's", ""]
DOUBLES = [None, 0.0, -0.0, 1.5, float("nan")]
DAYS = [None, date(1999, 12, 31), date(2024, 2, 29), date(9999, 12, 31)]
# Table -> column -> its type and values. `n` numbers the records of t.
TABLES = {
    "t": {"a": ("int", INTS), "b": ("int", INTS), "s": ("string", TEXTS),
          "d": ("double", DOUBLES), "day": ("date", DAYS)},
    "ref": {"x": ("int", INTS), "y": ("string", TEXTS), "v": ("int", INTS)},
    "main.far.ref": {"p": ("bigint", INTS), "q": ("string", TEXTS), "z": ("double", DOUBLES),
                     "u": ("int", INTS)},
}  # fmt: skip
KEYS = {
    "ref": [("a", "x"), ("b", "x"), ("s", "y")],
    "main.far.ref": [("a", "p"), ("s", "q"), ("d", "z")],
}
COMPARED = {
    "ref": [("a", "v"), ("b", "v"), ("a", "x"), ("s", "y")],
    "main.far.ref": [("a", "u"), ("b", "p"), ("s", "q")],
}
# What a scope may test of each table: columns of numbers, one of texts, texts of SQL.
SCOPED = {"t": ("ab", "s", 0), "ref": ("v", "y", 2), "main.far.ref": ("u", "q", 3)}
TYPES = {
    "n": parse_type("bigint"),
    **{
        name: parse_type(kind) for columns in TABLES.values() for name, (kind, _) in columns.items()
    },
}


def ddl(table: str) -> str:
    columns = {"n": ("bigint", ()), **TABLES[table]} if table == "t" else TABLES[table]
    return ", ".join(f"{name} {kind}" for name, (kind, _) in columns.items())


def records(table: str, count: int) -> st.SearchStrategy:
    one = st.fixed_dictionaries(
        {name: st.sampled_from(values) for name, (_, values) in TABLES[table].items()}
    )
    return st.lists(one, min_size=count, max_size=count)


@st.composite
def tables(draw) -> dict[str, list[dict]]:
    """Table -> records; those of t are numbered, in no order. Now and then a table is empty."""
    empty = draw(st.sampled_from([None, None, None, None, *TABLES]))
    counts = {name: 16 if name == "t" else 7 for name in TABLES} | {empty: 0}
    found = {name: draw(records(name, counts[name])) for name in TABLES}
    numbers = draw(st.permutations(range(len(found["t"]))))
    found["t"] = [{"n": n, **r} for n, r in zip(numbers, found["t"], strict=True)]
    return found


# Rules --------------------------------------------------------------------------------------------

OPERATORS = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])


def scopes(table: str, engine: str) -> st.SearchStrategy:
    numbers, text, first = SCOPED[table]
    number = st.sampled_from(numbers)
    words = st.lists(st.sampled_from(TEXTS[1:]), min_size=1, max_size=2, unique=True).map(tuple)
    tests = [
        st.builds(Comparison, number, OPERATORS, st.sampled_from([0, 1, 2])),
        st.builds(Comparison, st.just(text), st.sampled_from(["=", "!="]), st.just("F")),
        st.builds(OneOf, st.just(text), words, st.booleans()),
        st.builds(Present, number),
        st.builds(Absent, number),
    ]
    if len(numbers) > 1:
        tests.append(st.builds(ColumnComparison, st.just("a"), OPERATORS, st.just("b")))
    one = st.one_of(tests)
    pairs = st.tuples(one, one)
    several = st.builds(And, pairs) | st.builds(Or, pairs)
    texts = list(SQL)[first : first + len(numbers)]
    sql = [st.builds(SqlText, st.sampled_from(texts), st.just("spark"), st.just(False))]
    return st.one_of(st.none(), st.none(), one, several, *(sql if engine == "spark" else []))


@dataclass(frozen=True)
class Drawn:
    """A rule's kind and columns beside what it checks."""

    kind: str
    check: object
    columns: tuple[str, ...]


@st.composite
def of_records(draw, _engine: str) -> Drawn:
    predicate = draw(
        st.sampled_from([
            Present("a"), Present("s"), Range("a", 0, 2), Range("b", None, 1),
            OneOf("s", ("F", "it's")), OneOf("s", ("X",), negated=True),
            Compare("a", ">", "b", "any_missing"), Compare("a", "=", "b", "any_missing"),
        ])
    )  # fmt: skip
    kind = {Present: "present", Range: "range", OneOf: "allowed", Compare: "compare"}
    columns = ("a", "b") if isinstance(predicate, Compare) else (predicate.column,)
    return Drawn(kind[type(predicate)], Row(predicate), columns)


@st.composite
def uniques(draw, engine: str) -> Drawn:
    names = ["a", "b", "s", "day", *(["d"] if engine in ("spark", "pandas") else [])]
    columns = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    ignore = draw(st.sampled_from(["any_missing", "all_missing", "never"]))
    check = Unique(tuple(columns), "any_missing" if len(columns) == 1 else ignore, by_engine=True)
    return Drawn("unique", check, check.columns)


@st.composite
def orders(draw, _engine: str) -> Drawn:
    column = draw(st.sampled_from(["a", "day"]))
    return Drawn("order", Ordered(column, draw(st.booleans()), draw(st.booleans())), (column,))


@st.composite
def lookups(draw, engine: str) -> Lookup:
    table = draw(st.sampled_from(list(KEYS)))
    keys = [pair for pair in KEYS[table] if pair[0] != "d" or engine in ("spark", "pandas")]
    chosen = draw(st.lists(st.sampled_from(keys), min_size=1, max_size=3, unique=True))
    return Lookup(table, tuple(chosen), draw(scopes(table, engine)))


def _ours(lookup: Lookup) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ours for ours, _ in lookup.keys))


@st.composite
def existences(draw, engine: str) -> Drawn:
    lookup = draw(lookups(engine))
    check = Exists(
        lookup,
        draw(st.booleans()),
        draw(st.sampled_from(["good", "bad"])),
        draw(st.sampled_from([None, "nullable", "complete"])),
    )
    return Drawn("exists", check, _ours(lookup))


@st.composite
def looked_up(draw, engine: str) -> Drawn:
    lookup = draw(lookups(engine))
    pairs = st.lists(st.sampled_from(COMPARED[lookup.table]), min_size=1, max_size=2, unique=True)
    comparisons = tuple(ColumnComparison(o, draw(OPERATORS), t) for o, t in draw(pairs))
    columns = dict.fromkeys([*_ours(lookup), *(c.left for c in comparisons)])
    return Drawn("looked_up", LookedUp(lookup, comparisons, draw(st.booleans())), tuple(columns))


@st.composite
def reconciliations(draw, engine: str) -> Drawn:
    lookup = draw(lookups(engine))
    missing, extra = draw(st.sampled_from([(True, True), (True, False), (False, True)]))
    return Drawn("reconcile", Reconciled(lookup, missing, extra), _ours(lookup))


# How many of each a module has: a table of fixed size is full from the first example on.
MADE = ((of_records, 3), (uniques, 6), (orders, 4), (existences, 6), (looked_up, 5),
        (reconciliations, 2))  # fmt: skip


@st.composite
def rules(draw) -> list[LegacyRule]:
    return placed([draw(one_rule(make)) for make, count in MADE for _ in range(count)])


@st.composite
def one_rule(draw, make) -> LegacyRule:
    # Databases have no rule of order.
    engines = ["spark", "pandas"] if make is orders else ["spark", "pandas", "postgres"]
    engine = draw(st.sampled_from(engines))
    drawn = draw(make(engine))
    return rule(
        Present("a"), table="t", engine=engine, kind=drawn.kind, check=drawn.check,
        columns=drawn.columns, scope=draw(scopes("t", engine)),
        behaviour=draw(st.sampled_from(["warn", "drop", "drop"])),
    )  # fmt: skip


def placed(found: list[LegacyRule]) -> list[LegacyRule]:
    """Each at its place of the suite, with its own text."""
    return [
        replace(
            one,
            atom=f"expectations[{number}]",
            origin=replace(
                one.origin, place=f"expectations[{number}]", text=repr((one.check, one.scope))
            ),
        )
        for number, one in enumerate(found)
    ]
