"""A machine with no other Python than 3.13 gets one through the genuine uv, which PyPI has."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import socketserver
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from local.setup.locks import ROOT
from local.setup.pythons import pythons, suitable
from testbed.wheels import make_wheel

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="made for Linux"),
    # They install uv from PyPI, and make virtual environments.
    pytest.mark.timeout(900),
]

SAY_WHO_RUNS = "import sys; print('Python', sys.version.split()[0], *sys.argv[1:])"


def found(version: str) -> str:
    for command in pythons([version]):
        if path := suitable(command, [version]):
            return path
    if os.environ.get("COUNTERSIGN_REQUIRE_GENUINE_WORKER") and version != "3.12":
        pytest.fail(f"there is no Python {version}")
    pytest.skip(f"there is no Python {version}")


class Machine:
    """A checkout on a machine that has one Python, no uv, and a home that can't be written to."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "ein Ördner"
        self._programs = folder / "bin"
        self._programs.mkdir()
        (self._programs / "python3").symlink_to(found("3.13"))
        shutil.copytree(ROOT / "local" / "setup", self.checkout / "local" / "setup")
        for name in ("dev.py", "requirements-tools.lock"):
            shutil.copy(ROOT / name, self.checkout)
        for name in ("__init__.py", "commands.py", "interruptible.py"):
            shutil.copy(ROOT / "local" / name, self.checkout / "local")
        (self.checkout / "devhost").mkdir()
        for name in ("__init__.py", "file_lock.py"):
            shutil.copy(ROOT / "devhost" / name, self.checkout / "devhost")
        (self.checkout / "local" / "start.py").write_text(SAY_WHO_RUNS, "utf-8")
        self.lock = self.checkout / "requirements.lock"
        pinned = make_wheel(folder, "plan")
        self.lock.write_text(f"--no-index\n--find-links {folder.as_uri()}\n{pinned}", "utf-8")

    def start(self, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
        kept = {name: os.environ[name] for name in os.environ if name.endswith(("CERT", "_FILE"))}
        ours = {"PATH": str(self._programs), "HOME": "/proc/none", "LANG": "C.UTF-8"}
        command = [str(self._programs / "python3"), "dev.py", "start", *options]
        return subprocess.run(
            command,
            cwd=self.checkout,
            env={**kept, **ours, **environment},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def builds(tmp_path: Path) -> str:
    """Where uv is told that Pythons are: a stand-in that hands over to one of this machine."""
    python = tmp_path / "python"
    for folder in ("bin", "lib/python3.12"):
        (python / folder).mkdir(parents=True)
    genuine = Path(found("3.12"))
    for data in (genuine.resolve().parent.parent / "lib" / "python3.12").glob("_sysconfigdata*"):
        shutil.copy(data, python / "lib" / "python3.12")
    program = python / "bin" / "python3.12"
    program.write_text(f'#!/bin/sh\nexec "{genuine}" "$@"\n', "utf-8")
    program.chmod(0o755)
    (python / "bin" / "python3").symlink_to("python3.12")
    archive = tmp_path / "python.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(python, "python")
    return _listed(tmp_path, archive.as_uri(), sha256(archive.read_bytes()).hexdigest())


def _listed(folder: Path, url: str, digest: str) -> str:
    libc = "gnu" if platform.libc_ver()[0] == "glibc" else "musl"
    build = {
        "name": "cpython",
        "arch": {"family": platform.machine(), "variant": None},
        "os": "linux",
        "libc": libc,
        "major": 3,
        "minor": 12,
        "patch": 1,
        "prerelease": "",
        "url": url,
        "sha256": digest,
        "variant": None,
        "build": "20240107",
    }
    file = folder / "builds.json"
    file.write_text(json.dumps({f"cpython-3.12.1-linux-{platform.machine()}-{libc}": build}))
    return str(file)


def test_a_3_12_is_brought_once_and_runs_the_command(machine: Machine, builds: str) -> None:
    begun = machine.start("--port", "7171", UV_PYTHON_DOWNLOADS_JSON_URL=builds)
    assert begun.returncode == 0, begun.stderr
    assert begun.stdout.startswith("Python 3.12.")
    assert begun.stdout.endswith(" --port 7171\n")
    assert "This machine has no Python 3.12, 3.11 or 3.10 " in begun.stderr
    assert "uv downloads 3.12" in begun.stderr
    again = machine.start()
    assert (again.stdout[:12], again.stderr) == (begun.stdout[:12], "")


def test_it_is_not_brought_where_that_is_forbidden(machine: Machine, builds: str) -> None:
    refused = machine.start("--no-download", UV_PYTHON_DOWNLOADS_JSON_URL=builds)
    assert refused.returncode == 2
    assert refused.stderr.startswith("dev.py: this machine has no suitable Python")
    assert refused.stderr.count("\n") == 1
    assert "install it with `" in refused.stderr
    assert not (machine.checkout / ".uv").exists()


def test_without_a_network_it_is_said_what_to_install(machine: Machine) -> None:
    refused = machine.start(HTTPS_PROXY="http://127.0.0.1:9", PIP_RETRIES="1")
    assert refused.returncode == 2
    assert "cannot be reached" in refused.stderr
    assert re.search(r"install it with `.+`, and then run `.+`", refused.stderr.splitlines()[-1])


class Proxy(socketserver.StreamRequestHandler):
    """Notes what it is asked to connect to, and refuses."""

    asked: set[str]

    def handle(self) -> None:
        self.asked.add(self.rfile.readline().decode().split()[1])
        self.wfile.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")


@contextmanager
def proxy() -> Iterator[tuple[str, set[str]]]:
    Proxy.asked = set()
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Proxy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", Proxy.asked
        server.shutdown()


def test_a_proxy_is_asked_for_uv_and_for_the_python(machine: Machine, tmp_path: Path) -> None:
    with proxy() as (address, asked):
        assert machine.start(HTTPS_PROXY=address, PIP_RETRIES="0").returncode == 2
        assert asked == {"pypi.org:443"}
        builds = _listed(tmp_path, "https://builds.invalid/python.tar.gz", "0" * 64)
        nowhere = {"UV_PYTHON_DOWNLOADS_JSON_URL": builds, "UV_HTTP_RETRIES": "0"}
        # Brings uv past the proxy, which lets nothing through.
        assert machine.start(**nowhere).returncode == 2
        told = machine.start(HTTPS_PROXY=address, **nowhere)
    assert told.returncode == 2
    assert "builds.invalid:443" in asked
    assert "uv could not install Python 3.12" in told.stderr.splitlines()[-1]
