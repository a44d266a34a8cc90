"""Rows of values that a condition may stumble over, and one rule of each shape."""

from collections import Counter

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.express.spark_parser import parse_condition
from ruleferry.converters.express.tree_shape import shape
from ruleferry.converters.proof.rows import Rows, boundary_values

HOSTILE = (
    "0", "-1", "1.5", "1e400", "-1e-400", "99999999999999999999999999999999999999999", "Infinity",
    "0x1F", "1L", "2020-02-30", "2020-02-29", "10000-01-01", "-0001-01-01", "2020-01-01T25:00:00",
    "24:00", "{", "[1]", "it's", "\\", "%", "_", "(", "[a-", "${x}", "a" * 5000, "\U0001d7d9",
    "١٢٣", "a@b.cd", "M", "male", "http://x.y/?z", "P1Y", "id", "\n", "x\r\n", "12.0", "true",
)  # fmt: skip


def rows_of(columns: dict[str, ColumnType], count: int | None = None) -> Rows:
    """Each column's boundary values in turn, every column a step further on than the last."""
    cells = {n: boundary_values((), t, HOSTILE) for n, t in columns.items()}
    most = max(map(len, cells.values())) if count is None else count
    return Rows(
        tuple(columns.items()),
        (
            (None,) * len(columns),
            *(
                tuple(found[(row + step) % len(found)] for step, found in enumerate(cells.values()))
                for row in range(most)
            ),
        ),
    )


def told_apart(conditions: dict[str, str]) -> dict[str, str]:
    """Every pattern, and three rules of each other shape: most differ in their columns alone."""
    seen: Counter[object] = Counter()
    kept: dict[str, str] = {}
    for name, condition in sorted(conditions.items()):
        kind = condition if "RLIKE" in condition else shape(parse_condition(condition), blank=True)
        seen[kind] += 1
        if seen[kind] <= (1 if kind == condition else 3):
            kept[name] = condition
    return kept
