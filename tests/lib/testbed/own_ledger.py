"""The ledger of a host on this machine, written to as the host itself does: with its key."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from countersign.approvals.acts import Trust
from countersign.operations.repository import Operations
from countersign.proof.keys import SETTING, read_proof_key
from countersign.proof.seal import KeySeal
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex
from local.proof_key import NAME


def operations_of(data: Path, clock: Callable[[], datetime]) -> Operations:
    """The operations in a host's folder of data; what is recorded in them is signed."""
    key = read_proof_key({SETTING: (data / NAME).read_text("ascii")})
    file = data / "countersign.db"
    return Operations(SqliteLedger(file), SqliteIndex(file), clock, Trust(seal=KeySeal(key)))
