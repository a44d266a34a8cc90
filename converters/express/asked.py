"""What a figure is asked for, and a figure within its bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.column_types import parse_type
from ruleferry.converters.express.computed import computed
from ruleferry.converters.express.dispatch import good
from ruleferry.converters.express.flags import Flagged
from ruleferry.converters.express.good import Good, Use
from ruleferry.converters.express.nodes import Node, both, nan
from ruleferry.converters.express.operand import FLOATING, CannotExpress, Operand, Types
from ruleferry.converters.express.tidy import tidy
from ruleferry.converters.predicates import Present, Range
from ruleferry.converters.rule import Caveat, Figure


@dataclass(frozen=True, slots=True)
class Asked:
    """`seen` filters the records, None for all of them."""

    rule: Figure
    use: Use
    seen: Node | None
    arguments: Mapping[str, object]

    @property
    def operand(self) -> Operand:
        return self.use.operand(self.rule.columns[0])

    def of(self, aggregate: Node, *tests: Node) -> Node:
        """The aggregate over the records that are seen and pass the tests."""
        wanted = [*([self.seen.copy()] if self.seen else []), *tests]
        if not wanted:
            return aggregate
        return exp.Filter(this=aggregate, expression=exp.Where(this=both(*wanted)))

    def number(self, value: Node) -> Node:
        """NULL for NaN, which is no figure to Great Expectations on any engine."""
        operand = self.operand
        may_be_nan = operand.type is None or operand.family in FLOATING
        return exp.Nullif(this=value, expression=nan()) if may_be_nan else value


def bounded(asked: Asked, value: Node, kind: str, told: tuple[Caveat, ...] = ()) -> Flagged:
    """The value lies within the bounds. Where there is no value, Great Expectations fails."""
    given = asked.arguments
    low, high = given.get("min_value"), given.get("max_value")
    if "value" in given:
        low = high = given["value"]
    if low is None and high is None:
        raise CannotExpress("never_fails", "it states no bound, and lets every figure pass")
    column = computed(1, "value", value)
    opens = bool(given.get("strict_min")), bool(given.get("strict_max"))
    # The figure of floating-point numbers is never NaN, so pandas has no meaning of its own.
    type_ = parse_type(kind)
    engine = "spark" if type_.family in FLOATING else asked.use.engine
    alone = Use(engine, Types({column.stand_in: type_}))
    within = good(Range(column.stand_in, low, high, *opens), alone)  # type: ignore[arg-type]
    tree = tidy(both(good(Present(column.stand_in), alone).tree, within.tree))
    of_column = asked.operand.caveats if asked.rule.columns else ()
    return Flagged(Good(tree, "none", of_column + told + within.caveats), (column,), "figures")
