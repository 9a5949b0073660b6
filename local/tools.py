"""The environment of what `dev.py` itself uses, and the app does not."""

from __future__ import annotations

from local.setup import locks
from local.setup.virtualenv import Virtualenv


def tools() -> Virtualenv:
    """Return it, made ready.

    Raises:
        Failure: A package could not be installed.
    """
    virtualenv = Virtualenv(locks.ROOT / ".tools", locks.TOOLS)
    virtualenv.make_ready()
    return virtualenv
