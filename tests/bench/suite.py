"""Generated Great Expectations suites for the bench: the same bytes for the same number of rules.

The kinds of rule are the frequent ones of public suites: a value is there, is one of a list, has a
length, matches a pattern, lies in a range; and two columns are in order.
"""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

# Each column takes four kinds in turn: first one of text, then one of numbers.
KINDS = ("present", "words", "pattern", "length", "present", "range", "order", "numbers")


def expectation(kind: str, number: int) -> dict[str, object]:
    """The expectation of one kind whose column and literals are made from its number."""
    column = f"c{number // 4:06d}"
    match kind:
        case "present":
            name, kwargs = "values_to_not_be_null", {}
        case "words":
            name, kwargs = "values_to_be_in_set", {"value_set": [f"A{number}", "B", "it's"]}
        case "numbers":
            name, kwargs = "values_to_be_in_set", {"value_set": [1, 2, number + 3]}
        case "pattern":
            name, kwargs = "values_to_match_regex", {"regex": f"^[A-Z]{{2}}-{number}$"}
        case "length":
            bounds = {"min_value": number % 7, "max_value": number % 7 + number % 40}
            name, kwargs = "value_lengths_to_be_between", bounds
        case "range":
            bounds = {"min_value": number, "max_value": number * 2 + 1}
            name, kwargs = "values_to_be_between", bounds
        case "order":
            pair = {"column_A": f"{column}_end", "column_B": column, "or_equal": True}
            return {"type": "expect_column_pair_values_a_to_be_greater_than_b", "kwargs": pair}
        case _:
            raise ValueError(kind)
    return {"type": f"expect_column_{name}", "kwargs": {"column": column, **kwargs}}


def expectations(rules: int) -> Iterator[dict[str, object]]:
    return map(expectation, itertools.cycle(KINDS), range(rules))


def write(path: Path, rules: int) -> None:
    """Writes a suite of `rules` expectations, one a line.

    Streamed, because Linux never reports less peak memory for a child than its parent held at the
    moment of starting it.
    """
    with path.open("w", encoding="utf-8") as file:
        file.write('{"name": "bench", "expectations": [\n')
        for number, item in enumerate(expectations(rules)):
            file.write((",\n" if number else "") + json.dumps(item))
        file.write('\n], "meta": {"great_expectations_version": "1.24.1"}}\n')


def write_schema(path: Path, rules: int) -> None:
    """Writes the CREATE TABLE whose columns have the types that the suite's rules are about."""
    columns = [
        f"c{n:06d} BIGINT, c{n:06d}_end BIGINT" if n % 2 else f"c{n:06d} STRING"
        for n in range((rules + 3) // 4)
    ]
    body = ",\n".join(columns)
    path.write_text(f"CREATE TABLE bench (\n{body}\n);\n", encoding="utf-8")
