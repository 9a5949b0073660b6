"""Whether the programs are here that some options of `dev.py` need."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable

from devhost.process import is_free
from local.azurite_package import AzuritePackage
from local.doctor.finding import Finding
from local.errors import Missing
from local.func import find_func
from local.node import find_node

_SCHEDULER_PORT = 8080
_NODE = {"win32": "winget install OpenJS.NodeJS.LTS", "darwin": "brew install node"}


def examine_azurite() -> Finding:
    """Say whether `--storage azurite` and `--func` have a storage account to work with."""
    install = _NODE.get(sys.platform, "sudo apt install nodejs npm")
    found = _program("Azurite", find_node, "no Node.js 18 for --storage azurite", install)
    if found.state != "ok":
        return found
    there = "installed" if AzuritePackage().is_ready() else "installed at first use"
    return Finding(name="Azurite", told=f"{there}, with {found.told}")


def examine_func() -> Finding:
    """Say whether `--func` has Core Tools."""
    install = "npm i -g azure-functions-core-tools@4 --unsafe-perm true"
    return _program("func", find_func, "no Azure Functions Core Tools for --func", install)


def examine_scheduler() -> Finding:
    """Say whether `--func` can have the emulator of the Durable Task Scheduler."""
    if not is_free(_SCHEDULER_PORT):
        return Finding(name="scheduler", told=f"running on port {_SCHEDULER_PORT}")
    docker = shutil.which("docker")
    if docker and _answers(docker):
        return Finding(name="scheduler", told=f"started by --func, with {docker}")
    missing = "Docker is not running" if docker else "no Docker"
    told = f"{missing}, for its emulator: --func keeps orchestrations in Azurite"
    mend = "start Docker" if docker else "https://docs.docker.com/get-docker/"
    return Finding(name="scheduler", told=told, state="without", mend=mend)


def _answers(docker: str) -> bool:
    """Say whether Docker's engine runs, which having its command does not tell."""
    asked = [docker, "version", "--format", "{{.Server.Version}}"]
    try:
        return not subprocess.run(asked, capture_output=True, timeout=10, check=False).returncode
    except (OSError, subprocess.TimeoutExpired):
        return False


def _program(name: str, find: Callable[[], str], told: str, mend: str) -> Finding:
    try:
        return Finding(name=name, told=find())
    except Missing:
        return Finding(name=name, told=told, state="without", mend=mend)
