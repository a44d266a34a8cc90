"""Generated Great Expectations suites for the bench: the same bytes for the same number of rules.

The kinds of rule follow public suites, where a value that must be present is the most frequent one,
before sets, lengths, ranges and patterns.
"""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

# Each column takes four kinds in turn, so that none bears two rules of one kind.
KINDS = ("present", "set", "range", "length", "present", "pattern", "pair", "length")


def expectation(kind: str, number: int) -> dict[str, object]:
    """The expectation of one kind whose column and literals are made from its number."""
    column = f"c{number // 4:06d}"
    match kind:
        case "present":
            name, kwargs = "column_values_to_not_be_null", {}
        case "set":
            name, kwargs = "column_values_to_be_in_set", {"value_set": [f"A{number}", "B", "it's"]}
        case "range":
            bounds = {"min_value": number, "max_value": number * 2 + 1}
            name, kwargs = "column_values_to_be_between", bounds
        case "length":
            bounds = {"min_value": number % 7, "max_value": number % 7 + number % 40}
            name, kwargs = "column_value_lengths_to_be_between", bounds
        case "pattern":
            name, kwargs = "column_values_to_match_regex", {"regex": f"^[A-Z]{{2}}-{number}$"}
        case "pair":
            pair = {"column_A": column, "column_B": "c000000", "or_equal": True}
            return {"type": "expect_column_pair_values_a_to_be_greater_than_b", "kwargs": pair}
        case _:
            raise ValueError(kind)
    return {"type": f"expect_{name}", "kwargs": {"column": column, **kwargs}}


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
