"""How long a process takes to load the app, which a cold start in the cloud waits for."""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path

_BARE = Path(__file__).parent / "bare"
_OURS = Path(__file__).parent.parent
_LOAD = """
import time
before = time.perf_counter()
import function_app
print(time.perf_counter() - before)
"""

ROUNDS = 9


def run(rounds: int = ROUNDS) -> None:
    """Load the app and a bare one in turns, each time in a new process, and print a table."""
    # What is compiled to byte code once, or read from the disk, is not what is measured.
    for app in (_BARE, _OURS):
        _seconds(app)
    pairs = [(_seconds(_BARE), _seconds(_OURS)) for _ in range(rounds)]
    bare, ours = (statistics.median(each) for each in zip(*pairs, strict=True))
    print(f"loading the app, median of {rounds:<32}{'ms':>10}{'ratio':>10}")
    print(f"{'a bare AgentFunctionApp()':57}{1000 * bare:>10.0f}{1:>10.2f}")
    print(f"{'this app':57}{1000 * ours:>10.0f}{ours / bare:>10.2f}")


def _seconds(app: Path) -> float:
    command = [sys.executable, "-c", _LOAD]
    loaded = subprocess.run(command, cwd=app, capture_output=True, text=True, check=True)
    return float(loaded.stdout)
