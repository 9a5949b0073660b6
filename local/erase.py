"""Erase what a person is called and wrote: `python3 dev.py erase PERSON --tenant T --rule WHY`.

Or everything that is no longer to be kept, as the settings say: `python3 dev.py erase --due
--tenant T`. Exit codes: 0, it is erased; 1, some operations are kept in which the person took part,
which are named; 2, it could not be done. Running it again continues what was interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from countersign.approvals.erased import takes_part
from countersign.operations.forgetting import forget_person, forget_what_is_due
from countersign.operations.refusals import explain
from countersign.platform.counted import counted
from countersign.proof.plain import plain
from countersign.services import Services
from local.errors import LocalError
from local.operator import operator_of
from local.service_command import parser_of, run_with_services

ERASED, KEPT = 0, 1


class UnknownPerson(LocalError):
    """Nobody has the id, so nobody can be erased."""


def main(argv: Sequence[str]) -> int:
    """Erase one person, and return the exit code."""
    args = _arguments(argv)
    return run_with_services("erase", args.data, lambda app: _erased(app, args))


async def _erased(app: Services, args: argparse.Namespace) -> int:
    if args.person and not await _is_known(app, args.tenant, args.person):
        # What is no id may still be a name or a text, which others have as well.
        raise UnknownPerson(f"nobody has the id {args.person} in {args.tenant}: nothing was erased")
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
            if result:
                many = counted(result, "name or text", "names and texts")
                sys.stdout.write(f"{operation_id}: erased {many}\n")
            continue
        sys.stderr.write(plain(f"{operation_id} is kept: {explain(result).detail}") + "\n")
        code = KEPT
    if args.person and (many := await app.passkeys.erase(args.tenant, args.person)):
        sys.stdout.write(f"erased {counted(many, 'passkey')}\n")
    return code


async def _is_known(app: Services, tenant: str, person: str) -> bool:
    """Whether somebody with this id did anything that is not erased."""
    if any(passkey.names(person) for passkey in await app.passkeys.of_all(tenant)):
        return True
    ledger = app.operations.ledger
    async for operation_id in ledger.operations(tenant):
        if takes_part(await ledger.read(tenant, operation_id), person):
            return True
    return False


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of("erase", __doc__)
    parser.add_argument(
        "person", nargs="?", metavar="PERSON", help="their id, as lists and proofs show it"
    )
    parser.add_argument("--due", action="store_true", help="erase what is no longer to be kept")
    parser.add_argument("--tenant", required=True, help="whose operations")
    parser.add_argument("--rule", help="why, which is recorded and cannot be erased")
    args = parser.parse_args(argv)
    if args.due == bool(args.person and args.rule) or (args.due and args.person):
        parser.error("either a PERSON and --rule, or --due")
    return args


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
