"""Legacy rules made by hand, for tests that need no reader."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ruleferry.converters.column_types import ColumnType
from ruleferry.converters.config import Config
from ruleferry.converters.decided import Decision, Decisions
from ruleferry.converters.express import Types
from ruleferry.converters.plan import Plan, plan
from ruleferry.converters.predicates import Absent, OneOf, Predicate, Present, Range, SqlText
from ruleferry.converters.rule import LegacyRule, Origin, Reading, Row, Table

_KINDS = {
    Present: "present",
    Absent: "absent",
    Range: "range",
    OneOf: "allowed",
    SqlText: "predicate",
}


def rule(predicate: Predicate, **fields) -> LegacyRule:
    """A rule on the records of main.sales.orders; `fields` replace what is different.

    `file`, `place`, `text`, `tool` and `engine` are its origin's; `table` may be a name alone.
    """
    place = fields.pop("place", "expectations[0]")
    origin = Origin(
        file=fields.pop("file", "suites/orders.json"),
        place=place,
        text=fields.pop("text", repr(predicate)),
        tool=fields.pop("tool", "great_expectations"),
        engine=fields.pop("engine", "spark"),
    )
    table = fields.pop("table", "main.sales.orders")
    column = getattr(predicate, "column", None)
    made = LegacyRule(
        origin=origin,
        atom=place,
        kind=_KINDS[type(predicate)],
        check=Row(predicate),
        table=Table(table) if isinstance(table, str) else table,
        columns=(column,) if column else (),
    )
    return replace(made, **fields)


def readings(*rules: LegacyRule) -> list[Reading]:
    """The rules in the readings of their files, sorted by file as `read_sources` has them."""
    files = sorted({r.origin.file for r in rules})
    return [reading(file, *(r for r in rules if r.origin.file == file)) for file in files]


def reading(file: str, *rules: LegacyRule) -> Reading:
    atoms = len({r.atom for r in rules})
    return Reading(file, "great_expectations suite", "0" * 64, atoms, tuple(rules))


class Typed:
    """`types_of` for tests: every column of every table is what `types` says."""

    def __init__(self, types: Mapping[str, ColumnType] | None = None) -> None:
        self.types = types
        self.asked: list[str] = []

    def __call__(self, reading: Reading, table: str) -> Types:
        self.asked.append(table)
        return Types(self.types)


def planned(
    *rules: LegacyRule, types_of=None, names=None, decisions: Sequence[Decision] = (), **config
) -> Plan:
    """The plan of some rules; `config` are fields of the configuration."""
    here = Path()
    told = Config(here, here, **config)
    made = Decisions(decisions=tuple(decisions))
    return plan(readings(*rules), types_of or Typed(), told, names or {}, made)
