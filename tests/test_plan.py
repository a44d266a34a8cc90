"""What becomes of rules that meet on one table: merges, conflicts, actions, names and modules."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_rules import Typed, planned, rule

from ruleferry.converters.account import Because
from ruleferry.converters.column_types import parse_type
from ruleferry.converters.config import Actions, TableSettings
from ruleferry.converters.predicates import Absent, Matches, OneOf, Present, Range, SqlText
from ruleferry.converters.rule import (
    Caveat,
    Columns,
    Figure,
    LegacyRule,
    NotARule,
    Ordered,
    Row,
    Share,
    Table,
    Unique,
    Unread,
)

ORDERS = "main.sales.orders"


def outcomes(found) -> list[str]:
    return [entry.outcome for entry in found.entries]


def by_file(found) -> dict[str, object]:
    return {entry.origin.file: entry for entry in found.entries}


def asked(found, code: str) -> list[frozenset[str]]:
    """The entries of each question of a code, by their names and files."""
    names = {e.id: f"{e.origin.file}:{e.name}" for e in found.entries}
    return [frozenset(names[i] for i in q.entries) for q in found.questions if q.code == code]


def checked_by(check, **fields) -> LegacyRule:
    return rule(Present("x"), check=check, **fields)


# Outcomes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "code"),
    [
        (Share(Row(Present("x")), Decimal(0)), "never_fails"),
        (Figure("mean", ("x",)), "never_fails"),
        (Ordered("x"), "no_order"),
        (Columns("type", ("x",), (("type_", "object"),)), "type_name"),
        (Unread("custom_expectation", "its code is not here"), "custom_expectation"),
        (Row(SqlText("x > 1", "trino", bad=True)), "needs_sql_reader"),
    ],
)
def test_what_no_condition_can_say_is_a_gap(check, code):
    found = planned(checked_by(check, caveats=(Caveat("argument_ignored", "so"),)))
    (entry,) = found.entries
    assert (entry.outcome, entry.gap.code) == ("gap", code)
    assert (entry.condition, entry.action, entry.because, entry.grade) == (None,) * 4
    assert entry.caveats == (Caveat("argument_ignored", "so"),)
    assert found.modules == ()
    assert [q.code for q in found.questions if q.entries == (entry.id,)]


MORE = (("min_value", 1),)


@pytest.mark.parametrize(
    ("check", "outcome", "dataset"),
    [
        (Unique(("x",)), "flag", "orders_clean"),
        (Share(Row(Present("x")), Decimal("0.9")), "dataset", "orders_figures"),
        (Share(Unique(("x",)), Decimal("0.9")), "dataset", "orders_figures"),
        (Figure("mean", ("x",), MORE), "dataset", "orders_figures"),
        (Columns("exists", ("x",)), "schema", "orders_schema"),
    ],
)
def test_what_looks_at_other_records_or_the_schema_has_its_outcome(check, outcome, dataset):
    (entry,) = (found := planned(checked_by(check))).entries
    assert (entry.outcome, entry.dataset, entry.action) == (outcome, dataset, "warn")
    assert (entry.gap, found.modules[0].rules) == (None, (entry,))
    assert bool(entry.validation) == (outcome == "dataset")
    columns = found.modules[0].computed.get(entry.id, ())
    assert all(column.column.startswith(entry.name) for column in columns)
    assert [c for c in columns if c.over == "record"] == ([entry.flag] if entry.flag else [])


def test_a_figure_has_no_record_to_drop():
    config = Actions(rules={"orders.x_mean": "drop"})
    (entry,) = planned(
        checked_by(Figure("mean", ("x",), MORE), kind="figure"), actions=config
    ).entries
    assert (entry.name, entry.action) == ("x_mean", "warn")
    assert [caveat.code for caveat in entry.caveats].count("no_record_to_drop") == 1


def test_a_figure_that_must_hold_has_a_dataset_of_its_own():
    config = Actions(default="fail")
    (entry,) = planned(checked_by(Figure("mean", ("x",), MORE)), actions=config).entries
    assert entry.dataset == entry.validation.dataset == "orders_figures_required"


def test_what_looked_at_one_batch_is_told():
    batch = (Caveat("one_batch", "so"),)
    (entry,) = planned(checked_by(Figure("mean", ("x",), MORE), caveats=batch)).entries
    assert (entry.grade, [c.code for c in entry.caveats].count("whole_table")) == ("differs", 1)
    (entry,) = planned(rule(Present("x"), caveats=batch)).entries
    assert entry.grade == "exact"


def test_what_is_no_rule_keeps_its_reason_and_asks_nothing():
    (entry,) = (found := planned(checked_by(NotARule("a heading")))).entries
    assert (entry.outcome, entry.reason) == ("not_a_rule", "a heading")
    assert found.questions == found.modules == ()


def test_a_condition_is_a_record():
    found = planned(rule(Present("x"), title="", tags=(("owner", "Anna"),)))
    (entry,) = found.entries
    assert (entry.outcome, entry.condition, entry.nulls) == ("record", "x IS NOT NULL", "fail")
    assert (entry.name, entry.title) == ("x_present", "x has a value")
    assert (entry.action, entry.because.by, entry.dataset) == ("warn", "default", "orders_clean")
    assert entry.tags == (("owner", "Anna"),)


def test_a_rule_that_is_nested_too_deep_is_a_gap_and_stops_no_other():
    deep = SqlText("x " + "".join(f"+ {n} " for n in range(2000)) + "> 5", "spark", bad=True)
    found = planned(rule(deep, place="a"), rule(Present("y"), place="b"))
    assert [e.gap.code if e.gap else e.outcome for e in found.entries] == ["not_readable", "record"]


def test_a_list_of_a_thousand_patterns_is_a_rule():
    patterns = Matches("x", tuple(f"p{n}" for n in range(1000)))
    assert outcomes(planned(checked_by(Row(patterns)))) == ["record"]


# Merging ------------------------------------------------------------------------------------------


def two(**changes) -> tuple[LegacyRule, LegacyRule]:
    """Two files that say the same; `changes` are for the second."""
    one = rule(Range("x", 0, 100), file="suites/a.json")
    return one, rule(**{"predicate": Range("x", 0, 100), "file": "suites/b.json"} | changes)


def test_the_same_of_two_files_is_one_rule_with_both_origins():
    found = planned(*two())
    first, second = found.entries
    assert (first.outcome, second.outcome) == ("record", "merged")
    assert (second.merged_into, second.grade, second.action) == (first.id, None, None)
    assert second.name == first.name == "x_range"
    (module,) = found.modules
    assert [r.id for r in module.rules] == [first.id]
    assert [o.file for o in module.origins[first.id]] == ["suites/a.json", "suites/b.json"]


@pytest.mark.parametrize(
    "changes",
    [
        {"predicate": SqlText("X <= 100.0 AND 0 <= X", "spark", bad=False)},
        {"table": "MAIN.`Sales`.orders"},
        {"title": "other words", "author_id": "a", "tags": (("owner", "B"),)},
    ],
)
def test_what_merges(changes):
    one = rule(SqlText("x BETWEEN 0 AND 100", "spark", bad=False), file="suites/a.json")
    _, other = two(**{"predicate": SqlText("x BETWEEN 0 AND 100", "spark", bad=False)} | changes)
    assert outcomes(planned(one, other)) == ["record", "merged"]


@pytest.mark.parametrize(
    "changes",
    [
        {"predicate": Range("x", 0, 101)},
        {"predicate": Range("x", 0, 100, low_open=True)},
        {"predicate": Range("y", 0, 100)},
        {"table": "sales.orders"},
        {"table": "`main.sales.orders`"},  # one part with dots in it
        {"scope": SqlText("y > 1", "spark", bad=False)},
        {"predicate": SqlText("x BETWEEN 0 AND 100", "spark", bad=False)},  # NULL fails
    ],
)
def test_what_does_not_merge(changes):
    assert outcomes(planned(*two(**changes))) == ["record", "record"]


def test_gaps_never_merge():
    gap = Unread("custom_expectation", "its code is not here")
    found = planned(checked_by(gap, file="a.json"), checked_by(gap, file="b.json"))
    assert outcomes(found) == ["gap", "gap"]


def test_the_same_scope_merges():
    scope = SqlText("y > 1", "spark", bad=False)
    one = rule(Present("x"), file="a.json", scope=scope)
    other = rule(Present("x"), file="b.json", scope=SqlText("1 < Y", "spark", bad=False))
    assert outcomes(planned(one, other)) == ["record", "merged"]


@pytest.mark.parametrize("name", ["orders", "orders.warning", "a\nb"])
def test_a_table_that_nothing_states_is_its_files_own(name):
    table = Table(name, stated=False)
    found = planned(*two(table=table), rule(Range("x", 0, 100), file="suites/c.json", table=table))
    assert outcomes(found) == ["record"] * 3
    assert len(found.modules) == len({m.stem for m in found.modules}) == 3
    told = {e.origin.file for e in found.entries for c in e.caveats if c.code == "table_not_stated"}
    assert told == {"suites/b.json", "suites/c.json"}
    assert len(asked(found, "table_not_stated")) == 2


def test_within_its_file_it_merges():
    table = Table("orders", stated=False)
    one = rule(Present("x"), table=table)
    assert outcomes(planned(one, rule(Present("X"), table=table, place="expectations[1]"))) == [
        "record",
        "merged",
    ]


def test_a_stated_table_has_one_spelling():
    found = planned(
        rule(Present("x"), file="a.json", table="Main.Sales.Orders"),
        rule(Present("y"), file="b.json", table="main.sales.`orders`"),
    )
    assert {e.table for e in found.entries} == {"Main.Sales.Orders"}
    (module,) = found.modules
    assert (module.table, module.source_table) == ("Main.Sales.Orders",) * 2
    assert len(asked(found, "action_undecided")) == 1


WORDS = Actions(words={"high": "drop", "low": "warn", "worst": "fail"})


def tagged(severity: str | None, **fields) -> LegacyRule:
    tags = (("severity", severity),) if severity else ()
    return rule(Present("x"), tags=tags, **fields)


@pytest.mark.parametrize(
    ("one", "other", "leader"),
    [
        ({}, {}, "a.json"),
        ({}, {"severity": "low"}, "b.json"),  # a decided action before an undecided one
        ({"severity": "low"}, {"severity": "worst"}, "a.json"),
        ({"tool": "sql"}, {}, "b.json"),
        ({"tool": "sql"}, {"tool": "spreadsheet"}, "b.json"),
        ({"tool": "python"}, {"tool": "sql"}, "b.json"),
        ({"tool": "great_expectations"}, {"tool": "spreadsheet"}, "a.json"),
        ({"tool": "unheard of"}, {"tool": "python"}, "b.json"),
        ({"tool": "sql", "severity": "low"}, {}, "a.json"),
    ],
)
def test_which_one_stays(one, other, leader):
    found = planned(
        tagged(**{"severity": None, "file": "a.json"} | one),
        tagged(**{"severity": None, "file": "b.json"} | other),
        actions=WORDS,
    )
    stays = {e.origin.file: e.outcome for e in found.entries}
    assert stays == {file: "record" if file == leader else "merged" for file in stays}
    (module,) = found.modules
    (origins,) = module.origins.values()
    assert origins[0].file == leader


def test_within_one_file_the_first_stays():
    found = planned(*(rule(Present("x"), place=f"expectations[{n}]") for n in (2, 10)))
    assert [e.origin.place for e in found.entries if e.outcome == "record"] == ["expectations[2]"]


@pytest.mark.parametrize(
    ("severities", "action", "asks"),
    [
        (("low", "high"), "drop", True),
        (("worst", "high", "low"), "fail", True),
        (("low", "low"), "warn", False),
        ((None, "high"), "drop", False),  # one action only was decided
        ((None, "low"), "warn", False),
        ((None, None), "warn", False),
    ],
)
def test_of_two_decided_actions_the_stricter_holds_and_one_question_is_asked(
    severities, action, asks
):
    rules = [tagged(s, file=f"{n}.json") for n, s in enumerate(severities)]
    found = planned(*rules, actions=WORDS)
    (held,) = (e for e in found.entries if e.outcome == "record")
    assert held.action == action
    assert held.dataset == ("orders_checked" if action == "fail" else "orders_clean")
    every = frozenset(f"{e.origin.file}:x_present" for e in found.entries)
    assert asked(found, "action_conflict") == ([every] if asks else [])
    assert bool(asked(found, "action_undecided")) == (held.because.by == "default")


def test_a_default_is_no_action_of_a_rule_that_could_conflict():
    found = planned(
        tagged(None, file="a.json"),
        tagged("low", file="b.json"),
        actions=Actions("fail", words={"low": "warn"}),
    )
    assert by_file(found)["b.json"].action == "warn"
    assert not asked(found, "action_conflict")


# Conflicts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Range("x", 0, 100), Range("x", 0, 120)),
        (Range("x", 0, 100), Range("X", 0, 120)),
        (Range("x", 0), Range("x", 1)),
        (Range("x", 100), Range("x", None, 50)),
        (Present("x"), Absent("x")),
        (OneOf("x", ("F", "O")), OneOf("x", ("F", "P"))),
    ],
)
def test_rules_that_contradict_are_both_written_and_share_one_question(one, other):
    found = planned(rule(one, file="a.json"), rule(other, file="b.json"))
    assert outcomes(found) == ["record", "record"]
    (about,) = asked(found, "conflict")
    assert {name.split(":")[0] for name in about} == {"a.json", "b.json"}
    (question,) = (q for q in found.questions if q.code == "conflict")
    assert question.until_answered == "All of them are checked, for all of them hold today."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Range("x", 0), Range("x", None, 100)),
        (Range("x", 0, 100), Range("y", 0, 120)),
        (Range("x", 0, 100), OneOf("x", (5,))),
        (Present("x"), Range("x", 0, 100)),
        (OneOf("x", ("F",), negated=True), OneOf("x", ("O",), negated=True)),
    ],
)
def test_rules_that_go_together_ask_nothing(one, other):
    assert not asked(planned(rule(one, file="a.json"), rule(other, file="b.json")), "conflict")


def figure(measure, low, high, file):
    bounds = (("max_value", high), ("min_value", low))
    return checked_by(Figure(measure, ("x",), bounds), file=file)


def test_only_the_same_figure_contradicts_itself():
    """The median and the mean of a column have bounds of their own."""
    found = planned(figure("mean", 7, 9, "a.json"), figure("median", 1, 2, "b.json"))
    assert not asked(found, "conflict")
    found = planned(figure("mean", 7, 9, "a.json"), figure("mean", 1, 2, "b.json"))
    assert len(asked(found, "conflict")) == 1


def test_a_rule_on_some_records_only_contradicts_nothing():
    scope = SqlText("y > 1", "spark", bad=False)
    found = planned(rule(Range("x", 0, 100)), rule(Range("x", 0, 120), file="b.json", scope=scope))
    assert not asked(found, "conflict")


def test_rules_of_two_tables_contradict_nothing():
    found = planned(rule(Range("x", 0, 100)), rule(Range("x", 0, 120), table="other"))
    assert not asked(found, "conflict")


def test_each_thing_that_is_contradicted_is_a_question_of_its_own():
    found = planned(
        rule(Range("x", 0, 100), file="a.json"),
        rule(Range("x", 0, 120), file="b.json"),
        rule(Range("x", None, 110), file="c.json"),
        rule(Range("x", 0), file="d.json"),  # goes together with all of them
        rule(Present("x"), file="e.json"),
        rule(Absent("x"), file="f.json"),
    )
    files = {frozenset(n.split(":")[0] for n in about) for about in asked(found, "conflict")}
    assert files == {
        frozenset({"a.json", "b.json", "c.json"}),
        frozenset({"e.json", "f.json"}),
    }


def test_a_condition_in_sql_contradicts_as_well():
    sql = SqlText("x IS NOT NULL AND x > 120", "spark", bad=True)
    found = planned(
        rule(Range("x", None, 100), file="a.json", engine="spark"),
        rule(sql, file="b.json", columns=("x",)),
        types_of=Typed({"x": parse_type("int")}),
    )
    assert len(asked(found, "conflict")) == 1


# Actions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["orders.x_present", "main.sales.orders.x_present", "id"])
def test_a_rule_is_decided_by_each_of_its_names(key):
    (entry,) = planned(rule(Present("x"))).entries
    key = entry.id if key == "id" else key
    found = planned(rule(Present("x")), actions=Actions(rules={key: "drop"}))
    (decided,) = found.entries
    assert (decided.action, decided.because) == (
        "drop",
        Because("config", f'[actions.rules] "{key}"'),
    )
    assert key in found.keys.known


def test_the_id_of_a_merged_rule_decides_as_well():
    rules = (tagged("low", file="a.json"), tagged(None, file="b.json"))
    first, second = planned(*rules, actions=WORDS).entries
    assert second.merged_into == first.id
    for rule_id in (first.id, second.id):
        found = planned(*rules, actions=Actions(words=WORDS.words, rules={rule_id: "drop"}))
        (held,) = (e for e in found.entries if e.outcome == "record")
        assert held.action == "drop"
        assert rule_id in found.keys.known


def test_what_is_said_of_the_rule_that_stays_is_said_of_all():
    """The module shows its id; the word of a merged twin must not overrule the decision."""
    rules = (tagged("high", file="a.json"), tagged("worst", file="b.json"))
    first, _ = planned(*rules, actions=WORDS).entries
    actions = Actions(words=WORDS.words, rules={first.id: "warn"})
    found = planned(*rules, actions=actions)
    assert found.entries[0].action == "warn"
    assert not asked(found, "action_conflict")


def test_a_lower_limit_lowers_the_module_and_not_the_ledger():
    rules = [tagged(s, file=f"{s}.json", columns=(s,), check=Row(Present(s))) for s in WORDS.words]
    found = planned(*rules, actions=WORDS, max_action="warn")
    assert {e.name: e.action for e in found.entries} == {
        "high_present": "drop",
        "low_present": "warn",
        "worst_present": "fail",
    }
    (module,) = found.modules
    assert {r.action for r in module.rules} == {"warn"}
    lifted = planned(*rules, actions=WORDS, max_action="drop").modules[0]
    assert {r.name: r.action for r in lifted.rules} == {
        "high_present": "drop",
        "low_present": "warn",
        "worst_present": "drop",
    }


# Tables -------------------------------------------------------------------------------------------


SETTINGS = {
    "sales.orders": TableSettings(name="main.sales.orders_raw", aliases=("ORDERS", "`o.r`"))
}


@pytest.mark.parametrize("stated", ["sales.orders", "Sales.`Orders`", "orders", "`O.R`"])
def test_a_table_is_found_by_its_name_and_its_aliases(stated):
    types = Typed()
    found = planned(rule(Present("x"), table=stated), tables=SETTINGS, types_of=types)
    (module,) = found.modules
    assert (module.table, module.source_table) == ("sales.orders", "main.sales.orders_raw")
    assert found.entries[0].table == "sales.orders"
    assert types.asked == ["main.sales.orders_raw"]


def test_aliases_bring_rules_together():
    found = planned(
        rule(Present("x"), file="a.json", table="orders"),
        rule(Present("x"), file="b.json", table="sales.orders"),
        rule(Present("x"), file="c.json", table="x.orders"),
        tables=SETTINGS,
    )
    assert outcomes(found) == ["record", "merged", "record"]
    assert sorted(m.stem for m in found.modules) == ["sales_orders", "x_orders"]


def test_a_table_may_be_stated_by_the_name_that_it_has_now():
    found = planned(
        rule(Present("x"), file="a.json", table="Main.Sales.Orders_Raw"),
        rule(Present("x"), file="b.json", table="sales.orders"),
        tables=SETTINGS,
    )
    assert outcomes(found) == ["record", "merged"]
    assert {e.table for e in found.entries} == {"sales.orders"}


def test_a_new_name_that_another_table_had_before_is_not_mistaken_for_it():
    settings = {"a": TableSettings(name="b"), "b": TableSettings(name="c")}
    rules = [rule(Present("x"), file=f"{name}.json", table=name) for name in ("a", "b", "c")]
    found = planned(*rules, tables=settings)
    reads = {e.origin.file: m.source_table for m in found.modules for e in m.rules}
    assert reads == {"a.json": "b", "b.json": "c"}
    assert outcomes(found) == ["record", "record", "merged"]  # b was renamed to c


def test_settings_state_a_table_that_its_source_does_not():
    found = planned(
        rule(Present("x"), file="a.json", table=Table("orders", stated=False)), tables=SETTINGS
    )
    assert found.entries[0].caveats == ()
    assert found.modules[0].source_table == "main.sales.orders_raw"


def test_a_module_has_the_name_that_it_is_given():
    settings = {"a.x": TableSettings(module="orders"), "b.y": TableSettings(module="mine")}
    found = planned(
        rule(Present("x"), file="a.json", table="a.x"),
        rule(Present("x"), file="b.json", table="b.orders"),
        rule(Present("x"), file="c.json", table="b.y"),
        tables=settings,
    )
    assert {m.table: m.stem for m in found.modules} == {
        "a.x": "orders",
        "b.orders": "b_orders",  # two tables never share a module
        "b.y": "mine",
    }
    datasets = {e.table: e.dataset for e in found.entries}
    assert datasets["a.x"] == "orders_clean"


def test_clashing_names_all_end_in_digits_of_their_ids():
    found = planned(
        rule(Range("x", 0, 100), file="a.json"),
        rule(Range("x", 0, 120), file="b.json"),
        rule(Range("x", 0, 120), file="c.json"),  # merged: it has the name of the one that stays
        rule(Range("y", 0, 120), file="d.json"),
    )
    entries = by_file(found)
    for file in ("a.json", "b.json"):
        assert entries[file].name == f"x_range_{entries[file].id[:4]}"
    assert entries["c.json"].name == entries["b.json"].name
    assert entries["d.json"].name == "y_range"


# Whatever comes first -----------------------------------------------------------------------------

PREDICATES = st.sampled_from(
    [Present("x"), Absent("x"), Range("x", 0, 9), Range("x", 0, 8), Range("y", 0, 9), Present("X")]
)
SOME_RULES = st.lists(
    st.tuples(
        PREDICATES,
        st.sampled_from(["a.json", "b.json"]),
        st.sampled_from([ORDERS, "lines", Table("a", stated=False)]),
        st.sampled_from([None, "low", "high"]),
    ),
    min_size=1,
    max_size=8,
)


def made(rows) -> list[LegacyRule]:
    return [
        rule(
            predicate,
            file=file,
            table=table,
            place=f"expectations[{number}]",
            tags=(("severity", severity),) if severity else (),
        )
        for number, (predicate, file, table, severity) in enumerate(rows)
    ]


@given(SOME_RULES)
@settings(max_examples=60, deadline=None)
def test_every_rule_has_one_entry_and_every_record_its_module(rows):
    rules = made(rows)
    found = planned(*rules, actions=WORDS)
    assert sorted((e.origin.file, e.atom) for e in found.entries) == sorted(
        (r.origin.file, r.atom) for r in rules
    )
    assert len({e.id for e in found.entries}) == len(rules)
    records = {e.id: e for e in found.entries if e.outcome == "record"}
    assert sorted(r.id for m in found.modules for r in m.rules) == sorted(records)
    for merged in (e for e in found.entries if e.outcome == "merged"):
        leader = records[merged.merged_into]
        assert (leader.table, leader.nulls) == (merged.table, merged.nulls)
        assert leader.condition.lower() == merged.condition.lower()
    shown = [o.place for m in found.modules for r in m.rules for o in m.origins[r.id]]
    assert sorted(shown) == sorted(r.origin.place for r in rules)


@given(SOME_RULES)
@settings(max_examples=40, deadline=None)
def test_names_in_a_module_are_its_own(rows):
    for module in planned(*made(rows), actions=WORDS).modules:
        names = [r.name for r in module.rules]
        assert len(set(names)) == len(names)
