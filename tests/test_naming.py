"""Names and ids: legal, unique, and the same wherever a rule stands."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_rules import rule

from ruleferry.converters.mappings import kind_words
from ruleferry.converters.naming import (
    base_name,
    distinct_names,
    plain,
    rule_ids,
    sha256,
    stems,
)
from ruleferry.converters.predicates import OneOf, Present, Range, SqlText
from ruleferry.converters.rule import Figure, Table

LEGAL = re.compile(r"[a-z][a-z0-9_]{0,62}\Z")
ID = "0123456789ab"


# Ids ----------------------------------------------------------------------------------------------


def ids_of(*rules, sources=None) -> list[str]:
    return rule_ids(rules, sources or {})


def id_of(**fields) -> str:
    return ids_of(rule(Present("x"), **fields))[0]


RULES = (
    rule(Present("x")),
    rule(Range("x", 1, 2), place="expectations[1]"),
    rule(Range("x", 1, 3), place="expectations[2]"),  # shares all with the one before but its text
    rule(Present("y"), place="expectations[3]"),
    rule(Present("x"), file="suites/other.json"),
    rule(Present("x"), table="main.sales.lines"),
    rule(Present("x"), author_id="a1", place="expectations[4]"),
)


def test_ids_are_of_12_hex_digits_and_differ():
    ids = ids_of(*RULES)
    assert all(re.fullmatch("[0-9a-f]{12}", found) for found in ids)
    assert len(set(ids)) == len(ids)


@given(st.permutations(RULES))
@settings(deadline=None)
def test_the_order_of_files_and_rules_changes_no_id(shuffled):
    assert dict(zip(shuffled, ids_of(*shuffled), strict=True)) == dict(
        zip(RULES, ids_of(*RULES), strict=True)
    )


@pytest.mark.parametrize(
    "change",
    [
        {"place": "expectations[7]", "atom": "expectations[7]"},
        {"title": "The key"},
        {"tags": (("owner", "Anna"),)},
        {"text": "written anew"},
        {"engine": "pandas"},
        {"tool": "sql"},
        {"author_id": "a1", "author_name": "changed", "also": {"author_id": "a1"}},
        {"columns": ("b", "a"), "also": {"columns": ("a", "b")}},
    ],
)
def test_what_is_no_part_of_an_id(change):
    assert id_of(**{k: v for k, v in change.items() if k != "also"}) == id_of(
        **change.get("also", {})
    )


@pytest.mark.parametrize(
    "change",
    [
        {"file": "suites/other.json"},
        {"table": "sales.orders"},
        {"columns": ("X",)},
        {"kind": "absent"},
        {"author_id": "a1"},
        {"author_name": "a name"},
    ],
)
def test_what_is_part_of_an_id(change):
    assert id_of(**change) != id_of()


def test_rules_that_share_all_but_their_text_add_it_each_of_them():
    one, two = rule(Range("x", 1, 2)), rule(Range("x", 1, 3))
    alone, both = ids_of(one), ids_of(one, two)
    assert len({*alone, *both}) == 3
    assert ids_of(two, one) == both[::-1]
    assert ids_of(two, rule(Present("z")), one)[::2] == both[::-1]


def test_rules_that_share_even_their_text_are_numbered():
    same = rule(Present("x"))
    ids = ids_of(same, same, same)
    assert len(set(ids)) == 3
    assert ids_of(same, same) == ids[:2]


def test_a_name_stands_for_the_file():
    old = rule(Present("x"), file="dictionary_2023.xlsx")
    new = rule(Present("x"), file="dictionary_2024.xlsx")
    names = {"dictionary_2023.xlsx": "dictionary", "dictionary_2024.xlsx": "dictionary"}
    assert ids_of(old, sources=names) == ids_of(new, sources=names)
    assert ids_of(old) != ids_of(new)
    assert ids_of(old, sources=names) != ids_of(old)


def test_parts_of_an_id_do_not_run_together():
    assert id_of(file="a", table="b.c") != id_of(file="ab", table=".c")
    assert id_of(columns=("a", "b")) != id_of(columns=("ab",))
    assert id_of(columns=("a,b",)) != id_of(columns=("a", "b"))


def test_a_hash_of_half_a_surrogate_pair():
    assert sha256("\ud800") != sha256("\ud801")


# Names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_rule", "name"),
    [
        (rule(Present("o_orderkey")), "o_orderkey_present"),
        (rule(Range("o_totalprice", 1)), "o_totalprice_range"),
        (rule(OneOf("O Orderstatus", ("F",))), "o_orderstatus_allowed"),
        (rule(Present("größe")), "grosse_present"),
        (rule(Present("Émission-CO₂")), "emission_co2_present"),
        (rule(Present("select")), "select_present"),
        (rule(Present("2020")), "rule_2020_present"),
        (rule(Present("__x__")), "x_present"),
        (rule(Present("日本")), f"rule_{ID}"),
        (rule(Present("´`")), f"rule_{ID}"),
        (rule(SqlText("a > b", "spark", bad=True)), "rule"),
        (rule(Present("a"), columns=("b", "a"), kind="sum"), "b_a_sum"),
        (rule(Present("a"), columns=("a", "日"), kind="sum"), "a_sum"),
        (rule(Present("x"), author_name="Price is positive!"), "price_is_positive"),
        (rule(Present("x"), author_name="7 days"), "rule_7_days"),
        (rule(Present("x"), author_name="价格"), f"rule_{ID}"),
        (rule(Present("x"), author_id="5f0e"), "x_present"),
        (rule(Present("x"), check=Figure("column_mean", ("x",)), kind="figure"), "x_column_mean"),
        (rule(Present("x"), check=Figure("row_count", ()), columns=()), "row_count"),
        (rule(Present("c" * 200)), "c" * 55 + "_present"),
        (rule(Present("9" * 200)), "rule_" + "9" * 50 + "_present"),
        (rule(Present("c" * 54 + "__" + "d" * 9)), "c" * 54 + "_present"),
        (rule(Present("x"), author_name="n" * 200), "n" * 63),
    ],
)
def test_the_name_of_a_rule(given_rule, name):
    assert base_name(given_rule, ID) == name


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Ünï Cödé  9", "uni_code_9"),
        ("net–gross", "net_gross"),  # a dash that is not ASCII parts words all the same
        ("ﬁn ½", "fin_1_2"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("价格_price_价格", "price"),
        ("Ærø", "r"),  # a letter that is no accented one is left out, and parts nothing
        ("_a__b_", "a_b"),
        ("a\nb", "a_b"),
        ("", ""),
        ("--", ""),
    ],
)
def test_a_name_is_folded_to_plain_letters(text, folded):
    assert plain(text) == folded


hostile = st.text(max_size=250) | st.sampled_from(
    ["", " ", "select", "0", "a" * 200, "ß", "\ud800"]
)


@given(st.lists(hostile, max_size=4), st.none() | hostile, st.sampled_from(sorted(kind_words())))
@settings(deadline=None)
def test_names_are_legal_whatever_the_columns_are_called(columns, author_name, kind):
    made = rule(Present("x"), columns=tuple(columns), author_name=author_name, kind=kind)
    assert LEGAL.match(base_name(made, ID))


BASES = st.dictionaries(
    st.integers(0, 40).map(lambda n: sha256(str(n))[:12]),
    st.sampled_from(["x_range", "y_range", "c" * 63, "c" * 62, "c" * 58 + "_dddd", "x"]),
    max_size=30,
)


@given(BASES)
@settings(deadline=None)
def test_names_are_unique_and_a_clash_changes_every_one(bases):
    names = distinct_names(bases)
    assert list(names) == list(bases)
    assert len(set(names.values())) == len(names)
    assert all(LEGAL.match(name) for name in names.values())
    for rule_id, base in bases.items():
        if list(bases.values()).count(base) == 1:
            assert names[rule_id] == base
        else:
            assert names[rule_id].endswith(f"_{rule_id[:4]}")
            assert names[rule_id][:-5] == base[:58].rstrip("_")


@given(BASES, st.integers())
@settings(deadline=None)
def test_no_name_depends_on_the_order(bases, seed):
    items = list(bases.items())
    Random(seed).shuffle(items)
    assert distinct_names(dict(items)) == distinct_names(bases)


def test_a_clash_with_a_suffix_takes_more_digits():
    """Two ids that start alike, and a rule whose own name looks like one with a suffix."""
    names = distinct_names({"aaaa11": "x", "aaaa22": "x", "bbbb33": "x_aaaa"})
    assert names == {"aaaa11": "x_aaaa1", "aaaa22": "x_aaaa2", "bbbb33": "x_aaaa_bbbb3"}


def test_what_is_left_gives_way():
    bases = {"aaaa11": "x", "bbbb22": "x", "cccc33": "y", "dddd44": "y"}
    names = distinct_names(bases, {"bbbb22", "cccc33", "dddd44"})
    assert names == {"aaaa11": "x", "bbbb22": "x_bbbb", "cccc33": "y_cccc", "dddd44": "y_dddd"}
    assert distinct_names({"aaaa11": "x"}, {"aaaa11"}) == {"aaaa11": "x"}


# Stems --------------------------------------------------------------------------------------------


def stems_of(*names: str, pinned=None) -> list[str]:
    found = stems({name: tuple(name.split(".")) for name in names}, pinned or {})
    assert list(found) == list(names)
    return list(found.values())


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["main.sales.orders"], ["orders"]),
        (["main.Sales-2024.Order Lines"], ["order_lines"]),
        (["a.orders", "b.orders", "b.lines"], ["a_orders", "b_orders", "lines"]),
        (["x.a.orders", "x.b.orders"], ["a_orders", "b_orders"]),
        (["x.a.orders", "y.a.orders"], ["x_a_orders", "y_a_orders"]),
        (["orders", "a.orders"], ["orders", "a_orders"]),
        (["orders", "Orders"], ["orders_f7c8", "orders_f7c8"]),
        (["24"], ["table_24"]),
        (["日本"], ["table"]),
        (["x." + "t" * 100], ["t" * 63]),
    ],
)
def test_the_stem_of_a_module(names, expected):
    found = stems_of(*names)
    assert len(set(found)) == len(found)
    assert [re.sub("_[0-9a-f]{4}$", "_f7c8", stem) for stem in found] == expected


@pytest.mark.parametrize(
    ("names", "pinned", "expected"),
    [
        (["a.x", "b.orders"], {"a.x": "orders"}, ["orders", "b_orders"]),
        (["a.x", "b.orders", "c.orders"], {"a.x": "b_orders"}, ["b_orders", None, "c_orders"]),
        (["a.orders", "b.orders"], {"a.orders": "mine"}, ["mine", "orders"]),
    ],
)
def test_a_pinned_stem_stays_and_another_table_gives_way(names, pinned, expected):
    found = stems_of(*names, pinned=pinned)
    assert len(set(found)) == len(found)
    assert all(want in (stem, None) for stem, want in zip(found, expected, strict=True))


@given(
    st.dictionaries(
        st.text(max_size=3),
        st.lists(
            st.sampled_from(["orders", "Orders", "sales", "a_orders", "日"]), min_size=1, max_size=3
        ),
        max_size=12,
    ),
    st.integers(),
)
@settings(deadline=None)
def test_stems_are_legal_unique_and_of_no_order(tables, seed):
    found = stems(tables, {})
    assert all(re.fullmatch("[a-z][a-z0-9_]{0,79}", stem) for stem in found.values())
    assert len(set(found.values())) == len(found)
    items = list(tables.items())
    Random(seed).shuffle(items)
    assert stems(dict(items), {}) == found


def test_a_thousand_tables_of_one_name_have_a_thousand_modules():
    """Of so many some share four digits of their hash."""
    found = stems({f"suite\nfolder{n}/suite.json": ("suite",) for n in range(1000)}, {})
    assert len(set(found.values())) == 1000


def test_the_table_as_stated_is_part_of_the_id():
    ids = {id_of(table=Table(name)) for name in ("orders", "Orders", "a.orders")}
    assert len(ids) == 3
