"""A server ends with whoever started it, and leaves nothing that it has started itself."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from devhost.process import HostFailed, ServerProcess, free_port, is_free

ROOT = Path(__file__).parents[3]

# It and its child each hold a connection, which nothing but their end closes.
SERVER = """
import http.server, os, socket, subprocess, sys
port, witness = map(int, sys.argv[1:])
holding = "import socket, time; held = socket.create_connection(('127.0.0.1', {})); time.sleep(600)"
child = subprocess.Popen([sys.executable, "-c", holding.format(witness)])
held = socket.create_connection(("127.0.0.1", witness))
class Healthy(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/end":
            os._exit(0)
        self.send_response(200)
        self.end_headers()
http.server.HTTPServer(("127.0.0.1", port), Healthy).serve_forever()
"""

# Whoever starts it here is killed.
START_AND_HANG = """
import os, sys, time
from devhost.process import ServerProcess
port = sys.argv[3]
command = [sys.executable, "-c", sys.argv[1], port, sys.argv[2]]
server = ServerProcess(
    name="it", command=command, port=int(port), environment=os.environ, health="/"
)
server.start()
print("serving", flush=True)
time.sleep(600)
"""


class Witness:
    """Sees the server and its child begin and end."""

    def __init__(self, lines: contextlib.ExitStack) -> None:
        self._lines = lines
        self._listener = lines.enter_context(socket.create_server(("127.0.0.1", 0)))
        self._listener.settimeout(60)
        self.port = self._listener.getsockname()[1]
        self._held: list[socket.socket] = []

    def sees_both(self) -> None:
        for _ in range(2):
            line, _ = self._listener.accept()
            self._held.append(self._lines.enter_context(line))

    def sees_both_end(self) -> bool:
        for line in self._held:
            line.settimeout(60)
            with contextlib.suppress(ConnectionResetError):
                assert line.recv(1) == b""
        return len(self._held) == 2


@pytest.fixture
def witness() -> Iterator[Witness]:
    with contextlib.ExitStack() as lines:
        yield Witness(lines)


@pytest.fixture
def server(witness: Witness) -> Iterator[ServerProcess]:
    port = free_port()
    command = [sys.executable, "-c", SERVER, str(port), str(witness.port)]
    server = ServerProcess(
        name="it", command=command, port=port, environment=os.environ, health="/"
    )
    server.start()
    yield server
    server.kill()


def test_a_server_and_what_it_has_started_end_with_whoever_started_it(witness: Witness) -> None:
    command = [sys.executable, "-c", START_AND_HANG, SERVER, str(witness.port), str(free_port())]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == "serving\n"
        witness.sees_both()
        parent.kill()
    assert witness.sees_both_end()


def test_one_that_is_killed_while_the_server_starts_leaves_nothing(witness: Witness) -> None:
    # Nothing ever answers there, so it waits for the server.
    elsewhere = SERVER.replace('("127.0.0.1", port)', '("127.0.0.1", 0)')
    command = [sys.executable, "-c", START_AND_HANG, elsewhere, str(witness.port), "1"]
    with subprocess.Popen(command, cwd=ROOT) as parent:
        witness.sees_both()
        parent.kill()
    assert witness.sees_both_end()


def test_a_kill_ends_both_and_leaves_the_port_at_once(
    server: ServerProcess, witness: Witness
) -> None:
    witness.sees_both()
    server.kill()
    assert not server.is_running
    assert is_free(server.port)
    assert witness.sees_both_end()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGTERM")
def test_one_that_is_asked_to_end_leaves_nothing_either(
    server: ServerProcess, witness: Witness
) -> None:
    witness.sees_both()
    server.stop()
    assert witness.sees_both_end()


def test_one_that_ended_by_itself_is_started_again_without_what_it_has_left(
    server: ServerProcess, witness: Witness
) -> None:
    witness.sees_both()
    with contextlib.suppress(urllib.error.URLError, http.client.HTTPException, ConnectionError):
        urllib.request.urlopen(f"{server.url}/end")  # noqa: S310 - it is http
    server.wait()
    server.start()
    assert witness.sees_both_end()


@pytest.mark.skipif(sys.platform == "win32", reason="taskkill goes by who started whom")
def test_a_kill_of_the_process_between_leaves_nothing_once_the_server_is_stopped(
    server: ServerProcess, witness: Witness
) -> None:
    witness.sees_both()
    os.kill(server.pid, signal.SIGKILL)
    server.stop()
    assert witness.sees_both_end()


def test_a_server_may_be_killed_twice_and_started_again(
    server: ServerProcess, witness: Witness
) -> None:
    for _ in range(2):
        server.kill()
    server.start()
    assert server.is_running
    witness.sees_both()


def test_a_program_that_is_not_there_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    missing = ServerProcess(
        name="it", command=["/nowhere/it"], port=1, environment=os.environ, health="/"
    )
    with pytest.raises(HostFailed, match="it ended with exit code 127 before it was ready"):
        missing.start()
    assert "/nowhere/it" in capfd.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal that suspends a process")
def test_a_server_is_killed_though_the_process_that_watches_over_it_is_suspended(
    server: ServerProcess, witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("devhost.process.END_SECONDS", 0.1)
    witness.sees_both()
    os.kill(server.pid, signal.SIGSTOP)
    server.kill()
    assert witness.sees_both_end()
    assert not server.is_running
