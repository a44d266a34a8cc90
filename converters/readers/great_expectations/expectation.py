"""One expectation of a suite -> one legacy rule, by the table of expectation types."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from ruleferry.converters import rule as model
from ruleferry.converters.readers.great_expectations import arguments as args
from ruleferry.converters.readers.great_expectations.catalogue import Row, catalogue
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
)

TOOL = "great_expectations"
Json = args.Json


@dataclass(frozen=True, slots=True)
class Context:
    """What the suite's file says of all its expectations."""

    file: str
    table: Table
    engine: Engine | None
    tags: tuple[tuple[str, str], ...] = ()


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
    made = _make(element, context.engine)
    place = f"expectations[{index}]"
    return LegacyRule(
        origin=Origin(context.file, place, element_text(element), TOOL, context.engine),
        atom=place,
        kind=made.kind,
        check=made.check,
        table=context.table,
        columns=made.columns,
        scope=made.scope,
        title=_title(body),
        author_id=_text(body.get("id")) or _text(body.get("ge_cloud_id")),
        tags=context.tags + _tags(body),
        caveats=made.caveats,
    )


def element_text(element: Json) -> str:
    """The author's text as one line of JSON; a number keeps its digits."""
    mark = "\ue000"
    text = json.dumps(element, ensure_ascii=False, default=lambda d: f"{mark}{d}{mark}")
    return text.replace(f'"{mark}', "").replace(f'{mark}"', "") if mark in text else text


def type_of(element: Json) -> Json:
    """`type` of 1.x or `expectation_type` of 0.x."""
    if not isinstance(element, dict):
        return None
    return element.get("type", element.get("expectation_type"))


def _make(element: Json, engine: Engine | None) -> _Made:
    name = type_of(element)
    if not isinstance(element, dict) or not isinstance(name, str):
        return _unread("malformed", "it is no object with a type (or expectation_type) and kwargs")
    kwargs = element.get("kwargs", {})
    if not isinstance(kwargs, dict):
        return _unread("malformed", f"kwargs is no object but {args.shown(kwargs)}")
    row = catalogue().rows.get(name)
    if row is None:
        return _unknown_type(name, kwargs)
    return _known(row, kwargs, modern="type" in element, engine=engine)


def _known(row: Row, kwargs: Mapping[str, Json], *, modern: bool, engine: Engine | None) -> _Made:
    columns: tuple[str, ...] = ()
    try:
        columns = _columns(row, kwargs)
        return _understood(row, kwargs, columns, modern, engine)
    except args.ArgumentFault as fault:
        return _Made(row.kind, Unread(fault.code, str(fault), columns), columns)


def _understood(
    row: Row,
    kwargs: Mapping[str, Json],
    columns: tuple[str, ...],
    modern: bool,
    engine: Engine | None,
) -> _Made:
    known = catalogue()
    for name in sorted(kwargs.keys() - known.noise):
        args.refuse_parameter(name, kwargs[name])
    missing = [name for name in row.required if kwargs.get(name) is None]
    if missing:
        raise args.ArgumentFault(f"it has no {', '.join(missing)}")
    if "windows" in kwargs:
        reason = "its bounds are computed anew at each run from earlier results (windows)"
        return _Made(row.kind, Unread("no_equivalent", reason, columns), columns)
    if engine is not None and engine not in row.engines:
        reason = f"the {engine} engine does not implement it, so it never ran"
        return _Made(row.kind, Unread("invalid_rule", reason, columns), columns)
    if row.gap is not None:
        return _Made(row.kind, Unread(row.gap, row.reason or "", columns), columns)
    check = _shared(_check(row, kwargs, columns, modern), _mostly(kwargs, modern))
    return _Made(
        kind="share" if isinstance(check, model.Share) else row.kind,
        check=check,
        columns=columns,
        scope=_scope(kwargs, modern, engine),
        caveats=_ignored(row, kwargs, modern),
    )


def _columns(row: Row, kwargs: Mapping[str, Json]) -> tuple[str, ...]:
    found: list[str] = []
    for name in row.columns:
        value = kwargs.get(name)
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
        if name in kwargs and not (name == "ignore_row_if" and kwargs[name] is None)
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
    names = sorted((row.known - set(row.columns)) & kwargs.keys())
    return tuple((name, element_text(kwargs[name])) for name in names)


def _mostly(kwargs: Mapping[str, Json], modern: bool) -> Decimal:
    given = kwargs.get("mostly")
    if given is None and (not modern or "mostly" not in kwargs):
        return Decimal(1)
    return args.share(given, modern)


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


def _scope(kwargs: Mapping[str, Json], modern: bool, engine: Engine | None) -> SqlText | None:
    """The row condition. Spark SQL is read here; other syntaxes have their own reader."""
    condition = kwargs.get("row_condition")
    if condition in (None, ""):
        return None
    parser = kwargs.get("condition_parser")
    if isinstance(condition, dict) and condition.get("type") == "pass_through":
        condition = condition.get("pass_through_filter")
    spark = parser == "spark" or (parser is None and modern and engine == "spark")
    if spark and isinstance(condition, str):
        return SqlText(condition, "spark", bad=False)
    return SqlText(element_text(kwargs["row_condition"]), str(parser or "unknown"), bad=False)


def _ignored(row: Row, kwargs: Mapping[str, Json], modern: bool) -> tuple[Caveat, ...]:
    """Arguments that the tool did not know: 1.x refuses the rule, 0.x ran without them."""
    known = catalogue()
    allowed = row.known | known.noise | known.scope | (known.share if row.checks_records else set())
    unknown = sorted(kwargs.keys() - allowed - set(row.old))
    if unknown and modern:
        raise args.ArgumentFault(_unknown_argument(row, unknown[0]))
    effective = [name for name in row.old if kwargs.get(name)]
    if "parse_strings_as_datetimes" in effective:
        reason = "parse_strings_as_datetimes reads texts as dates the way Python's dateutil does"
        raise args.NoEquivalentFault(reason)
    return tuple(Caveat("argument_ignored", _unknown_argument(row, name)) for name in unknown)


def _unknown_argument(row: Row, name: str) -> str:
    near = difflib.get_close_matches(name, sorted(row.known | {"mostly"}), n=1)
    meant = f"; {near[0]} may have been meant" if near else ""
    return f"Great Expectations knows no argument {name} here{meant}"


def _unknown_type(name: str, kwargs: Mapping[str, Json]) -> _Made:
    near = difflib.get_close_matches(name, catalogue().rows, n=1, cutoff=0.8)
    meant = f"; the nearest core name is {near[0]}" if near else ""
    columns = tuple(
        v
        for k, v in kwargs.items()
        if k in ("column", "column_A", "column_B") and isinstance(v, str)
    )
    reason = f"{name} is no core expectation{meant}; its arguments are {args.shown(kwargs)}"
    return _Made("predicate", Unread("custom_expectation", reason, columns), columns)


def _unread(code: str, reason: str) -> _Made:
    return _Made("predicate", Unread(code, reason))


def _title(body: Mapping[str, Json]) -> str:
    return _text(body.get("description")) or ""


def _tags(body: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    meta = body.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    tags = {
        "severity": _text(body.get("severity")) or _text(meta.get("severity")),
        "owner": _text(meta.get("owner")),
        "notes": _notes(body.get("notes")) or _notes(meta.get("notes")),
        "dimension": _text(meta.get("dq_dimension")) or _text(meta.get("dimension")),
    }
    return tuple((name, value) for name, value in tags.items() if value)


def _notes(notes: Json) -> str | None:
    """A text, a list of texts, or `{"format", "content"}` around either."""
    if isinstance(notes, dict):
        return _notes(notes.get("content"))
    if isinstance(notes, Sequence) and not isinstance(notes, str):
        return " ".join(n for n in notes if isinstance(n, str)) or None
    return _text(notes)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
