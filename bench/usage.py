"""What a process takes of the machine, as Linux tells it; other systems tell nothing here."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """The memory that a process has in RAM, in bytes, and the seconds of CPU it ever took."""

    memory: float
    cpu: float

    def __add__(self, other: Usage) -> Usage:
        return Usage(memory=self.memory + other.memory, cpu=self.cpu + other.cpu)


def usage(pid: int) -> Usage:
    """Return what one process takes; not a number where the system doesn't say."""
    if not _PROC.joinpath("self/stat").exists():
        return Usage(memory=float("nan"), cpu=float("nan"))
    fields = _PROC.joinpath(str(pid), "stat").read_text().rpartition(")")[2].split()
    return Usage(
        memory=int(fields[21]) * os.sysconf("SC_PAGE_SIZE"),
        cpu=(int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"),
    )


def children(pid: int) -> list[int]:
    """Return the ids of the processes that a process has started; none if nobody can tell."""
    lists = _PROC.glob(f"{pid}/task/*/children")
    return [int(child) for text in lists for child in text.read_text().split()]
