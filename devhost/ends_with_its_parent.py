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


class Command:
    """A command that runs.

    Raises:
        OSError: It can't be started.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
        self._killed = threading.Event()

    def wait(self) -> int:
        """Wait until it has ended, and return its exit code as a shell would give it."""
        code = self._process.wait()
        if self._killed.is_set() and sys.platform != "win32":
            os.killpg(0, signal.SIGKILL)
        return code if code >= 0 else 128 - code

    def stop(self, *_: object) -> None:
        """Ask it to end."""
        self._process.terminate()

    def kill_with_parent(self) -> None:
        """Kill it and all that it has started as soon as standard input ends."""
        while os.read(0, 1024):
            pass
        self._killed.set()
        if sys.platform == "win32":
            tree = ["taskkill", "/F", "/T", "/PID", str(self._process.pid)]
            subprocess.run(tree, capture_output=True, check=False)
        # Whoever waits for this process relies on it that the command has ended before.
        self._process.kill()


def main(words: Sequence[str]) -> int:
    """Run a command, and return its exit code."""
    try:
        command = Command(words)
    except OSError as error:
        print(error, file=sys.stderr)
        return 127
    signal.signal(signal.SIGTERM, command.stop)
    if sys.platform == "win32":
        # Windows sends it to the whole group, so the command has it already.
        signal.signal(signal.SIGBREAK, lambda *_: None)
    threading.Thread(target=command.kill_with_parent, daemon=True).start()
    return command.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
