"""The words of the ledger, as the reports say them to a person who never opens Python."""

from collections.abc import Mapping
from typing import get_args

from ruleferry.converters.account import AnsweredState, Entry, Takes
from ruleferry.converters.rule import Action, Decider, Grade, Nulls, Outcome

OUTCOMES: Mapping[Outcome, str] = {
    "record": "checked on each record",
    "flag": "checked on each record, with the help of an added column",
    "dataset": "checked over many records, in a dataset of its own",
    "schema": "checked against the table's columns and types",
    "merged": "says the same as another rule, which stands for it",
    "gap": "left for a person",
    "not_a_rule": "read, and not a rule",
    "waived": "not carried over, as a person decided",
}
ACTIONS: Mapping[Action, str] = {
    "warn": "a bad record stays, and is counted",
    "drop": "a bad record goes to the quarantine table",
    "fail": "a bad record stops the update",
}
# Of a figure or the schema, which are no records.
ACTIONS_BESIDE: Mapping[Action, str] = {
    "warn": "it is counted where it does not hold",
    "drop": "it is counted where it does not hold",
    "fail": "where it does not hold, the update of its own dataset stops, and no other one",
}
GRADES: Mapping[Grade, str] = {
    "exact": "means the same as the old rule",
    "differs": "does not mean quite the same as the old rule",
    "assumed": "rests on something that could not be established",
}
NULLS: Mapping[Nulls, str] = {
    "pass": "passes",
    "fail": "fails",
    "none": "can't occur",
}
DECIDERS: Mapping[Decider, str] = {
    "decision": "a steward's decision",
    "config": "the configuration",
    "behaviour": "what the old check did",
    "word": "the source's own word",
    "default": "nobody yet",
}
# What a person may write as an answer that is none of those proposed.
TAKES: Mapping[Takes, str] = {
    "condition": "what must hold for a good record, in SQL: such as price > 0",
    "table": "the table's name on Databricks: such as main.sales.orders",
    "engine": "what ran the checks: pandas, spark or the name of the database",
    "dialect": "the database that the SQL was written for: such as oracle",
    "order_by": "the columns that put the records in order: such as loaded_at, id",
    "columns": "the old name, = and the new name, one pair a line: such as cust = customer_id",
    "tables": "the old name, = and the new name, one pair a line: such as cust = sales.customers",
    "meaning": "what the column says of a field: such as required",
    "legend": "what it says of a field: such as a value is required",
    "threshold": "what the thresholds count: such as of bad records, in percent",
}
CARRIED: tuple[Outcome, ...] = ("record", "flag", "dataset", "schema")
NO_COUNTS = "Lakeflow records no counts for"
FAIL_COUNTS = f"{NO_COUNTS} it"


def action_in_words(entry: Entry) -> str:
    """What becomes of a bad record, or of a figure that does not hold."""
    words = ACTIONS_BESIDE if entry.outcome in ("dataset", "schema") else ACTIONS
    return words[entry.action] if entry.action else ""


def outcomes_in_order(entries: Mapping[Outcome, int]) -> list[tuple[Outcome, int]]:
    """The outcomes that occurred, in the order of the design."""
    return [(word, entries[word]) for word in get_args(Outcome) if entries.get(word)]


def undecided(entry: Entry) -> bool:
    """Whether nobody decided the action: the rule warns only because something has to hold."""
    return entry.because is not None and entry.because.by == "default"


# The same in few words, where many rules stand below each other.
OUTCOMES_SHORT: Mapping[Outcome, str] = {
    "record": "on each record",
    "flag": "on each record, helped",
    "dataset": "over many records",
    "schema": "on the columns",
    "merged": "same as another",
    "gap": "left for a person",
    "not_a_rule": "no rule",
    "waived": "not carried over",
}
# Of an answer that was given and does not settle the question.
ANSWERED: Mapping[AnsweredState, str] = {
    "stale": "the rule's text has changed since",
    "disputed": "the answers differ",
    "refused": "this answer can't be used",
    "pending": "this is not done yet",
}
