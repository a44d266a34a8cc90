"""Whose change it is where a rule of the sources is not what it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ruleferry.converters.account import Entry, Ledger
from ruleferry.converters.drift.pairs import Pair
from ruleferry.converters.drifted import Side
from ruleferry.converters.reports.text import listed


@dataclass(frozen=True, slots=True)
class Cause:
    """`why`: in words, for the middle of a sentence.

    `stays`: the rule is still checked as it was; `marked`: it has `# manual: reason`.
    """

    side: Side
    why: str = ""
    stays: bool = False
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Causes:
    """What changed beside the rules: the version of ruleferry, the files, the settings among them.

    `then` and `now`: file -> SHA-256. `sources`: the files with rules that changed.
    """

    tool_then: str
    tool_now: str
    then: Mapping[str, str]
    now: Mapping[str, str]
    settings: tuple[str, ...]
    sources: tuple[str, ...]

    @classmethod
    def of(cls, then: Ledger, now: Ledger) -> Causes:
        before = {source.file: source.sha256 for source in then.sources}
        after = {source.file: source.sha256 for source in now.sources}
        used = {s.file for s in (*then.sources, *now.sources) if s.read_as == "used"}
        changed = sorted(f for f in before | after if before.get(f) != after.get(f))
        settings = tuple(file for file in changed if file in used)
        sources = tuple(file for file in changed if file not in used)
        return cls(then.tool, now.tool, before, after, settings, sources)

    @property
    def none(self) -> bool:
        """What would be written today is what was written then, but for the command's options."""
        return self.tool_then == self.tool_now and not self.settings and not self.sources

    def of_pair(self, pair: Pair) -> Cause:
        """A file that is the same to the byte was changed by nobody."""
        file = _file(pair)
        if self.then.get(file) != self.now.get(file) and _text_changed(pair):
            return Cause("source", f"{file} changed")
        return self.of_the_rest(file)

    def of_the_rest(self, file: str | None = None) -> Cause:
        """Where the texts are the same."""
        if self.tool_then != self.tool_now:
            why = f"{self.tool_now} makes something else of the same text than {self.tool_then} did"
            return Cause("tool", why)
        if self.settings:
            return Cause("settings", f"{listed(self.settings)} changed")
        if file is not None and self.then.get(file) != self.now.get(file):
            return Cause("source", f"{file} changed elsewhere")
        if self.sources:  # the rule was merged with one of theirs, or shared a name with it
            return Cause("source", f"{listed(self.sources)} changed")
        return Cause("settings", "the options of the command are others than those of then")


def _file(pair: Pair) -> str:
    entry = pair.now or pair.then
    assert entry is not None
    return entry.origin.file


def _text_changed(pair: Pair) -> bool:
    return pair.then is None or pair.now is None or _said(pair.then) != _said(pair.now)


def _said(entry: Entry) -> tuple[str, tuple[str, ...]]:
    return entry.text_sha256, entry.columns
