"""Play the app in worlds of chance, and see whether it keeps its promises in each.

`python3 dev.py explore [--seconds N] [--hours N] [--seed N] [--one]` needs no host: machines with
clocks that differ stand still and die, steps are lost and carried out twice, orchestrations are
ended, task hubs are lost and restored or there are two of them, and people decide meanwhile.
What `testbed.explorer` finds comes with the seed that shows it again.

Exit codes: 0, nothing was found; 1, something was.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

from local.settings import APP


def main(argv: Sequence[str]) -> int:
    """Explore and return the exit code."""
    path = os.pathsep.join(map(str, (APP / "tests" / "lib", APP)))
    command = [sys.executable, "-m", "testbed.explorer", *argv]
    return subprocess.call(command, cwd=APP, env={**os.environ, "PYTHONPATH": path})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
