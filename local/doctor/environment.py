"""Whether the Python and its packages are those that the lock file wants."""

from __future__ import annotations

import importlib.metadata
import platform
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from local.doctor.finding import Finding
from local.setup import locks
from local.setup.failure import DEV
from local.setup.pythons import SUPPORTED

# So it is in bash and in PowerShell.
REMAKE = f"rm -r .venv; {DEV} doctor"


def examine_python(version: str = platform.python_version()) -> Finding:
    """Say which Python this is, and whether Azure still supports it."""
    told = f"{version}, {sys.prefix}"
    minor = version.rpartition(".")[0]
    if minor not in SUPPORTED:
        return Finding(name="Python", told=told, state="broken", mend=REMAKE)
    if minor == SUPPORTED[-1]:
        told += f" (Azure no longer supports {minor}; use {SUPPORTED[0]})"
    return Finding(name="Python", told=told)


def examine_packages(lock: Path = locks.APP) -> Finding:
    """Compare what is installed with what is locked for this Python and system."""
    wanted = _wanted(lock)
    others = [
        f"{name} is {found or 'missing'}, not {version}"
        for name, version in wanted.items()
        if (found := _installed(name)) != version
    ]
    if not others:
        return Finding(name="packages", told=f"{len(wanted)}, as {lock.name} says")
    more = f", and {len(others) - 2} more" if len(others) > 2 else ""
    told = f"{'; '.join(others[:2])}{more}"
    return Finding(name="packages", told=told, state="broken", mend=REMAKE)


def _wanted(lock: Path) -> Mapping[str, str]:
    # It is a locked package itself, and may be the one that is missing; pip has one of its own.
    from pip._vendor.packaging.requirements import Requirement

    lines = re.findall(r"^(\S+==.*?)(?: \\)?$", lock.read_text("utf-8"), re.M)
    pins = [Requirement(line) for line in lines]
    ours = [pin for pin in pins if pin.marker is None or pin.marker.evaluate()]
    return {pin.name: str(pin.specifier).removeprefix("==") for pin in ours}


def _installed(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
