"""List the known vulnerabilities of the locked packages, for all Pythons and systems together.

`python3 dev.py audit [OPTIONS]` takes the options of pip-audit (https://pypi.org/project/pip-audit),
such as `--ignore-vuln ID` or `--vulnerability-service osv`; by default it asks PyPI.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from local.setup import locks
from local.setup.failure import DEV, Failure
from local.tools import tools

CLEAN, VULNERABLE, NOT_RUN, UNKNOWN = 0, 1, 2, 3
"""The exit codes: none is known; at least one is; no audit; of some packages nothing is known."""


class NotAsked(Exception):
    """Why the service that knows of vulnerabilities gave no answer."""


def main(options: Sequence[str]) -> int:
    """Print each vulnerability, or why nothing is known; return the exit code."""
    try:
        python = tools().python
        packages = [each for pins in _layers() for each in _asked(python, pins, options)]
    except Failure as failure:
        print(f"dev.py: {failure}, and then run `{DEV} audit` again", file=sys.stderr)
        return NOT_RUN
    except NotAsked as error:
        print(f"dev.py: the vulnerability service gave no answer: {error}", file=sys.stderr)
        return UNKNOWN
    return judged(packages)


def judged(packages: Sequence[Mapping[str, Any]]) -> int:
    """Print what is known of packages, and return the exit code.

    Args:
        packages: The "dependencies" of pip-audit's JSON.
    """
    skipped = [each["skip_reason"] for each in packages if "skip_reason" in each]
    found = [f"  {name} {text}" for each in packages for name, text in _vulnerabilities(each)]
    asked = len(packages) - len(skipped)
    if asked:
        print(f"Known vulnerabilities in {asked} locked packages: {len(found)}", *found, sep="\n")
    if skipped:
        print(f"Not checked: {len(skipped)} locked packages, the first because: {skipped[0]}")
    return VULNERABLE if found else UNKNOWN if skipped else CLEAN


def _vulnerabilities(package: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for each in package.get("vulns", ()):
        mended = ", ".join(each["fix_versions"]) or "no version yet"
        names = ", ".join([each["id"], *each["aliases"]])
        yield f"{package['name']} {package['version']}:", f"{names}; fixed in {mended}"


def _asked(
    python: Path, packages: Sequence[str], options: Sequence[str]
) -> Sequence[Mapping[str, Any]]:
    command = [str(python), "-m", "pip_audit", "--format", "json", "--progress-spinner", "off"]
    # The lock files have all that is needed, so nothing has to be installed to find that out.
    command += ["--no-deps", "--disable-pip", *options]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "requirements.txt")
        file.write_text("\n".join(packages), "utf-8")
        command += ["--requirement", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)["dependencies"]
    except ValueError:
        raise NotAsked(done.stderr.strip().rpartition("\n")[2]) from None


def _layers() -> Sequence[Sequence[str]]:
    """Return all pins; those of one package for several Pythons can't be asked about together."""
    layers: list[dict[str, str]] = []
    for name, version in sorted({*locks.pins(locks.APP), *locks.pins(locks.TOOLS)}):
        layer = next((each for each in layers if name not in each), None)
        if layer is None:
            layers.append(layer := {})
        layer[name] = f"{name}=={version}"
    return [[*layer.values()] for layer in layers]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
