"""The rules of one table as a Python module of a Lakeflow pipeline: `<stem>_expectations.py`."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from string import Template

from ruleferry.converters.account import Entry, Module
from ruleferry.converters.mappings import caveats
from ruleferry.converters.reports.text import where
from ruleferry.converters.rule import Action, Origin, Outcome
from ruleferry.converters.table_names import table_reference
from ruleferry.converters.writers.block_columns import (
    OF_RECORDS,
    Block,
    WrittenRule,
    block_of,
)
from ruleferry.converters.writers.clock import clock_column, reading_column
from ruleferry.converters.writers.datasets import datasets_text, figures_of, has_queries
from ruleferry.converters.writers.python_text import (
    LINE_LENGTH,
    comment,
    literal,
    shortened,
    width,
    with_literal,
)
from ruleferry.converters.writers.rules_module import (
    BLOCK_END,
    BLOCK_START,
    DICTIONARIES,
    OTHER_DICTIONARIES,
    BlockColumn,
    ModuleRule,
    Over,
)

_STEM = re.compile(r"[a-z_][a-z0-9_]*")
_COMMENT = "    # "
_ORIGINS_SHOWN = 3

_HEADER = Template('''\
"""Lakeflow expectations for $table, written by ruleferry.

Add this file to a pipeline as source code. A rule is a name and a SQL condition that is TRUE for a
good row; the dictionary that it stands in says what becomes of a bad one. To change something by
hand, edit the block between the dashed lines and put `# manual: reason` above what you changed:
later conversions keep it.
"""

# ruff: noqa: F821
from pyspark import pipelines as dp
''')

_MEANING: Mapping[Action, str] = {
    "fail": "# A row that breaks one of these stops the update.",
    "drop": "# A row that breaks one of these goes to the quarantine, not to the clean table.",
    "warn": "# A row that breaks one of these is kept and counted.",
}

_MEANING_OF_FIGURE_RULES: Mapping[Action, str] = {
    "fail": "# A figure that breaks one of these stops the update of the figures alone.",
    "warn": "# A figure that breaks one of these is counted.",
}

_MEANING_OF_FIGURES = "# Figures of all rows of the table: name -> SQL."
_MEANING_OF_COLUMNS: Mapping[str, Sequence[str]] = {
    "LOOKUPS": (
        "# Other tables: the column that says whether a row is found in one -> the table, the keys "
        "(of",
        "# this table, of the other one) and, where not all of its rows count, which ones do.",
    ),
    "COMPARED": ("# Columns that compare a row (s) with the rows (l) of another table.",),
    "FLAGS": ("# Columns that the checked table adds, for rules that look at other rows.",),
    "FIGURES_REQUIRED": (_MEANING_OF_FIGURES,),
    "FIGURES": (_MEANING_OF_FIGURES,),
    "QUERIES": ("# Queries of one row, each a dataset of its own: rule -> SQL.",),
}
_MEANING_OF_QUERY_RULES: Mapping[Action, str] = {
    "fail": "# A query that breaks one of these stops the update of its own dataset alone.",
    "warn": "# A query that breaks one of these is counted.",
}
_MEANING_OF_SCHEMA_RULES: Mapping[Action, str] = {
    "fail": "# Columns or types that break one of these stop the update of the schema dataset.",
    "warn": "# Columns or types that break one of these are counted.",
}
_OVER: Mapping[Outcome, Over] = {"dataset": "figures", "schema": "schema"}


def module_text(
    module: Module, kept: Sequence[ModuleRule] = (), columns: Sequence[BlockColumn] = ()
) -> str:
    """The module's text, ready for `ruff format` at 100 columns.

    `module.stem` is `[a-z_][a-z0-9_]*` (ValueError otherwise); up to 80 characters of it, and names
    of rules up to 63, keep all lines within 100 columns. `kept` are rules that a person changed:
    each takes the place of the rule of its name, or is added; its condition is written as it is.
    `columns`: those that a person changed, or that a kept rule needs.
    """
    if not _STEM.fullmatch(module.stem):
        raise ValueError(f"no stem for the functions of a module: {module.stem!r}")
    block = module_block(module, kept, columns)
    lines = [_header(module), *_block(module, block), datasets_text(module, block)]
    return "\n".join(lines)


def module_block(
    module: Module, kept: Sequence[ModuleRule] = (), columns: Sequence[BlockColumn] = ()
) -> Block:
    """What stands in the module's edit block, in its order."""
    return block_of(tuple(_rules(module, kept)), columns)


def module_head(module: Module) -> str:
    """What stands above the edit block."""
    return _header(module)


def module_condition(entry: Entry, clock: str | None = "checked_at") -> str:
    """The entry's condition as its module has it.

    A drop rule reads the time from the column `clock` (`clock_column` names it); every other rule
    is as the ledger has it.
    """
    condition = entry.condition or ""
    return reading_column(condition, clock) if clock and entry.action == "drop" else condition


def _rules(module: Module, kept: Sequence[ModuleRule]) -> Iterator[WrittenRule]:
    """The entries in their order, a kept rule in place of its entry; then the other kept rules."""
    left = {rule.name: rule for rule in kept}
    clock = clock_column(module)
    digits = _short_ids(module.rules)
    for entry in module.rules:
        origins = _origins(digits[entry.id], module.origins[entry.id])
        computed = module.computed.get(entry.id, ())
        if entry.name in left:
            yield replace(_kept(left.pop(entry.name), (origins,)), computed=computed)
        else:
            condition = module_condition(entry, clock)
            assert entry.action, entry.id
            comments = (origins, *_notes(entry))
            of_query = any(column.over == "query" for column in computed)
            over = "query" if of_query else _OVER.get(entry.outcome, "record")
            yield WrittenRule(entry.name, entry.action, condition, comments, over, computed)
    yield from (_kept(rule) for rule in left.values())


def _kept(rule: ModuleRule, comments: tuple[str, ...] = ()) -> WrittenRule:
    why = (f"manual: {comment(rule.manual)}",) if rule.manual else ()
    return WrittenRule(rule.name, rule.action, rule.condition, (*comments, *why), rule.over)


def _header(module: Module) -> str:
    fixed = width(_HEADER.template.partition("\n")[0]) - len("$table")
    name = comment(module.source_table).replace("\\", "/").replace('"', "'")
    return _HEADER.substitute(table=shortened(name, LINE_LENGTH - fixed))


def _block(module: Module, block: Block) -> Iterator[str]:
    yield BLOCK_START
    yield from with_literal("SOURCE_TABLE = ", table_reference(module.source_table), "")
    yield from _columns_lines(block, *OF_RECORDS)
    for action, dictionary in DICTIONARIES.items():
        yield from _of_rules(block, "record", action, _MEANING[action], dictionary)
    for figures, chosen in figures_of(block):
        yield from _columns_lines(block, figures.figures)
        yield from _rules_lines(_MEANING_OF_FIGURE_RULES[figures.action], figures.rules, chosen)
    if any(rule.over == "schema" for rule in block.rules):
        for action, dictionary in OTHER_DICTIONARIES["schema"].items():
            meaning = _MEANING_OF_SCHEMA_RULES[action]
            yield from _of_rules(block, "schema", action, meaning, dictionary)
    if has_queries(block):
        yield from _columns_lines(block, "QUERIES")
        for action, dictionary in OTHER_DICTIONARIES["query"].items():
            meaning = _MEANING_OF_QUERY_RULES[action]
            yield from _of_rules(block, "query", action, meaning, dictionary)
    yield BLOCK_END


def _of_rules(
    block: Block, over: Over, action: Action, meaning: str, dictionary: str
) -> Iterator[str]:
    chosen = [rule for rule in block.rules if rule.over == over and rule.action == action]
    return _rules_lines(meaning, dictionary, chosen)


def _rules_lines(meaning: str, dictionary: str, rules: Sequence[WrittenRule]) -> Iterator[str]:
    yield ""
    yield meaning
    lines = [line for rule in rules for line in _rule_lines(rule)]
    yield from [f"{dictionary} = {{", *lines, "}"] if lines else [f"{dictionary} = {{}}"]


def _columns_lines(block: Block, *dictionaries: str) -> Iterator[str]:
    """LOOKUPS stands there even without an item, where another dictionary is joined with it."""
    for dictionary in dictionaries:
        columns = block.columns.get(dictionary, ())
        if columns or (dictionary == "LOOKUPS" and "COMPARED" in block.columns):
            yield from ("", *_MEANING_OF_COLUMNS[dictionary])
            lines = [line for column in columns for line in _column_lines(column)]
            yield from [f"{dictionary} = {{", *lines, "}"] if lines else [f"{dictionary} = {{}}"]


def _column_lines(column: BlockColumn) -> Iterator[str]:
    if column.manual:
        yield f"{_COMMENT}manual: {comment(column.manual)}"
    if isinstance(column.value, str):
        yield from _item(column.name, column.value)
        return
    (head,) = with_literal("", column.name, ": {", indent=4, brackets="")
    yield head
    yield from _item("table", table_reference(column.value.table), indent=8)
    yield '        "keys": ['
    for pair in column.value.keys:
        yield from _pair(*pair)
    yield "        ],"
    if column.value.where is not None:
        yield from _item("where", column.value.where, indent=8)
    yield "    },"


def _pair(ours: str, theirs: str) -> list[str]:
    line = f"            ({literal(ours)}, {literal(theirs)}),"
    if width(line) <= LINE_LENGTH:
        return [line]
    parts = [line for text in (ours, theirs) for line in with_literal("", text, ",", indent=16)]
    return ["            (", *parts, "            ),"]


def _item(name: str, text: str, indent: int = 4) -> list[str]:
    (key,) = with_literal("", name, ": ", indent=0, brackets="")
    return with_literal(key, text, ",", indent=indent)


def _rule_lines(rule: WrittenRule) -> Iterator[str]:
    yield from (_COMMENT + text.rstrip() for text in rule.comments)
    yield from _item(rule.name, rule.condition)


def _short_ids(rules: Iterable[Entry]) -> dict[str, str]:
    """Six digits of each id, or the whole id where six are not enough within the module."""
    ids = [rule.id for rule in rules]
    count = Counter(id_[:6] for id_ in ids)
    return {id_: id_[:6] if count[id_[:6]] == 1 else id_ for id_ in ids}


def _origins(digits: str, origins: Sequence[Origin]) -> str:
    """The id and the first places that state the rule, as many as one line holds."""
    head = f"[{digits}] "
    room = LINE_LENGTH - len(_COMMENT) - len(head)
    places = [comment(where(origin)) for origin in origins]
    for shown in range(min(len(places), _ORIGINS_SHOWN), 0, -1):
        text = "; ".join(places[:shown])
        more = f" and {len(places) - shown} more" if shown < len(places) else ""
        if width(text + more) <= room:
            return head + text + more
    return head + shortened(text, room - width(more)) + more


def _notes(entry: Entry) -> Iterator[str]:
    """What the condition alone doesn't show: a meaning that is not exact, NULL as a failure."""
    topics = caveats()
    inexact = [c for c in entry.caveats if topics[c.code].grade != "exact"]
    if entry.grade != "exact" and inexact:
        room = LINE_LENGTH - len(_COMMENT) - len(f"{entry.grade}: ")
        told = comment("; ".join([caveat.detail for caveat in inexact]))
        if width(told) > room:
            titles = dict.fromkeys(topics[caveat.code].title for caveat in inexact)
            told = shortened("; ".join(titles), room)
        yield f"{entry.grade}: {told}"
    if entry.nulls == "fail" and entry.kind != "present":
        yield "a missing value fails"
