"""What `func start` writes, without what nobody reads: one line is left for each call."""

from __future__ import annotations

import os
import re
import sys
import threading
from typing import TextIO

# `DisplayFunctionsInfo` of https://github.com/Azure/azure-functions-core-tools writes two lines for
# each function at the start. `FunctionInstanceLogger` of https://github.com/Azure/azure-webjobs-sdk
# writes one when a call begins and one when it has ended, which tells how and after how long.
_LEFT_OUT = re.compile(r"\s*$|Functions:\s*$|\t[\w-]+: |\[[^\]]+\] Executing '")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class FuncConsole:
    """A pipe to the terminal for one process, which ends with the last process that writes to it.

    Attributes:
        stream: What the process writes to.
    """

    def __init__(self) -> None:
        reading, writing = os.pipe()
        self.stream = os.fdopen(writing, "w", encoding="utf-8")
        self._source = os.fdopen(reading, encoding="utf-8", errors="replace")
        self._thread = threading.Thread(target=self._show, args=(sys.stdout,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Show the rest, after the process has ended."""
        self.stream.close()
        self._thread.join(timeout=5)

    def _show(self, shown: TextIO) -> None:
        with self._source as lines:
            for line in lines:
                if not _LEFT_OUT.match(_COLOURS.sub("", line)):
                    shown.write(_writable(line, shown.encoding))
                    shown.flush()


def _writable(line: str, encoding: str | None) -> str:
    """Replace what a terminal or a file of another encoding can't take, and would end the pipe."""
    encoding = encoding or "utf-8"
    return line.encode(encoding, "replace").decode(encoding)
