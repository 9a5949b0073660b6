"""Find Node.js, which Azurite and the checks of the page run on."""

from __future__ import annotations

import re
import shutil
import subprocess

from local.errors import Missing

OLDEST = 18


def find_node() -> str:
    """Return the path of a `node` that is recent enough.

    Raises:
        Missing: There is none.
    """
    return _recent_node(_on_path("node"))


def find_npm() -> str:
    """Return the path of `npm`, beside a `node` that is recent enough.

    Raises:
        Missing: One of them is not there.
    """
    find_node()
    return _on_path("npm")


def _on_path(program: str) -> str:
    # On Windows `npm` is a command file, which only the whole path can start.
    found = shutil.which(program)
    if found is None:
        raise _missing(f"`{program}` is not on the PATH")
    return found


def _recent_node(node: str) -> str:
    try:
        answer = subprocess.run(
            [node, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _missing(f"{node} cannot be run: {error}") from error
    version = re.match(r"v(\d+)\.", answer.stdout)
    if version is None or int(version[1]) < OLDEST:
        raise _missing(f"{node} is {answer.stdout.strip() or 'of an unknown version'}")
    return node


def _missing(found: str) -> Missing:
    return Missing(
        f"Node.js {OLDEST} or later with npm is required, but {found}: get it from"
        " https://nodejs.org, or on Debian and Ubuntu with `apt install nodejs npm`."
    )
