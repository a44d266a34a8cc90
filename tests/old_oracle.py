"""The old verdict of Great Expectations 0.18.22, which runs in an environment of its own.

`make test` creates that environment as .venv-0.18; RULEFERRY_GX018 may name another one. The script
that runs there is tests/gx_0_18/old_verdicts.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

from ruleferry.converters.proof.frames import PandasStyle
from ruleferry.converters.proof.rows import Rows
from ruleferry.converters.proof.verdict import Overall, Raised, RowVerdicts, Verdict

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "tests" / "gx_0_18" / "old_verdicts.py"

Run: TypeAlias = Literal["v3 pandas", "v3 spark", "v2 pandas", "v2 spark"]


@dataclass
class OldOracle:
    """One process for all questions, started at the first one (some 10 s with Spark).

    The same question is asked once.
    """

    python: Path
    process: subprocess.Popen | None = None
    said: BinaryIO = field(default_factory=tempfile.TemporaryFile)
    answers: dict[str, list] = field(default_factory=dict)

    def verdicts(
        self,
        expectations: Sequence[Mapping[str, object]],
        rows: Rows,
        run: Run,
        style: PandasStyle = "numpy",
    ) -> list[Verdict]:
        """One verdict per expectation, {"expectation_type", "kwargs"} as a 0.x suite holds it.

        "v3 …" is the Validator of 0.13 to 0.18, "v2 …" the Dataset API of 0.8 to 0.12; pandas is
        2.1, Spark 3.5 without ANSI mode in UTC. `mostly` counts for nothing. `style` is that of
        `pandas_frame`.
        """
        question = json.dumps(
            {
                "run": run,
                "style": style,
                "columns": [(name, kind.text) for name, kind in rows.columns],
                "rows": [[_as_json(cell) for cell in row] for row in rows.cells],
                "expectations": list(expectations),
            }
        )
        if question not in self.answers:
            self.answers[question] = self._asked(question)
        return [_verdict(answer) for answer in self.answers[question]]

    def _asked(self, question: str) -> list[dict]:
        if self.process is None:
            self.process = subprocess.Popen(
                [self.python, SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.said,
                text=True,
                cwd=tempfile.gettempdir(),
                env={**os.environ, "PYTHONPATH": str(ROOT / ".typing")},
            )
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            self.said.seek(0)
            raise RuntimeError(self.said.read().decode(errors="replace")[-3000:])
        return json.loads(answer)

    def close(self) -> None:
        if self.process is not None:
            self.process.communicate()
        self.said.close()


def _as_json(cell):
    if isinstance(cell, bytes):
        return cell.hex()
    if isinstance(cell, date):
        return cell.isoformat()
    return str(cell) if isinstance(cell, Decimal) else cell


def _verdict(answer: Mapping[str, object]) -> Verdict:
    match answer:
        case {"rows": letters}:
            return RowVerdicts(letters)
        case {"success": success}:
            return Overall(success)
        case {"raised": message}:
            return Raised(message)
    raise AssertionError(answer)
