"""What is wrong with an input, told so that a person can mend it."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of an input: where it is, what was found, what was expected, what to do."""

    file: str
    place: str | None
    found: str
    expected: str
    todo: str

    def __str__(self) -> str:
        where = f"{self.file}, {self.place}" if self.place else self.file
        return f"{where}: found {self.found}; expected {self.expected}. {self.todo}"


class InputFaults(Exception):
    """All faults of a run at once: everything is read before anything is told."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))
