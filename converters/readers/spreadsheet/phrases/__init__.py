"""A total grammar of phrases that state a rule: every token is read, or the phrase is a gap."""

from ruleferry.converters.readers.spreadsheet.statement import Statement
from ruleferry.converters.rule import NotARule, Unread


def read_phrase(text, column, setting):
    return (Statement("predicate", Unread("not_understood", "phrase")),)


read_constraint = read_phrase


def read_relevance(text, setting):
    return Unread("not_understood", "phrase")


def relevance_statements(text, column, setting):
    return (Statement("predicate", NotARule("relevance")),)
