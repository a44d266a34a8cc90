"""Hand-made comparisons that the tests of the drift reports share."""

from dataclasses import replace

from ruleferry.converters.drifted import (
    CHANGES,
    LEVELS,
    SIDES,
    Accepted,
    At,
    Difference,
    Drift,
    Said,
)

BOOK = "dictionary.xlsx"
MODULE = "expectations/orders_expectations.py"
CUSTOMERS = "expectations/customers_expectations.py"
CONVERT = "Run `ruleferry drift --write`, and commit what it writes."

STATUS = Difference(
    change="loosened",
    side="source",
    level="loosened",
    rule="o_orderstatus_allowed",
    table="orders",
    detail="The list has one value more than the module.",
    todo=CONVERT,
    id="d33912aa01ff",
    columns=("o_orderstatus",),
    title="Order status is one of F, O, P",
    source=At(BOOK, "Fields!F12"),
    module=At(MODULE, "line 88", 88),
    source_says=Said("o_orderstatus IS NULL OR o_orderstatus IN ('F', 'O', 'P', 'X')", "drop"),
    module_says=Said("o_orderstatus IS NULL OR o_orderstatus IN ('F', 'O', 'P')", "drop"),
    last_said=Said("o_orderstatus IS NULL OR o_orderstatus IN ('F', 'O', 'P')", "drop"),
)
PRICE = Difference(
    change="changed",
    side="both",
    level="changed",
    rule="o_totalprice_range",
    table="orders",
    detail="The source says 0 to 500,000 and the module 1 to 400,000.",
    todo="Decide which holds: mark the entry with `# manual: reason`, or write the module anew.",
    id="e78905aa01ff",
    columns=("o_totalprice",),
    title="Price of the whole order",
    source=At(BOOK, "Fields!L7"),
    module=At(MODULE, "line 93", 93),
    source_says=Said("o_totalprice IS NULL OR o_totalprice BETWEEN 0 AND 500000", "drop"),
    module_says=Said("o_totalprice IS NULL OR o_totalprice BETWEEN 1 AND 400000", "warn"),
    last_said=Said("o_totalprice IS NULL OR o_totalprice BETWEEN 0 AND 400000", "drop"),
)
GONE = Difference(
    change="removed",
    side="hand",
    level="removed",
    rule="ord_05",
    table="orders",
    detail="The rule is not in the module any more.",
    todo=CONVERT,
    id="d87d05aa01ff",
    columns=("o_orderpriority",),
    source=At("checks/nightly.sql", "line 18", 18),
    source_says=Said("o_orderpriority RLIKE '^(?:[1-5]-[A-Z ]+)\\\\z'", "drop"),
    last_said=Said("o_orderpriority RLIKE '^(?:[1-5]-[A-Z ]+)\\\\z'", "drop"),
)
NEW = Difference(
    change="added",
    side="source",
    level="any",
    rule="c_phone_length",
    table="customers",
    detail="The source states a rule that the module has not.",
    todo=CONVERT,
    id="0a1b2c3d4e5f",
    source=At(BOOK, "Customers!H4"),
    source_says=Said("c_phone IS NULL OR length(c_phone) <= 15", "warn"),
)
OUTSIDE = Difference(
    change="edited_outside",
    side="hand",
    level="changed",
    rule="",
    table="orders",
    detail="The module was edited below the block of its rules.",
    todo="Undo it with git, or write the module anew with `ruleferry convert --force`.",
    module=At(MODULE, "line 140", 140),
)
GAP = Difference(
    change="gap_opened",
    side="source",
    level="removed",
    rule="o_clerk_pattern",
    table="orders",
    detail="The cell says “as agreed with the depots”, which is no rule that can be carried over.",
    todo="Answer the question of this rule in the gap report.",
    id="5f5f5f5f5f5f",
    title="Clerk's number",
    source=At(BOOK, "Fields!M9"),
    module=At(MODULE, "line 97", 97),
    source_says=Said(None, None, "a gap: the text could not be understood"),
    module_says=Said("o_clerk IS NULL OR o_clerk RLIKE '^Clerk#[0-9]{9}$'", "warn"),
)
TOOL = replace(
    STATUS,
    change="tightened",
    side="tool",
    level="changed",
    rule="o_comment_length",
    title="",
    id="777777777777",
    detail="This version writes another condition for the same text.",
    source=At("suites/orders.json", "expectations[5]"),
    source_says=Said("coalesce(char_length(o_comment) <= 79, TRUE)", "warn"),
    module_says=Said("o_comment IS NULL OR length(o_comment) <= 80", "warn"),
)
BY_MARK = Accepted(
    how="manual",
    rule="o_shippriority_range",
    table="orders",
    reason="the depots ship with priority 9 since May",
    id="abcabcabcabc",
    source=At(BOOK, "Fields!L9"),
    module=At(MODULE, "line 101", 101),
    source_says=Said("o_shippriority BETWEEN 0 AND 5", "warn"),
    module_says=Said("o_shippriority BETWEEN 0 AND 9", "warn"),
)
BY_DECISION = Accepted(
    how="decision",
    rule="c_acctbal_range",
    table="customers",
    reason="Ann Lee, 2026-11-30: not before the new year",
    source=At(BOOK, "Customers!L3"),
)
SEVERAL = (STATUS, PRICE, GONE, NEW, OUTSIDE, GAP, TOOL)


def drift_of(*differences: Difference, **fields) -> Drift:
    made = Drift(differences, (), {MODULE: 31, CUSTOMERS: 12}, 61)
    return replace(made, **fields)


def in_sync() -> Drift:
    return drift_of()


def several() -> Drift:
    return drift_of(*SEVERAL, accepted=(BY_MARK, BY_DECISION), notices=("A note.",))


def many(number: int) -> Drift:
    made = [
        replace(
            STATUS,
            change=CHANGES[n % len(CHANGES)],
            side=SIDES[n % len(SIDES)],
            level=LEVELS[n % len(LEVELS)],
            rule=f"rule_{n}",
            id=f"{n:012x}",
            module=At(MODULE, f"line {n + 1}", n + 1),
        )
        for n in range(number)
    ]
    return drift_of(*made, rules={MODULE: number + 5}, sources=number + 9)


def every_kind() -> list[Difference]:
    """Every change, side and level, and each part that may be absent absent once."""
    optional = ("id", "source", "module", "source_says", "module_says", "last_said")
    kinds = [
        replace(PRICE, change=c, side=s, level=v) for c in CHANGES for s in SIDES for v in LEVELS
    ]
    bare = [replace(PRICE, **{part: None}) for part in optional]
    none = replace(PRICE, **dict.fromkeys(optional), columns=(), title="", rule="", table="")
    return [*kinds, *bare, none]
