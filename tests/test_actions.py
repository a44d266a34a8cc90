"""What happens to a bad record, and why: who is asked first, and what the words mean."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_rules import rule

from ruleferry.converters.account import Because
from ruleferry.converters.actions import at_most, decided, strictest, undecided
from ruleferry.converters.config import Actions
from ruleferry.converters.mappings import action_words
from ruleferry.converters.predicates import Present

KEYS = ("orders.x_present", "main.sales.orders.x_present", "0123456789ab")
ACTIONS = st.sampled_from(["warn", "drop", "fail"])


def decision(actions=None, keys=KEYS, **fields):
    actions = actions or Actions()
    return decided(rule(Present("x"), **fields), keys, actions) or undecided(actions)


# Each step with all later ones set to something else: the first that applies wins.
BEHAVIOUR = {"behaviour": "fail", "behaviour_detail": "RAISE in line 7"}
WORD = {"action_word": "Reject"}
SEVERITY = {"tags": (("severity", "critical"), ("suite_level", "warning"))}


@pytest.mark.parametrize(
    ("actions", "fields", "action", "because"),
    [
        (
            Actions("drop", {"critical": "drop"}, {KEYS[0]: "warn"}),
            BEHAVIOUR | WORD | SEVERITY,
            "warn",
            Because("config", '[actions.rules] "orders.x_present"'),
        ),
        (
            Actions("drop", {"critical": "drop"}),
            BEHAVIOUR | WORD | SEVERITY,
            "fail",
            Because("behaviour", "RAISE in line 7"),
        ),
        (
            Actions("warn", {"critical": "fail"}),
            WORD | SEVERITY,
            "drop",
            Because("word", "the source says Reject"),
        ),
        (
            Actions("warn", {"critical": "fail"}),
            SEVERITY,
            "fail",
            Because("config", "[actions.words] critical"),
        ),
        (
            Actions("drop"),
            SEVERITY,
            "drop",
            Because("config", "[actions] default"),
        ),
        (Actions(), SEVERITY, "warn", Because("default", "not decided")),
        (Actions(), {}, "warn", Because("default", "not decided")),
        (Actions("warn"), {}, "warn", Because("config", "[actions] default")),
    ],
)
def test_the_first_that_applies(actions, fields, action, because):
    assert decision(actions, **fields) == (action, because)


@pytest.mark.parametrize("key", KEYS)
def test_a_rule_is_found_by_each_of_its_names(key):
    action, because = decision(Actions(rules={key: "fail"}))
    assert (action, because) == ("fail", Because("config", f'[actions.rules] "{key}"'))


def test_the_nearer_name_wins():
    rules = dict(zip(KEYS, ("drop", "fail", "warn"), strict=True))
    assert decision(Actions(rules=rules))[0] == "drop"
    assert decision(Actions(rules=dict(reversed(rules.items()))))[0] == "drop"


def test_the_name_of_another_rule_decides_nothing():
    assert decision(Actions(rules={"orders.y_present": "fail"}))[1].by == "default"


@pytest.mark.parametrize(
    ("word", "action"),
    [
        ("fail", "fail"),
        (" ABORT ", "fail"),
        ("drop", "drop"),
        ("Quarantine", "drop"),
        ("ignore", "warn"),
        ("critical", None),  # a word of severity is no action
        ("HIGH", None),
        ("", None),
        (None, None),
    ],
)
def test_the_word_of_a_source(word, action):
    found, because = decision(action_word=word)
    assert (found if because.by == "word" else None) == action


def test_every_word_of_the_table_is_an_action_in_lower_case():
    for word, action in action_words().items():
        assert word == word.lower().strip()
        assert decision(action_word=word.upper()) == (
            action,
            Because("word", f"the source says {word.upper()}"),
        )


@pytest.mark.parametrize(
    ("tags", "words", "action"),
    [
        ((("severity", "Critical"),), {"critical": "fail"}, "fail"),
        ((("severity", "critical"),), {"CRITICAL": "fail"}, "fail"),
        ((("suite_level", "warning"),), {"warning": "drop"}, "drop"),
        ((("suite_level", "x"), ("severity", "y")), {"x": "drop", "y": "fail"}, "fail"),
        ((("severity", "y"), ("suite_level", "x")), {"x": "drop"}, "drop"),
        ((("severity", "high"),), {"critical": "fail"}, None),
        ((("owner", "critical"),), {"critical": "fail"}, None),  # the tag of another matter
        ((("notes", "critical"),), {"critical": "fail"}, None),
        ((("severity", " critical "),), {"critical": "fail"}, "fail"),
        ((), {"": "fail"}, None),
    ],
)
def test_a_word_of_severity_means_what_the_config_says(tags, words, action):
    found, because = decision(Actions(words=words), tags=tags)
    assert (found if because.by == "config" else None) == action


@given(st.lists(ACTIONS, min_size=1))
@settings(deadline=None)
def test_the_strictest_with_its_first_reason(actions):
    found, because = strictest(
        [(action, Because("word", str(number))) for number, action in enumerate(actions)]
    )
    order = ["warn", "drop", "fail"]
    assert found == max(actions, key=order.index)
    assert because.detail == str(actions.index(found))


@given(ACTIONS, ACTIONS)
@settings(deadline=None)
def test_a_limit_lowers_and_never_raises(action, limit):
    order = ["warn", "drop", "fail"]
    assert order.index(at_most(action, limit)) == min(order.index(action), order.index(limit))


def test_a_default_is_no_decision_about_a_rule():
    assert decided(rule(Present("x")), KEYS, Actions("fail")) is None
    assert decided(rule(Present("x")), KEYS, Actions("fail", rules={KEYS[1]: "drop"})) is not None
