"""The files of the reports: what the ledger says of them, and what people fill into one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ruleferry.converters.account import Ledger, Output
from ruleferry.converters.config import Config
from ruleferry.converters.decisions_file import open_decisions
from ruleferry.converters.errors import Fault
from ruleferry.converters.outputs import Lost, digest
from ruleferry.converters.reports.rendering import FILES, GAP_WORKBOOK


def report_outputs(reports: Mapping[str, bytes]) -> tuple[Output, ...]:
    return tuple(Output(file, digest(data)) for file, data in reports.items())


def is_report(output: Output) -> bool:
    return output.file in FILES.values()


def filled_in(config: Config, ledger: Ledger | None) -> Mapping[str, Lost]:
    """The workbook that people fill in: it asks the questions of the last conversion."""
    if ledger is None:
        return {}
    return {GAP_WORKBOOK: lambda path, shown: _answers_lost(config, ledger, path, shown)}


def _answers_lost(config: Config, ledger: Ledger, path: Path, shown: str) -> list[Fault]:
    # Both are read where the workbook was changed, and else by nobody.
    from ruleferry.converters.answers import unmerged

    decisions = open_decisions(config.root, config.decisions)
    return decisions if isinstance(decisions, list) else unmerged(path, shown, decisions, ledger)


def report_notices(stale: Sequence[str], edited: Sequence[str]) -> list[str]:
    """What became of reports that are not wanted any more."""
    return [f"{file}: removed, since `reports` does not name it" for file in stale] + [
        f"{file}: `reports` does not name it; it was changed by hand, so it was left"
        for file in edited
    ]
