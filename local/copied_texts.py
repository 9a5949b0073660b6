"""Whether a copy of the embedded stores has all the texts that its ledgers refer to."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from pathlib import Path

from countersign.approvals.errors import LedgerError
from countersign.approvals.events import ContentErased
from countersign.approvals.operation import shelf_of
from countersign.operations.lost_texts import LostText, lost_texts
from countersign.stores.copying import copy_database
from countersign.stores.folder import FolderArtifacts, folder_of
from countersign.stores.sqlite import SqliteLedger


def lost_in(database: Path, artifacts: Path, scratch: Path) -> list[LostText]:
    """Look for all texts that are missing in a copy, or damaged.

    Args:
        database: the copied ledgers; the file stays as it is.
        artifacts: the copied texts.
        scratch: a folder that is made for this, and gone afterwards.

    Raises:
        StoreError: the copy can't be used.
        OSError: the scratch folder can't be.
    """
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        # A database that the app opens is brought up to date, and gets logs beside it.
        copy_database(database, scratch / database.name)
        return asyncio.run(_lost_in(scratch / database.name, artifacts))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def erased_shelves(database: Path) -> frozenset[str]:
    """Return the folders of the texts that ledgers say were erased; none if there are no ledgers.

    Raises:
        StoreError: the ledgers can't be used.
    """
    return (
        asyncio.run(_erased_shelves(SqliteLedger(database))) if database.exists() else frozenset()
    )


async def _erased_shelves(ledger: SqliteLedger) -> frozenset[str]:
    found: set[str] = set()
    async for tenant in ledger.tenants():
        async for operation_id in ledger.operations(tenant):
            with suppress(LedgerError):
                rows = await ledger.read(tenant, operation_id)
                if any(isinstance(row.event, ContentErased) for row in rows):
                    found.add(folder_of(shelf_of(tenant, operation_id)))
    return frozenset(found)


async def _lost_in(database: Path, artifacts: Path) -> list[LostText]:
    ledger = SqliteLedger(database)
    return [lost async for lost in lost_texts(ledger, FolderArtifacts(artifacts))]
