"""One expectation of a suite -> one legacy rule, by the table of expectation types."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from ruleferry.converters import rule as model
from ruleferry.converters.readers.great_expectations import arguments as args
from ruleferry.converters.readers.great_expectations.catalogue import Row, catalogue
from ruleferry.converters.readers.great_expectations.parameters import (
    given_parameters,
    refuse_parameter,
    with_parameters,
)
from ruleferry.converters.readers.great_expectations.row_condition import row_condition
from ruleferry.converters.readers.great_expectations.version import Ran, Version
from ruleferry.converters.readers.json_text import Json, json_text
from ruleferry.converters.rule import (
    Caveat,
    Check,
    Engine,
    Kind,
    LegacyRule,
    Origin,
    SqlText,
    Table,
    Unread,
    engine_kind,
)

TOOL = "great_expectations"


@dataclass(frozen=True, slots=True)
class Context:
    """What the suite's file says of all its expectations."""

    file: str
    table: Table
    engine: Engine | None
    tags: tuple[tuple[str, str], ...] = ()
    parameters: Mapping[str, object] = field(default_factory=dict)
    version: Version | None = None


@dataclass(frozen=True, slots=True)
class _Made:
    """What is checked, before it is known where and for whom."""

    kind: Kind
    check: Check
    columns: tuple[str, ...] = ()
    scope: SqlText | None = None
    caveats: tuple[Caveat, ...] = ()


def read_expectation(element: Json, index: int, context: Context) -> LegacyRule:
    """The rule of `expectations[index]`; whatever can't be understood becomes an `Unread` check."""
    body = element if isinstance(element, dict) else {}
    told = given_parameters(body.get("kwargs"), context.parameters)
    made = _make(element, context)
    place = f"expectations[{index}]"
    return LegacyRule(
        origin=Origin(context.file, place, json_text(element), TOOL, context.engine),
        atom=place,
        kind=made.kind,
        check=made.check,
        table=context.table,
        columns=made.columns,
        scope=made.scope,
        title=_title(body, made),
        author_id=_first(body.get("id"), body.get("ge_cloud_id")),
        tags=context.tags + _tags(body),
        caveats=made.caveats + tuple(Caveat("parameter_given", text) for text in told),
    )


def type_of(element: Json) -> Json:
    """`type` of 1.x or `expectation_type` of 0.x."""
    if not isinstance(element, dict):
        return None
    return element.get("type", element.get("expectation_type"))


def _make(element: Json, context: Context) -> _Made:
    name = type_of(element)
    if not isinstance(element, dict) or not isinstance(name, str):
        return _unread("malformed", "it is no object with a type (or expectation_type) and kwargs")
    kwargs = element.get("kwargs", {})
    if not isinstance(kwargs, dict):
        return _unread("malformed", f"kwargs is no object but {args.shown(kwargs)}")
    row = catalogue().row(name)
    if row is None:
        return _unknown_type(name, kwargs)
    given = with_parameters(kwargs, context.parameters) if context.parameters else kwargs
    assert isinstance(given, dict)
    return _known(row, given, Ran.of(element, context.version, context.engine))


def _known(row: Row, kwargs: Mapping[str, Json], ran: Ran) -> _Made:
    columns: tuple[str, ...] = ()
    try:
        columns = _columns(row, kwargs)
        return _understood(row, kwargs, columns, ran)
    except args.ArgumentFault as fault:
        return _Made(row.kind, Unread(fault.code, str(fault), columns), columns)


def _understood(row: Row, kwargs: Mapping[str, Json], columns: tuple[str, ...], ran: Ran) -> _Made:
    """Raises ArgumentFault: first what Great Expectations refuses, then what can't be carried."""
    modern, engine = ran.modern, ran.engine
    if engine is not None and engine_kind(engine) not in row.engines:
        raise args.ArgumentFault(f"the {engine} engine does not implement it, so it never ran")
    taken = catalogue().arguments(row, modern)
    caveats = _ignored(row, kwargs, taken, modern)
    _refuse_missing(row, kwargs, modern)
    if row.gap is not None:
        return _Made(row.kind, Unread(row.gap, row.reason or "", columns), columns)
    if kwargs.get("windows"):
        reason = "its bounds are computed anew at each run from earlier results (windows)"
        raise args.NoEquivalentFault(reason)
    given = {name: value for name, value in kwargs.items() if name in taken}
    for name in sorted(given):
        refuse_parameter(name, given[name])
    check = _check(row, given, columns, modern)
    if row.takes_mostly and "mostly" in given:
        check = _shared(check, args.share(given["mostly"], modern))
    return _Made(
        kind="share" if isinstance(check, model.Share) else row.kind,
        check=check,
        columns=columns,
        scope=row_condition(given, ran),
        caveats=caveats + _of_dialect(row, engine),
    )


def _of_dialect(row: Row, engine: Engine | None) -> tuple[Caveat, ...]:
    if row.check != "SqlText" or engine is not None:
        return ()
    return (Caveat("engine_unknown", "its SQL is read as that of Spark"),)


def _refuse_missing(row: Row, kwargs: Mapping[str, Json], modern: bool) -> None:
    missing = [name for name in row.required if kwargs.get(name) is None]
    for name in missing:
        # A null is none of 1.x's defaults; 0.x did not tell it from nothing.
        if row.open_without.get(name) == ("1.x" if modern else "0.x") and not (
            modern and name in kwargs
        ):
            raise args.VacuousFault(f"it has no {name}, and lets every value pass")
    if missing:
        raise args.ArgumentFault(f"it has no {', '.join(missing)}")
    if row.one_of and all(kwargs.get(name) is None for name in row.one_of):
        raise args.ArgumentFault(f"it has neither {' nor '.join(row.one_of)}")


def _columns(row: Row, kwargs: Mapping[str, Json]) -> tuple[str, ...]:
    found: list[str] = []
    for name in row.columns:
        value = kwargs.get(name)
        refuse_parameter(name, value)
        values = value if name == "column_list" and isinstance(value, list) else [value]
        names = [v for v in values if isinstance(v, str) and v]
        if not names or len(names) < len(values):
            raise args.ArgumentFault(f"{name}: a column was expected, found {args.shown(value)}")
        found += names
    if len(found) < 2 and "column_list" in row.columns:
        raise args.ArgumentFault("column_list: two columns or more were expected, found one")
    return tuple(found)


def _check(row: Row, kwargs: Mapping[str, Json], columns: tuple[str, ...], modern: bool) -> Check:
    given = {
        name: args.FORMS[form](kwargs[name], modern)
        for name, form in row.wants.items()
        if name in kwargs
    }
    values = dict(row.fixed)
    values |= {field: given[name] for field, name in row.fields.items() if name in given}
    match row.check:
        case "Unique":
            return model.Unique(columns, **values)  # type: ignore[arg-type]
        case "Ordered":
            return model.Ordered(columns[0], **values)  # type: ignore[arg-type]
        case "Figure":
            return model.Figure(row.measure, columns, _remaining(row, kwargs))
        case "Columns":
            return model.Columns(row.measure, columns, _remaining(row, kwargs))
        case "SqlText":
            return model.Row(
                model.SqlText(str(values["text"]), "spark", bad=True, whole_query=True)
            )
        case "Compare":
            values = {"operator": ">"} | values
            return model.Row(model.Compare(columns[0], right=columns[1], **values))  # type: ignore[arg-type]
        case "PairIn":
            return model.Row(model.PairIn(columns[0], columns[1], **values))  # type: ignore[arg-type]
        case "DistinctWithin" | "SameWithin" | "SumIs":
            return model.Row(_SEVERAL[row.check](columns, **values))
        case _:
            return model.Row(_SINGLE[row.check](columns[0], **values))


_SEVERAL = {
    "DistinctWithin": model.DistinctWithin,
    "SameWithin": model.SameWithin,
    "SumIs": model.SumIs,
}
_SINGLE = {
    "Present": model.Present,
    "Absent": model.Absent,
    "Range": model.Range,
    "OneOf": model.OneOf,
    "Matches": model.Matches,
    "Like": model.Like,
    "Length": model.Length,
    "Format": model.Format,
    "Json": model.Json,
}


def _remaining(row: Row, kwargs: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    names = sorted(row.wants.keys() & kwargs.keys())
    return tuple((name, json_text(kwargs[name])) for name in names)


def _shared(check: Check, mostly: Decimal) -> Check:
    """With `mostly` below 1; a statement about the table is none about a share of its records."""
    if mostly == 1:
        return check
    if isinstance(check, model.Row):
        return model.Share(check, mostly)
    share = (("mostly", str(mostly)),)
    if isinstance(check, model.Unique):
        return model.Figure("unique_share", check.columns, share)
    if isinstance(check, model.Ordered):
        return model.Figure("ordered_share", (check.column,), share)
    return check


def _ignored(
    row: Row, kwargs: Mapping[str, Json], taken: frozenset[str], modern: bool
) -> tuple[Caveat, ...]:
    """Arguments that the tool did not know: 1.x refuses the rule, 0.x ran without them."""
    unknown = sorted(kwargs.keys() - taken - catalogue().noise)
    if unknown and modern:
        raise args.ArgumentFault(_unknown_argument(unknown[0], taken))
    if "parse_strings_as_datetimes" in row.old and kwargs.get("parse_strings_as_datetimes"):
        reason = "parse_strings_as_datetimes reads texts as dates the way Python's dateutil does"
        raise args.NoEquivalentFault(reason)
    return tuple(Caveat("argument_ignored", _unknown_argument(name, taken)) for name in unknown)


def _unknown_argument(name: str, taken: frozenset[str]) -> str:
    near = difflib.get_close_matches(name, sorted(taken), n=1)
    meant = f"; {near[0]} may have been meant" if near else ""
    return f"Great Expectations knows no argument {name} here{meant}"


def _unknown_type(name: str, kwargs: Mapping[str, Json]) -> _Made:
    near = difflib.get_close_matches(name, catalogue().rows, n=1, cutoff=0.8)
    meant = f"; the nearest core name is {near[0]}" if near else ""
    columns = tuple(
        v
        for k, v in kwargs.items()
        if k in ("column", "column_A", "column_B") and isinstance(v, str) and v
    )
    reason = f"{name} is no core expectation{meant}; its arguments are {args.shown(kwargs, 300)}"
    return _Made("predicate", Unread("custom_expectation", reason, columns), columns)


def _unread(code: str, reason: str) -> _Made:
    return _Made("predicate", Unread(code, reason))


def _title(body: Mapping[str, Json], made: _Made) -> str:
    """The author's own; what could not be read is called by its type, since nothing else tells."""
    own = _text(body.get("description"))
    name = type_of(body)
    if own or not isinstance(made.check, Unread) or not isinstance(name, str):
        return own or ""
    words = name.removeprefix("expect_").replace("_", " ")
    return f"{words}: {', '.join(made.columns)}" if made.columns else words


def _tags(body: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    if body.keys().isdisjoint(("meta", "severity", "notes")):
        return ()
    meta = body.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    tags = {
        "severity": _first(body.get("severity"), meta.get("severity"), meta.get("level")),
        "owner": _text(meta.get("owner")),
        "notes": _notes(body.get("notes")) or _notes(meta.get("notes")),
        "dimension": _first(meta.get("dq_dimension"), meta.get("dimension")),
    }
    return tuple((name, value) for name, value in tags.items() if value)


def _notes(notes: Json) -> str | None:
    """A text, a list of texts, or `{"format", "content"}` around either."""
    if isinstance(notes, dict):
        return _notes(notes.get("content"))
    if isinstance(notes, Sequence) and not isinstance(notes, str):
        return " ".join(n for n in notes if isinstance(n, str)) or None
    return _text(notes)


def _first(*values: Json) -> str | None:
    return next((v for v in values if isinstance(v, str) and v.strip()), None)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
