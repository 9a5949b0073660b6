"""Until when a store from before goes on here, whose operations were begun without signatures.

In a folder of their own, on the machine of whoever works with it, it is enough that a moment is
recorded at the first start: who could write that could read the key as well. For a storage account
elsewhere that is not so, and nothing but the setting counts.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from countersign.stores.account import StorageAccount

SETTING = "COUNTERSIGN_UNSIGNED_UNTIL"
RECORD = "unsigned-until"
GRACE = timedelta(days=30)
STORES = ("countersign.db", "storage")
"""What a folder has in it that was worked with: a ledger in SQLite, or that of Azurite."""


def unsigned_until(
    data: Path, now: datetime, account: StorageAccount | None = None
) -> dict[str, str]:
    """Return the setting that lets operations from before go on, where there is one to make.

    The moment is recorded at the first start of a release that signs, and never moves.

    Args:
        data: The folder of state, which may have to be made yet.
        now: The present moment (UTC).
        account: The storage account that holds the ledger; None for the stores in the folder.
    """
    if account and account.is_shared:
        return {}
    record = data / RECORD
    if not record.exists():
        is_older = any((data / name).exists() for name in STORES)
        data.mkdir(parents=True, exist_ok=True)
        until = f"{now + GRACE:%Y-%m-%dT%H:%M:%SZ}" if is_older else ""
        record.write_text(f"{until}\n", "ascii")
    until = record.read_text("ascii").strip()
    return {SETTING: until} if until else {}
