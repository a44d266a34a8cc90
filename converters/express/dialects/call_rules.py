"""The rules that a row of a dialect's table may name."""

from __future__ import annotations

from collections.abc import Mapping

from ruleferry.converters.express.dialects import (
    aggregates,
    choices,
    date_rules,
    date_steps,
    format_rules,
    json_rules,
    number_rules,
    regex_rules,
    text_changes,
    text_rules,
)
from ruleferry.converters.express.dialects.call_shape import Rule

RULES: Mapping[str, Rule] = {
    **choices.RULES,
    **text_rules.RULES,
    **text_changes.RULES,
    **number_rules.RULES,
    **date_steps.RULES,
    **date_rules.RULES,
    **format_rules.RULES,
    **regex_rules.RULES,
    **json_rules.RULES,
    **aggregates.RULES,
}
