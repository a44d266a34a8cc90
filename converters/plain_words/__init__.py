"""A condition in SQL, said in plain words, or not at all where it can't be said rightly."""

from ruleferry.converters.plain_words.conditions import condition_in_words
from ruleferry.converters.plain_words.rules import rule_in_words

__all__ = ["condition_in_words", "rule_in_words"]
