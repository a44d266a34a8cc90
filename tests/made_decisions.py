"""Decisions made by hand about entries of a plan."""

from datetime import date

from ruleferry.converters.account import Entry
from ruleferry.converters.decided import HASH_DIGITS, Decision, RuleDecided, Stated, Verdict

DAY = date(2026, 11, 30)
ANN = "Ann Smith on 2026-11-30"


def named(entry: Entry, **fields) -> RuleDecided:
    """The rule as a decision keeps it; `fields` replace what is different."""
    told = {
        "id": entry.id,
        "text": entry.text_sha256[:HASH_DIGITS],
        "rule": f"{entry.table}.{entry.name}",
        "table": entry.table,
        "kind": entry.kind,
        "columns": entry.columns,
    }
    return RuleDecided(**(told | fields))


def decided(verdict: Verdict | str, *entries: Entry, by="Ann Smith", on=DAY, **fields) -> Decision:
    """A text alone is a condition."""
    found = Stated(verdict) if isinstance(verdict, str) else verdict
    rules = fields.pop("rules", tuple(named(entry) for entry in entries))
    return Decision(found, by=by, on=on, rules=rules, **fields)
