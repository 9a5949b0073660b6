"""Lock files: every package with its version and the hashes of its files, as pip reads them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APP = ROOT / "requirements.lock"
TOOLS = ROOT / "requirements-tools.lock"


def pins(lock: Path) -> list[tuple[str, str]]:
    """Return all names and versions, those for other Pythons and systems included."""
    return re.findall(r"^([\w.-]+)==([^ ;]+)", lock.read_text("utf-8"), re.M)


def part(lock: Path, name: str) -> str:
    """Return what a lock file says about one package, in a form that pip reads as well."""
    pins = re.findall(rf"^{re.escape(name)}==\S.*\n(?:[ ].*\n)*", lock.read_text("utf-8"), re.M)
    return "".join(pins)
