"""What values a condition allows of its bare column."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from ruleferry.converters.compare import Extent, Interval, Members, Presence, extent
from ruleferry.converters.normal_form import Form, Meaning, chain


def limit(meaning: Meaning) -> Extent | None:
    """What values a condition allows of its bare column, however it guards against others.

    A guard lets values of another type pass, or refuses them: the limit of the others is the same.
    """
    return plain(extent(_unguarded(meaning.form)))


def sort(meaning: Meaning) -> type[Extent] | None:
    """The sort of its limit: told by its mould, so that no form need be made."""
    return _sort(meaning.like)


@lru_cache(maxsize=1_000)
def _sort(meaning: Meaning) -> type[Extent] | None:
    found = extent(_unguarded(meaning.form))
    return type(found) if found else None


def _unguarded(form: Form) -> Form:
    """Without the guards `coalesce(…, TRUE)` of a chain's parts."""
    if form[0] in ("or", "and") and isinstance(form[1], frozenset):
        return chain(form[0], frozenset(map(_unguarded, form[1])))
    if form[0] == "Coalesce" and ("expressions", (("true",),)) in form:
        return _unguarded(dict(form[1:])["this"])
    return form


def plain(extent: Extent | None) -> Extent | None:
    """The extent of the bare column, where a condition casts it for want of a known type."""
    match extent:
        case Interval():
            ends = extent.low, extent.high
            low, high = (None if end is None else _value(end) for end in ends)
            if low is not None and high is not None and low[0] != high[0]:
                return None
            return replace(extent, subject=_uncast(extent.subject), low=low, high=high)
        case Members():
            return Members(_uncast(extent.subject), frozenset(map(_value, extent.values)))
        case Presence():
            return Presence(_uncast(extent.subject), extent.present)
    return None


def _uncast(form: Form) -> Form:
    if form[:1] in (("Cast",), ("TryCast",)):
        inner: Form = dict(form[1:])["this"]
        return _uncast(inner)
    if form[:1] == ("Anonymous",) and ("this", "regexp_extract") in form:
        first: Form = dict(form[1:])["expressions"][0]
        return _uncast(first)
    return tuple(_uncast(part) if isinstance(part, tuple) else part for part in form)


_WHOLE = re.compile(r"0|-?[1-9][0-9]*")


def _value(literal: Form) -> Form:
    """A literal as its kind and what it is worth: 1 and '1' are one value, and so are two days."""
    cast = literal[0] in ("Cast", "TryCast")
    kind, worth = _uncast(literal)[:2]
    if kind == "text" and cast:
        try:
            return "moment", datetime.fromisoformat(worth).isoformat()
        except ValueError:
            return kind, worth
    if kind == "text" and _WHOLE.fullmatch(worth):
        return "number", Decimal(worth)
    return kind, worth
