"""Install or download what a lock file names, say how far that is, and why it failed."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from local.setup.failure import Failure

# What a person has set for pip's other work must not lead these packages elsewhere.
_ENVIRONMENT = {
    "PIP_REQUIRE_VIRTUALENV": "0",
    "PIP_USER": "0",
    "PYTHONIOENCODING": "utf-8",
    "PYTHONUNBUFFERED": "1",
}
_PINNED = re.compile(r"^[\w.-]+==", re.M)
_IGNORED = re.compile(r"^Ignoring .*: markers", re.M)
_TAKEN_UP = re.compile(r"^(?:Collecting|Processing|Requirement already satisfied:) (\S+)", re.M)
_UNREACHABLE = re.compile(
    r"""^WARNING: Retrying .* connection broken by '(?:.*: )?(.*?)['"]?\)+': \S*$""", re.M
)
_ERROR = re.compile(r"^ERROR: (.*)", re.M)


def install(
    python: Path,
    file: Path,
    *,
    log: Path,
    options: Sequence[str] = (),
    show: Callable[[str], None] = lambda _: None,
) -> None:
    """Install exactly what a lock file names, from wheels whose hashes it has.

    Args:
        python: The interpreter whose pip does it.
        file: The lock file, or a part of one.
        log: The file that gets what pip says.
        options: More options of `pip install`.
        show: Is told again and again how far it is.

    Raises:
        Failure: Something could not be installed.
    """
    _run("install", python, file, log, options, show)


def download(
    python: Path,
    file: Path,
    *,
    log: Path,
    options: Sequence[str] = (),
    show: Callable[[str], None] = lambda _: None,
) -> None:
    """Download exactly what a lock file names, and install nothing; as `install` otherwise."""
    _run("download", python, file, log, options, show)


def _run(
    verb: str,
    python: Path,
    file: Path,
    log: Path,
    options: Sequence[str],
    show: Callable[[str], None],
) -> None:
    # Installing from wheels runs no package's own code, and builds nothing with what is not pinned.
    fixed = ["--require-hashes", "--only-binary", ":all:", "--disable-pip-version-check"]
    command = [str(python), "-m", "pip", verb, *fixed, "--progress-bar", "off", *options]
    pinned = len(_PINNED.findall(file.read_text("utf-8")))
    with log.open("w", encoding="utf-8") as output:
        pip = subprocess.Popen(
            [*command, "-r", str(file)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, **_ENVIRONMENT},
        )
        try:
            while _is_running(pip):
                show(how_far(_said(log), pinned, _installed(python)))
        except BaseException:
            pip.kill()
            pip.wait()
            raise
    if pip.returncode:
        raise Failure(f"pip could not {verb} the packages, {reason(_said(log))} (see {log})")


def how_far(said: str, pinned: int, installed: int) -> str:
    """Return how far pip is.

    Args:
        said: What it has said.
        pinned: How many packages the file names, for all systems together.
        installed: How many are in place.
    """
    wanted = pinned - len(_IGNORED.findall(said))
    if "\nInstalling collected packages" in said:
        return f"  putting packages in place: {min(installed, wanted)} of {wanted}"
    taken_up = _TAKEN_UP.findall(said)
    if not taken_up:
        # Until then it still goes through the list.
        return "  fetching packages"
    last = re.split(r"[=-]=?\d", taken_up[-1].rpartition("/")[2])[0]
    return f"  fetching packages: {len(taken_up)} of {wanted} {last}"


def reason(said: str) -> str:
    """Return why pip failed, in few of its own words."""
    unreachable, errors = _UNREACHABLE.findall(said), _ERROR.findall(said)
    if unreachable:
        return f"because the package index cannot be reached: {unreachable[-1]}"
    return f"because {errors[0]}" if errors else "and gave no reason"


def _is_running(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(0.2)
    except subprocess.TimeoutExpired:
        return True
    return False


def _said(log: Path) -> str:
    return log.read_text("utf-8", errors="replace")


def _installed(python: Path) -> int:
    folder = python.parent.parent
    patterns = ("lib/python*/site-packages/*.dist-info", "Lib/site-packages/*.dist-info")
    # A file system that ignores case finds the same by both.
    return len({path.name for pattern in patterns for path in folder.glob(pattern)})
