"""Whether the data folder and the ports can be used."""

from __future__ import annotations

import os
from pathlib import Path

from devhost.file_lock import Taken, holding
from devhost.process import is_free
from local import issuer, purchasing, settings
from local.doctor.finding import Finding

_PORTS = {
    "app": 7071,
    "sign-in of --func": issuer.USUAL_PORT,
    "orders": purchasing.USUAL_PORT,
}


def examine_data(folder: Path = settings.DATA) -> Finding:
    """Say whether the data folder can be written to, and who has it."""
    if not folder.exists():
        return Finding(name="data", told=f"{folder} is made by the first start")
    if not os.access(folder, os.W_OK):
        told = f"{folder} can't be written to"
        return Finding(
            name="data", told=told, state="broken", mend="python3 dev.py start --data DIR"
        )
    lock = folder / "devhost" / "lock.db"
    if lock.exists():
        try:
            with holding(lock):
                pass
        except Taken as taken:
            return Finding(name="data", told=f"{folder} is in use by {taken.holder}")
    return Finding(name="data", told=f"{folder}, in use by nobody")


def examine_ports() -> Finding:
    """Say which of the usual ports are taken; `dev.py start` takes others then."""
    taken = [f"{port} ({name})" for name, port in _PORTS.items() if not is_free(port)]
    if taken:
        return Finding(name="ports", told=f"{', '.join(taken)} taken: start takes free ones")
    return Finding(name="ports", told=f"{', '.join(map(str, _PORTS.values()))} are free")
