"""What a person told of files beats their [[source]]; a profile that is not there is not taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ruleferry.converters.config import Config
from ruleferry.converters.errors import Fault
from ruleferry.converters.readers import BINARY
from ruleferry.converters.rule import Misfit
from ruleferry.converters.source_files import SourceFile
from ruleferry.converters.text_files import read_text
from ruleferry.converters.told import NOTHING_TOLD


def as_told(file: SourceFile, config: Config) -> SourceFile:
    """What a person told of a file beats its [[source]]."""
    told, source = config.told_files.get(file.shown_as, NOTHING_TOLD), file.source
    if told is NOTHING_TOLD:
        return file
    source = replace(
        source,
        engine=told.engine or source.engine,
        dialect=told.dialect or source.dialect,
        profile=told.profile or source.profile,
    )
    return replace(file, source=source)


def with_profiles(
    found: Sequence[SourceFile], as_configured: Sequence[SourceFile], config: Config
) -> tuple[list[SourceFile], dict[str, tuple[Misfit, ...]]]:
    """Without the profiles that a person told and that are not there."""
    kept: list[SourceFile] = []
    misfits: dict[str, tuple[Misfit, ...]] = {}
    for file, before in zip(found, as_configured, strict=True):
        why = _no_profile(file, config)
        kept.append(with_profile_of(file, before) if why else file)
        if why:
            misfits[file.shown_as] = (Misfit("profile", "refused", why),)
    return kept, misfits


def with_profile_of(file: SourceFile, before: SourceFile) -> SourceFile:
    return replace(file, source=replace(file.source, profile=before.source.profile))


def _no_profile(file: SourceFile, config: Config) -> str | None:
    """Why a profile that a person told can't be taken."""
    name = config.told_files.get(file.shown_as, NOTHING_TOLD).profile
    if name is None:
        return None
    if file.path.suffix.lower() not in BINARY:
        return "a profile says how spreadsheets are read, and this is none"
    text = read_text(config.root / name, name)
    return str(text) if isinstance(text, Fault) else None
