"""The functions of a dialect: the rows of mappings/sql_<dialect>.toml and sql_common.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from ruleferry.converters.express.refusal import Refused
from ruleferry.converters.mappings import table

# Theirs is the table of Spark's own functions.
OWN = frozenset({"databricks", "spark"})
_COMMON = "common"
_Tables: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SqlFunction:
    """One row, as mappings/sql_common.toml explains it; `needed` of the kinds must be there."""

    name: str
    kinds: tuple[str, ...] = ()
    needed: int = 0
    repeated: bool = False
    means: str | None = None
    rule: str | None = None
    returns: str | None = None
    full: bool = False
    differs: str | None = None
    example: str | None = None
    value: str | None = None

    def kinds_of(self, count: int) -> tuple[str, ...] | None:
        """The kind of each of `count` arguments; None where so many can't be given."""
        if count < self.needed or (count > len(self.kinds) and not self.repeated):
            return None
        more = count - len(self.kinds)
        return self.kinds[:count] + self.kinds[-1:] * max(more, 0)


def function_of(dialect: str, name: str, count: int) -> SqlFunction | Refused | None:
    """What the dialect's table says of a call with `count` arguments; None: nothing."""
    for owner in (dialect, _COMMON):
        rows, refused = _rows(owner), _refused(owner)
        found = rows.get(f"{name}/{count}") or rows.get(name) or refused.get(name)
        if found is not None:
            return found
    return None


def is_known(dialect: str, name: str) -> bool:
    """With some number of arguments."""
    owners = (dialect, _COMMON)
    return any(row.name == name for owner in owners for row in _rows(owner).values())


def rows_of(dialect: str) -> Mapping[str, SqlFunction]:
    """Those of the dialect's own table; `common` for the table of all."""
    return _rows(dialect)


@cache
def words_of(dialect: str) -> Mapping[str, str]:
    """What is called without parentheses -> what it says in Spark: SYSDATE, CURRENT_DATE."""
    if dialect in OWN:
        return {}
    own, common = (_part(_file(owner), "words") for owner in (dialect, _COMMON))
    return {key: str(value) for key, value in {**common, **own}.items()}


@cache
def _rows(owner: str) -> Mapping[str, SqlFunction]:
    found: dict[str, SqlFunction] = {}
    tables = _file(owner)
    for other, names in _part(tables, "same").items():
        assert isinstance(names, list)
        found |= {name: _rows(other)[name] for name in names}
    for key, row in _part(tables, "functions").items():
        assert isinstance(row, dict)
        found[key] = _row(key, row)
    return found


def _row(key: str, row: dict[str, object]) -> SqlFunction:
    written = [kind.strip() for kind in str(row.pop("args")).split(",") if kind.strip()]
    return SqlFunction(
        key.partition("/")[0],
        kinds=tuple(kind.rstrip("?.") for kind in written),
        needed=sum(not kind.endswith("?") for kind in written),
        repeated=bool(written) and written[-1].endswith("..."),
        **row,  # type: ignore[arg-type]
    )


@cache
def _refused(owner: str) -> Mapping[str, Refused]:
    rows = _file(owner).get("refused", [])
    assert isinstance(rows, list)
    return {
        name: Refused(row["code"], f"{name}() can't be used: {row['reason']}")
        for row in rows
        for name in row["names"]
    }


def _part(tables: _Tables, name: str) -> dict[str, object]:
    found = tables.get(name, {})
    assert isinstance(found, dict)
    return found


@cache
def _file(owner: str) -> _Tables:
    return table(f"sql_{owner}")
