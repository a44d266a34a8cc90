"""Columns, literals, calls: what an expression is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from sqlglot import exp

from ruleferry.converters.dialects.tree import called
from ruleferry.converters.express.dialects.chars import stripped
from ruleferry.converters.express.dialects.empty import present
from ruleferry.converters.express.dialects.reading import Dialectal, Term
from ruleferry.converters.express.dialects.steps import (
    Step,
    differs,
    literal_text,
    no_meaning,
    null,
    only,
    read,
)
from ruleferry.converters.express.functions import call
from ruleferry.converters.express.refusal import Refusal
from ruleferry.converters.express.sql_types import (
    BOOLEAN,
    DATE,
    STRING,
    TIMESTAMP,
    number_type,
)

# Names that stand for something else than a column, unless they are quoted.
PSEUDO: dict[str, frozenset[str]] = {
    "oracle": frozenset({
        "rownum", "rowid", "level", "user", "uid", "ora_rowscn", "systimestamp", "localtimestamp",
        "dbtimezone", "sessiontimezone", "sysdate", "connect_by_isleaf", "connect_by_iscycle",
        "object_id", "object_value", "nextval", "currval",
    }),
    "teradata": frozenset({"date", "time", "user", "session", "account", "database", "profile"}),
    "db2": frozenset({"user", "sysdate", "current", "rownum", "rowid"}),
    "netezza": frozenset({"rowid", "datasliceid", "createxid", "deletexid", "user"}),
    "postgres": frozenset({"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "user"}),
    "redshift": frozenset({"sysdate", "user"}),
    "tsql": frozenset({"$action", "$identity", "$rowguid", "$partition"}),
    "bigquery": frozenset({"_partitiontime", "_partitiondate", "_table_suffix", "_file_name"}),
    "hive": frozenset({"input__file__name", "block__offset__inside__file"}),
    "snowflake": frozenset({"metadata$filename", "metadata$file_row_number"}),
}  # fmt: skip


def _column(node: exp.Expression, here: Dialectal) -> Term:
    assert isinstance(node, exp.Column)
    only(node, "this", "table", "db", "catalog")
    if not isinstance(node.this, exp.Identifier):
        raise no_meaning(node, here)
    if node.name.startswith("$") and not node.table:
        raise Refusal("parameter", f"the value of {node.name} is not known")
    if _STAND_IN.search(node.name):
        raise Refusal("parameter", "it holds a placeholder whose value is not known")
    plain = not node.this.args.get("quoted") and not node.table
    if node.name.lower() in PSEUDO.get(here.dialect.name, frozenset()) and plain:
        raise differs(f"{node.name} is no column in {here.dialect.called}, and not carried over")
    made = exp.Column(**{key: part.copy() for key, part in node.args.items() if part})
    return present(stripped(Term(made, here.type_of(node)), here), here)


# Literals -----------------------------------------------------------------------------------------


def _literal(node: exp.Expression, here: Dialectal) -> Term:
    if node.args["is_string"]:
        return _text(str(node.this), here)
    kind = number_type(str(node.this))
    if kind is None:
        raise Refusal("not_readable", f"the number {node.this} is out of Spark's range")
    return Term(exp.Literal.number(str(node.this)), kind)


# Stands for a placeholder of a script.
_STAND_IN = re.compile(r"ruleferry_p_\d+_", re.IGNORECASE)


def _text(value: str, here: Dialectal) -> Term:
    if _STAND_IN.search(value):
        raise Refusal("parameter", "it holds a placeholder whose value is not known")
    if not value and here.dialect.empty == "missing":
        return null()
    return Term(exp.Literal.string(value), STRING)


def _other_text(node: exp.Expression, here: Dialectal) -> Term:
    """N'…', q'[…]', r'…', $$…$$."""
    if isinstance(node, exp.National) and (called(node.parent) or ("",))[0] == "datalength":
        raise differs("the bytes of N'…' are counted as UTF-16 has them")
    if not isinstance(node.this, str):
        raise no_meaning(node, here)
    return _text(node.this, here)


def _escaped_text(node: exp.Expression, here: Dialectal) -> Term:
    """E'…' of PostgreSQL and its kin; elsewhere B'…' is a binary value."""
    if here.dialect.parser not in ("postgres", "redshift") or node.args.get("is_bytes"):
        raise differs("a binary literal is not carried over")
    return _other_text(node, here)


def _null(node: exp.Expression, here: Dialectal) -> Term:
    return null()


def _boolean(node: exp.Expression, here: Dialectal) -> Term:
    return Term(exp.Boolean(this=node.this), BOOLEAN)


def _parameter(node: exp.Expression, here: Dialectal) -> Term:
    name = node.name or node.sql()
    reason = f"the value of {name} is not known" if name else "it has a parameter without a name"
    raise Refusal("parameter", reason)


# Calls --------------------------------------------------------------------------------------------


def _today(node: exp.Expression, here: Dialectal) -> Term:
    only(node)
    return Term(call("current_date", []), DATE)


def _now(node: exp.Expression, here: Dialectal) -> Term:
    only(node, "sysdate")
    return Term(call("current_timestamp", []), TIMESTAMP)


_WITHOUT_TABLE = frozenset({"duckdb", "sql"})


def _call(node: exp.Expression, here: Dialectal) -> Term:
    found = called(node)
    assert found is not None
    return call_of(*found, here)


def call_of(name: str, arguments: Sequence[exp.Expression], here: Dialectal) -> Term:
    """A call by the dialect's table; the arguments stay in their tree. Raises Refusal."""
    from ruleferry.converters.express.dialects.calls import translated_call

    if name in _OURS:
        return _OURS[name](arguments, here)
    if here.dialect.name in _WITHOUT_TABLE:
        reason = f"the functions of {here.dialect.called} are not carried over"
        raise Refusal("unsupported_function", reason)
    return translated_call(name, arguments, lambda node: read(node, here), here)


def _overlaps(arguments: Sequence[exp.Expression], here: Dialectal) -> Term:
    from ruleferry.converters.express.dialects.forms import overlaps

    return overlaps(arguments, here)


def _validated(arguments: Sequence[exp.Expression], here: Dialectal) -> Term:
    from ruleferry.converters.express.dialects.casts import validated

    if len(arguments) != 1 or not isinstance(arguments[0], exp.Cast):
        raise differs("VALIDATE_CONVERSION with a format is not carried over")
    return validated(arguments[0], here)


def _safe(node: exp.Expression, here: Dialectal) -> Term:
    """SAFE.f(x) is NULL where f(x) stops with an error, as every function is here."""
    only(node, "this")
    return read(node.this, here)


# What `dialects.rewrites` makes calls of.
_OURS: Mapping[str, Callable[[Sequence[exp.Expression], Dialectal], Term]] = {
    "overlaps": _overlaps,
    "validate_conversion": _validated,
}


def _moment(node: exp.Expression, here: Dialectal) -> Term:
    """TIMESTAMP '2024-03-05 10:00:00' of Oracle, as sqlglot has it."""
    from ruleferry.converters.express.dialects.day_texts import is_iso, read_moment
    from ruleferry.converters.express.dialects.implicit import moment

    only(node, "this", "format")
    written = node.args.get("format")
    value = literal_text(node.this)
    known = written is not None and literal_text(written) == "%Y-%m-%d %H:%M:%S.%f"
    found = read_moment(value, here) if value and known and is_iso(value) else None
    if found is None or here.dialect.name != "oracle":
        raise no_meaning(node, here)
    return moment(found)


STEPS_HERE: dict[type[exp.Expression], Step] = {
    exp.Column: _column,
    exp.Literal: _literal,
    exp.National: _other_text,
    exp.RawString: _other_text,
    exp.Heredoc: _other_text,
    exp.ByteString: _escaped_text,
    exp.Null: _null,
    exp.Boolean: _boolean,
    **dict.fromkeys((exp.Parameter, exp.Placeholder, exp.SessionParameter, exp.Var), _parameter),
    exp.CurrentDate: _today,
    exp.CurrentTimestamp: _now,
    exp.Anonymous: _call,
    exp.StrToTime: _moment,
    exp.SafeFunc: _safe,
}
