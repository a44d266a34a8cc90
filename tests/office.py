"""LibreOffice without a screen, with a profile of the tests' own."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path


def soffice() -> str | None:
    """The program; None where there is none."""
    return shutil.which("soffice")


@dataclass(frozen=True)
class Office:
    program: str
    folder: Path

    def convert(self, path: Path, form: str) -> Path:
        """The file in another form, or written anew in its own."""
        out = self.folder / form
        command = [self.program, f"-env:UserInstallation=file://{self.folder}/profile"]
        command += ["--headless", "--convert-to", form, "--outdir", str(out), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        made = out / path.with_suffix(f".{form}").name
        assert made.is_file(), done.stderr
        return made
