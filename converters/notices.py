"""What a conversion tells beside its figures, and actions that no rule takes."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from ruleferry.converters.action_keys import ActionKeys
from ruleferry.converters.config import Config
from ruleferry.converters.errors import Fault, InputFaults
from ruleferry.converters.plan import Plan
from ruleferry.converters.report_files import report_notices
from ruleferry.converters.reports.rendering import FILES
from ruleferry.converters.schemas import Schemas

# Lakeflow takes 100 source files in a pipeline, and 1,000 where folders are named.
_MOST_FILES = 100


def unused_actions(config: Config, planned: Plan) -> list[str]:
    return sorted(config.actions.rules.keys() - planned.keys.known)


def refuse_unused_actions(
    unused: Sequence[str], config: Config, planned: Plan, *, whole: bool
) -> None:
    """An action for a rule that isn't there would look like a decision and be none.

    Of some of the sources that the configuration names (not `whole`) it is not refused: others may
    state the rule. A name of several rules is several rules' name there as well.
    """
    keys, file = planned.keys, config.file or "ruleferry.toml"
    faults = [
        _of_several(key, keys.unclear[key], file)
        if key in keys.unclear
        else _of_none(key, keys, file)
        for key in unused
        if whole or key in keys.unclear
    ]
    if faults:
        raise InputFaults(faults)


def _of_none(key: str, keys: ActionKeys, file: str) -> Fault:
    near = difflib.get_close_matches(key, keys.proposed, n=1, cutoff=0)
    return Fault(
        file=file,
        place=f'actions.rules."{key}"',
        found="a rule that no source states",
        expected="table.rule, as ruleferry explain shows it",
        todo=f"Correct the name; the nearest is {near[0]}." if near else "Remove it.",
    )


def _of_several(key: str, better: Sequence[str], file: str) -> Fault:
    return Fault(
        file=file,
        place=f'actions.rules."{key}"',
        found=f"a name of {len(better)} rules, which do not say the same",
        expected="a name of one rule",
        todo=f"Write {' or '.join(better)} instead, or a line for each that is meant.",
    )


def undecided_there(unused: Sequence[str], config: Config) -> Iterator[str]:
    if unused:
        keys = ", ".join(unused)
        yield f"{config.file}: [actions.rules] speaks of rules that these files don't state: {keys}"


def notices_of(
    planned: Plan, schemas: Schemas, stale: Sequence[str], edited: Sequence[str]
) -> list[str]:
    notices = [f"{table}: no schema file has this table" for table in schemas.missing()]
    reports = {*FILES.values()}
    notices += [
        f"{file}: removed, since no rules go there any more"
        for file in stale
        if file not in reports
    ]
    notices += [
        f"{file}: no rules go there any more; it was edited by hand, so it was left"
        for file in edited
        if file not in reports
    ]
    notices += report_notices(
        [file for file in stale if file in reports], [file for file in edited if file in reports]
    )
    if len(planned.modules) > _MOST_FILES:
        notices.append(
            f"{len(planned.modules)} modules: a pipeline takes {_MOST_FILES} source files, "
            "and 1,000 in folders"
        )
    return notices
