"""One expectation of a suite -> one legacy rule, by the table of expectation types."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from ruleferry.converters import predicates
from ruleferry.converters import rule as model
from ruleferry.converters.dialects.words import sql_of
from ruleferry.converters.predicates import Scope
from ruleferry.converters.readers.great_expectations import arguments as args
from ruleferry.converters.readers.great_expectations.catalogue import Row, catalogue
from ruleferry.converters.readers.great_expectations.databases import (
    on_database,
    refuse_database,
)
from ruleferry.converters.readers.great_expectations.generations import (
    PARSED,
    as_it_ran,
    in_its_generation,
    refuse_generation,
)
from ruleferry.converters.readers.great_expectations.parameters import (
    Given,
    filled,
    refuse_parameters,
    refuse_placeholders,
)
from ruleferry.converters.readers.great_expectations.row_condition import (
    engine_of,
    row_condition,
)
from ruleferry.converters.readers.great_expectations.version import Generation, Ran, Version
from ruleferry.converters.readers.json_text import Json, json_text
from ruleferry.converters.rule import (
    Caveat,
    Check,
    Engine,
    Kind,
    LegacyRule,
    Origin,
    Table,
    Unread,
    engine_kind,
)

TOOL = "great_expectations"
TYPE_KEYS = ("type", "expectation_type")
# What an expectation states beside its arguments.
KEYS = frozenset(
    (*TYPE_KEYS, "kwargs", "meta", "id", "ge_cloud_id", "severity", "notes", "description")
    + ("rendered_content", "expectation_context", "success_on_last_run")
)


_OF_QUERIES, _QUERY = "unexpected_rows_expectation", "unexpected_rows_query"


@dataclass(frozen=True, slots=True)
class Context:
    """What the suite's file says of all its expectations."""

    file: str
    table: Table
    engine: Engine | None
    tags: tuple[tuple[str, str], ...] = ()
    parameters: Mapping[str, Given] = field(default_factory=dict)
    version: Version | None = None
    generation: Generation | None = None


@dataclass(frozen=True, slots=True)
class _Made:
    """What is checked, before it is known where and for whom."""

    kind: Kind
    check: Check
    columns: tuple[str, ...] = ()
    scope: Scope | None = None
    caveats: tuple[Caveat, ...] = ()


def read_expectation(
    element: Json, index: int, context: Context, *, place: str | None = None, stated: Json = None
) -> LegacyRule:
    """The rule of `expectations[index]`; whatever can't be understood becomes an `Unread` check.

    `place`: where else it stands; `stated`: the author's own form of it, if it is another one.
    """
    body = element if isinstance(element, dict) else {}
    context = _with_engine(body, context)
    made = _make(element, context)
    place = place or f"expectations[{index}]"
    text = json_text(element if stated is None else stated)
    return LegacyRule(
        origin=Origin(context.file, place, text, TOOL, context.engine),
        atom=place,
        kind=made.kind,
        check=made.check,
        table=context.table,
        columns=made.columns,
        scope=made.scope,
        title=_title(body, made),
        author_id=_first(body.get("id"), body.get("ge_cloud_id")),
        tags=tuple(
            {**dict(context.tags), **dict(_tags(body))}.items()
        ),  # its own beats the suite's
        caveats=made.caveats,
    )


def _with_engine(body: Mapping[str, Json], context: Context) -> Context:
    """Where nothing else states the engine, the one whose syntax its row condition is in."""
    kwargs = body.get("kwargs")
    if context.engine is not None or not isinstance(kwargs, dict):
        return context
    engine = engine_of(kwargs)
    return replace(context, engine=engine) if engine else context


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
    if len({element[key] for key in TYPE_KEYS if isinstance(element.get(key), str)}) > 1:
        return _unread("malformed", "its type and its expectation_type are two names")
    row = catalogue().row(name)
    if row is None:
        own = _with_query(element, kwargs, context)
        return own or _unknown_type(name, kwargs)
    if beside := element.keys() & (row.wants.keys() | {*row.columns, "mostly", "row_condition"}):
        reason = f"{', '.join(sorted(beside))} stands beside kwargs, and not in them"
        return _unread("malformed", reason)
    ran = Ran.of(element, context.version, context.engine, context.generation)
    never = {*row.columns, *catalogue().scope}
    given, told = filled(kwargs, context.parameters, modern=ran.modern, never=never)
    row, ran = in_its_generation(name, row, given, ran)
    made = _known(row, given, ran)
    return replace(made, caveats=made.caveats + told) if told else made


def _known(row: Row, kwargs: Mapping[str, Json], ran: Ran) -> _Made:
    columns: tuple[str, ...] = ()
    try:
        columns = _columns(row, kwargs)
        return _understood(row, kwargs, columns, ran)
    except args.ArgumentFault as fault:
        return _Made(row.kind, Unread(fault.code, str(fault), columns), columns)


def _understood(row: Row, kwargs: Mapping[str, Json], columns: tuple[str, ...], ran: Ran) -> _Made:
    """Raises ArgumentFault: first what Great Expectations refuses, then what can't be carried."""
    engine = ran.engine
    if engine is not None and engine_kind(engine) not in row.engines:
        raise args.ArgumentFault(f"the {engine} engine does not implement it, so it never ran")
    taken = catalogue().arguments(row, ran.generation)
    refuse_generation(row, kwargs, ran)
    caveats = refuse_database(row.check, ran) + _ignored(row, kwargs, taken, ran)
    _refuse_missing(row, kwargs, ran)
    if row.gap is not None:
        return _Made(row.kind, Unread(row.gap, row.reason or "", columns), columns)
    if kwargs.get("windows"):
        reason = "its bounds are computed anew at each run from earlier results (windows)"
        raise args.NoEquivalentFault(reason)
    given = {name: value for name, value in kwargs.items() if name in taken}
    refuse_parameters(given)
    check, told = as_it_ran(on_database(_check(row, given, columns, ran), ran), given, ran)
    if row.takes_mostly and "mostly" in given:
        check = _shared(check, args.share(given["mostly"], ran))
    condition = row_condition(given, ran, one_column=row.columns == ("column",))
    return _Made(
        kind="share" if isinstance(check, model.Share) else row.kind,
        check=check,
        columns=columns,
        scope=condition.scope,
        caveats=(
            *(*caveats, *told, *_of_dialect(row, engine)),
            *(*_of_texts(row, given, ran), *condition.caveats),
        ),
    )


def _of_texts(row: Row, given: Mapping[str, Json], ran: Ran) -> tuple[Caveat, ...]:
    """Numbers that are written as texts, which only Spark made numbers of."""
    numbers = (name for name, form in row.wants.items() if form in args.NUMERIC)
    texts = [name for name in numbers if args.is_numeric_text(given.get(name), ran)]
    if not texts or ran.engine is not None:
        return ()
    return (Caveat("engine_unknown", f"{', '.join(texts)} is a text; on pandas it is no number"),)


def _of_dialect(row: Row, engine: Engine | None) -> tuple[Caveat, ...]:
    if row.check != "SqlText" or engine is not None:
        return ()
    return (Caveat("engine_unknown", "its SQL is read as that of Spark"),)


def _refuse_missing(row: Row, kwargs: Mapping[str, Json], ran: Ran) -> None:
    missing = [name for name in row.required if kwargs.get(name) is None]
    for name in missing:
        if _lets_all_pass(row.open_without.get(name), name in kwargs, ran):
            raise args.VacuousFault(f"it has no {name}, and lets every value pass")
    if missing:
        raise args.ArgumentFault(f"it has no {', '.join(missing)}")
    if row.one_of and all(kwargs.get(name) is None for name in row.one_of):
        neither = f"it has neither {' nor '.join(row.one_of)}"
        if (row.check, ran.generation, ran.engine) == ("Length", "v2", "spark"):
            raise args.VacuousFault(f"{neither}, and lets every value pass")
        raise args.ArgumentFault(neither)


def _lets_all_pass(without: str | None, is_null: bool, ran: Ran) -> bool:
    if without == "null":
        return is_null and not ran.modern
    return without == "default" and not is_null and ran.generation != "v2"


def _columns(row: Row, kwargs: Mapping[str, Json]) -> tuple[str, ...]:
    found: list[str] = []
    for name in row.columns:
        value = kwargs.get(name)
        refuse_parameters({name: value})
        values = value if name == "column_list" and isinstance(value, list) else [value]
        names = [v for v in values if isinstance(v, str) and v]
        if not names or len(names) < len(values):
            near = difflib.get_close_matches(
                name, kwargs.keys() - set(row.columns), n=1, cutoff=0.7
            )
            meant = f"; {near[0]} may have been meant for it" if near and value is None else ""
            found_there = f"found {args.shown(value)}{meant}"
            raise args.ArgumentFault(f"{name}: a column was expected, {found_there}")
        refuse_placeholders(name, names)
        found += names
    if len(found) < 2 and "column_list" in row.columns:
        raise args.ArgumentFault("column_list: two columns or more were expected, found one")
    return tuple(found)


def _check(row: Row, kwargs: Mapping[str, Json], columns: tuple[str, ...], ran: Ran) -> Check:
    given = {
        name: args.FORMS[form](kwargs[name], ran)
        for name, form in row.wants.items()
        if name in kwargs
    }
    values = dict(row.fixed)
    values |= {field: given[name] for field, name in row.fields.items() if name in given}
    match row.check:
        case "Unique":
            return model.Unique(columns, by_engine=True, **values)  # type: ignore[arg-type]
        case "Ordered":
            return model.Ordered(columns[0], **values)  # type: ignore[arg-type]
        case "Figure":
            return model.Figure(row.measure, columns, tuple(sorted(given.items())))
        case "Columns":
            return model.Columns(row.measure, columns, tuple(sorted(given.items())))
        case "SqlText":
            text, dialect = str(values["text"]), sql_of(ran.engine)
            return model.Row(predicates.SqlText(text, dialect, bad=True, whole_query=True))
        case "Compare":
            values = {"operator": ">"} | values
            return model.Row(predicates.Compare(columns[0], right=columns[1], **values))  # type: ignore[arg-type]
        case "PairIn":
            return model.Row(predicates.PairIn(columns[0], columns[1], **values))  # type: ignore[arg-type]
        case "DistinctWithin" | "SameWithin" | "SumIs":
            return model.Row(_SEVERAL[row.check](columns, **values))
        case _:
            return model.Row(_SINGLE[row.check](columns[0], **values))


_SEVERAL = {
    "DistinctWithin": predicates.DistinctWithin,
    "SameWithin": predicates.SameWithin,
    "SumIs": predicates.SumIs,
}
_SINGLE = {
    "Present": predicates.Present,
    "Absent": predicates.Absent,
    "Range": predicates.Range,
    "OneOf": predicates.OneOf,
    "Matches": predicates.Matches,
    "Like": predicates.Like,
    "Length": predicates.Length,
    "Format": predicates.Format,
    "Json": predicates.Json,
}


def _shared(check: Check, mostly: Decimal) -> Check:
    """With `mostly` below 1; a statement about the table is none about a share of its records."""
    if mostly < 1 and isinstance(check, model.Row | model.Unique | model.Ordered | model.Figure):
        return model.Share(check, mostly)
    return check


def _ignored(
    row: Row, kwargs: Mapping[str, Json], taken: frozenset[str], ran: Ran
) -> tuple[Caveat, ...]:
    """Arguments that the tool did not know: 0.13 to 0.18 ran without them, others refuse them."""
    unknown = sorted(kwargs.keys() - taken - catalogue().noise)
    if unknown and ran.generation != "v3":
        raise args.ArgumentFault(_unknown_argument(unknown[0], taken))
    of_many = row.check in ("Ordered", "Figure")
    if of_many and PARSED in row.old and kwargs.get(PARSED):
        reason = "parse_strings_as_datetimes reads texts as dates the way Python's dateutil does"
        raise args.NoEquivalentFault(reason)
    return tuple(Caveat("argument_ignored", _unknown_argument(name, taken)) for name in unknown)


def _unknown_argument(name: str, taken: frozenset[str]) -> str:
    near = difflib.get_close_matches(name, sorted(taken), n=1)
    meant = f"; {near[0]} may have been meant" if near else ""
    return f"Great Expectations knows no argument {name} here{meant}"


def _with_query(
    element: Mapping[str, Json], kwargs: Mapping[str, Json], context: Context
) -> _Made | None:
    """A class of the project's own that states a query of bad rows: one of that for queries."""
    if kwargs.keys() - catalogue().noise != {_QUERY}:
        return None
    made = _make({**element, **{k: _OF_QUERIES for k in TYPE_KEYS if k in element}}, context)
    if isinstance(made.check, Unread):
        return None
    detail = f"{type_of(element)} is read as that query alone"
    return replace(made, caveats=(*made.caveats, Caveat("own_query", detail)))


def _unknown_type(name: str, kwargs: Mapping[str, Json]) -> _Made:
    alike = [n for n, row in catalogue().rows.items() if set(row.columns) <= set(_named(kwargs))]
    near = difflib.get_close_matches(name.lower(), alike, n=1, cutoff=0.8)
    meant = f"; the nearest core name is {near[0]}" if near else ""
    columns = tuple(v for v in map(kwargs.get, _named(kwargs)) if isinstance(v, str) and v)
    reason = f"{name} is no core expectation{meant}; its arguments are {args.shown(kwargs, 300)}"
    return _Made("predicate", Unread("custom_expectation", reason, columns), columns)


def _named(kwargs: Mapping[str, Json]) -> list[str]:
    """The arguments that name columns."""
    return [k for k in ("column", "column_A", "column_B", "column_list") if k in kwargs]


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
        "notes": noted(body.get("notes")) or noted(meta.get("notes")),
        "dimension": _first(meta.get("dq_dimension"), meta.get("dimension")),
    }
    return tuple((name, value) for name, value in tags.items() if value)


def noted(notes: Json) -> str | None:
    """A text, a list of texts, or `{"format", "content"}` around either."""
    if isinstance(notes, dict):
        return noted(notes.get("content"))
    if isinstance(notes, Sequence) and not isinstance(notes, str):
        return " ".join(n for n in notes if isinstance(n, str)) or None
    return _text(notes)


def _first(*values: Json) -> str | None:
    return next((v for v in values if isinstance(v, str) and v.strip()), None)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value.strip() else None
