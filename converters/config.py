"""`ruleferry.toml`, and the options of the command line that beat it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

from ruleferry.converters import config_checks as checks
from ruleferry.converters.config_checks import Parameter
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.rule import Action
from ruleferry.converters.table_names import name_key, same_table
from ruleferry.converters.text_files import read_text
from ruleferry.converters.told import ToldOfFile, ToldOfTable
from ruleferry.converters.toml_checks import (
    Check,
    Checker,
    Key,
    flag,
    parse_toml,
    shown,
    text,
    texts,
    words,
)

FILE_NAME = "ruleferry.toml"
Quarantine: TypeAlias = Literal["tables", "column"]
ReportKind: TypeAlias = Literal["md", "html", "xlsx"]
FailOn: TypeAlias = Literal["none", "gap", "differs", "assumed", "undecided"]


def _by(check: Check, *, required: bool = False) -> Mapping[str, object]:
    """Metadata of a field that a key of the file fills."""
    return {"check": check, "required": required}


@dataclass(frozen=True, slots=True)
class Source:
    """One [[source]]: which files, and how they are read."""

    path: tuple[str, ...] = field(default=(), metadata=_by(checks.patterns, required=True))
    name: str | None = field(default=None, metadata=_by(text))
    table: str | None = field(default=None, metadata=_by(checks.table_name))
    engine: str | None = field(default=None, metadata=_by(checks.engine))
    dialect: str | None = field(default=None, metadata=_by(checks.dialect))
    schema: tuple[str, ...] = field(default=(), metadata=_by(texts))
    profile: str | None = field(default=None, metadata=_by(text))
    collation: str | None = field(default=None, metadata=_by(text))
    date_format: str | None = field(default=None, metadata=_by(text))
    week_start: str | None = field(default=None, metadata=_by(checks.week_start))
    null_words: tuple[str, ...] = field(default=(), metadata=_by(words))
    blank: Literal["value", "missing"] = field(default="value", metadata=_by(checks.blank))


@dataclass(frozen=True, slots=True)
class TableSettings:
    """One [tables."x"]: x is the table as its sources state it, `name` what it is called now."""

    name: str | None = field(default=None, metadata=_by(checks.table_name))
    aliases: tuple[str, ...] = field(default=(), metadata=_by(texts))
    module: str | None = field(default=None, metadata=_by(checks.module))
    schema: tuple[str, ...] = field(default=(), metadata=_by(texts))
    streaming: bool = field(default=False, metadata=_by(flag))
    order_by: tuple[str, ...] = field(default=(), metadata=_by(texts))


@dataclass(frozen=True, slots=True)
class Actions:
    """[actions]. `default` is None where nobody decided: a rule then warns and is marked so."""

    default: Action | None = field(default=None, metadata=_by(checks.action))
    words: Mapping[str, Action] = field(default_factory=dict)
    rules: Mapping[str, Action] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Config:
    """All that a run is told; every path is relative to `root`, the configuration's folder.

    `file` is the configuration's name, None without one. From the command line alone come
    `schemas` (for every table), `table_of` (suite or file -> tables), `given`, how a file is read
    that no [[source]] names, `asked`, how every file is, and `options`, the words of those options
    that shape a conversion (`--dialect tsql`). `told_files` (file -> what of it),
    `told_tables` and `told_names` (old name, new name, who told it) are stewards' decisions.
    """

    root: Path
    cwd: Path
    file: str | None = None
    sha256: str | None = None
    out: str = field(default="expectations", metadata=_by(text))
    decisions: str = field(default="decisions.toml", metadata=_by(text))
    fail_on: FailOn = field(default="none", metadata=_by(checks.fail_on))
    max_action: Action = field(default="fail", metadata=_by(checks.action))
    quarantine: Literal["tables", "column"] = field(
        default="tables", metadata=_by(checks.quarantine)
    )
    target: str = field(default="lakeflow", metadata=_by(text))
    reports: tuple[ReportKind, ...] = field(
        default=("md", "html", "xlsx"), metadata=_by(checks.reports)
    )
    sources: tuple[Source, ...] = ()
    tables: Mapping[str, TableSettings] = field(default_factory=dict)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    actions: Actions = field(default_factory=Actions)
    schemas: tuple[str, ...] = ()
    table_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    given: Source = field(default_factory=Source)
    asked: Source = field(default_factory=Source)
    options: tuple[str, ...] = ()
    told_files: Mapping[str, ToldOfFile] = field(default_factory=dict)
    told_tables: tuple[ToldOfTable, ...] = ()
    told_names: tuple[tuple[str, str, str], ...] = ()


def load_config(path: Path | None, cwd: Path) -> Config:
    """Read a configuration: the file given, else `ruleferry.toml` in `cwd`, else the defaults.

    Raises InputFaults with all faults of the file.
    """
    if path is None and not (cwd / FILE_NAME).exists():
        return Config(cwd, cwd)
    place, shown_as = cwd / (path or FILE_NAME), str(path or FILE_NAME)
    file = read_text(place, shown_as, may_be_empty=True)
    if isinstance(file, Fault):
        raise InputFaults([file])
    data = parse_toml(file.text, shown_as)
    if isinstance(data, Fault):
        raise InputFaults([data])
    checker = Checker(shown_as, file.text)
    config = _read(checker, data, Config(place.parent, cwd, place.name, file.sha256))
    if checker.faults:
        raise InputFaults(checker.faults)
    return config


def _read(checker: Checker, data: Mapping[str, object], empty: Config) -> Config:
    tables_of_their_own = {"source", "tables", "parameters", "actions"}
    config = replace(
        empty,
        **checker.values(Config, data, (), also=tables_of_their_own),
        sources=checker.listed(Source, data.get("source", []), ("source",)),
        tables=checker.named(TableSettings, data.get("tables", {}), ("tables",)),
        parameters=checker.mapped(checks.parameter, data.get("parameters", {}), ("parameters",)),
        actions=_actions(checker, data.get("actions", {})),
    )
    _refuse_names_given_twice(checker, config)
    return config


def _actions(checker: Checker, value: object) -> Actions:
    given = checker.table(value, ("actions",)) or {}
    return Actions(
        **checker.values(Actions, given, ("actions",), also={"words", "rules"}),
        words=checker.mapped(checks.action, given.get("words", {}), ("actions", "words")),
        rules=checker.mapped(checks.action, given.get("rules", {}), ("actions", "rules")),
    )


def _refuse_names_given_twice(checker: Checker, config: Config) -> None:
    """A source's name, a table's spelling and a module each belong to one place."""
    places: dict[tuple[str, ...], tuple[Key, ...]] = {}
    for number, source in enumerate(config.sources):
        _once(checker, places, ("source", source.name or ""), ("source", number, "name"))
    for name, table in config.tables.items():
        at = ("tables", name)
        _once(checker, places, ("table", *name_key(name)), at)
        for alias in table.aliases:
            _once(checker, places, ("table", *name_key(alias)), (*at, "aliases"))
        _once(checker, places, ("module", table.module or ""), (*at, "module"))
        _once(checker, places, ("name", *name_key(table.name or "")), (*at, "name"))
    for word in config.actions.words:
        _once(checker, places, ("word", word.lower()), ("actions", "words", word))


def _once(
    checker: Checker,
    places: dict[tuple[str, ...], tuple[Key, ...]],
    name: tuple[str, ...],
    at: tuple[Key, ...],
) -> None:
    kind, *parts = name
    before = places.setdefault(name, at)
    if parts != [""] and before != at:
        found = f"the {kind} `{'.'.join(parts)}` again, after `{shown(before)}`"
        checker.fault(at, found, f"each {kind} in one place", "Keep one.")


def table_settings(config: Config, table: str) -> TableSettings | None:
    """What [tables] says of a table, sought by its own name and its aliases."""
    wanted = name_key(table)
    for name, settings in config.tables.items():
        if wanted in (name_key(name), *map(name_key, settings.aliases)):
            return settings
    return None


def told_name(config: Config, file: str, stated: str) -> str:
    """A table that a file calls so, as a person told it; --table is stronger than that."""
    given = (name for names in config.table_of.values() for name in names)
    told = config.told_files.get(file)
    if told is None or any(same_table(stated, name) for name in given):
        return stated
    return told.table(stated) or stated


def called_now(config: Config, file: str, stated: str, *, own: bool = False) -> tuple[str, ...]:
    """All names of a table: the source's, what a person told, and what [tables] makes of it.

    `own`: nothing but the file states it, so that its own name is another table's elsewhere.
    """
    told_of_file = config.told_files.get(file)
    told = told_name(config, file, stated)
    settings = table_settings(config, told)
    is_told = told_of_file is not None and told_of_file.table(stated) == told
    names = [stated] if not own else []
    names += [told] if is_told or not own else []
    if settings is not None:
        names.append(settings.name or told)
    return tuple(dict.fromkeys(names))


def told_of_table(config: Config, file: str, stated: str, *, own: bool) -> tuple[ToldOfTable, ...]:
    """What a person told of a table under any of its names."""
    if not config.told_tables:
        return ()
    here = called_now(config, file, stated)
    elsewhere = called_now(config, file, stated, own=own)
    return tuple(
        told
        for told in config.told_tables
        if told.is_about(file, here if told.file is not None else elsewhere)
    )
