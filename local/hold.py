"""Keep an operation as it is: `python3 dev.py hold OPERATION --tenant TENANT --reason WHY`.

Nothing of it is erased until the hold is lifted (`--lift`). Exit codes: 0, so it is; 1, it is not
possible, and why; 2, it could not be done.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from countersign.approvals.erasing import lift_hold, place_hold
from countersign.approvals.errors import LedgerError
from countersign.operations.refusals import explain
from countersign.operations.repository import Changed
from countersign.platform.environment import SettingsError
from countersign.proof.plain import plain
from countersign.proof.seal import NoKey
from countersign.services import Services
from countersign.stores.errors import StoreError
from countersign.wiring import services
from local.operator import operator_of
from local.settings import DATA, complete

DONE, REFUSED, FAILED = 0, 1, 2


def main(argv: Sequence[str]) -> int:
    """Place or lift a legal hold, and return the exit code."""
    args = _arguments(argv)
    os.environ.update(complete(os.environ, port=0, data=args.data))
    try:
        return asyncio.run(_held(services(), args))
    except (SettingsError, StoreError, LedgerError, NoKey) as error:
        sys.stderr.write(plain(f"hold: {error}") + "\n")
        return FAILED


async def _held(app: Services, args: argparse.Namespace) -> int:
    rule, operator = lift_hold if args.lift else place_hold, operator_of(args.tenant)
    changed = await app.operations.change(
        args.tenant,
        args.operation,
        lambda state, now: rule(state, operator, args.reason, now),
        by=operator,
    )
    if not isinstance(changed, Changed):
        sys.stderr.write(plain(f"hold: {explain(changed).detail}") + "\n")
        return REFUSED
    kept = "is under a legal hold" if changed.operation.legal_hold else "is under no legal hold"
    sys.stdout.write(plain(f"{args.operation} {kept}.") + "\n")
    return DONE


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py hold", description=__doc__)
    parser.add_argument("operation", metavar="OPERATION", help="its id")
    parser.add_argument("--tenant", required=True, help="whose operation it is")
    parser.add_argument("--reason", required=True, help="why, which is recorded")
    parser.add_argument("--lift", action="store_true", help="lift the hold instead")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="the app's data")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
