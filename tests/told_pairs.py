"""Pairs of conditions over a small table, most of them near each other: what relates as what."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random


@dataclass(frozen=True)
class Table:
    """`columns`: name -> type, and values as literals of Databricks SQL.

    `words`: the literals that a column is compared with; `forms`: how it stands there, if not by
    its name alone; `special`: conditions, in which # is a sign and @ a small number.
    """

    columns: Mapping[str, tuple[str, Sequence[str]]]
    words: Mapping[str, Sequence[str]]
    forms: Mapping[str, Sequence[str]]
    special: Sequence[str]


_NUMBERS = ["0", "1", "2", "3", "0.5", "1.5", "1.0", "2.50", "-1", "1e0", "15e-1", "- 0.5"]
# Of no hostile type: DuckDB says the same of it as Spark.
PLAIN = Table(
    {
        "i": ("INT", ["NULL", "-1", "0", "1", "2", "3", "5"]),
        "d": ("DOUBLE", ["NULL", "-1", "0", "0.5", "1", "1.5", "2", "3", "'NaN'", "'Infinity'"]),
        "m": ("DECIMAL(10, 1)", ["NULL", "0", "0.5", "1", "1.5", "2", "3"]),
        "s": ("STRING", ["NULL", "''", "'a'", "'A'", "'b'", "'ab'"]),
        "t": ("DATE", ["NULL", "'2024-01-01'", "'2024-01-02'", "'2024-02-01'", "'2025-01-01'"]),
        "f": ("BOOLEAN", ["NULL", "TRUE", "FALSE"]),
    },
    {
        **dict.fromkeys("idm", _NUMBERS),
        "s": ["''", "'a'", "'A'", "'b'", "'ab'", "'c'"],
        "t": [
            "DATE'2024-01-01'", "CAST('2024-01-02' AS DATE)", "DATE'2024-01-15'", "'2024-01-02'",
            "DATE'2025-01-01'", "'2024-02-01'",
        ],
    },
    {
        "i": ["i", "I", "`i`", "CAST(i AS BIGINT)", "coalesce(i, 1)", "i"],
        "m": ["m", "m", "CAST(m AS DOUBLE)"],
    },
    [
        "f", "NOT f", "f = TRUE", "f IS NULL", "f IS NOT FALSE", "f <=> FALSE", "f <> TRUE",
        "isnan(d)", "NOT isnan(d)", "length(s) # @", "s RLIKE 'a'", "s NOT RLIKE 'a'",
        "s LIKE 'a%'", "i # m", "m # d", "i <=> m", "i <=> @", "i + 1 # @",
        "try_cast(s AS INT) # @",
    ],
)  # fmt: skip
WHOLE, ROOMY = {"i"}, {"d", "m"}

_SPELLINGS = ["'F'", "'f'", "'F '", "'ae'", "'æ'", "'AE'", "'e'", "'é'", "'ss'", "'ß'", "'a-e'",
              "''"]  # fmt: skip
# Columns that make other values of literals: which must be read as if their type were not known.
HOSTILE = Table(
    {
        "k": ("DECIMAL(38, 0)", ["NULL", "-1", "0", "1", "2", "9007199254740993"]),
        "q": ("DECIMAL(38, 1)", ["NULL", "0", "0.1", "0.2", "0.5", "1", "1.5"]),
        "d": ("DOUBLE", ["NULL", "0", "0.1", "0.5", "1", "1.5", "9007199254740992", "'NaN'"]),
        "g": ("FLOAT", ["NULL", "0", "0.1", "0.5", "1", "16777216", "'NaN'"]),
        "c": ("STRING COLLATE UTF8_LCASE", ["NULL", "'F'", "'f'", "'ae'", "'é'", "''"]),
        "u": (
            "STRING COLLATE UNICODE_CI_AI",
            ["NULL", "'F'", "'ae'", "'æ'", "'e'", "'é'", "'ss'", "'a-e'"],
        ),
        "r": ("STRING COLLATE UTF8_BINARY_RTRIM", ["NULL", "'F'", "'F '", "'f'", "''", "' '"]),
        "n": ("INT", ["NULL", "0", "1", "2", "2024"]),
        "t": ("DATE", ["NULL", "'2024-01-01'", "'2024-01-02'", "'2024-02-01'"]),
        "z": ("TIMESTAMP", ["NULL", "'2024-01-01'", "'2024-01-01 10:00:00'", "'2024-01-02'"]),
        "f": ("BOOLEAN", ["NULL", "TRUE", "FALSE"]),
    },
    {
        "k": ["0", "1", "0.5", "0.4", "1.5", "2", "9007199254740992", "9007199254740993", "1e0"],
        "q": ["0", "0.1", "0.15", "0.14", "0.2", "0.05", "1", "0.5", "1e0", "1e-1"],
        "d": ["0", "0.1", "0.10000000000000001", "9007199254740993", "9007199254740992", "1",
              "0.5", "1e-1", "1.5D"],
        "g": ["0", "0.1", "0.10000000000000001", "16777217", "16777216", "1", "0.5", "1e0"],
        **dict.fromkeys("cru", _SPELLINGS),
        "n": ["'1'", "'01'", "' 1'", "'2'", "1", "1.0", "2", "0.5", "'2024'", "1e0"],
        "t": ["'2024-01-01'", "'2024-1-1'", "'2024'", "'2024-01-02'", "DATE'2024-01-01'",
              "TIMESTAMP'2024-01-01 10:00:00'", "'2024-02-01'"],
        "z": ["'2024-01-01'", "'2024-01-01 10:00:00'", "'2024-01-01 10:00'", "DATE'2024-01-01'",
              "TIMESTAMP'2024-01-01 10:00:00'", "TIMESTAMP'2024-01-01'", "'2024-01-02'"],
        "f": ["'true'", "'t'", "'yes'", "'1'", "'false'", "'n'", "TRUE", "FALSE"],
    },
    {},
    [
        "f", "NOT f", "isnan(d)", "isnan(g)", "isnan(n)", "length(c) # @", "length(r) # @",
        "c RLIKE 'f'", "k # q", "q # d", "d # g", "t # z", "k <=> d", "c # 'F'",
        "upper(c) = 'F'", "CAST(k AS DOUBLE) # @", "try_cast(r AS INT) # @", "k % 2 = @",
    ],
)  # fmt: skip

_SIGNS = ["<", "<=", ">", ">=", "=", "<>", "=="]
_CHANGES = [
    ("<=", "<", ">="), (">=", ">"), (" 1 ", " 2 ", " 0.5 "), ("'a'", "'b'"), ("'F'", "'f'"),
    ("AND", "OR"), ("OR", "AND"), ("NOT ", ""), ("IN (", "NOT IN ("), ("TRUE", "FALSE"),
    ("2024-01-02", "2024-02-01"), ("0.5", "1"), ("0.1 ", "0.15 "),
]  # fmt: skip


def pairs(seed: int, count: int, table: Table = PLAIN) -> Iterator[tuple[str, str]]:
    maker = _Maker(table, Random(seed))
    for _ in range(count):
        kind = maker.random.random()
        if kind < 0.3:
            column = maker.random.choice(list(table.words))
            yield maker.about(column), maker.about(column)
            continue
        one = maker.condition(maker.random.choice([0, 1, 1, 2, 2]))
        yield one, (maker.near(one) if kind < 0.8 else maker.condition(1))


def crossed(table: Table) -> Iterator[tuple[str, str]]:
    """Each two literals of a column: whether it can be the one and not the other, and so on."""
    for column, words in table.words.items():
        for one, other in permutations(words, 2):
            yield f"{column} = {one}", f"{column} <> {other}"
            yield f"{column} > {one}", f"{column} >= {other}"


@dataclass(frozen=True)
class _Maker:
    table: Table
    random: Random

    def condition(self, depth: int) -> str:
        if not depth or self.random.random() < 0.25:
            return self._leaf()
        parts = [self.condition(depth - 1) for _ in range(self.random.choice([2, 2, 2, 3]))]
        a, b = parts[:2]
        return self.random.choice(
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

    def near(self, one: str) -> str:
        """The same with one place changed, or another condition added."""
        more = self.condition(0)
        changes = [
            f"({one}) AND ({more})",
            f"({one}) OR ({more})",
            f"NOT (NOT ({one}))",
            f"({one}) IS TRUE",
            f"coalesce({one}, {self.random.choice(['TRUE', 'FALSE'])})",
            f"({one}) AND (({one}) OR ({more}))",
        ]
        for sign, *others in _CHANGES:
            if sign in one:
                changes += [one.replace(sign, other, 1) for other in others] * 2
        return self.random.choice(changes)

    def _leaf(self) -> str:
        if self.random.random() < 0.25:
            found = self.random.choice(self.table.special)
            return found.replace("#", self._sign()).replace("@", self._any(["0", "1", "2", "1.5"]))
        return self.about(self._any(list(self.table.words)))

    def about(self, column: str) -> str:
        """One test of a column."""
        form, words = self._any(self.table.forms.get(column, [column])), self.table.words[column]
        kind = self.random.random()
        if kind < 0.5:
            sides = [form, self._any(words)]
            return f" {self._sign()} ".join(sides if self.random.random() < 0.8 else sides[::-1])
        if kind < 0.75:
            listed = self.random.choices(words, k=self.random.randint(1, 4))
            listed += ["NULL"] * (self.random.random() < 0.1)
            return f"{form} {self._any(['IN', 'NOT IN'])} ({', '.join(listed)})"
        if kind < 0.9:
            low, high = self.random.choices(words, k=2)
            return f"{form} {self._any(['BETWEEN', 'NOT BETWEEN'])} {low} AND {high}"
        return self._any([f"{form} IS NULL", f"{form} IS NOT NULL", f"isnull({form})"])

    def _sign(self) -> str:
        return self._any(_SIGNS)

    def _any(self, values: Sequence[str]) -> str:
        return self.random.choice(values)
