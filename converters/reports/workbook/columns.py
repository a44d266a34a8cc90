"""The sheets and columns of `gap_report.xlsx`: what is written, and what is read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

Sheet: TypeAlias = Literal["Summary", "Questions", "Rules", "Sources"]
SHEETS: tuple[Sheet, ...] = get_args(Sheet)
# Hidden: the lists from which answers are picked.
LISTS = "Lists"

QuestionColumn: TypeAlias = Literal[
    "number", "question", "rule", "row", "text", "proposals", "before", "answer", "action", "note",
    "by", "on", "until", "table", "place", "question_id", "rule_id", "text_hash",
]  # fmt: skip

# Of sheet Questions. A row is one question, or one of its rules: a question about several rules is
# followed by a row for each of them. `question_id` stands in every row; `rule_id` and `text_hash`
# (decided.HASH_DIGITS of the SHA-256 of the rule's text) in the row of a rule, and in that of a
# question about one rule alone. The steward fills the columns from `answer` to `on`, which stand
# beside what is asked, so that a narrow screen has both.
QUESTION_HEADERS: Mapping[QuestionColumn, str] = {
    "number": "No.",
    "question": "Question",
    "rule": "Rule",
    "row": "In sheet Rules",
    "text": "Original text",
    "proposals": "Possible answers",
    "before": "Answered before",
    "answer": "Answer",
    "action": "Action",
    "note": "Note",
    "by": "Answered by",
    "on": "Answered on",
    "until": "If nobody answers",
    "table": "Table",
    "place": "Where it stands",
    "question_id": "Question id",
    "rule_id": "Rule id",
    "text_hash": "Text hash",
}
FILLED: tuple[QuestionColumn, ...] = ("answer", "action", "note", "by", "on")

RuleColumn: TypeAlias = Literal[
    "rule", "table", "words", "text", "condition", "nulls", "became", "reason", "action", "why",
    "grade", "caveats", "place", "also", "owner", "proof", "off", "off_why", "decided",
    "questions", "name", "id",
]  # fmt: skip

# Of sheet Rules: a row is one entry of the ledger, those that are no rules last.
RULE_HEADERS: Mapping[RuleColumn, str] = {
    "rule": "Rule",
    "table": "Table",
    "words": "In plain words",
    "text": "Original text",
    "condition": "New condition (true for a good record)",
    "nulls": "A missing value",
    "became": "What became of it",
    "reason": "Why",
    "action": "What happens to a bad record",
    "why": "Who decided that",
    "grade": "Does it mean the same?",
    "caveats": "To know",
    "place": "Where it stands",
    "also": "Also stated at",
    "owner": "Owner",
    "proof": "Old and new compared",
    "off": "Old check may be switched off",
    "off_why": "Why not",
    "decided": "What people decided",
    "questions": "Questions",
    "name": "Name in the pipeline",
    "id": "Rule id",
}

SourceColumn: TypeAlias = Literal[
    "file", "part", "read_as", "why", "places", "entries", "record", "flag", "dataset", "schema",
    "merged", "gap", "waived", "not_a_rule", "cells", "classes",
]  # fmt: skip

# Of sheet Sources: a row is one file, or one part of it that was not read. Those from `record` to
# `not_a_rule` are outcomes.
SOURCE_HEADERS: Mapping[SourceColumn, str] = {
    "file": "File",
    "part": "Part of it",
    "read_as": "Read as",
    "why": "Why",
    "places": "Places that may state a rule",
    "entries": "Rules and other entries",
    "record": "Checked on each record",
    "flag": "… with an added column",
    "dataset": "Checked over many records",
    "schema": "Checked against columns and types",
    "merged": "Same as another rule",
    "gap": "Left for a person",
    "waived": "Not carried over, as decided",
    "not_a_rule": "Not a rule",
    "cells": "Filled cells",
    "classes": "What these cells are",
}
