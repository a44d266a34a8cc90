"""The types that a dialect casts to, as types of Spark."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from ruleferry.converters.column_types import ColumnType, parse_type
from ruleferry.converters.express.dialects.steps import differs

_T = exp.DataType.Type


@dataclass(frozen=True, slots=True)
class Target:
    """`length`: the characters that a text is cut to."""

    type: ColumnType
    length: int | None = None
    padded: bool = False

    @property
    def node(self) -> exp.DataType:
        return exp.DataType.build(self.type.text, dialect="databricks")


_PLAIN = {
    _T.TINYINT: "smallint", _T.UTINYINT: "smallint", _T.SMALLINT: "smallint", _T.INT: "int",
    _T.MEDIUMINT: "int", _T.BIGINT: "bigint", _T.FLOAT: "double", _T.DOUBLE: "double",
    _T.DATE: "date", _T.DATETIME: "timestamp_ntz", _T.DATETIME2: "timestamp_ntz",
    _T.SMALLDATETIME: "timestamp_ntz", _T.TIMESTAMP: "timestamp_ntz",
    _T.TIMESTAMPNTZ: "timestamp_ntz", _T.TIMESTAMPTZ: "timestamp", _T.TIMESTAMPLTZ: "timestamp",
    _T.BOOLEAN: "boolean", _T.BIT: "boolean", _T.MONEY: "decimal(19,4)",
    _T.SMALLMONEY: "decimal(10,4)",
}  # fmt: skip
_TEXTS = frozenset({_T.TEXT, _T.VARCHAR, _T.NVARCHAR, _T.CHAR, _T.NCHAR, _T.NAME})
_PADDED = frozenset({_T.CHAR, _T.NCHAR})
# A length that is not written.
_LENGTHS = {"tsql": 30}
_DECIMALS = {
    "tsql": "decimal(18,0)", "oracle": "decimal(38,10)", "postgres": "decimal(38,10)",
    "mysql": "decimal(10,0)", "snowflake": "decimal(38,0)", "redshift": "decimal(18,0)",
    "hive": "decimal(10,0)", "impala": "decimal(9,0)", "teradata": "decimal(5,0)",
    "db2": "decimal(5,0)", "netezza": "decimal(18,0)", "bigquery": "decimal(38,9)",
    "databricks": "decimal(10,0)", "spark": "decimal(10,0)", "duckdb": "decimal(18,3)",
}  # fmt: skip
# Whole numbers of 38 digits.
_WIDE = frozenset({"oracle", "snowflake"})
_WHOLE = frozenset({_T.TINYINT, _T.SMALLINT, _T.INT, _T.BIGINT})


def target(node: exp.Expression, dialect: str) -> Target:
    """Raises Refusal for a type that is not carried over."""
    if not isinstance(node, exp.DataType):
        raise differs(f"a cast to {node.sql()} is not carried over")
    kind, sizes = node.this, [size.this.name for size in node.expressions if hasattr(size, "this")]
    if kind in _TEXTS:
        return _text(kind, sizes, dialect)
    if kind in _WHOLE and dialect in _WIDE:
        return Target(parse_type("decimal(38,0)"))
    if kind in _PLAIN:
        return Target(parse_type(_PLAIN[kind]))
    if kind in (_T.DECIMAL, _T.BIGDECIMAL):
        return Target(_decimal(sizes, dialect))
    raise differs(f"a cast to {node.sql()} is not carried over")


def _text(kind: object, sizes: list[str], dialect: str) -> Target:
    length = int(sizes[0]) if sizes and sizes[0].isdigit() else None
    if length is None and not sizes and kind is not _T.TEXT:
        one = kind in _PADDED and dialect not in ("tsql", "mysql")
        length = 1 if one else _LENGTHS.get(dialect)
    return Target(parse_type("string"), length, kind in _PADDED)


def _decimal(sizes: list[str], dialect: str) -> ColumnType:
    if not sizes:
        return parse_type(_DECIMALS.get(dialect, "decimal(38,10)"))
    made = parse_type(f"decimal({','.join(sizes)})")
    if made.family != "decimal":
        raise differs(f"a cast to DECIMAL({', '.join(sizes)}) is not carried over")
    return made
