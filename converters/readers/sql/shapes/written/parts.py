"""What all statements that write give back."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.dialects.parse import Unreadable
from ruleferry.converters.readers.sql.found import Checked, Effect, Found, Label, Setting
from ruleferry.converters.readers.sql.shapes.placeholders import table_name
from ruleferry.converters.rule import NotARule, Repeat, Unread


def name_of(table: exp.Table, setting: Setting) -> str:
    """As the text names it; a temporary table of SQL Server with its #."""
    name = table_name(table, setting.macros)
    return f"#{name}" if table.this.args.get("temporary") else name


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement stands, and what holds there."""

    start: int
    end: int
    setting: Setting

    def found(
        self,
        checked: Checked,
        effect: Effect,
        *,
        part: str = "",
        labels: tuple[Label, ...] = (),
        tags: tuple[tuple[str, str], ...] = (),
    ) -> Found:
        return Found(checked, self.start, self.end, part, labels, effect, tags)

    def nothing(self, reason: str, effect: Effect, table: str | None = None) -> tuple[Found, ...]:
        return (self.found(no_rule_checked(reason, table), effect),)

    def unread(
        self, code: str, reason: str, effect: Effect, table: str | None = None
    ) -> tuple[Found, ...]:
        return (self.found(unread_checked(code, reason, table), effect),)


def is_rule(found: Found) -> bool:
    return not isinstance(found.checked.check, NotARule | Repeat | Unread)


def no_rule_checked(reason: str, table: str | None = None) -> Checked:
    return Checked(NotARule(reason), "predicate", table)


def unread_checked(code: str, reason: str, table: str | None = None) -> Checked:
    return Checked(Unread(code, reason), "predicate", table)


def unreadable(fault: Unreadable, table: str | None = None) -> Checked:
    return unread_checked(fault.code, fault.reason, table)


def own_with(select: exp.Expression, outer: exp.Expression) -> exp.Expression:
    """A copy of the query with the CTEs that stand before the statement around it."""
    made = select.copy()
    outside = outer.args.get("with_")
    if outside is None:
        return made
    inside = made.args.get("with_")
    ctes = [*outside.expressions, *(inside.expressions if inside else [])]
    made.set("with_", exp.With(expressions=[cte.copy() for cte in ctes]))
    return made
