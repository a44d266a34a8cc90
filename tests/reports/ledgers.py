"""Hand-made ledgers that the tests of the reports share."""

from dataclasses import replace
from hashlib import sha256
from itertools import groupby

from ruleferry.converters.account import (
    Because,
    Entry,
    Flag,
    Gap,
    Ledger,
    Output,
    Proposal,
    Question,
    Source,
    Validation,
)
from ruleferry.converters.rule import Caveat, Origin

SUITE = "suites/orders.json"
OTHER = "suites/customers.json"
RESULT = "validations/orders_2023.json"
ORDERS = "main.sales.orders"
CUSTOMERS = "customers"

UNDECIDED = Because("default", "nothing states an action: warn until somebody decides")


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def entry(name: str, place: str = "expectations[0]", **fields) -> Entry:
    """A record rule of the orders suite; `fields` replace what is different."""
    table = fields.get("table", ORDERS)
    text = fields.pop("text", f'{{"type": "expect_{name}"}}')
    made = Entry(
        id=digest(f"{table}.{name}.{place}")[:12],
        atom=place,
        name=name,
        title="",
        kind="present",
        table=ORDERS,
        columns=("o_orderkey",),
        outcome="record",
        origin=Origin(fields.pop("file", SUITE), place, text, "great_expectations", "spark"),
        text_sha256=digest(text),
        nulls="pass",
        dataset="orders_clean",
        condition="o_orderkey IS NOT NULL",
        action="warn",
        because=UNDECIDED,
        grade="exact",
    )
    return replace(made, **fields)


def left(name: str, place: str, code: str, reason: str, **fields) -> Entry:
    """A gap."""
    return bare(name, place, outcome="gap", gap=Gap(code, reason), **fields)


def bare(name: str, place: str, **fields) -> Entry:
    """An entry that carries nothing over."""
    nothing = dict.fromkeys(("dataset", "condition", "action", "because", "grade"))
    return entry(name, place, **nothing | fields)


def books(entries: list[Entry], extra: tuple[Source, ...] = ()) -> tuple[Source, ...]:
    """The sources that these entries come from, with books that balance."""
    sources = []
    for file, group in groupby(
        sorted(entries, key=lambda e: e.origin.file), lambda e: e.origin.file
    ):
        rows = list(group)
        words = [row.outcome for row in rows]
        counts = {word: words.count(word) for word in sorted(set(words))}
        atoms = len({row.atom for row in rows})
        read_as = "great_expectations suite"
        sources.append(Source(file, read_as, digest(file), atoms, len(rows), counts))
    return tuple(sorted((*sources, *extra), key=lambda s: s.file))


def ledger_of(entries: list[Entry], *questions: Question, extra: tuple[Source, ...] = ()) -> Ledger:
    return Ledger("ruleferry 0.1.0", books(entries, extra), questions, tuple(entries))


def orders_ledger() -> Ledger:
    """Two tables, every outcome, four questions, a used file and one that was not read."""
    entries = [*_carried(), *_left()]
    by_name = {e.name: e for e in entries}
    questions = (
        Question(
            "q-action",
            "action_undecided",
            tuple(e.id for e in entries if e.because == UNDECIDED),
            "What should happen to a record that breaks these rules?",
            (
                Proposal("warn", "the record stays; Lakeflow counts it"),
                Proposal("drop", "the record goes to the quarantine table"),
                Proposal("fail", "the update stops; nothing is written"),
            ),
            "The rules warn.",
        ),
        Question(
            "q-regex",
            "regex",
            (by_name["o_comment_pattern"].id,),
            "Spark's patterns have no conditional groups. What should the comment look like?",
            (Proposal("a pattern without (?(1)…)", "it becomes a rule on the record"),),
            "Nothing checks it.",
        ),
        Question(
            "q-table",
            "table_not_stated",
            (by_name["c_email_pattern"].id, by_name["c_custkey_unique"].id),
            "Which table does the suite customers check?",
            (Proposal("give it: --table suites/customers.json=catalog.schema.table", "…"),),
            "The module reads a table named customers.",
        ),
    )
    extra = (
        Source("checkpoints/daily.yml", "used", digest("y"), 0, 0, {}, "checkpoint"),
        Source("suites/notes.txt", "not read", digest("n"), 0, 0, {}, "no reader knows this file"),
    )
    outputs = (
        Output("customers_expectations.py", digest("c"), digest("cb")),
        Output("gap_report.md", digest("g")),
        Output("orders_expectations.py", digest("o"), digest("ob")),
    )
    made = ledger_of(entries, *questions, extra=extra)
    return replace(made, outputs=outputs)


def _carried() -> list[Entry]:
    key = entry(
        "o_orderkey_present",
        "expectations[0]",
        title="Every order has a key",
        action="fail",
        because=Because("config", "[actions.rules] orders.o_orderkey_present"),
        nulls="fail",
    )
    price = entry(
        "o_totalprice_range",
        "expectations[1]",
        kind="range",
        columns=("o_totalprice",),
        condition="o_totalprice IS NULL OR o_totalprice > 0",
        action="drop",
        because=Because("decision", "A. Steward, 2026-05-04: negative prices are refunds"),
        tags=(("owner", "sales"), ("severity", "critical")),
    )
    status = entry(
        "o_orderstatus_allowed",
        "expectations[2]",
        title="Status is F, O or P",
        kind="allowed",
        columns=("o_orderstatus",),
        condition="o_orderstatus IS NULL OR o_orderstatus IN ('F', 'O', 'P')",
        grade="differs",
        caveats=(
            Caveat(
                "compared_as_double", "The old check compared rounded numbers; this one is exact."
            ),
        ),
    )
    email = entry(
        "c_email_pattern",
        "expectations[0]",
        file=OTHER,
        table=CUSTOMERS,
        title="E-mail looks like one",
        kind="pattern",
        columns=("c_email",),
        dataset="customers_clean",
        condition="c_email IS NULL OR CAST(c_email AS STRING) RLIKE '^(a|b)@x\\\\.org$'",
        grade="assumed",
        caveats=(
            Caveat("type_unknown", "The type of c_email is not known: read as text."),
            Caveat("table_not_stated", "Nothing states the table; the suite's name stands for it."),
        ),
    )
    unique = entry(
        "c_custkey_unique",
        "expectations[1]",
        file=OTHER,
        table=CUSTOMERS,
        kind="unique",
        columns=("c_custkey",),
        dataset="customers_clean",
        outcome="flag",
        condition="c_custkey_copies <= 1",
        flag=Flag("c_custkey_copies", "count(*) OVER (PARTITION BY c_custkey)"),
    )
    share = entry(
        "o_comment_share",
        "expectations[3]",
        kind="share",
        columns=("o_comment",),
        outcome="dataset",
        dataset="orders_figures",
        condition=None,
        validation=Validation(
            "orders_figures", "SELECT count(*) AS n FROM orders", "coalesce(n >= 0.95D, TRUE)"
        ),
    )
    columns = entry(
        "columns",
        "expectations[4]",
        kind="columns",
        outcome="schema",
        dataset=None,
        condition=None,
        action=None,
        because=None,
        nulls="none",
    )
    return [key, price, status, email, unique, share, columns]


def _left() -> list[Entry]:
    kept = entry("o_orderkey_present", "expectations[0]")
    return [
        left(
            "o_comment_pattern",
            "expectations[5]",
            "regex",
            "The pattern uses a conditional group, which Spark's regular expressions lack.",
            kind="pattern",
            columns=("o_comment",),
            text='{"regex": "^(a)?(?(1)b|c)$"}',
        ),
        bare(
            "o_orderkey_present",
            "results[0]",
            file=RESULT,
            outcome="merged",
            merged_into=kept.id,
            nulls="fail",
        ),
        bare(
            "rule_heading", "results[1]", file=RESULT, outcome="not_a_rule", reason="an older run"
        ),
        bare(
            "o_clerk_present",
            "expectations[6]",
            columns=("o_clerk",),
            outcome="waived",
            waived="A. Steward: clerks are no longer recorded",
        ),
    ]


def large_ledger(rules: int) -> Ledger:
    """One suite on ten tables; each rule is undecided and assumed."""
    entries = [
        entry(
            f"c{n}_range",
            f"expectations[{n}]",
            table=f"main.sales.table_{n % 10}",
            title=f"Column {n} stays in its bounds",
            kind="range",
            columns=(f"c{n}",),
            condition=f"c{n} IS NULL OR coalesce(try_cast(c{n} AS DOUBLE) >= {n}, FALSE)",
            grade="assumed",
            caveats=(Caveat("type_unknown", f"The type of c{n} is not known: read as a number."),),
        )
        for n in range(rules)
    ]
    ask = Question(
        "q-action",
        "action_undecided",
        tuple(e.id for e in entries),
        "What should happen to a record that breaks these rules?",
        (Proposal("warn", "the record stays"), Proposal("drop", "the record is quarantined")),
        "The rules warn.",
    )
    return ledger_of(entries, ask)
