"""Answers of stewards: read from the workbooks that they filled, and merged into decisions."""

from __future__ import annotations

from ruleferry.converters.answers.given import Given
from ruleferry.converters.answers.merged import Merged, NotTaken
from ruleferry.converters.answers.merging import merge
from ruleferry.converters.answers.open_answers import unmerged
from ruleferry.converters.answers.workbook import read_answers

__all__ = ["Given", "Merged", "NotTaken", "merge", "read_answers", "unmerged"]
