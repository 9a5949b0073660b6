"""What the person at the terminal sees while agents work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TextIO

from agent_framework import WorkflowEvent

from countersign.graph.messages import LANES

DOING = {
    "planner": "planning",
    "dispatcher": "researching",
    "fact_checker": "checking the facts",
    "drafter": "writing",
    "approval_gate": "proposing the version",
    "writer": "saving the report",
    "closing": "closing",
    "needs_revision": "closing",
}
"""What an executor does, by its id."""

LANE = "subtopic-"


class ProgressLines:
    """Writes a line for each stage as it begins, and how many researchers are done.

    A terminal has the count on a line that is written over; a file goes without it.

    Args:
        stream: where to.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._done: set[str] = set()
        self._last = ""

    def __call__(self, event: WorkflowEvent[Any]) -> None:
        """Show what an event of the framework's says, if anything."""
        executor = event.executor_id or ""
        if event.type == "executor_invoked" and executor in DOING:
            self._done.clear()
            self._line(f"… {DOING[executor]}")
        elif event.type == "executor_completed" and executor.startswith(LANE):
            self._done.add(executor)
            self._count()

    def _count(self) -> None:
        if self._stream.isatty():
            end = "\n" if len(self._done) == LANES else ""
            self._stream.write(f"\r  {len(self._done)} of {LANES} researchers done{end}")
            self._stream.flush()

    def _line(self, text: str) -> None:
        if text == self._last:
            return
        self._last = text
        self._stream.write(f"{text}\n")
        self._stream.flush()


class StagesTold:
    """Tells each stage as it begins, and how many researchers are done, in words.

    Args:
        tell: takes the words.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._done: set[str] = set()

    def __call__(self, event: WorkflowEvent[Any]) -> None:
        """Tell what an event of the framework's says, if anything."""
        executor = event.executor_id or ""
        if event.type == "executor_invoked" and executor in DOING:
            self._done.clear()
            self._tell(f"{DOING[executor]}\n")
        elif event.type == "executor_completed" and executor.startswith(LANE):
            self._done.add(executor)
            self._tell(f"{len(self._done)} of {LANES} researchers done\n")
