"""Keep an operation as it is: `python3 dev.py hold OPERATION --tenant TENANT --reason WHY`.

Nothing of it is erased until the hold is lifted (`--lift`). Exit codes: 0, so it is; 1, it is not
possible, and why; 2, it could not be done.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from countersign.approvals.erasing import lift_hold, place_hold
from countersign.operations.refusals import explain
from countersign.operations.repository import Changed
from countersign.proof.plain import plain
from countersign.services import Services
from local.operator import operator_of
from local.service_command import parser_of, run_with_services

DONE, REFUSED = 0, 1


def main(argv: Sequence[str]) -> int:
    """Place or lift a legal hold, and return the exit code."""
    args = _arguments(argv)
    return run_with_services("hold", args.data, lambda app: _held(app, args))


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
    parser = parser_of("hold", __doc__)
    parser.add_argument("operation", metavar="OPERATION", help="its id")
    parser.add_argument("--tenant", required=True, help="whose operation it is")
    parser.add_argument("--reason", required=True, help="why, which is recorded")
    parser.add_argument("--lift", action="store_true", help="lift the hold instead")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
