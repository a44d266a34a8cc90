"""Steps of workflows, actions and pipelines, run by bash as their services run them."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# What a service itself gives to every step of a shell; `-e` is GitHub's, not Azure's.
GITHUB_BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
AZURE_BASH = ("bash", "--noprofile", "--norc")


@dataclass
class Job:
    """One job in one folder: the texts that its expressions stand for, and what its steps set."""

    folder: Path
    temp: Path
    shell: tuple[str, ...]
    values: dict[str, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    failed: bool = False

    def run(self, script: str, env: Mapping[str, str] = {}) -> subprocess.CompletedProcess[str]:
        """Run one step's script; once one has failed, the job has."""
        given = {name: self.text(value) for name, value in env.items()}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            [*self.shell, "-c", self.text(script)],
            cwd=self.folder,
            env={**os.environ, "PATH": path, **self.env, **given},
            capture_output=True,
            text=True,
        )
        self.failed |= done.returncode != 0
        return done

    def text(self, text: str) -> str:
        """With every expression replaced, `${{ … }}` and `$(…)`; an unknown one fails the test."""
        text = re.sub(r"\$\{\{ (.+?) \}\}", lambda found: self.values[found[1]], text)
        return re.sub(r"\$\(([A-Z]\w*\.\w+)\)", lambda found: self.values[found[1]], text)
