"""A PostgreSQL server of the tests' own, in a folder of theirs, without a network port."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_USER = "postgres"
_SEPARATOR = "\x1f"


def programs() -> Path | None:
    """The folder of the server's programs; None where there is none."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    found = shutil.which("postgres")
    if installed:
        return installed[-1].parent
    return Path(found).resolve().parent if found else None


@dataclass(frozen=True)
class Server:
    bin: Path
    folder: Path

    def rows(self, sql: str) -> list[tuple]:
        """What a query gives, each value as text, None for NULL."""
        lines = self.psql(sql).removesuffix("\n").split("\n")
        return [tuple(None if v == "\x1e" else v for v in x.split(_SEPARATOR)) for x in lines]

    def psql(self, sql: str) -> str:
        options = ["-X", "-q", "-A", "-t", "-F", _SEPARATOR, "-P", "null=\x1e"]
        options += ["-v", "ON_ERROR_STOP=1", "-h", str(self.folder), "-U", _USER, "-d", "postgres"]
        command = [str(self.bin / "psql"), *options, "-f", "-"]
        done = subprocess.run(command, input=sql, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(done.stderr)
        return done.stdout


@contextmanager
def server() -> Iterator[Server]:
    """It does not run as root, so root lends it the user that the package made."""
    found = programs()
    assert found is not None
    folder = Path(tempfile.mkdtemp(prefix="ruleferry-pg-"))
    try:
        if os.getuid() == 0:
            owner = pwd.getpwnam(_USER)
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        data = str(folder / "data")
        _run([str(found / "initdb"), "-D", data, "-U", _USER, "-A", "trust", "-E", "UTF8",
              "--locale=C.UTF-8", "--no-sync"])  # fmt: skip
        settings = f"-k {folder} -c listen_addresses='' -c fsync=off"
        control = [str(found / "pg_ctl"), "-D", data, "-w", "-t", "60"]
        _run([*control, "-l", str(folder / "log"), "-o", settings, "start"])
        try:
            yield Server(found, folder)
        finally:
            _run([*control, "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: Sequence[str]) -> None:
    user = _USER if os.getuid() == 0 else None
    group = pwd.getpwnam(_USER).pw_gid if user else None
    subprocess.run(command, check=True, capture_output=True, user=user, group=group, cwd="/")
