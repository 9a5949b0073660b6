"""Anchor the ledgers of a tenant: `python3 dev.py anchor FILE --tenant TENANT`.

Exit codes: 0, today's anchor is in the file; 1, something of an earlier anchor is lost, which is
named, and nothing was written; 2, it could not be done.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from countersign.proof.anchoring import (
    heads_of,
    heads_on,
    keep_heads,
    number_heads,
    take_heads,
)
from countersign.proof.anchors import Anchor, read_anchors
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
    lost = [fault for tenant in tenants for fault in await _anchor(app, file, tenant)]
    for fault in lost:
        sys.stderr.write(plain(fault) + "\n")
    return LOST if lost else ANCHORED


async def _anchor(app: Services, file: Path, tenant: str) -> Sequence[str]:
    """Write the anchor of a tenant, unless it is there or something is lost, which is returned."""
    written, day = _written(file, tenant), app.clock().date()
    if written and written[-1].day == day.isoformat():
        sys.stderr.write(plain(f"{file} already has the anchor of {day} for {tenant}.") + "\n")
        await _number(app, written)
        return []
    before = await heads_of(app.artifacts, written[-1]) if written else None
    if written and before is None:
        last = written[-1].day
        return [f"The heads that were anchored on {last} for {tenant} are gone, or others."]
    ids = [each async for each in app.operations.ledger.operations(tenant)]
    kept = await heads_on(app.artifacts, tenant, day)
    taken, lost = await take_heads(app.operations.ledger, ids, tenant, day, before, kept)
    if lost:
        return lost
    if not await keep_heads(app.artifacts, taken):
        return [f"Other heads of {day} were kept for {tenant} at the same time."]
    if not ids:
        sys.stderr.write(plain(f"There is no operation of the tenant {tenant} yet.") + "\n")
    _append(file, taken.anchor.line)
    sys.stdout.write(taken.anchor.line)
    await _number(app, [*written, taken.anchor])
    return []


async def _number(app: Services, written: Sequence[Anchor]) -> None:
    days = [date.fromisoformat(anchor.day) for anchor in written]
    await number_heads(app.artifacts, written[0].tenant, days)


def _written(file: Path, tenant: str) -> Sequence[Anchor]:
    """Return the anchors of a tenant in the file, the oldest first."""
    if not file.exists():
        return []
    anchors = read_anchors(file.read_text("utf-8")).values()
    mine = [anchor for anchor in anchors if anchor.tenant == tenant]
    return sorted(mine, key=lambda anchor: anchor.day)


def _append(file: Path, line: str) -> None:
    """Add a line to the end, durably: where a file can only be appended to, nothing else works."""
    with file.open("a", encoding="utf-8", newline="\n") as stream:
        stream.write(line)
        stream.flush()
        os.fsync(stream.fileno())


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of("anchor", __doc__)
    parser.add_argument("file", type=Path, metavar="FILE", help="the anchors, appended to")
    parser.add_argument("--tenant", action="append", required=True, help="whose; may be repeated")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
