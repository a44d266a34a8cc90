"""SQL checks of ETL jobs: scripts, DDL, dbt, Soda, SQLMesh and Dataform."""

from __future__ import annotations

from collections.abc import Sequence

from ruleferry.converters.readers.raw import Counted, Faults, RawFile


def read_files(files: Sequence[RawFile]) -> Sequence[Counted | Faults]:
    """A reading of each file, in their order."""
    # A large room, of which its parts need no more than themselves.
    from ruleferry.converters.readers.sql.reading import read_all

    return read_all(files)
