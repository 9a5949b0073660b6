"""Run a command, and end it with all that it has started once standard input ends.

Whoever starts this file holds the other end of that pipe and never writes to it. The system closes
it when they die, however they die, so what they have started is not left behind. That works alike
on Linux, macOS and Windows, and for programs that know nothing of it.

    python -I -S ends_with_its_parent.py COMMAND ARGUMENT …

It has to lead a process group of its own.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence


def main(command: Sequence[str]) -> int:
    """Run the command until it ends, and return its exit code as a shell would give it."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    if sys.platform == "win32":
        # Windows sends it to the whole group, so the command has it already.
        signal.signal(signal.SIGBREAK, lambda *_: None)
    threading.Thread(target=_end_with_standard_input, daemon=True).start()
    code = child.wait()
    return code if code >= 0 else 128 - code


def _end_with_standard_input() -> None:
    while os.read(0, 1024):
        pass
    if sys.platform == "win32":
        tree = ["taskkill", "/F", "/T", "/PID", str(os.getpid())]
        subprocess.run(tree, capture_output=True, check=False)
    else:
        os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
