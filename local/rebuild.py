"""Rebuild the index from the ledgers: `python3 dev.py rebuild [--tenant TENANT ...]`.

Exit codes: 0, every operation has its row; 1, those whose ledger can't be read are named, and what
the index has of them is left as it is; 2, it could not be done.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from countersign.operations.rebuilding import rebuild
from countersign.platform.counted import counted
from countersign.proof.plain import plain
from countersign.services import Services
from local.service_command import parser_of, run_with_services

REBUILT, UNREADABLE = 0, 1

_SHOWN_SECONDS = 2.0


def main(argv: Sequence[str]) -> int:
    """Write the rows of all operations, or of those of some tenants; return the exit code."""
    args = _arguments(argv)
    return run_with_services("rebuild", args.data, lambda app: rebuild_all(app, args.tenant))


async def rebuild_all(app: Services, tenants: Sequence[str] = ()) -> int:
    """Write the rows of all operations, or of those of some tenants; return the exit code.

    Raises:
        StoreError: a store can't be used.
    """
    named = tenants or [each async for each in app.operations.ledger.tenants()]
    results = [await _rebuild(app, tenant) for tenant in named]
    return max(results, default=REBUILT)


async def _rebuild(app: Services, tenant: str) -> int:
    begun = shown = time.monotonic()
    operations, corrected, result = 0, 0, REBUILT
    async for done in rebuild(app.operations, tenant):
        operations, corrected = operations + done.operations, corrected + done.corrected
        for operation_id, why in done.unreadable.items():
            result = UNREADABLE
            sys.stderr.write(plain(f"{operation_id} can't be read: {why}") + "\n")
        if time.monotonic() - shown > _SHOWN_SECONDS:
            shown = time.monotonic()
            sys.stderr.write(
                plain(f"{tenant}: {counted(operations, 'operation')} read, at {done.last}\n")
            )
    rate = operations / max(time.monotonic() - begun, 0.001)
    read, written = counted(operations, "operation"), counted(corrected, "row")
    text = f"{tenant}: {read} read, {written} corrected, {rate:.0f} a second"
    sys.stdout.write(plain(text) + "\n")
    return result


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of("rebuild", __doc__)
    parser.add_argument(
        "--tenant", action="append", default=[], help="whose; may be repeated; all by default"
    )
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
