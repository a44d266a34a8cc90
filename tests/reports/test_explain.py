"""Finding one rule, and telling its story."""

from dataclasses import replace

import pytest
from ledgers import ORDERS, entry, large_ledger, ledger_of, orders_ledger

from ruleferry.converters.account import Answered, Because, Question
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.reports.explain import stories
from ruleferry.converters.reports.find_rule import find

LEDGER = orders_ledger()
KEY, PRICE, STATUS, EMAIL, UNIQUE, SHARE, COLUMNS, PATTERN, OLD, HEADING, CLERK = LEDGER.entries


def told(*entries) -> str:
    return "\n".join(stories(LEDGER, entries))


def fault(rule: str, ledger=LEDGER) -> str:
    with pytest.raises(InputFaults) as raised:
        find(ledger, rule, "expectations/ledger.json")
    (one,) = raised.value.faults
    return str(one)


@pytest.mark.parametrize(
    ("rule", "entries"),
    [
        ("main.sales.orders.o_totalprice_range", [PRICE]),
        ("Main.Sales.ORDERS.o_totalprice_range", [PRICE]),
        ("orders.o_totalprice_range", [PRICE]),
        ("o_totalprice_range", [PRICE]),
        (PRICE.id, [PRICE]),
        (PRICE.id[:6], [PRICE]),
        (PRICE.id[:6].upper(), [PRICE]),
        ("suites/orders.json:expectations[1]", [PRICE]),
        ("orders.json:expectations[1]", [PRICE]),
        (" orders.json:expectations[1] ", [PRICE]),
        # the name of a rule and of the one that is merged into it: the one that stands
        ("main.sales.orders.o_orderkey_present", [KEY]),
        ("validations/orders_2023.json:results[0]", [OLD]),
    ],
)
def test_what_names_a_rule(rule, entries):
    assert list(find(LEDGER, rule, "ledger.json")) == entries


def test_a_place_that_states_several_rules_is_one_answer():
    rows = [entry("a", table="x"), entry("a", table="y"), entry("b", table="x")]
    assert find(ledger_of(rows), "suites/orders.json:expectations[0]", "") == tuple(rows)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("o_totalprise_range", "Near it: main.sales.orders.o_totalprice_range"),
        ("totalprice", "Near it: main.sales.orders.o_totalprice_range."),
        ("sales.orders.o_custkey_unique", "Near it: customers.c_custkey_unique"),
        ("suites/order.json:expectations[1]", "Near it: suites/orders.json:expectations[1]"),
        ("zzz", "Nothing is near."),
        ("", "Nothing is near."),
        (PRICE.id[:5], "found no rule"),  # five digits are too few
    ],
)
def test_an_unknown_rule_is_told_with_what_is_near(rule, message):
    assert message in fault(rule)
    assert fault(rule).startswith(
        f"expectations/ledger.json: found no rule `{rule}`; expected `tab"
    )


def test_a_name_on_two_tables_is_ambiguous():
    rows = [entry("a", table="x"), entry("a", table="y")]
    assert fault("a", ledger_of(rows)) == (
        "expectations/ledger.json: found 2 rules that `a` may mean; expected one. Name one by its "
        f"id: x.a (id {rows[0].id}, suites/orders.json:expectations[0]) and "
        f"y.a (id {rows[1].id}, suites/orders.json:expectations[0])."
    )


def test_a_short_id_of_two_rules_is_ambiguous():
    rows = [replace(entry(n, f"e[{n}]"), id=f"abcdef00000{n}") for n in "12"]
    assert "2 rules that `abcdef` may mean" in fault("abcdef", ledger_of(rows))
    assert find(ledger_of(rows), "abcdef000002", "") == (rows[1],)


def test_a_name_that_is_near_on_many_tables_names_them_all():
    rows = [entry("price_range", table=table) for table in "xyz"]
    assert "Near it: x.price_range, y.price_range and z.price_range." in fault(
        "price_rang", ledger_of(rows)
    )


def test_many_near_ones_are_counted():
    assert fault("_range", large_ledger(30)).endswith("main.sales.table_2.c22_range … and 22 more.")


@pytest.mark.parametrize(
    ("rule", "lines"),
    [
        (
            KEY,
            [
                "Every order has a key",
                f"main.sales.orders.o_orderkey_present (id {KEY.id})",
                "  stands in         suites/orders.json:expectations[0] "
                "(great_expectations on spark)",
                '  the text          {"type": "expect_o_orderkey_present"}',
                "  columns           o_orderkey",
                "  became            checked on each record (record)",
                "  in dataset        orders_clean",
                "  condition         o_orderkey IS NOT NULL",
                "  action            fail: a bad record stops the update; Lakeflow records no "
                "counts for it",
                "  decided by        the configuration: [actions.rules] orders.o_orderkey_present",
                "  a missing value   fails",
                "  grade             exact: means the same as the old rule",
                "  also stated as    validations/orders_2023.json:results[0] "
                f"({ORDERS}.o_orderkey_present, id {OLD.id})",
                "  written to        orders_expectations.py",
            ],
        ),
        (
            OLD,
            [
                f"main.sales.orders.o_orderkey_present (id {OLD.id})",
                "  stands in         validations/orders_2023.json:results[0] "
                "(great_expectations on spark)",
                '  the text          {"type": "expect_o_orderkey_present"}',
                "  columns           o_orderkey",
                "  became            says the same as another rule, which stands for it (merged)",
                "  stands for it     suites/orders.json:expectations[0] "
                f"({ORDERS}.o_orderkey_present, id {KEY.id})",
                "  a missing value   fails",
            ],
        ),
    ],
)
def test_a_whole_story(rule, lines):
    assert stories(LEDGER, [rule]) == lines


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        (PRICE, "  tag               owner: sales"),
        (
            PRICE,
            "  decided by        a steward's decision: A. Steward, 2026-05-04: negative prices",
        ),
        (STATUS, "  decided by        nobody yet: nothing states an action"),
        (
            replace(STATUS, because=Because("default", "not decided")),
            "  decided by        nobody yet",
        ),
        (STATUS, "  grade             differs: does not mean quite the same as the old rule"),
        (STATUS, "  to know           Compared exactly, formerly as a double: The old check"),
        (
            STATUS,
            "  question          What should happen to a record that breaks these rules? (asked",
        ),
        (STATUS, "    answer          drop – the record goes to the quarantine table"),
        (STATUS, "    until then      The rules warn."),
        (UNIQUE, "  added column      c_custkey_copies = count(*) OVER (PARTITION BY c_custkey)"),
        (UNIQUE, "  written to        customers_expectations.py"),
        (SHARE, "  its query         SELECT count(*) AS n FROM orders"),
        (SHARE, "  must hold there   coalesce(n >= 0.95D, TRUE)"),
        (COLUMNS, "  a missing value   can't occur"),
        (PATTERN, "  in the way        A text pattern that Databricks reads differently: The pat"),
        (HEADING, "  because           an older run"),
        (CLERK, "  who and why       A. Steward: clerks are no longer recorded"),
    ],
)
def test_what_a_story_tells(rule, line):
    assert any(found.startswith(line) for found in stories(LEDGER, [rule]))


@pytest.mark.parametrize("rule", [PATTERN, HEADING])
def test_what_is_no_condition_has_no_policy_for_missing_values(rule):
    assert "a missing value" not in told(rule)


def test_the_longest_stem_is_the_module():
    longer = replace(LEDGER.outputs[2], file="orders_clean_expectations.py")
    ledger = replace(LEDGER, outputs=(*LEDGER.outputs, longer))
    rule = replace(KEY, dataset="orders_clean_checked")
    assert stories(ledger, [rule])[-1] == "  written to        orders_clean_expectations.py"


def test_a_text_of_several_lines_stands_below_its_first_and_hides_nothing():
    rule = entry("a", text="SELECT 1\nFROM x\x1b[31m")
    lines = stories(ledger_of([rule]), [rule])
    at = lines.index("  the text          SELECT 1")
    assert lines[at + 1] == "                    FROM x⟨U+001B⟩[31m"


def test_two_stories_stand_apart():
    lines = stories(LEDGER, [KEY, OLD])
    assert lines.count("") == 1
    assert "" not in (lines[0], lines[-1])


def test_a_figure_has_no_record_and_stops_no_table():
    warning, failing = (told(replace(SHARE, action=action)) for action in ("warn", "fail"))
    assert "warn: it is counted where it does not hold" in warning
    assert "the update of its own dataset stops, and no other one" in failing


def test_what_people_decided_and_answered_is_told():
    rule = entry(
        "a", title="Price", words="price is above 0",
        decided=("condition, by Ann Smith on 2026-11-30: as agreed",),
    )  # fmt: skip
    answers = (
        Answered("disputed", "price > 0", "Ann", "2026-11-30"),
        Answered("refused", "price >", "Bob", why="it ends too soon"),
    )
    question = Question("q", "type_unknown", (rule.id,), "Which?", (), "So.", answered=answers)
    lines = stories(ledger_of([rule], question), [rule])
    assert "  in words          price is above 0" in lines
    assert "  decided           condition, by Ann Smith on 2026-11-30: as agreed" in lines
    assert [line for line in lines if line.startswith("    answered")] == [
        "    answered        price > 0 – by Ann on 2026-11-30; asked again: the answers differ",
        "    answered        price > – by Bob; asked again: it ends too soon",
    ]


@pytest.mark.parametrize("words", ["", "Price"])
def test_words_that_say_nothing_new_are_left_out(words):
    rule = entry("a", title="Price", words=words)
    assert not [line for line in stories(ledger_of([rule]), [rule]) if "in words" in line]
