"""The datasets of a rules module: what stands below its edit block, and applies the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from string import Template

from ruleferry.converters.account import Module
from ruleferry.converters.rule import Action
from ruleferry.converters.writers.block_columns import (
    OF_RECORDS,
    Block,
    WrittenRule,
    speaks_of,
)
from ruleferry.converters.writers.clock import clock_column, free_name
from ruleferry.converters.writers.python_text import with_literal

_HELPERS = """

def _passes(condition):
    # NULL is no pass: an expectation holds only where its condition is TRUE.
    return f"coalesce(({condition}), false)"


def _sql_text(name):
    return "'" + name.replace("\\\\", "\\\\\\\\").replace("'", "\\\\'") + "'"


def _failed_rules(rules):
    # SQL for the names of the rules that a row breaks: '' where it breaks none.
    names = [f"CASE WHEN NOT {_passes(c)} THEN {_sql_text(n)} END" for n, c in rules.items()]
    return f"concat_ws(', ', {', '.join(names)})" if names else "''"


def _expect(decorator, rules):
    # A dictionary without rules asks for nothing, and the dataset stays as it is.
    return decorator(rules) if rules else lambda dataset: dataset
"""

_COMPUTED = """

def _with_names(columns):
    return [f"{sql} AS `{name}`" for name, sql in columns.items()]
"""

_LOOKED_UP = Template("""

def _with_lookups(table):
    # Every row (s) once: the keys of a lookup are distinct, and NULL equals none of them.
    columns, joins = ["s.*"$compared], []
    for found, lookup in LOOKUPS.items():
        names = {f"{found}_{n}": pair for n, pair in enumerate(lookup["keys"], 1)}
        keys = _with_names({name: theirs for name, (_, theirs) in names.items()})
        equal = [f"{ours} = `{found}`.`{name}`" for name, (ours, _) in names.items()]
        rows = f"{lookup['table']} WHERE {lookup.get('where', 'true')}"
        joins.append(f"LEFT JOIN (SELECT DISTINCT {', '.join(keys)} FROM {rows}) `{found}`")
        joins.append(f"ON {' AND '.join(equal)}")
        columns.append(f"`{found}`.`{found}_1` IS NOT NULL AS `{found}`")
    return spark.sql(f"SELECT {', '.join(columns)} FROM {table} s {' '.join(joins)}")
""")

_CHECKED = Template("""

@dp.$kind(comment="All rows; one that breaks a rule of RULES_FAIL stops the update")
@_expect(dp.expect_all_or_fail, RULES_FAIL)
def ${stem}_checked():
$rows
""")

_CLEAN = Template("""

@dp.$kind(comment="Rows that break no rule of RULES_DROP")
@_expect(dp.expect_all_or_drop, RULES_DROP)
@_expect(dp.expect_all, RULES_WARN)
def ${stem}_clean():
$rows
""")

_QUARANTINE = Template("""

@dp.$kind(comment="Rows that break a rule of RULES_DROP, and the names of those rules")
def ${stem}_quarantine():
$rows
    failed_rules = f"{_failed_rules(RULES_DROP)} AS $failed_rules"
    return checked.selectExpr("*", failed_rules).filter("$failed_rules <> ''")
""")

# One table with a column that parts its rows, and two views of it: no row is read twice.
_MARKED = Template("""

@dp.$kind(
    comment="All rows, marked where they break a rule of RULES_DROP",
    partition_cols=["$is_quarantined"],
)
@_expect(dp.expect_all_or_fail, RULES_FAIL)
@_expect(dp.expect_all, {**RULES_DROP, **RULES_WARN})
def ${stem}_checked():
$rows
    marked = rows.selectExpr("*", f"{_failed_rules(RULES_DROP)} AS $failed_rules")
    return marked.selectExpr("*", "$failed_rules <> '' AS $is_quarantined")


@dp.temporary_view(comment="Rows that break no rule of RULES_DROP")
def ${stem}_clean():
$clean


@dp.temporary_view(comment="Rows that break a rule of RULES_DROP, and the names of those rules")
def ${stem}_quarantine():
$quarantine
""")

_FIGURES = Template("""

@dp.materialized_view(comment="Figures; a broken rule of $rules $effect")
@_expect(dp.$decorator, $rules)
def ${stem}_$dataset():
$rows.selectExpr(*_with_names($figures))
""")

_QUERIES = Template("""

def _query_dataset(rule, query):
    # A dataset of its own, so that a query that fails leaves the others alone.
    @dp.materialized_view(name=f"${stem}_{rule}", comment=f"The figures of the rule {rule}")
    @_expect(dp.expect_all_or_fail, _only(rule, QUERY_RULES_FAIL))
    @_expect(dp.expect_all, _only(rule, QUERY_RULES_WARN))
    def figures():
        return spark.sql(query.replace("{SOURCE_TABLE}", SOURCE_TABLE))


def _only(rule, rules):
    return {rule: rules[rule]} if rule in rules else {}


def _query_datasets():
    for rule, query in QUERIES.items():
        _query_dataset(rule, query)


_query_datasets()
""")

# What express/schema_rules.py tests. It has its row on an empty table, too.
_SCHEMA = Template("""

@dp.materialized_view(comment="The names and types of the table's columns")
@_expect(dp.expect_all_or_fail, SCHEMA_RULES_FAIL)
@_expect(dp.expect_all, SCHEMA_RULES_WARN)
def ${stem}_schema():
    source = spark.sql(f\"""
        SELECT
            any_value(json_object_keys(to_json(struct(s.*), map('ignoreNullFields', 'false'))))
                AS names,
            any_value(regexp_extract(typeof(struct(s.*)), '^struct<(.*)>$$', 1)) AS inside
        FROM (VALUES (1)) LEFT JOIN (SELECT * FROM {SOURCE_TABLE} LIMIT 1) s ON TRUE
    \""")
    lower_names = "transform(names, n -> lower(n)) AS lower_names"
    types = "inside"
    for _ in range(10):  # what stands in angle brackets, from the innermost outwards
        types = f"regexp_replace({types}, '<[^<>]*>', '')"
    return source.selectExpr("names", lower_names, f"concat(',', {types}, ',') AS types")
""")


@dataclass(frozen=True, slots=True)
class Figures:
    """One dataset of figures: the names of its dictionaries, and what a broken rule does."""

    action: Action
    dataset: str
    figures: str
    rules: str
    decorator: str
    effect: str


# A failing dataset records no counts, so each action has a dataset of its own.
_OF_FIGURES = (
    Figures("fail", "figures_required", "FIGURES_REQUIRED", "FIGURE_RULES_FAIL",
            "expect_all_or_fail", "stops its update"),
    Figures("warn", "figures", "FIGURES", "FIGURE_RULES_WARN", "expect_all", "is counted"),
)  # fmt: skip


def figures_of(block: Block) -> Iterator[tuple[Figures, list[WrittenRule]]]:
    """The datasets of figures that the block has, and their rules."""
    figured = [rule for rule in block.rules if rule.over == "figures"]
    for figures in _OF_FIGURES:
        chosen = [rule for rule in figured if rule.action == figures.action]
        if chosen or figures.figures in block.columns:
            yield figures, chosen


def has_queries(block: Block) -> bool:
    return "QUERIES" in block.columns or any(rule.over == "query" for rule in block.rules)


def datasets_text(module: Module, block: Block) -> str:
    """All that follows the edit block."""
    helpers = _HELPERS
    helpers += _COMPUTED if block.columns else ""
    helpers += _lookups(block)
    parts = _marked(module, block) if module.quarantine == "column" else _three(module, block)
    figures = (_figures(module.stem, found, block) for found, _ in figures_of(block))
    more = []
    if any(rule.over == "schema" for rule in block.rules):
        more.append(_SCHEMA.substitute(stem=module.stem))
    if has_queries(block):
        more.append(_QUERIES.substitute(stem=module.stem))
    return helpers + "".join([*parts, *figures, *more])


def _lookups(block: Block) -> str:
    if not block.names("LOOKUPS", "COMPARED"):
        return ""
    more = ", *_with_names(COMPARED)" if "COMPARED" in block.columns else ""
    return _LOOKED_UP.substitute(compared=more)


def _figures(stem: str, found: Figures, block: Block) -> str:
    return _FIGURES.substitute(
        stem=stem,
        rows=_figured_rows(stem, found, block),
        dataset=found.dataset,
        figures=found.figures,
        rules=found.rules,
        decorator=found.decorator,
        effect=found.effect,
    )


def _figured_rows(stem: str, found: Figures, block: Block) -> str:
    """Figures are of the source, or of the checked table where they speak of a column of it."""
    added = block.names(*OF_RECORDS)
    figures = block.columns.get(found.figures, ())
    if not any(speaks_of(str(figure.value), added) for figure in figures):
        return "    return spark.read.table(SOURCE_TABLE)"
    read = with_literal("rows = spark.read.table(", f"{stem}_checked", ")", indent=4, brackets="")
    return "\n".join([*read, "    return rows"])


def _three(module: Module, block: Block) -> Iterator[str]:
    """The checked, the clean and the quarantine table."""
    stem, kind = module.stem, _kind(module)
    clock = clock_column(module)
    failed_rules = free_name("failed_rules", _spoken_of(module, block))
    rows = _source_rows("return ", module, block, clock)
    yield _CHECKED.substitute(kind=kind, stem=stem, rows=rows)
    yield _CLEAN.substitute(kind=kind, stem=stem, rows=_read("return ", module))
    checked = _read("checked = ", module)
    yield _QUARANTINE.substitute(kind=kind, stem=stem, rows=checked, failed_rules=failed_rules)


def _marked(module: Module, block: Block) -> Iterator[str]:
    """One table with a column for the quarantine, and views of its two parts."""
    texts = _spoken_of(module, block)
    failed_rules = free_name("failed_rules", texts)
    is_quarantined = free_name("is_quarantined", texts)
    yield _MARKED.substitute(
        kind=_kind(module),
        stem=module.stem,
        rows=_source_rows("rows = ", module, block, None),
        failed_rules=failed_rules,
        is_quarantined=is_quarantined,
        clean=_view(module, f"NOT {is_quarantined}"),
        quarantine=_view(module, is_quarantined),
    )


def _view(module: Module, condition: str) -> str:
    return f'{_read("checked = ", module)}\n    return checked.filter("{condition}")'


def _kind(module: Module) -> str:
    """A streaming table, or a materialized view of a batch."""
    return "table" if module.streaming else "materialized_view"


def _spoken_of(module: Module, block: Block) -> list[str]:
    """Texts that hold the names of the table's columns."""
    spoken = (column for entry in module.rules for column in entry.columns)
    return [*(rule.condition for rule in block.rules), *spoken, *module.columns]


def _source_rows(head: str, module: Module, block: Block, clock: str | None) -> str:
    """Statements that read the source, with the columns that the rules need."""
    flagged = "FLAGS" in block.columns
    read = _read_source(module, block)
    if clock is None and not flagged:
        return f"    {head}{read}"
    columns = ['"*"']
    columns += [f'"current_timestamp() AS {clock}"'] if clock else []
    columns += ["*_with_names(FLAGS)"] if flagged else []
    why = "    # The datasets below run at different moments; their rules read the time from here."
    lines = [why] if clock else []
    lines += [f"    source = {read}", f"    {head}source.selectExpr({', '.join(columns)})"]
    return "\n".join(lines)


def _read_source(module: Module, block: Block) -> str:
    if not block.names("LOOKUPS", "COMPARED"):
        return f"spark.{_reader(module)}.table(SOURCE_TABLE)"
    table = 'f"STREAM {SOURCE_TABLE}"' if module.streaming else "SOURCE_TABLE"
    return f"_with_lookups({table})"


def _reader(module: Module) -> str:
    return "readStream" if module.streaming else "read"


def _read(head: str, module: Module) -> str:
    head = f"{head}spark.{_reader(module)}.table("
    return "\n".join(with_literal(head, f"{module.stem}_checked", ")", indent=4, brackets=""))
