"""A file of SQL -> a reading: every rule that it states, and its books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from ruleferry.converters.dialects.words import DialectWord, dialect_word, sql_dialects
from ruleferry.converters.readers.json_text import Malformed
from ruleferry.converters.readers.raw import Counted, Faults, RawFile
from ruleferry.converters.readers.sql.behaviour import (
    Stop,
    followed,
    may_stop,
    stop_in,
    with_actions,
)
from ruleferry.converters.readers.sql.beside import facts_in
from ruleferry.converters.readers.sql.clues import proposal
from ruleferry.converters.readers.sql.count import second_count
from ruleferry.converters.readers.sql.dsl import (
    Project,
    Template,
    is_project,
    project_in,
    read_dbt_templates,
    sections,
    templates_in,
    with_severity,
)
from ruleferry.converters.readers.sql.found import Effect, Found, Piece, Script, Setting
from ruleferry.converters.readers.sql.labels import labelled
from ruleferry.converters.readers.sql.labels.sidecar import SideFacts, stem_of
from ruleferry.converters.readers.sql.legacy import TOOL, legacy_rules, places_of
from ruleferry.converters.readers.sql.split import (
    at_labels,
    comments_of,
    control_after,
    split,
)
from ruleferry.converters.readers.sql.statements import Stated, Told, stated_in
from ruleferry.converters.readers.sql.tools import DBT, Tool, tool_of
from ruleferry.converters.readers.yaml_text import parse_yaml
from ruleferry.converters.rule import LegacyRule, Origin, Reading, Table, Unread

# Endings that only one dialect has.
_BY_ENDING = {
    ".btq": "teradata", ".bteq": "teradata", ".hql": "hive", ".tsql": "tsql", ".psql": "postgres",
    ".plsql": "oracle", ".pls": "oracle", ".pks": "oracle", ".pkb": "oracle", ".db2": "db2",
    ".sqlx": "bigquery",
}  # fmt: skip
_TABLES = (".csv", ".tsv")
# Of tests that are no SQL of a dialect.
_ANY = "sql"


def read_all(files: Sequence[RawFile]) -> list[Counted | Faults]:
    tables = [raw for raw in files if raw.file.lower().endswith(_TABLES)]
    scripts = [raw for raw in files if raw not in tables]
    projects = [project_in(raw.text, raw.file) for raw in scripts if is_project(raw.file)]
    known = tuple(project for project in projects if project is not None)
    beside = _Beside(_templates(scripts), _sides(scripts, tables), known)
    return [_of_table(raw) if raw in tables else _read(raw, beside) for raw in files]


@dataclass(frozen=True, slots=True)
class _Beside:
    """What other files say: the project's own tests of dbt by name, facts by a script's stem, and
    what becomes of the tests of a project."""

    templates: Mapping[str, Template]
    sides: Mapping[str, SideFacts]
    projects: tuple[Project, ...]

    def of(self, raw: RawFile) -> SideFacts | None:
        return self.sides.get(stem_of(PurePosixPath(raw.file).name))


def _templates(scripts: Sequence[RawFile]) -> Mapping[str, Template]:
    found: dict[str, Template] = {}
    for raw in scripts:
        if "endtest" in raw.text:
            found.update(templates_in(raw.text))
    return found


def _sides(scripts: Sequence[RawFile], tables: Sequence[RawFile]) -> Mapping[str, SideFacts]:
    stems = {stem_of(PurePosixPath(raw.file).name) for raw in scripts}
    found: dict[str, SideFacts] = {}
    for table in tables:
        found.update(facts_in(table, stems))
    return found


def _of_table(raw: RawFile) -> Counted:
    why = "it tells names, severities and owners of the scripts"
    return Counted(Reading(raw.file, "used", raw.sha256, why=why), 0)


def _read(raw: RawFile, beside: _Beside) -> Counted | Faults:
    if any(each.file == raw.file and each.says() for each in beside.projects):
        why = "it says what becomes of tests of dbt"
        return Counted(Reading(raw.file, "used", raw.sha256, why=why), 0)
    word = word_of(raw)
    tool = tool_of(raw, beside.templates)
    if tool is not None and tool.whole:
        return _of_tool(raw, tool, word, beside)
    if _is_yaml(raw):
        return _no_tests(raw)
    if word.dialect is None and "endtest" not in raw.text:
        return _unknown(raw)
    return _of_script(raw, tool, word, beside)


def word_of(raw: RawFile) -> DialectWord:
    """What the user says, else what the ending says."""
    given = dialect_word(raw.dialect) if raw.dialect else None
    if given is not None and given.dialect is not None:
        return given
    by_ending = _BY_ENDING.get(PurePosixPath(raw.file).suffix.lower())
    return DialectWord(by_ending, given.wrapper if given else "")


# Files of tools -----------------------------------------------------------------------------------


def _of_tool(raw: RawFile, tool: Tool, word: DialectWord, beside: _Beside) -> Counted:
    dialect = sql_dialects()[word.dialect or _ANY]
    founds, lengths = tool.read(raw.text, raw.file, Setting(dialect, raw.sql), raw.parameters)
    script = Script(raw.file, raw.text, dialect, ())
    if tool.called == DBT:
        founds = with_severity(founds, raw.file, beside.projects)
    return _counted(raw, tool.called, Stated(founds, tests=sum(lengths.values())), script)


def _is_yaml(raw: RawFile) -> bool:
    return raw.file.lower().endswith((".yml", ".yaml"))


def _no_tests(raw: RawFile) -> Counted:
    why = "no tests of dbt, Soda or CloudDQ were found in it"
    try:
        parse_yaml(raw.text)
    except Malformed as fault:
        why = f"it can't be read as YAML: {fault.found} ({fault.place})"
    return Counted(Reading(raw.file, "not read", raw.sha256, why=why), 0)


# Scripts ------------------------------------------------------------------------------------------


def _of_script(raw: RawFile, tool: Tool | None, word: DialectWord, beside: _Beside) -> Counted:
    dialect = sql_dialects()[word.dialect or _ANY]
    script = split(raw.file, raw.text, dialect, word.wrapper)
    told = Told(word.wrapper, raw.sql, raw.parameters)
    if tool is not None:
        return _of_checks(raw, tool, script, told)
    templates = read_dbt_templates(raw.text, raw.file)
    stated = Stated(templates) if templates else stated_in(script, told)
    stated = replace(stated, founds=with_severity(stated.founds, raw.file, beside.projects))
    return _counted(raw, f"SQL of {dialect.called}", stated, script, beside.of(raw))


def _of_checks(raw: RawFile, tool: Tool, script: Script, told: Told) -> Counted:
    """A file whose lines #fail and #warn say what becomes of the check that follows."""
    setting = Setting(script.dialect, raw.sql)
    of_macros, _ = tool.read(raw.text, raw.file, setting, raw.parameters)
    founds = list(of_macros)
    for section in sections(raw.text):
        if not section.macro:
            piece = Piece("statement", section.start, section.end)
            alone = replace(script, pieces=(piece,))
            effect = Effect("test", action=section.action, detail=f"#{section.action}")
            found = stated_in(alone, told).founds
            founds += [
                replace(one, effect=replace(effect, value=one.effect.value)) for one in found
            ]
    founds.sort(key=lambda found: found.start)
    return _counted(raw, tool.called, Stated(tuple(founds)), script)


def _counted(
    raw: RawFile, read_as: str, stated: Stated, script: Script, side: SideFacts | None = None
) -> Counted:
    tests = stated.tests
    places = _places(stated.founds, script, by_part=tests is not None)

    def atom_of(found: Found) -> str:
        return places[found.start, found.part]

    founds = with_actions(stated.founds, raw.file, atom_of, _stops(script))
    stem, config = PurePosixPath(raw.file).stem, stated.config
    named = labelled(founds, script, stem, config=config, side=side, by_file=stated.by_file)
    pairs = list(zip(founds, named, strict=True))
    rules = tuple(legacy_rules(pairs, [atom_of(found) for found in founds], script, raw))
    atoms = len({rule.atom for rule in rules})
    reading = Reading(raw.file, read_as, raw.sha256, atoms, rules)
    return Counted(reading, second_count(script, founds) if tests is None else tests)


def _places(
    founds: Sequence[Found], script: Script, *, by_part: bool
) -> Mapping[tuple[int, str], str]:
    if by_part:  # the item of a list
        return {(found.start, found.part): found.part for found in founds}
    return places_of(founds, script)


def _stops(script: Script) -> Mapping[tuple[int, int], Stop]:
    """Start and end of a statement -> what ends the run after it, by a command or a comment."""
    found: dict[tuple[int, int], Stop] = {}
    labels = at_labels(script) if may_stop(script.text) else {}
    for piece in script.pieces if may_stop(script.text) else ():
        if piece.kind != "statement":
            continue
        texts = [followed(control_after(script, piece) or "", labels)]
        texts += [comment.text for comment in comments_of(script, piece)]
        stop = next((stop for text in texts if (stop := stop_in(text))), None)
        if stop is not None:
            found[piece.start, piece.end] = stop
    return found


def _unknown(raw: RawFile) -> Counted:
    """The whole script is one gap."""
    reason = f"nothing states its SQL dialect; {proposal(raw.text)}"
    stem = PurePosixPath(raw.file).stem
    rule = LegacyRule(
        origin=Origin(raw.file, "file", "", TOOL),
        atom="file",
        kind="predicate",
        check=Unread("dialect_unknown", reason),
        table=Table(raw.table or stem, stated=raw.table is not None),
        title="the whole script",
    )
    return Counted(Reading(raw.file, "SQL", raw.sha256, 1, (rule,)), 1)
