"""Erase what a person is called and wrote: `python3 dev.py erase PERSON --tenant T --rule WHY`.

Or everything that is no longer to be kept, as the settings say: `python3 dev.py erase --due
--tenant T`. Exit codes: 0, it is erased; 1, some operations are kept in which the person took part,
which are named; 2, it could not be done. Running it again continues what was interrupted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from countersign.approvals.errors import LedgerError
from countersign.operations.forgetting import forget_person, forget_what_is_due
from countersign.operations.refusals import explain
from countersign.platform.environment import SettingsError
from countersign.proof.plain import plain
from countersign.proof.seal import NoKey
from countersign.services import Services
from countersign.stores.errors import StoreError
from countersign.wiring import services
from local.operator import operator_of
from local.settings import DATA, complete

ERASED, KEPT, FAILED = 0, 1, 2


def main(argv: Sequence[str]) -> int:
    """Erase one person, and return the exit code."""
    args = _arguments(argv)
    os.environ.update(complete(os.environ, port=0, data=args.data))
    try:
        return asyncio.run(_erased(services(), args))
    except (SettingsError, StoreError, LedgerError, NoKey) as error:
        sys.stderr.write(plain(f"erase: {error}") + "\n")
        return FAILED


async def _erased(app: Services, args: argparse.Namespace) -> int:
    code = ERASED
    async for operation_id in app.operations.ledger.operations(args.tenant):
        operation = await app.operations.trusted(args.tenant, operation_id)
        if operation is None:
            continue
        if args.due:
            await forget_what_is_due(app, operation)
            continue
        operator = operator_of(args.tenant)
        result = await forget_person(app, operation, args.person, operator, args.rule)
        if isinstance(result, int):
            sys.stdout.write(f"{operation_id}: erased {result} names and texts\n" * bool(result))
            continue
        sys.stderr.write(plain(f"{operation_id} is kept: {explain(result).detail}") + "\n")
        code = KEPT
    return code


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py erase", description=__doc__)
    parser.add_argument(
        "person", nargs="?", metavar="PERSON", help="their id, as lists and proofs show it"
    )
    parser.add_argument("--due", action="store_true", help="erase what is no longer to be kept")
    parser.add_argument("--tenant", required=True, help="whose operations")
    parser.add_argument("--rule", help="why, which is recorded and cannot be erased")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="the app's data")
    args = parser.parse_args(argv)
    if args.due == bool(args.person and args.rule) or (args.due and args.person):
        parser.error("either a PERSON and --rule, or --due")
    return args


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
