"""Anchor the ledgers of a tenant: `python3 dev.py anchor FILE --tenant TENANT`.

Exit codes: 0, today's anchor is in the file; 1, something of an earlier anchor is lost, which is
named, and nothing was written; 2, it could not be done.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from countersign.anchors.file import AnchorFile
from countersign.proof.daily_anchor import anchor_tenant
from countersign.proof.plain import plain
from countersign.services import Services
from local.service_command import parser_of, run_with_services

ANCHORED, LOST = 0, 1


def main(argv: Sequence[str]) -> int:
    """Write today's anchor of each tenant, and return the exit code."""
    args = _arguments(argv)
    return run_with_services(
        "anchor", args.data, lambda app: _anchored(app, args.file, args.tenant)
    )


async def _anchored(app: Services, file: Path, tenants: Sequence[str]) -> int:
    code = ANCHORED
    for tenant in tenants:
        code = max(code, await _anchor(app, file, tenant))
    return code


async def _anchor(app: Services, file: Path, tenant: str) -> int:
    day = app.clock().date()
    result = await anchor_tenant(
        AnchorFile(file), app.operations.ledger, app.artifacts, tenant, day
    )
    for fault in result.lost:
        _say(fault)
    if result.lost:
        return LOST
    if result.written is None:
        _say(f"{file} already has the anchor of {day} for {tenant}.")
        return ANCHORED
    sys.stdout.write(result.written.line)
    return ANCHORED


def _say(sentence: str) -> None:
    sys.stderr.write(plain(sentence) + "\n")


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of("anchor", __doc__)
    parser.add_argument("file", type=Path, metavar="FILE", help="the anchors, appended to")
    parser.add_argument("--tenant", action="append", required=True, help="whose; may be repeated")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
