"""What a script does with the records that its rules find: the statements of it together.

A rule whose records are copied is a warning while they stay; it drops them where a later statement
removes them, or where a load leaves them out. The rule that then holds is told once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ruleferry.converters.readers.sql.actions import loads, removals
from ruleferry.converters.readers.sql.actions.told import Told
from ruleferry.converters.readers.sql.found import EffectKind, Found
from ruleferry.converters.readers.sql.shapes.written.parts import is_rule
from ruleferry.converters.rule import Action, Unread

__all__ = ["Stop", "followed", "may_stop", "stop_in", "with_actions"]

_WARNED: Mapping[EffectKind, str] = {
    "select": "the script shows them and keeps them",
    "insert": "the script copies them to {target} and keeps them",
    "merge": "the script copies them to {target} and keeps them",
    "view": "a view shows them",
    "update": "the script marks them in {column} and keeps them",
    "notice": "the script tells it and goes on",
}
_OTHERS: Mapping[EffectKind, tuple[Action, str]] = {
    "delete": ("drop", "the script removes them"),
    "raise": ("fail", "the script stops with an error"),
    "constraint": ("fail", "the database refuses them"),
}


@dataclass(frozen=True, slots=True)
class Stop:
    """What runs the script ends the run where the statement finds records (or where it does not).

    `detail`: what says so.
    """

    detail: str
    found: bool = True


def with_actions(
    founds: Sequence[Found],
    file: str,
    atom_of: Callable[[Found], str],
    stops: Mapping[tuple[int, int], Stop] | None = None,
) -> tuple[Found, ...]:
    """The same, in order, each rule with its action; what only repeats another one says so.

    `file` and `atom_of` name the atom of a rule; `stops`: start and end of a statement -> what
    ends the run after it.
    """
    told = Told(list(founds), file, atom_of)
    removals.refuse_good_marks(told)
    removals.by_condition(told)
    removals.refuse_doubtful(told)
    removals.by_table(told)
    removals.by_marks(told)
    loads.of_others(told)
    loads.with_twins(told)
    loads.left(told)
    return tuple(_decided(each, _stop_of(each, stops or {})) for each in told.founds)


def _stop_of(found: Found, stops: Mapping[tuple[int, int], Stop]) -> Stop | None:
    """That of the statement which the rule is a part of."""
    inside = (stop for (start, end), stop in stops.items() if start <= found.start < end)
    return next(inside, None)


def _decided(found: Found, stop: Stop | None) -> Found:
    if not is_rule(found):
        return found
    effect = found.effect
    if stop is not None and effect.action is None:
        if not stop.found:
            return _reversed(found, stop)
        return replace(found, effect=replace(effect, action="fail", detail=stop.detail))
    if effect.action is not None or effect.kind == "test":
        return found
    if effect.kind in _OTHERS:
        action, words = _OTHERS[effect.kind]
        detail = "; ".join(part for part in (words, effect.detail) if part)
        return replace(found, effect=replace(effect, action=action, detail=detail))
    shown = {"target": effect.target or "a table", "column": effect.column or "a column"}
    detail = effect.detail or _WARNED.get(effect.kind, "").format(**shown)
    return replace(found, effect=replace(effect, action="warn", detail=detail))


def _reversed(found: Found, stop: Stop) -> Found:
    reason = f"the run stops where the statement finds nothing ({stop.detail})"
    checked = replace(found.checked, check=Unread("unknown_shape", reason))
    return replace(found, checked=checked)


# What ends a run ----------------------------------------------------------------------------------

# `.IF ACTIVITYCOUNT > 0 THEN .QUIT 12`, as BTEQ has it.
_BTEQ = re.compile(
    r"\.\s*IF\s+ACTIVITY_?COUNT\s*(?P<operator><>|!=|\^=|>=|>|=|NE|GT|GE|EQ)\s*(?P<number>\d+)"
    r"\s+THEN\s+\.\s*(?P<what>QUIT|EXIT)\s*(?P<code>\d*)",
    re.IGNORECASE,
)
# `.IF ACTIVITYCOUNT = 0 THEN .GOTO OK` and `.QUIT 9` on the next line.
_SKIPPED = re.compile(
    r"\A\.\s*IF\s+ACTIVITY_?COUNT\s*(?P<operator><>|!=|\^=|>=|>|=|NE|GT|GE|EQ)\s*(?P<number>\d+)"
    r"\s+THEN\s+\.\s*GOTO\s+\w+[ \t]*\n\.\s*(?:QUIT|EXIT)[ \t]+(?P<code>\d+)[ \t]*(?=\n|\Z)",
    re.IGNORECASE,
)
# `.IF ACTIVITYCOUNT > 0 THEN .GOTO BAD`, where the script goes on at its label.
_GONE = re.compile(
    r"\.\s*IF\s+ACTIVITY_?COUNT\s*\S+\s*\d+\s+THEN\s+(?P<goto>\.\s*GOTO\s+(?P<label>\w+))",
    re.IGNORECASE,
)
# A precedence constraint of a package: `next constraint @[User::BadRows] == 0`.
_CONSTRAINT = re.compile(
    r"constraint[^\n]*@\[?(?:\w+::)?(?P<name>\w+)\]?\s*(?P<operator>==|>|!=|<=)\s*0",
    re.IGNORECASE,
)
_SOME = frozenset({(">", "0"), ("<>", "0"), ("!=", "0"), ("^=", "0"), ("NE", "0"), ("GT", "0"),
                   (">=", "1"), ("GE", "1")})  # fmt: skip
_NONE = frozenset({("=", "0"), ("EQ", "0")})


# Of both of these.
_ANY_STOP = re.compile(r"ACTIVITY_?COUNT|constraint", re.IGNORECASE)


def may_stop(script: str) -> bool:
    """False: `stop_in` finds nothing in any part of the script."""
    return _ANY_STOP.search(script) is not None


def followed(text: str, labels: Mapping[str, str]) -> str:
    """The commands, with what stands at a label in the place of the way there."""
    found = _GONE.match(text)
    there = labels.get(found["label"].upper(), "") if found is not None else ""
    if found is None or not re.match(r"\.\s*(?:QUIT|EXIT)\s+\d+\Z", there, re.IGNORECASE):
        return text
    return f"{text[: found.start('goto')]}{there}"


def stop_in(text: str) -> Stop | None:
    """What a command after a statement, or a comment on it, says; None: nothing that ends a run."""
    if found := _BTEQ.search(text):
        asked = found["operator"].upper(), found["number"]
        if not int(found["code"] or 0) or asked not in _SOME | _NONE:
            return None
        words = " ".join(found[0].split())
        return Stop(f"the client ends the run by {words}", found=asked in _SOME)
    if found := _SKIPPED.match(text):
        asked = found["operator"].upper(), found["number"]
        if int(found["code"]) and asked in _SOME | _NONE:
            words = " ".join(found[0].split())
            return Stop(f"the client ends the run by {words}", found=asked in _NONE)
    if found := _CONSTRAINT.search(text):
        goes_on = found["operator"] in ("==", "<=")
        return Stop(f"the package goes on only where {found['name']} is 0", found=goes_on)
    return None
