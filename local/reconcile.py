"""Ask the destinations after a restore: `python3 dev.py reconcile --after-restore`.

Nothing may run that works on the same stores. Of each open operation its destination is asked what
it has. What was approved and is there gets its receipt; what is there and was never approved here
is closed as `write_unknown`, and named. Unless `--tenant` is given, each destination is also asked
what it has for operations that no ledger knows, because they were requested after the backup.

A purchasing system without a lookup can't be asked. Look up the operations named as `unasked`
yourself; once none of them is there, or you settled what is, repeat this with `--looked-up`.

Exit codes: 0, all is as the ledgers say; 1, something is not, or could not be asked, and is named;
2, it could not be done.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from countersign.operations.restored import FoundWritten, ask_destinations
from countersign.operations.unrecorded import ask_for_unrecorded
from countersign.platform.counted import counted
from countersign.proof.plain import plain
from countersign.services import Services
from countersign.wiring import services
from devhost.state.folder import DataFolder
from local.data_folder import RESTORED, make_sure_it_is_restored
from local.service_command import complete_environment, parser_of, run

AGREED, NAMED = 0, 1


def main(argv: Sequence[str]) -> int:
    """Ask about the open operations of all tenants, or of some; return the exit code."""
    args = _arguments(argv)

    def ask() -> int:
        make_sure_it_is_restored(args.data)
        complete_environment(args.data)
        return ask_all(services(), args.tenant, looked_up=args.looked_up)

    return run("reconcile", ask)


def ask_all(app: Services, tenants: Sequence[str] = (), *, looked_up: bool = False) -> int:
    """Ask, and take the note away that says that it was not done yet.

    Args:
        app: the services.
        tenants: whose operations; those of all if there are none.
        looked_up: whether a person has looked where no destination can be asked.

    Returns:
        The exit code.

    Raises:
        HostError: a host is at work on the same folder.
        StoreError: the ledgers can't be used.
    """
    with _nobody_else(app):
        found = asyncio.run(_ask(app, tenants))
        if not tenants:
            found += asyncio.run(_ask_for_unrecorded(app))
        unasked = found["unasked"] and not looked_up
        if not (found["unknown"] or unasked or tenants):
            (app.settings.data / RESTORED).unlink(missing_ok=True)
    return NAMED if unasked or any(found[each] for each in _DISAGREEING) else AGREED


@contextmanager
def _nobody_else(app: Services) -> Iterator[None]:
    """Keep hosts of this machine out of the folder; of those in Azure nothing is known here."""
    if app.settings.account:
        yield
        return
    folder = DataFolder(app.settings.data)
    folder.lock()
    try:
        yield
    finally:
        folder.unlock()


_COUNTED: Final[Mapping[FoundWritten, str]] = {
    "nothing": "not written yet",
    "confirmed": "found as approved",
    "contradiction": "found though nobody approved it",
    "held": "held",
    "unasked": "to be looked up by a person",
    "unknown": "to be asked again",
}
"""How operations of each finding are counted."""

_DISAGREEING = ("unknown", "held", "contradiction", "unrecorded")


async def _ask(app: Services, tenants: Sequence[str]) -> Counter[str]:
    """Return how many operations there are of each finding."""
    named = tenants or [each async for each in app.operations.ledger.tenants()]
    counts: Counter[str] = Counter()
    for tenant in named:
        async for found in ask_destinations(app, tenant):
            counts[found.finding] += 1
            if found.finding != "nothing":
                _name(f"{tenant}: {found.operation_id}: {found.finding}: {found.text}")
    told = ", ".join(
        f"{counts[finding]} {_COUNTED[finding]}" for finding in _COUNTED if counts[finding]
    )
    sys.stdout.write(f"{counted(counts.total(), 'open operation')}{told and ': ' + told}.\n")
    return counts


async def _ask_for_unrecorded(app: Services) -> Counter[str]:
    """Return how often there is each finding about what is written and in no ledger."""
    counts: Counter[str] = Counter()
    async for found in ask_for_unrecorded(app):
        counts[found.finding] += 1
        _name(f"{found.finding}: {found.text}")
    return counts


def _name(line: str) -> None:
    sys.stderr.write(plain(line) + "\n")


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = parser_of("reconcile", __doc__)
    parser.add_argument(
        "--after-restore", action="store_true", required=True, help="say that you mean it"
    )
    parser.add_argument(
        "--looked-up",
        action="store_true",
        help="say that you looked up what is named as unasked, and settled what was there",
    )
    parser.add_argument(
        "--tenant", action="append", default=[], help="whose; may be repeated; all by default"
    )
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
