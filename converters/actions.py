"""What happens to a bad record, and why: the first that applies."""

from __future__ import annotations

from collections.abc import Sequence

from ruleferry.converters.account import Because
from ruleferry.converters.config import Actions
from ruleferry.converters.mappings import action_words
from ruleferry.converters.rule import Action, LegacyRule

_NOT_DECIDED: tuple[Action, Because] = ("warn", Because("default", "not decided"))
_STRICT: tuple[Action, ...] = ("warn", "drop", "fail")
# Tags that hold a word of severity: a hint, unless [actions.words] says what it means.
_SEVERITIES = ("severity", "suite_level")


def decided(
    rule: LegacyRule, keys: Sequence[str], actions: Actions
) -> tuple[Action, Because] | None:
    """What was decided about this rule. `keys`: what the rule is called in [actions.rules]."""
    for key in keys:
        if key in actions.rules:
            return actions.rules[key], Because("config", f'[actions.rules] "{key}"')
    if rule.behaviour is not None:
        return rule.behaviour, Because("behaviour", rule.behaviour_detail)
    word = (rule.action_word or "").strip().lower()
    if word in action_words():
        found: Action = action_words()[word]  # type: ignore[assignment]
        return found, Because("word", f"the source says {rule.action_word}")
    return _by_severity(rule, actions)


def _by_severity(rule: LegacyRule, actions: Actions) -> tuple[Action, Because] | None:
    tags = dict(rule.tags)
    words = {word.lower(): action for word, action in actions.words.items()}
    for tag in _SEVERITIES:
        severity = tags.get(tag, "").strip().lower()
        if severity and severity in words:
            return words[severity], Because("config", f"[actions.words] {severity}")
    return None


def undecided(actions: Actions) -> tuple[Action, Because]:
    """What holds where nothing was decided about a rule."""
    if actions.default is not None:
        return actions.default, Because("config", "[actions] default")
    return _NOT_DECIDED


def strictest(decisions: Sequence[tuple[Action, Because]]) -> tuple[Action, Because]:
    """The strictest action, with the first reason for it."""
    return max(decisions, key=lambda decision: _STRICT.index(decision[0]))


def at_most(action: Action, limit: Action) -> Action:
    """`--max-action`: what is written, while the ledger keeps what was decided."""
    return min(action, limit, key=_STRICT.index)
