"""Random rules that look at other records, on random tables: the promises on real module runs.

What each rule says of each record is found a second time in plain Python (`meant`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flagged_rules import TABLES, TYPES, ddl, rules, tables
from hypothesis import given, settings
from hypothesis import strategies as st
from made_rules import Typed, planned
from meant import agrees, bad

from ruleferry.converters.account import Entry, Module
from ruleferry.converters.config import TableSettings
from ruleferry.converters.proof.pipeline import Run, run_module
from ruleferry.converters.rule import LegacyRule
from ruleferry.converters.writers.lakeflow import module_text

# What a rule that can't be wrong, or needs a type or an order, becomes instead.
GAPS = {"never_fails", "never_passes"}
UNTYPED = {"type_needed"}
STREAMED = {"streaming"}


@dataclass(frozen=True)
class Told:
    """A module, and what its rules must say: name -> bad records, or whether the table agrees."""

    module: Module
    of_records: Mapping[str, set[int]]
    of_table: Mapping[str, bool]

    @property
    def dropped(self) -> list[str]:
        drop = [e.name for e in self.module.rules if e.action == "drop"]
        return [name for name in drop if name in self.of_records]


def converted(found: Sequence[LegacyRule], rows, *, typed, streaming, quarantine) -> Told | None:
    """None where no rule is carried over."""
    plan = planned(
        *found,
        types_of=Typed(TYPES if typed else None),
        tables={"t": TableSettings(order_by=("n",), streaming=streaming)},
        quarantine=quarantine,
    )
    by_id, by_atom = {e.id: e for e in plan.entries}, {e.atom: e for e in plan.entries}
    allowed = GAPS | (set() if typed else UNTYPED) | (STREAMED if streaming else set())
    of_records: dict[str, set[int]] = {}
    of_table: dict[str, bool] = {}
    for rule in found:
        entry = by_atom[rule.atom]
        if entry.gap:
            assert entry.gap.code in allowed, entry.gap
            continue
        add(rule, by_id[entry.merged_into or entry.id], rows, of_records, of_table)
    return Told(plan.modules[0], of_records, of_table) if plan.modules else None


def add(rule: LegacyRule, entry: Entry, rows, of_records, of_table) -> None:
    """Rules that were merged say the same."""
    others = {name: found for name, found in rows.items() if name != "t"}
    if entry.outcome == "dataset":
        says = agrees(rule, rows["t"], others)
        assert of_table.setdefault(entry.name, says) == says
    else:
        says = bad(rule, rows["t"], others)
        assert of_records.setdefault(entry.name, says) == says


def ran(told: Told, rows, spark) -> Run:
    frames = {
        name: spark.createDataFrame(
            [tuple(r[column.split()[0]] for column in ddl(name).split(", ")) for r in found],
            ddl(name),
        )
        for name, found in rows.items()
    }
    return run_module(module_text(told.module), spark, frames)


@given(
    rules(),
    tables(),
    st.sampled_from([True, True, True, False]),
    st.sampled_from([False, False, False, True]),
    st.sampled_from(["tables", "column"]),
)
@settings(max_examples=10, deadline=None)
def test_flags_say_what_the_rules_mean(spark, found, rows, typed, streaming, quarantine):
    if not typed:  # as texts 0.0 and -0.0 are two keys
        found = [rule for rule in found if "d" not in rule.columns]
    told = converted(found, rows, typed=typed, streaming=streaming, quarantine=quarantine)
    if told is None:
        return
    run = ran(told, rows, spark)
    assert {flow.status for flow in run.flows} == {"COMPLETED"}, run.flows
    check_parts(told, run, rows["t"])
    check_names(told, run, rows["t"])
    check_counts(told, run, rows["t"])
    check_no_nulls(told, run)


def texts(frame, columns) -> Counter[str]:
    """A multiset in which NaN equals itself."""
    return Counter(map(repr, frame.select(*columns).collect()))


def check_parts(told: Told, run: Run, rows) -> None:
    """checked has every row of the source, and is clean and quarantine, row for row."""
    checked, clean, quarantine = (run.frames[f"t_{d}"] for d in ("checked", "clean", "quarantine"))
    own = ["n", *TABLES["t"]]
    source = Counter(tuple(map(repr, (r[c] for c in own))) for r in rows)
    found = Counter(tuple(map(repr, row)) for row in checked.select(*own).collect())
    assert found == source
    assert texts(clean, clean.columns) + texts(quarantine, clean.columns) == texts(
        checked, clean.columns
    )
    added = {"failed_rules"} if told.module.quarantine == "tables" else set()
    assert set(checked.columns) == set(clean.columns) == set(quarantine.columns) - added


def check_names(told: Told, run: Run, rows) -> None:
    """A row is in the quarantine if and only if it breaks a drop rule, and it names all of them."""
    broken = {r["n"]: [d for d in told.dropped if r["n"] in told.of_records[d]] for r in rows}
    named = run.frames["t_quarantine"].select("n", "failed_rules").collect()
    assert dict(map(tuple, named)) == {n: ", ".join(rules) for n, rules in broken.items() if rules}


def check_counts(told: Told, run: Run, rows) -> None:
    counted = {c.name: (c.passed, c.failed) for c in run.expectations}
    expected = {n: (len(rows) - len(found), len(found)) for n, found in told.of_records.items()}
    expected |= {name: (int(says), int(not says)) for name, says in told.of_table.items()}
    assert counted == expected


def check_no_nulls(told: Told, run: Run) -> None:
    conditions = [e.condition for e in told.module.rules if e.name in told.of_records]
    if conditions:
        nulls = [f"count_if(({c}) IS NULL)" for c in conditions]
        assert set(run.frames["t_checked"].selectExpr(*nulls).first()) == {0}
