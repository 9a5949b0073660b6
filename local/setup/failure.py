"""Why a set-up ends, and what the person at the terminal is told."""

from __future__ import annotations

import os
import sys

DEV = "py dev.py" if os.name == "nt" else "python3 dev.py"
"""How `dev.py` is run on this system."""


class Failure(Exception):
    """Why a command ends here, and what helps, in a sentence that goes on with "and then …"."""


def say(text: str) -> None:
    """Tell the person at the terminal, and keep standard output for results."""
    print(text, file=sys.stderr, flush=True)
