"""The reports of the last conversion, rendered again from its ledger and from what is proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ruleferry.converters.account import Ledger
from ruleferry.converters.config import Config
from ruleferry.converters.outputs import (
    LEDGER,
    Before,
    Content,
    refuse_overwriting,
    stale_outputs,
    write_all,
)
from ruleferry.converters.proof_file import open_proofs
from ruleferry.converters.report_files import filled_in, is_report, report_notices, report_outputs
from ruleferry.converters.reports.ledger_json import ledger_text
from ruleferry.converters.reports.ledger_reader import open_ledger
from ruleferry.converters.reports.rendering import rendered_view, view
from ruleferry.converters.reports.report import Report


@dataclass(frozen=True, slots=True)
class Rendered:
    """`written`: the reports, relative to `out`, which is as shown to a person."""

    report: Report
    written: tuple[str, ...]
    out: str
    notices: tuple[str, ...]


def last_report(config: Config) -> Report:
    """The view of the last conversion; no file is written. Raises InputFaults."""
    return _view(config, _ledger(config))


def render_again(config: Config, *, force: bool = False) -> Rendered:
    """Write the reports as `convert` does, and nothing else.

    Where they are others than the ledger says, since more is proved now or others are wanted, the
    ledger's list of files is mended; the rest of it stays as it is. Raises InputFaults with all
    that is wrong; then no file is changed.
    """
    folder, ledger = config.root / config.out, _ledger(config)
    shown = _view(config, ledger)
    reports = rendered_view(shown, config.reports)
    texts: dict[str, Content] = {**reports, **_mended(ledger, reports)}
    before = Before(replace(ledger, outputs=tuple(o for o in ledger.outputs if is_report(o))))
    if not force:
        refuse_overwriting(folder, config.out, texts, before, filled_in(config, ledger))
    stale, edited = stale_outputs(folder, list(texts), before, ())
    write_all(folder, texts, stale)
    notices = report_notices(stale, edited)
    return Rendered(shown, tuple(reports), config.out, tuple(notices))


def _ledger(config: Config) -> Ledger:
    name = f"{config.out}/{LEDGER}"
    return open_ledger(config.root / name, name)


def _view(config: Config, ledger: Ledger) -> Report:
    return view(ledger, open_proofs(config.root / config.out, config.out))


def _mended(ledger: Ledger, reports: Mapping[str, bytes]) -> dict[str, str]:
    """The ledger's text, where its list of files is not true any more."""
    others = [output for output in ledger.outputs if not is_report(output)]
    outputs = (*others, *report_outputs(reports))
    if set(outputs) == set(ledger.outputs):
        return {}
    return {LEDGER: ledger_text(replace(ledger, outputs=outputs))}
