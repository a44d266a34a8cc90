"""What differs in a module beside its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleferry.converters.drift.causes import Cause
from ruleferry.converters.drift.committed import Committed, head_of
from ruleferry.converters.drift.meaning import Columns, Tested
from ruleferry.converters.drift.rules import Found
from ruleferry.converters.drift.sides import Sides
from ruleferry.converters.drift.telling import at_line, columns_said
from ruleferry.converters.drift.words import What, happened, way_out
from ruleferry.converters.drifted import Accepted, At, Change, Difference, Level, Said
from ruleferry.converters.table_names import name_key, table_reference
from ruleferry.converters.writers.lakeflow import module_head
from ruleferry.converters.writers.rules_module import BLOCK_START


def of_modules(of: Sides) -> Iterator[Found]:
    needed = _needed(of.tested_then.values(), of.alone)
    for module in of.committed.values():
        yield from _elsewhere(module, of)
        yield from _table(module, of)
        yield from _outside(module, of)
        yield from _columns(module, of, needed)


def _elsewhere(module: Committed, of: Sides) -> Iterator[Difference]:
    """Its rules would be written to a module, and its datasets be called, after another name."""
    here = [rule_id for rule_id, rule in of.tested_then.items() if rule.file == module.file]
    now = {of.tested_now[rule_id].file for rule_id in here if rule_id in of.tested_now}
    for file in sorted(now - {module.file}):
        rest = of.causes.of_the_rest()
        cause = Cause(rest.side, f"its rules belong into {file} now; {rest.why}")
        yield _difference("name_changed", "changed", cause, "", module)


def _table(module: Committed, of: Sides) -> Iterator[Difference]:
    today = of.modules.get(module.file)
    if today is None:  # all of its rules are gone or elsewhere, which is told
        return
    there, now = module.rules.source_table, table_reference(today.source_table)
    if name_key(there) == name_key(now):
        return
    written = f"Lakeflow expectations for {today.source_table}, written by"
    by_hand = module.touched and written in module.text
    cause = Cause("hand") if by_hand else of.causes.of_the_rest()
    yield _difference("table_changed", "changed", cause, "SOURCE_TABLE", module, says=(there, now))


def _outside(module: Committed, of: Sides) -> Iterator[Difference]:
    if module.body_changed:
        below = f"what follows the edit block, from line {module.end} on, is not as it was written"
        cause = Cause("hand", below)
        yield _difference("edited_outside", "changed", cause, "", module, line=module.end)
    today = of.modules.get(module.file)
    if today is not None and module.head != head_of(module_head(today) + BLOCK_START):
        above = "what stands above the edit block is not as it was written"
        cause = Cause("hand", above) if module.touched else of.causes.of_the_rest()
        yield _difference("edited_outside", "changed", cause, "", module, line=1)
    for line in module.own_lines:
        cause = Cause("hand", "the edit block holds a statement of its own")
        yield _difference("edited_outside", "changed", cause, "", module, line=line)


def _needed(*rules: Iterable[Tested]) -> set[tuple[str, str]]:
    """The columns that rules are tested on, by module and name."""
    return {(r.file, column.name) for found in rules for r in found for column in r.rests_on}


def _columns(module: Committed, of: Sides, needed: set[tuple[str, str]]) -> Iterator[Found]:
    """Columns that no rule needs: a person's. Those of rules are told with their rules."""
    written = of.columns_now.get(module.file, Columns()).names
    for column in module.rules.columns:
        if (module.file, column.name) in needed or column.name.lower() in written:
            continue
        at = at_line(module.shown, column.line)
        says = Said(note=columns_said([column]))
        table = module.rules.source_table
        if column.manual:
            yield Accepted("manual", column.name, table, column.manual, module=at, module_says=says)
        else:
            cause = Cause("hand", f"{column.dictionary} has a column that no rule needs")
            yield _difference("edited_outside", "changed", cause, column.name, module, at=at)


def _difference(
    change: Change,
    level: Level,
    cause: Cause,
    name: str,
    module: Committed,
    *,
    says: tuple[str, str] | None = None,
    line: int | None = None,
    at: At | None = None,
) -> Difference:
    what = What(change, cause, stated=bool(name))
    return Difference(
        change=change,
        side=cause.side,
        level=level,
        rule=name,
        table=module.rules.source_table,
        detail=happened(what),
        todo=way_out(what),
        module=at or at_line(module.shown, line or module.table_line),
        module_says=Said(note=says[0]) if says else None,
        source_says=Said(note=says[1]) if says else None,
    )
