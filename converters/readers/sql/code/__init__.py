"""Procedural code: blocks, procedures, triggers and what they raise.

The code becomes a tree of a few kinds of statements; variables are followed from where they are set
to where they are tested, and what complains of records or of tables becomes a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ruleferry.converters.dialects.words import SqlDialect
from ruleferry.converters.readers.sql.code.effects import Around, exceptions_of
from ruleferry.converters.readers.sql.code.nodes import Trigger
from ruleferry.converters.readers.sql.code.place import Place, Work, apart
from ruleferry.converters.readers.sql.code.recognised import is_code
from ruleferry.converters.readers.sql.code.routines import nodes
from ruleferry.converters.readers.sql.code.statements import read_pending
from ruleferry.converters.readers.sql.code.triggers import runs_for
from ruleferry.converters.readers.sql.code.values import Code, Values, variables_of
from ruleferry.converters.readers.sql.code.walk import walk
from ruleferry.converters.readers.sql.found import Checked, Found, Prepared, Setting
from ruleferry.converters.rule import NotARule

__all__ = ["is_code", "read_code", "trigger_tables"]


def read_code(
    text: str,
    offset: int,
    setting: Setting,
    prepare: Callable[[str], Prepared],
    tables: Mapping[str, str] | None = None,
) -> tuple[Found, ...]:
    """What a block, a routine or a trigger checks; what is no rule says why.

    `tables`: the table of a trigger's function, where another statement tells it.
    """
    tree, tokens = nodes(text, setting.dialect)
    names = variables_of(tree, setting.dialect.name)
    code = Code(text, offset, tokens, setting, prepare, names)
    work = Work(tables=dict(tables or {}))
    values: Values = {}
    place = Place(code, Around(exceptions=exceptions_of(tree, tokens)))
    walk(tree, values, place, work)
    read_pending(place, work)
    founds = apart(sorted(work.founds, key=lambda found: found.start), text, offset)
    return founds or (_nothing(text, offset, work),)


def _nothing(text: str, offset: int, work: Work) -> Found:
    done = list(dict.fromkeys(work.quiet))
    reason = "; ".join(done[:4]) if done else "it does nothing"
    return Found(Checked(NotARule(reason), "predicate", None), offset, offset + len(text))


def trigger_tables(texts: Iterable[str], dialect: SqlDialect) -> dict[str, str]:
    """The functions that triggers run for each new record, and the tables of these.

    A function that runs for several tables is not among them.
    """
    found: dict[str, set[str]] = {}
    for text in texts:
        tree, tokens = nodes(text, dialect)
        for node in tree:
            pair = runs_for(tuple(tokens), node, text) if isinstance(node, Trigger) else None
            if pair is not None:
                found.setdefault(pair[0], set()).add(pair[1])
    return {name: next(iter(tables)) for name, tables in found.items() if len(tables) == 1}
