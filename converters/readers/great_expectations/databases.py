"""What an expectation is on a database: which of them it knows patterns for, and since when."""

from __future__ import annotations

from dataclasses import replace

from ruleferry.converters.engines import Database, RegexFlavour, Version, database
from ruleferry.converters.predicates import Matches, OneOf
from ruleferry.converters.readers.great_expectations.arguments import ArgumentFault
from ruleferry.converters.readers.great_expectations.version import Ran
from ruleferry.converters.rule import Caveat, Check, Row, engine_kind

# The oldest version that a generation may be, and the first that it is not.
_GENERATIONS: dict[str, tuple[Version, Version]] = {
    "v2": ((0, 0), (0, 13)),
    "v3": ((0, 13), (1, 0)),
    "1.x": ((1, 0), (2, 0)),
}

_WITHOUT_NULL = (1, 24)


def refuse_database(check: str, ran: Ran) -> tuple[Caveat, ...]:
    """`check`: the word of the table of expectations. The caveats of what is carried over.

    Raises ArgumentFault where Great Expectations has no such check for the database.
    """
    if ran.engine is None or engine_kind(ran.engine) != "sql":
        return ()
    base = database(ran.engine)
    told: list[Caveat] = []
    if ran.generation == "v2":
        detail = "what version 0.12 and older made of it on a database was not proved"
        told.append(Caveat("old_on_database", detail))
    if base is not None and check in _PATTERNS:
        what, since = _PATTERNS[check], _since(check, base)
        told += _since_version(what, since, base, ran)
    return tuple(told)


_PATTERNS = {"Matches": "regular expressions", "Like": "LIKE"}


def _since(check: str, base: Database) -> Version | None:
    if check == "Like":
        return base.like
    return base.regex.since if base.regex else None


def _since_version(what: str, since: Version | None, base: Database, ran: Ran) -> list[Caveat]:
    if since is None:
        none = f"Great Expectations has no {what} for {base.called}"
        raise ArgumentFault(f"{none}, so it never ran")
    oldest, after = _range(ran)
    first = f"{what} for {base.called} since version {since[0]}.{since[1]}"
    if after <= since:
        raise ArgumentFault(f"Great Expectations has {first}, so it never ran")
    if oldest >= since:
        return []
    return [Caveat("version_unknown", f"Great Expectations has {first}; no version is stated")]


def on_database(check: Check, ran: Ran) -> Check:
    """The check with what the version decides of a pattern or a list."""
    if ran.engine is None or engine_kind(ran.engine) != "sql" or not isinstance(check, Row):
        return check
    predicate, base = check.predicate, database(ran.engine)
    if isinstance(predicate, OneOf) and not predicate.negated:
        return Row(_listed(predicate, ran))
    if isinstance(predicate, Matches) and base is not None and base.regex is not None:
        return Row(replace(predicate, whole=_whole(base.regex, ran)))
    return check


def _listed(predicate: OneOf, ran: Ran) -> OneOf:
    """Since 1.24 Great Expectations itself leaves a null out of the list (issue 12273)."""
    if None not in predicate.values or _range(ran)[0] < _WITHOUT_NULL:
        return predicate
    return replace(predicate, values=tuple(v for v in predicate.values if v is not None))


def _whole(flavour: RegexFlavour, ran: Ran) -> bool | None:
    if flavour.whole is None or flavour.whole == "always":
        return flavour.whole == "always"
    oldest, after = _range(ran)
    if oldest >= flavour.whole:
        return False
    return True if after <= flavour.whole else None


def _range(ran: Ran) -> tuple[Version, Version]:
    """The versions that may have run it: from the first, and before the second."""
    if ran.version is None:
        return _GENERATIONS[ran.generation]
    return ran.version, (ran.version[0], ran.version[1] + 1)
