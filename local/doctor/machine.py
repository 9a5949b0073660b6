"""Whether the data folder and the ports can be used."""

from __future__ import annotations

import os
from pathlib import Path

from devhost.file_lock import Taken, holding
from devhost.process import is_free
from local import issuer, purchasing
from local.doctor.finding import Finding
from local.setup.failure import DEV

_PORTS = {
    "app": 7071,
    "sign-in of --func": issuer.USUAL_PORT,
    "orders": purchasing.USUAL_PORT,
}


def examine_data(folder: Path) -> Finding:
    """Say whether the data folder can be written to, or made, and who has it."""
    # Unlike `exists` it raises nothing for a folder inside one that can't be looked into.
    there = next((path for path in (folder, *folder.parents) if os.access(path, os.F_OK)), folder)
    if not (there.is_dir() and os.access(there, os.W_OK)):
        told = f"{there} is not a writable folder"
        return Finding(name="data", told=told, state="broken", mend=f"{DEV} start --data DIR")
    if there != folder:
        return Finding(name="data", told=f"the first start creates {folder}")
    lock = folder / "devhost" / "lock.db"
    if lock.exists():
        try:
            with holding(lock):
                pass
        except Taken as taken:
            told = f"{folder} is in use by {taken.holder}; start another with --data DIR"
            return Finding(name="data", told=told)
    return Finding(name="data", told=f"{folder}, not in use")


def examine_ports() -> Finding:
    """Say which of the usual ports are taken; `dev.py start` takes others then."""
    taken = [f"{port} ({name})" for name, port in _PORTS.items() if not is_free(port)]
    if taken:
        return Finding(
            name="ports", told=f"{', '.join(taken)} in use: `dev.py start` chooses free ones"
        )
    return Finding(name="ports", told=f"{', '.join(map(str, _PORTS.values()))} are free")
