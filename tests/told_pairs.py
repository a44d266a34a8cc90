"""Conditions over a small table, the later ones made from the earlier: for what relates as what."""

from collections.abc import Callable, Iterator
from random import Random

# Column -> its type, and its values as literals of Databricks SQL.
COLUMNS = {
    "i": ("INT", ["NULL", "-1", "0", "1", "2", "3", "5"]),
    "d": ("DOUBLE", ["NULL", "-1", "0", "0.5", "1", "1.5", "2", "3", "'NaN'", "'Infinity'"]),
    "m": ("DECIMAL(10, 1)", ["NULL", "0", "0.5", "1", "1.5", "2", "3"]),
    "s": ("STRING", ["NULL", "''", "'a'", "'A'", "'b'", "'ab'"]),
    "t": ("DATE", ["NULL", "'2024-01-01'", "'2024-01-02'", "'2024-02-01'", "'2025-01-01'"]),
    "f": ("BOOLEAN", ["NULL", "TRUE", "FALSE"]),
}
WHOLE, ROOMY = {"i"}, {"d", "m"}

_NUMBERS = ["0", "1", "2", "3", "0.5", "1.5", "1.0", "2.50", "-1", "1e0", "15e-1", "- 0.5"]
_TEXTS = ["''", "'a'", "'A'", "'b'", "'ab'", "'c'"]
_DAYS = ["DATE'2024-01-01'", "CAST('2024-01-02' AS DATE)", "DATE'2024-01-15'", "DATE'2025-01-01'",
         "'2024-01-02'", "'2024-02-01'"]  # fmt: skip
_WORDS = {"i": _NUMBERS, "d": _NUMBERS, "m": _NUMBERS, "s": _TEXTS, "t": _DAYS}
_SIGNS = ["<", "<=", ">", ">=", "=", "<>", "=="]
_SUBJECTS = {
    "i": ["i", "I", "`i`", "CAST(i AS BIGINT)", "coalesce(i, 1)", "i"],
    "d": ["d", "d", "D"],
    "m": ["m", "m", "CAST(m AS DOUBLE)"],
    "s": ["s", "S", "s"],
    "t": ["t", "t"],
}


def condition(random: Random, depth: int = 2) -> str:
    if depth and random.random() < 0.75:
        return _joined(random, depth)
    return _leaf(random)


def _joined(random: Random, depth: int) -> str:
    parts = [condition(random, depth - 1) for _ in range(random.choice([2, 2, 2, 3]))]
    a, b = parts[:2]
    return random.choice(
        [
            " AND ".join(f"({p})" for p in parts),
            " OR ".join(f"({p})" for p in parts),
            " OR ".join(f"({p})" for p in parts),
            f"NOT ({a})",
            f"coalesce({a}, TRUE)",
            f"coalesce({a}, FALSE)",
            f"coalesce({a}, {b})",
            f"({a}) IS TRUE",
            f"({a}) IS NOT FALSE",
            f"({a}) IS NOT TRUE",
            f"({a}) IS NULL",
            f"({a}) <=> TRUE",
            f"CASE WHEN {a} THEN {b} ELSE {parts[-1]} END",
            f"CASE WHEN {a} THEN {b} END",
            f"if({a}, TRUE, {b})",
        ]
    )


def _leaf(random: Random) -> str:
    column = random.choice("iiddmsstf")
    if column == "f":
        forms = [
            "f",
            "NOT f",
            "f = TRUE",
            "f IS NULL",
            "f IS NOT FALSE",
            "f <=> FALSE",
            "f <> TRUE",
        ]
        return random.choice(forms)
    return random.choice(_LEAVES)(random, column)


def _compared(random: Random, column: str) -> str:
    sides = [random.choice(_SUBJECTS[column]), random.choice(_WORDS[column])]
    if random.random() < 0.2:
        sides.reverse()
    return random.choice(_SIGNS).join(f" {side} " for side in sides)


def _listed(random: Random, column: str) -> str:
    words = random.choices(_WORDS[column], k=random.randint(1, 4))
    if random.random() < 0.1:
        words.append("NULL")
    word = random.choice(["IN", "NOT IN"])
    return f"{random.choice(_SUBJECTS[column])} {word} ({', '.join(words)})"


def _between(random: Random, column: str) -> str:
    low, high = random.choices(_WORDS[column], k=2)
    word = random.choice(["BETWEEN", "NOT BETWEEN"])
    return f"{random.choice(_SUBJECTS[column])} {word} {low} AND {high}"


def _presence(random: Random, column: str) -> str:
    asked = random.choice(_SUBJECTS[column])
    return random.choice([f"{asked} IS NULL", f"{asked} IS NOT NULL", f"isnull({asked})"])


def _special(random: Random, column: str) -> str:
    least = random.choice(["0", "1", "2", "1.5"])
    return random.choice(
        [
            "isnan(d)",
            "NOT isnan(d)",
            f"length(s) {random.choice(_SIGNS)} {least}",
            "s RLIKE 'a'",
            "s NOT RLIKE 'a'",
            "s LIKE 'a%'",
            f"i {random.choice(_SIGNS)} m",
            f"m {random.choice(_SIGNS)} d",
            "i <=> m",
            f"i <=> {least}",
            f"i + 1 {random.choice(_SIGNS)} {least}",
            f"try_cast(s AS INT) {random.choice(_SIGNS)} {least}",
        ]
    )


_LEAVES: list[Callable[[Random, str], str]] = [
    _compared, _compared, _compared, _listed, _between, _presence, _special,
]  # fmt: skip


def pairs(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Half of them two conditions of which one is the other with one place changed."""
    random = Random(seed)
    for _ in range(count):
        one = condition(random, random.choice([0, 1, 1, 2, 2]))
        yield one, (_near(random, one) if random.random() < 0.7 else condition(random, 1))


def _near(random: Random, one: str) -> str:
    more = condition(random, 0)
    changes = [
        f"({one}) AND ({more})",
        f"({one}) OR ({more})",
        f"NOT (NOT ({one}))",
        f"({one}) IS TRUE",
        f"coalesce({one}, {random.choice(['TRUE', 'FALSE'])})",
        f"({one}) AND (({one}) OR ({more}))",
    ]
    for sign, *others in (("<=", "<", ">="), (">=", ">"), (" 1 ", " 2 ", " 0.5 "), ("'a'", "'b'"),
                          ("AND", "OR"), ("OR", "AND"), ("NOT ", ""), ("IN (", "NOT IN ("),
                          ("TRUE", "FALSE"), ("2024-01-02", "2024-02-01"), (", 2", "")):  # fmt: skip
        if sign in one:
            changes += [one.replace(sign, other, 1) for other in others] * 2
    return random.choice(changes)
