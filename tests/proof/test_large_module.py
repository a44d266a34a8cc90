"""A module of 200 rules of all kinds: counted on Spark, as a pipeline, and by other means."""

import json
import random
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from made_rules import Typed, planned, rule
from meant import agrees, bad

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import Config, TableSettings
from ruleferry.converters.predicates import (
    Absent,
    ColumnComparison,
    Compare,
    Comparison,
    DistinctWithin,
    Format,
    Json,
    Length,
    Like,
    Matches,
    OneOf,
    PairIn,
    Present,
    Range,
    SameWithin,
    SqlText,
    SumIs,
)
from ruleferry.converters.proof.rehearsal_data import read_samples
from ruleferry.converters.proof.rehearsal_sdp import rehearse_on_sdp
from ruleferry.converters.proof.rehearsal_spark import rehearse_on_spark
from ruleferry.converters.rule import (
    Columns,
    Exists,
    Figure,
    LegacyRule,
    LookedUp,
    Lookup,
    Ordered,
    Reconciled,
    Row,
    Share,
    Unique,
)
from ruleferry.converters.schemas import read_schemas
from ruleferry.converters.writers.lakeflow import module_text

GROUPS = 9
ROWS = 60
TEXTS = [None, "abc", "a1z", "zz", "12", "x-1", "[1]", '{"a": 1}', "2024-02-29", "2024-02-30"]
DAYS = [None, "1999-12-31", "2024-02-29", "9999-12-31"]
KINDS = {"i": "int", "j": "int", "s": "string", "day": "date"}
OWN = {"n": "bigint", "k": "int", "r": "string"}
COLUMNS = {**OWN, **{f"{c}{g}": kind for g in range(GROUPS) for c, kind in KINDS.items()}}
REF = {"x": "int", "y": "string", "v": "int"}
REF_ROWS = [(1, "a", 5), (1, "a", 5), (2, None, 6), (None, "b", 7), (3, "b", None), (4, "a", 1)]
BY_TWO = Lookup("main.far.ref", (("k", "x"), ("r", "y")))
FEW = Lookup("main.far.ref", (("k", "x"),), Comparison("v", ">", 1))


def records() -> list[dict]:
    """Every column has missing values, save the number."""
    chance = random.Random(7)
    values = {"int": [None, *range(-2, 9)], "string": TEXTS, "date": DAYS}
    return [
        {"n": n, **{c: chance.choice(values[kind]) for c, kind in COLUMNS.items() if c != "n"}}
        | {"r": chance.choice([None, "a", "b"])}
        for n in range(ROWS)
    ]


# Rules on one record, each with what it says of a group's values ----------------------------------

Good = Callable[[Mapping], bool]


def of_group(g: int) -> list[tuple[object, tuple[str, ...], Good]]:
    """Predicate, the columns that a missing value of makes good, and the test of the others."""
    i, j, s, day = (f"{column}{g}" for column in KINDS)
    pairs = ((1, 1), (2, g), (g, 3))
    return [
        (Present(i), (), lambda r: r[i] is not None),
        (Absent(j), (), lambda r: r[j] is None),
        (Range(i, 0, g), (i,), lambda r: 0 <= r[i] <= g),
        (Range(j, low=g - 4, low_open=True), (j,), lambda r: r[j] > g - 4),
        (Range(day, date(2000, 1, 1), date(2030, 1, g + 1)), (day,),
         lambda r: "2000" < r[day] < "2030"),
        (OneOf(s, ("abc", "zz", "it's")), (s,), lambda r: r[s] in ("abc", "zz")),
        (OneOf(s, ("12", "x-1"), negated=True), (s,), lambda r: r[s] not in ("12", "x-1")),
        (OneOf(i, (1, 2, g)), (i,), lambda r: r[i] in (1, 2, g)),
        (Matches(s, (r"^[a-f]+",)), (s,), lambda r: re.search("^[a-f]+", r[s])),
        (Matches(s, (r"\d", "z$"), negated=True), (s,), lambda r: not re.search(r"\d|z$", r[s])),
        (Like(s, ("a%", "_-_")), (s,), lambda r: r[s][0] == "a" or r[s][1:2] == "-"),
        (Like(s, ("%z",), negated=True), (s,), lambda r: r[s][-1] != "z"),
        (Length(s, 3, 3 + g), (s,), lambda r: 3 <= len(r[s]) <= 3 + g),
        (Format(s, "%Y-%m-%d"), (s,), lambda r: is_day(r[s])),
        (Json(s), (s,), lambda r: is_json(r[s])),
        (Compare(i, ">", j, "any_missing"), (i, j), lambda r: r[i] > r[j]),
        (PairIn(i, j, pairs, "any_missing"), (i, j), lambda r: (r[i], r[j]) in pairs),
        (DistinctWithin((i, j), "any_missing"), (i, j), lambda r: r[i] != r[j]),
        (SameWithin((i, j), "any_missing"), (i, j), lambda r: r[i] == r[j]),
        (SumIs((i, j), g, "any_missing"), (i, j), lambda r: r[i] + r[j] == g),
        (SqlText(f"{i} > {g} OR {j} + 1 < 0", "spark", bad=True), (),
         lambda r: not ((r[i] is not None and r[i] > g) or (r[j] is not None and r[j] < -1))),
    ]  # fmt: skip


def is_day(text: str) -> bool:
    try:
        datetime.strptime(text, "%Y-%m-%d")  # noqa: DTZ007 - only whether it is one
    except ValueError:
        return False
    return True


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def made(check, name: str, kind: str, columns=(), **fields) -> LegacyRule:
    action = ("warn", "drop")[len(name) % 2]
    fields = {"behaviour": action, **fields}
    return rule(
        Present("n"), table="t", check=check, kind=kind, columns=columns, author_name=name,
        place=name, text=repr(check), **fields,
    )  # fmt: skip


def of_records() -> dict[LegacyRule, int]:
    """Each rule, and how many records are bad."""
    rows, found = records(), {}
    for g in range(GROUPS):
        for number, (predicate, free, good) in enumerate(of_group(g)):
            broken = [r for r in rows if None not in [r[c] for c in free] and not good(r)]
            name = f"g{g}_{number}{'_' if (g + number) % 3 else ''}r"
            found[made(Row(predicate), name, "predicate", free)] = len(broken)
    found[made(Row(Present("n")), "numbered", "present", ("n",), behaviour="fail")] = 0
    return found


FLAGGED = (
    made(Exists(BY_TWO), "there", "exists", ("k", "r"), behaviour="drop"),
    made(Exists(BY_TWO, missing="good"), "there_or_missing", "exists", ("k", "r")),
    made(Exists(FEW, negated=True), "not_among_few", "exists", ("k",), behaviour="drop"),
    made(LookedUp(FEW, (ColumnComparison("k", "<", "v"),)), "below", "looked_up", ("k",)),
    made(Unique(("k", "r")), "once", "unique", ("k", "r"), behaviour="drop"),
    made(Ordered("k"), "rising", "order", ("k",)),
)
OF_ALL = (
    made(Reconciled(BY_TWO, extra=False), "all_used", "reconcile", ("k", "r")),
    made(Reconciled(BY_TWO, missing=False), "all_known", "reconcile", ("k", "r")),
    made(Share(Exists(BY_TWO), Decimal("0.01")), "some_there", "share", ("k", "r")),
    made(Figure("row_count", (), (("min_value", ROWS),)), "enough", "row_count"),
    made(Figure("row_count", (), (("max_value", ROWS - 1),)), "not_too_many", "row_count"),
    made(Figure("max", ("k",), (("max_value", 8),)), "largest", "figure", ("k",)),
    made(Columns("exists", ("k",), ()), "has_k", "columns", ("k",)),
    made(
        Row(SqlText("SELECT n FROM {batch} GROUP BY n HAVING count(*) > 1", "spark", bad=True,
                    whole_query=True)),
        "numbers_differ", "predicate", ("n",),
    ),
)  # fmt: skip
# Of the rules over the whole table: which ones hold.
HOLDS = {"all_used", "some_there", "enough", "largest", "has_k", "numbers_differ"}


@pytest.fixture(scope="module")
def module() -> str:
    types = {name: parse_type(kind) for name, kind in (COLUMNS | REF).items()}
    plan = planned(
        *of_records(), *FLAGGED, *OF_ALL, types_of=Typed(types),
        tables={"t": TableSettings(name="main.sales.t", order_by=("n",))},
    )  # fmt: skip
    assert not [entry for entry in plan.entries if entry.gap]
    assert sum(entry.outcome != "merged" for entry in plan.entries) >= 200
    return module_text(plan.modules[0])


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("samples")
    tables = {"main.sales.t": COLUMNS, "main.far.ref": REF}
    rows = {
        "main.sales.t": records(),
        "main.far.ref": [dict(zip(REF, row, strict=True)) for row in REF_ROWS],
    }
    for name, found in rows.items():
        lines = "\n".join(map(json.dumps, found))
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    declared = [
        f"CREATE TABLE {name} ({', '.join(map(' '.join, columns.items()))});"
        for name, columns in tables.items()
    ]
    (folder / "schema.sql").write_text("\n".join(declared), encoding="utf-8")
    schemas = read_schemas(Config(folder, folder, schemas=("schema.sql",)))
    return read_samples([f"{name}={name}.jsonl" for name in tables], schemas, folder, folder)


def expected() -> dict[str, tuple[int, int]]:
    """name -> how often the rule passes and fails."""
    others = {"main.far.ref": [dict(zip(REF, row, strict=True)) for row in REF_ROWS]}
    broken = {one.author_name: count for one, count in of_records().items()}
    broken |= {one.author_name: len(bad(one, records(), others)) for one in FLAGGED}
    counts = {name: (ROWS - count, count) for name, count in broken.items()}
    assert [agrees(one, records(), others) for one in OF_ALL[:2]] == [True, False]
    return counts | {
        one.author_name: (1, 0) if one.author_name in HOLDS else (0, 1) for one in OF_ALL
    }


def test_counts_on_spark(spark, module, samples):
    ran = rehearse_on_spark({"t.py": module}, samples)
    assert {flow.status for flow in ran.flows} == {"COMPLETED"}
    counted = {count.name: (count.passed, count.failed) for count in ran.expectations}
    wanted = expected()
    assert {n: c for n, c in counted.items() if c != wanted[n]} == {}
    assert len(counted) >= 200
    assert sum(passed > 0 and failed > 0 for passed, failed in counted.values()) > 150
    rows = {flow.dataset: flow.output_rows for flow in ran.flows}
    assert rows["t_checked"] == ROWS == rows["t_clean"] + rows["t_quarantine"]


@pytest.mark.more
def test_the_same_under_spark_pipelines(spark, module, samples):
    plain = rehearse_on_spark({"t.py": module}, samples)
    real = rehearse_on_sdp({"t.py": module}, samples)
    assert real.expectations == plain.expectations
    assert real.flows == plain.flows
    assert real.quarantines == plain.quarantines
