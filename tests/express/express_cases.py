"""The expectations that the row tests run: type, arguments, and the columns' Databricks types.

One table serves every test: old verdict against new, mutations of the mapping, and the meta tests
(no row of the mapping without a case).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

E = "expect_column_values_"
NUMBERS = (
    "tinyint",
    "int",
    "bigint",
    "decimal(15,2)",
    "decimal(38,18)",
    "double",
    "float",
)
MOMENTS = ("date", "timestamp", "timestamp_ntz")
TYPES = (*NUMBERS, *MOMENTS, "string", "boolean", "binary")


@dataclass(frozen=True)
class Case:
    """`columns`: name -> type text; `extra`: values that the frame must hold besides its own."""

    type: str
    kwargs: Mapping[str, object]
    columns: Mapping[str, str]
    extra: tuple[object, ...] = ()

    @property
    def element(self) -> dict[str, object]:
        return {"type": self.type, "kwargs": dict(self.kwargs)}

    def __str__(self) -> str:
        types = ", ".join(f"{n} {t}" for n, t in self.columns.items())
        return f"{self.type.removeprefix('expect_')} {dict(self.kwargs)} on {types}"


def single(name: str, types: Sequence[str], *kwargs: Mapping[str, object], extra=()) -> list[Case]:
    return [Case(name, {"column": "c", **k}, {"c": t}, tuple(extra)) for t in types for k in kwargs]


def pair(name: str, types: Sequence[tuple[str, str]], *kwargs: Mapping[str, object]) -> list[Case]:
    return [
        Case(name, {"column_A": "a", "column_B": "b", **k}, {"a": one, "b": two})
        for one, two in types
        for k in kwargs
    ]


def several(name: str, types: Sequence[tuple[str, ...]], *kwargs: Mapping[str, object]):
    return [
        Case(
            name,
            {"column_list": list("abc"[: len(t)]), **k},
            dict(zip("abc", t, strict=False)),
        )
        for t in types
        for k in kwargs
    ]


BOUNDS = (
    {"min_value": 0, "max_value": 100},
    {"min_value": 0, "strict_min": True},
    {"max_value": 100, "strict_max": True},
    {"min_value": -1.5, "max_value": 2.25},
    {"min_value": 0.1, "max_value": 99.99},
    {"min_value": 0.1, "max_value": 99.99, "strict_min": True, "strict_max": True},
    {"min_value": 7, "max_value": 7},
    {"min_value": 9007199254740993},
    {"max_value": 123456789012345.67},
    {"min_value": "5", "max_value": "50"},
    {"min_value": True},
)
DATES = (
    {"min_value": "2020-01-01", "max_value": "2020-12-31"},
    {"min_value": "2020-01-01", "strict_min": True},
    {"max_value": "2020-02-29", "strict_max": True},
    {"min_value": "2020-01-01T12:30:00", "max_value": "2020-12-31T23:59:59"},
)
TEXT_SETS = (
    {"value_set": ["F", "O", "P"]},
    {"value_set": ["it's", "a\\b", "${x}", "", "é", "line\nbreak"]},
    {"value_set": ["F", None]},
    {"value_set": [1, "F"]},
    {"value_set": ["1", "x"]},
)
NUMBER_SETS = (
    {"value_set": [1, 2, 3]},
    {"value_set": [1.5, 2.25, 100]},
    {"value_set": [0.1, 99.99]},
    {"value_set": ["1", "2"]},
    {"value_set": [1, None]},
)
TRUTH_SETS = (
    {"value_set": [True, False]},
    {"value_set": [True]},
    {"value_set": [0, 1]},
    {"value_set": ["true"]},
)
DATE_SETS = ({"value_set": ["2020-01-01", "2020-02-29"]},)
# A type against values of another sort: Great Expectations raises, or nothing ever matches.
STRANGE_SETS = (
    ("string", {"value_set": [1, 2, 3]}),
    ("string", {"value_set": [True]}),
    ("bigint", {"value_set": ["F", "O"]}),
    ("bigint", {"value_set": [1, "F"]}),
    ("double", {"value_set": ["1", "x"]}),
    ("int", {"value_set": [True]}),
    ("boolean", {"value_set": ["F"]}),
    ("boolean", {"value_set": ["F", None]}),
    ("date", {"value_set": [1, 2]}),
    ("timestamp", {"value_set": ["F"]}),
    ("binary", {"value_set": ["F", "1"]}),
    ("decimal(15,2)", {"value_set": []}),
    ("string", {"value_set": []}),
)
REGEXES = (
    r"^[A-Z]{2,3}$",
    r"[0-9]+",
    r"\d{3}",
    r"^\w+$",
    r"a|b",
    r"(?i)abc",
    r"^\d{4}-\d{2}-\d{2}$",
    r"it's",
    r"\\",
    r"^$|x",
    r".",
    r"^[^@]+@[^@]+\.[a-z]+$",
    r"\bword\b",
    r"(?P<y>\d)(?P=y)",
    r"^\s*$",
    r"a\Z",
    r"[[:alpha:]]",
    r"a{,2}b$",
    r"(?i)^[a-z]$",
)
TEXTS = (
    *(
        "AB",
        "ABC",
        "ABC\n",
        "ABC\r",
        "abc",
        "xyzABC",
        "123",
        "12",
        "1234",
        "١٢٣",
        "a_b",
        "é",
        "aabb",
    ),
    *(
        "2020-01-01",
        "it's",
        "\\",
        "",
        " ",
        "\t",
        "\u00a0",
        "\n",
        "\r",
        "\u0085",
        "\u2028",
        "a@b.cd",
    ),
    *("a word here", "words", "11", "1\n1", "a\n", "a\r\n", "x", "𝟙𝟚𝟛", "😀", "e\u0301", "ſ", "K"),
    *("ı", "İ", "a{,2}b", "ab", ":]"),
    *('{"a": 1}', "[1]", "NaN", "nope", "'a'", "1.0", "12.0", "true"),
    *("2020-1-1", "2020-13-01", "2020-02-30", " 2020-01-01", "2020-01-01 ", "20200101"),
)
LENGTHS = (
    {"min_value": 1, "max_value": 3},
    {"min_value": 2},
    {"max_value": 2},
    {"min_value": 1, "max_value": 3, "strict_min": True, "strict_max": True},
    {"min_value": 1, "max_value": 3, "strict_min": True},
    {"min_value": 1.5, "max_value": 3.5},
)
IGNORE_PAIR = (
    {},
    {"ignore_row_if": "both_values_are_missing"},
    {"ignore_row_if": "either_value_is_missing"},
    {"ignore_row_if": "neither"},
)
IGNORE_MANY = (
    {},
    {"ignore_row_if": "all_values_are_missing"},
    {"ignore_row_if": "any_value_is_missing"},
    {"ignore_row_if": "never"},
)
PAIRS = (
    ("bigint", "bigint"),
    ("int", "bigint"),
    ("decimal(15,2)", "decimal(15,2)"),
    ("double", "double"),
    ("string", "string"),
    ("date", "date"),
    ("boolean", "boolean"),
)
TRIPLES = (
    ("bigint", "bigint", "bigint"),
    ("int", "int", "int"),
    ("double", "double", "double"),
    ("decimal(15,2)", "decimal(15,2)", "decimal(15,2)"),
    ("string", "string", "string"),
    ("bigint", "bigint"),
)
NUMERIC_TRIPLES = tuple(t for t in TRIPLES if t[0] != "string")


def each(key: str, values: Sequence[object]) -> list[dict[str, object]]:
    return [{key: value} for value in values]


def with_options(options: Sequence[Mapping], *kwargs: Mapping) -> list[dict]:
    return [{**k, **o} for k in kwargs for o in options]


PAIR_SETS = (
    {"value_pairs_set": [["F", "O"], ["O", "P"]]},
    {"value_pairs_set": [["F", None], [None, "P"], ["O", "O"]]},
    {"value_pairs_set": [[None, None], ["F", "F"]]},
    {"value_pairs_set": [[1, 2], [2, 3], [3, None]]},
)


def cases() -> Iterator[Case]:
    yield from single(E + "to_not_be_null", TYPES, {})
    yield from single(E + "to_be_null", TYPES, {})
    yield from single(E + "to_be_between", NUMBERS, *BOUNDS)
    yield from single(E + "to_be_between", ("string", "boolean", "binary", "date"), BOUNDS[0])
    yield from single(E + "to_be_between", MOMENTS, *DATES)
    yield from single(E + "to_be_between", ("string", "bigint"), DATES[0])
    for name in (E + "to_be_in_set", E + "to_not_be_in_set"):
        yield from single(name, ("string",), *TEXT_SETS)
        yield from single(name, NUMBERS, *NUMBER_SETS)
        yield from single(name, ("boolean",), *TRUTH_SETS)
        yield from single(name, MOMENTS, *DATE_SETS)
        for kind, values in STRANGE_SETS:
            yield from single(name, (kind,), values)
    regexes = each("regex", REGEXES)
    yield from single(E + "to_match_regex", ("string",), *regexes, extra=TEXTS)
    yield from single(E + "to_not_match_regex", ("string",), *regexes, extra=TEXTS)
    others = [t for t in TYPES if t != "string"]
    yield from single(E + "to_match_regex", others, {"regex": r"^[0-9]{1,3}$"})
    lists = (
        {"regex_list": ["^A", "B$", r"\d"]},
        {"regex_list": ["^A", "C$"], "match_on": "any"},
        {"regex_list": ["^A", "C$"], "match_on": "all"},
        {"regex_list": ["^A"]},
        {"regex_list": ["(?i)^a", "b$"]},  # on Spark one pattern: its flag reaches on
        {"regex_list": [r"(a)\1", r"(b)\1"]},
    )
    yield from single(E + "to_match_regex_list", ("string",), *lists, extra=TEXTS)
    nots = ({"regex_list": ["^A", r"\d"]}, {"regex_list": ["x"]}, {"regex_list": ["x", "C$"]})
    yield from single(E + "to_not_match_regex_list", ("string",), *nots, extra=TEXTS)
    lengths = "expect_column_value_lengths_to_"
    yield from single(lengths + "be_between", ("string", "binary", "bigint"), *LENGTHS, extra=TEXTS)
    yield from single(lengths + "be_between", ("double", "date", "boolean"), LENGTHS[0])
    yield from single(lengths + "equal", TYPES, {"value": 3})
    yield from single(lengths + "equal", ("string",), {"value": 0})
    formats = each("strftime_format", ["%Y-%m-%d", "%Y%m%d", "%d/%m/%Y", "%H:%M"])
    yield from single(E + "to_match_strftime_format", ("string",), *formats, extra=TEXTS)
    yield from single(E + "to_be_json_parseable", ("string",), {}, extra=TEXTS)
    name = "expect_column_pair_values_"
    yield from pair(name + "to_be_equal", PAIRS, *IGNORE_PAIR)
    orders = with_options(IGNORE_PAIR, {}, {"or_equal": True})
    yield from pair(name + "a_to_be_greater_than_b", PAIRS, *orders)
    strangers = [("string", "bigint"), ("date", "timestamp_ntz")]
    yield from pair(name + "to_be_equal", strangers, {})
    yield from pair(name + "a_to_be_greater_than_b", strangers, {"or_equal": False})
    yield from pair(
        name + "to_be_in_set",
        (("string", "string"), ("bigint", "bigint"), ("string", "bigint")),
        *with_options(IGNORE_PAIR, *PAIR_SETS),
    )
    distinct = "expect_select_column_values_to_be_unique_within_record"
    yield from several(distinct, TRIPLES, *IGNORE_MANY)
    yield from several("expect_multicolumn_values_to_be_equal", TRIPLES, *IGNORE_MANY)
    totals = each("sum_total", [0, 6, 0.3, -1, 100])
    yield from several(
        "expect_multicolumn_sum_to_equal", NUMERIC_TRIPLES, *with_options(IGNORE_MANY, *totals)
    )


def literals(case: Case) -> list[object]:
    """The values that a case speaks of, for the boundary rows of its columns."""
    found: list[object] = list(case.extra)
    for name, value in case.kwargs.items():
        if name.startswith(("column", "strict", "ignore", "match_on", "regex", "strftime")):
            continue
        found += _scalars(value)
    return found


def _scalars(value: object) -> Iterator[object]:
    if isinstance(value, list):
        for inner in value:
            yield from _scalars(inner)
    elif isinstance(value, float):
        yield Decimal(repr(value))
    elif isinstance(value, str) and value[:5] == "2020-":
        yield datetime.fromisoformat(value) if "T" in value else date.fromisoformat(value)
        yield value
    elif value is not None:
        yield value
