"""Files -> readings: every file under the sources is read, used or listed with its reason."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from ruleferry.converters.config import Config, Source
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.predicates import SqlSettings
from ruleferry.converters.readers import BINARY, READERS, SCRIPTS
from ruleferry.converters.readers.raw import Counted, Faults, RawFile, Reader, TablesOf
from ruleferry.converters.reports.rendering import FILES
from ruleferry.converters.rule import Misfit, Reading
from ruleferry.converters.source_files import SourceFile, source_files
from ruleferry.converters.text_files import TextFile, read_text
from ruleferry.converters.told import NOTHING_TOLD
from ruleferry.converters.told_sources import as_told, with_profile_of, with_profiles
from ruleferry.converters.unread_files import (
    LOCK,
    NOT_READ,
    digest_of,
    listed,
    not_there,
    unreadable,
)

# What we write into the output folder.
_WRITTEN = ("ledger.json", "proof.json", *FILES.values(), "*_expectations.py")
_ANSWERS = "answers to our questions: `ruleferry answers` merges them into the decisions"
_TEXTS = (".csv", ".tsv")  # tables of text
# Bytes. Nobody writes a dictionary that large by hand, and data files have no bound.
_MOST = 200 * 1024 * 1024
_MOST_TEXT = 32 * 1024 * 1024  # of a table of text, which is not packed


@dataclass(frozen=True, slots=True)
class Sources:
    """The readings, sorted by file; `names`: file -> the name that stands for it in ids.

    `profiles`: file -> the SHA-256 of a profile that said how to read some of them. `configured`:
    file -> what the configuration says of one of which a person told something.
    """

    readings: tuple[Reading, ...]
    names: Mapping[str, str]
    profiles: Mapping[str, str] = field(default_factory=dict)
    configured: Mapping[str, Source] = field(default_factory=dict)


class ConservationError(Exception):
    """A reader lost an atom, or made one up: a fault of the tool, and nothing is written."""


def read_sources(config: Config, given: Sequence[str], *, partial: bool) -> Sources:
    """Raises InputFaults with all faults at once; with `partial` an unreadable file is a gap."""
    if not given and not config.sources:
        raise InputFaults([_no_sources(config)])
    named = _named_files(given, config)
    as_configured = [
        file
        for file in source_files(config, given)
        if file.shown_as in named or not _ours(file, config)
    ]
    found = [as_told(file, config) for file in as_configured]
    faults: list[Fault] = []
    found, misfits = with_profiles(found, as_configured, config)
    run = _Run(config, named, _profiles(found, config))
    readings: list[Reading] = []
    results = _unless_told(found, as_configured, _read(found, run), run)
    for source, reading in zip(found, results, strict=True):
        if not isinstance(reading, Reading):
            wrong_here = reading if isinstance(reading, tuple) else (reading,)
            faults += wrong_here
            reading = unreadable(source, wrong_here, _tables_of(source, run))
        misfit = misfits.get(source.shown_as, ())
        readings.append(
            replace(reading, misfits=(*reading.misfits, *misfit)) if misfit else reading
        )
    wrong = [*_unrecognised(readings, named)]
    if faults and not partial:
        wrong = [*faults, *wrong]
    elif not faults:  # what an unreadable file would have been called is not known
        wrong += _unused_tables(config, run.used)
    if wrong:
        raise InputFaults(wrong)
    names = {f.shown_as: f.source.name for f in found if f.source.name}
    told = {file: profile.sha256 for file, profile in run.profiles.items()}
    configured = {f.shown_as: f.source for f in as_configured if f.shown_as in config.told_files}
    return Sources(tuple(readings), _told_apart(names), told, configured)


def _unless_told(
    found: Sequence[SourceFile],
    as_configured: Sequence[SourceFile],
    results: Iterable[Reading | Faults],
    run: _Run,
) -> Iterable[Reading | Faults]:
    """A file that a told profile does not fit is read as if nobody had told it."""
    for file, before, result in zip(found, as_configured, results, strict=True):
        if isinstance(result, Reading) or file.source.profile == before.source.profile:
            yield result
            continue
        plain = replace(run, profiles=_profiles([before], run.config))
        again = next(iter(_read([with_profile_of(file, before)], plain)))
        faults = result if isinstance(result, tuple) else (result,)
        why = " ".join(map(str, faults))
        misfit = Misfit("profile", "refused", why)
        yield replace(again, misfits=(misfit,)) if isinstance(again, Reading) else again


def _no_sources(config: Config) -> Fault:
    return Fault(
        file=config.file or "command line",
        place="source",
        found="no source",
        expected="files or folders with rules",
        todo="Name them on the command line, or as [[source]] with a path in ruleferry.toml.",
    )


def _told_apart(names: Mapping[str, str]) -> dict[str, str]:
    """A [[source]] of several files names none of them alone: then the file's path is added."""
    shared = list(names.values())
    return {f: n if shared.count(n) == 1 else f"{n}/{f}" for f, n in names.items()}


def _ours(source: SourceFile, config: Config) -> bool:
    """What an earlier run wrote, the decisions and the configuration are no sources.

    A suite beside them is one: `expectations` is also where Great Expectations keeps its suites.
    """
    path = source.path.resolve()
    if path.parent == (config.root / config.out).resolve():
        return any(fnmatchcase(path.name, pattern) for pattern in _WRITTEN)
    ours = [config.decisions, *([config.file] if config.file else [])]
    return path in [(config.root / file).resolve() for file in ours]


def raw_workbook(config: Config, given: Sequence[str]) -> RawFile:
    """The only spreadsheet among the given files. Raises InputFaults."""
    found = [f for f in source_files(config, given) if f.path.suffix.lower() in BINARY]
    if len(found) != 1:
        shown = ", ".join(file.shown_as for file in found) or "none"
        todo = "Name the one that the profile is for."
        raise InputFaults([Fault("command line", "SOURCE", shown, "one spreadsheet", todo)])
    run = _Run(config, _named_files(given, config), _profiles(found, config))
    raw = _raw(found[0], run)
    if isinstance(raw, RawFile):
        return raw
    fault = raw if isinstance(raw, Fault) else Fault(raw.file, None, raw.why or "", "a file", "")
    raise InputFaults([fault])


@dataclass(frozen=True, slots=True)
class _Run:
    """What holds for all files of a run; `used`: the keys of --table that named one of them."""

    config: Config
    named: frozenset[str]
    profiles: Mapping[str, TextFile]
    used: set[str] = field(default_factory=set)


def _profiles(found: Sequence[SourceFile], config: Config) -> dict[str, TextFile]:
    """Raises InputFaults for those that can't be read."""
    names = {_shown(f.source.profile, config) for f in found if f.source.profile}
    read = {name: read_text(config.root / name, name) for name in sorted(names)}
    faults = [profile for profile in read.values() if isinstance(profile, Fault)]
    if faults:
        raise InputFaults(faults)
    return {name: profile for name, profile in read.items() if isinstance(profile, TextFile)}


def _shown(path: str, config: Config) -> str:
    return Path(os.path.relpath(config.root / path, config.root)).as_posix()


def _read(found: Sequence[SourceFile], run: _Run) -> Iterable[Reading | Faults]:
    """Each file's reading; a reader is given all of its files at once."""
    results: dict[str, Reading | Faults] = {}
    waiting: dict[Reader, list[RawFile]] = {}
    for source in found:
        reader = _reader(source.path)
        raw = _raw(source, run) if reader and _may_hold_rules(source, run) else listed(source)
        if reader and isinstance(raw, RawFile):
            waiting.setdefault(reader, []).append(raw)
        elif not isinstance(raw, RawFile):
            results[source.shown_as] = raw
    for reader, files in waiting.items():
        for raw, counted in zip(files, reader(files), strict=True):
            results[raw.file] = conserved(counted) if isinstance(counted, Counted) else counted
    return [results[source.shown_as] for source in found]


def _reader(path: Path) -> Reader | None:
    return None if path.name.startswith(LOCK) else READERS.get(path.suffix.lower())


def _may_hold_rules(source: SourceFile, run: _Run) -> bool:
    """A table of text or a script that is named as a schema states columns, and no rules."""
    if source.path.suffix.lower() not in (*_TEXTS, *SCRIPTS):
        return True
    tables = (settings.schema for settings in run.config.tables.values())
    sources = (named.schema for named in run.config.sources)
    schemas = [*run.config.schemas, *(s for group in (*sources, *tables) for s in group)]
    return source.shown_as not in {_shown(schema, run.config) for schema in schemas}


def _raw(source: SourceFile, run: _Run) -> RawFile | Fault | Reading:
    found = _way_of(source.path)(source)
    if not isinstance(found, tuple):
        return found
    text, data = found
    settings = source.source
    name = _shown(settings.profile, run.config) if settings.profile else None
    return RawFile(
        file=source.shown_as,
        text=text.text,
        sha256=text.sha256,
        engine=settings.engine,
        tables_of=_tables_of(source, run),
        parameters=run.config.parameters,
        table=settings.table,
        named=source.shown_as in run.named or source.shown_as in settings.path,
        data=data,
        profile=(name, run.profiles[name]) if name else None,
        missing_words=(*settings.null_words, *([""] if settings.blank == "missing" else [])),
        dialect=settings.dialect,
        sql=SqlSettings(settings.collation, settings.date_format, settings.week_start),
        told=run.config.told_files.get(source.shown_as, NOTHING_TOLD),
    )


def _way_of(
    path: Path,
) -> Callable[[SourceFile], tuple[TextFile, bytes] | Fault | Reading]:
    ending = path.suffix.lower()
    return _bytes if ending in BINARY else _script if ending in SCRIPTS else _text


def _script(source: SourceFile) -> tuple[TextFile, bytes] | Fault | Reading:
    """Scripts come in the encodings of the tools that saved them."""
    # A room that only scripts need.
    from ruleferry.converters.readers.sql.split.decoding import MOST, NoText, decode

    try:
        if source.path.stat().st_size > MOST:
            why = f"more than {MOST >> 20} MB; no script is that large"
            return Reading(source.shown_as, NOT_READ, digest_of(source.path), why=why)
        data = source.path.read_bytes()
    except OSError as error:
        return not_there(source, error)
    found = decode(data)
    if isinstance(found, NoText):
        return Fault(source.shown_as, None, found.found, "a script of SQL as text", found.todo)
    return TextFile(found.text, hashlib.sha256(data).hexdigest()), b""


def _text(source: SourceFile) -> tuple[TextFile, bytes] | Fault:
    text = read_text(source.path, source.shown_as)
    return text if isinstance(text, Fault) else (text, b"")


def _bytes(source: SourceFile) -> tuple[TextFile, bytes] | Fault | Reading:
    try:
        most = _MOST_TEXT if source.path.suffix.lower() in _TEXTS else _MOST
        if source.path.stat().st_size > most:
            why = f"more than {most >> 20} MB; no dictionary is that large"
            return Reading(source.shown_as, NOT_READ, digest_of(source.path), why=why)
        data = source.path.read_bytes()
    except OSError as error:
        return not_there(source, error)
    # A room that only spreadsheets need.
    from ruleferry.converters.reports.workbook.recognise import is_gap_workbook

    sha256 = hashlib.sha256(data).hexdigest()
    if is_gap_workbook(data, source.shown_as):
        return Reading(source.shown_as, NOT_READ, sha256, why=_ANSWERS)
    return TextFile("", sha256), data


def conserved(counted: Counted) -> Reading:
    """The reading, if both counts agree and every atom has its rules. Raises ConservationError."""
    reading = counted.reading
    rules = Counter(rule.atom for rule in reading.rules)
    if not len(rules) == reading.atoms == counted.second_count:
        raise ConservationError(
            f"{reading.file}: {counted.second_count} rules were counted, {reading.atoms} were read "
            f"and {len(rules)} are accounted for"
        )
    for atom, wanted in counted.rules_of_atom.items():
        if rules[atom] != wanted:
            made = f"{rules[atom]} rules were made of it, and {wanted} were expected"
            raise ConservationError(f"{reading.file}, {atom}: {made}")
    return reading


def _tables_of(source: SourceFile, run: _Run) -> TablesOf:
    """`--table` by the suite's name or the file's path, name or stem."""
    config = run.config
    path = PurePosixPath(source.shown_as)
    given = Path(os.path.relpath(source.path, config.cwd)).as_posix()

    def tables(names: tuple[str, ...]) -> tuple[str, ...]:
        called = (*names, source.shown_as, given, path.name, path.stem)
        keys = [key for key in config.table_of if key in called]
        run.used.update(keys)
        return tuple(dict.fromkeys(t for key in keys for t in config.table_of[key]))

    return tables


def _unused_tables(config: Config, used: set[str]) -> Iterable[Fault]:
    for key in sorted(config.table_of.keys() - used):
        yield Fault(
            file="command line",
            place="--table",
            found=f'"{key}", which is no suite and no file of the sources',
            expected="the name of a suite, or the path, name or stem of a file",
            todo="Correct the name; ruleferry inspect lists what is there.",
        )


# Files that no reader reads -----------------------------------------------------------------------


def _unrecognised(readings: Sequence[Reading], named: frozenset[str]) -> Iterable[Fault]:
    """A file that was named itself, and is not recognised, is a fault."""
    for reading in readings:
        if reading.read_as == NOT_READ and reading.file in named:
            yield Fault(
                file=reading.file,
                place=None,
                found=reading.why or "",
                expected=f"a file that a reader knows ({', '.join(READERS)})",
                todo="Leave it out, or name its folder: then it is listed and not read.",
            )


def _named_files(given: Sequence[str], config: Config) -> frozenset[str]:
    paths = [config.cwd / name for name in given]
    return frozenset(Path(os.path.relpath(p, config.root)).as_posix() for p in paths if p.is_file())
