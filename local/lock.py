"""Rewrite the lock files: `python3 dev.py lock [--upgrade]`.

They list all packages, including indirect ones, with the hashes of their files, for Python 3.10 to
3.12 on Linux, macOS and Windows. Versions stay as they are unless the requirements files change
them or you add `--upgrade`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from local.setup import locks
from local.setup.failure import DEV, Failure
from local.tools import tools

_OLDEST = "3.10"
_REQUIREMENTS = {locks.APP: "requirements-dev.txt", locks.TOOLS: "requirements-tools.txt"}


def main(argv: Sequence[str]) -> int:
    """Write them and return the exit code."""
    parser = argparse.ArgumentParser(prog="dev.py lock", description=__doc__)
    parser.add_argument("--upgrade", action="store_true", help="upgrade to the newest versions")
    more = ["--upgrade"] if parser.parse_args(argv).upgrade else []
    try:
        uv = tools().python.parent / "uv"
    except Failure as failure:
        print(f"dev.py: {failure}, and then run `{DEV} lock` again", file=sys.stderr)
        return 2
    return max(
        [
            _compile(str(uv), requirements, file, more)
            for file, requirements in _REQUIREMENTS.items()
        ]
    )


def _compile(uv: str, requirements: str, file: Path, more: Sequence[str]) -> int:
    command = [uv, "pip", "compile", requirements, "--output-file", file.name, "--quiet", *more]
    # A marker decides what another Python or system leaves out.
    command += ["--universal", "--python-version", _OLDEST, "--generate-hashes", "--no-build"]
    environment = {**os.environ, "UV_CUSTOM_COMPILE_COMMAND": "python3 dev.py lock"}
    return subprocess.call(command, cwd=locks.ROOT, env=environment)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
