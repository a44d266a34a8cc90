"""Tables beside scripts that say what these check: names, messages, severities, owners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from ruleferry.converters.readers.raw import RawFile
from ruleferry.converters.readers.sql.labels.sidecar import SideFacts, read_sidecar, stem_of
from ruleferry.converters.readers.sql.split.decoding import Decoded, decode


def tables_beside(scripts: Sequence[RawFile], tables: Sequence[RawFile]) -> frozenset[str]:
    """The files of those tables that speak of one of the scripts."""
    stems = {stem_of(PurePosixPath(raw.file).name) for raw in scripts}
    return frozenset(raw.file for raw in tables if facts_in(raw, stems))


def facts_in(table: RawFile, stems: set[str]) -> Mapping[str, SideFacts]:
    """A script's stem in lower case -> what the table says of it."""
    text = decode(table.data)
    return read_sidecar(text.text, stems) if isinstance(text, Decoded) else {}
