"""Run a server as a child process that can be stopped, or killed with everything it started.

It also ends, and everything it started with it, when this process does.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from devhost.errors import HostError

END_SECONDS = 10.0
"""How long a server may take to end, with all that it has started, before the system kills them."""

_ENDS_WITH_THIS = [
    sys.executable,
    "-I",
    "-S",
    str(Path(__file__).with_name("ends_with_its_parent.py")),
]
# A proxy set for the internet cannot reach this machine's loopback address.
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class HostFailed(HostError):
    """A host, or another server, ended too early or did not answer."""


class ServerProcess:
    """A server on a loopback port; it may be started again after it was stopped or killed.

    Args:
        name: What to call it, such as "the host".
        command: What to run.
        port: The loopback port that it listens on.
        environment: All of the process's environment variables.
        output: The open file its log goes to; by default the terminal.
        health: The path that answers 200 as soon as the server is ready.
        folder: Where it runs; by default the folder that has `devhost` in it.
    """

    def __init__(  # noqa: PLR0913 - each is something of the process
        self,
        *,
        name: str,
        command: Sequence[str],
        port: int,
        environment: Mapping[str, str],
        output: IO[str] | None = None,
        health: str,
        folder: Path | None = None,
    ) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._name = name
        self._command = command
        self._environment = environment
        self._output = output
        self._health = self.url + health
        self._folder = folder or Path(__file__).parents[1]
        self._left = contextlib.ExitStack()

    def start(self, patience: float = 60.0) -> None:
        """Start the process and return once it is healthy.

        Args:
            patience: Seconds that this may take.

        Raises:
            HostFailed: It ended, or took longer; nothing of it is left running.
        """
        # One that ended by itself may have left children.
        self._left.close()
        # In a group of its own it gets Ctrl-C through `stop` alone, and `kill` finds its children.
        self._process = subprocess.Popen(
            [*_ENDS_WITH_THIS, *self._command],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=self._output,
            stderr=self._output,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._left.callback(_end, self._process)
        try:
            self._wait_until_healthy(patience)
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self) -> int:
        """The id of the process that was started last; the server is its only child."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process that was started last has not ended."""
        return self._process.poll() is None

    def wait(self) -> int:
        """Wait until it ends by itself and return its exit code."""
        # Windows would not let Ctrl-C interrupt a wait without a limit.
        while self.is_running:
            time.sleep(0.1)
        return self._process.returncode

    def stop(self, patience: float = 10.0) -> None:
        """Ask it to end, and kill it if that takes longer than `patience` seconds."""
        if self.is_running:
            self._process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
        self.kill()

    def kill(self) -> None:
        """End it and its children at once, as a power cut would."""
        self._left.close()

    def _wait_until_healthy(self, patience: float) -> None:
        deadline = time.monotonic() + patience
        while not self._is_healthy():
            if not self.is_running:
                code = self._process.returncode
                raise HostFailed(f"{self._name} ended with exit code {code} before it was ready")
            if time.monotonic() > deadline:
                raise HostFailed(f"{self._name} was not ready after {patience:.0f} seconds")
            time.sleep(0.02)

    def _is_healthy(self) -> bool:
        try:
            with _DIRECT.open(self._health, timeout=5) as answer:
                return answer.status == 200
        except (OSError, http.client.HTTPException):
            return False


def _end(process: subprocess.Popen[bytes]) -> None:
    # It closes the pipe, upon which the server is killed, and waits: in vain if the process that
    # should kill it is suspended.
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=END_SECONDS)
    if os.name != "nt":
        # Should somebody have killed the process between, what it watched over is still there.
        # macOS answers "not permitted" for a group that has only zombies left.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


class HostProcess(ServerProcess):
    """One app in a local host of its own.

    Args:
        app: The folder of the function app.
        data: The folder of everything that outlives the process.
        port: The loopback port to listen on.
        environment: All of the process's environment variables.
        output: The open file its log goes to; by default the terminal.
        health: The path that answers 200 as soon as the app is ready.
        options: More options of `devhost start`.
    """

    def __init__(  # noqa: PLR0913 - each is something of the command that it runs
        self,
        *,
        app: Path,
        data: Path,
        port: int,
        environment: Mapping[str, str],
        output: IO[str] | None = None,
        health: str = "/api/health",
        options: Sequence[str] = (),
    ) -> None:
        command = [sys.executable, "-m", "devhost", "start", "--app", str(app.resolve())]
        command += ["--data", str(data.resolve()), "--port", str(port), *options]
        super().__init__(
            name="the host",
            command=command,
            port=port,
            environment=environment,
            output=output,
            health=health,
        )


def is_free(port: int) -> bool:
    """Tell whether this machine's loopback address has nobody listening on the port."""
    with socket.socket() as probe:
        if os.name != "nt":
            # A port whose last owner has just died is free; Windows means sharing by this option.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def free_port() -> int:
    """Return a loopback port that nobody was using a moment ago.

    It is none that the system gives to connections of its own accord (from 32768 on Linux, 49152
    elsewhere), for one of those may be given away before somebody listens on it.
    """
    while not is_free(port := 20_000 + secrets.randbelow(12_000)):
        pass
    return port
