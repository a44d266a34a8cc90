"""The options of the command line, laid over a configuration."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from ruleferry.converters import config_checks as checks
from ruleferry.converters.config import Config, FailOn, Source, TableSettings
from ruleferry.converters.config_checks import Parameter
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.rule import Action
from ruleferry.converters.table_names import name_key
from ruleferry.converters.toml_checks import Check, Unfit, text


@dataclass(frozen=True, slots=True)
class Options:
    """What the command line gave; None is not given. Paths are relative to the working directory.

    `table` holds SUITE_OR_FILE=catalog.schema.table, `param` NAME=VALUE.
    """

    out: str | None = None
    table: Sequence[str] | None = None
    schema: Sequence[str] | None = None
    engine: str | None = None
    dialect: str | None = None
    param: Sequence[str] | None = None
    profile: str | None = None
    streaming: Sequence[str] | None = None
    max_action: str | None = None
    fail_on: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class _Usage:
    """Collects what is wrong with the options."""

    faults: list[Fault] = field(default_factory=list)

    def value(self, option: str, checked_by: Check, given: str | None) -> str | None:
        if given is None:
            return None
        try:
            return cast("str", checked_by(given))
        except Unfit as unfit:
            self.fault(option, given, unfit.expected, unfit.todo)
            return None

    def pairs(self, option: str, form: str, given: Sequence[str] | None) -> list[tuple[str, str]]:
        """LEFT=RIGHT texts. A file's name may hold the sign, and so may a parameter's value."""
        split = str.partition if option == "--param" else str.rpartition
        found: list[tuple[str, str]] = []
        for item in given or ():
            left, _, right = (part.strip() for part in split(item, "="))
            if left and right:
                found.append((left, right))
            else:
                self.fault(option, item, form)
        return found

    def fault(self, option: str, given: str, expected: str, todo: str = "Change it.") -> None:
        self.faults.append(Fault("command line", option, f'"{given}"', expected, todo))


def with_options(config: Config, options: Options) -> Config:
    """A configuration in which each option given beats what the file says.

    --table and --param beat the one name that they give; --schema replaces every schema,
    --streaming every `streaming`. Raises InputFaults with all faults of the options.
    """
    usage = _Usage()
    value = usage.value
    changed = replace(
        config,
        out=_from_root(config, value("--out", text, options.out)) or config.out,
        fail_on=cast(
            "FailOn", value("--fail-on", checks.fail_on, options.fail_on) or config.fail_on
        ),
        max_action=cast(
            "Action", value("--max-action", checks.action, options.max_action) or config.max_action
        ),
        target=value("--target", text, options.target) or config.target,
        table_of=_table_of(usage, options.table),
        parameters={**config.parameters, **_parameters(usage, options.param)},
        options=_shaping(config, options),
    )
    changed = _with_reading(usage, changed, options)
    if options.schema is not None:
        changed = _with_schemas(changed, _paths(usage, config, options.schema))
    if options.streaming is not None:
        names = [usage.value("--streaming", text, name) for name in options.streaming]
        changed = _with_streaming(changed, [name for name in names if name])
    if usage.faults:
        raise InputFaults(usage.faults)
    return changed


# The options without which the same sources give another conversion.
_SHAPING = (
    *("table", "schema", "engine", "dialect", "param"),
    *("profile", "streaming", "max_action", "target"),
)
_PATHS = frozenset({"schema", "profile"})


def _shaping(config: Config, options: Options) -> tuple[str, ...]:
    """As a person writes them; a path as it is seen from the configuration's folder."""
    found = []
    for name in _SHAPING:
        given = getattr(options, name)
        for value in [given] if isinstance(given, str) else given or ():
            seen = _from_root(config, value) if name in _PATHS else value
            found.append(f"--{name.replace('_', '-')} {seen}")
    return tuple(sorted(found))


def _from_root(config: Config, path: str | None) -> str | None:
    """A path of the command line, seen from the configuration's folder."""
    if path is None:
        return None
    return Path(os.path.relpath(config.cwd / path, config.root)).as_posix()


def _paths(usage: _Usage, config: Config, given: Sequence[str]) -> tuple[str, ...]:
    checked = (_from_root(config, usage.value("--schema", text, path)) for path in given)
    return tuple(path for path in checked if path)


def _table_of(usage: _Usage, given: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """A suite that is named several times runs on several tables."""
    tables: dict[str, tuple[str, ...]] = {}
    for suite, name in usage.pairs("--table", "SUITE_OR_FILE=catalog.schema.table", given):
        usage.value("--table", checks.table_name, name)
        tables[suite] = tuple(dict.fromkeys((*tables.get(suite, ()), name)))
    return tables


def _parameters(usage: _Usage, given: Sequence[str] | None) -> dict[str, Parameter]:
    found: dict[str, Parameter] = {}
    for name, value in usage.pairs("--param", "NAME=VALUE", given):
        read = checks.parameter_text(value)
        if found.setdefault(name, read) != read:
            usage.fault("--param", f"{name}={value}", f"one value for {name}")
    return found


def _with_reading(usage: _Usage, config: Config, options: Options) -> Config:
    """How every source is read, as far as options say it."""
    engine = usage.value("--engine", checks.engine, options.engine)
    dialect = usage.value("--dialect", checks.dialect, options.dialect)
    profile = _from_root(config, usage.value("--profile", text, options.profile))
    return _each_source(
        replace(config, asked=Source(engine=engine, dialect=dialect, profile=profile)),
        lambda source: replace(
            source,
            engine=engine or source.engine,
            dialect=dialect or source.dialect,
            profile=profile or source.profile,
        ),
    )


def _with_schemas(config: Config, schemas: tuple[str, ...]) -> Config:
    bare = _each_source(config, lambda source: replace(source, schema=()))
    tables = {name: replace(table, schema=()) for name, table in config.tables.items()}
    return replace(bare, schemas=schemas, tables=tables)


def _each_source(config: Config, change: Callable[[Source], Source]) -> Config:
    return replace(config, sources=tuple(map(change, config.sources)), given=change(config.given))


def _with_streaming(config: Config, streaming: Sequence[str]) -> Config:
    """`streaming` holds for these tables alone; one that [tables] does not name is added."""
    wanted = {name_key(name): name for name in streaming}
    tables: dict[str, TableSettings] = {}
    for name, table in config.tables.items():
        spellings = [name_key(spelling) for spelling in (name, *table.aliases)]
        found = [spelling for spelling in spellings if wanted.pop(spelling, None)]
        tables[name] = replace(table, streaming=bool(found))
    added = {name: TableSettings(streaming=True) for name in wanted.values()}
    return replace(config, tables={**tables, **added})
