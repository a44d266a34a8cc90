"""Old verdict and new verdict of many cases at once, by engine."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from express_cases import Case, literals

from ruleferry.converters.account import Gap
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express import Condition, Types, express
from ruleferry.converters.proof.judge import judge
from ruleferry.converters.proof.oracle import Raised, RowVerdicts, verdicts
from ruleferry.converters.proof.rows import Rows, boundary_values, table_rows
from ruleferry.converters.readers.great_expectations.expectation import Context, read_expectation
from ruleferry.converters.rule import Row, Table, Unread

RUNS = [("spark", "nullable"), ("pandas", "nullable"), ("pandas", "numpy")]


@dataclass(frozen=True)
class Compared:
    """`old` and `new`: one letter a row; `old` is the message where Great Expectations raised."""

    case: Case
    result: Condition | Gap
    old: str | Raised
    new: str | None
    rows: Rows

    @property
    def differing(self) -> list[tuple[str, object, str, str]]:
        if not isinstance(self.old, str) or self.new is None:
            return []
        return [
            (self.result.text, row, old, new)
            for row, old, new in zip(self.rows.cells, self.old, self.new, strict=True)
            if old != new
        ]


def expressed(case: Case, engine: str | None, *, typed: bool = True) -> Condition | Gap:
    context = Context("suite.json", Table("t"), engine)
    rule = read_expectation(case.element, 0, context)
    if isinstance(rule.check, Unread):
        return Gap(rule.check.code, rule.check.reason)
    assert isinstance(rule.check, Row), rule.check
    declared = {n: parse_type(t) for n, t in case.columns.items()} if typed else None
    return express(rule, Types(declared))


def compare(cases: Iterable[Case], engine: str, spark, *, style="nullable", typed=True):
    """Every case on the frame of its columns' types; the rules of a frame run together."""
    by_columns: defaultdict[tuple, list[Case]] = defaultdict(list)
    for case in cases:
        by_columns[tuple(case.columns.items())].append(case)
    compared: list[Compared] = []
    for columns, group in by_columns.items():
        rows = frame(dict(columns), group)
        results = [expressed(case, engine, typed=typed) for case in group]
        old = verdicts([c.element for c in group], rows, engine, pandas_style=style, spark=spark)
        texts = {str(i): r.text for i, r in enumerate(results) if isinstance(r, Condition)}
        judged = judge(texts, rows, spark)
        assert not judged.rejected, judged.rejected
        for i, (case, result, verdict) in enumerate(zip(group, results, old, strict=True)):
            seen = verdict.rows if isinstance(verdict, RowVerdicts) else verdict
            compared.append(Compared(case, result, seen, judged.verdicts.get(str(i)), rows))
    return compared


def frame(columns: Mapping[str, str], group: list[Case]) -> Rows:
    types = {name: parse_type(text) for name, text in columns.items()}
    spoken = [value for case in group for value in literals(case)]
    values = {name: boundary_values(spoken, kind) for name, kind in types.items()}
    if len(columns) == 1:
        return table_rows({n: (types[n], v) for n, v in values.items()})
    few = {name: (types[name], cells[:12]) for name, cells in values.items()}
    return table_rows(few, together=[list(columns)], limit=700)
