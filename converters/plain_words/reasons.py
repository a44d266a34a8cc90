"""Which part of an OR reads better as the reason for the others: if x is F, …"""

from __future__ import annotations

from sqlglot import exp

from ruleferry.converters.express.functions import called
from ruleferry.converters.plain_words.values import bare

# Calls that have a value where their columns have, and only there.
_SETTLED = ("length", "trim", "rtrim", "ltrim", "lower", "upper", "abs", "current_date")


def is_reason(part: exp.Expression) -> bool:
    """`x <> 'F'`, which is TRUE or FALSE wherever x is not missing."""
    return _is_refusal(part) and _is_settled(part)


def _is_refusal(node: exp.Expression) -> bool:
    """What reads better as the reason for something else."""
    if isinstance(node, exp.Not):
        return not isinstance(bare(node.this), exp.Is)
    return isinstance(node, exp.NEQ) or (
        isinstance(node, exp.In | exp.Like | exp.RegexpLike) and bool(node.args.get("negate"))
    )


def _is_settled(part: exp.Expression) -> bool:
    """Whether nothing but a missing column makes it NULL."""
    if part.find(exp.TryCast, exp.Nullif, exp.Div, exp.Mod, exp.Case, exp.Is) is not None:
        return False
    calls = [called(one) for one in part.walk() if isinstance(one, exp.Expression)]
    return all(call is None or call[0] in _SETTLED for call in calls)
