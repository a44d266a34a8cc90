"""Which of a few records a check finds bad, told by DuckDB and by plain Python."""

from __future__ import annotations

import duckdb

from ruleferry.converters.predicates import Absent, OneOf, Present, Range, SqlText
from ruleferry.converters.rule import Exists, Figure, Measured, Row, Unique

_BASE = duckdb.connect()


class Rows:
    """Records of one table; `types`: `a INTEGER, b VARCHAR`; `others`: name -> its SQL."""

    def __init__(self, types, rows, others=None):
        self.base = _BASE
        self.names = [part.split()[0] for part in types.split(",")]
        self.rows = [dict(zip(self.names, row, strict=True)) for row in rows]
        self.base.execute(f"CREATE OR REPLACE TABLE ruleferry_rows (ruleferry_at INTEGER, {types})")
        marks = ", ".join("?" * (len(self.names) + 1))
        for at, row in enumerate(rows):
            self.base.execute(f"INSERT INTO ruleferry_rows VALUES ({marks})", [at, *row])
        for name, sql in (others or {}).items():
            self.base.execute(f"CREATE OR REPLACE TABLE {name} AS {sql}")

    def where(self, condition):
        found = self.base.execute(f"SELECT ruleferry_at FROM ruleferry_rows WHERE {condition}")
        return {at for (at,) in found.fetchall()}

    def bad(self, checked):
        """The places of the bad records."""
        inside = self.in_scope(checked.scope)
        return self._bad(checked.check, inside) & inside

    def in_scope(self, scope):
        return set(range(len(self.rows))) if scope is None else self.where(_sql(scope))

    def _bad(self, check, inside):
        everywhere = set(range(len(self.rows)))
        match check:
            case Row(SqlText() as text):
                found = self.where(_sql(text))
                return found if text.bad else everywhere - found
            case Row(predicate):
                return {at for at in everywhere if not _holds(predicate, self.rows[at])}
            case Unique(columns, ignore):
                return self._copies(columns, ignore, inside)
            case Exists():
                return {at for at in everywhere if self._is_lost(check, self.rows[at])}
        raise AssertionError(check)

    def _copies(self, columns, ignore, inside):
        keys = {at: tuple(self.rows[at][name] for name in columns) for at in inside}
        missing = {at: [value is None for value in key] for at, key in keys.items()}
        tests = {"any_missing": any, "all_missing": all, "never": lambda found: False}
        left = {at: key for at, key in keys.items() if not tests[ignore](missing[at])}
        return {at for at, key in left.items() if list(left.values()).count(key) > 1}

    def _is_lost(self, check, row):
        keys = check.lookup.keys
        if any(row[ours] is None for ours, _ in keys):
            return check.missing == "bad" and not check.negated
        tests = " AND ".join(f"{theirs} = ?" for _, theirs in keys)
        scope = f" AND ({_sql(check.lookup.scope)})" if check.lookup.scope else ""
        sql = f"SELECT count(*) FROM {check.lookup.table} WHERE {tests}{scope}"
        found = self.base.execute(sql, [row[ours] for ours, _ in keys]).fetchone()[0] > 0
        return found if check.negated else not found

    def passes(self, checked):
        """The verdict of a check on the table as a whole."""
        if isinstance(checked.check, Measured):
            text = checked.check.predicate
            (found,) = self.base.execute(f"SELECT {_sql(text)} FROM ruleferry_rows").fetchone()
            return found is not True if text.bad else found is True
        assert isinstance(checked.check, Figure), checked.check
        assert checked.check.measure == "row_count"
        given = dict(checked.check.arguments)
        count = len(self.in_scope(checked.scope))
        low, high = given.get("min_value", 0), given.get("max_value", count)
        return low <= count <= high


def _sql(text):
    return text.tree.sql("duckdb")


def _holds(predicate, row):
    value = row[predicate.column]
    match predicate:
        case Present():
            return value is not None
        case Absent():
            return value is None
        case OneOf(_, values, negated):
            return value is None or (value in values) != negated
        case Range(_, low, high, low_open, high_open):
            if value is None:
                return True
            above = low is None or (value > low if low_open else value >= low)
            return above and (high is None or (value < high if high_open else value <= high))
    raise AssertionError(predicate)
