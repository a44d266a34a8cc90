"""`decisions.toml`: what the owners of the rules decided, read and written.

[[decision]]
condition = "price > 0"  # the answer: one of accept, waive, condition, action, …
by = "Ann Smith"
on = 2026-11-30
code = "unread_text"
rules = [
  { id = "0123456789ab", text = "ba9876543210", rule = "orders.price_range" },
]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import get_args

from ruleferry.converters.account import About, Takes
from ruleferry.converters.decided import (
    Accepted,
    Acted,
    Called,
    Decision,
    Decisions,
    Kept,
    Pending,
    Profiled,
    RuleDecided,
    Stated,
    Told,
    Verdict,
    Waived,
)
from ruleferry.converters.errors import Fault
from ruleferry.converters.rule import Action, Kind
from ruleferry.converters.text_files import TextFile, read_text
from ruleferry.converters.toml_checks import Checker, Unfit, one_of, parse_toml, shown, table_lines

HEAD = """\
# What the owners of the rules decided about them. `ruleferry answers` adds to this file, and
# `ruleferry convert` applies it: commit it. It may be edited by hand, but it is sorted and written
# anew each time, so that a comment of yours would be lost: put what you want to say into `note`.
"""


# Reading ------------------------------------------------------------------------------------------


def _person_text(value: object) -> str:
    """A text that a person wrote: not empty; it may have several lines."""
    if isinstance(value, str) and value.strip():
        return value
    raise Unfit("a text in quotes, not empty")


def _any_text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise Unfit("a text in quotes")


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise Unfit("a list of texts in quotes")


def _day(value: object) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    raise Unfit("a day such as 2026-11-30, without quotes and without a time")


def _module_name(value: object) -> str:
    if isinstance(value, str) and re.fullmatch(r"[a-z][a-z0-9_]{0,62}", value):
        return value
    raise Unfit("a name of at most 63 lower-case letters, digits and _, a letter first")


def _by(check: Callable[[object], object], *, required: bool = False) -> Mapping[str, object]:
    return {"check": check, "required": required}


@dataclass(frozen=True, slots=True)
class _Answer:
    """The keys of which a decision has exactly one."""

    accept: str | None = field(default=None, metadata=_by(_person_text))
    waive: str | None = field(default=None, metadata=_by(_person_text))
    condition: str | None = field(default=None, metadata=_by(_person_text))
    action: Action | None = field(default=None, metadata=_by(one_of(*get_args(Action))))
    keep: str | None = field(default=None, metadata=_by(_person_text))
    name: str | None = field(default=None, metadata=_by(_module_name))
    table: str | None = field(default=None, metadata=_by(_person_text))
    engine: str | None = field(default=None, metadata=_by(_person_text))
    dialect: str | None = field(default=None, metadata=_by(_person_text))
    order_by: str | None = field(default=None, metadata=_by(_person_text))
    columns: str | None = field(default=None, metadata=_by(_person_text))
    tables: str | None = field(default=None, metadata=_by(_person_text))
    meaning: str | None = field(default=None, metadata=_by(_person_text))
    legend: str | None = field(default=None, metadata=_by(_person_text))
    threshold: str | None = field(default=None, metadata=_by(_person_text))
    profile: str | None = field(default=None, metadata=_by(_person_text))
    pending: str | None = field(default=None, metadata=_by(_person_text))


_FACTS: tuple[Takes, ...] = tuple(word for word in get_args(Takes) if word != "condition")
ANSWER_KEYS = tuple(_Answer.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class _Rest(_Answer):
    by: str = field(default="", metadata=_by(_person_text))
    on: date | None = field(default=None, metadata=_by(_day))
    note: str = field(default="", metadata=_by(_any_text))
    code: str = field(default="", metadata=_by(_any_text))
    asked: str = field(default="", metadata=_by(_any_text))


@dataclass(frozen=True, slots=True)
class _About:
    file: str | None = field(default=None, metadata=_by(_any_text))
    table: str | None = field(default=None, metadata=_by(_any_text))
    column: str | None = field(default=None, metadata=_by(_any_text))
    header: str | None = field(default=None, metadata=_by(_any_text))
    text: str | None = field(default=None, metadata=_by(_any_text))


@dataclass(frozen=True, slots=True)
class _Rule:
    id: str = field(default="", metadata=_by(_person_text, required=True))
    text: str = field(default="", metadata=_by(_any_text, required=True))
    rule: str = field(default="", metadata=_by(_any_text))
    table: str = field(default="", metadata=_by(_any_text))
    kind: Kind | None = field(default=None, metadata=_by(one_of(*get_args(Kind))))
    columns: tuple[str, ...] = field(default=(), metadata=_by(_texts))


def open_decisions(root: Path, name: str) -> Decisions | list[Fault]:
    """The decisions of the file `name` below `root`; none where there is no file."""
    file = text_of_decisions(root, name)
    if isinstance(file, Fault):
        return [file]
    return read_decisions(file.text, name, file.sha256) if file else Decisions(name)


def text_of_decisions(root: Path, name: str) -> TextFile | Fault | None:
    """The file as a text; None where there is none. A link that leads nowhere is a fault."""
    path = root / name
    if not path.exists() and not path.is_symlink():
        return None
    return read_text(path, name, may_be_empty=True)


def read_decisions(text: str, file: str, sha256: str | None = None) -> Decisions | list[Fault]:
    """The decisions of a file, which faults call `file`; all faults at once."""
    data = parse_toml(text, file)
    if isinstance(data, Fault):
        return [data]
    checker = Checker(file, text)
    checker.unknown_keys(data, ("decision",))
    tables = data.get("decision", [])
    if not isinstance(tables, list):
        checker.fault(
            ("decision",), "`decision` as no list", "[[decision]]", "Double its brackets."
        )
        tables = []
    starts = table_lines(text, "decision") if tables else ()
    found = [_decision(checker, table, number) for number, table in enumerate(tables)]
    if checker.faults:
        return checker.faults
    places = [f"line {line}" for line in starts] or [
        f"decision {n}" for n in range(1, len(found) + 1)
    ]
    decisions = (replace(d, place=place) for d, place in zip(found, places, strict=True) if d)
    return Decisions(file, sha256, tuple(decisions))


def _decision(checker: Checker, value: object, number: int) -> Decision | None:
    at = ("decision", number)
    table = checker.table(value, at)
    if table is None:
        return None
    values = checker.values(_Rest, table, at, also={"about", "rules"})
    verdict = _verdict(checker, table, values, number)
    about = checker.record(_About, table.get("about", {}), (*at, "about")) or _About()
    rules = checker.listed(_Rule, table.get("rules", []), (*at, "rules"))
    if "by" not in table:
        checker.fault(at, f"no `by` in {shown(at)}", "who decided it", 'Add by = "a name".')
    if verdict is None:
        return None
    decision = Decision(
        verdict,
        by=values.get("by", ""),
        on=values.get("on"),
        note=values.get("note", ""),
        code=values.get("code", ""),
        about=About(about.file, about.table, about.column, about.header, about.text),
        asked=values.get("asked", ""),
        rules=tuple(RuleDecided(r.id, r.text, r.rule, r.table, r.kind, r.columns) for r in rules),
    )
    _refuse_what_holds_for_nothing(checker, decision, table, number)
    return decision


def _verdict(
    checker: Checker, table: Mapping[str, object], values: Mapping[str, object], number: int
) -> Verdict | None:
    at = ("decision", number)
    given = [key for key in table if key in ANSWER_KEYS]
    expected = f"exactly one of {', '.join(ANSWER_KEYS)}"
    if not given:
        checker.fault(at, f"no answer in {shown(at)}", expected, "Add it.")
    for key in given[1:]:
        found = f"`{key}` beside `{given[0]}`"
        checker.fault((*at, key), found, expected, "Make two decisions of it, or keep one.")
    key = given[0] if given else ""
    return verdict_of(key, str(values[key])) if key in values else None


def _refuse_what_holds_for_nothing(
    checker: Checker, decision: Decision, table: Mapping[str, object], number: int
) -> None:
    at = ("decision", number)
    if isinstance(decision.verdict, Told | Profiled):
        if decision.about == About():
            todo = 'Add about = { file = "…" } or { table = "…" }.'
            checker.fault(at, f"no `about` in {shown(at)}", "what the answer holds for", todo)
    elif not table.get("rules"):
        todo = "Add rules = [ { id, text } ], as the ledger has them."
        checker.fault(at, f"no `rules` in {shown(at)}", "the rules that it holds for", todo)


def verdict_of(key: str, value: str) -> Verdict:
    """The verdict that a key of the file states."""
    match key:
        case "accept":
            return Accepted(value)
        case "waive":
            return Waived(value)
        case "condition":
            return Stated(value)
        case "action":
            return Acted(_action(value))
        case "keep":
            return Kept(value)
        case "name":
            return Called(value)
        case "profile":
            return Profiled(value)
        case "pending":
            return Pending(value)
    return Told(_takes(key), value)


def _action(word: str) -> Action:
    return next(action for action in get_args(Action) if action == word)


def _takes(word: str) -> Takes:
    return next(takes for takes in _FACTS if takes == word)


# Writing ------------------------------------------------------------------------------------------


def decisions_text(decisions: Decisions) -> str:
    """The text of the file, in one order, whatever the order of the decisions."""
    blocks = [f"[[decision]]\n{_block(d)}" for d in in_order(decisions).decisions]
    return "\n".join([HEAD, *blocks])


def in_order(decisions: Decisions) -> Decisions:
    """The decisions as the file has them: by topic, then by what they are about, then by rule."""
    sorted_within = [replace(d, rules=_in_order(d.rules)) for d in decisions.decisions]
    return replace(decisions, decisions=tuple(sorted(sorted_within, key=place_in_file)))


def _in_order(rules: Iterable[RuleDecided]) -> tuple[RuleDecided, ...]:
    return tuple(sorted(rules, key=lambda rule: (rule.rule, rule.id, _rule(rule))))


def place_in_file(decision: Decision) -> tuple[str, ...]:
    about, rules = decision.about, decision.rules
    what = (about.file or "", about.table or "", about.column or "", about.text or "")
    first = (rules[0].rule, rules[0].id) if rules else ("", "")
    return decision.code, *what, *first, decision.by, _block(decision)


def _block(decision: Decision) -> str:
    return "".join(f"{line}\n" for line in _lines(decision))


def _lines(decision: Decision) -> Iterator[str]:
    key, value = answer_key(decision.verdict)
    yield f"{key} = {_quoted(value)}"
    yield f"by = {_quoted(decision.by)}"
    if decision.on is not None:
        yield f"on = {decision.on.isoformat()}"
    for name in ("note", "code", "asked"):
        if text := getattr(decision, name):
            yield f"{name} = {_quoted(text)}"
    if about := _about(decision.about):
        yield f"about = {about}"
    if decision.rules:
        yield "rules = ["
        yield from (f"  {_rule(rule)}," for rule in _in_order(decision.rules))
        yield "]"


def answer_key(verdict: Verdict) -> tuple[str, str]:
    """The key that states a verdict in the file, and its value."""
    match verdict:
        case Accepted():
            return "accept", verdict.label
        case Waived():
            return "waive", verdict.reason
        case Stated():
            return "condition", verdict.condition
        case Acted():
            return "action", verdict.action
        case Kept():
            return "keep", verdict.id
        case Called():
            return "name", verdict.name
        case Told():
            return verdict.takes, verdict.value
        case Profiled():
            return "profile", verdict.profile
        case Pending():
            return "pending", verdict.label


def _about(about: About) -> str:
    names = ("file", "table", "column", "header", "text")
    values = {name: getattr(about, name) for name in names}
    return _inline({name: _quoted(value) for name, value in values.items() if value is not None})


def _rule(rule: RuleDecided) -> str:
    values = {"id": _quoted(rule.id), "text": _quoted(rule.text)}
    values |= {"rule": _quoted(rule.rule)} if rule.rule else {}
    values |= {"table": _quoted(rule.table)} if rule.table else {}
    values |= {"kind": _quoted(rule.kind)} if rule.kind else {}
    values |= {"columns": f"[{', '.join(map(_quoted, rule.columns))}]"} if rule.columns else {}
    return _inline(values)


def _inline(values: Mapping[str, str]) -> str:
    return (
        f"{{ {', '.join(f'{key} = {value}' for key, value in values.items())} }}" if values else ""
    )


# What TOML needs escaped, and what a reader of the file could not see or would see elsewhere.
_ESCAPED = re.compile(
    '["\\\\\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e'
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Halves of surrogate pairs are no text that a file in UTF-8 can hold.
_HALF = re.compile("[\ud800-\udfff]")


def without_halves(text: str) -> str:
    """The text as a file can hold it; half of a surrogate pair becomes U+FFFD."""
    return _HALF.sub("\ufffd", text)


def _quoted(text: str) -> str:
    return f'"{_ESCAPED.sub(_escape, without_halves(text))}"'


def _escape(match: re.Match[str]) -> str:
    sign = match[0]
    code = ord(sign)
    return _SHORT.get(sign) or (f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}")


# Comments -----------------------------------------------------------------------------------------

# A text in quotes of any kind, or a comment.
_TEXT_OR_COMMENT = re.compile(
    r"""\"\"\"(?:[^\\]|\\.)*?\"{3,5}|'''.*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\#[^\n]*""",
    re.DOTALL,
)


def own_comments(text: str) -> tuple[str, ...]:
    """The comments of a file that are not in its head: `line 12: # …`. They are not kept."""
    head = set(HEAD.splitlines())
    found = [m for m in _TEXT_OR_COMMENT.finditer(text) if m[0].startswith("#")]
    return tuple(
        f"line {text.count(chr(10), 0, m.start()) + 1}: {m[0].strip()}"
        for m in found
        if m[0].strip() not in head
    )
